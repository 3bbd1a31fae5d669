"""Finds the most secrets that a strategy can find within a number of guesses, proven or bounded: `most_within`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np

from entropeg import arguments
from entropeg.codes import Array, format_code, guesses
from entropeg.errors import InputError
from entropeg.feedback import check_named, from_label
from entropeg.plain_values import PlainValue
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.label_search import BoundedFinding, LabelSearch, StoppedError, why_unproven
from entropeg.search.results import Value
from entropeg.search.strategies import Node
from entropeg.search.weights import SecretWeights, Weights, whole_weights
from entropeg.symmetry import kind_numbers, representatives
from entropeg.told import Told, plural
from entropeg.tree.strategy import StrategyTree, tree_of_nodes

MOST_KEPT = 200_000
"""Sets whose values are kept: 100 MB at most on 4x6."""


@dataclass(frozen=True, repr=False)
class MostWithin(BoundedFinding, PlainValue):
    """What `most_within` found: bounds of the most secrets that can be found within `guesses`, and a strategy.

    ``value`` counts secrets, or their weight where there are weights, `weight` in all. The strategy is complete, and
    finds ``value.lower`` within the guesses.
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("rules", "codes=size", "guesses", "is_exact", "found=value.lower", "found_upper=value.upper", "weight"),
        *("opening", "histogram", "seconds", "interrupted=is_interrupted"),
    )

    rules: Rules
    size: int
    guesses: int
    value: Value
    weight: float | None
    root: Node
    seconds: float
    is_interrupted: bool
    position: Position

    @property
    def opening(self) -> str:
        """The first guess."""
        return format_code(self.root.guess, self.rules)

    @property
    def histogram(self) -> list[int]:
        """Number of secrets that the strategy finds in 1, 2, ... guesses, beyond the limit too."""
        return [self.root.histogram.get(length, 0) for length in range(1, self.root.worst + 1)]

    @cached_property
    def tree(self) -> StrategyTree:
        """The strategy, which finds the other secrets too, later; made when it is first asked for."""
        return tree_of_nodes(self.root, self.position)

    def __repr__(self) -> str:
        """Say on one line what was found: `<MostWithin of 4x6: = 768 of 1,296 within 4 guesses>`."""
        whole = self.size if self.weight is None else self.weight
        within = plural(self.guesses, "within {n} guess", "within {n} guesses")
        return f"<MostWithin of {self.rules}: {self.value} of {whole:,.10g} {within}>"

    def lines(self) -> Iterator[str]:
        """Give these lines."""
        board = Told("{rules} after {turns}", self.rules, self.position) if self.position.turns else str(self.rules)
        within = plural(self.guesses, "within {n} guess", "within {n} guesses")
        if self.weight is None:
            yield Told("{board}, {within}: secrets {value} of {codes:,}", board, within, self.value, self.size)
        else:
            yield Told("{board}, {within}: weight {value} of {weight:.10g}", board, within, self.value, self.weight)
        counts = " ".join(map(str, self.histogram))
        yield Told("first guess {guess}; codes found in 1, 2, ... guesses: {counts}", self.opening, counts)
        yield from why_unproven(is_exact=self.is_exact, is_interrupted=self.is_interrupted)
        yield Told("{seconds:.2f} s", self.seconds)


def most_within(
    board: Position | Rules | str,
    guesses: int,
    *,
    weights: Weights | None = None,
    time: float | None = None,
    progress: Callable[[int, int, Value], None] | None = None,
) -> MostWithin:
    """Find the most secrets that any strategy finds within some guesses, counted from the position on, and prove it.

    With ``weights``, or a prior of the rules, it is the greatest weight: the chance to win, where they are chances.
    After ``time`` seconds, or Ctrl-C, the best strategy and bounds so far are returned. ``progress`` is called with
    first guesses settled, all of these, and the bounds. The greatest number is that of the best first guess, and that
    of a guess the sum over its parts, with one guess less; a part of n codes gives no more than n, nor than a guess and
    what one guess less finds after each answer. Within 4 guesses half a second on 4x6, 12 on 4x8, 40 on 5x5.

    Raises InputError for numbers that make no sense and under hard rules, TooLargeError where the labels take more than
    200 MB.

    >>> found = most_within("3x4", 3)
    >>> found, found.tree.histogram
    (<MostWithin of 3x4: = 43 of 64 within 3 guesses>, (1, 4, 38, 21))
    """
    position = Position.of(board)
    whole = arguments.whole(guesses, "the number of guesses", least=1)
    if position.rules.hard:
        raise InputError("{rules} has hard rules, under which secrets within some guesses are not counted", board)
    seconds = math.inf if time is None else arguments.number(time, "the time")
    check_named(position.rules)
    return _WithinSearch(position, whole, weights, seconds, arguments.call(progress, "progress")).run()


