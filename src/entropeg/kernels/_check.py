"""Checks that the functions for users share: shapes and dtypes explained, arrays made uniform for the kernels."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Planes = npt.NDArray[np.unsignedinteger[Any]]


def frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a contiguous read-only view (a copy if it must be): one form, hence one compilation."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


def checked_planes(planes: Planes, name: str = "planes") -> Planes:
    """Return planes frozen. ValueError unless uint8 or uint16 of shape (pegs, N), pegs at least 1."""
    if not isinstance(planes, np.ndarray) or planes.ndim != 2 or planes.shape[0] < 1:
        shape = getattr(planes, "shape", type(planes).__name__)
        raise ValueError(f"{name}: expected an array of shape (pegs, N) with at least one peg, got {shape}")
    if planes.dtype not in (np.uint8, np.uint16):
        raise ValueError(f"{name}: expected dtype uint8, or uint16 past 256 symbols; got {planes.dtype}")
    return frozen(planes)


def checked_counts(counts: Planes, planes: Planes, name: str = "counts") -> Planes:
    """Return counts frozen. ValueError unless they are uint8 or uint16 with a column for each code."""
    if not isinstance(counts, np.ndarray) or counts.ndim != 2 or counts.shape[1] != planes.shape[1]:
        shape = getattr(counts, "shape", type(counts).__name__)
        raise ValueError(f"{name}: expected an array of shape (symbols, {planes.shape[1]}), got {shape}")
    if counts.dtype not in (np.uint8, np.uint16):
        raise ValueError(f"{name}: expected dtype uint8 or uint16, got {counts.dtype}")
    return frozen(counts)


def checked_code(code: Sequence[int] | npt.NDArray[Any], planes: Planes, name: str = "guess") -> Planes:
    """Return one code as a frozen row of the dtype of planes. ValueError if length or a symbol is wrong."""
    symbols: list[Any] = code.tolist() if isinstance(code, np.ndarray) else list(code)
    largest = 255 if planes.dtype == np.uint8 else 65535
    if len(symbols) != planes.shape[0]:
        raise ValueError(f"{name}: expected {planes.shape[0]} integers, one a peg, got {code!r}")
    row = np.array(symbols)
    if row.dtype.kind not in "iu" or min(symbols) < 0 or max(symbols) > largest:
        raise ValueError(f"{name}: symbols must be integers from 0 to {largest}, got {code!r}")
    return frozen(row.astype(planes.dtype))


def checked_guesses(guesses: Planes, planes: Planes) -> Planes:
    """Return guess planes frozen. ValueError unless pegs and dtype are those of the secrets' planes."""
    guesses = checked_planes(guesses, "guesses")
    if guesses.shape[0] != planes.shape[0] or guesses.dtype != planes.dtype:
        raise ValueError(
            f"guesses: expected {planes.shape[0]} pegs of {planes.dtype} as the secrets have, "
            f"got {guesses.shape[0]} of {guesses.dtype}"
        )
    return guesses
