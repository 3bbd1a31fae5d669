"""Lists the experiments of a report on a board, in the order of the documents, and compiles their kernels.

Experiments that are left out come with the reason. Kernels are compiled before games are timed, so that run times tell
of play alone. The first call of a kernel on a machine compiles it into a cache on disk. The search for the guesses of
minimax takes as long as all the others together: another process compiles it, and it alone, while this one compiles
those, plays the first experiments and draws their figures. Before each experiment a few games that do not count are
played.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from entropeg import codebreakers, signals
from entropeg.errors import EntropegError, InputError, TooLargeError
from entropeg.registry import name_of
from entropeg.report.documents import documents_on
from entropeg.rules import Rules
from entropeg.told import Told, plural

if TYPE_CHECKING:
    from pathlib import Path
    from subprocess import Popen

    from entropeg.executors import Crew
    from entropeg.experiments.runner import Run

MOST_CODES = 10_000
"""On larger boards even a few games of minimax take longer than they save."""


_SCRIPT = "import sys; from entropeg.report.experiments import guess_once; guess_once(*sys.argv[1:])"


def guess_once(codebreaker: str, rules: str) -> None:
    """Ask for a first guess that nobody plays, so that the search for it is compiled, and no more than that."""
    import numpy as np

    from entropeg import codebreakers
    from entropeg.position import Position
    from entropeg.rules import Rules

    board = Rules.parse(rules)
    if board.guess_count <= MOST_CODES:
        with suppress(EntropegError):
            codebreakers.get(codebreaker).guess(Position(board), np.random.default_rng(0))


def compile_for(codebreaker: str, codemaker: str, rules: str) -> None:
    """Play a few games that nobody counts, so that every kernel they need is compiled and loaded."""
    from entropeg.experiments.runner import arena
    from entropeg.rules import Rules

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


MOST_GUESSES = 200_000_000
"""An experiment of a codebreaker with a known law is left out where it would take more guesses: a minute of work."""

MOST_SECRETS = 40_000
"""Every secret is played once up to this many: all boards to 5x8."""


SEEDS_APART = 100
"""Experiments of a report, at most: with more, reports of different seeds would share seeds of experiments."""

FURTHER = 40
"""The number of the first experiment beyond those of the documents."""


@dataclass(frozen=True)
class Experiment:
    """One codebreaker against one codemaker on one board: random secrets, or every secret once."""

    codebreaker: str
    codemaker: str
    rules: Rules
    all_secrets: bool = False
    number: int = 0
    """Its place in the report, from which its seed is made."""
    is_further: bool = False
    """Whether it was asked for beyond those of the documents."""

    def seed(self, seed: int) -> int:
        """Return the experiment's own seed in a report of some seed, so that samples are independent."""
        return seed * SEEDS_APART + self.number

    @property
    def key(self) -> str:
        """The name of the experiment on its board, as claims use it."""
        return f"{self.codebreaker} {self.codemaker}{' all' if self.all_secrets else ''}"

    @property
    def label(self) -> str:
        """The name of the experiment in tables."""
        if self.all_secrets:
            return Told("{codebreaker} against {codemaker}, every secret once", self.codebreaker, self.codemaker)
        return Told("{codebreaker} against {codemaker}", self.codebreaker, self.codemaker)


@dataclass(frozen=True)
class Result:
    """An experiment and its run, or the reason why there is none."""

    experiment: Experiment
    run: Run | None
    reason: str = ""


def experiments(
    rules: Rules, first: int = 0, *, also: Sequence[str] = (), against: Sequence[str] = ()
) -> list[Experiment]:
    """Return the experiments on a board: every codebreaker of the documents against every codemaker of theirs.

    Minimax has Knuth's tie rule where the French notebook asks for it. The codebreakers of `also` play both codemakers
    and the ones of `against`, whom consistent play and minimax play too. The documents' experiments are numbered from
    `first` on, the further ones from `FURTHER` on, so that these change nothing in the documents'.
    """
    minimax = "minimax:knuth" if any(document.letter == "E" for document in documents_on(rules)) else "minimax"
    pairs = [(codebreaker, "honest") for codebreaker in ("random", "memory")]
    pairs += [(codebreaker, codemaker) for codebreaker in ("consistent", minimax) for codemaker in ("honest", "cheat")]
    pairs += [(codebreaker, "cheat") for codebreaker in ("random", "memory")]
    played = [Experiment(*pair, rules, number=number) for number, pair in enumerate(pairs, start=first)]
    played.append(Experiment(minimax, "honest", rules, all_secrets=True, number=first + len(pairs)))
    makers = ["honest", "cheat", *against]
    further = [(codebreaker, codemaker) for codebreaker in also for codemaker in makers]
    further += [(codebreaker, codemaker) for codemaker in against for codebreaker in ("consistent", minimax)]
    new = [pair for pair in dict.fromkeys(further) if pair not in pairs]
    if len(new) > SEEDS_APART - FURTHER:
        raise InputError(
            "a report has room for {most} further pairs of players, and here are {count}",
            *(SEEDS_APART - FURTHER, len(new)),
        )
    return played + [
        Experiment(*pair, rules, number=number, is_further=True) for number, pair in enumerate(new, start=FURTHER)
    ]


