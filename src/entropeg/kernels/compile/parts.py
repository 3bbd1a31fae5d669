"""The parts of numba and LLVM that some kernels cannot do without: vectors, threads, calls by address.

Where there is no compiler such modules can be imported all the same; functions that they would have compiled raise
MissingExtraError when called. Kernels in plain Python run as they are written.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

from entropeg.kernels.switch import can_compile, check_compiler

if TYPE_CHECKING or can_compile():
    from llvmlite import ir  # type: ignore[import-untyped, unused-ignore]
    from numba import carray, types  # type: ignore[import-untyped, unused-ignore]
    from numba.core import cgutils  # type: ignore[import-untyped, unused-ignore]
    from numba.extending import intrinsic  # type: ignore[import-untyped, unused-ignore]

    from entropeg.kernels.compile.named import named
else:

    class _Absent:
        """Stands for everything that a module reads, or calls, when it is imported."""

        def __getattr__(self, name: str) -> _Absent:
            return self

        def __call__(self, *arguments: Any, **options: Any) -> _Absent:
            return self

    def intrinsic(function: Any) -> Any:
        """Refuse to be called."""

        @wraps(function)
        def refused(*arguments: Any) -> None:  # noqa: ARG001 - whatever they are
            check_compiler()

        return refused

    def _carray(*arguments: Any) -> Any:  # noqa: ARG001 - whatever they are
        check_compiler()

    cgutils = ir = named = types = _Absent()
    carray = _carray


__all__ = ["carray", "cgutils", "intrinsic", "ir", "named", "types"]
