"""Searches a board for a complete strategy close to the least total: the order of the whole search.

A strategy of quick guesses comes first. Then estimates are learned, openings ranked, and the board is searched again
and again, wider each time; the least cost found of a set is kept, so that every pass only improves it.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from functools import partial
from typing import Protocol

import numpy as np

from entropeg.search.beam.board import Answer, Board, Columns
from entropeg.search.beam.kernels import LARGEST_SMALL
from entropeg.search.beam.known_sets import KnownSets
from entropeg.search.beam.model import Model
from entropeg.search.beam.search import LEARNING, PASSES, Aim, Search, Widths
from entropeg.search.beam.threads import Clock, LabelWorker, Stopped, Subset, Threads, Worker
from entropeg.search.exact import engine
from entropeg.search.exact.fields import INF
from entropeg.search.strategies import Node
from entropeg.signals import held

SMALL_SIZES = (16, 24, 32, 40, 50, LARGEST_SMALL)
"""Sizes that the largest of the small sets may have."""
MOST_TRIED = 1500
"""Guesses tried for a small set, on average: where it takes more, a beam finds as much in less time."""


class LowerBounds:
    """Lower bounds of all openings, where labels are too many for a proof; ``lower`` holds at any moment.

    A set of n codes takes at least min over guesses of n + sum of B(part sizes), B the bound that counts codes by guess
    (``engine.size_bound``). The bound of an opening adds these over its answers, that of a board is the least over its
    openings. No more is done here: a proof that is ended raises bounds at less cost than anything beside it.
    """

    def __init__(self, threads: Threads, openings: list[int]) -> None:
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


class AnswerSearchers(Protocol):
    """Whoever searches answers in the place of threads; each method raises Stopped when the time is over."""

    def search(self, answers: list[Answer], effort: int) -> None:
        """Search with this effort."""
        ...

    def solve(self, answers: list[Answer], most: int, seconds: float) -> None:
        """Solve sets of up to ``most`` codes in the strategies for the answers, for a number of seconds."""
        ...


class Near:
    """The search on one board; `run` it, then ask for the `tree`."""

    others: AnswerSearchers | None = None
    """Who searches answers, where these threads do not."""

    def __init__(
        self,
        board: Board,
        *,
        threads: int = 2,
        seconds: float | None = None,
        began: float | None = None,
        timer: Callable[[], float] = clock.perf_counter,
    ) -> None:
        """``seconds``: how long the search may take by the ``timer``, counted from ``began``."""
        self.board = board
        self.progress: Callable[[], None] | None = None  # called now and then
        self.clock = Clock(seconds, began, timer)
        self.model = Model(len(board.secrets), board.labels, np.zeros(1 << 22, np.uint64))
        self.known = KnownSets(board, self.model, self.clock)
        self.threads = Threads(board, self.model, self.clock, threads, self._tell)
        self.search = Search(board, self.model, self.clock, self.known)
        self.order: list[int] = board.openings().tolist()
        self.bounds = LowerBounds(self.threads, list(self.order))
        self.ranked: dict[int, float] = {}
        self.is_hasty = True  # until the first answer was searched

    @property
    def nodes(self) -> int:
        """Small sets solved exactly, and larger ones searched."""
        return len(self.known.of) + int(sum(learned[:, :, 1].sum() for learned in self.threads.learned))

    def best_opening(self) -> int:
        """The opening of the least total known; the one ranked first, if none was searched whole."""
        return min(self.order, key=self.known.total)

    def tree(self) -> Node:
        """The best strategy known, complete; answers that were never searched are cut by guesses found quickly."""
        self.clock.restart()
        opening = self.best_opening()
        self._complete(opening)
        return self.known.tree(opening)

    def _tell(self) -> None:
        if self.progress is not None:
            self.progress()

    # ------------------------------------------------------------ the order of the search

    def run(self) -> None:
        """Search with more and more effort, until the time is over, it is cancelled or nothing is left to widen."""
        for work in (self._begin, self._passes):
            self.clock.begin()
            try:
                work()
            except Stopped:
                pass
            except KeyboardInterrupt:  # of `progress`
                self.clock.note()
            self.finish()
            if self.clock.cancelled:
                return

    def finish(self) -> None:
        """Write down the strategies found as the time ended; Ctrl-C is put off meanwhile."""
        with held(self.clock.note):
            self.clock.restart()
            self._write_unfinished()

    def _write_unfinished(self) -> None:
        """Write down the strategies for the answers that were under way when a task for each was stopped."""
        unfinished = self.threads.unfinished
        while unfinished:
            worker, answer = unfinished[-1]
            if answer.name in self.known.strategies:
                self.known.write(worker, answer)
            unfinished.pop()

    def _begin(self) -> None:
        if not self.ranked:
            self.order.sort(key=self._by_sizes)
        deadline, self.clock.deadline = self.clock.deadline, None  # finished however little time there is
        self._complete(self.order[0])
        self.bounds.raise_all()
        self.clock.deadline = deadline

    def _passes(self) -> None:
        self.clock.look()
        if not self.ranked:
            self.learn(self.order[0])
            self.ranked = self._rank_openings()
            self.order.sort(key=self.ranked.__getitem__)
        self._search(self.order[0], 1)
        for opening in self.order[1:]:
            # Openings of nearly the best estimate are searched as well, unless a quarter of the time is gone.
            is_near = self.ranked[opening] < 1.008 * self.ranked[self.order[0]]
            if is_near and self.clock.share_used < 0.25:
                self._search(opening, 1)
        total = self.known.total
        for effort in range(2, PASSES):
            # Openings near the best are searched on, the nearer the later the pass.
            bar = total(self.best_opening()) * (1 + 0.001 / 2**effort)
            for opening in sorted((opening for opening in self.order if total(opening) <= bar), key=total):
                self._search(opening, effort)
            self.model.correct()
            self._solve_middle(effort)

    # ------------------------------------------------------------ answers to an opening

    def _complete(self, opening: int) -> None:
        """Complete the strategy with an opening: from known sets, else by guesses found quickly."""
        self.board.prepare(opening)  # here, and not by a thread
        self.threads.for_each_quickly(self.known.write, self.board.answers(opening))

    def _search(self, opening: int, effort: int) -> None:
        """Search every answer to an opening with this effort; each improves a strategy that is complete before."""

        def begin(worker: Worker, answer: Answer) -> None:
            self.clock.look()
            self.known.write(worker, answer)

        answers = self.board.answers(opening)
        if self.known.total(opening) == INF:
            self.board.prepare(opening)
            self.threads.for_each_quickly(begin, answers)
        self.search_answers([answer for answer in answers if len(answer.rows) > 2], effort)

    def search_answers(self, answers: list[Answer], effort: int) -> None:
        """The same for some answers, of one opening."""
        if self.others is not None:
            self.others.search(answers, effort)
            return

        def task(worker: LabelWorker, answer: Answer) -> None:
            self.search.value(worker, worker.subset(answer), Aim((answer.opening,), effort))
            self.known.write(worker, answer)
            self.is_hasty = False

        if answers:
            self.board.prepare(answers[0].opening)
        self.threads.for_each(task, answers)

    def _solve_middle(self, effort: int) -> None:
        """Solve mid-sized sets of the best strategy exactly, for 15 % of the time used so far."""
        # Sets of the best strategy are solved up to this many times the size of the small ones, by effort.
        most = round(self.model.small * (1.4, 1.4, 1.4, 1.7, 2.0, 2.5)[min(effort, 5)])
        answers, seconds = self.board.answers(self.best_opening()), 0.15 * (self.clock.timer() - self.clock.began)
        if self.others is not None:
            self.others.solve(answers, most, seconds)
        else:
            self.solve_sets(answers, most, seconds)

    def solve_sets(self, answers: list[Answer], most: int, seconds: float) -> None:
        """Solve sets of up to ``most`` codes in the strategies for these answers, for a number of seconds."""

        def task(worker: LabelWorker, answer: Answer) -> None:
            if len(answer.rows) > self.model.small and answer.name in self.known.of:
                self.search.improve(worker, worker.subset(answer), most)
                self.known.write(worker, answer)

        self.clock.pause = self.clock.timer() + seconds
        try:
            self.threads.for_each(task, answers)
        except Stopped:
            if self.clock.is_over:
                raise
        finally:
            self.clock.pause = None
        self.clock.resume()
        self._write_unfinished()

    # ------------------------------------------------------------ learning

    def learn(self, opening: int) -> None:
        """Learn the estimates from some of the answers to an opening, then what better estimates miss."""
        answers = self._sample(opening)
        self._choose_small(answers)
        for again in (False, True):
            self.search_answers(answers, LEARNING)
            if again:
                self.model.correct()
            else:
                self.model.refit(np.sum(self.threads.learned, axis=0))
            self.search.forget()

    def _choose_small(self, answers: list[Answer]) -> None:
        """Find out up to which size sets are solved quickly: 60 codes take a millisecond or 600, by the board."""
        sets, tried = np.zeros(len(SMALL_SIZES)), np.zeros(len(SMALL_SIZES))

        def probe(worker: LabelWorker, subset: Subset) -> None:
            n = len(subset.codes)
            at = int(np.searchsorted(SMALL_SIZES, n))
            if at == len(SMALL_SIZES):
                for part in worker.split(subset.codes, int(worker.best_guesses(subset.codes, 1)[0][0])):
                    if len(part.codes) < n:
                        probe(worker, part)
            # Six sets of each size are solved to find out what that costs.
            elif n > SMALL_SIZES[0] // 2 and sets[at] < 6 and (tried[: at + 1] <= 6 * MOST_TRIED).all():
                before = int(worker.work.nodes[1])
                worker.solve(subset, INF)
                self.clock.look()
                sets[at] += 1
                tried[at] += int(worker.work.nodes[1]) - before

        self.threads.for_each(lambda worker, answer: probe(worker, worker.subset(answer)), answers)
        quick = [
            size for size, n, times in zip(SMALL_SIZES, sets, tried, strict=True) if times <= MOST_TRIED * max(n, 1)
        ]
        dear = [size for size in SMALL_SIZES if size not in quick]
        self.model.small = max([size for size in quick if size < min(dear, default=INF)], default=SMALL_SIZES[0])

    def _sample(self, opening: int) -> list[Answer]:
        """Answers of middle size that make up about a fifth of the codes, or 2000 of them."""
        answers = [answer for answer in self.board.answers(opening) if len(answer.rows) > self.model.small]
        wanted, chosen = min(len(self.board.secrets) // 5, 2000), []
        for answer in answers[len(answers) // 3 :]:
            if wanted > 0:
                chosen.append(answer)
                wanted -= len(answer.rows)
        return chosen

    # ------------------------------------------------------------ ranking openings

    def _by_sizes(self, opening: int) -> float:
        """Estimate of the total with an opening by the sizes of its parts."""
        sizes = [len(answer.rows) for answer in self.board.answers(opening)]
        return len(self.board.secrets) + float(self.model.tables.estimate[sizes].sum())

    def _rank_openings(self) -> dict[int, float]:
        """Estimate the total with every opening, the likely ones by the best second guesses."""
        ranked = {opening: self._by_sizes(opening) for opening in self.order}
        # Openings whose estimate by sizes alone is 6 % above the best are not looked at closer.
        bar = 1.06 * min(ranked.values())
        for opening in [opening for opening in self.order if ranked[opening] < bar]:
            ranked[opening] = self._by_second_guesses(opening)
            self.clock.look()
        return ranked

    def _by_second_guesses(self, opening: int) -> float:
        estimates = [float(len(self.board.secrets))]

        def task(worker: Worker, answer: Answer) -> None:
            if len(answer.rows) <= self.model.small:
                estimates.append(float(self.model.tables.estimate[len(answer.rows)]))
            else:
                # To rank openings answers are looked at, not searched.
                best, *_ = self.search.candidates(worker, worker.subset(answer), (opening,), Widths(60, 0, 0))
                estimates.append(best.total)

        self.board.prepare(opening)  # here, and not by a thread
        self.threads.for_each_quickly(task, self.board.answers(opening))
        return sum(estimates)
