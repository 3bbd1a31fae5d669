"""Least expected number of guesses where secrets are not equally likely."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from entropeg.errors import InputError, TooLargeError
from entropeg.files import shown
from entropeg.processors import usable_processors
from entropeg.search.exact import checkpoint as saved
from entropeg.search.exact import weighted_desk as desk
from entropeg.search.exact import weighted_kernels as kernel
from entropeg.search.exact.proof import RESERVE, SAVE
from entropeg.search.exact.proof import SHARE as RESERVED
from entropeg.search.exact.weighted_board import (
    ENTRIES,
    TABLE_BYTES,
    Exchanges,
    board_of,
    empty_table,
    work_of,
)
from entropeg.search.exact.weighted_scans import INF
from entropeg.search.exact.weights import whole_weights
from entropeg.search.results import Progress
from entropeg.search.tree import Node
from entropeg.signals import held

if TYPE_CHECKING:
    from entropeg.search.exact.board import Layout

MOST_CODES = 20_000
"""Sets of more codes are refused: a single look at all guesses would take seconds."""
ALONE = 180
"""Parts of an opening up to so many codes are searched by one thread, several of them at once."""
DIRECT = 100
"""Sets up to this size are solved by one call."""
TICK = 0.25
"""Seconds between looks at the clock while threads work."""
CROWD = 24
"""From so many openings on, each is left to one thread: without symmetry there are as many as guesses."""
STAGES = (0.5, 0.75, 1.0)
"""Shares of the way from the bound to the best strategy to which many openings are bounded, all before any further: so
the bound rises with time where no proof ends."""
BREADTHS = (1, 4, 16)
"""Guesses tried in every set by the searches for a good strategy that come before the proof."""
SHARE = 0.3
"""Share of the time that these may take."""
WIDER = 6
"""Times that each of them takes longer than the one before, at a guess."""
SLOWER = 0.1, 1.4
"""(a, b): with k openings a proof takes about a k**b times as long as one without weights; within a factor of 1.6 on
4x5 and 4x6 with random weights, 4x8 and 4x9 with prior=distinct."""
LONG = 100.0
"""Proofs that are guessed to take so many processor seconds may take all the memory for tables, others `TABLE_BYTES`.

