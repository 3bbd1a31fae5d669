"""Complete strategies close to the least total, for boards whose proof is out of reach.

A beam search over sets of candidates: guesses are ranked by the estimated totals of their parts, the best are
estimated better, and the best of these are followed to the end. Small sets are solved exactly.
What a set was found to cost is kept, so that every pass over the board, wider than the one before, only improves it.
"""

from __future__ import annotations

import time as clock
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropeg.errors import InputError
from entropeg.search.beam import kernels
from entropeg.search.beam.board import CLOSE, Board, Cutter, Symmetry, Worker
from entropeg.search.beam.bounds import Bounds
from entropeg.search.beam.effort import EFFORTS, LEARNING, MIDDLE, PASSES, Widths
from entropeg.search.beam.kernels import LARGEST_SMALL
from entropeg.search.beam.labels import Store, Strip
from entropeg.search.beam.learning import calibrate
from entropeg.search.beam.model import Model
from entropeg.search.beam.polish import polish
from entropeg.search.beam.ranking import by_sizes, rank_openings
from entropeg.search.beam.terms import PROVEN, Aim, Answer, Found, Stopped
from entropeg.search.exact.board import aligned
from entropeg.search.exact.desk import INF, NO_GUESS
from entropeg.search.tree import Node
from entropeg.signals import held

Array = NDArray[Any]

