"""Kernels of the search for near-optimal trees: which guesses cut a set well, and what a cut is worth.

Labels come as the exact search keeps them: rows of secrets, columns of guesses. Everything that calls one another
stands in this file; the exact search is called through its address.
"""

# ruff: noqa: ARG001, C901, PLR0913, PLR0917
# As in `entropeg.search.engine`.

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped, unused-ignore]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from entropeg.kernels._bits import _majority, _onehot, _parity, _popcount
from entropeg.kernels._jit import kernel
from entropeg.search.desk import INF, SYMMETRIC, UNLIMITED
from entropeg.search.engine import SOLVE

Array = Any
Int = Any

BLOCK = 512
"""Columns counted together: planes and labels of a block stay in the first-level cache."""
SEGMENT = 64
"""Columns are chosen in runs of so many, a line of the cache."""
RUN = BLOCK // SEGMENT
PLANES = 16
"""Part sizes are counted in so many bits."""
AHEAD = 8
"""Rows are asked for so many rows before they are read."""
LARGEST_SMALL = 60
"""Up to this size a set is solved exactly; above it the search is a beam."""


@intrinsic
def _copy(typingctx: Any, target: Any, to: Any, source: Any, at: Any) -> Any:
    """Copy SEGMENT bytes by one wide load and store: a loop would first check whether the two overlap."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        line = ir.VectorType(ir.IntType(8), SEGMENT).as_pointer()
        out = context.make_array(signature.args[0])(context, builder, args[0]).data
        data = context.make_array(signature.args[2])(context, builder, args[2]).data
        word = builder.load(builder.bitcast(builder.gep(data, [args[3]]), line))
        word.align = 1
        builder.store(word, builder.bitcast(builder.gep(out, [args[1]]), line)).align = 1
        return context.get_dummy_value()

    return types.void(target, to, source, at), codegen


@intrinsic
def _prefetch(typingctx: Any, source: Any, at: Any) -> Any:
    """Ask for a line of the cache that will be read soon: rows lie too far apart for the processor to guess."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        byte, word = ir.IntType(8), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte.as_pointer(), word, word, word])
        call = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        flags = [ir.Constant(word, flag) for flag in (0, 3, 1)]  # to read, to keep, data
        builder.call(call, [builder.gep(data, [args[1]]), *flags])
        return context.get_dummy_value()

    return types.void(source, at), codegen


@kernel
def _add_eight(labels: Array, at: Int, planes: Array, carry: Array) -> Any:
    """Add eight rows of labels, ``labels[at:at + 8 * BLOCK]``, to the three lowest planes; the rest to ``carry``.

    Flat arrays and constant offsets: the compiler has three objects to check for overlap and vectorizes.
    """
    rows = labels[at : at + 8 * BLOCK]
    for j in range(BLOCK):
        like = planes[j]
        h0, h1 = _onehot(like, rows[j]), _onehot(like, rows[j + BLOCK])
        h2, h3 = _onehot(like, rows[j + 2 * BLOCK]), _onehot(like, rows[j + 3 * BLOCK])
        h4, h5 = _onehot(like, rows[j + 4 * BLOCK]), _onehot(like, rows[j + 5 * BLOCK])
        h6, h7 = _onehot(like, rows[j + 6 * BLOCK]), _onehot(like, rows[j + 7 * BLOCK])
        one, two, four = planes[j], planes[j + BLOCK], planes[j + 2 * BLOCK]
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
        planes[j + 2 * BLOCK] = _parity(four, f0, f1)
        planes[j] = one
        planes[j + BLOCK] = two


@kernel
def _carry(planes: Array, level: Int, first: Array, second: Array) -> Any:
    """Add two words a column to plane ``level``; what exceeds it, to ``first``."""
    plane = planes[level * BLOCK : (level + 1) * BLOCK]
    for j in range(BLOCK):
        a, b, c = plane[j], first[j], second[j]
        first[j] = _majority(a, b, c)
        plane[j] = _parity(a, b, c)


@kernel
def _ripple(planes: Array, level: Int, depth: Int, carry: Array) -> Any:
    for i in range(level, depth):
        plane = planes[i * BLOCK : (i + 1) * BLOCK]
        for j in range(BLOCK):
            a, b = plane[j], carry[j]
            carry[j] = a & b
            plane[j] = a ^ b


