"""Labels of one guess against all candidates of a node, in vectors of bytes.

A label is ``pegs * black + common``. The pegs in common with each candidate, color by color, are the same for
all guesses of a group and is prepared once (`set_base`); the black pegs are added guess by guess (`set_row`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import inner
from entropeg.kernels.onestep.arrays import LANES
from entropeg.kernels.onestep.vectors import add_equal, add_least
from entropeg.sizes import BLACK, MEMBERSHIP, POSITIONAL, STANDARD

FEW_COLORS = 64
"""So few colors are counted as soon as candidates are loaded; of more, those that guesses have, when they are asked
for: nearly all colors of such a board stand for one another."""


@inner
def tells_colors(kind: Any) -> Any:
    """Say whether labels count colors in common: the kinds of `arrays.COUNTED`."""
    return kind == STANDARD or kind == MEMBERSHIP  # noqa: PLR1714 - a tuple to look in compiles for longer


@inner
def count_color(kind: Any, rows: Any, n: Any, c: Any) -> None:
    """Set rows.tally[c] to the pegs of color c in each of the n candidates loaded, unless it is.

    For membership any number of pegs of a color counts as more than a guess can have.
    """
    if rows.counted[c]:
        return
    rows.counted[c] = 1
    out, step = rows.tally[c], np.uint8(255 if kind == MEMBERSHIP else 1)
    out[: n + LANES] = 0
    for p in range(len(rows.peg)):
        row = rows.peg[p]
        for at in range(0, n, LANES):
            add_equal(out, out, row, at, c, step)
    if kind == MEMBERSHIP:
        for i in range(n):
            out[i] = 255 if out[i] else 0


@inner
def load(kind: Any, secrets: Any, node: Any, rows: Any) -> None:
    """Copy the candidates `node` to rows.peg, and count their colors if they are few."""
    n = len(node)
    for i in range(n):
        rows.here[i] = node[i]
    for p in range(len(rows.peg)):
        row, out = secrets[p], rows.peg[p]
        for i in range(n):
            out[i] = row[node[i]]
    rows.counted[:] = 0
    if tells_colors(kind) and len(rows.counted) <= FEW_COLORS:
        for c in range(len(rows.counted)):
            count_color(kind, rows, n, np.int64(c))


@inner
def count_colors(kind: Any, colors: Any, rows: Any, n: Any) -> None:
    """Count the colors of a guess in the n candidates loaded, as `set_base` needs them, where `load` did not."""
    if tells_colors(kind) and len(rows.counted) > FEW_COLORS:
        for p in range(len(colors)):
            count_color(kind, rows, n, np.int64(colors[p]))


@inner
def run_end(colors: Any, p: Any) -> Any:
    """Where the run of equal colors that begins at p ends."""
    end = p + 1
    while end < len(colors) and colors[end] == colors[p]:
        end += 1
    return end


@inner
def set_base(kind: Any, colors: Any, rows: Any, n: Any) -> None:
    """rows.base[i] = the pegs that a guess of these colors, ascending, and candidate i have in common.

    The colors are counted: to look whether they are, color by color, would double the time of a search.
    """
    base = rows.base
    base[: n + LANES] = 0
    p = np.int64(0 if tells_colors(kind) else len(colors))
    while p < len(colors):
        end = run_end(colors, p)
        row = rows.tally[colors[p]]
        for at in range(0, n, LANES):
            add_least(base, row, at, end - p)
        p = end


@inner
def set_row(kind: Any, code: Any, peg: Any, base: Any, n: Any, row: Any) -> None:
    """row[i] = label of the guess `code` with candidate i, where `base` is that of its group."""
    pegs = len(peg)
    if kind == POSITIONAL:
        for i in range(n):
            row[i] = _marks(code, peg, i)
        return
    step = 1 if kind == BLACK else pegs
    for at in range(0, n, LANES):
        add_equal(row, base, peg[0], at, code[0], step)
    for p in range(1, pegs):
        this, color = peg[p], code[p]
        for at in range(0, n, LANES):
            add_equal(row, row, this, at, color, step)


@inner
def look_up(labels: Any, here: Any, n: Any, row: Any) -> None:
    """row[i] = label of a guess with candidate here[i], of which `labels` has those with all secrets."""
    for i in range(n):
        row[i] = labels[here[i]]


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
