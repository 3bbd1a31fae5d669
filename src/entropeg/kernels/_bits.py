"""Operations on the bits of whole words, in the type that they have: numba would widen them."""

from __future__ import annotations

# ruff: noqa: ARG001
# The parameters of an intrinsic and of its code generator are numba's protocol, whether it needs them or not.
from typing import Any

from entropeg.kernels.compile.parts import intrinsic, ir, types


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
