"""The family of bounds under weights: the sum of weight times guesses is to be least.

Weights are whole numbers of at least 1, and codes stand in descending order of weight in every set, so all bounds are
exact numbers. ``W(S)`` is the weight of a set of ``n`` codes, ``m`` labels there are. `search.exact.family` says what
each function is for.

Rank bound: of the codes of a set only so many are found by the first guess, the second and so on. At best the heaviest
are found first: T(S) >= sum of weight times fewest guesses by rank. How many that are is told by the most parts that
guesses make of the set (`scan.fan_out`): a possible first guess settles 1 code and with the next guess ``own`` more,
another none and then ``other``. So two sums are made, and the less is the bound. With codes cut into levels of equal
weight the sum is one of size bounds: that of all codes of at least this weight, times the step to the next level.

Heads bound: of each part of a guess the heaviest code is found by the second guess at best and all others by the third,
so a guess costs at least 3 W(S) - sum of the heads of the parts, and the guess itself, where it is in S, saves its
weight once more. It is attained where the head of each part tells all others of the part apart.

Parts bound: heads are codes of the set, so a guess of K parts saves no more than the K heaviest codes weigh, and once
more its own weight. It is cheap, and where it refutes a block of guesses nothing else is counted.
"""

# ruff: noqa: ARG001, C901, FBT003, PLR0912, PLR0913, PLR0917
# Kernels are written for the compiler, as in `entropeg.kernels`: plain loops, many numbers by position. Some
# kernels of a family leave arguments unused that the other needs.

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import inner
from entropeg.kernels.vectors import BLOCK, address, fold_sizes, head_counter, prefetch, size_counter
from entropeg.search.exact.family import Family
from entropeg.search.exact.fields import EXACT, NO_GUESS, OPEN, SMALL, UNLIMITED, Array, Int
from entropeg.search.exact.scan import (
    BINS,
    count_parts,
    fan_out,
    guess_at,
    list_as_guesses,
    list_in_order,
    most_parts,
    rename,
)
from entropeg.search.exact.table import table_of

INFINITE = 1 << 60
"""More than any sum of weight times guesses."""
MOST_SIZES = 1 << 28
"""More than any size bound of a level."""
MASK = 64
"""As many labels have a bit in the words of the heads bound."""
LARGE = 1 << 24
"""More codes than any set has."""

BLOCK_BITS = BLOCK.bit_length() - 1

TABLE = table_of(4)
_probe = TABLE.probe
_heads_of_16, _heads_of_32, _heads_of_64 = head_counter(16), head_counter(32), head_counter(64)
_sizes_of_14, _sizes_of_20 = size_counter(7), size_counter(10)


# ---------------------------------------------------------------- sets and parts by themselves


@inner
def floor(memory: Any, offset: Int, n: Int) -> Any:
    """Rank bound of a set by the number of labels; its value for one code and two."""
    stack, weight, least = memory.stack, memory.weight, memory.least
    bound = np.int64(0)
    for i in range(n):
        bound += weight[stack[offset + i]] * least[i]
    return bound


@inner
def few(memory: Any, n: Int) -> Any:
    """Whether a set is bounded by the heads of parts, which says little where there are few labels."""
    m = memory.labels
    return m <= MASK and n <= min(SMALL, max(5 * m - 10, m))


@inner
def unit(memory: Any, k: Int, e: Int) -> Any:
    """Weight of a part: gains are remembered as a share of it."""
    return np.float64(memory.mass[k, e])


@inner
def cut_key(memory: Any, k: Int) -> Any:
    """Two guesses with the same parts of two codes and more cost the same if they may win by the same code, or none."""
    win = memory.labels - 1
    return memory.hashes[k, win] if memory.count[k, win] else np.uint64(0)


@inner
def has_cuts(memory: Any, n: Int) -> Any:
    """Guesses that leave the same parts are looked for in all sets: looks are dear."""
    return True


@inner
def whole_of(memory: Any, offset: Int, n: Int) -> Any:
    """The weight of a set."""
    stack, weight = memory.stack, memory.weight
    whole = np.int64(0)
    for i in range(n):
        whole += weight[stack[offset + i]]
    return whole