@kernel
def _count_block(
    scan: Array, starts: Array, rows: Array, n: Int, segments: Array, first: Int, last: Int, labels: Array,
    planes: Array, carries: Array, depth: Int, pad: Int,
) -> Any:  # fmt: skip
    """Sizes of all parts for the columns of ``segments[first:last]``, in bits: planes[i] holds bit i of each.

    Word j of a plane has bit e set where the part of label e under column j has bit i in its size. Carries wait at
    their level for a second one, so that a row costs about one full adder altogether.
    """
    for i in range(depth * BLOCK):
        planes[i] = 0
    waiting = np.int64(0)  # bit i: carries[i] holds a word to be added to plane i
    for begin in range(0, n, 8):
        for r in range(8):
            if begin + r < n:
                row = starts[rows[begin + r]]
                ahead = starts[rows[min(begin + r + AHEAD, n - 1)]]
                for k in range(first, last):
                    _prefetch(scan, ahead + segments[k])
                    _copy(labels, r * BLOCK + (k - first) * SEGMENT, scan, row + segments[k])
            else:
                out = labels[r * BLOCK : (r + 1) * BLOCK]
                for j in range(BLOCK):
                    out[j] = pad
        free = carries[0:BLOCK]
        _add_eight(labels, 0, planes, free)
        level = 3
        while level < depth and (waiting >> level) & 1:
            _carry(planes, level, free, carries[level * BLOCK : (level + 1) * BLOCK])
            waiting &= ~(1 << level)
            level += 1
        if level < depth:
            store = carries[level * BLOCK : (level + 1) * BLOCK]
            for j in range(BLOCK):
                store[j] = free[j]
            waiting |= 1 << level
    for level in range(3, depth):
        if (waiting >> level) & 1:
            _ripple(planes, level, depth, carries[level * BLOCK : (level + 1) * BLOCK])


@kernel
def _floor_block(planes: Array, depth: Int, keep: Int, steps: Array, base: Int, seen: Array, score: Array) -> Any:
    """``score[j]`` = lower bound of the estimate of column j, from the numbers of parts of 2^i codes and more."""
    for j in range(BLOCK):
        score[j] = base
        seen[j] = 0
    for i in range(depth - 1, -1, -1):
        plane = planes[i * BLOCK : (i + 1) * BLOCK]
        step = steps[i]
        for j in range(BLOCK):
            seen[j] |= plane[j] & keep
            score[j] += step * np.float32(_popcount(seen[j]))


@kernel
def _push(heap_score: Array, heap_column: Array, size: Int, score: Int, column: Int) -> Any:
    """Keep the least scores in a heap with the largest on top; its new size."""
    w = heap_score.shape[0]
    at = 0
    if size < w:
        at = size
        size += 1
        while at > 0:
            up = (at - 1) >> 1
            if heap_score[up] >= score:
                break
            heap_score[at], heap_column[at] = heap_score[up], heap_column[up]
            at = up
    else:
        while True:
            down = 2 * at + 1
            if down >= w:
                break
            if down + 1 < w and heap_score[down + 1] > heap_score[down]:
                down += 1
            if heap_score[down] <= score:
                break
            heap_score[at], heap_column[at] = heap_score[down], heap_column[down]
            at = down
    heap_score[at], heap_column[at] = score, column
    return size


