"""The front for candidates, and the chains behind it: what they find fits, is all there is, and equally likely."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from entropeg.candidates import Chains, can_walk, find_candidates
from entropeg.codes import random_guess, random_secret, secrets
from entropeg.errors import ContradictionError, InputError, TooLargeError
from entropeg.feedback import Code, Feedback, score
from entropeg.rules import FeedbackKind, Rules

SMALL = [
    "4x6",
    "4x5/black",
    "4x5/membership",
    "4x6/no-repeats",
    "4x4/no-repeats",
    "4x5/blanks",
    "4x4/blanks-in-secrets",
]
SMALL += ["4x5/no-repeats/blanks-in-secrets", "3x5/no-repeats/guess-repeats"]


def some_turns(rules: Rules, number: int, seed: int) -> tuple[list[tuple[Code, Feedback]], Code]:
    rng = np.random.default_rng(seed)
    secret = random_secret(rules, rng)
    guesses = [random_guess(rules, rng) for _ in range(number)]
    return [(guess, score(guess, secret, rules)) for guess in guesses], secret  # type: ignore[misc]


def missed(rules: Rules, turns: list[tuple[Code, Feedback]], code: Code) -> int:
    """Energy, from its definition."""
    told = [(feedback, score(guess, code, rules)) for guess, feedback in turns]
    black = sum(abs(one.black - other.black) for one, other in told)
    if rules.feedback == FeedbackKind.black:
        return black
    return black + sum(abs(one.black + one.white - other.black - other.white) for one, other in told)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_chains_keep_count_of_what_they_miss(data: st.DataObject) -> None:
    rules = data.draw(strategies.rules().filter(can_walk))
    turns, _ = some_turns(rules, data.draw(st.integers(0, 40)), data.draw(st.integers(0, 99)))
    chains = Chains(rules, turns, np.random.default_rng(data.draw(st.integers(0, 99))))

    for _ in range(2):
        states = [tuple(row) for row in chains.states.tolist()]
        assert [missed(rules, turns, state) for state in states] == chains.energies.tolist()
        chains.walk(3000, seen=0)
    for code in chains.codes[:50]:
        assert missed(rules, turns, code) == 0


@pytest.mark.parametrize("board", SMALL)
def test_chains_find_every_secret_and_no_other_code(board: str) -> None:
    rules = Rules.parse(board)
    turns, secret = some_turns(rules, 2, 3)
    chains = Chains(rules, turns, np.random.default_rng(1))
    chains.walk(500_000, seen=0)

    assert list(secrets(rules).consistent(turns)) == list(chains.codes)
    assert secret in chains.codes


def test_chains_see_all_codes_equally_often() -> None:
    rules = Rules.parse("4x6")
    turns = [((0, 0, 1, 1), Feedback(1, 0)), ((2, 3, 0, 4), Feedback(0, 2))]
    chains = Chains(rules, turns, np.random.default_rng(5), betas=np.array([0.5, 1.0, 2.0]))
    chains.walk(6_000_000, seen=0)
    expected = chains.hits.mean()

    assert len(secrets(rules).consistent(turns)) == chains.found
    assert expected > 500
    assert (abs(chains.hits - expected) < 0.15 * expected).all()


def test_the_estimate_comes_near_the_number_of_codes() -> None:
    rules = Rules.parse("6x9")
    turns, _ = some_turns(rules, 3, 2)
    chains = Chains(rules, turns, np.random.default_rng(1), capacity=40_000)
    chains.walk(2_000_000, seen=0)

    assert pytest.approx(len(secrets(rules).consistent(turns)), rel=0.1) == chains.estimate()


@pytest.mark.parametrize("board", SMALL)
def test_on_small_boards_the_front_gives_the_list(board: str) -> None:
    rules = Rules.parse(board)
    turns, _ = some_turns(rules, 2, 1)
    found = find_candidates(rules, turns, limit=5000, seed=0)

    assert list(secrets(rules).consistent(turns)) == list(found.codes)
    assert (True, "list") == (found.complete, found.method)


def test_a_sample_says_that_it_is_one() -> None:
    rules = Rules.parse("4x6")
    found = find_candidates(rules, [], limit=100, seed=7)

    assert (100, False, "list") == (len(set(found.codes)), found.complete, found.method)


def test_on_a_vast_board_the_front_samples_and_the_sample_fits() -> None:
    rules = Rules.parse("20x20")
    turns, _ = some_turns(rules, 12, 4)
    found = find_candidates(rules, turns, limit=300, seed=3)

    assert (300, False, "chains") == (len(set(found.codes)), found.complete, found.method)
    assert len(found.codes.consistent(turns)) == 300
    assert list(found.codes) == list(find_candidates(rules, turns, limit=300, seed=3).codes)


def test_when_few_codes_are_left_the_front_lists_them() -> None:
    rules = Rules.parse("10x10")
    turns, secret = some_turns(rules, 11, 4)
    found = find_candidates(rules, turns, limit=300, seed=3)

    assert (True, "built") == (found.complete, found.method)
    assert secret in found.codes


def test_a_proved_contradiction_is_said_and_an_unproved_one_is_not() -> None:
    ten, rules = Rules.parse("10x10"), Rules.parse("30x30")
    lies = [((0,) * 10, Feedback(6)), ((1,) * 10, Feedback(6))]
    turns, _ = some_turns(rules, 40, 1)
    turns[-1] = (turns[-1][0], Feedback(0, 1))
    found = find_candidates(rules, turns, limit=10, seed=1, steps=100_000)

    with pytest.raises(ContradictionError, match="fits all 2 turns"):
        find_candidates(ten, lies, limit=10, seed=1)
    assert (0, False) == (len(found.codes), found.complete)


def test_where_no_way_leads_it_is_said() -> None:
    with pytest.raises(TooLargeError):
        find_candidates(Rules.parse("20x20/positional"), [], limit=10, seed=1, steps=1000)
    with pytest.raises(InputError, match="blacks and marks"):
        Chains(Rules.parse("4x6/positional"), [], np.random.default_rng(1))
    with pytest.raises(TooLargeError, match="255 pegs"):
        Chains(Rules.parse("300x4"), [], np.random.default_rng(1))
