"""Help in the language of the hour: click lays it out, after it was translated.

A paragraph is translated whole; a paragraph that keeps its lines, line by line; what an option takes, word by word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import click

from entropeg.cli.language.choosing import translated

KEEPS_LINES = "\b"
"""The line of its own with which click marks a paragraph whose lines stay as they are."""

_NAME = re.compile(r"(?<![\w-])[A-Z]{2,}(?![\w-])")
"""What an argument or option takes: FILE, SECONDS."""


class SpokenHelp(click.HelpFormatter):
    """Writes help, every part of it in the language of the hour."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write how a command is called."""
        super().write_usage(prog, _named(args), f"{_headed('Usage')} " if prefix is None else prefix)

    def write_heading(self, heading: str) -> None:
        """Write the heading of a section."""
        self.write(f"{'':>{self.current_indent}}{_headed(heading)}\n")

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        super().write_text("\n\n".join(map(_paragraph, text.split("\n\n"))))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write a list of options, or of commands."""
        super().write_dl([(_named(first), _paragraph(second)) for first, second in rows], col_max, col_spacing)


class SpokenContext(click.Context):
    """The context of a command whose help is spoken."""

    formatter_class = SpokenHelp


def _headed(heading: str) -> str:
    return translated(f"{heading}:", "heading")


def _named(text: str) -> str:
    return _NAME.sub(lambda found: translated(found[0], "taken"), text)


def _paragraph(text: str) -> str:
    if text.startswith(f"{KEEPS_LINES}\n"):
        return translated(text)
    said, apart, extra = text.partition("  [")  # what click adds, as the default
    told = translated(" ".join(said.split()))
    return f"{told}{apart}{translated(extra.removesuffix(']'))}]" if apart else told
