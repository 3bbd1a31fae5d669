"""Sums of the weights of the first codes of parts, for many guesses at once, written for vectors.

A column is a guess, a row a possible code, a byte the label between them. The rows come by descending weight, so the
first code of a part is its heaviest. For `BLOCK` columns at a time a word of one bit for each label remembers which
parts have begun, and the weight of a row is added to the columns where it begins one; all of it stays in registers.
"""

# ruff: noqa: ARG001
# numba reads the signatures of intrinsics by name, so arguments stay that only the generated code uses; they are many,
# since kernels pass numbers by position.

from __future__ import annotations

from typing import Any

from entropeg.kernels.compile.parts import cgutils, intrinsic, ir, types
from entropeg.kernels.vectors import BLOCK, BYTE, HALF, WORD


def head_counter(bits: int) -> Any:
    """Intrinsic ``(column, rows, weights, n, width, heads, tops)`` for labels below ``bits``, 16 or 32.

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
            same = _spread(builder, kind, mass if bits == HALF.width else builder.trunc(mass, lane))
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
            builder.store(found if bits == HALF.width else builder.zext(found, wide), target, align=4)
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
        builder.store(top if bits == HALF.width else builder.zext(top, HALF), place)


def _spread(builder: Any, kind: Any, value: Any) -> Any:
    """A vector of copies of a number known at run time."""
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), value, ir.Constant(HALF, 0))
    zeros = ir.Constant(ir.VectorType(HALF, kind.count), [0] * kind.count)
    return builder.shuffle_vector(one, ir.Constant(kind, ir.Undefined), zeros)
