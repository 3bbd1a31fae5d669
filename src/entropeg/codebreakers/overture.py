"""The overture of document B: `ABCD`, `EFGH`, ... until enough is known of the colors to go over to the endgame."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from entropeg.feedback import Code
from entropeg.position import Position
from entropeg.rules import Rules

End: TypeAlias = Literal["found", "colors", "all marks", "all marks but one", "other guess"]
"""Why an overture is over: the code is found, every color was played, the marks add up to the number of pegs, or to one
less; or, which document B has no need of, some other code was played."""


def overture_codes(rules: Rules) -> tuple[Code, ...]:
    """Return the codes of the overture: all colors in order, cut into codes, the last one filled from the start.

    Where guesses may not repeat colors and the colors do not fill a code, blanks fill it.

    >>> overture_codes(Rules.parse("4x6"))
    ((0, 1, 2, 3), (4, 5, 0, 1))
    """
    return _codes(rules.pegs, rules.colors, bool(rules.guess_repeats))


@lru_cache(maxsize=64)
def _codes(pegs: int, colors: int, repeats: bool) -> tuple[Code, ...]:  # noqa: FBT001 (a key of the cache)
    if colors < pegs and not repeats:
        return (tuple(range(colors)) + (colors,) * (pegs - colors),)
    return tuple(
        tuple(color % colors for color in range(first, first + pegs)) for first in range(0, colors, pegs)
    )


@dataclass(frozen=True)
class Overture:
    """How far the overture of a game has come."""

    codes: tuple[Code, ...]
    played: int
    """Number of turns that belong to the overture."""
    end: End | None
    """Why it is over, None while it goes on."""
    marks: int
    """Black and white marks of its turns, added up."""

    @classmethod
    def of(cls, position: Position) -> Overture:
        """Follow the turns of a position from the start."""
        codes, marks = overture_codes(position.rules), 0
        for played, turn in enumerate(position.turns):
            end = _end(position.rules, played, len(codes), marks)
            if end is None and turn.guess != codes[played]:
                end = "other guess"
            if end is not None:
                return cls(codes, played, end, marks)
            marks += turn.feedback.black + turn.feedback.white
            if turn.feedback.black == position.rules.pegs:
                return cls(codes, played + 1, "found", marks)
        played = len(position.turns)
        return cls(codes, played, _end(position.rules, played, len(codes), marks), marks)

    @property
    def next(self) -> Code | None:
        """The next code of the overture, None where it is over."""
        return self.codes[self.played] if self.end is None else None


def _end(rules: Rules, played: int, codes: int, marks: int) -> End | None:
    if marks >= rules.pegs:
        return "all marks"
    if marks == rules.pegs - 1 and played:
        return "all marks but one"
    return "colors" if played == codes else None


def probes(position: Position) -> tuple[Code, ...]:
    """Return the codes of the overture that have not been played, in order: probes for the endgame (document B)."""
    played = {turn.guess for turn in position.turns}
    return tuple(code for code in overture_codes(position.rules) if code not in played)
