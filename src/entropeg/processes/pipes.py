"""Pipes to and from another program, waited for all at once and never for longer than asked.

Where the system can wait for several pipes (`poll`) it does. Elsewhere each pipe has a thread, which hands on what it
reads, or writes what it is given.
"""

from __future__ import annotations

import os
import subprocess
import threading
from typing import NamedTuple, Protocol

from entropeg.processes import posix

MOST_AHEAD = 1 << 22
"""Bytes that threads read ahead, and a little more: a program that floods has to wait."""


class Arrived(NamedTuple):
    """What came of a wait: bytes of standard output and error, None where nothing came, b"" at the end of a stream."""

    out: bytes | None = None
    err: bytes | None = None
    can_send: bool = False


class Pipes(Protocol):
    """The three pipes of a program that was started."""

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
