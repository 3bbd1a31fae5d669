"""Lists of codes as arrays: all codes of a board, color counts, ranks.

Codes are columns of *planes*, `uint8[pegs, N]` (`uint16` past 256 symbols): one contiguous row per peg
position. Symbols are the colors and, with `blank`, as the last symbol a blank, which may repeat even
where colors may not. Lists are in lexicographic order; the rank of a code is its index there.
"""

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from entropeg.kernels._check import Planes, checked_planes, checked_symbols, frozen
from entropeg.kernels.switch import Switch
from entropeg.sizes import code_count

LARGEST_RANK = int(np.iinfo(np.int64).max)

_functions = Switch("entropeg.kernels._code_kernels", "entropeg.kernels._plain_codes")


def plane_dtype(symbols: int) -> np.dtype[Any]:
    """Return the dtype of planes: uint8 up to 256 symbols, uint16 up to 65536."""
    if not 1 <= symbols <= 65536:
        raise ValueError(f"symbols: expected 1 to 65536, got {symbols}")
    return np.dtype(np.uint8 if symbols <= 256 else np.uint16)


def _check_board(pegs: int, symbols: int, *, blank: bool) -> None:
    plane_dtype(symbols)
    if pegs < 1:
        raise ValueError(f"pegs: expected at least 1, got {pegs}")
    if blank and symbols < 2:
        raise ValueError("symbols: with a blank there must be at least 2, one color and the blank; got 1")


@lru_cache(maxsize=64)
def ways_to_fill(pegs: int, colors: int, blank: bool) -> npt.NDArray[np.int64]:
    """Return ways[f, u], the ways to fill f pegs from u unused colors: int64[pegs, colors], read-only.

    Numbers beyond int64, which no code of a board with int64 ranks needs, are cut to the largest.
    """
    table = [
        [min(code_count(free, unused + blank, repeats=False, blank=blank), LARGEST_RANK) for unused in range(colors)]
        for free in range(pegs)
    ]
    return frozen(np.array(table, np.int64))


def list_codes(pegs: int, symbols: int, *, repeats: bool = True, blank: bool = False) -> Planes:
    """Return all codes as planes[pegs, N], in lexicographic order.

    Costs about a nanosecond a peg and code, and no memory but the result's: without repeats nothing is
    listed first and sifted later. No codes, no columns.

    >>> list_codes(2, 3, repeats=False).T.tolist()
    [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]]
    >>> list_codes(2, 2, repeats=False, blank=True).T.tolist()
    [[0, 1], [1, 0], [1, 1]]
    """
    total = _ranked_total(pegs, symbols, repeats=repeats, blank=blank)
    planes = np.empty((pegs, total), plane_dtype(symbols))
    if not repeats:
        _functions(total).list_distinct(symbols - blank, np.zeros(symbols, np.bool_), np.empty(pegs, np.int64), planes)
        return planes
    for peg in range(pegs):
        view = planes[peg].reshape(symbols**peg, symbols, symbols ** (pegs - 1 - peg))
        view[...] = np.arange(symbols, dtype=planes.dtype)[:, None]
    return planes


def _ranked_total(pegs: int, symbols: int, *, repeats: bool, blank: bool) -> int:
    _check_board(pegs, symbols, blank=blank)
    total = code_count(pegs, symbols, repeats=repeats, blank=blank)
    if total > LARGEST_RANK:
        raise ValueError(f"{pegs} pegs of {symbols} symbols: more codes than ranks can number (2**63 - 1)")
    return total


def color_counts(planes: Planes, symbols: int) -> Planes:
    """Return counts[symbols, N]: how often each symbol occurs in each code; uint16 past 255 pegs.

    >>> color_counts(np.array([[0, 2], [0, 1]], np.uint8), 3).tolist()
    [[2, 0], [0, 1], [0, 1]]
    """
    planes = checked_planes(planes)
    checked_symbols(planes, symbols)
    counts = np.zeros((symbols, planes.shape[1]), np.uint8 if planes.shape[0] <= 255 else np.uint16)
    _functions(planes.shape[1]).count_colors(planes, counts)
    return counts


def rank_codes(planes: Planes, symbols: int, *, repeats: bool = True, blank: bool = False) -> npt.NDArray[np.int64]:
    """Return the index of each code (column) in the list of all codes: int64[N].

    Computed, not looked up: base `symbols` with repeats, else the number of codes that branch off
    below, peg by peg. ValueError if a code is not in that list or the list has more than 2**63 - 1.

    >>> rank_codes(np.array([[0, 2], [2, 1]], np.uint8), 3, repeats=False).tolist()
    [1, 5]
    """
    planes = checked_planes(planes)
    checked_symbols(planes, symbols)
    _ranked_total(planes.shape[0], symbols, repeats=repeats, blank=blank)
    ranks = np.empty(planes.shape[1], np.int64)
    if repeats:
        _functions(ranks.size).rank_repeated(planes, symbols, ranks)
        return ranks
    ways = ways_to_fill(planes.shape[0], symbols - blank, blank)
    _functions(ranks.size).rank_distinct(planes, symbols - blank, ways, ranks)
    if (ranks < 0).any():
        wrong = planes[:, int(np.argmax(ranks < 0))].tolist()
        raise ValueError(f"planes: {wrong} repeats a color, which these codes may not")
    return ranks


def unrank_codes(ranks: npt.ArrayLike, pegs: int, symbols: int, *, repeats: bool = True, blank: bool = False) -> Planes:
    """Return the codes with these ranks as planes[pegs, N]; the inverse of `rank_codes`.

    ValueError if a rank is negative or not below the number of codes.

    >>> unrank_codes([1, 5], 2, 3, repeats=False).T.tolist()
    [[0, 2], [2, 1]]
    """
    total = _ranked_total(pegs, symbols, repeats=repeats, blank=blank)
    numbers = np.asarray(ranks)
    if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
        raise ValueError(f"ranks: expected a list of integers, got shape {numbers.shape} of {numbers.dtype}")
    if numbers.size and not 0 <= int(numbers.min()) <= int(numbers.max()) < total:
        raise ValueError(f"ranks: expected 0 to {total - 1}, got {numbers.min()} to {numbers.max()}")
    rows = frozen(numbers.astype(np.int64))
    planes = np.empty((pegs, rows.size), plane_dtype(symbols))
    if repeats:
        _functions(rows.size).unrank_repeated(rows, symbols, planes)
    else:
        _functions(rows.size).unrank_distinct(
            rows, np.empty(symbols - blank, np.bool_), ways_to_fill(pegs, symbols - blank, blank), planes
        )
    return planes
