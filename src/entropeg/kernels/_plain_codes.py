"""Listing and counting of codes on NumPy: the twin of `_code_kernels`, where the arguments are explained."""

# ruff: noqa: ARG001
# The arguments are those of the kernels, with scratch that is not needed here.
from typing import Any

import numpy as np

Array = Any


def count_colors(planes: Array, out: Array) -> None:
    """Add to out[c, i] the number of pegs of column i that have color c."""
    # Comparing rows of bytes takes a tenth of the time of finding places in a table.
    if len(out) <= 64:
        for c in range(len(out)):
            for row in planes:
                out[c] += row == c
        return
    columns = np.arange(planes.shape[1])
    for row in planes:
        out[row, columns] += 1


def list_distinct(colors: int, used: Array, code: Array, out: Array) -> None:
    """Fill out[pegs, N] with the codes without repeated colors in lexicographic order; blanks repeat."""
    codes = np.empty((0, 1), out.dtype)
    for _ in range(len(out)):
        free = np.ones((codes.shape[1], used.size), np.bool_)
        for row in codes:
            free[np.arange(len(free)), row] = row >= colors
        begun, symbols = np.nonzero(free)
        codes = np.concatenate([codes[:, begun], symbols[None, :].astype(out.dtype)])
    out[:] = codes
