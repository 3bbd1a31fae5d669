"""Complete strategies close to the least total, for boards whose proof is out of reach.

A beam search over sets of candidates: guesses are ranked by the estimated totals of their parts, the best are
estimated better, and the best of these are followed to the end. Small sets are solved exactly.
What a set was found to cost is kept, so that every pass over the board, wider than the one before, only improves it.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg.errors import InputError
from entropeg.search import near_kernels as kernels
from entropeg.search.desk import INF, NO_GUESS
from entropeg.search.near_board import Board, Symmetry, Worker
from entropeg.search.near_bounds import Bounds
from entropeg.search.near_effort import EFFORTS, MIDDLE, Widths
from entropeg.search.near_kernels import LARGEST_SMALL
from entropeg.search.near_model import Model
from entropeg.search.tree import Node

Array = NDArray[Any]

MEMORY_ENTRIES = 1 << 21
SECOND_HEAP = 24
HEAP = 4
"""Guesses ranked by size alone for each that is to be estimated: many leave equal parts."""
POLISHED = (1.4, 1.4, 1.4, 1.7, 2.0, 2.5)
"""Sets of the best strategy up to so many times the small ones are searched exactly, by effort."""
POLISHING = 0.15
"""Polishing ends after so much of the time that was used before."""
SIZES = (16, 24, 32, 40, 50, LARGEST_SMALL)
"""What the largest of the small sets may be."""
PROBED = 6
"""Sets of each size that are solved to find out what that costs."""
MOST_TRIED = 1500
"""Guesses tried for a small set, on average: where it takes more, a beam finds as much in less time."""
NEAR_BEST = 1.008
"""Openings whose estimate is not above the best by more than this factor are searched as well."""
OPENINGS_SHARE = 0.25
"""The search of other openings is not begun after this share of the time."""
CLOSE_TO_BEST = 0.001
"""Openings whose total is not above the best by more than this share, halved with every pass, are searched on."""
BY_SIZES = 0.06
"""Openings whose estimate by sizes alone is above the best by more than this share are not looked at closer."""
PROVEN = 99
"""Effort of a value that is exact."""
TICK = 0.2


HURRIED = 20
"""Once the time is over, sets of answers that were not searched are solved exactly up to this size only."""
SAMPLED = 2000
"""Codes of the answers that the estimates are learned from."""
BOUNDS_SHARE = 0.15
"""Share of the time that is kept for the lower bound."""
ONLY_LOOKED_AT = Widths(200, 1, 0)
"""How closely answers are looked at to rank the openings."""


class Found(NamedTuple):
    """What is known of a set: a total that some strategy has, its guess, and how hard was looked for a better one."""

    value: int
    guess: int
    effort: int


class Aim(NamedTuple):
    """How a set came about, and how hard it is searched."""

    history: tuple[int, ...]
    effort: int


class Answer(NamedTuple):
    """What is left after a feedback to an opening."""

    opening: int
    label: int
    rows: Array
    name: int


class Stopped(Exception):  # noqa: N818 - no error: the time is over
    """The time is over."""


class Near:
    """The search on one board; `run` it, then ask for the `tree`."""

    def __init__(
        self,
        board: Board,
        *,
        threads: int = 2,
        seconds: float | None = None,
        began: float | None = None,
        timer: Callable[[], float] = clock.perf_counter,
    ) -> None:
        """``seconds``: how long the search may take by the ``timer``, counted from ``began``.

        `progress` is called now and then.
        """
        self.board, self.threads, self.seconds, self.timer = board, max(1, threads), seconds, timer
        self.began = timer() if began is None else began
        self.deadline: float | None = None
        self.polished_until = self.began
        self.progress: Callable[[], None] | None = None
        self.ranked: dict[int, float] = {}
        self.model = Model(len(board.secrets), board.labels, np.zeros(2 * MEMORY_ENTRIES, np.uint64))
        self.known: dict[int, Found] = {}
        self.raw: dict[int, tuple[float, float]] = {}
        self.learned = [np.zeros((LARGEST_SMALL + 1, 65, 4)) for _ in range(self.threads)]
        self.common = {"stop": np.zeros(1, np.int64), "shared": np.zeros(4, np.int64), "table": _table()}
        self.openings: dict[int, list[Answer]] = {}
        self.cancelled = self._halt = self.hurried = False
        self._symmetries: dict[tuple[int, ...], Symmetry] = {}
        self.grown: dict[int, tuple[int, Node]] = {}
        self.order: list[int] = board.openings().tolist()
        self.bounds = Bounds(self, list(self.order))
        self._workers: list[Worker | None] = [None] * self.threads

    # ------------------------------------------------------------ sets

    def value(self, worker: Worker, codes: Array, name: int, history: tuple[int, ...], effort: int) -> int:
        """A total that some strategy reaches on the set; the least found by searching it with this effort."""
        found = self.known.get(name)
        if found is not None and found.effort >= effort:
            return found.value
        if len(codes) <= self.model.small:
            return self._exact(worker, codes, name, INF)
        self.look_at_the_clock()
        second = len(history) == 1
        best = self._widely(worker, codes, found, Aim(history, effort))
        self.keep(name, best)
        if not second and (effort == 0 or name in self.raw):
            self.model.sample(len(codes), self._looks(worker, codes, name), best.value)
        return best.value

    def _looks(self, worker: Worker, codes: Array, name: int) -> tuple[float, float]:
        """Raw estimates of a set, the quick and the close one."""
        if name not in self.raw:
            self.raw[name] = worker.looked_at(codes)
        return self.raw[name]

    def _close(self, name: int, size: int) -> tuple[float, float]:
        """(close estimate of a set that was looked at, its variance)."""
        return self.raw[name][1] + self.model.correction[size], self.model.corrected_doubt[size]

    def _widely(self, worker: Worker, codes: Array, found: Found | None, aim: Aim) -> Found:
        """Follow the most promising guesses of a set; the best found, ``found`` where nothing is better."""
        way, second = EFFORTS[aim.effort], len(aim.history) == 1
        widths = way.second if second else way.small if len(codes) <= MIDDLE else way.middle
        best = Found(INF, NO_GUESS, 0) if found is None else found
        first = aim._replace(effort=max(0, aim.effort - 1)) if second else aim
        done: list[tuple[int, int]] = []
        if best.guess != NO_GUESS:  # its parts are searched with more effort now
            done.append((self._follow(worker, codes, (best.guess, 0.0), best.value, first), best.guess))
            best = min(best, Found(*done[0], 0))
        for guess, total, doubt, extra in self._candidates(worker, codes, aim.history, widths):
            if guess != best.guess and len(done) < widths.followed and total - way.z * doubt**0.5 < best.value:
                value = self._follow(worker, codes, (guess, extra), best.value, first)
                done.append((value, guess))
                best = min(best, Found(value, guess, 0))
        if second and aim.effort:
            for _, guess in sorted(done)[: way.again]:
                value = self._follow(worker, codes, (guess, 0.0), best.value, aim)
                best = min(best, Found(value, guess, 0))
        return best._replace(effort=aim.effort)

    def _candidates(
        self, worker: Worker, codes: Array, history: tuple[int, ...], widths: Widths
    ) -> list[tuple[int, float, float, float]]:
        """Guesses, each with its estimate, variance and what the refined estimate adds, the least estimate first."""
        wanted = widths.estimated * (SECOND_HEAP if len(history) == 1 else HEAP)
        guesses = worker.best_guesses(codes, min(wanted, len(self.board.guesses)))[0]
        symmetry = self.symmetry(history)
        if symmetry is not None:
            guesses = symmetry.first_of_each(guesses)
        taken, totals, doubts, large = worker.walk(codes, guesses, widths.estimated)
        rank = np.argsort(totals, kind="stable")
        extras = np.zeros(len(taken))
        for i in rank[: widths.refined].tolist():
            if large[i]:
                self.look_at_the_clock()
                extras[i], more = self._refined(worker, codes, int(taken[i]))
                doubts[i] += more
        totals += extras
        rank = np.argsort(totals, kind="stable")[: 2 * max(widths.followed, 1)]
        columns = (taken[rank].tolist(), totals[rank].tolist(), doubts[rank].tolist(), extras[rank].tolist())
        return list(zip(*columns, strict=True))

    def _refined(self, worker: Worker, codes: Array, guess: int) -> tuple[float, float]:
        """What better estimates of the large parts change in the estimate and in its variance."""
        change, more = 0.0, 0.0
        for part, name, by_looks, doubt in worker.judged(codes, guess):
            if name not in self.known:
                self._looks(worker, part, name)
                close, left = self._close(name, len(part))
                change += close - by_looks
                more += left - doubt
        return change, more

    def _follow(self, worker: Worker, codes: Array, chosen: tuple[int, float], best: float, aim: Aim) -> int:
        """Total of a guess with its parts searched, INF once it is unlikely to be less than ``best``.

        ``chosen``: the guess, and what the refined estimates of its parts add.
        """
        guess, extra = chosen
        z = EFFORTS[aim.effort].z
        done, total, variance = worker.evaluate(codes, guess, best, z, extra)
        self.look_at_the_clock()  # a search that was stopped returns bounds
        if not done:
            return INF
        parts = worker.parts(self.model.small)
        known, doubts = worker.scratch.known, worker.scratch.doubt
        looks = [(float(known[label]), float(doubts[label])) for label, _, _ in parts]
        certain = round(total - sum(look for look, _ in looks))
        for i, (_, part, name) in enumerate(parts):
            if name in self.raw and name not in self.known:
                looks[i] = self._close(name, len(part))
        total, variance = certain + sum(look for look, _ in looks), sum(doubt for _, doubt in looks)
        for (_, part, name), (look, doubt) in zip(parts, looks, strict=True):
            value = self.value(worker, part, name, (*aim.history, guess), aim.effort)
            certain += value
            total += value - look
            variance -= doubt
            if total - z * max(variance, 0.0) ** 0.5 >= best:
                return INF
        return certain

    def _exact(self, worker: Worker, codes: Array, name: int, ub: int) -> int:
        """The least total of a set, kept where it is less than ``ub``; else ``ub``."""
        value = worker.solve(codes, name, ub)
        self.look_at_the_clock()
        if value < ub:
            guess = worker.guess_of(codes, name)
            self.keep(name, Found(value, guess, PROVEN))
        return min(value, ub)

    def keep(self, name: int, found: Found) -> None:
        """Take this for the value of a set."""
        self.known[name] = found
        kernels.remember(self.model.tables.memory, np.uint64(name), found.value, int(found.effort == PROVEN))

    def symmetry(self, history: tuple[int, ...]) -> Symmetry | None:
        """The symmetry after one guess or two, where there may be any."""
        if len(history) > 2:
            return None
        if history not in self._symmetries:
            before = self.symmetry(history[:-1]) if history else None
            if len(self._symmetries) > 5000:
                self._symmetries.clear()
            board = self.board
            base = Symmetry(board.guesses, board.colors, board.blank) if before is None else before
            self._symmetries[history] = base.after(history[-1]) if history else base
        found = self._symmetries[history]
        return None if found.is_trivial else found

    def look_at_the_clock(self) -> None:
        """Raise Stopped when the time is over or Ctrl-C was pressed."""
        if self._halt or self.is_halted or (self.deadline is not None and self.timer() > self.deadline):
            raise Stopped

    # ------------------------------------------------------------ openings

    @property
    def nodes(self) -> int:
        """Small sets solved exactly, and larger ones searched."""
        return len(self.known) + int(sum(learned[:, :, 1].sum() for learned in self.learned))

    @property
    def is_halted(self) -> bool:
        """Whether the exact search was told to stop: what it returns is then a bound only."""
        return bool(self.common["stop"][0])

    def answers(self, opening: int) -> list[Answer]:
        """The answers to an opening, the largest part first."""
        if opening not in self.openings:
            parts = self.board.answers(opening)
            self.openings[opening] = [Answer(opening, label, rows, self.board.name(rows)) for label, rows in parts]
        return self.openings[opening]

    def total(self, opening: int) -> int:
        """Total of the best strategy known with an opening; INF while one of its answers was never searched."""
        total = len(self.board.secrets)
        for answer in self.answers(opening):
            found = self._value_of(answer)
            if found is None:
                return INF
            total += found
        return total

    def _value_of(self, answer: Answer) -> int | None:
        if len(answer.rows) <= 2:
            return 2 * len(answer.rows) - 1
        found = self.known.get(answer.name)
        return None if found is None else found.value

    def for_each(self, task: Callable[[Worker, Answer], None], answers: Iterable[Answer]) -> None:
        """Do a task for every answer, by all threads; raises Stopped when the time is over or Ctrl-C was pressed."""
        queue = iter(list(answers))
        with ThreadPoolExecutor(self.threads) as pool:
            calls = [pool.submit(self._work_off, thread, queue, task) for thread in range(self.threads)]
            waiting = set(calls)
            while waiting:
                try:
                    _, waiting = wait(waiting, timeout=TICK)
                    self._report()
                except KeyboardInterrupt:
                    self.cancelled = self._halt = True
                    self.common["stop"][0] = 1
                if self.deadline is not None and self.timer() > self.deadline:
                    self.common["stop"][0] = 1
        for call in calls:
            call.result()

    def _work_off(self, thread: int, queue: Iterator[Answer], task: Callable[[Worker, Answer], None]) -> None:
        for answer in queue:
            task(self._worker(thread, answer), answer)

    def _worker(self, thread: int, answer: Answer) -> Worker:
        worker = self._workers[thread]
        if worker is not None and worker.plot is self.board.whole:
            return worker
        self._workers[thread] = None  # its labels are not needed any more
        made = Worker(self.board.plot(answer.rows), self.model, self.common, self.learned[thread])
        self._workers[thread] = made
        return made

    def search(self, opening: int, effort: int) -> None:
        """Search every answer to an opening with this effort."""
        self._search([answer for answer in self.answers(opening) if len(answer.rows) > 2], effort)

    def _search(self, answers: list[Answer], effort: int) -> None:
        def task(worker: Worker, answer: Answer) -> None:
            codes = worker.plot.places(answer.rows)
            self.value(worker, codes, answer.name, (answer.opening,), effort)
            self._grow_answer(worker, answer)

        self.for_each(task, answers)

    def calibrate(self, opening: int) -> None:
        """Learn the estimates from some of the answers to an opening, then what better estimates miss."""
        answers = self._sample_of(opening)
        self._choose_small(answers)
        for learn in (self._refit, self.model.correct):
            self._search(answers, 0)
            learn()
            self.raw.clear()
            for name, found in self.known.items():
                if found.effort != PROVEN:
                    self.known[name] = found._replace(effort=-1)

    def _choose_small(self, answers: list[Answer]) -> None:
        """Find out up to which size sets are solved quickly: 60 codes take a millisecond or 600, by the board."""
        sets, tried = np.zeros(len(SIZES)), np.zeros(len(SIZES))

        def probe(worker: Worker, codes: Array, name: int) -> None:
            n, at = len(codes), int(np.searchsorted(SIZES, len(codes)))
            if at == len(SIZES):
                for _, part, part_name in worker.split(codes, int(worker.best_guesses(codes, 1)[0][0])):
                    if len(part) < n:
                        probe(worker, part, part_name)
            elif n > SIZES[0] // 2 and sets[at] < PROBED and (tried[: at + 1] <= PROBED * MOST_TRIED).all():
                before = int(worker.work.nodes[1])
                worker.solve(codes, name, INF)
                self.look_at_the_clock()
                sets[at] += 1
                tried[at] += int(worker.work.nodes[1]) - before

        self.for_each(lambda worker, answer: probe(worker, worker.plot.places(answer.rows), answer.name), answers)
        quick = [size for size, n, times in zip(SIZES, sets, tried, strict=True) if times <= MOST_TRIED * max(n, 1)]
        dear = [size for size in SIZES if size not in quick]
        self.model.small = max([size for size in quick if size < min(dear, default=INF)], default=SIZES[0])

    def _refit(self) -> None:
        self.model.refit(np.sum(self.learned, axis=0))

    def _sample_of(self, opening: int) -> list[Answer]:
        """Answers of middle size that make up about a fifth of the codes, or SAMPLED of them."""
        answers = [answer for answer in self.answers(opening) if len(answer.rows) > self.model.small]
        wanted, chosen = min(len(self.board.secrets) // 5, SAMPLED), []
        for answer in answers[len(answers) // 3 :]:
            if wanted > 0:
                chosen.append(answer)
                wanted -= len(answer.rows)
        return chosen

    def polish(self, opening: int, most: int) -> None:
        """Solve the sets of the best strategy with this opening, up to ``most`` codes, as far as POLISHING allows."""
        now = self.timer()
        self.polished_until = now + POLISHING * (now - self.began)

        def task(worker: Worker, answer: Answer) -> None:
            codes = worker.plot.places(answer.rows)
            if len(codes) > self.model.small and answer.name in self.known:
                self._polish(worker, codes, answer.name, most)
                self._grow_answer(worker, answer)

        self.for_each(task, self.answers(opening))

    def _polish(self, worker: Worker, codes: Array, name: int, most: int) -> int:
        self.look_at_the_clock()
        found = self.known[name]
        if found.effort == PROVEN:
            return found.value
        if len(codes) <= most:
            if self.timer() > self.polished_until:
                return found.value
            value = worker.solve(codes, name, found.value)
            self.look_at_the_clock()
            guess = worker.guess_of(codes, name) if value < found.value else found.guess
            self.keep(name, Found(min(value, found.value), guess, PROVEN))
            return min(value, found.value)
        total = len(codes)
        for _, part, part_name in worker.split(codes, found.guess):
            if len(part) <= self.model.small:
                total += self._small(worker, part, part_name)
            else:
                total += self._polish(worker, part, part_name, most)
        if total < found.value:
            self.keep(name, found._replace(value=total))
        return total

    def _small(self, worker: Worker, codes: Array, name: int) -> int:
        if len(codes) <= 2:
            return 2 * len(codes) - 1
        value = worker.solve(codes, name, INF)
        self.look_at_the_clock()
        return value

    # ------------------------------------------------------------ strategies

    def tree(self) -> Node:
        """The best strategy known, complete; answers that were never searched are cut by the guess ranked first."""
        self._halt = False
        self.common["stop"][0] = 0
        opening = self.best_opening()
        missing = [answer for answer in self.answers(opening) if answer.name not in self.grown]
        deadline, self.deadline, self.hurried = self.deadline, None, True
        self.for_each(self._grow_answer, missing)
        self.deadline, self.hurried = deadline, False
        root = Node(tuple(self.board.guesses[opening].tolist()), self.board.is_secret(opening))
        for answer in sorted(self.answers(opening), key=lambda answer: answer.label):
            root.children[self.board.public_labels[answer.label]] = self.grown[answer.name][1]
        return root

    def best_opening(self) -> int:
        """The opening of the least total known; the one ranked first, if none was searched whole."""
        return min(self.order, key=self.total)

    def _grow_answer(self, worker: Worker, answer: Answer) -> None:
        found, before = self.known.get(answer.name), self.grown.get(answer.name)
        if before is None or (found is not None and found.value < before[0]):
            node = self._grow(worker, worker.plot.places(answer.rows), answer.name)
            total = node.total
            if before is None or total < before[0]:
                self.grown[answer.name] = (total, node)

    def _grow(self, worker: Worker, codes: Array, name: int) -> Node:
        guess = self._guess(worker, codes, name)
        code = tuple(self.board.guesses[guess].tolist())
        node = Node(code, bool((worker.plot.ground.guess_of_secret[codes] == guess).any()))
        for label, part, part_name in worker.split(codes, guess):
            if len(part) == len(codes):
                raise InputError("the checkpoint is damaged: it keeps a guess that tells nothing apart")
            node.children[self.board.public_labels[label]] = self._grow(worker, part, part_name)
        if len(codes) > self.model.small and name not in self.known:
            self.keep(name, Found(node.total, guess, -1))
        return node

    def _guess(self, worker: Worker, codes: Array, name: int) -> int:
        if len(codes) <= 2:
            return int(worker.plot.ground.guess_of_secret[codes[0]])
        found = self.known.get(name)
        if found is not None and found.guess != NO_GUESS:
            return found.guess
        if len(codes) <= self.model.small:
            guess = worker.guess_of(codes, name, search=not self.hurried or len(codes) <= HURRIED)
            if guess != NO_GUESS:
                return guess
        ranked = worker.best_guesses(codes, 8)[0]
        return int(worker.walk(codes, ranked, 1)[0][0])

    # ------------------------------------------------------------ the whole search

    def run(self) -> None:
        """Search with more and more effort, until the time is over, Ctrl-C is pressed or nothing is left to widen.

        The last part of the time goes to the lower bound.
        """
        for work, share in ((self._passes, 1 - BOUNDS_SHARE), (self._bound, 1.0)):
            self.deadline = None if self.seconds is None else self.began + share * self.seconds
            try:
                work()
            except Stopped:
                pass
            except KeyboardInterrupt:
                self.cancelled = True
            if self.cancelled:
                return
            self._halt = False
            self.common["stop"][0] = 0

    def _bound(self) -> None:
        self.bounds.first()
        self.bounds.second()

    def _passes(self) -> None:
        if not self.ranked:
            self.order.sort(key=self._by_sizes)
            self.calibrate(self.order[0])
            self._rank_openings()
        self.search(self.order[0], 1)
        for opening in self.order[1:]:
            if self.ranked[opening] < NEAR_BEST * self.ranked[self.order[0]] and self._share_used() < OPENINGS_SHARE:
                self.search(opening, 1)
        self.bounds.first()
        for effort in range(2, len(EFFORTS)):
            bar = self.total(self.best_opening()) * (1 + CLOSE_TO_BEST / 2**effort)
            for opening in sorted((opening for opening in self.order if self.total(opening) <= bar), key=self.total):
                self.search(opening, effort)
            self.model.correct()
            best = self.best_opening()
            self.polish(best, round(self.model.small * POLISHED[min(effort, len(POLISHED) - 1)]))

    def _by_sizes(self, opening: int) -> float:
        sizes = [len(answer.rows) for answer in self.answers(opening)]
        return len(self.board.secrets) + float(self.model.tables.estimate[sizes].sum())

    def _rank_openings(self) -> None:
        """Sort the openings by the estimates of their answers' best guesses."""
        ranked = {opening: float(len(self.board.secrets)) for opening in self.order}

        def task(worker: Worker, answer: Answer) -> None:
            size = len(answer.rows)
            if size <= self.model.small:
                estimate = float(self.model.tables.estimate[size])
            else:
                codes = worker.plot.places(answer.rows)
                estimate = self._candidates(worker, codes, (answer.opening,), ONLY_LOOKED_AT)[0][1]
            ranked[answer.opening] += estimate  # one thread at a time changes it, under the interpreter's lock

        bar = (1 + BY_SIZES) * self._by_sizes(self.order[0])
        likely = [opening for opening in self.order if self._by_sizes(opening) < bar]
        self.for_each(task, [answer for opening in likely for answer in self.answers(opening)])
        for opening in self.order:
            if opening not in likely:
                ranked[opening] = self._by_sizes(opening)
        self.order.sort(key=ranked.__getitem__)
        self.ranked = ranked

    def _share_used(self) -> float:
        """Share of the time that is used up; 0 without a limit."""
        return 0.0 if self.seconds is None else (self.timer() - self.began) / max(1e-9, self.seconds)

    def _report(self) -> None:
        if self.progress is not None:
            self.progress()


def _table() -> Array:
    entries = 1 << 22
    raw = np.zeros(2 * entries + 8, np.uint64)
    skip = (-raw.ctypes.data // 8) % 8
    return raw[skip : skip + 2 * entries]
