"""Lower bounds of the least total of boards whose proof is out of reach: the best that the first two guesses can do.

For a set of n codes, LB1 = min over guesses of n + sum of B(part sizes), with B the bound that counts codes by guess
(``engine.size_bound``), exact for small sets. LB2 replaces B by LB1. The bound of an opening adds LB2 over its
answers, and the bound of a board is the least over its openings.
"""

from __future__ import annotations

import heapq
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from entropeg.search.exact import engine
from entropeg.search.exact.desk import INF

if TYPE_CHECKING:
    from entropeg.search.beam.board import Cutter, Worker
    from entropeg.search.beam.labels import Strip
    from entropeg.search.beam.near import Near
    from entropeg.search.beam.terms import Answer

Array = NDArray[Any]

TRIED = 4096
"""Second guesses whose bounds are improved, at most; the least bound of the others holds for all of them."""


class Bounds:
    """Lower bounds of all openings, improved as far as time allows; ``lower`` holds at any moment."""

    def __init__(self, near: Near, openings: list[int]) -> None:
        """``openings``: one of every class."""
        self.near, self.openings = near, openings
        board = near.board
        self.sizes = np.array(
            [engine.size_bound(n, board.labels - 1, board.labels - 1) for n in range(len(board.secrets) + 1)], np.int64
        )
        self.table = self.sizes.astype(np.float32)  # exact: sums stay below 2**24
        self.of_answer: dict[int, int] = {}
        self.of_part: dict[int, int] = {}
        self.finished: set[int] = set()

    @property
    def lower(self) -> int:
        """The least total of the board is at least this."""
        return min(map(self.of_opening, self.openings))

    def of_opening(self, opening: int) -> int:
        """Lower bound of the total with this opening."""
        parts = self.near.answers(opening)
        return len(self.near.board.secrets) + sum(self._of_answer(answer) for answer in parts)

    def _of_answer(self, answer: Answer) -> int:
        return self.of_answer.get(answer.name, int(self.sizes[len(answer.rows)]))

    def first(self) -> None:
        """LB1 of every answer to every opening; raises Stopped when the time is over."""
        for opening in self.openings:
            answers = [answer for answer in self.near.answers(opening) if len(answer.rows) > 2]
            fan = self.near.fan(opening)
            if fan is None:
                self.near.for_each(self._first, answers)
            else:
                self.near.for_each_quickly(partial(self._first_of, fan), answers)
            self.near.look_at_the_clock()

    def _first_of(self, fan: Strip, worker: Cutter, answer: Answer) -> None:
        # One guess of every class has the least bound of all guesses.
        self._raise(answer, round(float(worker.best_of(fan, answer.rows, self.table, 1)[1][0])))

    def second(self) -> None:
        """LB2, always of the opening with the least bound, until it is done or the time is over."""
        while True:
            opening = min(self.openings, key=self.of_opening)
            if opening in self.finished:
                return
            self.near.prepare(opening)
            self.near.for_each(self._second, [answer for answer in self.near.answers(opening) if len(answer.rows) > 2])
            self.finished.add(opening)

    def _raise(self, answer: Answer, bound: int) -> None:
        self.of_answer[answer.name] = max(bound, self._of_answer(answer))

    def _first(self, worker: Worker, answer: Answer) -> None:
        self._raise(answer, self._least(worker, worker.places(answer.rows), answer.name))

    def _least(self, worker: Worker, codes: Array, name: int) -> int:
        """LB1 of a set; its exact value for small ones."""
        known = self.of_part.get(name)
        if known is None:
            if len(codes) <= self.near.model.small:
                known = worker.solve(codes, name, INF)
                if self.near.is_halted:
                    return int(self.sizes[len(codes)])  # the search was stopped: what it returned is a weaker bound
            else:
                known = round(float(worker.least_of(codes, self.table, 1)[1][0]))
            self.of_part[name] = known
        return known

    def _second(self, worker: Worker, answer: Answer) -> None:
        codes = worker.places(answer.rows)
        if len(codes) <= self.near.model.small:
            self._raise(answer, self._least(worker, codes, answer.name))
            return
        guesses, low, rest = self._ranked(worker, answer, codes)
        # Always the guess of the least bound: its next part, the largest first, until it has no more.
        waiting = [(round(float(bound)), guess, 0) for bound, guess in zip(low, guesses.tolist(), strict=True)]
        heapq.heapify(waiting)
        while waiting and waiting[0][0] < rest:
            bound, guess, done = heapq.heappop(waiting)
            self._raise(answer, bound)
            self.near.look_at_the_clock()
            parts = worker.split(codes, guess)[::-1]
            least_other = waiting[0][0] if waiting else rest
            while done < len(parts) and bound <= least_other:
                _, part, name = parts[done]
                if len(part) == len(codes):
                    bound = INF
                    break
                bound += self._least(worker, part, name) - int(self.sizes[len(part)]) if len(part) > 2 else 0
                done += 1
            if done == len(parts) and bound <= least_other:
                self._raise(answer, min(bound, rest))
                return
            heapq.heappush(waiting, (bound, guess, done))
        self._raise(answer, min(rest, waiting[0][0] if waiting else rest))

    def _ranked(self, worker: Worker, answer: Answer, codes: Array) -> tuple[Array, Array, int]:
        """(second guesses, one of each class; their LB1, the least first; a bound of all others)."""
        fan = self.near.fan(answer.opening)
        if fan is not None:
            guesses, low = worker.best_of(fan, answer.rows, self.table, TRIED)
            return guesses, low, round(float(low[-1])) if len(guesses) < len(fan.chosen) else INF
        guesses, low = worker.least_of(codes, self.table, min(TRIED, len(self.near.board.guesses)))
        rest = round(float(low[-1])) if len(guesses) < len(self.near.board.guesses) else INF
        symmetry = self.near.symmetry((answer.opening,))
        kept = np.arange(len(guesses)) if symmetry is None else symmetry.places_of_first(guesses)
        return guesses[kept], low[kept], rest
