"""Lower bounds of a set of codes from one look at all guesses, and the guesses worth trying on it.

Every function says whether what it returns is exact or a bound. ``n`` codes are left, ``m`` labels there are.
"""

# ruff: noqa: C901, PLR0911
# Kernels are written for the compiler, as in `entropeg.kernels`: plain loops, many numbers by position.

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import allocating_inner, inner
from entropeg.kernels.vectors import BLOCK, fold_sizes, part_counter, size_counter
from entropeg.search.exact import desk as views
from entropeg.search.exact.desk import (
    CONSISTENT,
    INF,
    LABELS,
    LOW_AT,
    OFFSETS_AT,
    PARTS_AT,
    PEGS,
    RELABELS,
    SCAN_AT,
    SIZES_AT,
    SMALL,
    SYMBOLS,
    UNLIMITED,
    WORD_BITS,
    Array,
    Int,
)

_parts_of_16, _parts_of_24, _parts_of_32, _parts_of_64, _parts_of_136 = (
    part_counter(size) for size in (2, 3, 4, 8, 17)
)
_sizes_of_14, _sizes_of_20 = size_counter(7), size_counter(10)


@inner
def few(desk: Array, n: Int) -> Any:
    """Whether a set is bounded by its number of parts, which says little where there are few labels."""
    return n <= min(SMALL, 5 * desk[LABELS] - 10)


@inner
def size_bound(n: Int, own: Int, other: Int) -> Any:
    """Least total of ``n`` codes where no guess leaves more than ``own`` other parts if possible, ``other`` if not.

    A possible guess settles 1 code, and with the next guess at most ``own`` more; another none, and then ``other``. So
    many codes are settled by three guesses and more that every code beyond them pays one guess more.
    """
    if n <= 0:
        return 0
    total = min(2 * n - 1 + max(0, n - 1 - own), 2 * n + max(0, n - other))
    settled = max(1 + own, other)
    while n > settled:
        more = min(max(1 + own * settled, other * settled), INF)
        if n <= more or more == settled:
            break
        total += n - more
        settled = more
    return total


@inner
def shape(desk: Array, offset: Int, n: Int) -> Any:
    """(bits of the colors that occur, how many they are); nothing of use on boards of more than 64 colors."""
    stack, presence = views.stack(desk), views.presence(desk)
    bits = np.uint64(0)
    for i in range(n):
        bits |= presence[stack[offset + i]]
    colors = 0
    for c in range(min(desk[SYMBOLS], WORD_BITS)):
        if (bits >> np.uint64(c)) & np.uint64(1):
            colors += 1
    return bits, colors


@allocating_inner
def rename(desk: Array, offset: Int, n: Int, order: Array) -> Any:
    """Fill ``rows`` and ``offsets`` with the rows to scan for a set; the number k of colors they range over.

    Permuting the colors of all codes and guesses changes no label. With the colors that occur named 0 to k-1,
    the secrets are among the first rows, and guesses that differ only in colors that do not occur give the same
    labels: one column for each class is enough. ``order``: int64[symbols], filled with the old color of each
    new one.
    """
    bits, colors = shape(desk, offset, n)
    stack, rows, width, powers = views.stack(desk), views.rows(desk), views.width(desk), views.powers(desk)
    digits, secret_of_number = views.secret_digits(desk), views.secret_of_number(desk)
    offsets = views.offsets(desk)
    full = width.shape[0] - 1
    for c in range(desk[SYMBOLS]):
        order[c] = c
    k = full
    if desk[RELABELS] != 0 and colors < full and width[colors] != width[full]:
        k = colors
        name = np.empty(desk[SYMBOLS], np.int64)
        present = 0
        absent = colors
        for c in range(desk[SYMBOLS]):
            if (bits >> np.uint64(c)) & np.uint64(1):
                name[c] = present
                order[present] = c
                present += 1
            else:
                name[c] = absent
                order[absent] = c
                absent += 1
        for i in range(n):
            s = stack[offset + i]
            number = 0
            for peg in range(desk[PEGS]):
                number += name[digits[s, peg]] * powers[peg]
            rows[i] = secret_of_number[number]
    else:
        for i in range(n):
            rows[i] = stack[offset + i]
    base, stride = views.base(desk)[k], views.stride(desk)[k]
    for i in range(n):
        offsets[i] = base + rows[i] * stride
    return k


