"""Labels of one guess against all candidates of a node, in vectors of bytes.

A label is ``pegs * black + common``. What a guess has in common with each candidate, color by color, is the same for
all guesses of a group and is prepared once (`set_base`); the black pegs are added guess by guess (`set_row`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels._inner import inner
from entropeg.kernels._search_arrays import LANES
from entropeg.kernels._words import _add_equal, _add_least


@inner
def load(kind: Any, secrets: Any, node: Any, peg: Any, count: Any) -> None:
    """Copy the candidates `node` to the rows of `peg`, and count their colors in those of `count`.

    For membership any number of pegs of a color counts as more than a guess can have.
    """
    n = len(node)
    for p in range(len(peg)):
        row, out = secrets[p], peg[p]
        for i in range(n):
            out[i] = row[node[i]]
    if kind % 2 == 1:
        return
    step = np.uint8(255 if kind == 2 else 1)
    for c in range(len(count)):
        out = count[c]
        out[: n + LANES] = 0
        for p in range(len(peg)):
            row = peg[p]
            for at in range(0, n, LANES):
                _add_equal(out, out, row, at, c, step)
        if kind == 2:
            for i in range(n):
                out[i] = 255 if out[i] else 0


@inner
def set_base(tally: Any, group: Any, count: Any, n: Any, base: Any) -> None:
    """base[i] = what a guess of the group and candidate i have in common."""
    base[: n + LANES] = 0
    for c in range(len(count)):
        cap = tally[c, group]
        if cap:
            row = count[c]
            for at in range(0, n, LANES):
                _add_least(base, row, at, cap)


@inner
def set_row(kind: Any, code: Any, peg: Any, base: Any, n: Any, row: Any) -> None:
    """row[i] = label of the guess `code` with candidate i, where `base` is that of its group."""
    pegs = len(peg)
    if kind == 3:
        for i in range(n):
            row[i] = _marks(code, peg, i)
        return
    step = 1 if kind == 1 else pegs
    for at in range(0, n, LANES):
        _add_equal(row, base, peg[0], at, code[0], step)
    for p in range(1, pegs):
        this, color = peg[p], code[p]
        for at in range(0, n, LANES):
            _add_equal(row, row, this, at, color, step)


@inner
def _marks(code: Any, peg: Any, i: Any) -> Any:
    """Label of the guess `code` with candidate i where feedback is a mark a peg."""
    pegs = len(peg)
    label = 0
    for p in range(pegs):
        c = code[p]
        digit = 0
        if peg[p, i] == c:
            digit = 2
        else:
            spare = 0
            for q in range(pegs):
                if peg[q, i] == c and code[q] != c:
                    spare += 1
                if q < p and code[q] == c and peg[q, i] != c:
                    spare -= 1
            if spare > 0:
                digit = 1
        label = 3 * label + digit
    return label


@inner
def count_parts(row: Any, n: Any) -> Any:
    """Return how many different labels there are among the n; they are less than 64."""
    seen = np.uint64(0)
    for i in range(n):
        seen |= np.uint64(1) << np.uint64(row[i])
    parts = 0
    while seen:
        seen &= seen - np.uint64(1)
        parts += 1
    return parts


@inner
def is_split(row: Any, n: Any, seen: Any) -> Any:
    """Say whether the n labels differ from one another. `seen` is zero bytes by label, before and after."""
    count = 0
    while count < n and not seen[row[count]]:
        seen[row[count]] = 1
        count += 1
    for i in range(count):
        seen[row[i]] = 0
    return count == n


@inner
def tally_row(row: Any, n: Any, sizes: Any, lanes: Any) -> None:
    """sizes[label] = how many of the n labels are it.

    Four histograms in turn for long rows: equal labels one after another would wait for each other's memory.
    """
    sizes[:] = 0
    if n < 128:
        for i in range(n):
            sizes[row[i]] += 1
        return
    lanes[:] = 0
    a, b, c = lanes[0], lanes[1], lanes[2]
    quads = n // 4
    for i in range(quads):
        sizes[row[4 * i]] += 1
        a[row[4 * i + 1]] += 1
        b[row[4 * i + 2]] += 1
        c[row[4 * i + 3]] += 1
    for i in range(4 * quads, n):
        sizes[row[i]] += 1
    for e in range(len(sizes)):
        sizes[e] += a[e] + b[e] + c[e]
