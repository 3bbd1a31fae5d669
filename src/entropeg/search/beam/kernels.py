"""Kernels of the search for near-optimal trees: which guesses cut a set well, and what a cut is worth.

Everything that calls one another stands in this file; the exact search is called through its address. The scan of all
guesses is in `scan`.
"""

# ruff: noqa: ARG001, PLR0913, PLR0917
# As in `entropeg.search.exact.engine`.

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from entropeg.kernels._bits import _popcount
from entropeg.kernels.compile import inner, kernel
from entropeg.kernels.compile.parts import cgutils, intrinsic, ir, types
from entropeg.search.exact.desk import INF, SYMMETRIC, UNLIMITED
from entropeg.search.exact.engine import SOLVE

Array = Any
Int = Any

SAMPLED = 32
"""Codes of a large set that are looked at as guesses, to estimate its total."""
LARGEST_SMALL = 60
"""Sets of so many codes at most are solved exactly: see `Tables.small`."""


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

    estimate: np.ndarray  # float32[largest + 1] by size alone
    missed: np.ndarray  # float32[largest + 1] by size: what the least estimate of some of a set's codes misses
    doubt: np.ndarray  # float32[largest + 1] by size: variance of what is left
    small: np.ndarray  # int64[1]: up to this size a set is solved exactly; above it the search is a beam
    mean: np.ndarray  # float32[LARGEST_SMALL + 1, 65] by size and most parts that a possible code makes
    variance: np.ndarray  # as mean
    memory: np.ndarray  # uint64[2 * entries]: (key XOR data, data), data = value << 1 | exact; a value that is not
    # exact is one that some strategy reaches, and for small sets a lower bound


class Scratch(NamedTuple):
    """Memory of one thread."""

    label: np.ndarray  # uint8[largest]
    stack: np.ndarray  # int32[largest]: the parts of the guess under study
    sizes: np.ndarray  # int64[labels], as the next
    start: np.ndarray
    hash: np.ndarray  # uint64[labels]
    known: np.ndarray  # float64[labels] value or estimate of each part
    doubt: np.ndarray  # float64[labels] variance of the estimate, 0 for a value
    tally: np.ndarray  # int64[2, labels]
    bits: np.ndarray  # uint64[largest, 2, words]: those of the set under study
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


@inner
def _label_of(ground: Any, a: Array, b: Array) -> Any:
    black, common = 0, 0
    for w in range(a.shape[1]):
        black += _popcount(a[0, w] & b[0, w])
        common += _popcount(a[1, w] & b[1, w])
    return ground.translate[ground.pegs * black + common if ground.by_color else black]


