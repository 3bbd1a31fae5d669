"""Values of many sets in one compiled loop, which calls the exact search through its address."""

# ruff: noqa: ARG001, PLR0913, PLR0917
# As in `entropeg.search.exact.engine`.

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import entry_point
from entropeg.kernels.compile.parts import intrinsic, ir, types
from entropeg.search.exact.engine import SOLVE
from entropeg.search.exact.fields import Array, Int


@intrinsic
def solve_at(typingctx: Any, entry: Any, fields: Any, n: Any, ub: Any, d: Any, behind: Any, name: Any) -> Any:
    """Call the exact search (``engine.solve``) on the first n codes of its stack."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        data = context.make_array(signature.args[1])(context, builder, args[1]).data
        kind = ir.FunctionType(word, [data.type] + [word] * 8)
        call = builder.inttoptr(args[0], kind.as_pointer())
        task, zero = (ir.Constant(word, number) for number in (SOLVE, 0))
        return builder.call(call, [data, task, zero, args[2], args[2], args[3], args[4], args[5], args[6]])

    number = types.int64
    return number(number, fields, number, number, number, number, types.uint64), codegen


@entry_point()
def solve_many(
    entry: Int, fields: Array, stack: Array, words: Array, stop: Array,
    pool: Array, starts: Array, ub: Int, d: Int, behind: Int, totals: Array,
) -> Any:  # fmt: skip
    """Write the least total of every set to ``totals``, int64[sets]; how many were valued before ``stop`` was set.

    Set i stands in ``pool`` (int32, rows of secrets in the order of sets) from ``starts[i]`` to ``starts[i + 1]``.
    ``stack``: that of the memory behind ``fields``; ``words``: the hash of a set is the XOR of those of its codes. ub,
    d, behind: as `engine.solve` has them.
    """
    for i in range(starts.shape[0] - 1):
        first, n = starts[i], starts[i + 1] - starts[i]
        name = np.uint64(0)
        for k in range(n):
            stack[k] = pool[first + k]
            name ^= words[stack[k]]
        totals[i] = solve_at(entry, fields, n, ub, d, behind, name)
        if stop[0] != 0:
            return i
    return starts.shape[0] - 1
