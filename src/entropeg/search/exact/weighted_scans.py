"""Lower bounds under weights of one set for all guesses at once, and of one part by its own codes.

Codes stand in descending order of weight everywhere; weights are whole numbers (int64), so all bounds are exact.

Rank bound: of the codes of a set at most 1 is found by the first guess, m - 1 more by the second, (m - 1)**2 by the
third. At best the heaviest are found first: V(S) >= sum of weight times ``least[rank]``. With the codes cut into levels
of equal weight it is a sum of size bounds: that of all codes of at least this weight, times the step to the next level.

Heads bound, for small sets: of each part of a guess the heaviest code is found by the second guess at best and all
others by the third, so a guess costs at least 3 W(S) - sum of the heads of the parts, and the guess itself, where it is
in S, saves its weight once more. It is attained where the head of each part tells all others of the part apart.
"""

# ruff: noqa: C901, PLR0912, PLR0913, PLR0917 - kernels are written for the compiler

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import inner
from entropeg.kernels.vectors import BLOCK, fold_sizes, head_counter, size_counter

Array = Any
Int = Any

INF = 1 << 60
"""More than any sum of weight times guesses."""
LEVELS = 256
"""Levels of weight that a scan tells apart at most; the weights of a level are rounded down, and the rest bounded."""
FEW_LEVELS = 12
CODES_A_LEVEL = 24
"""Usually they are `FEW_LEVELS`, or one for so many codes: then folding takes no longer than counting."""
FEW_LABELS = 3
"""With so few labels guesses differ by their own weight alone: all levels are told apart."""
TIED = 8
"""So many of the guesses of least heads bound are looked at whether they attain it."""
NEARLY = 64
"""So many guesses are summed up exactly where the vectors hold rounded weights."""

_heads_of_16, _heads_of_32 = head_counter(16), head_counter(32)
_sizes_of_14, _sizes_of_20 = size_counter(7), size_counter(10)


@inner
def rank_bound(codes: Array, weight: Array, least: Array) -> Any:
    """Lower bound of V of a set; its value for one code and two."""
    bound = np.int64(0)
    for i in range(codes.shape[0]):
        bound += weight[codes[i]] * least[i]
    return bound


@inner
def heads_of(row: Array, codes: Array, weight: Array, m: Int) -> Any:
    """Sum of the weights that a guess saves by the heads bound. row: uint8[secrets] labels of the guess."""
    seen, saved = np.uint64(0), np.int64(0)
    for i in range(codes.shape[0]):
        e = row[codes[i]]
        bit = np.uint64(1) << np.uint64(e)
        if not seen & bit:
            seen |= bit
            saved += weight[codes[i]]
            if e == m - 1:
                saved += weight[codes[i]]
    return saved


@inner
def attains(by_guess: Array, guess: Int, codes: Array, guess_of_secret: Array, head: Array, met: Array) -> Any:
    """Tell whether a guess costs no more than its heads bound.

    head: int64[m]; met: uint64[m]: scratch.
    """
    row = by_guess[guess]
    for e in range(head.shape[0]):
        head[e] = -1
        met[e] = 0
    for i in range(codes.shape[0]):
        s = codes[i]
        e = row[s]
        if head[e] < 0:
            head[e] = guess_of_secret[s]
            if head[e] < 0:
                return False
        else:
            bit = np.uint64(1) << np.uint64(by_guess[head[e], s])
            if met[e] & bit:
                return False
            met[e] |= bit
    return True


