"""Bit planes: the sizes of all parts of a block of guesses at once.

What they are is told in `entropeg.kernels.onestep`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels._words import (
    _flip,
    _least,
    _majority,
    _move_bit,
    _onehot,
    _parity,
    _plus,
    _popcount,
    _slot,
    _without,
    inner,
)

BLOCK = 512
"""Guesses scored together: 512 columns keep the rows of slots of a 6x9 board in the second-level cache."""


@inner
def _fill_slots(
    kind: Any, symbols: Any, used: Any, count: Any, planes: Any, counts: Any, width: Any, rows: Any
) -> None:
    """rows[slot, 0:width] for the `count` slots named in `used`.

    What each adds to the labels of the first `width` guesses.
    """
    pegs = len(planes)
    for i in range(count):
        slot = used[i]
        k = np.uint8(slot % pegs + 1)
        c = np.uint8((slot // pegs) % symbols)
        peg = planes[slot // pegs // symbols]
        tally, row = counts[c], rows[slot]
        if kind == 1:
            for j in range(width):
                row[j] = np.uint8(peg[j] == c)
        elif kind == 0:
            for j in range(width):
                row[j] = _slot(peg[j], c, np.uint8(pegs), tally[j], k)
        else:
            whole = np.uint8(k == 1)
            for j in range(width):
                row[j] = _slot(peg[j], c, np.uint8(pegs), np.uint8(0), np.uint8(1)) + whole * tally[j]


@inner
def _label_row(pegs: Any, slots: Any, s: Any, rows: Any, width: Any, cap: Any, out: Any) -> None:
    """out[0:width] = labels of one secret against the block of guesses whose slot rows are given."""
    a, b = np.uintp(slots[0, s]), np.uintp(slots[min(1, pegs - 1), s])
    if pegs == 4:
        c, d = np.uintp(slots[2, s]), np.uintp(slots[3, s])
        for j in range(width):
            out[j] = _plus(_plus(rows[a, j], rows[b, j]), _plus(rows[c, j], rows[d, j]))
        return
    if pegs == 5:
        c, d, e = np.uintp(slots[2, s]), np.uintp(slots[3, s]), np.uintp(slots[4, s])
        for j in range(width):
            out[j] = _plus(_plus(_plus(rows[a, j], rows[b, j]), _plus(rows[c, j], rows[d, j])), rows[e, j])
        return
    if pegs == 6:
        c, d, e, f = np.uintp(slots[2, s]), np.uintp(slots[3, s]), np.uintp(slots[4, s]), np.uintp(slots[5, s])
        top = np.uint8(cap)
        for j in range(width):
            x = _plus(_plus(rows[a, j], rows[b, j]), _plus(rows[c, j], rows[d, j]))
            x = _plus(x, _plus(rows[e, j], rows[f, j]))
            out[j] = _least(x, top)
        return
    for j in range(width):
        out[j] = rows[a, j]
    for p in range(1, pegs):
        e = np.uintp(slots[p, s])
        for j in range(width):
            out[j] = _plus(out[j], rows[e, j])


@inner
def _add_eight(rows: Any, width: Any, low: Any, carry: Any) -> None:
    """Add eight rows of labels, uint8[8 * BLOCK], to planes 0..2, word[3 * BLOCK].

    What exceeds them, worth eight, goes to `carry`.

    Flat arrays with constant offsets: the compiler then sees three objects to check for overlap, not twelve, and
    vectorizes.
    """
    like = low[0]
    for j in range(width):
        h0, h1 = _onehot(like, rows[j]), _onehot(like, rows[j + BLOCK])
        h2, h3 = _onehot(like, rows[j + 2 * BLOCK]), _onehot(like, rows[j + 3 * BLOCK])
        h4, h5 = _onehot(like, rows[j + 4 * BLOCK]), _onehot(like, rows[j + 5 * BLOCK])
        h6, h7 = _onehot(like, rows[j + 6 * BLOCK]), _onehot(like, rows[j + 7 * BLOCK])
        one, two, four = low[j], low[j + BLOCK], low[j + 2 * BLOCK]
        t0 = _majority(one, h0, h1)
        one = _parity(one, h0, h1)
        t1 = _majority(one, h2, h3)
        one = _parity(one, h2, h3)
        f0 = _majority(two, t0, t1)
        two = _parity(two, t0, t1)
        t2 = _majority(one, h4, h5)
        one = _parity(one, h4, h5)
        t3 = _majority(one, h6, h7)
        one = _parity(one, h6, h7)
        f1 = _majority(two, t2, t3)
        two = _parity(two, t2, t3)
        carry[j] = _majority(four, f0, f1)
        low[j + 2 * BLOCK] = _parity(four, f0, f1)
        low[j] = one
        low[j + BLOCK] = two


@inner
def _ripple(planes: Any, lowest: Any, depth: Any, carry: Any, width: Any) -> None:
    """Add `carry` to planes lowest..depth."""
    for i in range(lowest, depth):
        plane = planes[i]
        for j in range(width):
            both = plane[j] & carry[j]
            plane[j] ^= carry[j]
            carry[j] = both


@inner
def _ripple_two(planes: Any, depth: Any, first: Any, second: Any, width: Any) -> None:
    """Add two carries worth eight each: to plane 3 by a full adder, then upwards."""
    plane = planes[3]
    for j in range(width):
        c = _majority(plane[j], first[j], second[j])
        plane[j] = _parity(plane[j], first[j], second[j])
        first[j] = c
    _ripple(planes, 4, depth, first, width)


@inner
def _count_block(
    board: Any,
    node: Any,
    member_at: Any,
    slot_rows: Any,
    width: Any,
    labels: Any,
    flat: Any,
    carry: Any,
    planes: Any,
    low: Any,
    depth: Any,
) -> None:
    """Fill planes[0:depth] with the sizes of all parts for each of `width` guesses; `depth` is at least 3.

    node: int32[n] secrets. member_at: int32[n], column of the guess equal to each secret, -1 outside the block.
    `flat` and `low` are the memory of `labels` and of planes[:3] as one row.
    """
    n = len(node)
    pad = np.uint8(board.pad)
    for i in range(depth):
        planes[i, :width] = 0
    live = min(4, depth)
    for start in range(0, n, 16):
        rows = min(16, n - start)
        while live < depth and (start + 16) >> live:
            live += 1
        for r in range(rows):
            _label_row(board.pegs, board.slots, node[start + r], slot_rows, width, board.cap, labels[r])
            if member_at[start + r] >= 0:
                labels[r, member_at[start + r]] = pad
        for r in range(rows, 8 if rows <= 8 else 16):
            labels[r, :width] = pad
        _add_eight(flat[: 8 * BLOCK], width, low, carry[0])
        if rows > 8:
            _add_eight(flat[8 * BLOCK :], width, low, carry[1])
            if depth > 3:
                _ripple_two(planes, live, carry[0], carry[1], width)
        elif depth > 3:
            _ripple(planes, 3, live, carry[0], width)
    keep = ~_onehot(planes[0, 0], pad)
    for i in range(depth):
        for j in range(width):
            planes[i, j] &= keep


@inner
def _count_parts(planes: Any, depth: Any, width: Any, scratch: Any, out: Any) -> None:
    """out[j] = number of parts, the winning part left out."""
    for j in range(width):
        scratch[j] = planes[0, j] | planes[1, j] | planes[2, j]
    for i in range(3, depth):
        plane = planes[i]
        for j in range(width):
            scratch[j] |= plane[j]
    for j in range(width):
        out[j] = _popcount(scratch[j])


@inner
def _exceeds(planes: Any, depth: Any, width: Any, limit: Any, equal: Any, more: Any) -> None:
    """more[j] is not zero where some part, the winning one left out, has more than `limit` codes."""
    for j in range(width):
        more[j] = 0
    for j in range(width):
        equal[j] = _flip(more[j])
    for i in range(depth - 1, -1, -1):
        plane = planes[i]
        if (limit >> i) & 1:
            for j in range(width):
                equal[j] &= plane[j]
        else:
            for j in range(width):
                more[j] |= equal[j] & plane[j]
            for j in range(width):
                equal[j] = _without(equal[j], plane[j])


@inner
def _block_costs(bit_label: Any, planes: Any, depth: Any, width: Any, table: Any, x: Any, cost: Any) -> None:
    """cost[j] = exact sum of the table over the parts of guess j, the winning one left out.

    About 15 ns a guess: no branches, in lanes.
    """
    cost[:width] = 0
    for e in range(len(bit_label)):
        if bit_label[e] < 0:
            continue
        for j in range(width):
            x[j] = _move_bit(planes[0, j], e, 0) | _move_bit(planes[1, j], e, 1) | _move_bit(planes[2, j], e, 2)
        for i in range(3, depth):
            plane = planes[i]
            for j in range(width):
                x[j] |= _move_bit(plane[j], e, i)
        for j in range(width):
            cost[j] += table[np.uintp(x[j])]


@inner
def _fewest_parts(table: Any, n: Any, most: Any, best: Any, discount: Any) -> Any:
    """Least number of parts with which n codes can cost no more than `best`.

    For a convex table equal parts cost least.
    """
    for k in range(1, most + 1):
        q, r = n // k, n % k
        wider = table[q + 1] if r else np.int64(0)
        if r * wider + (k - r) * table[q] - discount <= best:
            return k
    return most + 1


@inner
def _slopes(table: Any, won: Any, n: Any, depth: Any, weights: Any) -> Any:
    """Prepare the bounds of a node.

    Weights[l, i] for slope l, so that cost >= weights[l, depth] + sum_i parts[i] * weights[l, i].

    A candidate's winning part costs `won` whatever the slope: weights[l, depth + 1] is added for it. Slopes are those
    of the table in the middle of the highest brackets, where they matter; returns how many there are.
    """
    used = 0
    for top in range(max(0, depth - 4), depth):
        x = min((3 << top) >> 1, n)
        slope = float(table[min(x + 1, n)] - table[min(x, n - 1)])
        before = 0.0
        for i in range(depth):
            low, high = min(1 << i, n), min((2 << i) - 1, n)
            at = low if i > top else (high if i < top else x)
            value = float(table[at]) - slope * at
            weights[used, i] = value - before
            before = value
        weights[used, depth] = slope * n
        weights[used, depth + 1] = float(won) - slope
        used += 1
    return used


@inner
def _bound(planes: Any, depth: Any, j: Any, weights: Any, used: Any, member: Any, parts: Any) -> Any:
    """Return the best of the bounds on the cost of guess j of the block."""
    word = planes[0, j] & ~planes[0, j]
    for i in range(depth - 1, -1, -1):
        word |= planes[i, j]
        parts[i] = float(_popcount(word))
    low: Any = -np.inf
    for k in range(used):
        term = weights[k, depth] + (weights[k, depth + 1] if member else 0.0)
        for i in range(depth):
            term += weights[k, i] * parts[i]
        low = max(low, term)
    return low


@inner
def _read_planes(bit_label: Any, win: Any, planes: Any, depth: Any, j: Any, member: Any, sizes: Any) -> None:
    """sizes[label] = size of the part with that label, for guess j of the block."""
    sizes[:] = 0
    every = planes[0, j]
    for i in range(1, depth):
        every |= planes[i, j]
    for e in range(len(bit_label)):
        label = bit_label[e]
        if label >= 0 and (np.uint64(every) >> np.uint64(e)) & np.uint64(1):
            x: Any = 0
            for i in range(depth):
                x |= np.int64((np.uint64(planes[i, j]) >> np.uint64(e)) & np.uint64(1)) << i
            sizes[label] = x
    if member:
        sizes[win] = 1
