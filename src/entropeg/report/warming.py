"""Compiling kernels before the clock runs, the slowest of them beside the play: run times should tell of play alone.

The first call of a kernel on a machine compiles it into a cache on disk, which takes half a minute for minimax. While
the first experiments are played another process fills that cache; before each experiment two games are played that do
not count.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from entropeg import plots
from entropeg.errors import EntropegError

if TYPE_CHECKING:
    from entropeg.report.experiments import Experiment

MOST_CODES = 10_000
"""On larger boards even two games of minimax take longer than what they save."""

PATIENCE = 300
"""Seconds to wait for the other process; whatever became of it, this one can compile for itself."""

_SCRIPT = "import sys; from entropeg.report.warming import compile_for; compile_for(*sys.argv[1:])"


def compile_for(codebreaker: str, codemaker: str, rules: str) -> None:
    """Play two games that nobody counts, so that every kernel they need is compiled and loaded."""
    from entropeg.experiments.runner import arena
    from entropeg.rules import Rules

    board = Rules.parse(rules)
    if board.guess_count <= MOST_CODES:
        with suppress(EntropegError):
            arena(codebreaker, codemaker, board, games=2, jobs=1)


@contextmanager
def compiled_aside(plan: Sequence[Experiment], *, jobs: int | None) -> Iterator[subprocess.Popen[bytes] | None]:
    """Let another process compile what the slowest experiment needs; give it, or None where only one is wanted."""
    if jobs == 1 or not plan or not sys.executable:
        yield None
        return
    last = next(experiment for experiment in plan if experiment.all_secrets)
    command = [sys.executable, "-c", _SCRIPT, last.codebreaker, last.codemaker, str(last.rules)]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)  # noqa: S603 (this program, these words)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@lru_cache(maxsize=1)
def draw_once() -> None:
    """Draw a figure for nobody: the first one of a process loads fonts, the first on a machine lists them."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(1, 1), layout="constrained")
    figure.subplots().set_title("0")
    plots.svg(figure)
    plots.png(figure)


def finish(process: subprocess.Popen[bytes] | None) -> None:
    """Wait until the other process is done, or long enough."""
    if process is not None:
        with suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
