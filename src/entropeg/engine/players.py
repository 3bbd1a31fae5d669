"""Plays with programs that speak the text protocol, as codebreakers and codemakers: the side of the host."""

from __future__ import annotations

import atexit
import re
import threading
import weakref
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property
from time import monotonic
from typing import Any, ClassVar

import numpy as np

from entropeg.classroom.faults import Fault, ModuleFault, in_game, judged
from entropeg.codemakers.cheat import Unsettled
from entropeg.engine.wire import GREETING, parse_answer, read_code, write_answer, write_code, write_rules
from entropeg.errors import InputError
from entropeg.feedback import AnyFeedback, Code
from entropeg.position import Position, Turn
from entropeg.processes import Child, ChildError, arguments_of
from entropeg.registry import build
from entropeg.rules import Rules
from entropeg.told import Told

KEPT = 8
"""Programs that are kept waiting for their next game, at most."""

_OWN = {"turn_seconds": float, "game_seconds": float, "memory": int}


@dataclass
class ProgramSession:
    """A program and the game that it is in."""

    program: Program
    child: Child = field(init=False)
    turns: tuple[Turn, ...] | None = None
    """The turns that the program knows; None where it is in no game."""
    spent: float = 0.0

    def __post_init__(self) -> None:
        """Start the program and greet it; raises ModuleFault where it does not answer as it should."""
        program = self.program
        try:
            memory = (program.memory << 20) or None
            self.child = Child(arguments_of(program.command), memory=memory)
            _STARTED.add(self.child)
        except ChildError as error:
            raise ModuleFault(program.fault("protocol", str(error))) from None
        end = monotonic() + 10.0  # a program may take 10 seconds until it is ready
        self.send(GREETING)
        roles = set()
        while (words := self.receive(end - monotonic(), Told("the greeting {greeting!r}", GREETING)))[0] != "ready":
            if words[0] == "role":
                roles.update(words[1:])
            elif words[0] not in {"name", "author", "option"}:
                raise self.garbage(" ".join(words), "name, author, role, option or ready")
        if program.role not in roles:
            said = Told("it plays {roles:and}, and is wanted as {role}", sorted(roles), program.role)
            raise self.refused(said if roles else Told("it plays no role, and is wanted as {role}", program.role))
        for name, value in program.options:
            self.send(f"set {name} {value}")

    def send(self, line: str) -> None:
        """Send a line."""
        try:
            self.child.write(line, self.program.turn_seconds)
        except ChildError as error:
            raise self.refused(self._told(error)) from None

    def receive(self, seconds: float, to: str) -> list[str]:
        """Return the words of the next line that says something; `to` is what it answers."""
        end = monotonic() + seconds
        while True:
            try:
                words = self.child.read(max(0.0, end - monotonic())).split()
            except ChildError as error:
                said = (
                    Told("it gave no answer to {to} in {seconds:g} s", to, seconds)
                    if error.reason == "silent"
                    else self._told(error)
                )
                raise self.refused(said, "time" if error.reason == "silent" else "protocol") from None
            if words and words[0] == "error":
                raise self.refused(Told("it says {words!r} to {to}", " ".join(words), to))
            if words and words[0] != "info":
                return words

    def _told(self, error: ChildError) -> str:
        stderr = self.child.stderr.splitlines()
        return Told("{error} ({stderr})", error, stderr[-1][:200]) if stderr else str(error)

    def garbage(self, line: str, wanted: str) -> ModuleFault:
        """Return the fault of a line that is not of the protocol."""
        return self.refused(Told("it says {line!r} instead of {wanted}", line[:100], wanted))

    def refused(self, text: str, kind: str = "protocol") -> ModuleFault:
        """End the program and return the fault."""
        self.child.close()
        return ModuleFault(self.program.fault(kind, text))

    def answer(self, line: str, word: str) -> list[str]:
        """Send a line and return the answer behind `word`."""
        began = monotonic()
        self.send(line)
        words = self.receive(self.program.turn_seconds, repr(line))
        self.spent += monotonic() - began
        if self.spent > self.program.game_seconds:
            raise self.refused(Told("its game took longer than {seconds:g} s", self.program.game_seconds), "game time")
        if words[0] != word:
            raise self.garbage(" ".join(words), f"{word} ...")
        return words[1:]

    def go_to(self, position: Position, rng: np.random.Generator) -> None:
        """Tell the program the position: the last turn alone where it knows the others."""
        turns, known = position.turns, self.turns
        if known is not None and len(turns) == len(known) + 1 and (not known or turns[-2] is known[-1]):
            self.tell(turns[-1])
        elif known is None or not turns or known != turns:
            self.begin(position.rules, int(rng.integers(1 << 32)))
            for turn in turns:
                self.tell(turn)
        self.turns = turns

    def begin(self, rules: Rules, seed: int) -> None:
        """Begin a game."""
        self.spent = 0.0
        turn, game = (int(seconds * 1000) for seconds in (self.program.turn_seconds, self.program.game_seconds))
        self.send(f"new {self.program.role} {write_rules(rules)} seed={seed} turn-ms={turn} game-ms={game}")

    def tell(self, turn: Turn) -> None:
        """Tell a turn."""
        self.send(f"turn {write_code(turn.guess)} : {write_answer(turn.feedback)}")


class _Programs(threading.local):
    """The programs of a thread: two threads never speak to the same one."""

    def __init__(self) -> None:
        self.kept = OrderedDict[tuple[str, Any], ProgramSession]()


