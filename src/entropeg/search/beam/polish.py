"""Sets of a strategy that are a little too large to be solved exactly everywhere are, where it is worth it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from entropeg.search.beam.terms import PROVEN, Found, Stopped
from entropeg.search.exact.desk import INF

if TYPE_CHECKING:
    from entropeg.search.beam.board import Worker
    from entropeg.search.beam.near import Near
    from entropeg.search.beam.terms import Answer

Array = NDArray[Any]

POLISHED = (1.4, 1.4, 1.4, 1.7, 2.0, 2.5)
"""Sets up to so many times the small ones are solved, by effort."""
POLISHING = 0.15
"""Polishing ends after so much of the time that was used before."""


def polish(near: Near, opening: int, effort: int) -> None:
    """Solve sets of the best strategy with this opening, as far as POLISHING allows."""
    now, most = near.timer(), round(near.model.small * POLISHED[min(effort, len(POLISHED) - 1)])
    Polisher(near, most, now + POLISHING * (now - near.began)).run(near.answers(opening))


class Polisher:
    """Solves sets of the best strategy exactly, until a point in time."""

    def __init__(self, near: Near, most: int, until: float) -> None:
        """``most``: codes of the sets that are solved; ``until``: by the timer of the search."""
        self.near, self.most, self.until = near, most, until

    def run(self, answers: list[Answer]) -> None:
        """Polish the strategy after these answers."""

        def task(worker: Worker, answer: Answer) -> None:
            codes = worker.places(answer.rows)
            if len(codes) > near.model.small and answer.name in near.known:
                self._improve(worker, codes, answer.name)
                near.grow_answer(worker, answer)

        near, near.pause = self.near, self.until
        try:
            near.for_each(task, answers)
        except Stopped:
            if near.is_over:
                raise
        finally:
            near.pause = None
        near.resume()
        near.write_unfinished()

    def _improve(self, worker: Worker, codes: Array, name: int) -> int:
        near = self.near
        if near.is_over:
            raise Stopped
        found = near.known[name]
        if found.effort == PROVEN:
            return found.value
        if len(codes) <= self.most:
            value = INF if near.is_halted else worker.solve(codes, name, found.value)
            if near.is_halted:  # there is no more time for this; what was found is a bound
                return found.value
            guess = worker.guess_of(codes, name) if value < found.value else found.guess
            near.keep(name, Found(min(value, found.value), guess, PROVEN))
            return min(value, found.value)
        total = len(codes)
        for _, part, part_name in worker.split(codes, found.guess):
            how = self._improve if len(part) > near.model.small else self._small
            total += how(worker, part, part_name)
        if total < found.value:
            near.keep(name, found._replace(value=total))
        return total

    def _small(self, worker: Worker, codes: Array, name: int) -> int:
        if len(codes) <= 2:
            return 2 * len(codes) - 1
        found = self.near.known.get(name)
        if found is not None and found.effort == PROVEN:
            return found.value
        value = worker.solve(codes, name, INF)
        self.near.look_at_the_clock()
        return value
