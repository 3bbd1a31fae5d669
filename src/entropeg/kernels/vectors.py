"""Scans of many guesses at once: the inner loops of the exact search, written for vectors.

A column is a guess, a row a possible code, a byte the label between them. Scans go through the rows of a set for
`BLOCK` columns at a time and keep everything in registers:

- the parts of a column are the one bits of a word in which bit e stands for label e; the word is spread over bytes,
  and a byte of it comes from a table of 16 entries by the label;
- the sizes of the parts are counters of four bits, two in a byte, and the numbers added come from tables too. They
  are emptied into bytes after 15 rows, and these into whole numbers after 240;
- under weights, where rows come by descending weight and the first of a part is its heaviest, a word of one bit for
  each label remembers which parts have begun, and the weight of a row is added to the columns where it begins one.

Looking bytes up in a table of 16 is one instruction on x86 (AVX-512, AVX2 or SSSE3, whichever the compiler's target
has); elsewhere comparisons do the same.
"""

# ruff: noqa: ARG001
# numba reads the signatures of intrinsics by name, so arguments stay that only the generated code uses; they are many,
# since kernels pass numbers by position.

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from entropeg.kernels.compile.parts import cgutils, intrinsic, ir, types

BLOCK = 64
"""Columns a pass: rows of labels are padded to a multiple, and lie on multiples in memory."""

BYTE, HALF, WORD = ir.IntType(8), ir.IntType(32), ir.IntType(64)


def _shuffle_of(context: Any) -> tuple[int, str]:
    """(bytes a vector, name of the instruction that looks bytes up) of the target; no name where there is none."""
    features = context.codegen().magic_tuple()[2]
    if "+avx512bw" in features:
        return 64, "llvm.x86.avx512.pshuf.b.512"
    if "+avx2" in features:
        return 32, "llvm.x86.avx2.pshuf.b"
    return (16, "llvm.x86.ssse3.pshuf.b.128") if "+ssse3" in features else (16, "")


class _Vectors:
    """Vectors of bytes of the target, in the function that a builder is at."""

    def __init__(self, context: Any, builder: Any) -> None:
        self.builder = builder
        self.width, self.shuffle = _shuffle_of(context)
        self.kind = ir.VectorType(BYTE, self.width)

    def constant(self, values: list[int]) -> Any:
        """A vector that repeats the values."""
        return ir.Constant(self.kind, (values * self.width)[: self.width])

    def spread(self, byte: Any) -> Any:
        """A vector of copies of a byte known at run time."""
        one = self.builder.insert_element(ir.Constant(self.kind, ir.Undefined), byte, ir.Constant(HALF, 0))
        zeros = ir.Constant(ir.VectorType(HALF, self.width), [0] * self.width)
        return self.builder.shuffle_vector(one, ir.Constant(self.kind, ir.Undefined), zeros)

    def load(self, address: Any) -> Any:
        """The vector at an address."""
        return self.builder.load(self.builder.inttoptr(address, self.kind.as_pointer()), align=1)

    def save(self, vector: Any, address: Any) -> None:
        """Write a vector to an address."""
        self.builder.store(vector, self.builder.inttoptr(address, vector.type.as_pointer()), align=1)

    def call(self, name: str, *arguments: Any) -> Any:
        """Call an intrinsic of LLVM from vectors to one like the first."""
        kind = ir.FunctionType(arguments[0].type, [argument.type for argument in arguments])
        return self.builder.call(cgutils.get_or_insert_function(self.builder.module, kind, name), arguments)

    def index(self, labels: Any, first: Any) -> Any:
        """What `look_up` takes for the 16 labels from ``first`` on; None: there are no other labels."""
        if first is None:
            return labels
        moved = self.builder.sub(labels, first)
        if not self.shuffle:
            return moved
        # The instruction gives 0 where the top bit is set and reads the low four bits elsewhere: the saturated sum sets
        # the top bit for all but 0 to 15.
        return self.call(f"llvm.uadd.sat.v{self.width}i8", moved, self.constant([0x70]))

    def look_up(self, table: list[int], index: Any) -> Any:
        """The entry of a table of 16 bytes for every index, 0 for other indexes."""
        if self.shuffle:
            return self.call(self.shuffle, self.constant(table), index)
        found = self.constant([0])
        for at, entry in enumerate(table):
            if entry:
                same = self.builder.icmp_unsigned("==", index, self.constant([at]))
                found = self.builder.select(same, self.constant([entry]), found)
        return found

    def bits(self, vector: Any) -> Any:
        """Number of one bits of every byte."""
        return self.call(f"llvm.ctpop.v{self.width}i8", vector)

    def largest(self, vector: Any) -> Any:
        """The largest byte, as a whole number."""
        kind, name = ir.FunctionType(BYTE, [self.kind]), f"llvm.vector.reduce.umax.v{self.width}i8"
        reduce = cgutils.get_or_insert_function(self.builder.module, kind, name)
        return self.builder.zext(self.builder.call(reduce, [vector]), WORD)

    def greater(self, a: Any, b: Any) -> Any:
        """The greater of two bytes, at every place."""
        return self.builder.select(self.builder.icmp_unsigned(">", a, b), a, b)


