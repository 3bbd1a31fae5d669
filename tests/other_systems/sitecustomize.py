"""A system without POSIX, for tests: what only POSIX has is taken from the package, and left to everything else.

Python imports this file at its start where its folder is on the path, and so does every process that it starts:

    PYTHONPATH=tests/other_systems:src python -m entropeg play --rules 4x6

Modules of the package, and the program of course modules, see an `os`, a `signal` and a `select` without the names of
`GONE`, a `sys` whose platform is Windows, a `multiprocessing` that knows `spawn` alone, and none of the modules of
`BLOCKED`. The standard library and other packages see the system that there is. `OTHER_SYSTEM_WITHOUT` in the
environment names further modules, as `psutil`, that nobody finds.
"""

from __future__ import annotations

import builtins
import fcntl
import importlib
import multiprocessing
import os
import select
import signal
import sys
import types
from collections.abc import Iterable
from typing import Any

BLOCKED = {
    "fcntl",
    "resource",
    "termios",
    "tty",
    "pty",
    "pwd",
    "grp",
    "posix",
    "readline",
    "syslog",
    "_posixsubprocess",
}

_OS = """
    chown fchmod fchown fork forkpty fdatasync getegid geteuid getgid getgroups getloadavg getpgid getpgrp getpriority
    getsid getuid initgroups killpg lchown lockf major minor mkfifo mknod nice openpty pipe2 posix_fadvise
    posix_spawn pread preadv pwrite pwritev readv sched_get_priority_max sched_getaffinity sched_setaffinity
    sched_yield sendfile set_blocking setegid seteuid setgid setgroups setpgid setpriority setsid setuid statvfs sync
    sysconf tcgetpgrp tcsetpgrp ttyname uname wait wait3 wait4 waitid WEXITSTATUS WIFEXITED WIFSIGNALED WNOHANG
    WTERMSIG writev O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK O_SYNC
"""
_SIGNAL = """
    alarm getitimer pause pthread_kill pthread_sigmask setitimer siginterrupt sigpending sigtimedwait sigwait
    sigwaitinfo ITIMER_PROF ITIMER_REAL ITIMER_VIRTUAL SIGALRM SIGBUS SIGCHLD SIGCONT SIGHUP SIGIO SIGKILL SIGPIPE
    SIGPROF SIGQUIT SIGSTOP SIGTSTP SIGTTIN SIGTTOU SIGUSR1 SIGUSR2 SIGWINCH SIG_BLOCK SIG_SETMASK SIG_UNBLOCK
"""
GONE = {"os": set(_OS.split()), "signal": set(_SIGNAL.split()), "select": {"poll", "epoll", "POLLIN", "POLLOUT"}}
"""What Windows does not have."""


def reduced(whole: types.ModuleType, gone: Iterable[str], **instead: Any) -> types.ModuleType:
    """Return a module without some of its names, and with others in their place; all else is that of the module."""

    class Here(types.ModuleType):
        def __getattr__(self, name: str) -> Any:
            if name in gone:
                raise AttributeError(f"module {whole.__name__!r} has no attribute {name!r} here")
            return instead[name] if name in instead else getattr(whole, name)

        def __setattr__(self, name: str, value: Any) -> None:
            setattr(whole, name, value)

    return Here(whole.__name__)


def locking(descriptor: int, mode: int, count: int) -> None:
    """Lock a file as `msvcrt.locking` does, which is all that the package asks of that module."""
    assert (mode, count) == (2, 1)
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_ours(importer: str) -> bool:
    """Tell whether a module is of the package; the programs that run as `__main__` are the package's own, too."""
    return importer.partition(".")[0] in {"entropeg", "__main__"} and not sys.argv[0].endswith("pytest/__main__.py")


def leave_posix() -> None:
    """Take from the package, in this process, what only POSIX has."""
    for name in os.environ.get("OTHER_SYSTEM_WITHOUT", "").split():
        sys.modules[name] = None  # type: ignore[assignment]
    windows = types.ModuleType("msvcrt")
    windows.locking, windows.LK_NBLCK = locking, 2  # type: ignore[attr-defined]
    here = {
        "os": reduced(os, GONE["os"]),
        "signal": reduced(signal, GONE["signal"]),
        "select": reduced(select, GONE["select"]),
        "sys": reduced(sys, (), platform="win32"),
        "multiprocessing": reduced(multiprocessing, (), get_all_start_methods=lambda: ["spawn"]),
        "msvcrt": windows,
    }
    usual, usual_module = builtins.__import__, importlib.import_module

    def imported(
        name: str,
        globals: Any = None,  # noqa: A002 - as Python calls it
        locals: Any = None,  # noqa: A002
        fromlist: Any = (),
        level: int = 0,
    ) -> Any:
        if is_ours(str((globals or {}).get("__name__"))):
            if name in BLOCKED:
                raise ImportError(f"there is no module {name} here")
            if name in here and (name != "multiprocessing" or not fromlist):
                return here[name]
        return usual(name, globals, locals, fromlist, level)

    def import_module(name: str, package: str | None = None) -> Any:
        if name in BLOCKED and is_ours(sys._getframe(1).f_globals["__name__"]):
            raise ImportError(f"there is no module {name} here")
        return windows if name == "msvcrt" else usual_module(name, package)

    builtins.__import__, importlib.import_module = imported, import_module


if __name__ == "sitecustomize":  # and not where a test reads what stands here
    leave_posix()
