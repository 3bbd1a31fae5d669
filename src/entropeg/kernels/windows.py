"""The choice of a question about a few unknown numbers, whose joint law is a list of weighted states.

A *state* gives a value to each unknown, one row an unknown. The unknowns lie in *cells*, an unknown in one cell only; a
question takes at most one unknown of each cell with a plus and at most one other with a minus, and is answered
with the signed sum. The best question is the one whose answer has the most entropy.
"""

from __future__ import annotations

from math import log2
from typing import Any

from entropeg.kernels.compile import kernel

TRIFLE = 1e-6

Array = Any  # numba sees the dtypes; they are said in the docstrings


@kernel
def _draw(below: int, random: Array) -> int:
    # Xorshift (Marsaglia 2003) on the state random: uint64[1], never 0.
    state = random[0]
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    random[0] = state
    return int((state >> 11) % below)


@kernel
def _entropy(sums: Array, weights: Array, offset: int, bins: Array, size: int) -> float:
    # Bits of the law of sums[s] + offset, each in 0, ..., size - 1, and a trifle for each different sum, so that what
    # is all but certain is asked about too when nothing else is left. Two histograms, added up at the end: equal sums
    # in a row would otherwise wait for each other.
    count = sums.size
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


@kernel
def choose_question(
    values: Array,
    weights: Array,
    cells: Array,
    counts: Array,
    alone: Array,
    most: Array,
    tries: int,
    random: Array,
    sums: Array,
    trial: Array,
    bins: Array,
    plus: Array,
    minus: Array,
) -> float:
    """Write a question into `plus` and `minus` (rows, -1 for none) and return the bits of its answer; local search.

    values: int32[rows, states]; weights: float64[states], their sum 1.
    cells: int64[V, K], the rows in each cell, counts[v] of them. alone[v]: whether one unknown of the cell may be
    asked for without another; otherwise two or none. most: int64[rows], the largest value of each row.
    tries: changes that are tried after a random start. random: uint64[1], the state of the generator.
    sums, trial: int32[states], bins: float64[2, size], size above twice the sum over the cells of the largest
    value: scratch. plus, minus: int64[V].
    """
    number, states = counts.size, weights.size
    offset = 0
    for state in range(states):
        sums[state] = 0
    for cell in range(number):
        plus[cell] = minus[cell] = -1
        largest = 0
        for place in range(counts[cell]):
            largest = max(largest, most[cells[cell, place]])
        offset += largest
    size = 2 * offset + 1
    best = -1.0
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
        if (first < 0) != (second < 0) and not alone[cell]:
            continue
        up = cells[cell, first] if first >= 0 else -1
        down = cells[cell, second] if second >= 0 else -1
        if up == plus[cell] and down == minus[cell]:
            continue
        for state in range(states):
            trial[state] = sums[state]
        if plus[cell] >= 0:
            row = plus[cell]
            for state in range(states):
                trial[state] -= values[row, state]
        if minus[cell] >= 0:
            row = minus[cell]
            for state in range(states):
                trial[state] += values[row, state]
        if up >= 0:
            for state in range(states):
                trial[state] += values[up, state]
        if down >= 0:
            for state in range(states):
                trial[state] -= values[down, state]
        # The first round only makes the start.
        bits = _entropy(trial, weights, offset, bins, size) if attempt >= number - 1 else best
        if attempt < number or bits > best:
            best = bits
            plus[cell], minus[cell] = up, down
            for state in range(states):
                sums[state] = trial[state]
    if best < 0.0:
        best = _entropy(sums, weights, offset, bins, size)
    return best
