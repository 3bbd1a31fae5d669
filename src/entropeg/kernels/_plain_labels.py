"""Labels, histograms of labels and filters on NumPy: the twin of `label_kernels`, where the arguments are explained.

Many short rows are scored at once by a product of matrices: black pegs are the scalar product of two codes written as
a one for each peg and color, and the pegs in common that of a one for the first copy of each color, for the
second, and so on. Sums stay below 2^24, where numbers of 32 bits are exact. Long rows are compared byte by byte.
"""

# ruff: noqa: ARG001
# The arguments are those of the kernels, with scratch that is not needed here.
from collections.abc import Iterator
from typing import Any

import numpy as np

from entropeg.sizes import BLACK, KINDS, MEMBERSHIP, POSITIONAL

Array = Any


def labels(kind: int, swapped: bool, rows: Array, planes: Array, counts: Array, dtype: Any) -> Array:
    """Return the label of each code rows[r] with each column: [R, N] of any dtype that holds them."""
    if kind >= KINDS:
        return _grand(kind // KINDS, rows.T, planes).astype(dtype)
    if kind == POSITIONAL:
        return _positional(rows.T, planes, dtype) if not swapped else _positional(planes, rows.T, dtype).T
    # Long rows are compared byte by byte; of few rows, too, columns would be written as ones and zeros for too
    # little.
    if len(rows) < 8 or planes.shape[1] >= 4096:
        out = np.empty((len(rows), planes.shape[1]), dtype)
        for code, row in zip(rows, out, strict=True):
            _write_row(kind, swapped, code, planes, counts, row)
        return out
    return _product(kind, swapped, rows, planes, counts).astype(dtype)


def _write_row(kind: int, swapped: bool, code: Array, planes: Array, counts: Array, out: Array) -> None:
    out[:] = 0
    for symbol, row in zip(code, planes, strict=True):
        out += row == symbol
    if kind == BLACK:
        return
    out *= len(code)
    colors, copies = np.unique(code, return_counts=True)
    for color, number in zip(colors.tolist(), copies.tolist(), strict=True):
        if color >= len(counts):
            continue
        if kind != MEMBERSHIP:
            out += np.minimum(counts[color], counts.dtype.type(number))
        elif swapped:
            out += counts[color]
        else:
            out += (counts[color] > 0) * out.dtype.type(number)


def _product(kind: int, swapped: bool, rows: Array, planes: Array, counts: Array) -> Array:
    symbols = int(max(rows.max(initial=0), planes.max(initial=0))) + 1
    colors = np.arange(symbols, dtype=planes.dtype)[:, None]
    pegs = len(planes)
    left = [(row == colors).astype(np.float32) for row in rows.T]
    right = [(row == colors).astype(np.float32) for row in planes]
    if kind != BLACK:
        left = [part * np.float32(pegs) for part in left]
        own = np.zeros((len(counts), len(rows)), np.uint8)
        for c in range(len(counts)):
            own[c] = (rows == c).sum(axis=1)
        if kind == MEMBERSHIP:
            guess, secret = (counts, own) if swapped else (own, counts)
            one, other = guess.astype(np.float32), (secret > 0).astype(np.float32)
            left.append(other if swapped else one)
            right.append(one if swapped else other)
        else:
            most = int(min(own.max(initial=0), counts.max(initial=0)))
            left += [(own >= copy).astype(np.float32) for copy in range(1, most + 1)]
            right += [(counts >= copy).astype(np.float32) for copy in range(1, most + 1)]
    return np.concatenate(left).T @ np.concatenate(right)


def marks(guesses: Array, secrets: Array) -> Iterator[tuple[Array, Array]]:
    """Give for each peg where it is black and where it is white: two of bool[G, N].

    guesses: planes[pegs, G]; secrets: planes[pegs, N]. A peg is white while more pegs of its color are left in the
    secret than pegs of it before, neither of them black.
    """
    columns, others = guesses[:, :, None], secrets[:, None, :]
    black = columns == others
    for p, guess in enumerate(columns):
        left = np.zeros(black.shape[1:], np.int16)
        for q, other in enumerate(others):
            left += ~black[q] & (other == guess)
        for q in range(p):
            left -= ~black[q] & (columns[q] == guess)
        yield black[p], ~black[p] & (left > 0)


def _positional(guesses: Array, secrets: Array, dtype: Any) -> Array:
    out = np.zeros((guesses.shape[1], secrets.shape[1]), dtype)
    for black, white in marks(guesses, secrets):
        out *= 3
        out += 2 * black.astype(dtype)
        out += white
    return out


def _grand(shapes: int, guesses: Array, secrets: Array) -> Array:
    base = len(guesses) + 1
    out = np.zeros((guesses.shape[1], secrets.shape[1]), np.int64)
    columns, others = guesses[:, :, None], secrets[:, None, :]
    for one, other, (black, white) in zip(columns, others, marks(guesses, secrets), strict=True):
        half = (one // shapes == other // shapes) | (one % shapes == other % shapes)
        out += np.where(black, base * base, np.where(white, base, half))
    return out


def _blocks(rows: int, columns: int) -> Iterator[slice]:
    # Two million pairs are scored at a time: some megabytes.
    step = max(1, (1 << 21) // max(columns, 1))
    return (slice(lo, min(lo + step, rows)) for lo in range(0, rows, step))


def tallies(found: Array, width: int, weights: Array | None = None) -> Array:
    """Return how often each label below `width` occurs in each row of `found`, [R, N]: int64[R, width].

    With weights, float64[N], one for each column, the sums of those of its columns: float64[R, width].
    """
    cells = np.add(found, np.arange(0, len(found) * width, width)[:, None], dtype=np.int64).ravel()
    spread = None if weights is None else np.tile(weights, len(found))
    return np.bincount(cells, spread, minlength=len(found) * width).reshape(-1, width)


def label_matrix(kind: int, swapped: bool, rows: Array, planes: Array, counts: Array, work: Array, out: Array) -> None:
    """Set out[r, i] to the label of code rows[r] with column i."""
    for block in _blocks(len(rows), planes.shape[1]):
        out[block] = labels(kind, swapped, rows[block], planes, counts, out.dtype)


def part_sizes_by_guess(
    kind: int,
    swapped: bool,
    rows: Array,
    planes: Array,
    counts: Array,
    values: Array,
    work: Array,
    buffer: Array,
    hist: Array,
    out: Array,
) -> None:
    """Add to out[r, label] the number of secrets (columns) with that label against guess rows[r]."""
    for block in _blocks(len(rows), max(planes.shape[1], out.shape[1])):
        out[block] += tallies(labels(kind, swapped, rows[block], planes, counts, buffer.dtype), out.shape[1])


def part_sizes_by_secret(
    kind: int,
    swapped: bool,
    rows: Array,
    planes: Array,
    counts: Array,
    values: Array,
    work: Array,
    tally: Array,
    out: Array,
) -> None:
    """Add to out[g, label] the number of secrets rows[s] with that label against guess (column) g."""
    for block in _blocks(planes.shape[1], max(len(rows), out.shape[1])):
        found = labels(kind, swapped, rows, planes[:, block], counts[:, block], np.dtype(np.uint32))
        out[block] += tallies(found.T, out.shape[1])


def matching_columns(
    kind: int,
    swapped: bool,
    rows: Array,
    wanted: Array,
    planes: Array,
    counts: Array,
    work: Array,
    buffer: Array,
    eights: Array,
    out: Array,
) -> int:
    """Write the columns that have label wanted[t] against guess rows[t] for every t; return how many."""
    alive = np.arange(planes.shape[1])
    for t in range(len(rows)):
        found = labels(kind, swapped, rows[t : t + 1], planes[:, alive], counts[:, alive], buffer.dtype)
        alive = alive[found[0] == wanted[t]]
    out[: alive.size] = alive
    return int(alive.size)


def _places(code: Array, symbols: int) -> tuple[Array, Array]:
    # (the place of each symbol among those of a code, all others behind them; how often each of those occurs): of few
    # pegs with a thousand colors nothing as wide as the colors is made.
    used, own = np.unique(code, return_counts=True)
    place = np.full(symbols, len(used))
    place[used] = np.arange(len(used))
    return place, own


def wide_labels(kind: int, code: Array, planes: Array, total: Array, left: Array, out: Array) -> None:
    """Set out[i] to the label of guess `code` against secret i; every kind but positional, any size."""
    is_tall = planes.shape[0] >= planes.shape[1]  # more pegs than codes: pegs are not looked at one by one
    if is_tall:
        out[:] = np.count_nonzero(planes == code[:, None], axis=0)
    else:
        out[:] = 0
        for color, row in zip(code, planes, strict=True):
            out += row == color
    if kind == BLACK:
        return
    out *= out.dtype.type(code.size)
    place, own = _places(code, total.size)
    # With more colors a table of all counts is quicker.
    if len(own) <= 32:
        for color, number in zip(np.unique(code), own.astype(np.uint16), strict=True):
            if is_tall:
                copies = np.count_nonzero(planes == color, axis=0).astype(np.uint16)
            else:
                copies = np.zeros(planes.shape[1], np.uint16)
                for row in planes:
                    copies += row == color
            out += number * (copies > 0) if kind == MEMBERSHIP else np.minimum(copies, number)
        return
    for block in _blocks(planes.shape[1], len(own) + 1):
        copies = tallies(place[planes[:, block]].T, len(own) + 1)[:, :-1]
        common = (copies > 0) @ own if kind == MEMBERSHIP else np.minimum(copies, own).sum(axis=1)
        out[block] += common.astype(out.dtype)


def wide_marks(code: Array, planes: Array, left: Array, out: Array) -> None:
    """Set out[p, i] to the mark (2 black, 1 white, 0 none) of peg p of guess `code` against secret i, any size."""
    place, own = _places(code, left.size)
    for block in _blocks(planes.shape[1], len(own) + 1):
        some = planes[:, block]
        black = some == code[:, None]
        rest = tallies(np.where(black, len(own), place[some]).T, len(own) + 1)
        for p, symbol in enumerate(place[code].tolist()):
            white = ~black[p] & (rest[:, symbol] > 0)
            rest[:, symbol] -= white
            out[p, block] = 2 * black[p] + white
