"""Trying one guess on a set: its parts, and their bounds in three passes from the cheapest on.

The parts of the guess under study stand on the desk in the row of their depth: ``count``, ``start`` on the stack,
``hashes``, ``low`` (a lower bound) and ``state``.
"""

# ruff: noqa: C901, PLR0912, PLR0913, PLR0917
# Kernels are written for the compiler, as in `entropeg.kernels`: plain loops, many numbers by position.

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import allocating_inner, inner
from entropeg.kernels.vectors import met, prefetch
from entropeg.search.exact import desk as views
from entropeg.search.exact.desk import (
    CONSISTENT,
    EXACT,
    INF,
    LABELS,
    MEMBERS_AT,
    NO_GUESS,
    OPEN,
    SCAN_AT,
    SCANNED,
    UNLIMITED,
    Array,
    Int,
)
from entropeg.search.exact.entries import fetch, probe, store
from entropeg.search.exact.scans import few, part_bound, size_bound

NEAR = 256
"""Sets of up to so many codes get a table of the labels among themselves."""


@allocating_inner
def among(desk: Array, offset: Int, n: Int) -> Any:
    """Which codes of a set have which label against which of them as a guess: bits, uint64[n, words, rows].

    Bit j of the words of row e of code i: the label of code j against guess i is e. ``rows`` is the number of labels
    rounded up to 8. Codes that are no legal guesses get label 0 everywhere, which cuts nothing. Empty beyond `NEAR`.
    """
    if n > NEAR:
        return np.empty(0, np.uint64)
    stack, by_guess, guess_of_secret = views.stack(desk), views.by_guess(desk), views.guess_of_secret(desk)
    rows = (desk[LABELS] + 7) // 8 * 8
    words = (n + 63) // 64
    bits = np.zeros(n * words * rows, np.uint64)
    for i in range(n):
        g = guess_of_secret[stack[offset + i]]
        own = bits[i * words * rows : (i + 1) * words * rows]
        row = by_guess[max(g, 0)]
        for j in range(n):
            e = np.int64(row[stack[offset + j]]) if g >= 0 else 0
            own[(j >> 6) * rows + e] |= np.uint64(1) << np.uint64(j & 63)
    return bits


@inner
def _members(desk: Array, bits: Array, n: Int, spots: Array, begin: Int, x: Int) -> Any:
    """Most parts that a code of a part makes as a guess on the part.

    ``bits`` of ``among`` the ``n`` codes of the set; ``spots[begin:begin + x]``: where those of the part stand in it.
    """
    members = views.members(desk)
    words = (n + 63) // 64
    groups = (desk[LABELS] + 7) // 8
    for w in range(words):
        members[w] = np.uint64(0)
    for i in range(x):
        at = spots[begin + i]
        members[at >> 6] |= np.uint64(1) << np.uint64(at & 63)
    most: Int = 0
    table = np.int64(bits.ctypes.data)
    for i in range(x):
        most = max(most, met(table + spots[begin + i] * words * groups * 64, desk[MEMBERS_AT], words, groups))
        if most == x:
            break
    return most


@inner
def _far_members(desk: Array, offset: Int, x: Int) -> Any:
    """As ``_members``, for sets without a table; ``members`` stands for labels here."""
    members = views.members(desk)
    stack, by_guess, guess_of_secret = views.stack(desk), views.by_guess(desk), views.guess_of_secret(desk)
    most: Int = 0
    for i in range(x):
        g = guess_of_secret[stack[offset + i]]
        if g < 0:
            continue
        row = by_guess[g]
        members[:] = np.uint64(0)
        parts: Int = x
        for j in range(x):
            e = row[stack[offset + j]]
            bit = np.uint64(1) << np.uint64(e & 63)
            if members[e >> 6] & bit:
                parts -= 1
            members[e >> 6] |= bit
        most = max(most, parts)
    return most


@inner
def ahead(desk: Array, offsets: Array, n: Int, column: Int) -> Any:
    """Ask for the labels of the next guess: they lie pages apart, and come while the bounds of this one are made."""
    first = desk[SCAN_AT] + column
    for i in range(n):
        prefetch(first + offsets[i])


