"""Games of docs/do/own-games.md, with their optima; its snippets find those of others."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from entropeg import Rules, play
from entropeg.errors import InputError
from entropeg.tree import StrategyTree
from entropeg.tree.optimum import optimal

GAMES = Path(__file__).parents[2] / "examples" / "games"


@pytest.mark.parametrize(("game", "total", "worst"), [("zoo", 72, 6), ("faces", 126, 7)])
def test_optimum_of_animals_and_faces(game: Any, total: Any, worst: Any) -> None:
    found = optimal(f"table:{GAMES / game}.csv", worst=True)
    free = optimal(f"table:{GAMES / game}.csv")

    assert (total, worst) == (free.total, found.worst)
    checked = free.checked()
    assert checked is not None
    assert checked.total == total
    assert StrategyTree.build("entropy", f"table:{GAMES / game}.csv").total >= total


@pytest.mark.parametrize(("samples", "total", "worst"), [(6, 100, 5), (7, 143, 6), (8, 196, 6), (9, 258, 6)])
def test_group_tests_with_2_positive_at_most(samples: int, total: int, worst: int) -> None:
    every = range(samples)
    found = [some for size in range(3) for some in combinations(every, size)]
    pools = [some for size in range(1, samples + 1) for some in combinations(every, size)]
    names = ["positive " + _bits(some, samples) for some in found]
    asked = ["test     " + _bits(pool, samples) for pool in pools]
    cells = [["positive" if {*some} & {*pool} else "negative" for pool in pools] for some in found]
    rules = Rules.of_answers(names, asked, cells, naming=False)

    assert total == optimal(rules).total
    assert worst == optimal(rules, worst=True).worst


def _bits(some: Any, samples: int) -> str:
    return "".join("1" if sample in some else "0" for sample in range(samples))


@pytest.mark.parametrize(
    ("player", "said"),
    [
        ("consistent", "consistent guesses secrets, which are not named"),
        ("first-consistent", "first-consistent guesses secrets, which are not named"),
        ("static:3", "3 questions tell only 8 of 16 secrets apart, which are not named"),
    ],
)
def test_players_that_name_secrets_say_that_they_cannot_where_none_is_named(player: str, said: str) -> None:
    rules = Rules.parse(f"table:{GAMES / 'zoo.csv'}/identify")
    with pytest.raises(InputError, match=said):
        play(player, "honest", rules, seed=1)

    assert len(play("static", "honest", rules, seed=1).turns) <= 10
    assert play(player, "honest", rules.with_names, seed=1).turns
