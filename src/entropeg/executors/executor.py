"""Reads where work is to run (`processes:8`, `threads:2`, `dask:4`, `dask://HOST:PORT`), and opens the crew for it."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Literal, TypeAlias

from entropeg import arguments
from entropeg.errors import InputError
from entropeg.executors.crew import Crew
from entropeg.processors import MOST_PROCESSORS, usable_processors
from entropeg.told import Told

ExecutorKind: TypeAlias = Literal["processes", "threads", "dask"]

FORMS = ("processes:N", "threads:N", "dask:N", "dask://HOST:PORT")
"""What may be written."""


@dataclass(frozen=True)
class Executor:
    """Where work is to run: in processes or threads of this machine, `count` of them, None for one a processor.

    Or on workers of dask: a cluster of this machine, likewise, or, where there is an `address`, that of a scheduler
    (`tcp://HOST:PORT`, or `tls://`, which is written `dask+tls://`).

    Which executor works changes nothing in results: game i depends on the seed and on i alone.

    >>> Executor.of("processes:8").workers, str(Executor.of("threads:2"))
    (8, 'threads:2')
    >>> Executor.of("dask://node1:8786").address
    'tcp://node1:8786'
    """

    kind: ExecutorKind = "processes"
    count: int | None = None
    address: str = ""

    def __post_init__(self) -> None:
        what = {
            "processes": Told("the number of processes"),
            "threads": Told("the number of threads"),
            "dask": Told("the number of workers"),
        }
        arguments.some(self.count, what[self.kind], least=1, most=MOST_PROCESSORS)
        port = self.address.rpartition(":")[2]
        if port.isdecimal():
            arguments.some(int(port), Told("the port of {executor}", self), least=1, most=65_535)

    @classmethod
    def of(cls, given: Executor | str) -> Executor:
        """Return an executor as it is, or the one that a text names; raises InputError for anything else."""
        if isinstance(given, Executor):
            return given
        text = given.strip().casefold() if isinstance(given, str) else ""
        at = re.fullmatch(r"dask(?:\+(tls))?://((?:[a-z0-9_.-]+|\[[0-9a-f:.]+\]):\d{1,5})/?", text)
        if at is not None:
            return cls("dask", address=f"{at[1] or 'tcp'}://{at[2]}")
        if (found := re.fullmatch(r"(processes|threads|dask)(?::(\d{1,6}))?", text)) is None:
            raise InputError("the executor is {given!r}; it must be {forms:or}", given, FORMS)
        kinds: dict[str, ExecutorKind] = {"processes": "processes", "threads": "threads", "dask": "dask"}
        return cls(kinds[found[1]], None if found[2] is None else int(found[2]))

    @property
    def workers(self) -> int:
        """How many processes or threads of this machine there are to be."""
        return self.count or usable_processors()

    def __str__(self) -> str:
        if self.address:
            return self.address.replace("tcp://", "dask://").replace("tls://", "dask+tls://")
        return self.kind if self.count is None else f"{self.kind}:{self.count}"


def executor_of(executor: Executor | str | None, jobs: int | None = None) -> Executor:
    """Return the executor asked for: by itself, by `jobs` processes, or by default a process a processor.

    Raises InputError where both are given, and for what cannot be right.

    >>> str(executor_of("threads:3")), str(executor_of(None, 4)), str(executor_of(None))
    ('threads:3', 'processes:4', 'processes')
    """
    jobs = arguments.some(jobs, "the number of processes", least=1, most=MOST_PROCESSORS)
    if executor is None:
        return Executor(count=jobs)
    if jobs is not None:
        raise InputError("jobs and executor exclude each other: jobs={jobs} is executor='processes:{jobs}'", jobs)
    return Executor.of(executor)


def instead_of_threads(executor: Executor | Crew | str | None, threads: int | None) -> Executor | Crew | None:
    """Return the executor that is given in the place of a number of threads, read; raises InputError for both.

    >>> str(instead_of_threads("processes:2", 0))
    'processes:2'
    """
    if executor is not None and threads:
        raise InputError(
            "threads and executor exclude each other: threads={threads} is executor='threads:{threads}'", threads
        )
    return executor if executor is None or isinstance(executor, Crew) else Executor.of(executor)


def kept_open(executor: Executor | Crew | str | None) -> AbstractContextManager[Executor | Crew | None]:
    """Open the crew asked for once for several calls that take an `executor`, in a `with` block.

    Threads of this process start at once, and are not kept: they are handed on by name, and None as it is.
    """
    asked = instead_of_threads(executor, None)
    if asked is None or (isinstance(asked, Executor) and asked.kind == "threads"):
        return nullcontext(asked)
    return crew_of(asked)


def crew_of(executor: Executor | Crew | str | None, jobs: int | None = None) -> AbstractContextManager[Crew]:
    """Return the crew asked for, to be used in a `with` block: a crew that is given goes on after it, others end.

    Errors are those of `executor_of`.

    >>> with crew_of("threads:2") as crew:
    ...     list(crew.work([], 0.1)), crew.count
    ([], 2)
    """
    if isinstance(executor, Crew):
        if jobs is not None:
            raise InputError("jobs and executor exclude each other: the workers of the executor are there already")
        return nullcontext(executor)
    asked = executor_of(executor, jobs)
    if asked.kind == "threads":
        from entropeg.executors.crew import ThreadCrew

        return ThreadCrew(asked.workers)
    if asked.kind == "dask":
        from entropeg.executors.cluster import ClusterCrew

        return ClusterCrew(asked.workers, asked.address)
    from entropeg.executors.processes import ProcessCrew

    return ProcessCrew(asked.workers)
