"""Starts programs apart from this one, where Ctrl-C does not reach them, and ends them with what they have started."""

from __future__ import annotations

import _thread
import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from entropeg.processes import posix
from entropeg.processes.resources import psutil

if TYPE_CHECKING:
    import asyncio

PATIENCE = 10.0
"""Seconds that a program of the system may take to end others."""


def apart() -> dict[str, Any]:
    """Return the options with which a program is started apart: a session, or a group, of its own."""
    if posix.kill_group is not None:
        return {"start_new_session": True}
    return {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}


def ask_to_end(process: asyncio.subprocess.Process) -> None:
    """Ask a program of ours to end in order: by SIGTERM, or by the end of its standard input, for which it listens."""
    if posix.kill_group is not None:
        with suppress(ProcessLookupError):
            process.terminate()
    elif process.stdin is not None:
        process.stdin.close()


def end_itself() -> None:
    """Have this process end in order, from any of its threads: as SIGTERM would end it."""
    if posix.kill_group is not None:
        os.kill(os.getpid(), signal.SIGTERM)  # which wakes its main thread
    else:
        _thread.interrupt_main(signal.SIGTERM)


def end_tree(process: subprocess.Popen[Any]) -> None:
    """End a program that was started `apart`, and whatever it has started.

    A session goes as a whole, also where the program itself has ended. Without sessions psutil, where it is installed,
    tells what a program that is still there has started, or a program of Windows ends both; else it goes alone.
    """
    if posix.kill_group is not None:
        with suppress(OSError):
            posix.kill_group(process.pid, posix.KILL)
        return
    library = psutil()
    if library is not None:
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
                timeout=PATIENCE,
            )
    with suppress(OSError):
        process.kill()
