"""Ranks guesses where the exact search of boards does not serve: other feedback, larger boards, or no compiler.

Exact where the codes left are few; estimates where they can be listed; by a sample where they cannot (`sampled`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cached_property
from math import inf, sqrt
from typing import TypeVar

import numpy as np

from entropeg.advise.estimating.pools import GuessPool, all_guesses, guess_pool, joined, pairs_of, planes_of, thinned
from entropeg.advise.estimating.sampled import sampled
from entropeg.advise.expectation import Expectation
from entropeg.advise.ranking import LEAST_ERROR, Ranking
from entropeg.advise.situation import Situation
from entropeg.candidates import followers
from entropeg.codes import Array, CodeSet
from entropeg.feedback import Code
from entropeg.kernels import switch
from entropeg.search.part_curve import SAMPLED, PartCurve, least_of
from entropeg.search.proving.weights import whole_weights
from entropeg.search.small.search import INFINITE, UNLIMITED, OutOfWorkError, SmallSearch

CELLS_A_SECOND = 1.2e7
"""Cells of tables of labels that the search of small sets looks at in a second. It is given work, not time: the same
question has the same answer on any machine."""
MOST_CELLS, MOST_CODES = 8_000_000, 300
"""Guesses times codes, and codes, up to which an exact answer is tried."""
VALUED, RANKED, RATED, FITTING = 0.4, 0.3, 0.2, 0.6
"""Shares of the work for the value of the position, for the best guesses, for single guesses, and for the curve."""
PAIRS_A_SECOND, WEIGHED = 4e8, 0.2
"""Pairs of guess and code that compiled code weighs in a second, NumPy in ten; and the share of them that choose."""
USUAL_PEGS = 6
"""Pegs up to which a pair takes no longer; with more, as much longer: python benchmarks/bench_deadlines.py."""
ESTIMATED = 12
"""Guesses that are estimated beside those asked for, so that the best of them are likely among them."""
FITTED = 8
"""The best guesses by the curve, parts of which the curve is fitted to."""
FEWEST_WEIGHED, WEIGHED_CODES = 200, 300_000
"""Codes on which a guess is weighed at least, and on which the curve is read at most; of more, so many are drawn."""
FOLLOWED_CODES = 150
"""Up to so many codes a strategy is played through all parts of a guess."""
ROUNDED = 1e-12
"""Numbers nearer than this are one, but for rounding."""
CERTAIN = 2
"""Of so many codes the likeliest is the best guess: a guess whose parts are no larger is known exactly."""
FOLLOWED_POOL = 500
"""Guesses that this strategy chooses from, at most, besides the codes."""
FOLLOWED_BIAS, FOLLOWED_ERROR = 0.01, 0.03
"""What it takes more than the best play for each guess beyond the second, and what that varies by, in 19 of 20 cases:
python benchmarks/bench_advice.py estimates."""
CURVE_BIAS, CURVE_ERROR = 0.025, 0.11
"""What the curve through `SAMPLED` parts says more for each guess beyond the second, and its error at any number."""

T = TypeVar("T")


def estimated(situation: Situation, number: int, also: Iterable[Code], *, seconds: float, seed: int) -> Ranking:
    """Rank guesses: so many of the best that are known, and those asked about; see `Ranking`.

    ``seconds`` is how much work may be done, as a machine of two cores does it: the same seed gives the same ranking on
    any machine. Where the codes left are a sample, see `sampled`.
    """
    if not situation.remaining.is_complete:
        return sampled(situation, number, also, seconds=seconds, seed=seed)
    return _ListedQuestion(situation, number, tuple(also), seconds, seed).ranking()


class _ListedQuestion:
    """One question about listed codes."""

    def __init__(self, situation: Situation, number: int, also: tuple[Code, ...], seconds: float, seed: int) -> None:
        self.situation, self.number, self.also = situation, number, also
        self.rules = situation.rules
        codes = situation.remaining.codes
        self.codes = codes.take(np.flatnonzero(codes.chances > 0))
        self.weights = whole_weights(self.codes.chances)[0]
        work = max(seconds, 0.01) * min(USUAL_PEGS / self.rules.pegs, 1)
        self.work, self.pairs = work * CELLS_A_SECOND, work * PAIRS_A_SECOND
        self.rng = np.random.default_rng(seed)

    def ranking(self) -> Ranking:
        """The answer, exact if it can be."""
        pool = guess_pool(self.situation, self.codes, self.pairs, self.rng)
        every = all_guesses(self.situation, self.codes) if pool.is_whole and len(self.codes) <= MOST_CODES else None
        if every is not None and len(every) * len(self.codes) <= MOST_CELLS:
            wanted = joined(self.rules, planes_of(self.also, self.rules), pool.guesses.planes, every.planes)
            found = self._searched(wanted, wanted.find(pool.guesses))
            if found is not None:
                return found
        return self._estimated(pool)

    # -------------------------------------------------------------- exact values

    def _searched(self, pool: CodeSet, kinds: Array) -> Ranking | None:
        """The ranking if the value of the position is found; of guesses that are not, estimates.

        Symmetries of the position tell which guesses to list, one of each kind. Those that follow are any of the pool.
        """
        try:
            labels = self.codes.labels(pool)
            search = SmallSearch(labels, self.rules.win_label, self.weights, self.work, followers(pool))
            left = self.situation.guesses_left or UNLIMITED
            search.work = VALUED * self.work
            value = search.value(left)
            keeps_limit = value < INFINITE
            if not keeps_limit:
                left, search.work = UNLIMITED, VALUED * self.work
                value = search.value()
        except OutOfWorkError:
            return None

        def after(guess: Code) -> Expectation:
            return self._after(search, pool, guess, left)

        search.work = RANKED * self.work
        best = _unless(lambda: search.best(self.number, left, kinds))
        if best is not None:
            listed = [(pool[guess], self._exact(total)) for guess, total in best]
        else:
            search.work = RATED * self.work
            likely = [pool[guess] for guess in search.promising(kinds)[: self.number + ESTIMATED]]
            listed = sorted([(guess, after(guess)) for guess in likely], key=_by_value)[: self.number]
        search.work = RATED * self.work
        also = tuple((guess, after(guess)) for guess in self.also)
        candidate = None if best is None else self._candidate(search, pool, left, listed)
        if candidate is not None and candidate[1] == listed[0][1]:  # of guesses as good as each other it may win now
            listed, candidate = [candidate, *listed][: self.number], None
        return Ranking(self._exact(value), tuple(listed), best is not None, also, keeps_limit, candidate)

    def _candidate(
        self, search: SmallSearch, pool: CodeSet, left: int, listed: list[tuple[Code, Expectation]]
    ) -> tuple[Code, Expectation] | None:
        """The best of the codes left as a guess, where none of those listed is one and the work suffices."""
        if any(guess in self.codes for guess, _ in listed):
            return None
        search.work = RATED * self.work
        found = _unless(lambda: search.best(1, left, pool.find(self.codes)))
        return (pool[found[0][0]], self._exact(found[0][1])) if found else None

    def _after(self, search: SmallSearch, pool: CodeSet, guess: Code, left: int) -> Expectation:
        index = pool.index_of(guess)
        assert index is not None
        total = _unless(lambda: search.after(index, left))
        if total is not None:
            return self._exact(total)
        before, search.work = search.work, inf
        upper = search.followed(index)
        search.work = before
        return self._of_followed(upper / search.mass)

    def _exact(self, total: int) -> Expectation:
        if total >= INFINITE:
            return Expectation.of(inf)
        mass = int(self.weights.sum())
        return Expectation.of(Fraction(total, mass) if self.rules.prior is None else total / mass)

    # -------------------------------------------------------------- estimates

    def _estimated(self, pool: GuessPool) -> Ranking:
        curve = PartCurve(self.rules, self.rng, FITTING * self.work)
        costs = curve.costs(thinned(self.codes, self._weighed_for(len(pool.guesses)), self.rng), pool.guesses)
        order = np.argsort(costs, kind="stable")
        likely = [pool.guesses[int(place)] for place in order[: self.number + ESTIMATED]]
        if len(self.codes) <= FOLLOWED_CODES:
            chosen = pool.guesses.take(np.sort(order[:FOLLOWED_POOL]))
            found = self._followed(chosen, likely)
        else:
            found = self._by_curve(curve, likely)
        listed = sorted([(guess, found[guess]) for guess in likely], key=_by_value)
        also = tuple((guess, found[guess]) for guess in self.also)
        value = min((expected for _, expected in (*listed, *also)), key=lambda one: one.value)
        if value.is_exact and value.value > self._least + ROUNDED:  # of this guess; another one may take fewer
            value = self._of_followed(value.value)
        listed = listed[: self.number]
        is_proven = value.is_exact and listed[-1][1].value <= value.value
        return Ranking(value, tuple(listed), is_proven, also=also, keeps_limit=self._may_keep())

    def _followed(self, chosen: CodeSet, likely: list[Code]) -> dict[Code, Expectation]:
        wanted = list(dict.fromkeys([*likely, *self.also]))
        pool = joined(self.rules, chosen.planes, self.codes.planes, planes_of(wanted, self.rules))
        search = SmallSearch(self.codes.labels(pool), self.rules.win_label, self.weights, inf, followers(pool))
        return {guess: self._after_greedily(search, pool, guess) for guess in wanted}

    def _after_greedily(self, search: SmallSearch, pool: CodeSet, guess: Code) -> Expectation:
        index = pool.index_of(guess)
        assert index is not None
        total = search.followed(index)
        if self.codes.parts(guess)[1].max() <= CERTAIN:
            return self._exact(total)
        return self._of_followed(total / search.mass)

    def _by_curve(self, curve: PartCurve, likely: list[Code]) -> dict[Code, Expectation]:
        wanted = list(dict.fromkeys([*likely, *self.also]))
        played = curve.fit(self.codes, likely[:FITTED])
        if not played:  # the work ended before: of this board no more is known than that no play takes less
            return dict.fromkeys(wanted, Expectation.at_least(self._least))
        judged = thinned(self.codes, min(self._weighed_for(len(wanted)), WEIGHED_CODES), self.rng)
        scale = len(self.codes) / len(judged)
        costs = [float(curve.costs(judged, joined(self.rules, np.array([guess]).T), scale)[0]) for guess in wanted]
        rather = [cost - CURVE_BIAS * max(cost - 2, 0) for cost in costs]
        error = CURVE_ERROR * sqrt(SAMPLED / played)
        return {guess: self._about(cost, error) for guess, cost in zip(wanted, rather, strict=True)}

    def _weighed_for(self, guesses: int) -> int:
        """On how many codes their share of the work allows to weigh so many guesses."""
        rate = WEIGHED if switch.is_ready() else WEIGHED / 10
        each = max(guesses, 1) * pairs_of(self.rules, len(self.codes)) / len(self.codes)
        return max(int(self.pairs * rate / each), FEWEST_WEIGHED)

    def _of_followed(self, mean: float) -> Expectation:
        further = max(mean - 2, 0.0)
        return self._about(mean - FOLLOWED_BIAS * further, max(FOLLOWED_ERROR * further, LEAST_ERROR))

    def _about(self, value: float, error: float) -> Expectation:
        return Expectation.about(max(value, self._least), error)

    @cached_property
    def _least(self) -> float:
        """No play takes less."""
        return least_of(self.codes)

    def _may_keep(self) -> bool:
        """Whether it is not known that the limit is too small: so many guesses have no more answers."""
        left = self.situation.guesses_left
        return left is None or len(self.codes) <= self.rules.feedback.about.count(self.rules.pegs) ** (left - 1)


def _unless(search: Callable[[], T]) -> T | None:
    try:
        return search()
    except OutOfWorkError:
        return None


def _by_value(one: tuple[Code, Expectation]) -> float:
    return one[1].value
