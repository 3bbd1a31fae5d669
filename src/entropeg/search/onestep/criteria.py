"""Criteria of one-step codebreakers as exact integer costs: the least is best.

A cost table has one entry a part size. Logarithms are fixed-point numbers that are additive over prime factors,
log2(a b) = log2 a + log2 b to the last bit: the entropies of two partitions are then equal exactly when they are
equal in truth (sum of x log x is the logarithm of an integer, the product of x^x), and no rounding decides a tie.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from functools import lru_cache
from math import floor, isqrt, log2
from typing import Any

import numpy as np

from entropeg.kernels.onestep.arrays import LARGEST, SORTED, SUM, WEIGHTED, Criterion

MOST_COST = 1 << 62
"""Costs are less than this, up or down: kernels take it for the cost of no guess at all."""

FRACTION_BITS = 37
"""Bits after the point of a logarithm, as far as costs stay below `MOST_COST`: to 1.6 million codes."""

WEIGHT_UNIT = 1000
"""Weights of feedbacks count in thousandths."""

WEIGHTED_BITS = 24
"""The same where weights multiply."""

MOST_WEIGHT = 8 * WEIGHT_UNIT
"""The greatest weight of a feedback."""


CRITERIA = ("minimax", "sorted-minimax", "expected-size", "entropy", "parts")
"""Names of the built-in criteria."""


@lru_cache(maxsize=32)
def criterion(name: str, n: int, labels: int, win: int, *, win_correction: bool) -> Criterion:
    """Return a built-in criterion for parts of up to n codes and feedbacks 0..labels-1, of which `win` wins.

    The correction counts the winning part for less: by 2 bits for entropy, by half a part more for parts, as empty
    for the expected size. The largest parts, by which minimax and sorted minimax go, are as they are.
    """
    by_label = np.zeros(labels, np.int64)
    by_label[win] = 1
    sizes = np.arange(n + 1, dtype=np.int64)
    if name in ("minimax", "sorted-minimax"):
        return Criterion(LARGEST if name == "minimax" else SORTED, np.stack([sizes, sizes]), by_label, _slopes(sizes))
    if name == "expected-size":
        row, won = sizes * sizes, 0 if win_correction else 1
    elif name == "entropy":
        bits = fraction_bits(n)
        row, won = sizes * log2_table(n, bits), -2 << bits if win_correction else 0
    else:
        row, won = -2 * (sizes > 0).astype(np.int64), -3 if win_correction else -2
    table = np.stack([row, row])
    table[1, 1] = won
    return Criterion(SUM, table, by_label, _slopes(row))


def _slopes(row: Any) -> Any:
    """Give the rise of a part for each candidate more: of the greatest convex function that rises no more than the row.

    It is the row itself but for rounding, which makes some slope of it less than one before.
    """
    rises = np.append(np.diff(row), np.iinfo(np.int64).max)
    rises[-1] = rises[:-1].max(initial=0)
    least: Any = np.minimum.accumulate(rises[::-1])[::-1]
    return least.astype(np.float64)


def weighted_entropy(weights: Any, n: int) -> Criterion:
    """Return the entropy in which each feedback has its own weight (Belis and Guiasu.

    Gur 2025): -sum w_e p_e log p_e, maximized.

    weights: int64[labels], in units of 1 / WEIGHT_UNIT.
    """
    row = np.arange(n + 1, dtype=np.int64) * log2_table(n, fraction_bits(n, WEIGHTED_BITS, MOST_WEIGHT))
    return Criterion(WEIGHTED, np.stack([row, row]), np.asarray(weights, np.int64), _slopes(row))


def fraction_bits(n: int, most: int = FRACTION_BITS, weight: int = 1) -> int:
    """Return how many bits after the point, at most `most`, keep the costs of n codes below `MOST_COST`.

    No cost exceeds weight * n log2 n, all codes in one part. To that come 2 bits where the win counts for more, and 1
    for what rounding adds to the logarithms.

    >>> fraction_bits(1_000_000), fraction_bits(9**7)
    (37, 35)
    """
    room = log2(MOST_COST) - log2(weight * (n * log2(max(n, 2)) + 3))
    return min(most, floor(room - 1e-9))


@lru_cache(maxsize=2)
def log2_table(n: int, bits: int = FRACTION_BITS) -> Any:
    """Fixed-point base-2 logarithms of 0..n (0 for 0), exactly additive over products.

    Int64[n + 1], in units of 2^-bits.
    """
    table = np.zeros(n + 1, np.int64)
    primes = _primes(n)
    values = _fixed_log2s(primes, bits)
    small = int(np.searchsorted(primes, isqrt(n), side="right"))
    for prime, value in zip(primes[:small].tolist(), values[:small].tolist(), strict=True):
        power = prime
        while power <= n:
            table[power::power] += value
            power *= prime
    primes, values = primes[small:], values[small:]
    for times in range(1, n // (isqrt(n) + 1) + 1):  # a prime beyond the root of n divides a number once
        count = int(np.searchsorted(primes, n // times, side="right"))
        table[times * primes[:count]] += values[:count]
    return table


def _primes(n: int) -> Any:
    """The primes up to n, ascending: int64."""
    composite = np.zeros(n + 1, bool)
    composite[:2] = True
    for factor in range(2, isqrt(n) + 1):
        if not composite[factor]:
            composite[factor * factor :: factor] = True
    return np.flatnonzero(~composite)


def _fixed_log2s(numbers: Any, bits: int) -> Any:
    """`fixed_log2` of many numbers: int64."""
    scaled = np.log2(numbers) * (1 << bits)
    values = np.rint(scaled).astype(np.int64)
    for i in np.flatnonzero(np.abs(scaled % 1 - 0.5) <= DOUBT).tolist():
        values[i] = fixed_log2(int(numbers[i]), bits)
    return values


DOUBT = 0.01
"""A logarithm in floating point is further than that from the truth on no machine, in units of its last fixed bit."""


def fixed_log2(x: int, bits: int = FRACTION_BITS) -> int:
    """Round log2(x) to a number of bits after the point, to the nearest, the same on every machine."""
    scaled = log2(x) * (1 << bits)
    if abs(scaled % 1 - 0.5) > DOUBT:
        return round(scaled)
    # A library may err in the last bit of log2: where that could change the rounding, 40 decimal digits decide.
    with localcontext(prec=40):
        return round(Decimal(x).ln() / Decimal(2).ln() * (1 << bits))
