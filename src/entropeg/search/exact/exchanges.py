"""Finds the pegs and colors that may change places on a board under weights: the symmetry that these leave."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropeg.search.exact.layout import Layout

Array = NDArray[Any]


def kinds_of(layout: Layout, weight: Array) -> tuple[Array, Array]:
    """(kind of every peg, kind of every color): those of one kind may change places without changing a weight.

    All exchanges of two pegs or two colors but the blank are tried; products of these change none either. Pairs
    of a color and a shape stay where they are.
    ``weight``: by row of the layout, of all codes of the board.
    """
    kinds = np.arange(layout.guesses.shape[1]), np.arange(int(layout.numbers[1]))
    for at, pair, order, names in _swaps(layout, *map(len, kinds)):
        images = layout.number_secrets(names[layout.secrets[:, order]])
        if (images >= 0).all() and np.array_equal(weight[images], weight):
            kinds[at][kinds[at] == kinds[at][pair[1]]] = kinds[at][pair[0]]
    return kinds


def _swaps(layout: Layout, pegs: int, colors: int) -> Iterator[tuple[int, tuple[int, int], Array, Array]]:
    """(0 for pegs and 1 for colors, which two, order of the pegs, names of the colors) of every exchange of two."""
    answers = layout.answers
    sizes = (pegs if len(layout.elements.orders) > 1 else 0, colors if answers.is_alike and not answers.shapes else 0)
    for at, size in enumerate(sizes):
        for pair in combinations(range(size), 2):
            moved = np.arange(pegs), np.arange(colors)
            moved[at][list(pair)] = pair[::-1]
            if at == 0 or layout.blank not in pair:
                yield at, pair, *moved