@kernel
def best_columns(
    scan: Array, starts: Array, rows: Array, n: Int, width: Int, segments: Array, win: Int, estimate: Array,
    steps: Array, slope: Int, work: Any, heap_score: Array, heap_column: Array,
) -> Any:  # fmt: skip
    """The columns of least ``n + sum of estimate[part size]``, in a heap; how many there are.

    ``scan``: uint8, labels, of row r from ``starts[r]`` on; ``rows``: int64[n]. ``segments``: int64, first columns of
    the runs of SEGMENT columns to look at; columns from ``width`` on are padding. ``steps``, ``slope``: see
    ``floor_steps``. A column is counted out only where its lower bound is less than the worst of the heap.
    """
    labels, planes, carries, seen, floors = work.labels, work.planes, work.carries, work.seen_bits, work.floors
    depth = 3
    while (n >> depth) > 0:
        depth += 1
    one = planes[0]
    pad = np.uint8(8 * planes.itemsize - 1)
    keep = _onehot(one, np.uint8(win)) - _onehot(one, np.uint8(0))  # labels below the winning one
    base = np.float32(n + slope * (n - 1))  # of a possible code one secret is in the winning part, which costs nothing
    size = 0
    count = segments.shape[0]
    for first in range(0, count, RUN):
        last = min(count, first + RUN)
        _count_block(scan, starts, rows, n, segments, first, last, labels, planes, carries, depth, pad)
        _floor_block(planes, depth, keep, steps, base, seen, floors)
        for k in range(first, last):
            for i in range(min(SEGMENT, width - segments[k])):
                j = (k - first) * SEGMENT + i
                if size == heap_score.shape[0] and floors[j] >= heap_score[0]:
                    continue
                total = np.float32(n)
                left = np.uint64(seen[j])
                for e in range(win):
                    if (left >> np.uint64(e)) & np.uint64(1):
                        x: Int = 0
                        for b in range(depth):
                            x |= np.int64((np.uint64(planes[b * BLOCK + j]) >> np.uint64(e)) & np.uint64(1)) << b
                        total += estimate[x]
                if size < heap_score.shape[0] or total < heap_score[0]:
                    size = _push(heap_score, heap_column, size, total, segments[k] + i)
    return size


# ---------------------------------------------------------------- parts


class Ground(NamedTuple):
    """The codes of a board, or of the part of it under study, as the kernels below read them."""

    secret_bits: np.ndarray  # uint64[secrets, 2, words]: one bit a peg and color; one bit a color and how often
    guess_bits: np.ndarray  # uint64[guesses, 2, words]
    translate: np.ndarray  # uint8: label of ``pegs * blacks + common``, or of the blacks
    zobrist: np.ndarray  # uint64[secrets]
    guess_of_secret: np.ndarray  # int32[secrets], -1 where the secret is no legal guess
    pegs: int
    win: int
    by_color: int


class Tables(NamedTuple):
    """What was learned: estimates of the total of a set."""

    estimate: np.ndarray  # float32[largest + 1] by size
    doubt: np.ndarray  # float32[largest + 1] variance of the estimate by size
    mean: np.ndarray  # float32[LARGEST_SMALL + 1, 65] by size and most parts that a possible code makes
    variance: np.ndarray  # as mean
    memory: np.ndarray  # uint64[2 * entries]: (key XOR data, data), data = value << 1 | exact


class Scratch(NamedTuple):
    """Memory of one thread."""

    labels: np.ndarray  # uint8[8 * BLOCK]
    planes: np.ndarray  # uint16, uint32 or uint64[PLANES * BLOCK]
    carries: np.ndarray  # as planes
    seen_bits: np.ndarray  # as planes, [BLOCK]
    floors: np.ndarray  # float32[BLOCK]
    label: np.ndarray  # uint8[largest]
    stack: np.ndarray  # int32[largest]: the parts of the guess under study
    sizes: np.ndarray  # int64[labels], as the next
    start: np.ndarray
    hash: np.ndarray  # uint64[labels]
    known: np.ndarray  # float64[labels] value or estimate of each part
    doubt: np.ndarray  # float64[labels] variance of the estimate, 0 for a value
    parts: np.ndarray  # int64[labels] most parts that a possible code makes
    mask: np.ndarray  # uint64[LARGEST_SMALL]
    slots: np.ndarray  # uint64[4096]
    learned: np.ndarray  # float64[LARGEST_SMALL + 1, 65, 4]: times met; times solved, sum and sum of squares of values
    exact_stack: np.ndarray  # int32: the stack of the exact search
    desk: np.ndarray  # int64: its desk
    entry: int  # its address
    solved: np.ndarray  # int64[1]: sets given to it


