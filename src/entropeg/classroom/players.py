"""Makes codebreakers and codemakers of entropeg from course modules, found by their path.

A course module keeps its state in itself; a player of entropeg has none but the position. A `ProcessSession` stands
between the two and remembers what the module has been asked in its game: the next turn of the same game is simply asked
for, and for any other position the game is played again from its start, with the seed that it had.
"""

from __future__ import annotations

import atexit
import threading
import weakref
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar

import numpy as np

from entropeg.classroom.faults import Fault, ModuleFault, in_game, judged
from entropeg.classroom.functions.conventions import ANSWERS, CODES, USUAL, Convention
from entropeg.classroom.functions.ours import NAMES, WHOLE
from entropeg.classroom.layout import layout_of
from entropeg.classroom.modules import COUNTERPARTS, Role, find_player, number_of
from entropeg.classroom.process import Limits, Process, check_rules
from entropeg.classroom.worker import BY_THE_CLOCK, long_game
from entropeg.errors import InputError
from entropeg.feedback import AnyFeedback, Code, Feedback
from entropeg.position import Position, Turn
from entropeg.registry import build, read_arguments
from entropeg.rules import Rules
from entropeg.signals import before_leaving

KEPT = 16
"""Processes of modules that are kept waiting for their next game, at most."""


@dataclass
class ProcessSession:
    """A process and what it has been asked in its current game."""

    process: Process
    seed: int = 0
    begun: bool = False
    log: list[tuple[Any, Any]] = field(default_factory=list)
    turns: tuple[Turn, ...] = ()
    guess: Code = ()
    """The turns of the position that was last asked about, and the guess that was made there."""
    _before: tuple[float, float] = (0.0, 0.0)
    """Seconds of the process before the game: by the clock, and of processor time."""

    def is_followed_by(self, turns: tuple[Turn, ...], answer: Any = None) -> bool:
        """Tell, in constant time, whether a position is the next one of the game; False says nothing."""
        known = len(self.turns)
        return (
            self.begun
            and len(turns) == known + 1 == len(self.log)
            and turns[-1].guess == self.guess
            and (answer is None or self.log[-1][1] == answer)
            and (known == 0 or turns[-2] is self.turns[-1])
        )

    def ask(self, history: Sequence[tuple[Any, Any]], given: Any, seed: int | None) -> Any:
        """Return what the module answers to `given` after a history of (given, answered).

        A seed begins a new game. Raises ModuleFault; InputError where the module does not play to that position.
        """
        known = len(history)
        if seed is not None and (not self.begun or seed != self.seed or (not known and len(self.log) > 1)):
            self._begin(seed)  # also where the last game had this seed: to go along its log would be slow in a long one
        if self.log[:known] == list(history) and self.process.alive:
            if len(self.log) > known and self.log[known][0] == given:
                return self.log[known][1]
            if len(self.log) == known:
                return self.next(given)
        self._replay(history)
        return self.next(given)

    def _begin(self, seed: int) -> None:
        self.seed, self.begun, self.log = seed, True, []
        self.process.init(seed)
        self._before = self.process.busy, self.process.computed

    def next(self, given: Any) -> Any:
        """Return what the module answers at its next turn."""
        answer = self.process.turn(given)
        self.log.append((given, answer))
        process, seconds = self.process, self.process.limits.game_seconds
        busy, computed = process.busy - self._before[0], process.computed - self._before[1]
        if busy > BY_THE_CLOCK * seconds or computed > seconds:
            self.begun = False
            raise ModuleFault(process.fault("game time", long_game(seconds, computed)))
        return answer

    def _replay(self, history: Sequence[tuple[Any, Any]]) -> None:
        self._begin(self.seed)
        for given, expected in history:
            answer = self.next(given)
            if answer != expected:
                raise InputError(
                    "{module} keeps its game in itself: it can be asked only about positions that it has "
                    "played to, and here it plays {answer} where {expected} was played",
                    *(self.process.shown, answer, expected),
                )


class _Sessions(threading.local):
    """The sessions of a thread: two threads never speak to the same process."""

    def __init__(self) -> None:
        self.kept = OrderedDict[tuple[Path, Any, Rules], ProcessSession]()


_SESSIONS = _Sessions()
_REFUSED: dict[Any, tuple[float, Fault]] = {}
_STARTED: weakref.WeakSet[Process] = weakref.WeakSet()


@atexit.register
def close_all() -> None:
    """End every process that waits for its next game, whichever thread it belongs to."""
    _SESSIONS.kept.clear()
    _REFUSED.clear()
    for process in list(_STARTED):
        process.close()


before_leaving(close_all)


def session_of(player: CourseModule, rules: Rules) -> ProcessSession:
    """Return the session of a player on a board, started where there is none yet."""
    key, kept = _key(player, rules), _SESSIONS.kept
    if key not in kept:
        process = _started(player, rules)
        _STARTED.add(process)
        kept[key] = ProcessSession(process)
    kept.move_to_end(key)
    while len(kept) > KEPT:
        kept.popitem(last=False)[1].process.close()
    return kept[key]


