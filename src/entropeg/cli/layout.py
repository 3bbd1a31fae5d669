"""Fits text to a terminal: folds long lines between words there, and leaves them as they are elsewhere.

What goes into a file or another program keeps its lines, so that it can be searched and cut by columns.
"""

from __future__ import annotations

import codecs
import os
import re
import sys
import unicodedata
from contextlib import suppress
from textwrap import wrap
from typing import TextIO

import click

from entropeg.cli.language.choosing import translated

USUAL = 80
"""Columns of a terminal that does not say how many it has."""

NARROWEST = 20
"""Columns that text takes at least: narrower terminals fold by themselves."""

OWN = "entropeg: "
"""What begins a remark that is the program's own."""

_MARK = re.compile(r"\s*(?:\d+\. |- |\[[^\]]*\] )?")
"""What a line begins with: spaces, and a number or sign of a list. Its further lines stand below what follows."""


def width(stream: TextIO | None = None) -> int | None:
    """Return how many columns a stream's terminal has (default: standard output); None where it is no terminal.

    The variable COLUMNS may say so instead; 80 where nobody does.
    """
    stream = sys.stdout if stream is None else stream
    if not stream.isatty():
        return None
    said = os.environ.get("COLUMNS", "")
    columns = int(said) if said.isdecimal() and len(said) < 5 else 0
    if not columns:
        with suppress(OSError, ValueError):
            columns = os.get_terminal_size(stream.fileno()).columns
    return max(columns or USUAL, NARROWEST)


def folded(text: str, columns: int | None = None, stream: TextIO | None = None) -> str:
    """Fold the lines of a text that are too long for a number of columns, or for a stream's terminal, between words.

    The rest of a line is set in as far as its beginning, or further after the sign of a list.

    >>> print(folded("1. one two three four five six seven", 20))
    1. one two three
       four five six
       seven
    """
    columns = width(stream) if columns is None else columns
    if columns is None:
        return text
    return "\n".join(_fold(line, columns) for line in text.split("\n"))


def _fold(line: str, columns: int) -> str:
    if len(line) <= columns:
        return line
    found = _MARK.match(line)
    begin = found[0] if found else ""
    rest = wrap(
        line[len(begin) :], max(columns - len(begin), NARROWEST // 2), break_long_words=False, break_on_hyphens=False
    )
    return "\n".join([begin + rest[0], *(" " * len(begin) + more for more in rest[1:])]) if rest else ""


def remark(sentence: str, *, is_told: bool = False) -> None:
    """Say something beside the results: on standard error, folded where that is a terminal.

    It is said in the language of the hour, in which it may be told already.
    """
    said = sentence.removeprefix(OWN)
    own = OWN if sentence.startswith(OWN) else ""
    told = f"{own}{said if is_told else translated(said)}"
    click.echo(folded(told, stream=sys.stderr), err=True)


_PLAIN = str.maketrans(
    {"\u202f": " ", "\u00a0": " ", "’": "'", "«": '"', "»": '"', "œ": "oe", "…": "...", "–": "-", "−": "-"}
    | {"≥": ">=", "≤": "<=", "≈": "~", "±": "+-", "×": "x", "→": "->", "µ": "u", "σ": "s", "ρ": "rho"}
    | {"●": "X", "○": "O", "·": ".", "━": "#", "─": "-", "▌": "|"}
    | {bar: str(height) for height, bar in enumerate("▁▂▃▄▅▆▇█", start=1)}
)


def register_plain_letters() -> str:
    """Return the name under which streams write plain letters for those that they cannot: `e` for `é`, else `?`.

    Signs become what looks like them. A pipe of Windows has the encoding of the country, which knows few of them.

    >>> "l’été, ≥ 5625, ●●○".encode("ascii", register_plain_letters())
    b"l'ete, >= 5625, XXO"
    """
    codecs.register_error(NAME, _plain_letters)
    return NAME


NAME = "entropeg.plain"


def _plain_letters(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = unicodedata.normalize("NFKD", error.object[error.start : error.end].translate(_PLAIN))
    return "".join("" if unicodedata.combining(each) else each if each.isascii() else "?" for each in text), error.end


def heading(text: str) -> str:
    """Return a text in bold type where standard output is a terminal that may show it, else as it is."""
    return click.style(text, bold=True) if width() is not None and not os.environ.get("NO_COLOR") else text


def shortened(text: str, columns: int) -> str:
    """Leave out the beginning of a text, most often a path, that is longer than a number of columns.

    >>> shortened("/home/anna/course/codebreaker2.py", 22)
    '.../codebreaker2.py'
    """
    if len(text) <= columns:
        return text
    tail = text[len(text) - columns + 4 :]
    return f".../{tail.partition('/')[2]}" if "/" in tail else f"...{text[len(text) - columns + 3 :]}"
