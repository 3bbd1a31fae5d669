"""Chooses a question about a few unknown numbers, whose joint law is a list of weighted states.

A *state* gives a value to each unknown, one row an unknown. The unknowns lie in *cells*, an unknown in one cell only; a
question takes at most one unknown of each cell with a plus and at most one other with a minus, and is answered
with the signed sum. The best question is the one whose answer has the most entropy. A *painting* asks how many pegs of
some colors are in the cells painted so, and how many they have in all.
"""

from __future__ import annotations

from math import log2
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg.kernels.compile import Array, inner, kernel
from entropeg.kernels.mixing import xorshift

TRIFLE = 1e-6


_next = inner(xorshift)


class Unknowns(NamedTuple):
    """The questions of a window.

    values: int8 or int32[rows, states]; weights: float64[states], their sum 1. cells: int64[V, K], the rows in each
    cell, counts[v] of them. most: int64[rows], the largest value of each row or difference of two, either way.
    """

    values: NDArray[np.signedinteger[Any]]
    weights: NDArray[np.float64]
    cells: NDArray[np.int64]
    counts: NDArray[np.int64]
    most: NDArray[np.int64]


class QuestionScratch(NamedTuple):
    """Signed sums of the question and of another on trial, int32[states] each, and two histograms of sums.

    bins: float64[2, size], size above twice the sum over the cells of the largest value.
    """

    sums: NDArray[np.int32]
    trial: NDArray[np.int32]
    bins: NDArray[np.float64]


@inner
def _draw(below: int, random: Array) -> int:
    # The state of the generator, never 0.
    random[0] = _next(random[0])
    return int(np.int64(random[0] >> np.uint64(11)) % below)


@kernel
def _entropy(sums: Array, weights: Array, offset: int, bins: Array) -> float:
    # Bits of the law of sums[s] + offset, each in 0, ..., 2 * offset, and a trifle for each different sum, so that what
    # is all but certain is asked about too when nothing else is left. Two histograms, added up at the end: equal sums
    # in a row would otherwise wait for each other.
    count, size = sums.size, 2 * offset + 1
    for place in range(size):
        bins[0, place] = 0.0
        bins[1, place] = 0.0
    for state in range(0, count - 1, 2):
        bins[0, sums[state] + offset] += weights[state]
        bins[1, sums[state + 1] + offset] += weights[state + 1]
    if count & 1:
        bins[0, sums[count - 1] + offset] += weights[count - 1]
    total = 0.0
    for place in range(size):
        share = bins[0, place] + bins[1, place]
        if share > 0.0:
            total += TRIFLE - share * log2(share)
    return total


@inner
def _bound_sums(unknowns: Array) -> int:
    """Return a number that no sum of a question exceeds: the largest value of each cell, added up."""
    total = 0
    for cell in range(unknowns.counts.size):
        largest = 0
        for place in range(unknowns.counts[cell]):
            largest = max(largest, unknowns.most[unknowns.cells[cell, place]])
        total += largest
    return total


@inner
def _try(unknowns: Array, scratch: Array, plus: int, minus: int, up: int, down: int) -> None:
    """Write the sums of a question into `trial` in which one cell asks for `up` and `down`, no more `plus` and `minus`.

    Rows, -1 for none.
    """
    values, sums, trial = unknowns.values, scratch.sums, scratch.trial
    states = sums.size
    for state in range(states):
        trial[state] = sums[state]
    if plus >= 0:
        for state in range(states):
            trial[state] -= values[plus, state]
    if minus >= 0:
        for state in range(states):
            trial[state] += values[minus, state]
    if up >= 0:
        for state in range(states):
            trial[state] += values[up, state]
    if down >= 0:
        for state in range(states):
            trial[state] -= values[down, state]


