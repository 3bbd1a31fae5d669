"""Lower bounds of the least total of boards whose labels are too many for a proof: what two guesses can do at best.

For a set of n codes, LB1 = min over guesses of n + sum of B(part sizes), with B the bound that counts codes by guess
(``engine.size_bound``), exact for small sets. A look of the exact search, which counts parts too, comes closer. The
bound of an opening adds these over its answers, and the bound of a board is the least over its openings.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropeg.search.beam.board import Answer, Columns
from entropeg.search.beam.threads import LabelWorker, Subset, Threads, Worker
from entropeg.search.exact import engine
from entropeg.search.exact.fields import INF

Array = NDArray[Any]


class LowerBounds:
    """Lower bounds of all openings, improved as far as time allows; ``lower`` holds at any moment."""

    def __init__(self, threads: Threads, openings: list[int], bound: Callable[[list[Answer], int], None]) -> None:
        """``openings``: one of every class; ``bound``: does what `raise_all` does, wherever."""
        self.threads, self.openings, self._bound = threads, openings, bound
        self.board, self.clock, self.model = threads.board, threads.clock, threads.model
        others = self.board.labels - 1
        every = range(len(self.board.secrets) + 1)
        self.sizes = np.array([engine.size_bound(n, others, others) for n in every], np.int64)
        self.table = self.sizes.astype(np.float32)  # exact: sums stay below 2**24
        self.of_answer: dict[int, int] = {}
        self.finished: set[int] = set()

    @property
    def lower(self) -> int:
        """The least total of the board is at least this."""
        return min(map(self.of_opening, self.openings))

    def of_opening(self, opening: int) -> int:
        """Lower bound of the total with this opening."""
        return len(self.board.secrets) + sum(map(self._of_answer, self.board.answers(opening)))

    def _of_answer(self, answer: Answer) -> int:
        return self.of_answer.get(answer.name, int(self.sizes[len(answer.rows)]))

    def put(self, answer: Answer, bound: int) -> None:
        """Take a bound of an answer over, where it is more than is known."""
        self.of_answer[answer.name] = max(bound, self._of_answer(answer))

    # ------------------------------------------------------------ LB1 of answers

    def first(self) -> None:
        """LB1 of every answer to every opening; raises Stopped when the time is over."""
        for opening in self.openings:
            columns = self.board.second_guesses(opening)
            if columns is None:
                self._bound(self._open(opening), 1)
            else:
                self.threads.for_each_quickly(partial(self._first_of, columns), self._open(opening))
            self.clock.look()

    def raise_all(self, answers: list[Answer], closeness: int) -> None:
        """Raise the bounds of answers to LB1 or closer, by the threads; raises Stopped when the time is over."""
        self.threads.for_each(self._first if closeness == 1 else self.second_of, answers)

    def _open(self, opening: int) -> list[Answer]:
        """The answers whose totals are not plain."""
        return [answer for answer in self.board.answers(opening) if len(answer.rows) > 2]

    def _first_of(self, columns: Columns, worker: Worker, answer: Answer) -> None:
        # One guess of every class has the least bound of all guesses.
        self.put(answer, round(float(worker.best_of(columns, answer.rows, self.table, 1)[1][0])))

    def _first(self, worker: LabelWorker, answer: Answer) -> None:
        self.put(answer, self._least(worker, worker.subset(answer)))

    def _least(self, worker: LabelWorker, subset: Subset) -> int:
        """LB1 of a set; its exact value for small ones."""
        if len(subset.codes) > self.model.small:
            return round(float(worker.least_of(subset.codes, self.table, 1)[1][0]))
        value = worker.solve(subset, INF)
        # Where the search was stopped its result is a weaker bound.
        return int(self.sizes[len(subset.codes)]) if self.clock.is_halted else value

    # ------------------------------------------------------------ closer bounds

    def second(self) -> None:
        """Closer bounds, always of the opening with the least one, until it is done or the time is over."""
        while (opening := min(self.openings, key=self.of_opening)) not in self.finished:
            self.board.prepare(opening)
            self._bound(self._open(opening), 2)
            self.finished.add(opening)

    def second_of(self, worker: LabelWorker, answer: Answer) -> None:
        """Raise the bound of an answer by a look of the exact search; raises Stopped when the time is over."""
        self.clock.look()
        subset = worker.subset(answer)
        self.put(answer, max(self._least(worker, subset), worker.part_bound(subset.codes)))
