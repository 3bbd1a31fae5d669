"""One look at all guesses for a set: the labels to read, the numbers of parts, and the list of guesses worth trying.

``n`` codes are left, ``m`` labels there are. A column is a guess as the scans see it.
"""

# ruff: noqa: C901
# Kernels are written for the compiler, as in `entropeg.kernels`: plain loops, many numbers by position.

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import inner
from entropeg.kernels.vectors import (
    BLOCK,
    address,
    between,
    count_different,
    largest,
    least_of,
    part_counter,
    size_counter,
    trailing_zeros,
)
from entropeg.search.exact.clues import leave_out
from entropeg.search.exact.fields import WORD_BITS, WORK, Array, Int, fetch_add, fetch_min

_parts_of_16, _parts_of_24, _parts_of_32, _parts_of_64, _parts_of_136, _parts_of_256 = (
    part_counter(size) for size in (2, 3, 4, 8, 17, 32)
)
_sizes_of_14 = size_counter(7)
RUNS = True
"""Whether kernels know of runs; those of the page do not, which searches boards too small for them."""
SIZED = 4
"""Labels of which parts are counted in the time that one takes of which sizes are."""
LOOKS = 8
"""The most guesses that are looked at by themselves, for each word of a set: more take longer than a look at all."""
COMPARED = 80
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
def whole_scan(memory: Any) -> Any:
    """The scan of all guesses, for sets of all colors."""
    return memory.width.shape[0] - 1 - memory.alike_scans


@inner
def _may_change_places(memory: Any, offset: Int, n: Int, one: Int, other: Int) -> Any:
    """Whether two colors may change places in all codes of a set, those that are ``among`` it."""
    stack, digits, powers, among = memory.stack, memory.secret_digits, memory.powers, memory.among
    secret_of_number = memory.secret_of_number
    for i in range(n):
        s = stack[offset + i]
        number = 0
        for peg in range(memory.pegs):
            c = np.int64(digits[s, peg])
            c = other if c == one else (one if c == other else c)
            number += c * powers[peg]
        if not among[secret_of_number[number]]:
            return False
    return True


@inner
def alike(memory: Any, offset: Int, n: Int) -> Any:
    """(bits of the most colors of a set of which any may change places with any, how many they are)."""
    stack, digits, among, found = memory.stack, memory.secret_digits, memory.among, memory.name
    bits, _ = shape(memory, offset, n)
    found[:] = 0
    for i in range(n):
        s = stack[offset + i]
        among[s] = 1
        for peg in range(memory.pegs):
            found[digits[s, peg]] += np.int64(1) << np.int64(7 * peg & 63)  # only colors of equal sums can be alike
    best, most, left = np.uint64(0), 0, bits
    for c in range(memory.symbols):
        if not (left >> np.uint64(c)) & np.uint64(1):
            continue
        group, size = np.uint64(1) << np.uint64(c), 1
        for e in range(c + 1, memory.symbols):
            is_left = (left >> np.uint64(e)) & np.uint64(1)
            if is_left and found[c] == found[e] and _may_change_places(memory, offset, n, c, e):
                group |= np.uint64(1) << np.uint64(e)
                size += 1
        left &= ~group
        if size > most:
            best, most = group, size
    for i in range(n):
        among[stack[offset + i]] = 0
    return best, most


