"""Operations on words and bytes that keep their type.

Numba would widen every sum of bytes to 64 bits, eight times fewer lanes.
"""

from __future__ import annotations

# ruff: noqa: ARG001
# The parameters of an intrinsic and of its code generator are numba's protocol, whether it needs them or not.
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped, unused-ignore]
from numba import njit, types
from numba.extending import intrinsic

inner = njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False, error_model="numpy")
"""Decorator of functions that compiled code alone calls.

Without wrappers, which unpack dozens of arrays, they compile four times faster,
and without reference counts, which are atomic, a slice costs nothing."""


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
def _plus(typingctx: Any, a: Any, b: Any) -> Any:
    """Sum in the type of the operands, which numba would widen to 64 bits: eight times fewer lanes for bytes."""
    signature = a(a, a)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.add(args[0], args[1])

    return signature, codegen


@intrinsic
def _least(typingctx: Any, a: Any, b: Any) -> Any:
    """Return the lesser of two unsigned numbers, in their type."""
    signature = a(a, a)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.icmp_unsigned("<", args[0], args[1]), args[0], args[1])

    return signature, codegen


@intrinsic
def _flip(typingctx: Any, a: Any) -> Any:
    """Complement, in the type of the operand."""
    signature = a(a)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.not_(args[0])

    return signature, codegen


@intrinsic
def _without(typingctx: Any, a: Any, b: Any) -> Any:
    """Bits of a that b does not have."""
    signature = a(a, a)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.and_(args[0], builder.not_(args[1]))

    return signature, codegen


@intrinsic
def _move_bit(typingctx: Any, word: Any, source: Any, target: Any) -> Any:
    """Bit `source` of the word, moved to place `target` of an otherwise empty one."""
    signature = word(word, source, target)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = args[0].type
        width = signature.return_type.bitwidth
        source, target = (x if x.type.width == width else builder.trunc(x, kind) for x in args[1:])
        bit = builder.and_(builder.lshr(args[0], source), ir.Constant(kind, 1))
        return builder.shl(bit, target)

    return signature, codegen


@intrinsic
def _slot(typingctx: Any, peg: Any, color: Any, step: Any, tally: Any, k: Any) -> Any:
    """(step if peg == color else 0) + (tally >= k), in bytes."""
    signature = types.uint8(types.uint8, types.uint8, types.uint8, types.uint8, types.uint8)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        byte = ir.IntType(8)
        black = builder.select(builder.icmp_unsigned("==", args[0], args[1]), args[2], ir.Constant(byte, 0))
        return builder.add(black, builder.zext(builder.icmp_unsigned(">=", args[3], args[4]), byte))

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
