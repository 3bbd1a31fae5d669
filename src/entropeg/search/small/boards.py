"""Solves whole small boards and positions on NumPy, where compiled code would take longer to come than the answer."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable
from functools import lru_cache
from itertools import count
from typing import Any

import numpy as np

from entropeg.codes import guesses, secrets
from entropeg.feedback import from_label
from entropeg.kernels.switch import Switch, can_compile, mode
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.results import Solution, Value
from entropeg.search.small.search import INFINITE, UNLIMITED, Allowed, OutOfTimeError, SmallSearch, size_excess
from entropeg.search.strategies import Node
from entropeg.symmetry import representatives

Array = Any


MOST_PAIRS = 1 << 22
"""Pairs of a guess and a secret on the largest boards that are searched where there is no compiler, some for hours."""

MOST_ANSWERS = 64
"""Answers on the boards that are searched: more take more than a word of bits."""


_functions = Switch("entropeg.search.exact.engine", "entropeg.search.small.boards")


def is_searched_plainly(rules: Rules, *, is_limited: bool) -> bool:
    """Tell whether the search of these rules is for NumPy: it takes about a second, or there is nothing else.

    A limit of the guesses (`is_limited`) makes it longer.
    """
    pairs = rules.secret_count * rules.guess_count
    if pairs == 1:
        return True
    if answers_of(rules) > MOST_ANSWERS or rules.hard:
        return False
    is_quick = rules.secret_count <= 7 * answers_of(rules) ** 2 and rules.colors > 2
    # Without symmetry every guess is an opening.
    is_quick = is_quick if rules.is_symmetric else pairs <= (1 << 14)
    # A pair of a guess and a secret takes as long to search as 15 to score, more or less; with a limit 20 times that.
    if is_quick and _functions.is_plain(pairs * 15 * (20 if is_limited else 1)):
        return True
    if mode() == "always" or (mode() == "auto" and can_compile()):
        return False
    return pairs <= MOST_PAIRS


@lru_cache(maxsize=64)
def answers_of(rules: Rules) -> int:
    """Return how many feedbacks there are, at most: those that occur, where all might be more than a search takes."""
    every: int = rules.feedback.about.count(rules)
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
    search = BoardSearch(position, math.inf if seconds is None else began + seconds)
    return searched(search, began, worst=worst, limit=limit)


def searched(search: BoardSearch, began: float, *, worst: bool, limit: int | None) -> Solution:
    """Find what `plain_optimum` finds, with a search that has found nothing yet."""
    stopped, interrupted, total, d = False, False, INFINITE, limit
    try:
        if worst:
            d = search.fewest if limit is None else min(limit, search.fewest)
        total = search.value(d or UNLIMITED)
        while worst and total >= INFINITE and d is not None and (limit is None or d < limit):
            d += 1
            total = search.value(d)
    except OutOfTimeError:
        stopped = True
    except KeyboardInterrupt:
        stopped = interrupted = True
    impossible = not stopped and total >= INFINITE
    root = None if stopped or impossible else search.strategy(d or UNLIMITED)
    lower = math.inf if impossible else search.bound if stopped else total
    least_worst = Value(d, None if root is None else d) if worst and d is not None else None
    return Solution(
        rules=search.given.rules,
        size=len(search.codes),
        value=Value(lower, None if root is None else total),
        root=root,
        worst_value=least_worst,
        is_impossible=impossible,
        seconds=clock.perf_counter() - began,
        nodes=search.tried,
        is_interrupted=interrupted,
        position=search.given,
    )


class BoardSearch(SmallSearch):
    """Least totals of a position, with the strategies that have them."""

    def __init__(self, position: Position, deadline: float = math.inf) -> None:
        """Score all pairs of a guess and a code that is left. After the deadline there comes OutOfTimeError."""
        position.check_consistent()
        self.given = position
        self.rules = rules = position.rules.with_limit(None)
        self.legal, self.left = guesses(rules), position.candidates
        self.labels = self.left.labels(self.legal)
        super().__init__(self.labels, rules.win_label, deadline=deadline, joins=False)
        self.allowed = _Unlike(self, Position(rules, position.turns))

    @property
    def bound(self) -> int:
        """A lower bound of the total, by the number of codes alone."""
        return 2 * len(self.codes) - 1 + int(size_excess(len(self.codes), self.width - 1, self.width - 1)[-1])

    @property
    def fewest(self) -> int:
        """A number of guesses, with fewer than which not every code can be found."""
        return next(d for d in count() if self.settled(d) >= len(self.codes))

    def strategy(self, limit: int = UNLIMITED) -> Node:
        """Return the strategy of the least total, which was found before."""
        return self.node(self.codes, limit)

    def node(self, codes: Array, d: int) -> Node:
        """Return the strategy of a set that was solved within d guesses."""
        own = int(self.row_of_code[codes[0]])
        row = self.kept[codes.tobytes(), min(d, len(codes)), b""].row if len(codes) > 2 else own
        return self.branch(codes, row, lambda part: self.node(part, d - 1))

    def branch(self, codes: Array, row: int, follow: Callable[[Array], Node]) -> Node:
        """Return the strategy of a set that begins with this guess; `follow` makes those of its parts."""
        found = self.labels[row, codes]
        parts = {int(label): codes[found == label] for label in np.unique(found)}
        wins = parts.pop(self.rules.win_label, None) is not None
        return Node(self.legal[row], wins, {label: follow(part) for label, part in parts.items()})


class _Unlike(Allowed):
    """Guesses that a position cannot tell apart are one; later, only those that differ in colors that no code has.

    The symmetry of the history is looked at for one turn more: later it leaves too little to pay for the look.
    """

    def __init__(self, search: BoardSearch, position: Position | None, later: _Unlike | None = None) -> None:
        super().__init__(search.allowed.rows)
        self._search, self._position = search, position
        self._by_colors: dict[bytes, Array] = {}
        self._later = self if position is None else later or _Unlike(search, None)

    def at(self, codes: Array) -> Array:
        search, rules = self._search, self._search.rules
        if self._position is not None:
            return search.legal.find(representatives(self._position, search.legal))
        if not rules.guess_repeats or not rules.is_symmetric:
            return self.rows
        # Where colors may repeat, all that no code has are as good as the first of them.
        allowed = np.zeros(rules.symbols_in_guesses, np.bool_)
        allowed[search.left.planes[:, codes]] = True
        key = allowed.tobytes()
        if key not in self._by_colors:
            allowed[allowed.argmin()] = True
            self._by_colors[key] = np.flatnonzero(allowed[search.legal.planes].all(axis=0))
        return self._by_colors[key]

    def after(self, row: int, part: Array) -> Allowed:
        search = self._search
        if self._position is None or len(self._position.turns) > len(search.given.turns):
            return self._later
        answer = from_label(int(search.labels[row, part[0]]), search.rules)
        return _Unlike(search, self._position.after_trusted(search.legal[row], answer), self._later)
