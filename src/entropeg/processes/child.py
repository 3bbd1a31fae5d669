"""Talks to other programs in lines of text, each in a process of its own; every wait has an end.

`Child` starts a program, sends it lines and reads lines from it, always before a deadline. Whatever a program does
(keeps silent, ends, floods, stops reading) comes back as a `ChildError` that says which; closing it, or the end of this
process, ends it and whatever it has started.
"""

from __future__ import annotations

import contextlib
import shlex
import signal
import subprocess
import sys
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Literal, Self, TypeAlias

from entropeg.errors import EntropegError
from entropeg.files.paths import why
from entropeg.processes.ending import apart, end_tree
from entropeg.processes.pipes import Arrived, Pipes, pipes_of
from entropeg.processes.resources import LOOK, Usage, UsageMeter, limit_memory, limits_memory, resident
from entropeg.signals import before_leaving, held
from entropeg.told import Told

Reason: TypeAlias = Literal["start", "silent", "ended", "garbled", "memory"]

LINE_BYTES = 1 << 26
"""A line longer than this is not waited for: 64 MiB."""

KEPT_STDERR = 2000
"""Last bytes kept of the standard error of a program."""


class ChildError(EntropegError):
    """A program did not do its part; `reason` is `start`, `silent`, `ended`, `garbled` or `memory`."""

    def __init__(self, sentence: str, reason: Reason, code: int | None = None) -> None:
        super().__init__(sentence)
        self.reason, self.code = reason, code

    def __reduce__(self) -> tuple[object, ...]:
        return ChildError, (str(self), self.reason, self.code)


class Child:
    """A program that answers in lines.

    `memory` limits its address space, in bytes; where the system does not see to that (Linux does), what it has in
    memory, as long as somebody waits for an answer and psutil is installed. A program that `limits_itself` is only
    limited there. Raises ChildError where it cannot be started.

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
        memory: int | None = None,
        limits_itself: bool = False,
    ) -> None:
        """Start the program, in a session of its own: Ctrl-C on the terminal does not reach it."""
        with held():  # a program that is started is also ended
            self._process, self._pipes = _started(arguments, cwd, env)
            self.close = weakref.finalize(self, _end, self._process, self._pipes)
            _ALIVE.add(self)
        self._buffer, self._stderr = bytearray(), bytearray()
        self._meter = UsageMeter(self._process.pid)
        self._memory, self._looked = None, 0.0
        if memory is not None and not (limits_memory() if limits_itself else limit_memory(memory, self._process.pid)):
            self._memory = memory

    @property
    def alive(self) -> bool:
        """Whether the program is still there."""
        return self._process.poll() is None

    @property
    def usage(self) -> Usage | None:
        """The program's own processor time, and whether it works now; None where nobody tells."""
        return self._meter.read()

    @property
    def stderr(self) -> str:
        """The end of the program's standard error."""
        return self._stderr.decode(errors="replace").strip()

    def write(self, line: str, seconds: float) -> None:
        """Send a line; raises ChildError where the program has ended or does not read it in time."""
        data = memoryview(line.encode() + b"\n")
        end = monotonic() + seconds
        try:
            while data or self._pipes.is_sending:
                data = data[self._pipes.send(data) if data else 0 :]
                if data or self._pipes.is_sending:
                    # What the program says meanwhile is taken in: both sides waiting for the other to read would never
                    # end.
                    arrived = self._pipes.wait(end - monotonic(), to_send=True)
                    self._take(arrived)
                    if monotonic() >= end and not arrived.can_send:
                        raise ChildError(Told("it does not read what it is sent"), "silent")
        except OSError:
            raise self._ended() from None

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
                raise ChildError(Told("it writes a line without end"), "garbled")
            if monotonic() >= end:
                raise ChildError(Told("it gave no answer in {seconds:g} s", seconds), "silent")
            arrived = self._pipes.wait(self._patience(end, every))
            if arrived.out is None and arrived.err is None and watch is not None:
                watch()
            self._check_memory()
            if not self._take(arrived):
                raise self._ended()

    def _patience(self, end: float, every: float | None) -> float:
        # Seconds until somebody has to look.
        left = end - monotonic()
        return max(0.0, min(left, left if every is None else every, left if self._memory is None else LOOK))

    def _check_memory(self) -> None:
        if self._memory is None or monotonic() - self._looked < LOOK:
            return
        self._looked = monotonic()
        if resident(self._process.pid) > self._memory:
            self.close()
            raise ChildError(Told("it took more than {memory:,} MB of memory", self._memory >> 20), "memory")

    def _take(self, arrived: Arrived) -> bool:
        # False once standard output is at its end and holds no more lines.
        self._stderr = (self._stderr + (arrived.err or b""))[-KEPT_STDERR:]
        if arrived.out is None:
            return True
        self._buffer += arrived.out
        return bool(arrived.out) or b"\n" in self._buffer

    @staticmethod
    def _decoded(line: bytes | bytearray) -> str:
        try:
            return line.decode().rstrip("\r")
        except UnicodeDecodeError:
            said = Told("it wrote {line!r}, which is not UTF-8 text", bytes(line[:40]))
            raise ChildError(said, "garbled") from None

    def _ended(self) -> ChildError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self._take(self._pipes.wait(0.0))  # its last words
        return ChildError(describe_end(self._process.returncode, Told("it")), "ended", self._process.returncode)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_ALIVE: weakref.WeakSet[Child] = weakref.WeakSet()


def end_all() -> None:
    """End every program that is still there, and whatever these have started."""
    for child in list(_ALIVE):
        child.close()


before_leaving(end_all)


def _started(
    arguments: Sequence[str], cwd: str | Path | None, env: Mapping[str, str] | None
) -> tuple[subprocess.Popen[bytes], Pipes]:
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(  # noqa: S603 (starting a program that the user names is what this is for)
            arguments, stdin=pipe, stdout=pipe, stderr=pipe, cwd=cwd, env=env, bufsize=0, **apart()
        )
    except (OSError, ValueError) as error:
        said = why(error) if isinstance(error, OSError) else str(error)
        raise ChildError(Told("{program} cannot be started: {said}", arguments[0], said), "start") from None
    return process, pipes_of(process)


def arguments_of(command: str, *, windows: bool = sys.platform == "win32") -> list[str]:
    r"""Divide a command into its words, as the shell of this system does; on Windows a backslash stands for itself.

    Raises ValueError where a quotation has no end.

    >>> arguments_of("python 'my player.py'"), arguments_of(r'C:\players\best.exe "very well"', windows=True)
    (['python', 'my player.py'], ['C:\\players\\best.exe', 'very well'])
    """
    words = shlex.shlex(command, posix=True, punctuation_chars=False)
    words.whitespace_split, words.commenters = True, ""
    if windows:
        words.escape = ""
    return list(words)


def describe_end(code: int | None, process: str) -> str:
    """Say how a process ended, from its return code, and what it is called: `it`, or another word in the singular.

    >>> describe_end(3, "it"), describe_end(-11, "its process")
    ('it ended with exit code 3', 'its process was ended by the signal SIGSEGV')
    """
    if code is None:
        return Told("{process} closed its output", process)
    if code >= 0:
        return Told("{process} ended with exit code {code}", process, code)
    name = next((each.name for each in signal.Signals if each == -code), -code)
    return Told("{process} was ended by the signal {signal}", process, name)


def _end(process: subprocess.Popen[bytes], pipes: Pipes) -> None:
    # The whole group: programs that it started go with it, also where it has ended itself.
    end_tree(process)
    process.wait()
    pipes.close()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
