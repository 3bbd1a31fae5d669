"""Plays the experiments of a report: says what they will take, and plays them for as long as there is time.

Kernels are compiled before games are timed, so that run times tell of play alone. The first call of a kernel on a
machine compiles it into a cache on disk. The search for the guesses of minimax takes as long as all the others
together: another process compiles it, and it alone, while this one compiles those, plays the first experiments and
draws their figures. Before each experiment a few games that do not count are played.

Every experiment plays for a second first, and whoever is done by then needs no more. The rest tells what the whole will
take, and shares the time that there is: the one with the least left to do plays first, each for its share of what is
left then.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from subprocess import Popen
from time import monotonic
from typing import Any

import numpy as np

from entropeg import codebreakers, codemakers, signals
from entropeg.durations import rough_duration
from entropeg.errors import EntropegError, InputError, TooLargeError
from entropeg.executors import Crew
from entropeg.experiments.results import Interrupted, Progress, Run
from entropeg.position import Position
from entropeg.registry import name_of
from entropeg.report.experiments import Experiment, Result, check_reach
from entropeg.rules import Rules
from entropeg.told import Told, plural

MOST_CODES = 10_000
"""On larger boards even a few games of minimax take longer than they save."""


_SCRIPT = "import sys; from entropeg.report.playing import guess_once; guess_once(*sys.argv[1:])"


def guess_once(codebreaker: str, rules: str) -> None:
    """Ask for a first guess that nobody plays, so that the search for it is compiled, and no more than that."""
    board = Rules.parse(rules)
    if board.guess_count <= MOST_CODES:
        with suppress(EntropegError):
            codebreakers.get(codebreaker).guess(Position(board), np.random.default_rng(0))


def compile_for(codebreaker: str, codemaker: str, rules: str) -> None:
    """Play a few games that nobody counts, so that every kernel they need is compiled and loaded."""
    from entropeg.experiments.runner import arena

    board = Rules.parse(rules)
    if board.guess_count <= MOST_CODES:
        with suppress(EntropegError):
            # Eight games are enough for kernels that fewer games do without.
            arena(codebreaker, codemaker, board, games=8, jobs=1)


@contextmanager
def compiled_aside(codebreaker: str, rules: str) -> Iterator[subprocess.Popen[bytes] | None]:
    """Let another process compile the search of a codebreaker; give that process, None where none can be started."""
    if not sys.executable:
        yield None
        return
    command = [sys.executable, "-c", _SCRIPT, codebreaker, rules]
    quiet = subprocess.DEVNULL
    process: subprocess.Popen[bytes] | None = None
    try:
        with signals.held(), signals.kept_from_children():
            process = subprocess.Popen(  # noqa: S603 (this program, these words)
                command, stdin=quiet, stdout=quiet, stderr=quiet
            )
        yield process
    finally:
        if process is not None:
            process.kill()
            process.wait()


def finish(process: subprocess.Popen[bytes] | None) -> None:
    """Wait until the other process is done, or long enough."""
    if process is not None:
        with suppress(subprocess.TimeoutExpired):
            process.wait(300)  # whatever became of the other process, this one can compile for itself


def _is_at_work(process: subprocess.Popen[bytes] | None) -> bool:
    return process is not None and process.poll() is None


@dataclass
class MeasuredPace:
    """How fast an experiment was when it was last at play: seconds, and games finished in them."""

    seconds: float = 0.0
    games: int = 0
    computed: float | None = None
    """Seconds of processor time that the games left will take; None where nobody can tell."""


@dataclass
class Playing:
    """The experiments of a report at play.

    `seconds` are those for which they play, infinite where nobody has said; `told` hears, in sentences, what they will
    take and what there was no time for; `meanwhile` is called with the results so far (no run: not played yet) where
    there is nothing to do but to wait for another process that compiles.
    """

    plan: Sequence[Experiment]
    games: int
    seed: int
    crew: Crew
    store: Path
    progress: Callable[[Any], object] | None
    told: Callable[[str], object]
    meanwhile: Callable[[list[Result]], object]
    seconds: float = inf
    results: dict[int, Result] = field(default_factory=dict)
    """What has been played of each experiment, by its place in the plan."""
    _paces: dict[int, MeasuredPace] = field(default_factory=dict)
    _is_fresh: bool = False
    """Whether nothing is compiled yet, as far as one knows: a report that goes on has done that before."""
    _until: float = inf

    def play(self) -> list[Result]:
        """Play, and return the results in the order of the plan; games in the store are not played again.

        An experiment beyond a player's reach gives its reason instead of a run. Other errors, and Ctrl-C, end the
        whole: what was finished is in the store.
        """
        self._until, self._is_fresh = monotonic() + self.seconds, not self.store.exists()
        # Minimax comes last: its search is compiled beside the others.
        places = sorted(range(len(self.plan)), key=self._is_minimax)
        try:
            with self._slowest_aside() as aside:
                for place in places:
                    self._check_reach(place)
                    if not (self._is_done(place) or (self._is_minimax(place) and _is_at_work(aside))):
                        self._warm(place, aside)
                        self._play(place, self._until, self._is_moment)
                self._foretell()
                waiting = sorted((place for place in places if not self._is_done(place)), key=self._left)
                for at, place in enumerate(waiting):
                    if place not in self.results:
                        self._warm(place, aside)
                    now = monotonic()
                    self._play(place, now + (self._until - now) / (len(waiting) - at))
        except KeyboardInterrupt:
            self._tell_missing()
            raise
        self._tell_missing()
        return [_shown(self._result(place)) for place in range(len(self.plan))]

    def _result(self, place: int) -> Result:
        return self.results.get(place, Result(self.plan[place], None))

    def _is_minimax(self, place: int) -> bool:
        return self.plan[place].codebreaker.startswith("minimax")

    def _is_done(self, place: int) -> bool:
        result = self._result(place)
        return bool(result.reason) or (result.run is not None and result.run.complete)

    # ------------------------------------------------------------ one experiment

    def _check_reach(self, place: int) -> None:
        try:
            check_reach(self.plan[place], self.games)
        except TooLargeError as error:
            self.results[place] = Result(self.plan[place], None, str(error))

    def _is_moment(self, seconds: float, games: int) -> bool:
        """Whether one has seen how long the games of an experiment take: after a second, where it has finished some."""
        moment = min(1.0, self.seconds / (2 * len(self.plan)))
        return seconds > moment * (1 if games >= 3 else 2 if self.seconds < inf else 5)

    def _warm(self, place: int, aside: Popen[bytes] | None) -> None:
        """Compile what an experiment needs, where that was not done before."""
        experiment = self.plan[place]
        if not self._is_fresh or experiment.is_further or monotonic() >= self._until:
            return
        if self.progress is not None:  # say that it is about to start
            names = name_of(codebreakers.get(experiment.codebreaker)), experiment.codemaker
            self._tell(Progress(names, 0, experiment.rules.secret_count if experiment.all_secrets else self.games))
        if _is_at_work(aside) and self._is_minimax(place):
            for codemaker in ("honest", "cheat"):
                # It needs what minimax needs, but for the search for a guess.
                compile_for("first-consistent", codemaker, str(experiment.rules))
            everyone = range(len(self.plan))
            self.meanwhile([self._result(at) if self._is_done(at) else Result(self.plan[at], None) for at in everyone])
            finish(aside)
        compile_for(experiment.codebreaker, experiment.codemaker, str(experiment.rules))

    def _play(self, place: int, until: float, is_enough: Callable[[float, int], bool] = lambda *_: False) -> None:
        """Play until a time of `time.monotonic`, or until the seconds and games are enough."""
        experiment, began = self.plan[place], monotonic()
        first: Progress | None = None
        last: Progress | None = None
        is_over = False

        def hear(state: Progress) -> None:
            nonlocal first, last, is_over
            self._tell(state)
            now, last = monotonic(), state
            if first is None:  # of the games that were kept
                first = state
            elif state.done < state.total and (now >= until or is_enough(now - began, state.done - first.done)):
                is_over = True
                raise KeyboardInterrupt  # as the user does: the arena keeps what is finished

        try:
            run = self._arena(experiment, hear) if began < until else self._kept(experiment, self._stored())
        except Interrupted as stop:
            run = stop.runs[-1] if stop.runs else None
            if not is_over:
                self.results[place] = Result(experiment, run)
                raise
        except InputError as error:  # one's own player may also go wrong: it says how, and the others play on
            if not (isinstance(error, TooLargeError) or experiment.is_further):
                raise
            self.results[place] = Result(experiment, None, str(error))
            return
        if run is not None and run.fault and not experiment.is_further:
            raise InputError(run.fault)
        self.results[place] = Result(experiment, run, "" if run is None else run.fault)
        if first is not None and last is not None:
            self._paces[place] = MeasuredPace(monotonic() - began, last.done - first.done, last.left)

    def _arena(self, experiment: Experiment, hear: Callable[[Progress], object]) -> Run:
        from entropeg.experiments.runner import arena

        options: dict[str, Any] = {"games": self.games, "all_secrets": experiment.all_secrets, "executor": self.crew}
        options |= {"seed": experiment.seed(self.seed), "store": self.store, "progress": hear}
        [run] = arena(experiment.codebreaker, experiment.codemaker, experiment.rules, **options)
        return run

    def _stored(self) -> Sequence[Run]:
        from entropeg.experiments.store import Store

        return Store(self.store).runs() if self.store.exists() else []

    def _kept(self, experiment: Experiment, stored: Sequence[Run]) -> Run | None:
        """Return the games of an experiment that were kept before; None where there are none."""
        breaker, maker = codebreakers.get(experiment.codebreaker), codemakers.get(experiment.codemaker)
        wanted = experiment.rules, name_of(breaker), name_of(maker), experiment.seed(self.seed)
        plan, planned = "games", self.games
        if experiment.all_secrets:
            plan, planned = "all-secrets", experiment.rules.secret_count
        for run in stored:
            if (run.rules, run.codebreaker, run.codemaker, run.seed) == wanted and run.plan == plan:
                asked = run.games < planned
                return replace(run, games=run.games[asked], guesses=run.guesses[asked], planned=planned)
        return None

    def _slowest_aside(self) -> AbstractContextManager[Popen[bytes] | None]:
        slowest = next((experiment for experiment in self.plan if experiment.all_secrets), None)
        if self.crew.count == 1 or slowest is None or not self._is_fresh:
            return nullcontext()
        return compiled_aside(slowest.codebreaker, str(slowest.rules))

    # ------------------------------------------------------------ what is said

    def _tell(self, state: Progress) -> None:
        if self.progress is not None:
            done = sum(map(self._is_done, range(len(self.plan))))
            self.progress(state._replace(number=min(done + 1, len(self.plan)), pairs=len(self.plan)))

    def _left(self, place: int) -> float:
        """Return the seconds that an experiment will still take; infinite where nobody can say."""
        pace, run = self._paces.get(place, MeasuredPace()), self._result(place).run
        if pace.computed is not None:
            return pace.computed / max(1, self.crew.count)
        return pace.seconds / pace.games * (run.planned - len(run.games)) if pace.games and run is not None else inf

    def _foretell(self) -> None:
        """Say what the games left will take, where that is long, and which of them the most of it."""
        left = {place: self._left(place) for place in self._paces if not self._is_done(place)}
        known = {place: seconds for place, seconds in left.items() if seconds < inf}
        total = sum(known.values())
        if total >= 10.0:  # a shorter one is done before one has read it
            long = sorted((place for place in known if known[place] >= total / 10), key=known.__getitem__, reverse=True)
            told = [Told("{pair} {duration}", self.plan[place].label, rough_duration(known[place])) for place in long]
            said = Told("the games will take about {duration}: {pairs:list}", rough_duration(total), told)
            if total > self._until - monotonic():
                said = Told("{said}; what is finished when the time is over is shown", said)
            self.told(said)
        for place in left.keys() - known.keys():
            label = self.plan[place].label
            self.told(Told("{pair}: no game is finished yet, so that nobody knows what they take", label))

    def _tell_missing(self) -> None:
        """Say how many games there are of each experiment that is not whole."""
        unseen = [place for place in range(len(self.plan)) if place not in self.results]
        stored = self._stored() if unseen else []  # of a report that went on, and was stopped before it came to them
        for place in unseen:
            self.results[place] = Result(self.plan[place], self._kept(self.plan[place], stored))
        missing = [self._result(place) for place in range(len(self.plan)) if not self._is_done(place)]
        told = [
            Told("{pair} {games:,} of {planned:,}", each.experiment.label, len(each.run.games), each.run.planned)
            for each in missing
            if each.run is not None and len(each.run.games)
        ]
        if none := len(missing) - len(told):
            told.append(plural(none, "{n} pair none", "{n} pairs none"))
        if missing:
            self.told(Told("not all games were played: {pairs:list}", told))


def _shown(result: Result) -> Result:
    """Leave a run out of which nothing can be told: of fewer than two games, or of some of all secrets alone."""
    run = result.run
    if run is None:
        return result if result.reason else replace(result, reason=Told("no game was finished in the time"))
    if len(run.games) > 1 and (run.complete or not result.experiment.all_secrets):
        return result
    reason = result.reason or Told("only {games:,} of {planned:,} games were finished", len(run.games), run.planned)
    return replace(result, run=None, reason=reason)
