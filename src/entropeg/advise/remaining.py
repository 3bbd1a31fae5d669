"""The codes that are still possible: all of them, or a sample where nobody can list them."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from entropeg.amounts import plural, shown_count
from entropeg.codes import CodeSet


@dataclass(frozen=True)
class Marginals:
    """What is known of each peg and each color, from the codes that are still possible.

    `pegs`: float64[pegs, symbols], the probability of every symbol at every peg; rows sum to 1. `copies`:
    float64[symbols, pegs + 1], the probability that a symbol occurs so many times; rows sum to 1. Exact, or those of
    the sample.
    """

    pegs: NDArray[np.float64]
    copies: NDArray[np.float64]

    @property
    def expected_copies(self) -> NDArray[np.float64]:
        """How often each symbol is expected to occur: float64[symbols]; the sum is the number of pegs."""
        expected: NDArray[np.float64] = self.pegs.sum(axis=0)
        return expected

    @property
    def presence(self) -> NDArray[np.float64]:
        """The probability that each symbol occurs at all: float64[symbols]."""
        present: NDArray[np.float64] = 1 - self.copies[:, 0]
        return present


@dataclass(frozen=True)
class Remaining:
    """The codes that are still possible, or a sample of them.

    `codes` are all of them where `is_complete`, else a sample of equally likely ones, so far as `method` can promise
    it. `count` is their exact number, None where nobody can count them; `about` is it as a float, or an estimate, or
    NaN where not even that is known. `method` says how the codes were found, as `candidates.find_candidates` names it.
    """

    codes: CodeSet
    is_complete: bool
    count: int | None
    about: float
    method: str

    @property
    def in_words(self) -> str:
        """How many codes are left, in a sentence."""
        if self.count == 1:
            return "One code is left."
        if self.count is not None:
            return f"{plural(self.count, 'code is left', 'codes are left')}."
        if isfinite(self.about):
            about = shown_count(round(self.about)).removeprefix("about ")
            return f"About {about} codes are left."
        return "More codes are left than can be counted."

    def marginals(self) -> Marginals:
        """What the codes say of each peg and each symbol; by the prior where the rules have one."""
        planes, chances = self.codes.planes, self.codes.chances
        symbols = self.codes.rules.symbols_in_secrets
        pegs = np.array([np.bincount(plane, chances, symbols) for plane in planes.astype(np.int64)])
        copies = np.zeros((symbols, len(planes) + 1))
        for symbol in range(symbols):
            copies[symbol] = np.bincount((planes == symbol).sum(axis=0), chances, len(planes) + 1)
        return Marginals(pegs, copies)
