"""The exact search over array data: branch and bound on sets of candidates.

Everything that calls one another stands in this one file: numba's cache on disk does not notice that a
callee in another file changed.

Notation: ``n`` codes are left; a guess cuts them into at most ``m`` parts by label, the winning label
included; ``T(S)`` is the least total number of guesses over the codes of ``S``, so

    T(S) = min over guesses g of |S| + sum over the other labels of T(S_e),    T(one code) = 1.

With ``d`` guesses left ``T(S, d)`` is the least total of the strategies that need no more than ``d``, and
``INF`` if there is none. Every function says whether it returns an exact value or a bound.
"""

# ruff: noqa: ARG001, C901, FBT003, PLR0911, PLR0912, PLR0913, PLR0915, PLR0917
# Kernels are written for the compiler, as in `entropeg.kernels`: plain loops, many numbers by position. numba reads
# the signatures of intrinsics by name, so their unused arguments stay.

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped, unused-ignore]
from numba import carray, cfunc, types
from numba.core import cgutils
from numba.extending import intrinsic

from entropeg.kernels._jit import allocating_kernel as kernel

Array = Any  # numba sees the element types; they stand in FIELDS and in the docstrings
Int = Any  # int64, or uint64 for hashes

INF = 1 << 22  # more than any total; below 2**24, the width of a value in the table
UNLIMITED = 99  # guesses left when there is no limit
SMALL = 60  # up to this size a set is bounded by its number of parts, above it by the sizes of the parts
BLOCK = 1024  # columns a pass of the part-count scan
LANES = 256  # columns a pass of the histogram scan
EVEN_FOURS = sum(0b1111 << 8 * i for i in range(8))  # every other counter of a packed word
EVEN_THREES = sum(0b111 << 6 * i for i in range(11))
FLUSH = 255  # rows after which eight-bit counters are emptied
DEPTHS = 64  # deepest nesting of guesses that the work space holds
SYMMETRIC = 3  # symmetry is used for sets with at most this many guesses behind them
GUESS_BITS = 20
NO_GUESS = (1 << GUESS_BITS) - 1  # an exact value whose guess was not kept
SIZE_BITS = 16


# A desk is an int64 array: numbers, then for every array its address and extents. Kernels that call one another
# hundreds of times a millisecond pass this one array; passing forty arrays costs more than the work.
PEGS, SYMBOLS, LABELS, RELABELS, CONSISTENT, ENTRY = range(6)
FIELDS = {
    # The board. Secrets and guesses are in shell order: codes over the first k colors stand first.
    "by_guess": ("uint8", 2),  # [guesses, secrets] labels
    # Labels of secrets over the first k colors, a row each, against one guess of every class that these secrets
    # cannot tell apart: at base[k] + s * stride[k] + j, j < width[k]; guess columns[k, j]; place is the inverse.
    "scan": ("uint8", 1),
    "base": ("int64", 1),
    "stride": ("int64", 1),
    "width": ("int64", 1),
    "columns": ("int32", 2),
    "place": ("int32", 2),
    "secret_digits": ("uint8", 2),
    "guess_digits": ("uint8", 2),
    "presence": ("uint64", 1),  # [secrets] bit c: color c occurs
    "powers": ("int64", 1),  # number of a code = sum of digit * power
    "secret_of_number": ("int32", 1),  # -1 where there is none
    "guess_of_number": ("int32", 1),
    "guess_of_secret": ("int32", 1),  # -1 where the secret is no legal guess
    "zobrist": ("uint64", 1),
    "zobrist_limit": ("uint64", 1),
    "capacity": ("int64", 1),  # most codes that d guesses can settle
    "expected": ("float64", 1),  # guessed total of a set by its size, for ordering only
    "permutations": ("int8", 2),
    # Memory of one thread; stop, shared and table are common to all.
    "stop": ("int64", 1),
    "shared": ("int64", 1),
    "table": ("uint64", 1),
    "stack": ("int32", 1),
    "mask16": ("uint16", 1),
    "mask32": ("uint32", 1),
    "mask64": ("uint64", 1),
    "parts": ("uint8", 1),  # number of parts by column
    "rows": ("int32", 1),
    "label": ("uint8", 1),
    "count": ("int64", 2),  # [DEPTHS, m], as the next four: the parts of the guess under study
    "start": ("int64", 2),
    "hash": ("uint64", 2),
    "low": ("int64", 2),
    "state": ("uint8", 2),  # OPEN, SCANNED or EXACT
    "gain": ("float64", 2),  # [2, SMALL + 1] sum and number of the gains of the part-count bound by size
    "narrow": ("uint8", 1),
    "word": ("uint64", 1),
    "even": ("uint64", 1),
    "odd": ("uint64", 1),
    "wide": ("int32", 2),
    "column_low": ("int32", 1),
    "column_expected": ("float64", 1),
    "group_size": ("int64", 1),
    "group_peg": ("int32", 2),
    "group_color": ("int8", 3),
    "group_token": ("int8", 3),
    "nodes": ("int64", 1),  # sets expanded, guesses tried, scans, table hits
}
HEADER = 8
DESK = HEADER + 4 * len(FIELDS)


def _field(name: str) -> Any:
    """Accessor of an array of the desk: a view without reference count, free after inlining."""
    slot = HEADER + 4 * list(FIELDS).index(name)
    element, dimensions = FIELDS[name]
    kind = types.Array(getattr(types, element), dimensions, "C")
    width = np.dtype(element).itemsize

    @intrinsic
    def view(typingctx: Any, desk: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, args[0]).data
            words = [builder.load(cgutils.gep(builder, data, slot + i)) for i in range(1 + dimensions)]
            strides = [ir.Constant(words[0].type, width)]
            for extent in words[:1:-1]:
                strides.insert(0, builder.mul(strides[0], extent))
            array = context.make_array(kind)(context, builder)
            context.populate_array(
                array,
                data=builder.inttoptr(words[0], array.data.type),
                shape=words[1:],
                strides=strides,
                itemsize=ir.Constant(words[0].type, width),
                meminfo=None,
            )
            return array._getvalue()  # noqa: SLF001 - the way of numba's own array constructors

        return kind(desk), codegen

    return view


