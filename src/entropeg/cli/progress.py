"""Tells on standard error how far a long command is: one line, redrawn on a terminal, written now and then elsewhere.

On a terminal the line fits its width and is gone at the end. Anywhere else (a pipe, a file, the log of a batch system)
a plain line comes after ten seconds and then every thirty, so that shorter commands say nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING

import click

from entropeg.chosen_language import translated
from entropeg.cli.terminal import OWN, USUAL, remark, speaks, width
from entropeg.durations import rough_duration
from entropeg.processors import starts
from entropeg.told import Joined, Told

if TYPE_CHECKING:
    from entropeg.experiments.results import Progress

FIRST, EVERY = 10.0, 30.0
"""Seconds until the first line where there is no terminal, and between two of them."""


@dataclass
class Stand:
    """How far a command is.

    ``parts`` name its work, the most important first; ``done`` of ``total`` ``unit`` are finished, where these are
    counted; ``share`` of everything that there is to do, from 0 to 1; ``left`` in seconds, where that is known better.
    """

    unit: str = ""
    parts: Sequence[str] = ()
    done: int = 0
    total: int = 0
    share: float | None = None
    left: float | None = None
    began: float = field(default_factory=monotonic)
    heard: Callable[[Stand], None] = field(default=lambda _: None, repr=False)

    def put(
        self, *parts: str, done: int = 0, total: int = 0, share: float | None = None, left: float | None = None
    ) -> None:
        """Say where the command is now."""
        self.parts, self.done, self.total, self.left = parts, done, total, left
        self.share = done / total if share is None and total else share
        self.heard(self)

    def count(self, done: int, total: int) -> None:
        """Say how much is done of the parts that were put last."""
        self.put(*self.parts, done=done, total=total)

    @property
    def seconds(self) -> float:
        """Since the command began."""
        return monotonic() - self.began

    @property
    def counted(self) -> str:
        """`300 of 1,000 games`, or nothing."""
        return Told("{done:,} of {total:,} {things}", self.done, self.total, self.unit) if self.total else ""

    @property
    def rest(self) -> str:
        """`about 2 minutes left`, or nothing where that is not known."""
        left = self.left
        # Nobody can say in the first three seconds how long the rest will take.
        if left is None and self.share and self.share < 1 and self.seconds > 3.0:
            left = self.seconds * (1 - self.share) / self.share
        return Told("about {duration} left", rough_duration(left)) if left is not None and left > 0 else ""


def plain_line(stand: Stand) -> str:
    """Write where a command is as one line of a log.

    >>> stand = Stand("games")
    >>> stand.put("minimax against honest", done=300, total=1000, left=130)
    >>> plain_line(stand)
    'entropeg: 0 s: minimax against honest, 300 of 1,000 games, about 2 minutes left'
    """
    told = Joined(filter(None, [*stand.parts, stand.counted, stand.rest]), ", ") or Told("at work")
    return OWN + translated(Told("{seconds:.0f} s: {work}", stand.seconds, told))


def drawn_line(stand: Stand, columns: int, *, fancy: bool = True) -> str:
    """Write where a command is as a line of a terminal, at most `columns` characters wide.

    What does not fit is left out: the later parts, then the rest and the time, then the end of the first part.

    >>> stand = Stand("games")
    >>> stand.put("minimax against honest", done=300, total=1000)
    >>> drawn_line(stand, 60), drawn_line(stand, 40)
    ('0 s, minimax against honest, 300 of 1,000 games ━━━─────────', '0 s, minimax agains…, 300 of 1,000 games')
    """
    parts, counted = [*map(translated, stand.parts)], [translated(stand.counted)] * bool(stand.total)
    passed, rest = [f"{stand.seconds:.0f} s"], [translated(stand.rest)] * bool(stand.rest)

    def line() -> str:
        return ", ".join([*passed, *parts, *counted, *rest])

    while len(parts) > 1 and len(line()) > columns:
        parts.pop()
    # The first part keeps 28 characters as long as the rest can be left out instead, and 8 as long as the time can.
    for one, least in ((rest, 28), (passed, 8)):
        if len(line()) - sum(max(0, len(part) - least) for part in parts) > columns:
            one.clear()
    if parts and (over := len(line()) - columns) > 0:
        parts[0] = parts[0][: max(1, len(parts[0]) - over) - 1].rstrip() + ("…" if fancy else ".")
    written = line()
    if stand.total and columns - len(written) > 8:  # a shorter bar tells nothing, a longer one than 30 no more
        written += " " + _bar(stand.done / stand.total, min(30, columns - len(written) - 1), fancy=fancy)
    return written[:columns]


def _bar(share: float, length: int, *, fancy: bool) -> str:
    full, empty = "━─" if fancy else "#-"
    filled = min(length, int(share * length))
    return full * filled + empty * (length - filled)


@contextmanager
def telling(unit: str = "", *parts: str) -> Iterator[Stand]:
    """Tell on standard error how far the block is, as it puts it into the `Stand` that this gives.

    Where no thread can be started, as in a browser's Python, lines of a log come as something is put into it.
    """
    stand, over = Stand(Told(unit)), Event()
    stand.put(*parts)
    tell = _draw if sys.stderr.isatty() else _log
    teller = Thread(target=copy_context().run, args=(tell, stand, over), name="progress", daemon=True)
    is_told = starts(teller)
    if not is_told:
        stand.heard = _LogOfOneThread()
    try:
        yield stand
    finally:
        over.set()
        if is_told:
            teller.join()


def _draw(stand: Stand, over: Event) -> None:
    before = ""
    while not over.wait(0.1):
        # The last column stays free: some terminals go to the next line once it is written to.
        line = drawn_line(stand, (width(sys.stderr) or USUAL) - 1, fancy=speaks(sys.stderr, "━─…"))
        if line != before:
            _write(f"\r{line}\x1b[K")
            before = line
    if before:
        _write("\r\x1b[K")


def _log(stand: Stand, over: Event) -> None:
    patience = FIRST
    while not over.wait(patience):
        _write(f"{plain_line(stand)}\n")
        patience = EVERY


class _LogOfOneThread:
    """Writes lines as `_log` does, whenever something is put that is due."""

    def __init__(self) -> None:
        self.due = FIRST

    def __call__(self, stand: Stand) -> None:
        if stand.seconds >= self.due:
            _write(f"{plain_line(stand)}\n")
            self.due = stand.seconds + EVERY


def _write(text: str) -> None:
    with suppress(OSError, ValueError):  # nobody may be listening any more
        click.echo(text, nl=False, err=True)


def remark_beside(sentence: str) -> None:
    """Say something while progress is told: a line that is drawn makes room for it, and comes again below."""
    if sys.stderr.isatty():
        _write("\r\x1b[K")
    remark(sentence)


@contextmanager
def telling_of_games() -> Iterator[Callable[[Progress], None]]:
    """Give a function that takes the progress of an arena or a report, and tell of it."""
    with telling("games") as stand:

        def tell(progress: Progress) -> None:
            pair = Told("{codebreaker} against {codemaker}", *progress.run)
            if progress.pairs > 1:
                pair = Told("{number:,} of {pairs:,}: {pair}", progress.number, progress.pairs, pair)
            share = (progress.number - 1 + progress.done / max(1, progress.total)) / progress.pairs
            parts = filter(None, [pair, progress.under_way])
            stand.put(*parts, done=progress.done, total=progress.total, share=share)

        yield tell