def _started(player: CourseModule, rules: Rules) -> Process:
    # A module that cannot be imported is not started again for each of its opponents, unless its folder has changed.
    files = [each for path in layout_of(player.file).paths for each in sorted(path.glob("*.py"))]
    now, dated = monotonic(), tuple((each, each.stat().st_mtime_ns) for each in [player.file, *files])
    key = player, rules.with_limit(None), dated
    when, fault = _REFUSED.get(key, (-inf, None))
    # A module that could not be imported is not tried again for ten minutes.
    if fault is not None and now - when < 600.0:
        raise ModuleFault(fault)
    try:
        ours = player.ours.split("+") if player.ours else []
        return Process(player.file, player.module, player.role, rules, player.limits, player.convention, ours)
    except ModuleFault as error:
        _REFUSED[key] = now, error.fault
        raise


def _key(player: CourseModule, rules: Rules) -> tuple[Path, Any, Rules]:
    return player.file, player, rules if rules.guess_limit is None else rules.with_limit(None)


def busy_of(player: object, rules: Rules) -> float:
    """Return the seconds that a player's process on a board has been at work; 0 where it has none."""
    session = _SESSIONS.kept.get(_key(player, rules)) if isinstance(player, CourseModule) else None
    return 0.0 if session is None else session.process.busy


def hurry(player: Any, turn_seconds: float | None) -> Any:
    """Return a player that has so many seconds a turn if it is a course module, and no more than it had."""
    if turn_seconds is None or not isinstance(player, CourseModule):
        return player
    return replace(player, turn_seconds=min(player.turn_seconds, turn_seconds))


def forget(player: object) -> None:
    """End the processes of a player, if it has some: its next game begins in a fresh one."""
    for key in [key for key in _SESSIONS.kept if key[1] == player]:
        _SESSIONS.kept.pop(key).process.close()


@dataclass(frozen=True)
class CourseModule:
    """A course module in a process of its own, and its limits."""

    module: str
    """Path of the module."""
    turn_seconds: float = Limits.turn_seconds
    """Seconds of processor time that a turn may take."""
    game_seconds: float = Limits.game_seconds
    """Seconds of processor time that a game may take."""
    memory: int = Limits.memory
    """Megabytes that it may use."""
    convention: str = USUAL
    """How it writes codes and evaluations, where not as the course does: see `functions.conventions`."""
    ours: str = ""
    """Functions of its `common.py` in whose place those of entropeg stand, as `evaluation+choices`; all: `common`."""

    role: ClassVar[Role]
    deterministic: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "_file", Path(self.module).absolute())
        find_player(self.file, self.role, self.module)
        Limits(self.turn_seconds, self.game_seconds, self.memory)
        try:
            Convention(self.convention)
        except ValueError:
            raise InputError(
                "there is no convention {name!r}: codes are {codes:list}, answers {answers:list}, as text/tuple",
                *(self.convention, CODES, ANSWERS),
            ) from None
        known = [WHOLE, *NAMES]
        for name in filter(None, self.ours.split("+")):
            if name not in known:
                raise InputError("{name!r} cannot be one of ours: these can be {names:list}", name, known)

    def processor_seconds(self, rules: Rules) -> float:
        """Return the seconds of processor time that its process on a board has used for play; 0 where there is none."""
        session = _SESSIONS.kept.get(_key(self, rules))
        return 0.0 if session is None else session.process.computed

    @property
    def file(self) -> Path:
        """The file, whatever the current folder becomes."""
        path: Path = self.__dict__["_file"]
        return path

    @property
    def counterpart(self) -> str:
        """Our player that one of its number is meant to play like, as `random` of codebreaker 0; empty without one."""
        return COUNTERPARTS[self.role].get(-1 if (number := number_of(self.module)) is None else number, "")

    @property
    def limits(self) -> Limits:
        """The limits under which it plays."""
        return Limits(self.turn_seconds, self.game_seconds, self.memory)

    @cached_property
    def name(self) -> str:
        """The path, and the parameters that are not the usual ones."""
        usual: dict[str, Any] = {
            "turn_seconds": Limits.turn_seconds,
            "game_seconds": Limits.game_seconds,
            "memory": Limits.memory,
        }
        usual |= {"convention": USUAL, "ours": ""}
        changed = [f"{key}={getattr(self, key)}" for key, value in usual.items() if getattr(self, key) != value]
        return ":".join([self.module, ",".join(changed)]) if changed else self.module

    def _ask(self, position: Position, guess: Code | None, rng: np.random.Generator) -> Any:
        session = session_of(self, position.rules)
        turns, is_breaker = position.turns, guess is None
        try:
            pair = [*_pair(turns[-1].feedback)] if turns else None
            given = pair if guess is None else session.process.text(guess)
            if turns and session.is_followed_by(turns, None if is_breaker else pair):
                answer = session.next(given)
            else:
                seed = int(rng.integers(1 << 32)) if not turns or not session.begun else None
                answer = session.ask(self._history(session.process, turns), given, seed)
        except ModuleFault as error:
            session.begun = False
            raise ModuleFault(in_game(error.fault, position, session.process.notation)) from None
        session.turns, session.guess = turns, session.process.code(answer) if guess is None else guess
        return answer

    def _history(self, process: Process, turns: tuple[Turn, ...]) -> list[tuple[Any, Any]]:
        guesses = [process.text(turn.guess) for turn in turns]
        answers = [[*_pair(turn.feedback)] for turn in turns]
        if self.role == "codemaker":
            return list(zip(guesses, answers, strict=True))
        return list(zip([None, *answers[:-1]], guesses, strict=True)) if turns else []

    def _fault(self, kind: str, text: str) -> Fault:
        place = find_player(self.file, self.role, self.module)[0].place(self.role, self.module)
        return Fault(kind, text, self.module, *place)


