"""Kernels that choose a guess by a one-step rule, and that grow a whole strategy tree with such a rule.

Layout: guesses and secrets come as planes, ``uint8[pegs, N]``; loops run over guesses innermost, in blocks of `BLOCK` columns.

How one block is scored against the candidates S of a node, for the feedback kinds whose label is a sum over the pegs of the secret
(standard, black, membership):

1. *Slots.* Let k be how many of the pegs 0..p of the secret carry its color at peg p. Then
   ``common = sum over p of [guess has at least k pegs of that color]``, so that
   ``label = sum over p of pegs * [guess[p] == secret[p]] + [count of the color in the guess >= k]``. A triple (p, color, k) is a slot; one row of
   bytes a slot and block is prepared, and a label costs one addition of bytes a peg.
2. *Bit planes.* ``1 << label`` is one word with one bit a label; words are added up by carry-save adders, so that plane i holds bit i of
   the sizes of all parts at once. About 16 logic operations for eight secrets, whatever the number of labels.
3. *Bound.* The number of parts of at least 2^i codes is a popcount. For a table T of part costs that is convex and any slope a,
   ``sum T(x_e) = a n + sum (T(x_e) - a x_e) >= a n + sum over parts of min over the sizes of its bracket [2^i, 2^(i+1)) of (T(x) - a x)``.
   Only guesses whose bound does not exceed the best cost so far are counted out exactly, in integers.

The secret equal to the guess is left out of the planes (its label is replaced by one that no feedback uses) and put back as the
winning part of one code.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

BLOCK = 512
"""Guesses scored together: 512 columns keep the rows of slots of a 6x9 board in the second-level cache."""

STANDARD, BLACK, MEMBERSHIP, POSITIONAL = 0, 1, 2, 3
SUM, LARGEST, SORTED, WEIGHTED = 0, 1, 2, 3
"""Families of criteria: sum of a table over the parts, size of the largest part, whole partition sorted from the largest, and sum
over the parts, by label, of weight * (T(x) - x T(n) / n)."""


class Board(NamedTuple):
    """What a search needs to know of the rules, as arrays. N secrets, M guesses, `symbols` counts the blank where there is one."""

    kind: int
    pegs: int
    symbols: int
    guesses: np.ndarray  # uint8[pegs, M], lexicographic
    counts: np.ndarray  # uint8[symbols, M]
    first: np.ndarray  # uint8[symbols, M]: first peg that carries the symbol, `pegs` where none does
    secrets: np.ndarray  # uint8[pegs, N], lexicographic
    slots: np.ndarray  # uint16[pegs, N]: (peg * symbols + color) * pegs + k - 1
    guess_of: np.ndarray  # int32[N]: the guess equal to this secret, -1 if there is none
    labels: int  # number of labels; the winning one is the last of `bit_label`'s range
    win: int  # winning label
    cap: int  # labels above it are read as it (only one such label can occur beside the winning one)
    pad: int  # a bit that no label uses
    bit_label: np.ndarray  # int32[word bits]: label that a bit stands for, -1 for none
    word: np.ndarray  # empty array of uint32 or uint64: width of the words; empty uint8 where labels do not fit
    perms: np.ndarray  # uint8[*, pegs]: peg permutations that rules may be symmetric under, identity first
    closed: bool  # secrets and guesses are each closed under every permutation of the colors (not of the blank)
    repeats: bool  # guesses may repeat colors
    colors: int  # colors, without the blank


class Rule(NamedTuple):
    """A rule of choice. Costs are exact integers, the least is best."""

    family: int
    table: np.ndarray  # int64[classes, N + 1]: cost of a part by its size
    klass: np.ndarray  # int64[labels]: row of the table for a part with this label; for WEIGHTED its weight
    bounded: bool  # one class but for the winning label, convex: the bound of this module's docstring holds
    then: int  # second criterion for equal costs: family, -1 for none
    then_table: np.ndarray
    then_klass: np.ndarray
    member: bool  # prefer candidates among equals
    shuffle: bool  # order the rest by a hash of the node's key instead of by the code
    scope: int  # guesses from: 0 all codes, 1 candidates, 2 candidates and `probes` codes drawn by hash
    probes: int
    split: bool  # a candidate that splits completely is best
    settle: bool  # and if there is none, any code that splits completely
    symmetry: bool


_outer = njit(cache=True, nogil=True)
_inner = njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)
# Inner functions are called from compiled code alone: without their wrappers, which unpack dozens of arrays, they compile four times faster.


@intrinsic
def _onehot(typingctx: Any, like: Any, label: Any) -> Any:
    """Return 1 << label in the type of `like`; the label is taken modulo its width."""
    signature = like(like, label)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        width = signature.return_type.bitwidth
        word = ir.IntType(width)
        amount = builder.and_(builder.zext(args[1], word), ir.Constant(word, width - 1))
        return builder.shl(ir.Constant(word, 1), amount)

    return signature, codegen


@intrinsic
def _majority(typingctx: Any, a: Any, b: Any, c: Any) -> Any:
    """Carry of a full adder, bit by bit."""
    signature = a(a, a, a)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        x, y, z = args
        return builder.or_(builder.and_(x, y), builder.and_(z, builder.or_(x, y)))

    return signature, codegen


@intrinsic
def _parity(typingctx: Any, a: Any, b: Any, c: Any) -> Any:
    """Sum of a full adder, bit by bit."""
    signature = a(a, a, a)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.xor(builder.xor(args[0], args[1]), args[2])

    return signature, codegen


@intrinsic
def _plus(typingctx: Any, a: Any, b: Any) -> Any:
    """Sum in the type of the operands, which numba would widen to 64 bits: eight times fewer lanes for bytes."""
    signature = a(a, a)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.add(args[0], args[1])

    return signature, codegen


@intrinsic
def _least(typingctx: Any, a: Any, b: Any) -> Any:
    """Return the lesser of two unsigned numbers, in their type."""
    signature = a(a, a)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.icmp_unsigned("<", args[0], args[1]), args[0], args[1])

    return signature, codegen


@intrinsic
def _flip(typingctx: Any, a: Any) -> Any:
    """Complement, in the type of the operand."""
    signature = a(a)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.not_(args[0])

    return signature, codegen


@intrinsic
def _without(typingctx: Any, a: Any, b: Any) -> Any:
    """Bits of a that b does not have."""
    signature = a(a, a)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.and_(args[0], builder.not_(args[1]))

    return signature, codegen


@intrinsic
def _move_bit(typingctx: Any, word: Any, source: Any, target: Any) -> Any:
    """Bit `source` of the word, moved to place `target` of an otherwise empty one."""
    signature = word(word, source, target)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = args[0].type
        width = signature.return_type.bitwidth
        source, target = (x if x.type.width == width else builder.trunc(x, kind) for x in args[1:])
        bit = builder.and_(builder.lshr(args[0], source), ir.Constant(kind, 1))
        return builder.shl(bit, target)

    return signature, codegen


@intrinsic
def _slot(typingctx: Any, peg: Any, color: Any, step: Any, tally: Any, k: Any) -> Any:
    """(step if peg == color else 0) + (tally >= k), in bytes."""
    signature = types.uint8(types.uint8, types.uint8, types.uint8, types.uint8, types.uint8)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        byte = ir.IntType(8)
        black = builder.select(builder.icmp_unsigned("==", args[0], args[1]), args[2], ir.Constant(byte, 0))
        return builder.add(black, builder.zext(builder.icmp_unsigned(">=", args[3], args[4]), byte))

    return signature, codegen


@intrinsic
def _popcount(typingctx: Any, a: Any) -> Any:
    """Number of bits set, as int32."""
    signature = types.int32(a)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        ones = builder.ctpop(args[0])
        if ones.type.width > 32:
            return builder.trunc(ones, ir.IntType(32))
        return ones

    return signature, codegen


@_inner
def _hash(x: Any) -> Any:
    """Finalizer of splitmix64: a permutation of the 64-bit numbers that mixes every bit."""
    x = np.uint64(x) + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@_inner
def pair_label(kind: Any, pegs: Any, guesses: Any, g: Any, secrets: Any, s: Any) -> Any:
    """Label of one guess against one secret, given as columns of two arrays of planes."""
    black = 0
    if kind == 3:
        label = 0
        for p in range(pegs):
            c = guesses[p, g]
            digit = 0
            if secrets[p, s] == c:
                digit = 2
            else:
                spare = 0
                for q in range(pegs):
                    if secrets[q, s] == c and guesses[q, g] != c:
                        spare += 1
                    if q < p and guesses[q, g] == c and secrets[q, s] != c:
                        spare -= 1
                if spare > 0:
                    digit = 1
            label = 3 * label + digit
        return label
    common = 0
    if kind == 0:
        used = np.uint64(0)
        for p in range(pegs):
            black += guesses[p, g] == secrets[p, s]
            for q in range(pegs):
                if not (used >> np.uint64(q)) & np.uint64(1) and guesses[q, g] == secrets[p, s]:
                    used |= np.uint64(1) << np.uint64(q)
                    common += 1
                    break
        return pegs * black + common
    for p in range(pegs):
        c = guesses[p, g]
        black += secrets[p, s] == c
        if kind == 2:
            for q in range(pegs):
                if secrets[q, s] == c:
                    common += 1
                    break
    if kind == 1:
        return black
    return pegs * black + common


@_inner
def _fill_slots(
    kind: Any, symbols: Any, used: Any, count: Any, planes: Any, counts: Any, width: Any, rows: Any
) -> None:
    """rows[slot, 0:width] for the `count` slots named in `used`: what each adds to the labels of the first `width` guesses."""
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


@_inner
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


@_inner
def _add_eight(rows: Any, width: Any, low: Any, carry: Any) -> None:
    """Add eight rows of labels, uint8[8 * BLOCK], to planes 0..2, word[3 * BLOCK]; what exceeds them, worth eight, goes to `carry`.

    Flat arrays with constant offsets: the compiler then sees three objects to check for overlap, not twelve, and vectorizes.
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


