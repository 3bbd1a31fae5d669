"""Copies of projects in the temporary folder: made, filled, and removed, also those of a program that was killed.

A copy is a folder `entropeg-XXXXXXXX` with a file `lock`, which its program holds locked for as long as it lives, and a
folder `project`. Whoever finds a copy whose lock is free knows that its program is gone, and removes it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import time

PREFIX, LOCK = "entropeg-", "lock"

YOUNG = 60.0
"""Seconds for which a copy without its program is left alone: it may be in the making."""

FILE_BYTES, ALL_BYTES = 4 << 20, 64 << 20
"""Files beside a module that are larger are not carried along, nor more than so much of them."""


class Copy:
    """A folder for the copy of a project, as long as it is wanted."""

    def __init__(self) -> None:
        """Make it, once those that others left are gone."""
        _remove_once(tempfile.gettempdir())
        self.folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._lock = os.open(self.folder / LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC)
        fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self.home = self.folder / "project"
        self.home.mkdir()

    def remove(self) -> None:
        """Remove it; once is enough."""
        shutil.rmtree(self.folder, ignore_errors=True)
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


@cache
def _remove_once(folder: str) -> int:
    return remove_forsaken(folder)


def remove_forsaken(folder: str | Path) -> int:
    """Remove the copies in a folder whose programs are gone; return how many.

    Where a program is killed, the processes of its modules remove their copies; one that is deep in a calculation does
    not come to it.
    """
    removed = 0
    for each in Path(folder).glob(f"{PREFIX}*/{LOCK}"):
        with suppress(OSError):
            if time() - each.parent.stat().st_mtime > YOUNG and _is_free(each):
                shutil.rmtree(each.parent, ignore_errors=True)
                removed += 1
    return removed


def _is_free(lock: Path) -> bool:
    descriptor = os.open(lock, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True


def carry(source: Path, target: Path) -> None:
    """Copy what lies beside a module, packages included, so that running it can change nothing of it."""
    left = ALL_BYTES
    for each in sorted(source.iterdir()):
        if each.is_dir() and (each / "__init__.py").exists():
            shutil.copytree(each, target / each.name, ignore=shutil.ignore_patterns("__pycache__"))
        elif each.is_file() and not each.name.startswith(".") and each.stat().st_size <= min(FILE_BYTES, left):
            left -= each.stat().st_size
            shutil.copyfile(each, target / each.name)
