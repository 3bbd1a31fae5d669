"""Processes of this machine that do calls, one at a time each: started when needed, ended at any moment.

A call is a function of a module and its arguments, as they travel. While it is done it may `tell`, and whoever waits
for it hears that. Each process has a pipe of its own to the program: one that dies in the midst of a message holds up
nobody else, and one whose program has ended, in whatever way, reads the end of its pipe and ends, too.
"""

from __future__ import annotations

import atexit
import multiprocessing
import pickle
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from queue import SimpleQueue
from time import monotonic, sleep
from typing import Any

from entropeg import signals
from entropeg.errors import EntropegError
from entropeg.executors.remote import CallOutcome, called, outcome_of, packed
from entropeg.processes import describe_end, end_itself, end_tree, lead_session
from entropeg.told import Told

QUIET = "ignore:resource_tracker"
"""Keeps the tracker of semaphores from telling of them."""

STOP = b"stop"
"""Sent to a process in the place of a call, to end it."""

_starting = threading.RLock()
"""One process is started, looked at or forgotten at a time: `multiprocessing` looks at all of them in all of these."""


class EndedError(EntropegError):
    """The process of a call has ended before the call: with the `code`, where that is known."""

    def __init__(self, said: str = "", code: int | None = None) -> None:
        super().__init__(said or Told("the process has ended"))
        self.code = code


class NotStartedError(EndedError):
    """No process can be started for a call: the system has no memory, files or processes left, or it ended at once."""


@dataclass(eq=False)
class PoolCall:
    """A call that was given to a pool: its `future`, and what ends it."""

    content: bytes = field(repr=False)
    hear: Callable[[Any], object]
    future: Future[Any] = field(init=False)
    began: float | None = None
    """The reading of `monotonic` since when its process is at it."""
    process: _PoolProcess | None = None
    is_wanted: bool = True
    is_lost: bool = False
    """Whether its process was ended at once."""

    def ask_to_end(self) -> None:
        """Have its process end, in order where it does so (`alone`); a call that has not begun never does."""
        with _starting:
            self.is_wanted = False
            if self.process is not None:
                self.process.send(STOP)

    def end(self) -> None:
        """End its process at once, in the midst of imports and kernels too."""
        with _starting:
            self.is_wanted = False
            if self.process is not None:
                self.is_lost = True
                self.process.kill()


class ProcessPool:
    """At most `count` processes, which call `prepare` before anything else; those that end are replaced.

    What `prepare` is given may be what only a process that starts can be given, as memory that all share. With `alone`
    each call has a process and a session of its own: it ends with the call, and with all that it has started; it hears
    SIGTERM where it is asked to end or the program has ended, and has ten seconds for an orderly end.

    >>> pool = ProcessPool(1, print)
    >>> pool.begin(abs, -3).future.result()
    3
    >>> pool.stop()
    """

    def __init__(
        self, count: int, prepare: Callable[..., object], *given: Any, context: Any = None, alone: bool = False
    ) -> None:
        """Nothing is started yet; `context` is one of `multiprocessing`, by default one that imports all afresh."""
        self._start = (context or multiprocessing.get_context("spawn"), alone, prepare, given)
        self._alone = alone
        self._threads = ThreadPoolExecutor(count, "entropeg pool")  # each waits for a process
        self._processes = set[_PoolProcess]()
        self._idle = list[_PoolProcess]()
        self._is_stopped = False

    def begin(
        self, function: Callable[..., Any], *given: Any, hear: Callable[[Any], object] = lambda _: None
    ) -> PoolCall:
        """Have a function called; `hear` is called, in a thread, with the numbers that it tells.

        The future raises the function's error, EndedError where its process ends, NotStartedError where none
        starts.
        """
        call = PoolCall(packed(function, given), hear)
        call.future = self._threads.submit(self._do, call)
        return call

    def _do(self, call: PoolCall) -> Any:
        process = self._free()
        try:
            with _starting:
                if not call.is_wanted:
                    raise EndedError
                call.process = process
            process.send(call.content)
            call.began = monotonic()
            return process.outcome(call.hear)
        finally:
            with _starting:
                call.process = None
                if self._alone or call.is_lost or process.is_at_work:
                    process.end()
                self._idle.append(process)

    def _free(self) -> _PoolProcess:
        """Return a process that is there and has nothing to do, a new one where there is none."""
        with _starting:
            while self._idle:
                process = self._idle.pop()
                if process.is_alive():
                    return process
                process.end()
                self._processes.remove(process)
            if self._is_stopped:
                raise NotStartedError
            atexit.register(self.stop)
            try:
                process = _PoolProcess(*self._start)
            except (OSError, RuntimeError) as error:
                raise NotStartedError(str(error)) from None
            self._processes.add(process)
        try:
            process.outcome(lambda _: None)  # of `prepare`
        except EndedError as ended:
            self._idle.append(process)  # where it is found to be there no more
            raise NotStartedError(str(ended), ended.code) from None
        return process

    def stop(self, *, is_done: bool = False, patience: float = 0.0) -> None:
        """End all processes: with `is_done` once their calls are done, with `patience` asked to first."""
        atexit.unregister(self.stop)
        if is_done:
            self._threads.shutdown(cancel_futures=True)
        with _starting:
            self._is_stopped = True
            processes = list(self._processes)
        if patience:
            for process in processes:
                process.send(STOP)
        end = monotonic() + patience
        for process in processes:
            process.end(end - monotonic())
        self._threads.shutdown(cancel_futures=True)


