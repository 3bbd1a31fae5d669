"""Labels for the search for near-optimal trees: of part of a board, or of all secrets against some guesses only.

Where one part of a board is searched after another, its labels are written over those of the part before: the system
takes as long to give new memory as it takes to compute labels.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropeg.kernels.vectors import BLOCK
from entropeg.search.exact.board import Layout, aligned, compact_labels
from entropeg.search.exact.labels import fill_labels

Array = NDArray[Any]


def labels_into(rows: Array, columns: Array, symbols: int, out: Array, *, by_color: bool) -> None:
    """Fill ``out`` (uint8[rows, columns or more]) with the compact labels of codes against codes, one code a row."""
    planes = np.ascontiguousarray(columns.T)
    counts = np.stack([(columns == c).sum(axis=1) for c in range(symbols)]).astype(np.uint8)
    translate, _ = compact_labels(columns.shape[1], by_color=by_color)
    fill_labels(np.ascontiguousarray(rows), planes, counts, 0, len(rows), int(by_color), translate, out)


def stride_of(columns: int) -> int:
    """Bytes from row to row: whole vectors, and never such that rows share the same lines of a cache."""
    stride = (columns + BLOCK - 1) // BLOCK * BLOCK
    return stride + BLOCK if stride % 1024 == 0 else stride


class Store:
    """Memory that one matrix of labels after another is written to; the one before is lost."""

    def __init__(self) -> None:
        self._flat = aligned(0)

    def matrix(self, rows: int, stride: int) -> Array:
        """uint8[rows, stride], with whatever was there."""
        if rows * stride > len(self._flat):
            wanted = max(rows * stride, len(self._flat) * 3 // 2)
            self._flat = aligned(0)  # given back before more is asked for
            self._flat = aligned(wanted)
        whole: Array = self._flat[: rows * stride].reshape(rows, stride)
        return whole


class PartLayout(Layout):
    """The layout of part of a board, its two matrices of labels in memory that is used again."""

    def __init__(
        self, secrets: Array, guesses: Array, colors: int, stores: tuple[Store, Store], *, by_color: bool
    ) -> None:
        """As `Layout`; the labels of the layout made before with these ``stores`` are lost.

        Scans read the columns beyond the guesses too: 0 as they were made, since all rows of a board are equally long.
        """
        self._stores = list(stores)
        # Renaming colors would need rows that are not there: any color for a blank turns it off.
        super().__init__(secrets, guesses, colors, blank=0, by_color=by_color)

    def _matrix(self, rows: Array, columns: Array, symbols: int) -> Array:
        out = self._stores.pop(0).matrix(len(rows), stride_of(len(columns)))
        labels_into(rows, columns, symbols, out, by_color=self.by_color)
        return out


class Strip:
    """Labels of all secrets of a board against some guesses: to look at those alone."""

    def __init__(self, secrets: Array, guesses: Array, chosen: Array, symbols: int, *, by_color: bool) -> None:
        """``chosen``: which guesses, by number."""
        self.chosen = chosen
        stride = stride_of(len(chosen))
        labels = aligned(len(secrets) * stride).reshape(len(secrets), stride)
        labels_into(secrets, guesses[chosen], symbols, labels, by_color=by_color)
        self.scan = labels.ravel()
        self.starts = stride * np.arange(len(secrets))
        self.segments = np.arange(0, len(chosen), BLOCK, dtype=np.int64)