@dataclass(frozen=True)
class CourseCodebreaker(CourseModule):
    """A course module with a function `codebreaker`, in a process of its own.

    It is asked only about positions that it has played to itself, as in a game.
    """

    role: ClassVar[Role] = "codebreaker"

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Ask the module; raises ModuleFault saying what went wrong, with the game so far."""
        self._ask(position, None, rng)
        return session_of(self, position.rules).guess

    def whole_games(self, rules: Rules, secrets: Sequence[Code], seeds: Sequence[int]) -> list[int]:
        """Play games against honest codemakers inside the module's process; return how many guesses each took, 0 lost.

        The games are those of the general loop: a seed is what the codebreaker's generator draws first. Raises
        ModuleFault at the first game that goes wrong.
        """
        lengths: list[int] = []
        for game in self.series(rules, secrets, seeds):
            if isinstance(game, Fault):
                raise ModuleFault(game)
            lengths.append(game[0])
        return lengths

    def series(
        self, rules: Rules, secrets: Sequence[Code], seeds: Sequence[int], *, record: bool = False
    ) -> Iterator[list[Any] | Fault]:
        """Give for each game, in order, `[guesses or 0, seconds, turns if recorded]` or the Fault that ended it."""
        session = session_of(self, rules)
        session.begun, process = False, session.process
        limit = rules.guess_limit or 0
        texts = map(process.text, secrets)
        waiting = [(number, int(seed), text) for number, (seed, text) in enumerate(zip(seeds, texts, strict=True))]
        while waiting:
            # A call of the module's process takes 256 games at most.
            played, fault = process.games(waiting[:256], limit, record=record)
            if fault is not None and (before := (fault.game or 0) - waiting[0][0] - len(played)) > 0:
                # A process that ended took the games before the fault with it: they are played again.
                played += process.games(waiting[len(played) : len(played) + before], limit, record=record)[0]
            yield from played
            waiting = waiting[len(played) :]
            if fault is not None:
                yield fault.at(game=waiting[0][0])
                waiting = waiting[1:]


@dataclass(frozen=True)
class CourseCodemaker(CourseModule):
    """A course module with a function `codemaker`, in a process of its own.

    Its secret is its own affair: every answer is held against the ones before it instead.
    """

    role: ClassVar[Role] = "codemaker"

    def choose(self, rules: Rules, rng: np.random.Generator) -> Code | None:
        """Settle on nothing that we know of; raises InputError for rules that the course does not know."""
        check_rules(rules)
        return None

    def answer(self, position: Position, guess: Code, secret: Code | None, rng: np.random.Generator) -> AnyFeedback:
        """Ask the module; raises ModuleFault for an answer that cannot be, or that no secret fits."""
        pair = self._ask(position, guess, rng)
        notation = session_of(self, position.rules).process.notation
        return judged(Feedback(*pair), position, guess, str(tuple(pair)), self._fault, notation)


def _pair(feedback: AnyFeedback) -> tuple[int, int]:
    return feedback.black, feedback.white


def path_of(name: str) -> str:
    """Return the name of a player without its limits, where it is a course module.

    >>> path_of("a/codebreaker2.py:memory=512"), path_of("cheat:first")
    ('a/codebreaker2.py', 'cheat:first')
    """
    path, found, _ = name.partition(".py:")
    return f"{path}.py" if found else name


def arguments_of(factory: Any, spec: str) -> dict[str, Any]:
    """Read `PATH:parameter=value,...`."""
    path, _, parameters = spec.strip().partition(":")
    find_player(path, factory.role, path)
    return {"module": path, **read_arguments(factory, spec, parameters)}


def codebreaker(spec: str) -> CourseCodebreaker:
    """Make a codebreaker from `PATH` or `PATH:parameter=value,...`."""
    return build(CourseCodebreaker, spec, arguments_of(CourseCodebreaker, spec))


def codemaker(spec: str) -> CourseCodemaker:
    """Make a codemaker from `PATH` or `PATH:parameter=value,...`."""
    return build(CourseCodemaker, spec, arguments_of(CourseCodemaker, spec))
