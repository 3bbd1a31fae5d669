"""The one decorator of all kernels, typed so that mypy sees through it."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numba  # type: ignore[import-untyped, unused-ignore]

P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile on first use, keep the result on disk, run without the interpreter lock.

    No explicit signatures (they would compile or load at import), no fastmath. The disk cache knows
    only the file of the kernel itself: kernels that call each other must share a file.
    """
    return cast("Callable[P, R]", numba.njit(cache=True, nogil=True)(function))
