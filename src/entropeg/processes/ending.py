"""Starts programs apart from this one, where Ctrl-C does not reach them, and ends them with all they have started."""

from __future__ import annotations

import _thread
import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Any, Protocol

from entropeg.processes import posix
from entropeg.processes.resources import psutil


def apart() -> dict[str, Any]:
    """Return the options with which a program is started apart: a session, or a group, of its own."""
    if posix.kill_group is not None:
        return {"start_new_session": True}
    return {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}


def lead_session() -> None:
    """Take this process out of the session that it was started in, where there are sessions: it leads its own."""
    if posix.new_session is not None:
        with suppress(OSError):
            posix.new_session()


def end_itself() -> None:
    """Have this process end in order, from any of its threads: as SIGTERM would end it."""
    if posix.kill_group is not None:
        os.kill(os.getpid(), signal.SIGTERM)  # which wakes its main thread
    else:
        _thread.interrupt_main(signal.SIGTERM)


class Started(Protocol):
    """A program, or a process, that was started here."""

    @property
    def pid(self) -> Any:
        """Its number."""

    def kill(self) -> None:
        """End it alone."""


def end_tree(process: Started) -> None:
    """End a program that was started `apart`, or leads its session, and whatever it has started.

    A session goes as a whole, also where the program itself has ended. Without sessions psutil, where it is installed,
    tells what a program that is still there has started, or a program of Windows ends both; else it goes alone.
    """
    library = psutil() if posix.kill_group is None else None
    if posix.kill_group is not None:
        with suppress(OSError):
            posix.kill_group(process.pid, posix.KILL)
    elif library is not None:
        with suppress(library.Error):
            for each in library.Process(process.pid).children(recursive=True):
                with suppress(library.Error):
                    each.kill()
    elif sys.platform == "win32":
        quiet = subprocess.DEVNULL
        with suppress(OSError, subprocess.SubprocessError):
            subprocess.run(  # noqa: S603 (a program of the system, and a number)
                ["taskkill", "/F", "/T", "/PID", str(process.pid)],  # noqa: S607
                check=False,
                stdin=quiet,
                stdout=quiet,
                stderr=quiet,
                timeout=10.0,
            )
    with suppress(OSError):
        process.kill()
