"""Counts the processors to use: every default number of threads or processes comes from here."""

from __future__ import annotations

import os

MOST_PROCESSORS = 1024
"""Threads, or processes, that one call may ask for."""


def usable_processors() -> int:
    """Return how many processors this process may use, which may be fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