@inner
def rename_alike(memory: Any, offset: Int, n: Int, order: Array) -> Any:
    """As `rename`; of guesses that differ by a permutation of colors that may change places in the set, only one.

    What permutes them takes the set to itself, so that these guesses leave parts that are images of each other. Where
    they are enough they become the last colors, and the guess is that in which they come in order. The codes of the set
    itself that are no such guesses have no column.
    """
    plain = rename(memory, offset, n, order)
    if memory.alike_scans == 0:
        return plain
    group, size = alike(memory, offset, n)
    first, least = whole_scan(memory), memory.symbols - memory.alike_scans
    k = first + size - least
    if size <= least or memory.width[k] >= memory.width[plain]:
        return plain
    memory.nodes[WORK] -= n * (memory.width[plain] - memory.width[k])
    at, name = 0, memory.name
    for is_alike in range(2):
        for c in range(memory.symbols):
            if (group >> np.uint64(c)) & np.uint64(1) == np.uint64(is_alike):
                order[at] = c
                name[c] = at
                at += 1
    stack, digits, powers, rows = memory.stack, memory.secret_digits, memory.powers, memory.rows
    base, stride, offsets = memory.base[k], memory.stride[k], memory.offsets
    for i in range(n):
        s = stack[offset + i]
        number = 0
        for peg in range(memory.pegs):
            number += name[digits[s, peg]] * powers[peg]
        rows[i] = memory.secret_of_number[number]
        offsets[i] = base + rows[i] * stride
    return np.int64(k)


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
    full = whole_scan(memory)
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
    if k == whole_scan(memory):
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
    return _count(memory, address(memory.scan), n, memory.width[k], rows, parts)


@inner
def _count(memory: Any, scan: Int, n: Int, width: Int, rows: Int, parts: Int) -> Any:
    m = memory.labels
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
def _is_so(memory: Any, s: Int, fact: Int) -> Any:
    """Whether a fact holds of a secret: see `_facts`."""
    pegs = memory.pegs
    color, what = fact // (2 + 2 * pegs), fact % (2 + 2 * pegs)
    has = (memory.presence[s] >> np.uint64(color)) & np.uint64(1) != 0
    if what < 2:
        return has == (what == 1)
    is_at = memory.secret_digits[s, (what - 2) % pegs] == color
    return is_at if what < 2 + pegs else has and not is_at


@inner
def _facts(memory: Any, offset: Int, n: Int) -> Any:
    """The three facts that tell most of the words of a set, each of another color: that the fewest secrets share them.

    A fact is ``color * (2 + 2 * pegs)`` plus 0 where no word has the color, 1 where all have it, 2 + peg where all have
    it there, 2 + pegs + peg where all have it and none there. The last comes again where fewer are known; -1: none is.
    """
    stack, presence, digits, with_fact = memory.stack, memory.presence, memory.secret_digits, memory.with_fact
    pegs, at = memory.pegs, memory.fact_bits
    in_all, in_some = ~np.uint64(0), np.uint64(0)
    at[:pegs], at[pegs:] = ~np.uint64(0), np.uint64(0)
    for i in range(n):
        s = stack[offset + i]
        in_all &= presence[s]
        in_some |= presence[s]
        for peg in range(pegs):
            bit = np.uint64(1) << np.uint64(digits[s, peg])
            at[peg] &= bit
            at[pegs + peg] |= bit
    first, second, third = np.int64(-1), np.int64(-1), np.int64(-1)
    for color in range(memory.symbols):
        bit = np.uint64(1) << np.uint64(color)
        fact = color * (2 + 2 * pegs)
        if in_all & bit:
            least = fact + 1
            for peg in range(pegs):
                if at[peg] & bit and with_fact[fact + 2 + peg] < with_fact[least]:
                    least = fact + 2 + peg
                if not at[pegs + peg] & bit and with_fact[fact + 2 + pegs + peg] < with_fact[least]:
                    least = fact + 2 + pegs + peg
            fact = least
        elif in_some & bit:
            continue
        if first < 0 or with_fact[fact] < with_fact[first]:
            first, second, third = fact, first, second
        elif second < 0 or with_fact[fact] < with_fact[second]:
            second, third = fact, second
        elif third < 0 or with_fact[fact] < with_fact[third]:
            third = fact
    second = first if second < 0 else second
    return first, second, second if third < 0 else third