@inner
def guess_at(desk: Array, k: Int, column: Int, order: Array) -> Any:
    """The guess of a column, its colors given back their old names."""
    g = views.columns(desk)[k, column]
    if k == views.width(desk).shape[0] - 1:
        return np.int64(g)
    digits, powers = views.guess_digits(desk), views.powers(desk)
    number = 0
    for i in range(desk[PEGS]):
        number += order[digits[g, i]] * powers[i]
    return np.int64(views.guess_of_number(desk)[number])


@inner
def count_parts(desk: Array, k: Int, n: Int) -> Any:
    """Number of parts of every column for the ``n`` rows of ``offsets``, into ``parts``; the largest."""
    width, m = views.width(desk)[k], desk[LABELS]
    scan, rows, parts = desk[SCAN_AT], desk[OFFSETS_AT], desk[PARTS_AT]
    if m <= 16:
        return _parts_of_16(scan, rows, n, width, parts)
    if m <= 24:
        return _parts_of_24(scan, rows, n, width, parts)
    if m <= 32:
        return _parts_of_32(scan, rows, n, width, parts)
    if m <= 64:
        return _parts_of_64(scan, rows, n, width, parts)
    return _parts_of_136(scan, rows, n, width, parts)


@allocating_inner
def fan_out(desk: Array, k: Int, n: Int) -> Any:
    """(most parts beside itself that a possible guess leaves of the rows of ``offsets``, that another does; ``most``).

    No guess leaves more of a subset either, so the first two go into the size bound of the set and of its subsets. (A
    possible guess that is not in the subset settles less than one that is in it.)
    ``parts`` is filled such that ``3 * n - parts[j]`` bounds the total of the guess of column j: its number of parts,
    and 1 more if it is itself possible; ``most`` is the largest entry.
    """
    count_parts(desk, k, n)
    width, rows, parts, place = views.width(desk)[k], views.rows(desk), views.parts(desk), views.place(desk)
    found = np.zeros(n, np.uint8)
    own: Int = 0
    for i in range(n):
        g = views.guess_of_secret(desk)[rows[i]]
        if g >= 0:
            found[i] = parts[place[k, g]]
            own = max(own, np.int64(found[i]) - 1)
            parts[place[k, g]] = 0
    most = np.uint8(0)
    for j in range(width):
        most = max(most, parts[j])
    for i in range(n):
        if found[i]:
            parts[place[k, views.guess_of_secret(desk)[rows[i]]]] = found[i] + 1
    other = np.int64(most)
    return own, other, max(own + 2, other)


@inner
def _most_parts(desk: Array, left: Int, right: Int) -> Any:
    """The largest of ``parts`` in a block of columns."""
    parts = views.parts(desk)
    most = np.uint8(0)
    for j in range(left, right):
        most = max(most, parts[j])
    return np.int64(most)


@inner
def _bound_block(desk: Array, left: Int, n: Int, own: Int, other: Int, limit: Int) -> Any:
    """``sizes`` of the parts of `BLOCK` columns for the rows of ``offsets``, and their size bounds in ``block_low``.

    A part of more than ``limit`` codes makes the bound `INF`.
    """
    m = desk[LABELS]
    column, rows, counts = desk[SCAN_AT] + left, desk[OFFSETS_AT], desk[SIZES_AT]
    if m <= 15:
        _sizes_of_14(column, rows, n, 0, counts)
    else:
        for first in range(0, m - 1, 20):
            _sizes_of_20(column, rows, n, first, counts + first * BLOCK * 4)
    second = max(1 + own, other)
    third = min(max(1 + own * second, other * second), INF)
    fold_sizes(counts, desk[LOW_AT], m - 1, n, own + 1, other, third, min(n, limit), INF)


@inner
def least_size_bound(desk: Array, k: Int, n: Int, limit: Int) -> Any:
    """The least size bound of any column for the rows of ``offsets``.

    Sizes are counted only in blocks where the numbers of parts leave room for less: those of most parts first.
    """
    own, other, most = fan_out(desk, k, n)
    width, low, parts = views.width(desk)[k], views.block_low(desk), views.parts(desk)
    best: Int = INF
    for first in range(2):
        for left in range(0, width, BLOCK):
            right = min(left + BLOCK, width)
            here = _most_parts(desk, left, right)
            if 3 * n - here >= best or (here == most) != (first == 0):
                continue
            _bound_block(desk, left, n, own, other, limit)
            for j in range(right - left):
                best = min(best, max(np.int64(low[j]), 3 * n - np.int64(parts[left + j])))
    return best


