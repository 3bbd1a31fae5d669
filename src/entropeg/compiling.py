"""Says that somebody waits for the compiler, where no compiled code is stored yet, and for how long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial

_waiting: list[list[Callable[[], None]]] = []
_watching: list[tuple[Callable[[], None], Callable[[], None]]] = []
_begun = [0]  # compilations at work: functions compile inside each other


@contextmanager
def told_of_compilation(say: Callable[[], None]) -> Iterator[None]:
    """Call ``say`` once if anything is compiled in this block, when it begins.

    Code that is loaded from the disk is none of it. Within another such block that is not told.

    >>> with told_of_compilation(lambda: print("this takes a while")):
    ...     compilation_begins()
    ...     compilation_begins()
    this takes a while
    """
    # In the language of whoever begins the block: threads that compile know nothing of it.
    _waiting.append([partial(copy_context().run, say)])
    try:
        yield
    finally:
        _waiting.pop()


@contextmanager
def compiler_watched(begins: Callable[[], None], ends: Callable[[], None]) -> Iterator[None]:
    """Call ``begins`` each time that the compiler goes to work in this block, and ``ends`` when it has done it.

    To wait for another process that compiles the same counts too.

    >>> with compiler_watched(lambda: print("begins"), lambda: print("ends")), compiling():
    ...     compilation_begins()
    ...     compilation_ends()
    begins
    ends
    """
    _begun[0] = 0
    _watching.append((begins, ends))
    try:
        yield
    finally:
        _watching.pop()


def compilation_begins() -> None:
    """Tell whoever waits; the kernels call this."""
    _begun[0] += 1
    if _begun[0] == 1:
        for begins, _ in _watching:
            begins()
    if _waiting and _waiting[-1]:
        _waiting[-1].pop()()


def compilation_ends() -> None:
    """Tell that what began last is done; the kernels call this, after errors too."""
    _begun[0] = max(_begun[0] - 1, 0)
    if not _begun[0]:
        for _, ends in _watching:
            ends()


@contextmanager
def compiling() -> Iterator[None]:
    """Tell that the compiler is at work in this block."""
    compilation_begins()
    try:
        yield
    finally:
        compilation_ends()
