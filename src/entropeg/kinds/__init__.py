"""Kinds of feedback: objects as `kinds.kind` explains them, built in by number, or brought by somebody."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Self, TypeAlias

from entropeg import sizes
from entropeg.errors import InputError
from entropeg.kinds.answers import TABLED, NamedAnswer, OwnKind
from entropeg.kinds.counts import BLACK, MEMBERSHIP, STANDARD, Feedback
from entropeg.kinds.grand import GRAND, GrandFeedback
from entropeg.kinds.kind import Kind
from entropeg.kinds.marks import POSITIONAL, Marks

AnyFeedback: TypeAlias = Feedback | Marks | GrandFeedback | NamedAnswer


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


@dataclass(frozen=True)
class BroughtKind:
    """A kind that is no row of `FeedbackKind`: it has no number of its own, its table has."""

    about: OwnKind

    @property
    def name(self) -> str:
        """How the rules name it."""
        return self.about.name

    def __int__(self) -> int:
        """Return the number by which kernels know that answers are looked up."""
        return sizes.TABLE


AnyKind: TypeAlias = FeedbackKind | BroughtKind

TABLE = BroughtKind(TABLED)
"""The kind of a table of answers."""

_PASSED: dict[str, OwnKind] = {}


def brought(kind: OwnKind) -> BroughtKind:
    """Take a kind that was passed to rules; its name is then read in the text of rules, in this process.

    Raises InputError where the name is one of the options, or of another kind.
    """
    taken = {row.name for row in FeedbackKind} | {"table"}
    if kind is not TABLED:
        if kind.name in taken or not kind.name.replace("-", "").isalnum():
            raise InputError("the kind of feedback is named {name!r}: give it a name of its own", kind.name)
        if (known := _PASSED.get(kind.name, kind)) != kind and not _is_defined_anew(type(known), type(kind)):
            raise InputError("two kinds of feedback are named {name!r}: give one of them another name", kind.name)
        _PASSED[kind.name] = kind
    return BroughtKind(kind)


def _is_defined_anew(known: type, one: type) -> bool:
    # As a cell of a notebook does that is run again: the class as it is now counts.
    return known is not one and (known.__module__, known.__qualname__) == (one.__module__, one.__qualname__)


def kind_named(name: str) -> BroughtKind | None:
    """Return the kind of a name that was passed in this process or is installed, None where there is none.

    Raises InputError where an installed kind cannot be loaded.
    """
    found = _PASSED.get(name) or _installed(name)
    return None if found is None else brought(found)


@lru_cache(maxsize=64)
def _installed(name: str) -> OwnKind | None:
    from importlib.metadata import entry_points

    for point in entry_points(group="entropeg.kinds", name=name):
        try:
            made = point.load()
            made = made() if isinstance(made, type) else made
        except Exception as error:  # noqa: BLE001 - whatever a module of somebody else raises
            raise InputError("the kind {name} cannot be loaded: {error}", name, error) from None
        if not isinstance(made, OwnKind) or made.name != name:
            raise InputError("the entry point {name} is no OwnKind of that name", name)
        return made
    return None
