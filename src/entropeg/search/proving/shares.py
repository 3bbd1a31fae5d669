"""Shares of the guesses for a set, as processes or workers take them: the first of one guess each, later ones wider."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

WIDENED = 8
"""Shares of the same width: the first guesses take longest, and one of them is most likely the best."""


def share(k: int) -> tuple[int, int]:
    """Which guesses of a set share ``k`` has: the first and the one after the last.

    >>> [share(k) for k in (0, 1, 7, 8, 9, 16)]
    [(0, 1), (1, 2), (7, 8), (8, 10), (10, 12), (24, 28)]
    """
    doublings, i = divmod(k, WIDENED)
    width = 1 << doublings
    first = WIDENED * (width - 1) + i * width
    return first, first + width


def lowest(bounds: NDArray[np.int64]) -> list[int]:
    """The least bound in each share of guesses with these bounds; one share at least.

    >>> lowest(np.array([9, 8, 7, 9, 9, 9, 9, 9, 8, 7])), lowest(np.array([], np.int64))
    ([9, 8, 7, 9, 9, 9, 9, 9, 7], [0])
    """
    found: list[int] = []
    while not found or share(len(found))[0] < len(bounds):
        first, end = share(len(found))
        found.append(int(bounds[first:end].min(initial=bounds[first] if len(bounds) else 0)))
    return found