@_inner
def _ripple(planes: Any, lowest: Any, depth: Any, carry: Any, width: Any) -> None:
    """Add `carry` to planes lowest..depth."""
    for i in range(lowest, depth):
        plane = planes[i]
        for j in range(width):
            both = plane[j] & carry[j]
            plane[j] ^= carry[j]
            carry[j] = both


@_inner
def _ripple_two(planes: Any, depth: Any, first: Any, second: Any, width: Any) -> None:
    """Add two carries worth eight each: to plane 3 by a full adder, then upwards."""
    plane = planes[3]
    for j in range(width):
        c = _majority(plane[j], first[j], second[j])
        plane[j] = _parity(plane[j], first[j], second[j])
        first[j] = c
    _ripple(planes, 4, depth, first, width)


@_inner
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
    for start in range(0, n, 16):
        rows = min(16, n - start)
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
                _ripple_two(planes, depth, carry[0], carry[1], width)
        elif depth > 3:
            _ripple(planes, 3, depth, carry[0], width)
    keep = ~_onehot(planes[0, 0], pad)
    for i in range(depth):
        for j in range(width):
            planes[i, j] &= keep


@_inner
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


@_inner
def _exceeds(planes: Any, depth: Any, width: Any, limit: Any, equal: Any, more: Any) -> None:
    """more[j] is not zero where some part, the winning one left out, has more than `limit` codes."""
    more[:width] = 0
    for j in range(width):
        equal[j] = _flip(more[j])
    for i in range(depth - 1, -1, -1):
        plane = planes[i]
        if (limit >> i) & 1:
            for j in range(width):
                equal[j] = equal[j] & plane[j]
        else:
            for j in range(width):
                more[j] |= equal[j] & plane[j]
                equal[j] = _without(equal[j], plane[j])