@inner
def _cell(memory: Array, key: Int) -> Any:
    return 2 * np.int64(key & np.uint64(memory.shape[0] // 2 - 1))


@inner
def _recall(memory: Array, key: Int) -> Any:
    """Value << 1 | exact of a set, or -1."""
    at = _cell(memory, key)
    data = memory[at + 1]
    return np.int64(data) if memory[at] ^ data == key and data != 0 else np.int64(-1)


@kernel
def remember(memory: Array, key: Int, value: Int, exact: Int) -> Any:
    """Keep the value of a set, in place of what had its cell."""
    at = _cell(memory, key)
    data = np.uint64(value << 1 | exact)
    memory[at] = key ^ data
    memory[at + 1] = data


@intrinsic
def _ask(typingctx: Any, array: Any, index: Any) -> Any:
    """Ask for the line of memory of an element that will be read soon."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        call = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        flags = [ir.Constant(word, flag) for flag in (0, 3, 1)]  # to read, to keep, data
        builder.call(call, [builder.bitcast(builder.gep(data, [args[1]]), byte), *flags])
        return context.get_dummy_value()

    return types.void(array, index), codegen


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


@inner
def _ask_for_parts(ground: Any, tables: Any, work: Any) -> Any:
    """Ask for the memory's cells of all parts: each is a miss of all caches."""
    for e in range(ground.win):
        if work.sizes[e] > 2:
            _ask(tables.memory, _cell(tables.memory, work.hash[e]))


@inner
def _gather(ground: Any, work: Any, begin: Int, n: Int) -> Any:
    """Bring the bits of a set on the stack together: they are read many times, and in order."""
    for i in range(n):
        bits = ground.secret_bits[work.stack[begin + i]]
        for w in range(bits.shape[1]):
            work.bits[i, 0, w] = bits[0, w]
            work.bits[i, 1, w] = bits[1, w]


@inner
def _most_parts(ground: Any, work: Any, begin: Int, n: Int) -> Any:
    """Most parts that a code of the set, as a guess, cuts it into."""
    mask, bits, translate = work.mask, work.bits, ground.translate
    pegs, by_color, words = ground.pegs, ground.by_color, work.bits.shape[2]
    one = np.uint64(1)
    _gather(ground, work, begin, n)
    for i in range(n):
        mine = one << np.uint64(ground.win)
        if words == 1:
            places, often = bits[i, 0, 0], bits[i, 1, 0]
            for j in range(i):
                black = _popcount(places & bits[j, 0, 0])
                e = pegs * black + _popcount(often & bits[j, 1, 0]) if by_color else black
                bit = one << np.uint64(translate[e])
                mine |= bit
                mask[j] |= bit
        else:
            for j in range(i):
                bit = one << np.uint64(_label_of(ground, bits[i], bits[j]))
                mine |= bit
                mask[j] |= bit
        mask[i] = mine
    most: Int = 0
    for i in range(n):
        if ground.guess_of_secret[work.stack[begin + i]] >= 0:
            most = max(most, np.int64(_popcount(mask[i])))
    return most


@inner
def _tally(ground: Any, work: Any, k: Int, n: Int) -> Any:
    """Sizes of the parts that code ``k`` of the gathered set cuts it into, in two sums: equal labels in turn wait."""
    tally, bits, translate = work.tally, work.bits, ground.translate
    pegs, by_color, words = ground.pegs, ground.by_color, work.bits.shape[2]
    tally[:] = 0
    if words == 1:
        places, often = bits[k, 0, 0], bits[k, 1, 0]
        for j in range(n):
            black = _popcount(places & bits[j, 0, 0])
            e = pegs * black + _popcount(often & bits[j, 1, 0]) if by_color else black
            tally[j & 1, translate[e]] += 1
    else:
        for j in range(n):
            tally[j & 1, _label_of(ground, bits[k], bits[j])] += 1


@inner
def _least_of_some(ground: Any, tables: Any, work: Any, begin: Int, n: Int) -> Any:
    """The least ``n + sum of estimate[part size]`` of SAMPLED codes of a set on the stack, as guesses.

    It tells as much of the total of the set as the least of a quarter of all guesses does, at a hundredth of the cost.
    """
    least = np.float64(INF)
    _gather(ground, work, begin, n)
    for k in range(min(n, SAMPLED)):
        _tally(ground, work, k * n // min(n, SAMPLED), n)
        total = np.float64(n)
        for e in range(ground.win):
            total += tables.estimate[work.tally[0, e] + work.tally[1, e]]
        least = min(least, total)
    return least


@kernel
def low_of(ground: Any, tables: Any, work: Any, codes: Array, n: Int) -> Any:
    """What `_least_of_some` says of a set."""
    for i in range(n):
        work.stack[i] = codes[i]
    return _least_of_some(ground, tables, work, 0, n)


@inner
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
    if x > tables.small[0]:
        known[e] = _least_of_some(ground, tables, work, work.start[e], x) + tables.missed[x]
        doubt[e] = tables.doubt[x]
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
def judge(ground: Any, tables: Any, work: Any, codes: Array, n: Int, guess: Int) -> Any:
    """Cut a set into parts on the stack, each with its value or estimate."""
    split(ground, work, codes, n, guess)
    _ask_for_parts(ground, tables, work)
    for e in range(ground.win):
        _judge(ground, tables, work, e)


@inner
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
    stands for parts above the small of unknown value); returns how many were taken.
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
        _ask_for_parts(ground, tables, work)
        estimate, variance, unknown = float(n), 0.0, 0.0
        for e in range(ground.win):
            _judge(ground, tables, work, e)
            estimate += work.known[e]
            variance += work.doubt[e]
            if work.sizes[e] > tables.small[0] and work.doubt[e] > 1e-3:
                unknown += work.known[e]
        taken[kept], total[kept], doubt[kept], large[kept] = guesses[c], estimate, variance, unknown
        kept += 1
    return kept


@kernel
def evaluate(
    ground: Any, tables: Any, work: Any, codes: Array, n: Int, guess: Int, best: Int, z: Int, extra: Int
) -> Any:
    """Solve the small parts of a guess, the smallest first; (whether all were solved, its estimate, its variance).

    Leaves as soon as ``estimate + extra - z * deviation >= best``; a part is searched only as far as it takes to know
    that. Large parts keep their estimates.
    """
    judge(ground, tables, work, codes, n, guess)
    count, known, doubt, start, stack = work.sizes, work.known, work.doubt, work.start, work.stack
    total, variance = float(n), 0.0
    for e in range(ground.win):
        total += known[e]
        variance += doubt[e]
    while True:
        if total + extra - z * np.sqrt(max(variance, 0.0)) >= best:
            return False, total, variance
        e, size = -1, tables.small[0] + 1
        for i in range(ground.win):
            if doubt[i] > 0 and count[i] < size:
                e, size = i, count[i]
        if e < 0:
            return True, total, variance
        for i in range(size):
            work.exact_stack[i] = stack[start[e] + i]
        # From this value on the guess would be left.
        rest = np.sqrt(max(variance - doubt[e], 0.0))
        bar = min(INF, max(0, np.int64(np.ceil(best - total - extra + z * rest + known[e]))))
        value = _solve(work.entry, work.desk, size, bar, work.hash[e])
        work.solved[0] += 1
        if value >= bar:  # a lower bound: the estimate when the part is met again
            remember(tables.memory, work.hash[e], value, 0)
            return False, total + value - known[e], variance - doubt[e]
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

    ``orders``: uint8[elements, pegs], permutations of the pegs; ``images``: int16[elements, symbols], the image of each
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