@inner
def _most_with(memory: Any, one: Int, other: Int, is_new: Int) -> Any:
    """Address of the numbers of parts that guesses make of all secrets of two facts, or of less than these say.

    What is not counted yet is where ``is_new``, else no more is asked than that words have a letter or lack it: so few
    pairs are counted wherever they are met. 0 where there is no room; threads have what is counted in common.
    """
    k, with_facts, fact_row = whole_scan(memory), memory.with_facts, memory.fact_row
    room, at = fact_row.shape[0] - 1, 0  # there it stands how many rows are taken
    for _ in range(2):
        larger = max(one, other)
        at = larger * (larger + 1) // 2 + min(one, other)
        if fact_row[at] < 0:
            return address(with_facts[-1 - fact_row[at]])
        plain_one, plain_other = _plain(memory, one), _plain(memory, other)
        if is_new or (one == plain_one and other == plain_other):
            break
        one, other = plain_one, plain_other
    row = fact_row[room]
    if row < with_facts.shape[0]:
        row = fetch_add(fact_row, room, 1)
    if row >= with_facts.shape[0]:
        return np.int64(0)
    base, stride, size, fact_offsets = memory.base[k], memory.stride[k], 0, memory.fact_offsets
    for s in range(memory.presence.shape[0]):
        if _is_so(memory, s, one) and _is_so(memory, s, other):
            fact_offsets[size] = base + s * stride
            size += 1
    _count_all(memory, k, size, address(fact_offsets), address(with_facts[row]))
    fetch_min(fact_row, at, -1 - row)  # after the numbers are there
    return address(with_facts[row])


@inner
def _plain(memory: Any, fact: Int) -> Any:
    """What a fact says of its letter alone: that words have it, or lack it."""
    kinds = 2 + 2 * memory.pegs
    return fact - fact % kinds + (fact % kinds > 0)


@inner
def most_parts_by_facts(memory: Any, offset: Int, n: Int, is_new: Int) -> Any:
    """The most parts that a guess leaves of a set of words, one more if it is possible; 0 where too little is counted.

    No guess leaves more parts of a set than of all words of which two facts hold that hold of all its words: that they
    have a letter at a place, have it elsewhere, or lack it. These are counted once for every two facts. On Wordle's
    words 30 to 150 guesses of 12,972 are left then for a part of 60 to 180 words, and are looked at by themselves.
    ``is_new``: what is not counted yet is.
    """
    first, second, third = _facts(memory, offset, n)
    if first < 0:
        return np.int64(0)
    one = _most_with(memory, first, second, is_new)
    if one == 0:
        return np.int64(0)
    two, three = _most_with(memory, first, third, is_new), _most_with(memory, second, third, is_new)
    two, three = two or one, three or one
    stack, by_guess, seen, win = memory.stack, memory.by_guess, memory.second_low, memory.labels - 1
    width, bounds = by_guess.shape[0], address(memory.parts)
    # Guesses come by falling bounds, four numbers at a time: so the best is found before most are looked at.
    least = np.int64(least_of(one, two, three, width, bounds)) + 1
    seen[:] = -1
    best, left_to_look = np.int64(1), LOOKS * n
    while least > best:
        above, least = least, max(best, least - 4)
        for left in range(0, width, BLOCK):
            bits = between(bounds + left, least, above - 1)
            while bits:
                j = left + trailing_zeros(bits)
                bits &= bits - np.uint64(1)
                if j >= width:
                    break
                left_to_look -= 1
                if left_to_look < 0:
                    return np.int64(0)
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
        if g >= 0 and place[k, g] >= 0:
            found[i] = parts[place[k, g]]
            own = max(own, np.int64(found[i]) - 1)
            parts[place[k, g]] = 0
    other = largest(address(memory.parts), width)
    for i in range(n):
        if found[i]:
            parts[place[k, memory.guess_of_secret[rows[i]]]] = found[i] + more
    return own, other, max(own + 2, other)


# ---------------------------------------------------------------- runs of columns of equal colors


@inner
def has_runs(memory: Any, k: Int) -> Any:
    """Whether the columns of a scan lie in runs of equal colors, which are bounded at once."""
    return RUNS and memory.runs[k] > 0 and not memory.hard


