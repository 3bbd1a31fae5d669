"""The book of first and second guesses, against the exact search."""

from __future__ import annotations

import numpy as np
import pytest

from entropeg.codes import format_code, guesses
from entropeg.feedback import parse_feedback
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.book import look_up
from entropeg.search.values import PositionValues

RULES = Rules.parse("bulls-and-cows")


def test_the_book_has_every_answer_to_every_opening() -> None:
    start = look_up(Position(RULES))
    assert start is not None
    assert [(format_code(guess, RULES), total) for guess, total in start.guesses] == [("0123", 26274)]
    rng = np.random.default_rng(4)
    listed = guesses(RULES)
    for feedback in ("-", "O", "OO", "OOO", "OOOO", "X", "XO", "XOO", "XOOO", "XX", "XXO", "XXOO", "XXX"):
        position = Position(RULES).after(listed[int(rng.integers(len(listed)))], parse_feedback(feedback, RULES))
        entry = look_up(position)
        assert entry is not None
        assert entry.is_exact
        asked = PositionValues(position.candidates, position.turns)
        with asked.opened():
            for guess, total in (entry.guesses[0], entry.guesses[-1], entry.guesses[len(entry.guesses) // 2]):
                assert asked.after(guess).lower == total
        assert [total for _, total in entry.guesses] == sorted(total for _, total in entry.guesses)


@pytest.mark.parametrize("board", ["4x5", "4x10", "4x10/no-repeats/black", "5x8/prior=distinct", "5x8/positional"])
def test_the_book_is_silent_on_other_boards(board: str) -> None:
    assert look_up(Position(board)) is None


def test_the_openings_of_the_book_are_those_of_known_optima() -> None:
    for board, total in (("4x7", 11228), ("4x8", 20471), ("5x5", 13496), ("4x9", 34666)):
        entry = look_up(Position(board))
        assert entry is not None
        assert entry.is_exact
        assert entry.guesses[0][1] == total
        assert len(entry.guesses) == (7 if board == "5x5" else 5)  # partitions of the number of pegs
    near = look_up(Position("5x8"))
    assert near is not None
    assert not near.is_exact


def test_the_book_is_silent_after_two_turns() -> None:
    assert look_up(Position(RULES, ["0123 OO", "1045 O"])) is None
