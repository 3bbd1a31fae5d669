"""Finds the least totals of small sets of codes, under any feedback, from a table of labels alone.

A guess is the row of labels that it gives the codes, and nothing else of it matters: guesses that part the codes alike
are one. So the search knows no pegs, colors or kinds of feedback, and serves words, marks, shapes and boards of any
size, if the codes left are few. What rules tell beside, guesses that a symmetry makes alike or clues that oblige, is
told by `Allowed`. The search of large boards, `search.exact`, is a hundred times as fast where it knows the rules.

The total of a set is the sum, over its codes, of weight times guesses. It is, for the best guess, the weight of the set
plus the totals of the parts but the winning one. Branch and bound: guesses are tried in the order of a lower bound, and
parts get bounds of their own, with their own guesses, before any is searched. The contract of every bounded question:
a value below the bound is exact, and one that is not says only that the truth is no less than it.
"""

from __future__ import annotations

import math
import time as clock
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np

from entropeg.codes import Array
from entropeg.kernels import tallies

MayFollow: TypeAlias = Callable[[int, int], Array]
"""Of a guess, by its index, and the label of its answer: which guesses may be made then, `bool[guesses]`."""

INFINITE = 1 << 62
"""More than any total: that of a set which no play finds within the guesses left."""
UNLIMITED = 1 << 20
"""For guesses left: as many as are needed."""


class OutOfWorkError(Exception):
    """The work allowed was done before the answer was known."""


class OutOfTimeError(Exception):
    """The time for a search is over."""


class Kept(NamedTuple):
    """The total of a set if `exact`, else a lower bound; and the row of the best guess."""

    value: int
    row: int
    exact: bool


class Allowed:
    """The guesses that may be made at a set: here all of them, at every set."""

    mark = b""
    """What tells sets apart at which other guesses may be made."""
    joins = True
    """Whether guesses that part the codes alike are one."""

    def __init__(self, rows: Array) -> None:
        """Take the rows of the guesses, in ascending order."""
        self.rows = rows

    def at(self, codes: Array) -> Array:
        """Rows of which one is the best guess at these codes."""
        return self.rows

    def after(self, row: int, part: Array) -> Allowed:
        """What may be guessed after a guess, of which a part is left."""
        return self


class _HardAllowed(Allowed):
    """Hard rules: each answer obliges the next guesses, and guesses that part the codes alike differ in that."""

    joins = False

    def __init__(self, rows: Array, search: SmallSearch, may_follow: MayFollow, labels: Array) -> None:
        super().__init__(rows)
        self._search, self._may_follow, self._labels = search, may_follow, labels
        mask = np.zeros(len(labels), np.bool_)
        mask[rows] = True
        self.mark = np.packbits(mask).tobytes()

    def after(self, row: int, part: Array) -> Allowed:
        rows = self.rows[self._may_follow(row, int(self._labels[row, part[0]]))[self.rows]]
        # Guesses that tell nothing of this part tell nothing of its parts: without them more sets are the same.
        found = self._search.numbers[rows[:, None], part]
        rows = rows[(found != found[:, :1]).any(axis=1)]
        return _HardAllowed(rows, self._search, self._may_follow, self._labels)


