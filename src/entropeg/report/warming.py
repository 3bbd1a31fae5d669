"""Compiles kernels before games are timed, so that run times tell of play alone.

The first call of a kernel on a machine compiles it into a cache on disk. The search for the guesses of minimax takes as
long as all the others together: another process compiles it, and it alone, while this one compiles those, plays the
first experiments and draws their figures. Before each experiment a few games are played that do not count.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from entropeg import signals
from entropeg.errors import EntropegError

MOST_CODES = 10_000
"""On larger boards even a few games of minimax take longer than they save."""

STAND_IN = "first-consistent"
"""A codebreaker that needs what minimax needs, but for the search for a guess."""

_SCRIPT = "import sys; from entropeg.report.warming import guess_once; guess_once(*sys.argv[1:])"


def guess_once(codebreaker: str, rules: str) -> None:
    """Ask for a first guess that nobody plays, so that the search for it is compiled, and no more than that."""
    import numpy as np

    from entropeg import codebreakers
    from entropeg.position import Position
    from entropeg.rules import Rules

    board = Rules.parse(rules)
    if board.guess_count <= MOST_CODES:
        with suppress(EntropegError):
            codebreakers.get(codebreaker).guess(Position(board), np.random.default_rng(0))


def compile_for(codebreaker: str, codemaker: str, rules: str) -> None:
    """Play a few games that nobody counts, so that every kernel they need is compiled and loaded."""
    from entropeg.experiments.runner import arena
    from entropeg.rules import Rules

    board = Rules.parse(rules)
    if board.guess_count <= MOST_CODES:
        with suppress(EntropegError):
            # Eight games are enough for kernels that fewer games do without.
            arena(codebreaker, codemaker, board, games=8, jobs=1)


@contextmanager
def compiled_aside(codebreaker: str, rules: str) -> Iterator[subprocess.Popen[bytes] | None]:
    """Let another process compile the search of a codebreaker; give that process, None where none can be started."""
    if not sys.executable:
        yield None
        return
    command = [sys.executable, "-c", _SCRIPT, codebreaker, rules]
    quiet = subprocess.DEVNULL
    process: subprocess.Popen[bytes] | None = None
    try:
        with signals.held(), signals.kept_from_children():
            process = subprocess.Popen(  # noqa: S603 (this program, these words)
                command, stdin=quiet, stdout=quiet, stderr=quiet
            )
        yield process
    finally:
        if process is not None:
            process.kill()
            process.wait()


def finish(process: subprocess.Popen[bytes] | None) -> None:
    """Wait until the other process is done, or long enough."""
    if process is not None:
        with suppress(subprocess.TimeoutExpired):
            process.wait(300)  # whatever became of the other process, this one can compile for itself
