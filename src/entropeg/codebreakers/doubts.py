"""Doubts of a codebreaker about the answers that it was given: why, which turn is meant, and whether it is proved."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol, runtime_checkable

from entropeg.plain_values import Finite, Ordinal, PlainValue
from entropeg.told import Told

if TYPE_CHECKING:
    from entropeg.position import Position


class Suspect(NamedTuple):
    """A row that may be wrong, and how likely it is: NaN where that is not known."""

    row: Ordinal
    chance: Finite = nan


@dataclass(frozen=True)
class Doubt(PlainValue):
    """The doubt that the answers of a game are all true.

    `rows` are suspect, likeliest first; where none is likelier than others, there are none.

    >>> Doubt(Told("one answer differs"), False, (Suspect(7),)).says
    'Everything but row 8 fits; most likely row 8 is wrong. This is not proved.'
    """

    PLAIN: ClassVar[tuple[str, ...]] = ("says", "row", "reason", "is_proved")

    reason: str
    """What does not fit."""
    is_proved: bool
    """Whether it is proved that no code fits."""
    rows: tuple[Suspect, ...] = ()

    @property
    def row(self) -> Ordinal | None:
        """The row that alone is suspect; null where others are too, or none is."""
        return self.rows[0].row if len(self.rows) == 1 else None

    @property
    def says(self) -> str:
        """What is doubted, and whether that is proved."""
        if self.is_proved:
            wrong = Told("No code fits all answers: at least one of them is wrong ({reason}).", self.reason)
            if self.row is None:
                return wrong
            return wrong + " " + Told("Most likely it is row {row}: no other explains it.", self.row + 1)
        if not self.rows:
            return Told("An answer may be wrong: {reason}.", self.reason)
        rows = [suspect.row + 1 for suspect in self.rows]
        if len(rows) > 1:
            return Told("Everything but rows {rows:and} fits; most likely they are wrong. This is not proved.", rows)
        return Told("Everything but row {row} fits; most likely row {row} is wrong. This is not proved.", *rows)


@runtime_checkable
class Doubting(Protocol):
    """A codebreaker that notices wrong answers where nobody can list the codes."""

    def doubt(self, position: Position) -> Doubt | None:
        """Return what is doubted after the turns of a position, and by them alone; None where nothing is."""


def doubt_of(codebreaker: object, position: Position) -> Doubt | None:
    """Return what a codebreaker doubts; None where it doubts nothing, or never does.

    >>> from entropeg import Position, codebreakers
    >>> doubt_of(codebreakers.get("linear"), Position("3x2", ["BBB X", "BBA XX", "BAB X"])).is_proved
    True
    >>> doubt_of(codebreakers.get("random"), Position("3x2", ["BBB X", "BBA XX", "BAB X"])) is None
    True
    """
    return codebreaker.doubt(position) if isinstance(codebreaker, Doubting) else None
