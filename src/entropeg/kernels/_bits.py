"""Operations on the bits of whole words, in the type that they have: numba would widen them."""

from __future__ import annotations

# ruff: noqa: ARG001
# The parameters of an intrinsic and of its code generator are numba's protocol, whether it needs them or not.
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped, unused-ignore]
from numba import types
from numba.extending import intrinsic


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
def _popcount(typingctx: Any, a: Any) -> Any:
    """Number of bits set, as int32."""
    signature = types.int32(a)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        ones = builder.ctpop(args[0])
        if ones.type.width > 32:
            return builder.trunc(ones, ir.IntType(32))
        return ones

    return signature, codegen