With eight times as large a table 4x6 with random weights takes 109 processor seconds instead of 118, 4x9/prior=distinct
73 instead of 56, for as many guesses tried; with four times as large a one 4x8/prior=distinct takes 9.4 instead of 8.6.
"""


@dataclass
class _Part:
    """One part of an opening: its codes, its lower bound, whether that is its value."""

    codes: NDArray[np.int32]
    low: int
    exact: bool


@dataclass
class _Openings:
    """First guesses that may be the best, their lower bounds, and the least bound of all others.

    `raised`: bool[guesses], those that were bounded by more than all of them at once.
    """

    guesses: NDArray[np.int32]
    bounds: NDArray[np.int64]
    raised: NDArray[np.bool_]
    rest: int

    def lower(self) -> int:
        """The bound of the whole that follows."""
        return min(self.rest, int(self.bounds.min(initial=INF)))


class WeightedProof:
    """The search for the least sum of weight times guesses over a set of secrets, interruptible at any time.

    `weight`: float64[secrets], by row of the layout; codes of weight 0 are left out. After `run`, `lower` and
    `upper` bound the sum (`upper` is None while nothing is known), `finished` says whether they are proven equal.
    First come searches that try a few guesses in every set, for a good strategy; then the proof, opening by opening.
    """

    def __init__(  # noqa: PLR0913 - the options of `optimal`
        self,
        layout: Layout,
        start: NDArray[np.int32],
        weight: NDArray[np.float64],
        *,
        threads: int | None = None,
        deadline: float | None = None,
        progress: Callable[[Progress], None] | None = None,
        at_start: bool = False,
        memory: int = TABLE_BYTES,
        expected: float = 0.0,
        checkpoint: Path | None = None,
        name: str = "",
    ) -> None:
        """Sort the codes, and go on from a checkpoint of the search `name` with these weights, if there is one.

        `at_start` lets symmetry of the weights stand for equal openings; `memory`: bytes that tables may take at most;
        `expected`: processor seconds that a proof without weights would take, which settle how much of that is of use.
        Raises InputError where the file is none of this search.
        """
        self.layout = layout
        mine = np.zeros_like(weight)
        mine[start] = weight[start]  # a heavy code that is excluded must not make the rounding of the others coarser
        self.weight, self.unit = whole_weights(mine)
        start = start[self.weight[start] > 0]
        self.start = start[np.argsort(-self.weight[start], kind="stable")].astype(np.int32)
        if len(start) > MOST_CODES:
            raise TooLargeError(
                f"there are {len(start):,} codes with a weight; the search takes {MOST_CODES:,} at most"
            )
        self.deadline, self.progress = deadline, progress
        self.began = time.perf_counter()
        if deadline is not None and checkpoint is not None:  # the file takes a moment to be written
            self.deadline = deadline - min(RESERVE, RESERVED * (deadline - self.began))
        self.finished = self.interrupted = self.cancelled = False
        self.opening = -1
        self.tree: Node | None = None
        self._openings = _Openings(np.zeros(0, np.int32), np.zeros(0, np.int64), np.zeros(0, np.bool_), 0)
        self._now = -1
        self._narrowed = 0, 0.0  # guesses a set of the last search for a good strategy, its seconds
        exchanges = Exchanges(layout, self.weight, used=at_start)
        self.allowed, self.every = exchanges.allowed, np.ones(len(layout.guesses), np.bool_)
        self.stop = np.zeros(1, np.int64)
        self.board = board_of(layout, self.weight, exchanges)
        several = (threads or usable_processors()) if len(start) > DIRECT else 1
        self.works = [work_of(layout, len(start), exchanges) for _ in range(several)]
        factor, power = SLOWER
        if factor * expected * float(self.allowed.sum()) ** power < LONG:
            memory = min(memory, TABLE_BYTES)
        self._spare = min(memory, TABLE_BYTES) // 2  # for the table of a search for a good strategy
        self.table = empty_table(len(start), memory - self._spare)
        self._low, self._high = int(self.weight[self.start] @ self.board.least[: len(start)]), INF
        self.checkpoint, self._saved = checkpoint, self.began
        self.name = f"{name} under weights {sha256(self.weight.tobytes()).hexdigest()[:16]}"
        self._known: saved.Parts = {}
        if checkpoint is not None:
            self._resume(checkpoint)

    @property
    def lower(self) -> float:
        """Proven lower bound of the sum: an int where the weights are whole."""
        return self._low * self.unit

    @property
    def upper(self) -> float | None:
        """What the best strategy makes."""
        return None if self._high >= INF else self._high * self.unit

    @property
    def bound(self) -> int:
        """The lower bound in units of the whole weights."""
        return self._low

    @property
    def nodes(self) -> int:
        """Guesses tried by all threads."""
        return int(sum(work.nodes[0] for work in self.works))

    # ------------------------------------------------------------ running

    def run(self) -> None:
        """Search until the value is proven, the deadline passes or Ctrl-C is pressed."""
        with held(self.cancel):
            pool = ThreadPoolExecutor(len(self.works))
            try:
                if self.tree is None:
                    self._first_strategy()
                self._prove(pool)
            except KeyboardInterrupt:  # of `progress`
                self.cancel()
            finally:
                self.stop[0] = 1  # where the checkpoint cannot be written, threads are still searching
                pool.shutdown()
            self._save(now=True)

    def cancel(self) -> None:
        """End the search as soon as may be: Ctrl-C was pressed."""
        self.cancelled = self.interrupted = True
        self.stop[0] = 1

    def _late(self) -> bool:
        return self.deadline is not None and time.perf_counter() > self.deadline

    def _wait(self, calls: list[Future[Any]]) -> list[Any]:
        while True:
            try:
                _, waiting = wait(calls, timeout=TICK if self.deadline is None else self._patience())
                if not waiting:
                    return [call.result() for call in calls]
                self._report()
            except KeyboardInterrupt:  # of `progress`
                self.cancel()

    def _patience(self) -> float:
        left = TICK if self.deadline is None else self.deadline - time.perf_counter()
        return TICK if self.interrupted else max(0.001, min(TICK, left))

    def _report(self) -> None:
        if self._late():
            self.interrupted, self.stop[0] = True, 1
        self._raise(self._openings.lower())
        if self.progress is not None:
            opening = tuple(self.layout.guesses[self._now].tolist()) if self._now >= 0 else None
            left = int((self._openings.bounds < self._high).sum())
            seconds = time.perf_counter() - self.began
            self.progress(Progress(opening, left, self.lower, self.upper, self.nodes, seconds))
        self._save()

    def _hash(self, codes: NDArray[np.int32]) -> int:
        return int(np.bitwise_xor.reduce(self.layout.zobrist[codes]))

    def _enter(self, work: desk.Work, codes: NDArray[np.int32], ub: int) -> None:
        n = len(codes)
        work.stack[:n] = codes
        work.frames[0, [desk.N, desk.OFFSET, desk.TOP, desk.UB]] = n, 0, n, ub
        work.hashes[0] = self._hash(codes)

    def _call(  # noqa: PLR0913 - what the tasks of the entry point take
        self,
        task: int,
        work: desk.Work,
        table: NDArray[np.uint64],
        *,
        shared: NDArray[np.int64] | None = None,
        allowed: NDArray[np.bool_] | None = None,
        depth: int = 0,
        breadth: int = 0,
        guess: int = -1,
        value: int = 0,
        calm: bool = False,
    ) -> tuple[int, int]:
        together = shared is not None
        stop = np.zeros(1, np.int64) if calm else self.stop
        common = desk.Shared(table, np.zeros(2, np.int64) if shared is None else shared, stop)
        some = self.every if allowed is None else allowed
        numbers = (np.int64(number) for number in (depth, breadth, together, guess, value))
        done, found = kernel.entry(np.int64(task), self.board, work, common, some, self.every, *numbers)
        if task == kernel.SEARCH and done == desk.DEEP:  # what is returned is a bound, whatever else it is taken for
            self.interrupted, self.stop[0] = True, 1
        return int(done), int(found)

    # ------------------------------------------------------------ checkpoint

    def _resume(self, file: Path) -> None:
        try:
            self._take_up(file)
        except InputError as error:
            raise InputError(
                str(error) if shown(file) in str(error) else f"{shown(file)} is damaged: {error}"
            ) from None

    def _take_up(self, file: Path) -> None:
        self._known = saved.load(file, self.name, self.table, ENTRIES)
        tree = saved.strategy_of(file, self.name)
        if tree is not None:
            self.layout.check_strategy(tree, self.start)
            self.opening = self.layout.number_guess(tree.guess)
            self.tree, self._high = tree, self._replay(tree, self.start)
        if any(len(self._known.get(pair, [0, 0])) != 2 for pair in ("narrowed", "stage")):
            raise InputError("it does not say how far the search has come")
        breadth, milliseconds = self._known.get("narrowed", [0, 0])
        self._narrowed = breadth, milliseconds / 1000
        self._low = max(self._low, *self._known.get("low", [0]))

    def _replay(self, node: Node, codes: NDArray[np.int32]) -> int:
        """Sum of weight times guesses of a strategy that finds every code."""
        labels = self.layout.arrays["by_guess"][self.layout.number_guess(node.guess)][codes]
        total = int(self.weight[codes].sum())
        for label in np.unique(labels).tolist():
            if label != len(self.layout.labels) - 1:
                child = node.children.get(self.layout.labels[label])
                assert child is not None
                total += self._replay(child, codes[labels == label])
        return total

    def _save(self, *, now: bool = False) -> None:
        if self.checkpoint is None or (not now and time.perf_counter() < self._saved + SAVE):
            return
        raised = self._openings.raised.copy()  # before the bounds, as threads go on raising
        bounds = zip(self._openings.guesses[raised].tolist(), self._openings.bounds[raised].tolist(), strict=True)
        self._known |= {str(guess): [bound] for guess, bound in bounds}
        breadth, seconds = self._narrowed
        self._known |= {"low": [self._low], "narrowed": [breadth, round(1000 * seconds)]}
        saved.save(self.checkpoint, self.name, self._known, self.table, self.tree, ENTRIES)
        self._saved = time.perf_counter()

    # ------------------------------------------------------------ strategies

    def _strategies(self, pool: ThreadPoolExecutor) -> None:
        """Search with few guesses a set, then with more while there is time; the best strategy is kept."""
        for breadth in BREADTHS if len(self.start) > DIRECT else ():
            if breadth <= self._narrowed[0]:
                continue
            now = time.perf_counter()
            if self.interrupted or self._late() or not self._may_end(now + WIDER * self._narrowed[1]):
                return
            self._narrow(pool, breadth)
            # Cut off or not, or calls too short for it would begin it for ever.
            self._narrowed = breadth, time.perf_counter() - now
            self._report()

    def _may_end(self, then: float) -> bool:
        """Whether a search for a good strategy that ends then leaves the proof its share of the time."""
        in_time = self.deadline is None or then - self.began <= SHARE * (self.deadline - self.began)
        return in_time or not self._narrowed[0]

    def _first_strategy(self) -> None:
        """The strategy of the guess that looks best in every set: never cut off, as something has to be shown."""
        table, work = empty_table(len(self.start), self._spare), self.works[0]
        self._enter(work, self.start, INF)
        self._call(kernel.SEARCH, work, table, breadth=1, calm=True)
        self._keep(self._chosen(work), table, 1)

    def _narrow(self, pool: ThreadPoolExecutor, breadth: int) -> None:
        """Search with so many guesses in every set; what was found before an interruption counts as well."""
        table = empty_table(len(self.start), self._spare)
        guess, _ = self._together(pool, table, self.start, self._high, depth=0, breadth=breadth)
        if guess >= 0:
            self._keep(guess, table, breadth)

    def _keep(self, guess: int, table: NDArray[np.uint64], breadth: int) -> None:
        """Take a strategy over from a table where it is the best so far."""
        tree, value = self._grow(self.start, guess, table, breadth)
        if value < self._high:
            self.opening, self.tree, self._high = guess, tree, value

    def _grow(self, codes: NDArray[np.int32], guess: int, table: NDArray[np.uint64], breadth: int) -> tuple[Node, int]:
        """(strategy that begins with a guess, its sum of weight times guesses)."""
        labels = self.layout.arrays["by_guess"][guess][codes]
        win = len(self.layout.labels) - 1
        node = Node(tuple(self.layout.guesses[guess].tolist()), bool((labels == win).any()))
        total = int(self.weight[codes].sum())
        for label in np.unique(labels).tolist():
            if label != win:
                below = codes[labels == label]
                child, more = self._grow(below, self._guess(below, table, breadth), table, breadth)
                node.children[self.layout.labels[label]] = child
                total += more
        return node, total

    def _guess(self, codes: NDArray[np.int32], table: NDArray[np.uint64], breadth: int) -> int:
        """The guess of a set by the table; sets that it has lost are searched again."""
        if len(codes) <= 2:
            return int(self.layout.arrays["guess_of_secret"][codes[0]])
        work = self.works[0]
        self._enter(work, codes, INF)
        state, _ = self._call(kernel.PROBE, work, table)
        if state != desk.EXACT:
            self._call(kernel.SEARCH, work, table, breadth=breadth, depth=desk.SYMMETRIC + 1, calm=True)
        return self._chosen(work)

    def _chosen(self, work: desk.Work) -> int:
        """The guess of the set in frame 0; where the search was cut off, the one that looked best."""
        chosen, listed = (int(work.frames[0, number]) for number in (desk.CHOSEN, desk.CANDIDATES))
        return chosen if chosen >= 0 or not listed else int(work.candidates[0, 0])

    def strategy(self) -> Node:
        """The best strategy known."""
        assert self.tree is not None  # the first one is found before anything can end the search
        return self.tree

    any_strategy = strategy

    def value_of(self, rows: NDArray[np.uint8], ub: int) -> int:
        """The least sum of a set, codes one a row, if it is below ``ub``, else a lower bound of at least that."""
        codes = self.layout.number_secrets(rows)
        self.stop[0] = 0
        self._enter(self.works[0], codes[np.argsort(-self.weight[codes], kind="stable")], ub)
        return self._call(kernel.SEARCH, self.works[0], self.table, depth=desk.SYMMETRIC + 1)[1]

    # ------------------------------------------------------------ proof

    def _prove(self, pool: ThreadPoolExecutor) -> None:
        work = self.works[0]
        self._enter(work, self.start, self._high)
        settled, low = self._call(kernel.LIST, work, self.table, allowed=self.allowed)
        self._raise(low)
        if not settled:
            self._openings = self._listed(work)
            many = len(self._openings.guesses) > CROWD
            if not many:  # it takes no time
                self._bound(pool)
            self._strategies(pool)
            if many:
                self._bound(pool)
            self._settle_all(pool)
        if not self.interrupted:
            self._low, self.finished = self._high, True

    def _listed(self, work: desk.Work) -> _Openings:
        """The openings in frame 0, with what a checkpoint knows of them."""
        count = int(work.frames[0, desk.CANDIDATES])
        guesses = work.candidates[0, :count].copy()
        known = np.array([self._known.get(str(guess), [-1])[0] for guess in guesses.tolist()], np.int64)
        bounds = np.maximum(work.lows[0, :count], known)
        return _Openings(guesses, bounds, known >= 0, int(work.frames[0, desk.REST]))

    def _raise(self, low: int) -> None:
        self._low = max(self._low, min(low, self._high))

    def _bound(self, pool: ThreadPoolExecutor) -> None:
        """Raise the bounds of openings by bounds of their parts, and the bound of the whole."""
        if self.interrupted:
            return
        guesses, bounds, raised = self._openings.guesses, self._openings.bounds, self._openings.raised
        places = iter([at for at in np.argsort(bounds, kind="stable").tolist() if not raised[at]])

        def take(work: desk.Work) -> None:
            self._enter(work, self.start, self._high)
            for at in places:
                if self.stop[0]:
                    return
                _, bound = self._call(kernel.RAISE, work, self.table, guess=int(guesses[at]), value=self._high)
                bounds[at], raised[at] = max(bound, bounds[at]), True

        self._wait([pool.submit(take, work) for work in self.works])
        self._raise(self._openings.lower())

    def _settle_all(self, pool: ThreadPoolExecutor) -> None:
        """Settle openings one after another, the best one known first; many at once where they are many."""
        guesses, bounds = self._openings.guesses, self._openings.bounds
        order = np.lexsort((bounds, guesses != self.opening)).tolist()
        for i, at in enumerate(order):
            if self.interrupted:
                return
            if i > 0 and len(order) - i > CROWD:
                self._settle_in_stages(pool, order[i:])
                return
            if bounds[at] < self._high:
                self._now = int(guesses[at])
                self._report()
                self._settle(at, pool)
            self._raise(self._openings.lower())

    def _settle_in_stages(self, pool: ThreadPoolExecutor, order: list[int]) -> None:
        """Settle many openings, all as far as a stage before any is raised further; from that of a checkpoint on."""
        begun, target = self._known.get("stage", [0, 0])
        for stage, share in list(enumerate(STAGES))[begun:]:
            if self.interrupted:
                return
            if stage > begun or target <= self._low or share >= 1:
                target = self._low + math.ceil(share * (self._high - self._low))
            self._known["stage"] = [stage, target]
            self._settle_crowd(pool, order, min(target, self._high))

    def _settle_crowd(self, pool: ThreadPoolExecutor, order: list[int], target: int) -> None:
        """Bound openings as far as ``target``, each by one thread; their values are found where they are less."""
        guesses, bounds = self._openings.guesses, self._openings.bounds
        places, limits = iter(order), np.full((len(self.works), 2), target, np.int64)

        def take(work: desk.Work, limit: NDArray[np.int64]) -> None:
            allowed = np.zeros(len(self.every), np.bool_)
            for at in places:
                if bounds[at] >= limit[1]:
                    continue
                self._now = guess = int(guesses[at])
                limit[0] = 0
                allowed[guess] = True
                self._enter(work, self.start, int(limit[1]))
                state, value = self._call(kernel.SEARCH, work, self.table, shared=limit, allowed=allowed)
                allowed[guess] = False
                if state != desk.FINISHED:
                    return
                bounds[at] = value
                if work.frames[0, desk.CHOSEN] >= 0:
                    limits[:, 1] = np.minimum(limits[:, 1], value)
                    better.append(guess)

        better: list[int] = []
        self._wait([pool.submit(take, work, limit) for work, limit in zip(self.works, limits, strict=True)])
        for guess in better:
            self._keep(guess, self.table, 0)
        self._raise(self._openings.lower())

    def _settle(self, at: int, pool: ThreadPoolExecutor) -> None:
        """Find the value of an opening if it is below ``upper``, else raise its bound to that."""
        guess, bounds = int(self._openings.guesses[at]), self._openings.bounds
        for work in self.works:
            self._enter(work, self.start, self._high)
            self._call(kernel.ENTER, work, self.table, guess=guess)
        work = self.works[0]
        _, total = self._call(kernel.RAISE, work, self.table, guess=guess, value=self._high)
        parts = list(self._parts(work)) if total < self._high else []
        waiting = sorted((part for part in parts if not part.exact), key=lambda part: len(part.codes))
        while waiting and total < self._high and not self.interrupted:
            some = [part for part in waiting if len(part.codes) <= ALONE] or waiting[:1]
            waiting = waiting[len(some) :]
            total -= sum(part.low for part in some)
            self._search(some, self._high - total - sum(part.low for part in some), pool)
            total += sum(part.low for part in some)
            bounds[at] = max(bounds[at], total)
            self._report()
        bounds[at] = max(bounds[at], total)
        if total < self._high and not self.interrupted:
            self._keep(guess, self.table, 0)

    def _parts(self, work: desk.Work) -> Iterator[_Part]:
        for row in work.parts[0, :-1].tolist():
            if row[desk.SIZE]:
                codes = work.stack[row[desk.START] : row[desk.START] + row[desk.SIZE]].copy()
                yield _Part(codes, row[desk.FLOOR], row[desk.STATE] == desk.EXACT)

    def _search(self, parts: list[_Part], slack: int, pool: ThreadPoolExecutor) -> None:
        """Raise the bounds of parts, to their values where these are less than ``slack`` above the bounds."""
        if len(parts) > 1 or len(parts[0].codes) <= ALONE:
            cells = iter(parts)
            self._wait([pool.submit(self._alone, work, cells, slack) for work in self.works])
            return
        [part] = parts
        guess, value = self._together(pool, self.table, part.codes, part.low + slack, depth=1)
        part.low, part.exact = max(part.low, value), guess >= 0
        self._enter(self.works[0], part.codes, INF)
        self._call(kernel.STORE, self.works[0], self.table, guess=guess, value=part.low)

    def _alone(self, work: desk.Work, parts: Iterable[_Part], slack: int) -> None:
        for part in parts:
            self._enter(work, part.codes, part.low + slack)
            _, value = self._call(kernel.SEARCH, work, self.table, depth=1)
            part.low, part.exact = max(part.low, value), bool(work.frames[0, desk.CHOSEN] >= 0)

    def _together(
        self,
        pool: ThreadPoolExecutor,
        table: NDArray[np.uint64],
        codes: NDArray[np.int32],
        ub: int,
        *,
        depth: int,
        breadth: int = 0,
    ) -> tuple[int, int]:
        """Search a set with all threads: (its guess, its value), or (-1, a lower bound of at least ``ub``)."""
        shared = np.array([0, ub], np.int64)
        for work in self.works:
            self._enter(work, codes, ub)
        allowed = self.every if depth else self.allowed

        def go(work: desk.Work) -> tuple[int, int]:
            return self._call(kernel.SEARCH, work, table, shared=shared, allowed=allowed, depth=depth, breadth=breadth)

        values = [value for _, value in self._wait([pool.submit(go, work) for work in self.works])]
        frames = [work.frames[0] for work in self.works]
        found = [(int(frame[desk.BEST]), int(frame[desk.CHOSEN])) for frame in frames if frame[desk.CHOSEN] >= 0]
        if found and (not self.stop[0] or breadth):
            best, guess = min(found)
            return guess, best
        return -1, min(values)