@inner
def size_bounds(desk: Array, k: Int, n: Int, own: Int, other: Int, limit: Int, ub: Int) -> Any:
    """Bound of every column into ``column_low``, where below ``ub`` the expected total; the least of them.

    After `fan_out`: where its numbers of parts say that a block has nothing below ``ub``, sizes are not counted.
    """
    m, width = desk[LABELS], views.width(desk)[k]
    low, sizes, expected, parts = views.block_low(desk), views.sizes(desk), views.expected(desk), views.parts(desk)
    column_low, column_expected = views.column_low(desk), views.column_expected(desk)
    best: Int = INF
    for left in range(0, width, BLOCK):
        right = min(left + BLOCK, width)
        counted = 3 * n - _most_parts(desk, left, right) < ub
        if counted:
            _bound_block(desk, left, n, own, other, limit)
        for j in range(right - left):
            bound = 3 * n - np.int64(parts[left + j])
            if counted:
                bound = max(bound, np.int64(low[j]))
            column_low[left + j] = bound
            best = min(best, bound)
            if bound < ub:
                total = np.float64(n)
                for e in range(m - 1):
                    total += expected[sizes[e, j]]
                column_expected[left + j] = total
    return best


@allocating_inner
def _member_bounds(desk: Array, offset: Int, n: Int, limit: Int) -> Any:
    """Size bound of every code of the set as a guess, into ``column_low``; (least bound, most parts)."""
    m = desk[LABELS]
    by_guess, guess_of_secret, expected = views.by_guess(desk), views.guess_of_secret(desk), views.expected(desk)
    stack, column_low, column_expected = views.stack(desk), views.column_low(desk), views.column_expected(desk)
    count = np.empty(m, np.int64)
    best, most = INF, 0
    for i in range(n):
        g = guess_of_secret[stack[offset + i]]
        column_low[i] = INF
        if g < 0:
            continue
        row = by_guess[g]
        count[:] = 0
        for j in range(n):
            count[row[stack[offset + j]]] += 1
        low, guess, parts = n, float(n), 1
        for e in range(m - 1):
            x = count[e]
            if x:
                parts += 1
                low += size_bound(x, m - 1, m - 1)
                guess += expected[x]
                if x > limit:
                    low = INF
        column_low[i] = min(low, INF)
        column_expected[i] = column_low[i] if few(desk, n) else guess
        best = min(best, low)
        most = max(most, parts)
    return best, most


@allocating_inner
def part_bound(desk: Array, offset: Int, n: Int, d: Int) -> Any:
    """(bound, whether it is the exact value) for a set of 3 or more codes with ``d`` guesses left.

    Part-count bound: a guess that leaves K parts, its own included, costs at least 3n - K, minus 1 if it is
    itself possible. Every part but its own costs at least 2 * size - 1, so the total is at least
    n + 2 * (n - [possible]) - (K - [possible]).
    A complete split by a code that is not possible costs exactly 2n; nothing but a complete split by a possible
    one, 2n - 1, is better.
    """
    views.nodes(desk)[2] += 1
    limit = views.capacity(desk)[d - 1 if d < UNLIMITED else d]
    if desk[CONSISTENT]:
        low, most = _member_bounds(desk, offset, n, limit)
        if most == n:
            return 2 * n - 1, True
        if d == 2:
            return INF, True
        return max(low, 3 * n - most - 1), False
    order = np.empty(desk[SYMBOLS], np.int64)
    k = rename(desk, offset, n, order)
    if not few(desk, n):
        return least_size_bound(desk, k, n, limit), False
    most = count_parts(desk, k, n)
    rows, parts, place, guess_of_secret = views.rows(desk), views.parts(desk), views.place(desk), views.guess_of_secret
    own: Int = 0
    for i in range(n):
        g = guess_of_secret(desk)[rows[i]]
        if g >= 0:
            own = max(own, np.int64(parts[place[k, g]]))
    if own == n:
        return 2 * n - 1, True
    if most == n:
        return 2 * n, True
    if d == 2:  # not most + 1: the member's +1 must not pass for a complete split
        return INF, True
    if own == n - 1 and d > 2:
        return 2 * n, True
    return 3 * n - max(most, own + 1), False


