"""Many openings, each left to one thread: without symmetry every guess is one.

All are bounded to half of the way from the lower bound to the best strategy before any is raised further: so the bound
of the board rises with time where the proof does not end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from entropeg.search.exact import engine
from entropeg.search.exact.board import ThreadMemory, new_words
from entropeg.search.exact.fields import BEST_OF_ALL, NO_GUESS

CROWD = 24
"""From so many openings on, each is left to one thread."""
STAGES = (0.5, 0.75, 1.0)
"""Shares of the way from the bound to the best strategy to which the openings are bounded, all before any further."""

Codes = NDArray[np.int32]
ThreadSearch = Callable[[ThreadMemory], None]


class ManyOpenings:
    """First guesses that may be the best and their lower bounds, raised by threads that each take the next one.

    `rest`: the least bound of all other guesses; `raised`: bool, those whose bound says more than a look at all guesses
    at once; `better`: (total, guess) of those that were found to be better than what was known.
    """

    def __init__(self, listed: list[tuple[int, int]], rest: int, start: Codes, mixed: int, limit: int) -> None:
        """``mixed`` stands for the codes ``start``; ``limit``: guesses left."""
        self.guesses, self.bounds = np.array(listed, np.int64).reshape(-1, 2).T.copy()
        self.rest, self.start, self.mixed, self.limit = rest, start, mixed, limit
        self.raised = np.zeros(len(listed), np.bool_)
        self.better: list[tuple[int, int]] = []
        self.now: int | None = None
        self._words: list[NDArray[np.int64]] = []

    @property
    def lower(self) -> int:
        """The bound of the whole that follows."""
        return min(self.rest, int(self.bounds.min(initial=self.rest)))

    def known(self) -> Iterator[tuple[int, int]]:
        """The guesses whose bounds were raised, and these."""
        raised = self.raised.copy()  # before the bounds, as threads go on raising
        return zip(self.guesses[raised].tolist(), self.bounds[raised].tolist(), strict=True)

    def recall(self, bounds: dict[int, int]) -> None:
        """Take bounds over that an earlier search made."""
        for place, guess in enumerate(self.guesses.tolist()):
            if guess in bounds:
                self.bounds[place], self.raised[place] = max(self.bounds[place], bounds[guess]), True

    def by_parts(self, best: int, stop: NDArray[np.int64], after: int) -> ThreadSearch:
        """Bound the openings by their parts, as far as ``best``; ``after``: guesses left then."""
        places = iter([place for place in np.argsort(self.bounds, kind="stable").tolist() if not self.raised[place]])

        def run(memory: ThreadMemory) -> None:
            n = len(self.start)
            for place in places:
                if stop[0]:
                    return
                memory.stack[:n] = self.start
                bound = engine.open_parts(memory, n, int(self.guesses[place]), best, after)
                self.bounds[place], self.raised[place] = max(bound, self.bounds[place]), True

        return run

    def by_search(self, target: int, stop: NDArray[np.int64]) -> ThreadSearch:
        """Bound the openings as far as ``target``; the totals are found of those below it."""
        places = iter(np.argsort(self.bounds, kind="stable").tolist())
        self._words = []

        def run(memory: ThreadMemory) -> None:
            words = new_words(target)
            self._words.append(words)
            for place in places:
                best = min([target, *(total for total, _ in self.better)])
                if self.bounds[place] >= best:
                    continue
                self.now = guess = int(self.guesses[place])
                words[:] = new_words(best)
                memory.use(shared=words)
                search = self.start, best, self.limit, 0, self.mixed
                value, found = engine.solve(memory, *search, together=True, only=guess)
                if stop[0]:
                    return
                self.bounds[place], self.raised[place] = max(value, self.bounds[place]), True
                if found != NO_GUESS:
                    self.better.append((value, guess))
                    for others in self._words:
                        others[BEST_OF_ALL] = min(others[BEST_OF_ALL], value)

        return run


def targets(begun: tuple[int, int], low: int, high: int) -> Iterator[tuple[int, int]]:
    """(stage, bound to which the openings are raised) from a stage that was begun with its target.

    >>> list(targets((0, 0), 100, 200)), list(targets((1, 190), 100, 200))
    ([(0, 150), (1, 175), (2, 200)], [(1, 190), (2, 200)])
    """
    for stage, share in list(enumerate(STAGES))[begun[0] :]:
        if stage == begun[0] and low < begun[1] and share < 1:
            yield stage, min(begun[1], high)
        else:
            yield stage, low + math.ceil(share * (high - low))
