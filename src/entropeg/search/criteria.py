"""Criteria of one-step codebreakers as exact integer costs: the least is best.

A cost table has one entry a part size. Logarithms are fixed-point numbers that are additive over prime factors,
log2(a b) = log2 a + log2 b to the last bit: the entropies of two partitions are then equal exactly when they are
equal in truth (sum of x log x is the logarithm of an integer, the product of x^x), and no rounding decides a tie.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from functools import lru_cache
from math import log2
from typing import Any, NamedTuple

import numpy as np

from entropeg.kernels._search_arrays import LARGEST, SORTED, SUM, WEIGHTED

FRACTION_BITS = 37
"""Bits after the point of a logarithm: sums over a million codes stay below 2^62."""

WEIGHT_UNIT = 1000
"""Weights of feedbacks count in thousandths."""

WEIGHTED_BITS = 24
"""Bits after the point where weights multiply: weights up to 8 stay below 2^62 on a million codes."""


class Criterion(NamedTuple):
    """A criterion for parts of up to a given number of codes, as the kernels take it."""

    family: int
    table: Any  # int64[2, n + 1]: row 0 for every part, row 1 for the winning one
    klass: Any  # int64[labels]
    slopes: Any  # float64[n + 1]: nowhere falling, its sums nowhere above row 0 of the table


CRITERIA = ("minimax", "sorted-minimax", "expected-size", "entropy", "parts")
"""Names of the built-in criteria."""


@lru_cache(maxsize=32)
def criterion(name: str, n: int, labels: int, win: int, *, win_correction: bool) -> Criterion:
    """Return a built-in criterion for parts of up to n codes and feedbacks 0..labels-1, of which `win` wins.

    The correction counts the winning part for less: by 2 bits for entropy, by half a part more for parts, as empty
    for the expected size and minimax.
    """
    klass = np.zeros(labels, np.int64)
    klass[win] = 1
    sizes = np.arange(n + 1, dtype=np.int64)
    if name in ("minimax", "sorted-minimax"):
        return Criterion(LARGEST if name == "minimax" else SORTED, np.stack([sizes, sizes]), klass, _slopes(sizes))
    if name == "expected-size":
        row, won = sizes * sizes, 0 if win_correction else 1
    elif name == "entropy":
        row, won = sizes * log2_table(n), -2 << FRACTION_BITS if win_correction else 0
    else:
        row, won = -2 * (sizes > 0).astype(np.int64), -3 if win_correction else -2
    table = np.stack([row, row])
    table[1, 1] = won
    return Criterion(SUM, table, klass, _slopes(row))


def _slopes(row: Any) -> Any:
    """Give what each candidate more adds to a part: of the greatest convex function that rises no more than the row.

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
    row = np.arange(n + 1, dtype=np.int64) * log2_table(n, WEIGHTED_BITS)
    return Criterion(WEIGHTED, np.stack([row, row]), np.asarray(weights, np.int64), _slopes(row))


@lru_cache(maxsize=4)
def log2_table(n: int, bits: int = FRACTION_BITS) -> Any:
    """Fixed-point base-2 logarithms of 0..n (0 for 0), exactly additive over products.

    Int64[n + 1], in units of 2^-bits.
    """
    table = np.zeros(n + 1, np.int64)
    composite = np.zeros(n + 1, bool)
    for prime in range(2, n + 1):
        if composite[prime]:
            continue
        composite[prime * prime :: prime] = True
        power = prime
        value = fixed_log2(prime, bits)
        while power <= n:
            table[power::power] += value
            power *= prime
    return table


def fixed_log2(x: int, bits: int = FRACTION_BITS) -> int:
    """Round log2(x) to so many bits after the point, to the nearest, the same on every machine."""
    scaled = log2(x) * (1 << bits)
    if abs(scaled % 1 - 0.5) > 0.01:
        return round(scaled)
    # A library may err in the last bit of log2: where that could change the rounding, 40 decimal digits decide.
    with localcontext(prec=40):
        return round(Decimal(x).ln() / Decimal(2).ln() * (1 << bits))
