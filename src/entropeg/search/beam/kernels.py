"""Kernels of the near-optimal search: how guesses cut a set, the costs expected of parts, and the scan of all guesses.

Most take the same three values first: ``codes`` (`CodeBits`), ``estimates`` (`Estimates`) and the ``scratch`` of the
thread (`Scratch`), and then ``members``, a set: int32 numbers of secrets. They read codes and members, write to the
scratch as they say, and allocate nothing. The exact search is called through its address.

Estimates of the total of a set of x codes, each a mean with a variance (`estimate_parts`):

- up to two codes, and sets whose value is remembered: that value;
- up to ``small`` codes: by x and by p, the most parts that one of its own codes makes as a guess. p = x tells all
  apart and costs 2x - 1, p = x - 1 costs 2x; for less, ``mean[x, p]`` was learned;
- larger ones: the least ``x + sum of estimate[part size]`` over `SAMPLED` of its own codes as guesses, plus
  ``missed[x]``, what this was found to miss.
"""

# ruff: noqa: ARG001, PLR0913, PLR0917
# As in `entropeg.search.exact.engine`.

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from entropeg.kernels.compile import Array, entry_point, inner, kernel
from entropeg.kernels.compile.parts import intrinsic, ir, types
from entropeg.kernels.mixing import mixed
from entropeg.kernels.vectors import BLOCK, prefetch, size_counter
from entropeg.search.exact.fields import INF, SYMMETRIC, UNLIMITED
from entropeg.search.exact.many import solve_at
from entropeg.search.exact.symmetry import extend, lesser_key, seen

Int = Any

_mixed = inner(mixed)

SAMPLED = 32
"""Codes of a large set that are looked at as guesses, to estimate its total."""
LARGEST_SMALL = 60
"""The most codes of sets that are solved exactly: see `Estimates.small`."""
FIRST_COUNTED = (14, 20, 28)
"""Labels counted in one go: those of up to 4, 5 and 6 pegs without the winning one."""


class CodeBits(NamedTuple):
    """The codes of a board, or of the section of it under search."""

    secret_bits: np.ndarray  # uint64[secrets, 2, words]: one bit a peg and color; one bit a color and how often
    guess_bits: np.ndarray  # uint64[guesses, 2, words]
    translate: np.ndarray  # uint8: label of ``pegs * blacks + common``, or of the blacks
    zobrist: np.ndarray  # uint64[secrets]: the hash of a set is the XOR of these
    guess_of_secret: np.ndarray  # int32[secrets], -1 where the secret is no legal guess
    pegs: int
    win: int  # the label of the winning feedback, which is the last
    by_color: int  # 1 where whites count


class Estimates(NamedTuple):
    """Estimates of the totals of sets, and the values that are remembered."""

    estimate: np.ndarray  # float32[largest + 1] by size alone
    missed: np.ndarray  # float32[largest + 1] by size: the error of the least estimate of some of a set's codes
    doubt: np.ndarray  # float32[largest + 1] by size: variance of the rest
    small: np.ndarray  # int64[1]: up to this size a set is solved exactly; above it the search is a beam
    mean: np.ndarray  # float32[LARGEST_SMALL + 1, 65] by size and most parts that a possible code makes
    variance: np.ndarray  # as mean
    memory: np.ndarray  # uint64[2 * entries]: (hash XOR data, data), data = value << 1 | exact; a value that is not
    # exact is one that some strategy reaches, and for small sets a lower bound


class Scratch(NamedTuple):
    """Memory of one thread."""

    label: np.ndarray  # uint8[largest]: of every member
    stack: np.ndarray  # int32[largest]: the members, part by part
    sizes: np.ndarray  # int64[labels]: of the parts
    start: np.ndarray  # int64[labels]: where they begin on the stack
    hash: np.ndarray  # uint64[labels]
    known: np.ndarray  # float64[labels]: value or estimate of each part
    doubt: np.ndarray  # float64[labels]: variance of the estimate, 0 for a value
    tally: np.ndarray  # int64[2, labels]
    bits: np.ndarray  # uint64[largest, 2, words]: those of the part that is looked at
    parts: np.ndarray  # int64[labels]: most parts that a possible code makes of a small part, 0 where nobody looked
    mask: np.ndarray  # uint64[LARGEST_SMALL]
    slots: np.ndarray  # uint64[4096]
    learned: np.ndarray  # float64[LARGEST_SMALL + 1, 65, 4]: times met; times solved, sum and sum of squares of values
    exact_stack: np.ndarray  # int32: the stack of the exact search
    fields: np.ndarray  # int64: the addresses of its arrays
    entry: int  # its address


