"""Lists of codes as arrays: all codes of a board, color counts.

Codes are columns of *planes*, `uint8[pegs, N]` (`uint16` past 256 symbols): one contiguous row per peg
position. Symbols are the colors and, with `blank`, as the last symbol a blank, which may repeat even
where colors may not. Lists are in lexicographic order.
"""

from typing import Any

import numpy as np

from entropeg.kernels._check import Planes, checked_planes
from entropeg.kernels.switch import Switch
from entropeg.sizes import code_count

MOST_CODES = int(np.iinfo(np.int64).max)

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


def list_codes(pegs: int, symbols: int, *, repeats: bool = True, blank: bool = False) -> Planes:
    """Return all codes as planes[pegs, N], in lexicographic order.

    Costs about a nanosecond a peg and code, and no memory but the result's: without repeats nothing is
    listed first and sifted later. No codes, no columns.

    >>> list_codes(2, 3, repeats=False).T.tolist()
    [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]]
    >>> list_codes(2, 2, repeats=False, blank=True).T.tolist()
    [[0, 1], [1, 0], [1, 1]]
    """
    _check_board(pegs, symbols, blank=blank)
    total = code_count(pegs, symbols, repeats=repeats, blank=blank)
    if total > MOST_CODES:
        raise ValueError(f"{pegs} pegs of {symbols} symbols: more codes than can be numbered (2**63 - 1)")
    planes = np.empty((pegs, total), plane_dtype(symbols))
    if not repeats:
        _functions(total).list_distinct(symbols - blank, np.zeros(symbols, np.bool_), np.empty(pegs, np.int64), planes)
        return planes
    for peg in range(pegs):
        view = planes[peg].reshape(symbols**peg, symbols, symbols ** (pegs - 1 - peg))
        view[...] = np.arange(symbols, dtype=planes.dtype)[:, None]
    return planes


def color_counts(planes: Planes, symbols: int) -> Planes:
    """Return counts[symbols, N]: how often each symbol occurs in each code; uint16 past 255 pegs.

    >>> color_counts(np.array([[0, 2], [0, 1]], np.uint8), 3).tolist()
    [[2, 0], [0, 1], [0, 1]]
    """
    planes = checked_planes(planes)
    if planes.size and int(planes.max()) >= symbols:
        raise ValueError(
            f"planes: symbol {int(planes.max())} found, but with {symbols} symbols the last is {symbols - 1}"
        )
    counts = np.zeros((symbols, planes.shape[1]), np.uint8 if planes.shape[0] <= 255 else np.uint16)
    _functions(planes.shape[1]).count_colors(planes, counts)
    return counts
