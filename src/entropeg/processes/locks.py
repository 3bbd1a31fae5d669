"""Locks on files, which the system ends with the process that holds them."""

from __future__ import annotations

import errno
import os
from importlib import import_module
from pathlib import Path

from entropeg.processes import posix


class FileLock:
    """A lock on a file, which is made where there is none; one process has it at a time, and none waits for it.

    Where files cannot be locked (a file system without locks, a browser's Python), everybody has it. Raises OSError
    where the file cannot be made or opened.
    """

    def __init__(self, path: str | Path, *, makes: bool = True) -> None:
        """Open the file, or with `makes=False` one that must be there; nothing is locked yet."""
        self.path = Path(path)
        flags = sum(getattr(os, name, 0) for name in ("O_CLOEXEC", "O_NOFOLLOW", "O_NOINHERIT"))
        self._descriptor = os.open(self.path, os.O_RDWR | flags | (os.O_CREAT if makes else 0), 0o644)

    def take(self) -> bool:
        """Lock it, and tell whether that was done: False where another process has it."""
        try:
            _lock(self._descriptor)
        except OSError as error:
            # Systems give one of these errors where another process holds the lock.
            return error.errno not in {errno.EACCES, errno.EAGAIN, errno.EDEADLK}
        return True

    def close(self, *, removes: bool = False) -> None:
        """Let it go, and with `removes` remove the file; once is enough."""
        if self._descriptor < 0:
            return
        if removes:
            self._remove()  # while nobody else can have it
        os.close(self._descriptor)
        self._descriptor = -1
        if removes:
            self._remove()  # Windows removes no file that is open

    def _remove(self) -> None:
        try:
            self.path.unlink(missing_ok=True)
        except OSError:
            return


def _lock(descriptor: int) -> None:
    if posix.lock is not None:
        posix.lock(descriptor, posix.LOCK_AT_ONCE)
        return
    try:
        windows = import_module("msvcrt")
    except ImportError:
        return
    os.lseek(descriptor, 0, os.SEEK_SET)
    windows.locking(descriptor, windows.LK_NBLCK, 1)
