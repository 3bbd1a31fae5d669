"""Gives the laws that numbers of guesses follow in theory, to be drawn over measured ones."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, expm1, log1p
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from entropeg import arguments
from entropeg.rules import Rules
from entropeg.told import Told


@dataclass(frozen=True)
class Geometric:
    """Guesses of a codebreaker that draws among all codes each time, whatever was played (Bruyere, codebreaker 0).

    P(K = k) = p (1 - p)^(k-1) with p = 1/codes, mean `codes`; under a guess limit, the same law given that K stays
    within it.

    >>> Geometric(4096).mean, round(float(Geometric(4).cdf(2)), 12)
    (4096.0, 0.4375)
    """

    codes: int
    limit: int | None = None

    def _within(self, guesses: Any) -> Any:
        # P(K <= k) without the limit. log1p and expm1 keep it exact to rounding where p is tiny.
        if self.codes == 1:
            return np.where(np.asarray(guesses) >= 1, 1.0, 0.0)
        return -np.expm1(np.maximum(np.floor(guesses), 0) * log1p(-1 / self.codes))

    @property
    def won(self) -> float:
        """The probability that a game is won before the guess limit."""
        return 1.0 if self.limit is None else float(self._within(self.limit))

    @property
    def mean(self) -> float:
        """`codes`, or the conditional mean under the guess limit: codes - L q^L / (1 - q^L)."""
        if self.limit is None or self.codes == 1:
            return float(self.codes)
        fall = self.limit * log1p(-1 / self.codes)
        return self.codes + self.limit * exp(fall) / expm1(fall)

    def cdf(self, guesses: Any) -> NDArray[np.float64]:
        """Return 1 - (1 - p)^k, over the probability to win where there is a limit."""
        return np.minimum(np.asarray(self._within(guesses), dtype=np.float64) / self.won, 1.0)

    @property
    def describe(self) -> str:
        """The law in a few words."""
        if self.limit is None:
            return Told("geometric law, p = 1/{codes}, mean {mean:g}", self.codes, self.mean)
        return Told("geometric law, p = 1/{codes} within {limit}, mean {mean:g}", self.codes, self.limit, self.mean)


@dataclass(frozen=True)
class Uniform:
    """Guesses of a codebreaker that draws among the codes not played yet (Bruyere, codebreaker 1).

    P(K = k) = 1/codes for k in 1..codes, mean (codes + 1)/2; under a guess limit L, uniform on 1..min(L, codes).

    >>> Uniform(4096).mean, float(Uniform(4).cdf(2))
    (2048.5, 0.5)
    """

    codes: int
    limit: int | None = None

    @property
    def last(self) -> int:
        """The largest number of guesses that a game won can take."""
        return self.codes if self.limit is None else min(self.limit, self.codes)

    @property
    def won(self) -> float:
        """The probability that a game is won before the guess limit."""
        return self.last / self.codes

    @property
    def mean(self) -> float:
        """Half of one more than the largest number."""
        return (self.last + 1) / 2

    def cdf(self, guesses: Any) -> NDArray[np.float64]:
        """Return k over the largest number."""
        return np.clip(np.floor(np.asarray(guesses, dtype=np.float64)) / self.last, 0.0, 1.0)

    @property
    def describe(self) -> str:
        """The law in a few words."""
        return Told("uniform law on 1..{last}, mean {mean:g}", self.last, self.mean)


Law: TypeAlias = Geometric | Uniform
"""The distribution of the number of guesses of the games won."""


def law(codebreaker: str, rules: Rules | str) -> Law | None:
    """Return the law of a codebreaker's number of guesses against a fixed secret, None where no formula is known.

    `random` and `memory` have one: any secret, however chosen, gives the same law. Source: N. Bruyere,
    *Implémentation progressive de stratégies intelligentes pour le jeu Mastermind*, sections 2 and 3.

    >>> law("random", "4x8").mean, law("consistent", "4x8")
    (4096.0, None)
    """
    rules = Rules.of(rules)
    if rules.guess_count > 10**300:  # its probabilities would not be floating-point numbers
        return None
    laws: dict[str, type[Law]] = {"random": Geometric, "memory": Uniform}
    codebreaker = arguments.text(codebreaker, "the name of the codebreaker")
    return laws[codebreaker](rules.guess_count, rules.guess_limit) if codebreaker in laws else None
