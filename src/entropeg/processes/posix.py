"""The door to what POSIX systems alone have: each name here is None where the system does not have it.

Nothing else in the package imports these modules or takes these functions, but for the program in which a course module
runs, which knows nothing of the package, and `signals`, which asks for each. What stands beside a name that is None is
said where it is used: threads on pipes, psutil, or doing without.
"""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Callable
from typing import Any


def _module(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        return None


_locks, _limits = _module("fcntl"), _module("resource")

set_blocking: Callable[[int, bool], None] | None = getattr(os, "set_blocking", None)

poll: Callable[[], Any] | None = getattr(select, "poll", None) if set_blocking else None
"""Waits for any of several pipes."""
TO_READ: int = getattr(select, "POLLIN", 0)
TO_WRITE: int = getattr(select, "POLLOUT", 0)

kill_group: Callable[[int, int], None] | None = getattr(os, "killpg", None)
"""Ends a process and all that it has started."""
KILL: int = getattr(signal, "SIGKILL", signal.SIGTERM)

new_session: Callable[[], Any] | None = getattr(os, "setsid", None)
session_of: Callable[[int], int] | None = getattr(os, "getsid", None)

nice: Callable[[int], int] | None = getattr(os, "nice", None)

affinity: Callable[[int], set[int]] | None = getattr(os, "sched_getaffinity", None)
"""The processors that a process may use."""

limit: Callable[[int, int, tuple[int, int]], Any] | None = getattr(_limits, "prlimit", None)
"""Limits another process, and this one; Linux alone keeps the limit of memory."""
ADDRESS_SPACE: int = getattr(_limits, "RLIMIT_AS", 0)

lock: Callable[[int, int], None] | None = getattr(_locks, "flock", None)
"""Locks a file until it is closed, or its process ends."""
LOCK_AT_ONCE: int = getattr(_locks, "LOCK_EX", 0) | getattr(_locks, "LOCK_NB", 0)

configured: Callable[[str], int] | None = getattr(os, "sysconf", None)
