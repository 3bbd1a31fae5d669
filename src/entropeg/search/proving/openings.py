"""In what order a proof takes the first guesses: the earlier the best one is settled, the sooner the others are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from entropeg.search.exact import engine
from entropeg.search.exact.board import Layout, ThreadMemory
from entropeg.search.exact.fields import SMALL, UNLIMITED

CLOSE = 1.006
"""Openings whose expected total by the sizes of their parts is within this factor of the least are looked at closer.

The expectation is off by 0.1 to 0.6 % between some openings: by it ABCD comes first on 4x6 and 4x7, AABCD on
5x7, where AABC and AABBC are the best.
"""
CLEAR = 1.004
"""A look at all second guesses decides where it sees at least this factor between the best two: on 4x6 and 5x6.

Of the boards where it does not, it is right on 4x7 and 5x7 and wrong on 5x4 and 6x4: there the small parts that the
best second guess leaves are bounded one by one, which is right on all of these.
"""
LARGE = 2000
"""Smaller sets are searched in less time than the bounds of small parts take."""
LOOKED_AT = 3
"""No more openings than this: a look reads the labels of every code against every guess."""

Codes = NDArray[np.int32]


def openings(layout: Layout, memory: ThreadMemory, n: int, limit: int) -> tuple[list[tuple[int, int]], int]:
    """((guess, lower bound) of one guess of every class, the most promising first; bound of the rest).

    ``memory`` has the ``n`` codes at the start of its stack; they stand there afterwards.
    """
    found, rest = engine.openings(memory, n, limit)
    listed = [(int(guess), int(bound)) for guess, bound in found]
    if layout.is_weighted:  # what follows goes by numbers of codes
        return listed, rest
    start = memory.stack[:n].copy()
    look = _Look(layout, memory, limit)
    cuts = [look.parts(start, guess) for guess, _ in listed[:LOOKED_AT]]
    sizes = [sum(map(look.by_size, cut)) for cut in cuts]
    close = [i for i, expected in enumerate(sizes) if expected <= CLOSE * sizes[0]]
    if len(close) > 1:
        scores = sorted((look.sum(cuts[i], look.by_second_guess), i) for i in close)
        if scores[1][0] < CLEAR * scores[0][0]:
            scores = sorted((look.sum(cuts[i], look.by_third_guess), i) for _, i in scores[:2]) if n > LARGE else []
        first = [listed[i] for _, i in scores]
        listed = first + [opening for opening in listed if opening not in first]
        memory.stack[:n] = start
    return listed, rest


class _Look:
    """Estimates of the totals of sets, on the memory of one thread."""

    def __init__(self, layout: Layout, memory: ThreadMemory, limit: int) -> None:
        self.memory, self.labels = memory, range(layout.win)
        self.by_guess, self.expected = layout.arrays["by_guess"], layout.arrays["expected"]
        self.left = limit if limit == UNLIMITED else max(2, limit - 1)

    def parts(self, codes: Codes, guess: int) -> list[Codes]:
        """What a guess leaves of a set, but for the guess itself."""
        row = self.by_guess[guess, codes]
        return [part for part in (codes[row == label] for label in self.labels) if len(part)]

    def sum(self, parts: list[Codes], estimate: Callable[[Codes], float]) -> float:
        """Estimates of parts added up."""
        elements = self.memory.arrays["group_size"][:1]
        whole = int(elements[0])
        elements[0] = 1  # guesses are not told apart by symmetry: that takes longer than looking at all of them
        total = sum(map(estimate, parts))
        elements[0] = whole
        return total

    def by_size(self, codes: Codes) -> float:
        """Expected total of a set of this size."""
        return float(self.expected[len(codes)])

    def by_second_guess(self, codes: Codes) -> float:
        """Expected total after the guess that cuts the set best, by the sizes of its parts."""
        if len(codes) <= SMALL:
            return self.by_size(codes)
        column_expected = self.memory.arrays["column_expected"]
        column_expected[:] = np.inf
        self._best(codes)
        return float(column_expected.min())

    def by_third_guess(self, codes: Codes) -> float:
        """Expected total after the guess that cuts the set best, with bounds for its small parts."""
        if len(codes) <= SMALL:
            return self._bound(codes)
        parts = self.parts(codes, self._best(codes))
        return len(codes) + sum(map(self._bound, parts))

    def _best(self, codes: Codes) -> int:
        self.memory.stack[: len(codes)] = codes
        found, _ = engine.openings(self.memory, len(codes), self.left)
        return int(found[0, 0]) if len(found) else 0

    def _bound(self, codes: Codes) -> float:
        n = len(codes)
        if n <= 2 or n > SMALL:
            return max(0, 2 * n - 1) if n <= 2 else self.by_size(codes)
        self.memory.stack[:n] = codes
        return engine.part_bound(self.memory, n, UNLIMITED)[0]
