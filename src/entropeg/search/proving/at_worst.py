"""The strategy of least total and least worst case that takes its most guesses for the fewest secrets.

A strategy is as good as its parts: with d guesses left, each part is played at the least total of d - 1 guesses and,
among such strategies, with the fewest codes that take all of them. So the fewest of a set is the least sum over its
parts, of the guesses whose total is the least one. A set has none at all just where d - 1 guesses have the same total,
which the search for totals tells; only the few sets that need their last guess are searched here.
"""

from __future__ import annotations

import math
import time as clock
from dataclasses import replace
from typing import Any

from entropeg.errors import TooLargeError
from entropeg.position import Position
from entropeg.search.results import Solution, Value
from entropeg.search.small.boards import MOST_ANSWERS, BoardSearch, answers_of, searched
from entropeg.search.small.search import INFINITE, Allowed, Kept, OutOfTimeError, Scan
from entropeg.search.strategies import Node

Array = Any


def with_fewest_at_worst(position: Position, *, worst: bool, limit: int | None, seconds: float | None) -> Solution:
    """Find what `optimal` finds with ``fewest_at_worst``, and these options of it.

    Raises TooLargeError beyond reach.

    >>> from entropeg import Position, Rules
    >>> found = with_fewest_at_worst(Position(Rules.parse("3x4")), worst=False, limit=None, seconds=None)
    >>> found.worst, str(found.at_worst_value)
    (4, '= 21')
    """
    began = clock.perf_counter()
    check_reach(position)
    search = AtWorstSearch(position, math.inf if seconds is None else began + seconds)
    found = searched(search, began, worst=worst, limit=limit)
    root, least, interrupted = found.root, 0, found.is_interrupted
    if root is None:
        return found
    try:
        if not worst:
            root = search.least_worst(root)
        least = 1
        least = search.fewest_of(root.worst)
        root = search.fewest_strategy(root.worst)
    except OutOfTimeError:
        pass
    except KeyboardInterrupt:
        interrupted = True
    return replace(
        found,
        root=root,
        at_worst_value=Value(least, root.histogram[root.worst]),
        seconds=clock.perf_counter() - began,
        nodes=search.tried,
        is_interrupted=interrupted,
    )


def check_reach(position: Position) -> None:
    """Raise TooLargeError for boards and positions that take too long."""
    rules = position.rules
    answers = answers_of(rules)
    # 4x6, and not 4x7: eight times the square of the number of feedbacks, and 2,048 codes however many there are.
    reach = min(8 * answers**2, 2048)
    # On larger boards no positions are searched.
    is_listed = rules.secret_count * rules.guess_count <= (1 << 24)
    if not is_listed or len(position.candidates) > reach:
        raise TooLargeError(
            "the fewest secrets at the worst case are found of at most {most:,} codes that {answers} answers tell "
            "apart, on boards such as 4x6, and {rules} has more",
            reach,
            answers,
            rules,
        )
    if rules.hard:
        raise TooLargeError(
            "the fewest secrets at the worst case are found where every guess is allowed, not of {rules}", rules
        )
    if answers > MOST_ANSWERS:
        raise TooLargeError(
            "the fewest secrets at the worst case are found where there are at most {most} answers, and {rules} has "
            "{answers}",
            MOST_ANSWERS,
            rules,
            answers,
        )


class AtWorstSearch(BoardSearch):
    """Least totals and, among strategies that have them, the fewest codes that take all guesses allowed."""

    def __init__(self, position: Position, deadline: float = math.inf) -> None:
        """Score all pairs of a guess and a code that is left. After the deadline there comes OutOfTimeError."""
        super().__init__(position, deadline)
        self._counts: dict[tuple[bytes, int], Kept] = {}

    def least_worst(self, root: Node) -> Node:
        """Return a strategy of the total of `root`, the least, and of least worst case."""
        total = root.total
        while root.worst > 1 and self.value(root.worst - 1, total + 1) == total:
            root = self.strategy(root.worst - 1)
        return root

    def fewest_of(self, d: int) -> int:
        """Return the fewest codes that take all of d guesses, the fewest guesses of the least total."""
        return self._count(self.codes, self.allowed, INFINITE, d)

    def fewest_strategy(self, d: int) -> Node:
        """Return the strategy that `fewest_of` found."""
        return self._counted(self.codes, d)

    def _counted(self, codes: Array, d: int) -> Node:
        kept = self._counts.get((codes.tobytes(), d))
        if kept is not None:
            return self.branch(codes, kept.row, lambda part: self._counted(part, d - 1))
        return self.node(codes, d if len(codes) <= 2 or d == 2 else d - 1)

    def _count(self, codes: Array, allowed: Allowed, below: int, d: int) -> int:
        """Return the fewest codes that take all of d guesses: exact if less than `below`, else a bound that is not.

        Only strategies of the least total of d guesses, of which there are some, are meant.
        """
        n = len(codes)
        if n <= 2:
            return int(d == n)
        total = self.solve(codes, allowed, INFINITE, d)
        if d == 2:  # each code takes one guess or two
            return total - n
        if d > n or self.solve(codes, allowed, total + 1, d - 1) == total:
            return 0
        least = max(1, n - self.settled(d - 1))
        kept = self._counts.get((codes.tobytes(), d), Kept(least, -1, exact=False))
        if kept.exact or kept.value >= below:
            return kept.value
        best, chosen = below, -1
        scan = self.scan(codes, allowed)
        for bound, row in self.different(scan):
            if bound > total:
                break
            self.tried += 1
            if self.played(scan, row, bound, total + 1, d) != total:
                continue
            found = self._count_after(scan, row, best, d)
            if found < best:
                best, chosen = found, row
            if best <= least:
                break
        self._counts[codes.tobytes(), d] = Kept(best, chosen, chosen >= 0)
        return best

    def _count_after(self, scan: Scan, row: int, below: int, d: int) -> int:
        """Return the sum over the parts that a guess leaves: exact if less than `below`, else a bound that is not."""
        found = 0
        for part in sorted(self.parts(scan.codes, row), key=len):
            found += self._count(part, scan.allowed.after(row, part), below - found, d - 1)
            if found >= below:
                break
        return found