MEMORY_ENTRIES = 1 << 21
TABLE_BYTES = 1 << 26
"""Size of the table of the exact search."""
SECOND_HEAP = 24
HEAP = 4
"""Guesses ranked by size alone for each that is to be estimated: many leave equal parts."""
NEAR_BEST = 1.008
"""Openings whose estimate is not above the best by more than this factor are searched as well."""
OPENINGS_SHARE = 0.25
"""The search of other openings is not begun after this share of the time."""
CLOSE_TO_BEST = 0.001
"""Openings whose total is not above the best by more than this share, halved with every pass, are searched on."""
TICK = 0.2
BOUNDS_SHARE = 0.15
"""Share of the time that is kept for the lower bound."""
LABEL_SECONDS = 1e-9
"""What a label takes to compute, about."""
RANKED = 400
"""Guesses that are kept of every set that was looked at, by the sizes of their parts."""
MOST_RANKED = 40_000
"""Sets whose guesses are kept at a time: some 100 MB."""
FAN_CELLS = 300_000_000
"""Labels of all secrets against one second guess of every class are held where they are no more than this."""
FANS = 2
"""Openings whose second guesses are held."""
SKETCHED = 1024
"""Guesses that the first, quick strategy chooses from, beside codes that are still possible."""


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
        """``seconds``: how long the search may take by the ``timer``, counted from ``began``."""
        self.board, self.threads, self.seconds, self.timer = board, max(1, threads), seconds, timer
        self.began = timer() if began is None else began
        self.deadline: float | None = None
        self.pause: float | None = None
        self.progress: Callable[[], None] | None = None  # called now and then
        self.ranked: dict[int, float] = {}
        self.model = Model(len(board.secrets), board.labels, np.zeros(2 * MEMORY_ENTRIES, np.uint64))
        self.known: dict[int, Found] = {}
        self.raw: dict[int, tuple[float, float]] = {}
        self.learned = [np.zeros((LARGEST_SMALL + 1, 65, 4)) for _ in range(self.threads)]
        table = aligned(TABLE_BYTES).view(np.uint64)
        self.common = {"stop": np.zeros(1, np.int64), "shared": np.zeros(4, np.int64), "table": table}
        self.openings: dict[int, list[Answer]] = {}
        self.cancelled = self._halt = False
        self.is_hasty = True  # until the first answer was searched
        self._symmetries: dict[tuple[int, ...], Symmetry] = {}
        self.grown: dict[int, tuple[int, Node]] = {}
        self.order: list[int] = board.openings().tolist()
        self.bounds = Bounds(self, list(self.order))
        self._workers: list[Worker | None] = [None] * self.threads
        self._stores = [(Store(), Store()) for _ in range(self.threads)]
        self._cutters = [Cutter(board.ground, self.model, learned) for learned in self.learned]
        self._unfinished: list[tuple[Worker, Answer]] = []
        self._ranks: dict[int, tuple[int, Array]] = {}
        self._fans: dict[int, Strip | None] = {}
        self._sketch: Strip | None = None

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
        best = self._widely(worker, (codes, name), found, Aim(history, effort))
        self.keep(name, best)
        if not second and (effort == LEARNING or name in self.raw):
            self.model.sample(len(codes), self._looks(worker, codes, name), best.value)
        return best.value

    def forget(self) -> None:
        """Look at every set anew, since estimates changed; what was found stays."""
        self.raw.clear()
        self._ranks.clear()
        for name, found in self.known.items():
            if found.effort != PROVEN:
                self.known[name] = found._replace(effort=-1)

    def _looks(self, worker: Worker, codes: Array, name: int) -> tuple[float, float]:
        """Raw estimates of a set, the quick and the close one."""
        if name not in self.raw:
            self.raw[name] = worker.looked_at(codes, self._likely(worker, codes, name, 2 * CLOSE))
        return self.raw[name]

    def _close(self, name: int, size: int) -> tuple[float, float]:
        """(close estimate of a set that was looked at, its variance)."""
        return self.raw[name][1] + self.model.correction[size], self.model.corrected_doubt[size]

    def _widely(self, worker: Worker, named: tuple[Array, int], found: Found | None, aim: Aim) -> Found:
        """Follow the most promising guesses of a set; the best found, ``found`` where nothing is better."""
        best = Found(INF, NO_GUESS, 0) if found is None else found
        try:
            for value, guess in self._followed(worker, named, best, aim):
                best = min(best, Found(value, guess, -1))
        except Stopped:
            if best.value < INF:
                self.keep(named[1], best)
            raise
        return best._replace(effort=aim.effort)

    def _followed(self, worker: Worker, named: tuple[Array, int], best: Found, aim: Aim) -> Iterator[tuple[int, int]]:
        """(total, guess) of one guess after another; ``best``: what was known before."""
        codes = named[0]
        way, second = EFFORTS[aim.effort], len(aim.history) == 1
        widths = way.second if second else way.small if len(codes) <= MIDDLE else way.middle
        first = aim._replace(effort=max(0, aim.effort - 1)) if second and aim.effort < LEARNING else aim
        done: list[tuple[int, int]] = []
        least = best.value

        def follow(guess: int, extra: float, how: Aim) -> tuple[int, int]:
            nonlocal least
            value = self._follow(worker, codes, (guess, extra), least, how)
            least = min(least, value)
            return value, guess

        if best.guess != NO_GUESS:  # its parts are searched with more effort now
            done.append(follow(best.guess, 0.0, first))
            yield done[-1]
        for guess, total, doubt, extra in self.candidates(worker, named, aim.history, widths):
            if guess != best.guess and len(done) < widths.followed and total - way.z * doubt**0.5 < least:
                done.append(follow(guess, extra, first))
                yield done[-1]
        if second and aim.effort:
            for _, guess in sorted(done)[: way.again]:
                yield follow(guess, 0.0, aim)

    def candidates(
        self, worker: Cutter, named: tuple[Array, int], history: tuple[int, ...], widths: Widths
    ) -> list[tuple[int, float, float, float]]:
        """Guesses, each with its estimate, variance and what the refined estimate adds, the least estimate first."""
        codes, guesses = named[0], self._by_size(worker, named, history, widths.estimated)
        taken, totals, doubts, large = worker.walk(codes, guesses, widths.estimated)
        rank = np.argsort(totals, kind="stable")
        extras = np.zeros(len(taken))
        for i in rank[: widths.refined].tolist():
            if large[i] and isinstance(worker, Worker):
                self.look_at_the_clock()
                extras[i], more = self._refined(worker, codes, int(taken[i]))
                doubts[i] += more
        totals += extras
        rank = np.argsort(totals, kind="stable")[: 2 * max(widths.followed, 1)]
        columns = (taken[rank].tolist(), totals[rank].tolist(), doubts[rank].tolist(), extras[rank].tolist())
        return list(zip(*columns, strict=True))

    def _by_size(self, worker: Cutter, named: tuple[Array, int], history: tuple[int, ...], estimated: int) -> Array:
        """The guesses that look best by the sizes of their parts, several for each that is to be ``estimated``."""
        fan = self.fan(history[0]) if len(history) == 1 else None
        if fan is not None or not isinstance(worker, Worker):
            strip, table = fan or self.sketch, self.model.tables.estimate
            return worker.best_of(strip, worker.rows(named[0]), table, HEAP * estimated)[0]
        wanted = estimated * (SECOND_HEAP if len(history) == 1 else HEAP)
        guesses = self._likely(worker, *named, min(wanted, len(self.board.guesses)))
        symmetry = self.symmetry(history)
        return guesses if symmetry is None else symmetry.first_of_each(guesses)

    def _likely(self, worker: Worker, codes: Array, name: int, wanted: int) -> Array:
        """The guesses that look best by the sizes of their parts; kept, since most sets are met again."""
        asked, guesses = self._ranks.get(name, (0, codes[:0]))
        if asked < wanted:
            asked = max(wanted, min(RANKED, len(self.board.guesses)))
            guesses = worker.best_guesses(codes, asked)[0].astype(np.int32)
            if len(self._ranks) >= MOST_RANKED:
                self._ranks.clear()
            self._ranks[name] = asked, guesses
        return guesses[:wanted]

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
            self.keep(name, Found(value, worker.guess_of(codes, name), PROVEN))
        return min(value, ub)

    def keep(self, name: int, found: Found) -> None:
        """Take this for the value of a set."""
        self.known[name] = found
        if found.effort >= 0:  # what a search that was stopped left is no estimate
            kernels.remember(self.model.tables.memory, np.uint64(name), found.value, int(found.effort == PROVEN))

    def symmetry(self, history: tuple[int, ...]) -> Symmetry | None:
        """The symmetry after one guess or two, where there may be any."""
        found = self._group(history) if len(history) <= 2 else None
        return None if found is None or found.is_trivial else found

    def _group(self, history: tuple[int, ...]) -> Symmetry:
        found = self._symmetries.get(history)  # once: other threads add to it, and empty it
        if found is None:
            whole = Symmetry(self.board.guesses, self.board.colors, self.board.blank) if not history else None
            found = self._group(history[:-1]).after(history[-1]) if whole is None else whole
            if len(self._symmetries) > 5000:
                self._symmetries.clear()
            self._symmetries[history] = found
        return found

    def fan(self, opening: int) -> Strip | None:
        """Labels against one second guess of every class; None where symmetry leaves too many of them."""
        if opening not in self._fans:
            symmetry, guesses = self.symmetry((opening,)), np.arange(len(self.board.guesses))
            chosen = guesses if symmetry is None else symmetry.first_of_each(guesses)
            while len(self._fans) >= FANS:
                del self._fans[next(iter(self._fans))]
            few = len(chosen) * len(self.board.secrets) <= FAN_CELLS
            self._fans[opening] = self.board.strip(chosen) if few else None
        return self._fans[opening]

    def prepare(self, opening: int) -> None:
        """Make the strips that threads will read."""
        self.fan(opening)
        self._sketch = self.sketch

    @property
    def sketch(self) -> Strip:
        """Labels against some guesses, of all kinds."""
        if self._sketch is None:
            count = len(self.board.guesses)
            some = np.random.default_rng(count).choice(count, min(count, SKETCHED), replace=False)
            self._sketch = self.board.strip(np.sort(some))
        return self._sketch

    def look_at_the_clock(self) -> None:
        """Raise Stopped when the time is over or Ctrl-C was pressed."""
        if self.is_halted or self.is_over:
            raise Stopped

    @property
    def is_over(self) -> bool:
        """Whether the time is over or Ctrl-C was pressed."""
        return self._halt or (self.deadline is not None and self.timer() > self.deadline)

    def resume(self) -> None:
        """Let exact searches run again that were told to stop."""
        self.common["stop"][0] = 0

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
        found, grown = self.known.get(answer.name), self.grown.get(answer.name)
        values = [*([] if found is None else [found.value]), *([] if grown is None else [grown[0]])]
        return min(values, default=None)

    def for_each(self, task: Callable[[Worker, Answer], None], answers: Iterable[Answer]) -> None:
        """Do a task for every answer, by all threads; raises Stopped when the time is over or Ctrl-C was pressed.

        What was found for the answers under way is then for `write_unfinished`, before the next task.
        """
        if not self.board.has_labels:
            self._leave_time_for(len(self.board.secrets))
            assert self.board.whole is not None  # made here, and not by a thread

        def begin(thread: int, answer: Answer) -> None:
            worker = self._worker(thread, answer)
            try:
                task(worker, answer)
            except Stopped:
                if answer.name in self.grown:
                    self._unfinished.append((worker, answer))
                raise

        self._share_out(begin, answers)

    def for_each_quickly(self, task: Callable[[Cutter, Answer], None], answers: Iterable[Answer]) -> None:
        """The same with a task that needs no labels but those of strips, which no deadline ends."""
        self._share_out(lambda thread, answer: task(self._cutters[thread], answer), answers)

    def _share_out(self, task: Callable[[int, Answer], None], answers: Iterable[Answer]) -> None:
        queue = deque(answers)
        with held(self.cancel), ThreadPoolExecutor(self.threads) as pool:
            calls = [pool.submit(self._work_off, thread, queue, task) for thread in range(self.threads)]
            try:
                self._wait(calls)
            except BaseException:  # of `progress`: else the threads would go through all that is left before it is seen
                self._halt = True
                self.common["stop"][0] = 1
                queue.clear()
                raise
        for call in calls:
            call.result()

    def _wait(self, calls: list[Future[None]]) -> None:
        waiting = set(calls)
        while waiting:
            try:
                _, waiting = wait(waiting, timeout=TICK)
                self._report()
            except KeyboardInterrupt:  # of `progress`
                self.cancel()
            if self.is_over or (self.pause is not None and self.timer() > self.pause):
                self.common["stop"][0] = 1

    def _work_off(self, thread: int, queue: deque[Answer], task: Callable[[int, Answer], None]) -> None:
        # Where each answer has labels of its own one thread begins with the largest, the others with the smallest, so
        # that no two large ones are held at a time.
        take = queue.pop if self.board.is_split and thread else queue.popleft
        while True:
            try:
                answer = take()
            except IndexError:
                return
            task(thread, answer)

    def _worker(self, thread: int, answer: Answer) -> Worker:
        worker, whole = self._workers[thread], self.board.whole
        if worker is None or worker.plot is not whole:
            self.look_at_the_clock()
            self._leave_time_for(2 * len(answer.rows))
            self._workers[thread] = None  # its labels are written over
            plot = self.board.plot(answer.rows, self._stores[thread]) if whole is None else whole
            worker = self._workers[thread] = Worker(plot, self.model, self.common, self.learned[thread])
        return worker

    def _leave_time_for(self, rows: int) -> None:
        """Raise Stopped where the time will be over before so many rows of labels are computed."""
        seconds = LABEL_SECONDS * rows * len(self.board.guesses)
        if self.deadline is not None and self.timer() + seconds > self.deadline:
            raise Stopped

    def search(self, opening: int, effort: int) -> None:
        """Search every answer to an opening with this effort; each improves a strategy that is complete before."""

        def begin(cutter: Cutter, answer: Answer) -> None:
            self.look_at_the_clock()
            self.grow_answer(cutter, answer)

        if self.total(opening) == INF:
            self.prepare(opening)
            self.for_each_quickly(begin, self.answers(opening))
        self.search_answers([answer for answer in self.answers(opening) if len(answer.rows) > 2], effort)

    def search_answers(self, answers: list[Answer], effort: int) -> None:
        """The same for some answers, of one opening."""

        def task(worker: Worker, answer: Answer) -> None:
            codes = worker.places(answer.rows)
            self.value(worker, codes, answer.name, (answer.opening,), effort)
            self.grow_answer(worker, answer)
            self.is_hasty = False

        if answers:
            self.prepare(answers[0].opening)
        self.for_each(task, answers)

    # ------------------------------------------------------------ strategies

    def tree(self) -> Node:
        """The best strategy known, complete; answers that were never searched are cut by guesses found quickly."""
        self._halt = False
        self.resume()
        opening = self.best_opening()
        self.grow(opening)
        root = Node(tuple(self.board.guesses[opening].tolist()), self.board.is_secret(opening))
        for answer in sorted(self.answers(opening), key=lambda answer: answer.label):
            root.children[self.board.public_labels[answer.label]] = self.grown[answer.name][1]
        return root

    def grow(self, opening: int) -> None:
        """Complete the strategy with an opening: from what is known, else by guesses found quickly."""
        deadline, self.deadline = self.deadline, None
        self.prepare(opening)  # here, and not by a thread
        self.for_each_quickly(self.grow_answer, self.answers(opening))
        self.deadline = deadline

    def best_opening(self) -> int:
        """The opening of the least total known; the one ranked first, if none was searched whole."""
        return min(self.order, key=self.total)

    def grow_answer(self, worker: Cutter, answer: Answer) -> None:
        """Write down the strategy after an answer, where it is better than the one written down before."""
        found, before = self.known.get(answer.name), self.grown.get(answer.name)
        if before is None or (found is not None and found.value < before[0]):
            node = self._grow(worker, worker.places(answer.rows), answer.name)
            total = node.total
            if before is None or total < before[0]:
                self.grown[answer.name] = (total, node)

    def _grow(self, worker: Cutter, codes: Array, name: int) -> Node:
        guess = self._guess(worker, codes, name)
        code = tuple(self.board.guesses[guess].tolist())
        node = Node(code, bool((worker.ground.guess_of_secret[codes] == guess).any()))
        for label, part, part_name in worker.split(codes, guess):
            if len(part) == len(codes):
                raise InputError("the checkpoint is damaged: it keeps a guess that tells nothing apart")
            node.children[self.board.public_labels[label]] = self._grow(worker, part, part_name)
        if len(codes) > self.model.small and isinstance(worker, Worker) and name not in self.known:
            self.keep(name, Found(node.total, guess, -1))
        return node

    def _guess(self, worker: Cutter, codes: Array, name: int) -> int:
        if len(codes) <= 2:
            return int(worker.ground.guess_of_secret[codes[0]])
        found = self.known.get(name)
        if found is not None and found.guess != NO_GUESS:
            return found.guess
        # The guess of a set that was solved is unknown where its entry of the table has gone meanwhile.
        is_solved = found is not None and found.effort == PROVEN
        if isinstance(worker, Worker) and (is_solved or len(codes) <= self.model.small):
            self._exact(worker, codes, name, INF)
            if self.known[name].guess != NO_GUESS:
                return self.known[name].guess
        return worker.quick_guess(self.sketch, codes)

    # ------------------------------------------------------------ the whole search

    def run(self) -> None:
        """Search with more and more effort, until the time is over, `cancel` is called or nothing is left to widen.

        A complete strategy is found first, by quick guesses; the last part of the time goes to the lower bound.
        """
        for work, share in ((self._begin, 0.0), (self._passes, 1 - BOUNDS_SHARE), (self._bound, 1.0)):
            self.deadline = None if self.seconds is None else self.began + share * self.seconds
            try:
                work()
            except Stopped:
                pass
            except KeyboardInterrupt:  # of `progress`
                self.cancelled = True
            self._finish()
            if self.cancelled:
                return

    def _finish(self) -> None:
        with held(self.note):
            self._halt = False
            self.resume()
            self.deadline = None
            self.write_unfinished()

    def write_unfinished(self) -> None:
        """Write down what was found for the answers that were under way when a task for each was stopped."""
        while self._unfinished:
            self.grow_answer(*self._unfinished[-1])
            self._unfinished.pop()

    def _begin(self) -> None:
        if not self.ranked:
            self.order.sort(key=partial(by_sizes, self))
        self.grow(self.order[0])

    def _bound(self) -> None:
        self.bounds.first()
        self.bounds.second()

    def _passes(self) -> None:
        self.look_at_the_clock()
        if not self.ranked:
            calibrate(self, self.order[0])
            self.ranked = rank_openings(self)
            self.order.sort(key=self.ranked.__getitem__)
        self.search(self.order[0], 1)
        for opening in self.order[1:]:
            if self.ranked[opening] < NEAR_BEST * self.ranked[self.order[0]] and self._share_used() < OPENINGS_SHARE:
                self.search(opening, 1)
        self.bounds.first()
        for effort in range(2, PASSES):
            bar = self.total(self.best_opening()) * (1 + CLOSE_TO_BEST / 2**effort)
            for opening in sorted((opening for opening in self.order if self.total(opening) <= bar), key=self.total):
                self.search(opening, effort)
            self.model.correct()
            polish(self, self.best_opening(), effort)

    def _share_used(self) -> float:
        """Share of the time that is used up; 0 without a limit."""
        return 0.0 if self.seconds is None else (self.timer() - self.began) / max(1e-9, self.seconds)

    def note(self) -> None:
        """Remember that Ctrl-C was pressed, for when what is being written down is complete."""
        self.cancelled = True

    def cancel(self) -> None:
        """End the search as soon as may be: Ctrl-C was pressed."""
        self.cancelled = self._halt = True
        self.common["stop"][0] = 1

    def _report(self) -> None:
        if self.progress is not None:
            self.progress()
