"""Processes that share the calls of a run.

They are started when first needed, import what they need once, and end with the process that started them, however it
ends.
"""

from __future__ import annotations

import multiprocessing
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import connection
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from entropeg import signals
from entropeg.executors.crew import Crew, WorkersError
from entropeg.executors.notices import WORDS, register

LEFT_WAITING = 10.0
"""Seconds that a process waits for its end once it is not needed: it has sent its last result long before."""

MOST_ON_WINDOWS = 61
"""Processes that Windows can wait for at once."""

GUARD = (
    "every process that shares the games imports the program first: let it call arena() or report() only under "
    '`if __name__ == "__main__":`, or give jobs=1'
)
"""What a program has to do that starts processes."""

QUIET = "ignore:resource_tracker"
"""Keeps the tracker of semaphores from telling of them."""

_PRELOAD = ["entropeg.executors.orphans", "entropeg.experiments.batch", "entropeg.experiments.batch_kernels"]
# Imported once for all processes, by name, since they stand on upper floors.


class ProcessCrew(Crew):
    """Processes of this machine."""

    worth = 3.0

    def __init__(self, count: int) -> None:
        """Nothing is started yet."""
        super().__init__(min(count, MOST_ON_WINDOWS) if sys.platform == "win32" else count)
        self._executor: ProcessPoolExecutor | None = None
        self._lifeline: Any = None
        self._worked = False

    @property
    def started(self) -> bool:
        """Whether the processes are there."""
        return self._executor is not None

    def _submit(self, function: Callable[..., Any], given: tuple[Any, ...]) -> Future[Any]:
        try:
            with only_a_file_is_imported():
                return self._start().submit(_run, function, given)
        except BrokenProcessPool:
            raise self._broken() from None

    def _result(self, future: Future[Any]) -> Any:
        try:
            result = future.result()
        except BrokenProcessPool:
            raise self._broken() from None
        self._worked = True
        return result

    def _broken(self) -> WorkersError:
        self.stop()
        with signals.held() as check:
            check()  # whoever ends this process may have ended those first
        if self._worked or not _is_unguarded():
            return WorkersError("a process of the arena ended unexpectedly (out of memory?); use fewer jobs")
        return WorkersError(
            f"the processes of the arena ended before they did anything; most likely a guard is missing: {GUARD}"
        )

    def _start(self) -> ProcessPoolExecutor:
        if self._executor is None:
            # While it imports the program a process cannot start others; the interpreter would give each a page on it.
            if getattr(multiprocessing.current_process(), "_inheriting", False):
                raise SystemExit(GUARD)
            context = _context()
            _serve(context)
            reader, self._lifeline = context.Pipe(duplex=False)
            words = context.RawArray("q", WORDS)
            register(self.session, words)
            told = reader, list(sys.path), self.session, words
            self._executor = ProcessPoolExecutor(self.count, mp_context=context, initializer=_prepare, initargs=told)
        return self._executor

    def _end(self, *, wait: bool) -> None:
        executor, self._executor = self._executor, None
        if executor is None:
            return
        with signals.held():
            if wait:
                executor.shutdown(cancel_futures=True)
            self._lifeline.close()
            executor.shutdown(cancel_futures=True)


def _is_unguarded() -> bool:
    # Whether the program is a file that never asks whether it is run or imported.
    try:
        return "__name__" not in Path(sys.modules["__main__"].__file__ or "").read_text(encoding="utf-8")
    except (AttributeError, OSError, UnicodeDecodeError):
        return False


@contextmanager
def only_a_file_is_imported() -> Iterator[None]:
    """Have processes that are started in the block do without the program, where it is no file.

    They import the program by its file. One that is read from standard input has the name of a file that there is not,
    which would end the process.
    """
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
    # crews.
    if "forkserver" in multiprocessing.get_all_start_methods():
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(_PRELOAD)
        return context
    return multiprocessing.get_context("spawn")


def _serve(context: Any) -> None:
    # Ctrl-C reaches every process of a terminal: the first one alone decides. The fork server hears nothing from its
    # first instruction on, nor do the processes that it forks.
    if context.get_start_method() == "forkserver":
        from multiprocessing import forkserver

        start_tracker()
        with signals.kept_from_children():
            forkserver.ensure_running()


def start_tracker() -> None:
    """Start the process of multiprocessing that knows its semaphores, before it lets Ctrl-C through to what it starts.

    It is not to tell of those that a program which is ended at once leaves behind: it removes them. Where processes are
    not forked there is none.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return
    from multiprocessing import resource_tracker

    sys.warnoptions.append(QUIET)
    try:
        with signals.kept_from_children():
            resource_tracker.ensure_running()
    finally:
        sys.warnoptions.remove(QUIET)


class _Gate:
    """In a worker: whether a call is being worked on, and whether to stop."""

    lock = threading.Lock()
    working = False
    closed = False


def _prepare(lifeline: Connection, path: list[str], session: str, words: Any) -> None:
    signals.ignore()
    sys.path[:] = path
    register(session, words)
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


def _run(function: Callable[..., Any], given: tuple[Any, ...]) -> Any:
    with _Gate.lock:
        if _Gate.closed:
            raise KeyboardInterrupt
        _Gate.working = True
    try:
        return function(*given)
    finally:
        with _Gate.lock:
            _Gate.working = False
