"""The scan of the search for near-optimal trees: all guesses by the sizes of the parts that they leave.

Sizes are counted as in the exact search (`lanes.size_counter`): a vector of columns at a time, in registers. What the
sizes are worth is looked up in a table by vectors as well, so that a guess costs a few nanoseconds beside its counting.
"""

# ruff: noqa: PLR0913, PLR0917
# As in `entropeg.search.exact.engine`.

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import entry_point, inner
from entropeg.kernels.vectors import BLOCK, size_counter

Array = Any
Int = Any

FIRST_COUNTED = (14, 20, 28)
"""Labels counted in one go: those of up to 4, 5 and 6 pegs without the winning one."""

_sizes_of_14, _sizes_of_20, _sizes_of_28 = (size_counter(labels // 2) for labels in FIRST_COUNTED)


def counted(labels: int) -> int:
    """Rows of sizes that the counter fills for so many labels: int32[rows, BLOCK] must be there."""
    for together in FIRST_COUNTED:
        if labels <= together:
            return together
    return -(-labels // 20) * 20


@inner
def _count(column: Int, rows: Int, n: Int, labels: Int, sizes: Int) -> Any:
    if labels <= 14:
        _sizes_of_14(column, rows, n, 0, sizes)
    elif labels <= 20:
        _sizes_of_20(column, rows, n, 0, sizes)
    elif labels <= 28:
        _sizes_of_28(column, rows, n, 0, sizes)
    else:
        for first in range(0, labels, 20):
            _sizes_of_20(column, rows, n, first, sizes + first * BLOCK * 4)


@inner
def _push(heap_score: Array, heap_column: Array, size: Int, score: Int, column: Int) -> Any:
    """Keep the least scores in a heap with the largest on top; its new size."""
    w = heap_score.shape[0]
    at = 0
    if size < w:
        at = size
        size += 1
        while at > 0:
            up = (at - 1) >> 1
            if heap_score[up] >= score:
                break
            heap_score[at], heap_column[at] = heap_score[up], heap_column[up]
            at = up
    else:
        while True:
            down = 2 * at + 1
            if down >= w:
                break
            if down + 1 < w and heap_score[down + 1] > heap_score[down]:
                down += 1
            if heap_score[down] <= score:
                break
            heap_score[at], heap_column[at] = heap_score[down], heap_column[down]
            at = down
    heap_score[at], heap_column[at] = score, column
    return size


@entry_point()
def _best_columns(
    scan: Int, rows: Int, n: Int, width: Int, segments: Array, labels: Int, table: Array, sizes_at: Int, sizes: Array,
    total: Array, heap_score: Array, heap_column: Array,
) -> Any:  # fmt: skip
    size = 0
    for s in range(segments.shape[0]):
        left = segments[s]
        _count(scan + left, rows, n, labels, sizes_at)
        for j in range(BLOCK):
            total[j] = np.float32(n)
        for e in range(labels):
            row = sizes[e]
            for j in range(BLOCK):
                total[j] += table[row[j]]
        for j in range(min(BLOCK, width - left)):
            if size < heap_score.shape[0] or total[j] < heap_score[0]:
                size = _push(heap_score, heap_column, size, total[j], left + j)
    return size


def best_columns(
    scan: Array, rows: Array, width: int, segments: Array, labels: int, table: Array, sizes: Array, total: Array,
    heap_score: Array, heap_column: Array,
) -> int:  # fmt: skip
    """The columns of least ``n + sum of table[part size]``, in a heap; how many there are.

    ``scan``: uint8, labels; ``rows``: int64[n], where the labels of each code begin in it. ``segments``: int64, first
    columns of the runs of BLOCK columns to look at; columns from ``width`` on are padding. ``labels``: how many are
    summed, from 0 on: all but the winning one. ``table``: float32[n + 1] or more. ``sizes``: uint32[counted(labels),
    BLOCK] and ``total``: float32[BLOCK], overwritten.
    """
    rows_at, sizes_at = rows.ctypes.data, sizes.ctypes.data
    numbers = (scan.ctypes.data, rows_at, len(rows), width, segments, labels, table, sizes_at)
    return int(_best_columns(*numbers, sizes, total, heap_score, heap_column))