_by_guess = _field("by_guess")
_scan = _field("scan")
_base = _field("base")
_stride = _field("stride")
_width = _field("width")
_columns = _field("columns")
_place = _field("place")
_secret_digits = _field("secret_digits")
_guess_digits = _field("guess_digits")
_presence = _field("presence")
_powers = _field("powers")
_secret_of_number = _field("secret_of_number")
_guess_of_number = _field("guess_of_number")
_guess_of_secret = _field("guess_of_secret")
_zobrist = _field("zobrist")
_zobrist_limit = _field("zobrist_limit")
_capacity = _field("capacity")
_expected = _field("expected")
_permutations = _field("permutations")
_stop = _field("stop")
_shared = _field("shared")
_table = _field("table")
_stack = _field("stack")
_mask16 = _field("mask16")
_mask32 = _field("mask32")
_mask64 = _field("mask64")
_parts = _field("parts")
_rows = _field("rows")
_label = _field("label")
_count = _field("count")
_start = _field("start")
_hash = _field("hash")
_low = _field("low")
_state = _field("state")
_gain = _field("gain")
_narrow = _field("narrow")
_word = _field("word")
_even = _field("even")
_odd = _field("odd")
_wide = _field("wide")
_column_low = _field("column_low")
_column_expected = _field("column_expected")
_group_size = _field("group_size")
_group_peg = _field("group_peg")
_group_color = _field("group_color")
_group_token = _field("group_token")
_nodes = _field("nodes")


OPEN, SCANNED, EXACT = 0, 1, 2


@intrinsic
def _shifted(typingctx: Any, one: Any, by: Any) -> Any:
    """``one << by`` in the width of ``one``: numba would widen it to 64 bits and lose three lanes in four."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        one_value, by_value = args
        return builder.shl(one_value, builder.zext(by_value, one_value.type))

    return one(one, by), codegen


@intrinsic
def _bits(typingctx: Any, word: Any) -> Any:
    """Number of one bits, as uint8."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.trunc(builder.ctpop(args[0]), ir.IntType(8))

    return types.uint8(word), codegen


