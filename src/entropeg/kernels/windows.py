"""Chooses a question about a few unknown numbers, whose joint law is a list of weighted states.

A *state* gives a value to each unknown, one row an unknown. The unknowns lie in *cells*, an unknown in one cell only; a
question takes at most one unknown of each cell with a plus and at most one other with a minus, and is answered
with the signed sum. The best question is the one whose answer has the most entropy.
"""

from __future__ import annotations

from math import log2
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg.kernels.compile import inner, kernel
from entropeg.kernels.mixing import xorshift

TRIFLE = 1e-6

Array = Any  # numba sees the dtypes; they are said in the docstrings


_next = inner(xorshift)


class Unknowns(NamedTuple):
    """What is asked about.

    values: int32[rows, states]; weights: float64[states], their sum 1. cells: int64[V, K], the rows in each cell,
    counts[v] of them. alone[v]: whether one unknown of the cell may be asked for without another; otherwise two or
    none. most: int64[rows], the largest value of each row.
    """

    values: NDArray[np.int32]
    weights: NDArray[np.float64]
    cells: NDArray[np.int64]
    counts: NDArray[np.int64]
    alone: NDArray[np.bool_]
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
        if (first < 0) != (second < 0) and not unknowns.alone[cell]:
            continue
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
