"""The exact search of small boards on NumPy, where compiled code would take longer to come than the answer.

The least total number of guesses over a set S of codes is, for the best guess g, |S| plus that of every part but the
winning one. Branch and bound: guesses are tried in the order of a bound by the sizes of their parts, in which no guess
leaves more parts of a part than the best guess leaves of the whole set; parts get the same bound of their own, with
their own guesses, before any is searched. What `engine` does with vectors, threads and better bounds, this does in a
fiftieth of the code, a hundred times as slowly.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Iterator
from functools import lru_cache
from heapq import heappop, heappush
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from entropeg.codes import guesses, secrets
from entropeg.feedback import from_label
from entropeg.kernels import score_many, tallies
from entropeg.kernels.switch import Switch, can_compile, mode
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.results import Solution, Value
from entropeg.search.tree import Node
from entropeg.symmetry import representatives

Array = Any

INF = 1 << 40
"""More than any total; the total where the guesses allowed do not settle all codes."""

DEEP = 40
"""So many guesses settle all codes of any board that is searched, as far as their number tells."""

UNLIMITED = 1 << 20
"""Guesses allowed where there is no limit."""

PAIRS = 15
"""Pairs that could be scored in the time that the search takes for a pair of a guess and a secret, more or less."""

LIMITED = 20
"""So many times that it may take with a limit."""

MOST_PAIRS = 1 << 22
"""Pairs of a guess and a secret on the largest boards that are searched where there is no compiler, some for hours."""

MOST_ANSWERS = 64
"""Parts of a set are bits of a word."""

MOST_UNLIKE = 1 << 14
"""Pairs on the largest boards without symmetry that are searched quickly: every guess is an opening."""

CODES = 7
"""Boards are searched quickly whose secrets are at most so many times the square of the number of feedbacks."""

_functions = Switch("entropeg.search.exact.engine", "entropeg.search.proving.plain_exact")

SYMMETRIC = 1
"""Turns after which the symmetry of the history is no longer looked at, only the colors that no code has."""


class Kept(NamedTuple):
    """What is known of a set: its total if `exact`, else a lower bound; and the best guess."""

    value: int
    guess: int
    exact: bool


def is_searched_plainly(rules: Rules, *, is_limited: bool) -> bool:
    """Tell whether the search of these rules is for NumPy: it takes about a second, or there is nothing else.

    A limit of the guesses (`is_limited`) makes it longer.
    """
    pairs = rules.secret_count * rules.guess_count
    if pairs == 1:
        return True
    if answers_of(rules) > MOST_ANSWERS or rules.hard:
        return False
    is_quick = rules.secret_count <= CODES * answers_of(rules) ** 2 and rules.colors > 2
    is_quick = is_quick if rules.is_symmetric else pairs <= MOST_UNLIKE
    if is_quick and _functions.is_plain(pairs * PAIRS * (LIMITED if is_limited else 1)):
        return True
    if mode() == "always" or (mode() == "auto" and can_compile()):
        return False
    return pairs <= MOST_PAIRS


@lru_cache(maxsize=64)
def answers_of(rules: Rules) -> int:
    """Return how many feedbacks there are, at most: those that occur, where all might be more than a search takes."""
    every: int = rules.feedback.about.count(rules.pegs)
    if every <= MOST_ANSWERS or rules.secret_count * rules.guess_count > MOST_PAIRS:
        return every
    return len(np.unique(secrets(rules).labels(guesses(rules))))


def plain_optimum(position: Position, *, worst: bool, limit: int | None, seconds: float | None) -> Solution:
    """Find what `optimal` finds, with these options of it.

    >>> from entropeg import Position, Rules
    >>> str(plain_optimum(Position(Rules.parse("3x4")), worst=False, limit=None, seconds=None).value)
    '= 206'
    """
    began = clock.perf_counter()
    search = PlainSearch(position, None if seconds is None else began + seconds)
    return searched(search, began, worst=worst, limit=limit)


def searched(search: PlainSearch, began: float, *, worst: bool, limit: int | None) -> Solution:
    """Find what `plain_optimum` finds, with a search that has found nothing yet."""
    size, stopped, interrupted, total, d = len(search.start), False, False, INF, limit
    try:
        if worst:
            d = search.fewest() if limit is None else min(limit, search.fewest())
        total = search.total(d)
        while worst and total >= INF and d is not None and (limit is None or d < limit):
            d += 1
            total = search.total(d)
    except OutOfTimeError:
        stopped = True
    except KeyboardInterrupt:
        stopped = interrupted = True
    impossible = not stopped and total >= INF
    root = None if stopped or impossible else search.strategy(d)
    lower = math.inf if impossible else search.bound() if stopped else total
    least_worst = Value(d, None if root is None else d) if worst and d is not None else None
    return Solution(
        rules=search.given.rules,
        size=size,
        value=Value(lower, None if root is None else total),
        root=root,
        worst_value=least_worst,
        is_impossible=impossible,
        seconds=clock.perf_counter() - began,
        nodes=search.tried,
        is_interrupted=interrupted,
        position=search.given,
    )


class OutOfTimeError(Exception):
    """The time for a search is over."""


class PlainSearch:
    """Least totals on one board; what was found of a set is kept."""

    def __init__(self, position: Position, deadline: float | None = None) -> None:
        """Score all pairs of codes. After the deadline (of `time.perf_counter`) searches raise OutOfTimeError."""
        position.check_consistent()
        self.given = position
        self.deadline = math.inf if deadline is None else deadline
        self.rules = rules = position.rules.with_limit(None)
        self.position = Position(rules, position.turns)
        self.legal, self.hidden = guesses(rules), secrets(rules)
        # Labels that occur, numbered without gaps: tables by label are half as wide.
        found = score_many(rules.kind, self.legal.planes, self.hidden.planes)
        self.names = np.flatnonzero(np.bincount(found.ravel()))
        places = np.zeros(rules.label_count, found.dtype)
        places[self.names] = np.arange(len(self.names))
        self.labels = places[found]
        word = np.dtype(np.uint16 if len(self.names) <= 16 else np.uint32 if len(self.names) <= 32 else np.uint64)
        bits: Array = np.left_shift(np.ones(1, word), self.labels.astype(word))
        self.bits = np.ascontiguousarray(bits.T)
        self.win = int(np.searchsorted(self.names, rules.win_label))
        self.guess_of = self.legal.find(self.hidden)
        self.start = self.position.candidates.ranks
        self.tried = 0
        self._settled = {0: 0}
        self._kept: dict[tuple[bytes, int], Kept] = {}
        self._scans: dict[bytes, Scan] = {}
        self._pools: dict[bytes, Array] = {}

    def total(self, limit: int | None = None, below: int = INF) -> int:
        """Return the least total, of strategies of at most `limit` guesses where it is given; INF if there is none."""
        parts = len(self.names)
        return self._solve(self.start, self.position, parts, parts, below, limit or UNLIMITED)

    def bound(self) -> int:
        """Return a lower bound of the total, by the number of codes alone."""
        parts = len(self.names) - 1
        return int(_size_bounds(len(self.start), parts, parts)[-1])

    def fewest(self) -> int:
        """Return a number of guesses, fewer than which do not settle so many codes."""
        return next(d for d in count(1) if self._most(d) >= len(self.start))

    def _most(self, d: int) -> int:
        """Return a number of codes that no `d` guesses settle more than."""
        if d not in self._settled:
            self._settled[d] = INF if d >= DEEP else 1 + (len(self.names) - 1) * self._most(d - 1)
        return self._settled[d]

    def strategy(self, limit: int | None = None) -> Node:
        """Return the strategy of the least total, which was found before."""
        return self._node(self.start, limit or UNLIMITED)

    def _node(self, codes: Array, d: int) -> Node:
        d = UNLIMITED if d >= len(codes) else d
        chosen = self._kept[codes.tobytes(), d].guess if len(codes) > 2 else int(self.guess_of[codes[0]])
        return self._branch(codes, chosen, lambda part: self._node(part, d if d == UNLIMITED else d - 1))

    def _branch(self, codes: Array, guess: int, follow: Callable[[Array], Node]) -> Node:
        """Return the strategy of a set that begins with this guess; `follow` makes those of its parts."""
        row = self.labels[guess, codes]
        children = {int(self.names[label]): follow(part) for label, part in self._parts(codes, row)}
        return Node(self.legal[guess], bool((row == self.win).any()), children)

    def _solve(self, codes: Array, position: Position | None, own: int, other: int, below: int, d: int) -> int:
        """Return the least total of a set: exact if it is less than `below`, else a lower bound that is not."""
        n = len(codes)
        if n <= 2:
            return (2 * n - 1 if n else 0) if d >= n else INF
        d = UNLIMITED if d >= n else d
        if d <= 1 or n > self._most(d):
            return INF
        if clock.perf_counter() > self.deadline:
            raise OutOfTimeError
        kept = self._known(codes, d)
        if kept is not None and (kept.exact or kept.value >= below):
            return kept.value
        scan = self._scan(codes, position, own, other)
        best, chosen, rest = below, -1, INF
        for bound, guess, row in self._distinct(codes, scan):
            if bound >= best:
                rest = min(rest, bound)
                break
            self.tried += 1
            total = self._try(codes, row, guess, position, scan, bound, best, d)
            if total < best:
                best, chosen = total, guess
            else:
                rest = min(rest, total)
        value = best if chosen >= 0 else max(rest, below)
        self._kept[codes.tobytes(), d] = Kept(value, chosen, chosen >= 0 or value >= INF)
        if chosen >= 0:
            self._scans.pop(codes.tobytes(), None)
        return value

    def _distinct(self, codes: Array, scan: Scan) -> Iterator[tuple[int, int, Array]]:
        """Give bound, guess and labels of the guesses of a scan, one of all that leave the same parts."""
        seen: set[bytes] = set()
        for bound, guess in scan:
            row = self.labels[guess, codes]
            cut = _partition(row, self.win)
            if cut not in seen:
                seen.add(cut)
                yield bound, guess, row

    def _known(self, codes: Array, d: int) -> Kept | None:
        """Return what is known of 3 codes or more, or learned at once: no total is less than with each in a part."""
        key, n = (codes.tobytes(), d), len(codes)
        kept = self._kept.get(key)
        if kept is None and n <= len(self.names):
            own = self.guess_of[codes]
            found = np.sort(self.labels[own[:, None], codes], axis=1)
            splits = np.flatnonzero((found[:, 1:] != found[:, :-1]).all(axis=1))
            if len(splits):
                kept = self._kept[key] = Kept(2 * n - 1, int(own[splits[0]]), exact=True)
        return kept

    def _try(  # noqa: PLR0913, PLR0917 - what is known of the guess
        self,
        codes: Array,
        row: Array,
        guess: int,
        position: Position | None,
        scan: Scan,
        total: int,
        best: int,
        d: int,
    ) -> int:
        """Return the total of a guess, of which `total` is a bound: exact if it is less than `best`, else a bound."""
        after = d if d == UNLIMITED else d - 1
        waiting = []
        for label, part in sorted(self._parts(codes, row), key=lambda one: -len(one[1])):
            n = len(part)
            if n > self._most(after):
                return INF
            if n <= 2:
                break
            follows = self._after(position, guess, label)
            kept = self._known(part, UNLIMITED if after >= n else after)
            low = self._scan(part, follows, scan.own, scan.other).lowest if kept is None else kept.value
            total += low - int(scan.sizes[n])
            if total >= best:
                return total
            waiting.append((low, part, follows))
        for low, part, follows in reversed(waiting):
            total += self._solve(part, follows, scan.own, scan.other, best - total + low, after) - low
            if total >= best:
                return total
        return total

    def _parts(self, codes: Array, row: Array) -> Iterator[tuple[int, Array]]:
        for label in np.flatnonzero(np.bincount(row)).tolist():
            if label != self.win:
                yield label, codes[row == label]

    def _after(self, position: Position | None, guess: int, label: int) -> Position | None:
        if position is None or len(position.turns) >= len(self.position.turns) + SYMMETRIC:
            return None
        return position.after_trusted(self.legal[guess], from_label(int(self.names[label]), self.rules))

    def _scan(self, codes: Array, position: Position | None, own: int, other: int) -> Scan:
        key = codes.tobytes()
        if key not in self._scans:
            self._scans[key] = Scan(self, codes, self._pool(codes, position), own, other)
        return self._scans[key]

    def _pool(self, codes: Array, position: Position | None) -> Array:
        """Return the guesses of which one is the best, one of each kind that the set cannot tell apart."""
        if position is not None:
            return self.legal.find(representatives(position, self.legal))
        used = np.zeros(self.rules.symbols_in_guesses, np.bool_)
        used[self.hidden.planes[:, codes]] = True
        key = used.tobytes()
        if key not in self._pools:
            self._pools[key] = self._using(used)
        return self._pools[key]

    def _using(self, used: Array) -> Array:
        # Where colors may repeat, all that no code has are as good as the first of them.
        if not self.rules.guess_repeats or used.all() or not self.rules.is_symmetric:
            return np.arange(len(self.legal))
        allowed = used.copy()
        allowed[np.flatnonzero(~used)[0]] = True
        return np.flatnonzero(allowed[self.legal.planes].all(axis=0))


class Scan:
    """All guesses at a set of codes in the order of their bounds, as far as they are asked for.

    How many parts a guess leaves is counted for all of them, a bit a part; the sizes of the parts, which bound its
    total better, only of those that come next.
    """

    def __init__(self, search: PlainSearch, codes: Array, pool: Array, own: int, other: int) -> None:
        """Count the parts; `own` and `other` are the most that guesses leave of a set that holds this one."""
        self._search, self._codes = search, codes
        n, met = len(codes), np.bitwise_or.reduce(search.bits[codes], axis=0)[pool]
        parts, wins = _ones(met), met >> search.bits.dtype.type(search.win) & 1
        useful = np.flatnonzero(parts + wins > 1)
        pool, parts, wins = pool[useful], parts[useful], wins[useful].astype(np.int64)
        self.own = min(own, int((parts - 1)[wins == 1].max(initial=1)))
        # Possible guesses count here, too: of a part of the set, which inherits this bound, most are no members.
        self.other = min(other, int((parts - wins).max(initial=1)))
        self.sizes = _size_bounds(n, self.own, self.other)
        # A part of x codes costs 2 x - 1 at least.
        bounds = 3 * n - parts - wins
        # Numbers of 16 bits are sorted by their digits, in a fifth of the time; there are too few codes for more.
        order = np.argsort(bounds.astype(np.uint16), kind="stable")
        self._pool, self._levels = pool[order], bounds[order]
        self._next = 0
        self._waiting: list[tuple[int, int, int]] = []
        self._sorted: list[tuple[int, int]] = []

    @property
    def lowest(self) -> int:
        """Bound of the set."""
        return next(iter(self), (INF, -1))[0]

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Give pairs of bound and guess, the least bound first; of equal bounds guesses that may win first."""
        at = 0
        while at < len(self._sorted) or self._more():
            yield self._sorted[at]
            at += 1

    def _more(self) -> bool:
        while self._next < len(self._pool):
            level = self._levels[self._next]
            if self._waiting and self._waiting[0][0] <= level:
                break
            end = int(np.searchsorted(self._levels, level, side="right"))
            for one in self._bounded(self._pool[self._next : end]):
                heappush(self._waiting, one)
            self._next = end
        if not self._waiting:
            return False
        bound, _, guess = heappop(self._waiting)
        self._sorted.append((bound, guess))
        return True

    def _bounded(self, some: Array) -> Iterator[tuple[int, int, int]]:
        search, codes = self._search, self._codes
        sizes = tallies(search.labels[some[:, None], codes], len(search.names))
        loses = sizes[:, search.win] == 0
        sizes[:, search.win] = 0
        bounds = len(codes) + self.sizes[sizes].sum(axis=1)
        return zip(bounds.tolist(), loses.tolist(), some.tolist(), strict=True)


_ONES = np.unpackbits(np.arange(1 << 16, dtype=np.uint16).view(np.uint8)).reshape(-1, 16).sum(axis=1)


def _ones(words: Array) -> Array:
    """Count the bits of each word: int64."""
    return _ONES[words.view(np.uint16)].reshape(len(words), -1).sum(axis=1)


def _partition(row: Array, win: int) -> bytes:
    # The parts without their labels, in the order in which they begin: guesses that leave the same cost the same.
    names: dict[int, int] = {win: 255}
    return bytes(names.setdefault(label, len(names)) for label in row.tolist())


def _size_bounds(n: int, own: int, other: int) -> Array:
    """Return the least total of any set of 0 to n codes of which guesses leave so many parts at most: int64[n + 1].

    The sizes are those of `scans.size_bound`, all at once.
    """
    sizes = np.arange(n + 1)
    with_own = 2 * sizes - 1 + np.maximum(sizes - 1 - own, 0)
    total = np.minimum(with_own, 2 * sizes + np.maximum(sizes - other, 0))
    total[0] = 0
    settled = max(1 + own, other)
    while settled < n:
        more = max(1 + own * settled, other * settled)
        if more == settled:
            break
        total += np.maximum(sizes - more, 0)
        settled = more
    return total
