"""The threads of the near-optimal search: their memory, how answers are shared out, and when all stop."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import NamedTuple

import numpy as np

from entropeg.codes import Array
from entropeg.kernels.vectors import BLOCK
from entropeg.search.beam import kernels
from entropeg.search.beam.board import Answer, Board, Buffer, Columns, Section
from entropeg.search.beam.kernels import LARGEST_SMALL, CodeBits, LabelRows, Scratch
from entropeg.search.beam.model import Model
from entropeg.search.exact import engine
from entropeg.search.exact.answer_kinds import aligned
from entropeg.search.exact.fields import EXACT, INF, NO_GUESS, SCANNED, SYMMETRIC, UNLIMITED
from entropeg.signals import held

CLOSE = 10
"""Guesses of a set whose parts are estimated for its close estimate."""
OWN = 6
"""Codes of a set that a quick guess is chosen from, and as many other guesses."""


class Subset(NamedTuple):
    """Some of a worker's secrets: the feedback that left them, their numbers, and their hash."""

    label: int
    codes: Array
    name: int


class Stopped(Exception):  # noqa: N818 - no error: the time is over
    """The time is over."""


class Worker:
    """One thread's memory, and the kernels that need no labels but those of columns."""

    def __init__(self, codes: CodeBits, model: Model, learned: Array) -> None:
        """``learned``: as in `Scratch`; it outlives the worker."""
        self.codes, self.model = codes, model
        size, labels = len(codes.zobrist), codes.win + 1
        self._sizes = aligned(4 * BLOCK * kernels.counted(labels - 1)).view(np.uint32).reshape(-1, BLOCK)
        self._totals = aligned(4 * BLOCK).view(np.float32)
        self.scratch = Scratch(
            label=np.zeros(size, np.uint8),
            stack=np.zeros(size, np.int32),
            sizes=np.zeros(labels, np.int64),
            start=np.zeros(labels, np.int64),
            hash=np.zeros(labels, np.uint64),
            known=np.zeros(labels),
            doubt=np.zeros(labels),
            tally=np.zeros((2, labels), np.int64),
            bits=np.zeros(codes.secret_bits.shape, np.uint64),
            parts=np.zeros(labels, np.int64),
            mask=np.zeros(LARGEST_SMALL, np.uint64),
            slots=np.zeros(4096, np.uint64),
            learned=learned,
            exact_stack=np.zeros(0, np.int32),
            fields=np.zeros(0, np.int64),
            entry=0,
        )

    def rows(self, codes: Array) -> Array:
        """Which secrets of the board these are."""
        return codes

    def subset(self, answer: Answer) -> Subset:
        """The codes that an answer leaves, as the kernels take them."""
        return Subset(answer.label, answer.rows, answer.name)

    def quick_guess(self, columns: Columns, codes: Array) -> int:
        """A guess that looks good by the sizes of its parts, of those of the columns and some possible codes."""
        own = self.codes.guess_of_secret[codes[:: -(-len(codes) // OWN)]]
        table = self.model.tables.estimate
        others = self.best_of(columns, codes, table, OWN)[0] if len(codes) > OWN else own
        chosen = np.concatenate([own[own >= 0], others[others >= 0]])
        taken, (totals, _, _) = self.estimated(codes, chosen, len(chosen))
        return int(taken[np.argmin(totals)])

    def best_of(self, columns: Columns, codes: Array, table: Array, wanted: int) -> tuple[Array, Array]:
        """(guesses, n + sum of table[part size]) for the guesses of columns of the least sums, the least first."""
        rows = columns.label_rows(self.rows(codes))
        places, scores = self._scanned(rows, table, min(wanted, rows.width))
        return columns.chosen[places], scores

    def _scanned(self, rows: LabelRows, table: Array, wanted: int) -> tuple[Array, Array]:
        score, column = np.zeros(wanted, np.float32), np.zeros(wanted, np.int64)
        count = kernels.best_columns(rows, self.codes.win, table, self._sizes, self._totals, score, column)
        rank = np.argsort(score[:count], kind="stable")
        return column[:count][rank], score[:count][rank]

    def estimated(self, codes: Array, guesses: Array, wanted: int) -> tuple[Array, Array]:
        """(guesses, rows of `estimate_guesses`) for the first guesses with partitions of their own."""
        taken, found = np.zeros(wanted, np.int64), np.zeros((3, wanted))
        kept = kernels.estimate_guesses(
            self.codes, self.model.tables, self.scratch, codes, guesses.astype(np.int64), taken, found
        )
        return taken[:kept], found[:, :kept]

    def estimated_parts(self, codes: Array, guess: int) -> list[tuple[Subset, float, float]]:
        """The parts that are searched, not solved, each with its value or estimate and the variance of that."""
        kernels.estimate_parts(self.codes, self.model.tables, self.scratch, codes, guess)
        return self._with_estimates()

    def _with_estimates(self) -> list[tuple[Subset, float, float]]:
        known, doubt = self.scratch.known, self.scratch.doubt
        return [(part, float(known[part.label]), float(doubt[part.label])) for part in self._parts(self.model.small)]

    def split(self, codes: Array, guess: int) -> list[Subset]:
        """Every part but the winning one, the smallest first."""
        kernels.split(self.codes, self.scratch, codes, guess)
        return self._parts()

    def _parts(self, more_than: int = 0) -> list[Subset]:
        """The parts of more codes that stand in the scratch, the smallest first."""
        scratch = self.scratch
        sizes, starts, names = scratch.sizes.tolist(), scratch.start.tolist(), scratch.hash.tolist()
        members = scratch.stack[: starts[-1] + sizes[-1]].copy()  # the scratch is written over at the next guess
        labels = [label for label in range(self.codes.win) if sizes[label] > more_than]
        return [
            Subset(label, members[starts[label] : starts[label] + sizes[label]], names[label])
            for label in sorted(labels, key=sizes.__getitem__)
        ]


class LabelWorker(Worker):
    """A worker with the labels of a section: it ranks all guesses, and solves small sets exactly."""

    def __init__(self, section: Section, model: Model, shared: dict[str, Array], learned: Array) -> None:
        """``shared``: arrays of the exact search that all threads have in common."""
        super().__init__(section.codes, model, learned)
        self.section = section
        self.work = section.layout.memory(shared)
        self.scratch = self.scratch._replace(
            exact_stack=self.work.stack, fields=self.work.fields, entry=engine.address(self.work)
        )

    def rows(self, codes: Array) -> Array:
        """As `Worker.rows`."""
        rows: Array = self.section.rows[codes]
        return rows

    def subset(self, answer: Answer) -> Subset:
        """As `Worker.subset`; the answer is one of the section."""
        places: Array = np.searchsorted(self.section.rows, answer.rows).astype(np.int32)
        return Subset(answer.label, places, answer.name)

    def best_guesses(self, codes: Array, wanted: int) -> tuple[Array, Array]:
        """(guesses, estimates by sizes), least estimate first."""
        rows, guesses_of = self.section.label_rows(codes)
        columns, scores = self._scanned(rows, self.model.tables.estimate, wanted)
        return guesses_of(columns), scores

    def looked_at(self, codes: Array, guesses: Array) -> tuple[float, float]:
        """Two raw estimates of the total of a set, the first quick and the second close: that of the best guesses."""
        quick = kernels.estimate_set(self.codes, self.model.tables, self.scratch, codes)
        return float(quick), float(self.estimated(codes, guesses, CLOSE)[1][0].min(initial=np.inf))

    def solve_parts(
        self, codes: Array, guess: int, best: float, deviations: float, extra: float
    ) -> tuple[bool, float, list[tuple[Subset, float, float]]]:
        """Solve the small parts of a guess as `kernels.solve_parts`: (whether all are, total, the other parts)."""
        done, total, _ = kernels.solve_parts(
            self.codes, self.model.tables, self.scratch, codes, guess, float(best), float(deviations), float(extra)
        )
        return bool(done), float(total), self._with_estimates() if done else []

    def solve(self, subset: Subset, ub: int) -> int:
        """Exact total if it is less than ``ub``, else a lower bound of at least ``ub``."""
        return engine.solve(self.work, subset.codes, ub, UNLIMITED, SYMMETRIC + 1, subset.name)[0]

    def guess_of(self, subset: Subset) -> int:
        """A guess of the least total; NO_GUESS where the search for it was stopped."""
        n, ub = len(subset.codes), INF
        for again in (False, True):
            found = engine.probe(self.work, subset.name, n)
            if found is not None and found[2] == EXACT:
                value, guess, _ = found
                if guess != NO_GUESS:
                    return guess
                # The value is known and not the guess: search again with the value as a bound.
                engine.store(self.work, subset.name, n, value, NO_GUESS, SCANNED)
                ub = value + 1
            if not again:
                self.solve(subset, ub)
        return NO_GUESS


class Clock:
    """When a search stops: at its deadline, at Ctrl-C, or at the end of one task's time."""

    def __init__(self, seconds: float | None, began: float | None, timer: Callable[[], float]) -> None:
        """``seconds``: how long the search may take by the ``timer``, counted from ``began``."""
        self.seconds, self.timer = seconds, timer
        self.began = timer() if began is None else began
        self.stop = np.zeros(1, np.int64)  # ends exact searches where it is not 0
        self.deadline: float | None = None
        self.pause: float | None = None  # ends exact searches for a while, and nothing else
        self.cancelled = self._ended = False

    def begin(self) -> None:
        """Set the deadline to the end of the time."""
        self.deadline = None if self.seconds is None else self.began + self.seconds

    def look(self) -> None:
        """Raise Stopped when the time is over or Ctrl-C was pressed."""
        if self.is_halted or self.is_over:
            raise Stopped

    @property
    def is_over(self) -> bool:
        """Whether the time is over or Ctrl-C was pressed."""
        return self._ended or (self.deadline is not None and self.timer() > self.deadline)

    @property
    def is_halted(self) -> bool:
        """Whether the exact search was told to stop: its result is then a bound only."""
        return bool(self.stop[0])

    @property
    def share_used(self) -> float:
        """Share of the time that is used up; 0 without a limit."""
        return 0.0 if self.seconds is None else (self.timer() - self.began) / max(1e-9, self.seconds)

    def leave_time_for(self, labels: int) -> None:
        """Raise Stopped where the time will be over before this many labels are computed."""
        # A label takes about a nanosecond to compute.
        if self.deadline is not None and self.timer() + 1e-9 * labels > self.deadline:
            raise Stopped

    def stop_late_searches(self) -> None:
        """Stop exact searches that no look at the clock can reach."""
        if self.is_over or (self.pause is not None and self.timer() > self.pause):
            self.stop[0] = 1

    def end(self) -> None:
        """End all work as soon as may be."""
        self._ended = True
        self.stop[0] = 1

    def cancel(self) -> None:
        """End the search as soon as may be: Ctrl-C was pressed."""
        self.cancelled = True
        self.end()

    def note(self) -> None:
        """Remember that Ctrl-C was pressed, until the strategy being written down is complete."""
        self.cancelled = True

    def resume(self) -> None:
        """Let exact searches run again that were told to stop."""
        self.stop[0] = 0

    def restart(self) -> None:
        """Let all work go on, without a deadline."""
        self._ended = False
        self.deadline = None
        self.resume()


class Threads:
    """Shares answers to openings out among threads."""

    def __init__(self, board: Board, model: Model, clock: Clock, count: int, tell: Callable[[], None]) -> None:
        """``tell`` is called a few times a second while threads work; Ctrl-C that it raises ends the search."""
        self.board, self.model, self.clock, self.count, self.tell = board, model, clock, max(1, count), tell
        self.learned = [np.zeros((LARGEST_SMALL + 1, 65, 4)) for _ in range(self.count)]
        # The table of the exact search takes 64 MB.
        table = aligned(1 << 26).view(np.uint64)
        self.shared = {"stop": clock.stop, "shared": np.zeros(4, np.int64), "table": table}
        self.unfinished: list[tuple[LabelWorker, Answer]] = []
        self._workers = [Worker(board.codes, model, learned) for learned in self.learned]
        self._label_workers: list[LabelWorker | None] = [None] * self.count
        self._buffers = [(Buffer(), Buffer()) for _ in range(self.count)]

    @property
    def any_worker(self) -> Worker:
        """One of the workers, for the thread that gives tasks, between these."""
        return self._workers[0]

    def for_each(self, task: Callable[[LabelWorker, Answer], None], answers: Iterable[Answer]) -> None:
        """Do a task for every answer, by all threads; raises Stopped when the time is over or Ctrl-C was pressed.

        The answers that were under way then stand in ``unfinished``, with the workers that had them.
        """
        board = self.board
        if not board.has_labels:
            self.clock.leave_time_for(len(board.secrets) * len(board.guesses))
            assert board.whole is not None  # made here, and not by a thread

        def begin(thread: int, answer: Answer) -> None:
            worker = self._label_worker(thread, answer)
            try:
                task(worker, answer)
            except Stopped:
                self.unfinished.append((worker, answer))
                raise

        self._share_out(begin, answers)

    def for_each_quickly(self, task: Callable[[Worker, Answer], None], answers: Iterable[Answer]) -> None:
        """The same with a task that needs no labels but those of columns, which no deadline ends."""
        self._share_out(lambda thread, answer: task(self._workers[thread], answer), answers)

    def _share_out(self, task: Callable[[int, Answer], None], answers: Iterable[Answer]) -> None:
        queue = deque(answers)
        with held(self.clock.cancel), ThreadPoolExecutor(self.count) as pool:
            calls = [pool.submit(self._work_off, thread, queue, task) for thread in range(self.count)]
            try:
                self._wait(calls)
            except BaseException:  # of `tell`: else the threads would go through all that is left before it is seen
                self.clock.end()
                queue.clear()
                raise
        for call in calls:
            call.result()

    def _wait(self, calls: list[Future[None]]) -> None:
        waiting = set(calls)
        while waiting:
            try:
                # Seconds between looks at the clock while threads work.
                _, waiting = wait(waiting, timeout=0.2)
                self.tell()
            except KeyboardInterrupt:  # of `tell`
                self.clock.cancel()
            self.clock.stop_late_searches()

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

    def _label_worker(self, thread: int, answer: Answer) -> LabelWorker:
        board, worker = self.board, self._label_workers[thread]
        if worker is None or worker.section is not board.whole:
            self.clock.look()
            self.clock.leave_time_for(2 * len(answer.rows) * len(board.guesses))
            self._label_workers[thread] = None  # its labels are written over
            section = board.whole or board.section(answer.rows, self._buffers[thread])
            worker = LabelWorker(section, self.model, self.shared, self.learned[thread])
            self._label_workers[thread] = worker
        return worker