@intrinsic
def _solve(typingctx: Any, entry: Any, desk: Any, n: Any, ub: Any, mixed: Any) -> Any:
    """Call the exact search (``engine.solve``) on the first n codes of its stack, without limit or symmetry."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        data = context.make_array(signature.args[1])(context, builder, args[1]).data
        kind = ir.FunctionType(word, [data.type] + [word] * 8)
        call = builder.inttoptr(args[0], kind.as_pointer())
        task, zero, unlimited, deep = (ir.Constant(word, number) for number in (SOLVE, 0, UNLIMITED, SYMMETRIC + 1))
        return builder.call(call, [data, task, zero, args[2], args[2], args[3], unlimited, deep, args[4]])

    return types.int64(types.int64, desk, types.int64, types.int64, types.uint64), codegen


@kernel
def _label_of(ground: Any, a: Array, b: Array) -> Any:
    black, common = 0, 0
    for w in range(a.shape[1]):
        black += _popcount(a[0, w] & b[0, w])
        common += _popcount(a[1, w] & b[1, w])
    return ground.translate[ground.pegs * black + common if ground.by_color else black]


@kernel
def _recall(memory: Array, key: Int) -> Any:
    """Value << 1 | exact of a set, or -1."""
    at = 2 * np.int64(key & np.uint64(memory.shape[0] // 2 - 1))
    data = memory[at + 1]
    return np.int64(data) if memory[at] ^ data == key and data != 0 else np.int64(-1)


@kernel
def remember(memory: Array, key: Int, value: Int, exact: Int) -> Any:
    """Keep the value of a set, in place of what had its cell."""
    at = 2 * np.int64(key & np.uint64(memory.shape[0] // 2 - 1))
    data = np.uint64(value << 1 | exact)
    memory[at] = key ^ data
    memory[at + 1] = data


@kernel
def split(ground: Any, work: Any, codes: Array, n: Int, guess: Int) -> Any:
    """Cut a set into parts on the stack; the number of codes in the largest."""
    count, start, hashes, label, stack = work.sizes, work.start, work.hash, work.label, work.stack
    m = ground.win + 1
    for e in range(m):
        count[e] = 0
        hashes[e] = np.uint64(0)
    bits = ground.guess_bits[guess]
    for i in range(n):
        e = _label_of(ground, bits, ground.secret_bits[codes[i]])
        label[i] = e
        count[e] += 1
        hashes[e] ^= ground.zobrist[codes[i]]
    at: Int = 0
    largest: Int = 0
    for e in range(m):
        start[e] = at
        at += count[e]
        largest = max(largest, count[e])
    for i in range(n):
        e = label[i]
        stack[start[e]] = codes[i]
        start[e] += 1
    for e in range(m):
        start[e] -= count[e]
    return largest


@kernel
def _most_parts(ground: Any, work: Any, begin: Int, n: Int) -> Any:
    """Most parts that a code of the set, as a guess, cuts it into."""
    mask, stack = work.mask, work.stack
    for i in range(n):
        mask[i] = np.uint64(1) << np.uint64(ground.win)
    for i in range(n):
        bits = ground.secret_bits[stack[begin + i]]
        for j in range(i):
            e = np.uint64(_label_of(ground, bits, ground.secret_bits[stack[begin + j]]))
            mask[i] |= np.uint64(1) << e
            mask[j] |= np.uint64(1) << e
    most: Int = 0
    for i in range(n):
        if ground.guess_of_secret[stack[begin + i]] >= 0:
            most = max(most, np.int64(_popcount(mask[i])))
    return most


@kernel
def _judge(ground: Any, tables: Any, work: Any, e: Int) -> Any:
    """Value or estimate of part ``e``, into ``known``, ``doubt`` and ``parts``."""
    known, doubt = work.known, work.doubt
    x = work.sizes[e]
    work.parts[e] = 0
    doubt[e] = 0.0
    if x <= 2:
        known[e] = 2 * x - 1 if x else 0
        return
    found = _recall(tables.memory, work.hash[e])
    if found >= 0:
        known[e] = found >> 1
        if not found & 1:
            doubt[e] = 1e-6
        return
    if x > LARGEST_SMALL:
        known[e], doubt[e] = tables.estimate[x], tables.doubt[x]
        return
    most = _most_parts(ground, work, work.start[e], x)
    work.parts[e] = most
    work.learned[x, most, 0] += 1.0
    # A possible code that tells all others apart costs 2x - 1; if there is none, the total is at least 2x, which one
    # that leaves x - 1 parts, a pair among them, attains.
    if most >= x - 1:
        known[e] = 2 * x - 1 if most == x else 2 * x
        work.learned[x, most, 1] += 1.0
        work.learned[x, most, 2] += known[e]
        work.learned[x, most, 3] += known[e] * known[e]
        remember(tables.memory, work.hash[e], np.int64(known[e]), 1)
    else:
        known[e], doubt[e] = tables.mean[x, most], tables.variance[x, most]


@kernel
def _mixed(word: Int) -> Any:
    """splitmix64's finish: a sum of mixed words stands for a multiset of them."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@kernel