_SESSIONS = _Programs()
_STARTED: weakref.WeakSet[Child] = weakref.WeakSet()


@atexit.register
def close_all() -> None:
    """End every program that waits for its next game, whichever thread it belongs to."""
    _SESSIONS.kept.clear()
    for child in list(_STARTED):
        child.close()


@dataclass(frozen=True)
class Program:
    """The common part of both roles: the command, its limits, and the options to set."""

    command: str
    turn_seconds: float = 10.0
    """Seconds that a turn may take."""
    game_seconds: float = 600.0
    """Seconds that a game may take."""
    memory: int = 0
    """Megabytes of address space that it may use; 0: no limit."""
    options: tuple[tuple[str, str], ...] = ()
    """Options of the program, set when it is ready."""

    role: ClassVar[str]
    deterministic: ClassVar[bool] = False

    def __post_init__(self) -> None:
        try:
            words = arguments_of(self.command)
        except ValueError as error:
            raise InputError("the command {command!r} cannot be read: {error}", self.command, error) from None
        if not words:
            raise InputError("cmd: names no program: write cmd:./program")
        if not (self.turn_seconds > 0 and self.game_seconds > 0 and self.memory >= 0):
            raise InputError("the limits of a program must be more than 0")

    @cached_property
    def name(self) -> str:
        """The text that makes it."""
        own = [f"{key}={getattr(self, key)}" for key in _OWN if getattr(self, key) != getattr(Program, key)]
        pieces = [*own, *(f"{key}={value}" for key, value in self.options)]
        return ":".join(["cmd", *([",".join(pieces)] if pieces else []), self.command])

    def processor_seconds(self, _rules: Rules) -> float:
        """Return the seconds of processor time that it has used; 0 where it does not run, or nobody tells."""
        session = _SESSIONS.kept.get((self.role, self))
        usage = None if session is None else session.child.usage
        return 0.0 if usage is None else usage.seconds

    def fault(self, kind: str, text: str) -> Fault:
        """Make a fault of this program."""
        return Fault(kind, text, self.name)

    @property
    def session(self) -> ProgramSession:
        """The running program, started where there is none."""
        key, kept = (self.role, self), _SESSIONS.kept
        if key not in kept or not kept[key].child.alive:
            kept[key] = ProgramSession(self)
        kept.move_to_end(key)
        while len(kept) > KEPT:
            kept.popitem(last=False)[1].child.close()
        return kept[key]


@dataclass(frozen=True)
class EngineCodebreaker(Program):
    """A program that speaks the protocol, as a codebreaker.

    It is told the whole position, so that it can be asked about any.
    """

    role: ClassVar[str] = "codebreaker"

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Ask the program; raises ModuleFault, with the game so far, for silence, garbage, an end, an illegal guess."""
        try:
            session = self.session
            session.go_to(position, rng)
            words = session.answer("go", "guess")
            try:
                return read_code(words, position.rules)
            except InputError as error:
                raise ModuleFault(self.fault("illegal", Told("its guess cannot be: {error}", error))) from None
        except ModuleFault as error:
            raise ModuleFault(in_game(error.fault, position)) from None


@dataclass(frozen=True)
class EngineCodemaker(Unsettled, Program):
    """A program that speaks the protocol, as a codemaker; its answers are held against one another."""

    role: ClassVar[str] = "codemaker"

    def answer(self, position: Position, guess: Code, secret: Code | None, rng: np.random.Generator) -> AnyFeedback:
        """Ask the program; raises ModuleFault as a codebreaker does, also for answers that no secret fits."""
        try:
            session = self.session
            if not position.turns or session.turns != position.turns:
                session.turns = None
                session.go_to(position, rng)
            words = session.answer(f"ask {write_code(guess)}", "answer")
            try:
                feedback = parse_answer(words, position.rules)
            except InputError as error:
                raise session.garbage(f"answer {' '.join(words)}", str(error)) from None
        except ModuleFault as error:
            raise ModuleFault(in_game(error.fault, position)) from None
        feedback = judged(feedback, position, guess, write_answer(feedback), self.fault)
        session.turns = (*position.turns, Turn(guess, feedback))
        return feedback


def codebreaker(spec: str) -> EngineCodebreaker:
    """Make a codebreaker from `cmd:COMMAND` or `cmd:name=value,...:COMMAND`."""
    return build(EngineCodebreaker, spec, _arguments(spec))


def codemaker(spec: str) -> EngineCodemaker:
    """Make a codemaker from `cmd:COMMAND` or `cmd:name=value,...:COMMAND`."""
    return build(EngineCodemaker, spec, _arguments(spec))


def _arguments(spec: str) -> dict[str, Any]:
    text = spec.strip().removeprefix("cmd:")
    match = re.fullmatch(r"((?:[\w.-]+=[^,:\s]*)(?:,[\w.-]+=[^,:\s]*)*):(.*)", text, re.DOTALL)
    if match is None:
        return {"command": text.strip()}
    arguments: dict[str, Any] = {"command": match[2].strip()}
    options = []
    for piece in match[1].split(","):
        name, _, value = piece.partition("=")
        if name not in _OWN:
            options.append((name, value))
            continue
        try:
            arguments[name] = _OWN[name](value)
        except ValueError:
            raise InputError("{spec!r}: {name} is {value!r}; it must be a number", spec, name, value) from None
    return {**arguments, "options": tuple(options)}
