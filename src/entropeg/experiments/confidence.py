"""Computes the 95 % interval of a mean: half its width, with a known spread and with one from few games."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan, cos, log, pi, sin, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

Z = 1.959963984540054
"""Half the width of a 95 % interval in standard errors, where these are known."""


def half_width(numbers: Sequence[float] | NDArray[Any]) -> float | None:
    """Return half the width of the 95 % interval of the mean of some numbers, by Student's t; None of one number.

    >>> round(half_width([1, 2, 3, 4]), 3), half_width([1])
    (2.054, None)
    """
    if len(numbers) < 2:
        return None
    return student(len(numbers) - 1) * float(np.std(numbers, ddof=1)) / sqrt(len(numbers))


def student(freedom: int) -> float:
    """Return half the width of a 95 % interval in standard errors that were estimated with such degrees of freedom.

    Beyond 4 by the series of Cornish and Fisher, right to two decimals.

    >>> [round(student(freedom), 2) for freedom in (1, 4, 9, 1000)]
    [12.71, 2.78, 2.26, 1.96]
    """
    second = (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * freedom**2)
    third = (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / (384 * freedom**3)
    few = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776}  # where the series is too coarse
    return few.get(freedom) or Z + (Z**3 + Z) / (4 * freedom) + second + third


def likely_counts(games: int, share: float) -> tuple[int, int]:
    """Return the fewest and the most of some games of which each is of a kind with this probability, with 95 %.

    Quantiles of the binomial law: fewer come with 2.5 % at most, and so do more.

    >>> likely_counts(30, 1 / 32), likely_counts(1000, 0.5), likely_counts(7, 1.0)
    ((0, 3), (469, 531), (7, 7))
    """
    if not 0.0 < share < 1.0:
        return (games, games) if share >= 1.0 else (0, 0)
    mean, far = games * share, 9 * sqrt(games * share * (1 - share)) + 20  # beyond lies less than 1e-15
    counts = np.arange(max(0, int(mean - far)), min(games, int(mean + far)) + 1)
    # The probability of a count over that of the one before.
    steps = np.log((games - counts[:-1]) / counts[1:]) + log(share / (1 - share))
    logs = np.concatenate([[0.0], np.cumsum(steps)])
    within = np.cumsum(np.exp(logs - logs.max()))
    low, high = np.searchsorted(within / within[-1], [0.025, 0.975])
    return int(counts[low]), int(counts[high])


def by_chance(deviation: float, freedom: int) -> float:
    """Return how likely a mean is at least `deviation` standard errors from the true one, where these were estimated.

    Student's t with `freedom` degrees of freedom, both sides, in the finite sums for whole numbers (Abramowitz and
    Stegun 1964, 26.7.3 and 26.7.4); right to about 1e-15.

    >>> [round(by_chance(student(freedom), freedom), 3) for freedom in (1, 2, 9, 1000)], by_chance(0.0, 5)
    ([0.05, 0.05, 0.05, 0.05], 1.0)
    """
    angle = atan(abs(deviation) / sqrt(freedom))
    odd, step = freedom % 2, cos(angle) ** 2
    term, total = (cos(angle), 0.0) if odd else (1.0, 0.0)
    for number in range(freedom // 2):
        total += term
        term *= step * ((2 * number + 2) / (2 * number + 3) if odd else (2 * number + 1) / (2 * number + 2))
    inside = (angle + sin(angle) * total) * 2 / pi if odd else sin(angle) * total
    return max(0.0, 1.0 - inside)
