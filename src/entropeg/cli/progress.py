"""A bar on standard error while many games are played."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from entropeg.experiments.results import Progress


@contextmanager
def progress_bar() -> Iterator[Callable[[Progress], None] | None]:
    """Give a function that draws progress on standard error where that is a terminal, else None."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    shown = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bars(*shown, console=Console(stderr=True), transient=True) as drawn:
        tasks: dict[tuple[str, str], Any] = {}

        def draw(progress: Progress) -> None:
            breaker, maker = progress.run
            if progress.run not in tasks:
                tasks[progress.run] = drawn.add_task(f"{breaker} against {maker}", total=progress.total)
            drawn.update(tasks[progress.run], completed=progress.done)

        yield draw