def play_all(
    plan: list[Experiment],
    games: int,
    seed: int,
    crew: Crew,
    store: Path,
    progress: Callable[[Any], object] | None,
    *,
    meanwhile: Callable[[list[Result]], object],
) -> list[Result]:
    """Play experiments one after the other, return their results in order; games in the store are not played again.

    An experiment beyond a player's reach gives its reason instead of a run. Other errors, and Ctrl-C, end the whole:
    what was finished is in the store. `meanwhile` is called with the results so far (no run: not played yet) where
    there is nothing to do but to wait for another process that compiles.
    """
    fresh = not store.exists()  # a report that goes on has compiled before
    done: dict[int, Result] = {}
    told = progress and (lambda one: progress(one._replace(number=len(done) + 1, pairs=len(plan))))

    def so_far() -> list[Result]:
        return [done.get(place, Result(experiment, None)) for place, experiment in enumerate(plan)]

    def warm(experiment: Experiment, aside: Popen[bytes] | None) -> None:
        if aside is not None and aside.poll() is None and experiment.codebreaker.startswith("minimax"):
            for codemaker in ("honest", "cheat"):
                # It needs what minimax needs, but for the search for a guess.
                compile_for("first-consistent", codemaker, str(experiment.rules))
            meanwhile(so_far())
            finish(aside)
        compile_for(experiment.codebreaker, experiment.codemaker, str(experiment.rules))

    def played(experiment: Experiment, aside: Popen[bytes] | None) -> Result:
        try:
            _check_reach(experiment, games)
            if fresh and not experiment.is_further:
                _tell(experiment, games, told)
                warm(experiment, aside)
            options: dict[str, Any] = {"games": games, "all_secrets": experiment.all_secrets, "executor": crew}
            options |= {"seed": experiment.seed(seed), "store": store, "progress": told}
            run = _one_run(experiment, options)
        except InputError as error:  # one's own player may also go wrong: it says how, and the others play on
            if isinstance(error, TooLargeError) or experiment.is_further:
                return Result(experiment, None, str(error))
            raise
        return Result(experiment, run)

    # Minimax comes last: its search is compiled beside the others.
    places = sorted(range(len(plan)), key=lambda place: plan[place].codebreaker.startswith("minimax"))
    with _slowest_aside(plan if fresh else [], crew) as aside:
        for place in places:
            done[place] = played(plan[place], aside)
    return so_far()


def _one_run(experiment: Experiment, options: dict[str, Any]) -> Run:
    from entropeg.experiments.runner import arena

    [run] = arena(experiment.codebreaker, experiment.codemaker, experiment.rules, **options)
    if run.fault:
        raise InputError(run.fault)
    return run


def _slowest_aside(plan: list[Experiment], crew: Crew) -> AbstractContextManager[Popen[bytes] | None]:
    slowest = next((experiment for experiment in plan if experiment.all_secrets), None)
    if crew.count == 1 or slowest is None:
        return nullcontext()
    return compiled_aside(slowest.codebreaker, str(slowest.rules))


def _tell(experiment: Experiment, games: int, progress: Callable[[Any], object] | None) -> None:
    """Say that an experiment is about to start: its kernels are compiled first."""
    from entropeg.experiments.results import Progress

    if progress is not None:
        names = name_of(codebreakers.get(experiment.codebreaker)), experiment.codemaker
        progress(Progress(names, 0, experiment.rules.secret_count if experiment.all_secrets else games))


def _check_reach(experiment: Experiment, games: int) -> None:
    from entropeg.experiments.laws import law

    rules = experiment.rules
    if experiment.all_secrets and rules.secret_count > MOST_SECRETS:
        raise TooLargeError(
            "{rules} has {secrets}; a report plays every one only up to {most:,}",
            *(rules, plural(rules.secret_count, "{n} secret", "{n} secrets"), MOST_SECRETS),
        )
    known = law(experiment.codebreaker, rules)
    if known is not None and games * known.mean > MOST_GUESSES:
        raise TooLargeError(
            "{games:,} games would take about {guesses:,.10g} guesses, more than the {most:,} of a report; the law "
            "gives the mean {mean:,.10g} exactly",
            *(games, games * known.mean, MOST_GUESSES, known.mean),
        )
    if known is None and experiment.codebreaker in ("random", "memory"):
        raise TooLargeError("{rules} has too many codes for a player that ignores feedback", rules)
