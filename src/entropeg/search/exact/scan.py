"""One look at all guesses for a set: the labels to read, the numbers of parts, and the list of what is worth trying.

``n`` codes are left, ``m`` labels there are. A column is a guess as the scans see it.
"""

# Kernels are written for the compiler, as in `entropeg.kernels`: plain loops, many numbers by position.

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import inner
from entropeg.kernels.vectors import BLOCK, count_different, largest, part_counter
from entropeg.search.exact import fields
from entropeg.search.exact.clues import leave_out
from entropeg.search.exact.fields import (
    COUNT,
    FIRST,
    HARD,
    LABELS,
    OFFSET,
    OFFSETS_AT,
    PARTS_AT,
    PEGS,
    RELABELS,
    SCAN,
    SCAN_AT,
    SYMBOLS,
    WORD_BITS,
    Array,
    Int,
    N,
)

_parts_of_16, _parts_of_24, _parts_of_32, _parts_of_64, _parts_of_136, _parts_of_256 = (
    part_counter(size) for size in (2, 3, 4, 8, 17, 32)
)
CHUNK = 512
"""Columns after which is looked whether enough is known."""
COMPARED = 72
"""To so many rows of more than 64 labels, pairs of rows are compared: less work than a bit for every label."""
BINS = 4096
"""Candidates are sorted to one part in so many of the range of what they are sorted by."""


@inner
def shape(memory: Array, offset: Int, n: Int) -> Any:
    """(bits of the colors that occur, how many they are); nothing of use on boards of more than 64 colors."""
    stack, presence = fields.stack(memory), fields.presence(memory)
    bits = np.uint64(0)
    for i in range(n):
        bits |= presence[stack[offset + i]]
    colors = 0
    for c in range(min(memory[SYMBOLS], WORD_BITS)):
        if (bits >> np.uint64(c)) & np.uint64(1):
            colors += 1
    return bits, colors


@inner
def rename(memory: Array, offset: Int, n: Int, order: Array) -> Any:
    """Fill ``rows`` and ``offsets`` with the rows to scan for a set; the number k of colors they range over.

    Permuting the colors of all codes and guesses changes no label. With the colors that occur named 0 to k-1,
    the secrets are among the first rows, and guesses that differ only in colors that do not occur give the same
    labels: one column for each class is enough. ``order``: int64[symbols], filled with the old color of each
    new one.
    """
    bits, colors = shape(memory, offset, n)
    stack, rows, width, powers = fields.stack(memory), fields.rows(memory), fields.width(memory), fields.powers(memory)
    digits, secret_of_number = fields.secret_digits(memory), fields.secret_of_number(memory)
    offsets = fields.offsets(memory)
    full = width.shape[0] - 1
    for c in range(memory[SYMBOLS]):
        order[c] = c
    k = full
    if memory[RELABELS] != 0 and colors < full and width[colors] != width[full]:
        k = colors
        name = fields.name(memory)
        present = 0
        absent = colors
        for c in range(memory[SYMBOLS]):
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
            for peg in range(memory[PEGS]):
                number += name[digits[s, peg]] * powers[peg]
            rows[i] = secret_of_number[number]
    else:
        for i in range(n):
            rows[i] = stack[offset + i]
    base, stride = fields.base(memory)[k], fields.stride(memory)[k]
    for i in range(n):
        offsets[i] = base + rows[i] * stride
    return k


@inner
def guess_at(memory: Array, k: Int, column: Int, order: Array) -> Any:
    """The guess of a column, its colors given back their old names."""
    g = fields.columns(memory)[k, column]
    if k == fields.width(memory).shape[0] - 1:
        return np.int64(g)
    digits, powers = fields.guess_digits(memory), fields.powers(memory)
    number = 0
    for i in range(memory[PEGS]):
        number += order[digits[g, i]] * powers[i]
    return np.int64(fields.guess_of_number(memory)[number])


@inner
def count_parts(memory: Array, k: Int, n: Int, behind: Int) -> Any:
    """Number of parts of every column for the ``n`` rows of ``offsets``, into ``parts``; the largest.

    Where guesses must use every clue, those that do not with so many guesses ``behind`` have none.
    """
    most = _count_all(memory, k, n)
    if memory[HARD]:
        width = fields.width(memory)[k]
        leave_out(memory, behind, width)
        return largest(memory[PARTS_AT], width)
    return most


@inner
def count_until_split(memory: Array, k: Int, n: Int, behind: Int) -> Any:
    """As `count_parts`, but no more is counted where some column leaves each of the rows in a part of its own."""
    if memory[LABELS] <= 64 or n > COMPARED or memory[HARD]:
        return np.int64(count_parts(memory, k, n, behind))
    width, scan, rows, parts = fields.width(memory)[k], memory[SCAN_AT], memory[OFFSETS_AT], memory[PARTS_AT]
    most = np.int64(0)
    for left in range(0, width, CHUNK):
        most = max(most, count_different(scan + left, rows, n, min(np.int64(CHUNK), width - left), parts + left))
        if most == n:
            break
    return most