class _PoolProcess:
    """A process of a pool, and this end of its pipe."""

    def __init__(self, context: Any, alone: bool, prepare: Callable[..., object], given: tuple[Any, ...]) -> None:  # noqa: FBT001
        start_tracker()
        self._pipe, theirs = context.Pipe()
        self._sending = threading.Lock()
        self._alone = alone
        self._is_over = False
        self.is_at_work = False
        """Whether a call was begun of which nothing has come yet."""
        self._process = context.Process(target=_work, args=(theirs, alone, prepare, given))
        with theirs, signals.kept_from_children(), only_a_file_is_imported():
            self._process.start()

    def is_alive(self) -> bool:
        """Whether it is there."""
        return bool(self._process.is_alive())

    def send(self, content: bytes) -> None:
        """Send it a call, or that it is to end; where it has ended that is said by who waits for its outcome."""
        with suppress(OSError), self._sending:
            self._pipe.send_bytes(content)

    def outcome(self, hear: Callable[[Any], object]) -> Any:
        """Return the outcome of a call, and hear before what it tells; raises EndedError where its process ended."""
        self.is_at_work = True
        try:
            while not isinstance(said := pickle.loads(self._pipe.recv_bytes()), CallOutcome):  # noqa: S301 - ours
                hear(said)
        except (EOFError, OSError):
            # A process whose pipe has ended is gone within five seconds, or is ended.
            self.end(5.0)
            code = self._process.exitcode
            raise EndedError(describe_end(code, Told("the process")), code) from None
        self.is_at_work = False
        if isinstance(said.error, Exception):
            raise said.error
        if said.error is not None:  # it was to end, and the function did not see to that
            raise EndedError
        return said.result

    def kill(self) -> None:
        """End it at once."""
        if self._alone:
            end_tree(self._process)
        else:
            self._process.kill()

    def end(self, seconds: float = 0.0) -> None:
        """End it, after a number of seconds in which it may end itself."""
        wait([self._process.sentinel], max(0.0, seconds))
        with _starting:
            if not self._is_over:
                self.kill()
                self._process.join()
                self._is_over = True  # its number may soon be that of another


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


def start_tracker() -> None:
    """Start the process of multiprocessing that knows its semaphores, before it lets Ctrl-C through to its children.

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


# ------------------------------------------------------------ in the processes


class _Own:
    """In a process of a pool: its end of the pipe."""

    pipe: Connection[bytes, bytes] | None = None


def tell(said: Any) -> None:
    """Let whoever waits for the call that this process is at hear something; nothing elsewhere."""
    if _Own.pipe is not None:
        _send(pickle.dumps(said))


def _send(content: bytes) -> None:
    assert _Own.pipe is not None
    with signals.held(), suppress(OSError):  # nobody listens any more: what counts is in files
        _Own.pipe.send_bytes(content)


def _work(pipe: Connection[bytes, bytes], alone: bool, prepare: Callable[..., object], given: tuple[Any, ...]) -> None:  # noqa: FBT001
    _Own.pipe = pipe
    calls = SimpleQueue[bytes | None]()
    try:
        if alone:
            lead_session()
            signals.take()
            signals.let_in()
        else:
            signals.ignore()
        threading.Thread(target=_listen, args=(pipe, calls, alone), daemon=True).start()
        _send(outcome_of(prepare, given))
        while (call := calls.get()) is not None:
            _send(outcome_of(called, (call,)))
    except KeyboardInterrupt:  # with nothing to do
        pass
    signals.leave(0)


def _listen(pipe: Connection[bytes, bytes], calls: SimpleQueue[bytes | None], alone: bool) -> None:  # noqa: FBT001
    with suppress(EOFError, OSError):
        while (call := pipe.recv_bytes()) != STOP:
            calls.put(call)
    calls.put(None)
    if alone:
        end_itself()
        sleep(10.0)
    signals.leave(1)
