"""The answer by marks by place that leaves most codes, on boards that nobody can list: estimated, and proven to fit.

What the turns say is known exactly (`candidates.domains`). An answer is taken from a code within these domains, so that
one fits, and the number of codes that it leaves is estimated: pegs are held to be independent, each of its colors as
likely, and the numbers of colors too, but that they add up to the pegs. On 5x8 and 6x8 this names an answer that leaves
most in 96 of 100 turns; without the sum, in 76.
"""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from entropeg.candidates.build import build_within
from entropeg.candidates.chains import code_set
from entropeg.candidates.domains import Domains
from entropeg.codes import CodeSet
from entropeg.feedback import Code, Marks
from entropeg.position import Position

Array = Any  # dtypes are said in the docstrings

LISTED, TRIED = 3000, 200_000
"""Most codes that are listed, and symbols that are tried to build them: hundredths of a second."""

LISTED_BITS = 30.0
"""Codes are listed where they are estimated to be fewer, in bits."""

CELLS = 2_000_000
"""Pegs x symbols of the codes whose answers are compared at a time, 256 to 88 pegs and colors."""

ROUNDS = 24
"""Times that the codes of the best answers are moved on, in search of answers that leave more."""


class MarkedCodes:
    """The codes that fit some turns with marks by place, one of them being `some`, and the best answer to a guess."""

    def __init__(self, position: Position) -> None:
        """Take in the turns; raises ContradictionError, naming them, where no code fits, TooLargeError if too large."""
        self.rules = rules = position.rules
        self.domains = Domains.of(rules, position.turns)
        code = self.domains.fitting() if self.domains.tighten() else None
        if code is None:
            position.check_consistent()
            raise AssertionError("a position without a code that fits is contradictory")
        self.some: Code = tuple(code.tolist())

    def listed(self) -> CodeSet | None:
        """Return all codes, in lexicographic order; None where they are many."""
        nothing = np.full(self.rules.pegs, -1)
        if self.left_after(nothing, np.zeros((1, self.rules.pegs), np.int64))[0] > LISTED_BITS:
            return None
        rows = build_within(self.rules, self.domains, LISTED, TRIED)
        return None if rows is None else code_set(self.rules, rows)

    def answer(self, guess: Code) -> Marks:
        """Return the answer that is found to leave most codes; the win only where it is proven that no other code fits.

        Follows from the turns and the guess alone.
        """
        asked, rng = np.array(guess), np.random.default_rng(0)
        number = max(16, min(256, CELLS // self.domains.allowed.size))
        rows = self._some_others(asked, rng)
        best, most = Marks((2,) * len(guess)), -np.inf
        for _ in range(ROUNDS if len(rows) else 0):
            # The codes of the best answers, and some that each of them moves to.
            pool = np.concatenate([rows, self.domains.moved(np.repeat(rows, number // len(rows), axis=0), 2, rng)])
            pool = np.unique(pool[(pool != asked).any(axis=1)], axis=0)
            answers = marks_of_all(asked, pool)
            left = self.left_after(asked, answers)
            order = np.argsort(-left, kind="stable")[:16]
            rows = pool[order]
            if left[order[0]] > most:
                best, most = Marks(answers[order[0]].tolist()), left[order[0]]
        return best

    def _some_others(self, guess: Array, rng: np.random.Generator) -> Array:
        # Codes that fit other than the guess, int64[N, pegs]. Where those made at random are all the guess, one that
        # differs at a peg is looked for, at each of them: if none is found there is none.
        rows = np.array([self.domains.fitting(rng.random(self.domains.allowed.shape)) for _ in range(16)])
        rows = rows[(rows != guess).any(axis=1)]
        for peg, color in enumerate(guess) if not len(rows) else ():
            others = copy(self.domains)
            others.allowed = others.allowed.copy()
            others.allowed[peg, color] = False
            code = others.fitting()
            if code is not None:
                return code[None]
        return rows

    def left_after(self, guess: Array, answers: Array) -> Array:
        """Estimate how many codes some answers leave, float64[N], in bits.

        guess: int64[pegs], -1 where a peg asks nothing; answers: int64[N, pegs].
        """
        domains, (pegs, symbols) = self.domains, self.domains.allowed.shape
        colors = np.arange(symbols)
        asks, black = guess[:, None] == colors, answers == 2
        # The numbers that a color may have after the answer, as in `Domains.take`.
        marked, asked = (answers > 0).astype(np.int64) @ asks, asks.sum(axis=0)
        least = np.maximum(domains.least, marked)
        most = np.where(marked < asked, np.minimum(domains.most, marked), domains.most)
        rest = (domains.allowed & ~asks).sum(axis=1)
        bits = np.where(black, 0.0, np.log2(np.maximum(rest, 1e-9))).sum(axis=1)
        top = int(max(most[most < pegs].max(initial=0), least.max() - 1))
        law, mean, variance = np.zeros((top + 1, *least.shape)), np.zeros(least.shape), np.zeros(least.shape)
        law[0] = 1
        for peg in range(pegs):
            share = (domains.allowed[peg] & ~asks[peg]) / max(rest[peg], 1)
            chance = np.where(black[:, peg, None], asks[peg] * 1.0, share)
            mean += chance
            variance += chance * (1 - chance)
            law[1:] += chance * (law[:-1] - law[1:])
            law[0] *= 1 - chance
        # The chance that the number of a color is within its bounds, its mean and its variance then.
        each, numbers = np.arange(len(answers))[:, None], np.arange(top + 1)[:, None, None]
        moments = []
        for power, whole in enumerate((1.0, mean, variance + mean**2)):
            below = np.concatenate([np.zeros((1, *least.shape)), (law * numbers**power).cumsum(axis=0)])
            high = np.where(most < pegs, below[np.minimum(most, top) + 1, each, colors], whole)
            moments.append(high - below[np.minimum(least, top + 1), each, colors])
        fits = np.maximum(moments[0], 1e-300)
        mean = moments[1] / fits
        spread, narrowed = (
            each.sum(axis=1) + 1 / 12 for each in (variance, np.maximum(moments[2] / fits - mean**2, 0.0))
        )
        # All numbers add up to the pegs, which they do as if by a normal law, before and after.
        off = pegs - mean.sum(axis=1)
        bits += 0.5 * np.log2(spread / narrowed) - off**2 / (2 * narrowed) * np.log2(np.e)
        return np.asarray(bits + np.log2(fits).sum(axis=1))


def marks_of_all(guess: Array, codes: Array) -> Array:
    """Return the marks of a guess, int64[pegs], against each code, int64[N, pegs]: int64[N, pegs], as `marks_of`."""
    answers = 2 * (codes == guess)
    for color in np.unique(guess):
        pegs = np.flatnonzero(guess == color)
        missed = answers[:, pegs] == 0
        unmatched = (codes == color).sum(axis=1) - (~missed).sum(axis=1)
        answers[:, pegs] += missed & (missed.cumsum(axis=1) <= unmatched[:, None])
    return answers
