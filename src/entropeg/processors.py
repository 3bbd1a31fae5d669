"""Counts the processors to use: every default number of threads or processes comes from here."""

from __future__ import annotations

import os
from threading import Thread

from entropeg.processes import posix

MOST_PROCESSORS = 1024
"""Threads, or processes, that one call may ask for."""


def usable_processors() -> int:
    """Return how many processors this process may use, which may be fewer than the machine has."""
    return len(posix.affinity(0)) if posix.affinity is not None else os.cpu_count() or 1


def starts(thread: Thread) -> bool:
    """Start a thread; tell whether this Python can: that of a browser cannot.

    >>> starts(Thread(target=int))
    True
    """
    try:
        thread.start()
    except RuntimeError:
        return False
    return True
