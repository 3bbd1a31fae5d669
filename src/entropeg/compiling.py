"""Says that somebody waits for the compiler, where no compiled code is stored yet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

_waiting: list[list[Callable[[], None]]] = []


@contextmanager
def told_of_compilation(say: Callable[[], None]) -> Iterator[None]:
    """Call ``say`` once if anything is compiled in this block, when it begins.

    Code that is loaded from the disk is none of it. Within another such block that is not told.

    >>> with told_of_compilation(lambda: print("this takes a while")):
    ...     compilation_begins()
    ...     compilation_begins()
    this takes a while
    """
    _waiting.append([say])
    try:
        yield
    finally:
        _waiting.pop()


def compilation_begins() -> None:
    """Tell whoever waits; the kernels call this."""
    if _waiting and _waiting[-1]:
        _waiting[-1].pop()()
