"""Labels of codes against codes, compacted so that the possible ones are 0 to m - 1."""

# ruff: noqa: C901, PLR0913, PLR0917
# Kernels are written for the compiler, as in `entropeg.kernels`: plain loops, many arrays by position.

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import allocating_kernel as kernel

Array = Any  # numba sees the element types; they stand in the docstring
Int = Any


@kernel
def fill_labels(
    digits: Array, planes: Array, counts: Array, first: Int, last: Int, by_color: Int, translate: Array, out: Array
) -> Any:
    """Label of every code ``digits[first:last]`` against the codes of ``planes``, to the first columns of ``out``.

    ``by_color``: 1 adds the colors in common to ``pegs`` times the blacks, 0 leaves them out.
    ``translate``: uint8, the compact label of ``pegs * blacks + common`` (or of the blacks alone).
    """
    pegs, size = planes.shape
    symbols = counts.shape[0]
    own = np.zeros(symbols, np.uint8)
    weight = np.uint8(pegs if by_color else 1)
    for s in range(first, last):
        row = out[s]
        own[:] = 0
        for k in range(pegs):
            own[digits[s, k]] += np.uint8(1)
        for j in range(size):
            row[j] = np.uint8(0)
        for k in range(pegs):
            plane = planes[k]
            digit = digits[s, k]
            for j in range(size):
                row[j] = np.uint8(row[j] + (weight if plane[j] == digit else np.uint8(0)))
        if by_color:
            for c in range(symbols):
                mine = own[c]
                if mine:
                    theirs = counts[c]
                    for j in range(size):
                        row[j] = np.uint8(row[j] + min(theirs[j], mine))
        for j in range(size):
            row[j] = translate[row[j]]


@kernel
def mark_labels(matrix: Array, columns: Int, seen: Array) -> Any:
    """Set ``seen[e]`` to 1 for every label in the first columns of a matrix: uint8[256]."""
    for i in range(matrix.shape[0]):
        row = matrix[i]
        for j in range(columns):
            seen[row[j]] = 1


@kernel
def rename_labels(matrix: Array, columns: Int, names: Array) -> Any:
    """Replace every label in the first columns of a matrix by its name: uint8[256]."""
    for i in range(matrix.shape[0]):
        row = matrix[i]
        for j in range(columns):
            row[j] = names[row[j]]
