"""Steps 4 to 6 of the exact search: one guess on a set, its parts and their bounds, from the cheapest on.

The parts of the guess under study stand in the row of their frame: ``count``, ``start`` on the stack, ``hashes``,
``low`` (a lower bound) and ``state``.
"""

# ruff: noqa: C901
# Kernels are written for the compiler, as in `entropeg.kernels`: plain loops.

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import inner
from entropeg.kernels.mixing import mixed
from entropeg.search.exact import fields
from entropeg.search.exact.clues import clue_hash, enter_clues
from entropeg.search.exact.family import Family
from entropeg.search.exact.fields import EXACT, OPEN, SCANNED, UNLIMITED, Int
from entropeg.search.exact.symmetry import seen

_mixed = inner(mixed)

CUT, TRIED = 64, 1000
"""Labels that are looked at in the time that a code takes to be put into its part, and a guess beside its codes."""


@inner
def key_of(memory: Any, word: Int, d: Int, n: Int) -> Any:
    """Key of a set of n codes with d guesses left: n codes never need more than n useful guesses."""
    return word ^ memory.zobrist_limit[d if d < n else UNLIMITED]


@inner
def _deal(memory: Any, k: Int) -> Any:
    """Deal the codes of the set to the parts that were counted, in order."""
    frame, m = memory.frames[k], memory.labels
    n, offset, top = frame.n, frame.offset, frame.top
    stack, zobrist = memory.stack, memory.zobrist
    label, spots = memory.label, memory.spots
    count, start, hashes = memory.count[k], memory.start[k], memory.hashes[k]
    at = top
    for e in range(m):
        start[e] = at
        at += count[e]
        hashes[e] = np.uint64(0)
    for i in range(n):
        e = label[i]
        s = stack[offset + i]
        at = start[e]
        stack[at] = s
        spots[at] = i
        start[e] = at + 1
        hashes[e] ^= zobrist[s]
    for e in range(m):
        start[e] -= count[e]
        if memory.hard and count[e] and e < m - 1:
            enter_clues(memory, memory.behind + k, frame.guess, e)
            hashes[e] ^= clue_hash(memory, memory.behind + k + 1)


def _counting_of(family: Family) -> Any:
    """The first bounds of parts of many codes, for a family."""
    few, counted = family.few, family.counted

    @inner
    def count_all(memory: Any, k: Int, total: Int, best: Int) -> Any:
        """Bounds of the parts of many codes by the number of their parts, before any is looked at more closely.

        From the largest on: these refute most guesses with the fewest labels read, 1,631 codes for an opening of
        Wordle's words where the smallest first take 2,240.
        """
        frame, count, start = memory.frames[k], memory.count[k], memory.start[k]
        low, state, behind = memory.low[k], memory.state[k], memory.behind + k
        below = np.int64(1 << 40)
        while True:
            e, size = -1, np.int64(-1)
            for other in range(memory.labels - 1):
                x = (count[other] << 8) + other
                if state[other] == OPEN and size < x < below and not few(memory, count[other]):
                    e, size = other, x
            if e < 0:
                break
            below = size
            if memory.hard:
                enter_clues(memory, behind, frame.guess, e)
            bound = counted(memory, start[e], count[e], behind + 1)
            if bound > low[e]:
                total += bound - low[e]
                low[e] = bound
                if total >= best:
                    break
        return total

    return count_all


def bounding_of(family: Family) -> Any:
    """Step 6 for a family: the bound of a guess by looks at all guesses for its parts."""
    few, part_bound, unit, store = family.few, family.part_bound, family.unit, family.table.store
    count_all, infinite = _counting_of(family), family.infinite

    @inner
    def choose(memory: Any, k: Int, slack: Int) -> Any:
        """The part to bound next: the smallest expected to close the gap, else the one of best gain per code.

        Parts that are not `few` codes come last, smallest first; -1 when none is left.
        """
        count, state, gain = memory.count[k], memory.state[k], memory.gain
        chosen, chosen_size = -1, 1 << 40
        ratio, other = -1.0, -1
        large, large_size = -1, 1 << 40
        for e in range(memory.labels - 1):
            x = count[e]
            if x <= 2 or state[e] != OPEN:
                continue
            if not few(memory, x):
                if x < large_size:
                    large, large_size = e, x
                continue
            mean = unit(memory, k, e) * gain[0, x] / gain[1, x]
            if mean >= slack and x < chosen_size:
                chosen, chosen_size = e, x
            if mean / x > ratio:
                ratio, other = mean / x, e
        if chosen >= 0:
            return chosen
        return other if other >= 0 else large

    @inner
    def bounded(memory: Any, k: Int, total: Int, best: Int) -> Any:
        """6. Bounds of the parts still open by all guesses, in the order that promises to refute the guess soonest."""
        count, start = memory.count[k], memory.start[k]
        low, state, hashes = memory.low[k], memory.state[k], memory.hashes[k]
        frame, gain = memory.frames[k], memory.gain
        d, behind = frame.after, memory.behind + k
        # With few labels a look at the sizes costs little more than one at the number of parts.
        are_counted = memory.labels <= 64
        while total < best:
            e = choose(memory, k, best - total)
            if e < 0:
                break
            x = count[e]
            if not (are_counted or few(memory, x)):
                are_counted = True
                total = count_all(memory, k, total, best)
                continue
            if memory.hard:
                enter_clues(memory, behind, frame.guess, e)
            bound, exact, guess = part_bound(
                memory, start[e], x, d, behind + 1, low[e] + best - total if memory.labels > 64 else infinite
            )
            if few(memory, x):
                gain[0, x] += max(0, bound - low[e]) / unit(memory, k, e)
                gain[1, x] += 1.0
            state[e] = EXACT if exact else SCANNED
            bound = max(bound, low[e])
            store(memory.table, key_of(memory, hashes[e], d, x), x, bound, guess, np.int64(state[e]))
            total += bound - low[e]
            low[e] = bound
        return total

    return bounded


def weighing_of(family: Family) -> Any:
    """Steps 4 to 6 for a family."""
    infinite, cut, cut_key, has_cuts, quick = family.infinite, family.cut, family.cut_key, family.has_cuts, family.quick
    ahead, fetch, bounded = family.ahead, family.table.fetch, bounding_of(family)

    @inner
    def weigh(memory: Any, k: Int, best: Int) -> Any:
        """4 to 6. Bound of the candidate under study, early one that is not below ``best``; its parts."""
        frame, m = memory.frames[k], memory.labels
        n, at = frame.n, frame.first + frame.at
        candidates, tables = memory.candidates, memory.tables
        memory.nodes[1] += 1
        memory.nodes[fields.WORK] += CUT * n + TRIED
        total = cut(memory, k, np.int64(candidates[at]))
        count, hashes = memory.count[k], memory.hashes[k]
        if total < best:
            _deal(memory, k)
            for e in range(m):
                if count[e] > 2:
                    fetch(memory, hashes[e])
        if frame.at + 1 < frame.count:
            ahead(memory, k, candidates[at + 1])
        if total >= best:
            return total
        if has_cuts(memory, n) or (k == 0 and memory.ranked):
            key = np.uint64(cut_key(memory, k))
            for e in range(m - 1):
                if count[e] > 1:
                    key += _mixed(hashes[e])
            if seen(tables[frame.cuts : frame.tables_end], key):
                return np.int64(infinite)
        frame.tried += 1
        total = quick(memory, k, total, best)
        # The first strategy of a search that tries few guesses needs no bounds: there is nothing to refute.
        if total < best and not (memory.breadth and best >= infinite):
            total = bounded(memory, k, total, best)
        return total

    return weigh