@inner
def _own_weight(memory: Any, guess: Int, offset: Int, n: Int) -> Any:
    """The weight of a guess as a code of the set, 0 where it is none."""
    stack, weight, row = memory.stack, memory.weight, memory.by_guess[guess]
    for i in range(n):
        if row[stack[offset + i]] == memory.labels - 1:
            return weight[stack[offset + i]]
    return np.int64(0)


@inner
def _saved_by(memory: Any, guess: Int, offset: Int, n: Int, most: Int, least: Int) -> Any:
    """The weights that a guess saves by the heads bound; any number below ``least`` where that is less.

    ``most``: the weight of the set, and once more that of the guess where it is a code of the set. The heaviest codes
    come first, so that too small a bound often shows after a few.
    """
    stack, weight, row = memory.stack, memory.weight, memory.by_guess[guess]
    seen, saved = np.uint64(0), np.int64(most)
    for i in range(n):
        s = stack[offset + i]
        bit = np.uint64(1) << np.uint64(row[s])
        if seen & bit:
            saved -= weight[s]
            if saved < least:
                break
        seen |= bit
    return saved


@inner
def _attains(memory: Any, guess: Int, offset: Int, n: Int) -> Any:
    """Tell whether a guess costs no more than its heads bound."""
    stack, guess_of_secret, by_guess = memory.stack, memory.guess_of_secret, memory.by_guess
    row, head, met = by_guess[guess], memory.head, memory.met
    for e in range(memory.labels):
        head[e] = -1
        met[e] = 0
    for i in range(n):
        s = stack[offset + i]
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
def _by_members(memory: Any, offset: Int, n: Int, whole: Int, most: Int) -> Any:
    """Bound of a set of few codes by its own codes as guesses: (bound, its guess, whether that attains it).

    ``whole``: their weight; ``most``: parts that a guess from outside leaves at most; 0 where none is allowed.
    """
    stack, weight, guess_of_secret = memory.stack, memory.weight, memory.guess_of_secret
    outside = np.int64(0)
    for i in range(min(n, most)):
        outside += weight[stack[offset + i]]
    least, guess = outside, np.int64(NO_GUESS)
    for i in range(n):
        g, w = guess_of_secret[stack[offset + i]], weight[stack[offset + i]]
        if whole + w < least:
            break
        if g >= 0:
            saved = _saved_by(memory, g, offset, n, whole + w, least)
            if saved >= least:
                least, guess = saved + 1, np.int64(g)
    if guess == NO_GUESS:
        return 3 * whole - outside, guess, False
    return 3 * whole - least + 1, guess, _attains(memory, guess, offset, n)


# ---------------------------------------------------------------- a look at all guesses


