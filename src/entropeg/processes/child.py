"""Talks to other programs in lines of text, each in a process of its own; every wait has an end.

`Child` starts a program, sends it lines and reads lines from it, always before a deadline. Whatever a program does
(keeps silent, ends, floods, stops reading) comes back as a `ChildError` that says which; closing it, or the end of this
process, ends it and whatever it has started.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Literal, Self, TypeAlias

from entropeg.errors import EntropegError
from entropeg.signals import before_leaving, held

Reason: TypeAlias = Literal["start", "silent", "ended", "garbled"]

LINE_BYTES = 1 << 26
"""A line longer than this is not waited for: 64 MiB."""

KEPT_STDERR = 2000
"""So many of the last bytes that a program wrote on standard error are kept."""


class ChildError(EntropegError):
    """A program did not do its part; `reason` is `start`, `silent`, `ended` or `garbled`."""

    def __init__(self, reason: Reason, sentence: str) -> None:
        """Keep the reason and the sentence."""
        super().__init__(sentence)
        self.reason = reason

    def __reduce__(self) -> tuple[type[ChildError], tuple[Reason, str]]:
        """Travel between processes."""
        return ChildError, (self.reason, str(self))


@dataclass(frozen=True)
class Usage:
    """Processor time of a program, in seconds, and whether it sleeps or waits for something just now."""

    seconds: float
    is_waiting: bool


class Child:
    """A program that answers in lines.

    `memory` limits its address space, in bytes (Linux). Raises ChildError where it cannot be started.

    >>> with Child(["cat"]) as cat:
    ...     cat.write("hello", seconds=5)
    ...     cat.read(seconds=5)
    'hello'
    """

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        cwd: str | Path | None = None,
        env: Mapping[str, str] | None = None,
        pass_fds: Sequence[int] = (),
        memory: int | None = None,
    ) -> None:
        """Start the program, in a session of its own: Ctrl-C on the terminal does not reach it."""
        with held():  # a program that is started is also ended
            self._process = _started(arguments, cwd, env, pass_fds)
            self.close = weakref.finalize(self, _end, self._process)
            _ALIVE.add(self)
        self._buffer, self._stderr = bytearray(), bytearray()
        self._in, self._out, self._err = (
            pipe_.fileno() for pipe_ in (self._process.stdin, self._process.stdout, self._process.stderr) if pipe_
        )
        for descriptor in (self._in, self._out, self._err):
            os.set_blocking(descriptor, False)
        self._reading = select.poll()
        for descriptor in (self._out, self._err):
            self._reading.register(descriptor, select.POLLIN)
        if memory is not None:
            limit_memory(memory, pid=self._process.pid)

    @property
    def alive(self) -> bool:
        """Whether the program is still there."""
        return self._process.poll() is None

    @property
    def usage(self) -> Usage | None:
        """What the program itself has used of the processor, and whether it wants it now; None where nobody tells."""
        try:
            told = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="utf-8", errors="replace")
            fields = told.rpartition(")")[2].split()
            return Usage((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), fields[0] != "R")
        except (OSError, ValueError, IndexError):
            return None

    @property
    def stderr(self) -> str:
        """The end of what the program has written on standard error."""
        return self._stderr.decode(errors="replace").strip()

    def write(self, line: str, seconds: float) -> None:
        """Send a line; raises ChildError where the program has ended or does not read it in time."""
        data = memoryview(line.encode() + b"\n")
        end = monotonic() + seconds
        while data:
            try:
                data = data[os.write(self._in, data) :]
            except BlockingIOError:
                self._wait_to_write(end)
            except OSError:
                raise self._ended() from None

    def _wait_to_write(self, end: float) -> None:
        # What the program says meanwhile is taken in: both sides waiting for the other to read would never end.
        both = select.poll()
        for descriptor, event in ((self._in, select.POLLOUT), (self._out, select.POLLIN), (self._err, select.POLLIN)):
            both.register(descriptor, event)
        ready = dict(both.poll(_milliseconds(end)))
        self._take(set(ready))
        if monotonic() >= end and self._in not in ready:
            raise ChildError("silent", "it does not read what it is sent")

    def read(self, seconds: float, *, every: float | None = None, watch: Callable[[], None] | None = None) -> str:
        """Return the next line, without its end; raises ChildError where none comes in time.

        `watch` is called every `every` seconds of waiting; what it raises ends the wait.
        """
        end = monotonic() + seconds
        while True:
            line, found, rest = self._buffer.partition(b"\n")
            if found:
                self._buffer = rest
                return self._decoded(line)
            if len(self._buffer) > LINE_BYTES:
                raise ChildError("garbled", "it writes a line without end")
            if monotonic() >= end:
                raise ChildError("silent", f"it gave no answer in {seconds:g} s")
            ready = self._reading.poll(_milliseconds(end if every is None else min(end, monotonic() + every)))
            if not ready and watch is not None:
                watch()
            if not self._take({descriptor for descriptor, _ in ready}):
                raise self._ended()

    def _take(self, ready: set[int]) -> bool:
        # False once standard output is at its end and holds no more lines.
        if self._err in ready:
            data = _read(self._err)
            self._stderr = (self._stderr + data)[-KEPT_STDERR:]
            if not data:
                with contextlib.suppress(KeyError):
                    self._reading.unregister(self._err)
        if self._out not in ready:
            return True
        data = _read(self._out)
        self._buffer += data
        return bool(data) or b"\n" in self._buffer

    @staticmethod
    def _decoded(line: bytes | bytearray) -> str:
        try:
            return line.decode().rstrip("\r")
        except UnicodeDecodeError:
            raise ChildError("garbled", f"it wrote {bytes(line[:40])!r}, which is not UTF-8 text") from None

    def _ended(self) -> ChildError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self._take({self._err})
        return ChildError("ended", f"it {describe_end(self._process.returncode)}")

    def __enter__(self) -> Self:
        """Return the child."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the program."""
        self.close()