@_inner
def _block_costs(bit_label: Any, planes: Any, depth: Any, width: Any, table: Any, x: Any, cost: Any) -> None:
    """cost[j] = exact sum of the table over the parts of guess j, the winning one left out. About 15 ns a guess: no branches, in lanes."""
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


@_inner
def _fewest_parts(table: Any, n: Any, most: Any, best: Any, discount: Any) -> Any:
    """Least number of parts with which n codes can cost no more than `best`: for a convex table equal parts cost least."""
    for k in range(1, most + 1):
        q, r = n // k, n % k
        wider = table[q + 1] if r else np.int64(0)
        if r * wider + (k - r) * table[q] - discount <= best:
            return k
    return most + 1


@_inner
def _slopes(table: Any, won: Any, n: Any, depth: Any, weights: Any) -> Any:
    """Prepare the bounds of a node: weights[l, i] for slope l, so that cost >= weights[l, depth] + sum_i parts[i] * weights[l, i].

    A candidate's winning part costs `won` whatever the slope: weights[l, depth + 1] is added for it. Slopes are those of the table in the
    middle of the highest brackets, where they matter; returns how many there are.
    """
    used = 0
    for top in range(max(0, depth - 6), depth):
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


@_inner
def _bound(planes: Any, depth: Any, j: Any, weights: Any, used: Any, member: Any, parts: Any) -> Any:
    """Return the best of the bounds on the cost of guess j of the block."""
    word = planes[0, j] & ~planes[0, j]
    for i in range(depth - 1, -1, -1):
        word |= planes[i, j]
        parts[i] = float(_popcount(word))
    low = -np.inf
    for k in range(used):
        term = weights[k, depth] + (weights[k, depth + 1] if member else 0.0)
        for i in range(depth):
            term += weights[k, i] * parts[i]
        low = max(low, term)
    return low


