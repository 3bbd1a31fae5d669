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


_ADDED = re.compile(r"(.*?)(?:((?:^|  )\[)(.*\]))?", re.DOTALL)
"""The sentence about an option, and click's addition: its default."""


class SpokenHelp(click.HelpFormatter):
    """Writes help, every part of it in the language of the hour."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write how a command is called."""
        super().write_usage(prog, in_capitals(args), f"{_headed('Usage')} " if prefix is None else prefix)

    def write_heading(self, heading: str) -> None:
        """Write the heading of a section."""
        self.write(f"{'':>{self.current_indent}}{_headed(heading)}\n")

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        super().write_text("\n\n".join(map(_paragraph, text.split("\n\n"))))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write a list of options, or of commands."""
        super().write_dl([(in_capitals(first), _paragraph(second)) for first, second in rows], col_max, col_spacing)


class SpokenContext(click.Context):
    """The context of a command whose help is spoken."""

    formatter_class = SpokenHelp


def _headed(heading: str) -> str:
    return translated(f"{heading}:", "heading")


def in_capitals(text: str) -> str:
    """Return what is typed with the words in capitals, which stand for other texts, in the language of the hour.

    >>> in_capitals("words:FILE")
    'words:FILE'
    """
    return _NAME.sub(lambda found: translated(found[0], "taken"), text)


def _paragraph(text: str) -> str:
    if text.startswith(f"{KEEPS_LINES}\n"):
        return translated(text)
    said, begin, extra = _ADDED.fullmatch(text).groups()  # type: ignore[union-attr] # fits any text
    told = translated(" ".join(said.split()))
    return f"{told}{begin}{translated(extra.removesuffix(']'))}]" if begin else told
