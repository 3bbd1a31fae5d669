"""Plays many games of every pair of players, on all cores, and keeps them in a file as they finish: the arena.

The work starts in this process; other processes are started only when the games left are worth it. Which process plays
which games, and in what order, changes nothing in the results: game i depends on the seed and on i alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from entropeg import arguments, codebreakers, codemakers
from entropeg.codebreakers import Codebreaker
from entropeg.codemakers import Codemaker
from entropeg.codemakers.honest import Honest
from entropeg.errors import InputError, PlayerError, TooLargeError
from entropeg.executors import Crew, Executor, WorkersError, crew_of, travels
from entropeg.executors.notices import tell_back, told_back
from entropeg.experiments.batch import task_for
from entropeg.experiments.match import Codebreakers, Codemakers, Match, game_seed, matches, trusted_players
from entropeg.experiments.results import Interrupted, Progress, Run
from entropeg.experiments.runs import Runs
from entropeg.experiments.store import Store
from entropeg.experiments.tasks import Chunk, GameTask, LoopTask
from entropeg.game import Game
from entropeg.processors import MOST_PROCESSORS
from entropeg.rules import Rules
from entropeg.signals import held

__all__ = ["Interrupted", "Progress", "Run", "Runs", "arena", "game_seed", "replay"]

SLICE = 0.2
"""Seconds of work between two looks at the clock, the progress and the store."""

SAVE_EVERY = 0.5
"""Seconds of finished games that a killed process may lose."""

REPORT_EVERY = 0.05
"""Seconds between two reports of progress, at least."""


def arena(  # noqa: PLR0913 (an experiment has many sides; all but the first three have defaults)
    codebreakers: Codebreakers,
    codemakers: Codemakers,
    rules: Rules | str,
    *,
    games: int = 1000,
    all_secrets: bool = False,
    seed: int = 0,
    jobs: int | None = None,
    executor: Executor | Crew | str | None = None,
    store: str | Path | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> Runs:
    """Play many games of every codebreaker against every codemaker; return one Run a pair, in order of the pairs.

    Players are texts (`minimax:ties=first`) or objects, one or a list. Either `games` games with secrets that the
    codemaker chooses, or, with `all_secrets`, one for every secret of the rules. The same seed gives the same results
    on any number of processes `jobs` (default: one a core), and on any `executor`, as `threads:2`, which stands in the
    place of `jobs`; `replay` repeats any one game. With `store`, a path, games are kept in that file as they finish: an
    experiment that was interrupted, or asks for more games of the same run, goes on where it stopped. `progress` is
    called at most 20 times a second, in this process, in the midst of games that take long, too. An object that other
    processes cannot import (of a notebook or a script) plays in this one.

    A player that goes wrong in a game (PlayerError: it does what the rules forbid, or repeats itself for ever; a module
    or program of others may also be too slow, or fail) is set aside: its run ends with the games that were finished and
    says why (`Run.fault`), and the other pairs play on. One that finished none plays no other pair.

    Raises PlayerError where no game of any pair was finished since a player went wrong; InputError for players, numbers
    or files that cannot be right; Interrupted (a KeyboardInterrupt), which
    holds the runs so far, where the user stops it; WorkersError, with the runs so far as `made`, where the workers of
    the executor are gone.

    >>> arena("first-consistent", "honest", "3x3", all_secrets=True)
    [<Run of first-consistent against honest on 3x3: 27 secrets, mean 3.2963, exact, worst 5>]
    """
    rules, all_secrets = Rules.of(rules), arguments.flag(all_secrets, "all_secrets")
    _check_numbers(games, jobs)
    store = None if store is None else arguments.file(store, "the store")
    arguments.call(progress, "progress")
    pairs = matches(codebreakers, codemakers, rules, seed=seed, all_secrets=all_secrets)
    total = rules.secret_count if all_secrets else games
    _check_total(total, rules, all_secrets=all_secrets)
    kept = None if store is None else Store(store)
    ledgers: list[Ledger] = []
    faults: list[PlayerError] = []
    try:
        with crew_of(executor, jobs) as crew:
            for number, match in enumerate(pairs, start=1):
                ledgers.append(Ledger(match, total, kept, _numbered(progress, number, len(pairs))))
                if (known := _hopeless(match, faults)) is not None:
                    ledgers[-1].fault = str(known)
                elif len(pending := ledgers[-1].pending):
                    try:
                        _work(ledgers[-1], [task_for(match, pending)], crew)
                        ledgers[-1].fault = ""
                    except PlayerError as error:
                        ledgers[-1].fault = str(error)
                        faults += [error] if not ledgers[-1].done else []
                ledgers[-1].close()
    except KeyboardInterrupt:
        for ledger in ledgers[-1:]:
            ledger.save()
        raise Interrupted(Runs(ledger.run() for ledger in ledgers)) from None
    except BaseException as error:
        _keep(ledgers, error)
        raise
    if faults and not any(ledger.done for ledger in ledgers):
        raise faults[0]
    return Runs(ledger.run() for ledger in ledgers)


def _keep(ledgers: list[Ledger], error: BaseException) -> None:
    # What was played before something went wrong.
    with suppress(InputError):
        for ledger in ledgers[-1:]:
            ledger.save()
    if isinstance(error, WorkersError):
        error.made = Runs(ledger.run() for ledger in ledgers)


def _hopeless(match: Match, faults: Iterable[PlayerError]) -> PlayerError | None:
    # The fault of a player of the match that has finished no game before: it is not asked again.
    names = match.names
    return next((fault for fault in faults if any(_is(fault.player, name) for name in names)), None)


def _is(player: str, name: str) -> bool:
    # Modules are named by their paths alone in faults, with their limits behind that in runs.
    return name == player or name.startswith(f"{player}:")


def _numbered(
    progress: Callable[[Progress], object] | None, number: int, pairs: int
) -> Callable[[Progress], object] | None:
    return progress and (lambda told: progress(told._replace(number=number, pairs=pairs)))


def replay(
    run: Run, game: int, *, codebreaker: Codebreaker | str | None = None, codemaker: Codemaker | str | None = None
) -> Game:
    """Play one game of a run again, guess for guess, and return its record.

    Players that have no registered name must be given, and those that run code from outside entropeg: a run may have
    been read from a file of anybody's. Raises InputError where they are not, or the run has no such game.
    """
    arguments.instance(run, Run, "the run", "as arena returns them in a list")
    game = arguments.whole(game, "the number of the game")
    if not 0 <= game < run.planned:
        raise InputError("the run has no game {game!r}: its games are 0 to {last}", game, run.planned - 1)
    breaker, maker = trusted_players(run, codebreaker, codemaker)
    return Match(codebreakers.of(breaker), codemakers.of(maker), run.rules, run.seed, run.plan == "all-secrets").play(
        game
    )


def _check_numbers(games: int, jobs: int | None) -> None:
    if arguments.whole(games, "the number of games") < 1:
        raise InputError("{games} games were asked for; it must be at least 1", games)
    arguments.some(jobs, "the number of processes", most=MOST_PROCESSORS)
    if jobs is not None and jobs < 1:
        raise InputError("{jobs} processes were asked for; it must be at least 1", jobs)


def _check_total(total: int, rules: Rules, *, all_secrets: bool) -> None:
    most_games = 100_000_000  # the number of guesses of each game is held in memory, four bytes a game
    if total <= most_games:
        return
    if all_secrets:
        raise TooLargeError(
            "{rules} has {total:count} secrets: one run plays {most:,} games at most; leave all-secrets out, and "
            "random secrets are drawn",
            *(rules, total, most_games),
        )
    raise TooLargeError("{total:count} games were asked for; one run plays {most:,} at most", total, most_games)


class Ledger:
    """The results of one run while it is played: the games done, saved and told."""

    def __init__(
        self, match: Match, total: int, store: Store | None, progress: Callable[[Progress], object] | None
    ) -> None:
        self.match = match
        self.guesses = np.full(total, -1, dtype=np.int32)
        self.seconds: float = 0.0
        self.fault = self._noted = ""
        self._store = store
        self._progress = progress
        self._unsaved: list[Chunk] = []
        self._saved_at = self._told_at = perf_counter()
        self._counts: Counter[int] = Counter()
        self._turns: Mapping[int, int] = {}
        self._pace: tuple[int, float] | None = None  # games and their processor time, None before the first chunk
        self._key = 0 if store is None else self._resume(store)
        self._tell()

    def _resume(self, store: Store) -> int:
        breaker, maker = self.match.names
        match = self.match
        key, old = store.begin(match.rules, breaker, maker, match.seed, match.plan, len(self.guesses), exact=self.exact)
        inside = old.games < len(self.guesses)
        self.guesses[old.games[inside]] = old.guesses[inside]
        self._count(old.guesses[inside])
        self.seconds = old.seconds * float(inside.mean()) if len(inside) else 0.0
        self.fault = self._noted = old.fault if len(self.pending) else ""
        return key

    @property
    def exact(self) -> bool:
        """Whether the finished run will be the whole space, with no chance in it."""
        deterministic = getattr(self.match.codebreaker, "deterministic", False) is True
        return self.match.all_secrets and deterministic and type(self.match.codemaker) is Honest

    @property
    def pending(self) -> NDArray[np.int64]:
        """The numbers of the games still to be played."""
        return np.flatnonzero(self.guesses < 0)

    @property
    def done(self) -> int:
        """How many games are finished."""
        return self._counts.total()

    def add(self, chunk: Chunk) -> None:
        """Note finished games; save and tell where it is time to. Raises PlayerError where a fault has ended them."""
        with held():  # in one step: what counts as played is also saved
            self.guesses[chunk.games] = chunk.guesses
            self._count(chunk.guesses)
            self._measure(chunk)
            if self._store is not None:
                self._unsaved.append(chunk)
                if perf_counter() - self._saved_at > SAVE_EVERY:
                    self.save()
        if perf_counter() - self._told_at > REPORT_EVERY:
            self._tell()
        if chunk.fault is not None:
            raise chunk.fault

    def hear(self, turns: Mapping[int, int]) -> None:
        """Take the numbers of games that take long, with the turns that each has; tell of them where it is time to."""
        if turns != self._turns:
            self._turns = turns
            if perf_counter() - self._told_at > REPORT_EVERY:
                self._tell()

    def _measure(self, chunk: Chunk) -> None:
        self.seconds += chunk.computed
        # A first chunk of less than two minutes of processor time may hold the compiler's, and foretells nothing.
        if self._pace is None and chunk.computed < 120.0:
            self._pace = 0, 0.0
        else:
            games, seconds = self._pace or (0, 0.0)
            self._pace = games + len(chunk.games), seconds + chunk.computed

    @property
    def left(self) -> float | None:
        """Seconds of processor time that the games left will take; None where nobody can tell."""
        games, seconds = self._pace or (0, 0.0)
        pending = len(self.guesses) - self.done
        return seconds / games * pending if games and pending else None

    def _count(self, guesses: NDArray[np.int32]) -> None:
        values, counts = np.unique(guesses, return_counts=True)
        self._counts.update(dict(zip(values.tolist(), counts.tolist(), strict=True)))

    def save(self) -> None:
        """Put the games into the store that are not there yet."""
        if self._store is not None and self._unsaved:
            with held():
                self._store.save(self._key, self._unsaved)
                self._unsaved = []
        self._saved_at = perf_counter()

    def close(self) -> None:
        """Save and tell for the last time."""
        self.save()
        if self._store is not None and self.fault != self._noted:
            self._store.note_fault(self._key, self.fault)
        self._tell()

    def _tell(self) -> None:
        self._told_at = perf_counter()
        if self._progress is None:
            return
        total, counts = len(self.guesses), tuple(sorted(self._counts.items()))
        turns = sorted(turn for game, turn in self._turns.items() if game < total and self.guesses[game] < 0)
        self._progress(Progress(self.match.names, self.done, total, counts=counts, turns=tuple(turns), left=self.left))

    def run(self) -> Run:
        """Return the games finished so far as a run."""
        breaker, maker = self.match.names
        games, match = np.flatnonzero(self.guesses >= 0), self.match
        guesses, planned = self.guesses[games], len(self.guesses)
        return Run(
            match.rules,
            breaker,
            maker,
            match.seed,
            match.plan,
            guesses,
            self.seconds,
            games,
            planned,
            self.exact,
            self.fault,
        )


def _work(ledger: Ledger, tasks: list[GameTask], crew: Crew) -> None:
    # In this process until the rest is worth a crew; one game is never cut into pieces.
    is_shared = crew.count > 1 and travels(ledger.match.breaker, ledger.match.maker)
    busy, before = 0.0, ledger.done
    tasks = _telling(tasks, lambda game, turn: ledger.hear({game: turn}))
    while tasks:
        chunk, left = tasks.pop().run(SLICE)
        ledger.add(chunk)
        tasks += left
        busy += chunk.seconds
        done = ledger.done - before
        rest = busy / done * len(ledger.pending) if done else busy
        is_worth_it = len(ledger.pending) > 1 and rest > (SLICE if crew.started else crew.worth)
        if is_shared and is_worth_it and crew.is_ready():
            return _share(ledger, tasks, crew)
    return None


def _share(ledger: Ledger, tasks: Iterable[GameTask], crew: Crew) -> None:
    tasks = _telling(tasks, partial(tell_back, crew.session))
    with closing(crew.work(tasks, SLICE, lambda: ledger.hear(told_back(crew.session)))) as chunks:
        for chunk in chunks:
            ledger.add(chunk)


def _telling(tasks: Iterable[GameTask], told: Callable[[int, int], object]) -> list[GameTask]:
    # Games that are played together in a tree end together, and have no turns of their own to tell of.
    return [replace(task, told=told) if isinstance(task, LoopTask) else task for task in tasks]