@intrinsic
def address(typingctx: Any, array: Any) -> Any:
    """Where the elements of an array begin, as int64: kernels of vectors work on addresses."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ptrtoint(context.make_array(signature.args[0])(context, builder, args[0]).data, WORD)

    return types.int64(array), codegen


def _table(at: int, values: list[int]) -> list[int]:
    return ([0] * at + values + [0] * 16)[:16]


def _each_row(builder: Any, rows: Any, begin: Any, end: Any, do: Callable[[Any], None], unroll: int = 1) -> None:
    """Generate ``do(offset)`` for the offsets ``rows[begin:end]``, several of them in a turn of the loop."""
    turns = builder.udiv(builder.sub(end, begin), ir.Constant(WORD, unroll))
    with cgutils.for_range(builder, turns) as loop:
        first = builder.add(begin, builder.mul(loop.index, ir.Constant(WORD, unroll)))
        for i in range(unroll):
            do(builder.load(builder.gep(rows, [builder.add(first, ir.Constant(WORD, i))])))
    if unroll > 1:
        done = builder.add(begin, builder.mul(turns, ir.Constant(WORD, unroll)))
        _each_row(builder, rows, done, end, do)


def _ask(builder: Any, address: Any) -> None:
    """Generate the request for the line of memory at an address."""
    kind = ir.FunctionType(ir.VoidType(), [BYTE.as_pointer(), HALF, HALF, HALF])
    call = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
    read, keep, data = (ir.Constant(HALF, number) for number in (0, 3, 1))
    builder.call(call, [builder.inttoptr(address, BYTE.as_pointer()), read, keep, data])


def part_counter(bytes_of_bits: int) -> Any:
    """Intrinsic ``(scan, rows, n, width, parts) -> most`` for up to ``8 * bytes_of_bits`` labels.

    ``parts[j]`` becomes the number of parts that column j cuts the ``n`` rows into, for ``width`` columns rounded up to
    a multiple of `BLOCK`. Addresses of the labels, of the offset of each row (int64) and of ``parts`` (uint8).
    """

    @intrinsic
    def count(typingctx: Any, scan: Any, rows: Any, n: Any, width: Any, parts: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            scan, rows, n, width, parts = args
            vectors = _Vectors(context, builder)
            offsets = builder.inttoptr(rows, WORD.as_pointer())
            top = cgutils.alloca_once_value(builder, vectors.constant([0]))
            words = [cgutils.alloca_once(builder, vectors.kind) for _ in range(bytes_of_bits)]
            tables = [_table(8 * (q % 2), [1 << bit for bit in range(8)]) for q in range(bytes_of_bits)]
            firsts = [vectors.constant([16 * (q // 2)]) for q in range(bytes_of_bits)]
            firsts = [None] * 2 if bytes_of_bits == 2 else firsts
            step = ir.Constant(WORD, vectors.width)
            padded = builder.and_(builder.add(width, ir.Constant(WORD, BLOCK - 1)), ir.Constant(WORD, -BLOCK))
            with cgutils.for_range_slice(builder, ir.Constant(WORD, 0), padded, step, inc=True) as (left, _):
                column = builder.add(scan, left)
                for word in words:
                    builder.store(vectors.constant([0]), word)

                def add(offset: Any) -> None:
                    at = builder.add(column, offset)
                    _ask(builder, builder.add(at, ir.Constant(WORD, 2 * BLOCK)))
                    labels = vectors.load(at)
                    index = None
                    for q, word in enumerate(words):
                        index = vectors.index(labels, firsts[q]) if q % 2 == 0 else index
                        hot = vectors.look_up(tables[q], index)
                        builder.store(builder.or_(builder.load(word), hot), word)

                # Loops of many words are long enough, and compile slowly.
                _each_row(builder, offsets, ir.Constant(WORD, 0), n, add, unroll=4 if bytes_of_bits <= 8 else 1)
                found = vectors.bits(builder.load(words[0]))
                for word in words[1:]:
                    found = builder.add(found, vectors.bits(builder.load(word)))
                vectors.save(found, builder.add(parts, left))
                builder.store(vectors.greater(found, builder.load(top)), top)
            return vectors.largest(builder.load(top))

        return types.int64(*[types.int64] * 5), codegen

    return count


@intrinsic
def count_different(typingctx: Any, scan: Any, rows: Any, n: Any, width: Any, parts: Any, least: Any) -> Any:
    """As `part_counter` counts, for any labels and few rows: a row begins a part where no row before has its label.

    That takes ``n * n / 2`` comparisons a column, for any number of labels. Columns are left once all that lie side by
    side in a vector are known to have fewer than ``least`` parts; the numbers written for them are of the rows by then.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        scan, rows, n, width, parts, least_parts = args
        vectors = _Vectors(context, builder)
        offsets = builder.inttoptr(rows, WORD.as_pointer())
        top = cgutils.alloca_once_value(builder, vectors.constant([0]))
        found, least = (cgutils.alloca_once(builder, vectors.kind) for _ in range(2))
        zero, one, turn = (ir.Constant(WORD, number) for number in (0, 1, 8))
        step = ir.Constant(WORD, vectors.width)
        padded = builder.and_(builder.add(width, ir.Constant(WORD, BLOCK - 1)), ir.Constant(WORD, -BLOCK))
        with cgutils.for_range_slice(builder, zero, padded, step, inc=True) as (left, _):
            column = builder.add(scan, left)
            builder.store(vectors.constant([0]), found)
            with cgutils.for_range(builder, n) as loop:
                at = builder.add(column, builder.load(builder.gep(offsets, [loop.index])))
                _ask(builder, builder.add(at, ir.Constant(WORD, 2 * BLOCK)))
                labels = vectors.load(at)
                builder.store(vectors.constant([255]), least)

                def compare(offset: Any, labels: Any = labels) -> None:
                    # The least difference as a number without a sign is 0 where a row before has the label.
                    apart = builder.xor(labels, vectors.load(builder.add(column, offset)))
                    before = builder.load(least)
                    is_less = builder.icmp_unsigned("<", apart, before)
                    builder.store(builder.select(is_less, apart, before), least)

                _each_row(builder, offsets, zero, loop.index, compare, unroll=4)
                is_new = builder.icmp_unsigned("!=", builder.load(least), vectors.constant([0]))
                more = builder.select(is_new, vectors.constant([1]), vectors.constant([0]))
                builder.store(builder.add(builder.load(found), more), found)
                is_turn = builder.icmp_unsigned("==", builder.urem(loop.index, turn), builder.sub(turn, one))
                with builder.if_then(is_turn):
                    after = builder.sub(n, builder.add(loop.index, one))
                    most = builder.add(vectors.largest(builder.load(found)), after)
                    with builder.if_then(builder.icmp_unsigned("<", most, least_parts)):
                        loop.do_break()
            vectors.save(builder.load(found), builder.add(parts, left))
            builder.store(vectors.greater(builder.load(found), builder.load(top)), top)
        return vectors.largest(builder.load(top))

    return types.int64(*[types.int64] * 6), codegen


