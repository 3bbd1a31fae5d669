"""One look at all guesses for a set: the labels to read, the numbers of parts, and the list of guesses worth trying.

``n`` codes are left, ``m`` labels there are. A column is a guess as the scans see it.
"""

# ruff: noqa: C901
# Kernels are written for the compiler, as in `entropeg.kernels`: plain loops, many numbers by position.

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import inner
from entropeg.kernels.vectors import BLOCK, address, all_reach, count_different, largest, part_counter
from entropeg.search.exact.clues import leave_out
from entropeg.search.exact.fields import WORD_BITS, WORK, Array, Int

_parts_of_16, _parts_of_24, _parts_of_32, _parts_of_64, _parts_of_136, _parts_of_256 = (
    part_counter(size) for size in (2, 3, 4, 8, 17, 32)
)
COMPARED = 72
"""The most rows of more than 64 labels of which pairs are compared: less work than a bit for every label."""
BINS = 4096
"""Candidates are sorted into this many parts of the range of the numbers they are sorted by."""


@inner
def shape(memory: Any, offset: Int, n: Int) -> Any:
    """(bits of the colors that occur, how many they are); nothing of use on boards of more than 64 colors."""
    stack, presence = memory.stack, memory.presence
    bits = np.uint64(0)
    for i in range(n):
        bits |= presence[stack[offset + i]]
    colors = 0
    for c in range(min(memory.symbols, WORD_BITS)):
        if (bits >> np.uint64(c)) & np.uint64(1):
            colors += 1
    return bits, colors


@inner
def rename(memory: Any, offset: Int, n: Int, order: Array) -> Any:
    """Fill ``rows`` and ``offsets`` with the rows to scan for a set; the number k of colors they range over.

    Permuting the colors of all codes and guesses changes no label. With the colors that occur named 0 to k-1,
    the secrets are among the first rows, and guesses that differ only in colors that do not occur give the same
    labels: one column for each class is enough. ``order``: int64[symbols], filled with the old color of each
    new one.
    """
    bits, colors = shape(memory, offset, n)
    stack, rows, width, powers = memory.stack, memory.rows, memory.width, memory.powers
    digits, secret_of_number = memory.secret_digits, memory.secret_of_number
    offsets = memory.offsets
    full = width.shape[0] - 1
    for c in range(memory.symbols):
        order[c] = c
    k = full
    if memory.relabels != 0 and colors < full and width[colors] != width[full]:
        k = colors
        name = memory.name
        present = 0
        absent = colors
        for c in range(memory.symbols):
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
            for peg in range(memory.pegs):
                number += name[digits[s, peg]] * powers[peg]
            rows[i] = secret_of_number[number]
    else:
        for i in range(n):
            rows[i] = stack[offset + i]
    base, stride = memory.base[k], memory.stride[k]
    for i in range(n):
        offsets[i] = base + rows[i] * stride
    memory.nodes[WORK] += n * width[k]
    return k


@inner
def guess_at(memory: Any, k: Int, column: Int, order: Array) -> Any:
    """The guess of a column, its colors given back their old names."""
    g = memory.columns[k, column]
    if k == memory.width.shape[0] - 1:
        return np.int64(g)
    digits, powers = memory.guess_digits, memory.powers
    number = 0
    for i in range(memory.pegs):
        number += order[digits[g, i]] * powers[i]
    return np.int64(memory.guess_of_number[number])


@inner
def count_parts(memory: Any, k: Int, n: Int, behind: Int) -> Any:
    """Number of parts of every column for the ``n`` rows of ``offsets``, into ``parts``; the largest.

    Where guesses must use every clue, those that do not with the guesses ``behind`` have none.
    """
    most = _count_all(memory, k, n, address(memory.offsets), address(memory.parts))
    if memory.hard:
        width = memory.width[k]
        leave_out(memory, behind, width)
        return largest(address(memory.parts), width)
    return most


@inner
def count_until_split(memory: Any, k: Int, n: Int, behind: Int) -> Any:
    """The largest number of parts as `count_parts` has it, and that of each column where it may be the largest.

    Of the others some smaller number. No more is counted where some column leaves each row in a part of its own.
    """
    if memory.labels <= 64 or n > COMPARED or memory.hard:
        return np.int64(count_parts(memory, k, n, behind))
    width, scan, rows, parts = memory.width[k], address(memory.scan), address(memory.offsets), address(memory.parts)
    most = np.int64(0)
    for left in range(0, width, BLOCK):
        most = max(most, count_different(scan + left, rows, n, np.int64(BLOCK), parts + left, most))
        if most == n:
            break
    return most


