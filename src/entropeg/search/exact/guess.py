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
from entropeg.search.exact.fields import EXACT, LITTLE, MANY_LABELS, OPEN, SCANNED, UNLIMITED, Int
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


def _raising_of(family: Family) -> tuple[Any, Any]:
    """For a family: the bound of a part by all guesses, and those of large parts."""
    few, counted, part_bound, unit = family.few, family.counted, family.part_bound, family.unit
    store, infinite = family.table.store, family.infinite

    @inner
    def raised(memory: Any, k: Int, e: Int, total: Int, best: Int) -> Any:
        """Bound a part by all guesses; the new bound of the guess under study."""
        x, low, state, gain = memory.count[k, e], memory.low[k], memory.state[k], memory.gain
        frame, behind = memory.frames[k], memory.behind + k
        d = frame.after
        if memory.hard:
            enter_clues(memory, behind, frame.guess, e)
        enough = low[e] + best - total if memory.labels > MANY_LABELS else infinite
        bound, exact, guess = part_bound(memory, memory.start[k, e], x, d, behind + 1, enough)
        if few(memory, x):
            gain[0, x] += max(0, bound - low[e]) / unit(memory, k, e)
            gain[1, x] += 1.0
        state[e] = EXACT if exact else SCANNED
        bound = max(bound, low[e])
        store(memory.table, key_of(memory, memory.hashes[k, e], d, x), x, bound, guess, np.int64(state[e]))
        total += bound - low[e]
        low[e] = bound
        return total

    @inner
    def from_largest(memory: Any, k: Int, total: Int, best: Int, least: Int) -> Any:
        """Bounds of the parts of more than ``least`` codes, from the largest on: these bring most for a guess.

        Those of many codes are bounded by the number of their parts alone.
        """
        frame, count, start = memory.frames[k], memory.count[k], memory.start[k]
        low, state, behind = memory.low[k], memory.state[k], memory.behind + k
        below = np.int64(1 << 40)
        while total < best:
            e, size = -1, (least + 1) << 8
            for other in range(memory.labels - 1):
                x = (count[other] << 8) + other
                if state[other] == OPEN and size <= x < below:
                    e, size = other, x
            if e < 0:
                break
            below = size
            if few(memory, count[e]):
                total = raised(memory, k, e, total, best)
                continue
            if memory.hard:
                enter_clues(memory, behind, frame.guess, e)
            bound = counted(memory, start[e], count[e], behind + 1)
            if bound > low[e]:
                total += bound - low[e]
                low[e] = bound
        return total

    return raised, from_largest


def bounding_of(family: Family) -> Any:
    """Step 6 for a family: the bound of a guess by looks at all guesses for its parts."""
    few, near, unit = family.few, family.near, family.unit
    raised, from_largest = _raising_of(family)

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
        if memory.labels > MANY_LABELS:
            if memory.behind + k == 0:  # most first guesses are refuted by far: their large parts are enough
                total = from_largest(memory, k, total, best, LITTLE)
            if total < best:
                total = near(memory, k, total, best)
        # With few labels a look at the sizes costs little more than one at the number of parts.
        are_counted = memory.labels <= MANY_LABELS
        while total < best:
            e = choose(memory, k, best - total)
            if e < 0:
                break
            if not (are_counted or few(memory, memory.count[k, e])):
                are_counted = True
                total = from_largest(memory, k, total, best, 0)
                continue
            total = raised(memory, k, e, total, best)
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
