"""Labels of codes against codes, compacted so that the possible ones are 0 to m - 1."""

from __future__ import annotations

from typing import Any

from entropeg.kernels.compile import allocating_kernel as kernel

Array = Any  # numba sees the element types; they stand in the docstring
Int = Any


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
