"""Processes that share the work of a run.

They are started when first needed, import what they need once, and end with the process that started them, however it
ends.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Self

from entropeg.errors import EntropegError
from entropeg.experiments.tasks import Chunk, Task

_PRELOAD = ["entropeg.experiments.batch", "entropeg.experiments.batch_kernels"]


class Pool:
    """A pool of processes that starts when it is first asked to work; leaving its `with` block ends it."""

    def __init__(self, jobs: int) -> None:
        """Nothing is started yet."""
        self.jobs = jobs
        self._executor: ProcessPoolExecutor | None = None
        self._lifeline: Any = None

    @property
    def started(self) -> bool:
        """Whether the processes are there."""
        return self._executor is not None

    def work(self, tasks: Iterable[Task], budget: float) -> Iterator[Chunk]:
        """Run tasks until nothing is left of them, giving the chunks as they finish (in no particular order).

        What an exception in one of the processes was is raised here.
        """
        queue, running = list(tasks), set[Future[tuple[Chunk, list[Task]]]]()
        while queue or running:
            if 0 < len(queue) < self.jobs:
                queue = [piece for task in queue for piece in task.split(2 * self.jobs)]
            while queue and len(running) < 2 * self.jobs:
                running.add(self._start().submit(_run, queue.pop(), budget))
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                chunk, left = self._result(future)
                queue += left
                yield chunk

    def _result(self, future: Future[tuple[Chunk, list[Task]]]) -> tuple[Chunk, list[Task]]:
        try:
            return future.result()
        except BrokenProcessPool:
            self.stop()
            raise EntropegError("a process of the arena ended unexpectedly (out of memory?); use fewer jobs") from None

    def _start(self) -> ProcessPoolExecutor:
        if self._executor is None:
            context = _context()
            reader, self._lifeline = context.Pipe(duplex=False)
            self._executor = ProcessPoolExecutor(
                self.jobs, mp_context=context, initializer=_prepare, initargs=(reader, list(sys.path))
            )
        return self._executor

    def stop(self) -> None:
        """End the processes at once; what they are working on is lost."""
        self._end(wait=False)

    def _end(self, *, wait: bool) -> None:
        executor, self._executor = self._executor, None
        if executor is None:
            return
        if wait:
            executor.shutdown(cancel_futures=True)
        self._lifeline.close()
        executor.shutdown(cancel_futures=True)

    def __enter__(self) -> Self:
        """Return the pool."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the processes: at once where something went wrong."""
        self._end(wait=kind is None)


def _context() -> Any:
    # Never fork: numba's threads do not survive it. A fork server imports once for all processes, and lasts for later
    # pools.
    if "forkserver" in multiprocessing.get_all_start_methods():
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(_PRELOAD)
        return context
    return multiprocessing.get_context("spawn")


def _prepare(lifeline: Connection, path: list[str]) -> None:
    # Ctrl-C reaches every process of a terminal: the first one alone decides. When it closes its end of the pipe, or
    # dies, end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.path[:] = path

    def watch() -> None:
        lifeline.poll(None)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _run(task: Task, budget: float) -> tuple[Chunk, list[Task]]:
    return task.run(budget)
