"""Functions that compiled code alone calls: they become machine code once, inside the kernel that calls them.

Left to itself, numba makes machine code of every function for its own sake, and again inside each of its callers, and
inside theirs: of a call tree five levels deep most of the time goes into code that nobody ever runs. Functions made
with `inner` stay what the compiler has read, until a kernel that Python can call takes them in and all of it is
optimized together. The one-step search compiles in 18 seconds of processor time in place of 28.

This imports numba; kernels import the decorators from `entropeg.kernels.compile`, which takes them from here if it can.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

__all__ = ["allocating_inner", "inner", "works"]


class _Embedded(JITCodeLibrary):  # type: ignore[misc, unused-ignore]
    """The code of one such function, waiting to be linked into its callers."""

    def _optimize_final_module(self) -> None:
        """Leave it to the kernel: there the function is optimized together with its callers."""

    def _finalize_final_module(self) -> None:
        """Hand nothing to the machine."""
        self._finalize_dynamic_globals()
        self._finalized = True

    @property
    def codegen(self) -> Any:
        """Asked to set the environment of machine code that has been made."""
        return self

    def set_env(self, name: str, env: Any) -> None:
        """Set nothing: no machine code was made."""


@register_pass(mutates_CFG=True, analysis_only=False)
class _Embedding(NativeLowering):  # type: ignore[misc, unused-ignore]
    """The step of numba's compiler that writes LLVM's language, into an `_Embedded`."""

    _name = "entropeg_embedding"

    def run_pass(self, state: Any) -> bool:
        state.library = _Embedded(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


class _Compiler(CompilerBase):  # type: ignore[misc, unused-ignore]
    """Numba's compiler with that step in place of its own."""

    def define_pipelines(self) -> list[Any]:
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [(_Embedding if step is NativeLowering else step, why) for step, why in pipeline.passes]
        pipeline._finalized = False  # noqa: SLF001 (passes are listed by number: the new one needs its own)
        pipeline.finalize()
        return [pipeline]


def _as_numbers(function: Any) -> Any:
    """Have one version of a function for numbers: for every constant at a place of its calls, numba makes another."""
    template = function.get_call_template

    def call_template(args: Any, kws: Any) -> Any:
        return template(
            tuple(types.unliteral(kind) for kind in args), {name: types.unliteral(kind) for name, kind in kws.items()}
        )

    function.get_call_template = call_template
    return function


_made: Counter[tuple[str, str]] = Counter()
"""How many functions were made by the same lines, with other kernels in their closures."""


def _by_a_name_of_its_own(function: Callable[..., Any]) -> Callable[..., Any]:
    """Number the functions that the same lines make.

    Numba names machine code by the function and by how many were compiled in this process before it. So of two kernels
    that two processes have stored, one would call what the other one brings along for functions of the same name.
    """
    lines = function.__module__, function.__qualname__
    _made[lines] += 1
    function.__qualname__ += str(_made[lines]) if _made[lines] > 1 else ""
    return function


def _embedded(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Decorator of functions that compiled code alone calls, without the wrappers that unpack dozens of arrays."""
    compiler: Any = njit(
        nogil=True,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        error_model="numpy",
        pipeline_class=_Compiler,
        **options,
    )
    return lambda function: _as_numbers(compiler(_by_a_name_of_its_own(function)))


inner = _embedded(_nrt=False)
"""Decorator of functions that compiled code alone calls; from Python they cannot be called.

Without reference counts, which are atomic, so that a slice costs nothing: they allocate nothing.
"""

allocating_inner = _embedded(_nrt=True)
"""As `inner`, for functions that make arrays of their own, or return one."""


def works() -> bool:
    """Try it on two small functions: whether they compute the right numbers. Takes half a second."""

    @inner  # type: ignore[untyped-decorator, unused-ignore]
    def double(x: Any) -> Any:
        return x + x

    @allocating_inner  # type: ignore[untyped-decorator, unused-ignore]
    def row(x: Any) -> Any:
        made = np.empty(3, np.int64)
        for i in range(3):
            made[i] = double(x) + i
        return made

    @njit(nogil=True)  # type: ignore[untyped-decorator, unused-ignore]
    def both(x: Any) -> Any:
        return row(x)[2] + double(double(x))

    try:
        return bool(both(5) == 32)
    except Exception:  # noqa: BLE001 - whatever it is, numba's own way remains
        return False
