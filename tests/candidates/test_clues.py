"""Clues of hard rules: what the answers so far demand of the next guess, held against the rule in plain words."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entropeg.candidates.clues import Clues, check_unbound, followers
from entropeg.codes import guesses, score, secrets
from entropeg.errors import InputError
from entropeg.feedback import AnyFeedback, Code, Marks, label_of
from entropeg.rules import Rules

HARD = Rules.parse("3x4/positional/hard")
CODES = list(guesses(HARD))


def is_used(code: Code, guess: Code, feedback: AnyFeedback) -> bool:
    """Whether a code has what one answer shows: marked places, and as many of each color as were marked."""
    assert isinstance(feedback, Marks)
    placed = all(code[peg] == guess[peg] for peg, mark in enumerate(feedback) if mark == 2)
    marked = [color for color, mark in zip(guess, feedback, strict=True) if mark]
    return placed and all(code.count(color) >= marked.count(color) for color in marked)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.sampled_from(CODES), st.sampled_from(CODES)), max_size=4))
def test_a_guess_is_allowed_where_it_uses_every_answer(drawn: list[tuple[Code, Code]]) -> None:
    turns = [(guess, score(guess, secret, HARD)) for guess, secret in drawn]
    clues, step = Clues.of(HARD, turns), Clues(HARD)
    for turn in turns:
        step = step.after(*turn)
    expected = [all(is_used(code, *turn) for turn in turns) for code in CODES]

    assert clues == step == Clues.of(HARD, turns[::-1])
    assert expected == [clues.allows(code) for code in CODES]
    assert expected == [clues.fault(code) == "" for code in CODES]
    assert expected == clues.mask(guesses(HARD).planes).tolist()


def test_the_first_clue_that_is_not_used_is_told() -> None:
    clues = Clues.of("4x6/positional/hard", [((0, 0, 1, 2), (2, 1, 0, 1))])  # type: ignore[list-item]  # marks as numbers

    assert (((0, 0),), ((0, 2), (2, 1))) == (clues.places, clues.least)
    assert "peg 1 was in place: it must be A" == clues.fault((1, 0, 0, 2))
    assert "a guess must have 2 of A" == clues.fault((0, 3, 3, 3))
    assert "a guess must have C" == clues.fault((0, 0, 3, 3))
    assert "" == clues.fault((0, 2, 0, 3))
    clues.check((0, 2, 0, 3))
    with pytest.raises(InputError, match="AADD does not use every clue: a guess must have C"):
        clues.check((0, 0, 3, 3))


def test_followers_are_the_guesses_that_use_the_answer() -> None:
    codes = secrets(HARD)
    may_follow = followers(codes)
    assert may_follow is not None
    assert followers(secrets("3x4/positional")) is None

    for guess, secret in combinations(range(0, len(codes), 7), 2):
        feedback = score(codes[guess], codes[secret], HARD)
        expected = [is_used(code, codes[guess], feedback) for code in codes]

        assert np.array_equal(expected, may_follow(guess, label_of(feedback, HARD)))


def test_players_that_ask_what_they_like_are_refused_under_hard_rules_by_name() -> None:
    check_unbound(Rules.parse("4x6"), "beam")
    with pytest.raises(InputError, match="beam asks what it wants to know, and in 3x4/positional/hard each guess"):
        check_unbound(HARD, "beam")
