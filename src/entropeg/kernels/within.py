"""The most secrets of a set that two or three guesses can find, counted or by weight.

The last guess finds the heaviest code of what is left, so that a guess before it finds the heaviest code of each of its
parts. A guess that is one of the codes is a part of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import Array, allocating_inner, allocating_kernel, inner


@inner
def _of_two(labels: Array, codes: Array, weights: Array, need: int, seen: Array, mark: Array) -> Any:
    """(the most by two guesses, the first of them), 0 and -1 where no guess finds more than `need`."""
    best, row, most, width = need, -1, 0, len(seen)
    for i in range(min(len(codes), width)):
        most += weights[codes[i]]
    for guess in range(len(labels)):
        if best >= most:
            break
        mark[0] += 1
        found = 0
        for code in codes:
            label = labels[guess, code]
            if seen[label] != mark[0]:
                seen[label] = mark[0]
                found += weights[code]
        if found > best:
            best, row = found, guess
    return (best, row) if row >= 0 else (0, -1)


@allocating_inner
def _of_three(
    labels: Array, codes: Array, weights: Array, rows: Array, win: int, need: int, seen: Array, mark: Array, stop: Array
) -> Any:
    n, width = len(codes), len(seen)
    # 1. A part of n codes gives no more than its n heaviest, and two guesses find one code by the first and one for
    #    each answer.
    bounds = np.zeros(len(rows), np.int64)
    counts = np.zeros(width, np.int64)
    for at in range(len(rows)):
        counts[:] = 0
        for code in codes:
            label = labels[rows[at], code]
            if counts[label] < width:
                bounds[at] += weights[code]
            counts[label] += 1
    # 2. The most promising first: by the bound, then by how many parts there are.
    for at in range(len(rows)):
        mark[0] += 1
        bounds[at] <<= 10
        for code in codes:
            label = labels[rows[at], code]
            if seen[label] != mark[0]:
                seen[label] = mark[0]
                bounds[at] += 1
    order = np.argsort(-bounds)
    best, best_row = need, -1
    part = np.empty(n, codes.dtype)
    for at in order:
        left = bounds[at] >> 10
        if left <= best or stop[0] != 0:
            break
        guess = rows[at]
        counts[:] = 0
        for code in codes:
            counts[labels[guess, code]] += 1
        # 3. The largest parts first: they fall short of their bounds the most.
        found = 0
        for label in np.argsort(-counts):
            size = counts[label]
            if size == 0 or found + left <= best:
                break
            size = promised = 0
            for code in codes:
                if labels[guess, code] == label:
                    part[size] = code
                    size += 1
                    if size <= width:
                        promised += weights[code]
            left -= promised
            if size <= 2 or label == win:
                found += promised
            else:
                found += _of_two(labels, part[:size], weights, max(0, best - found - left), seen, mark)[0]
        if found > best and left == 0:
            best, best_row = found, guess
    return (best, best_row) if best_row >= 0 else (0, -1)


@allocating_kernel
def most_of_set(
    labels: Array, codes: Array, weights: Array, rows: Array, depth: int, width: int, win: int, need: int, stop: Array
) -> Any:
    """Return (the greatest weight of a set's codes that `depth` guesses find, the first of them).

    labels: unsigned[guesses, secrets]. codes: int32, three or more, the heaviest first. weights: int64[secrets], 0 or
    more. rows: int32, the guesses that may come first. depth: 2, where `rows` is not looked at, or 3. width: more than
    any label, and at most 1,023. win: the label of a guess that is the secret. Returns (0, -1) where there is no more
    than `need`, and what is not to be used where `stop[0]` is set meanwhile.
    """
    seen, mark = np.zeros(width, np.int64), np.zeros(1, np.int64)
    if depth == 2:
        return _of_two(labels, codes, weights, need, seen, mark)
    return _of_three(labels, codes, weights, rows, win, need, seen, mark, stop)
