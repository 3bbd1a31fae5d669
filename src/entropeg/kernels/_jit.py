"""The decorators of all kernels, typed so that mypy sees through them."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

import numba  # type: ignore[import-untyped, unused-ignore]

P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile on first use, keep the result on disk, run without the interpreter lock.

    No explicit signatures (they would compile or load at import), no fastmath. The disk cache knows
    only the file of the kernel itself: kernels that call each other must share a file.

    Kernels allocate nothing (`_nrt=False`: the compiler refuses it); scratch comes in as arguments. So
    slices need no reference counts, whose atomic updates cost 0.2 microseconds for every guess, as much
    as scoring it against 1296 codes.
    """
    compiler = cast("Any", numba.njit)  # its type knows nothing of _nrt
    return cast("Callable[P, R]", compiler(cache=True, nogil=True, _nrt=False)(function))


def allocating_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile as `kernel` does, for a function that makes arrays of its own: a search whose nodes differ in size."""
    compiler = cast("Any", numba.njit)
    return cast("Callable[P, R]", compiler(cache=True, nogil=True)(function))
