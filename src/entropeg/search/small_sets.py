"""Exact values of small sets of codes, under any feedback: a search over the table of labels alone.

A guess is the row of labels that it gives the codes, and nothing else of it matters: guesses that part the codes alike
are one. So the search knows no pegs, colors or kinds of feedback, and serves words, marks, shapes and boards of any
size, if the codes left are few. It is plain NumPy, and works where nothing can be compiled. The search of whole boards,
`search.exact`, is a thousand times as fast where it knows the rules.

Under hard rules guesses that part the codes alike differ all the same, in what they oblige the next guess to: then each
guess is a row of its own, and the rows of a part are those that may follow. The caller says which (`MayFollow`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import log2
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]

MayFollow: TypeAlias = Callable[[int, int], Array]
"""Of a guess, by its index, and the label of its answer: which guesses may be made then, `bool[guesses]`."""

INFINITE = 1 << 62
"""More than any total: that of what no play can do within the guesses left."""
UNLIMITED = 0
"""For guesses left: as many as are needed."""
NODE = 4000
"""Work of looking at a set, besides the cells of its table: a cell takes some 30 nanoseconds."""
BLOCK = 1 << 20
"""Cells of the table of all guesses that are put in order at a time."""
HASHED = 0x9E3779B97F4A7C15
"""Seed of the numbers by which equal rows are found."""


APART, BITS = 0.6, 0.78
"""Codes that a guess tells apart, of the most parts of any, and bits that it tells, of the logarithm of these. They say
which guesses are tried first, and no more."""


class OutOfWorkError(Exception):
    """The work allowed was done before the answer was known."""


@dataclass(frozen=True)
class _GuessRows:
    """How guesses part a set of k codes: row r gives code c the first code in its part.

    Each way once, but under hard rules.
    """

    first: Array
    """int16[R, k]."""
    win: Array
    """int32[R]: the code that the guess is, -1 where it is none of them."""
    guess: Array
    """int64[R]: the first guess that parts the codes so."""


@dataclass
class _RatedRows:
    """A set of codes, looked at: what each row costs at least, and about."""

    rows: _GuessRows
    sizes: Array
    """int64[R, k]: size of the part of which code c is the first, 0 where it is not the first."""
    bounds: Array
    guesses: Array
    """Rows from the most promising."""


class LabelSearch:
    """The search of one set of codes: rows of labels, one a guess.

    `labels`: [guesses, codes]; `win` the label of a guess that is the secret; `weights`: whole numbers above 0, those
    of the codes. Totals are sums of weight times guesses. `work` bounds what is done, in cells: `OutOfWorkError` says
    that it was not enough. The same questions get the same answers on every machine. With `may_follow` a guess has to
    be one that may follow those before it; codes of the set always may, and all guesses given may be the first.
    """

    def __init__(
        self, labels: Array, win: int, weights: Array, work: float, may_follow: MayFollow | None = None
    ) -> None:
        """Put the codes in order of their weights, and find the guesses that differ."""
        order = np.argsort(-weights, kind="stable")
        self.weights = np.asarray(weights, np.int64)[order]
        self.work = float(work)
        self._may_follow, self._labels = may_follow, None if may_follow is None else labels[:, order]
        self._values: dict[tuple[bytes, int, int], tuple[int, bool]] = {}
        self._greedy: dict[tuple[bytes, int], int] = {}
        self._tops: dict[int, _RatedRows] = {}
        parted = [_parted(labels[at : at + step][:, order], win) for at, step in _blocks(labels)]
        first, wins = (np.concatenate(part) for part in zip(*parted, strict=True))
        self._spend(labels.size)
        chosen = self.row_of = np.arange(len(labels))
        if may_follow is None:
            _, chosen, self.row_of = np.unique(_keys(first, wins), return_index=True, return_inverse=True)
        self.guess_of: Array = chosen
        """The first guess of each row."""
        self.root = _GuessRows(first[chosen], wins[chosen], chosen)

    @property
    def mass(self) -> int:
        """The sum of all weights."""
        return int(self.weights.sum())

    def value(self, left: int = UNLIMITED) -> int:
        """The total of the best play; `INFINITE` where no play finds every code within the guesses left."""
        return self._value(left, INFINITE)

    def after(self, guess: int, left: int = UNLIMITED, bound: int = INFINITE) -> int:
        """The total where a guess is played first, and the best play follows; at a bound or above, no more than it."""
        row = int(self.row_of[guess])
        if self.root.win[row] < 0 and not self.root.first[row].any():  # tells nothing: all is as before
            return min(self._after_nothing(row, left, bound - self.mass) + self.mass, INFINITE)
        return self._after(row, self._until(left, len(self.weights)), bound)

    def best(self, number: int, left: int = UNLIMITED, among: Array | None = None) -> list[tuple[int, int]]:
        """So many of the best guesses with their totals, the best first, proven: one of all that part the codes alike.

        ``among``: indexes of guesses, one of each kind where some symmetry makes others their images; all if left out.
        A guess that does so and is a code, or a likelier one, is another; under hard rules each is. Only guesses that
        find every code within the guesses left are listed; and none that tells nothing.
        """
        d = self._until(left, len(self.weights))
        found: list[tuple[int, bool, int]] = []
        won = np.where(self.root.win >= 0, self.weights[self.root.win], 0)
        is_alike = len(self.weights) > 2 and self._may_follow is None  # of two codes both count
        alike = _keys(self.root.first, won) if is_alike else np.arange(len(won))
        known: set[int] = set()
        bounds = self._top(d).bounds
        listed = np.zeros(len(bounds), bool)
        listed[self.row_of if among is None else self.row_of[among]] = True
        for row in np.flatnonzero(listed)[np.argsort(bounds[listed], kind="stable")].tolist():
            most = found[number - 1][0] if len(found) >= number else INFINITE
            if bounds[row] >= most:
                break
            if int(alike[row]) in known:
                continue
            known.add(int(alike[row]))
            total = self._after(row, d, most)
            if total < most:
                found.append((total, bool(self.root.win[row] < 0), int(self.guess_of[row])))
                found.sort()
        return [(guess, total) for total, _, guess in found[:number]]

    def promising(self, among: Array | None = None) -> list[int]:
        """One guess of each row, the most promising first; among some guesses, if they are given."""
        order = self._top(UNLIMITED).guesses
        rows = order if among is None else order[np.isin(order, self.row_of[among])]
        return [int(self.guess_of[row]) for row in rows]

    def followed(self, breadth: int, guess: int | None = None) -> int:
        """The total of a strategy that tries so many guesses in every set, without regard to a limit."""
        members = np.arange(len(self.weights))
        if guess is None:
            return self._broad(members, self.root, breadth)
        row = int(self.row_of[guess])
        parts = _parts_of(self.root, row)
        known = sum(_of_few(self.weights[part]) for part in parts if len(part) <= 2)
        larger = [part for part in parts if len(part) > 2]
        rest = sum(self._broad(part, self._rest(members, self.root, row, part), breadth) for part in larger)
        return self.mass + known + rest

    # -------------------------------------------------------------- the recursion

    def _value(self, left: int, bound: int) -> int:
        members = np.arange(len(self.weights))
        return self._of(members, self.root, self._until(left, len(members)), bound)

    def _of(self, members: Array, rows: _GuessRows, d: int, bound: int) -> int:
        """The total of the best play on a set of which `rows` tell the parts, if it is below the bound.

        Else a number from the bound on that the total is not below. `d` guesses are left; `UNLIMITED` where they are no
        fewer than the codes.
        """
        key = members.tobytes(), self._mark(rows), d
        known, is_exact = self._values.get(key, (0, False))
        if is_exact or known >= bound:
            return known
        weights = self.weights[members]
        node = _looked_at(rows, weights, d)
        self._spend(rows.first.size)
        best = min(bound, INFINITE)
        # 1. The most promising guess comes first, whatever its bound: it makes the others fail.
        # 2. Then all others by their bound; from the first that reaches the best on, none can be better.
        first = int(node.guesses[0])
        if node.bounds[first] < best:
            best = min(best, self._played(members, node, first, d, best))
        for row in np.argsort(node.bounds, kind="stable").tolist():
            if node.bounds[row] >= best:
                break
            if row != first:
                best = min(best, self._played(members, node, row, d, best))
        self._values[key] = best, best < bound or best >= INFINITE
        return best

    def _played(self, members: Array, node: _RatedRows, row: int, d: int, bound: int) -> int:
        # The bound of the row holds exact totals for parts of one or two codes; those of others take their place,
        # the largest first, until the sum reaches the bound.
        total = int(node.bounds[row])
        larger = [part for part in _parts_of(node.rows, row) if len(part) > 2]
        if not larger:
            return total
        weights, extra = self.weights[members], _excess(len(members), int((node.sizes > 0).sum(axis=1).max()))
        least = int(weights.min())
        for part in sorted(larger, key=len, reverse=True):
            inside = weights[part]
            counted = 2 * int(inside.sum()) - int(inside[0]) + least * int(extra[len(part)])
            rest = self._rest(members, node.rows, row, part)
            left = UNLIMITED if d == UNLIMITED or d - 1 >= len(part) else d - 1
            total += self._of(members[part], rest, left, bound - total + counted) - counted
            if total >= bound:
                return min(total, INFINITE)
        return total

    def _after(self, row: int, d: int, bound: int) -> int:
        node = self._top(d)
        if node.bounds[row] >= min(bound, INFINITE):
            return min(bound, INFINITE)
        return self._played(np.arange(len(self.weights)), node, row, d, bound)

    def _broad(self, members: Array, rows: _GuessRows, breadth: int) -> int:
        if len(members) <= 2:
            return _of_few(self.weights[members])
        key = members.tobytes(), self._mark(rows)
        if key not in self._greedy:
            node = _looked_at(rows, self.weights[members], UNLIMITED)
            self._spend(rows.first.size)
            tried = [self._broadly(members, node, int(row), breadth) for row in node.guesses[:breadth]]
            self._greedy[key] = min(tried)
        return self._greedy[key]

    def _broadly(self, members: Array, node: _RatedRows, row: int, breadth: int) -> int:
        total = int(self.weights[members].sum())
        for part in _parts_of(node.rows, row):
            rest = node.rows if len(part) <= 2 else self._rest(members, node.rows, row, part)
            total += self._broad(members[part], rest, breadth)
        return total

    def _after_nothing(self, row: int, left: int, bound: int) -> int:
        # The value of the whole set after a guess that does not part it: under hard rules it may oblige all the same.
        if left == 1:
            return INFINITE
        left, members = max(left - 1, UNLIMITED), np.arange(len(self.weights))
        if self._may_follow is None:
            return self._value(left, bound)
        if len(members) <= 2:
            return INFINITE if left == 1 < len(members) else _of_few(self.weights)
        return self._of(members, self._rest(members, self.root, row, members), self._until(left, len(members)), bound)

    def _rest(self, members: Array, rows: _GuessRows, row: int, part: Array) -> _GuessRows:
        """The rows for a part of some codes that a row leaves; ``part`` are places in ``members``."""
        if self._may_follow is None or self._labels is None:
            return _within(rows, part)
        guess = int(rows.guess[row])
        follows = self._may_follow(guess, int(self._labels[guess, members[part[0]]]))[rows.guess]
        return _within(_GuessRows(rows.first[follows], rows.win[follows], rows.guess[follows]), part, is_each=True)

    def _mark(self, rows: _GuessRows) -> int:
        """A number for the guesses that may be made, 0 where all may: others have another, but for chance."""
        return 0 if self._labels is None else int(_factors(len(self._labels))[rows.guess].sum())

    def _top(self, d: int) -> _RatedRows:
        if d not in self._tops:
            self._tops[d] = _looked_at(self.root, self.weights, d)
        return self._tops[d]

    def _until(self, left: int, codes: int) -> int:
        # k codes never need more than k guesses: a limit from there on is none.
        return UNLIMITED if left == UNLIMITED or left >= codes else left

    def _spend(self, cells: int) -> None:
        self.work -= cells + NODE
        if self.work < 0:
            raise OutOfWorkError


# ------------------------------------------------------------------ rows


def _blocks(labels: Array) -> list[tuple[int, int]]:
    step = max(1, BLOCK // max(labels.shape[1], 1))
    return [(at, step) for at in range(0, max(len(labels), 1), step)]


def _parted(labels: Array, win: int) -> tuple[Array, Array]:
    """(the first code in the part of each, the code that the guess is): of rows of labels."""
    is_win = labels == win
    wins = np.where(is_win.any(axis=1), is_win.argmax(axis=1), -1)
    used, dense = np.unique(labels, return_inverse=True)
    return _first_of(dense.reshape(labels.shape), len(used)), wins.astype(np.int32)


def _first_of(values: Array, number: int) -> Array:
    # Written from the last column to the first, the first of equal values stays.
    rows = np.arange(len(values))
    first = np.zeros((len(values), number), np.int16)
    for column in range(values.shape[1] - 1, -1, -1):
        first[rows, values[:, column]] = column
    return np.take_along_axis(first, values, axis=1)


@lru_cache(maxsize=512)
def _factors(number: int) -> Array:
    return np.random.default_rng(HASHED).integers(1 << 64, size=number, dtype=np.uint64) | np.uint64(1)


def _keys(first: Array, win: Array) -> Array:
    """A number for each row and what it wins, the same for others with a chance of some 2^-60 a pair."""
    factors = _factors(first.shape[1] + 1)
    keys: Array = first.astype(np.uint64) @ factors[1:] + (win + 1).astype(np.uint64) * factors[0]
    return keys


def _within(rows: _GuessRows, part: Array, *, is_each: bool = False) -> _GuessRows:
    """The rows as they part some of the codes; those of one part tell nothing, and are left out.

    Of rows that part them alike one is left, unless each counts.
    """
    place = np.full(rows.first.shape[1], -1, np.int32)
    place[part] = np.arange(len(part))
    first = _first_of(rows.first[:, part], rows.first.shape[1])
    win = np.where(rows.win >= 0, place[rows.win], -1)
    # Of rows that part these codes alike the likeliest code is best, but for parts of these codes it may be another.
    chosen = np.arange(len(first)) if is_each else np.unique(_keys(first, win), return_index=True)[1]
    chosen = chosen[first[chosen].any(axis=1)]
    return _GuessRows(first[chosen], win[chosen], rows.guess[chosen])


def _parts_of(rows: _GuessRows, row: int) -> list[Array]:
    """The codes that each answer but the winning one leaves."""
    first = rows.first[row]
    return [np.flatnonzero(first == code) for code in np.unique(first) if code != rows.win[row]]


def _of_few(weights: Array) -> int:
    """The total of one or two codes, the likelier first."""
    return int(weights[0]) + (2 * int(weights[1]) if len(weights) > 1 else 0)


# ------------------------------------------------------------------ bounds


def _looked_at(rows: _GuessRows, weights: Array, d: int) -> _RatedRows:
    """Bound every row from below: exactly where no part has more than two codes.

    A guess costs each code its weight, and a code that it is no more. A part costs its weight again, and once more but
    for its likeliest code, which comes first; what must come later still, `_excess` counts, by the least weight.
    """
    k, number = len(weights), len(rows.first)
    cells = rows.first + (k * np.arange(number))[:, None]
    sizes = np.bincount(cells.ravel(), minlength=number * k).reshape(number, k)
    is_first = sizes > 0
    most = int(is_first.sum(axis=1).max(initial=1))
    won = np.where(rows.win >= 0, weights[rows.win], 0)
    total, least = int(weights.sum()), int(weights.min())
    leading = least * is_first.sum(axis=1) if weights[0] == least else is_first @ weights
    bounds: Array = 3 * total - won - leading + least * _excess(k, most)[sizes].sum(axis=1)
    if d != UNLIMITED:
        # One guess finds one code, two find all only where the first tells them all apart.
        bounds[sizes.max(axis=1) > (0 if d == 1 else 1 if d == 2 else k)] = INFINITE  # guesses
    bounds[(rows.win < 0) & (sizes[:, 0] == k)] = INFINITE  # tells nothing
    about = (_outlook(k, most)[sizes] * sizes).sum(axis=1) * (total / k) - won
    return _RatedRows(rows, sizes, bounds, np.lexsort((bounds, about)))


@lru_cache(maxsize=4096)
def _excess(size: int, parts: int) -> Array:
    """Guesses that 0..size codes take more than if all but one were found by the second guess: int64[size + 1].

    Where no guess parts them into more than `parts` parts, j guesses find at most parts^(j-1) codes: a guess that is
    one of them leaves one answer less, 1 + (parts - 1) x <= parts x.
    """
    extra = np.zeros(size + 1, np.int64)
    reach = max(parts, 2)
    while reach < size:
        extra[reach + 1 :] += np.arange(1, size - reach + 1)
        reach *= max(parts, 2)
    return extra


@lru_cache(maxsize=4096)
def _outlook(size: int, parts: int) -> Array:
    """About how many guesses each of 0..size codes takes, by which guesses are compared: float64[size + 1]."""
    number = np.maximum(np.arange(size + 1), 1)
    apart, bits = max(APART * parts, 2.0), max(BITS * log2(max(parts, 2)), 0.7)
    few = np.minimum(number, apart)
    table: Array = 2 - 1 / few + np.log2(number / few) / bits
    return table
