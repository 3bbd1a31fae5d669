"""Opens the crew that is asked for: by an executor, by a number of processes, or one that is open already."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from entropeg import arguments
from entropeg.errors import InputError
from entropeg.executors.crew import Crew
from entropeg.executors.executor import Executor
from entropeg.processors import MOST_PROCESSORS


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
        raise InputError(f"jobs and executor exclude each other: jobs={jobs} is executor='processes:{jobs}'")
    return Executor.of(executor)


def instead_of_threads(executor: Executor | Crew | str | None, threads: int | None) -> Executor | Crew | None:
    """Return the executor that is given in the place of a number of threads, read; raises InputError for both.

    >>> str(instead_of_threads("processes:2", 0))
    'processes:2'
    """
    if executor is not None and threads:
        raise InputError(f"threads and executor exclude each other: threads={threads} is executor='threads:{threads}'")
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
        from entropeg.executors.threads import ThreadCrew

        return ThreadCrew(asked.workers)
    if asked.kind == "dask":
        from entropeg.executors.cluster import ClusterCrew

        return ClusterCrew(asked.workers, asked.address)
    from entropeg.executors.processes import ProcessCrew

    return ProcessCrew(asked.workers)
