"""The player of Jourde 2018: it plays what its sample tells, and says where it was given up."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from entropeg import Feedback, Position, Rules, codebreakers, codemakers, play, score
from entropeg.candidates import label_tree
from entropeg.codebreakers import montecarlo
from entropeg.codebreakers.check import check_codebreaker
from entropeg.codebreakers.montecarlo import Montecarlo
from entropeg.codes import CodeSet, random_guess, random_secret
from entropeg.errors import ContradictionError, InputError, TooLargeError
from entropeg.position import Turn
from strategies import position_after


def test_the_time_that_is_left_does_not_hide_a_contradiction() -> None:
    with pytest.raises(ContradictionError):
        Montecarlo(time=1e-9).guess(Position(Rules.parse("1x1"), [((0,), Feedback(0))]), np.random.default_rng(1))


@pytest.mark.parametrize("text", ["3x3", "4x6", "4x6/membership", "4x6/no-repeats", "3x4/positional", "4x5/black"])
@pytest.mark.parametrize("score_name", ["parts", "entropy"])
def test_the_player_wins(text: str, score_name: str) -> None:
    rules = Rules.parse(text)
    player = Montecarlo(secrets=100, candidates=200, score=score_name)
    game = play(player, codemakers.get("honest"), rules, seed=3)

    assert game.outcome == "won"


def test_the_player_wins_where_nothing_can_be_listed() -> None:
    game = play(Montecarlo(secrets=200, candidates=300), codemakers.get("honest"), Rules.parse("8x12"), seed=3)

    assert game.outcome == "won"
    assert len(game) < 14


def test_the_player_keeps_its_promises() -> None:
    check_codebreaker(Montecarlo(secrets=20, candidates=30))


def test_the_code_with_most_feedbacks_is_played_and_a_secret_before_others() -> None:
    position = position_after("3x4", (0, 1, 2), (3, 3, 0))
    found = Montecarlo().decide(position, np.random.default_rng(2))
    candidates, rules = list(position.candidates), position.rules
    parts = {
        guess: len({score(guess, secret, rules) for secret in candidates}) for guess in product(range(4), repeat=3)
    }

    assert max(parts.values()) == found.score == parts[found.guess]
    assert any(parts[code] == found.score for code in candidates) == (found.guess in candidates)


def test_a_code_that_was_played_is_not_a_candidate_again() -> None:
    position = position_after("2x2", (0, 1), (0, 0))
    found = Montecarlo().decide(position, np.random.default_rng(1))

    assert found.candidates == 3
    assert found.guess != (0, 0)


def test_the_only_secret_is_played_at_once() -> None:
    position = position_after("4x6", (0, 1, 2, 3), (0, 1, 2, 2), (0, 1, 3, 3), (0, 1, 2, 5), (2, 1, 0, 0))
    found = Montecarlo().decide(position, np.random.default_rng(1))

    assert (list(position.candidates), found.secrets.number) == ([found.guess], 1)


def test_a_contradiction_is_told() -> None:
    turns = [((0, 0, 1, 1), Feedback(4, 0)), ((2, 2, 3, 3), Feedback(1, 0))]
    with pytest.raises(ContradictionError):
        Montecarlo().guess(Position(Rules.parse("4x6"), turns), np.random.default_rng(1))


def crowded() -> Position:
    rules, rng = Rules.parse("30x30"), np.random.default_rng(1)
    secret = random_secret(rules, rng)
    played = [random_guess(rules, rng) for _ in range(20)]
    return Position(rules, [Turn(guess, score(guess, secret, rules)) for guess in played])


@pytest.fixture
def few_descents(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the label permutations up early: at the edge they find nothing in any case."""
    monkeypatch.setattr(label_tree, "VAIN", 1)
    monkeypatch.setattr(label_tree, "WALKED", -1)


@pytest.mark.usefixtures("few_descents")
def test_beyond_its_reach_it_says_who_gets_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("entropeg.candidates.solver.is_installed", lambda: False)
    monkeypatch.setattr("entropeg.codebreakers.montecarlo.STEPS", 1000)
    with pytest.raises(TooLargeError, match="nothing is proved: auto picks a strategy"):
        Montecarlo(secrets=10).guess(crowded(), np.random.default_rng(1))


EDGE = [
    "14x14",
    "14x2",
    "14x60",
    "14x300",
    "14x14/black",
    "14x14/membership",
    "14x20/no-repeats",
    "14x14/no-repeats",
    "14x10/blanks",
    "14x14/blanks-in-secrets",
    "14x10/positional",
]


@pytest.mark.usefixtures("few_descents")
@pytest.mark.parametrize("board", EDGE)
def test_within_its_reach_it_finds_codes_that_fit(board: str) -> None:
    rules, rng = Rules.parse(board), np.random.default_rng(1)
    secret = random_secret(rules, rng)
    played = [random_guess(rules, rng) for _ in range(9)]
    position = Position(rules, [Turn(guess, score(guess, secret, rules)) for guess in played])
    found = Montecarlo(secrets=20, candidates=20).decide(position, rng)

    assert found.fits
    assert len(found.secrets.codes) == len(found.secrets.codes.consistent(position.turns)) > 0


@pytest.mark.usefixtures("few_descents")
def test_within_its_reach_it_never_stops() -> None:
    game = play(Montecarlo(secrets=30, candidates=30), codemakers.get("honest"), Rules.parse("14x14"), seed=1)

    assert game.outcome == "won"


@pytest.mark.usefixtures("few_descents")
def test_a_lie_that_nobody_can_prove_is_no_accusation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("entropeg.candidates.solver.is_installed", lambda: False)
    rules, rng = Rules.parse("14x14"), np.random.default_rng(1)
    turns = [Turn(random_guess(rules, rng), Feedback(3, 4)) for _ in range(12)]

    with pytest.raises(TooLargeError, match="found no secret"):
        Montecarlo(secrets=10).guess(Position(rules, turns), rng)


def test_with_too_little_time_it_plays_and_says_that_nothing_that_fits_was_found() -> None:
    position = crowded()
    found = Montecarlo(secrets=10, time=0.01).decide(position, np.random.default_rng(1))

    assert not found.fits
    assert found.guess not in [turn.guess for turn in position.turns]
    assert "best guess so far" in Montecarlo(time=0.01).explained(position, np.random.default_rng(1))[1]


@pytest.mark.parametrize("spec", ["montecarlo:secrets=0", "montecarlo:score=best", "montecarlo:time=-1"])
def test_wrong_parameters_are_refused(spec: str) -> None:
    with pytest.raises(InputError):
        codebreakers.get(spec)


def test_secrets_that_are_no_codes_of_colors_are_refused() -> None:
    with pytest.raises(InputError, match="codes of colors"):
        Montecarlo().guess(Position(Rules.parse("3x10/shapes=5")), np.random.default_rng(1))


@pytest.mark.parametrize("scoring", ["parts", "entropy"])
def test_parts_are_counted_alike_by_sorting_and_in_a_table(scoring: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules.parse("6x4/positional")
    rng = np.random.default_rng(3)
    pool, some = (CodeSet.of([random_secret(rules, rng) for _ in range(size)], rules) for size in (60, 25))
    player = Montecarlo(score=scoring)

    assert rules.label_count > montecarlo.SPARSE * len(some)
    by_sorting = player._scores(pool, some)
    monkeypatch.setattr(montecarlo, "SPARSE", rules.label_count)

    assert by_sorting == pytest.approx(player._scores(pool, some))
