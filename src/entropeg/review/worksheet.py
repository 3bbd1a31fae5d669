"""Writes reviews as the worksheet of a class."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from math import log2

from entropeg.codes import format_code
from entropeg.feedback import format_feedback
from entropeg.review.account import Review
from entropeg.told import Told, words

WORKSHEET = words("column", "round", "guess", "feedback", "codes left", "bits left")
"""The columns of a worksheet."""


def worksheet_rows(review: Review) -> list[tuple[str, ...]]:
    """Return the rows of a worksheet, the first one that of the start; numbers that nobody knows are empty."""
    rules = review.position.rules
    start = review.turns[0].before
    rows: list[tuple[str, ...]] = [("0", "", "", *_left(start))]
    rows += [
        (str(turn.number), format_code(turn.turn.guess, rules), format_feedback(turn.turn.feedback), *_left(turn.after))
        for turn in review.turns
    ]
    return rows


def _left(codes: int | None) -> tuple[str, str]:
    return ("", "") if codes is None else (str(codes), f"{log2(codes):.2f}")


def worksheet_csv(review: Review) -> str:
    """Return the worksheet as CSV, with a heading.

    >>> from entropeg import Position
    >>> from entropeg.review import review
    >>> print(worksheet_csv(review(Position("3x4", ["AAB XO", "ABC XXX"]))), end="")
    round,guess,feedback,codes left,bits left
    0,,,64,6.00
    1,AAB,XO,8,3.00
    2,ABC,XXX,1,0.00
    """
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([WORKSHEET, *worksheet_rows(review)])
    return out.getvalue()


def worksheets_csv(reviews: Sequence[tuple[str, Review]]) -> str:
    """Return the worksheets of several games as one table, with the name of the game in a first column."""
    out = io.StringIO()
    rows = [(name, *row) for name, review in reviews for row in worksheet_rows(review)]
    csv.writer(out, lineterminator="\n").writerows([("game", *WORKSHEET), *rows])
    return out.getvalue()


def shown_rows(review: Review) -> list[tuple[str, ...]]:
    """Return the rows of a worksheet for people: numbers as their language writes them."""
    return [(*row[:3], *_left_told(*row[3:])) for row in worksheet_rows(review)]


def _left_told(codes: str, bits: str) -> tuple[str, str]:
    return (Told("{codes:count}", int(codes)), Told("{number:.2f}", float(bits))) if codes else ("?", "?")
