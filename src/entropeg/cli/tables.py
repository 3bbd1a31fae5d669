"""Tables and small bars in plain text."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from entropeg.cli import layout

BARS = "▁▂▃▄▅▆▇█"
PLAIN_BARS = "12345678"
"""Stands for the bars where the output cannot write them."""


def columns(
    rows: Sequence[Sequence[str]], align: str, *, names: int = 0, head: bool = False, most: int | None = None
) -> str:
    """Align rows of text in columns, each `<` or `>`; where a terminal is too narrow they are set in another way.

    Then the last column is folded, if it is text; else the first `names` columns, whose cells may be long, stand on a
    line of their own above the rest of their row. With `head` the first row is a heading. `most` is a width in place of
    that of the terminal.

    >>> print(columns([["a", "10"], ["bcd", "7"]], "<>"))
    a    10
    bcd   7
    """
    most = layout.width() if most is None else most
    wide = most is not None and _full_width(rows) > most
    lines = _narrow(rows, align, names, most) if wide and most is not None else _aligned(rows, align)
    return "\n".join([layout.heading(lines[0]), *lines[1:]] if head else lines)


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
        return [layout.folded(line, most) for line in _aligned(rows, align)]
    called = ["  ".join(layout.shortened(cell, most) for cell in row[:names] if cell) for row in rows]
    numbers = _aligned([row[names:] for row in rows], align[names:])
    return [layout.folded(f"{name}\n  {rest}", most) for name, rest in zip(called, numbers, strict=True)]


def _with_last_folded(rows: Sequence[Sequence[str]], align: str, room: int) -> list[str]:
    pieces = [layout.folded(row[-1], room).split("\n") for row in rows]
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
