"""Hears Ctrl-C, SIGTERM and SIGHUP in one place, and acts on them where nothing breaks by it.

A program that uses the library keeps Python's own way: Ctrl-C raises KeyboardInterrupt. Only stretches that it would
break (`held`) put it off to their end. The command line takes all three signals for as long as it runs (`take`): each
raises KeyboardInterrupt, so that they save and end alike, and `exit_code` tells which one it was. Signals
that come while modules are imported, or while numba loads or keeps code, are put off there too: an exception would be
swallowed, or told as something else. A second signal, a second or more after the first, ends the program at once, but
that of a server, which ends `in_order`.

Processes that share the work never hear a signal (`kept_from_children`): the one that started them decides.
"""

from __future__ import annotations

import atexit
import os
import signal
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from types import FrameType
from typing import Any

INTERRUPTED = 128 + signal.SIGINT
"""Exit code after Ctrl-C, as shells have it."""

TAKEN = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals that ask a program to end: by its user, by whoever runs it, by the terminal that goes away."""

SAME = 1.0
"""Most seconds between signals that are taken as one: `timeout` and some shells send theirs twice."""

LISTEN_EVERY = 0.1
"""Seconds until a signal is heard where a `held` block waits for others, at most."""


class _Heard:
    """What was heard.

    ``depth``: how many `held` blocks are open; ``tells``: whom these want told, innermost last; ``is_patient``: whether
    signals are noted and nothing more, as `in_order` wants it.
    """

    def __init__(self) -> None:
        self.is_taken = self.is_patient = False
        self.number: int | None = None
        self.at = 0.0
        self.depth = 0
        self.is_put_off = False
        self.tells: list[Callable[[], object]] = []
        self.at_once: list[Callable[[], object]] = []


_state = _Heard()


# ------------------------------------------------------------ the command line


def take() -> None:
    """Take the signals for the rest of the program: for the first line of a program, in its main thread.

    A signal that the program was started to ignore (`nohup`, background jobs of scripts) stays ignored.
    """
    _state.is_taken = True
    atexit.register(_turn_deaf)  # the first that is registered is done last
    for number in TAKEN:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _hear)
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, _try_again)
    sys.unraisablehook = _rescue


def let_go(code: Any) -> None:
    """Have signals end the program at once, with the code that it ends with: nothing can be lost any more."""
    for number in TAKEN:
        if signal.getsignal(number) is _hear:
            signal.signal(number, lambda *_: leave(code))
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_IGN)  # it may be on its way


def _turn_deaf() -> None:
    # In the midst of its own end Python gives the signals back to the system, which would end it with their code.
    for number in TAKEN:
        signal.signal(number, signal.SIG_IGN)


def is_heard() -> bool:
    """Whether a signal came that is to end the program."""
    return _state.number is not None


def exit_code() -> int:
    """The exit code of an interrupted program: 130 after Ctrl-C, 143 after SIGTERM, 129 after SIGHUP.

    >>> exit_code()
    130
    """
    return INTERRUPTED if _state.number is None else 128 + _state.number


def before_leaving(step: Callable[[], object]) -> None:
    """Have a step done where the program ends at once, without Python's own end: it ends other processes."""
    _state.at_once.append(step)


def leave(code: int | None = None) -> None:
    """End the process at once, by default with `exit_code`, whatever its threads do: kernels cannot be told to stop."""
    for step in _state.at_once:
        with suppress(Exception):
            step()
    with suppress(Exception):
        if sys.stderr.isatty():
            sys.stderr.write("\x1b[?25h")  # bars and spinners hide the cursor
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(exit_code() if code is None else code)


# ------------------------------------------------------------ hearing


def _hear(number: int, frame: FrameType | None) -> None:
    now = monotonic()
    if _state.number is None:
        _state.number, _state.at = number, now
        _leave_lost_terminals()
    elif now - _state.at < SAME or _state.is_patient:
        return
    elif _state.is_taken:
        leave()
    elif not _state.tells:
        raise KeyboardInterrupt
    if _state.is_patient:
        return
    if _state.tells:
        _state.tells[-1]()
    elif _state.depth:
        _state.is_put_off = True
    elif _is_delicate(frame):
        _put_off()
    else:
        raise KeyboardInterrupt


def _leave_lost_terminals() -> None:
    # After SIGHUP the terminal is most often gone, and writing to it fails: further words go nowhere, so that
    # results are still kept. A device that was a terminal is none any more.
    for stream in (1, 2) if _state.is_taken else ():
        with suppress(OSError):
            if stat.S_ISCHR(os.fstat(stream).st_mode) and not os.isatty(stream):
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, stream)
                os.close(nowhere)