@inner
def split(
    desk: Array,
    offset: Int,
    n: Int,
    top: Int,
    column: Int,
    depth: Int,
    best: Int,
    own: Int,
    other: Int,
    offsets: Array,
    spots: Array,
) -> Any:
    """Cut a set by a guess into parts at ``top`` of the stack; the size bound of the guess, or early one >= ``best``.

    ``offsets[i] + column``: where the label of the guess against code i stands in ``scan``. Fills ``count``,
    ``start``, ``hashes`` of ``depth``, and ``spots`` with the places in the set of the codes from ``top`` on;
    nothing but ``count`` if the bound is not below ``best``.
    """
    m = desk[LABELS]
    stack, label, zobrist, scan = views.stack(desk), views.label(desk), views.zobrist(desk), views.scan(desk)
    count = views.count(desk)[depth]
    for e in range(m):
        count[e] = 0
    for i in range(n):
        e = scan[offsets[i] + column]
        label[i] = e
        count[e] += 1
    total = n
    for e in range(m - 1):
        x = count[e]
        if x == n:
            return INF
        if x:
            total += size_bound(x, own, other)
    if total >= best:
        return total
    start, mixed = views.start(desk)[depth], views.hashes(desk)[depth]
    at = top
    for e in range(m):
        start[e] = at
        at += count[e]
        mixed[e] = np.uint64(0)
    for i in range(n):
        e = label[i]
        s = stack[offset + i]
        at = start[e]
        stack[at] = s
        spots[at - top] = i
        start[e] = at + 1
        mixed[e] ^= zobrist[s]
    for e in range(m):
        start[e] -= count[e]
        if count[e] > 2:
            fetch(desk, mixed[e])
    return total


@inner
def quick(
    desk: Array,
    depth: Int,
    total: Int,
    best: Int,
    d: Int,
    n: Int,
    top: Int,
    own: Int,
    other: Int,
    bits: Array,
    spots: Array,
) -> Any:
    """Pass A: bounds of the parts that cost next to nothing; the new bound of the guess.

    Sizes 1 and 2 cost 1 and 3. Up to m codes, a possible code that splits the set completely makes 2n - 1. If
    none does, the total is at least 2n: of all guesses only that one settles a code at once and the others by
    the next guess. It is 2n if a possible code leaves n - 1 parts, one of them a pair (needs three guesses).
    """
    m = desk[LABELS]
    count, start = views.count(desk)[depth], views.start(desk)[depth]
    low, state, mixed = views.low(desk)[depth], views.state(desk)[depth], views.hashes(desk)[depth]
    for e in range(m - 1):
        x = count[e]
        low[e] = size_bound(x, own, other)
        state[e] = EXACT if x <= 2 else OPEN
        if x > views.capacity(desk)[d]:
            return INF
    for e in range(m - 1):
        x = count[e]
        if x <= 2:
            continue
        old = low[e]
        if x <= own + 1:
            if bits.shape[0]:
                most = _members(desk, bits, n, spots, start[e] - top, x)
            else:
                most = _far_members(desk, start[e], x)
            if most == x:
                state[e] = EXACT
            else:
                low[e] = max(low[e], 2 * x)
                if most == x - 1 and d > 2:
                    state[e] = EXACT
                elif d == 2 and desk[CONSISTENT]:
                    low[e] = INF
                    state[e] = EXACT
        if state[e] == OPEN:
            found = probe(views.table(desk), mixed[e] ^ views.zobrist_limit(desk)[d if d < x else UNLIMITED], x)
            if found >= 0:
                views.nodes(desk)[3] += 1
                low[e] = max(low[e], found >> 22)
                state[e] = found & 3
        total += low[e] - old
        if total >= best:
            return total
    return total


@inner
def _choose(desk: Array, depth: Int, m: Int, slack: Int) -> Any:
    """The part to bound next: the smallest expected to close the gap, else the one of best gain per code.

    Parts that are not `few` codes come last, smallest first; -1 when none is left.
    """
    count, state, gain = views.count(desk)[depth], views.state(desk)[depth], views.gain(desk)
    chosen, chosen_size = -1, 1 << 40
    ratio, other = -1.0, -1
    large, large_size = -1, 1 << 40
    for e in range(m - 1):
        x = count[e]
        if x <= 2 or state[e] != OPEN:
            continue
        if not few(desk, x):
            if x < large_size:
                large, large_size = e, x
            continue
        mean = gain[0, x] / gain[1, x]
        if mean >= slack and x < chosen_size:
            chosen, chosen_size = e, x
        if mean / x > ratio:
            ratio, other = mean / x, e
    if chosen >= 0:
        return chosen
    return other if other >= 0 else large


@inner
def bounded(desk: Array, depth: Int, total: Int, best: Int, d: Int) -> Any:
    """Pass B: part-count and size bounds of the parts still open, in the order that promises to prune soonest."""
    m = desk[LABELS]
    count, start = views.count(desk)[depth], views.start(desk)[depth]
    low, state, mixed = views.low(desk)[depth], views.state(desk)[depth], views.hashes(desk)[depth]
    gain = views.gain(desk)
    while total < best:
        e = _choose(desk, depth, m, best - total)
        if e < 0:
            break
        x = count[e]
        bound, exact = part_bound(desk, start[e], x, d)
        if few(desk, x):
            gain[0, x] += max(0, bound - low[e])
            gain[1, x] += 1.0
        state[e] = EXACT if exact else SCANNED
        bound = max(bound, low[e])
        key = mixed[e] ^ views.zobrist_limit(desk)[d if d < x else UNLIMITED]
        store(views.table(desk), key, x, bound, NO_GUESS, np.int64(state[e]))
        total += bound - low[e]
        low[e] = bound
    return total