_ALIVE: weakref.WeakSet[Child] = weakref.WeakSet()


def end_all() -> None:
    """End every program that is still there, and whatever these have started."""
    for child in list(_ALIVE):
        child.close()


before_leaving(end_all)


def _started(
    arguments: Sequence[str], cwd: str | Path | None, env: Mapping[str, str] | None, pass_fds: Sequence[int]
) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(  # noqa: S603 (starting a program that the user names is what this is for)
            arguments,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            cwd=cwd,
            env=env,
            bufsize=0,
            pass_fds=pass_fds,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else str(error)
        raise ChildError("start", f"{arguments[0]} cannot be started: {said}") from None


def describe_end(code: int | None) -> str:
    """Say how a process ended, from its return code.

    >>> describe_end(3), describe_end(-11)
    ('ended with exit code 3', 'was ended by the signal SIGSEGV')
    """
    if code is None:
        return "closed its output"
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was ended by the signal {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by the signal {-code}"


def limit_memory(most: int, *, pid: int = 0) -> None:
    """Let a process, 0 for this one, have so many bytes of address space at most; on Linux alone.

    Where the system has set a lower limit already, that one stays.
    """
    try:
        import resource
    except ImportError:  # there is none such on Windows
        return
    if hasattr(resource, "prlimit"):
        with contextlib.suppress(OSError, ValueError):
            resource.prlimit(pid, resource.RLIMIT_AS, (most, most))


def address_space() -> int:
    """Return the bytes of address space of this process; 0 where the system does not tell them.

    >>> address_space() >= 0
    True
    """
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGESIZE")


def step_back(by: int) -> None:
    """Let others go before this process, and before its session where it leads one, as far as that can be asked for.

    Linux shares processors among sessions first, and within one by this.
    """
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(by)
            if os.getsid(0) == os.getpid():
                Path("/proc/self/autogroup").write_text(str(by), encoding="ascii")


def _milliseconds(end: float) -> int:
    return max(0, int((end - monotonic()) * 1000) + 1)


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:
        return b""


def _end(process: subprocess.Popen[Any]) -> None:
    # The whole group: what the program started goes with it, also where it has ended itself.
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
