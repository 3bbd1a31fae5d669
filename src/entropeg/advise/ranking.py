"""Guesses with the numbers of guesses that they are expected to take: exact where the exact search can tell in time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from time import perf_counter

from entropeg.advise.expectation import Certainty, Expectation
from entropeg.advise.situation import Situation
from entropeg.feedback import Code
from entropeg.kernels import switch
from entropeg.search.values import PositionValues, can_value

VALUED, PROVEN, RATED = 0.4, 0.7, 0.85
"""Shares of the time until which the value of the position is looked for, the best guesses, and single guesses."""
ESTIMATED = 24
"""Guesses that are estimated beside those asked for, so that the best of them are likely among them."""
FEWEST = 3
"""At least so many guesses are estimated, however long it takes."""
GREEDY_BIAS, GREEDY_ERROR = 0.025, 0.045
"""What such strategies take more than the best play for each guess beyond the second, and what that varies by, in 19 of
20 cases: python benchmarks/bench_advice.py estimates."""
LEAST_ERROR = 0.01
"""No estimate is said to be nearer."""


@dataclass(frozen=True)
class Ranking:
    """The expected numbers of a position: of the best play, and of guesses, the best first.

    `is_proven`: no other guess is better than the last of those listed, but those that leave the same parts as one of
    them or are its images under a symmetry of the position. `also` are those of the guesses that were asked about, in
    their order.
    """

    value: Expectation
    guesses: tuple[tuple[Code, Expectation], ...]
    is_proven: bool
    also: tuple[tuple[Code, Expectation], ...] = ()
    keeps_limit: bool = True
    """Whether the best play finds every code within the guesses that the limit of the rules leaves."""
    candidate: tuple[Code, Expectation] | None = None
    """The best of the codes left as a guess, where none of those listed is one and the search could tell in time."""


def of_strategy(mean: float) -> Expectation:
    """What the best play is expected to take, where following the most promising guesses takes so many.

    >>> print(of_strategy(4.0))
    ≈ 3.95 ± 0.09
    """
    further = max(mean - 2, 0.0)
    return Expectation.about(mean - GREEDY_BIAS * further, max(GREEDY_ERROR * further, LEAST_ERROR))


def can_search(situation: Situation) -> bool:
    """Tell whether the exact search knows these rules and boards of this size.

    What rows known in part oblige to under hard rules it does not know, and it takes compiled code.
    """
    remaining = situation.remaining
    if situation.rules.hard and not situation.is_complete:
        return False
    return remaining.is_complete and switch.is_ready() and can_value(situation.rules, len(remaining.codes))


def searched(situation: Situation, number: int, also: Iterable[Code], seconds: float) -> Ranking:
    """Rank guesses by the exact search, and by strategies where its time is too short."""
    search = _RankedSearch(situation.values(situation.guesses_left), number, tuple(also), seconds)
    found = search.values.board.stop.run(search.ranking)
    if found is None:
        search = _RankedSearch(situation.values(), number, tuple(also), seconds)
        found = search.values.board.stop.run(search.ranking)
        assert found is not None
        return replace(found, keeps_limit=False)
    return found


def rate_exactly(situation: Situation, guesses: Sequence[Code], seconds: float) -> list[Expectation]:
    """What guesses are expected to take, by the exact search, and by strategies where its time is too short."""
    if not guesses:
        return []
    search = _RankedSearch(situation.values(), 1, tuple(guesses), seconds)
    return search.values.board.stop.run(search.rated)


class _RankedSearch:
    """One question: the guesses asked for, and how many seconds it may take."""

    def __init__(self, values: PositionValues, number: int, also: tuple[Code, ...], seconds: float) -> None:
        self.values, self.number, self.also, self.seconds = values, number, also, seconds
        self.began = 0.0

    def ranking(self) -> Ranking | None:
        """The answer; None where no play finds every code within the guesses left."""
        values = self.values
        with values.opened():
            self.began = perf_counter()
            with self._until(VALUED):
                total = values.value()
            if total.is_exact and total.lower >= values.infinite:
                return None
            best, is_proven = self._best()
            value = self._exact(total.lower) if total.is_exact else min((one for _, one in best), key=_in_order)
            with self._until(1):
                also = tuple((guess, self._after(guess)) for guess in self.also)
            candidate = self._candidate(best) if is_proven else None
        if candidate is not None and candidate[1] == best[0][1]:  # of guesses as good as each other it may win now
            best, candidate = [candidate, *best][: self.number], None
        return Ranking(value, tuple(best), is_proven, also, candidate=candidate)

    def _candidate(self, best: list[tuple[Code, Expectation]]) -> tuple[Code, Expectation] | None:
        """The best code left as a guess, where none is among the best guesses."""
        if any(self.values.is_candidate(guess) for guess, _ in best):
            return None
        with self._until(1):
            found = self.values.best_candidate()
        return None if found is None else (found[0], self._exact(found[1]))

    def rated(self) -> list[Expectation]:
        """The guesses asked about."""
        with self.values.opened():
            self.began = perf_counter()
            with self._until(1):
                return [self._after(guess) for guess in self.also]

    def _best(self) -> tuple[list[tuple[Code, Expectation]], bool]:
        with self._until(PROVEN):
            found, is_proven = self.values.best(self.number)
        known = {guess: self._exact(total) for guess, total in found}
        if is_proven:
            return sorted(known.items(), key=self._in_order), True
        likely = [(guess, bound) for guess, bound in self.values.promising() if guess not in known]
        for guess, bound in likely[: self.number + ESTIMATED]:
            if len(known) >= FEWEST and self._share_spent() >= RATED:
                known[guess] = Expectation.at_least(Fraction(bound, self.values.mass))
                continue
            with self._until(RATED):
                known[guess] = self._after(guess)
        return sorted(known.items(), key=self._in_order)[: self.number], False

    def _in_order(self, one: tuple[Code, Expectation]) -> tuple[bool, float, bool]:
        return *_in_order(one[1]), not self.values.is_candidate(one[0])

    def _after(self, guess: Code) -> Expectation:
        """What a guess is expected to take: exact if the time is not over, else what a strategy takes."""
        values, stop = self.values, self.values.board.stop
        total = values.after(guess)
        if total.is_exact:
            return self._exact(total.lower)
        with stop.ignored():
            upper = values.followed(guess)
        if upper is None:
            return Expectation.at_least(Fraction(total.lower, values.mass))
        return of_strategy(upper / values.mass)

    def _exact(self, total: int) -> Expectation:
        values = self.values
        if total >= values.infinite:
            return Expectation.of(inf)
        return Expectation.of(Fraction(total, values.mass) if values.board.is_exact else total / values.mass)

    def _until(self, share: float) -> AbstractContextManager[None]:
        return self.values.board.stop.after((share - self._share_spent()) * self.seconds)

    def _share_spent(self) -> float:
        return (perf_counter() - self.began) / max(self.seconds, 1e-9)


def _in_order(expected: Expectation) -> tuple[bool, float]:
    """What guesses are sorted by: those of which only a bound is known come last."""
    return expected.knowledge is Certainty.at_least, expected.value
