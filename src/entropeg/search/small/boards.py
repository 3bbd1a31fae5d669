"""Solves whole small boards and positions on NumPy, where compiled code would take longer to come than the answer."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable
from functools import cached_property, lru_cache
from itertools import count

import numpy as np

from entropeg.codes import Array, guesses, secrets
from entropeg.feedback import Code, from_label
from entropeg.kernels.switch import Switch, can_compile, mode
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.results import SearchProgress, Solution, Value
from entropeg.search.small.search import INFINITE, UNLIMITED, Allowed, OutOfTimeError, SmallSearch, size_excess
from entropeg.search.strategies import Node
from entropeg.search.weights import SecretWeights, whole_weights
from entropeg.symmetry import representatives

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


def plain_optimum(
    position: Position,
    *,
    worst: bool,
    limit: int | None,
    seconds: float | None,
    weights: SecretWeights | None = None,
    progress: Callable[[SearchProgress], None] | None = None,
) -> Solution:
    """Find what `optimal` finds, with these options of it.

    >>> from entropeg import Position, Rules
    >>> str(plain_optimum(Position(Rules.parse("3x4")), worst=False, limit=None, seconds=None).value)
    '= 206'
    """
    began = clock.perf_counter()
    search = BoardSearch(position, math.inf if seconds is None else began + seconds, weights, progress)
    return searched(search, began, worst=worst, limit=limit)


def searched(search: BoardSearch, began: float, *, worst: bool, limit: int | None) -> Solution:
    """Find what `plain_optimum` finds, with a search that has found nothing yet."""
    more = not search.naming  # the code left is found by one step more, which is no guess
    stopped, interrupted, total, d = False, False, INFINITE, None if limit is None else limit + more
    try:
        if worst:
            d = search.fewest if d is None else min(d, search.fewest)
        total = search.value(d or UNLIMITED)
        while worst and total >= INFINITE and d is not None and (limit is None or d < limit + more):
            d += 1
            total = search.value(d)
    except OutOfTimeError:
        stopped = True
    except KeyboardInterrupt:
        stopped = interrupted = True
    impossible = not stopped and total >= INFINITE
    root = None if stopped or impossible else search.strategy(d or UNLIMITED)
    if stopped and more and limit is None:
        root = search.quick_strategy()
    lower = math.inf if impossible else search.bound if stopped else total - more * search.mass
    upper = None if root is None else search.worth(root)
    least_worst = None
    if worst and d is not None:
        least_worst = Value(d - more, d - more if total < INFINITE else None if root is None else root.worst)
    return Solution(
        rules=search.given.rules,
        size=len(search.codes),
        value=search.in_weights(Value(lower, upper)),
        root=root,
        worst_value=least_worst,
        is_impossible=impossible,
        seconds=clock.perf_counter() - began,
        nodes=search.tried,
        is_interrupted=interrupted,
        weight=None if search.weighing is None else search.weighing.each.sum(),
        position=search.given,
    )


class BoardSearch(SmallSearch):
    """Least totals of a position, with the strategies that have them."""

    def __init__(
        self,
        position: Position,
        deadline: float = math.inf,
        weights: SecretWeights | None = None,
        progress: Callable[[SearchProgress], None] | None = None,
    ) -> None:
        """Score all pairs of a guess and a code that is left. After the deadline there comes OutOfTimeError."""
        position.check_consistent()
        self.given, self.weighing, self.progress, self.began = position, weights, progress, clock.perf_counter()
        self.rules = rules = position.rules.with_limit(None)
        self.legal, self.left = guesses(rules), position.candidates
        whole, self.unit = None, 1.0
        if weights is not None:
            whole, self.unit = whole_weights(weights.in_units.astype(np.float64))
            order = np.argsort(-whole, kind="stable")
            order = order[whole[order] > 0]
            self.left, whole = self.left.take(order), whole[order]
        self.labels = self.left.labels(self.legal)
        super().__init__(
            self.labels, rules.win_label, whole, deadline=deadline, joins=not rules.is_named, naming=rules.is_named
        )
        self.allowed = _Unlike(self, Position(rules, position.turns))

    def spend(self, cells: int) -> None:
        """Count work, and tell how far it is."""
        super().spend(cells)
        if self.progress is not None and self.tried > 0:
            seconds = clock.perf_counter() - self.began
            self.progress(SearchProgress(None, 0, self.bound, None, self.tried, seconds))

    @property
    def bound(self) -> int:
        """A lower bound of the total: by the number of codes, or where none is named by the best first question."""
        size, most = len(self.codes), self.width - 1
        if not self.naming:
            return self._lowest
        return 2 * size - 1 + int(size_excess(size, most, most)[-1])

    @cached_property
    def _lowest(self) -> int:
        if len(self.codes) == 1:
            return 0
        self.deadline, deadline = math.inf, self.deadline
        lowest = self.scan(self.codes, self.allowed).lowest - self.mass
        self.deadline = deadline
        return lowest

    def first_bound(self, guess: Code) -> int | None:
        """A bound of the questions that a first one takes, and others after it; None where it tells nothing."""
        row = int(self.row_of[self._place(guess)])
        if len(np.unique(self.numbers[row])) == 1:
            return None
        return next(iter(self.scan(self.codes, self.allowed).bounded(np.array([row]))))[0] - self.mass

    def questions_after(self, guess: Code) -> int:
        """The least total of questions where one is asked first."""
        return self.after(self._place(guess)) - self.mass

    def _place(self, guess: Code) -> int:
        place = self.legal.index_of(guess)
        assert place is not None
        return place

    def worth(self, root: Node) -> int:
        """The total of a strategy, under the weights."""
        weight = dict(zip(self.left, self.weights.tolist(), strict=True))
        return sum(weight[code] * depth for code, depth in root.found())

    def in_weights(self, value: Value) -> Value:
        """Bounds in the unit of the weights that were given."""
        return value if self.weighing is None else value.times(self.unit * self.weighing.unit)

    @property
    def fewest(self) -> int:
        """A number of guesses, with fewer than which not every code can be found."""
        return next(d for d in count() if self.settled(d) >= len(self.codes))

    def strategy(self, limit: int = UNLIMITED) -> Node:
        """Return the strategy of the least total, which was found before."""
        return self.node(self.codes, limit)

    def node(self, codes: Array, d: int) -> Node:
        """Return the strategy of a set that was solved within d guesses."""
        row = self.kept[codes.tobytes(), min(d, len(codes)), b""].row if len(codes) > 2 else self._first(codes)
        return self.branch(codes, row, lambda part: self.node(part, d - 1))

    def quick_strategy(self) -> Node:
        """Return a strategy that makes the most promising guess at sets that are not solved: the best of ten."""
        self.deadline = math.inf
        if len(self.codes) <= 2:
            return self._quick(self.codes)
        first = self.scan(self.codes, self.allowed).by_promise()[:10].tolist()
        return min((self.branch(self.codes, row, self._quick) for row in first), key=self.worth)

    def _quick(self, codes: Array) -> Node:
        kept = self.kept.get((codes.tobytes(), len(codes), b""))
        if len(codes) <= 2:
            row = self._first(codes)
        elif kept is not None and kept.exact:
            row = kept.row
        else:
            row = int(self.scan(codes, self.allowed).by_promise()[0])
        return self.branch(codes, row, self._quick)

    def _first(self, codes: Array) -> int:
        # The guess at one or two codes: the first of them, or what tells two apart.
        if self.naming or len(codes) == 1:
            return int(self.row_of_code[codes[0]])
        return int(np.flatnonzero(self.numbers[:, codes[0]] != self.numbers[:, codes[1]])[0])

    def branch(self, codes: Array, row: int, follow: Callable[[Array], Node]) -> Node:
        """Return the strategy of a set that begins with this guess; `follow` makes those of its parts."""
        if not self.naming and len(codes) == 1:
            return Node(self.left[int(codes[0])], wins=True, asked=False)
        row = int(self.guess_of[row])
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
        if search.weighing is not None:
            return self.rows
        if self._position is not None:
            alike = search.legal.find(representatives(self._position, search.legal))
            return alike if search.naming else np.unique(search.row_of[alike])
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
