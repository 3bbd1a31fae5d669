"""The least totals of all first guesses of a board: the guesses that the best play takes after each of them.

Every class of guesses under the symmetry of the board is valued by itself, the most promising first, each by one
thread; all threads share the table of sets, which come again under other openings.
"""

from __future__ import annotations

import json
import time as clock
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import count
from math import inf
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from entropeg import arguments
from entropeg.codes import guesses, secrets
from entropeg.errors import InputError
from entropeg.executors import Crew, Executor, WorkersError, instead_of_threads, kept_open
from entropeg.feedback import Code
from entropeg.files import OWN, is_begun, parse_json, read_text, shown, write_whole
from entropeg.kernels.switch import check_compiler
from entropeg.position import Position
from entropeg.processors import MOST_PROCESSORS, usable_processors
from entropeg.rules import Rules
from entropeg.search.exact import engine
from entropeg.search.exact.fields import UNLIMITED
from entropeg.search.exact.layout import Layout, ThreadMemory, new_words
from entropeg.search.preparing import layout_options, rows_of
from entropeg.search.proving.openings import of_orbits
from entropeg.search.proving.proof import Proof
from entropeg.search.proving.shared.crewed_opening import BoardCrew
from entropeg.search.proving.shared.units import SharedBoard, Unit
from entropeg.search.reach import MATRIX_BYTES, Reach
from entropeg.search.results import Value
from entropeg.search.small.boards import BoardSearch
from entropeg.search.small.search import OutOfTimeError
from entropeg.signals import held
from entropeg.symmetry import opening_classes
from entropeg.told import plural

FORMAT = "entropeg opening totals 1"
CROWD = 3
"""Openings for each worker from which on one worker values each."""
TICK = 0.25
"""Seconds between looks at the clock."""


@dataclass(frozen=True)
class OpeningTotal:
    """A first guess, one of each class under the symmetry of the board, and its least total over all secrets."""

    guess: Code
    value: Value
    """Exact, or a lower bound where the search was stopped."""

    @property
    def is_exact(self) -> bool:
        """Whether it is proven."""
        return self.value.is_exact


@dataclass(frozen=True)
class OpeningTotals:
    """The openings of a board, the best first; those not valued come last, by their bounds."""

    rules: Rules
    openings: tuple[OpeningTotal, ...]
    seconds: float
    nodes: int
    """Guesses tried."""
    is_interrupted: bool = False

    def __repr__(self) -> str:
        """Say of which board they are, and how many of the openings are proven."""
        openings = plural(len(self.openings), "{n} opening", "{n} openings")
        return f"<OpeningTotals of {self.rules}: {self.valued} of {openings} valued>"

    @property
    def valued(self) -> int:
        """How many of them are proven."""
        return sum(one.is_exact for one in self.openings)


def opening_totals(
    rules: Rules | str,
    *,
    time: float | None = None,
    threads: int | None = None,
    memory: float | None = None,
    checkpoint: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    executor: Executor | Crew | str | None = None,
) -> OpeningTotals:
    """Find the least total of every opening of a board: exact, one guess of each class of guesses that are alike.

    `time` (seconds) or Ctrl-C end it with the bounds proven by then, and `checkpoint` names a file from which the same
    call goes on; `progress` is called with the number of openings valued and of all; `memory` bounds the labels and the
    table, in megabytes. `executor`, in the place of `threads`, says who searches: an opening is valued by one worker,
    its parts by all where that takes long. Where they are gone, WorkersError is raised, which has what was found as
    `made`. A board whose optimum takes a second may take a second for each opening: see
    `benchmarks/bench_words.py`. Without limit and without weights.

    Raises InputError for rules with a prior or a limit of guesses, TooLargeError where the labels take more than the
    memory.

    >>> found = opening_totals("3x4")
    >>> [(one.guess, one.value.lower) for one in found.openings]
    [((0, 0, 1), 206), ((0, 1, 2), 208), ((0, 0, 0), 233)]
    """
    board = Rules.of(rules)
    if board.prior is not None or board.guess_limit is not None:
        raise InputError(
            "totals of openings are found without a prior and without a limit of guesses, not for {rules}", board
        )
    placed = instead_of_threads(executor, threads)
    if isinstance(placed, Executor) and placed.kind == "threads":
        threads, placed = placed.workers, None
    if not board.is_named:
        return _of_questions(board, None if time is None else arguments.number(time, "the time"), progress)
    allowed = None if memory is None else int(arguments.number(memory, "the memory", least=1) * 1_000_000)
    Reach.of(board).check(allowed or MATRIX_BYTES)
    check_compiler()
    threads = arguments.some(threads, "the number of threads", least=1, most=MOST_PROCESSORS)
    with kept_open(placed) as where:
        crew = where if isinstance(where, Crew) else None
        return _TotalsSearch(
            board,
            seconds=None if time is None else arguments.number(time, "the time"),
            threads=1 if crew is not None else threads or usable_processors(),
            memory=allowed,
            checkpoint=None if checkpoint is None else arguments.file(checkpoint, "the checkpoint"),
            progress=arguments.call(progress, "progress"),
            crew=crew,
        ).run()