@_inner
def _read_planes(bit_label: Any, win: Any, planes: Any, depth: Any, j: Any, member: Any, sizes: Any) -> None:
    """sizes[label] = size of the part with that label, for guess j of the block."""
    sizes[:] = 0
    every = planes[0, j]
    for i in range(1, depth):
        every |= planes[i, j]
    for e in range(len(bit_label)):
        label = bit_label[e]
        if label >= 0 and (np.uint64(every) >> np.uint64(e)) & np.uint64(1):
            x = 0
            for i in range(depth):
                x |= np.int64((np.uint64(planes[i, j]) >> np.uint64(e)) & np.uint64(1)) << i
            sizes[label] = x
    if member:
        sizes[win] = 1


class Work(NamedTuple):
    """Memory of one search, allocated once; nothing in it outlives a call."""

    mark: np.ndarray  # uint8[M]: 1 for the candidates of the node at hand, zero between calls
    listed: np.ndarray  # int32[M]: guesses to score
    allowed: np.ndarray  # uint8[BLOCK]
    member_at: np.ndarray  # int32[N]
    used: np.ndarray  # int32[slots]: slots that occur in the node
    seen: np.ndarray  # uint8[slots]
    rows: np.ndarray  # uint8[slots, BLOCK]
    block: np.ndarray  # uint8[pegs, BLOCK]: gathered guesses
    tally: np.ndarray  # uint8[symbols, BLOCK]: and their color counts
    labels: np.ndarray  # uint8[16, BLOCK]
    flat: np.ndarray  # uint8[16 * BLOCK]: the same memory
    carry: np.ndarray  # word[2, BLOCK]
    planes: np.ndarray  # word[22, BLOCK]
    low: np.ndarray  # word[3 * BLOCK]: the memory of the first three
    cost: np.ndarray  # int64[BLOCK]
    scratch: np.ndarray  # word[BLOCK]
    more: np.ndarray  # word[BLOCK]
    parts: np.ndarray  # int32[BLOCK]
    brackets: np.ndarray  # float64[22]
    weights: np.ndarray  # float64[8, 24]
    fixed: np.ndarray  # uint8[BLOCK]
    sizes: np.ndarray  # int64[labels]
    sorts: (
        np.ndarray
    )  # int64[4, labels]: sorted partitions, first criterion and second, of the best guess and of the one judged
    best: (
        np.ndarray
    )  # int64[5]: cost, second cost, 0 for a candidate, order, guess; cost is the greatest integer while there is none
    group: np.ndarray  # int32[perms]: rows of board.perms that fix the history
    recolor: np.ndarray  # uint8[perms, symbols]: and what they do to colors
    image: np.ndarray  # uint8[256]
    chain: np.ndarray  # uint8[256]
    absent: np.ndarray  # bool[256]
    chains: np.ndarray  # int32[3, 256]
    answered: np.ndarray  # uint8[labels], zero between calls
    labelled: np.ndarray  # int32[N]
    spare: np.ndarray  # int32[N]
    starts: np.ndarray  # int64[labels + 1]
    ends: np.ndarray  # int64[labels]


def make_work(board: Board) -> Work:
    """Allocate what a search on this board needs: about 9 bytes a guess and 1 KB a slot."""
    m, n = board.guesses.shape[1], board.secrets.shape[1]
    slots = board.pegs * board.symbols * board.pegs
    word = board.word.dtype
    labels, planes = np.empty((16, BLOCK), np.uint8), np.empty((22, BLOCK), word)
    return Work(
        mark=np.zeros(m, np.uint8),
        listed=np.empty(m, np.int32),
        allowed=np.empty(BLOCK, np.uint8),
        member_at=np.empty(n, np.int32),
        used=np.empty(slots, np.int32),
        seen=np.zeros(slots, np.uint8),
        rows=np.empty((slots, BLOCK), np.uint8),
        block=np.empty((board.pegs, BLOCK), np.uint8),
        tally=np.empty((board.symbols, BLOCK), np.uint8),
        labels=labels,
        flat=labels.reshape(-1),
        carry=np.empty((2, BLOCK), word),
        planes=planes,
        low=planes[:3].reshape(-1),
        cost=np.empty(BLOCK, np.int64),
        scratch=np.empty(BLOCK, word),
        more=np.empty(BLOCK, word),
        parts=np.empty(BLOCK, np.int32),
        brackets=np.empty(22, np.float64),
        weights=np.empty((8, 24), np.float64),
        fixed=np.empty(BLOCK, np.uint8),
        sizes=np.zeros(board.labels, np.int64),
        sorts=np.zeros((4, board.labels), np.int64),
        best=np.empty(5, np.int64),
        group=np.empty(len(board.perms), np.int32),
        recolor=np.empty((len(board.perms), board.symbols), np.uint8),
        image=np.empty(256, np.uint8),
        chain=np.empty(256, np.uint8),
        absent=np.empty(256, np.bool_),
        chains=np.zeros((3, 256), np.int32),
        answered=np.zeros(board.labels, np.uint8),
        labelled=np.empty(n, np.int32),
        spare=np.empty(n, np.int32),
        starts=np.zeros(board.labels + 1, np.int64),
        ends=np.zeros(board.labels, np.int64),
    )


