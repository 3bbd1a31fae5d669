"""Threads of this process that share the calls of a run: they start at once, and share a processor in plain Python.

Kernels let one another run beside them. Every call works on a copy of what it is given, as in other processes: memos of
players are never shared.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from entropeg.executors.crew import Crew
from entropeg.executors.remote import called, packed
from entropeg.signals import held


class ThreadCrew(Crew):
    """Threads of this process."""

    def __init__(self, count: int) -> None:
        """Nothing is started yet."""
        super().__init__(count)
        self._pool: ThreadPoolExecutor | None = None

    @property
    def started(self) -> bool:
        """Whether the threads are there."""
        return self._pool is not None

    def _submit(self, function: Callable[..., Any], given: tuple[Any, ...]) -> Future[Any]:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.count, "entropeg crew")
        return self._pool.submit(called, packed(function, given))

    def _end(self, *, wait: bool) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            with held():
                pool.shutdown(wait=True, cancel_futures=True)  # a thread cannot be ended in the midst of a call
