"""The parts that an opening leaves, searched by the threads of several processes: see `search.proving.pooled.pool`."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from entropeg.search.exact import engine
from entropeg.search.exact.board import ThreadMemory, new_words
from entropeg.search.exact.fields import NO_GUESS, WHOLE
from entropeg.search.proving.opening import ALONE, OpeningSearch, Part
from entropeg.search.proving.pooled.pool import Facts, Pool, read_tree, write_tree
from entropeg.search.proving.shares import lowest, share
from entropeg.search.tree import Node

PAUSE = 0.2  # seconds that a thread waits while others search all that is left
POLLED = 0.5  # seconds between looks at what others found
MISSED = 5.0  # seconds between looks whether processes are gone that others wait for
UNLISTED = "all"  # in the place of a checksum: one task searches the part, whatever the order


@dataclass
class Case:
    """A part of the opening, and what the folder says of it in the order of guesses that this process has.

    ``lows``: the least bound in each share of these. ``is_begun``: whether any process searches or has searched it, in
    whatever order; ``found``: the least total of a strategy for it, and its file.
    """

    part: Part
    name: str
    order: str = ""
    lows: list[int] = field(default_factory=list)
    facts: Facts = field(default_factory=lambda: Facts.read(()))
    is_begun: bool = False
    found: tuple[int, Path] | None = None
    is_settled: bool = False

    @property
    def is_shared(self) -> bool:
        """Whether its guesses are searched in shares, and not by one thread."""
        return self.order != UNLISTED


@dataclass
class Task:
    """A share of the guesses in a case, which a thread of this process tries."""

    case: Case
    k: int
    claim: Path
    memory: ThreadMemory


@dataclass
class PooledOpening(OpeningSearch):
    """What the threads on an opening know together, as of a `ThreadedOpening`, where other processes search it too.

    A task is a share of the guesses after one answer to the opening. Which is next follows the rules there: parts
    from the smallest on; of the opening that is likely the best the largest first, and one task in each at first.
    ``name``: "LIMIT.OPENING". ``grow`` makes the strategy for a part from a guess that a thread just tried,
    ``worth`` tells the total of one.
    """

    pool: Pool
    name: str
    grow: Callable[[ThreadMemory, Part, int], Node | None]
    worth: Callable[[Node], int]

    def __post_init__(self) -> None:
        """Begin with nothing known of the parts but their bounds."""
        super().__post_init__()
        self.cases = [Case(part, f"{self.name}.{part.label}") for part in self.parts if not part.exact]
        self.tasks: list[Task] = []
        self._polled = self._missed = time.monotonic()

    # ------------------------------------------------------------ threads

    def run(self, memory: ThreadMemory) -> None:
        """Search, as one of the threads, as long as there is something to search, here or elsewhere."""
        try:
            while not self.stop[0]:
                with self._lock:
                    self._read()
                    if self.is_over:
                        return
                    task = self._next(memory)
                if task is None:
                    time.sleep(PAUSE)
                else:
                    self._search(task)
        except BaseException:
            self.stop[0] = 1  # the others would wait for what this thread was to find
            raise

    @property
    def is_over(self) -> bool:
        """Whether the opening is refuted, or all its parts are exact."""
        return self.total >= self.upper or all(case.is_settled for case in self.cases)

    def poll(self) -> None:
        """Tell the threads of what other processes found, and these that this one is there; seldom too often."""
        now = time.monotonic()
        if now < self._polled + POLLED:
            return
        self._polled = now
        with self._lock:
            self._read()
            for task in self.tasks:
                if task.case.is_shared:
                    engine.lower(task.memory, self._target(task.case))
            self.pool.sign(task.claim for task in self.tasks)

    def _search(self, task: Task) -> None:
        case, memory, part = task.case, task.memory, task.case.part
        engine.enter_answer(memory, self.guess, part.label)
        try:
            if case.is_shared:
                words = memory.arrays["shared"]
                value, guess = engine.solve(memory, part.codes, self.infinite, self.d, 1, part.mixed, together=True)
                is_found = guess != NO_GUESS
                is_whole = bool(words[WHOLE]) or value >= self.infinite
            else:
                value, guess = engine.solve(memory, part.codes, part.ub, self.d, 1, part.mixed, together=False)
                is_found, is_whole = value < part.ub, True
            if not self.stop[0] and (not is_found or self._keep(task, value, guess)):
                self.pool.state(task.claim.parent / (f"whole.{value}" if is_whole else f"done.{task.k}.{value}"))
        finally:
            with self._lock:
                self.tasks.remove(task)
            self.pool.release(task.claim)
            self.tell()

    def _keep(self, task: Task, value: int, guess: int) -> bool:
        """Write the strategy for a part down; whether it has this total, as it has if nobody interrupts."""
        part = task.case.part
        tree = self.grow(task.memory, part, guess)
        if self.stop[0] or tree is None:
            return False
        if (total := self.worth(tree)) != value:
            raise AssertionError(f"a part of {len(part.codes)} codes has {total} where {value} was found")
        write_tree(task.claim.parent / f"found.{value}", tree)
        return True

    # ------------------------------------------------------------ what is known (under the lock)

    def _target(self, case: Case) -> int:
        """What a strategy for the part has to undercut to be of use."""
        aim = min(case.part.low + self.upper - self.total, self.infinite)
        return aim if case.found is None else min(aim, case.found[0])

    def _read(self) -> None:
        """Take over what the folder says of the parts not settled yet; `stop` is set where the opening is refuted."""
        orders = self.pool.parts()
        for case in self.cases:
            if not case.is_settled:
                self._read_case(case, orders.get(case.name, []))
        if self.total >= self.upper and not self.stop[0]:
            self.stop[0] = 1

    def _read_case(self, case: Case, orders: Iterable[str]) -> None:
        part, bound = case.part, 0
        case.is_begun = False
        for order in orders:
            folder = self.pool.of_part(case.name, order)
            facts = self.pool.facts(folder)
            case.is_begun = case.is_begun or facts.is_begun
            if order == case.order:
                case.facts = facts
            if facts.found is not None and (case.found is None or facts.found < case.found[0]):
                case.found = facts.found, folder / f"found.{facts.found}"
            bound = max(bound, facts.whole)
        target = self._target(case)
        if bound < target <= case.facts.bound(case.lows):
            bound = case.facts.bound(case.lows)
            self.pool.state(self._folder(case) / f"whole.{bound}")
        least = bound if case.found is None else min(bound, case.found[0])
        self.total += max(0, least - part.low)
        part.low = max(part.low, least)
        if case.found is not None and case.found[0] <= part.low:
            part.exact, part.tree = True, read_tree(case.found[1])
            case.is_settled = True
            self.settled.append(part)
            self.tell()

    # ------------------------------------------------------------ what comes next (under the lock)

    def _next(self, memory: ThreadMemory) -> Task | None:
        """Claim a share that nobody searches, or one whose process is gone; None if all that is left is under way."""
        left = [case for case in self.cases if not case.is_settled]
        begun = [case for case in left if case.is_begun]
        bounded = [case for case in begun if case.found is not None or not self.is_first]
        for case in [*bounded, *(case for case in left if not case.is_begun), *begun]:
            self._list(case, memory)
            for k in case.facts.open_shares(case.lows, self._target(case)):
                if (task := self._claim(case, k, memory)) is not None:
                    return task
        self._miss(begun)
        return None

    def _miss(self, begun: Iterable[Case]) -> None:
        """Release what processes claim that are gone, so that it is claimed anew."""
        if time.monotonic() < self._missed + MISSED:
            return
        self._missed = time.monotonic()
        for case in begun:
            for k in case.facts.claimed:
                claim = self._folder(case) / f"claim.{k}"
                if self.pool.is_abandoned(claim):
                    self.pool.release(claim)

    def _folder(self, case: Case) -> Path:
        return self.pool.of_part(case.name, case.order)

    def _list(self, case: Case, memory: ThreadMemory) -> None:
        """Find the order of the guesses in a case, once."""
        if case.order:
            return
        n = len(case.part.codes)
        case.order, case.lows = UNLISTED, [0]
        if n > ALONE:
            memory.stack[:n] = case.part.codes
            engine.enter_answer(memory, self.guess, case.part.label)
            listed = engine.order(memory, n, self.d, 1)
            case.order, case.lows = f"{zlib.crc32(listed.tobytes()):08x}", lowest(listed[:, 1])
        case.facts = self.pool.facts(self._folder(case))

    def _claim(self, case: Case, k: int, memory: ThreadMemory) -> Task | None:
        claim = self._folder(case) / f"claim.{k}"
        if not self.pool.claim(claim):
            return None
        target = self._target(case)
        case.part.ub = target
        first, end = share(k)
        memory.use(shared=new_words(target, first, end))
        task = Task(case, k, claim, memory)
        self.tasks.append(task)
        return task