@_inner
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


@_inner
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


@_inner
def _compare(family: Any, cost: Any, best: Any, ordered: Any, record: Any) -> Any:
    """Return -1, 0, 1 as the cost, or for SORTED the whole partition, is less than the best one, equal, greater."""
    if cost != best:
        return -1 if cost < best else 1
    if family == 2:
        for i in range(len(ordered)):
            if ordered[i] != record[i]:
                return -1 if ordered[i] < record[i] else 1
    return 0


@_inner
def _order(rule: Any, key: Any, guess: Any) -> Any:
    """What decides among guesses equal in everything else, the least first."""
    if rule.shuffle:
        return np.int64(_hash(key ^ np.uint64(guess)) >> np.uint64(1))
    return np.int64(guess)


@_inner
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


@_inner
def _splits(board: Any, node: Any, guess: Any, seen: Any) -> Any:
    """Say whether the guess gives every candidate a feedback of its own. `seen` is zero bytes by label, before and after."""
    count = 0
    alone = True
    for i in range(len(node)):
        label = pair_label(board.kind, board.pegs, board.guesses, guess, board.secrets, node[i])
        if seen[label]:
            alone = False
            break
        seen[label] = 1
        count += 1
    for i in range(count):
        seen[pair_label(board.kind, board.pegs, board.guesses, guess, board.secrets, node[i])] = 0
    return alone


@_inner
def _stabilizer(board: Any, work: Any, history: Any, absent: Any) -> Any:
    """Collect peg permutations that, with a permutation of the colors, map every guess of the history to itself.

    Colors that no candidate contains count as one color: scoring a candidate cannot tell them apart, so the candidates are those of
    the history in which they are replaced. Returns the number found; the first is the identity.
    """
    pegs, none = board.pegs, np.uint8(255)
    found = 0
    for i in range(len(board.perms)):
        perm, recolor = board.perms[i], work.recolor[found]
        recolor[:] = none
        taken = np.uint64(0)
        good = True
        for t in range(len(history)):
            for p in range(pegs):
                a, b = board.guesses[p, history[t]], board.guesses[perm[p], history[t]]
                if absent[a] or absent[b]:
                    good = absent[a] and absent[b]
                elif recolor[a] == none:
                    good = not (taken >> np.uint64(b)) & np.uint64(1) and (a == board.colors) == (b == board.colors)
                    recolor[a] = b
                    taken |= np.uint64(1) << np.uint64(b)
                else:
                    good = recolor[a] == b
                if not good:
                    break
            if not good:
                break
        if good:
            work.group[found] = i
            found += 1
    return found


@_inner
def _least_image(board: Any, work: Any, found: Any, guess: Any, rank: Any, chains: Any, chain: Any) -> Any:
    """Say whether no image of the guess under the stabilizer comes before it. chain[c]: 1 unused, 2 absent, 0 neither.

    chains[k] lists the colors of kind k in order; they are relabelled by first occurrence.
    """
    pegs = board.pegs
    image = work.image
    for i in range(1, found):
        perm, recolor = board.perms[work.group[i]], work.recolor[i]
        fresh1, fresh2 = 0, 0
        image[:] = 255
        for q in range(pegs):
            p = 0
            while perm[p] != q:
                p += 1
            c = board.guesses[p, guess]
            if chain[c] == 0:
                d = recolor[c] if recolor[c] != 255 else c
            else:
                if image[c] == 255:
                    if chain[c] == 1:
                        image[c] = chains[1, fresh1]
                        fresh1 += 1
                    else:
                        image[c] = chains[2, fresh2]
                        fresh2 += 1
                d = image[c]
            if d != board.guesses[q, guess]:
                if d < board.guesses[q, guess]:
                    return False
                break
    return True


@_inner
def _color_classes(board: Any, node: Any, history: Any, chain: Any, chains: Any, absent: Any) -> Any:
    """Sort the symbols: chain[c] is 1 for a color that no guess used and a candidate contains, 2 for one that none contains, else 0.

    Returns how many guesses are interchangeable at best: the product of the factorials would be more exact, the sizes are enough.
    """
    absent[:] = True
    for p in range(board.pegs):
        for i in range(len(node)):
            absent[board.secrets[p, node[i]]] = False
    chain[:] = 0
    for c in range(board.colors):
        chain[c] = 1
    for t in range(len(history)):
        for p in range(board.pegs):
            chain[board.guesses[p, history[t]]] = 0
    sizes1, sizes2 = 0, 0
    for c in range(board.symbols):
        if absent[c] and (c < board.colors or board.repeats):
            chain[c] = 2
        if chain[c] == 1:
            chains[1, sizes1] = c
            sizes1 += 1
        elif chain[c] == 2:
            chains[2, sizes2] = c
            sizes2 += 1
    chains[0, 1], chains[0, 2] = sizes1, sizes2
    return max(sizes1, sizes2) > 1


