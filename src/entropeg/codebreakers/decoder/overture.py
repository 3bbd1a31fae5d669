"""The overture of Forget 2011: `ABCD`, `EFGH`, ... until enough is known of the colors to go over to the endgame."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, cycle, islice
from typing import Literal, TypeAlias

from entropeg.feedback import Code
from entropeg.position import Position
from entropeg.rules import Rules

End: TypeAlias = Literal["found", "colors", "all marks", "all marks but one", "other guess", "words", "hard"]
"""Why an overture is over: the code is found, every color was played, the marks add up to the number of pegs, or to one
less; or, which Forget has no need of, some other code was played, or there is none, for a word list or under hard
rules."""


def overture_codes(rules: Rules, removed: Collection[int] = ()) -> tuple[Code, ...]:
    """Return the codes of the overture: all colors in order, cut into codes, the last one filled from the start.

    It is filled with colors that are not `removed` (known not to occur). Where guesses may not repeat colors it is
    filled with other colors, removed ones last, and with blanks if there are too few. A word list has no overture, nor
    have hard rules, under which marks are followed at once.

    >>> overture_codes(Rules.parse("4x6"))
    ((0, 1, 2, 3), (4, 5, 0, 1))
    >>> overture_codes(Rules.parse("4x6"), removed={0, 1, 2, 3})
    ((0, 1, 2, 3), (4, 5, 4, 5))
    """
    if rules.words is not None or rules.hard:
        return ()
    return _codes(rules.pegs, rules.colors, bool(rules.guess_repeats), tuple(sorted(removed)))


@lru_cache(maxsize=256)
def _codes(pegs: int, colors: int, repeats: bool, removed: Code) -> tuple[Code, ...]:  # noqa: FBT001 (a cache key)
    blocks = [tuple(range(first, min(first + pegs, colors))) for first in range(0, colors, pegs)]
    last = blocks.pop()
    left = [color for color in range(colors) if color not in removed] or list(last)
    filling: Iterator[int]
    if repeats:
        filling = cycle(left)
    else:
        further = chain((color for color in left if color not in last), (c for c in removed if c not in last))
        filling = chain(further, cycle([colors]))
    return (*blocks, (*last, *islice(filling, pegs - len(last))))


@dataclass(frozen=True)
class Overture:
    """How far the overture of a game has come."""

    codes: tuple[Code, ...]
    """All its codes, as they are or would be played after what is known of the colors."""
    played: int
    """Number of turns that belong to the overture."""
    end: End | None
    """Why it is over, None while it goes on."""
    marks: int
    """Black and white marks of its turns, added up."""

    @classmethod
    def of(cls, position: Position) -> Overture:
        """Follow the turns of a position from the start."""
        rules, marks, removed = position.rules, 0, set[int]()
        codes = overture_codes(rules)
        if not codes:
            return cls(codes, 0, "hard" if rules.words is None else "words", 0)
        for played, turn in enumerate(position.turns):
            end = _end(rules, played, len(codes), marks)
            if end is None and turn.guess != codes[played]:
                end = "other guess"
            if end is not None:
                return cls(codes, played, end, marks)
            black, white = turn.feedback.black, turn.feedback.white
            marks += black + white
            if black == rules.pegs:
                return cls(codes, played + 1, "found", marks)
            if not black + white and not rules.feedback.about.in_place_only:
                removed.update(turn.guess)
                codes = overture_codes(rules, removed)
        played = len(position.turns)
        return cls(codes, played, _end(rules, played, len(codes), marks), marks)

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


def probes(position: Position, overture: Overture | None = None) -> tuple[Code, ...]:
    """Return the codes of the overture that have not been played, in order: probes for the endgame (Forget 2011).

    `overture` is that of the position where it is already known.
    """
    played = {turn.guess for turn in position.turns}
    return tuple(code for code in (overture or Overture.of(position)).codes if code not in played)
