"""Counts of the colors: an exact list of possible ones for a few colors at a time, with their chances.

Black and white together tell Σ_c min(pegs of c in the guess, pegs of c in the secret), nothing about places. Asked
about all colors at once, such sums are hard to untangle long after they say enough; about a few colors, all
combinations of counts that fit can be listed. Colors whose count is found out leave the list, and new ones come in
while it is short.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Array = Any  # dtypes are said in the docstrings

CountQuestion = dict[int, int]
"""Pegs for each color that is asked about; empty where none is open."""


class ColorCounts:
    """The counts of colors in a secret of which every peg is any color alike.

    `known`: int64[colors], the count of each color, -1 while it is open. `open`: the colors in the list. `rows`:
    int16[L, open], one combination each. `rest`: int64[L], pegs left for colors neither known nor open. `chances`:
    float64[L], their sum 1. `broken`: no combination in the list fits.
    """

    def __init__(self, pegs: int, colors: int, *, most: int, absent: Iterable[int] = ()) -> None:
        """Start from nothing known but colors that do not occur; the list has up to `most` rows."""
        self.pegs, self.most = pegs, most
        self.known: NDArray[np.int64] = np.full(colors, -1)
        self.known[list(absent)] = 0
        self.waiting = [color for color in range(colors) if self.known[color] < 0]
        self.open: list[int] = []
        self.rows: NDArray[np.int16] = np.zeros((1, 0), np.int16)
        self.rest: NDArray[np.int64] = np.array([pegs])
        self.chances: NDArray[np.float64] = np.ones(1)
        self.broken = False
        self._prior = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, pegs + 1)))])  # logarithms of factorials
        self._pending: list[tuple[Array, int]] = []
        self._grow()

    @property
    def settled(self) -> bool:
        """Whether every count is known."""
        return not self.open and not self.waiting

    def take(self, counts: Array, common: int) -> None:
        """Take in an answer: counts int64[colors] of the guess, and black plus white."""
        self._pending.append((counts, common))
        self._settle()

    def _settle(self) -> None:
        # An answer about colors that are still waiting waits with them; when the list shrinks, others come in.
        while not self.broken:
            ready = [answer for answer in self._pending if not answer[0][self.waiting].any()]
            if not ready:
                return
            self._pending = [answer for answer in self._pending if answer[0][self.waiting].any()]
            for counts, common in ready:
                self._filter(counts, common)
                if self.broken:
                    return
            self._leave()
            self._grow()

    def _filter(self, counts: Array, common: int) -> None:
        known = self.known >= 0
        wanted = common - int(np.minimum(counts[known], self.known[known]).sum())
        self._keep(_common(self.rows, counts[self.open]) == wanted)

    def _keep(self, fits: Array) -> None:
        self.broken = not fits.any()
        if not self.broken:
            self.rows, self.rest, self.chances = self.rows[fits], self.rest[fits], self.chances[fits]
            self.chances /= self.chances.sum()

    def _leave(self) -> None:
        same = (self.rows == self.rows[0]).all(axis=0)
        for color, count, alike in zip(self.open, self.rows[0].tolist(), same.tolist(), strict=True):
            if alike:
                self.known[color] = count
        self.open = [color for color in self.open if self.known[color] < 0]
        self.rows = np.ascontiguousarray(self.rows[:, ~same])

    def _grow(self) -> None:
        # With k colors waiting, a row that leaves R pegs to them gives the next a binomial share: R of chance 1 / k.
        while self.waiting:
            share = self._shares(len(self.waiting)) * self.chances[:, None]
            # Counts far less likely than the likeliest are left out: a list found empty proves nothing.
            row, count = np.nonzero(share > 1e-9 * self.chances.max())
            if len(row) > self.most and len(self.rows) > 1:
                return
            self.open.append(self.waiting.pop(0))
            self.rows = np.hstack([self.rows[row], count[:, None].astype(np.int16)])
            self.rest, self.chances = self.rest[row] - count, share[row, count]
            self.chances /= self.chances.sum()
            if not self.waiting:
                self._leave()

    def _shares(self, colors: int) -> Array:
        left, count = self.rest[:, None], np.arange(int(self.rest.max()) + 1)[None, :]
        if colors == 1:
            return (count == left).astype(float)
        others = np.maximum(left - count, 0)
        ways = self._prior[left] - self._prior[count] - self._prior[others]
        return np.exp(ways - count * log(colors) + others * np.log1p(-1 / colors)) * (count <= left)

    def likelihood(self, top: int) -> tuple[Array, Array]:
        """Return the likelihoods of counts 0..top, float64[colors, top + 1], and the colors of which anything is known.

        The chances of the list contain the weight of a count by its number of codes; that is divided out.
        """
        likely = np.ones((len(self.known), top + 1))
        found = np.flatnonzero(self.known >= 0)
        likely[found] = 0
        likely[found, np.minimum(self.known[found], top)] = 1
        colors = len(self.known)
        count = np.arange(min(top, self.pegs) + 1)
        ways = self._prior[self.pegs] - self._prior[count] - self._prior[self.pegs - count]
        before = np.zeros(top + 1)
        before[: len(count)] = np.exp(ways - self.pegs * log(colors) + (self.pegs - count) * log(max(colors - 1, 1)))
        for counts, color in zip(np.minimum(self.rows.T, top, order="C"), self.open, strict=True):
            chance = np.bincount(counts, weights=self.chances, minlength=top + 1)
            likely[color] = chance / np.maximum(before, 1e-12)
            likely[color] /= likely[color].max()
        return likely, np.concatenate([found, np.array(self.open, np.int64)])

    def question(self, rng: np.random.Generator) -> CountQuestion:
        """Draw questions on the open colors and return the one with the most uncertain answer: pegs for each color.

        Together at most all pegs; none where no color is open.
        """
        if not self.open:
            return {}
        # Questions are compared on 1000 rows of the list.
        rows = self.rows[np.searchsorted(np.cumsum(self.chances), rng.random(1000)).clip(0, len(self.rows) - 1)]
        # The entropy of the answer grows little beyond 40 questions.
        largest = rows.max(axis=0)
        drawn = (self._draw(largest, rng) for _ in range(40))
        pegs = max(drawn, key=lambda counts: _entropy(_common(rows, counts)))
        return {color: int(count) for color, count in zip(self.open, pegs, strict=True) if count}

    def _draw(self, largest: Array, rng: np.random.Generator) -> Array:
        # A color is asked with more pegs than it can have, which gives its count, or with fewer, which gives a bound.
        asked = rng.permutation(len(self.open))[: max(1, round(len(self.open) * rng.uniform(0.3, 0.8)))]
        pegs = np.zeros(len(self.open), np.int64)
        fair = max(1, self.pegs // len(asked))
        pegs[asked] = np.clip(rng.integers(1, largest[asked] + 2), 1, fair)
        pegs[asked[self.pegs :]] = 0
        return pegs


def _common(rows: Array, counts: Array) -> Array:
    # Black plus white; of hundreds of colors two pegs ask about two.
    asked = np.flatnonzero(counts)
    return np.minimum(rows[:, asked], counts[asked]).sum(axis=1)


def _entropy(answers: Array) -> float:
    sizes = np.bincount(answers)
    sizes = sizes[sizes > 0]
    return -float((sizes * np.log(sizes)).sum())
