"""Says in one sentence what a player written by others did wrong, with file, line and the game so far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from entropeg.codes import format_code, is_listable
from entropeg.errors import InputError, PlayerError
from entropeg.feedback import AnyFeedback, Code, check_feedback
from entropeg.position import Position, describe_conflict, format_turn

SHOWN_TURNS, TOLD_TURNS = 12, 20
"""Turns of a game that a sentence shows, and that a fault keeps."""


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
    def is_no_start(self) -> bool:
        """Whether the player could not even begin a game: it never will."""
        return self.turns is None and self.kind != "turns"

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


class ModuleFault(PlayerError):  # noqa: N818 (a fault of theirs; as a word it is what it is)
    """A player of someone else did something wrong; `fault` tells all of it."""

    def __init__(self, fault: Fault) -> None:
        """Keep the fault; the message is its sentence."""
        super().__init__(fault.sentence, fault.player)
        self.fault = fault

    def __reduce__(self) -> tuple[type[ModuleFault], tuple[Fault]]:
        """Travel from the processes of the arena."""
        return ModuleFault, (self.fault,)


def in_game(fault: Fault, position: Position) -> Fault:
    """Return a fault with the game so far."""
    turns = tuple(format_turn(turn, position.rules) for turn in position.turns[:TOLD_TURNS])
    return fault.at(turns=turns, count=len(position.turns))


def judged(
    feedback: AnyFeedback, position: Position, guess: Code, shown: str, fault: Callable[[str, str], Fault]
) -> AnyFeedback:
    """Return the answer to a guess; raises ModuleFault for one that cannot be, or that no secret fits.

    `shown` is the answer as the player wrote it; `fault` makes a fault from its kind and sentence.
    """
    said = f"its evaluation of {format_code(guess, position.rules)} is {shown}"
    try:
        feedback = check_feedback(feedback, position.rules)
    except InputError as error:
        raise ModuleFault(in_game(fault("evaluation", f"{said}: {error}"), position)) from None
    if not is_listable(position.rules):
        return feedback
    _ = position.candidates  # kept with the position, so that the next one need not filter from the start
    after = position.after_trusted(guess, feedback)
    if after.is_contradictory:
        text = f"{said}, but {describe_conflict(after)}"
        raise ModuleFault(in_game(fault("inconsistent", text), position))
    return feedback
