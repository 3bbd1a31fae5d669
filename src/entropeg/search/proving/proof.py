"""The proof at the root: openings one after another, their parts searched by all threads together.

Openings are settled by adding up their parts, whose bounds `search.proving.opening` lets the threads raise; many
openings are given out themselves (`search.proving.openings`). Python code runs only between parts. Boards of either
family of bounds are proven alike: under weights totals are sums of weight times guesses.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropeg.errors import InputError
from entropeg.executors import Crew, WorkersError
from entropeg.files import shown
from entropeg.search.exact import engine
from entropeg.search.exact.fields import DEEP, EXACT, NO_GUESS, NO_LABEL, SCANNED, SYMMETRIC, UNLIMITED
from entropeg.search.exact.layout import Layout, ThreadMemory, new_words
from entropeg.search.proving import checkpoint as saved
from entropeg.search.proving.opening import NONE, OpenedGuess, Part, RaisedOpenings, SpareMemories, opened_parts
from entropeg.search.proving.openings import CROWD, ManyOpenings, openings, targets
from entropeg.search.proving.shared.crewed_opening import BoardCrew, CrewedOpening
from entropeg.search.proving.shared.units import Searcher, SharedBoard, strategy_nodes
from entropeg.search.results import SearchProgress
from entropeg.search.strategies import Node
from entropeg.signals import held

WEIGHTED_DIRECT = 100
"""Sets up to this size, or 400 codes without weights, are solved by one call: sharing them costs more than it saves."""
LITTLE_CODES = 100
"""Sets up to this size are searched in milliseconds, without a look at the clock."""
TICK = 0.25
"""Seconds between looks at the clock while threads work."""
SAVE = 10.0
"""Seconds between checkpoints."""
RESERVE = 0.5
"""Seconds kept for writing the best strategy down, or a tenth of the time where that is less."""
SPARE, MOST_PERMUTATIONS = 12, 5040
"""Searches that long proofs may pause at a time, on boards of so few permutations of the pegs: others are stopped."""
LITTLE = 0.003
"""Share of the best total that is little to be missing: workers are asked for all of it at once."""
BREADTHS = (1, 6, 16)
"""Guesses tried in every set by the searches for a good strategy that come before a proof under weights.