class LabelRows(NamedTuple):
    """Labels of a set against many guesses."""

    labels: np.ndarray  # uint8: rows of a matrix that has one for every secret
    starts: np.ndarray  # int64[members]: where those of the set begin
    width: int  # guesses; the columns up to the next multiple of BLOCK are read and ignored


# ---------------------------------------------------------------- values that are remembered


@inner
def _cell(memory: Array, key: Int) -> Any:
    return 2 * np.int64(key & np.uint64(memory.shape[0] // 2 - 1))


@inner
def _recall(memory: Array, key: Int) -> Any:
    """Value << 1 | exact of a set, or -1."""
    at = _cell(memory, key)
    data = memory[at + 1]
    # Threads write without a lock: a word that does not fit the other is a cell half written.
    return np.int64(data) if memory[at] ^ data == key and data != 0 else np.int64(-1)


@kernel
def remember(memory: Array, key: Int, value: Int, exact: Int) -> Any:
    """Keep the value of a set, in place of what had its cell."""
    at = _cell(memory, key)
    data = np.uint64(value << 1 | exact)
    memory[at] = key ^ data
    memory[at + 1] = data


# ---------------------------------------------------------------- parts


@intrinsic
def _popcount(typingctx: Any, word: Any) -> Any:
    """Number of bits set, as int32: it counts up faster than the widest number."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.trunc(builder.ctpop(args[0]), ir.IntType(32))

    return types.int32(types.uint64), codegen


@inner
def _label_of(codes: Any, a: Array, b: Array) -> Any:
    black, common = 0, 0
    for w in range(a.shape[1]):
        black += _popcount(a[0, w] & b[0, w])
        common += _popcount(a[1, w] & b[1, w])
    return codes.translate[codes.pegs * black + common if codes.by_color else black]


@kernel
def split(codes: Any, scratch: Any, members: Array, guess: Int) -> Any:
    """Cut a set into parts: fills ``label``, ``stack``, ``sizes``, ``start``, ``hash``; the size of the largest."""
    count, start, hashes, label, stack = scratch.sizes, scratch.start, scratch.hash, scratch.label, scratch.stack
    n, m = members.shape[0], codes.win + 1
    for e in range(m):
        count[e] = 0
        hashes[e] = np.uint64(0)
    bits = codes.guess_bits[guess]
    for i in range(n):
        e = _label_of(codes, bits, codes.secret_bits[members[i]])
        label[i] = e
        count[e] += 1
        hashes[e] ^= codes.zobrist[members[i]]
    at: Int = 0
    largest: Int = 0
    for e in range(m):
        start[e] = at
        at += count[e]
        largest = max(largest, count[e])
    for i in range(n):
        e = label[i]
        stack[start[e]] = members[i]
        start[e] += 1
    for e in range(m):
        start[e] -= count[e]
    return largest


@inner
def _gather(codes: Any, scratch: Any, begin: Int, n: Int) -> Any:
    """Bring the bits of a set on the stack together: they are read many times, and in order."""
    for i in range(n):
        bits = codes.secret_bits[scratch.stack[begin + i]]
        for w in range(bits.shape[1]):
            scratch.bits[i, 0, w] = bits[0, w]
            scratch.bits[i, 1, w] = bits[1, w]


@inner
def _most_parts(codes: Any, scratch: Any, begin: Int, n: Int) -> Any:
    """Most parts that a code of a small set, as a guess, cuts it into; the winning one counts."""
    mask, bits, translate = scratch.mask, scratch.bits, codes.translate
    pegs, by_color, words = codes.pegs, codes.by_color, scratch.bits.shape[2]
    one = np.uint64(1)
    _gather(codes, scratch, begin, n)
    for i in range(n):
        mine = one << np.uint64(codes.win)
        # The label of two codes is the same both ways, so each pair is looked at once. Most boards take one word of
        # bits a code; written out, that is twice as fast.
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
                bit = one << np.uint64(_label_of(codes, bits[i], bits[j]))
                mine |= bit
                mask[j] |= bit
        mask[i] = mine
    most: Int = 0
    for i in range(n):
        if codes.guess_of_secret[scratch.stack[begin + i]] >= 0:
            most = max(most, np.int64(_popcount(mask[i])))
    return most


@inner
def _tally(codes: Any, scratch: Any, k: Int, n: Int) -> Any:
    """Sizes of the parts that code ``k`` of the gathered set cuts it into, in two sums: equal labels in turn wait."""
    tally, bits, translate = scratch.tally, scratch.bits, codes.translate
    pegs, by_color, words = codes.pegs, codes.by_color, scratch.bits.shape[2]
    tally[:] = 0
    if words == 1:
        places, often = bits[k, 0, 0], bits[k, 1, 0]
        for j in range(n):
            black = _popcount(places & bits[j, 0, 0])
            e = pegs * black + _popcount(often & bits[j, 1, 0]) if by_color else black
            tally[j & 1, translate[e]] += 1
    else:
        for j in range(n):
            tally[j & 1, _label_of(codes, bits[k], bits[j])] += 1


# ---------------------------------------------------------------- estimates


@inner
def _least_of_some(codes: Any, estimates: Any, scratch: Any, begin: Int, n: Int) -> Any:
    """The least ``n + sum of estimate[part size]`` of SAMPLED codes of a set on the stack, as guesses.

    It tells as much of the total of the set as the least of a quarter of all guesses does, at a hundredth of the cost.
    """
    least = np.float64(INF)
    _gather(codes, scratch, begin, n)
    for k in range(min(n, SAMPLED)):
        _tally(codes, scratch, k * n // min(n, SAMPLED), n)
        total = np.float64(n)
        for e in range(codes.win):
            total += estimates.estimate[scratch.tally[0, e] + scratch.tally[1, e]]
        least = min(least, total)
    return least


@kernel
def estimate_set(codes: Any, estimates: Any, scratch: Any, members: Array) -> Any:
    """The least ``n + sum of estimate[part size]`` of SAMPLED codes of a set, evenly spread over it, as guesses.

    Overwrites ``stack``, ``bits`` and ``tally``.
    """
    n = members.shape[0]
    for i in range(n):
        scratch.stack[i] = members[i]
    return _least_of_some(codes, estimates, scratch, 0, n)


@inner
def _estimate(codes: Any, estimates: Any, scratch: Any, e: Int) -> Any:
    """Value or estimate of part ``e``, into ``known``, ``doubt`` and ``parts``."""
    known, doubt = scratch.known, scratch.doubt
    x = scratch.sizes[e]
    scratch.parts[e] = 0
    doubt[e] = 0.0
    if x <= 2:
        known[e] = 2 * x - 1 if x else 0
        return
    found = _recall(estimates.memory, scratch.hash[e])
    if found >= 0:
        known[e] = found >> 1
        if not found & 1:
            # A remembered value that is not exact: a set without one, not 0, is searched.
            doubt[e] = 1e-6
        return
    if x > estimates.small[0]:
        known[e] = _least_of_some(codes, estimates, scratch, scratch.start[e], x) + estimates.missed[x]
        doubt[e] = estimates.doubt[x]
        return
    most = _most_parts(codes, scratch, scratch.start[e], x)
    scratch.parts[e] = most
    scratch.learned[x, most, 0] += 1.0
    # A possible code that tells all others apart costs 2x - 1; if there is none, the total is at least 2x, which one
    # that leaves x - 1 parts, a pair among them, attains.
    if most >= x - 1:
        known[e] = 2 * x - 1 if most == x else 2 * x
        _learn(scratch, x, most, known[e])
        remember(estimates.memory, scratch.hash[e], np.int64(known[e]), 1)
    else:
        known[e], doubt[e] = estimates.mean[x, most], estimates.variance[x, most]


@inner
def _learn(scratch: Any, size: Int, most: Int, value: Int) -> Any:
    """Count the value of a small set, for `Model.refit`."""
    cell = scratch.learned[size, most]
    cell[1] += 1.0
    cell[2] += value
    cell[3] += np.float64(value) * value


@inner
def _estimate_all(codes: Any, estimates: Any, scratch: Any) -> Any:
    """Value or estimate of all parts on the stack, into ``known``, ``doubt`` and ``parts``."""
    for e in range(codes.win):  # each is a miss of all caches: ask for all before the first is read
        if scratch.sizes[e] > 2:
            prefetch(estimates.memory.ctypes.data + 8 * _cell(estimates.memory, scratch.hash[e]))
    for e in range(codes.win):
        _estimate(codes, estimates, scratch, e)


@kernel
def estimate_parts(codes: Any, estimates: Any, scratch: Any, members: Array, guess: Int) -> Any:
    """Cut a set into parts as `split` does, each with its value or estimate in ``known`` and its variance in ``doubt``.

    Remembers values found on the way; counts small parts in ``learned``; overwrites ``parts``, ``bits``, ``tally``
    and ``mask``.
    """
    split(codes, scratch, members, guess)
    _estimate_all(codes, estimates, scratch)


@kernel
def estimate_guesses(
    codes: Any, estimates: Any, scratch: Any, members: Array, guesses: Array, taken: Array, found: Array
) -> Any:
    """Estimate the total with guesses, one after another until ``taken`` is full; how many were taken.

    Passes over guesses that tell nothing apart or leave the same parts as one before. Fills ``taken`` (int64, guesses)
    and the rows of ``found`` (float64[3, taken]): the estimate, its variance, and the share of the estimate that stands
    for parts above the small of unknown value. Overwrites all but ``learned`` of the scratch.
    """
    slots = scratch.slots
    slots[:] = np.uint64(0)
    n, kept = members.shape[0], 0
    for c in range(guesses.shape[0]):
        if kept == taken.shape[0]:
            break
        if split(codes, scratch, members, guesses[c]) == n:
            continue
        # Two guesses that leave the same parts of two codes and more, and are both possible or both not, are one.
        key = np.uint64(scratch.sizes[codes.win] + 1)
        for e in range(codes.win):
            if scratch.sizes[e] > 1:
                key += _mixed(scratch.hash[e])
        if seen(slots, key):
            continue
        _estimate_all(codes, estimates, scratch)
        total, variance, unknown = float(n), 0.0, 0.0
        for e in range(codes.win):
            total += scratch.known[e]
            variance += scratch.doubt[e]
            # A part of greater variance has only an estimate.
            if scratch.sizes[e] > estimates.small[0] and scratch.doubt[e] > 1e-3:
                unknown += scratch.known[e]
        taken[kept] = guesses[c]
        found[0, kept], found[1, kept], found[2, kept] = total, variance, unknown
        kept += 1
    return kept


# ---------------------------------------------------------------- exact values of small parts


@kernel
def solve_parts(
    codes: Any, estimates: Any, scratch: Any, members: Array, guess: Int, best: Int, deviations: Int, extra: Int
) -> Any:
    """Solve the small parts of a guess, the smallest first; (whether all were solved, its estimate, its variance).

    Leaves as soon as ``estimate + extra - deviations * standard deviation >= best``; a part is searched only as far as
    it takes to know that. Large parts keep their estimates. Writes as `estimate_parts` does, then the values found over
    the estimates.
    """
    estimate_parts(codes, estimates, scratch, members, guess)
    count, known, doubt, start, stack = scratch.sizes, scratch.known, scratch.doubt, scratch.start, scratch.stack
    total, variance = float(members.shape[0]), 0.0
    for e in range(codes.win):
        total += known[e]
        variance += doubt[e]
    while True:
        # 1. Leave a guess that is unlikely to be the best.
        if total + extra - deviations * np.sqrt(max(variance, 0.0)) >= best:
            return False, total, variance
        # 2. Take the smallest part that has only an estimate.
        e, size = -1, estimates.small[0] + 1
        for i in range(codes.win):
            if doubt[i] > 0 and count[i] < size:
                e, size = i, count[i]
        if e < 0:
            return True, total, variance
        for i in range(size):
            scratch.exact_stack[i] = stack[start[e] + i]
        # 3. Solve it, as long as it is less than the value from which on the guess would be left.
        rest = np.sqrt(max(variance - doubt[e], 0.0))
        bar = min(INF, max(0, np.int64(np.ceil(best - total - extra + deviations * rest + known[e]))))
        value = solve_at(scratch.entry, scratch.fields, size, bar, UNLIMITED, SYMMETRIC + 1, scratch.hash[e])
        if value >= bar:  # a lower bound: the estimate when the part is met again
            remember(estimates.memory, scratch.hash[e], value, 0)
            return False, total + value - known[e], variance - doubt[e]
        # 4. Put the value in the place of the estimate.
        remember(estimates.memory, scratch.hash[e], value, 1)
        _learn(scratch, size, scratch.parts[e], value)
        total += value - known[e]
        variance -= doubt[e]
        known[e] = value
        doubt[e] = 0.0


# ---------------------------------------------------------------- symmetry


@kernel
def extend_all(code: Array, permutations: Array, pegs: Array, images: Array, kind: Array, fits: Array) -> Any:
    """Extend the images of the elements of a group so that each takes a code to itself; ``fits``: whether it can.

    ``permutations``: uint8[*, pegs]; ``pegs``: int32[elements], their rows; ``images``: int16[elements, colors], -1
    where any color not yet used will do; ``kind``: int64[colors]; ``fits``: bool[elements].
    """
    for i in range(pegs.shape[0]):
        fits[i] = extend(code, permutations[pegs[i]], images[i], kind, 0)


@kernel
def class_keys(codes: Array, permutations: Array, pegs: Array, tokens: Array, kind: Array, out: Array) -> Any:
    """A number for each code, the same for two only if a symmetry maps one to the other: see `lesser_key`."""
    width: Int = 1
    while (1 << width) < 2 * kind.shape[0] + 2:
        width += 1
    for i in range(codes.shape[0]):
        best = np.int64(1) << (width * codes.shape[1])
        for element in range(pegs.shape[0]):
            best = lesser_key(codes[i], permutations[pegs[element]], tokens[element], kind, 0, width, best)
        out[i] = best


# ---------------------------------------------------------------- the scan of all guesses

# Sizes are counted as in the exact search: a vector of columns at a time, in registers. What they are worth is looked
# up by vectors as well, so that a guess costs a few nanoseconds beside its counting.
_sizes_of_14, _sizes_of_20, _sizes_of_28 = (size_counter(labels // 2) for labels in FIRST_COUNTED)


def counted(labels: int) -> int:
    """Rows of sizes that the counter fills for this many labels: uint32[rows, BLOCK] must be there."""
    for together in FIRST_COUNTED:
        if labels <= together:
            return together
    return -(-labels // 20) * 20


@inner
def _count(column: Int, rows: Int, n: Int, labels: Int, sizes: Int) -> Any:
    if labels <= 14:
        _sizes_of_14(column, rows, n, 0, sizes)
    elif labels <= 20:
        _sizes_of_20(column, rows, n, 0, sizes)
    elif labels <= 28:
        _sizes_of_28(column, rows, n, 0, sizes)
    else:
        for first in range(0, labels, 20):
            _sizes_of_20(column, rows, n, first, sizes + first * BLOCK * 4)


@inner
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


@entry_point()
def best_columns(
    rows: Any, labels: Int, table: Array, sizes: Array, totals: Array, heap_score: Array, heap_column: Array
) -> Any:
    """The columns of the least ``n + sum of table[part size]``, in a heap; how many there are.

    ``rows``: `LabelRows`. ``labels``: how many are summed, from 0 on: all but the winning one. ``table``:
    float32[n + 1] or more. ``heap_score`` (float32) and ``heap_column`` (int64) are as long as columns are wanted.
    ``sizes``: uint32[counted(labels), BLOCK] and ``totals``: float32[BLOCK], overwritten.
    """
    size, n = 0, rows.starts.shape[0]
    scan, starts, sizes_at = rows.labels.ctypes.data, rows.starts.ctypes.data, sizes.ctypes.data
    for left in range(0, rows.width, BLOCK):
        _count(scan + left, starts, n, labels, sizes_at)
        for j in range(BLOCK):
            totals[j] = np.float32(n)
        for e in range(labels):
            row = sizes[e]
            for j in range(BLOCK):
                totals[j] += table[row[j]]
        for j in range(min(BLOCK, rows.width - left)):
            if size < heap_score.shape[0] or totals[j] < heap_score[0]:
                size = _push(heap_score, heap_column, size, totals[j], left + j)
    return size
