"""Estimates how many guesses large sets of listed codes take: a curve over sizes, fitted to parts that were played.

Sets of one size take about as many guesses, on one board. So some parts of some good guesses are drawn, as likely as
they are large, and a greedy strategy is played through them. A curve through their means then tells what any guess
takes: the mean of the curve over its parts. It is rather too much, as the strategy is not the best.
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from math import log2

import numpy as np

from entropeg import kernels
from entropeg.candidates import followers
from entropeg.codes import Array, CodeSet, guesses, is_listable
from entropeg.feedback import Code
from entropeg.rules import Rules
from entropeg.search.small.search import OutOfWorkError, SmallSearch, leaf_excess
from entropeg.search.weights import whole_weights

SMALL = 100
"""Codes of a set through which the strategy is played to the end."""
TRIED, JUDGED = 120, 1500
"""Guesses that are compared for larger sets, and the codes that they are compared on."""
FOLLOWED = (3, 3, 1)
"""Parts of such a guess that are played on: of the first, of the second, and of all later ones.

The means stay right with one, and where each answer tells a bit or two, three would be thousands of sets."""
SAMPLED = 16
"""Parts that the curve is fitted to."""
TABLE, FEW_LABELS = 1 << 16, 64
"""Labels of which sizes of parts are a table; and so few that shares by a prior are one for all labels."""


def least_mean(codes: int, answers: int) -> float:
    """Fewest guesses that a number of codes take on average, by the number of answers, the winning one counted.

    One code is found by the first guess, and j guesses find at most 1 + a + ... + a^(j-1), for a answers that do not
    win. No more than that is looked at, so boards of any size have one.

    >>> least_mean(1, 14), least_mean(14, 14), least_mean(196, 14)
    (1.0, 1.9285714285714286, 2.989795918367347)
    """
    if answers <= 2 and codes:  # each guess finds one more
        return (codes + 1) / 2
    found, wide, depth, total = 0, 1, 1, 0
    while found < codes:
        here = min(wide, codes - found)
        total += here * depth
        found, wide, depth = found + here, wide * (answers - 1), depth + 1
    return float(Fraction(total, max(codes, 1)))


def least_of(codes: CodeSet) -> float:
    """Fewest guesses that listed codes take on average, whatever is guessed and however likely each of them is.

    >>> from entropeg.codes import secrets
    >>> least_of(secrets("2x2")), round(least_of(secrets("2x2/prior=distinct")), 3)
    (1.75, 1.667)
    """
    rules = codes.rules
    if not rules.is_named:
        leaves = leaf_excess(len(codes), rules.feedback.about.count(rules))[-1] / len(codes)
        return 1.0 + float(leaves if rules.prior is None else 0)
    if rules.prior is not None:  # the likeliest code is found by the first guess, all others by the second
        return 2 - float(codes.chances.max())
    return least_mean(len(codes), rules.feedback.about.count(rules))


class PartCurve:
    """The curve of one position: `fit` plays, `expected` reads it."""

    def __init__(self, rules: Rules, rng: np.random.Generator, work: float) -> None:
        """Begin with the curve of all boards, which knows no more than how many labels there are.

        ``work`` bounds what `fit` does, in cells of `SmallSearch`.
        """
        self.rules, self.work, self._rng = rules, work, rng
        self._bits = max(0.66 * log2(max(rules.label_count, 2)), 0.7)
        self._apart = max(0.9 * 2**self._bits, 2.0)
        self._line = np.zeros(2)
        self._read = np.zeros(0)
        # Under hard rules codes of the set may always be guessed, others may not.
        self._all: CodeSet | None = guesses(rules) if is_listable(rules) and not rules.hard else None

    def __call__(self, sizes: Array) -> Array:
        """About how many guesses each code of a set takes, by the size of the set: whole numbers of any shape."""
        most = int(sizes.max(initial=0))
        if len(self._read) <= most:  # read once for all sizes: many sets are as large as each other
            every = np.arange(max(most, 2 * len(self._read), 1 << 10) + 1)
            self._read = self._base(every) + self._correction(every) @ self._line
        table: Array = self._read[sizes]
        return table

    def _base(self, sizes: Array) -> Array:
        number = np.maximum(np.asarray(sizes, np.float64), 1)
        few = np.minimum(number, self._apart)
        table: Array = 2 - 1 / few + np.log2(number / few) / self._bits
        return table

    def _correction(self, sizes: Array) -> Array:
        # Nothing to correct for one and two codes; beyond, a line in the logarithm.
        grown = np.log2(np.maximum(sizes, 2)) - 1
        return np.stack([np.minimum(grown, 1), np.maximum(grown - 1, 0)], axis=-1)

    def costs(self, codes: CodeSet, pool: CodeSet, scale: float = 1.0) -> Array:
        """The guesses that each guess of a pool takes, this one counted, by the curve over the parts: float64[pool].

        ``scale``: how many codes each of ``codes`` stands for, where they are a sample.
        """
        # Two million sizes of parts are counted at a time.
        step = max(1, (1 << 21) // max(self.rules.label_count, len(codes)))
        found = [self._cost(codes, pool[at : at + step], scale) for at in range(0, len(pool), step)]
        return np.concatenate(found) if found else np.zeros(0)

    def _cost(self, codes: CodeSet, pool: CodeSet, scale: float) -> Array:
        rules, chances = self.rules, codes.chances
        is_even = rules.prior is None
        if is_even and rules.label_count <= TABLE:
            sizes = codes.part_sizes(pool)
            shares = sizes / len(codes)
        else:
            labels = codes.labels(pool)
            used = np.arange(rules.label_count) if rules.label_count <= FEW_LABELS else np.unique(labels)
            dense = labels if rules.label_count <= FEW_LABELS else np.searchsorted(used, labels)
            sizes = kernels.tallies(dense, len(used))
            shares = kernels.tallies(dense, len(used), chances)
            at = np.searchsorted(used, rules.win_label)
            won = shares[:, at] if at < len(used) and used[at] == rules.win_label else 0.0
            whole = np.rint(sizes * scale).astype(np.int64)
            total: Array = 1 + (shares * self(whole)).sum(axis=1) - won
            return total
        whole = np.rint(sizes * scale).astype(np.int64)
        costs: Array = 1 + (shares * self(whole)).sum(axis=1) - shares[:, rules.win_label]
        return costs

    def fit(self, codes: CodeSet, some: list[Code], parts: int = SAMPLED) -> int:
        """Play parts of some guesses, and bend the curve to them; return how many were played to their end.

        Parts are drawn by their sizes, so that those that matter come; small ones are known all the same. The work may
        end before the first is: then the curve is that of all boards still.
        """
        drawn: list[tuple[int, float]] = []
        with suppress(OutOfWorkError):
            for place, guess in enumerate(some):
                number = -(-(parts - len(drawn)) // (len(some) - place))
                for part in self._drawn(codes, guess, number):
                    drawn.append((len(part), self.played(part)))  # noqa: PERF401 - those before the end of the work
        if not drawn:
            return 0
        sizes, means = (np.array(column, float) for column in zip(*drawn, strict=True))
        gaps = means - self._base(sizes)
        # Without data the line stays where it is: a little weight on none.
        design = np.concatenate([self._correction(sizes), 0.3 * np.eye(2)])
        self._line = np.linalg.lstsq(design, np.append(gaps, [0.0, 0.0]), rcond=None)[0]
        self._read = np.zeros(0)
        return len(drawn)

    def _spend(self, guesses: int, codes: int) -> None:
        # Before the work is done, and by its size: the same question ends at the same place on any machine.
        rules = self.rules
        # Colors beyond those of a byte take longer.
        is_slow = rules.prior is not None or rules.shapes > 0 or rules.symbols_in_guesses > 256
        # A guess takes as long as 700 cells of `SmallSearch`, and a code beside it 0.15; 0.5 for wide colors and
        # under a prior.
        self.work -= guesses * (700 + (0.5 if is_slow else 0.15) * codes)
        if self.work < 0:
            raise OutOfWorkError

    # -------------------------------------------------------------- playing

    def played(self, codes: CodeSet, depth: int = 0, begun: int = 0) -> float:
        """The mean number of guesses of the greedy strategy: exact for it on small sets, by some parts of others.

        Raises OutOfWorkError where the work ends before.

        ``depth``: how many guesses were made before, of ``begun`` codes. Where many guesses have been followed, as many
        codes go with each of the others as with these: on a board of one peg each guess rules out one code.
        """
        if len(codes) <= SMALL:
            return self._small(codes)
        if (
            self.rules.feedback.about.count(self.rules) == 2 and self.rules.prior is None
        ):  # yes or no: each guess rules out itself alone
            return (len(codes) + 1) / 2
        begun = begun or len(codes)
        # Only boards of very few answers take more guesses than that.
        if depth >= 40:
            return len(codes) * depth / (2 * max(begun - len(codes), 1))
        self._spend(TRIED, min(len(codes), JUDGED))
        guess = self._greedy(codes)
        # To choose some parts of the best guess is worth eight guesses on all codes.
        self._spend(8, len(codes))
        expected = float(self.costs(codes, _one(guess, self.rules))[0])
        parts = self._drawn(codes, guess, FOLLOWED[min(depth, len(FOLLOWED) - 1)])
        if not parts:
            return expected
        gap = np.mean([self.played(part, depth + 1, begun) - float(self(np.array([len(part)]))[0]) for part in parts])
        lost = 1.0 if guess not in codes else 1.0 - 1 / len(codes)
        return expected + lost * float(gap)

    def _small(self, codes: CodeSet) -> float:
        weights = whole_weights(codes.chances)[0]
        if len(codes) <= 2:
            weights = np.sort(weights)[::-1]
            return float((weights * np.arange(1, len(codes) + 1)).sum() / weights.sum())
        pool = self._pool(codes, 250)
        search = SmallSearch(codes.labels(pool), self.rules.win_label, weights, self.work, followers(pool))
        mean = search.followed() / search.mass
        self.work = search.work
        return mean

    def _greedy(self, codes: CodeSet) -> Code:
        pool, judged = self._pool(codes, TRIED), codes.drawn(JUDGED, self._rng)
        return pool[int(np.argmin(self.costs(judged, pool)))]

    def _pool(self, codes: CodeSet, number: int) -> CodeSet:
        """A number of guesses: codes of the set, half at least, and any legal ones."""
        some = codes.drawn(max(number // 2, SMALL if len(codes) <= SMALL else 0), self._rng)
        if self._all is None or number <= len(some):
            return some
        others = self._all.drawn(number - len(some), self._rng)
        return CodeSet(self.rules, np.unique(np.concatenate([some.planes, others.planes], axis=1), axis=1))

    def _drawn(self, codes: CodeSet, guess: Code, number: int) -> list[CodeSet]:
        """A number of the parts that a guess leaves, as likely as they are large: every code of a part counts alike."""
        labels = codes.score(guess)
        place = labels if self.rules.label_count <= TABLE else np.unique(labels, return_inverse=True)[1]
        sizes, shares = np.bincount(place), np.bincount(place, codes.chances)
        won = codes.index_of(guess)
        if won is not None:  # that answer leaves nothing to play
            sizes[place[won]], shares[place[won]] = 0, 0.0
        # Evenly spaced over the parts in order of size: large and small ones come as often as they should.
        order = np.argsort(sizes, kind="stable")
        order = order[sizes[order] > 0]
        if not len(order) or number < 1:
            return []
        reach = np.cumsum(shares[order])
        marks = (np.arange(number) + self._rng.random()) / number * reach[-1]
        chosen = order[np.minimum(np.searchsorted(reach, marks), len(order) - 1)]
        return [codes.take_trusted(np.flatnonzero(place == one)) for one in chosen]


def _one(guess: Code, rules: Rules) -> CodeSet:
    return CodeSet(rules, np.array([guess]).T)
