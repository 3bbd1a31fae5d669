"""The codes that are still possible: all of them, or a sample where nobody can list them."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from entropeg.amounts import plural, shown_count
from entropeg.codes import CodeSet
from entropeg.plain_values import Known, PlainValue

BLOCK = 1 << 20
"""Pegs of the codes that are counted at a time."""


@dataclass(frozen=True)
class Marginals:
    """What is known of each peg and each color, from the codes that are still possible.

    `pegs`: float64[pegs, symbols], the probability of every symbol at every peg; rows sum to 1. `copies`:
    float64[symbols, pegs + 1], the probability that a symbol occurs so many times; rows sum to 1. Exact, or those of
    the sample.
    """

    pegs: NDArray[np.float64]
    copies: NDArray[np.float64]
    symbols: tuple[str, ...]
    """How the symbols are written."""

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

    def by_symbol(self, numbers: NDArray[np.float64]) -> dict[str, float]:
        """Return numbers of the symbols by how these are written, as plain data tells them: rounded to nine digits."""
        return dict(zip(self.symbols, numbers.round(9).tolist(), strict=True))


class ToldChances(PlainValue):
    """A value that tells the chances of symbols, each by how it is written; null where they are not known."""

    if TYPE_CHECKING:

        @property
        def chances(self) -> Marginals | None:
            """What is known of each peg and each symbol."""

    @property
    def marginals(self) -> list[dict[str, float]] | None:
        """For each peg the chance of each symbol."""
        found = self.chances
        return None if found is None else [found.by_symbol(peg) for peg in found.pegs]

    @property
    def presence(self) -> dict[str, float] | None:
        """The chance that each symbol occurs."""
        return None if self.chances is None else self.chances.by_symbol(self.chances.presence)

    @property
    def copies(self) -> dict[str, float] | None:
        """How often each symbol is expected to occur."""
        return None if self.chances is None else self.chances.by_symbol(self.chances.expected_copies)


@dataclass(frozen=True)
class Remaining(PlainValue):
    """The codes that are still possible, or a sample of them.

    `codes` are all of them where `is_complete`, else a sample of equally likely ones, so far as `method` can promise
    it. `count` is their exact number, None where nobody can count them; `about` is it as a float, or an estimate, or
    NaN where not even that is known. `method` says how the codes were found, as `candidates.find_candidates` names it.
    """

    PLAIN = ("count", "about", "sample", "method", "codes", "says=in_words")

    codes: CodeSet
    """The first of the codes, or of a sample."""
    is_complete: bool
    count: int | None
    """Exactly; null where nobody can count them."""
    about: Known
    method: str

    @property
    def sample(self) -> int | None:
        """Codes of a sample that stands for them; null: all are listed."""
        return None if self.is_complete else len(self.codes)

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
        pegs = np.array([np.bincount(plane, chances, symbols) for plane in planes])
        copies = np.zeros((symbols, len(planes) + 1))
        step = max(1, BLOCK // len(planes))
        for at in range(0, planes.shape[1], step):
            _add_copies(copies, planes[:, at : at + step], chances[at : at + step])
        copies[:, 0] = np.maximum(1 - copies.sum(axis=1), 0)
        names = self.codes.rules.symbols
        return Marginals(pegs, copies, tuple(names.symbol(symbol) for symbol in range(symbols)))


def _add_copies(copies: NDArray[np.float64], planes: NDArray[Any], chances: NDArray[np.float64]) -> None:
    # In a code in order a symbol is a run, as long as it has copies: no symbol is looked for in codes without it.
    order = np.sort(planes.T, axis=1)
    begins = np.ones(order.shape, np.bool_)
    begins[:, 1:] = order[:, 1:] != order[:, :-1]
    at = np.flatnonzero(begins)
    lengths = np.diff(at, append=order.size)
    where, length = np.unique(order.ravel()[at].astype(np.int64) * copies.shape[1] + lengths, return_inverse=True)
    copies.ravel()[where] += np.bincount(length, chances[at // len(planes)])
