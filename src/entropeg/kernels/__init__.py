"""Compiled loops over arrays, their twins without a compiler, and the checked functions that call them.

Nothing here knows a class of entropeg. See `codes` and `scoring`; the kernels behind them are compiled at first use and
kept on disk, and small pieces of work are done by NumPy (`switch`): importing this package does not import numba.
"""

from entropeg.kernels._plain_labels import tallies
from entropeg.kernels.codes import color_counts, list_codes, plane_dtype
from entropeg.kernels.scoring import (
    label_dtype,
    matching,
    part_sizes,
    part_sizes_many,
    parts,
    reads_counts,
    score,
    score_many,
)

__all__ = [
    "color_counts",
    "label_dtype",
    "list_codes",
    "matching",
    "part_sizes",
    "part_sizes_many",
    "parts",
    "plane_dtype",
    "reads_counts",
    "score",
    "score_many",
    "tallies",
]