@_inner
def _allow(board: Any, chains: Any, lo: Any, width: Any, allowed: Any) -> None:
    """allowed[j] = 1 for a guess that is the first of those that permuting interchangeable colors makes of it."""
    allowed[:width] = 1
    for k in range(1, 3):
        size = np.int64(chains[0, k])
        for i in range(1, size):
            if k == 2 and board.repeats:
                row = board.counts[chains[2, i], lo : lo + width]
                for j in range(width):
                    allowed[j] &= np.uint8(row[j] == 0)
            else:
                a, b = board.first[chains[k, i - 1], lo : lo + width], board.first[chains[k, i], lo : lo + width]
                for j in range(width):
                    allowed[j] &= np.uint8(a[j] <= b[j])


@_inner
def _list_all(board: Any, chains: Any, work: Any) -> Any:
    """List in work.listed the guesses that `_allow` lets pass; returns their number."""
    count = 0
    m = board.guesses.shape[1]
    for lo in range(0, m, BLOCK):
        width = min(BLOCK, m - lo)
        _allow(board, chains, lo, width, work.allowed)
        for j in range(width):
            work.listed[count] = lo + j
            count += work.allowed[j]
    return count


@_inner
def _list_members(board: Any, node: Any, chains: Any, work: Any) -> Any:
    """List the candidates that are first among those made of them by permuting unused colors; returns their number."""
    count = 0
    size = np.int64(chains[0, 1])
    for i in range(len(node)):
        g = board.guess_of[node[i]]
        if g < 0:
            continue
        good = True
        for k in range(1, size):
            if board.first[chains[1, k - 1], g] > board.first[chains[1, k], g]:
                good = False
        work.listed[count] = g
        count += good
    return count


@_inner
def _sort_up(listed: Any, count: Any) -> None:
    """Sort by insertion, in place: all but the probes at the end are in order."""
    for i in range(1, count):
        g, j = listed[i], i
        while j > 0 and listed[j - 1] > g:
            listed[j] = listed[j - 1]
            j -= 1
        listed[j] = g


@_inner
def _list_probes(board: Any, node: Any, rule: Any, key: Any, work: Any) -> Any:
    """List the candidates and `rule.probes` codes drawn by a hash of the node, in order, each once; returns their number."""
    m = board.guesses.shape[1]
    count = 0
    for i in range(len(node)):
        if board.guess_of[node[i]] >= 0:
            work.listed[count] = board.guess_of[node[i]]
            count += 1
    members = count
    for k in range(8 * rule.probes):
        if count - members == min(rule.probes, m - members):
            break
        g = np.int32(_hash(key + np.uint64(k)) % np.uint64(m))
        if not work.mark[g]:
            work.mark[g] = 2
            work.listed[count] = g
            count += 1
    for i in range(members, count):
        work.mark[work.listed[i]] = 0
    _sort_up(work.listed, count)
    return count


@_inner
def _list_guesses(board: Any, rule: Any, node: Any, history: Any, key: Any, work: Any) -> Any:
    """List the guesses to score in work.listed, in order; returns their number, or -1 for all of them, unlisted.

    Left out are guesses that a symmetry of the position maps to an earlier one: they split the candidates into parts of the same
    sizes and are candidates just when it is one, so with ties decided by order they are never chosen.
    """
    n, m = len(node), board.guesses.shape[1]
    chain, absent, chains = work.chain, work.absent, work.chains
    if rule.scope == 2:
        return _list_probes(board, node, rule, key, work)
    symmetric = rule.symmetry and board.closed and not rule.shuffle
    reducible = symmetric and _color_classes(board, node, history, chain, chains, absent)
    if rule.scope == 1:
        count = _list_members(board, node, chains, work)
    elif reducible:
        count = _list_all(board, chains, work)
    else:
        count = -1
    scored = m if count < 0 else count
    turns = len(history)
    if not symmetric or turns > 3 or (board.kind == 3 and turns > 0):
        return count
    if len(board.perms) * (turns + 1) * board.pegs > n * scored // 16:
        return count
    found = _stabilizer(board, work, history, absent)
    if found < 2:
        return count
    kept = 0
    for i in range(scored):
        g = i if count < 0 else work.listed[i]
        if _least_image(board, work, found, g, 0, chains, chain):
            work.listed[kept] = g
            kept += 1
    return kept


