"""Rankings of guesses, and the one way to make them: rankers differ in how they know what guesses take."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import TypeAlias

from entropeg.advise.expectation import Certainty, Expectation
from entropeg.advise.question import AdviceQuestion
from entropeg.feedback import Code

RankedGuess: TypeAlias = "tuple[Code, Expectation]"
"""A guess and the number of guesses that it is expected to take, itself counted."""


@dataclass(frozen=True)
class Ranking:
    """The expected numbers of a position: of the best play, and of guesses, the best first.

    `is_proven`: no other guess is better than the last of those listed, but those that leave the same parts as one of
    them or are its images under a symmetry of the position. `also` are those of the guesses that were asked about, in
    their order.
    """

    value: Expectation
    guesses: tuple[RankedGuess, ...]
    is_proven: bool
    also: tuple[RankedGuess, ...] = ()
    keeps_limit: bool = True
    """Whether the best play finds every code within the guesses that the limit of the rules leaves."""
    candidate: RankedGuess | None = None
    """The best of the codes left as a guess, where none of those listed is one and the search could tell in time."""
    has_bounds: bool = False
    """Whether all numbers are bounds, which say nothing of what guesses lose."""

    def loss(self, expected: Expectation) -> Expectation:
        """The loss of a guess that is expected to take a number of guesses."""
        return Expectation.at_least(0) if self.has_bounds else expected.loss(self.value)


class Ranker(ABC):
    """One way to know what guesses at a position are expected to take: it answers one question, once."""

    keeps_limit: bool = True
    """Whether the limit of the rules is kept, so far as is known."""
    has_bounds = False

    def __init__(self, question: AdviceQuestion) -> None:
        self.question, self.noted, self.rules = question, question.noted, question.noted.rules
        self.number, self.also = question.limit, question.also

    def ranking(self) -> Ranking:
        """Answer: each step may take all time or work that is left, so that the most important come first."""
        value = self.value()
        if value is not None and value.value == inf:
            self.lift_limit()
            value = self.value()
        listed, is_proven = self.best()
        also = tuple(zip(self.also, self.after(self.also), strict=True))
        candidate = self.candidate(listed) if is_proven else None
        if candidate is not None and candidate[1] == listed[0][1]:  # of guesses as good as each other it may win now
            listed, candidate = [candidate, *listed][: self.number], None
        value = value or min((expected for _, expected in listed), key=in_order)
        return Ranking(value, tuple(listed), is_proven, also, self.keeps_limit, candidate, self.has_bounds)

    @abstractmethod
    def value(self) -> Expectation | None:
        """The expected number of the best play, infinite where none keeps the limit; None where `best` tells it."""

    def lift_limit(self) -> None:
        """No play keeps the limit of the rules: answer all as if there were none."""
        self.keeps_limit = False

    @abstractmethod
    def best(self) -> tuple[list[RankedGuess], bool]:
        """The best guesses that are known, `number` of them, the best first, and whether no other one is better."""

    @abstractmethod
    def after(self, guesses: Sequence[Code]) -> list[Expectation]:
        """The expected numbers of guesses that were asked about."""

    def candidate(self, listed: list[RankedGuess]) -> RankedGuess | None:
        """The best of the codes left as a guess, where none of those listed is one; None where that is not known."""
        return None

    def first(self, known: Mapping[Code, Expectation]) -> list[RankedGuess]:
        """The best of some guesses, `number` of them, the best first; of equal ones those that were found before."""
        return sorted(known.items(), key=self.place)[: self.number]

    def place(self, one: RankedGuess) -> tuple[float, ...]:
        """The key by which guesses are sorted."""
        return in_order(one[1])


def in_order(expected: Expectation) -> tuple[bool, float]:
    """The key by which expected numbers are sorted: mere bounds come last."""
    return expected.knowledge is Certainty.at_least, expected.value


def of_strategy(mean: float, bias: float, error: float, least: float = 0.0) -> Expectation:
    """Estimate the guesses of the best play by those of a strategy, ``mean``.

    ``bias`` and ``error``: what the strategy takes more for each guess beyond the second, and what that varies by, in
    19 of 20 cases. No play takes fewer than ``least``, and no estimate is said to be nearer than 0.01.

    >>> print(of_strategy(4.0, 0.025, 0.045))
    ≈ 3.95 ± 0.09
    """
    further = max(mean - 2, 0.0)
    return Expectation.about(max(mean - bias * further, least), max(error * further, 0.01))
