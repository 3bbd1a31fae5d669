"""Does one long run in a process of its own: `prepare`, then one call of `work`.

SIGTERM stops it in order, and so does the end of the server, however that ends: what was found out is kept, and told
where no file has it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from entropeg.answers.shelf import take_tables_from
from entropeg.errors import EntropegError
from entropeg.executors.pool import tell
from entropeg.processes import limit_memory, step_back
from entropeg.web.runs.kept import locked
from entropeg.web.runs.value import RunTask, Tell

EVERY = 0.2
"""Seconds between two words of its progress, at least."""


def prepare(memory: int, tables: Path) -> None:
    """Let a process have some bytes of address space, and write on standard error alone, which the server has.

    `tables` is the folder of tables of answers.
    """
    os.dup2(2, 1)
    # A long run steps back behind the players.
    step_back(10)
    limit_memory(memory)
    take_tables_from(tables)


def work(task: RunTask) -> tuple[str, dict[str, Any] | None]:
    """Do the rest of a run, and tell its progress; returns how it ended, `done` or `stopped`, and its data."""
    try:
        with _locked(task), _paced() as progress:
            from entropeg.web.runs.arenas_and_proofs import play_arena, prove

            return play_arena(task, progress) if task.kind == "arena" else prove(task, progress)
    except KeyboardInterrupt:
        return "stopped", None


@contextmanager
def _paced() -> Iterator[Tell]:
    """Tell progress, at most once in a while, and the last word of it in any case."""
    told_at, untold = -EVERY, list[dict[str, Any]]()

    def progress(data: dict[str, Any]) -> None:
        nonlocal told_at
        untold[:] = [data]
        if monotonic() - told_at >= EVERY:
            told_at = monotonic()
            tell(untold.pop())

    try:
        yield progress
    finally:
        for data in untold:
            tell(data)


@contextmanager
def _locked(task: RunTask) -> Iterator[None]:
    # Two processes never work on one run: that of a server which was killed may still be ending.
    # The process of a server that was killed may need that long to end.
    end = monotonic() + 20.0
    while (lock := locked(task.file(".lock"))) is None:
        if monotonic() > end:
            raise EntropegError("another process still works on this run")
        sleep(EVERY)
    try:
        yield
    finally:
        lock.close()