def _atomic(operation: str) -> Any:
    @intrinsic
    def apply(typingctx: Any, array: Any, index: Any, value: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            view = context.make_array(signature.args[0])(context, builder, args[0])
            pointer = cgutils.gep(builder, view.data, args[1])
            return builder.atomic_rmw(operation, pointer, args[2], "seq_cst")

        return types.int64(array, types.int64, types.int64), codegen

    return apply


@intrinsic
def _again(typingctx: Any, desk: Any, offset: Any, n: Any, top: Any, ub: Any, d: Any, depth: Any, mixed: Any) -> Any:
    """Call ``solve`` through its address on the desk.

    A recursive function that numba loads from its cache calls address 0 (numba issue 6061); this one is not
    recursive to numba.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        kind = ir.FunctionType(word, [data.type] + [word] * 7)
        entry = builder.inttoptr(builder.load(cgutils.gep(builder, data, ENTRY)), kind.as_pointer())
        return builder.call(entry, [data, *args[1:]])

    whole = [types.int64] * 6
    return types.int64(desk, *whole, types.uint64), codegen


_add = _atomic("add")
_least = _atomic("min")


# ---------------------------------------------------------------- labels


@kernel
def fill_labels(
    digits: Array, planes: Array, counts: Array, first: Int, last: Int, by_color: Int, translate: Array, out: Array
) -> Any:
    """Label of every code ``digits[first:last]`` against the codes of ``planes``, written to ``out``.

    ``by_color``: 1 adds the colors in common to ``pegs`` times the blacks, 0 leaves them out.
    ``translate``: uint8, the compact label of ``pegs * blacks + common`` (or of the blacks alone).
    """
    pegs, size = planes.shape
    symbols = counts.shape[0]
    own = np.zeros(symbols, np.uint8)
    weight = np.uint8(pegs if by_color else 1)
    for s in range(first, last):
        row = out[s]
        own[:] = 0
        for k in range(pegs):
            own[digits[s, k]] += np.uint8(1)
        for j in range(size):
            row[j] = np.uint8(0)
        for k in range(pegs):
            plane = planes[k]
            digit = digits[s, k]
            for j in range(size):
                row[j] = np.uint8(row[j] + (weight if plane[j] == digit else np.uint8(0)))
        if by_color:
            for c in range(symbols):
                mine = own[c]
                if mine:
                    theirs = counts[c]
                    for j in range(size):
                        row[j] = np.uint8(row[j] + min(theirs[j], mine))
        for j in range(size):
            row[j] = translate[row[j]]


# ---------------------------------------------------------------- bounds


@kernel
def size_bound(n: Int, m: Int) -> Any:
    """Least total of any set of ``n`` codes if every guess cut it into ``m`` parts.

    At most 1 code is settled by one guess, ``1 + (m-1)`` by two, ``1 + (m-1) + (m-1)**2`` by three; every code
    beyond these pays one guess more.
    """
    if n <= 0:
        return 0
    total = n + (n - 1)
    settled = m
    layer = m - 1
    while n > settled and layer > 0:
        total += n - settled
        layer *= m - 1
        settled += layer
    return total


@kernel
def _shape(desk: Array, offset: Int, n: Int) -> Any:
    """(bits of the colors that occur, how many they are)."""
    stack, presence = _stack(desk), _presence(desk)
    bits = np.uint64(0)
    for i in range(n):
        bits |= presence[stack[offset + i]]
    colors = 0
    for c in range(desk[SYMBOLS]):
        if (bits >> np.uint64(c)) & np.uint64(1):
            colors += 1
    return bits, colors


@kernel
def _rename(desk: Array, offset: Int, n: Int, order: Array) -> Any:
    """Fill ``_rows(desk)`` with the rows to scan for a set and return the number k of colors they range over.

    Permuting the colors of all codes and guesses changes no label. With the colors that occur named 0 to k-1,
    the secrets are among the first rows, and guesses that differ only in colors that do not occur give the same
    labels: one column for each class is enough. ``order``: int64[symbols], filled with the old color of each
    new one.
    """
    bits, colors = _shape(desk, offset, n)
    stack, rows, width, powers = _stack(desk), _rows(desk), _width(desk), _powers(desk)
    digits, secret_of_number = _secret_digits(desk), _secret_of_number(desk)
    full = width.shape[0] - 1
    for c in range(desk[SYMBOLS]):
        order[c] = c
    if desk[RELABELS] == 0 or colors >= full or width[colors] == width[full]:
        for i in range(n):
            rows[i] = stack[offset + i]
        return full
    name = np.empty(desk[SYMBOLS], np.int64)
    present = 0
    absent = colors
    for c in range(desk[SYMBOLS]):
        if (bits >> np.uint64(c)) & np.uint64(1):
            name[c] = present
            order[present] = c
            present += 1
        else:
            name[c] = absent
            order[absent] = c
            absent += 1
    for i in range(n):
        s = stack[offset + i]
        number = 0
        for k in range(desk[PEGS]):
            number += name[digits[s, k]] * powers[k]
        rows[i] = secret_of_number[number]
    return colors


@kernel
def _scan_parts(
    one: Int, scan: Array, base: Int, stride: Int, width: Int, rows: Array, n: Int, mask: Array, parts: Array
) -> Any:
    """``parts[j]`` = number of parts that column j cuts the rows into; the largest of them."""
    top = np.uint8(0)
    for left in range(0, width, BLOCK):
        w = min(BLOCK, width - left)
        for j in range(w):
            mask[j] = 0
        i = 0
        while i + 4 <= n:
            a = base + rows[i] * stride + left
            b = base + rows[i + 1] * stride + left
            c = base + rows[i + 2] * stride + left
            d = base + rows[i + 3] * stride + left
            row_a = scan[a : a + w]
            row_b = scan[b : b + w]
            row_c = scan[c : c + w]
            row_d = scan[d : d + w]
            for j in range(w):
                mask[j] |= (
                    _shifted(one, row_a[j])
                    | _shifted(one, row_b[j])
                    | _shifted(one, row_c[j])
                    | _shifted(one, row_d[j])
                )
            i += 4
        while i < n:
            a = base + rows[i] * stride + left
            row_a = scan[a : a + w]
            for j in range(w):
                mask[j] |= _shifted(one, row_a[j])
            i += 1
        out = parts[left : left + w]
        for j in range(w):
            out[j] = _bits(mask[j])
        for j in range(w):
            top = max(top, out[j])
    return np.int64(top)


@kernel
def _count_parts(desk: Array, k: Int, n: Int) -> Any:
    """``_scan_parts`` of the rows in the narrowest lanes that hold a bit for every label."""
    scan, rows, parts = _scan(desk), _rows(desk), _parts(desk)
    base, stride, width = _base(desk)[k], _stride(desk)[k], _width(desk)[k]
    if desk[LABELS] <= 16:
        return _scan_parts(np.uint16(1), scan, base, stride, width, rows, n, _mask16(desk), parts)
    if desk[LABELS] <= 32:
        return _scan_parts(np.uint32(1), scan, base, stride, width, rows, n, _mask32(desk), parts)
    return _scan_parts(np.uint64(1), scan, base, stride, width, rows, n, _mask64(desk), parts)


@kernel
def _tally_packed(desk: Array, base: Int, stride: Int, left: Int, w: Int, n: Int) -> Any:
    """``wide[e, j]`` = rows with label e in column ``left + j``, by counters packed into one word a column.

    A word holds a counter of 4 bits for each of 16 labels, or of 3 bits for each of 21. It is emptied into fields
    twice as wide before it can overflow, and these into ``wide`` before they can.
    """
    scan, rows, wide = _scan(desk), _rows(desk), _wide(desk)
    words, even, odd = _word(desk), _even(desk), _odd(desk)
    m = desk[LABELS]
    bits = np.uint8(4) if m <= 16 else np.uint8(3)
    field = np.uint64(2 * bits)
    mask = np.uint64(EVEN_FOURS) if m <= 16 else np.uint64(EVEN_THREES)
    full = np.uint64(255) if m <= 16 else np.uint64(63)
    often = 15 if m <= 16 else 7
    seldom = 255 if m <= 16 else 63
    one = np.uint64(1)
    for e in range(m - 1):
        total = wide[e]
        for j in range(w):
            total[j] = 0
    for begin in range(0, n, seldom):
        end = min(n, begin + seldom)
        for j in range(w):
            even[j] = 0
            odd[j] = 0
        for first in range(begin, end, often):
            last = min(end, first + often)
            for j in range(w):
                words[j] = 0
            i = first
            while i + 5 <= last:
                at = base + left
                a = scan[at + rows[i] * stride : at + rows[i] * stride + w]
                b = scan[at + rows[i + 1] * stride : at + rows[i + 1] * stride + w]
                c = scan[at + rows[i + 2] * stride : at + rows[i + 2] * stride + w]
                d = scan[at + rows[i + 3] * stride : at + rows[i + 3] * stride + w]
                f = scan[at + rows[i + 4] * stride : at + rows[i + 4] * stride + w]
                for j in range(w):
                    words[j] += (
                        _shifted(one, np.uint8(a[j] * bits))
                        + _shifted(one, np.uint8(b[j] * bits))
                        + _shifted(one, np.uint8(c[j] * bits))
                        + _shifted(one, np.uint8(d[j] * bits))
                        + _shifted(one, np.uint8(f[j] * bits))
                    )
                i += 5
            while i < last:
                at = base + rows[i] * stride + left
                a = scan[at : at + w]
                for j in range(w):
                    words[j] += _shifted(one, np.uint8(a[j] * bits))
                i += 1
            for j in range(w):
                even[j] += words[j] & mask
                odd[j] += (words[j] >> np.uint64(bits)) & mask
        for e in range(m - 1):
            total = wide[e]
            shift = np.uint64(e >> 1) * field
            if e & 1:
                for j in range(w):
                    total[j] += np.int32((odd[j] >> shift) & full)
            else:
                for j in range(w):
                    total[j] += np.int32((even[j] >> shift) & full)


@kernel
def _tally(desk: Array, base: Int, stride: Int, left: Int, w: Int, n: Int) -> Any:
    """As ``_tally_packed`` for any number of labels: one comparison for each label."""
    scan, rows, wide, narrow = _scan(desk), _rows(desk), _wide(desk), _narrow(desk)
    for e in range(desk[LABELS] - 1):
        label = np.uint8(e)
        total = wide[e]
        for j in range(w):
            total[j] = 0
        for begin in range(0, n, FLUSH):
            end = min(n, begin + FLUSH)
            for j in range(w):
                narrow[j] = 0
            for i in range(begin, end):
                at = base + rows[i] * stride + left
                a = scan[at : at + w]
                for j in range(w):
                    narrow[j] = np.uint8(narrow[j] + np.uint8(a[j] == label))
            for j in range(w):
                total[j] += narrow[j]


@kernel
def _scan_sizes(desk: Array, k: Int, n: Int, limit: Int, keep: Int) -> Any:
    """Size bound of every column for the ``n`` rows of ``rows``; the least of them.

    ``limit``: a part of more codes makes the bound ``INF``. ``keep``: 1 writes ``column_low`` and
    ``column_expected``.
    """
    m = desk[LABELS]
    base, stride, width = _base(desk)[k], _stride(desk)[k], _width(desk)[k]
    wide, expected = _wide(desk), _expected(desk)
    column_low, column_expected = _column_low(desk), _column_expected(desk)
    second = np.int32(m)
    third = np.int32(min(1 + (m - 1) + (m - 1) * (m - 1), INF))
    low = np.empty(LANES, np.int32)
    guess = np.empty(LANES, np.float64)
    best = INF
    for left in range(0, width, LANES):
        w = min(LANES, width - left)
        if m <= 21:
            _tally_packed(desk, base, stride, left, w, n)
        else:
            _tally(desk, base, stride, left, w, n)
        for j in range(w):
            low[j] = n
            guess[j] = n
        for e in range(m - 1):
            total = wide[e]
            for j in range(w):
                x = total[j]
                low[j] += (
                    x + max(x - np.int32(1), np.int32(0)) + max(x - second, np.int32(0)) + max(x - third, np.int32(0))
                )
            if limit < n:
                for j in range(w):
                    if total[j] > limit:
                        low[j] = INF
            if keep:
                for j in range(w):
                    guess[j] += expected[total[j]]
        for j in range(w):
            low[j] = min(low[j], INF)
        for j in range(w):
            best = min(best, low[j])
        if keep:
            for j in range(w):
                column_low[left + j] = low[j]
                column_expected[left + j] = guess[j]
    return best


@kernel
def _scan_members(desk: Array, offset: Int, n: Int, limit: Int) -> Any:
    """Size bound of every code of the set as a guess, into ``_column_low(desk)``; (least bound, most parts)."""
    m = desk[LABELS]
    by_guess, guess_of_secret, expected = _by_guess(desk), _guess_of_secret(desk), _expected(desk)
    stack, column_low, column_expected = _stack(desk), _column_low(desk), _column_expected(desk)
    count = np.empty(m, np.int64)
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
                low += size_bound(x, m)
                guess += expected[x]
                if x > limit:
                    low = INF
        column_low[i] = min(low, INF)
        column_expected[i] = guess
        best = min(best, low)
        most = max(most, parts)
    return best, most


@kernel
def part_bound(desk: Array, offset: Int, n: Int, d: Int) -> Any:
    """(bound, whether it is the exact value) for a set of 3 or more codes with ``d`` guesses left.

    Part-count bound: a guess that leaves K parts, its own included, costs at least 3n - K, minus 1 if it is
    itself possible. Every part but its own costs at least 2 * size - 1, so the total is at least
    n + 2 * (n - [possible]) - (K - [possible]).
    A complete split by a code that is not possible costs exactly 2n; nothing but a complete split by a possible
    one, 2n - 1, is better.
    """
    _nodes(desk)[2] += 1
    if desk[CONSISTENT]:
        low, most = _scan_members(desk, offset, n, _capacity(desk)[d - 1 if d < UNLIMITED else d])
        if most == n:
            return 2 * n - 1, True
        if d == 2:
            return INF, True
        return max(low, 3 * n - most - 1), False
    order = np.empty(desk[SYMBOLS], np.int64)
    k = _rename(desk, offset, n, order)
    if n > SMALL:
        return _scan_sizes(desk, k, n, _capacity(desk)[d - 1 if d < UNLIMITED else d], 0), False
    most = _count_parts(desk, k, n)
    rows, parts, place, guess_of_secret = _rows(desk), _parts(desk), _place(desk), _guess_of_secret(desk)
    own: Int = 0
    for i in range(n):
        g = guess_of_secret[rows[i]]
        if g >= 0:
            own = max(own, np.int64(parts[place[k, g]]))
    if own == n:
        return 2 * n - 1, True
    if most == n:
        return 2 * n, True
    if d == 2:  # not most + 1: the member's +1 must not pass for a complete split
        return INF, True
    if own == n - 1 and d > 2:
        return 2 * n, True
    return 3 * n - max(most, own + 1), False


# ---------------------------------------------------------------- table


@kernel
def probe(table: Array, key: Int, n: Int) -> Any:
    """The entry of a set: value << 22 | guess << 2 | state, or -1.

    An entry is two words, (key XOR data, data): an entry torn by two threads matches no key.
    """
    buckets = table.shape[0] // 8
    at = np.int64(key & np.uint64(buckets - 1)) * 8
    for i in range(4):
        data = table[at + 2 * i + 1]
        if table[at + 2 * i] ^ data == key and np.int64(data & np.uint64(0xFFFF)) == (n & 0xFFFF) and data != 0:
            return np.int64(data >> np.uint64(SIZE_BITS))
    return np.int64(-1)


@kernel
def store(table: Array, key: Int, n: Int, value: Int, guess: Int, state: Int) -> Any:
    """Keep the value of a set in its bucket, in place of the entry of the same set or of the smallest set."""
    buckets = table.shape[0] // 8
    at = np.int64(key & np.uint64(buckets - 1)) * 8
    packed = (np.int64(value) << 22) | (np.int64(guess) << 2) | np.int64(state)
    data = (np.uint64(packed) << np.uint64(SIZE_BITS)) | np.uint64(n & 0xFFFF)
    place = at
    smallest: Int = 1 << 40
    for i in range(4):
        old = table[at + 2 * i + 1]
        if table[at + 2 * i] ^ old == key:
            place = at + 2 * i
            break
        size = np.int64(old & np.uint64(0xFFFF))
        if size < smallest:
            smallest = size
            place = at + 2 * i
    table[place] = key ^ data
    table[place + 1] = data


# ---------------------------------------------------------------- symmetry


@kernel
def enter(desk: Array, depth: Int, guess: Int) -> Any:
    """Group of the histories of ``depth + 1`` guesses from that of ``depth``, extended by ``guess``.

    An element is a permutation of the pegs with an injective map of the colors used so far that maps every guess
    of the history to itself. The codes consistent with the history are mapped to themselves by it, however it is
    extended to the other colors.
    """
    if depth + 1 > SYMMETRIC:
        return
    pegs, symbols = desk[PEGS], desk[SYMBOLS]
    group_size, group_peg, group_color = _group_size(desk), _group_peg(desk), _group_color(desk)
    digits, permutations = _guess_digits(desk), _permutations(desk)
    kept = 0
    image = np.empty(symbols, np.int8)
    for i in range(group_size[depth]):
        permutation = group_peg[depth, i]
        used = np.uint64(0)
        for c in range(symbols):
            image[c] = group_color[depth, i, c]
            if image[c] >= 0:
                used |= np.uint64(1) << np.uint64(image[c])
        fits = True
        for k in range(pegs):
            a = digits[guess, permutations[permutation, k]]
            b = digits[guess, k]
            if image[a] >= 0:
                if image[a] != b:
                    fits = False
                    break
            elif (used >> np.uint64(b)) & np.uint64(1):
                fits = False
                break
            else:
                image[a] = b
                used |= np.uint64(1) << np.uint64(b)
        if fits:
            group_peg[depth + 1, kept] = permutation
            for c in range(symbols):
                group_color[depth + 1, kept, c] = image[c]
            kept += 1
    group_size[depth + 1] = kept


@kernel
def _name_tokens(desk: Array, depth: Int, bits: Int) -> Any:
    """For every element of the group and every color: 0 if no code of the set has it, 1 + its image, -1 if new."""
    group_size, group_color, token = _group_size(desk), _group_color(desk), _group_token(desk)
    for i in range(group_size[depth]):
        for c in range(desk[SYMBOLS]):
            if not (bits >> np.uint64(c)) & np.uint64(1):
                token[depth, i, c] = 0
            elif group_color[depth, i, c] >= 0:
                token[depth, i, c] = 1 + group_color[depth, i, c]
            else:
                token[depth, i, c] = -1


@kernel
def class_key(desk: Array, depth: Int, guess: Int) -> Any:
    """A number that two guesses share only if a symmetry of the set maps one to the other.

    Colors that occur in no code of the set are one: labels do not tell them apart. Colors of the history are
    mapped by the group, the others named by first occurrence; the least over the group, after ``_name_tokens``.
    """
    pegs, symbols = desk[PEGS], desk[SYMBOLS]
    group_peg, token = _group_peg(desk), _group_token(desk)
    digits, permutations = _guess_digits(desk)[guess], _permutations(desk)
    width = 1
    while (1 << width) < 2 * symbols + 2:
        width += 1
    best = np.int64(1) << (width * pegs)
    for i in range(_group_size(desk)[depth]):
        order = permutations[group_peg[depth, i]]
        tokens = token[depth, i]
        key = np.int64(0)
        fresh = 1 + symbols
        for k in range(pegs):
            a = digits[order[k]]
            t = np.int64(tokens[a])
            if t < 0:
                t = fresh
                for j in range(k):
                    if digits[order[j]] == a:
                        t = (key >> (width * (k - 1 - j))) & ((1 << width) - 1)
                        break
                if t == fresh:
                    fresh += 1
            key = (key << width) | t
            if key > best >> (width * (pegs - 1 - k)):
                break
        if k == pegs - 1 and key < best:
            best = key
    return best


@kernel
def _seen(slots: Array, key: Int) -> Any:
    """Whether ``key`` is in the open-addressing set ``slots`` (0 = free); it is added if not."""
    if key == 0:
        key = np.uint64(0x9E3779B97F4A7C15)
    cells = np.uint64(slots.shape[0] - 1)
    at = (key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20) & cells
    while slots[at] != 0:
        if slots[at] == key:
            return True
        at = (at + np.uint64(1)) & cells
    slots[at] = key
    return False


@kernel
def _mixed(word: Int) -> Any:
    """splitmix64's finish: a sum of mixed words stands for a multiset of them."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


# ---------------------------------------------------------------- candidates


@kernel
def guess_at(desk: Array, k: Int, column: Int, order: Array) -> Any:
    """The guess of a column, its colors given back their old names; ``column`` is a guess itself if k < 0."""
    if k < 0:
        return np.int64(column)
    g = _columns(desk)[k, column]
    if k == _width(desk).shape[0] - 1:
        return np.int64(g)
    digits, powers = _guess_digits(desk), _powers(desk)
    number = 0
    for i in range(desk[PEGS]):
        number += order[digits[g, i]] * powers[i]
    return np.int64(_guess_of_number(desk)[number])


@kernel
def _ranked(score: Array) -> Any:
    """Indexes by ascending score to one part in 4096 of the range, ties in order: a counting sort."""
    size = score.shape[0]
    rank = np.empty(size, np.int64)
    if size == 0:
        return rank
    least, most = score[0], score[0]
    for i in range(size):
        least, most = min(least, score[i]), max(most, score[i])
    factor = 4095.0 / (most - least) if most > least else 0.0
    begin = np.zeros(4097, np.int64)
    cell = np.empty(size, np.int32)
    for i in range(size):
        cell[i] = np.int32((score[i] - least) * factor)
        begin[cell[i] + 1] += 1
    for x in range(4096):
        begin[x + 1] += begin[x]
    for i in range(size):
        rank[begin[cell[i]]] = i
        begin[cell[i]] += 1
    return rank


@kernel
def candidates(desk: Array, offset: Int, n: Int, ub: Int, d: Int, order: Array) -> Any:
    """Columns worth trying on a set: (columns, their lower bounds, bound of the set, bound of the rest, k).

    ``guess_at(desk, k, column, order)`` is the guess of a column.
    Those left out cost at least the last value,
    which is >= ``ub``. In ascending order of the bound up to ``SMALL`` codes, of the expected total above.
    """
    stack = _stack(desk)
    column_low, column_expected = _column_low(desk), _column_expected(desk)
    limit = _capacity(desk)[d - 1 if d < UNLIMITED else d]
    if desk[CONSISTENT]:
        low, most = _scan_members(desk, offset, n, limit)
        count = 0
        rest = INF
        for i in range(n):
            if column_low[i] < ub:
                count += 1
            else:
                rest = min(rest, column_low[i])
        guesses = np.empty(count, np.int32)
        bounds = np.empty(count, np.int32)
        score = np.empty(count, np.float64)
        count = 0
        for i in range(n):
            if column_low[i] < ub:
                guesses[count] = _guess_of_secret(desk)[stack[offset + i]]
                bounds[count] = column_low[i]
                score[count] = column_low[i] if n <= SMALL else column_expected[i]
                count += 1
        rank = _ranked(score)
        return guesses[rank], bounds[rank], low, rest, -1
    k = _rename(desk, offset, n, order)
    width = _width(desk)[k]
    if n > SMALL:
        low = _scan_sizes(desk, k, n, limit, 1)
        count = 0
        rest = INF
        for j in range(width):
            if column_low[j] < ub:
                count += 1
            else:
                rest = min(rest, column_low[j])
        guesses = np.empty(count, np.int32)
        bounds = np.empty(count, np.int32)
        score = np.empty(count, np.float64)
        count = 0
        for j in range(width):
            if column_low[j] < ub:
                guesses[count] = j
                bounds[count] = column_low[j]
                score[count] = column_expected[j]
                count += 1
        rank = _ranked(score)
        return guesses[rank], bounds[rank], low, rest, k
    most = _count_parts(desk, k, n)
    rows, parts, place, guess_of_secret = _rows(desk), _parts(desk), _place(desk), _guess_of_secret(desk)
    for i in range(n):
        g = guess_of_secret[rows[i]]
        if g >= 0:
            parts[place[k, g]] += 1
            most = max(most, np.int64(parts[place[k, g]]))
    tally = np.zeros(258, np.int64)
    for j in range(width):
        tally[parts[j]] += 1
    least = max(3 * n - ub + 1, 2)  # a guess that leaves everything in one part settles nothing
    rest = INF
    for parted in range(2, min(least, 258)):
        if tally[parted]:
            rest = min(rest, 3 * n - parted)
    count = 0
    begin = np.zeros(258, np.int64)
    for parted in range(257, least - 1, -1):
        begin[parted] = count
        count += tally[parted]
    guesses = np.empty(count, np.int32)
    bounds = np.empty(count, np.int32)
    for j in range(width):
        x = np.int64(parts[j])
        if x >= least:
            guesses[begin[x]] = j
            bounds[begin[x]] = 3 * n - x
            begin[x] += 1
    return guesses, bounds, 3 * n - most, rest, k


# ---------------------------------------------------------------- the search


@kernel
def _members(desk: Array, offset: Int, n: Int, enough: Int) -> Any:
    """Most parts that a code of the set makes as a guess (at most 64 labels)."""
    stack, by_guess, guess_of_secret = _stack(desk), _by_guess(desk), _guess_of_secret(desk)
    most: Int = 0
    for i in range(n):
        g = guess_of_secret[stack[offset + i]]
        if g < 0:
            continue
        row = by_guess[g]
        bits = np.uint64(0)
        for j in range(n):
            bits |= np.uint64(1) << np.uint64(row[stack[offset + j]])
        parts = np.int64(_bits(bits))
        if parts > most:
            most = parts
            if most >= enough:
                break
    return most


@kernel
def split(desk: Array, offset: Int, n: Int, top: Int, guess: Int, depth: Int, best: Int) -> Any:
    """Cut a set by a guess into parts at ``top`` of the stack; the size bound of the guess, or early one >= ``best``.

    Fills ``count``, ``start``, ``hash``, ``low`` and ``state`` of ``depth``; nothing but ``count`` if the bound
    is not below ``best``.
    """
    m = desk[LABELS]
    stack, label, zobrist = _stack(desk), _label(desk), _zobrist(desk)
    count = _count(desk)[depth]
    row = _by_guess(desk)[guess]
    for e in range(m):
        count[e] = 0
    for i in range(n):
        e = row[stack[offset + i]]
        label[i] = e
        count[e] += 1
    total = n
    for e in range(m - 1):
        x = count[e]
        if x == n:
            return INF
        if x:
            total += size_bound(x, m)
    if total >= best:
        return total
    start, mixed = _start(desk)[depth], _hash(desk)[depth]
    at = top
    for e in range(m):
        start[e] = at
        at += count[e]
        mixed[e] = np.uint64(0)
    for i in range(n):
        e = label[i]
        s = stack[offset + i]
        stack[start[e]] = s
        start[e] += 1
        mixed[e] ^= zobrist[s]
    for e in range(m):
        start[e] -= count[e]
    return total


@kernel
def _quick(desk: Array, depth: Int, total: Int, best: Int, d: Int) -> Any:
    """Pass A: bounds of the parts that cost next to nothing; the new bound of the guess.

    Sizes 1 and 2 cost 1 and 3. Up to m codes, a possible code that splits the set completely makes 2n - 1. If
    none does, the total is at least 2n: of all guesses only that one settles a code at once and the others by
    the next guess. It is 2n if a possible code leaves n - 1 parts, one of them a pair (needs three guesses).
    """
    m = desk[LABELS]
    count, start, low, state, mixed = (
        _count(desk)[depth],
        _start(desk)[depth],
        _low(desk)[depth],
        _state(desk)[depth],
        _hash(desk)[depth],
    )
    for e in range(m - 1):
        x = count[e]
        low[e] = size_bound(x, m)
        state[e] = EXACT if x <= 2 else OPEN
        if x > _capacity(desk)[d]:
            return INF
    for e in range(m - 1):
        x = count[e]
        if x <= 2:
            continue
        old = low[e]
        if x >= 4:
            found = probe(_table(desk), mixed[e] ^ _zobrist_limit(desk)[d if d < x else UNLIMITED], x)
            if found >= 0:
                _nodes(desk)[3] += 1
                low[e] = max(old, found >> 22)
                state[e] = found & 3
        if state[e] == OPEN and x <= m:
            most = _members(desk, start[e], x, x)
            if most == x:
                low[e] = 2 * x - 1
                state[e] = EXACT
            else:
                low[e] = max(low[e], 2 * x)
                if most == x - 1 and d > 2:
                    low[e] = 2 * x
                    state[e] = EXACT
                elif d == 2 and desk[CONSISTENT]:
                    low[e] = INF
                    state[e] = EXACT
        total += low[e] - old
        if total >= best:
            return total
    return total


@kernel
def _choose(desk: Array, depth: Int, m: Int, slack: Int) -> Any:
    """The part to bound next: the smallest expected to close the gap, else the one of best gain per code.

    Parts of more than SMALL codes come last, smallest first; -1 when none is left.
    """
    count, state = _count(desk)[depth], _state(desk)[depth]
    chosen, chosen_size = -1, 1 << 40
    ratio, other = -1.0, -1
    large, large_size = -1, 1 << 40
    for e in range(m - 1):
        x = count[e]
        if x <= 2 or state[e] != OPEN:
            continue
        if x > SMALL:
            if x < large_size:
                large, large_size = e, x
            continue
        mean = _gain(desk)[0, x] / _gain(desk)[1, x]
        if mean >= slack and x < chosen_size:
            chosen, chosen_size = e, x
        if mean / x > ratio:
            ratio, other = mean / x, e
    if chosen >= 0:
        return chosen
    return other if other >= 0 else large


@kernel
def _bounded(desk: Array, depth: Int, total: Int, best: Int, d: Int) -> Any:
    """Pass B: part-count and size bounds of the parts still open, in the order that promises to prune soonest."""
    m = desk[LABELS]
    count, start, low, state, mixed = (
        _count(desk)[depth],
        _start(desk)[depth],
        _low(desk)[depth],
        _state(desk)[depth],
        _hash(desk)[depth],
    )
    while total < best:
        e = _choose(desk, depth, m, best - total)
        if e < 0:
            break
        x = count[e]
        bound, exact = part_bound(desk, start[e], x, d)
        if x <= SMALL:
            _gain(desk)[0, x] += max(0, bound - low[e])
            _gain(desk)[1, x] += 1.0
        state[e] = EXACT if exact else SCANNED
        bound = max(bound, low[e])
        store(_table(desk), mixed[e] ^ _zobrist_limit(desk)[d if d < x else UNLIMITED], x, bound, NO_GUESS, state[e])
        total += bound - low[e]
        low[e] = bound
    return total


@kernel
def solve(desk: Array, offset: Int, n: Int, top: Int, ub: Int, d: Int, depth: Int, mixed: Int, together: Int) -> Any:
    """T(S, d) of the ``n`` codes at ``offset`` of the stack: exact if it is < ``ub``, else a lower bound >= ``ub``.

    The stack is free from ``top`` on. ``mixed`` is the XOR of the codes' Zobrist words, ``depth`` the
    number of guesses made since the root.
    ``together``: several threads search this very set; they share (next candidate; best value << GUESS_BITS | guess;
    candidates done). When ``stop[0]`` is set, what is returned is a lower bound only.
    """
    if n <= 2:
        if n > _capacity(desk)[d]:
            return INF
        return 2 * n - 1 if n else 0
    if n > _capacity(desk)[d]:
        return INF
    if d >= n:
        d = UNLIMITED  # a useful guess leaves smaller parts only: n codes never need more than n guesses
    key = mixed ^ _zobrist_limit(desk)[d]
    low = size_bound(n, desk[LABELS])
    shared, stop = _shared(desk), _stop(desk)
    found = probe(_table(desk), key, n)
    if found >= 0:
        if found & 3 == EXACT and not together:
            return found >> 22
        low = max(low, found >> 22)
    if low >= ub or stop[0] != 0:
        return low
    _nodes(desk)[0] += 1
    m = desk[LABELS]
    after = d if d == UNLIMITED else d - 1
    order = np.empty(desk[SYMBOLS], np.int64)
    columns, bounds, bound, rest, k = candidates(desk, offset, n, ub, d, order)
    low = max(low, bound)
    if low >= ub:
        store(_table(desk), key, n, low, NO_GUESS, SCANNED)
        return low
    symmetric = depth <= SYMMETRIC
    if symmetric:
        bits, _ = _shape(desk, offset, n)
        _name_tokens(desk, depth, bits)
    cells = 16
    while cells < 2 * columns.shape[0] + 2:
        cells *= 2
    classes = np.zeros(cells if symmetric else 1, np.uint64)
    cuts = np.zeros(cells if n <= SMALL else 1, np.uint64)
    best, chosen = ub, -1
    at = -1
    taken = 0
    while True:
        at = _add(shared, 0, 1) if together else at + 1
        if at >= columns.shape[0]:
            break
        if together:
            shared[2] += 1
            best = min(best, shared[1] >> GUESS_BITS)
        if low >= best or stop[0] != 0:
            break
        if bounds[at] >= best:
            rest = min(rest, bounds[at])
            if n <= SMALL:
                break
            continue
        if together:  # the classes of the guesses that other threads took
            while taken < at:
                if bounds[taken] < best:
                    _seen(classes, np.uint64(class_key(desk, depth, guess_at(desk, k, columns[taken], order)) + 1))
                taken += 1
            taken = at + 1
        guess = guess_at(desk, k, columns[at], order)
        if symmetric and _seen(classes, np.uint64(class_key(desk, depth, guess) + 1)):
            continue
        _nodes(desk)[1] += 1
        total = split(desk, offset, n, top, guess, depth, best)
        if total >= best:
            rest = min(rest, total)
            continue
        count, start, lows, state, hashes = (
            _count(desk)[depth],
            _start(desk)[depth],
            _low(desk)[depth],
            _state(desk)[depth],
            _hash(desk)[depth],
        )
        if n <= SMALL:
            # Two guesses that leave the same parts of two codes and more, both or neither possible, cost the same.
            cut = np.uint64(count[m - 1])
            for e in range(m - 1):
                if count[e] > 1:
                    cut += _mixed(hashes[e])
            if _seen(cuts, cut):
                continue
        total = _quick(desk, depth, total, best, after)
        if total < best:
            total = _bounded(desk, depth, total, best, after)
        if total < best:
            enter(desk, depth, guess)
            while total < best:
                e, size = -1, 1 << 40
                for i in range(m - 1):
                    if state[i] != EXACT and count[i] < size and count[i] > 2:
                        e, size = i, count[i]
                if e < 0:
                    break
                if together:
                    best = min(best, shared[1] >> GUESS_BITS)
                    if total >= best:
                        break
                ceiling = lows[e] + best - total
                value = _again(desk, start[e], size, top + n, ceiling, after, depth + 1, hashes[e])
                if stop[0] != 0:
                    return low
                total += value - lows[e]
                lows[e] = value
                state[e] = EXACT
        if total < best:
            best, chosen = total, guess
            if together:
                _least(shared, 1, (best << GUESS_BITS) | guess)
            if best == low:
                break
        else:
            rest = min(rest, total)
    if stop[0] != 0:
        return low
    if together:
        return min(best, shared[1] >> GUESS_BITS)
    if chosen >= 0:
        store(_table(desk), key, n, best, chosen, EXACT)
        return best
    low = min(max(low, rest), INF)
    store(_table(desk), key, n, low, NO_GUESS, SCANNED)
    return low


@cache
def entry() -> int:
    """The address at which ``solve`` finds itself; compiled, or loaded, at the first call."""
    whole = [types.int64] * 6
    signature = types.int64(types.CPointer(types.int64), *whole, types.uint64)
    return int(cfunc(signature, cache=True)(_solve_at).address)


def _solve_at(address: Array, offset: Int, n: Int, top: Int, ub: Int, d: Int, depth: Int, mixed: Int) -> Any:
    return solve(carray(address, DESK), offset, n, top, ub, d, depth, mixed, False)


@kernel
def openings(desk: Array, offset: Int, n: Int, ub: Int, d: Int) -> Any:
    """(guesses, bounds, bound of the rest): one guess of every class that the root's symmetry tells apart."""
    order = np.empty(desk[SYMBOLS], np.int64)
    columns, bounds, _, rest, k = candidates(desk, offset, n, ub, d, order)
    bits, _ = _shape(desk, offset, n)
    _name_tokens(desk, 0, bits)
    cells = 16
    while cells < 2 * columns.shape[0] + 2:
        cells *= 2
    classes = np.zeros(cells, np.uint64)
    guesses = np.empty(columns.shape[0], np.int64)
    kept = 0
    for i in range(columns.shape[0]):
        guess = guess_at(desk, k, columns[i], order)
        if not _seen(classes, np.uint64(class_key(desk, 0, guess) + 1)):
            guesses[kept] = guess
            bounds[kept] = bounds[i]
            kept += 1
    return guesses[:kept].copy(), bounds[:kept].copy(), rest


@kernel
def open_parts(desk: Array, offset: Int, n: Int, guess: Int, best: Int, d: Int) -> Any:
    """Cut the root by an opening and bound its parts, into the arrays of depth 0; the bound of the opening."""
    total = split(desk, offset, n, offset + n, guess, 0, best)
    if total < best:
        total = _quick(desk, 0, total, best, d)
    if total < best:
        total = _bounded(desk, 0, total, best, d)
    enter(desk, 0, guess)
    return total
