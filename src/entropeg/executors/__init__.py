"""Runs calls in worker processes or threads of this machine, or on the workers of a cluster.

`Executor` is the value that the option `--executor` and the arguments `executor=` stand for; `crew_of` opens the
workers that it names. Results never depend on where, nor in which order, work was done.
"""

from entropeg.executors.crew import Crew, SharedTask, WorkersError, travels
from entropeg.executors.executor import Executor, crew_of, executor_of, instead_of_threads, kept_open

__all__ = [
    "Crew",
    "Executor",
    "SharedTask",
    "WorkersError",
    "crew_of",
    "executor_of",
    "instead_of_threads",
    "kept_open",
    "travels",
]
