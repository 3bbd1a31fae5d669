"""Kernels without a compiler: the same functions as plain Python, a hundred times as slow or more.

Compiled code computes with 64 bits whatever the width of an array, and lets words of 64 bits overflow. So here arrays
give plain integers, which do not overflow at all, except those of `uint64`, which give words that do so in silence.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

from entropeg.kernels.switch import check_compiler

P = ParamSpec("P")
R = TypeVar("R")

__all__ = ["allocating_inner", "allocating_kernel", "callback", "entry_point", "inner", "kernel"]


class _Wide(np.ndarray):
    """A view of an array that gives the numbers in it as compiled code has them."""

    def __getitem__(self, at: Any) -> Any:
        """Return a view, a plain number, or a word of 64 bits."""
        found = super().__getitem__(at)
        if isinstance(found, np.ndarray) or self.dtype == np.uint64:
            return found
        return found.item()


def _widened(argument: Any) -> Any:
    if isinstance(argument, np.ndarray):
        return argument.view(_Wide)
    if isinstance(argument, tuple):
        parts = map(_widened, argument)
        return type(argument)(*parts) if hasattr(argument, "_fields") else tuple(parts)
    return argument


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Run a kernel as it is written."""

    @wraps(function)
    def interpreted(*arguments: P.args, **options: P.kwargs) -> R:
        with np.errstate(over="ignore"):
            return function(*map(_widened, arguments), **options)

    return interpreted


def inner(function: Callable[..., Any]) -> Any:
    """Leave a function that kernels call as it is; compiled ones have it as `py_func`."""
    function.py_func = function  # type: ignore[attr-defined]
    return function


allocating_kernel, allocating_inner = kernel, inner


def entry_point(variant: str = "") -> Callable[[Callable[P, R]], Callable[P, R]]:  # noqa: ARG001 - nothing is stored
    """Run a search as it is written."""
    return kernel


class _NoCallback:
    """Stands for a function that has no address without a compiler."""

    @property
    def address(self) -> int:
        """Refuse."""
        check_compiler()
        raise AssertionError

    ctypes = address


def callback(signature: Any, variant: str = "") -> Callable[[Any], Any]:  # noqa: ARG001 - nothing is compiled
    """Refuse any question about the function when it is asked."""
    return lambda function: _NoCallback()  # noqa: ARG005 - it is never called
