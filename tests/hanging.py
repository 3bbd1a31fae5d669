"""Limits on the time that calls may take, for tests that make many calls of which nobody knows what they do."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

T = TypeVar("T")

SECONDS = 10
"""Processor seconds that a call may take on small boards."""

COMPILING = 90
"""And where kernels are compiled for it, once."""


class Hang(BaseException):
    """A call took longer than it may."""


def in_time(call: Callable[[], T]) -> T:
    """Return what a call returns, or raise what it raises; raises Hang where it takes too long.

    A long call may have compiled kernels: it is made again, and must be a short one then.
    """
    start = time.process_time()
    try:
        with limited(COMPILING):
            return call()
    finally:
        if time.process_time() - start > SECONDS:
            with limited(SECONDS):
                call()


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise Hang in the block after so many processor seconds, or six times as many by the clock."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise Hang(f"over {seconds} processor seconds, or waiting")

    timers = ((signal.SIGPROF, signal.ITIMER_PROF, seconds), (signal.SIGALRM, signal.ITIMER_REAL, 6 * seconds))
    before = [signal.signal(number, stop) for number, _, _ in timers]
    for _, timer, most in timers:
        signal.setitimer(timer, most)
    try:
        yield
    finally:
        for (number, timer, _), handler in zip(timers, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)