@_inner
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


@_inner
def _gather(planes: Any, listed: Any, block: Any) -> None:
    """Copy the listed columns."""
    for p in range(len(planes)):
        row, out = planes[p], block[p]
        for j in range(len(listed)):
            out[j] = row[listed[j]]


@_inner
def _part_sizes(board: Any, node: Any, guess: Any, sizes: Any) -> None:
    """sizes[label] = how many of the candidates `node` would answer with it; one pair at a time, for every kind of feedback."""
    sizes[:] = 0
    for i in range(len(node)):
        sizes[pair_label(board.kind, board.pegs, board.guesses, guess, board.secrets, node[i])] += 1


@_inner
def _judge_one(board: Any, rule: Any, work: Any, depth: Any, j: Any, guess: Any, key: Any) -> None:
    """Count out guess j of the block from its planes and judge it."""
    _read_planes(board.bit_label, board.win, work.planes, depth, j, work.fixed[j], work.sizes)
    _judge(rule, work.best, work.sorts, work.sizes, guess, work.fixed[j] != 0, key)


@_inner
def _judge_block(
    board: Any, rule: Any, work: Any, n: Any, lo: Any, width: Any, depth: Any, slopes: Any, key: Any, direct: Any
) -> Any:
    """Judge the guesses of a block from its planes. Returns True when the first code that splits completely settles the choice."""
    best, fixed, parts = work.best, work.fixed, work.parts
    largest = rule.family == 1 or rule.family == 2
    small = rule.settle and n <= board.labels
    if largest and best[4] >= 0:
        _exceeds(work.planes, depth, width, best[0], work.scratch, work.more)
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
        if not (largest and best[4] >= 0 and work.more[j]):
            _judge_one(board, rule, work, depth, j, lo + j if direct else work.listed[lo + j], key)
    return False


@_inner
def _judge_bounded(
    board: Any, rule: Any, work: Any, n: Any, lo: Any, width: Any, depth: Any, slopes: Any, key: Any, direct: Any
) -> None:
    """Judge the guesses of a block whose cost is a sum of a convex table: those with too few parts, then those with too high a bound, drop out.

    Where many have parts enough the costs of all are computed at once instead.
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
    wide = left * 8 > width
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


@_inner
def _judge_candidates(board: Any, rule: Any, work: Any, node: Any, key: Any) -> None:
    """Judge a few candidates, so that the first block already has a cost to beat."""
    n = len(node)
    for i in range(min(n, 4)):
        guess = board.guess_of[node[i * n // 4]]
        if guess >= 0:
            _part_sizes(board, node, guess, work.sizes)
            _judge(rule, work.best, work.sorts, work.sizes, guess, True, key)


@_inner
def _place_block(board: Any, work: Any, node: Any, lo: Any, width: Any, direct: Any) -> None:
    """Say which guesses of the block are candidates, in work.fixed, and in which column each stands, in work.member_at."""
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


@_inner
def _score_blocks(board: Any, rule: Any, node: Any, count: Any, key: Any, work: Any, share: Any, shares: Any) -> None:
    """Judge the listed guesses (all of them when `count` is -1), or one of several equal shares of them, by bit planes."""
    n = len(node)
    direct = count < 0
    scored = board.guesses.shape[1] if direct else count
    slots = _mark_slots(board.slots, node, work.seen, work.used)
    depth = 3
    while n >> depth:
        depth += 1
    slopes = 0
    if rule.bounded:
        slopes = _slopes(rule.table[0], rule.table[rule.klass[board.win], 1], n, depth, work.weights)
    _judge_candidates(board, rule, work, node, key)
    begin, end = scored * share // shares, scored * (share + 1) // shares
    for lo in range(begin, end, BLOCK):
        width = min(BLOCK, end - lo)
        _place_block(board, work, node, lo, width, direct)
        if direct:
            planes, counts = board.guesses[:, lo : lo + width], board.counts[:, lo : lo + width]
            _fill_slots(board.kind, board.symbols, work.used, slots, planes, counts, width, work.rows)
        else:
            listed = work.listed[lo : lo + width]
            _gather(board.guesses, listed, work.block)
            _gather(board.counts, listed, work.tally)
            _fill_slots(
                board.kind,
                board.symbols,
                work.used,
                slots,
                work.block[:, :width],
                work.tally[:, :width],
                width,
                work.rows,
            )
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
        if _judge_block(board, rule, work, n, lo, width, depth, slopes, key, direct):
            return


@_inner
def _score_pairs(board: Any, rule: Any, node: Any, count: Any, key: Any, work: Any, share: Any, shares: Any) -> None:
    """Judge the listed guesses pair by pair, for the feedback kinds and sizes whose labels are not sums that fit a word."""
    scored = board.guesses.shape[1] if count < 0 else count
    for i in range(scored * share // shares, scored * (share + 1) // shares):
        g = i if count < 0 else work.listed[i]
        _part_sizes(board, node, g, work.sizes)
        _judge(rule, work.best, work.sorts, work.sizes, g, work.mark[g] != 0, key)


@_inner
def _choose(board: Any, rule: Any, node: Any, history: Any, key: Any, work: Any, share: Any, shares: Any) -> Any:
    """Choose a guess for the candidates `node` (int32, ascending) after the guesses `history` (int32); work.best says how good it is.

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


