"""Compiled listing, ranking and counting of codes. Arrays in, arrays out, nothing checked.

`ways[f, u]` is the number of ways to fill f further pegs when u colors are still unused, blanks
included (see `codes.ways_to_fill`). The blank, if there is one, is the symbol after the last color.
"""

from typing import Any

import numpy as np

from entropeg.kernels.compile import kernel

Array = Any  # numba sees the dtypes; they are said in each docstring


@kernel
def count_colors(planes: Array, out: Array) -> None:
    """Add to out[c, i] the number of pegs of column i that have color c. out: uint8 or uint16."""
    for p in range(planes.shape[0]):
        row = planes[p]
        for i in range(row.size):
            out[row[i], i] += 1


@kernel
def _next_symbol(used: Array, start: int) -> int:
    """Return the first symbol from `start` on that is not used, or used.size."""
    symbol = start
    while symbol < used.size and used[symbol]:
        symbol += 1
    return symbol


@kernel
def list_distinct(colors: int, used: Array, code: Array, out: Array) -> None:
    """Fill out[pegs, N] with the codes without repeated colors in lexicographic order; blanks repeat.

    N is the number of such codes, so the search for the next code never fails. used: bool[symbols],
    False before; code: int64[pegs], overwritten.
    """
    pegs = out.shape[0]
    p, start = 0, 0
    for i in range(out.shape[1]):
        # Fill the pegs from p on with the least symbols that are left, the first of them from `start` on.
        while p < pegs:
            code[p] = _next_symbol(used, start)
            if code[p] < colors:
                used[code[p]] = True
            p, start = p + 1, 0
        for q in range(pegs):
            out[q, i] = code[q]
        # Go back to the last peg that can take a larger symbol: there the next code begins to differ.
        while p > 0 and start == 0:
            p -= 1
            if code[p] < colors:
                used[code[p]] = False
            following = _next_symbol(used, code[p] + 1)
            if following < used.size:
                start = following


@kernel
def rank_distinct(planes: Array, colors: int, ways: Array, out: Array) -> None:
    """Set out[i] (int64) to the rank of column i among the codes without repeated colors.

    -1 where a color other than the blank occurs twice.
    """
    pegs = planes.shape[0]
    for i in range(planes.shape[1]):
        unused, rank = colors, 0
        for p in range(pegs):
            symbol: Any = np.int64(planes[p, i])
            smaller: Any = symbol
            for q in range(p):
                smaller -= planes[q, i] < planes[p, i]
                if planes[q, i] == planes[p, i] and symbol < colors:
                    rank = -1
            # Before a blank come the codes of all colors not used yet; two blanks are no repetition.
            if symbol >= colors:
                smaller = unused
            if rank < 0:
                break
            if smaller > 0:
                rank += smaller * ways[pegs - p - 1, unused - 1]
            unused -= symbol < colors
        out[i] = rank


@kernel
def rank_repeated(planes: Array, symbols: int, out: Array) -> None:
    """Set out[i] (int64) to column i read as a number in base `symbols`."""
    out[:] = 0
    for p in range(planes.shape[0]):
        row = planes[p]
        for i in range(row.size):
            out[i] = out[i] * symbols + row[i]


@kernel
def unrank_distinct(ranks: Array, used: Array, ways: Array, out: Array) -> None:
    """Set column i of out[pegs, N] to the code without repeated colors that has rank ranks[i] (int64).

    used: bool[colors], overwritten.
    """
    pegs, colors = out.shape[0], used.size
    for i in range(ranks.size):
        rest, unused = ranks[i], colors
        for symbol in range(colors):
            used[symbol] = False
        for p in range(pegs):
            # How many unused colors come before this peg's symbol; all of them if it is a blank.
            ahead = unused
            if unused > 0:
                block = ways[pegs - p - 1, unused - 1]
                if rest < unused * block:
                    ahead = rest // block
                rest -= ahead * block
            if ahead == unused:
                out[p, i] = colors
                continue
            symbol = _next_symbol(used, 0)
            for _ in range(ahead):
                symbol = _next_symbol(used, symbol + 1)
            out[p, i] = symbol
            used[symbol] = True
            unused -= 1


@kernel
def unrank_repeated(ranks: Array, symbols: int, out: Array) -> None:
    """Set column i of out[pegs, N] to the digits of ranks[i] (int64) in base `symbols`."""
    for i in range(ranks.size):
        rest = ranks[i]
        for p in range(out.shape[0] - 1, -1, -1):
            out[p, i] = rest % symbols
            rest //= symbols