@dataclass
class _Settled:
    """Where a search stands: the best first guess and its strategy, and what the others could give at most."""

    best: int = 0
    root: Node | None = None
    settled: int = 0
    bound: int = 0
    nodes: int = 0
    kept: dict[tuple[bytes, int], tuple[int, int]] = field(default_factory=dict)


class _WithinSearch(LabelSearch):
    """One call: codes are numbers of the candidates, guesses of the legal guesses, and sets are heaviest first."""

    def __init__(
        self,
        position: Position,
        guesses_left: int,
        given: Weights | None,
        seconds: float,
        progress: Callable[[int, int, Value], None] | None,
    ) -> None:
        from entropeg.kernels.within import most_of_set

        self.position, self.progress = position, progress
        self.rules = rules = position.rules.with_limit(None)
        self.left, self.legal = position.candidates, guesses(rules)
        super().__init__(seconds, self.legal, self.left)
        weighed = SecretWeights.read(given, position)
        limit = position.rules.guess_limit
        self.depth = guesses_left if limit is None else min(guesses_left, limit - len(position.turns))
        self.is_flat = given is None and rules.prior is None
        self.weights, self.unit = whole_weights(np.ones(len(self.left)) if self.is_flat else weighed.each.astype(float))
        self.win = int(np.searchsorted(self.label_of, rules.win_label))
        self.own = self.legal.find(self.left)
        self.rows = np.arange(len(self.legal), dtype=np.int32)
        self.start = np.argsort(-self.weights, kind="stable").astype(np.int32)
        # Guesses of one kind are alike where codes of one kind have one weight.
        kinds = kind_numbers(position, self.left)
        order = np.argsort(kinds, kind="stable")
        alike = np.diff(kinds[order]) != 0
        self.is_alike = bool(np.all(alike | (np.diff(self.weights[order]) == 0)))
        self.standing = _Settled(bound=int(self.weights.sum()))
        self.most_of_set = most_of_set
        # What is to be compiled is compiled before the clock begins.
        few = self.start[:1]
        for depth in (2, 3):
            most_of_set(self.labels[:1], few, self.weights, self.rows[:1], depth, self.width, self.win, 0, self.stop)

    def run(self) -> MostWithin:
        """Search, and return what was found."""
        standing = self.standing
        seconds = self.searched()
        root = standing.root or self._node(self.start, self.depth)
        depths = dict(root.found())
        found = sum(
            int(weight)
            for code, weight in zip(self.left, self.weights, strict=True)
            if depths.get(code, math.inf) <= self.depth
        )
        return MostWithin(
            rules=self.position.rules,
            size=len(self.left),
            guesses=self.depth,
            value=Value(found * self.unit, max(found, standing.bound) * self.unit),
            weight=None if self.is_flat else int(self.weights.sum()) * self.unit,
            root=root,
            seconds=seconds,
            is_interrupted=self.is_interrupted,
            position=self.position,
        )

    def _tell(self) -> None:
        if self.progress is not None:
            standing = self.standing
            value = Value(standing.best * self.unit, standing.bound * self.unit)
            self.progress(standing.settled, standing.nodes, value)

    # ------------------------------------------------------------------ the search

    def _search(self) -> None:
        """Settle the first guesses, the most promising first."""
        standing, codes = self.standing, self.start
        rows: Array = self.rows
        if self.is_alike:
            rows = self.legal.find(representatives(Position(self.rules, self.position.turns), self.legal))
        if len(codes) == 1 or self.depth == 1:
            standing.bound = int(self.weights[codes[0]])
            return
        bounds, order = self._promising(codes, self.depth, rows)
        standing.nodes = len(order)
        for place in order:
            standing.bound = max(standing.best, int(bounds[place]))
            if bounds[place] <= standing.best:
                break
            try:
                found = self._guess(
                    codes, int(rows[place]), self.depth, standing.best, int(bounds[place]), is_first=True
                )
                if found > standing.best:
                    root = self._branch(codes, int(rows[place]), self.depth)
                    standing.best, standing.root = found, root
            except StoppedError:
                return
            standing.settled += 1
        standing.bound = standing.best

    def _promising(self, codes: Array, depth: int, rows: Array) -> tuple[Array, Array]:
        """(what each guess gives at most, the places of the guesses in the order to try them)."""
        labels = self.labels[rows][:, codes]
        counts = np.zeros((len(rows), self.width), np.int64)
        at, bounds, cap = np.arange(len(rows)), np.zeros(len(rows), np.int64), self._cap(depth - 1)
        for place, code in enumerate(codes):
            column = labels[:, place]
            bounds += np.where(counts[at, column] < cap, self.weights[code], 0)
            counts[at, column] += 1
        return bounds, np.lexsort((-(counts > 0).sum(axis=1), -bounds))

    @cached_property
    def _most_parts(self) -> int:
        """Most answers of any guess that are not the win."""
        seen = np.zeros((len(self.labels), self.width), np.bool_)
        for row, found in zip(self.labels, seen, strict=True):
            found[row] = True
        seen[:, self.win] = False
        return int(seen.sum(axis=1).max())

    def _cap(self, depth: int) -> int:
        """Most codes that `depth` guesses find: one by the first, and what the others find after each answer."""
        cap = 1
        for _ in range(min(depth, len(self.left)) - 1):
            cap = min(1 + self._most_parts * cap, len(self.left))
        return cap

    def _guess(self, codes: Array, row: int, depth: int, need: int, bound: int, *, is_first: bool = False) -> int:
        """What a guess gives where that is more than `need`, else a number that is not; `bound`: at most."""
        found, left, cap = 0, bound, self._cap(depth - 1)
        for label, part in self._parts(codes, row):
            promised = int(self.weights[part[:cap]].sum())
            left -= promised
            if found + left + promised <= need:
                return need
            if label == self.win or len(part) == 1 or depth == 2:
                found += promised
                continue
            rows = self._second(row, label) if is_first and depth > 3 else self.rows
            found += self._value(part, depth - 1, rows, max(0, need - found - left))[0]
            if is_first:
                self.standing.bound = max(self.standing.best, self._others(bound), found + left)
        return found

    def _others(self, bound: int) -> int:
        # The first guesses that come later promise no more than this one did.
        return bound if self.standing.settled + 1 < self.standing.nodes else 0

    def _second(self, row: int, label: int) -> Array:
        """Of the second guesses one of each kind."""
        if not self.is_alike:
            return self.rows
        feedback = from_label(int(self.label_of[label]), self.rules)
        after = Position(self.rules, self.position.turns).after_trusted(self.legal[row], feedback)
        return self.legal.find(representatives(after, self.legal)).astype(np.int32)

    def _parts(self, codes: Array, row: int) -> list[tuple[int, Array]]:
        """The parts of a guess with their labels, the largest first."""
        found = self.labels[row, codes]
        parts = [(int(label), codes[found == label]) for label in np.unique(found)]
        return sorted(parts, key=lambda part: -len(part[1]))

    def _value(self, codes: Array, depth: int, rows: Array, need: int) -> tuple[int, int]:
        """(the most that `depth` guesses find, the first of them), exact where it is more than `need`, else (0, -1)."""
        if len(codes) <= 2 or depth == 1:
            return int(self.weights[codes[:depth]].sum()), int(self.own[codes[0]])
        key = codes.tobytes(), depth
        if key in self.standing.kept:
            return self.standing.kept[key]
        if depth <= 3:
            found, row = self.most_of_set(
                self.labels, codes, self.weights, rows, depth, self.width, self.win, need, self.stop
            )
        else:
            found, row = need, -1
            bounds, order = self._promising(codes, depth, rows)
            for place in order:
                if bounds[place] <= found:
                    break
                value = self._guess(codes, int(rows[place]), depth, found, int(bounds[place]))
                if value > found:
                    found, row = value, int(rows[place])
            found = found if row >= 0 else 0
        if self.stop[0]:
            raise StoppedError
        if row >= 0 and len(self.standing.kept) < MOST_KEPT:
            self.standing.kept[key] = int(found), int(row)
        return int(found), int(row)

    # ------------------------------------------------------------------ the strategy

    def _branch(self, codes: Array, row: int, depth: int) -> Node:
        children = {}
        for label, part in self._parts(codes, row):
            if label != self.win:
                children[int(self.label_of[label])] = self._node(part, depth - 1)
        wins = bool((self.own[codes] == row).any())
        return Node(self.legal[row], wins, dict(sorted(children.items())))

    def _node(self, codes: Array, depth: int) -> Node:
        """The strategy of a set; beyond the guesses, and once the search is stopped, by the most parts."""
        own = self.own[codes]
        if len(codes) <= 2:
            return self._branch(codes, int(own[0]), depth)
        row = -1
        if depth > 1 and not self.stop[0]:
            _, row = self._value(codes, depth, self.rows, 0)
        if row < 0:
            # Of the codes that fit, of large sets as many as take a moment.
            rows = own[:1] if depth == 1 else own[: max(1, (1 << 20) // len(codes))]
            found = np.zeros((len(rows), self.width), np.bool_)
            found[np.arange(len(rows))[:, None], self.labels[rows][:, codes]] = True
            row = int(rows[found.sum(axis=1).argmax()])
        return self._branch(codes, row, depth)
