"""Compiled search for the code whose number of blacks is most uncertain, given every earlier answer.

Pegs are independent but for the earlier answers: each is a sum over pegs that is known, and a further sum keeps the
variance that these do not explain (a regression of the new sum on the old ones, as for normal variables). With
x[i, c] = 1 where peg i has color c, the sums are rows r = 0 ... R - 1, each of one color at most at every peg (an
answer) or of the same color at every peg (the number of pegs of a color). `q[i]` holds the chances of what the rows
have at peg i, `e[i, c]` marks the rows that have color c there. Then x[i, c] and the rows covary by
B[i, c] = p[i, c] (e[i, c] - q[i]), a code has b = sum of its B, and its variance is

    v = sum p (1 - p) - b' M b,    M the inverse of the covariance of the rows.

A product of two B is made of the few rows that they mark and of tables filled once a turn, so that the exact gain of
every change of one peg or two costs little.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg.kernels.compile import Array, inner, kernel
from entropeg.kernels.mixing import xorshift

GAIN = 1e-9
"""Smaller gains are none: codes that are worth the same must not be told apart by the last digits."""

PANEL = 8
"""Rows that a product takes at a time, and pivots that an inverse does."""

_next = inner(xorshift)


class RowMarks(NamedTuple):
    """Which rows have which color at a peg.

    rows: int32[n, R], for each peg all rows, sorted by the color that they have there. starts: int32[n, m + 1], where
    those of each color begin.
    """

    rows: NDArray[np.int32]
    starts: NDArray[np.int32]


class Explained(NamedTuple):
    """The part that the rows explain. chances: float64[n, m], p. inverse: float64[R, R], M.

    spread: float64[R, n], M q, and turned: float64[n, R], the same turned over. pairs: float64[n, n], q' M q. norms:
    float64[n, m], B' M B.
    """

    chances: NDArray[np.float64]
    inverse: NDArray[np.float64]
    spread: NDArray[np.float64]
    turned: NDArray[np.float64]
    pairs: NDArray[np.float64]
    norms: NDArray[np.float64]


class AscentScratch(NamedTuple):
    """Room for one ascent. pull: float64[R], M b. base: float64[n], q' M b. heights: float64[m]. order: int64[n]."""

    pull: NDArray[np.float64]
    base: NDArray[np.float64]
    heights: NDArray[np.float64]
    order: NDArray[np.int64]


class RegressionRoom(NamedTuple):
    """Room to work in. hit: float64[R, n]. panel, ratio: float64[PANEL, R]. block: float64[PANEL, PANEL]."""

    hit: NDArray[np.float64]
    panel: NDArray[np.float64]
    ratio: NDArray[np.float64]
    block: NDArray[np.float64]


@inner
def _subtract_product(target: Array, left: Array, right: Array, upper: bool) -> None:
    """Subtract left' right from the target, float64[a, b], of left float64[k, a] and right float64[k, b].

    Where `upper`, only at and above the diagonal. Without threads, unlike NumPy: two processes on two cores take turns.
    """
    depth, rows = left.shape
    columns = right.shape[1]
    k = 0
    while k + PANEL <= depth:
        for i in range(rows):
            a0, a1, a2, a3 = left[k, i], left[k + 1, i], left[k + 2, i], left[k + 3, i]
            a4, a5, a6, a7 = left[k + 4, i], left[k + 5, i], left[k + 6, i], left[k + 7, i]
            for j in range(i if upper else 0, columns):
                low = (a0 * right[k, j] + a1 * right[k + 1, j]) + (a2 * right[k + 2, j] + a3 * right[k + 3, j])
                high = (a4 * right[k + 4, j] + a5 * right[k + 5, j]) + (a6 * right[k + 6, j] + a7 * right[k + 7, j])
                target[i, j] -= low + high
        k += PANEL
    while k < depth:
        for i in range(rows):
            factor = left[k, i]
            for j in range(i if upper else 0, columns):
                target[i, j] -= factor * right[k, j]
        k += 1


