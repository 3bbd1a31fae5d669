"""The limits of a process, and its use: processor time, memory, precedence.

Linux tells and limits all of it. Elsewhere psutil tells the processor time and the memory of a process, where it is
installed (the extra `limits`): a limit of memory is then kept by looking, some times a second. Without it the clock
stands for processor time, and nobody limits memory.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from entropeg.processes import posix

LOOK = 0.1
"""Seconds between two looks at the memory of a process, where nobody else limits it."""

USED_UP = 99
"""The exit code of a process that ended itself for having used more memory than it may."""

USUAL_MEMORY = 8 << 30
"""Bytes of memory that a machine is taken to have, where it does not tell."""


@dataclass(frozen=True)
class Usage:
    """Processor time of a program, in seconds, and whether it sleeps or waits for something just now."""

    seconds: float
    is_waiting: bool


def psutil() -> Any:
    """Return the module psutil; None where it is not installed."""
    try:
        return import_module("psutil")
    except ImportError:
        return None


# ------------------------------------------------------------ processor time


class UsageMeter:
    """Tells the use of a process; None where nobody tells."""

    def __init__(self, pid: int) -> None:
        self._pid, self._before = pid, (monotonic(), 0.0)

    def read(self) -> Usage | None:
        """Look now."""
        if posix.configured is None:
            return self._told_by_psutil()
        try:
            told = Path(f"/proc/{self._pid}/stat").read_text(encoding="utf-8", errors="replace")
            fields = told.rpartition(")")[2].split()
            return Usage((int(fields[11]) + int(fields[12])) / posix.configured("SC_CLK_TCK"), fields[0] != "R")
        except (OSError, ValueError, IndexError):
            return self._told_by_psutil()

    def _told_by_psutil(self) -> Usage | None:
        # Other systems do not say whether a process waits: it does where little time of a processor has passed.
        library = psutil()
        if library is None:
            return None
        try:
            times = library.Process(self._pid).cpu_times()
        except library.Error:
            return None
        seconds, now = times.user + times.system, monotonic()
        then, used = self._before
        self._before = now, seconds
        # A process that used less than a fiftieth of the time that passed is taken to have slept or waited.
        return Usage(seconds, seconds - used < 0.02 * (now - then))


# ------------------------------------------------------------ memory


def machine_memory() -> int:
    """Bytes of memory of this machine; `USUAL_MEMORY` where it does not tell."""
    if posix.configured is not None:
        with suppress(OSError, ValueError):
            return posix.configured("SC_PAGE_SIZE") * posix.configured("SC_PHYS_PAGES")
    library = psutil()
    return USUAL_MEMORY if library is None else int(library.virtual_memory().total)


def address_space() -> int:
    """Return the bytes of address space of this process; 0 where the system does not tell them.

    >>> address_space() >= 0
    True
    """
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        return pages * (posix.configured("SC_PAGESIZE") if posix.configured is not None else 4096)
    except (OSError, ValueError):
        return 0


def resident(pid: int) -> int:
    """Return the bytes that a process and all that it has started have in memory; 0 where nobody tells."""
    library = psutil()
    if library is None:
        return 0
    try:
        process = library.Process(pid)
        return sum(each.memory_info().rss for each in [process, *process.children(recursive=True)])
    except library.Error:
        return 0


def limits_memory() -> bool:
    """Tell whether the system sees to limits of memory."""
    return posix.limit is not None


def limit_memory(most: int, pid: int = 0) -> bool:
    """Let a process, 0 for this one, have some bytes of address space at most; tell whether the system sees to it.

    Where the system has set a lower limit already, that one stays. Linux alone does it; elsewhere this process is
    watched, where psutil is installed, and ended with the code `USED_UP`. Other processes are not: see `resident`.
    """
    if posix.limit is not None:
        with suppress(OSError, ValueError):
            posix.limit(pid, posix.ADDRESS_SPACE, (most, most))
        return True
    if not pid and psutil() is not None:
        threading.Thread(target=_watch_itself, args=(most,), name="memory", daemon=True).start()
    return False


def _watch_itself(most: int) -> None:
    while resident(os.getpid()) <= most:
        sleep(LOOK)
    os._exit(USED_UP)


# ------------------------------------------------------------ precedence


def step_back(by: int) -> None:
    """Let others go before this process, and before its session where it leads one, as far as that can be asked for.

    Linux shares processors among sessions first, and within one by this.
    """
    if posix.nice is not None:
        with suppress(OSError):
            posix.nice(by)
            if posix.session_of is not None and posix.session_of(0) == os.getpid():
                Path("/proc/self/autogroup").write_text(str(by), encoding="ascii")
