"""Targets: how far each part of a guess that is to be refuted is searched.

A guess is refuted as soon as the bounds of its parts add up to the best total known. The sum still missing can be
shared out among the parts in many ways, and proofs grow steeply: of the scans that the value V of 150 to 299 codes of
4x9 takes, the proof that it is no less than V - 5 takes half, and V - 8 a third. So no part is searched for its value
where parts promise more than is missing: each is asked for its share of that. Searching the small ones for their
values, and the large ones for what is missing then, takes 1.6 times as many guesses on 4x8 and 5x6, 2.2 times on 4x9
(benchmarks/bench_shares.py), and 5 times on 4x10.

The gain of a search, the rise of the bound of a part, is learned for each thread: ``rise``, float64[2,
64], holds the sum of these gains and the sum of the parts' masses by class of size, both fading. The mass of a part is
its number of codes, under weights the sum of theirs; gains have the same unit as totals. The other arrays have an entry
for each part: ``sizes``, ``masses`` and ``hopes`` (the gain still expected of it; int64 or float64), and ``states``
(uint8 or int64).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropeg.kernels.compile import inner
from entropeg.search.exact.fields import EXACT, RAISED, Array, Int

AHEAD = 1.4
"""Parts are asked for this many times their share, from the smallest on: larger ones need not bring that much then."""


def first_rise() -> NDArray[np.float64]:
    """The gains expected before any is known."""
    # Classes of sizes: enough for 65,535 codes.
    return np.repeat([[170.0], [1000.0]], 64, axis=1)


@inner
def _size_class(n: Int) -> Any:
    """Number of the class of sizes, four to a doubling."""
    first: Int = 0
    while n >= 8:
        n >>= 1
        first += 4
    return first + n


@inner
def expect(rise: Array, sizes: Array, masses: Array, states: Array, hopes: Array, labels: Int) -> None:
    """Fill ``hopes`` of the first ``labels`` parts that are not exact with the gains to be expected of a search."""
    for e in range(labels):
        if states[e] != EXACT:
            at = _size_class(sizes[e])
            hopes[e] = rise[0, at] / rise[1, at] * masses[e]


@inner
def next_part(sizes: Array, states: Array, hopes: Array, labels: Int, missing: Int) -> Any:
    """(the part to search next, the gain that is asked of it); (-1, 0) if all of the first ``labels`` are exact.

    The smallest first; those that have brought what they were asked for come again after all others, and then for all
    that is ``missing``. No more than that is asked, and no less than 1.
    """
    chosen, least = -1, 1 << 40
    promised = 0.0
    for e in range(labels):
        if states[e] == EXACT:
            continue
        promised += hopes[e]
        rank = sizes[e] + (1 << 32 if states[e] == RAISED else 0)
        if rank < least:
            chosen, least = e, rank
    if chosen < 0:
        return chosen, 0
    if promised <= missing or states[chosen] == RAISED:
        return chosen, missing
    return chosen, min(missing, max(1, np.int64(np.ceil(AHEAD * missing * hopes[chosen] / promised))))


@inner
def learn(rise: Array, size: Int, mass: Int, state: Int, hope: Any, gain: Int, exact: Int) -> Any:
    """Learn from the gain of a search in the bound of a part, or its value if ``exact``; the gain still expected.

    Only first searches of a part count. Where it was not searched to its value, no less does than was expected of it.
    """
    if state != RAISED:
        at = _size_class(size)
        # Earlier gains fade by 2 % whenever one is added.
        rise[0, at] = 0.98 * rise[0, at] + (gain if exact else max(gain, hope))
        rise[1, at] = 0.98 * rise[1, at] + mass
    # A part that has brought as much as it was asked for is expected to bring a little more.
    return max(hope - gain, 0.02 * mass)