def _of_questions(rules: Rules, seconds: float | None, progress: Callable[[int, int], None] | None) -> OpeningTotals:
    """The openings of a game that ends when one secret is left, by the search on NumPy."""
    began = clock.perf_counter()
    search, found, is_interrupted = BoardSearch(Position(rules)), dict[Code, Value](), False
    every = [(guess, search.first_bound(guess)) for guess in opening_classes(rules)]
    listed = sorted((bound, place, guess) for place, (guess, bound) in enumerate(every) if bound is not None)
    search.deadline = inf if seconds is None else began + seconds
    try:
        for at, (_, _, guess) in enumerate(listed):
            total = search.questions_after(guess)
            found[guess] = Value(total, total)
            if progress is not None:
                progress(at + 1, len(listed))
    except OutOfTimeError:
        pass
    except KeyboardInterrupt:
        is_interrupted = True
    order = sorted(
        (guess not in found, found[guess].lower if guess in found else bound, place, guess)
        for bound, place, guess in listed
    )
    openings = tuple(OpeningTotal(guess, found.get(guess, Value(bound, None))) for _, bound, _, guess in order)
    return OpeningTotals(rules, openings, clock.perf_counter() - began, search.tried, is_interrupted)


class _TotalsSearch:
    """One call: openings with their bounds, and the totals found."""

    def __init__(
        self,
        rules: Rules,
        *,
        seconds: float | None,
        threads: int,
        memory: int | None,
        checkpoint: Path | None,
        progress: Callable[[int, int], None] | None,
        crew: Crew | None,
    ) -> None:
        self.began = self.saved = clock.perf_counter()
        self.rules, self.seconds, self.progress, self.checkpoint = rules, seconds, progress, checkpoint
        self.totals: dict[int, int] = {}
        self.layout = Layout(rows_of(secrets(rules)), rows_of(guesses(rules)), **layout_options(rules))
        self.start: NDArray[np.int32] = self.layout.in_order(np.arange(len(self.layout.secrets)))
        self.stop = np.zeros(1, np.int64)
        self.crew = crew
        # Values are worth more here than in a proof, as the parts of openings overlap: a larger table.
        self.table_bytes = 1 << 29 if memory is None else max(memory - self.layout.arrays["scan"].nbytes, 0)
        self.nodes = 0
        table = self.layout.table(self.table_bytes)
        common = {"stop": self.stop, "table": table}
        self.works = [self.layout.memory({**common, "shared": new_words(self.layout.infinite)}) for _ in range(threads)]
        self.is_interrupted = False

    def run(self) -> OpeningTotals:
        """Value the openings."""
        self._load()
        n, work = len(self.start), self.works[0]
        work.stack[:n] = self.start
        found, _ = engine.openings(work, n, UNLIMITED, every=True)
        ordered = list(map(tuple, found[np.argsort(found[:, 1], kind="stable")].tolist()))
        listed = of_orbits(self.layout, ordered, n) if n > 2 else self._of_few()
        waiting, trouble = [guess for guess, _ in listed if guess not in self.totals], None
        with held(self._interrupt):
            if self.crew is None or n <= 2:
                self._value_here(iter(waiting), len(listed))
            else:
                try:
                    self._value_shared(self.crew, waiting, len(listed))
                except WorkersError as error:
                    trouble = error
        self._look(len(listed), now=True)
        found = self._result(listed)
        if trouble is not None:
            trouble.made = found
            raise trouble
        return found

    def _value_here(self, waiting: Iterator[int], openings: int) -> None:
        self._look(openings)  # whoever is told may end it before it begins
        with ThreadPoolExecutor(len(self.works)) as pool:
            calls = [pool.submit(self._value, memory, waiting) for memory in self.works]
            while wait(calls, TICK).not_done:
                self._look(openings)
        for call in calls:
            call.result()

    def _value_shared(self, crew: Crew, waiting: list[int], openings: int) -> None:
        """Value openings by a crew: where there are few, or one takes long, all search its parts."""
        board = SharedBoard(
            self.rules, consistent=False, weighing=None, start=None, history=(), memory=self.table_bytes
        )

        proof = Proof(self.layout, self.start, memory=self.table_bytes, threads=1, crew=(crew, board))
        proof.progress = lambda _: None if self._is_wanted(openings) else proof.cancel()
        if proof.workers is not None and len(waiting) >= CROWD * crew.count:
            waiting = self._value_each(proof.workers, deque(waiting), openings)
        with ThreadPoolExecutor(1) as pool:
            for guess in waiting:
                if self._is_wanted(openings):
                    total = proof.settle(guess, pool, 0, is_first=True)
                    if not proof.interrupted:
                        self.totals[guess] = total
        self.nodes += proof.nodes

    def _is_wanted(self, openings: int) -> bool:
        self._look(openings)
        return not self.stop[0]

    def _value_each(self, workers: BoardCrew, waiting: deque[int], openings: int) -> list[int]:
        """Have each opening valued by one worker; returns those that take long, not valued."""
        long, infinite = list[int](), self.layout.infinite
        workers.begin()
        try:
            while (waiting or workers.calls) and self._is_wanted(openings):
                guesses = (waiting.popleft() for _ in range(len(waiting)))
                units = (Unit(guess, guess, 0, (), UNLIMITED, 0, infinite, only=guess) for guess in guesses)
                for call, found in workers.exchange(units):
                    for one in found:
                        if one.ending == "done":
                            self.totals[one.number] = one.bound
                        elif one.ending == "long":
                            long.append(one.number)
                    searched = {one.number for one in found if one.ending != "stopped"}
                    waiting += [unit.number for unit in call.units if unit.number not in searched]
        finally:
            workers.end()
        return long

    def _of_few(self) -> list[tuple[int, int]]:
        rows = range(len(self.layout.guesses))
        return [(guess, len(self.start)) for guess in rows if guess in self.layout.arrays["guess_of_secret"]]

    def _value(self, memory: ThreadMemory, waiting: Iterator[int]) -> None:
        """Value one opening after the other, as one of the threads."""
        zobrist = self.layout.zobrist
        mixed = int(np.bitwise_xor.reduce(zobrist[self.start]))
        for guess in waiting:
            if self.stop[0]:
                return
            if len(self.start) <= 2:
                self.totals[guess] = 2 * len(self.start) - 1
                continue
            total, _ = engine.solve(memory, self.start, memory.infinite, UNLIMITED, 0, mixed, only=guess)
            if self.stop[0]:
                return
            self.totals[guess] = total

    def _interrupt(self) -> None:
        self.is_interrupted, self.stop[0] = True, 1

    def _look(self, openings: int, *, now: bool = False) -> None:
        moment = clock.perf_counter()
        if self.seconds is not None and moment > self.began + self.seconds:
            self.stop[0] = 1
        if self.progress is not None:
            try:
                self.progress(len(self.totals), openings)
            except KeyboardInterrupt:
                self._interrupt()
        if self.checkpoint is not None and (now or moment > self.saved + 30.0):
            kept = {"format": FORMAT, "rules": str(self.rules), "totals": sorted(self.totals.copy().items())}
            write_whole(self.checkpoint, json.dumps(kept).encode(), OWN)
            self.saved = moment

    def _load(self) -> None:
        if self.checkpoint is None or not is_begun(self.checkpoint):
            return
        data = parse_json(read_text(self.checkpoint))
        where = shown(self.checkpoint)
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise InputError("{file} keeps no totals of openings", where)
        if data.get("rules") != str(self.rules):
            raise InputError(
                "{file} keeps totals of openings of {others}, not of {rules}", where, data.get("rules"), self.rules
            )
        totals, size, most = data.get("totals"), len(self.layout.guesses), self.layout.infinite
        if not isinstance(totals, list) or not all(_is_total(entry, size, most) for entry in totals):
            raise InputError("{file} is damaged: it has totals that no search leaves", where)
        self.totals = dict(totals)

    def _result(self, listed: list[tuple[int, int]]) -> OpeningTotals:
        infinite, order = self.layout.infinite, count()
        found = []
        for guess, bound in listed:
            total = self.totals.get(guess, bound)
            value = Value(total, total if guess in self.totals else None)
            if guess in self.totals and total >= infinite:
                continue  # it tells nothing of a board of several secrets
            found.append((guess not in self.totals, total, next(order), OpeningTotal(self._code(guess), value)))
        return OpeningTotals(
            self.rules,
            tuple(one for *_, one in sorted(found, key=lambda entry: entry[:3])),
            clock.perf_counter() - self.began,
            self.nodes + int(sum(work.nodes[1] for work in self.works)),
            self.is_interrupted,
        )

    def _code(self, guess: int) -> Code:
        return tuple(self.layout.guesses[guess].tolist())


def _is_total(entry: object, guesses: int, most: int) -> bool:
    return (
        isinstance(entry, list)
        and len(entry) == 2
        and all(type(number) is int for number in entry)
        and 0 <= entry[0] < guesses
        and 0 < entry[1] <= most
    )
