"""Compiled message passing for one game on a large board: from each answer to each peg. Nothing is checked.

The state is `weights[peg, color]`, the chance of each color on each peg up to a factor a row, and, for every question
on a row, the factor by which that question multiplied it. A question is a sum of independent pegs, so that its law is
Poisson-binomial; taking one peg out of the product and asking for one less is done exactly, by the law of the pegs
before it and that of the pegs after it.
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg.kernels.compile import Array, inner, kernel
from entropeg.kernels.mixing import xorshift

TINY = 1e-280
"""Below this a probability counts as none: products of two such numbers would underflow."""

LOST = 1e-305
"""No weight is less, but for none at all, and none is more than its inverse: what hundreds of answers agree on can be
unlearned, and every row keeps a sum."""

_next = inner(xorshift)


class Answers(NamedTuple):
    """The blacks of T turns.

    guesses: int32[T, n]. blacks: int64[T]. ratios: float64[T, n], how much more likely answer t is if peg i has color
    guesses[t, i].
    """

    guesses: NDArray[np.int32]
    blacks: NDArray[np.int64]
    ratios: NDArray[np.float64]


class MessageScratch(NamedTuple):
    """Room for the messages of one question to n pegs; K is the largest number that they can add up to.

    sums, chances: float64[n]. live: int64[n], the pegs spoken to. before: float64[n + 1, K + 1] and after:
    float64[K + 2], laws of the pegs before one and of those after it.
    """

    sums: NDArray[np.float64]
    chances: NDArray[np.float64]
    live: NDArray[np.int64]
    before: NDArray[np.float64]
    after: NDArray[np.float64]

    @classmethod
    def of(cls, pegs: int) -> MessageScratch:
        """Make room for this many pegs."""
        sums, chances = np.empty((2, pegs))
        return cls(sums, chances, np.empty(pegs, np.int64), np.empty((pegs + 1, pegs + 2)), np.empty(pegs + 2))


@inner
def _kept(new: float, old: float) -> float:
    """Return a weight within bounds, or none where it was none before."""
    return min(max(new, LOST), 1 / LOST) if old > 0 else 0.0


@inner
def _normalize(weights: Array) -> None:
    """Make every row sum to 1."""
    for i in range(weights.shape[0]):
        total = 0.0
        for c in range(weights.shape[1]):
            total += weights[i, c]
        for c in range(weights.shape[1]):
            weights[i, c] = _kept(weights[i, c] / total, weights[i, c])


@inner
def _find_live(weights: Array, answers: Array, t: int, decided: float, scratch: Array) -> Any:
    """Fill the chances of the pegs without what answer t says, and the pegs spoken to; return these and their blacks.

    Pegs sure by `decided` count as black or not, and are left out; where the answer is impossible then, none is sure.
    """
    chances, live, sums = scratch.chances, scratch.live, scratch.sums
    guesses, ratios = answers.guesses, answers.ratios
    count, certain = 0, 0
    for i in range(weights.shape[0]):
        # The turn's own message is taken out first: it must not hear itself.
        own = weights[i, guesses[t, i]]
        rest = max(sums[i] - own, 1e-14 * sums[i])
        own /= ratios[t, i]
        chances[i] = min(max(own / (own + rest), 1e-13), 1 - 1e-13)
        if chances[i] > 1 - decided:
            certain += 1
        elif chances[i] >= decided:
            live[count] = i
            count += 1
    black = answers.blacks[t] - certain
    if black < 0 or black > count:
        black, count = answers.blacks[t], weights.shape[0]
        for i in range(count):
            live[i] = i
    return count, black


@inner
def _add_up(count: int, black: int, scratch: Array) -> None:
    """Fill before[j, k], the chance that the first j pegs spoken to have k blacks."""
    chances, live, before = scratch.chances, scratch.live, scratch.before
    for k in range(black + 1):
        before[0, k] = 0.0
    before[0, 0] = 1.0
    for j in range(count):
        x = chances[live[j]]
        y = 1 - x
        before[j + 1, 0] = before[j, 0] * y
        for k in range(1, black + 1):
            before[j + 1, k] = before[j, k] * y + before[j, k - 1] * x


@inner
def _believe(weights: Array, sums: Array, i: int, color: int, new: float, anew: bool) -> None:
    """Set one weight of a peg and correct the sum of its row; add it up `anew` where differences would lose digits."""
    sums[i] += new - weights[i, color]
    weights[i, color] = new
    if anew or sums[i] < new:
        sums[i] = 0.0
        for c in range(weights.shape[1]):
            sums[i] += weights[i, c]


@kernel
def pass_blacks(weights: Array, answers: Array, order: Array, least: float, decided: float, scratch: Array) -> float:
    """Update the messages of all black counts once, damped by half (a geometric mean); mean of `|log change|`.

    weights: float64[n, m], rows made to sum to 1. The ratios of the answers are kept within [least, 1 / least].
    order: int64[<= T], the turns in the order in which they speak. Pegs whose chance is within `decided` of 0 or 1 are
    counted as such and not spoken to, unless the answer is impossible then. About 4 * black operations for every peg
    and turn.
    """
    pegs = weights.shape[0]
    guesses, ratios = answers.guesses, answers.ratios
    chances, live, sums = scratch.chances, scratch.live, scratch.sums
    before, after = scratch.before, scratch.after
    most, moved = 1 / least, 0.0
    _normalize(weights)
    for i in range(pegs):
        sums[i] = 1.0
    for t in order:
        count, black = _find_live(weights, answers, t, decided, scratch)
        _add_up(count, black, scratch)
        # after[black - k] = chance that the pegs behind make up for k: backwards, so that both run upwards below.
        for k in range(black):
            after[k] = 0.0
        after[black], after[black + 1] = 1.0, 0.0
        for j in range(count - 1, -1, -1):
            i = live[j]
            with_it, without = 0.0, 0.0
            for k in range(black + 1):
                without += before[j, k] * after[k]
                with_it += before[j, k] * after[k + 1]
            x = chances[i]
            y = 1 - x
            for k in range(black + 1):
                after[k] = after[k] * y + after[k + 1] * x
            ratio = min(max(with_it / max(without, TINY), least), most)
            old = ratios[t, i]
            # Half of the step: whole steps of turns that share pegs swing to and fro.
            ratio = sqrt(ratio * old)
            color = guesses[t, i]
            new = _kept(weights[i, color] * ratio / old, weights[i, color])
            _believe(weights, sums, i, color, new, ratio < 0.01 * old)
            ratios[t, i] = ratio
            moved += abs(log(ratio / old))
    return float(moved / max(1, len(order) * pegs))


@kernel
def pass_colors(weights: Array, ratios: Array, likely: Array, chosen: Array, least: float, scratch: Array) -> None:
    """Update the messages of color counts to the pegs, damped by half; rows are made to sum to 1.

    weights: float64[n, m]. ratios: float64[n, m]. likely: float64[m, K + 1], likelihood of each count of a color, the
    last not zero. chosen: int64[], the colors of which anything is known. About 4 * K operations for every peg and
    color.
    """
    pegs = weights.shape[0]
    chances, before, after, most = scratch.chances, scratch.before, scratch.after, 1 / least
    _normalize(weights)
    for c in chosen:
        # Counts beyond the last likely one need no columns.
        top = likely.shape[1] - 1
        while top > 0 and likely[c, top] == 0:
            top -= 1
        # after[k] = likelihood of the counts known of the color if the pegs before have it k times.
        for k in range(top + 1):
            before[0, k] = 0.0
            after[k] = likely[c, k]
        before[0, 0], after[top + 1] = 1.0, 0.0
        for i in range(pegs):
            own = weights[i, c]
            rest = max(1 - own, 1e-14)
            own /= ratios[i, c]
            x = min(max(own / (own + rest), 1e-13), 1 - 1e-13)
            chances[i] = x
            before[i + 1, 0] = before[i, 0] * (1 - x)
            for k in range(1, top + 1):
                before[i + 1, k] = before[i, k] * (1 - x) + before[i, k - 1] * x
        for i in range(pegs - 1, -1, -1):
            with_it, without = 0.0, 0.0
            for k in range(top + 1):
                without += before[i, k] * after[k]
                with_it += before[i, k] * after[k + 1]
            x = chances[i]
            for k in range(top + 1):
                after[k] = after[k] * (1 - x) + after[k + 1] * x
            ratio = min(max(with_it / max(without, TINY), least), most)
            ratio = sqrt(ratio * ratios[i, c])
            weights[i, c] = _kept(weights[i, c] * (ratio / ratios[i, c]), weights[i, c])
            ratios[i, c] = ratio
    _normalize(weights)


@kernel
def temper_codes(
    codes: Array, misses: Array, asked: Array, betas: Array, odds: Array, rounds: int, state: Array, out: Array
) -> int:
    """Let chains of codes at several temperatures look for codes that fit every answer; return how many were written.

    Energy is the sum of `|black - answer|`; a step swaps the colors of two pegs. Chains side by side exchange their
    codes every n steps; every code of energy 0 met then is written to `out` (all equally likely, some of them alike)
    until that is full.

    codes: int16[chains, n], misses: int16[chains, T], black less answer for each, both kept from call to call.
    asked: int16[n, T], color of peg i in turn t. betas: float64[chains], ascending. odds: float64[chains, 64],
    exp(-beta * k). rounds: of n steps each. state: uint64[1], not 0, of the generator. out: int16[N, n].
    """
    chains, pegs = codes.shape
    turns = misses.shape[1]
    found = 0
    gain: Any
    after: Any
    energy: Any
    for _ in range(rounds):
        for a in range(chains):
            energy = 0
            for t in range(turns):
                energy += abs(misses[a, t])
            for _ in range(pegs):
                x = state[0] = _next(state[0])
                i = np.int64((x & np.uint64(0xFFFFF)) * np.uint64(pegs) >> np.uint64(20))
                j = np.int64(((x >> np.uint64(20)) & np.uint64(0xFFFFF)) * np.uint64(pegs) >> np.uint64(20))
                chance = np.float64(x >> np.uint64(40)) / 16777216.0
                old, new = codes[a, i], codes[a, j]
                if old == new:
                    continue
                # Most steps are refused, so the changes are not written down: a step that is taken computes them again.
                after = 0
                for t in range(turns):
                    gain = np.int16(asked[i, t] == new) - np.int16(asked[i, t] == old)
                    gain += np.int16(asked[j, t] == old) - np.int16(asked[j, t] == new)
                    after += abs(misses[a, t] + gain)
                if after > energy and (after - energy >= odds.shape[1] or chance >= odds[a, after - energy]):
                    continue
                energy = after
                for t in range(turns):
                    gain = np.int16(asked[i, t] == new) - np.int16(asked[i, t] == old)
                    gain += np.int16(asked[j, t] == old) - np.int16(asked[j, t] == new)
                    misses[a, t] += gain
                codes[a, i], codes[a, j] = new, old
            if energy == 0:
                for p in range(pegs):
                    out[found, p] = codes[a, p]
                found += 1
                if found == out.shape[0]:
                    return found
        for a in range(chains - 1):
            gain = 0
            for t in range(turns):
                gain += abs(misses[a, t]) - abs(misses[a + 1, t])
            x = state[0] = _next(state[0])
            # The colder chain, a + 1, takes the code of lower energy, or now and then the other.
            if np.float64(x >> np.uint64(40)) / 16777216.0 < exp(min(0.0, (betas[a] - betas[a + 1]) * gain)):
                for p in range(pegs):
                    codes[a, p], codes[a + 1, p] = codes[a + 1, p], codes[a, p]
                for t in range(turns):
                    misses[a, t], misses[a + 1, t] = misses[a + 1, t], misses[a, t]
    return found
