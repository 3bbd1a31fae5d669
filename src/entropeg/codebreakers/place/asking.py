"""The guess that tells most: by the chances of each color on each peg, or by the codes that are left, where listed.

A guess by chances starts from a code that fits and is changed peg by peg. No color is asked on more pegs than it is
expected to have, or than show whether it has one more than is known: frequent colors would be found first, and a peg
that is found tells no more.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg.candidates import Clues
from entropeg.codebreakers.place.knowledge import Placed
from entropeg.codebreakers.sampling.splitting import UNIT, outlook
from entropeg.kernels.mixing import GAMMA, mixed
from entropeg.rules import Rules

Array = Any  # dtypes are said in the docstrings

COMPARED, IMPROVED = 150, 3
"""Codes that are compared as guesses on a list, and those of them that are improved. More of either gain nothing."""


class GuessBounds(NamedTuple):
    """The guesses that the rules allow: pegs that keep a color (else -1), int64[pegs], and the numbers of colors.

    fewest, most: int64[symbols].
    """

    held: NDArray[np.int64]
    fewest: NDArray[np.int64]
    most: NDArray[np.int64]

    @classmethod
    def of(cls, rules: Rules, clues: Clues | None) -> GuessBounds:
        """Return those of the rules, and of clues where there are some."""
        pegs, symbols = rules.pegs, rules.symbols_in_secrets
        held, fewest, most = np.full(pegs, -1), np.zeros(symbols, np.int64), np.full(symbols, pegs)
        if not rules.guess_repeats:
            most[: rules.colors] = 1
        if clues is not None:
            for peg, color in clues.places:
                held[peg] = color
                fewest[color] += 1
            for color, number in clues.least:
                fewest[color] = number
        return cls(held, fewest, most)


def ask_most(known: Placed, limits: GuessBounds, starts: int, sweeps: int, rng: np.random.Generator) -> Array | None:
    """Return the guess that tells most by the chances, int64[pegs], of some codes that fit, improved.

    None where no code fits, which is a proof.
    """
    from entropeg.kernels import placing as kernel

    domains, chances = known.domains, known.chances
    pegs, symbols = chances.shape
    # A little less than a whole number is one.
    expected = np.ceil(chances.sum(axis=0) - 1e-6).astype(np.int64)
    room = np.minimum(np.maximum(domains.least + (domains.least < domains.most), expected), limits.most)
    laws = _laws(known)
    # Where the rules bind a guess, or each color has one peg, pegs change places too.
    swaps = np.array([bool(limits.fewest.any()) or bool((limits.most == 1).any())])
    allowed = kernel.GuessLimits(limits.held >= 0, limits.fewest, room, swaps)
    scratch = kernel.PlacingScratch(
        np.empty(pegs + 1),
        np.empty(pegs + 1),
        np.empty(known.top + 1),
        np.zeros(pegs, np.bool_),
        np.empty(pegs, np.int64),
        np.empty(pegs, np.int64),
        np.empty(pegs),
        rng.integers(1, 1 << 62, size=1).astype(np.uint64),
    )
    most, best = -1.0, None
    for _ in range(starts):
        # Pairs are drawn one after the other, each by its chance.
        liking = rng.random(chances.shape) ** (1 / np.maximum(chances, 1e-6))
        code = domains.fitting(liking, room)
        code = domains.fitting(liking) if code is None else code
        if code is None:
            return None
        asked = kernel.PegsByColor(
            code, np.empty((symbols, pegs), np.int64), np.empty(symbols, np.int64), np.empty(symbols)
        )
        told = kernel.climb(laws, allowed, asked, sweeps, scratch)
        if told > most + kernel.GAIN:
            most, best = told, code
    return best


def _laws(known: Placed) -> Any:
    from entropeg.kernels import placing as kernel

    domains, chances = known.domains, known.chances
    absent = _chances_of_none(known)
    # Alone, a peg is told that it is right, that the color is elsewhere, or that it is nowhere.
    alone = sum(_share(part) for part in (chances, absent, np.maximum(1 - chances - absent, 0.0)))
    order = np.argsort(-alone, axis=1, kind="stable")
    return kernel.ColorLaws(known.odds, domains.least, domains.most, alone, order)


def _chances_of_none(known: Placed) -> Array:
    # Of each color, whether no peg has it: the law of its number, cut off at `top`.
    least, most, odds = known.domains.least, known.domains.most, known.odds
    law = np.zeros((known.top + 1, odds.shape[1]))
    law[0] = 1
    for row in odds:
        law[1:] = law[1:] * (1 - row) + law[:-1] * row
        law[0] *= 1 - row
    counts = np.arange(known.top + 1)[:, None]
    law[(counts < least) | (counts > most)] = 0
    return law[0] / np.maximum(law.sum(axis=0), 1e-300)


def _share(chance: Array) -> Array:
    return -chance * np.log2(np.maximum(chance, 1e-300))


def split_listed(codes: Array, limits: GuessBounds, tries: int, rng: np.random.Generator) -> Array:
    """Return the guess, int16[pegs], whose parts of the codes left need the fewest guesses: one of them, improved.

    codes: int16[N, pegs], all that are left. The price of a part is that of `sampling`.
    """
    from entropeg.kernels import placing as kernel

    if len(codes) <= 2:
        return np.asarray(codes[0])
    listed, scratch = laid_out(codes, len(limits.most), rng)
    allowed = kernel.GuessLimits(limits.held >= 0, limits.fewest, limits.most, np.ones(1, np.bool_))
    pool = codes[rng.permutation(len(codes))[:COMPARED]]
    prices = np.empty(len(pool), np.int64)
    kernel.price_listed(listed, scratch, pool, prices)
    order = np.argsort(prices, kind="stable")
    best, price = pool[order[0]], int(prices[order[0]])
    # One of the codes that tells all others apart is not improved on.
    for start in order[:IMPROVED] if price > UNIT * (len(codes) - 1) else ():
        guess = pool[start].copy()
        reached = kernel.improve_listed(listed, allowed, scratch, guess, tries, int(prices[start]))
        if reached < price:
            best, price = guess, reached
    return best


def laid_out(codes: Array, symbols: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """Return codes, int16[N, pegs], as the kernels take them, and room to work in."""
    from entropeg.kernels import placing as kernel

    number, pegs = codes.shape
    counts = np.zeros((symbols, number), np.int16)
    for peg in range(pegs):
        counts[codes[:, peg], np.arange(number)] += 1
    words = mixed(np.arange(1, pegs + symbols * (pegs + 1) + 1, dtype=np.uint64) * GAMMA)
    marked = words[pegs:].reshape(symbols, pegs + 1).copy()
    marked[:, 0] = 0
    # Marks by place tell some six bits of thousands of codes; with 3.3, as of black and white, 20x20 takes 0.03 ± 0.02
    # guesses more.
    phi = np.array([round(UNIT * size * outlook(max(size, 1), 6.0)) for size in range(number + 1)], np.int64)
    listed = kernel.ListedCodes(np.ascontiguousarray(codes.T), counts, words[:pegs].copy(), marked, phi)
    size = 1 << (2 * number).bit_length()
    scratch = kernel.PartsScratch(
        np.empty((2, number), np.uint64),
        np.empty((2, number), np.int16),
        np.empty(size, np.uint64),
        np.empty(size, np.int32),
        np.empty(symbols, np.int64),
        rng.integers(1, 1 << 62, size=1).astype(np.uint64),
    )
    return listed, scratch
