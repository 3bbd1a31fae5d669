"""The family of bounds by counts: every code weighs 1, and the total number of guesses is to be least.

Every function says whether its result is exact or a bound. ``n`` codes are left, ``m`` labels there are.
`search.exact.family` says the purpose of each.
"""

# ruff: noqa: ARG001, C901, PLR0911
# Kernels are written for the compiler, as in `entropeg.kernels`: plain loops. Some kernels of a family leave arguments
# unused that the other needs.

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import inner
from entropeg.kernels.vectors import BLOCK, address, fold_sizes, met, prefetch, size_counter
from entropeg.search.exact.family import Family
from entropeg.search.exact.fields import (
    EXACT,
    INF,
    LITTLE,
    MANY_LABELS,
    NEAR,
    NO_GUESS,
    OPEN,
    SMALL,
    UNLIMITED,
    WORK,
    Int,
)
from entropeg.search.exact.scan import (
    BINS,
    COMPARED,
    SIZED,
    bound_blocks,
    count_columns,
    count_until_split,
    fan_out,
    fan_out_by_runs,
    has_runs,
    list_as_guesses,
    list_in_order,
    most_parts,
    most_parts_by_facts,
    most_parts_by_runs,
    rename,
    rename_alike,
)
from entropeg.search.exact.table import table_of

FEW_MEMBERS = 60
"""Parts of more codes than that are split by none of them where there are many labels."""

TABLE = table_of(2)
_probe = TABLE.probe

_sizes_of_14, _sizes_of_20 = size_counter(7), size_counter(10)


# ---------------------------------------------------------------- bounds


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
def few(memory: Any, n: Int) -> Any:
    """Whether a set is bounded by its number of parts, which says little where there are few labels."""
    return n <= min(SMALL, 5 * memory.labels - 10)


@inner
def floor(memory: Any, offset: Int, n: Int) -> Any:
    """The least that ``n`` codes may cost; the cost itself where they are 1 or 2."""
    return size_bound(n, memory.labels - 1, memory.labels - 1)


@inner
def unit(memory: Any, k: Int, e: Int) -> Any:
    """Unit in which gains of a part are remembered."""
    return 1.0


@inner
def cut_key(memory: Any, k: Int) -> Any:
    """Two guesses with the same parts of two codes and more cost the same if both are possible codes, or neither."""
    return np.uint64(memory.count[k, memory.labels - 1])


@inner
def has_cuts(memory: Any, n: Int) -> Any:
    """Whether guesses that leave the same parts are looked for."""
    return n <= SMALL


@inner
def _bound_block(memory: Any, left: Int, n: Int, own: Int, other: Int, limit: Int) -> Any:
    """``sizes`` of the parts of `BLOCK` columns for the rows of ``offsets``, and their size bounds in ``block_low``.

    A part of more than ``limit`` codes makes the bound `INF`.
    """
    m = memory.labels
    column, rows, counts = address(memory.scan) + left, address(memory.offsets), address(memory.sizes)
    if m <= 15:
        _sizes_of_14(column, rows, n, 0, counts)
    else:
        for first in range(0, m - 1, 20):
            _sizes_of_20(column, rows, n, first, counts + first * BLOCK * 4)
    second = max(1 + own, other)
    third = min(max(1 + own * second, other * second), INF)
    fold_sizes(counts, address(memory.block_low), m - 1, n, own + 1, other, third, min(n, limit), INF)


@inner
def counted(memory: Any, offset: Int, n: Int, behind: Int) -> Any:
    """Bound of a set of many codes by the most parts that a guess leaves."""
    # Facts are counted for parts of first guesses, which have much in common. Elsewhere few codes are looked at sooner.
    if memory.by_letters and not memory.hard and (behind <= 1 or n > COMPARED):
        most = most_parts_by_facts(memory, offset, n, np.int64(behind == 1))
        if most:
            return size_bound(n, most - 2, most)
    k = rename(memory, offset, n, memory.order[memory.order.shape[0] - 1])
    if n <= COMPARED:
        most = count_until_split(memory, k, n, behind)
        return 3 * n - max(most, _most_of_own(memory, k, n) + 1)
    own, other, most = fan_out(memory, k, n, 1, behind)
    return max(3 * n - most, size_bound(n, own, other))