@inner
def heads(
    by_guess: Array,
    scan: Array,
    base: Int,
    stride: Int,
    width: Int,
    guess_of_secret: Array,
    weight: Array,
    codes: Array,
    m: Int,
    offsets: Array,
    quanta: Array,
    saved: Array,
    tops: Array,
    head: Array,
    met: Array,
) -> Any:
    """Heads bound of every guess for a set; (bound of the set, its guess, whether that attains it, W, shift).

    What guess j costs is at least 3 W - (saved[j] << shift). scan: uint8 labels, that of secret s and guess j at
    base + s * stride + j. m: labels, 32 at most. offsets, quanta: int64[n], int32[n]; saved,
    tops: int32[guesses], int32[blocks], the largest of each block.
    """
    n = codes.shape[0]
    whole = np.int64(0)
    for i in range(n):
        whole += weight[codes[i]]
        offsets[i] = base + codes[i] * stride
    half = m <= 16 and whole < 1 << 16
    shift = 0
    while (whole >> shift) + n >= 1 << 30:
        shift += 1
    for i in range(n):
        quanta[i] = (weight[codes[i]] + (1 << shift) - 1) >> shift
    labels, rows = np.int64(scan.ctypes.data), np.int64(offsets.ctypes.data)
    masses, sums, most_of = np.int64(quanta.ctypes.data), np.int64(saved.ctypes.data), np.int64(tops.ctypes.data)
    if half:
        _heads_of_16(labels, rows, masses, np.int64(n), np.int64(width), sums, most_of)
    else:
        _heads_of_32(labels, rows, masses, np.int64(n), np.int64(width), sums, most_of)
    for i in range(n):
        own = guess_of_secret[codes[i]]
        if own >= 0:
            saved[own] += quanta[i]
            tops[own // BLOCK] = max(tops[own // BLOCK], saved[own])
    most, blocks = np.int32(0), (width + BLOCK - 1) // BLOCK
    for block in range(blocks):
        most = max(most, tops[block])
    # Where weights are rounded, guesses that may save more than the best so far are summed up exactly.
    exact, guess, tries, stop = np.int64(most) << shift, -1, 0, TIED
    if shift:
        exact, stop = np.int64(-1), NEARLY
        for block in range(blocks):
            for j in range(block * BLOCK, min(width, (block + 1) * BLOCK)) if tops[block] == most else range(0):
                if saved[j] == most and exact < 0:
                    exact, guess = heads_of(by_guess[j], codes, weight, m), j
    for block in range(blocks):
        if np.int64(tops[block]) << shift < exact + (shift > 0):
            continue
        for j in range(block * BLOCK, min(width, (block + 1) * BLOCK)):
            if np.int64(saved[j]) << shift < exact + (shift > 0):
                continue
            if tries == stop:
                top = np.int64(most) << shift
                return 3 * whole - top, guess, False, whole, shift
            tries += 1
            if shift:
                mine = heads_of(by_guess[j], codes, weight, m)
                if mine > exact:
                    exact, guess = mine, j
            else:
                guess = j
                if attains(by_guess, j, codes, guess_of_secret, head, met):
                    return 3 * whole - exact, j, True, whole, shift
    reached = shift > 0 and attains(by_guess, guess, codes, guess_of_secret, head, met)
    return 3 * whole - exact, guess, reached, whole, shift


@inner
def members(
    by_guess: Array, codes: Array, guess_of_secret: Array, weight: Array, whole: Int, m: Int, head: Array, met: Array
) -> Any:
    """Bound of a part of few codes by its own codes as guesses: (bound, its guess, whether that attains it).

    A guess from outside leaves at most m - 1 parts.
    """
    n = codes.shape[0]
    outside = np.int64(0)
    for i in range(min(n, m - 1)):
        outside += weight[codes[i]]
    saved: Int = -1
    guess: Int = -1
    for i in range(n):
        g = guess_of_secret[codes[i]]
        if g >= 0:
            mine = heads_of(by_guess[g], codes, weight, m)
            if mine > saved:
                saved, guess = mine, g
    if outside > saved:
        return 3 * whole - outside, guess, False
    return 3 * whole - saved, guess, attains(by_guess, guess, codes, guess_of_secret, head, met)


@inner
def _cut(codes: Array, weight: Array, m: Int, ends: Array) -> Any:
    """Cut a set into levels of weight, and write where each ends; how many they are.

    Of the levels so far, the one of most codes times the range of their weights is cut in the middle of the range.
    """
    n = codes.shape[0]
    most = min(LEVELS, n if m <= FEW_LABELS else max(FEW_LEVELS, n // CODES_A_LEVEL))
    ends[0] = n
    levels = 1
    while levels < most:
        worst, chosen, begin = 0.0, -1, 0
        for level in range(levels):
            end = ends[level]
            gap = np.float64(weight[codes[begin]] - weight[codes[end - 1]]) * (end - begin)
            if gap > worst:
                worst, chosen = gap, level
            begin = end
        if chosen < 0:
            break
        begin, end = ends[chosen - 1] if chosen else 0, ends[chosen]
        middle = (weight[codes[begin]] + weight[codes[end - 1]]) >> 1
        while begin < end:
            at = (begin + end) >> 1
            if weight[codes[at]] > middle:
                begin = at + 1
            else:
                end = at
        for level in range(levels, chosen, -1):
            ends[level] = ends[level - 1]
        ends[chosen] = begin
        levels += 1
    return levels


@inner
def _round_down(
    codes: Array, weight: Array, guess_of_secret: Array, m: Int, ends: Array, low: Array, top: Array
) -> Any:
    """Write into ``low`` what the weights beyond their levels add to every guess.

    Only the guess is found by the first guess, and at most m - 1 codes by the second. low: int64[guesses]; top:
    int64[m] scratch.
    """
    rest, level = np.int64(0), 0
    for e in range(m):
        top[e] = 0
    for i in range(codes.shape[0]):
        level += i == ends[level]
        over = weight[codes[i]] - weight[codes[ends[level] - 1]]
        rest += over
        if over > top[m - 2]:
            place = m - 2
            while place > 0 and top[place - 1] < over:
                top[place] = top[place - 1]
                place -= 1
            top[place] = over
    bound = 3 * rest
    for e in range(m - 1):
        bound -= top[e]
    for j in range(low.shape[0]):
        low[j] = bound
    level = 0
    for i in range(codes.shape[0] if rest else 0):
        level += i == ends[level]
        own = guess_of_secret[codes[i]]
        if own >= 0:
            low[own] -= 2 * (weight[codes[i]] - weight[codes[ends[level] - 1]])


@inner
def ranks(
    scan: Array,
    base: Int,
    stride: Int,
    width: Int,
    guess_of_secret: Array,
    weight: Array,
    codes: Array,
    m: Int,
    guessed: Array,
    ub: Int,
    offsets: Array,
    low: Array,
    score: Array,
    sizes: Array,
    whole_sizes: Array,
    mass: Array,
    folded: Array,
    ends: Array,
    top: Array,
) -> Any:
    """Rank bound ``low[j]`` of every guess for a set, and where below ``ub`` its ``score[j]``; the least bound.

    ``score``: the expected sum, for ordering. guessed: float64[codes + 1], guessed number of guesses for a code of a
    part of that size. low, score: int64, float64[guesses]. sizes, whole_sizes: int32[m + 20, BLOCK]; mass: float64[m,
    BLOCK]; folded: int32[BLOCK]; ends: int64[LEVELS]; top: int64[m]: scratch. A guess that leaves all codes in
    one part gets `INF`.
    """
    n = codes.shape[0]
    levels = _cut(codes, weight, m, ends)
    _round_down(codes, weight, guess_of_secret, m, ends, low, top)
    whole = np.int64(0)
    for i in range(n):
        offsets[i] = base + codes[i] * stride
        whole += weight[codes[i]]
    rows, at = np.int64(offsets.ctypes.data), np.int64(sizes.ctypes.data)
    sums, target = np.int64(whole_sizes.ctypes.data), np.int64(folded.ctypes.data)
    third = 1 + (m - 1) + (m - 1) * (m - 1)
    worst = 1 << 28
    best: Int = INF
    for left in range(0, width, BLOCK):
        column = np.int64(scan.ctypes.data) + left
        stop = min(BLOCK, width - left)
        for j in range(BLOCK):
            score[left + j] = whole
        for e in range(m - 1):
            for j in range(BLOCK):
                whole_sizes[e, j] = 0
        for e in range(m - 1 if ub > 0 else 0):
            for j in range(BLOCK):
                mass[e, j] = 0.0
        begin = np.int64(0)
        for level in range(levels):
            end = ends[level]
            if m <= 15:
                _sizes_of_14(column, rows + 8 * begin, end - begin, np.int64(0), at)
            else:
                for first in range(0, m - 1, 20):
                    _sizes_of_20(column, rows + 8 * begin, end - begin, np.int64(first), at + first * BLOCK * 4)
            least = weight[codes[end - 1]]
            share = 0.5 * np.float64(weight[codes[begin]] + least)
            step = least - (weight[codes[ends[level + 1] - 1]] if level + 1 < levels else 0)
            for e in range(m - 1):
                for j in range(BLOCK):
                    whole_sizes[e, j] += sizes[e, j]
            for e in range(m - 1 if ub > 0 else 0):
                for j in range(BLOCK):
                    mass[e, j] += share * sizes[e, j]
            limit = n - 1 if level == levels - 1 else n
            fold_sizes(
                sums,
                target,
                np.int64(m - 1),
                np.int64(end),
                np.int64(m),
                np.int64(m - 1),
                np.int64(third),
                np.int64(limit),
                np.int64(worst),
            )
            for j in range(BLOCK):
                low[left + j] += step * folded[j]
            begin = end
        for j in range(stop):
            if folded[j] >= worst:
                low[left + j] = INF
            elif low[left + j] < ub:
                total = score[left + j]
                for e in range(m - 1):
                    total += mass[e, j] * guessed[whole_sizes[e, j]]
                score[left + j] = total
            best = min(best, low[left + j])
    return best
