"""Commands that are interrupted at any moment, and what is left of them: for the tests, and for long campaigns.

    ENTROPEG_INTERRUPTS=100 .venv/bin/python -m pytest tests/cli/test_interrupts.py

tries as many of every command. `NUMBA_CACHE_DIR` set to an empty folder interrupts the compiler too.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

MARK = "ENTROPEG_TEST_MARK"
"""A variable of the environment by which everything that a command has started is found again."""

PATIENCE = 300.0
"""Seconds after which a command that does not end counts as hung, on a slow and busy machine."""


@dataclass(frozen=True)
class Stopped:
    """How an interrupted command ended; `left` are processes that were still there some time later."""

    number: int
    fraction: float
    code: int
    out: str
    said: str
    left: list[int]

    @property
    def is_complete(self) -> bool:
        """Whether the command was done before the signal came."""
        return self.code == 0

    def __str__(self) -> str:
        return f"signal {self.number} at {self.fraction:.2f}: exit code {self.code}, left {self.left}\n{self.said}"


@contextmanager
def hearing() -> Iterator[None]:
    """Have commands started in this block hear Ctrl-C also where the tests run in a shell's background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def interrupted_at(arguments: list[str], typed: str, until: str, number: signal.Signals) -> tuple[int, str]:
    """Type into the program, and signal it once it has written a line that begins so; return its code and the rest."""
    command = [sys.executable, "-m", "entropeg", *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(typed)
        process.stdin.flush()
        assert any(line.startswith(until) for line in iter(process.stdout.readline, ""))
        process.send_signal(number)
        rest = process.stdout.read()
        return process.wait(timeout=PATIENCE), rest


def start(arguments: list[str], folder: Path) -> tuple[subprocess.Popen[str], str]:
    """Start the program in a session of its own; return it and its mark, once it has taken the signals."""
    mark = uuid.uuid4().hex
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [sys.executable, "-m", "entropeg", *arguments],
        cwd=folder,
        env=os.environ | {MARK: mark, "PYTHONFAULTHANDLER": "1"},
        stdin=subprocess.DEVNULL,
        stdout=pipe,
        stderr=pipe,
        text=True,
        start_new_session=True,
    )
    wait_until(lambda: process.poll() is not None or catches(process.pid, signal.SIGHUP))  # the last
    return process, mark


def catches(process: int, number: int) -> bool:
    """Whether a process has a handler for a signal."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    except OSError:
        return False
    caught = next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt"))
    return bool(int(caught, 16) >> (number - 1) & 1)


def marked(mark: str) -> list[int]:
    """The processes that are there with a mark, zombies among them only where nobody waits for them."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if f"{MARK}={mark}".encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def parent_of(process: int) -> int:
    """The process that started another, 0 where that is gone."""
    try:
        return int(Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
    except OSError:
        return 0


def wait_until(happened: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Wait for something to happen; whether it did."""
    end = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > end:
            return False
        time.sleep(0.03)
    return True


def interrupt(arguments: list[str], folder: Path, number: int, fraction: float, seconds: float) -> Stopped:
    """Start a command and send it a signal after a fraction of the seconds that it takes."""
    with hearing():
        process, mark = start(arguments, folder)
    time.sleep(fraction * seconds)
    # Ctrl-C and batch systems reach every process of the session, `kill` the first alone. It may have ended by now.
    with suppress(ProcessLookupError):
        (os.killpg if fraction * 1000 % 2 < 1 else os.kill)(process.pid, number)
    try:
        out, said = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGABRT)  # it says where each of its threads hangs
        out, said = process.communicate()
    wait_until(lambda: not marked(mark))
    return Stopped(number, fraction, process.returncode, out, said, marked(mark))


def moments(seed: str, count: int) -> list[tuple[int, float]]:
    """Signals and fractions of a run, drawn by a seed: one in every stretch of it."""
    random = Random(seed)
    signals = [signal.SIGINT, signal.SIGTERM, signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
    return [(random.choice(signals), (turn + random.random()) / count) for turn in range(count)]


def measured(arguments: list[str], folder: Path, happened: Callable[[], bool]) -> float:
    """Seconds from the start of a command until something has happened, or it has ended; it is ended then."""
    process, _ = start(arguments, folder)
    began = time.monotonic()
    wait_until(lambda: process.poll() is not None or happened(), 4 * PATIENCE)
    seconds = time.monotonic() - began
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    process.communicate()
    return seconds
