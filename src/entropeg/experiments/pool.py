"""Processes that share the work of a run.

They are started when first needed, import what they need once, and end with the process that started them, however it
ends.
"""

from __future__ import annotations

import multiprocessing
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import connection
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from entropeg import signals
from entropeg.errors import EntropegError
from entropeg.experiments.tasks import Chunk, GameTask

LEFT_WAITING = 10.0
"""Seconds that a process waits for its end once it is not needed: it has sent its last result long before."""

PIECE = 2000
"""Games in one piece of work, at most: it travels to a process and what is left of it back."""

GUARD = (
    "every process that shares the games imports the program first: let it call arena() or report() only under "
    '`if __name__ == "__main__":`, or give jobs=1'
)
"""What a program has to do that starts processes."""

_PRELOAD = ["entropeg.experiments.batch", "entropeg.experiments.batch_kernels"]


class ProcessPool:
    """A pool of processes that starts when it is first asked to work; leaving its `with` block ends it."""

    def __init__(self, jobs: int) -> None:
        """Nothing is started yet."""
        self.jobs = jobs
        self._executor: ProcessPoolExecutor | None = None
        self._lifeline: Any = None
        self._worked = False

    @property
    def started(self) -> bool:
        """Whether the processes are there."""
        return self._executor is not None

    def work(self, tasks: Iterable[GameTask], budget: float) -> Generator[Chunk, None, None]:
        """Run tasks until nothing is left of them, giving the chunks as they finish (in no particular order).

        An exception in one of the processes is raised here. So is KeyboardInterrupt, between two chunks.
        """
        # Ctrl-C raised inside `concurrent.futures` could leave a lock of that taken.
        with signals.held() as check:
            try:
                yield from self._work(list(tasks), budget, check)
            except BrokenProcessPool:
                self.stop()
                check()  # whoever ends this process may have ended those first
                raise EntropegError(self._why_broken()) from None

    def _work(self, queue: list[GameTask], budget: float, check: Callable[[], None]) -> Generator[Chunk, None, None]:
        running = set[Future[tuple[Chunk, list[GameTask]]]]()
        while queue or running:
            queue = self._cut(queue)
            while queue and len(running) < 2 * self.jobs:
                with _only_a_file_is_imported():
                    running.add(self._start().submit(_run, queue.pop(), budget))
            finished, running = wait(running, timeout=signals.LISTEN_EVERY, return_when=FIRST_COMPLETED)
            for future in finished:
                chunk, left = future.result()
                self._worked = True
                queue += left
                yield chunk
            check()

    def _cut(self, queue: list[GameTask]) -> list[GameTask]:
        # Small pieces travel quickly; and in the end there should be one for each process.
        pieces = 2 * self.jobs if len(queue) < self.jobs else 1
        return [piece for task in queue for piece in task.split(max(pieces, -(-task.size // PIECE)))]

    def _why_broken(self) -> str:
        if self._worked or not _is_unguarded():
            return "a process of the arena ended unexpectedly (out of memory?); use fewer jobs"
        return f"the processes of the arena ended before they did anything; most likely a guard is missing: {GUARD}"

    def _start(self) -> ProcessPoolExecutor:
        if self._executor is None:
            # While it imports the program a process cannot start others; the interpreter would give each a page on it.
            if getattr(multiprocessing.current_process(), "_inheriting", False):
                raise SystemExit(GUARD)
            context = _context()
            _serve(context)
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
        with signals.held():
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


def _is_unguarded() -> bool:
    # Whether the program is a file that never asks whether it is run or imported.
    try:
        return "__name__" not in Path(sys.modules["__main__"].__file__ or "").read_text(encoding="utf-8")
    except (AttributeError, OSError, UnicodeDecodeError):
        return False


@contextmanager
def _only_a_file_is_imported() -> Iterator[None]:
    # A process that is started imports the program by its file. A program that is read from standard input has the
    # name of a file that there is not, which would end the process: without a name it does without the program.
    program = sys.modules["__main__"]
    name = getattr(program, "__file__", None)
    if name is None or Path(name).exists():
        yield
        return
    program.__file__ = None
    try:
        yield
    finally:
        program.__file__ = name


def _context() -> Any:
    # Never fork: numba's threads do not survive it. A fork server imports once for all processes, and lasts for later
    # pools.
    if "forkserver" in multiprocessing.get_all_start_methods():
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(_PRELOAD)
        return context
    return multiprocessing.get_context("spawn")


def _serve(context: Any) -> None:
    # Ctrl-C reaches every process of a terminal: the first one alone decides. The fork server hears nothing from its
    # first instruction on, nor do the processes that it forks.
    if context.get_start_method() == "forkserver":
        from multiprocessing import forkserver, resource_tracker

        for server in (resource_tracker, forkserver):
            with signals.kept_from_children():  # once for each: the first lets them through again
                server.ensure_running()


class _Gate:
    """In a worker: whether a task is being worked on, and whether to stop."""

    lock = threading.Lock()
    working = False
    closed = False


def _prepare(lifeline: Connection, path: list[str]) -> None:
    signals.ignore()
    sys.path[:] = path
    threading.Thread(target=_watch, args=(lifeline,), daemon=True).start()


def _watch(lifeline: Connection) -> None:
    # End when the first process dies, or at once when it closes its end of the pipe; but never while a result is on
    # its way, since half a message would block the reader for ever.
    parent = multiprocessing.parent_process()
    assert parent is not None
    if parent.sentinel not in connection.wait([lifeline, parent.sentinel]):
        with _Gate.lock:
            if _Gate.working:
                signals.leave(1)
            _Gate.closed = True
        connection.wait([parent.sentinel], LEFT_WAITING)
    signals.leave(1)


def _run(task: GameTask, budget: float) -> tuple[Chunk, list[GameTask]]:
    with _Gate.lock:
        if _Gate.closed:
            raise KeyboardInterrupt
        _Gate.working = True
    try:
        return task.run(budget)
    finally:
        with _Gate.lock:
            _Gate.working = False
