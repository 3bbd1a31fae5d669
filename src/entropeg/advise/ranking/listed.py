"""Ranks guesses where the codes left can be listed, of any feedback: exactly where they are few, else by estimates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from math import inf, sqrt
from typing import TypeVar

import numpy as np

from entropeg.advise.expectation import Expectation
from entropeg.advise.question import AdviceQuestion
from entropeg.advise.ranking.pools import guess_pool, joined, pairs_of, planes_of
from entropeg.advise.ranking.ranker import RankedGuess, Ranker, Ranking, of_strategy
from entropeg.candidates import followers
from entropeg.codes import Array, CodeSet
from entropeg.feedback import Code
from entropeg.kernels import switch
from entropeg.search.part_curve import SAMPLED, PartCurve, least_of
from entropeg.search.small.search import INFINITE, UNLIMITED, OutOfWorkError, SmallSearch
from entropeg.search.weights import whole_weights

MOST_CELLS, MOST_CODES = 8_000_000, 300
"""Guesses times codes, and codes, up to which an exact answer is tried."""
USUAL_PEGS = 6
"""Pegs up to which a pair takes no longer; with more, as much longer: python benchmarks/bench_deadlines.py."""
ESTIMATED = 12
"""Guesses that are estimated beside those asked for, so that the best of them are likely among them."""
FOLLOWED_CODES = 150
"""Codes up to which a strategy is played through all parts of a guess."""
FOLLOWED = 0.01, 0.03
"""Guesses that it takes more than the best play for each beyond the second, and how that varies, in 19 of 20 cases:
python benchmarks/bench_advice.py estimates."""
CURVE_BIAS, CURVE_ERROR = 0.025, 0.11
"""Guesses that the curve through `SAMPLED` parts says too much for each beyond the second, and its error anywhere."""

T = TypeVar("T")


def listed(question: AdviceQuestion) -> Ranking:
    """Rank guesses on all the codes left.

    The seconds of the question are how much work may be done, as a machine of two cores does it: the same seed gives
    the same ranking on any machine.
    """
    many = _ManyCodes(question)
    every = many.pool.every
    if every is not None and len(every) * len(many.codes) <= MOST_CELLS:
        with suppress(OutOfWorkError):  # before the value of the position is known
            return _FewCodes(many, every).ranking()
    return many.ranking()


class _ManyCodes(Ranker):
    """Estimates: by a strategy that is played through, or by a curve through the sizes of the parts."""

    def __init__(self, question: AdviceQuestion) -> None:
        super().__init__(question)
        codes = self.noted.remaining.codes
        self.codes = codes.take(np.flatnonzero(codes.chances > 0))
        self.weights = whole_weights(self.codes.chances)[0]
        work = max(question.seconds, 0.01) * min(USUAL_PEGS / self.rules.pegs, 1)
        # Work, not time, so that the same question has the same answer on any machine: cells of tables of labels that
        # the search of small sets looks at, and pairs of guess and code that compiled code weighs (NumPy takes ten
        # times as long).
        self.work, self._pairs = work * 1.2e7, work * 4e8
        self._rng = np.random.default_rng(question.seed)
        self.pool = guess_pool(self.noted, self.codes, self._pairs, self._rng, few=MOST_CODES)
        self._least = least_of(self.codes)
        # The guesses left have no more answers in all; beyond that nothing is known of the limit.
        left, answers = self.noted.guesses_left, self.rules.feedback.about.count(self.rules)
        self.keeps_limit = left is None or len(self.codes) <= answers ** (left - self.rules.is_named)

    def value(self) -> Expectation:
        curve = PartCurve(self.rules, self._rng, 0.6 * self.work)
        guesses = self.pool.guesses
        costs = curve.costs(self.codes.drawn(self._weighed_for(len(guesses)), self._rng), guesses)
        order = np.argsort(costs, kind="stable")
        self._likely = [guesses[int(place)] for place in order[: self.number + ESTIMATED]]
        wanted = list(dict.fromkeys([*self._likely, *self.also]))
        if not self.rules.is_named and len(self.codes) > FOLLOWED_CODES:
            # No curve was measured for such games.
            self._known = dict.fromkeys(wanted, Expectation.at_least(self._least))
        elif len(self.codes) <= FOLLOWED_CODES:
            self._known = self._followed(guesses.take(np.sort(order[:500])), wanted)  # besides the codes
        else:
            self._known = self._by_curve(curve, wanted)
        self._value = min(self._known.values(), key=lambda one: one.value)
        if self._value.is_exact and self._value.value > self._least + 1e-12:  # of this guess; another may take fewer
            self._value = self.of_followed(self._value.value)
        return self._value

    def best(self) -> tuple[list[RankedGuess], bool]:
        listed = self.first({guess: self._known[guess] for guess in self._likely})
        return listed, self._value.is_exact and listed[-1][1].value <= self._value.value

    def after(self, guesses: Sequence[Code]) -> list[Expectation]:
        return [self._known[guess] for guess in guesses]

    def exact(self, total: int) -> Expectation:
        """The expected number that a total of the search by labels stands for."""
        if total >= INFINITE:
            return Expectation.of(inf)
        mass = int(self.weights.sum())
        total -= 0 if self.rules.is_named else mass
        return Expectation.of(Fraction(total, mass) if self.rules.prior is None else total / mass)

    def of_followed(self, mean: float) -> Expectation:
        """Estimate the best play where a strategy of the search by labels takes ``mean`` guesses."""
        return of_strategy(mean - (not self.rules.is_named), *FOLLOWED, self._least)

    def _followed(self, chosen: CodeSet, wanted: list[Code]) -> dict[Code, Expectation]:
        own = [self.codes.planes] if self.rules.is_named else []
        pool = joined(self.rules, chosen.planes, *own, planes_of(wanted, self.rules))
        search = small_search(self.codes, pool, self.weights, inf)
        known = {}
        for guess in wanted:
            total = search.followed(_place(pool, guess))
            is_certain = self.codes.parts(guess)[1].max() <= 2  # of two codes the likelier is the best guess
            known[guess] = self.exact(total) if is_certain else self.of_followed(total / search.mass)
        return known

    def _by_curve(self, curve: PartCurve, wanted: list[Code]) -> dict[Code, Expectation]:
        played = curve.fit(self.codes, self._likely[:8])
        if not played:  # the work ended before: of this board no more is known than that no play takes less
            return dict.fromkeys(wanted, Expectation.at_least(self._least))
        judged = self.codes.drawn(min(self._weighed_for(len(wanted)), 300_000), self._rng)
        scale = len(self.codes) / len(judged)
        costs = [float(curve.costs(judged, joined(self.rules, np.array([guess]).T), scale)[0]) for guess in wanted]
        rather = [max(cost - CURVE_BIAS * max(cost - 2, 0), self._least) for cost in costs]
        error = CURVE_ERROR * sqrt(SAMPLED / played)
        return {guess: Expectation.about(cost, error) for guess, cost in zip(wanted, rather, strict=True)}

    def _weighed_for(self, guesses: int) -> int:
        """On how many codes a number of guesses can be weighed within their share of the work."""
        rate = 0.2 if switch.is_ready() else 0.02
        each = max(guesses, 1) * pairs_of(self.rules, len(self.codes)) / len(self.codes)
        return max(int(self._pairs * rate / each), 200)


class _FewCodes(Ranker):
    """Exact values by a search over labels; of guesses for which the work is too little, estimates.

    Symmetries of the position tell which guesses to list, one of each kind. Guesses that follow are any of the pool.
    """

    def __init__(self, many: _ManyCodes, every: CodeSet) -> None:
        """Take every guess; raises OutOfWorkError, as `value` does, where the work is too little for all."""
        super().__init__(many.question)
        self._many, self._work, self._codes = many, many.work, many.codes
        kinds = many.pool.guesses
        self._pool = pool = joined(self.rules, planes_of(self.also, self.rules), kinds.planes, every.planes)
        self._kinds = pool.find(kinds)
        self._search = small_search(self._codes, pool, many.weights, many.work)
        left = self.noted.guesses_left
        self._left = UNLIMITED if left is None else left + (not self.rules.is_named)

    def value(self) -> Expectation:
        # Of the work four tenths are for the value, three for the best guesses, and two for each question after that.
        self._search.work = 0.4 * self._work
        return self._many.exact(self._search.value(self._left))

    def lift_limit(self) -> None:
        super().lift_limit()
        self._left = UNLIMITED

    def best(self) -> tuple[list[RankedGuess], bool]:
        found = self._best(0.3, self.number, self._kinds)
        if found is not None:
            return self.first(dict(found)), True
        likely = [self._pool[guess] for guess in self._search.promising(self._kinds)[: self.number + ESTIMATED]]
        return self.first(dict(zip(likely, self.after(likely), strict=True))), False

    def after(self, guesses: Sequence[Code]) -> list[Expectation]:
        self._search.work = 0.2 * self._work
        return [self._after(_place(self._pool, guess)) for guess in guesses]

    def candidate(self, listed: list[RankedGuess]) -> RankedGuess | None:
        if not self.rules.is_named or any(guess in self._codes for guess, _ in listed):
            return None
        found = self._best(0.2, 1, self._pool.find(self._codes))
        return found[0] if found else None

    def _best(self, share: float, number: int, among: Array) -> list[RankedGuess] | None:
        self._search.work = share * self._work
        found = _unless(lambda: self._search.best(number, self._left, among))
        return found if found is None else [(self._pool[guess], self._many.exact(total)) for guess, total in found]

    def _after(self, guess: int) -> Expectation:
        search = self._search
        total = _unless(lambda: search.after(guess, self._left))
        if total is not None:
            return self._many.exact(total)
        before, search.work = search.work, inf
        upper = search.followed(guess)
        search.work = before
        return self._many.of_followed(upper / search.mass)


def small_search(codes: CodeSet, pool: CodeSet, weights: Array, work: float) -> SmallSearch:
    """The search of small sets on codes by guesses of a pool."""
    rules, labels = codes.rules, codes.labels(pool)
    return SmallSearch(labels, rules.win_label, weights, work, followers(pool), naming=rules.is_named)


def _place(pool: CodeSet, guess: Code) -> int:
    place = pool.index_of(guess)
    assert place is not None
    return place


def _unless(search: Callable[[], T]) -> T | None:
    try:
        return search()
    except OutOfWorkError:
        return None
