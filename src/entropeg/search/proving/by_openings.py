"""A good strategy of a list whose guesses have more different answers than the exact search tells apart.

Words of six letters have up to 723 answers, and a good first guess leaves hundreds of parts of a few thousand words.
These are small: each part is searched by itself, with labels of its own. Openings are tried in the order of the
guesses that they are expected to take by the sizes of their parts.
"""

from __future__ import annotations

import time as clock
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import CodeSet, guesses
from entropeg.search.exact.engine import size_bound
from entropeg.search.exact.layout import Layout, expected_totals
from entropeg.search.preparing import layout_options, rows_of
from entropeg.search.proving.proof import Proof
from entropeg.search.proving.request import Request
from entropeg.search.results import SearchProgress, Solution, Value
from entropeg.search.strategies import Node
from entropeg.signals import held

Array = NDArray[np.int64]


def by_openings(asked: Request) -> Solution:
    """Find a strategy opening by opening, as long as the time of the request allows, one at least; and a bound."""
    return _ByOpenings(asked).run()


class _ByOpenings:
    def __init__(self, asked: Request) -> None:
        self.asked, self.rules = asked, asked.rules.with_limit(None)
        self.codes: CodeSet = asked.position.candidates
        self.tried = guesses(self.rules)
        self.nodes = 0
        self.best: Node | None = None
        self.lower, self.upper = 2 * len(self.codes) - 1, 0
        self.is_stopped = False
        self.proof: Proof | None = None

    @property
    def left(self) -> float:
        """Seconds until the time is over."""
        deadline = self.asked.deadline
        return float("inf") if deadline is None else deadline - clock.perf_counter()

    def run(self) -> Solution:
        order, own, other = self._in_order()
        self.lower = size_bound(len(self.codes), own, other)
        with held(self._stop):
            for guess in order.tolist():
                if self.best is not None and (self.is_stopped or self.left <= 0):
                    break
                tree = self._opened(guess)
                if tree is not None and (self.best is None or tree.total < self.upper):
                    self.best, self.upper = tree, tree.total
        return Solution(
            rules=self.asked.rules,
            size=len(self.codes),
            value=Value(self.lower, None if self.best is None else self.upper),
            root=self.best,
            worst_value=None,
            is_impossible=False,
            seconds=clock.perf_counter() - self.asked.began,
            nodes=self.nodes,
            is_interrupted=self.is_stopped,
            position=self.asked.position,
        )

    def _stop(self) -> None:
        self.is_stopped = True
        if self.proof is not None:
            self.proof.cancel()

    def _in_order(self) -> tuple[Array, int, int]:
        """(guesses by what their parts are expected to take; most parts of a code beside itself, and of any guess)."""
        n, win = len(self.codes), self.rules.win_label
        expected = expected_totals(n, self.rules.feedback.about.count(self.rules))
        worth, parts = np.empty(len(self.tried)), np.empty(len(self.tried), np.int64)
        # Sixteen million labels are made at a time.
        own, step = 0, max(1, (1 << 24) // n)
        for at in range(0, len(self.tried), step):
            labels = self.codes.labels(self.tried[at : at + step])
            for place, row in enumerate(labels, start=at):
                sizes = np.bincount(row, minlength=win + 1)
                is_own = bool(sizes[win])
                sizes[win] = 0
                parts[place] = np.count_nonzero(sizes)
                worth[place] = n + expected[sizes].sum()
                own = max(own, int(parts[place])) if is_own else own
        return np.argsort(worth, kind="stable"), own, int(parts.max())

    def _parts(self, guess: int) -> Iterator[tuple[int, CodeSet]]:
        row = self.codes.labels(self.tried[guess : guess + 1])[0]
        labels, counts = np.unique(row, return_counts=True)
        for label in labels[np.argsort(-counts, kind="stable")].tolist():
            yield label, self.codes.take_trusted(np.flatnonzero(row == label))

    def _opened(self, guess: int) -> Node | None:
        """The strategy after an opening; None where it is no better than the best, or Ctrl-C came meanwhile."""
        root, total = Node(tuple(self.tried[guess]), wins=False), len(self.codes)
        for label, part in self._parts(guess):
            if label == self.rules.win_label:
                root.wins = True
                continue
            tree = self._part(part)
            if tree is None:
                return None
            root.children[label] = tree
            total += tree.total
            if self.best is not None and (total >= self.upper or self.is_stopped or self.left <= 0):
                return None
            self._tell(root.guess)
        return root

    def _part(self, part: CodeSet) -> Node | None:
        if len(part) <= 2:
            first, *others = (tuple(code) for code in part)
            row = part.labels(part)[0]
            return Node(first, wins=True, children={int(row[1]): Node(code, wins=True) for code in others})
        layout = Layout(rows_of(part), rows_of(self.tried), **layout_options(self.rules), is_whole=False)
        start = layout.in_order(np.arange(len(layout.secrets)))
        # A quarter of a hundredth of the time for each code of the part.
        share = 0.25 * len(part) / 100 * (self.asked.time or 1.0)
        until = clock.perf_counter() + max(0.05, min(share, self.left))
        self.proof = Proof(layout, start, threads=1, deadline=until, memory=1 << 24)
        self.proof.run()
        tree = self.proof.strategy() or self.proof.any_strategy()
        self.nodes += self.proof.nodes
        self.proof = None
        return tree

    def _tell(self, opening: tuple[int, ...]) -> None:
        if self.asked.progress is None:
            return
        seconds = clock.perf_counter() - self.asked.began
        upper = None if self.best is None else self.upper
        try:
            self.asked.progress(SearchProgress(opening, 1, self.lower, upper, self.nodes, seconds))
        except KeyboardInterrupt:
            self._stop()