@inner
def _take_panel(matrix: Array, start: int, width: int, panel: Array) -> None:
    """Fill the panel, float64[PANEL, R], with rows start ... of a symmetric matrix of which the upper half is kept."""
    size = matrix.shape[0]
    for k in range(PANEL):
        for j in range(size):
            panel[k, j] = 0.0
    for k in range(width):
        for j in range(start + k):
            panel[k, j] = matrix[j, start + k]
        for j in range(start + k, size):
            panel[k, j] = matrix[start + k, j]


@inner
def _invert_block(block: Array, width: int) -> None:
    """Replace a small matrix, float64[>= width, >= width], by its inverse: Gauss and Jordan, pivots in order."""
    for k in range(width):
        pivot = 1 / block[k, k]
        for c in range(width):
            block[k, c] *= pivot
        for r in range(width):
            if r != k:
                factor = block[r, k]
                block[r, k] = 0.0
                for c in range(width):
                    block[r, c] -= factor * block[k, c]
                block[r, k] = -factor * pivot
        block[k, k] = pivot


@inner
def _invert(matrix: Array, panel: Array, ratio: Array, block: Array) -> None:
    """Replace a positive definite matrix, float64[R, R], of which the upper half is read, by its inverse.

    The sweep operator, eight pivots at a time: R**3 / 2 multiplications, 0.2 nanoseconds each at R = 300. panel, ratio:
    float64[PANEL, R]; block: float64[PANEL, PANEL].
    """
    size = matrix.shape[0]
    for start in range(0, size, PANEL):
        width = min(PANEL, size - start)
        _take_panel(matrix, start, width, panel)
        for k in range(width):
            for c in range(width):
                block[k, c] = panel[k, start + c]
        _invert_block(block, width)
        for k in range(PANEL):
            for j in range(size):
                ratio[k, j] = 0.0
        for k in range(width):
            for c in range(width):
                factor = block[k, c]
                for j in range(size):
                    ratio[k, j] += factor * panel[c, j]
        for k in range(width):
            for c in range(width):
                ratio[k, start + c], panel[k, start + c] = 0.0, 0.0
        _subtract_product(matrix, panel, ratio, True)
        for k in range(width):
            for j in range(start):
                matrix[j, start + k] = ratio[k, j]
            for j in range(start + width, size):
                matrix[start + k, j] = ratio[k, j]
            for c in range(k, width):
                matrix[start + k, start + c] = -block[k, c]
    for i in range(size):
        for j in range(i, size):
            matrix[i, j] = matrix[j, i] = -matrix[i, j]


@inner
def _sort_marks(guesses: Array, counted: Array, marks: Array) -> None:
    """Fill the marks: guesses are the first rows, the colors counted those after them."""
    turns, pegs = guesses.shape
    rows, starts = marks.rows, marks.starts
    colors = starts.shape[1] - 1
    for i in range(pegs):
        for c in range(colors + 1):
            starts[i, c] = 0
        for t in range(turns):
            starts[i, guesses[t, i] + 1] += 1
        for k in range(len(counted)):
            starts[i, counted[k] + 1] += 1
        for c in range(colors):
            starts[i, c + 1] += starts[i, c]
        # Rows are put in from the end of each color backwards, whose place so moves to its beginning.
        for k in range(len(counted) - 1, -1, -1):
            c = counted[k] + 1
            starts[i, c] -= 1
            rows[i, starts[i, c]] = turns + k
        for t in range(turns - 1, -1, -1):
            c = guesses[t, i] + 1
            starts[i, c] -= 1
            rows[i, starts[i, c]] = t
        for c in range(colors):
            starts[i, c] = starts[i, c + 1]
        starts[i, colors] = turns + len(counted)


@inner
def _fill_covariance(explained: Array, marks: Array, asked: Array) -> None:
    """Fill the upper half of the covariance of the rows, and add the ridge; asked: float64[n, R], q."""
    rows, starts = marks.rows, marks.starts
    chances, covariance = explained.chances, explained.inverse
    size = covariance.shape[0]
    for r in range(size):
        for s in range(r, size):
            covariance[r, s] = 0.0
    _subtract_product(covariance, asked, asked, True)
    for i in range(chances.shape[0]):
        for c in range(chances.shape[1]):
            p = chances[i, c]
            for a in range(starts[i, c], starts[i, c + 1]):
                for b in range(a, starts[i, c + 1]):
                    covariance[rows[i, a], rows[i, b]] += p  # rows of one color are in order: this is the upper half
    for r in range(size):
        # Messages are no exact chances, and rows told fully would have no variance left. From 0.001 to 0.1 no
        # difference was found.
        covariance[r, r] += 0.01 * max(covariance[r, r], 0.05)


