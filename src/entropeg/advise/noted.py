"""All that is told of notes at once: advice on the next guess, or why no code fits them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from entropeg.advise.advice import Advice
from entropeg.advise.contradictions import Contradiction
from entropeg.advise.notes import Notes
from entropeg.advise.player_views import PlayerView
from entropeg.advise.rows import format_row
from entropeg.plain_values import PlainValue
from entropeg.rules import Rules


@dataclass(frozen=True)
class NotedAdvice(PlainValue):
    """Advice, or the contradiction; neither where the game is over."""

    PLAIN: ClassVar[tuple[str, ...]] = ("rules", "rows", "state=notes.state", "advice", "players", "contradiction")

    notes: Notes
    advice: Advice | None = None
    players: tuple[PlayerView, ...] = ()
    """What the players that were asked would play."""
    contradiction: Contradiction | None = None

    @property
    def rules(self) -> Rules:
        """The rules of the notes."""
        return self.notes.rules

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows as they were read."""
        return tuple(format_row(row, self.rules) for row in self.notes.rows)