def walk(
    ground: Any, tables: Any, work: Any, codes: Array, n: Int, guesses: Array, taken: Array, total: Array,
    doubt: Array, large: Array,
) -> Any:  # fmt: skip
    """Estimate guesses one after another until ``taken`` is full, those with a partition of their own only.

    Fills ``taken`` (guesses), ``total`` and ``doubt`` (estimate and its variance), ``large`` (the share of it that
    stands for parts above LARGEST_SMALL of unknown value); returns how many were taken.
    """
    slots = work.slots
    slots[:] = np.uint64(0)
    cells = np.uint64(slots.shape[0] - 1)
    kept = 0
    for c in range(guesses.shape[0]):
        if kept == taken.shape[0]:
            break
        if split(ground, work, codes, n, guesses[c]) == n:
            continue
        # Two guesses that leave the same parts of two codes and more, and are both possible or both not, are one.
        key = np.uint64(work.sizes[ground.win] + 1)
        for e in range(ground.win):
            if work.sizes[e] > 1:
                key += _mixed(work.hash[e])
        at = key & cells
        while slots[at] != 0 and slots[at] != key:
            at = (at + np.uint64(1)) & cells
        if slots[at] == key:
            continue
        slots[at] = key
        estimate, variance, unknown = float(n), 0.0, 0.0
        for e in range(ground.win):
            _judge(ground, tables, work, e)
            estimate += work.known[e]
            variance += work.doubt[e]
            if work.sizes[e] > LARGEST_SMALL and work.doubt[e] > 1e-3:
                unknown += work.known[e]
        taken[kept], total[kept], doubt[kept], large[kept] = guesses[c], estimate, variance, unknown
        kept += 1
    return kept


@kernel
def evaluate(
    ground: Any, tables: Any, work: Any, codes: Array, n: Int, guess: Int, best: Int, z: Int, extra: Int
) -> Any:
    """Solve the small parts of a guess, the smallest first; (whether all were solved, its estimate, its variance).

    Leaves as soon as ``estimate + extra - z * deviation >= best``. Large parts keep their estimates.
    """
    split(ground, work, codes, n, guess)
    count, known, doubt, start, stack = work.sizes, work.known, work.doubt, work.start, work.stack
    total, variance = float(n), 0.0
    for e in range(ground.win):
        _judge(ground, tables, work, e)
        total += known[e]
        variance += doubt[e]
    while True:
        if total + extra - z * np.sqrt(max(variance, 0.0)) >= best:
            return False, total, variance
        e, size = -1, LARGEST_SMALL + 1
        for i in range(ground.win):
            if doubt[i] > 0 and count[i] < size:
                e, size = i, count[i]
        if e < 0:
            return True, total, variance
        for i in range(size):
            work.exact_stack[i] = stack[start[e] + i]
        value = _solve(work.entry, work.desk, size, INF, work.hash[e])
        work.solved[0] += 1
        remember(tables.memory, work.hash[e], value, 1)
        cell = work.learned[size, work.parts[e]]
        cell[1] += 1.0
        cell[2] += value
        cell[3] += float(value) * value
        total += value - known[e]
        variance -= doubt[e]
        known[e] = value
        doubt[e] = 0.0


@kernel
def class_keys(
    digits: Array, chosen: Array, orders: Array, images: Array, symbols: Int, names: Array, out: Array
) -> Any:
    """A number for each guess, the same for two only if a symmetry maps one to the other.

    ``orders``: uint8[elements, pegs], permutations of the pegs; ``images``: int8[elements, symbols], the image of each
    color under the element, -1 where any color not yet used will do: those are named by first occurrence.
    ``names``: int64[symbols], overwritten. The number of a guess is the least over the elements.
    """
    pegs = digits.shape[1]
    for i in range(chosen.shape[0]):
        best = np.int64(1) << 62
        for element in range(orders.shape[0]):
            for c in range(symbols):
                names[c] = images[element, c]
            fresh, key = symbols, np.int64(0)
            for peg in range(pegs):
                color = digits[chosen[i], orders[element, peg]]
                if names[color] < 0:
                    names[color] = fresh
                    fresh += 1
                key = key * (2 * symbols) + names[color]
            best = min(best, key)
        out[i] = best
