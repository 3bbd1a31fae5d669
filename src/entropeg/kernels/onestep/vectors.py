"""Operations on short vectors of small numbers that keep their type.

Numba would widen every sum of bytes to 64 bits, and leaves it to the compiler to find the vectors; these name them.
"""

from __future__ import annotations

# ruff: noqa: ARG001
# The parameters of an intrinsic and of its code generator are numba's protocol, whether it needs them or not.
from typing import Any

from entropeg.kernels.compile.parts import intrinsic, ir, types
from entropeg.kernels.onestep.arrays import LANES


def _vector_at(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
    """Pointer to LANES numbers of a one-dimensional contiguous array, from index `at`."""
    data = context.make_array(kind)(context, builder, array).data
    lanes = ir.VectorType(context.get_data_type(kind.dtype), LANES)
    return builder.bitcast(builder.gep(data, [at]), lanes.as_pointer())


def _load(builder: Any, pointer: Any) -> Any:
    value = builder.load(pointer)
    value.align = 1
    return value


def _store(builder: Any, value: Any, pointer: Any) -> None:
    builder.store(value, pointer).align = 1


def _splat(builder: Any, scalar: Any) -> Any:
    """Vector of one number LANES times."""
    first = builder.insert_element(
        ir.Constant(ir.VectorType(scalar.type, LANES), ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0)
    )
    nowhere = ir.Constant(first.type, ir.Undefined)
    return builder.shuffle_vector(first, nowhere, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))


@intrinsic
def add_equal(typingctx: Any, out: Any, base: Any, row: Any, at: Any, value: Any, step: Any) -> Any:
    """out[at + i] = base[at + i] + (step if row[at + i] == value else 0), i = 0..LANES - 1."""
    signature = types.void(out, base, row, types.intp, row.dtype, out.dtype)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = signature.args
        target = _vector_at(context, builder, kinds[0], args[0], args[3])
        before = _load(builder, _vector_at(context, builder, kinds[1], args[1], args[3]))
        compared = _load(builder, _vector_at(context, builder, kinds[2], args[2], args[3]))
        same = builder.icmp_unsigned("==", compared, _splat(builder, args[4]))
        more = builder.select(same, _splat(builder, args[5]), ir.Constant(before.type, None))
        _store(builder, builder.add(before, more), target)
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def add_least(typingctx: Any, out: Any, row: Any, at: Any, cap: Any) -> Any:
    """out[at + i] += min(row[at + i], cap), i = 0..LANES - 1."""
    signature = types.void(out, row, types.intp, row.dtype)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = signature.args
        target = _vector_at(context, builder, kinds[0], args[0], args[2])
        before = _load(builder, target)
        value = _load(builder, _vector_at(context, builder, kinds[1], args[1], args[2]))
        top = _splat(builder, args[3])
        least = builder.select(builder.icmp_unsigned("<", value, top), value, top)
        if before.type.element.width > least.type.element.width:
            least = builder.zext(least, before.type)
        _store(builder, builder.add(before, least), target)
        return context.get_dummy_value()

    return signature, codegen
