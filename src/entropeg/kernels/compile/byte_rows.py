"""Writes the machine code of loops over rows of bytes, a vector of them at a time, for the intrinsics of kernels.

LLVM does not find these vectors by itself, so they are written down as such, in its portable vector types.
"""

from __future__ import annotations

from typing import Any

from entropeg.kernels.compile.parts import cgutils, ir

LANES = 32
"""Bytes that one vector holds; rows are padded to a multiple."""

BYTE, WORD = ir.IntType(8), ir.IntType(64)
VECTOR = ir.VectorType(BYTE, LANES)
_ALL_FROM_THE_FIRST = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)


def splat(builder: Any, value: Any) -> Any:
    """Return the vector that has the low byte of a number everywhere."""
    low = builder.trunc(value, BYTE) if value.type.width > 8 else value
    nothing = ir.Constant(VECTOR, ir.Undefined)
    one = builder.insert_element(nothing, low, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, nothing, _ALL_FROM_THE_FIRST)


def row_of(context: Any, builder: Any, kind: Any, argument: Any) -> Any:
    """Return where the bytes of an array begin."""
    return builder.bitcast(context.make_array(kind)(context, builder, argument).data, BYTE.as_pointer())


def for_vectors(builder: Any, size: Any) -> Any:
    """Loop over the first `size` bytes of rows: a context whose first value is where each vector begins."""
    return cgutils.for_range_slice(builder, ir.Constant(WORD, 0), size, ir.Constant(WORD, LANES), intp=WORD)


def load(builder: Any, row: Any, index: Any) -> Any:
    """Return the vector of a row that begins at an index; rows need not be aligned."""
    vector = builder.load(_place(builder, row, index))
    vector.align = 1
    return vector


def store(builder: Any, vector: Any, row: Any, index: Any) -> None:
    """Write a vector to a row, beginning at an index."""
    builder.store(vector, _place(builder, row, index)).align = 1


def _place(builder: Any, row: Any, index: Any) -> Any:
    return builder.bitcast(builder.gep(row, [index]), VECTOR.as_pointer())
