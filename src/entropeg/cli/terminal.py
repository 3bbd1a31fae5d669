"""Fits text, tables and small bars to a terminal: its width, and the letters that it has.

Long lines are folded between words there, and stay as they are elsewhere.

Text that goes into a file or another program keeps its lines, so that it can be searched and cut by columns.
"""

from __future__ import annotations

import codecs
import os
import re
import sys
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from math import ceil
from textwrap import wrap
from typing import TextIO

import click

from entropeg.chosen_language import translated

USUAL = 80
"""Columns of a terminal that does not say how many it has."""

NARROWEST = 20
"""Columns that text takes at least: narrower terminals fold by themselves."""

OWN = "entropeg: "
"""Begins a remark that is the program's own."""

BARS = "▁▂▃▄▅▆▇█"
PLAIN_BARS = "12345678"
"""Stands for the bars where the output cannot write them."""


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
    # Further lines stand below what follows spaces, and a number or sign of a list.
    found = re.match(r"\s*(?:\d+\. |- |\[[^\]]*\] )?", line)
    begin = found[0] if found else ""
    rest = wrap(
        line[len(begin) :], max(columns - len(begin), NARROWEST // 2), break_long_words=False, break_on_hyphens=False
    )
    return "\n".join([begin + rest[0], *(" " * len(begin) + more for more in rest[1:])]) if rest else ""


def remark(sentence: str) -> None:
    """Say something beside the results: on standard error, folded where that is a terminal."""
    click.echo(folded(translated(sentence), stream=sys.stderr), err=True)


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
    codecs.register_error("entropeg.plain", _plain_letters)
    return "entropeg.plain"


def _plain_letters(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = unicodedata.normalize("NFKD", error.object[error.start : error.end].translate(_PLAIN))
    return "".join("" if unicodedata.combining(each) else each if each.isascii() else "?" for each in text), error.end


def speaks(stream: TextIO, text: str) -> bool:
    """Tell whether a stream can write these characters."""
    try:
        text.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


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


def columns(
    rows: Sequence[Sequence[str]], align: str, *, names: int = 0, head: bool = False, most: int | None = None
) -> str:
    """Align rows of text in columns, each `<` or `>`; where a terminal is too narrow they are set in another way.

    Then the last column is folded, if it is text; else the first `names` columns, whose cells may be long, stand on a
    line of their own above the rest of their row. With `head` the first row is a heading. `most` is a width in place of
    that of the terminal. Sentences and words are said in the language of the hour.

    >>> print(columns([["a", "10"], ["bcd", "7"]], "<>"))
    a    10
    bcd   7
    """
    rows = [list(map(translated, row)) for row in rows]
    most = width() if most is None else most
    wide = most is not None and _full_width(rows) > most
    lines = _narrow(rows, align, names, most) if wide and most is not None else _aligned(rows, align)
    return "\n".join([heading(lines[0]), *lines[1:]] if head else lines)


def _full_width(rows: Sequence[Sequence[str]]) -> int:
    return sum(_widths(rows)) + 2 * (len(rows[0]) - 1)


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


def _aligned(rows: Sequence[Sequence[str]], align: str) -> list[str]:
    widths = _widths(rows)
    return [
        "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, align, widths, strict=True)).rstrip()
        for row in rows
    ]


def _narrow(rows: Sequence[Sequence[str]], align: str, names: int, most: int) -> list[str]:
    before = _full_width([row[:-1] for row in rows]) + 2
    # A folded last column needs 24 characters at least.
    if align[-1] == "<" and most - before >= 24:
        return _with_last_folded(rows, align, most - before)
    if not names:
        return [folded(line, most) for line in _aligned(rows, align)]
    called = ["  ".join(shortened(cell, most) for cell in row[:names] if cell) for row in rows]
    numbers = _aligned([row[names:] for row in rows], align[names:])
    return [folded(f"{name}\n  {rest}", most) for name, rest in zip(called, numbers, strict=True)]


def _with_last_folded(rows: Sequence[Sequence[str]], align: str, room: int) -> list[str]:
    pieces = [folded(row[-1], room).split("\n") for row in rows]
    begun = _aligned([[*row[:-1], piece[0]] for row, piece in zip(rows, pieces, strict=True)], align)
    indent = " " * (_full_width([row[:-1] for row in rows]) + 2)
    return [
        "\n".join([line, *(indent + more for more in piece[1:])]) for line, piece in zip(begun, pieces, strict=True)
    ]


def bars(histogram: dict[int, int], most: int = 16, symbols: str = BARS) -> str:
    """Draw a histogram in one word: a bar a value, least to greatest, neighbors joined beyond `most` bars.

    The tallest bar is the fullest symbol, an empty one a dot; a bar that is not empty is never
    drawn as empty.

    >>> bars({1: 1, 2: 4, 4: 8})
    '▁▄·█'
    """
    if not histogram:
        return ""
    low, high = min(histogram), max(histogram)
    width = ceil((high - low + 1) / most)
    heights = [0] * ((high - low) // width + 1)
    for value, count in histogram.items():
        heights[(value - low) // width] += count
    empty = "·" if symbols == BARS else "."
    return "".join(symbols[ceil(h * len(symbols) / max(heights)) - 1] if h else empty for h in heights)
