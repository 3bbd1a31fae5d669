"""How far to search each part of a guess that is to be refuted.

A guess is refuted as soon as the bounds of its parts add up to the best total known. What is missing can be shared out
among the parts in many ways, and proofs grow steeply: of the scans that the value V of 150 to 299 codes of 4x9 takes,
the proof that it is no less than V - 5 takes half, and V - 8 a third. So no part is searched for its value where parts
promise more than is missing: each is asked for its share of that. Searching the small ones for their values, and the
large ones for what is missing then, takes 1.6 times as many guesses on 4x8 and 5x6, 2.2 times on 4x9
(benchmarks/bench_shares.py), and 5 times on 4x10.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels._inner import inner
from entropeg.search import desk as views
from entropeg.search.desk import EXACT, INF, LABELS, RAISED, Array, Int

AHEAD = 1.4
"""Parts are asked for so many times their share, from the smallest on: what they bring, larger ones need not."""
KEPT = 0.98
"""What is left of the weight of earlier gains when one is added."""
REST = 0.02
"""Gain per code that is expected of a part that has brought what it was asked for."""


@inner
def size_class(n: Int) -> Any:
    """Number of the class of sizes, four to a doubling."""
    first: Int = 0
    while n >= 8:
        n >>= 1
        first += 4
    return first + n


@inner
def expect(desk: Array, depth: Int) -> None:
    """Fill ``hope`` of a depth with what a search is expected to add to the bound of each part."""
    count, state, hope = views.count(desk)[depth], views.state(desk)[depth], views.hope(desk)[depth]
    rise = views.rise(desk)
    for e in range(desk[LABELS] - 1):
        if state[e] != EXACT:
            at = size_class(count[e])
            hope[e] = rise[0, at] / rise[1, at] * count[e]


@inner
def next_part(desk: Array, depth: Int, missing: Int) -> Any:
    """(the part to search next, how much is asked of it); (-1, 0) if all are exact.

    The smallest first; those that have brought what they were asked for come again after all others, and then for all
    that is ``missing``.
    """
    count, state, hope = views.count(desk)[depth], views.state(desk)[depth], views.hope(desk)[depth]
    chosen, least = -1, 1 << 40
    promised = 0.0
    for e in range(desk[LABELS] - 1):
        if state[e] == EXACT:
            continue
        promised += hope[e]
        rank = count[e] + (1 << 32 if state[e] == RAISED else 0)
        if rank < least:
            chosen, least = e, rank
    if chosen < 0:
        return chosen, 0
    if promised <= missing or state[chosen] == RAISED:
        return chosen, missing
    return chosen, min(missing, max(1, np.int64(np.ceil(AHEAD * missing * hope[chosen] / promised))))


@inner
def take(desk: Array, depth: Int, e: Int, value: Int, asked: Int) -> None:
    """Take over what a search found of a part of which so much was asked: its value, or that it reaches that."""
    state, low, hope = views.state(desk)[depth], views.low(desk)[depth], views.hope(desk)[depth]
    rise, size = views.rise(desk), views.count(desk)[depth][e]
    gain = float(value - low[e])
    exact = value < low[e] + asked
    if state[e] != RAISED and value < INF:
        at = size_class(size)
        # Of a part that was not searched to its value, no less is counted than was expected of it.
        rise[0, at] = KEPT * rise[0, at] + (gain if exact else max(gain, hope[e]))
        rise[1, at] = KEPT * rise[1, at] + size
    low[e] = value
    state[e] = EXACT if exact else RAISED
    hope[e] = max(hope[e] - gain, REST * size)
