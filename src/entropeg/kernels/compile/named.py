"""One array of numbers and addresses that compiled code reads by name: ``memory.labels``, ``memory.stack[i]``.

Kernels that call one another hundreds of times a millisecond pass this one array; passing sixty arrays costs more than
the work. First come numbers, then for every array its address and its extents. A name stands for a number, or a
view of an array without reference count; numbers can be set. An array of a structured type has rows with names too.

This imports numba; kernels take `named` from `entropeg.kernels.compile.parts`.
"""

# ruff: noqa: ARG001, ARG005
# numba calls these functions with all that it knows, by position or by name.

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped, unused-ignore]
from numba import from_dtype, types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
)


class _Named(types.Type):  # type: ignore[misc, unused-ignore]
    """A pointer to such an array."""

    dtype = types.int64

    def __init__(self, name: str, places: Mapping[str, int], arrays: Mapping[str, tuple[Any, int]]) -> None:
        super().__init__(name)
        self.places = dict(places)
        self.types = dict.fromkeys(places, types.int64) | {
            array: types.Array(from_dtype(np.dtype(element)), dimensions, "C")
            for array, (element, dimensions) in arrays.items()
        }


register_model(_Named)(models.PointerModel)


@infer_getattr
class _Attributes(AttributeTemplate):  # type: ignore[misc, unused-ignore]
    key = _Named

    def generic_resolve(self, kind: Any, name: str) -> Any:
        """The type of the number or array of this name."""
        return kind.types.get(name)


def _word(builder: Any, memory: Any, at: int) -> Any:
    return builder.gep(memory, [ir.Constant(ir.IntType(64), at)])


def _load(builder: Any, memory: Any, at: int) -> Any:
    return builder.load(_word(builder, memory, at))


@lower_getattr_generic(_Named)  # type: ignore[untyped-decorator, unused-ignore]
def _get(context: Any, builder: Any, kind: Any, memory: Any, name: str) -> Any:
    found = kind.types[name]
    if found is types.int64:
        return _load(builder, memory, kind.places[name])
    address, *extents = (_load(builder, memory, kind.places[name] + i) for i in range(1 + found.ndim))
    width = ir.Constant(address.type, context.get_abi_sizeof(context.get_data_type(found.dtype)))
    strides = [width]
    for extent in extents[:0:-1]:
        strides.insert(0, builder.mul(strides[0], extent))
    array = context.make_array(found)(context, builder)
    context.populate_array(
        array,
        data=builder.inttoptr(address, array.data.type),
        shape=extents,
        strides=strides,
        itemsize=width,
        meminfo=None,
    )
    return array._getvalue()  # noqa: SLF001 - the way of numba's own array constructors


@lower_setattr_generic(_Named)  # type: ignore[untyped-decorator, unused-ignore]
def _set(context: Any, builder: Any, signature: Any, args: Any, name: str) -> Any:
    builder.store(args[1], _word(builder, args[0], signature.args[0].places[name]))


def named(name: str, places: Mapping[str, int], arrays: Mapping[str, tuple[Any, int]]) -> Any:
    """The function that makes of the address of an array of int64 what compiled code reads by name.

    ``places``: the word of each number, and of the address of each array; ``arrays``: their elements and dimensions.
    """
    kind = _Named(name, places, arrays)

    @intrinsic  # type: ignore[untyped-decorator, unused-ignore]
    def memory_at(typingctx: Any, at: Any) -> Any:
        return kind(types.CPointer(types.int64)), lambda context, builder, signature, args: args[0]

    return memory_at
