"""Saying that a command waits for the compiler: it does so once, where no compiled code is kept yet.

This module loads numba: commands import it when they are about to compute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.event import Listener, install_listener


class _Waiting(Listener):  # type: ignore[misc, unused-ignore]
    """Calls a function when numba first compiles something; code that it loads from its cache is none of it."""

    def __init__(self, say: Callable[[], None]) -> None:
        self.say: Callable[[], None] | None = say

    def on_start(self, event: Any) -> None:
        say, self.say = self.say, None
        if say is not None:
            say()

    def on_end(self, event: Any) -> None:
        """Do nothing: functions compile inside each other, and the last step of all is none of these."""


@contextmanager
def told_of_compilation(say: Callable[[], None]) -> Iterator[None]:
    """Call ``say`` once if anything is compiled in this block, when it begins."""
    with install_listener("numba:compile", _Waiting(say)):
        yield