@inner
def _product(explained: Array, marks: Array, i: int, c: int, j: int, d: int) -> Any:
    """Return B[i, c]' M B[j, d]."""
    rows, starts = marks.rows, marks.starts
    inverse, spread = explained.inverse, explained.spread
    total = explained.pairs[i, j]
    for a in range(starts[i, c], starts[i, c + 1]):
        r = rows[i, a]
        total -= spread[r, j]
        for b in range(starts[j, d], starts[j, d + 1]):
            total += inverse[r, rows[j, b]]
    for b in range(starts[j, d], starts[j, d + 1]):
        total -= spread[rows[j, b], i]
    return total * explained.chances[i, c] * explained.chances[j, d]


@kernel
def explain(guesses: Array, counted: Array, explained: Array, marks: Array, room: Array) -> None:
    """Fill the marks, and all that the rows explain but the chances.

    guesses: int32[T, n]. counted: int64[k]. About R**3 / 2 + 2 R**2 n multiplications, 0.2 nanoseconds each.
    """
    chances, inverse, norms = explained.chances, explained.inverse, explained.norms
    spread, turned, pairs = explained.spread, explained.turned, explained.pairs
    turns, pegs = guesses.shape
    _sort_marks(guesses, counted, marks)
    # Products are only ever subtracted: `hit` is -q, so that those of one factor q are added.
    for i in range(pegs):
        for t in range(turns):
            turned[i, t] = chances[i, guesses[t, i]]
        for k in range(len(counted)):
            turned[i, turns + k] = chances[i, counted[k]]
        for r in range(inverse.shape[0]):
            room.hit[r, i], spread[r, i] = -turned[i, r], 0.0
        for j in range(pegs):
            pairs[i, j] = 0.0
    _fill_covariance(explained, marks, turned)
    _invert(inverse, room.panel, room.ratio, room.block)
    _subtract_product(spread, inverse, room.hit, False)
    _subtract_product(pairs, room.hit, spread, False)
    for i in range(pegs):
        for r in range(inverse.shape[0]):
            turned[i, r] = spread[r, i]
        for c in range(chances.shape[1]):
            norms[i, c] = max(0.0, _product(explained, marks, i, c, i, c))


@inner
def _add(explained: Array, marks: Array, scratch: Array, i: int, c: int, factor: float) -> None:
    """Add factor * B[i, c] to b: that is, correct M b and q' M b."""
    rows, starts = marks.rows, marks.starts
    pull, base = scratch.pull, scratch.base
    factor *= explained.chances[i, c]
    if factor == 0:
        return
    for a in range(starts[i, c], starts[i, c + 1]):
        r = rows[i, a]
        for s in range(len(pull)):
            pull[s] += factor * explained.inverse[r, s]
        for j in range(len(base)):
            base[j] += factor * explained.spread[r, j]
    for s in range(len(pull)):
        pull[s] -= factor * explained.turned[i, s]
    for j in range(len(base)):
        base[j] -= factor * explained.pairs[i, j]


@inner
def _slope(explained: Array, marks: Array, scratch: Array, i: int, c: int) -> Any:
    """Return p (1 - p) - 2 B[i, c]' M b: the addition of a color at a peg to v, but for its own square."""
    rows, starts = marks.rows, marks.starts
    p = explained.chances[i, c]
    height = 0.0
    for a in range(starts[i, c], starts[i, c + 1]):
        height += scratch.pull[rows[i, a]]
    return p * (1 - p) - 2 * p * (height - scratch.base[i])