@inner
def _bound_runs(memory: Any, k: Int, n: Int) -> Any:
    """Bound the parts that the columns of each run leave of ``n`` rows, into ``run_most``; the largest bound.

    The colors of two codes say the sum of blacks and whites, wherever they stand: so many codes have a sum with all
    guesses of a run, and there are no more parts of them than codes, and than labels of this sum.
    """
    rows, run_rows, run_most, labels_of_sum = memory.rows, memory.run_rows, memory.run_most, memory.labels_of_sum
    base, stride, sizes, low = memory.run_base[k], memory.run_stride[k], memory.sizes, memory.block_low
    for i in range(n):
        run_rows[i] = base + rows[i] * stride
    runs, most = memory.runs[k], np.int64(0)
    for left in range(0, runs, BLOCK):
        _sizes_of_14(address(memory.run_scan) + left, address(run_rows), n, 0, address(sizes))
        low[:] = 0
        for total in range(memory.pegs + 1):
            labels = labels_of_sum[total]
            for j in range(BLOCK):
                low[j] += min(sizes[total, j], labels)
        for j in range(min(BLOCK, runs - left)):
            run_most[left + j] = low[j]
            most = max(most, np.int64(low[j]))
    for j in range(runs, (runs + BLOCK - 1) // BLOCK * BLOCK):
        run_most[j] = 0
    # What a scan was said to look at is more than that.
    memory.nodes[WORK] += n * (SIZED * runs - memory.width[k])
    return most


@inner
def count_columns(memory: Any, n: Int, begin: Int, end: Int) -> Any:
    """Count the parts of some columns, and of all others of their blocks; the largest number."""
    left = begin // BLOCK * BLOCK
    scan, rows, parts = address(memory.scan) + left, address(memory.offsets), address(memory.parts) + left
    memory.nodes[WORK] += n * (end - left)
    return _count(memory, scan, n, end - left, rows, parts)


@inner
def _count_runs(memory: Any, k: Int, n: Int, least: Int, bound: Int) -> Any:
    """Count the parts of the runs of a bound, until one leaves ``least``; the largest number that was found."""
    bounds, most = address(memory.run_most), np.int64(0)
    for left in range(0, memory.runs[k], BLOCK):
        bits = between(bounds + left, bound, bound)
        while bits:
            run = left + trailing_zeros(bits)
            bits &= bits - np.uint64(1)
            ends = memory.run_begin[k]
            most = max(most, np.int64(count_columns(memory, n, np.int64(ends[run]), np.int64(ends[run + 1]))))
            if most >= least:
                return most
    return most


@inner
def parts_of(memory: Any, n: Int, column: Int) -> Any:
    """Number of parts that a column of no more than 64 labels leaves of the rows of ``offsets``."""
    scan, offsets, seen, parts = memory.scan, memory.offsets, np.uint64(0), np.int64(0)
    for i in range(n):
        bit = np.uint64(1) << np.uint64(scan[offsets[i] + column])
        parts += (seen & bit) == 0
        seen |= bit
    return parts


@inner
def most_parts_by_runs(memory: Any, k: Int, n: Int) -> Any:
    """(the most parts that a guess leaves of the rows of ``offsets``, whether one of the codes leaves as many).

    Runs are counted by falling bounds, until none promises more.
    """
    most, bound = np.int64(0), _bound_runs(memory, k, n)
    while bound > most:
        most = max(most, _count_runs(memory, k, n, bound, bound))
        bound -= 1
    place, run_of, run_most, guess_of_secret = memory.place, memory.run_of, memory.run_most, memory.guess_of_secret
    for i in range(n):
        g = guess_of_secret[memory.rows[i]]
        column = place[k, g] if g >= 0 else -1
        if column >= 0 and run_most[run_of[k, column]] >= most and parts_of(memory, n, column) == most:
            return most, True
    return most, False


@inner
def fan_out_by_runs(memory: Any, k: Int, n: Int, least: Int) -> Any:
    """As `fan_out` with 1 ``more``; ``parts`` is right where it is ``least`` or more, elsewhere no more than that.

    (own, other, most, the most parts that a column may leave which was not counted.) ``is_own``: 1 for the columns of
    possible guesses.
    """
    width, rows, parts, place = memory.width[k], memory.rows, memory.parts, memory.place
    guess_of_secret, is_own = memory.guess_of_secret, memory.is_own
    padded = (width + BLOCK - 1) // BLOCK * BLOCK
    parts[:padded] = 0
    is_own[:padded] = 0
    for i in range(n):
        g = guess_of_secret[rows[i]]
        if g >= 0 and place[k, g] >= 0:
            is_own[place[k, g]] = 1
    own, other, bound = np.int64(0), np.int64(0), _bound_runs(memory, k, n)
    while bound > 0 and (bound >= least - 1 or bound > other or bound > own + 1):
        if _count_runs(memory, k, n, np.int64(255), bound):
            for j in range(width, padded):
                parts[j] = 0
            own, other = np.int64(0), np.int64(0)
            for left in range(0, width, BLOCK):
                if most_parts(memory, left) > min(own + 1, other):
                    for j in range(left, left + BLOCK):
                        if is_own[j]:
                            own = max(own, np.int64(parts[j]) - 1)
                        else:
                            other = max(other, np.int64(parts[j]))
        bound -= 1
    for i in range(n):
        g = guess_of_secret[rows[i]]
        if g >= 0 and place[k, g] >= 0 and parts[place[k, g]]:
            parts[place[k, g]] += 1
    return own, other, max(own + 2, other), bound


@inner
def bound_blocks(memory: Any, k: Int, n: Int, own: Int, other: Int) -> Any:
    """Bounds of the totals of each block of columns, after `fan_out_by_runs`, into ``block_bound``; the least block.

    Codes of a sum, c of them with L labels, lie in min(c, L) parts at most, and x codes cost x, and one less for each
    part, and one more for each code beyond what two guesses settle, and three: see `fold_sizes`.
    """
    sums, run_rows, run_most, labels_of_sum = memory.sizes, memory.run_rows, memory.run_most, memory.labels_of_sum
    low, block_bound, begin = memory.block_low, memory.block_bound, memory.run_begin[k]
    runs, width, top = memory.runs[k], memory.width[k], memory.pegs
    two = max(own + 1, other - 1)
    second = max(1 + own, other)
    three = max(1 + own * second, other * second)
    memory.nodes[WORK] += SIZED * n * runs
    for b in range((width + BLOCK - 1) // BLOCK):
        block_bound[b] = 1 << 40
    for left in range(0, runs, BLOCK):
        _sizes_of_14(address(memory.run_scan) + left, address(run_rows), n, 0, address(sums))
        low[:] = n
        for total in range(top + 1):
            labels = np.int64(labels_of_sum[total]) - (total == top)
            most_two, most_three = np.int32(min(labels * two, 1 << 30)), np.int32(min(labels * three, 1 << 30))
            less, own_part, zero = np.int32(labels), np.int32(total == top), np.int32(0)
            for j in range(BLOCK):
                c = max(sums[total, j] - own_part, zero)
                low[j] += 2 * c - min(c, less) + max(c - most_two, zero) + max(c - most_three, zero)
        for j in range(min(BLOCK, runs - left)):
            bound = max(np.int64(low[j]), 3 * n - 1 - np.int64(run_most[left + j]))
            for b in range(begin[left + j] // BLOCK, (begin[left + j + 1] - 1) // BLOCK + 1):
                block_bound[b] = min(block_bound[b], bound)
    best = 0
    for b in range(1, (width + BLOCK - 1) // BLOCK):
        if block_bound[b] < block_bound[best]:
            best = b
    return best


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
    candidates, full = memory.candidates, whole_scan(memory)
    for i in range(first, first + frame.count):
        candidates[i] = guess_of_secret[stack[offset + candidates[i]]]
    frame.scan = full
    spread_out(memory, frame, full)
