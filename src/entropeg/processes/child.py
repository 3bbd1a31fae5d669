"""Talks to other programs in lines of text, each in a process of its own; every wait has an end.

`Child` starts a program, sends it lines and reads lines from it, always before a deadline. Whatever a program does
(keeps silent, ends, floods, stops reading) comes back as a `ChildError` that says which; closing it, or the end of this
process, ends it and whatever it has started.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Literal, NamedTuple, Protocol, Self, TypeAlias

from entropeg.errors import EntropegError
from entropeg.files.paths import why
from entropeg.processes import posix
from entropeg.processes.ending import apart, end_tree
from entropeg.processes.resources import LOOK, Usage, UsageMeter, limit_memory, limits_memory, resident
from entropeg.signals import before_leaving, held
from entropeg.told import Told

Reason: TypeAlias = Literal["start", "silent", "ended", "garbled", "memory"]

LINE_BYTES = 1 << 26
"""A line longer than this is not waited for: 64 MiB."""

KEPT_STDERR = 2000
"""Last bytes kept of the standard error of a program."""


MOST_AHEAD = 1 << 22
"""Bytes that threads read ahead, and a little more: a program that floods has to wait."""


class Arrived(NamedTuple):
    """What came of a wait: bytes of standard output and error, None where nothing came, b"" at the end of a stream."""

    out: bytes | None = None
    err: bytes | None = None
    can_send: bool = False


class Pipes(Protocol):
    """The three pipes of a program that was started.

    Where the system can wait for several pipes (`poll`) it does. Elsewhere each pipe has a thread, which hands on what
    it reads, or writes what it is given.
    """

    def send(self, data: memoryview) -> int:
        """Begin to write; return how many bytes were taken. Raises OSError where nobody reads any more."""

    @property
    def is_sending(self) -> bool:
        """Whether something that was taken is not written yet; raises OSError where it cannot be."""

    def wait(self, seconds: float, *, to_send: bool = False) -> Arrived:
        """Wait until something arrives or, with `to_send`, more can be written; a number of seconds at most."""

    def close(self) -> None:
        """Let go of what belongs to the pipes beside those of the program, which has ended."""


def pipes_of(process: subprocess.Popen[bytes]) -> Pipes:
    """Return the pipes of a program, in the way that this system knows."""
    return ThreadPipes(process) if posix.poll is None else PolledPipes(process)


def _descriptors(process: subprocess.Popen[bytes]) -> tuple[int, int, int]:
    assert process.stdin
    assert process.stdout
    assert process.stderr
    return process.stdin.fileno(), process.stdout.fileno(), process.stderr.fileno()


# ------------------------------------------------------------ with poll


class PolledPipes:
    """Pipes that the system waits for."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert posix.poll is not None
        assert posix.set_blocking is not None
        self._in, self._out, self._err = _descriptors(process)
        for descriptor in (self._in, self._out, self._err):
            posix.set_blocking(descriptor, False)
        self._open = [self._out, self._err]
        self._reading = posix.poll()
        for descriptor in self._open:
            self._reading.register(descriptor, posix.TO_READ)

    is_sending = False

    def send(self, data: memoryview) -> int:
        """As in `Pipes`."""
        try:
            return os.write(self._in, data)
        except BlockingIOError:
            return 0

    def wait(self, seconds: float, *, to_send: bool = False) -> Arrived:
        """As in `Pipes`."""
        waiting = self._reading
        if to_send:
            assert posix.poll is not None
            waiting = posix.poll()
            for descriptor in self._open:
                waiting.register(descriptor, posix.TO_READ)
            waiting.register(self._in, posix.TO_WRITE)
        ready = {descriptor for descriptor, _ in waiting.poll(max(0, int(seconds * 1000) + 1))}
        return Arrived(self._read(self._out, ready), self._read(self._err, ready), self._in in ready)

    def _read(self, descriptor: int, ready: set[int]) -> bytes | None:
        if descriptor not in ready:
            return None
        data = _read(descriptor)
        if not data and descriptor == self._err and self._err in self._open:
            self._open.remove(descriptor)
            self._reading.unregister(descriptor)
        return data

    def close(self) -> None:
        """As in `Pipes`; there is nothing."""


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:
        return b""


# ------------------------------------------------------------ with threads


class ThreadPipes:
    """Pipes with a thread each, and descriptors of their own, which the threads alone close."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        given, *read = map(os.dup, _descriptors(process))
        self._desk = _Desk()
        for name, work, descriptor in (("in", _write, given), ("out", _hand_on, read[0]), ("err", _hand_on, read[1])):
            arguments = (descriptor, name, self._desk)
            threading.Thread(target=work, args=arguments, name=f"pipe {name}", daemon=True).start()

    @property
    def is_sending(self) -> bool:
        """As in `Pipes`."""
        with self._desk.changed:
            if self._desk.failure is not None:
                raise self._desk.failure
            return bool(self._desk.to_write)

    def send(self, data: memoryview) -> int:
        """As in `Pipes`."""
        if self.is_sending:
            return 0
        with self._desk.changed:
            self._desk.to_write = bytes(data)
            self._desk.changed.notify_all()
        return len(data)

    def wait(self, seconds: float, *, to_send: bool = False) -> Arrived:
        """As in `Pipes`."""
        desk = self._desk

        def is_something_there() -> bool:
            can_send = to_send and not desk.to_write
            return can_send or bool(desk.out or desk.err) or "out" in desk.ends

        with desk.changed:
            desk.changed.wait_for(is_something_there, max(0.0, seconds))
            if "out" in desk.ends:
                # Standard output has ended: the end of standard error is waited for a moment.
                desk.changed.wait_for(lambda: "err" in desk.ends, 0.1)
            out, err = bytes(desk.out), bytes(desk.err)
            desk.out.clear()
            desk.err.clear()
            desk.changed.notify_all()
            return Arrived(out if out or "out" in desk.ends else None, err or None, not desk.to_write)

    def close(self) -> None:
        """As in `Pipes`."""
        with self._desk.changed:
            self._desk.is_closed = True
            self._desk.changed.notify_all()


class _Desk:
    """The lines that the threads of a program hand on, and are given."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.out, self.err = bytearray(), bytearray()
        self.ends = set[str]()
        self.to_write = b""
        self.failure: OSError | None = None
        self.is_closed = False


def _hand_on(descriptor: int, name: str, desk: _Desk) -> None:
    stream: bytearray = getattr(desk, name)

    def is_wanted() -> bool:
        return desk.is_closed or len(stream) < MOST_AHEAD

    data = b"?"
    while data and not desk.is_closed:
        data = _read(descriptor)
        with desk.changed:
            desk.changed.wait_for(is_wanted)
            stream += data
            if not data:
                desk.ends.add(name)
            desk.changed.notify_all()
    os.close(descriptor)


def _write(descriptor: int, _name: str, desk: _Desk) -> None:
    while True:
        with desk.changed:
            desk.changed.wait_for(lambda: desk.is_closed or bool(desk.to_write))
            data = memoryview(desk.to_write)
        failure = None
        while data and not desk.is_closed:
            try:
                data = data[os.write(descriptor, data) :]
            except OSError as error:
                failure = error
                break
        with desk.changed:
            desk.to_write, desk.failure = b"", failure
            desk.changed.notify_all()
            if desk.is_closed or failure is not None:
                break
    os.close(descriptor)


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