@inner
def _count_all(memory: Any, k: Int, n: Int, rows: Int, parts: Int) -> Any:
    """As `count_parts`; ``rows``, ``parts``: addresses of the offsets and of what is counted."""
    width, m, scan = memory.width[k], memory.labels, address(memory.scan)
    if m <= 16:
        return _parts_of_16(scan, rows, n, width, parts)
    if m <= 24:
        return _parts_of_24(scan, rows, n, width, parts)
    if m <= 32:
        return _parts_of_32(scan, rows, n, width, parts)
    if m <= 64:
        return _parts_of_64(scan, rows, n, width, parts)
    if n <= COMPARED:
        return count_different(scan, rows, n, width, parts, np.int64(0))
    if m <= 136:
        return _parts_of_136(scan, rows, n, width, parts)
    return _parts_of_256(scan, rows, n, width, parts)


@inner
def _letters(memory: Any, offset: Int, n: Int) -> Any:
    """The three letters that tell most of the words of a set, ``2 * color + 1`` where all have it, else where none has.

    Those that the fewest secrets of the board have, or lack. The last comes again where fewer are known; -1: none is.
    """
    stack, presence, with_letter = memory.stack, memory.presence, memory.with_letter
    in_all, in_some = ~np.uint64(0), np.uint64(0)
    for i in range(n):
        bits = presence[stack[offset + i]]
        in_all &= bits
        in_some |= bits
    first, second, third = np.int64(-1), np.int64(-1), np.int64(-1)
    for color in range(memory.symbols):
        has = np.int64((in_all >> np.uint64(color)) & np.uint64(1))
        if not has and (in_some >> np.uint64(color)) & np.uint64(1):
            continue
        letter = 2 * color + has
        if first < 0 or with_letter[letter] < with_letter[first]:
            first, second, third = letter, first, second
        elif second < 0 or with_letter[letter] < with_letter[second]:
            second, third = letter, second
        elif third < 0 or with_letter[letter] < with_letter[third]:
            third = letter
    second = first if second < 0 else second
    return first, second, second if third < 0 else third


@inner
def _most_with(memory: Any, one: Int, other: Int) -> Any:
    """Address of the numbers of parts that guesses make of all secrets with two letters, counted where not known."""
    k, presence, letter_rows = memory.width.shape[0] - 1, memory.presence, memory.letter_rows
    larger = max(one, other)
    at = larger * (larger + 1) // 2 + min(one, other)
    if not memory.is_counted[at]:
        base, stride, n = memory.base[k], memory.stride[k], 0
        for s in range(presence.shape[0]):
            bits = presence[s]
            has_one = np.int64((bits >> np.uint64(one >> 1)) & np.uint64(1)) == (one & 1)
            if has_one and np.int64((bits >> np.uint64(other >> 1)) & np.uint64(1)) == (other & 1):
                letter_rows[n] = base + s * stride
                n += 1
        _count_all(memory, k, n, address(letter_rows), address(memory.with_letters[at]))
        memory.is_counted[at] = 1
    return address(memory.with_letters[at])