The last comes only before a proof of many openings: it costs others more guesses than it saves.
"""

Codes = NDArray[np.int32]


class Proof:
    """The search for the least total of a set of codes under ``limit`` guesses, interruptible at any time."""

    def __init__(  # noqa: PLR0913 - the options of `optimal`
        self,
        layout: Layout,
        start: Codes,
        *,
        limit: int | None = None,
        history: Iterable[tuple[int, int]] = (),
        threads: int = 2,
        deadline: float | None = None,
        memory: int = 1 << 26,
        progress: Callable[[SearchProgress], None] | None = None,
        checkpoint: Path | None = None,
        name: str = "",
        begun_with: Node | None = None,
        lower: int = 0,
        crew: tuple[Crew, SharedBoard] | None = None,
    ) -> None:
        """``start``: rows of the layout, under weights in descending order of weight.

        ``history``: guesses behind them, and their compact labels.
        ``begun_with``: a strategy for these codes within the limit; guesses without a better one are only refuted.
        ``lower``: a lower bound that is known.
        ``crew``: workers that search for this process, and the board as they need it.
        """
        self.layout, self.start, self.infinite = layout, start, layout.infinite
        self.limit = UNLIMITED if limit is None else min(limit, UNLIMITED)
        self.after = self.limit if self.limit == UNLIMITED else self.limit - 1
        self.deadline, self.progress, self.name = deadline, progress, name
        self.began = time.perf_counter()
        self.searched = deadline if deadline is None else deadline - min(RESERVE, 0.1 * (deadline - self.began))
        self.stop = np.zeros(1, np.int64)
        self.shared = new_words(self.infinite)
        # Boards that no other search finds a good strategy for, and the bytes for the tables of these searches.
        self._begins_narrowly = layout.is_weighted or not (layout.answers.is_mutual and layout.answers.is_alike)
        self._spare = memory // 2 if self._begins_narrowly else 0
        self.table = layout.table(memory - self._spare)
        common = {"stop": self.stop, "shared": self.shared, "table": self.table}
        self._is_small = len(start) <= (WEIGHTED_DIRECT if layout.is_weighted else 400)
        self.works = [layout.memory(common) for _ in range(1 if self._is_small else max(1, threads))]
        self._history = tuple(history)
        for work in self.works:
            work.stack[: len(start)] = start
            engine.behind(work, self._history)
        self._spare_made: list[ThreadMemory] = []
        self.lower = max(lower, layout.floor(start))
        self.upper: int = self.infinite
        self.begun_with: Node | None = None
        self.opening: int = NO_GUESS
        self.interrupted = self.cancelled = self.finished = False
        self.checkpoint = checkpoint
        self.workers: BoardCrew | None = None
        if crew is not None:
            here = Searcher(layout, self.table, start, crew[1].history, self.stop)
            self.workers = BoardCrew(*crew, here)
        self.trouble: WorkersError | None = None
        self.known: saved.SavedParts = {}
        self._is_long = begun_with is not None
        self._in_files = layout.entry_words, layout.in_files
        self._begin_with(begun_with)
        self._saved = self.began
        self._news = threading.Event()  # a part was settled, or a thread has ended
        self._searched: tuple[RaisedOpenings | CrewedOpening, int] | None = None  # and the bound of all others
        self._many: ManyOpenings | None = None
        self._aside: ThreadMemory | None = None  # of the thread that gathers

    def _begin_with(self, given: Node | None) -> None:
        """Take over the bounds of a checkpoint, and the best strategy of those given and kept there."""
        trees = [] if given is None else [given]
        if self.checkpoint is not None:
            self.known = saved.load(self.checkpoint, self.name, self.table, *self._in_files)
            if not all(map(self._is_known, self.known.items())):
                raise InputError(
                    "{file} is damaged: it has bounds of parts that no search leaves", shown(self.checkpoint)
                )
            kept = saved.strategy_of(self.checkpoint, self.name)
            if kept is not None and kept.worst <= self.limit:
                trees.append(kept)
            self.lower = max(self.lower, *self.known.get(self.label("low"), [0]))
        for tree in trees:
            if self.checkpoint is not None:
                self._check(tree, self.checkpoint)
            self.keep(tree)

    def _check(self, tree: Node, where: Path) -> None:
        if tree.secrets != len(self.start):
            raise InputError(
                "{file} is damaged: a strategy finds {found} of {codes} codes", where, tree.secrets, len(self.start)
            )
        try:
            self.layout.check_strategy(tree, self.start)
        except InputError as error:
            raise InputError("{file} is damaged: {error}", where, error) from None

    # ------------------------------------------------------------ running

    @property
    def nodes(self) -> int:
        """Guesses tried by all threads and workers."""
        memories = [*self.works, *self._spare_made]
        return int(sum(work.nodes[1] for work in memories)) + (self.workers.nodes if self.workers else 0)

    @property
    def infeasible(self) -> bool:
        """Whether it is proven that no strategy keeps the limit."""
        return self.lower >= self.infinite

    def worth(self, tree: Node) -> int:
        """The total of a strategy: under weights the sum of weight times guesses."""
        if not self.layout.is_weighted:
            return tree.total
        codes, turns = zip(*tree.found(), strict=True)
        return int(self.layout.arrays["weight"][self.layout.number_secrets(np.array(codes))] @ np.array(turns))

    def keep(self, tree: Node | None) -> None:
        """Take a strategy over where it is the best so far."""
        if tree is not None and (total := self.worth(tree)) < self.upper:
            self.begun_with, self.upper, self.opening = tree, total, NO_GUESS

    def run(self) -> None:
        """Search until the value is proven, the deadline passes or Ctrl-C is pressed."""
        with held(self.cancel):
            pool = ThreadPoolExecutor(len(self.works))
            try:
                if self._is_small and self.begun_with is None:
                    self._run_direct(pool)
                else:
                    self._run_openings(pool)
            except KeyboardInterrupt:  # of `progress`
                self.cancel()
            except WorkersError as error:  # the bounds known by then are kept
                self._halt()
                self.trouble = error
            except BaseException:
                self._halt()  # the threads would go on, and keep what went wrong from being told
                raise
            finally:
                pool.shutdown()
            self._save(now=True)

    def _run_direct(self, pool: ThreadPoolExecutor) -> None:
        call = pool.submit(engine.solve, self.works[0], self.start, self.infinite, self.limit, 0, self.hash(self.start))
        [(value, self.opening)] = self.wait([call])
        if self.interrupted:
            self.lower = max(self.lower, value)
        else:
            self.lower = value
            self.upper = min(value, self.infinite)
            self.finished = True

    def _run_openings(self, pool: ThreadPoolExecutor) -> None:
        by_breadth = self._begins_narrowly
        if by_breadth and not self._narrow(pool, BREADTHS[0]):
            return
        self.works[0].stack[: len(self.start)] = self.start
        listed, rest = openings(self.layout, self.works[0], len(self.start), self.limit)
        are_many = by_breadth and self.workers is None and len(listed) > CROWD
        for breadth in BREADTHS[1 : None if are_many and self.layout.is_weighted else 2] if by_breadth else ():
            if not self._narrow(pool, breadth):
                return
        if self.begun_with is not None:  # its opening is likely the best, and then the others are refuted sooner
            first = self.layout.number_guess(self.begun_with.guess)
            listed.sort(key=lambda opening: opening[0] != first)
        if are_many:
            self._settle_many(pool, listed, rest)
        else:
            self._settle_all(pool, listed, rest)
        if not self.interrupted:
            self.lower = min(self.upper, self.infinite)
            self.finished = True

    def _settle_many(self, pool: ThreadPoolExecutor, listed: list[tuple[int, int]], rest: int) -> None:
        """Raise all openings in stages: by their parts, and by search after the one that is likely the best."""
        many = ManyOpenings(listed, rest, self.start, self.hash(self.start), self.limit)
        low, [asked] = many.lower, self.known.get(self.label("parts"), [0])
        named = {guess: self.label(self.layout.for_files(guess)) for guess, _ in listed}
        bounds = {guess: self.known[name][0] for guess, name in named.items() if name in self.known}
        many.recall(bounds, asked)
        self._many = many
        # Half of what is missing takes a sixth of the time that all of it takes.
        for target in (low + (self.upper - low) // 2, self.upper):
            if asked < target:
                self._run_all(pool, many.by_parts(target, self.stop, self.after))
                if self.interrupted:
                    return
                self.known[self.label("parts")] = [target]
        guess = listed[0][0]
        if not self.interrupted and self.begun_with is not None and many.bounds[0] < self.upper:
            others = min([rest, *many.bounds[1:].tolist()])
            value = self.settle(guess, pool, others, is_first=True)
            many.bounds[0] = max(value, many.bounds[0])
            self._improve(value, guess)
        begun = self.known.get(self.label("stage"), [1, 0])  # the parts went half of the way
        for stage, target in targets((begun[0], begun[1]), self.lower, self.upper):
            if self.interrupted:
                return
            self.known[self.label("stage")] = [stage, target]
            self._run_all(pool, many.by_search(min(target, self.upper), self.stop))
            for value, guess in sorted(many.better)[:1]:
                self._improve(value, guess)

    def _run_all(self, pool: ThreadPoolExecutor, run: Callable[[ThreadMemory], None]) -> None:
        self.wait([pool.submit(run, work) for work in self.works])
        for work in self.works:
            work.use(shared=self.shared)
        self.report()

    def _improve(self, value: int, guess: int) -> None:
        """Take the total of an opening over where it is the best."""
        if value >= self.upper or self.interrupted:
            return
        self.upper, self.opening = value, guess
        if self._searched is not None and isinstance(self._searched[0], CrewedOpening):
            tree = self._searched[0].strategy(self.start)
            if tree is not None:
                self.begun_with, self.opening = tree, NO_GUESS
        if self.layout.is_weighted and self.checkpoint is not None:  # a proof that may end only in a later call
            self.works[0].stack[: len(self.start)] = self.start
            tree = self._nodes(engine.unfold(self.works[0], len(self.start), self.limit, guess, finished=True))
            if tree is not None and self.worth(tree) == value:
                self.begun_with, self.opening = tree, NO_GUESS

    def _settle_all(self, pool: ThreadPoolExecutor, listed: list[tuple[int, int]], rest: int) -> None:
        """Settle the first opening where no bound is known, then raise all others together.

        Workers raise one at a time, always that of the least bound, and half of the way until little is missing.
        """
        bounds = dict(listed)
        while waiting := [guess for guess in bounds if bounds[guess] < self.upper]:
            some, aim = waiting, self.upper
            if self.upper >= self.infinite:
                some = waiting[:1]
            elif self.workers is not None:
                some = [min(waiting, key=bounds.__getitem__)]
                missing = aim - bounds[some[0]]
                aim -= missing // 2 if missing > LITTLE * aim else 0
            others = min([rest, self.upper, *(bounds[guess] for guess in waiting if guess not in some)])
            if len(some) == 1:
                value = self.settle(some[0], pool, others, is_first=some[0] == listed[0][0], aim=aim)
                if value < aim:
                    self._improve(value, some[0])
            else:
                value, best = self._raised(pool, [OpenedGuess(guess, bounds[guess]) for guess in some], others)
                if best != NO_GUESS:
                    self._improve(value, best)
            self.lower = min(max(self.lower, min(others, value)), self.infinite)
            if self.interrupted:
                return
            bounds |= dict.fromkeys(some, self.infinite if value < aim or len(some) > 1 else value)

    def settle(
        self, guess: int, pool: ThreadPoolExecutor, others: int, *, is_first: bool, aim: int | None = None
    ) -> int:
        """Value of an opening if it is below ``upper``, else a lower bound; only a bound after an interruption.

        ``others``: a lower bound of all other openings. ``aim``: the value that workers compare with in its place.
        """
        if self.workers is None:
            return self._raised(pool, [OpenedGuess(guess, 0)], others)[0]
        opening = OpenedGuess(guess, 0)
        self._open(self.works[0], opening)
        aim = self.upper if aim is None else aim
        if opening.total >= aim or opening.parts is None:
            return opening.total
        search = CrewedOpening(
            opening.parts, opening.total, aim, self.after, self.stop, self._news.set, is_first, self.infinite,
            guess, workers=self.workers, worth=self.worth,
        )  # fmt: skip
        self._search(pool, search, others, self.works[:1])
        return min(search.total, self.infinite)

    def _raised(self, pool: ThreadPoolExecutor, openings: list[OpenedGuess], others: int) -> tuple[int, int]:
        """(least value of some openings and its guess, or a lower bound and no guess): see `settle`."""
        upper = self.upper
        common = self.stop, self._news.set, self.infinite
        search = RaisedOpenings(
            openings, upper, self.after, *common, self._open,
            spares=self._spare_memories(), guesses=self.layout.looked_at, is_long=self._is_long,
        )  # fmt: skip
        self._search(pool, search, others, self.works)
        for work in self.works:
            work.use(stop=self.stop, shared=self.shared)
        bound = min([*(opening.total for opening in openings), self.infinite])
        return (search.upper, search.best) if search.upper < upper and not self.interrupted else (bound, NO_GUESS)

    def _spare_memories(self) -> SpareMemories:
        """Memories for the threads whose own is that of a search that is paused."""

        def make() -> ThreadMemory:
            memory = self.layout.memory({"stop": self.stop, "shared": self.shared, "table": self.table})
            engine.behind(memory, self._history)
            return memory

        # Each keeps the permutations of the pegs: 35 MB of 9x2. Proofs of seconds gain nothing by them.
        most = SPARE if self._is_long and len(self.layout.elements.order_of) <= MOST_PERMUTATIONS else 0
        return SpareMemories(self._spare_made, most, make)

    def _open(self, memory: ThreadMemory, opening: OpenedGuess) -> None:
        """Cut the codes by an opening, and bound its parts: by what is known of them, too."""
        n = len(self.start)
        memory.stack[:n] = self.start
        memory.use(stop=self.stop, shared=self.shared)
        opening.total = engine.open_parts(memory, n, opening.guess, self.upper, self.after)
        parts = opened_parts(memory, self.layout.win)
        if opening.total < self.upper:
            opening.total += sum(self._recall(opening.guess, part) for part in parts)
        opening.parts = parts

    def _search(
        self, pool: ThreadPoolExecutor, search: RaisedOpenings | CrewedOpening, others: int, works: list[ThreadMemory]
    ) -> None:
        self._searched = search, others
        self.wait([pool.submit(search.run, work) for work in works])
        self._gather()
        if not self.interrupted:
            self.stop[0] = 0  # it is set where the opening was refuted while some were still searching
        self.report()

    def _gather(self) -> None:
        """Take over the threads' results on the opening under study."""
        if self._searched is None:
            return
        search, others = self._searched
        search.watch()
        while search.settled:
            guess, part = search.settled[0]
            if part.tree is not None:
                part.guess = self.layout.number_guess(part.tree.guess)
                if self.checkpoint is not None:
                    self._store_strategy(part)
            self._remember(guess, part)
            self._store(part)
            self._take_over(guess, part)
            if isinstance(search, RaisedOpenings):
                search.lower(self.upper)
            search.settled.pop(0)  # not before: Ctrl-C may come in between
        self.lower = min(max(self.lower, min(others, search.now[0])), self.infinite)

    def wait(self, calls: list[Future[Any]]) -> list[Any]:
        """The results of the calls, once all have ended; meanwhile the clock is looked at, and progress told."""
        for call in calls:
            call.add_done_callback(lambda _: self._news.set())
        while True:
            try:
                self._news.wait(self._patience())
                self._news.clear()
                if all(call.done() for call in calls):
                    self.interrupted = self.interrupted or self.stop[0] == DEEP
                    return [call.result() for call in calls]
                self.report()
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

    def report(self) -> None:
        """Look at the clock, and tell how the search stands."""
        if self.searched is not None and time.perf_counter() > self.searched:
            self._halt()
        self._gather()
        if self._many is not None:
            self.lower = max(self.lower, min(self._many.lower, self.upper))
        if self.progress is not None:
            guess, left = self._now()
            opening = None if guess in {None, NO_GUESS} else tuple(self.layout.guesses[guess].tolist())
            upper = self.upper if self.upper < self.infinite else None
            seconds = time.perf_counter() - self.began
            workers = self.workers.crew.count if self.workers else 0
            self.progress(SearchProgress(opening, left, self.lower, upper, self.nodes, seconds, workers))
        self._save()

    def _now(self) -> tuple[int | None, int]:
        """The opening under study, and how many are to be settled."""
        if self._many is not None:
            return self._many.now, int((self._many.bounds < self.upper).sum())
        return (None, 0) if self._searched is None else self._searched[0].now[1:]

    # ------------------------------------------------------------ table and checkpoint

    def hash(self, codes: Codes, depth: int = 0) -> int:
        """The hash of a set of codes, behind a history of ``depth`` guesses that was entered."""
        return int(np.bitwise_xor.reduce(self.layout.zobrist[codes])) ^ engine.clue_hash(self.works[0], depth)

    def _key(self, mixed: int, d: int, n: int) -> int:
        word = int(self.layout.arrays["zobrist_limit"][d if d < n else UNLIMITED])
        return mixed ^ word

    def label(self, *words: object) -> str:
        """The name of something known under this limit; where there is none, of openings and the like without it."""
        return " ".join(map(str, words if self.limit == UNLIMITED and len(words) == 1 else (self.limit, *words)))

    def _is_known(self, item: tuple[str, list[int]]) -> bool:
        key, entry = item
        if len(entry) not in {3, 6}:
            return len(entry) == (2 if key.endswith(("narrowed", "stage")) else 1)
        is_guess = 0 <= entry[2] < len(self.layout.guesses) or entry[2] == NO_GUESS
        return 0 <= entry[0] <= self.infinite and is_guess and min(entry) >= 0

    def _store(self, part: Part) -> None:
        state, n = EXACT if part.exact else SCANNED, len(part.codes)
        engine.store(self.works[0], self._key(part.mixed, self.after, n), n, part.low, part.guess, state)

    def _store_strategy(self, part: Part) -> None:
        """Put the strategy that others found for a part into the table, so that it need not be found again."""
        if self.layout.answers.is_hard or part.tree is None:
            return  # what such a set is depends on its history
        waiting = [(part.tree, part.codes, self.after)]
        while waiting:
            node, codes, d = waiting.pop()
            if len(codes) > 2:
                guess, after = self.layout.number_guess(node.guess), d if d == UNLIMITED else d - 1
                key = self._key(int(np.bitwise_xor.reduce(self.layout.zobrist[codes])), d, len(codes))
                engine.store(self.works[0], key, len(codes), self.worth(node), guess, EXACT)
                labels = self.layout.arrays["by_guess"][guess, codes]
                for label in np.unique(labels[labels != self.layout.win]).tolist():
                    child = node.children[int(self.layout.public_labels(guess, label))]
                    waiting.append((child, codes[labels == label], after))

    def _recall(self, opening: int, part: Part) -> int:
        """Take over the bound of a part from a checkpoint; by how much it is raised."""
        entry, before = self.known.get(self._label_of(opening, part)), part.low
        if entry is not None and not part.exact:
            low, exact, guess = entry[:3]
            part.low, part.exact, part.guess = max(part.low, low), bool(exact), self.layout.from_files(guess)
            part.step, part.rate, part.work = entry[3:] or (0, 0, 0)
            self._store(part)
        return part.low - before

    def _remember(self, opening: int, part: Part) -> None:
        if part.guess == NO_GUESS and part.exact:
            n = len(part.codes)
            found = engine.probe(self.works[0], self._key(part.mixed, self.after, n), n)
            if found is not None and found[2] == EXACT:
                part.guess = found[1]
        how = part.step, round(part.rate), part.work
        guess = self.layout.for_files(part.guess)
        self.known[self._label_of(opening, part)] = [part.low, int(part.exact), guess, *map(_kept, how)]

    def _label_of(self, opening: int, part: Part) -> str:
        return self.label(self.layout.for_files(opening), part.label)

    def _save(self, *, now: bool = False) -> None:
        if self.checkpoint is None or (not now and time.perf_counter() < self._saved + SAVE):
            return
        if self._many is not None:
            self.known |= {self.label(self.layout.for_files(guess)): [bound] for guess, bound in self._many.known()}
            self.known[self.label("low")] = [self.lower]
        entries = saved.entries_of(self.table, *self._in_files)
        saved.save(self.checkpoint, self.name, self.known, entries, self.begun_with)
        self._saved = time.perf_counter()

    # ------------------------------------------------------------ strategies

    def _narrow(self, pool: ThreadPoolExecutor, breadth: int) -> bool:
        """Search with this many guesses in every set for a good strategy; whether there is time to go on.

        Strategies found before an interruption count as well. Called again after a checkpoint, nothing is done twice.
        """
        before, milliseconds = self.known.get(self.label("narrowed"), [0, 0])
        if breadth <= before:
            return True
        now = time.perf_counter()
        then = now + 6 * milliseconds / 1000 - self.began
        # Searches for a good strategy may take 30 % of the time, and each takes six times as long as the one before,
        # at a guess.
        is_late = self.searched is not None and then > 0.3 * (self.searched - self.began)
        if before and (self.interrupted or is_late):
            return not self.interrupted
        spare, words, n = self.layout.table(self._spare), new_words(self.upper), len(self.start)
        for work in self.works:
            work.use(table=spare, shared=words)
        search = partial(engine.solve, together=True, breadth=breadth)
        given = self.start, self.upper, self.limit, 0, self.hash(self.start)
        found = self.wait([pool.submit(search, work, *given) for work in self.works])
        value, guess = min(found)
        if guess != NO_GUESS and value < self.upper:
            self.works[0].stack[:n] = self.start
            self.keep(self._nodes(engine.unfold(self.works[0], n, self.limit, guess, finished=True, breadth=breadth)))
        for work in self.works:
            work.use(table=self.table, shared=self.shared)
        # Cut off or not, or calls too short for it would begin it for ever.
        self.known[self.label("narrowed")] = [breadth, round(1000 * (time.perf_counter() - now))]
        self.report()
        return not self.interrupted

    def _take_over(self, opening: int, part: Part) -> None:
        """Play a settled part of the best strategy known as the search does, where that takes fewer guesses."""
        tree, layout = self.begun_with, self.layout
        if tree is None or not part.exact or layout.answers.is_hard or layout.number_guess(tree.guess) != opening:
            return
        label = int(layout.public_labels(opening, part.label))
        before = self.worth(tree.children[label])
        if part.low >= before:
            return
        found = part.tree or self._unfolded_aside(part.codes, self.after)
        if found is not None and self.worth(found) < before:
            self.keep(replace(tree, children=tree.children | {label: found}))

    def _unfolded_aside(self, codes: Codes, d: int) -> Node | None:
        """The strategy for a set that the table has, while the threads go on: large sets are not searched again."""
        if self._aside is None:
            self._aside = self.layout.memory(
                {"stop": np.zeros(1, np.int64), "shared": new_words(self.infinite), "table": self.table}
            )
        self._aside.stack[: len(codes)] = codes
        return self._nodes(engine.unfold(self._aside, len(codes), d, NO_GUESS, finished=False))

    def strategy(self, *, greedy: bool = False) -> Node | None:
        """The best strategy known, complete; None where the limit cannot be kept (or, when greedy, was not).

        Exact sets follow the table; others are cut by the guess of the least expected total. ``greedy`` does so
        from the root on, with exact play below ``SMALL`` codes. After an interruption small sets are played exactly
        as far as the time allows. Where nothing better was found, the strategy that the search began with.
        """
        if self.begun_with is not None and self.opening == NO_GUESS and not greedy:
            return self.begun_with
        opening = NO_GUESS if greedy else self.opening
        return self.grow(opening, self.limit)

    def any_strategy(self) -> Node | None:
        """A complete strategy that need not keep the limit."""
        return self.grow(NO_GUESS, UNLIMITED)

    def grow(self, guess: int, d: int) -> Node | None:
        """The strategy that begins with a guess, as the table has it."""
        self.stop[0] = 0
        work, n = self.works[0], len(self.start)
        work.stack[:n] = self.start
        patience = RESERVE if self.deadline is None else max(0.0, self.deadline - time.perf_counter())
        alarm = threading.Timer(patience / 2, self._halt)
        if self.interrupted and not self.finished:
            alarm.start()
        try:
            table = engine.unfold(work, n, d, guess, finished=self.finished)
        finally:
            alarm.cancel()
        return self._nodes(table)

    def value_of(
        self,
        rows: NDArray[np.uint8],
        ub: int,
        turns: Iterable[tuple[tuple[int, ...], int]] | None = None,
        within: int | None = None,
    ) -> int:
        """The least total of a set, codes one a row, if it is below ``ub``, else a lower bound of at least that.

        ``turns``: guesses and labels that led to it, for symmetry, and where guesses must use every clue; None for any
        set. ``within``: the most guesses that a strategy may take. Raises KeyboardInterrupt where the proof is
        cancelled meanwhile, and TimeoutError at its deadline.
        """
        codes, work = self.layout.in_order(self.layout.number_secrets(rows)), self.works[0]
        self.stop[0] = int(self.cancelled)
        history = [] if turns is None else self.layout.number_turns(turns)
        depth = SYMMETRIC + 1 if turns is None else len(history)
        if depth == 0 and len(codes) != len(self.start):
            raise AssertionError(f"a set of {len(codes)} codes is not all that is left without a turn")
        is_hard = self.layout.answers.is_hard
        if depth <= SYMMETRIC or is_hard:
            for place, (guess, label) in enumerate(history):
                engine.enter(work, place, guess, label if work.is_entered_by_answer or is_hard else NO_LABEL)
        limit = UNLIMITED if within is None else min(within, UNLIMITED)
        most = min(ub, self.infinite)
        given = work, codes, most, limit, depth, self.hash(codes, depth)
        value, _ = engine.solve(*given) if len(codes) <= LITTLE_CODES else self._solved_aside(*given)
        if self.cancelled:
            raise KeyboardInterrupt
        return max(ub, value) if value >= self.infinite else value

    def _solved_aside(self, *given: Any) -> tuple[int, int]:
        """What the search finds in a thread, so that Ctrl-C and the end of the time are heard meanwhile."""
        with ThreadPoolExecutor(1) as pool:
            call, is_late = pool.submit(engine.solve, *given), False
            while not call.done():
                wait([call], TICK)
                if not call.done() and self.deadline is not None and time.perf_counter() > self.deadline:
                    is_late, self.stop[0] = True, 1
        if is_late:
            raise TimeoutError
        return call.result()

    def _nodes(self, table: NDArray[np.int64] | None) -> Node | None:
        return strategy_nodes(self.layout, table)


def _kept(number: int) -> int:
    return min(number, NONE)
