"""Says in one sentence what a player written by others did wrong, with file, line and the game so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from entropeg.codes import format_code, is_listable
from entropeg.errors import InputError, PlayerError
from entropeg.feedback import AnyFeedback, Code, check_feedback
from entropeg.plain_values import PlainValue
from entropeg.position import Position, Turn, describe_conflict, format_turn
from entropeg.rules import Rules
from entropeg.told import Told


@dataclass(frozen=True)
class Fault(PlainValue):
    """A fault: its kind, what happened, who, where in the files, and the game so far."""

    PLAIN: ClassVar[tuple[str, ...]] = ("kind", "sentence", "player", "file", "line", "game", "turns", "prints")

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
    package: str = ""
    """The package that is not installed, where that alone keeps the player from being judged."""
    waits: bool = False
    """Whether it waited for a person, who is not there."""

    @property
    def place(self) -> str:
        """File and line, as far as known."""
        return at_line(self.file or self.player, self.line)

    @property
    def is_no_start(self) -> bool:
        """Whether the player could not even begin a game, or is not written yet: as it is, it never will."""
        return (self.turns is None and self.kind != "turns") or self.is_unwritten

    @property
    def is_unwritten(self) -> bool:
        """Whether the player came to a function that is not written yet, which is no fault."""
        return self.kind == "unwritten"

    @property
    def is_slow(self) -> bool:
        """Whether it took too long, which on a smaller board or with more time it would not."""
        return self.kind in {"time", "game time"}

    @property
    def sentence(self) -> str:
        """All of it in one sentence."""
        text = self.text if self.game is None else Told("in game {game}, {text}", self.game + 1, self.text)
        most = 12
        if self.turns is not None and not self.count:
            text = Told("{text} (at its first turn)", text)
        elif self.turns is not None and self.count <= most:
            text = Told("{text} (the game so far: {turns:list})", text, self.turns)
        elif self.turns is not None:
            shown = self.turns[:most]
            text = Told("{text} (the game so far: {turns:list} ... {count} turns)", text, shown, self.count)
        return Told("{place}: {text}", self.place, text)

    def at(self, **changes: Any) -> Fault:
        """Return the fault with more of it known."""
        return replace(self, **changes)


def at_line(file: str | Path, line: int | None) -> str:
    """Name a place in a file."""
    return str(file) if line is None else Told("{file}, line {line}", file, line)


def counted(faults: Iterable[Fault]) -> list[tuple[Fault, int]]:
    """Return each fault once, the first of its kind, with the number of games in which it was the same."""
    found: dict[tuple[str, str, str], list[Fault]] = {}
    for fault in faults:
        found.setdefault((fault.kind, fault.text, fault.place), []).append(fault)
    return [(same[0], len(same)) for same in found.values()]


class ModuleFault(PlayerError):  # noqa: N818 (a fault of theirs; as a word it is what it is)
    """A player of someone else did something wrong; `fault` tells all of it."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.sentence, fault.player)
        self.fault = fault

    def __reduce__(self) -> tuple[type[ModuleFault], tuple[Fault]]:
        """Travel from the processes of the arena."""
        return ModuleFault, (self.fault,)


@dataclass(frozen=True)
class Notation:
    """How codes and turns are written: as in the course where the letters of a module are known, else as everywhere.

    >>> from entropeg.feedback import Feedback
    >>> Notation(Rules.parse("4x6"), "RVBJNM").turn(Turn((0, 0, 1, 2), Feedback(1, 2)))
    'RRVB 1,2'
    """

    rules: Rules
    letters: str = ""

    def code(self, code: Code) -> str:
        """Write a code."""
        return "".join(self.letters[color] for color in code) if self.letters else format_code(code, self.rules)

    def turn(self, turn: Turn) -> str:
        """Write a turn, as the course does where its letters are known: `RRVB 1,2`."""
        if not self.letters:
            return format_turn(turn, self.rules)
        black, white = tuple(turn.feedback)
        return f"{self.code(turn.guess)} {black},{white}"


def in_game(fault: Fault, position: Position, notation: Notation | None = None) -> Fault:
    """Return a fault with the game so far."""
    write = (notation or Notation(position.rules)).turn
    # A fault keeps the first 20 turns.
    return fault.at(turns=tuple(map(write, position.turns[:20])), count=len(position.turns))


def judged(
    feedback: AnyFeedback,
    position: Position,
    guess: Code,
    shown: str,
    fault: Callable[[str, str], Fault],
    notation: Notation | None = None,
) -> AnyFeedback:
    """Return the answer to a guess; raises ModuleFault for one that cannot be, or that no secret fits.

    `shown` is the answer as the player wrote it; `fault` makes a fault from its kind and sentence.
    """
    notation = notation or Notation(position.rules)
    code = notation.code(guess)
    try:
        feedback = check_feedback(feedback, position.rules)
    except InputError as error:
        text = Told("its evaluation of {code} is {shown}: {error}", code, shown, error)
        raise ModuleFault(in_game(fault("evaluation", text), position, notation)) from None
    if not is_listable(position.rules):
        return feedback
    _ = position.candidates  # kept with the position, so that the next one need not filter from the start
    after = position.after_trusted(guess, feedback)
    if after.is_contradictory:
        conflict = describe_conflict(after, notation.turn)
        text = Told("its evaluation of {code} is {shown}, but {conflict}", code, shown, conflict)
        raise ModuleFault(in_game(fault("inconsistent", text), position, notation))
    return feedback
