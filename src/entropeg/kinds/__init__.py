"""Kinds of feedback: the table, with a row for each as `kinds.kind` explains it."""

from __future__ import annotations

from enum import IntEnum
from typing import Self, TypeAlias

from entropeg import sizes
from entropeg.kinds.counts import BLACK, MEMBERSHIP, STANDARD, Feedback
from entropeg.kinds.grand import GRAND, GrandFeedback
from entropeg.kinds.kind import Kind
from entropeg.kinds.marks import POSITIONAL, Marks

AnyFeedback: TypeAlias = Feedback | Marks | GrandFeedback


class FeedbackKind(IntEnum):
    """What the codemaker's answer tells. The numbers are those of the kernels."""

    _value_: int
    about: Kind
    """All that is particular to the kind."""

    def __new__(cls, number: int, about: Kind) -> Self:
        """Make a row of the table."""
        kind = int.__new__(cls, number)
        kind._value_, kind.about = number, about
        return kind

    standard = sizes.STANDARD, STANDARD
    """Black for each peg in place; white for each further color shared, counted with multiplicity."""
    black = sizes.BLACK, BLACK
    """Only the number of pegs in place."""
    membership = sizes.MEMBERSHIP, MEMBERSHIP
    """Black, and white for each misplaced peg of the guess whose color occurs in the secret, without multiplicity."""
    positional = sizes.POSITIONAL, POSITIONAL
    """A mark per peg, as in Wordle: black in place; white elsewhere, from the left while copies of the color remain."""
    grand = sizes.GRAND, GRAND
    """Pegs with a color and a shape, one mark for each at most: black for the pair in place; else white for the pair
    elsewhere, with multiplicity, the first pegs first; else blue where color or shape is right in this place."""
