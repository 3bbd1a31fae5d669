"""Cuts games into tasks, which run for a while and return the games done and the task that is left.

Every task works for about as long as it is told, so that progress is shown, results are saved and an interrupt is
heard; the task left can be split and carried to other processes. How the games are cut never changes their results.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from entropeg.codebreakers import Codebreaker
from entropeg.codemakers import Codemaker
from entropeg.errors import PlayerError
from entropeg.experiments.match import Match
from entropeg.position import Position
from entropeg.rules import Rules

Games: TypeAlias = NDArray[np.int64]

TURNS_EVERY = 0.5
"""Seconds of a game before its turns are told, and between two reports of them."""


@dataclass(frozen=True)
class Chunk:
    """Finished games: numbers (`int64[n]`), how many guesses each took (`int32[n]`, 0 lost), seconds by the clock.

    `computed`: seconds of processor time, where the games were played. `fault` is what a player did wrong in the next
    game, after which no more are played.
    """

    games: Games
    guesses: NDArray[np.int32]
    seconds: float
    computed: float
    fault: PlayerError | None = None


class Stopwatch:
    """Measures two players at play from when it is made: by the clock, and in processor time.

    Of this process, with the threads that help a player; beside the main thread, where others may play at the same
    time, of this thread alone. The processes of players of others are added, as these tell it (`processor_seconds`).
    """

    def __init__(self, codebreaker: Codebreaker, codemaker: Codemaker, rules: Rules) -> None:
        self._is_alone = threading.current_thread() is threading.main_thread()
        told = (getattr(player, "processor_seconds", None) for player in (codebreaker, codemaker))
        self._told: list[Callable[[Rules], float]] = [each for each in told if callable(each)]
        self._rules = rules
        self._began, self._computed = time.perf_counter(), self._now()

    def _now(self) -> float:
        own = time.process_time() if self._is_alone else time.thread_time()
        return own + sum(each(self._rules) for each in self._told)

    @property
    def seconds(self) -> float:
        """Seconds that have passed."""
        return time.perf_counter() - self._began

    @property
    def computed(self) -> float:
        """Seconds of processor time that were used; a process that was started anew has told nothing of the last."""
        return max(0.0, self._now() - self._computed)


def stopwatch(match: Match) -> Stopwatch:
    """Begin to measure the players of a match."""
    return Stopwatch(match.codebreaker, match.codemaker, match.rules)


class GameTask(Protocol):
    """Games of one match still to be played."""

    @property
    def match(self) -> Match:
        """The match that the games belong to."""
        ...

    @property
    def size(self) -> int:
        """Number of games."""
        ...

    def run(self, budget: float) -> tuple[Chunk, list[GameTask]]:
        """Work for about `budget` seconds (one step at least); return the games finished and the tasks left."""
        ...

    def split(self, pieces: int) -> list[GameTask]:
        """Return tasks that together are this one, at most as many as asked for."""
        ...


@dataclass(frozen=True)
class LoopTask:
    """Games played one after the other by the general loop.

    `told` hears of a game that takes long, now and then: its number, and how many turns it has.
    """

    match: Match
    games: Games
    told: Callable[[int, int], object] | None = field(default=None, kw_only=True)

    @property
    def size(self) -> int:
        """Number of games."""
        return len(self.games)

    def run(self, budget: float) -> tuple[Chunk, list[GameTask]]:
        """Play until the time is over, one game, or block of games, at least; a game that goes wrong ends it."""
        self._warm_up()
        watch, lengths, fault = stopwatch(self.match), list[int](), None
        try:
            for more in self._lengths():
                lengths += more
                if watch.seconds > budget:
                    break
        except PlayerError as error:
            fault = error
        done = len(lengths)
        chunk = Chunk(self.games[:done], np.array(lengths, dtype=np.int32), watch.seconds, watch.computed, fault)
        return chunk, [replace(self, games=self.games[done:])] if done < self.size and fault is None else []

    def _warm_up(self) -> None:
        warm_up(self.match)

    def _lengths(self) -> Iterator[list[int]]:
        # How many guesses the games took, as they finish.
        for number in self.games.tolist():
            game = self.match.play(number, self.told and _telling(self.told, number))
            yield [len(game) if game.outcome == "won" else 0]

    def split(self, pieces: int) -> list[GameTask]:
        """Share the games out."""
        return [replace(self, games=games) for games in np.array_split(self.games, pieces) if len(games)]


def _telling(told: Callable[[int, int], object], game: int) -> Callable[[Position], None]:
    # A game calls this after each turn; short games tell nothing.
    due = time.perf_counter() + TURNS_EVERY

    def turn(position: Position) -> None:
        nonlocal due
        if (now := time.perf_counter()) >= due:
            due = now + TURNS_EVERY
            told(game, len(position.turns))

    return turn


@dataclass(frozen=True)
class KernelTask(LoopTask):
    """Games played by a compiled kernel, `block` a call: `kernel(match, games)` gives their numbers of guesses."""

    kernel: Callable[[Match, Games], NDArray[np.int32]]
    block: int

    def _warm_up(self) -> None:
        self.kernel(self.match, self.games[:0])  # compiles, or loads stored kernels, outside the measured time

    def _lengths(self) -> Iterator[list[int]]:
        for start in range(0, len(self.games), self.block):
            yield self.kernel(self.match, self.games[start : start + self.block]).tolist()


_WARM: set[tuple[Any, Any, Any]] = set()


def warm_up(match: Match) -> None:
    """Let built-in players play once a process on a tiny board of the same kind: compilation is not timed as play.

    Players of others are left alone: whatever they do besides guessing is theirs.
    """
    key = (match.names, match.rules.feedback, match.rules.blanks)
    players = (match.codebreaker, match.codemaker)
    if (
        key in _WARM
        or match.rules.feedback.about.is_listed
        or not all(type(player).__module__.startswith("entropeg.") for player in players)
    ):
        return
    _WARM.add(key)
    tiny = replace(
        match.rules,
        pegs=2,
        colors=3,
        guess_limit=8,
        alphabet="",
        words=None,
        prior=None,
        shapes=int(match.rules.shapes > 0),
    )
    with suppress(Exception):  # a player that refuses the tiny board is met cold on the real one
        replace(match, rules=tiny, all_secrets=False).play(0)