@intrinsic
def least_of(typingctx: Any, first: Any, second: Any, third: Any, width: Any, target: Any) -> Any:
    """The least of three bytes into ``target``, for ``width`` of them rounded up to a multiple of `BLOCK`; the largest.

    Addresses.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        first, second, third, width, target = args
        vectors = _Vectors(context, builder)
        top = cgutils.alloca_once_value(builder, vectors.constant([0]))
        step = ir.Constant(WORD, vectors.width)
        padded = builder.and_(builder.add(width, ir.Constant(WORD, BLOCK - 1)), ir.Constant(WORD, -BLOCK))
        with cgutils.for_range_slice(builder, ir.Constant(WORD, 0), padded, step, inc=True) as (left, _):
            least = vectors.load(builder.add(first, left))
            for other in (second, third):
                found = vectors.load(builder.add(other, left))
                least = builder.select(builder.icmp_unsigned("<", found, least), found, least)
            vectors.save(least, builder.add(target, left))
            builder.store(vectors.greater(least, builder.load(top)), top)
        return vectors.largest(builder.load(top))

    return types.int64(*[types.int64] * 5), codegen


@intrinsic
def between(typingctx: Any, column: Any, least: Any, most: Any) -> Any:
    """Bits of those of `BLOCK` bytes at an address that are from ``least`` to ``most``: uint64."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        vectors = _Vectors(context, builder)
        column, *ends = args
        least, most = (vectors.spread(builder.trunc(end, BYTE)) for end in ends)
        found = ir.Constant(WORD, 0)
        for left in range(0, BLOCK, vectors.width):
            loaded = vectors.load(builder.add(column, ir.Constant(WORD, left)))
            both = builder.and_(builder.icmp_unsigned(">=", loaded, least), builder.icmp_unsigned("<=", loaded, most))
            bits = builder.bitcast(both, ir.IntType(vectors.width))
            bits = bits if vectors.width == BLOCK else builder.zext(bits, WORD)
            found = builder.or_(found, builder.shl(bits, ir.Constant(WORD, left)))
        return found

    return types.uint64(*[types.int64] * 3), codegen


