"""Steps of a search that Ctrl-C does not cut off."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def through(step: Callable[[], Result], cancel: Callable[[], None]) -> Result:
    """Do a step that must not be cut off, since what was found would be lost; at Ctrl-C cancel, and begin it again.

    >>> presses, told = [KeyboardInterrupt], []
    >>> def step():
    ...     if presses:
    ...         raise presses.pop()
    ...     return "written"
    >>> through(step, lambda: told.append("cancelled")), told
    ('written', ['cancelled'])
    """
    while True:
        try:
            return step()
        except KeyboardInterrupt:
            cancel()
