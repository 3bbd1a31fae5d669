"""Has everything compiled that a user will need, several jobs at a time, each in a process of its own.

A process of its own can be ended at any moment, also in the midst of the compiler, which hears no signal. What it had
finished is stored by then; code is written whole or not at all.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter

from entropeg import arguments
from entropeg.errors import MissingExtraError
from entropeg.kernels import switch
from entropeg.processes import Child, ChildError
from entropeg.processors import MOST_PROCESSORS, usable_processors
from entropeg.upkeep.jobs import JOBS, Job, Warmed, do, job_of

_SCRIPT = """
import json, sys
from dataclasses import asdict
from entropeg import signals
from entropeg.upkeep.jobs import do
signals.ignore()
print(json.dumps(asdict(do(sys.argv[1]))))
"""


@dataclass(frozen=True)
class WarmingProgress:
    """How far the warming is: jobs done, those at work, how many there are, and about how many seconds are left."""

    done: tuple[Warmed, ...]
    working: tuple[str, ...]
    total: int
    left: float


def warm(
    names: Iterable[str] = (), *, jobs: int | None = None, progress: Callable[[WarmingProgress], object] | None = None
) -> list[Warmed]:
    """Compile the kernels of the jobs of these names (default: all), and keep them on disk; return how each went.

    `jobs` processes work at a time (default: one a processor). `progress` is called some times a second. Ctrl-C ends it
    at once, and finished kernels are kept. Where all is stored it takes some seconds, else a minute or two.
    Raises InputError for a name that there is not; MissingExtraError where nothing can be compiled.
    """
    asked = arguments.items(names, "the names", '["play", "arena"]')
    wanted = [job_of(name) for name in dict.fromkeys(asked)] or list(JOBS.values())
    at_once = arguments.some(jobs, "the number of processes", least=1, most=MOST_PROCESSORS) or usable_processors()
    arguments.call(progress, "progress")
    if not switch.can_compile():
        raise MissingExtraError(
            "there is nothing to compile, since {why}; boards to {codes:,} codes are played without",
            *(switch.why_not(), switch.PLAIN_CODES),
        )
    warming = _Warming(wanted, at_once)
    try:
        while warming.is_going():
            if progress is not None:
                progress(warming.progress)
    finally:
        warming.end()
    return [warming.done[job.name] for job in wanted]


class _Warming:
    """Jobs that wait, the ones needed first at the end; jobs at work; jobs that are done."""

    def __init__(self, wanted: Sequence[Job], at_once: int) -> None:
        self.done: dict[str, Warmed] = {}
        self._waiting = list(reversed(wanted))
        self._total, self._at_once = len(wanted), at_once
        self._working: dict[str, tuple[Child, float]] = {}

    def is_going(self) -> bool:
        """Start the jobs that can start, look at the ones at work, and say whether any is left."""
        while self._waiting and len(self._working) < self._at_once:
            self._start(self._waiting.pop().name)
        for name, (child, began) in list(self._working.items()):
            with suppress(_StillAtWorkError):
                self.done[name] = _result(name, child, began)
                child.close()
                del self._working[name]
        return bool(self._waiting or self._working)

    def _start(self, name: str) -> None:
        try:
            child = Child([sys.executable or "python", "-c", _SCRIPT, name], env=_environment())
        except ChildError:  # no process can be started: this one does it
            self.done[name] = do(name)
        else:
            self._working[name] = child, perf_counter()

    def end(self) -> None:
        """End the jobs that are still at work."""
        for child, _ in self._working.values():
            child.close()

    @property
    def progress(self) -> WarmingProgress:
        """How far it is."""
        now, done = perf_counter(), tuple(self.done.values())
        working = {name: now - began for name, (_, began) in self._working.items()}
        left = seconds_left(done, working, [job.name for job in self._waiting], self._at_once)
        return WarmingProgress(done, tuple(working), self._total, left)


def seconds_left(done: Iterable[Warmed], working: Mapping[str, float], waiting: Iterable[str], at_once: int) -> float:
    """Return about how many seconds are left, `at_once` jobs at a time; `working` says how long jobs are at work.

    Jobs take their usual time until one has ended, then as much more or less as the ended ones. So the number
    becomes smaller from the first look on, and may grow where a job ends.

    >>> seconds_left([], {"play": 6.0}, ["arena"], 1), seconds_left([Warmed("play", 48.0, True)], {}, ["arena"], 1)
    (18.0, 24.0)
    """
    ended = list(done)
    pace = sum(each.seconds for each in ended) / sum(JOBS[each.job].seconds for each in ended) if ended else 1.0
    rest = sum(pace * JOBS[name].seconds for name in waiting)
    return (rest + sum(max(0.0, pace * JOBS[name].seconds - passed) for name, passed in working.items())) / at_once


class _StillAtWorkError(Exception):
    """A job is not done yet."""


def _result(name: str, child: Child, began: float) -> Warmed:
    # The result of a job, if it comes within a moment.
    try:
        return Warmed(**json.loads(child.read(0.1)))  # a look of 0.1 seconds
    except (ChildError, ValueError) as error:
        seconds = perf_counter() - began
        # A job takes less than an hour, on the slowest of machines.
        if isinstance(error, ChildError) and error.reason == "silent" and seconds < 3600.0:
            raise _StillAtWorkError from None
        said = child.stderr.splitlines()
        return Warmed(name, seconds, compiled=False, failure=said[-1] if said else str(error))


def _environment() -> dict[str, str]:
    # It imports from wherever this process does.
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