@inner
def _count_all(memory: Array, k: Int, n: Int) -> Any:
    width, m = fields.width(memory)[k], memory[LABELS]
    scan, rows, parts = memory[SCAN_AT], memory[OFFSETS_AT], memory[PARTS_AT]
    if m <= 16:
        return _parts_of_16(scan, rows, n, width, parts)
    if m <= 24:
        return _parts_of_24(scan, rows, n, width, parts)
    if m <= 32:
        return _parts_of_32(scan, rows, n, width, parts)
    if m <= 64:
        return _parts_of_64(scan, rows, n, width, parts)
    if n <= COMPARED:
        return count_different(scan, rows, n, width, parts)
    if m <= 136:
        return _parts_of_136(scan, rows, n, width, parts)
    return _parts_of_256(scan, rows, n, width, parts)


@inner
def fan_out(memory: Array, k: Int, n: Int, more: Int, behind: Int) -> Any:
    """(most parts beside itself that a possible guess leaves of the rows of ``offsets``, that another does; ``most``).

    No guess leaves more of a subset either, so the first two go into the size bound of the set and of its subsets. (A
    possible guess that is not in the subset settles less than one that is in it.)
    ``parts`` is filled with the number of parts of each column, and ``more`` where the guess is itself possible. With 1
    for that ``3 * n - parts[j]`` bounds the total of the guess, by counts, and ``most`` is the largest entry.
    ``behind``: guesses behind the set.
    """
    count_parts(memory, k, n, behind)
    width, rows, parts, place = fields.width(memory)[k], fields.rows(memory), fields.parts(memory), fields.place(memory)
    found = fields.own_parts(memory)
    for j in range(width, (width + BLOCK - 1) // BLOCK * BLOCK):
        parts[j] = 0
    own: Int = 0
    for i in range(n):
        g = fields.guess_of_secret(memory)[rows[i]]
        found[i] = 0
        if g >= 0:
            found[i] = parts[place[k, g]]
            own = max(own, np.int64(found[i]) - 1)
            parts[place[k, g]] = 0
    other = largest(memory[PARTS_AT], width)
    for i in range(n):
        if found[i]:
            parts[place[k, fields.guess_of_secret(memory)[rows[i]]]] = found[i] + more
    return own, other, max(own + 2, other)


@inner
def most_parts(memory: Array, left: Int) -> Any:
    """The largest of ``parts`` in the block of columns that begins at ``left``; `fan_out` puts 0 behind the last."""
    return largest(memory[PARTS_AT] + left, np.int64(BLOCK))


@inner
def list_in_order(memory: Array, frame: Array, taken: Int, bins: Int) -> Any:
    """Write the first ``taken`` columns of ``chosen`` and their bounds to the candidates of a frame.

    By ascending ``column_expected``, to one part in ``bins`` of the range, and in order where that is equal.
    """
    chosen, score, low = fields.chosen(memory), fields.column_expected(memory), fields.column_low(memory)
    candidates, lows, first = fields.candidates(memory), fields.lows(memory), frame[FIRST]
    frame[COUNT] = taken
    if taken == 0:
        return
    least, most = score[chosen[0]], score[chosen[0]]
    for i in range(taken):
        least, most = min(least, score[chosen[i]]), max(most, score[chosen[i]])
    factor = (bins - 1.0) / (most - least) if most > least else 0.0
    begin, cell = fields.begin(memory), fields.cell(memory)
    for x in range(bins + 1):
        begin[x] = 0
    for i in range(taken):
        cell[i] = np.int32((score[chosen[i]] - least) * factor)
        begin[cell[i] + 1] += 1
    for x in range(bins):
        begin[x + 1] += begin[x]
    for i in range(taken):
        place = first + begin[cell[i]]
        begin[cell[i]] += 1
        candidates[place], lows[place] = chosen[i], low[chosen[i]]


@inner
def spread_out(memory: Array, frame: Array, scan: Int) -> Any:
    """Fill ``offsets`` for a set as if no color were renamed."""
    stack, offsets = fields.stack(memory), fields.offsets(memory)
    base, stride = fields.base(memory)[scan], fields.stride(memory)[scan]
    for i in range(frame[N]):
        offsets[i] = base + stack[frame[OFFSET] + i] * stride


@inner
def list_as_guesses(memory: Array, frame: Array) -> Any:
    """Turn candidates that are codes of the set, by place, into the columns of all guesses."""
    offset, first = frame[OFFSET], frame[FIRST]
    stack, guess_of_secret = fields.stack(memory), fields.guess_of_secret(memory)
    candidates, full = fields.candidates(memory), fields.width(memory).shape[0] - 1
    for i in range(first, first + frame[COUNT]):
        candidates[i] = guess_of_secret[stack[offset + candidates[i]]]
    frame[SCAN] = full
    spread_out(memory, frame, full)