class SmallSearch:
    """The search of one set of codes; results about its subsets are kept from question to question.

    `labels`: [guesses, codes]; `win` the label of a guess that is the secret; `weights`: whole numbers above 0, those
    of the codes, all 1 if left out. `work` bounds what is done, in cells: `OutOfWorkError` says that it was not enough,
    and the same questions get the same answers on every machine. After `deadline` (of `time.perf_counter`) comes
    `OutOfTimeError`. With `may_follow` a guess has to be one that may follow those before it; codes of the set always
    may, and all guesses given may be the first. Otherwise guesses that part the codes alike are one, if `joins`.

    Without `naming` no guess is a code, and a code is found where it alone is left: that counts 1 as if it were named
    then, so that totals are those of the questions and the weight of all codes.
    """

    def __init__(  # noqa: PLR0913 - each is a way to search
        self,
        labels: Array,
        win: int,
        weights: Array | None = None,
        work: float = math.inf,
        may_follow: MayFollow | None = None,
        *,
        deadline: float = math.inf,
        joins: bool = True,
        naming: bool = True,
    ) -> None:
        """Put the codes in order of their weights, and find the guesses that differ."""
        given = np.ones(labels.shape[1], np.int64) if weights is None else np.asarray(weights, np.int64)
        order = np.argsort(-given, kind="stable")
        self.codes, self.weights = np.arange(len(given)), given[order]
        self.work, self.deadline, self.tried, self.naming = float(work), math.inf, 0, naming
        self.spend(labels.size)
        # A million cells of the table of all guesses are put in order at a time.
        step = max(1, (1 << 20) // max(len(given), 256))
        blocks = (labels[at : at + step, order] for at in range(0, max(len(labels), 1), step))
        self.numbers: Array = np.concatenate([_numbered(block, win) for block in blocks])
        """int16[rows, codes]: the number of the part of each code, 0 for the code that the guess is."""
        self.guess_of = self.row_of = np.arange(len(labels))
        if joins and may_follow is None:
            self.guess_of, self.row_of = _distinct(self.numbers)
            self.numbers = self.numbers[self.guess_of]
        rows = np.arange(len(self.numbers))
        self.width = int(self.numbers.max(initial=0)) + 1
        self.bits = _as_bits(self.numbers, self.width)
        """[words, codes, rows]: a bit for the part of each code."""
        winning, won = np.nonzero(self.numbers == 0)
        self.row_weights, self.row_of_code = np.zeros(len(rows), np.int64), np.full(len(given), -1)
        self.row_weights[winning], self.row_of_code[won] = self.weights[won], winning
        self.allowed = Allowed(rows) if may_follow is None else _HardAllowed(rows, self, may_follow, labels[:, order])
        self.kept: dict[tuple[bytes, int, bytes], Kept] = {}
        self._scans: dict[tuple[bytes, bytes], Scan] = {}
        self._greedy: dict[tuple[bytes, bytes, int], int] = {}
        self._settled = [0] if naming else [0, 1]
        self.deadline = deadline  # a search that is made can be asked for bounds, whatever the time
        while self._settled[-1] < len(given):
            more = naming + max(self.width - 1, 1 if naming else 2) * self._settled[-1]
            self._settled.append(more)

    @property
    def mass(self) -> int:
        """The sum of all weights."""
        return int(self.weights.sum())

    def value(self, left: int = UNLIMITED, below: int = INFINITE) -> int:
        """The total of the best play; `INFINITE` where no play finds every code within the guesses left."""
        return self.solve(self.codes, self.allowed, below, left)

    def after(self, guess: int, left: int = UNLIMITED, below: int = INFINITE) -> int:
        """The total where a guess is played first, and the best play follows."""
        scan, row = self.scan(self.codes, self.allowed), int(self.row_of[guess])
        [(bound, _, _)] = scan.bounded(np.array([row]))
        return min(bound if bound >= below else self.played(scan, row, bound, below, left), INFINITE)

    def best(self, number: int, left: int = UNLIMITED, among: Array | None = None) -> list[tuple[int, int]]:
        """A number of the best guesses with their totals, the best first, proven: one of all that part the codes alike.

        ``among``: indexes of guesses, one of each kind where some symmetry makes others their images; all if left out.
        A guess that does so and is a code, or a likelier one, is another; under hard rules each is. Only guesses that
        find every code within the guesses left are listed; and none that tells nothing.
        """
        found: list[tuple[int, bool, int]] = []
        scan = self.scan(self.codes, self.allowed)
        wanted = None if among is None else set(self.row_of[among].tolist())
        for bound, row in self.different(scan, wanted):
            most = found[number - 1][0] if len(found) >= number else INFINITE
            if bound >= most:
                break
            total = self.played(scan, row, bound, most, left)
            if total < most:
                found.append((total, not self.row_weights[row], int(self.guess_of[row])))
                found.sort()
        return [(guess, total) for total, _, guess in found[:number]]

    def promising(self, among: Array | None = None) -> list[int]:
        """One guess of each row, the most promising first; among some guesses, if they are given."""
        rows = self.scan(self.codes, self.allowed).by_promise()
        chosen = rows if among is None else rows[np.isin(rows, self.row_of[among])]
        return [int(self.guess_of[row]) for row in chosen]

    def followed(self, guess: int | None = None) -> int:
        """The total of a strategy that makes the most promising guess at every set, without regard to a limit."""
        return self._follow(self.codes, self.allowed, -1 if guess is None else int(self.row_of[guess]))

    # -------------------------------------------------------------- the recursion

    def solve(self, codes: Array, allowed: Allowed, below: int, d: int) -> int:
        """The least total of a set within d guesses, if it is below the bound; else a bound that is no less.

        `INFINITE` where no play finds every code with d guesses.
        """
        n = len(codes)
        # 1. One or two codes are guessed themselves, the likelier first; or a question tells two apart.
        if n <= 2:
            return self._of_few(codes) if d >= n else INFINITE
        # 2. n codes never take more than n guesses, since every guess worth making leaves fewer: a limit from there on
        #    is none. And a few guesses of a few answers each settle a few codes.
        d = min(d, n)
        if n > self.settled(d):
            return INFINITE
        # 3. The set is known, seen at a glance, or bounded by its own guesses.
        kept = self._known(codes, allowed, d)
        if kept.exact or kept.value >= below:
            return kept.value
        # 4. Guesses by their bound; from the first that reaches the best on, none can be better. A play of d guesses
        #    costs d for each code at most: beyond that there is none.
        scan = self.scan(codes, allowed)
        most = d * scan.mass
        best, chosen, rest = min(below, most + 1), -1, INFINITE
        for bound, row in self.different(scan):
            if bound >= best:
                rest = min(rest, bound)
                break
            self.tried += 1
            total = self.played(scan, row, bound, best, d)
            if total < best:
                best, chosen = total, row
            else:
                rest = min(rest, total)
        value = best if chosen >= 0 else max(rest, best)
        value = INFINITE if value > most else value
        key = codes.tobytes()
        self.kept[key, d, allowed.mark] = Kept(value, chosen, chosen >= 0 or value >= INFINITE)
        if chosen >= 0:
            self._scans.pop((key, allowed.mark), None)
        return value

    def different(self, scan: Scan, wanted: set[int] | None = None) -> Iterator[tuple[int, int]]:
        """Give bound and row of the guesses of a scan, or of those wanted, one of all that cost the same.

        These leave the same parts, and win as much: which code it is that wins does not matter then.
        """
        seen: set[tuple[int, ...]] = set()
        for bound, row in scan:
            if wanted is not None and row not in wanted:
                continue
            found = self.numbers[row, scan.codes].tolist()
            names: dict[int, int] = {}
            parts = *[names.setdefault(part, len(names)) for part in found], int(0 in names and self.row_weights[row])
            # Of two codes both count: either may be asked for.
            if parts not in seen or len(found) <= 2 or not scan.allowed.joins:
                seen.add(parts)
                yield bound, row

    def played(self, scan: Scan, row: int, total: int, best: int, d: int) -> int:
        """The total of a guess, of which `total` is a bound: exact if it is less than `best`, else a bound."""
        codes, allowed, after = scan.codes, scan.allowed, d - 1
        found = self.numbers[row, codes]
        sizes = np.bincount(found).tolist()
        sizes[0] = 0
        # 1. A part that the guesses left cannot settle.
        if max(sizes) > self.settled(after):
            return INFINITE
        # 2. The bound holds the exact totals of parts of one or two codes. The bounds of larger ones, by their own best
        #    guesses, take the place of those by size, the largest first; that costs less than to search any.
        waiting = []
        large = [part for part, size in enumerate(sizes) if size > 2]
        for part in sorted(large, key=sizes.__getitem__, reverse=True):
            inside = codes[found == part]
            follows = allowed.after(row, inside)
            kept = self._known(inside, follows, min(after, len(inside)))
            total += kept.value - scan.counted(inside)
            if total >= best:
                return total
            if not kept.exact:
                waiting.append((kept.value, inside, follows))
        # 3. Parts are searched from the smallest on, each for no more than the bounds of the others leave it.
        for low, inside, follows in reversed(waiting):
            total += self.solve(inside, follows, best - total + low, after) - low
            if total >= best:
                break
        return total

    def _known(self, codes: Array, allowed: Allowed, d: int) -> Kept:
        """The result known of three codes or more with d guesses; if there is none yet, what is seen at once."""
        key = codes.tobytes(), d, allowed.mark
        kept = self.kept.get(key)
        if kept is None:
            kept = self._seen(codes, d) or Kept(self.scan(codes, allowed).lowest, -1, exact=False)
            self.kept[key] = kept
        return kept

    def _seen(self, codes: Array, d: int) -> Kept | None:
        n, weights = len(codes), self.weights[codes]
        if n > self.width + 1 or not self.naming:
            return None
        is_flat, mass = weights[0] == weights[-1], int(weights.sum())
        own = self.row_of_code[codes if is_flat else codes[weights == weights[0]]]
        own = own[own >= 0]
        parts = _ones([np.bitwise_or.reduce(bits[codes[:, None], own], axis=0) for bits in self.bits])
        most = int(parts.max(initial=0))
        # No total is less than that of the heaviest code first, with each other code in a part of its own. Where no
        # such guess exists and weights are equal, none is less than that of a code that leaves one pair together.
        if most == n:
            return Kept(2 * mass - int(weights[0]), int(own[parts.argmax()]), exact=True)
        if most == n - 1 and is_flat and d > 2:
            return Kept(2 * mass, int(own[parts.argmax()]), exact=True)
        return None

    def settled(self, d: int) -> int:
        """The most codes that d guesses settle, by the number of answers alone."""
        return self._settled[min(d, len(self._settled) - 1)]

    def parts(self, codes: Array, row: int) -> list[Array]:
        """The parts of a set after each answer to a guess but the winning one."""
        found = self.numbers[row, codes]
        return [codes[found == part] for part in np.unique(found).tolist() if part]

    def scan(self, codes: Array, allowed: Allowed) -> Scan:
        """The guesses at a set in the order of their bounds."""
        key = codes.tobytes(), allowed.mark
        if key not in self._scans:
            self._scans[key] = Scan(self, codes, allowed)
        return self._scans[key]

    def _of_few(self, codes: Array) -> int:
        if not self.naming:
            return len(codes) * int(self.weights[codes].sum())
        return sum(depth * weight for depth, weight in enumerate(self.weights[codes].tolist(), 1))

    def _follow(self, codes: Array, allowed: Allowed, row: int = -1) -> int:
        if row < 0 and len(codes) <= 2:
            return self._of_few(codes)
        key = codes.tobytes(), allowed.mark, row
        if key not in self._greedy:
            # The guess seen at once is the most promising, too.
            seen = self._seen(codes, len(codes)) if row < 0 else None
            self._greedy[key] = self._follow_one(codes, allowed, row) if seen is None else seen.value
        return self._greedy[key]

    def _follow_one(self, codes: Array, allowed: Allowed, row: int) -> int:
        row = row if row >= 0 else int(Scan(self, codes, allowed).by_promise()[0])
        parts = [(part, allowed if len(part) <= 2 else allowed.after(row, part)) for part in self.parts(codes, row)]
        return int(self.weights[codes].sum()) + sum(self._follow(*part) for part in parts)

    def spend(self, cells: int) -> None:
        """Count work; raises OutOfWorkError and OutOfTimeError."""
        self.work -= cells
        if self.work < 0:
            raise OutOfWorkError
        if clock.perf_counter() > self.deadline:
            raise OutOfTimeError


class Scan:
    """All guesses at a set of codes in the order of their bounds, as far as they are asked for.

    How many parts a guess leaves is counted for all of them, a bit a part; the sizes of the parts, which bound its
    total better, only of those that come next.
    """

    def __init__(self, search: SmallSearch, codes: Array, allowed: Allowed) -> None:
        self._search, self.codes, self.allowed = search, codes, allowed
        self.weights = search.weights[codes]
        self.mass, self._least = int(self.weights.sum()), int(self.weights[-1])
        self._is_flat = self.weights[0] == self._least
        rows = allowed.at(codes)
        # Looking at a set costs 4,000 cells, of some 30 nanoseconds, besides those of its table, of which only the
        # bit is joined to others: that takes an eighth of the time.
        search.spend(4000 + len(codes) * len(rows) // 8)
        met = [np.bitwise_or.reduce(bits[codes], axis=0)[rows] for bits in search.bits]
        parts, wins = _ones(met), (met[0] & met[0].dtype.type(1)).astype(np.int64)
        useful = np.flatnonzero(parts + wins > 1)
        rows, parts, wins = rows[useful], parts[useful], wins[useful]
        # Possible guesses count among the others, too: of a part of the set, which is bounded so, most are no members.
        own, other = int((parts * wins).max(initial=2)) - 1, int((parts - wins).max(initial=1))
        self._most = int(parts.max(initial=1))
        number = len(search.codes)
        self._excess = size_excess(number, own, other) if search.naming else leaf_excess(number, other)
        # A part costs twice its weight less that of its heaviest code; all parts have no heavier ones than these.
        if self._is_flat:
            levels = self._least * (3 * len(codes) - parts - wins)
        else:
            heaviest = np.concatenate([[0], np.cumsum(self.weights)])
            levels = 3 * self.mass - wins * search.row_weights[rows] - heaviest[parts]
        # Numbers of 16 bits are sorted by their digits, in a fifth of the time.
        order = np.argsort(levels.astype(np.uint16) if 3 * self.mass < 1 << 16 else levels, kind="stable")
        self._rows, self._levels = rows[order], levels[order]
        self._next = 0
        self._waiting: list[tuple[int, int, int]] = []
        self._sorted: list[tuple[int, int, int]] = []

    @property
    def lowest(self) -> int:
        """Bound of the set."""
        return next(iter(self), (INFINITE, -1))[0]

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Give pairs of bound and row, the least bound first; of equal bounds guesses that may win first."""
        at = 0
        while at < len(self._sorted) or self._more():
            bound, _, row = self._sorted[at]
            yield bound, row
            at += 1

    def _more(self) -> bool:
        waiting, level = self._waiting, INFINITE
        while self._next < len(self._rows):
            level = int(self._levels[self._next])
            if waiting and waiting[0][0] <= level:
                break
            end = int(np.searchsorted(self._levels, level, side="right"))
            waiting += self.bounded(self._rows[self._next : end])
            waiting.sort()
            self._next, level = end, INFINITE
        known = bisect_right(waiting, (level, 2, 0))
        self._sorted += waiting[:known]
        del waiting[:known]
        return known > 0

    def bounded(self, rows: Array) -> Iterator[tuple[int, int, int]]:
        """Give (bound, whether it cannot win, row) of rows: exact where no part has more than two codes."""
        _, won, bounds = self._rated(rows)
        return zip(bounds.tolist(), (won == 0).tolist(), rows.tolist(), strict=True)

    def _rated(self, rows: Array) -> tuple[Array, Array, Array]:
        """(sizes of the parts, weight of the code that wins, bound) of rows."""
        search, codes, at = self._search, self.codes, np.arange(len(rows))
        search.spend(len(rows) * len(codes))
        found = search.numbers[rows[:, None], codes]
        sizes = tallies(found, search.width)
        won = sizes[:, 0] * search.row_weights[rows]
        if self._is_flat:
            leading = self._least * ((sizes > 0) if search.naming else (sizes == 1)).sum(axis=1)
        else:
            # Written from the lightest code to the heaviest, the heaviest of each part stays.
            heads = np.zeros(sizes.shape, np.int64)
            for code in range(len(codes) - 1, -1, -1):
                heads[at, found[:, code]] = self.weights[code]
            leading = (heads if search.naming else heads * (sizes == 1)).sum(axis=1)
        # A guess costs each code its weight, and a code that it is no more. A part costs its weight again, and once
        # more but for its heaviest code, which comes first; what must come later still, `size_excess` counts, by the
        # least weight.
        bounds = 3 * self.mass - won - leading + self._least * self._excess[sizes].sum(axis=1)
        return sizes, won, bounds

    def counted(self, part: Array) -> int:
        """What bounds of this set count for a part."""
        weights = self._search.weights[part]
        leading = int(weights[0]) if self._search.naming or len(part) == 1 else 0
        return 2 * int(weights.sum()) - leading + self._least * int(self._excess[len(part)])

    def by_promise(self) -> Array:
        """The rows that tell something, the most promising first."""
        rows = np.sort(self._rows)
        sizes, won, bounds = self._rated(rows)
        each = self.mass / len(self.codes)
        about = (_outlook(len(self.codes), self._most)[sizes] * sizes).sum(axis=1) * each - won
        order: Array = rows[np.lexsort((bounds, about))]
        return order


# ------------------------------------------------------------------ tables


def _numbered(labels: Array, win: int) -> Array:
    """The parts of each row in the order in which they begin, from 1 on, and 0 for the code that is guessed."""
    dense, number = labels, int(labels.max(initial=0)) + 1
    if number > 1 << 12:
        used, dense = np.unique(labels, return_inverse=True)
        dense, number = dense.reshape(labels.shape), len(used)
    # Written from the last column to the first, the first of equal values stays.
    rows = np.arange(len(labels))
    first = np.zeros((len(labels), number), np.int16)
    for column in range(labels.shape[1] - 1, -1, -1):
        first[rows, dense[:, column]] = column
    first = np.take_along_axis(first, dense.astype(np.intp), axis=1)
    is_win = labels == win
    begins = (first == np.arange(labels.shape[1])) & ~is_win
    numbers: Array = np.take_along_axis(begins.cumsum(axis=1, dtype=np.int16), first.astype(np.intp), axis=1)
    numbers[is_win] = 0
    return numbers


def _distinct(table: Array) -> tuple[Array, Array]:
    """(the first of all rows that are equal, which of these each row is); others are alike by a chance of 2^-60."""
    factors = np.random.default_rng(0x9E3779B9).integers(1 << 64, size=table.shape[1], dtype=np.uint64) | np.uint64(1)
    keys = table.astype(np.uint64) @ factors
    _, chosen, place = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(chosen)
    return chosen[order], np.argsort(order)[place.ravel()]


def _as_bits(numbers: Array, width: int) -> list[Array]:
    word = np.dtype(np.uint16 if width <= 16 else np.uint32 if width <= 32 else np.uint64)
    across = np.ascontiguousarray(numbers.T)
    one = np.ones(1, word)
    return [
        np.where(across >> 6 == at, np.left_shift(one, (across & 63).astype(word)), word.type(0))
        for at in range((width + 63) // 64)
    ]


_ONES = np.unpackbits(np.arange(1 << 16, dtype=np.uint16).view(np.uint8)).reshape(-1, 16).sum(axis=1)


def _ones(words: list[Array]) -> Array:
    """Count the bits in some words of each row: int64."""
    counts = [_ONES[each.view(np.uint16)].reshape(len(each), -1).sum(axis=1) for each in words]
    total: Array = counts[0] if len(counts) == 1 else np.sum(counts, axis=0)
    return total


# ------------------------------------------------------------------ bounds


@lru_cache(maxsize=4096)
def size_excess(size: int, own: int, other: int) -> Array:
    """Guesses that 0..size codes take more than if all but one were found by the second guess: int64[size + 1].

    A guess that is one of the codes leaves no more than `own` parts, another one no more than `other`, of the set and
    of its parts. So a first guess finds one code or none, and each further one as many as there are parts; the sizes
    are those of `count_bounds.size_bound`, all at once.
    """
    sizes = np.arange(size + 1)
    extra: Array = np.minimum(np.maximum(sizes - 1 - own, 0), 1 + np.maximum(sizes - other, 0))
    settled = max(1 + own, other)
    while settled < size:
        more = max(1 + own * settled, other * settled)
        if more == settled:
            break
        extra += np.maximum(sizes - more, 0)
        settled = more
    extra[0] = 0
    return extra


@lru_cache(maxsize=4096)
def leaf_excess(size: int, answers: int) -> Array:
    """Guesses that 0..size codes take more than 2 each, where none is named but alone: int64[size + 1].

    So many leaves are those of a tree of questions with `answers` answers at most, on two neighboring levels.
    """
    depth, most, extra = 0, 1, np.zeros(size + 1, np.int64)
    for number in range(2, size + 1):
        if number > most:
            depth, most = depth + 1, most * max(answers, 2)
        # Each leaf of the level above that is divided takes its own place and answers - 1 more.
        above = most // max(answers, 2)
        divided = -((above - number) // (max(answers, 2) - 1))
        extra[number] = depth * number - (above - divided) - number
    return extra


@lru_cache(maxsize=4096)
def _outlook(size: int, parts: int) -> Array:
    """About how many guesses each of 0..size codes takes, by which guesses are compared: float64[size + 1]."""
    number = np.maximum(np.arange(size + 1), 1)
    # A guess tells apart 0.6 of the most parts of any, and 0.78 of the bits of these: that says which guess is the
    # most promising, and no more.
    apart, bits = max(0.6 * parts, 2.0), max(0.78 * math.log2(max(parts, 2)), 0.7)
    few = np.minimum(number, apart)
    table: Array = 2 - 1 / few + np.log2(number / few) / bits
    return table
