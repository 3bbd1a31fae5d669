"""The first guesses of a proof: in which order they are taken, and many of them each left to one thread.

The earlier the best one is settled, the sooner the others are. Where there are many, as without symmetry, all are
bounded to half of the way from the lower bound to the best strategy before any is raised further, by their parts and
then by search: so the bound of the board rises with time where the proof does not end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from entropeg.search.exact import engine
from entropeg.search.exact.fields import BEST_OF_ALL, NO_GUESS, SMALL, UNLIMITED
from entropeg.search.exact.layout import Layout, ThreadMemory, new_words
from entropeg.sizes import KINDS, TABLE, table_of

Codes = NDArray[np.int32]


def openings(layout: Layout, memory: ThreadMemory, n: int, limit: int) -> tuple[list[tuple[int, int]], int]:
    """((guess, lower bound) of one guess of every class, the most promising first; bound of the rest).

    ``memory`` has the ``n`` codes at the start of its stack; they stand there afterwards.
    """
    found, rest = engine.openings(memory, n, limit)
    listed = of_orbits(layout, [(int(guess), int(bound)) for guess, bound in found], n)
    if layout.is_weighted:  # the estimates below go by numbers of codes
        return listed, rest
    start = memory.stack[:n].copy()
    look = _Look(layout, memory, limit)
    # Three at most: a look reads the labels of every code against every guess.
    cuts = [look.parts(start, guess) for guess, _ in listed[:3]]
    sizes = [sum(map(look.by_size, cut)) for cut in cuts]
    # The expectation is off by 0.1 to 0.6 % between some openings: by it ABCD comes first on 4x6 and 4x7, AABCD on
    # 5x7, where AABC and AABBC are the best. Openings this close to the least are looked at closer.
    close = [i for i, expected in enumerate(sizes) if expected <= 1.006 * sizes[0]]
    if len(close) > 1:
        scores = sorted((look.sum(cuts[i], look.by_second_guess), i) for i in close)
        # A look at all second guesses decides where it sees at least this factor between the best two: on 4x6 and
        # 5x6. Of the boards where it does not, it is right on 4x7 and 5x7 and wrong on 5x4 and 6x4: there the small
        # parts that the best second guess leaves are bounded one by one, which is right on all of these. Sets of
        # 2,000 codes or fewer are searched in less time than these bounds take.
        if scores[1][0] < 1.004 * scores[0][0]:
            scores = sorted((look.sum(cuts[i], look.by_third_guess), i) for _, i in scores[:2]) if n > 2000 else []
        first = [listed[i] for _, i in scores]
        listed = first + [opening for opening in listed if opening not in first]
        memory.stack[:n] = start
    return listed, rest


def of_orbits(layout: Layout, listed: list[tuple[int, int]], n: int) -> list[tuple[int, int]]:
    """Keep one of the guesses that a symmetry of a table of answers takes to one another, of a set of all n secrets."""
    kind = layout.answers.kind
    if kind % KINDS != TABLE or layout.is_weighted or n != len(layout.secrets):
        return listed
    table = table_of(kind)
    if n != table.labels.shape[1]:
        return listed
    orbit = table.orbits[table.at(layout.guesses.T, secret=False)]
    first: dict[int, tuple[int, int]] = {}
    for guess, bound in listed:
        first.setdefault(int(orbit[guess]), (guess, bound))
    return list(first.values())


class _Look:
    """Estimates of the totals of sets, on the memory of one thread."""

    def __init__(self, layout: Layout, memory: ThreadMemory, limit: int) -> None:
        self.memory, self.labels = memory, range(layout.win)
        self.by_guess, self.expected = layout.arrays["by_guess"], layout.arrays["expected"]
        self.left = limit if limit == UNLIMITED else max(2, limit - 1)

    def parts(self, codes: Codes, guess: int) -> list[Codes]:
        """The parts of a set after a guess, but for the guess itself."""
        row = self.by_guess[guess, codes]
        return [part for part in (codes[row == label] for label in self.labels) if len(part)]

    def sum(self, parts: list[Codes], estimate: Callable[[Codes], float]) -> float:
        """Estimates of parts added up."""
        elements = self.memory.arrays["group_size"][:1]
        whole = int(elements[0])
        elements[0] = 1  # guesses are not told apart by symmetry: that takes longer than looking at all of them
        total = sum(map(estimate, parts))
        elements[0] = whole
        return total

    def by_size(self, codes: Codes) -> float:
        """Expected total of a set of this size."""
        return float(self.expected[len(codes)])

    def by_second_guess(self, codes: Codes) -> float:
        """Expected total after the guess that cuts the set best, by the sizes of its parts."""
        if len(codes) <= SMALL:
            return self.by_size(codes)
        column_expected = self.memory.arrays["column_expected"]
        column_expected[:] = np.inf
        self._best(codes)
        return float(column_expected.min())

    def by_third_guess(self, codes: Codes) -> float:
        """Expected total after the guess that cuts the set best, with bounds for its small parts."""
        if len(codes) <= SMALL:
            return self._bound(codes)
        parts = self.parts(codes, self._best(codes))
        return len(codes) + sum(map(self._bound, parts))

    def _best(self, codes: Codes) -> int:
        self.memory.stack[: len(codes)] = codes
        found, _ = engine.openings(self.memory, len(codes), self.left)
        return int(found[0, 0]) if len(found) else 0

    def _bound(self, codes: Codes) -> float:
        n = len(codes)
        if n <= 2 or n > SMALL:
            return max(0, 2 * n - 1) if n <= 2 else self.by_size(codes)
        self.memory.stack[:n] = codes
        return engine.part_bound(self.memory, n, UNLIMITED)[0]


CROWD = 24
"""The number of openings from which on each is left to one thread."""

ThreadSearch = Callable[[ThreadMemory], None]


class ManyOpenings:
    """First guesses that may be the best and their lower bounds, raised by threads that each take the next one.

    `rest`: the least bound of all other guesses; `raised`: bool, those whose bound says more than a look at all guesses
    at once; `spent`: bool, those whose parts say no more; `better`: (total, guess) of those that turned out better than
    the best known.
    """

    def __init__(self, listed: list[tuple[int, int]], rest: int, start: Codes, mixed: int, limit: int) -> None:
        """``mixed`` stands for the codes ``start``; ``limit``: guesses left."""
        self.guesses, self.bounds = np.array(listed, np.int64).reshape(-1, 2).T.copy()
        self.rest, self.start, self.mixed, self.limit = rest, start, mixed, limit
        self.raised = np.zeros(len(listed), np.bool_)
        self.spent = np.zeros(len(listed), np.bool_)
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

    def recall(self, bounds: dict[int, int], asked: int) -> None:
        """Take bounds over that an earlier search made, which had asked the parts of all openings for ``asked``."""
        for place, guess in enumerate(self.guesses.tolist()):
            if guess in bounds:
                self.bounds[place], self.raised[place] = max(self.bounds[place], bounds[guess]), True
                self.spent[place] = self.bounds[place] < asked

    def by_parts(self, target: int, stop: NDArray[np.int64], after: int) -> ThreadSearch:
        """Bound the openings by their parts, as far as ``target``; ``after``: guesses left then."""
        places = iter([place for place in np.argsort(self.bounds, kind="stable").tolist() if not self.spent[place]])

        def run(memory: ThreadMemory) -> None:
            n = len(self.start)
            for place in places:
                if stop[0]:
                    return
                if self.bounds[place] >= target:
                    continue
                memory.stack[:n] = self.start
                bound = engine.open_parts(memory, n, int(self.guesses[place]), target, after)
                self.spent[place] = bound < target
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
    for stage, share in list(enumerate((0.5, 0.75, 1.0)))[begun[0] :]:
        if stage == begun[0] and low < begun[1] and share < 1:
            yield stage, min(begun[1], high)
        else:
            yield stage, low + math.ceil(share * (high - low))
