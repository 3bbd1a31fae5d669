"""Finds the symmetries of a table of answers: permutations of secrets that take every question to a question.

A question is how it parts the secrets, with the part that wins told apart; what its answers are called makes no
difference. Secrets get colors, and a secret that questions tell from others of its color gets another, until no more
do (color refinement). Where several of a color are left one of them gets a color of its own, and so on: a path to
colors that all differ. Another path to the same colors gives a permutation, which is then checked against the table
(McKay, Practical graph isomorphism, 1981). Colors are hashes of 64 bits: two that meet by chance leave symmetries
unfound, and never give a wrong one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_CELLS = 1 << 23
"""Cells of a table that is looked at: what is made of them takes half a second, and 200 MB."""
BUDGET = 1 << 28
"""Cells read in one search, which then ends with what was found: 3 seconds. A table of 4x6 takes a tenth."""

Array = NDArray[Any]
Colors = NDArray[np.uint64]


class _SpentError(Exception):
    """The search has read as many cells as it may."""


class Symmetries:
    """The questions of one table as partitions of its secrets, and the search for symmetries among them.

    `partition_of`: the number of the partition of each row, equal for rows that part the secrets alike.
    """

    def __init__(self, labels: Array, win: int) -> None:
        """Take the labels of all rows, `[rows, secrets]`; the label `win` wins."""
        self._secrets, self._win, number = labels.shape[1], win, dict[bytes, int]()
        named = _named_by_first(np.ascontiguousarray(labels.T), win)
        self.partition_of = np.array([number.setdefault(row.tobytes(), len(number)) for row in named])
        self._first = np.unique(self.partition_of, return_index=True)[1]
        self._named = named[self._first]
        self._columns = np.ascontiguousarray(labels[self._first].T)
        # Partitions are found again by a word for each.
        self._words = _mixed(np.arange(self._secrets, dtype=np.uint64))
        found = self._named @ self._words
        self._order = np.argsort(found)
        self._sorted, self._left = found[self._order], BUDGET
        with suppress(_SpentError):
            self._choose()

    def orbits(self, told_apart: Sequence[int] | Array = (), known: Iterable[Array] = ()) -> Array:
        """The first of the rows that symmetries take each row to, or that part the secrets alike: `int64[rows]`.

        By symmetries that keep each part of the rows `told_apart`, and those that are `known`, permutations of rows.
        """
        every = [*self.generators(told_apart), *(self.partition_of[rows[self._first]] for rows in known)]
        first: Array = self._first[joined(len(self._first), every)][self.partition_of]
        return first

    def generators(self, told_apart: Sequence[int] | Array = ()) -> list[Array]:
        """Permutations of partitions, by symmetries that keep each part of the rows `told_apart`: `int64[partitions]`.

        They generate all symmetries, unless the budget ends before: then some.
        """
        colors = np.ones(self._secrets, np.uint64)
        for row in told_apart:
            colors = _mixed(colors + self._named[self.partition_of[row]])
        self._left, self._found = BUDGET, list[tuple[Array, Array]]()
        with suppress(_SpentError):
            self._search(colors)
        return [partitions for _, partitions in self._found]

    # ------------------------------------------------------------------ paths

    def _search(self, colors: Colors) -> None:
        # Level by level, the last first: symmetries of later levels keep the secrets of the earlier ones.
        levels, base = [self._refined(colors)[0]], list[int]()
        while (secret := _undecided(levels[-1])) is not None:
            base.append(secret)
            levels.append(self._refined(_singled_out(levels[-1], secret))[0])
        for at in reversed(range(len(base))):
            tried, root = [base[at]], self._joined()
            for secret in np.flatnonzero(levels[at] == levels[at][base[at]]).tolist():
                if root[secret] in root[tried]:
                    continue
                tried.append(secret)
                found = self._taking(levels, base, at, levels[at], secret)
                if found is not None:
                    self._found.append(found)
                    root = self._joined()

    def _joined(self) -> Array:
        return joined(self._secrets, (secrets for secrets, _ in self._found))

    def _taking(
        self, levels: list[Colors], base: list[int], at: int, colors: Colors, secret: int
    ) -> tuple[Array, Array] | None:
        # A symmetry that takes the secret of a level of the path to another one; `colors` are those of the images.
        after = self._refined(_singled_out(colors, secret))[0]
        if not np.array_equal(np.sort(after), np.sort(levels[at + 1])):
            return None
        found = self._checked(_likely(levels[at + 1], after))
        if found is None and at + 1 < len(base):
            likely = np.flatnonzero(after == levels[at + 1][base[at + 1]]).tolist()
            each = (self._taking(levels, base, at + 1, after, other) for other in likely)
            found = next((one for one in each if one is not None), None)
        return found

    def _checked(self, image: Array) -> tuple[Array, Array] | None:
        # A permutation of secrets with that of partitions, None where one of these goes to none.
        self._spend(self._columns.size)
        moved = np.empty_like(self._columns)
        moved[image] = self._columns
        # Most that fail do so at once.
        if self._found_again(moved[:, self._looked_at[:8]]) is None:
            return None
        partitions = self._found_again(moved)
        return None if partitions is None else (image, partitions)

    def _found_again(self, columns: Array) -> Array | None:
        # The partitions that rows of labels are, None where one is none of them.
        named = _named_by_first(columns, self._win)
        places = np.minimum(np.searchsorted(self._sorted, named @ self._words), len(self._sorted) - 1)
        partitions: Array = self._order[places]
        return partitions if np.array_equal(self._named[partitions], named) else None

    def _spend(self, cells: int) -> None:
        self._left -= max(cells, 1 << 15)
        if self._left < 0:
            raise _SpentError

    # ------------------------------------------------------------------ colors

    def _choose(self) -> None:
        # Colors are refined by the partitions of some kinds, those of fewest first: enough of them to tell all secrets
        # apart, and their colors as far as all partitions do. All are looked at when a symmetry is checked.
        is_part = _are_parts(self._named)
        # To name a secret, where "no" tells nothing of the others, tells no secrets apart.
        telling = np.flatnonzero(is_part.sum(axis=1) > 1 + is_part[:, -1])
        telling = telling if len(telling) else np.arange(len(is_part))
        self._look_at(telling)
        start = np.ones(self._secrets, np.uint64)
        colors, rows = self._refined(start)
        _, kind, sizes = np.unique(rows, return_inverse=True, return_counts=True)
        order = np.lexsort((kind, sizes[kind]))
        ends = np.flatnonzero(np.diff(kind[order], append=-1)) + 1
        for most in (64, 512, 4096):
            self._look_at(telling[order[: ends[np.searchsorted(ends, min(most, len(order)))]]])
            cells, told_apart = np.unique(self._refined(start)[0]), np.unique(self._part, axis=1).T
            if len(cells) == len(np.unique(colors)) and len(told_apart) == self._secrets:
                return
        self._look_at(telling)

    def _look_at(self, partitions: Array) -> None:
        # Cells by the number of their part among those of all these partitions.
        self._looked_at, named = partitions, self._named[partitions].astype(np.intp)
        is_part = _are_parts(named)
        number = (np.cumsum(is_part) - 1).reshape(is_part.shape)
        self._part = np.take_along_axis(number, named, axis=1).astype(np.int32)
        self._row, name = np.nonzero(is_part)
        self._wins = (name == self._secrets).astype(np.uint64)
        self._first_part = np.searchsorted(self._row, np.arange(len(named)))

    def _refined(self, colors: Colors) -> tuple[Colors, Colors]:
        # Colors of secrets that part no partition further, each of equal ones in equal parts; and those of partitions.
        cells, rows, colors = 0, np.zeros(len(self._part), np.uint64), _mixed(colors)
        while cells != (cells := len(np.unique(colors))) and cells < self._secrets:
            self._spend(self._part.size)
            # Sums of 5,000 numbers of 40 bits are exact in floats.
            shares = np.broadcast_to((colors >> np.uint64(24)).astype(np.float64), self._part.shape)
            parts = np.bincount(self._part.ravel(), shares.ravel()).astype(np.uint64)
            parts = _mixed(parts + self._wins)
            rows = _mixed(np.add.reduceat(parts, self._first_part))
            colors = _mixed(colors + _mixed(parts + rows[self._row])[self._part].sum(axis=0))
        return colors, rows


def _named_by_first(columns: Array, win: int) -> Array:
    # Each cell of `[secrets, rows]` named by the first secret of its part, a win by none: uint16[rows, secrets].
    secrets, rows = columns.shape
    each, first = np.arange(rows), np.empty((rows, win + 1), np.uint16)
    for secret in reversed(range(secrets)):
        first[each, columns[secret]] = secret
    first[:, win] = secrets
    return np.take_along_axis(first, columns.T.astype(np.intp), axis=1)


def _are_parts(named: Array) -> Array:
    # Which names of parts occur in each row, that of a win the last: bool[rows, secrets + 1].
    found = np.zeros((len(named), named.shape[1] + 1), np.bool_)
    np.put_along_axis(found, named.astype(np.intp), values=True, axis=1)
    return found


def _mixed(words: Colors) -> Colors:
    # The words of SplitMix64 after these (Steele, Lea and Flood, 2014).
    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def _undecided(colors: Colors) -> int | None:
    # The first secret of the color of fewest secrets, of those of several.
    _, first, sizes = np.unique(colors, return_index=True, return_counts=True)
    several = np.flatnonzero(sizes > 1)
    return int(first[several[np.argmin(sizes[several])]]) if len(several) else None


def _singled_out(colors: Colors, secret: int) -> Colors:
    colors = colors.copy()
    colors[secret] = _mixed(~colors[secret : secret + 1])[0]
    return colors


def _likely(one: Colors, other: Colors) -> Array:
    # A permutation that takes colors to equal ones: where they are in place already, the identity.
    image = np.arange(len(one))
    moved = np.flatnonzero(one != other)
    image[moved[np.argsort(one[moved], kind="stable")]] = moved[np.argsort(other[moved], kind="stable")]
    return image


def joined(size: int, permutations: Iterable[Array]) -> Array:
    """The least of those that permutations join each with: `int64[size]`."""
    root, before, permutations = np.arange(size), np.full(size, -1), list(permutations)
    while not np.array_equal(before, root):
        before = root.copy()
        for image in permutations:
            root = np.minimum(root, root[image])
            root[image] = np.minimum(root[image], root)
    return root
