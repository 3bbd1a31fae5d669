"""Showing lines on a terminal, in color where it has color, and on anything else as plain text."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from threading import Timer
from typing import TYPE_CHECKING, TextIO

import click

from entropeg.cli.lines import Fragment, Line, Pegs, Tone, plain
from entropeg.cli.palette import BLANK, Rgb, ink, peg_color
from entropeg.rules import Rules

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

STYLES: dict[Tone, str] = {"plain": "", "good": "bold green", "error": "bold red", "quiet": "dim"}

MOMENT = 0.4
"""Seconds after which an answer that is not there yet is announced."""

_DRAWN = str.maketrans({"X": "●", "O": "○", ".": "·"})


class Screen:
    """Where a session is shown and asked: one output stream, and standard input."""

    def __init__(self, stream: TextIO, rules: Rules) -> None:
        """Show on a stream (standard output, or standard error where the output is data)."""
        self.stream = stream
        self.rules = rules
        for used in (stream, sys.stdin):
            if hasattr(used, "reconfigure"):
                used.reconfigure(errors="replace")

    @cached_property
    def console(self) -> Console | None:
        """The console that draws colors; None where there is no terminal, or it is to stay plain."""
        if os.environ.get("NO_COLOR") or not (self.stream.isatty() or os.environ.get("FORCE_COLOR")):
            return None
        from rich.console import Console

        console = Console(file=self.stream, highlight=False, markup=False, emoji=False)
        return console if console.color_system else None

    def show(self, shown: Iterable[Line]) -> None:
        """Write lines; an error is marked by a word too, not by its color alone.

        Where nobody sees the stream, since it is no terminal, an error goes to standard error, with what follows it.
        """
        is_refused = False
        for line in shown:
            is_refused = is_refused or (line.tone == "error" and not self.stream.isatty())
            if is_refused:
                self.stream.flush()
                click.echo(f"{'! ' if line.tone == 'error' else ''}{line.text(self.rules)}", err=True)
            elif self.console is None:
                self.stream.write(f"{'! ' if line.tone == 'error' else ''}{line.text(self.rules)}\n")
            else:
                self.console.print(self._styled(line), soft_wrap=True)
        self.stream.flush()

    def _styled(self, line: Line) -> Text:
        from rich.text import Text

        text = Text("! " if line.tone == "error" else "", style=STYLES[line.tone])
        for fragment in line.fragments:
            text.append_text(self._drawn(fragment))
        return text

    def _drawn(self, fragment: Fragment) -> Text:
        from rich.text import Text

        if isinstance(fragment, Pegs):
            return Text("").join(self._peg(color) for color in fragment.code)
        written = plain(fragment, self.rules)
        return Text(written if isinstance(fragment, str) else self._answer(written))

    def _peg(self, color: int) -> Text:
        from rich.text import Text

        paper = peg_color(color, self.rules) if color < self.rules.colors else BLANK
        return Text(f" {self.rules.symbols.symbol(color)} ", style=f"bold {_hex(ink(paper))} on {_hex(paper)}")

    def _answer(self, written: str) -> str:
        if not set(written) <= set("XO.") or not self._speaks("●○·"):
            return written
        return written.translate(_DRAWN)

    def _speaks(self, text: str) -> bool:
        return speaks(self.stream, text)

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Show that the machine thinks, on a terminal with colors, where it takes longer than a moment."""
        if self.console is None:
            yield
            return
        status = self.console.status("thinking (the first time takes longest)")
        timer = Timer(MOMENT, status.start)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            status.stop()

    def ask(self, prompt: str) -> str:
        """Read a line, without its end; raises EOFError where there is none. It prompts on a terminal."""
        if sys.stdin.isatty() and self.stream.isatty():
            return self._ask_aloud(f"{prompt}> ")
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.rstrip("\n")

    def _ask_aloud(self, prompt: str) -> str:
        if self.stream is sys.stdout:
            # Merely importing it gives `input` its history and its editing keys.
            import readline  # noqa: F401

            return input(prompt)
        self.stream.write(prompt)
        self.stream.flush()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.rstrip("\n")


def speaks(stream: TextIO, text: str) -> bool:
    """Tell whether a stream can write these characters."""
    try:
        text.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _hex(color: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)