@_inner
def _split(board: Any, node: Any, guess: Any, labels: Any, starts: Any, ends: Any, spare: Any) -> Any:
    """Sort the candidates `node` by their label for the guess, keeping their order inside a part; returns the size of the largest part.

    starts: int64[labels + 1], set so that the part with label e is node[starts[e]:starts[e + 1]]. The other arrays are overwritten.
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


@_inner
def _next_key(key: Any, guess: Any, label: Any) -> Any:
    """Key of the node after one more turn: what random ties and probes are drawn by."""
    return _hash(key ^ (np.uint64(guess) << np.uint64(12)) ^ np.uint64(label))


@_outer
def grow(
    board: Any,
    rule: Any,
    node: Any,
    history: Any,
    key: Any,
    work: Any,
    opening: Any,
    limit: Any,
    guess: Any,
    parent: Any,
    label: Any,
    size: Any,
    first: Any,
) -> Any:
    """Grow the whole strategy tree for the candidates `node` (int32, reordered) after the guesses `history`.

    Writes one entry a node in preorder, children by ascending label: guess, parent (-1 for the first), label that leads there, number
    of candidates, and where in `node` they stand at the end. The arrays need room for 2 n nodes. `opening` is the first guess, -1 to choose it. A part of more than `limit` codes
    is not grown: its node is written with guess -1. Returns the number of nodes.
    """
    n = len(node)
    starts = work.starts
    room = 64 * board.labels + 64
    stack = np.empty((room, 5), np.int64)
    keys = np.empty(room, np.uint64)
    path = np.empty(len(history) + n + 1, np.int32)
    path[: len(history)] = history
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3], stack[0, 4] = 0, n, -1, -1, len(history)
    keys[0] = key
    top, nodes = 1, 0
    while top:
        top -= 1
        begin, end, above, by, depth = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3], stack[top, 4]
        here_key = keys[top]
        here = node[begin:end]
        this = nodes
        nodes += 1
        parent[this], label[this], size[this], first[this] = above, by, end - begin, begin
        if above >= 0 and end - begin > limit:
            guess[this] = -1
            continue
        g = (
            np.int64(opening)
            if above < 0 and opening >= 0
            else _choose(board, rule, here, path[:depth], here_key, work, 0, 1)
        )
        widest = _split(board, here, g, work.labelled, starts, work.ends, work.spare)
        if widest == end - begin > 1:
            # A guess that tells nothing would be played for ever; some tables of weights ask for one.
            g = np.int64(board.guess_of[here[0]])
            _split(board, here, g, work.labelled, starts, work.ends, work.spare)
        guess[this] = g
        path[depth] = g
        if top + board.labels >= len(stack):
            wider = np.empty((2 * len(stack), 5), np.int64)
            wider[:top] = stack[:top]
            stack = wider
            longer = np.empty(len(stack), np.uint64)
            longer[:top] = keys[:top]
            keys = longer
        for e in range(board.labels - 1, -1, -1):
            if e != board.win and starts[e + 1] > starts[e]:
                stack[top, 0], stack[top, 1], stack[top, 2] = begin + starts[e], begin + starts[e + 1], this
                stack[top, 3], stack[top, 4] = e, depth + 1
                keys[top] = _next_key(here_key, g, e)
                top += 1
    return nodes


@_outer
def choose(board: Any, rule: Any, node: Any, history: Any, key: Any, work: Any, share: Any, shares: Any) -> Any:
    """Choose a guess, as a tree does at a node; see `_choose`."""
    return _choose(board, rule, node, history, key, work, share, shares)


def next_key(key: int, guess: int, label: int) -> int:
    """Key of the node after one more turn, as the kernels compute it."""
    mask = (1 << 64) - 1
    x = ((key ^ (guess << 12) ^ label) + 0x9E3779B97F4A7C15) & mask
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & mask
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & mask
    return x ^ (x >> 31)
