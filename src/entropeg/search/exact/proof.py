"""The proof at the root: openings one after another, their parts searched by all threads together.

One opening is settled by adding up its parts, which `search.exact.crew` gives out to the threads. Python code runs only
between parts.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropeg.errors import InputError
from entropeg.search.exact import checkpoint as saved
from entropeg.search.exact import engine
from entropeg.search.exact.board import Layout, Memory, new_words
from entropeg.search.exact.crew import Crew, Part, solve
from entropeg.search.exact.fields import DEEP, EXACT, INF, NO_GUESS, SCANNED, SYMMETRIC, UNLIMITED
from entropeg.search.exact.openings import openings
from entropeg.search.exact.pool import Pool
from entropeg.search.exact.pool_crew import PoolCrew
from entropeg.search.results import Progress
from entropeg.search.tree import Node
from entropeg.signals import held

DIRECT = 400  # sets up to this size are solved by one call: sharing them costs more than it saves
TICK = 0.25  # seconds between looks at the clock while threads work
SAVE = 10.0  # seconds between checkpoints
RESERVE, SHARE = 0.5, 0.1  # seconds, and share of the time, kept for writing the best strategy down


class Proof:
    """The search for the least total of a set of codes under ``limit`` guesses, interruptible at any time."""

    def __init__(  # noqa: PLR0913 - the options of `optimal`
        self,
        layout: Layout,
        start: NDArray[np.int32],
        *,
        limit: int | None = None,
        history: Iterable[int] = (),
        threads: int = 2,
        deadline: float | None = None,
        memory: int = 1 << 26,
        progress: Callable[[Progress], None] | None = None,
        checkpoint: Path | None = None,
        name: str = "",
        begun_with: Node | None = None,
        pool: Pool | None = None,
    ) -> None:
        """``begun_with``: a strategy for these codes within the limit; what is no better than it is only refuted.

        ``pool``: where other processes search the same.
        """
        self.layout, self.start = layout, start
        self.limit = UNLIMITED if limit is None else min(limit, UNLIMITED)
        self.deadline, self.progress, self.name = deadline, progress, name
        self.began = time.perf_counter()
        self.searched = deadline if deadline is None else deadline - min(RESERVE, SHARE * (deadline - self.began))
        self.stop = np.zeros(1, np.int64)
        self.shared = new_words(INF)
        self.table = layout.table(memory)
        common = {"stop": self.stop, "shared": self.shared, "table": self.table}
        self.works = [layout.memory(common) for _ in range(max(1, threads if len(start) > DIRECT else 1))]
        for work in self.works:
            work.stack[: len(start)] = start
            engine.behind(work, history)
        parts = len(layout.labels) - 1
        self.lower = engine.size_bound(len(start), parts, parts)
        if pool is not None and (known := pool.strategy(self.limit)) is not None:
            if known.secrets != len(start):
                raise InputError(f"{pool.folder} is damaged: a strategy finds {known.secrets} of {len(start)} codes")
            begun_with = min(known, begun_with or known, key=lambda tree: tree.total)
        if begun_with is not None and (checkpoint is not None or pool is not None):
            layout.check_strategy(begun_with, start)
        self.begun_with = begun_with
        self.upper: int = INF if begun_with is None else begun_with.total
        self.opening: int = NO_GUESS
        self.interrupted = False
        self.cancelled = False
        self.finished = False
        self.checkpoint = checkpoint
        self.known = {} if checkpoint is None else saved.load(checkpoint, name, self.table)
        if not all(self._is_bound(entry) for entry in self.known.values()):
            raise InputError(f"{checkpoint} is damaged: it has bounds of parts that no search leaves")
        self._saved = self.began
        self._news = threading.Event()  # a part was settled, or a thread has ended
        self.pool = pool
        self._crew: tuple[Crew | PoolCrew, int, int] | None = None
        self._now: tuple[int | None, int] = (None, 0)

    # ------------------------------------------------------------ running

    @property
    def nodes(self) -> int:
        """Guesses tried by all threads."""
        return int(sum(work.nodes[1] for work in self.works))

    @property
    def bound(self) -> int:
        """The lower bound that a proof states."""
        return self.lower

    @property
    def infeasible(self) -> bool:
        """Whether it is proven that no strategy keeps the limit."""
        return self.lower >= INF

    def run(self) -> None:
        """Search until the value is proven, the deadline passes or Ctrl-C is pressed."""
        with held(self.cancel):
            pool = ThreadPoolExecutor(len(self.works))
            try:
                if len(self.start) <= DIRECT and self.begun_with is None:
                    self._run_direct(pool)
                else:
                    self._run_openings(pool)
            except KeyboardInterrupt:  # of `progress`
                self.cancel()
            except BaseException:
                self._halt()  # the threads would go on, and keep what went wrong from being told
                raise
            finally:
                pool.shutdown()
            self._save(now=True)

    def _run_direct(self, pool: ThreadPoolExecutor) -> None:
        [(value, self.opening)] = self._wait(
            [pool.submit(solve, self.works[0], self.start, INF, self.limit, 0, self._hash(self.start), together=False)]
        )
        if self.interrupted:
            self.lower = max(self.lower, value)
        else:
            self.lower = value
            self.upper = min(value, INF)
            self.finished = True

    def _run_openings(self, pool: ThreadPoolExecutor) -> None:
        listed, rest = openings(self.layout, self.works[0], len(self.start), self.limit)
        if self.begun_with is not None:  # its opening is likely the best, and then the others are refuted sooner
            first = self.layout.number_guess(self.begun_with.guess)
            listed.sort(key=lambda opening: opening[0] != first)
        refuted: list[int] = [rest]
        for i, (guess, bound) in enumerate(listed):
            self._now = (guess, len(listed) - i)
            others = min([*refuted, self.upper, *(low for _, low in listed[i + 1 :])])
            value = bound if bound >= self.upper else self._settle(guess, pool, others, is_first=i == 0)
            if value < self.upper and not self.interrupted:
                self.upper, self.opening = value, guess
                self._share_strategy()
            refuted.append(value)
            self.lower = min(max(self.lower, min(others, value)), INF)
            if self.interrupted:
                return
        self.lower = min(self.upper, INF)
        self.finished = True

    def _settle(self, guess: int, pool: ThreadPoolExecutor, others: int, *, is_first: bool) -> int:
        """Value of an opening if it is below ``upper``, else a lower bound; only a bound after an interruption."""
        n = len(self.start)
        after = self.limit if self.limit == UNLIMITED else self.limit - 1
        self.works[0].stack[:n] = self.start
        total = engine.open_parts(self.works[0], n, guess, self.upper, after)
        if total >= self.upper:
            return total
        for work in self.works[1:]:
            engine.enter(work, 0, guess)
        parts = [self._recall(guess, part, after) for part in self._parts()]
        crew = self._crew_for(guess, parts, after, is_first=is_first)
        self._crew = (crew, guess, others)
        self._wait([pool.submit(crew.run, work) for work in self.works])
        self._gather()
        if not self.interrupted:
            self.stop[0] = 0  # it is set where the opening was refuted while some were still searching
        self._report()
        return min(crew.total, INF)

    def _crew_for(self, guess: int, parts: list[Part], after: int, *, is_first: bool) -> Crew | PoolCrew:
        """Those who search the parts of an opening."""
        total = len(self.start) + sum(part.low for part in parts)
        common = parts, total, self.upper, after, self.stop, self._news.set, is_first
        if self.pool is None:
            return Crew(*common)
        name = f"{self.limit}.{guess}"
        return PoolCrew(*common, pool=self.pool, name=name, grow=self._grow_part)

    def _gather(self) -> None:
        """Take over what the threads found out about the opening under study."""
        if self._crew is None:
            return
        crew, guess, others = self._crew
        while crew.settled:
            part = crew.settled[0]
            if part.tree is not None:
                part.guess = self.layout.number_guess(part.tree.guess)
            self._remember(guess, part)
            self._store(part, crew.d)
            crew.settled.pop(0)  # not before: Ctrl-C may come in between
        self.lower = max(self.lower, min(others, crew.total))

    def _parts(self) -> list[Part]:
        arrays, parts = self.works[0].arrays, []
        for label in range(len(self.layout.labels) - 1):
            size = int(arrays["count"][0, label])
            if size:
                begin = int(arrays["start"][0, label])
                codes = self.works[0].stack[begin : begin + size].copy()
                exact = arrays["state"][0, label] == EXACT
                parts.append(Part(label, codes, self._hash(codes), int(arrays["low"][0, label]), bool(exact)))
        return parts

    def _wait(self, calls: list[Future[Any]]) -> list[Any]:
        for call in calls:
            call.add_done_callback(lambda _: self._news.set())
        while True:
            try:
                self._news.wait(self._patience())
                self._news.clear()
                if self._crew is not None and isinstance(self._crew[0], PoolCrew):
                    self._crew[0].poll()
                if all(call.done() for call in calls):
                    self.interrupted = self.interrupted or self.stop[0] == DEEP
                    return [call.result() for call in calls]
                self._report()
            except KeyboardInterrupt:  # of `progress`
                self.cancel()

    def _patience(self) -> float:
        """Seconds to wait for threads before looking at the clock."""
        if self.searched is None or self.interrupted:
            return TICK
        return max(0.001, min(TICK, self.searched - time.perf_counter()))

    def cancel(self) -> None:
        """End the search as soon as may be: Ctrl-C was pressed."""
        self.cancelled = True
        self._halt()

    def _halt(self) -> None:
        self.stop[0] = 1
        self.interrupted = True

    def _report(self) -> None:
        if self.searched is not None and time.perf_counter() > self.searched:
            self._halt()
        self._gather()
        if self.progress is not None:
            guess, left = self._now
            opening = None if guess is None else tuple(self.layout.guesses[guess].tolist())
            upper = self.upper if self.upper < INF else None
            seconds = time.perf_counter() - self.began
            processes = 1 if self.pool is None else self.pool.members()
            self.progress(Progress(opening, left, self.lower, upper, self.nodes, seconds, processes))
        self._save()

    # ------------------------------------------------------------ table and checkpoint

    def _hash(self, codes: NDArray[np.int32]) -> int:
        return int(np.bitwise_xor.reduce(self.layout.zobrist[codes]))

    def _key(self, mixed: int, d: int, n: int) -> int:
        word = int(self.layout.arrays["zobrist_limit"][d if d < n else UNLIMITED])
        return mixed ^ word

    def _is_bound(self, entry: list[int]) -> bool:
        return (
            len(entry) == 3
            and 0 <= entry[0] <= INF
            and (0 <= entry[2] < len(self.layout.guesses) or entry[2] == NO_GUESS)
        )

    def _store(self, part: Part, d: int) -> None:
        state = EXACT if part.exact else SCANNED
        n = len(part.codes)
        engine.store(self.works[0], self._key(part.mixed, d, n), n, part.low, part.guess, state)

    def _recall(self, opening: int, part: Part, d: int) -> Part:
        entry = self.known.get(self._label(opening, part))
        if entry is not None and not part.exact:
            low, exact, guess = entry
            part.low, part.exact, part.guess = max(part.low, low), bool(exact), guess
            self._store(part, d)
        return part

    def _remember(self, opening: int, part: Part) -> None:
        if part.guess == NO_GUESS and part.exact:
            after = self.limit if self.limit == UNLIMITED else self.limit - 1
            n = len(part.codes)
            found = engine.probe(self.works[0], self._key(part.mixed, after, n), n)
            if found is not None and found[2] == EXACT:
                part.guess = found[1]
        self.known[self._label(opening, part)] = [part.low, int(part.exact), part.guess]

    def _label(self, opening: int, part: Part) -> str:
        return f"{self.limit} {opening} {part.label}"

    def _save(self, *, now: bool = False) -> None:
        if self.checkpoint is None or (not now and time.perf_counter() < self._saved + SAVE):
            return
        saved.save(self.checkpoint, self.name, self.known, self.table, self.begun_with)
        self._saved = time.perf_counter()

    # ------------------------------------------------------------ strategies

    def strategy(self, *, greedy: bool = False) -> Node | None:
        """The best strategy known, complete; None where the limit cannot be kept (or, when greedy, was not).

        Exact sets follow the table; others are cut by the guess of the least expected total. ``greedy`` does so
        from the root on, with exact play below ``SMALL`` codes. After an interruption small sets are played exactly
        as far as the time allows. Where nothing better was found, the strategy that the search began with.
        """
        if self.begun_with is not None and self.opening == NO_GUESS and not greedy:
            return self.begun_with
        opening = NO_GUESS if greedy else self.opening
        return self._grow(self.start, self.limit, opening)

    def any_strategy(self) -> Node | None:
        """A complete strategy that need not keep the limit."""
        return self._grow(self.start, UNLIMITED)

    def _grow(self, codes: NDArray[np.int32], d: int, guess: int = NO_GUESS) -> Node | None:
        self.stop[0] = 0
        work = self.works[0]
        work.stack[: len(codes)] = codes
        patience = RESERVE if self.deadline is None else max(0.0, self.deadline - time.perf_counter())
        alarm = threading.Timer(patience / 2, self._halt)
        if self.interrupted and not self.finished:
            alarm.start()
        try:
            table = engine.unfold(work, len(codes), d, guess, finished=self.finished)
        finally:
            alarm.cancel()
        return self._nodes(table)

    def _grow_part(self, work: Memory, part: Part, guess: int) -> Node | None:
        """The best strategy for a part of an opening, after its value was found: in the thread that found it."""
        work.stack[: len(part.codes)] = part.codes
        after = self.limit if self.limit == UNLIMITED else self.limit - 1
        return self._nodes(engine.unfold(work, len(part.codes), after, guess, finished=True))

    def value_of(self, rows: NDArray[np.uint8], ub: int) -> int:
        """The least total of a set, codes one a row, if it is below ``ub``, else a lower bound of at least that."""
        codes = np.sort(self.layout.number_secrets(rows)).astype(np.int32)
        self.stop[0] = 0
        value, _ = solve(self.works[0], codes, ub, UNLIMITED, SYMMETRIC + 1, self._hash(codes), together=False)
        return min(value, INF)

    def _nodes(self, table: NDArray[np.int64] | None) -> Node | None:
        if table is None:
            return None
        guesses = map(tuple, self.layout.guesses[table[:, 0]].tolist())
        nodes = list(map(Node, guesses, (table[:, 3] != 0).tolist()))
        labels = np.array(self.layout.labels)[table[1:, 2]].tolist()
        for node, parent, label in zip(nodes[1:], table[1:, 1].tolist(), labels, strict=True):
            nodes[parent].children[label] = node
        return nodes[0]

    def _share_strategy(self) -> None:
        """Put the strategies for the parts of the opening just solved together, for all processes to have."""
        if self.pool is None or self._crew is None or not isinstance(self._crew[0], PoolCrew):
            return
        guess = self._crew[1]
        labels = self.layout.arrays["by_guess"][guess, self.start]
        tree = Node(tuple(self.layout.guesses[guess].tolist()), bool((labels == len(self.layout.labels) - 1).any()))
        for part in self._crew[0].parts:
            child = part.tree or self._grow_part(self.works[0], part, NO_GUESS)
            if child is None:
                return  # interrupted: another process does it, or a later one
            tree.children[self.layout.labels[part.label]] = child
        self.pool.offer(self.limit, tree)
        self.begun_with, self.opening = tree, NO_GUESS