@kernel
def choose_question(unknowns: Array, tries: int, random: Array, scratch: Array, plus: Array, minus: Array) -> float:
    """Write a question into `plus` and `minus` (rows, -1 for none) and return the bits of its answer; local search.

    tries: changes that are tried after a random start. random: uint64[1], the state of the generator. plus, minus:
    int64[V].
    """
    weights, cells, counts = unknowns.weights, unknowns.cells, unknowns.counts
    sums, trial, bins = scratch.sums, scratch.trial, scratch.bins
    number, offset, best = counts.size, _bound_sums(unknowns), -1.0
    for state in range(weights.size):
        sums[state] = 0
    for cell in range(number):
        plus[cell] = minus[cell] = -1
    for attempt in range(number + tries):
        cell = attempt if attempt < number else _draw(number, random)
        choices = counts[cell]
        if choices == 0:
            continue
        first = _draw(choices + 1, random) - 1
        second = _draw(choices + 1, random) - 1
        if attempt < number and choices > 1:
            first = _draw(choices, random)
            second = (first + 1 + _draw(choices - 1, random)) % choices
        if first == second:
            first = second = -1
        up = cells[cell, first] if first >= 0 else -1
        down = cells[cell, second] if second >= 0 else -1
        if up == plus[cell] and down == minus[cell]:
            continue
        _try(unknowns, scratch, plus[cell], minus[cell], up, down)
        # The first round only makes the start.
        bits = _entropy(trial, weights, offset, bins) if attempt >= number - 1 else best
        if attempt < number or bits > best:
            best = bits
            plus[cell], minus[cell] = up, down
            for state in range(weights.size):
                sums[state] = trial[state]
    if best < 0.0:
        best = _entropy(sums, weights, offset, bins)
    return best


class Spreads(NamedTuple):
    """How the pegs of some colors are spread over the cells of a board, one state a way, and how likely each state is.

    values: int32[rows, cells, states], the pegs of each color in each cell. totals: int32[rows, states], their pegs in
    all. weights: float64[states], their sum 1. sizes: int64[cells], the pegs of each cell.
    """

    values: NDArray[np.int32]
    totals: NDArray[np.int32]
    weights: NDArray[np.float64]
    sizes: NDArray[np.int64]


@kernel
def _painting_bits(spreads: Array, paint: Array, keys: Array, bins: Array) -> float:
    # Bits that the two numbers of an answer tell together, and a trifle for each answer, as in `_entropy`. The keys
    # are the common pegs times a step, and those in place.
    values, totals, sizes = spreads.values, spreads.totals, spreads.sizes
    rows, cells, step = values.shape[0], sizes.size, 1
    for state in range(keys.size):
        keys[state] = 0
    for cell in range(cells):
        row = paint[cell]
        if 0 <= row < rows:
            most = 0
            for state in range(keys.size):
                keys[state] += values[row, cell, state]
                most = max(most, values[row, cell, state])
            step += most
    size = step
    for cell in range(cells):
        row = paint[cell]
        pegs, is_first = 0, 0 <= row < rows
        for other in range(cells):
            if paint[other] == row:
                pegs += sizes[other]
                is_first = is_first and other >= cell
        if is_first:
            most = 0
            for state in range(keys.size):
                common = min(pegs, totals[row, state])
                keys[state] += step * common
                most = max(most, common)
            size += step * most
    for place in range(size):
        bins[place] = 0.0
    for state in range(keys.size):
        bins[keys[state]] += spreads.weights[state]
    bits = 0.0
    for place in range(size):
        if bins[place] > 0.0:
            bits += TRIFLE - bins[place] * log2(bins[place])
    return bits


@kernel
def choose_painting(
    spreads: Array, fresh: int, done: int, starts: int, random: Array, paint: Array, keys: Array, bins: Array
) -> float:
    """Write a color for each cell into `paint[0]` and return the bits of the answer; local search from random starts.

    The answer is how many pegs have the color that is painted on their cell, and in common: the pegs of each color, or
    those painted so if these are fewer. Colors are rows; one above all rows, allowed if done is 1, stands for a color
    of which all is known, -1 on `fresh` cells for one of which nothing is; both add nothing here. random: uint64[1],
    the state of the generator. paint: int64[2, cells], the second row for trials. keys: int64[states].
    bins: float64[size], size above each key: for each cell the largest value, for each color painted the largest
    number in common, and one more than the sums of both, multiplied.
    """
    choices, cells, best = spreads.values.shape[0] + done, spreads.sizes.size, -1.0
    chosen, trial = paint[0], paint[1]
    for _ in range(starts):
        for cell in range(cells):
            trial[cell] = _draw(choices, random)
        placed = 0
        while placed < fresh:
            cell = _draw(cells, random)
            if trial[cell] >= 0:
                trial[cell] = -1
                placed += 1
        bits = _painting_bits(spreads, trial, keys, bins)
        improves = True
        while improves:
            improves = False
            for cell in range(cells):
                for row in range(choices):
                    before = trial[cell]
                    if before < 0 or row == before:
                        continue
                    trial[cell] = row
                    changed = _painting_bits(spreads, trial, keys, bins)
                    if changed > bits:
                        bits, improves = changed, True
                    else:
                        trial[cell] = before
        if bits > best:
            best = bits
            for cell in range(cells):
                chosen[cell] = trial[cell]
    return best
