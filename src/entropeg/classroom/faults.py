"""Says in one sentence what a course module did wrong, with file, line and the game so far."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from entropeg.errors import InputError

SHOWN_TURNS = 12


@dataclass(frozen=True)
class Fault:
    """A fault: its kind, what happened, who, where in the files, and the game so far."""

    kind: str
    text: str
    player: str
    file: str = ""
    line: int | None = None
    game: int | None = None
    turns: tuple[str, ...] | None = None
    """The turns played, as text; None where it happened outside a game."""
    count: int = 0
    """Number of turns played, of which `turns` may hold only the first."""
    prints: str = ""

    @property
    def place(self) -> str:
        """File and line, as far as known."""
        where = self.file or self.player
        return where if self.line is None else f"{where}, line {self.line}"

    @property
    def sentence(self) -> str:
        """All of it in one sentence."""
        when = "" if self.game is None else f"in game {self.game + 1}, "
        return f"{self.place}: {when}{self.text}{self._so_far()}"

    def _so_far(self) -> str:
        if self.turns is None:
            return ""
        if not self.count:
            return " (at its first turn)"
        shown = ", ".join(self.turns[:SHOWN_TURNS])
        more = f" ... {self.count} turns" if self.count > SHOWN_TURNS else ""
        return f" (the game so far: {shown}{more})"

    def at(self, **changes: Any) -> Fault:
        """Return the fault with more of it known."""
        return replace(self, **changes)

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `json.dumps`."""
        return {
            "kind": self.kind,
            "sentence": self.sentence,
            "player": self.player,
            "file": self.file,
            "line": self.line,
            "game": self.game,
            "turns": None if self.turns is None else list(self.turns),
            "prints": self.prints,
        }


class ModuleFault(InputError):  # noqa: N818 (a fault of theirs; as a word it is what it is)
    """A player of someone else did something wrong; `fault` tells all of it."""

    def __init__(self, fault: Fault) -> None:
        """Keep the fault; the message is its sentence."""
        super().__init__(fault.sentence)
        self.fault = fault

    def __reduce__(self) -> tuple[type[ModuleFault], tuple[Fault]]:
        """Travel from the processes of the arena."""
        return ModuleFault, (self.fault,)
