"""Tables and small bars in plain text."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

BARS = "▁▂▃▄▅▆▇█"
PLAIN_BARS = "12345678"
"""What stands for the bars where the output cannot write them."""


def columns(rows: Sequence[Sequence[str]], align: str) -> str:
    """Align rows of text in columns, each `<` or `>`.

    >>> print(columns([["a", "10"], ["bcd", "7"]], "<>"))
    a    10
    bcd   7
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, align, widths, strict=True)).rstrip()
        for row in rows
    )


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