@inner
def _most_saved(memory: Any, scan: Int, offset: Int, n: Int) -> Any:
    """Write the most that a guess of each block saves by the parts bound to ``caps``; the weight of the set.

    After `fan_out` or `count_parts`. ``own_column`` gets the columns of the codes as guesses, -1 where they are none.
    """
    stack, weight, most_of = memory.stack, memory.weight, memory.most_of
    rows, place, own_column = memory.rows, memory.place[scan], memory.own_column
    guess_of_secret, caps, parts = memory.guess_of_secret, memory.caps, memory.parts
    most_of[0] = 0
    for i in range(n):
        most_of[i + 1] = most_of[i] + weight[stack[offset + i]]
        g = guess_of_secret[rows[i]]
        own_column[i] = place[g] if g >= 0 else -1
    for block in range((memory.width[scan] + BLOCK - 1) // BLOCK):
        caps[block] = most_of[most_parts(memory, block * BLOCK)]
    for i in range(n):
        j = own_column[i]
        if j >= 0:
            block = j >> BLOCK_BITS
            caps[block] = max(caps[block], weight[stack[offset + i]] + most_of[parts[j]])
    return most_of[n]


@inner
def _round_up(memory: Any, offset: Int, n: Int, whole: Int) -> Any:
    """Write weights that fit the vectors of the heads bound to ``quanta``, rounded up; the bits that they lack."""
    stack, weight, quanta = memory.stack, memory.weight, memory.quanta
    shift = 0
    while (whole >> shift) + n >= 1 << 30:
        shift += 1
    for i in range(n):
        quanta[i] = (weight[stack[offset + i]] + (1 << shift) - 1) >> shift
    return shift


@inner
def _count_heads(memory: Any, scan: Int, n: Int, whole: Int, floor: Int, is_least: Int, shift: Int) -> Any:
    """The savings of the guesses of blocks, into ``saved`` and ``tops`` in units of ``shift`` bits; the most of all.

    Only of blocks that may save more than ``floor``; where ``is_least``, also no less than the most of those before
    but for what rounding adds. ``tops`` of the others is -1. The blocks that may save the most come first.
    """
    width, m = memory.width[scan], memory.labels
    saved, tops, caps = memory.saved, memory.tops, memory.caps
    own_column, quanta = memory.own_column, memory.quanta
    blocks, half = (width + BLOCK - 1) // BLOCK, m <= 16 and whole < 1 << 16
    highest, most = np.int64(0), np.int32(-1)
    over = np.int64(n) << shift if shift else np.int64(0)
    for block in range(blocks):
        tops[block] = -1
        highest = max(highest, caps[block])
    for turn in range(2):
        for block in range(blocks):
            cap = caps[block]
            if cap <= floor or (cap == highest) != (turn == 0):
                continue
            if is_least and cap + over < np.int64(most) << shift:
                continue
            column, one = address(memory.scan) + block * BLOCK, np.int64(BLOCK)
            target, top = address(memory.saved) + 4 * BLOCK * block, address(memory.tops) + 4 * block
            if half:
                _heads_of_16(column, address(memory.offsets), address(memory.quanta), np.int64(n), one, target, top)
            elif m <= 32:
                _heads_of_32(column, address(memory.offsets), address(memory.quanta), np.int64(n), one, target, top)
            else:
                _heads_of_64(column, address(memory.offsets), address(memory.quanta), np.int64(n), one, target, top)
            most = max(most, tops[block])
        for i in range(n):
            j = own_column[i]
            block = j >> BLOCK_BITS
            if j >= 0 and tops[block] >= 0 and (caps[block] == highest) == (turn == 0):
                saved[j] += quanta[i]
                tops[block] = max(tops[block], saved[j])
                most = max(most, tops[block])
    return np.int64(most)


@inner
def _forget_left_out(memory: Any, width: Int) -> None:
    """Let guesses that are not allowed save nothing, after `_count_heads`."""
    parts, saved = memory.parts, memory.saved
    for j in range(width):
        if parts[j] == 0:
            saved[j] = -1


@inner
def _best_head(memory: Any, scan: Int, order: Array, offset: Int, n: Int, whole: Int, most: Int, shift: Int) -> Any:
    """(heads bound of a set, its guess, whether that attains it), after `_count_heads`.

    Where weights are rounded, guesses that may save more than the best so far are summed up exactly.
    """
    width, saved, tops = memory.width[scan], memory.saved, memory.tops
    blocks, over = (width + BLOCK - 1) // BLOCK, np.int64(shift > 0)
    exact, guess, tries = most << shift, np.int64(NO_GUESS), 0
    if shift:
        exact = np.int64(-1)
        for block in range(blocks):
            for j in range(block * BLOCK, min(width, (block + 1) * BLOCK)) if tops[block] == most else range(0):
                if saved[j] == most and exact < 0:
                    guess = guess_at(memory, scan, j, order)
                    own = _own_weight(memory, guess, offset, n)
                    exact = _saved_by(memory, guess, offset, n, whole + own, 0)
    for block in range(blocks):
        if np.int64(tops[block]) << shift < exact + over:
            continue
        for j in range(block * BLOCK, min(width, (block + 1) * BLOCK)):
            if np.int64(saved[j]) << shift < exact + over:
                continue
            # Guesses that are looked at whether they attain the bound, or summed up exactly where weights are rounded.
            if tries == (64 if shift else 8):
                return 3 * whole - (most << shift), guess, False
            tries += 1
            mine = guess_at(memory, scan, j, order)
            if not shift:
                if _attains(memory, mine, offset, n):
                    return 3 * whole - exact, mine, True
            else:
                own = _own_weight(memory, mine, offset, n)
                more = _saved_by(memory, mine, offset, n, whole + own, exact)
                if more > exact:
                    exact, guess = more, mine
    is_attained = shift > 0 and guess != NO_GUESS and _attains(memory, guess, offset, n)
    return 3 * whole - exact, guess, is_attained


@inner
def _cut_levels(memory: Any, offset: Int, n: Int) -> Any:
    """Cut a set into levels of weight, and write where each ends; how many they are.

    Of the levels so far, the one of most codes times the range of their weights is cut in the middle of the range.
    """
    stack, weight, ends, m = memory.stack, memory.weight, memory.ends, memory.labels
    # With 3 labels guesses differ by their own weight alone: all levels are told apart. Else so few that folding takes
    # no longer than counting.
    most = min(ends.shape[0], n if m <= 3 else max(12, n // 24))
    ends[0] = n
    levels = 1
    while levels < most:
        worst, chosen, begin = 0.0, -1, 0
        for level in range(levels):
            end = ends[level]
            gap = np.float64(weight[stack[offset + begin]] - weight[stack[offset + end - 1]]) * (end - begin)
            if gap > worst:
                worst, chosen = gap, level
            begin = end
        if chosen < 0:
            break
        begin, end = ends[chosen - 1] if chosen else 0, ends[chosen]
        middle = (weight[stack[offset + begin]] + weight[stack[offset + end - 1]]) >> 1
        while begin < end:
            at = (begin + end) >> 1
            if weight[stack[offset + at]] > middle:
                begin = at + 1
            else:
                end = at
        for level in range(levels, chosen, -1):
            ends[level] = ends[level - 1]
        ends[chosen] = begin
        levels += 1
    return levels


@inner
def _round_down(memory: Any, scan: Int, offset: Int, n: Int) -> Any:
    """Write into ``column_low`` the addition of the weights beyond their levels to every guess.

    Only the guess is found by the first guess, and at most m - 1 codes by the second.
    """
    stack, weight, ends, top = memory.stack, memory.weight, memory.ends, memory.top
    low, rows, place, m = memory.column_low, memory.rows, memory.place, memory.labels
    rest, level = np.int64(0), 0
    for e in range(m):
        top[e] = 0
    for i in range(n):
        level += i == ends[level]
        over = weight[stack[offset + i]] - weight[stack[offset + ends[level] - 1]]
        rest += over
        if over > top[m - 2]:
            at = m - 2
            while at > 0 and top[at - 1] < over:
                top[at] = top[at - 1]
                at -= 1
            top[at] = over
    bound = 3 * rest
    for e in range(m - 1):
        bound -= top[e]
    for j in range(memory.width[scan]):
        low[j] = bound
    level = 0
    for i in range(n if rest else 0):
        level += i == ends[level]
        g = memory.guess_of_secret[rows[i]]
        if g >= 0:
            low[place[scan, g]] -= 2 * (weight[stack[offset + i]] - weight[stack[offset + ends[level] - 1]])


@inner
def _add_level(memory: Any, left: Int, begin: Int, end: Int, own: Int, other: Int, limit: Int, score: Int) -> Any:
    """Add the size bounds of all codes before ``end`` to those of a block, for the step of weight that ends there.

    Into ``block_low``; a part of more than ``limit`` codes makes it `MOST_SIZES`. ``score`` is the weight of the codes
    from ``begin`` to ``end`` that sums for the expected cost take, 0 where none are made.
    """
    m, column, rows, counts = (
        memory.labels,
        address(memory.scan) + left,
        address(memory.offsets) + 8 * begin,
        address(memory.sizes),
    )
    n = np.int64(end - begin)
    if m <= 15:
        _sizes_of_14(column, rows, n, np.int64(0), counts)
    else:
        for first in range(0, m - 1, 20):
            _sizes_of_20(column, rows, n, np.int64(first), counts + first * BLOCK * 4)
    sizes, whole_sizes, sums = memory.sizes, memory.whole_sizes, memory.sums
    for e in range(m - 1):
        for j in range(BLOCK):
            whole_sizes[e, j] += sizes[e, j]
    for e in range(m - 1 if score > 0 else 0):
        for j in range(BLOCK):
            sums[e, j] += score * sizes[e, j]
    second = max(1 + own, other)
    third = min(max(1 + own * second, other * second), LARGE)
    fold_sizes(
        address(memory.whole_sizes), address(memory.block_low), np.int64(m - 1), np.int64(end), np.int64(own + 1),
        np.int64(other), np.int64(third), np.int64(limit), np.int64(MOST_SIZES),
    )  # fmt: skip


@inner
def _rank_block(memory: Any, block: Int, offset: Int, n: Int, levels: Int, frame: Any, limit: Int) -> Any:
    """Rank bounds of a block of columns, added to ``column_low``, and their expected costs where a frame has a bound.

    ``frame``: of it are read own, other, and ub, the bound to undercut.
    """
    stack, weight, ends, m = memory.stack, memory.weight, memory.ends, memory.labels
    low, expected, folded = memory.column_low, memory.column_expected, memory.block_low
    whole_sizes, sums, guessed = memory.whole_sizes, memory.sums, memory.guessed
    left, ub = block * BLOCK, frame.ub
    for e in range(m - 1):
        for j in range(BLOCK):
            whole_sizes[e, j] = 0
            sums[e, j] = 0.0
    begin = np.int64(0)
    for level in range(levels):
        end = ends[level]
        least = weight[stack[offset + end - 1]]
        score = 0.5 * np.float64(weight[stack[offset + begin]] + least) if ub > 0 else 0.0
        step = least - (weight[stack[offset + ends[level + 1] - 1]] if level + 1 < levels else 0)
        most = min(n - 1, limit) if level == levels - 1 else n
        _add_level(memory, left, begin, end, frame.own, frame.other, most, score)
        for j in range(BLOCK):
            low[left + j] += step * folded[j]
        begin = end
    whole = memory.most_of[n]
    for j in range(BLOCK):
        if folded[j] >= MOST_SIZES:
            low[left + j] = INFINITE
        elif low[left + j] < ub:
            total = np.float64(whole)
            for e in range(m - 1):
                total += sums[e, j] * guessed[whole_sizes[e, j]]
            expected[left + j] = total


@inner
def _rank_all(memory: Any, scan: Int, offset: Int, n: Int, frame: Any, limit: Int, is_least: Int) -> Any:
    """Rank bound of every guess into ``column_low``, except in blocks refuted by the parts bound; the least of all.

    ``is_least``: only the least is wanted, so that blocks whose parts bound is no less than it are left out. Otherwise
    blocks are whose parts bound is no less than ``UB``; there ``column_low`` is that.
    """
    width, low, caps = memory.width[scan], memory.column_low, memory.caps
    whole = memory.most_of[n]
    levels = _cut_levels(memory, offset, n)
    _round_down(memory, scan, offset, n)
    highest = np.int64(0)
    blocks = (width + BLOCK - 1) // BLOCK
    for block in range(blocks):
        highest = max(highest, caps[block])
    best = np.int64(INFINITE)
    for turn in range(2):
        for block in range(blocks):
            cap = caps[block]
            bound, right = 3 * whole - cap, min((block + 1) * BLOCK, width)
            if (cap == highest) != (turn == 0):
                continue
            if bound >= (best if is_least else frame.ub):
                for j in range(block * BLOCK, right):
                    low[j] = bound
                best = min(best, bound)
                continue
            _rank_block(memory, block, offset, n, levels, frame, limit)
            for j in range(block * BLOCK, right):
                low[j] = max(low[j], bound)
                best = min(best, low[j])
    return best


# ---------------------------------------------------------------- candidates


@inner
def _look_at_own(memory: Any, k: Int, limit: Int) -> Any:
    """As `look`, where only codes of the set may be guessed."""
    frame = memory.frames[k]
    n, offset, ub, m = frame.n, frame.offset, frame.ub, memory.labels
    stack, weight, least = memory.stack, memory.weight, memory.least
    low, expected, guessed = memory.column_low, memory.column_expected, memory.guessed
    count, mass, chosen = memory.second_low, memory.top, memory.chosen
    whole, best, rest, taken = whole_of(memory, offset, n), np.int64(INFINITE), np.int64(INFINITE), 0
    for i in range(n):
        g = memory.guess_of_secret[stack[offset + i]]
        if g < 0:
            continue
        row = memory.by_guess[g]
        for e in range(m):
            count[e] = mass[e] = 0
        bound, largest = np.int64(whole), 0
        for j in range(n):
            s = stack[offset + j]
            e = row[s]
            bound += 0 if e == m - 1 else weight[s] * least[count[e]]
            count[e] += 1
            mass[e] += weight[s]
            largest = max(largest, count[e])
        if m <= MASK:
            bound = max(bound, 3 * whole - _saved_by(memory, g, offset, n, whole + weight[stack[offset + i]], 0))
        low[i] = INFINITE if largest > limit or largest == n else bound
        best = min(best, low[i])
        if low[i] >= ub:
            rest = min(rest, low[i])
            continue
        expected[i] = np.float64(whole)
        for e in range(m - 1):
            expected[i] += mass[e] * guessed[count[e]]
        chosen[taken] = i
        taken += 1
    frame.own = frame.other = m - 1
    frame.rest = rest
    list_in_order(memory, frame, taken, _bins(taken))
    list_as_guesses(memory, frame)
    return best


@inner
def _bins(taken: Int) -> Any:
    bins = 64
    while bins < min(4 * taken, BINS):
        bins *= 2
    return bins


@inner
def look(memory: Any, k: Int) -> Any:
    """Find the candidates of the set of frame k: those whose bound is below ``UB``; the bound of the set.

    As `count_bounds.look`. Where one attains the bound, ``CHOSEN`` is that guess.
    """
    frame = memory.frames[k]
    n, offset, ub, d = frame.n, frame.offset, frame.ub, frame.left
    limit = memory.capacity[d - 1 if d < UNLIMITED else d]
    frame.in_order = 0
    if memory.consistent:
        return _look_at_own(memory, k, limit)
    order = memory.order[k]
    scan = rename(memory, offset, n, order)
    width, low, expected = memory.width[scan], memory.column_low, memory.column_expected
    own, other, _ = fan_out(memory, scan, n, 0, memory.behind + k)
    frame.scan, frame.own, frame.other = scan, own, other
    whole, by_heads = _most_saved(memory, scan, offset, n), few(memory, n)
    shift = 0
    if by_heads:
        shift = _round_up(memory, offset, n, whole)
        most = _count_heads(memory, scan, n, whole, 3 * whole - ub, False, shift)
        if memory.hard:
            _forget_left_out(memory, width)
        bound = np.int64(INFINITE)
        if most >= 0:
            bound, guess, is_attained = _best_head(memory, scan, order, offset, n, whole, most, shift)
            if is_attained and (d > 2) and bound < ub and not (k == 0 and memory.ranked):
                frame.chosen = guess
                return bound
    else:
        bound = _rank_all(memory, scan, offset, n, frame, limit, False)
    chosen, parts, saved, tops = memory.chosen, memory.parts, memory.saved, memory.tops
    rest, taken = np.int64(INFINITE), 0
    for block in range((width + BLOCK - 1) // BLOCK):
        if by_heads and (tops[block] < 0 or 3 * whole - (np.int64(tops[block]) << shift) >= ub):
            least = memory.caps[block] if tops[block] < 0 else np.int64(tops[block]) << shift
            rest = min(rest, 3 * whole - least)
            continue
        for j in range(block * BLOCK, min((block + 1) * BLOCK, width)):
            if by_heads:
                low[j] = 3 * whole - (np.int64(saved[j]) << shift)
                expected[j] = low[j]
            if parts[j] < 2:
                continue
            if low[j] < ub:
                chosen[taken] = j
                taken += 1
            else:
                rest = min(rest, low[j])
    frame.rest = rest
    list_in_order(memory, frame, taken, _bins(taken))
    return min(bound, rest)


@inner
def _in_two(memory: Any, scan: Int, offset: Int, n: Int, behind: Int) -> Any:
    """(value of a set with two guesses left, its value, no guess): only what splits it completely will do."""
    stack, weight, rows = memory.stack, memory.weight, memory.rows
    whole, parts, place, heaviest = whole_of(memory, offset, n), memory.parts, memory.place, np.int64(0)
    most = np.int64(0)
    if memory.consistent:
        for i in range(n):
            g, w = memory.guess_of_secret[stack[offset + i]], weight[stack[offset + i]]
            if g >= 0 and w > heaviest and _splits(memory, g, offset, n):
                heaviest = w
    else:
        _, other, _ = fan_out(memory, scan, n, 1, behind)
        most = np.int64(other)
        for i in range(n):
            g = memory.guess_of_secret[rows[i]]
            if g >= 0 and np.int64(parts[place[scan, g]]) == n + 1:
                heaviest = max(heaviest, weight[stack[offset + i]])
    if heaviest:
        return 2 * whole - heaviest, True, np.int64(NO_GUESS)
    return np.int64(2 * whole if most == n else INFINITE), True, np.int64(NO_GUESS)


@inner
def _splits(memory: Any, guess: Int, offset: Int, n: Int) -> Any:
    """Whether a guess leaves no two codes of a set together."""
    stack, row, count = memory.stack, memory.by_guess[guess], memory.second_low
    for e in range(memory.labels):
        count[e] = 0
    for i in range(n):
        e = row[stack[offset + i]]
        if count[e]:
            return False
        count[e] = 1
    return True


@inner
def counted(memory: Any, offset: Int, n: Int, behind: Int) -> Any:
    """No bound: that by parts takes most of the time of a look."""
    return np.int64(0)


@inner
def part_bound(memory: Any, offset: Int, n: Int, d: Int, behind: Int, enough: Int) -> Any:
    """(bound, whether it is the exact value, its guess) for a set of 3 or more codes with ``d`` guesses left."""
    limit = memory.capacity[d - 1 if d < UNLIMITED else d]
    order = memory.order[memory.order.shape[0] - 1]
    if memory.consistent:
        if d == 2:
            return _in_two(memory, 0, offset, n, behind)
        bound, is_attained, guess = np.int64(0), False, np.int64(NO_GUESS)
        if memory.labels <= MASK:
            bound, guess, is_attained = _by_members(memory, offset, n, whole_of(memory, offset, n), 0)
        return max(bound, floor(memory, offset, n)), is_attained, guess
    scan = rename(memory, offset, n, order)
    if d == 2:
        return _in_two(memory, scan, offset, n, behind)
    if few(memory, n):
        count_parts(memory, scan, n, behind)
        whole = _most_saved(memory, scan, offset, n)
        shift = _round_up(memory, offset, n, whole)
        most = _count_heads(memory, scan, n, whole, -1, True, shift)
        if memory.hard:
            _forget_left_out(memory, memory.width[scan])
        bound, guess, is_attained = _best_head(memory, scan, order, offset, n, whole, most, shift)
        return bound, is_attained, guess
    own, other, _ = fan_out(memory, scan, n, 0, behind)
    _most_saved(memory, scan, offset, n)
    spare = memory.frames[memory.frames.shape[0] - 1]
    spare.own, spare.other, spare.ub = own, other, 0
    return _rank_all(memory, scan, offset, n, spare, limit, True), False, np.int64(NO_GUESS)


# ---------------------------------------------------------------- one guess


@inner
def prepare(memory: Any, k: Int) -> Any:
    """Nothing is written down for the parts of a set."""


@inner
def cut(memory: Any, k: Int, column: Int) -> Any:
    """Count and weigh the parts of a guess on the set of frame k, with their rank bounds; that of the guess.

    Of the codes of a part a possible first guess finds one and the next ``OWN`` more, another first guess none and the
    next ``OTHER``: three guesses for each code, less what these codes weigh; more for those beyond three guesses.
    """
    frame, m = memory.frames[k], memory.labels
    n, offset, own, other = frame.n, frame.offset, frame.own, frame.other
    stack, weight, label = memory.stack, memory.weight, memory.label
    row, first = memory.by_guess[frame.guess], memory.first
    count, low, mass = memory.count[k], memory.low[k], memory.mass[k]
    for e in range(m):
        count[e] = low[e] = mass[e] = 0
    for i in range(n):
        s = stack[offset + i]
        e = row[s]
        label[i] = e
        r, whole = count[e], mass[e] + weight[s]
        first[e, r] = whole
        count[e] = r + 1
        mass[e] = whole
    settled, total = max(1 + own, other), mass[m - 1]
    for e in range(m - 1):
        x = count[e]
        if x == n:
            return np.int64(INFINITE)
        if x:
            of_own, of_other = first[e, 0] + first[e, min(x - 1, own)], first[e, min(x, other) - 1] if other else 0
            low[e] = 3 * mass[e] - max(of_own, of_other)
            edge = max(1 + own * settled, other * settled)
            edge = edge if edge > settled else LARGE
            while x > edge:
                low[e] += mass[e] - first[e, edge - 1]
                edge = max(1 + own * edge, other * edge, edge + 1)
            total += mass[e] + low[e]
    return total


@inner
def ahead(memory: Any, k: Int, column: Int) -> Any:
    """Ask for the labels of the next guess: those of the codes, or the whole row where that is shorter."""
    frame, stack, by_guess = memory.frames[k], memory.stack, memory.by_guess
    row = by_guess[guess_at(memory, frame.scan, column, memory.order[k])]
    at, n, size = address(row), frame.n, np.int64(row.shape[0])
    # Memory comes in lines of 64 bytes.
    if n * 64 < size:
        for i in range(frame.offset, frame.offset + n):
            prefetch(at + stack[i])
    else:
        for left in range(0, size, 64):
            prefetch(at + left)


@inner
def quick(memory: Any, k: Int, total: Int, best: Int) -> Any:
    """Bound the parts of the guess under study where it costs next to nothing; the new bound of the guess.

    First by the table, then parts of few codes by their own codes as guesses.
    """
    m, frame, table = memory.labels, memory.frames[k], memory.table
    d, outside = frame.after, 0 if memory.consistent else max(frame.own, frame.other)
    count, start, mass = memory.count[k], memory.start[k], memory.mass[k]
    low, state, hashes = memory.low[k], memory.state[k], memory.hashes[k]
    for e in range(m - 1):
        state[e] = EXACT if count[e] <= 2 else OPEN
        if count[e] > memory.capacity[d]:
            return np.int64(INFINITE)
    for e in range(m - 1):
        x = count[e]
        if x <= 2:
            continue
        value, _, known = _probe(table, hashes[e] ^ memory.zobrist_limit[d if d < x else UNLIMITED], x)
        if known != OPEN:
            memory.nodes[3] += 1
            state[e] = known
            if value > low[e]:
                total += value - low[e]
                low[e] = value
                if total >= best:
                    return total
    for e in range(m - 1 if m <= MASK else 0):
        x = count[e]
        if state[e] != OPEN or x > m:
            continue
        value, _, is_attained = _by_members(memory, start[e], x, mass[e], outside)
        if is_attained and d > 2:
            state[e] = EXACT
        if value > low[e]:
            total += value - low[e]
            low[e] = value
            if total >= best:
                return total
    return total


@inner
def near(memory: Any, k: Int, total: Int, best: Int) -> Any:
    """Nothing: `quick` has looked at these parts."""
    return total


FAMILY = Family(
    infinite=INFINITE,
    table=TABLE,
    floor=floor,
    few=few,
    look=look,
    prepare=prepare,
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
