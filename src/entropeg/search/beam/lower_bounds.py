"""Lower bounds of the least total of boards whose labels are too many for a proof: what two guesses can do at best.

A set of n codes takes at least min over guesses of n + sum of B(part sizes), B the bound that counts codes by guess
(``engine.size_bound``). The bound of an opening adds these over its answers, and the bound of a board is the least over
its openings. No more is done here: a proof that is ended raises bounds at less cost than anything beside it.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from entropeg.search.beam.board import Answer, Columns
from entropeg.search.beam.threads import Threads, Worker
from entropeg.search.exact import engine


class LowerBounds:
    """Lower bounds of all openings; ``lower`` holds at any moment."""

    def __init__(self, threads: Threads, openings: list[int]) -> None:
        """``openings``: one of every class."""
        self.threads, self.openings, self.board = threads, openings, threads.board
        others = self.board.labels - 1
        every = range(len(self.board.secrets) + 1)
        self.sizes = np.array([engine.size_bound(n, others, others) for n in every], np.int64)
        self.table = self.sizes.astype(np.float32)  # exact: sums stay below 2**24
        self.of_answer: dict[int, int] = {}

    @property
    def lower(self) -> int:
        """The least total of the board is at least this."""
        return min(map(self.of_opening, self.openings))

    def of_opening(self, opening: int) -> int:
        """Lower bound of the total with this opening."""
        return len(self.board.secrets) + sum(map(self._of_answer, self.board.answers(opening)))

    def _of_answer(self, answer: Answer) -> int:
        return self.of_answer.get(answer.name, int(self.sizes[len(answer.rows)]))

    def raise_all(self) -> None:
        """Bound every answer to every opening: 6x6 in .6 processor seconds; raises Stopped at Ctrl-C.

        Where symmetry leaves too many second guesses, as on 15x2/black, the bounds by sizes stay.
        """
        for opening in self.openings:
            columns = self.board.second_guesses(opening)
            answers = [answer for answer in self.board.answers(opening) if len(answer.rows) > 2]
            if columns is not None and not all(answer.name in self.of_answer for answer in answers):
                self.threads.for_each_quickly(partial(self.raise_one, columns), answers)

    def raise_one(self, columns: Columns, worker: Worker, answer: Answer) -> None:
        """Bound an answer; raises Stopped at Ctrl-C."""
        self.threads.clock.look()
        # One guess of every class has the least bound of all guesses.
        self.of_answer[answer.name] = round(float(worker.best_of(columns, answer.rows, self.table, 1)[1][0]))
