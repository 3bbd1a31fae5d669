"""The guess that splits some codes best, among all legal guesses: a few compared, the best improved peg by peg.

Serves boards whose guesses nobody can list. The price of a guess is the number of further guesses that its parts are
expected to need.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import log2

import numpy as np

from entropeg.codes import Array, CodeSet
from entropeg.errors import TooLargeError
from entropeg.feedback import Code
from entropeg.rules import Blanks, Rules

UNIT = 1_000_000
"""Prices are whole numbers of millionths of a guess, for each code."""

APART = 9
"""The most codes that a guess is expected to tell all apart."""


COMPARED = 300
"""Codes that are compared before the best are improved."""


FOLLOWERS, CHANGES = 50, 100
"""Codes of a part that are compared for the guess that follows, and changes tried on the best of them."""


def outlook(codes: float, bits: float = 3.3) -> float:
    """Return the number of guesses that equally likely codes are expected to need, the last one counted.

    Few codes, of which one is played and tells the others apart, need (1 + 2 (x - 1)) / x; each doubling beyond costs
    1 / `bits`, those that a guess tells of more codes.

    >>> outlook(1), outlook(2), outlook(9 * 2**3.3) - outlook(9)
    (1.0, 1.5, 1.0)
    """
    few = min(codes, APART)
    # Neither number matters much: on 7x10, from 65 to 183 codes on, 4
    # to 9 codes and 2.8 to 4 bits move the mean by 0.005 guesses; to look two guesses ahead saves 0.011.
    return 2 - 1 / max(few, 1.0) + (log2(codes / APART) / bits if codes > APART else 0.0)


@lru_cache(maxsize=64)
def _prices(size: int, scale: float) -> Array:
    # Price of a part of k codes of a sample, each of which stands for `scale` codes.
    return np.array([round(UNIT * k * outlook(max(1.0, k * scale))) for k in range(size + 1)], np.int64)


@dataclass(frozen=True)
class PricedGuess:
    """A guess, its price for each code in guesses still to come, and whether it is one of the codes."""

    guess: Code
    price: float
    is_candidate: bool


class Splitter:
    """Some codes that are to be told apart: prices guesses, and improves them.

    `stands_for` is the number of codes that the sample stands for, infinite where nobody knows.
    """

    def __init__(self, codes: CodeSet, rng: np.random.Generator, stands_for: float) -> None:
        """Lay the codes out for the kernels; raises TooLargeError beyond 255 pegs or 254 symbols."""
        from entropeg.kernels.choosing import NEVER, PriceScratch, Sample
        from entropeg.kernels.compile.byte_rows import LANES

        self.rules = rules = codes.rules
        if rules.pegs > NEVER or rules.symbols_in_guesses >= NEVER:
            raise TooLargeError(
                "{rules} has more than {pegs} pegs or {symbols} symbols, which do not fit a byte",
                *(rules, NEVER, NEVER - 1),
            )
        self.codes, number = codes, len(codes)
        size = -(-number // LANES) * LANES
        planes = np.full((rules.pegs, size), NEVER, np.uint8)
        counts = np.zeros((rules.symbols_in_guesses, size), np.uint8)
        planes[:, :number], counts[:, :number] = codes.planes, codes.counts
        scale = min(max(stands_for / number, 1.0), 2.0**200)
        phi = _prices(number, round(scale, 3))
        rule = _rule(rules, number, int(phi[1] / scale))
        self.sample = Sample(planes, counts, np.zeros(size, np.uint8), phi, rule)
        self.scratch = PriceScratch(
            np.zeros((4, size), np.uint8),
            np.zeros((rules.pegs + 1) ** 2, np.int32),
            np.zeros(rules.symbols_in_guesses, np.int64),
            np.array([int(rng.integers(1, 1 << 62))], np.uint64),
        )

    def prices(self, guesses: Array) -> Array:
        """Return the prices of guesses, `uint8[g, pegs]`: `int64[g]`, in millionths, summed over the codes."""
        from entropeg.kernels.choosing import price_guesses

        prices = np.zeros(len(guesses), np.int64)
        # An array that may not be written to is a type of its own, for which the kernel would be compiled once more.
        price_guesses(self.sample, self.scratch, np.require(guesses, requirements="W"), prices)
        return prices

    def improve(self, guess: Array, price: int, tries: int) -> int:
        """Change a guess in place where that lowers its price, trying so often; return the price reached."""
        from entropeg.kernels.choosing import improve_guess

        return improve_guess(self.sample, self.scratch, guess, tries, price)

    def improved(self, guesses: Array, prices: Array, number: int, tries: int) -> tuple[Array, Array]:
        """Return a number of guesses of the lowest prices, each improved by some tries, and the prices reached."""
        chosen = np.argsort(prices, kind="stable")[:number]
        found, reached = guesses[chosen].copy(), prices[chosen].copy()
        for place, guess in enumerate(found):
            reached[place] = self.improve(guess, int(reached[place]), tries)
        return found, reached


def _rule(rules: Rules, number: int, win: int) -> Array:
    multiple = rules.feedback.about.common != "members"
    free = rules.colors if rules.blanks != Blanks.none else -1
    marks = not rules.feedback.about.in_place_only
    return np.array([number, multiple, marks, bool(rules.guess_repeats), free, win], np.int64)


def split_best(
    codes: CodeSet, rng: np.random.Generator, *, stands_for: float, tries: int, candidates: Array | None = None
) -> PricedGuess:
    """Return the guess of the lowest price that is found: the best of `candidates` or of the codes, improved.

    `candidates` (`uint8[g, pegs]`) are guesses that may be the secret, the codes themselves if left out. `tries`
    changes are tried in all.
    """
    splitter = Splitter(codes, rng, stands_for)
    pool = codes.planes.T if candidates is None else candidates
    if len(pool) > COMPARED:
        pool = pool[rng.choice(len(pool), COMPARED, replace=False)]
    pool = np.ascontiguousarray(pool)
    prices = splitter.prices(pool)
    # The best four are improved.
    improved, reached = splitter.improved(pool, prices, 4, tries // 4)
    is_better = reached.min() < prices.min()  # else it may have become another one that is as good
    best, price = (improved[reached.argmin()], reached.min()) if is_better else (pool[prices.argmin()], prices.min())
    guess = tuple(best.tolist())
    return PricedGuess(guess, int(price) / UNIT / len(codes), guess in codes)


def look_ahead(codes: CodeSet, rng: np.random.Generator, *, tries: int) -> PricedGuess:
    """Return the best of several good guesses, judged by the best guess that follows in each of its parts.

    `codes` must be all that are left, up to a few thousand. Guesses after the second one are judged by `outlook`.
    """
    splitter = Splitter(codes, rng, float(len(codes)))
    ahead, best = Ahead(splitter), None
    for row in _good_guesses(splitter, tries):
        guess = tuple(row.tolist())
        price = ahead.price(row, best.price if best else np.inf)
        if best is None or (price, guess not in codes) < (best.price, not best.is_candidate):
            best = PricedGuess(guess, price, guess in codes)
    assert best is not None
    return best


class Ahead:
    """Prices guesses by the guesses that follow them: the codes of a splitter are all that are left."""

    def __init__(self, splitter: Splitter) -> None:
        from entropeg.kernels.choosing import PartScratch, Sample

        sample = splitter.sample
        part = Sample(sample.planes.copy(), sample.counts.copy(), sample.blank, sample.phi, sample.rule.copy())
        cells = (len(sample.planes) + 1) ** 2
        self._splitter = splitter
        self._parts = PartScratch(
            part,
            np.zeros(len(sample.blank), np.int32),
            np.zeros(cells, np.int32),
            np.zeros((2, len(sample.planes)), np.uint8),
        )

    def price(self, guess: Array, limit: float, changes: int = CHANGES) -> float:
        """Return the price of a guess for each code; a price above `limit` may come out too low, yet above it."""
        from entropeg.kernels.choosing import price_ahead

        splitter, scale = self._splitter, UNIT * len(self._splitter.codes)
        most = round(limit * scale) if np.isfinite(limit) else 1 << 62
        return (
            price_ahead(splitter.sample, splitter.scratch, self._parts, guess, FOLLOWERS, changes, UNIT, most) / scale
        )


def _good_guesses(splitter: Splitter, tries: int) -> Array:
    codes = splitter.codes.planes.T
    codes = np.ascontiguousarray(codes[:: -(-len(codes) // COMPARED)])
    prices = splitter.prices(codes)
    found = {tuple(row): int(price) for row, price in zip(codes.tolist(), prices, strict=True)}
    # On 21 lists of some 400 codes of 8x12, every code played, 10 improved and 10 looked at took 3.353 guesses, 20 of
    # each 3.351: so 16.
    improved, reached = splitter.improved(codes, prices, 16, tries // 16)
    found |= {tuple(row): int(price) for row, price in zip(improved.tolist(), reached, strict=True)}
    best = sorted(found, key=lambda guess: (found[guess], guess))[:16]
    return np.array(best, np.uint8)