@intrinsic
def trailing_zeros(typingctx: Any, bits: Any) -> Any:
    """The place of the lowest bit of a word that has one."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), codegen


@intrinsic
def largest(typingctx: Any, parts: Any, width: Any) -> Any:
    """The largest of ``width`` bytes at an address, rounded up to a multiple of `BLOCK`."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        vectors = _Vectors(context, builder)
        top = cgutils.alloca_once_value(builder, vectors.constant([0]))
        step = ir.Constant(WORD, vectors.width)
        padded = builder.and_(builder.add(args[1], ir.Constant(WORD, BLOCK - 1)), ir.Constant(WORD, -BLOCK))
        with cgutils.for_range_slice(builder, ir.Constant(WORD, 0), padded, step, inc=True) as (left, _):
            found = vectors.load(builder.add(args[0], left))
            builder.store(vectors.greater(found, builder.load(top)), top)
        return vectors.largest(builder.load(top))

    return types.int64(types.int64, types.int64), codegen


def size_counter(pairs: int) -> Any:
    """Intrinsic ``(column, rows, n, first, sizes)`` for the labels ``first`` to ``first + 2 * pairs - 1``.

    ``sizes[e, j]`` becomes the number of the ``n`` rows with label ``first + e`` in column j, for `BLOCK` columns.
    Addresses of the labels of the first column, of the offset of each row (int64) and of ``sizes`` (int32).
    """

    @intrinsic
    def count(typingctx: Any, column: Any, rows: Any, n: Any, first: Any, sizes: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            column, rows, n, first, sizes = args
            vectors = _Vectors(context, builder)
            step = ir.Constant(WORD, vectors.width)
            block = ir.Constant(WORD, BLOCK)
            with cgutils.for_range_slice(builder, ir.Constant(WORD, 0), block, step, inc=True) as (left, _):
                target = builder.add(sizes, builder.mul(left, ir.Constant(WORD, 4)))
                _count_sizes(vectors, pairs, builder.add(column, left), rows, n, first, target)
            return context.get_dummy_value()

        return types.void(*[types.int64] * 5), codegen

    return count


def _count_sizes(vectors: _Vectors, pairs: int, column: Any, rows: Any, n: Any, first: Any, sizes: Any) -> None:
    """Generate `size_counter` for as many columns as a vector has bytes."""
    builder, labels = vectors.builder, 2 * pairs
    offsets = builder.inttoptr(rows, WORD.as_pointer())
    zero = vectors.constant([0])
    nibbles = [cgutils.alloca_once(builder, vectors.kind) for _ in range(pairs)]
    counters = [cgutils.alloca_once(builder, vectors.kind) for _ in range(labels)]
    wide = ir.VectorType(HALF, vectors.width)
    targets = [builder.add(sizes, ir.Constant(WORD, 4 * BLOCK * e)) for e in range(labels)]
    lowest = builder.trunc(first, BYTE)
    firsts = [
        vectors.spread(builder.add(lowest, ir.Constant(BYTE, 16 * group))) for group in range((labels + 15) // 16)
    ]
    tables = [_table(2 * pair % 16, [1, 16]) for pair in range(pairs)]
    for target in targets:
        vectors.save(ir.Constant(wide, [0] * vectors.width), target)

    def add(offset: Any) -> None:
        # Rows lie pages apart, so that only a request made here brings the next block in time.
        at = builder.add(column, offset)
        _ask(builder, builder.add(at, ir.Constant(WORD, BLOCK)))
        seen = vectors.load(at)
        index = None
        for pair, counter in enumerate(nibbles):
            index = vectors.index(seen, firsts[pair // 8]) if pair % 8 == 0 else index
            builder.store(builder.add(builder.load(counter), vectors.look_up(tables[pair], index)), counter)

    def least(a: Any, b: Any) -> Any:
        return builder.select(builder.icmp_signed("<", a, b), a, b)

    # Counters of four bits are full after 15 rows, those of eight bits after 255; 240 is a multiple of 15.
    byte_rows, nibble_rows = ir.Constant(WORD, 240), ir.Constant(WORD, 15)
    with cgutils.for_range_slice(builder, ir.Constant(WORD, 0), n, byte_rows, inc=True) as (begin, _):
        for counter in counters:
            builder.store(zero, counter)
        end = least(n, builder.add(begin, byte_rows))
        with cgutils.for_range_slice(builder, begin, end, nibble_rows, inc=True) as (at, _):
            for counter in nibbles:
                builder.store(zero, counter)
            _each_row(builder, offsets, at, least(end, builder.add(at, nibble_rows)), add)
            for pair, counter in enumerate(nibbles):
                both = builder.load(counter)
                halves = builder.and_(both, vectors.constant([15])), builder.lshr(both, vectors.constant([4]))
                for half, total in zip(halves, counters[2 * pair : 2 * pair + 2], strict=True):
                    builder.store(builder.add(builder.load(total), half), total)
        for counter, target in zip(counters, targets, strict=True):
            before = builder.load(builder.inttoptr(target, wide.as_pointer()), align=4)
            vectors.save(builder.add(before, builder.zext(builder.load(counter), wide)), target)


def _wide(builder: Any, kind: Any, value: Any) -> Any:
    """A vector of copies of a number known at run time."""
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), value, ir.Constant(HALF, 0))
    zeros = ir.Constant(ir.VectorType(HALF, kind.count), [0] * kind.count)
    return builder.shuffle_vector(one, ir.Constant(kind, ir.Undefined), zeros)


@intrinsic
def fold_sizes(
    typingctx: Any, sizes: Any, low: Any, labels: Any, n: Any, own: Any, other: Any, third: Any, limit: Any, worst: Any
) -> Any:
    """Size bounds of `BLOCK` columns from the ``sizes`` of their parts, into ``low`` (addresses, int32).

    ``n`` plus, for each of the first ``labels`` sizes x, what x codes take at least if two guesses settle ``own``
    codes, one of them the first, or ``other``, none of them the first, and three guesses ``third``; ``worst`` where a
    size exceeds ``limit`` or the sum ``worst``.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        sizes, low, labels = args[:3]
        kind = ir.VectorType(HALF, 16)
        n, own, other, third, limit, worst = (_wide(builder, kind, builder.trunc(number, HALF)) for number in args[3:])
        zero, one = ir.Constant(kind, [0] * 16), ir.Constant(kind, [1] * 16)

        def beyond(x: Any, settled: Any) -> Any:
            over = builder.sub(x, settled)
            return builder.select(builder.icmp_signed(">", over, zero), over, zero)

        for part in range(BLOCK // 16):
            total, largest = cgutils.alloca_once(builder, kind), cgutils.alloca_once(builder, kind)
            builder.store(n, total)
            builder.store(zero, largest)
            first = builder.inttoptr(builder.add(sizes, ir.Constant(WORD, 64 * part)), kind.as_pointer())
            with cgutils.for_range(builder, labels) as loop:
                at = builder.gep(first, [builder.mul(loop.index, ir.Constant(WORD, BLOCK // 16))])
                x = builder.load(at, align=4)
                with_own = builder.add(beyond(x, one), beyond(x, own))
                with_other = builder.add(x, beyond(x, other))
                less = builder.icmp_signed("<", with_own, with_other)
                cost = builder.add(builder.add(x, beyond(x, third)), builder.select(less, with_own, with_other))
                builder.store(builder.add(builder.load(total), cost), total)
                largest_yet = builder.load(largest)
                larger = builder.icmp_signed(">", x, largest_yet)
                builder.store(builder.select(larger, x, largest_yet), largest)
            bound = builder.load(total)
            bad = builder.or_(
                builder.icmp_signed(">", builder.load(largest), limit), builder.icmp_signed(">", bound, worst)
            )
            target = builder.inttoptr(builder.add(low, ir.Constant(WORD, 64 * part)), kind.as_pointer())
            builder.store(builder.select(bad, worst, bound), target, align=4)
        return context.get_dummy_value()

    return types.void(*[types.int64] * 9), codegen


def _fitted(builder: Any, value: Any, kind: Any) -> Any:
    """A number, or a vector of them, cut or filled with zeros to the width of another kind."""
    had, wanted = (getattr(one, "element", one).width for one in (value.type, kind))
    if had == wanted:
        return value
    return builder.trunc(value, kind) if had > wanted else builder.zext(value, kind)


def head_counter(bits: int) -> Any:
    """Intrinsic ``(column, rows, weights, n, width, heads, tops)`` for labels below ``bits``: 16, 32 or 64.

    ``heads[j]`` becomes the sum of the weights of the first row of every part of column j, for ``width`` columns
    rounded up to a multiple of `BLOCK`, and ``tops[b]`` the largest of block b. Addresses of the labels of column 0, of
    the offset of each row (int64), of its weight (int32), of ``heads`` and ``tops`` (int32). No sum may exceed ``bits``
    bits, or 31.
    """

    @intrinsic
    def count(typingctx: Any, column: Any, rows: Any, weights: Any, n: Any, width: Any, heads: Any, tops: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            _count_heads(builder, bits, *args)
            return context.get_dummy_value()

        return types.void(*[types.int64] * 7), codegen

    return count


def _count_heads(
    builder: Any, bits: int, column: Any, rows: Any, weights: Any, n: Any, width: Any, heads: Any, tops: Any
) -> None:
    """Generate `head_counter`."""
    lane, lanes = ir.IntType(bits), 512 // bits
    kind, raw = ir.VectorType(lane, lanes), ir.VectorType(BYTE, lanes)
    wide = ir.VectorType(HALF, lanes)
    zero, one = ir.Constant(kind, [0] * lanes), ir.Constant(kind, [1] * lanes)
    offsets = builder.inttoptr(rows, WORD.as_pointer())
    masses = builder.inttoptr(weights, HALF.as_pointer())
    begun = [cgutils.alloca_once(builder, kind) for _ in range(BLOCK // lanes)]
    sums = [cgutils.alloca_once(builder, kind) for _ in range(BLOCK // lanes)]
    step = ir.Constant(WORD, BLOCK)
    with cgutils.for_range_slice(builder, ir.Constant(WORD, 0), width, step, inc=True) as (left, _):
        for place in (*begun, *sums):
            builder.store(zero, place)
        first = builder.add(column, left)
        with cgutils.for_range(builder, n) as row:
            at = builder.add(first, builder.load(builder.gep(offsets, [row.index])))
            mass = builder.load(builder.gep(masses, [row.index]))
            same = _wide(builder, kind, _fitted(builder, mass, lane))
            for group, (known, total) in enumerate(zip(begun, sums, strict=True)):
                where = builder.inttoptr(builder.add(at, ir.Constant(WORD, group * lanes)), raw.as_pointer())
                bit = builder.shl(one, builder.zext(builder.load(where, align=1), kind))
                before = builder.load(known)
                fresh = builder.icmp_unsigned("==", builder.and_(before, bit), zero)
                builder.store(builder.add(builder.load(total), builder.select(fresh, same, zero)), total)
                builder.store(builder.or_(before, bit), known)
        for group, total in enumerate(sums):
            place = builder.add(heads, builder.mul(left, ir.Constant(WORD, 4)))
            target = builder.inttoptr(builder.add(place, ir.Constant(WORD, 4 * group * lanes)), wide.as_pointer())
            found = builder.load(total)
            builder.store(_fitted(builder, found, wide), target, align=4)
        most = builder.load(sums[0])
        for total in sums[1:]:
            other = builder.load(total)
            most = builder.select(builder.icmp_unsigned(">", other, most), other, most)
        reduce = ir.FunctionType(lane, [kind])
        name = f"llvm.vector.reduce.umax.v{lanes}i{bits}"
        top = builder.call(cgutils.get_or_insert_function(builder.module, reduce, name), [most])
        place = builder.inttoptr(
            builder.add(tops, builder.udiv(left, ir.Constant(WORD, BLOCK // 4))), HALF.as_pointer()
        )
        builder.store(_fitted(builder, top, HALF), place)


@intrinsic
def met(typingctx: Any, table: Any, members: Any, words: Any, groups: Any) -> Any:
    """Number of rows of a bit table that have a bit in common with ``members``.

    ``table``: for each of ``words`` words, ``8 * groups`` rows' parts side by side; ``members``: its words. Addresses
    (uint64).
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        table, members, words, groups = args
        kind = ir.VectorType(WORD, 8)
        rows = builder.inttoptr(table, kind.as_pointer())
        bits = builder.inttoptr(members, WORD.as_pointer())
        zero = ir.Constant(kind, [0] * 8)
        total = cgutils.alloca_once_value(builder, ir.Constant(WORD, 0))
        common = cgutils.alloca_once(builder, kind)
        with cgutils.for_range(builder, groups) as group:
            builder.store(zero, common)
            with cgutils.for_range(builder, words) as word:
                at = builder.add(builder.mul(word.index, groups), group.index)
                row = builder.load(builder.gep(rows, [at]), align=8)
                member = _wide(builder, kind, builder.load(builder.gep(bits, [word.index])))
                builder.store(builder.or_(builder.load(common), builder.and_(row, member)), common)
            touched = builder.icmp_unsigned("!=", builder.load(common), zero)
            mask = builder.bitcast(touched, ir.IntType(8))
            builder.store(builder.add(builder.load(total), builder.zext(builder.ctpop(mask), WORD)), total)
        return builder.load(total)

    return types.int64(*[types.int64] * 4), codegen


@intrinsic
def prefetch(typingctx: Any, address: Any) -> Any:
    """Ask for the line of memory at an address; does nothing else."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        _ask(builder, args[0])
        return context.get_dummy_value()

    return types.void(types.int64), codegen
