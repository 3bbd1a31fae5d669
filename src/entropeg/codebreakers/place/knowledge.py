"""Knowledge from turns with marks by place: the secrets that are left, exactly, and how likely each color is.

The secrets are all codes within some domains (`candidates.domains`). Among them pegs would be independent, were it not
for the numbers of the colors; what these say to each peg is estimated by messages (`kernels.belief.pass_colors`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from entropeg.candidates.build import build_within
from entropeg.candidates.domains import Domains
from entropeg.codes import Array
from entropeg.feedback import Marks
from entropeg.position import Turn
from entropeg.rules import Rules

LEAST = 1e-5
"""No number of a color multiplies the odds of a peg by less, or by more than its inverse."""

LISTED_BITS = 30.0
"""Codes are listed where the chances have fewer bits: they are tens of thousands at most, or too many."""


class Placed:
    """The secrets that are left after some turns, and the chance of each color on each peg.

    `domains`: the secrets. `chances`: float64[pegs, symbols], rows of sum 1. `odds`: the same of each peg by itself,
    before it hears how many pegs have a color. `top`: pegs of a color beyond which there are hardly ever more. `fits`:
    whether plain rules leave a code; False is a proof that there is none.
    """

    def __init__(self, rules: Rules, passes: int) -> None:
        self.rules, self.passes = rules, passes
        self.turns: tuple[Turn, ...] = ()
        self.domains = Domains(rules)
        self.fits = True
        self._ratios: NDArray[np.float64] = np.ones(self.domains.allowed.shape)
        self._believe()

    def follow(self, turns: tuple[Turn, ...]) -> None:
        """Take in the turns not seen yet."""
        for turn in turns[len(self.turns) :]:
            assert isinstance(turn.feedback, Marks)
            self.domains.take(turn.guess, turn.feedback)
            self.turns += (turn,)
            self.fits = self.fits and self.domains.tighten()
            if not self.fits:
                return
            self._believe()

    def _believe(self) -> None:
        from entropeg.kernels import belief as kernel

        domains = self.domains
        pegs, symbols = domains.allowed.shape
        share = pegs / symbols
        least, most = domains.least, domains.most
        self.top = int(min(pegs, max(least.max() + 6, min(most.max(), share + 8 * share**0.5 + 8))))
        self._ratios[~domains.allowed] = 1
        weights = np.where(domains.allowed, self._ratios, 0.0)
        weights /= weights.sum(axis=1, keepdims=True)
        counts = np.arange(self.top + 1)
        likely = ((counts >= least[:, None]) & (counts <= most[:, None])).astype(float)
        told = np.flatnonzero((most > 0) & ((least > 0) | (most < pegs)))
        scratch = kernel.MessageScratch.of(pegs)
        for _ in range(self.passes if len(told) else 0):
            kernel.pass_colors(weights, self._ratios, likely, told, LEAST, scratch)
        own = weights / self._ratios
        self.chances: NDArray[np.float64] = weights
        self.odds: NDArray[np.float64] = np.where(domains.allowed, own / np.maximum(own + 1 - weights, 1e-300), 0.0)

    @property
    def bits(self) -> float:
        """Entropy of the chances of each peg, summed over the pegs: hardly more than that of the secret."""
        return -float((self.chances * np.log2(np.maximum(self.chances, 1e-300))).sum())

    def listed(self, limit: int, steps: int) -> Array | None:
        """Return all codes that fit, int16[N, pegs]; None where there are more, or so many symbols were tried."""
        if self.bits >= LISTED_BITS:
            return None
        codes = build_within(self.rules, self.domains, limit, steps)
        return None if codes is None else codes.astype(np.int16)