def _put_off() -> None:
    _state.is_put_off = True
    # Again and again: an alarm that comes just before the program falls asleep is heard only when it wakes up.
    signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)


def _try_again(_number: int, frame: FrameType | None) -> None:
    # Imports and the loading of code put a signal off for ten seconds at most.
    if _state.is_put_off and not _state.depth and _is_delicate(frame) and monotonic() - _state.at < 10.0:
        return
    signal.setitimer(signal.ITIMER_REAL, 0)
    if _state.is_put_off and not _state.depth:  # else the end of `held` raises it
        _state.is_put_off = False
        raise KeyboardInterrupt


def _is_delicate(frame: FrameType | None) -> bool:
    if not hasattr(signal, "setitimer"):
        return False  # there is nothing to try it again by
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        # Modules in which functions are called back from compiled code, which swallows their exceptions.
        if str(frame.f_globals.get("__name__")).startswith(("llvmlite.", "numba.core.caching", "numba.core.codegen")):
            return True
        frame = frame.f_back
    return False


def _rescue(lost: Any) -> None:
    # An exception in a callback from compiled code or in a finalizer goes nowhere: it is raised again elsewhere.
    if lost.exc_type is KeyboardInterrupt and _state.number is not None and hasattr(signal, "setitimer"):
        _put_off()
    else:
        sys.__unraisablehook__(lost)


# ------------------------------------------------------------ stretches that nothing may break


@contextmanager
def held(tell: Callable[[], object] | None = None) -> Iterator[Callable[[], None]]:
    """Put signals off until the end of the block, which then raises KeyboardInterrupt.

    Gives a function that raises it now, where a signal came: for safe points inside the block.

    With ``tell`` a signal calls that function instead, at once and between any two steps of the block, and nothing is
    raised: it tells a search to stop, whose result is then taken as it is. A block is short (starting
    processes, saving), or ends soon once it is told to. Threads other than the main one never hear signals, and
    handlers that a program has set itself are left alone: there the block changes nothing.

    >>> with held() as check:
    ...     check()
    """
    is_own = _in_main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    is_ours = _in_main_thread() and (_state.is_taken or signal.getsignal(signal.SIGINT) is _hear)
    if not is_own and not is_ours:
        yield _check
        return
    # A signal that comes between two of these lines is put off, too: these notes are in place whenever Python's
    # own handler is not.
    if is_own:
        _state.depth, _state.number, _state.is_put_off = 0, None, False
        _state.tells.clear()
    if tell is not None:
        _state.tells.append(tell)
    _state.depth += 1
    if is_own:
        signal.signal(signal.SIGINT, _hear)
    try:
        yield _check
    finally:
        if tell is not None:
            _state.tells.pop()
        if is_own:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        _state.depth -= 1
        if not _state.depth:
            _check()


@contextmanager
def in_order() -> Iterator[None]:
    """Only note signals in this block, which looks at `is_heard` and ends by itself: for a server, however often asked.

    Nothing is raised for them, neither in the block nor later, also for one that was put off before it. All three are
    noted, in a program that has not taken them too, but those that it ignores. A block inside another, or in a thread
    other than the main one, changes nothing.
    """
    if not _in_main_thread() or _state.is_patient:
        yield
        return
    before = {number: signal.getsignal(number) for number in TAKEN}
    if not _state.is_taken:
        _state.number = None
    _state.is_patient, _state.is_put_off = True, False
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, _hear)
    try:
        yield
    finally:
        # The request is fulfilled: the command line ends here, and nothing that comes later asks for more.
        _state.is_patient = _state.is_taken and is_heard()
        for number, handler in before.items():
            signal.signal(number, handler)


def _check() -> None:
    if _state.is_put_off:
        _state.is_put_off = False
        raise KeyboardInterrupt


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


# ------------------------------------------------------------ other processes


@contextmanager
def kept_from_children() -> Iterator[None]:
    """Start processes in this block that hear no signal of the terminal, from their first instruction on.

    On the command line they hear neither SIGTERM nor SIGHUP: batch systems send those to every process. A signal that
    comes meanwhile is heard here after the block.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, TAKEN if _state.is_taken else (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def let_in() -> None:
    """Hear signals in a process that was started in `kept_from_children`, and now those that came meanwhile."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, TAKEN)


def ignore() -> None:
    """Ignore Ctrl-C for good: for a process that shares the work of another."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