@inner
def _look_at_block(memory: Any, k: Int, n: Int, left: Int, own: Int, other: Int, limit: Int) -> Any:
    """Count the parts and the sizes of a block of columns, and bound these into ``block_low``."""
    count_columns(memory, n, left, left + BLOCK)
    parts, is_own, low = memory.parts, memory.is_own, memory.block_low
    _bound_block(memory, left, n, own, other, limit)
    memory.nodes[WORK] += SIZED * n * BLOCK
    for j in range(BLOCK):
        if left + j >= memory.width[k]:
            parts[left + j] = 0
        elif is_own[left + j]:
            parts[left + j] += 1
        low[j] = max(low[j], 3 * n - np.int64(parts[left + j])) if parts[left + j] else INF


@inner
def _least_size_bound_by_runs(memory: Any, k: Int, n: Int, limit: Int, enough: Int) -> Any:
    """As `least_size_bound`, from the block that promises most on, those that promise less than was found left out."""
    own, other, _, _ = fan_out_by_runs(memory, k, n, np.int64(256))
    first, low, block_bound = bound_blocks(memory, k, n, own, other), memory.block_low, memory.block_bound
    best: Int = min(INF, enough)
    for turn in range(2):
        for left in range(0, memory.width[k], BLOCK):
            if block_bound[left // BLOCK] < best and (left // BLOCK == first) == (turn == 0):
                _look_at_block(memory, k, n, left, own, other, limit)
                for j in range(BLOCK):
                    best = min(best, np.int64(low[j]))
    return best


@inner
def least_size_bound(memory: Any, k: Int, n: Int, limit: Int, behind: Int, enough: Int) -> Any:
    """The least size bound of any column for the rows of ``offsets``, or ``enough`` if that is less.

    Sizes are counted only in blocks where the numbers of parts leave room for less: those of most parts first.
    """
    if has_runs(memory, k):
        return _least_size_bound_by_runs(memory, k, n, limit, enough)
    own, other, most = fan_out(memory, k, n, 1, behind)
    width, low, parts = memory.width[k], memory.block_low, memory.parts
    best: Int = min(INF, enough)
    for first in range(2):
        for left in range(0, width, BLOCK):
            right = min(left + BLOCK, width)
            here = most_parts(memory, left)
            if 3 * n - here >= best or (here == most) != (first == 0):
                continue
            _bound_block(memory, left, n, own, other, limit)
            for j in range(right - left):
                if parts[left + j]:
                    best = min(best, max(np.int64(low[j]), 3 * n - np.int64(parts[left + j])))
    return best


@inner
def size_bounds(memory: Any, k: Int, n: Int, own: Int, other: Int, limit: Int, ub: Int) -> Any:
    """Bound of every column into ``column_low``, where below ``ub`` the expected total; the least of them.

    After `fan_out`: where its numbers of parts say that a block has nothing below ``ub``, sizes are not counted. After
    `fan_out_by_runs`: where the colors say so the block is left out, and its bound is that of all its columns.
    """
    m, width = memory.labels, memory.width[k]
    low, sizes, expected, parts = (
        memory.block_low,
        memory.sizes,
        memory.expected,
        memory.parts,
    )
    column_low, column_expected, by_runs = memory.column_low, memory.column_expected, has_runs(memory, k)
    best: Int = INF
    if by_runs:
        bound_blocks(memory, k, n, own, other)
    for left in range(0, width, BLOCK):
        right = min(left + BLOCK, width)
        if by_runs and memory.block_bound[left // BLOCK] >= ub:
            column_low[left:right] = memory.block_bound[left // BLOCK]
            best = min(best, memory.block_bound[left // BLOCK])
            continue
        counted = by_runs or 3 * n - most_parts(memory, left) < ub
        if by_runs:
            _look_at_block(memory, k, n, left, own, other, limit)
        elif counted:
            _bound_block(memory, left, n, own, other, limit)
        for j in range(right - left):
            bound = 3 * n - np.int64(parts[left + j])
            if counted:
                bound = max(bound, np.int64(low[j]))
            if parts[left + j] == 0:  # it is not allowed
                bound = INF
            column_low[left + j] = bound
            best = min(best, bound)
            if bound < ub:
                total = np.float64(n)
                for e in range(m - 1):
                    total += expected[sizes[e, j]]
                column_expected[left + j] = total
    return best


@inner
def _member_bounds(memory: Any, offset: Int, n: Int, limit: Int) -> Any:
    """Size bound of every code of the set as a guess, into ``column_low``; (least bound, most parts)."""
    m = memory.labels
    by_guess, guess_of_secret, expected = (
        memory.by_guess,
        memory.guess_of_secret,
        memory.expected,
    )
    stack, column_low, column_expected = memory.stack, memory.column_low, memory.column_expected
    count = memory.second_low
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
        column_expected[i] = column_low[i] if few(memory, n) else guess
        best = min(best, low)
        most = max(most, parts)
    return best, most


@inner
def _most_of_own(memory: Any, k: Int, n: Int) -> Any:
    """The largest of ``parts`` of the guesses that are codes of the set; 0 where none is a guess."""
    rows, parts, place, guess_of_secret = memory.rows, memory.parts, memory.place, memory.guess_of_secret
    own: Int = 0
    for i in range(n):
        g = guess_of_secret[rows[i]]
        if g >= 0 and place[k, g] >= 0:
            own = max(own, np.int64(parts[place[k, g]]))
    return own


@inner
def part_bound(memory: Any, offset: Int, n: Int, d: Int, behind: Int, enough: Int) -> Any:
    """(bound, whether it is the exact value, no guess) for a set of 3 or more codes with ``d`` guesses left.

    Part-count bound: a guess that leaves K parts, its own included, costs at least 3n - K, minus 1 if it is
    itself possible. Every part but its own costs at least 2 * size - 1, so the total is at least
    n + 2 * (n - [possible]) - (K - [possible]).
    A complete split by a code that is not possible costs exactly 2n; nothing but a complete split by a possible
    one, 2n - 1, is better.
    """
    limit = memory.capacity[d - 1 if d < UNLIMITED else d]
    if memory.consistent:
        low, most = _member_bounds(memory, offset, n, limit)
        if most == n:
            return 2 * n - 1, True, NO_GUESS
        if d == 2:
            return INF, True, NO_GUESS
        return max(low, 3 * n - most - 1), False, NO_GUESS
    if memory.by_letters and not memory.hard and behind <= 1 and n > LITTLE and few(memory, n):
        most = most_parts_by_facts(memory, offset, n, 0)
        if most > n or (most == n and d > 2):
            return 3 * n - most, True, NO_GUESS
        if most:
            return INF if d == 2 and most < n else 3 * n - most, d == 2 and most < n, NO_GUESS
    if not few(memory, n):
        k = rename_alike(memory, offset, n, memory.order[memory.order.shape[0] - 1])
        return least_size_bound(memory, k, n, limit, behind, enough), False, NO_GUESS
    k = rename_alike(memory, offset, n, memory.order[memory.order.shape[0] - 1])
    own: Int = 0
    if has_runs(memory, k):
        most, is_own = most_parts_by_runs(memory, k, n)
        own = most if is_own else np.int64(0)
        return _by_parts(n, d, own, most)
    if memory.labels > 64:  # then a few members, or a few columns, tell most of the time
        own = _far_members(memory, offset, n)
        if own == n:
            return 2 * n - 1, True, NO_GUESS
        if own == n - 1 and d > 2:
            return 2 * n, True, NO_GUESS
    most = count_until_split(memory, k, n, behind)
    if own and most == n:  # the codes themselves were looked at: none splits the set
        return 2 * n, True, NO_GUESS
    return _by_parts(n, d, max(own, _most_of_own(memory, k, n)), most)


@inner
def _by_parts(n: Int, d: Int, own: Int, most: Int) -> Any:
    """`part_bound` of a set that possible guesses leave in ``own`` parts at most, all guesses in ``most``."""
    if own == n:
        return 2 * n - 1, True, NO_GUESS
    if most == n:
        return 2 * n, True, NO_GUESS
    if d == 2:  # not most + 1: the member's +1 must not pass for a complete split
        return INF, True, NO_GUESS
    if own == n - 1 and d > 2:
        return 2 * n, True, NO_GUESS
    return 3 * n - max(most, own + 1), False, NO_GUESS


# ---------------------------------------------------------------- candidates


@inner
def _look_at_own(memory: Any, k: Int, limit: Int) -> Any:
    """As `look`, where only codes of the set may be guessed."""
    frame = memory.frames[k]
    n, offset, ub = frame.n, frame.offset, frame.ub
    low, _ = _member_bounds(memory, offset, n, limit)
    frame.own = frame.other = memory.labels - 1
    _list_below(memory, frame, n, ub)
    list_as_guesses(memory, frame)
    return low


@inner
def look(memory: Any, k: Int) -> Any:
    """Find the candidates of the set of frame k: those whose bound is below ``UB``; the bound of the set.

    Columns and bounds go to ``candidates`` and ``lows``, by ascending bound where the codes are `few`, else by
    expected total. Those left out cost at least ``REST``, which is >= ``UB``. `scan.guess_at` is the guess of a
    column, ``offsets[i] + column`` the place in ``scan`` of its label against code i of the set.
    """
    frame = memory.frames[k]
    n, offset, ub, d = frame.n, frame.offset, frame.ub, frame.left
    limit = memory.capacity[d - 1 if d < UNLIMITED else d]
    frame.in_order = few(memory, n)
    if memory.consistent:
        return _look_at_own(memory, k, limit)
    if k == 0 and memory.ranked:
        scan = rename(memory, offset, n, memory.order[k])
    else:
        scan = rename_alike(memory, offset, n, memory.order[k])
    width = memory.width[scan]
    if has_runs(memory, scan):
        least = _least_parts(frame) if few(memory, n) else np.int64(256)
        own, other, most, unseen = fan_out_by_runs(memory, scan, n, least)
    else:
        own, other, most = fan_out(memory, scan, n, 1, memory.behind + k)
        unseen = np.int64(0)
    frame.scan, frame.own, frame.other = scan, own, other
    if few(memory, n):
        _list_by_parts(memory, frame, width, unseen)
        return 3 * n - most
    low = size_bounds(memory, scan, n, own, other, limit, ub)
    _list_below(memory, frame, width, ub)
    return low


@inner
def _list_below(memory: Any, frame: Any, width: Int, ub: Int) -> Any:
    """List the columns with ``column_low`` below ``ub`` by ascending ``column_expected``."""
    column_low, chosen = memory.column_low, memory.chosen
    taken = 0
    rest: Int = INF
    for j in range(width):
        if column_low[j] < ub:
            chosen[taken] = j
            taken += 1
        else:
            rest = min(rest, column_low[j])
    frame.rest = rest
    list_in_order(memory, frame, taken, BINS)


@inner
def _least_parts(frame: Any) -> Any:
    """The fewest parts of a guess that may cost less than ``UB``; one that leaves all in one part settles nothing."""
    return min(max(3 * frame.n - frame.ub + 1, 2), 255)


@inner
def _list_by_parts(memory: Any, frame: Any, width: Int, unseen: Int) -> Any:
    """List the columns of enough ``parts`` to cost less than ``UB``, those of most first.

    Those that were not counted have no more than ``unseen``, which is not enough.
    """
    n, first = frame.n, frame.first
    parts, chosen, begin = memory.parts, memory.chosen, memory.begin
    candidates, lows = memory.candidates, memory.lows
    least = _least_parts(frame)
    taken = 0
    highest = np.uint8(unseen)  # of the rest
    for left in range(0, width, BLOCK):
        block = most_parts(memory, left)
        if block < least:
            highest = max(highest, np.uint8(block))
            continue
        for j in range(left, min(left + BLOCK, width)):
            x = parts[j]
            if x >= least:
                chosen[taken] = j
                taken += 1
            else:
                highest = max(highest, x)
    frame.rest = 3 * n - np.int64(highest) if highest >= 2 else INF
    frame.count = taken
    begin[:258] = 0
    for i in range(taken):
        begin[parts[chosen[i]]] += 1
    at = first
    for parted in range(257, -1, -1):
        size = begin[parted]
        begin[parted] = at
        at += size
    for i in range(taken):
        x = np.int64(parts[chosen[i]])
        candidates[begin[x]] = chosen[i]
        lows[begin[x]] = 3 * n - x
        begin[x] += 1


# ---------------------------------------------------------------- one guess


@inner
def cut(memory: Any, k: Int, column: Int) -> Any:
    """Count the parts of a guess on the set of frame k; the size bound of the guess.

    ``held`` and ``column``: where the label of the guess against a code stands in ``scan``. Fills ``label`` and
    ``count``.
    """
    frame, m = memory.frames[k], memory.labels
    n, top, own, other = frame.n, frame.top, frame.own, frame.other
    label, scan, held = memory.label, memory.scan, memory.held
    count = memory.count[k]
    for e in range(m):
        count[e] = 0
    for i in range(n):
        e = scan[held[top + i] + column]
        label[i] = e
        count[e] += 1
    total = n
    for e in range(m - 1):
        x = count[e]
        if x == n:
            return INF
        if x:
            total += size_bound(x, own, other)
    return total


@inner
def ahead(memory: Any, k: Int, column: Int) -> Any:
    """Ask for the labels of the next guess: they lie pages apart."""
    frame, held, first = memory.frames[k], memory.held, address(memory.scan) + column
    for i in range(frame.top, frame.top + frame.n):
        prefetch(first + held[i])


@inner
def among(memory: Any, k: Int) -> Any:
    """Write which codes of the set of frame k have which label against which of them as a guess, behind its tables.

    Bits, uint64[n, words, rows]: bit j of the words of row e of code i: the label of code j against guess i is e.
    ``rows`` is the number of labels rounded up to 8. Codes that are no legal guesses get label 0 everywhere, which cuts
    nothing. Nothing is written beyond `NEAR` codes.
    """
    frame = memory.frames[k]
    n, offset, start = frame.n, frame.offset, frame.tables
    if n > NEAR or memory.labels > MANY_LABELS:
        return
    stack, by_guess, guess_of_secret = memory.stack, memory.by_guess, memory.guess_of_secret
    rows = (memory.labels + 7) // 8 * 8
    words = (n + 63) // 64
    size = n * words * rows
    bits = memory.tables[start : start + size]
    bits[:] = np.uint64(0)
    frame.tables_end = start + size
    for i in range(n):
        g = guess_of_secret[stack[offset + i]]
        own = bits[i * words * rows : (i + 1) * words * rows]
        row = by_guess[max(g, 0)]
        for j in range(n):
            e = np.int64(row[stack[offset + j]]) if g >= 0 else 0
            own[(j >> 6) * rows + e] |= np.uint64(1) << np.uint64(j & 63)


@inner
def _members(memory: Any, table: Int, n: Int, begin: Int, x: Int) -> Any:
    """Most parts that a code of a part makes as a guess on the part, the ``x`` codes at ``begin`` of the stack.

    ``table``: address of what `among` wrote of the ``n`` codes of the set.
    """
    members, spots = memory.members, memory.spots
    words = (n + 63) // 64
    groups = (memory.labels + 7) // 8
    for w in range(words):
        members[w] = np.uint64(0)
    for i in range(x):
        at = spots[begin + i]
        members[at >> 6] |= np.uint64(1) << np.uint64(at & 63)
    most: Int = 0
    for i in range(x):
        most = max(most, met(table + spots[begin + i] * words * groups * 64, address(memory.members), words, groups))
        if most == x:
            break
    return most


@inner
def _far_members(memory: Any, offset: Int, x: Int) -> Any:
    """As ``_members``, for sets without a table, where that is ``x`` or ``x - 1``; else 1, or 0 if none is a guess.

    ``members`` stands for labels here. A code is left at the second label that came before: most are after few codes.
    """
    members = memory.members
    stack, by_guess, guess_of_secret = memory.stack, memory.by_guess, memory.guess_of_secret
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
                if parts < x - 1:
                    parts = 1
                    break
            members[e >> 6] |= bit
        most = max(most, parts)
        if most == x:
            break
    return most


@inner
def quick(memory: Any, k: Int, total: Int, best: Int) -> Any:
    """Bound the parts of the guess under study where it costs next to nothing; the new bound of the guess.

    Sizes 1 and 2 cost 1 and 3. Up to m codes, a possible code that splits the set completely makes 2n - 1. If
    none does, the total is at least 2n: of all guesses only that one settles a code at once and the others by
    the next guess. It is 2n if a possible code leaves n - 1 parts, one of them a pair (needs three guesses).
    """
    m, frame, table = memory.labels, memory.frames[k], memory.table
    n, d, own, other = frame.n, frame.after, frame.own, frame.other
    count, start = memory.count[k], memory.start[k]
    low, state, mixed = memory.low[k], memory.state[k], memory.hashes[k]
    bits = address(memory.tables) + 8 * frame.tables
    for e in range(m - 1):
        x = count[e]
        low[e] = size_bound(x, own, other)
        state[e] = EXACT if x <= 2 else OPEN
        if x > memory.capacity[d]:
            return INF
    for e in range(m - 1):
        x = count[e]
        if x <= 2:
            continue
        old = low[e]
        if x <= own + 1 and m <= MANY_LABELS:
            most = _members(memory, bits, n, start[e], x) if n <= NEAR else _far_members(memory, start[e], x)
            _settle_by_members(memory, k, e, x, most)
        if state[e] == OPEN:
            value, _, known = _probe(table, mixed[e] ^ memory.zobrist_limit[d if d < x else UNLIMITED], x)
            if known != OPEN:
                memory.nodes[3] += 1
                low[e] = max(low[e], value)
                state[e] = known
        total += low[e] - old
        if total >= best:
            return total
    return total


@inner
def _settle_by_members(memory: Any, k: Int, e: Int, x: Int, most: Int) -> Any:
    """Take over into ``low`` and ``state`` the most parts that a code of a part makes of its ``x`` codes."""
    low, state, d = memory.low[k], memory.state[k], memory.frames[k].after
    if most == x:
        state[e] = EXACT
        return
    low[e] = max(low[e], 2 * x)
    if most == x - 1 and d > 2:
        state[e] = EXACT
    elif d == 2 and memory.consistent:
        low[e] = INF
        state[e] = EXACT


@inner
def near(memory: Any, k: Int, total: Int, best: Int) -> Any:
    """As `quick` bounds parts by their own codes, where there are too many labels for a table of them."""
    frame, count, start = memory.frames[k], memory.count[k], memory.start[k]
    low, state = memory.low[k], memory.state[k]
    for e in range(memory.labels - 1):
        x = count[e]
        if x <= 2 or state[e] != OPEN or x > min(frame.own + 1, FEW_MEMBERS):
            continue
        old = low[e]
        _settle_by_members(memory, k, e, x, _far_members(memory, start[e], x))
        total += low[e] - old
        if total >= best:
            break
    return total


FAMILY = Family(
    infinite=INF,
    table=TABLE,
    floor=floor,
    few=few,
    look=look,
    prepare=among,
    cut=cut,
    ahead=ahead,
    cut_key=cut_key,
    has_cuts=has_cuts,
    quick=quick,
    near=near,
    part_bound=part_bound,
    counted=counted,
    unit=unit,
)
