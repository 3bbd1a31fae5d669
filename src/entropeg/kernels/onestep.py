"""Kernels that choose a guess by a one-step rule, and that grow a whole strategy tree with such a rule.

Layout: guesses and secrets come as planes, ``uint8[pegs, N]``; loops run over guesses innermost, in blocks of `BLOCK`
columns.

How one block is scored against the candidates S of a node, for the feedback kinds whose label is a sum over the pegs
of the secret (standard, black, membership):

1. *Slots.* Let k be how many of the pegs 0..p of the secret carry its color at peg p. Then
   ``common = sum over p of [guess has at least k pegs of that color]``, so that
   ``label = sum over p of pegs * [guess[p] == secret[p]] + [count of the color in the guess >= k]``. A triple (p,
   color, k) is a slot; one row of bytes a slot and block is prepared, and a label costs one addition of bytes a peg.
2. *Bit planes.* ``1 << label`` is one word with one bit a label; words are added up by carry-save adders, so that
plane i holds bit i of
   the sizes of all parts at once. About 16 logic operations for eight secrets, whatever the number of labels.
3. *Bound.* The number of parts of at least 2^i codes is a popcount. For a table T of part costs that is convex and
any slope a,
   ``sum T(x_e) = a n + sum (T(x_e) - a x_e) >= a n + sum over parts of min over the sizes of its bracket [2^i,
   2^(i+1)) of (T(x) - a x)``. Only guesses whose bound does not exceed the best cost so far are counted out exactly,
   in integers.

The secret equal to the guess is left out of the planes (its label is replaced by one that no feedback uses) and put
back as the winning part of one code.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from entropeg.kernels._guess_lists import _allow, _hash, _list_guesses, _splits, pair_label
from entropeg.kernels._plane_kernels import (
    BLOCK,
    _block_costs,
    _bound,
    _count_block,
    _count_parts,
    _exceeds,
    _fewest_parts,
    _fill_slots,
    _read_planes,
    _slopes,
)
from entropeg.kernels._search_arrays import LARGEST, SORTED, SUM, WEIGHTED, Board, Rule, Work, make_work
from entropeg.kernels._words import _plus, inner

__all__ = ["LARGEST", "SORTED", "SUM", "WEIGHTED", "Board", "Rule", "Work", "choose", "grow", "make_work", "next_key"]


@inner
def _sort_down(sizes: Any, ordered: Any) -> None:
    """Copy the sizes to `ordered`, the largest first, by insertion: there are few, and most are zero."""
    count = 0
    ordered[:] = 0
    for e in range(len(sizes)):
        x = sizes[e]
        if x > 0:
            i = count
            while i > 0 and ordered[i - 1] < x:
                ordered[i] = ordered[i - 1]
                i -= 1
            ordered[i] = x
            count += 1


@inner
def _cost(family: Any, table: Any, klass: Any, sizes: Any, ordered: Any) -> Any:
    """Exact cost of a partition; for SORTED also the sizes from the largest in `ordered`."""
    total, top = np.int64(0), np.int64(0)
    for e in range(len(sizes)):
        x = sizes[e]
        if x > 0:
            if family == 0:
                total += table[klass[e], x]
            top = max(top, x)
    if family == 0:
        return total
    if family == 3:
        every = sizes.sum()
        unit = table[0, every] // every
        for e in range(len(sizes)):
            total += klass[e] * (table[0, sizes[e]] - sizes[e] * unit)
        return total
    if family == 2:
        _sort_down(sizes, ordered)
    return top


@inner
def _compare(family: Any, cost: Any, best: Any, ordered: Any, record: Any) -> Any:
    """Return -1, 0, 1 as the cost, or for SORTED the whole partition, is less than the best one, equal, greater."""
    if cost != best:
        return -1 if cost < best else 1
    if family == 2:
        for i in range(len(ordered)):
            if ordered[i] != record[i]:
                return -1 if ordered[i] < record[i] else 1
    return 0


@inner
def _order(rule: Any, key: Any, guess: Any) -> Any:
    """What decides among guesses equal in everything else, the least first."""
    if rule.shuffle:
        return np.int64(_hash(key ^ np.uint64(guess)) >> np.uint64(1))
    return np.int64(guess)


@inner
def _judge(rule: Any, best: Any, sorts: Any, sizes: Any, guess: Any, member: Any, key: Any) -> None:
    """Replace the best guess by this one, with these part sizes, if it is better."""
    cost = _cost(rule.family, rule.table, rule.klass, sizes, sorts[2])
    sign = _compare(rule.family, cost, best[0], sorts[2], sorts[0])
    if sign > 0:
        return
    second = np.int64(0)
    if rule.then >= 0:
        second = _cost(rule.then, rule.then_table, rule.then_klass, sizes, sorts[3])
        if sign == 0:
            sign = _compare(rule.then, second, best[1], sorts[3], sorts[1])
            if sign > 0:
                return
    other = np.int64(1 if rule.member and not member else 0)
    order = _order(rule, key, guess)
    if sign == 0 and (other > best[2] or (other == best[2] and order >= best[3])):
        return
    best[0], best[1], best[2], best[3], best[4] = cost, second, other, order, guess
    for i in range(len(sizes)):
        sorts[0, i], sorts[1, i] = sorts[2, i], sorts[3, i]


@inner
def _mark_slots(slots: Any, node: Any, seen: Any, used: Any) -> Any:
    """List the slots that occur in the node in `used`; returns their number."""
    count = 0
    for p in range(len(slots)):
        for i in range(len(node)):
            slot = slots[p, node[i]]
            if not seen[slot]:
                seen[slot] = 1
                used[count] = slot
                count += 1
    for i in range(count):
        seen[used[i]] = 0
    return count


@inner
def _gather(planes: Any, listed: Any, block: Any, tally: Any) -> None:
    """Copy the listed guesses, and count their colors again: faster than to fetch the counts too."""
    width = len(listed)
    for p in range(len(planes)):
        row, out = planes[p], block[p]
        for j in range(width):
            out[j] = row[listed[j]]
    for c in range(len(tally)):
        color, out = np.uint8(c), tally[c]
        for j in range(width):
            out[j] = np.uint8(block[0, j] == color)
        for p in range(1, len(planes)):
            row = block[p]
            for j in range(width):
                out[j] = _plus(out[j], np.uint8(row[j] == color))


@inner
def _part_sizes(board: Any, node: Any, guess: Any, sizes: Any) -> None:
    """sizes[label] = how many of the candidates `node` would answer with it.

    One pair at a time, for every kind of feedback.
    """
    sizes[:] = 0
    for i in range(len(node)):
        sizes[pair_label(board.kind, board.pegs, board.guesses, guess, board.secrets, node[i])] += 1


@inner
def _judge_one(board: Any, rule: Any, work: Any, depth: Any, j: Any, guess: Any, key: Any) -> None:
    """Count out guess j of the block from its planes and judge it."""
    _read_planes(board.bit_label, board.win, work.planes, depth, j, work.fixed[j], work.sizes)
    _judge(rule, work.best, work.sorts, work.sizes, guess, work.fixed[j] != 0, key)


@inner
def _judge_block(
    board: Any, rule: Any, work: Any, n: Any, lo: Any, width: Any, depth: Any, slopes: Any, key: Any, direct: Any
) -> Any:
    """Judge the guesses of a block from its planes.

    Returns True when the first code that splits completely settles the choice.
    """
    best, fixed, parts = work.best, work.fixed, work.parts
    largest = rule.family in (1, 2)
    small = rule.settle and n <= board.labels
    # In order and with candidates first, a code that is no candidate has to be better than the best so far, not equal.
    strict = rule.family == 1 and rule.then < 0 and rule.member and not rule.shuffle
    known = largest and best[4] >= 0
    if known:
        _exceeds(work.planes, depth, width, best[0] - np.int64(strict), work.scratch, work.more)
    if small or rule.bounded:
        _count_parts(work.planes, depth, width, work.scratch, parts)
    if small:
        for j in range(width):
            if parts[j] + fixed[j] == n:
                _judge_one(board, rule, work, depth, j, lo + j if direct else work.listed[lo + j], key)
                return True
    if rule.bounded:
        _judge_bounded(board, rule, work, n, lo, width, depth, slopes, key, direct)
        return False
    for j in range(width):
        if not (known and work.more[j]) or (strict and fixed[j]):
            _judge_one(board, rule, work, depth, j, lo + j if direct else work.listed[lo + j], key)
    return False


@inner
def _judge_bounded(
    board: Any, rule: Any, work: Any, n: Any, lo: Any, width: Any, depth: Any, slopes: Any, key: Any, direct: Any
) -> None:
    """Judge the guesses of a block whose cost is a sum of a convex table.

    Those with too few parts drop out, then those with too high a bound. Where many have parts enough the costs of all
    are computed at once instead.
    """
    best, fixed, parts, table = work.best, work.fixed, work.parts, rule.table[0]
    won = rule.table[rule.klass[board.win], 1]
    discount = max(np.int64(0), table[1] - won)
    fewest = _fewest_parts(table, n, len(board.bit_label), best[0], discount)
    left = 0
    for j in range(width):
        left += parts[j] + fixed[j] >= fewest
    if left == 0:
        return
    wide = left * 4 > width
    if wide:
        _block_costs(board.bit_label, work.planes, depth, width, table, work.scratch, work.cost)
    for j in range(width):
        limit = best[0]
        if wide:
            if work.cost[j] + won * fixed[j] > limit:
                continue
        elif parts[j] + fixed[j] < fewest or (
            _bound(work.planes, depth, j, work.weights, slopes, fixed[j], work.brackets) > limit + 1e-9 * abs(limit)
        ):
            continue
        _judge_one(board, rule, work, depth, j, lo + j if direct else work.listed[lo + j], key)


@inner
def _judge_candidates(board: Any, rule: Any, work: Any, node: Any, key: Any) -> None:
    """Judge a few candidates, so that the first block already has a cost to beat."""
    n = len(node)
    for i in range(min(n, 4)):
        guess = board.guess_of[node[i * n // 4]]
        if guess >= 0:
            _part_sizes(board, node, guess, work.sizes)
            _judge(rule, work.best, work.sorts, work.sizes, guess, True, key)


@inner
def _place_block(board: Any, work: Any, node: Any, lo: Any, width: Any, direct: Any) -> None:
    """Say which guesses of the block are candidates, in work.fixed, and in which column each stands.

    In work.member_at.
    """
    n, fixed, member_at, listed = len(node), work.fixed, work.member_at, work.listed
    fixed[:width] = 0
    if direct:
        for i in range(n):
            at = board.guess_of[node[i]] - lo
            member_at[i] = at if 0 <= at < width else -1
            if 0 <= at < width:
                fixed[at] = 1
        return
    member_at[:n] = -1
    i = 0
    for j in range(width):
        if work.mark[listed[lo + j]]:
            while board.guess_of[node[i]] != listed[lo + j]:
                i += 1
            member_at[i] = j
            fixed[j] = 1


@inner
def _score_block(
    board: Any,
    rule: Any,
    node: Any,
    lo: Any,
    width: Any,
    direct: Any,
    slots: Any,
    slopes: Any,
    depth: Any,
    key: Any,
    work: Any,
) -> Any:
    """Judge the guesses lo..lo+width, or those listed there; returns True when the choice is settled."""
    _place_block(board, work, node, lo, width, direct)
    if direct:
        planes, counts = board.guesses[:, lo : lo + width], board.counts[:, lo : lo + width]
        _fill_slots(board.kind, board.symbols, work.used, slots, planes, counts, width, work.rows)
    else:
        _gather(board.guesses, work.listed[lo : lo + width], work.block, work.tally)
        block, tally = work.block[:, :width], work.tally[:, :width]
        _fill_slots(board.kind, board.symbols, work.used, slots, block, tally, width, work.rows)
    _count_block(
        board,
        node,
        work.member_at,
        work.rows,
        width,
        work.labels,
        work.flat,
        work.carry,
        work.planes,
        work.low,
        depth,
    )
    return _judge_block(board, rule, work, len(node), lo, width, depth, slopes, key, direct)


@inner
def _refill(board: Any, work: Any, have: Any, at: Any, end: Any) -> Any:
    """Append the guesses at..at+BLOCK (before `end`) that symmetry keeps to the `have` listed ones.

    Looks at one block of guesses; returns how many are listed now.
    """
    width = min(BLOCK, end - at)
    _allow(board, work.chains, at, width, work.allowed)
    for j in range(width):
        work.listed[have] = at + j
        have += work.allowed[j]
    return have


@inner
def _score_blocks(board: Any, rule: Any, node: Any, count: Any, key: Any, work: Any, share: Any, shares: Any) -> None:
    """Judge the guesses that `_list_guesses` chose, or one of several equal shares of them, by bit planes."""
    n = len(node)
    scored = board.guesses.shape[1] if count < 0 else count
    slots = _mark_slots(board.slots, node, work.seen, work.used)
    depth = 3
    while n >> depth:
        depth += 1
    slopes = 0
    if rule.bounded:
        slopes = _slopes(rule.table[0], rule.table[rule.klass[board.win], 1], n, depth, work.weights)
    _judge_candidates(board, rule, work, node, key)
    begin, end = scored * share // shares, scored * (share + 1) // shares
    have, lo = np.int64(0), begin
    while lo < end or have > 0:
        if count == -2:
            while have < BLOCK and lo < end:
                have = _refill(board, work, have, lo, end)
                lo += BLOCK
            at, width = np.int64(0), min(np.int64(BLOCK), have)
        else:
            at, width = lo, min(np.int64(BLOCK), end - lo)
            lo += BLOCK
        if width == 0:
            return
        # The only call: a second one, of other types, would compile everything below twice.
        if _score_block(board, rule, node, at, width, count == -1, slots, slopes, depth, key, work):
            return
        if count == -2:
            have -= width
            for i in range(have):
                work.listed[i] = work.listed[i + width]


@inner
def _score_pairs(board: Any, rule: Any, node: Any, count: Any, key: Any, work: Any, share: Any, shares: Any) -> None:
    """Judge the listed guesses pair by pair.

    For the feedback kinds and sizes whose labels are not sums that fit a word.
    """
    scored = board.guesses.shape[1] if count < 0 else count
    for i in range(scored * share // shares, scored * (share + 1) // shares):
        g = i if count < 0 else work.listed[i]
        _part_sizes(board, node, g, work.sizes)
        _judge(rule, work.best, work.sorts, work.sizes, g, work.mark[g] != 0, key)


@inner
def _choose(board: Any, rule: Any, node: Any, history: Any, key: Any, work: Any, share: Any, shares: Any) -> Any:
    """Choose a guess for the candidates `node` (int32, ascending) after the guesses `history` (int32).

    Work.best says how good it is.

    With shares > 1 only one of the equal shares of the guesses is judged, and the caller takes the best of all.
    """
    n = len(node)
    best = work.best
    best[0], best[1], best[2], best[3], best[4] = np.int64(2**62), 0, 2, np.int64(2**62), -1
    if n == 1 or (rule.split and n <= board.labels):
        for i in range(n):
            g = board.guess_of[node[i]]
            if g >= 0 and _splits(board, node, g, work.answered):
                best[2], best[3], best[4] = 0, g, g
                best[0] = np.int64(-(2**62))
                return np.int64(g)
    for i in range(n):
        if board.guess_of[node[i]] >= 0:
            work.mark[board.guess_of[node[i]]] = 1
    count = _list_guesses(board, rule, node, history, key, work)
    if len(board.bit_label) > 0:
        _score_blocks(board, rule, node, count, key, work, share, shares)
    else:
        _score_pairs(board, rule, node, count, key, work, share, shares)
    for i in range(n):
        if board.guess_of[node[i]] >= 0:
            work.mark[board.guess_of[node[i]]] = 0
    return best[4]


@inner
def _split(board: Any, node: Any, guess: Any, labels: Any, starts: Any, ends: Any, spare: Any) -> Any:
    """Sort the candidates `node` by their label for the guess, keeping their order inside a part.

    Returns the size of the largest part.

    starts: int64[labels + 1], set so that the part with label e is node[starts[e]:starts[e + 1]]. The other arrays
    are overwritten.
    """
    starts[:] = 0
    for i in range(len(node)):
        labels[i] = pair_label(board.kind, board.pegs, board.guesses, guess, board.secrets, node[i])
        spare[i] = node[i]
        starts[labels[i] + 1] += 1
    widest = np.int64(0)
    for e in range(len(ends)):
        widest = max(widest, starts[e + 1])
        starts[e + 1] += starts[e]
        ends[e] = starts[e]
    for i in range(len(node)):
        node[ends[labels[i]]] = spare[i]
        ends[labels[i]] += 1
    return widest


@inner
def _next_key(key: Any, guess: Any, label: Any) -> Any:
    """Key of the node after one more turn: what random ties and probes are drawn by."""
    return _hash(key ^ (np.uint64(guess) << np.uint64(12)) ^ np.uint64(label))


SOURCES = ("_words.py", "_plane_kernels.py", "_guess_lists.py", "_search_arrays.py", "onestep.py")


def _stamp() -> int:
    """Number that changes with any source of these kernels: the disk cache itself looks at one file only."""
    folder = Path(__file__).parent
    return zlib.crc32(b"".join((folder / name).read_bytes() for name in SOURCES))


def _compile(stamp: int) -> Callable[..., Any]:
    """Make the one compiled entry point; the cache keeps it by the constant `stamp`."""

    @njit(cache=True, nogil=True, _nrt=False, error_model="numpy")
    def search(
        board: Any,
        rule: Any,
        node: Any,
        history: Any,
        key: Any,
        work: Any,
        opening: Any,
        limit: Any,
        share: Any,
        shares: Any,
        stack: Any,
        keys: Any,
        path: Any,
        columns: Any,
    ) -> Any:
        starts = work.starts
        guess, parent, label, size, first = columns[0], columns[1], columns[2], columns[3], columns[4]
        stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3], stack[0, 4] = 0, len(node), -1, -1, len(history)
        keys[0] = key
        top, nodes = 1, 0
        while top:
            top -= 1
            begin, end, above, by, depth = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3], stack[top, 4]
            here, here_key, this = node[begin:end], keys[top], nodes
            nodes += 1
            parent[this], label[this], size[this], first[this] = above, by, end - begin, begin
            if above >= 0 and end - begin > limit:
                guess[this] = -1
                continue
            if above < 0 and opening >= 0:
                g = np.int64(opening)
            else:
                # The only call: a second one, of other types, would compile everything twice.
                g = np.int64(_choose(board, rule, here, path[:depth], here_key, work, share, max(shares, 1)))
            if shares > 0 or stamp < 0:
                return g
            widest = _split(board, here, g, work.labelled, starts, work.ends, work.spare)
            if widest == end - begin > 1:
                # A guess that tells nothing would be played for ever; some tables of weights ask for one.
                g = np.int64(board.guess_of[here[0]])
                _split(board, here, g, work.labelled, starts, work.ends, work.spare)
            guess[this] = g
            path[depth] = g
            for e in range(board.labels - 1, -1, -1):
                if e != board.win and starts[e + 1] > starts[e]:
                    stack[top, 0], stack[top, 1], stack[top, 2] = begin + starts[e], begin + starts[e + 1], this
                    stack[top, 3], stack[top, 4] = e, depth + 1
                    keys[top] = _next_key(here_key, g, e)
                    top += 1
        return nodes

    compiled: Callable[..., Any] = search
    return compiled


_search = _compile(_stamp())


def grow(
    board: Board, rule: Rule, node: Any, history: Any, key: int, work: Work, opening: int = -1, limit: int = 1 << 62
) -> Any:
    """Grow the whole strategy tree for the candidates `node` (int32, reordered) after the guesses `history` (int32).

    Returns int32[5, nodes], one column a node in preorder, children by ascending label: guess, parent (-1 for the
    first), label that leads there, number of candidates, and where in `node` they stand at the end. `opening` is the
    first guess, -1 to choose it. A part of more than `limit` codes is not grown: its guess is -1. Allocates 100 bytes
    a candidate.
    """
    n = len(node)
    # Waiting nodes hold disjoint candidates, so no more than n wait; and no guess that splits nothing is played, so
    # no path is longer.
    stack, keys = np.empty((n + 1, 5), np.int64), np.empty(n + 1, np.uint64)
    path = np.empty(len(history) + n + 1, np.int32)
    path[: len(history)] = history
    columns = np.empty((5, 2 * n), np.int32)
    count = _search(board, rule, node, history, np.uint64(key), work, opening, limit, 0, 0, stack, keys, path, columns)
    return columns[:, :count]


def choose(
    board: Board, rule: Rule, node: Any, history: Any, key: int, work: Work, share: int = 0, shares: int = 1
) -> int:
    """Choose a guess, as a tree does at a node: its index.

    `work.best` and `work.sorts` say how good it is; see `_choose`.
    """
    stack, keys, columns = np.empty((1, 5), np.int64), np.empty(1, np.uint64), np.empty((5, 1), np.int32)
    path = np.ascontiguousarray(history, np.int32)
    return int(_search(board, rule, node, path, np.uint64(key), work, -1, 0, share, shares, stack, keys, path, columns))


def next_key(key: int, guess: int, label: int) -> int:
    """Key of the node after one more turn, as the kernels compute it."""
    mask = (1 << 64) - 1
    x = ((key ^ (guess << 12) ^ label) + 0x9E3779B97F4A7C15) & mask
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & mask
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & mask
    return x ^ (x >> 31)
