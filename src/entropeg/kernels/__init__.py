"""The compiled ground: lists of codes, scores, part sizes, filters. Arrays in, arrays out.

Nothing here knows a class of entropeg. Importing this package imports numba, so light modules import
it inside functions. See `codes` and `scoring`; the kernels behind them are compiled at first use and
kept on disk.
"""

from entropeg.kernels.codes import (
    color_counts,
    list_codes,
    plane_dtype,
    rank_codes,
    unrank_codes,
)
from entropeg.kernels.scoring import (
    label_dtype,
    matching,
    part_sizes,
    part_sizes_many,
    parts,
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
    "rank_codes",
    "score",
    "score_many",
    "unrank_codes",
]
