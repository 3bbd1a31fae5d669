"""Games of docs/do/own-games.md, each with its optimum."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

from entropeg import Rules, play
from entropeg.errors import InputError
from entropeg.kinds.answers import OwnKind
from entropeg.tree import StrategyTree
from entropeg.tree.optimum import optimal

GAMES = Path(__file__).parents[2] / "examples" / "games"

OUTCOMES = [(-1, 0), *product(range(12), (-1, 1))]
"""No coin is wrong, or one is lighter or heavier."""


def balance(weighing: Any, outcome: Any) -> Any:
    """How the scales stand: 0 balanced, 1 left sinks, 2 right sinks."""
    (left, right), (coin, weight) = weighing, outcome
    return ((coin in left) - (coin in right)) * weight % 3


def test_twelve_coins_take_three_weighings_and_75_in_all() -> None:
    sides = [(left, right) for k in range(1, 7) for left in combinations(range(12), k) for right in _others(left, k)]
    cells = [[balance(one, outcome) for one in sides] for outcome in OUTCOMES]
    rules = Rules.of_answers(list(map(str, OUTCOMES)), list(map(str, sides)), cells, naming=False)

    assert (rules.guess_count, rules.secret_count) == (36_894, 25)
    assert optimal(rules, worst=True).worst == 3
    assert optimal(rules).total == 75


def _others(left: Any, k: int) -> Any:
    return (right for right in combinations(sorted({*range(12)} - {*left}), k) if left < right)


@pytest.mark.parametrize(("game", "total", "worst"), [("zoo", 72, 6), ("faces", 126, 7)])
def test_optimum_of_animals_and_faces(game: Any, total: Any, worst: Any) -> None:
    found = optimal(f"table:{GAMES / game}.csv", worst=True)
    free = optimal(f"table:{GAMES / game}.csv")

    assert (total, worst) == (free.total, found.worst)
    checked = free.checked()
    assert checked is not None
    assert checked.total == total
    assert StrategyTree.build("entropy", f"table:{GAMES / game}.csv").total >= total


@pytest.mark.parametrize(
    ("samples", "total", "worst"), [(6, 100, 5), (7, 143, 6), (8, 196, 6), (9, 258, 6), (10, 329, 7)]
)
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


def test_first_problem_of_turing_machine() -> None:
    codes = list(product(range(1, 6), repeat=3))
    # Cards 4, 9, 11, 14: yellow against 4, the number of threes, blue against yellow, the least of the three.
    cards: list[list[Any]] = [
        [lambda c: c[1] < 4, lambda c: c[1] == 4, lambda c: c[1] > 4],
        [lambda c, k=k: c.count(3) == k for k in range(4)],
        [lambda c: c[0] < c[1], lambda c: c[0] == c[1], lambda c: c[0] > c[1]],
        [lambda c, k=k: all(c[k] < c[other] for other in range(3) if other != k) for k in range(3)],
    ]

    def fitting(laws: Any) -> Any:
        return [code for code in codes if all(law(code) for law in laws)]

    # One code fits, and each card is needed.
    machines = [
        laws
        for laws in product(*cards)
        if len(fitting(laws)) == 1 and all(len(fitting(laws[:at] + laws[at + 1 :])) > 1 for at in range(4))
    ]
    names = ["".join(map(str, fitting(laws)[0])) for laws in machines]
    asked = list(product(codes, range(4)))
    rules = Rules.of_answers(
        names,
        [f"{''.join(map(str, code))} {'ABCD'[at]}" for code, at in asked],
        [[laws[at](code) for code, at in asked] for laws in machines],
        naming=False,
    )

    assert names == ["221", "241"]
    assert optimal(rules, worst=True).worst == 1


class Distance(OwnKind):
    """Sum of the distances of pegs in place."""

    name = "distance-of-games"

    def answer_to(self, guess: Any, secret: Any, rules: Any) -> Any:
        return sum(abs(one - other) for one, other in zip(guess, secret, strict=True))


DISTANCE: Any = Distance()
"""Rules take it as it is; for checkers of types their field is what it becomes there."""


def test_a_feedback_of_ones_own_takes_217_on_3x4() -> None:
    assert optimal(Rules(3, 4, feedback=DISTANCE)).total == 217


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
