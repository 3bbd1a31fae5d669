"""Listing, ranking and counting of codes on NumPy: the twin of `_code_kernels`, where the arguments are explained."""

# ruff: noqa: ARG001
# The arguments are those of the kernels, with scratch that is not needed here.
from typing import Any

import numpy as np

Array = Any

FEW_SYMBOLS = 64
"""So many are counted one by one: comparing rows of bytes takes a tenth of the time of finding places in a table."""


def count_colors(planes: Array, out: Array) -> None:
    """Add to out[c, i] the number of pegs of column i that have color c."""
    if len(out) <= FEW_SYMBOLS:
        for c in range(len(out)):
            for row in planes:
                out[c] += row == c
        return
    columns = np.arange(planes.shape[1])
    for row in planes:
        out[row, columns] += 1


def list_distinct(colors: int, used: Array, code: Array, out: Array) -> None:
    """Fill out[pegs, N] with the codes without repeated colors in lexicographic order; blanks repeat."""
    codes = np.empty((0, 1), out.dtype)
    for _ in range(len(out)):
        free = np.ones((codes.shape[1], used.size), np.bool_)
        for row in codes:
            free[np.arange(len(free)), row] = row >= colors
        begun, symbols = np.nonzero(free)
        codes = np.concatenate([codes[:, begun], symbols[None, :].astype(out.dtype)])
    out[:] = codes


def rank_distinct(planes: Array, colors: int, ways: Array, out: Array) -> None:
    """Set out[i] to the rank of column i among the codes without repeated colors, -1 where a color occurs twice."""
    pegs = len(planes)
    rows = planes.astype(np.int64)
    unused, twice = np.full(out.size, colors), np.zeros(out.size, np.bool_)
    out[:] = 0
    for p, row in enumerate(rows):
        is_color = row < colors
        smaller = row.copy()
        for before in rows[:p]:
            smaller -= before < row
            twice |= is_color & (before == row)
        smaller = np.where(is_color, smaller, unused)
        out += np.where(smaller > 0, smaller * ways[pegs - p - 1, np.maximum(unused - 1, 0)], 0)
        unused = np.maximum(unused - is_color, 0)
    out[twice] = -1


def rank_repeated(planes: Array, symbols: int, out: Array) -> None:
    """Set out[i] to column i read as a number in base `symbols`."""
    out[:] = 0
    for row in planes:
        out *= symbols
        out += row


def unrank_distinct(ranks: Array, used: Array, ways: Array, out: Array) -> None:
    """Set column i of out to the code without repeated colors that has rank ranks[i]."""
    pegs, colors = len(out), used.size
    rest, unused = ranks.copy(), np.full(ranks.size, colors)
    free = np.ones((ranks.size, colors), np.bool_)
    for p in range(pegs):
        block = ways[pegs - p - 1, np.maximum(unused - 1, 0)]
        is_color = (unused > 0) & (rest // np.maximum(unused, 1) < block)
        ahead = np.where(is_color, rest // block, unused)
        rest = rest - ahead * np.where(unused > 0, block, 0)
        found = free & (np.cumsum(free, axis=1) == ahead[:, None] + 1)
        out[p] = np.where(is_color, found.argmax(axis=1), colors)
        free &= ~found
        unused = unused - is_color


def unrank_repeated(ranks: Array, symbols: int, out: Array) -> None:
    """Set column i of out to the digits of ranks[i] in base `symbols`."""
    rest = ranks.copy()
    for row in out[::-1]:
        rest, row[:] = np.divmod(rest, symbols)
