"""Functions that kernels take in: they compute what they say, and become machine code in their kernel alone."""

from __future__ import annotations

import numpy as np

from entropeg.kernels._inner import inner
from entropeg.kernels._jit import kernel


@inner  # type: ignore[untyped-decorator, unused-ignore]
def _double(x: int) -> int:
    return x + x


@inner  # type: ignore[untyped-decorator, unused-ignore]
def _quadruple(x: int) -> int:
    return int(_double(_double(x)))


@kernel
def _sum(numbers: np.ndarray) -> int:
    total = 0
    for x in numbers:
        total += _quadruple(x)
    return total


def test_a_kernel_computes_with_the_functions_that_it_takes_in() -> None:
    assert 24 == _sum(np.array([1, 2, 3]))


def test_a_function_that_is_taken_in_is_no_machine_code_of_its_own() -> None:
    _sum(np.array([1, 2, 3]))

    for function in (_double, _quadruple):
        [result] = function.overloads.values()
        library = result.library
        assert 0 == library.get_pointer_to_function(result.fndesc.llvm_func_name)