@inner
def _swap_loss(explained: Array, marks: Array, i: int, c: int, j: int, d: int) -> Any:
    """Return the square of the change of b where pegs i and j, of colors c and d, change places."""
    norms = explained.norms
    square = norms[i, c] + norms[i, d] + norms[j, c] + norms[j, d]
    square -= 2 * _product(explained, marks, i, c, i, d) + 2 * _product(explained, marks, j, c, j, d)
    square += 2 * _product(explained, marks, i, d, j, c) + 2 * _product(explained, marks, i, c, j, d)
    square -= 2 * _product(explained, marks, i, d, j, d) + 2 * _product(explained, marks, i, c, j, c)
    return square


@inner
def _recolor(explained: Array, marks: Array, scratch: Array, code: Array, i: int, room: Array) -> float:
    """Give peg i the color of largest gain that has room; return the gain."""
    old = code[i]
    now, norm = _slope(explained, marks, scratch, i, old), explained.norms[i, old]
    best, color = GAIN, -1
    for c in range(len(room)):
        if room[c] <= 0 or c == old:
            continue
        gain = _slope(explained, marks, scratch, i, c) - now
        if gain <= best:  # the exact gain is smaller still
            continue
        gain -= explained.norms[i, c] + norm - 2 * _product(explained, marks, i, old, i, c)
        if gain > best + GAIN:
            best, color = gain, c
    if color < 0:
        return 0.0
    _add(explained, marks, scratch, i, color, 1.0)
    _add(explained, marks, scratch, i, old, -1.0)
    room[color] -= 1
    room[old] += 1
    code[i] = color
    return best


@inner
def _swap(explained: Array, marks: Array, scratch: Array, code: Array, i: int, locked: Array) -> float:
    """Let peg i change places with the one of largest gain; return the gain."""
    old, partner, best = code[i], -1, GAIN
    heights, filled = scratch.heights, False
    for j in range(len(code)):
        c = code[j]
        if c == old:
            continue
        if not filled:
            for d in range(len(heights)):
                heights[d] = _slope(explained, marks, scratch, i, d)
            filled = True
        gain = heights[c] - heights[old]
        gain += _slope(explained, marks, scratch, j, old) - _slope(explained, marks, scratch, j, c)
        if gain <= best:
            continue
        gain -= _swap_loss(explained, marks, i, old, j, c)
        if gain > best + GAIN:
            best, partner = gain, j
    if partner < 0:
        return 0.0
    c = code[partner]
    _add(explained, marks, scratch, i, c, 1.0)
    _add(explained, marks, scratch, i, old, -1.0)
    _add(explained, marks, scratch, partner, old, 1.0)
    _add(explained, marks, scratch, partner, c, -1.0)
    code[i], code[partner] = c, old
    locked[i], locked[partner] = locked[partner], locked[i]
    return best


@kernel
def ascend(
    explained: Array, marks: Array, code: Array, locked: Array, room: Array, limits: Array, state: Array, scratch: Array
) -> float:
    """Change a code peg by peg while its variance grows; return the variance.

    code: int64[n]. locked: bool[n], pegs that keep their color, or change places with another. room: int64[m], how many
    more pegs may take a color. limits: int64[2], sweeps over all pegs at most, and whether free pegs change places too.
    state: uint64[1], not 0, of the generator of the order of pegs.
    """
    pegs = len(code)
    order = scratch.order
    for s in range(len(scratch.pull)):
        scratch.pull[s] = 0.0
    variance = 0.0
    for i in range(pegs):
        scratch.base[i] = 0.0
        order[i] = i
    for i in range(pegs):
        variance += _slope(explained, marks, scratch, i, code[i]) - explained.norms[i, code[i]]
        _add(explained, marks, scratch, i, code[i], 1.0)
    for _ in range(limits[0]):
        for k in range(pegs - 1, 0, -1):
            x = state[0] = _next(state[0])
            j = np.int64((x >> np.uint64(32)) * np.uint64(k + 1) >> np.uint64(32))
            order[k], order[j] = order[j], order[k]
        gained = 0.0
        for k in range(pegs):
            i = order[k]
            if not locked[i]:
                gained += _recolor(explained, marks, scratch, code, i, room)
            if locked[i] or limits[1]:
                gained += _swap(explained, marks, scratch, code, i, locked)
        variance += gained
        if gained <= GAIN:
            break
    return variance