@inner
def most_parts_by_letters(memory: Any, offset: Int, n: Int) -> Any:
    """The most parts that a guess leaves of a set of words, one more if it is possible; 0 where no letters are known.

    No guess leaves more parts of a set than of all words with letters that all its words have, or without letters that
    none has. These are counted once for two letters each. On Wordle's words one guess in thirty is left then for parts
    of openings of more than 60 words, and is looked at by itself.
    """
    first, second, third = _letters(memory, offset, n)
    if first < 0:
        return 0
    one, two = _most_with(memory, first, second), _most_with(memory, first, third)
    three = _most_with(memory, second, third)
    stack, by_guess, seen, win = memory.stack, memory.by_guess, memory.second_low, memory.labels - 1
    seen[:] = -1
    best: Int = 1
    width = by_guess.shape[0]
    # Guesses come by falling bounds, four numbers at a time: so the best is found before most are looked at.
    least: Int = 256
    while least > best:
        above, least = least, max(best, least - 4)
        for left in range(0, width, BLOCK):
            bits = all_reach(one + left, two + left, three + left, least)
            if bits and above < 256:
                bits &= ~all_reach(one + left, two + left, three + left, above)
            if bits == 0:
                continue
            for j in range(left, min(left + BLOCK, width)):
                if not (bits >> np.uint64(j - left)) & np.uint64(1):
                    continue
                row = by_guess[j]
                parts, end = 0, 0
                # It is left where it makes no more than the best even if all other words are in parts of their own.
                while end < n and parts + n - end >= best:
                    begin, end = end, min(end + 16, n)
                    for i in range(begin, end):
                        e = row[stack[offset + i]]
                        parts += seen[e] != j
                        seen[e] = j
                if end == n:
                    best = max(best, parts + (seen[win] == j))
    return best


@inner
def fan_out(memory: Any, k: Int, n: Int, more: Int, behind: Int) -> Any:
    """(most parts beside itself that a possible guess leaves of the rows of ``offsets``, that another does; ``most``).

    No guess leaves more of a subset either, so the first two go into the size bound of the set and of its subsets. (A
    possible guess that is not in the subset settles less than one that is in it.)
    ``parts`` is filled with the number of parts of each column, and ``more`` where the guess is itself possible. With 1
    for that ``3 * n - parts[j]`` bounds the total of the guess, by counts, and ``most`` is the largest entry.
    ``behind``: guesses behind the set.
    """
    count_parts(memory, k, n, behind)
    width, rows, parts, place = memory.width[k], memory.rows, memory.parts, memory.place
    found = memory.own_parts
    for j in range(width, (width + BLOCK - 1) // BLOCK * BLOCK):
        parts[j] = 0
    own: Int = 0
    for i in range(n):
        g = memory.guess_of_secret[rows[i]]
        found[i] = 0
        if g >= 0:
            found[i] = parts[place[k, g]]
            own = max(own, np.int64(found[i]) - 1)
            parts[place[k, g]] = 0
    other = largest(address(memory.parts), width)
    for i in range(n):
        if found[i]:
            parts[place[k, memory.guess_of_secret[rows[i]]]] = found[i] + more
    return own, other, max(own + 2, other)


@inner
def most_parts(memory: Any, left: Int) -> Any:
    """The largest of ``parts`` in the block of columns that begins at ``left``; `fan_out` puts 0 behind the last."""
    return largest(address(memory.parts) + left, np.int64(BLOCK))


@inner
def list_in_order(memory: Any, frame: Any, taken: Int, bins: Int) -> Any:
    """Write the first ``taken`` columns of ``chosen`` and their bounds to the candidates of a frame.

    By ascending ``column_expected``, to one part in ``bins`` of the range, and in order where that is equal.
    """
    chosen, score, low = memory.chosen, memory.column_expected, memory.column_low
    candidates, lows, first = memory.candidates, memory.lows, frame.first
    frame.count = taken
    if taken == 0:
        return
    least, most = score[chosen[0]], score[chosen[0]]
    for i in range(taken):
        least, most = min(least, score[chosen[i]]), max(most, score[chosen[i]])
    factor = (bins - 1.0) / (most - least) if most > least else 0.0
    begin, cell = memory.begin, memory.cell
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
def spread_out(memory: Any, frame: Any, scan: Int) -> Any:
    """Fill ``offsets`` for a set as if no color were renamed."""
    stack, offsets = memory.stack, memory.offsets
    base, stride = memory.base[scan], memory.stride[scan]
    for i in range(frame.n):
        offsets[i] = base + stack[frame.offset + i] * stride


@inner
def list_as_guesses(memory: Any, frame: Any) -> Any:
    """Turn candidates that are codes of the set, by place, into the columns of all guesses."""
    offset, first = frame.offset, frame.first
    stack, guess_of_secret = memory.stack, memory.guess_of_secret
    candidates, full = memory.candidates, memory.width.shape[0] - 1
    for i in range(first, first + frame.count):
        candidates[i] = guess_of_secret[stack[offset + candidates[i]]]
    frame.scan = full
    spread_out(memory, frame, full)