# ---------------------------------------------------------------- guesses worth trying


@allocating_inner
def _ranked(score: Array) -> Any:
    """Indexes by ascending score to one part in 4096 of the range, ties in order: a counting sort."""
    size = score.shape[0]
    rank = np.empty(size, np.int64)
    if size == 0:
        return rank
    least, most = score[0], score[0]
    for i in range(size):
        least, most = min(least, score[i]), max(most, score[i])
    factor = 4095.0 / (most - least) if most > least else 0.0
    begin = np.zeros(4097, np.int64)
    cell = np.empty(size, np.int32)
    for i in range(size):
        cell[i] = np.int32((score[i] - least) * factor)
        begin[cell[i] + 1] += 1
    for x in range(4096):
        begin[x + 1] += begin[x]
    for i in range(size):
        rank[begin[cell[i]]] = i
        begin[cell[i]] += 1
    return rank


@allocating_inner
def _below(desk: Array, width: Int, ub: Int) -> Any:
    """(columns with ``column_low`` below ``ub`` by ascending ``column_expected``, their bounds, bound of the rest)."""
    column_low, column_expected = views.column_low(desk), views.column_expected(desk)
    guesses = np.empty(width, np.int32)
    count = 0
    rest: Int = INF
    for j in range(width):
        if column_low[j] < ub:
            guesses[count] = j
            count += 1
        else:
            rest = min(rest, np.int64(column_low[j]))
    rank = _ranked(column_expected[guesses[:count]])
    sorted_guesses = guesses[rank]
    return sorted_guesses, column_low[sorted_guesses], rest


@allocating_inner
def candidates(desk: Array, offset: Int, n: Int, ub: Int, d: Int, order: Array) -> Any:
    """Columns worth trying on a set: (columns, their lower bounds, bound of the set, bound of the rest, k, own, other).

    The last two are what `fan_out` tells of the set.

    ``guess_at(desk, k, column, order)`` is the guess of a column, ``offsets[i] + column`` the place in ``scan`` of its
    label against code i of the set. Those left out cost at least the last bound, which is >= ``ub``. In ascending order
    of the bound where the codes are `few`, else of the expected total.
    """
    limit = views.capacity(desk)[d - 1 if d < UNLIMITED else d]
    if desk[CONSISTENT]:
        low, _ = _member_bounds(desk, offset, n, limit)
        stack, guess_of_secret, offsets = views.stack(desk), views.guess_of_secret(desk), views.offsets(desk)
        full = views.width(desk).shape[0] - 1
        guesses, bounds, rest = _below(desk, n, ub)
        for i in range(guesses.shape[0]):
            guesses[i] = guess_of_secret[stack[offset + guesses[i]]]
        for i in range(n):
            offsets[i] = views.base(desk)[full] + stack[offset + i] * views.stride(desk)[full]
        return guesses, bounds, low, rest, full, desk[LABELS] - 1, desk[LABELS] - 1
    k = rename(desk, offset, n, order)
    width = views.width(desk)[k]
    own, other, most = fan_out(desk, k, n)
    if not few(desk, n):
        low = size_bounds(desk, k, n, own, other, limit, ub)
        guesses, bounds, rest = _below(desk, width, ub)
        return guesses, bounds, low, rest, k, own, other
    parts = views.parts(desk)
    least = min(max(3 * n - ub + 1, 2), 255)  # a guess that leaves everything in one part settles nothing
    chosen = np.empty(width, np.int32)
    count = 0
    highest = np.uint8(0)  # of the rest
    for j in range(width):
        x = parts[j]
        if x >= least:
            chosen[count] = j
            count += 1
        else:
            highest = max(highest, x)
    rest = 3 * n - np.int64(highest) if highest >= 2 else INF
    begin = np.zeros(258, np.int64)
    for i in range(count):
        begin[parts[chosen[i]]] += 1
    at = 0
    for parted in range(257, -1, -1):
        size = begin[parted]
        begin[parted] = at
        at += size
    columns = np.empty(count, np.int32)
    lows = np.empty(count, np.int32)
    for i in range(count):
        x = np.int64(parts[chosen[i]])
        columns[begin[x]] = chosen[i]
        lows[begin[x]] = 3 * n - x
        begin[x] += 1
    return columns, lows, 3 * n - most, rest, k, own, other
