"""Shows lines on a terminal, in color where it has color, and on anything else as plain text; holds dialogs there."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from itertools import groupby
from threading import Timer
from typing import TYPE_CHECKING, TextIO

import click

from entropeg import signals
from entropeg.chosen_language import translated
from entropeg.cli.saving import to_error
from entropeg.cli.terminal import register_plain_letters, speaks, width
from entropeg.errors import InputError
from entropeg.feedback import is_feedback
from entropeg.files import is_standard, read_line
from entropeg.rules import Rules
from entropeg.sessions.lines import Line, Tone, complain
from entropeg.svg.palette import BLANK, Rgb, ink, peg_color
from entropeg.told import Drawn, Told, word

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from entropeg.sessions.dialog import Dialog


MOMENT = 0.4
"""Seconds after which an answer that is not there yet is announced."""


class Screen:
    """Where a session is shown and asked: one output stream, and standard input."""

    def __init__(self, stream: TextIO, rules: Rules) -> None:
        """Show on a stream (standard output, or standard error where the output is data)."""
        self.stream = stream
        self.rules = rules
        for used in (stream, sys.stdin):
            if hasattr(used, "reconfigure"):
                used.reconfigure(errors="replace" if used is sys.stdin else register_plain_letters())

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

        Where nobody sees the stream, since it is no terminal, an error goes to standard error, and so do later lines.
        """
        is_refused = False
        columns = width(self.stream)
        spoken = ((line.pieces(), line.tone) for line in shown)
        for pieces, tone in spoken if columns is None else self._fitted(shown, columns):
            is_refused = is_refused or (tone == "error" and not self.stream.isatty())
            whole = [f"! {pieces[0]}", *pieces[1:]] if tone == "error" else pieces
            if is_refused:
                self.stream.flush()
                click.echo("".join(whole).rstrip(), err=True)
            else:
                for row in [whole] if columns is None else self._folded(whole, tone, columns):
                    self._write_line(row, tone)
        self.stream.flush()

    def _fitted(self, shown: Iterable[Line], columns: int) -> Iterator[tuple[list[str], Tone]]:
        # Of a table of which a row is too long the brief rows are shown.
        for has_brief, group in groupby(shown, lambda line: bool(line.brief)):
            lines = list(group)
            rows = [line.pieces() for line in lines]
            if has_brief and any(sum(map(self._cells, row)) > columns for row in rows):
                rows = [line.pieces(is_brief=True) for line in lines]
            yield from zip(rows, (line.tone for line in lines), strict=True)

    def _write_line(self, pieces: list[str], tone: Tone) -> None:
        if self.console is None:
            self.stream.write("".join(pieces).rstrip() + "\n")
        else:
            self.console.print(self._styled(pieces, tone), soft_wrap=True)

    def write(self, text: str) -> None:
        """Write a text as it is, to be copied: without colors, its lines not folded."""
        self.stream.write(text if text.endswith("\n") else f"{text}\n")
        self.stream.flush()

    def _folded(self, spoken: list[str], tone: Tone, columns: int) -> list[list[str]]:
        # Words, codes and answers stay whole; further rows stand below the first word. Spaces that do not break belong
        # to words.
        pieces: list[str] = []
        for each in spoken:
            pieces += [each] if isinstance(each, Drawn) else re.findall(r"[ \t]+|[^ \t]+", each)
        indent = " " * (2 if tone == "error" else self._cells(pieces[0]) if pieces and not pieces[0].strip() else 0)
        rows: list[list[str]] = [[]]
        room = columns
        for piece in pieces:
            cells, is_space = self._cells(piece), not piece.strip()
            if cells > room and not is_space and any(each.strip() for each in rows[-1]):
                while not rows[-1][-1].strip():
                    rows[-1].pop()
                rows.append([indent])
                room = columns - len(indent)
            if not (is_space and len(rows) > 1 and len(rows[-1]) == 1):
                rows[-1].append(piece)
                room -= cells
        return rows

    def _cells(self, piece: str) -> int:
        if self.console is not None and isinstance(piece, Drawn) and not is_feedback(piece.value):
            return sum(len(self.rules.symbols.symbol(color)) + 2 for color in piece.value)
        return len(piece)

    def _styled(self, pieces: list[str], tone: Tone) -> Text:
        from rich.text import Text

        text = Text("", style={"plain": "", "good": "bold green", "error": "bold red", "quiet": "dim"}[tone])
        for piece in pieces:
            text.append_text(self._drawn(piece))
        return text

    def _drawn(self, piece: str) -> Text:
        from rich.text import Text

        if not isinstance(piece, Drawn):
            return Text(piece)
        return (
            Text(self._answer(piece.english))
            if is_feedback(piece.value)
            else Text("").join(map(self._peg, piece.value))
        )

    def _peg(self, color: int) -> Text:
        from rich.text import Text

        paper = peg_color(color, self.rules) if color < self.rules.colors else BLANK
        return Text(f" {self.rules.symbols.symbol(color)} ", style=f"bold {_hex(ink(paper))} on {_hex(paper)}")

    def _answer(self, written: str) -> str:
        if not set(written) <= set("XO.") or not speaks(self.stream, "●○·"):
            return written
        return written.translate(str.maketrans("XO.", "●○·"))

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Show that the machine thinks, on a terminal with colors, where it takes longer than a moment."""
        if self.console is None:
            yield
            return
        said, brief = translated(Told("thinking (the first time takes longest)")), translated(word("busy", "thinking"))
        is_narrow = (width(self.stream) or len(said)) < len(said) + 4
        status = self.console.status(brief if is_narrow else said)
        timer = Timer(MOMENT, status.start)
        try:
            timer.start()
            yield
        finally:
            with signals.held():  # a signal would leave the cursor hidden
                timer.cancel()
                if timer.ident is not None:
                    timer.join()
                status.stop()

    def ask(self, prompt: str, prefill: str = "") -> str:
        """Read a line, without its end; raises EOFError where there is none. It prompts on a terminal.

        On a terminal with editing keys ``prefill`` stands on the line already, to be changed.
        """
        if sys.stdin.isatty() and self.stream.isatty():
            if self.stream is sys.stdout:
                return _edited(prompt, prefill)
            self.stream.write(f"{prompt}> ")
            self.stream.flush()
        line = read_line(sys.stdin)
        if not line:
            raise EOFError
        return line.rstrip("\n")


def _edited(prompt: str, prefill: str) -> str:
    try:
        import readline  # merely importing it gives `input` its history and its editing keys
    except ImportError:
        return input(f"{prompt}> ")
    readline.set_startup_hook((lambda: readline.insert_text(prefill)) if prefill else None)
    try:
        return input(f"{prompt}> ")
    finally:
        readline.set_startup_hook(None)


def _hex(color: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)


def converse(session: Dialog, name: str, *, as_json: bool) -> None:
    """Play a session to its end and exit.

    With `as_json` the record goes to standard output, the talk to standard error; so does the text of the game with
    `--save -`, at the end. `name` is the sub-command that can load the game again. Exit codes: 0 played to the end,
    left by `quit` or at the end of the input; 130, 143 or 129 left by a signal; 2 where the file given for the game
    could not be written (then the game is printed).
    """
    err = to_error(session.save_to, as_json=as_json) or as_json
    screen = Screen(sys.stderr if err else sys.stdout, session.rules)
    code = _talk(session, screen)
    with signals.held():  # the game is saved or shown whole
        if not session.over:
            screen.show(session.last_words())
        code = _keep(session, screen, name, printed=as_json) or code
        if as_json:
            click.echo(json.dumps(session.to_json(), indent=2))
    click.get_current_context().exit(code)


def _talk(session: Dialog, screen: Screen) -> int:
    try:
        screen.show(session.start())
        while not session.over:
            typed = screen.ask(translated(session.prompt), session.prefill)
            with screen.busy():
                answer = session.handle(typed)
            screen.rules = session.rules  # others may have been begun
            screen.show(answer)
    except EOFError:
        _end_prompt_line(screen)
    except InputError as error:  # the input is no text that somebody types: the game is kept as at its end
        screen.show([complain(error)])
        return 2
    except KeyboardInterrupt:
        _end_prompt_line(screen)
        return signals.exit_code()
    return 0


def _end_prompt_line(screen: Screen) -> None:
    if sys.stdin.isatty():
        screen.show([Line("")])


def _keep(session: Dialog, screen: Screen, name: str, *, printed: bool) -> int:
    # A game that has ended and was not to be saved has been seen; an unfinished one is saved or printed.
    if session.save_to is not None:
        return _keep_in_file(session, screen, name, session.save_to)
    if not session.is_empty and session.dirty and not session.finished and not printed:
        _print(session, screen, name)
    return 0


def _keep_in_file(session: Dialog, screen: Screen, name: str, path: str) -> int:
    try:
        if session.dirty:
            session.save(path)
    except InputError as error:
        screen.show([complain(error)])
        _print(session, screen, name)
        return 2
    if not session.is_empty and not is_standard(path):
        said = session.thing.saved if session.finished else session.thing.unfinished
        screen.show([Line(Told(said, path, name), "quiet")])
    return 0


def _print(session: Dialog, screen: Screen, name: str) -> None:
    screen.show([Line(Told(session.thing.printed, name), "quiet"), Line("")])
    screen.write(session.to_text())
