"""Functions that kernels take in: they compute what they say, and become machine code in their kernel alone.

The kernels here are not kept on disk: what the tests look at is there only after a compilation.
"""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit  # type: ignore[import-untyped, unused-ignore]

from entropeg.kernels.compile import allocating_inner, inner

pytestmark = pytest.mark.kernels


@inner  # type: ignore[untyped-decorator, unused-ignore]
def _double(x: int) -> int:
    return x + x


@inner  # type: ignore[untyped-decorator, unused-ignore]
def _quadruple(x: int) -> int:
    return int(_double(_double(x)))


@njit(nogil=True, _nrt=False)  # type: ignore[untyped-decorator, unused-ignore]
def _sum(numbers: np.ndarray) -> int:
    total = 0
    for x in numbers:
        total += _quadruple(x)
    return total


@allocating_inner  # type: ignore[untyped-decorator, unused-ignore]
def _first(count: int, step: int) -> np.ndarray:
    numbers = np.empty(count, np.int64)
    for i in range(count):
        numbers[i] = i * step
    return numbers


@njit(nogil=True)  # type: ignore[untyped-decorator, unused-ignore]
def _of_both(count: int) -> int:
    return int(_first(count, 2)[count - 1] + _first(5, count)[4])


def test_a_kernel_computes_with_the_functions_that_it_takes_in() -> None:
    assert 24 == _sum(np.array([1, 2, 3]))


def test_a_function_that_is_taken_in_is_no_machine_code_of_its_own() -> None:
    _sum(np.array([1, 2, 3]))

    for function in (_double, _quadruple):
        [result] = function.overloads.values()
        library = result.library
        assert 0 == library.get_pointer_to_function(result.fndesc.llvm_func_name)


def test_a_kernel_takes_in_functions_that_make_arrays() -> None:
    assert 18 + 40 == _of_both(10)


def test_constants_are_numbers_like_others_to_a_function_that_is_taken_in() -> None:
    _of_both(10)

    assert 1 == len(_first.overloads)
