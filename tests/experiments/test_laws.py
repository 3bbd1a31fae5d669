"""The theoretical laws, and the arena's games held against them."""

import numpy as np
import pytest

from entropeg.experiments.laws import Geometric, Law, Uniform, law
from entropeg.experiments.runner import arena
from entropeg.rules import Rules

LAWS: list[Law] = [Geometric(16), Geometric(16, 5), Geometric(1), Uniform(16), Uniform(16, 5), Uniform(3, 20)]


@pytest.mark.parametrize("known", LAWS)
def test_a_law_sums_to_one_and_has_the_mean_it_says(known: Law) -> None:
    guesses = np.arange(3000)
    shares = np.diff(known.cdf(guesses), prepend=0.0)

    assert shares.sum() == pytest.approx(1)
    assert (shares * guesses).sum() == pytest.approx(known.mean)


@pytest.mark.parametrize("known", LAWS)
def test_a_law_gives_nothing_to_impossible_numbers(known: Law) -> None:
    assert [0, 0, 0] == known.cdf([-3, 0, 0.5]).tolist()
    assert [known.cdf(1)] * 2 == known.cdf([1.0, 1.5]).tolist()


def test_laws_of_the_course_board() -> None:
    chance, memory = law("random", Rules.parse("4x8")), law("memory", Rules.parse("4x8"))

    assert chance is not None
    assert memory is not None
    assert (4096, 2048.5) == (chance.mean, memory.mean)
    assert ("geometric law, p = 1/4096, mean 4096", "uniform law on 1..4096, mean 2048.5") == (
        chance.describe,
        memory.describe,
    )


@pytest.mark.parametrize("name", ["consistent", "minimax:ties=knuth", "unheard-of"])
def test_other_codebreakers_have_no_law(name: str) -> None:
    assert law(name, Rules.parse("4x8")) is None


def test_boards_beyond_floating_point_have_no_law() -> None:
    assert law("random", Rules.parse("1000x1000")) is None
    assert law("random", Rules.parse("301x10")) is None
    assert law("random", Rules.parse("300x10")) is not None


def test_a_law_counts_guesses_where_secrets_are_fewer() -> None:
    known = law("random", Rules.parse("3x4/blanks"))

    assert known is not None
    assert 5**3 == known.mean


@pytest.mark.parametrize("breaker", ["random", "memory"])
@pytest.mark.parametrize("board", ["4x8", "3x5/no-repeats", "2x3/blanks-in-secrets", "3x4/limit=40"])
def test_games_follow_the_law(breaker: str, board: str) -> None:
    rules, games = Rules.parse(board), 4000
    known = law(breaker, rules)
    run = arena(breaker, "honest", rules, games=games, seed=1)[0]
    won = np.sort(run.guesses[run.guesses > 0])
    measured = np.searchsorted(won, np.arange(won[-1] + 1), side="right") / len(won)

    assert known is not None
    # Kolmogorov and Smirnov: 1.95 / sqrt(n) is passed by chance once in a thousand seeds, or more rarely.
    assert np.abs(measured - known.cdf(np.arange(won[-1] + 1))).max() < 1.95 / len(won) ** 0.5
    assert known.won == pytest.approx(len(won) / games, abs=3 * 0.5 / games**0.5)
