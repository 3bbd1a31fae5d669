"""The parts that openings leave, searched by several threads until their bounds refute all, or one is the best.

Bounds are bought where they are cheapest. Always the opening of the least bound is raised, which is the bound of the
board, and of its parts always the one whose last rise took the least work for each unit. What a part is asked for at
first is little, and twice as much while it costs little. A search that gets dear is paused, and goes on where it stood
once the others have got as dear.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg.search.exact import engine
from entropeg.search.exact.fields import BEST_OF_ALL, DEEP, EXACT, FOUND, NO_GUESS, NO_LABEL, PAUSED, SMALL, WORK
from entropeg.search.exact.layout import ThreadMemory, new_words
from entropeg.search.strategies import Node

ALONE = 3 * SMALL  # parts up to this size are searched by one thread, several of them at once


class Steps(NamedTuple):
    """How parts are asked: at first for the missing gain, shared out by size, through ``first``.

    Then by shares of the work on an opening: below ``cheap`` a part is asked for twice as much, above ``dear`` for
    half, and at ``most`` its search is paused. Work of a few ``looks`` at all guesses for a part is always cheap.
    """

    first: int
    cheap: float
    dear: float
    most: float
    looks: int


FINE, COARSE = Steps(16, 0.02, 0.08, 0.25, 8), Steps(4, 0.1, 0.3, 0.6, 1)
"""Small steps raise the bound soonest. They waste work, as each goes over what the ones before went over."""
FAR = 0.02
"""Share of the best total that has to be missing for steps to be fine, and that in proofs that may not end only."""
LAST = 25
"""How many times these shares are meant for the last open part of an opening, of which everything has to come."""

NONE = 1 << 62  # more than any total, where none is known

Codes = NDArray[np.int32]


@dataclass(eq=False)
class Part:
    """One part of an opening: its codes, its lower bound, whether that is its value, and the guess that attains it.

    Where the workers of an executor found that, the strategy for it. ``step``: what it is to be asked for next, 0 at
    first; ``rate``: work for a unit of the last rise of its bound; ``work``: all that it took.
    """

    label: int
    codes: Codes
    mixed: int
    low: int
    exact: bool
    guess: int = NO_GUESS
    tree: Node | None = None
    step: int = 0
    rate: float = 0.0
    work: int = 0


@dataclass(eq=False)
class OpeningSearch:
    """The search of an opening: its parts, and its lower bound ``total``, to be brought to ``upper``.

    ``d``: guesses left after it; ``stop[0]``: ends all searches where it is not 0; ``tell`` is called when a part is
    added to ``settled``; ``is_first``: the opening is likely the best, so that all parts have to be solved;
    ``infinite``: more than any total; ``guess``: the opening.
    """

    parts: list[Part]
    total: int
    upper: int
    d: int
    stop: NDArray[np.int64]
    tell: Callable[[], None]
    is_first: bool
    infinite: int
    guess: int
    settled: list[tuple[int, Part]] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        """Order the parts as they are begun."""
        self.parts = sorted(self.parts, key=lambda part: len(part.codes), reverse=self.is_first)

    @property
    def now(self) -> tuple[int, int, int]:
        """Lower bound, the opening under study, and how many are below ``upper``."""
        return self.total, self.guess, int(self.total < self.upper)

    def watch(self) -> None:
        """Look at what is under way."""


@dataclass(eq=False)
class OpenedGuess:
    """A first guess, its lower bound, and its parts once it was opened; ``is_taken``: a thread opens it."""

    guess: int
    total: int
    parts: list[Part] | None = None
    is_taken: bool = False

    @property
    def open_parts(self) -> list[Part]:
        """Those whose values are not known."""
        return [part for part in self.parts or () if not part.exact]


class SpareMemories:
    """Memories for threads whose own stands still, made when they are needed, as many as there may be."""

    def __init__(self, made: list[ThreadMemory], most: int, make: Callable[[], ThreadMemory]) -> None:
        """``made``: those that there are, to which ``make`` adds one."""
        self._free, self._made, self._most, self._make = list(made), made, most, make

    def __len__(self) -> int:
        """How many can be had."""
        return len(self._free) + max(0, self._most - len(self._made))

    def take(self) -> ThreadMemory:
        """One of them."""
        if not self._free:
            self._made.append(self._make())
            return self._made[-1]
        return self._free.pop()

    def give(self, *memories: ThreadMemory) -> None:
        """Take some back."""
        self._free += memories


@dataclass(eq=False)
class Rise:
    """A search that is to raise the bound of a part to ``ub``, by threads that have words in common.

    ``begun``: the memories of those at work, and what each had worked before; ``paused``: the memories of those that
    stand still; ``most``: work at which it is paused; ``least``: the least that a thread returned; ``is_shared_out``:
    there is nothing left to join.
    """

    opening: OpenedGuess
    part: Part
    ub: int
    most: float
    shared: NDArray[np.int64]
    stop: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, np.int64))
    begun: list[tuple[ThreadMemory, int]] = field(default_factory=list)
    paused: list[ThreadMemory] = field(default_factory=list)
    ended: int = 0
    least: tuple[int, int] = (NONE, NO_GUESS)
    is_shared_out: bool = False
    is_pausing: bool = False

    @property
    def asked(self) -> int:
        """By how much the bound is to rise."""
        return self.ub - self.part.low

    @property
    def together(self) -> bool:
        """Whether several threads may search it."""
        return len(self.part.codes) > ALONE

    @property
    def can_be_joined(self) -> bool:
        """Whether there is something for one more thread to do."""
        return self.together and not (self.is_shared_out or self.is_pausing or self.stop[0])

    @property
    def work(self) -> int:
        """Labels looked at so far."""
        return self.ended + sum(int(memory.nodes[WORK]) - before for memory, before in self.begun)

    def begin(self, memory: ThreadMemory) -> None:
        """Let a thread take part."""
        memory.use(stop=self.stop, shared=self.shared)
        memory.pause(is_to=False)
        self.begun.append((memory, int(memory.nodes[WORK])))

    def end(self, memory: ThreadMemory) -> None:
        """Let a thread leave."""
        [own] = [pair for pair in self.begun if pair[0] is memory]
        memory.pause(is_to=False)
        worked = int(memory.nodes[WORK]) - own[1]
        self.ended += worked
        self.part.work += worked
        self.begun.remove(own)


class RaisedOpenings:
    """Openings that threads raise together until all cost ``upper`` or more; a better one that is found lowers it.

    ``best`` is its guess then. Small parts are searched by one thread each; large ones may be joined by threads that
    find nothing else. Without a bound, ``upper`` being ``infinite``, all parts have to be solved: there each thread
    begins a part of its own, since two on the same part would both search without a bound, and the largest come first,
    for the others to join when a bound is known.

    A search that is paused keeps its memory, so that its thread takes another. Where there is none, the search is
    stopped: what it has found is lost then, but for the sets in the table.
    """

    def __init__(  # noqa: PLR0913 - what a proof has
        self,
        openings: list[OpenedGuess],
        upper: int,
        d: int,
        stop: NDArray[np.int64],
        tell: Callable[[], None],
        infinite: int,
        begin: Callable[[ThreadMemory, OpenedGuess], None],
        *,
        spares: SpareMemories,
        guesses: int,
        is_long: bool,
    ) -> None:
        """As `OpeningSearch`; ``begin``: cuts a set by an opening and bounds its parts.

        ``guesses``: how many there are; ``is_long``: that the search may well be ended before it is over.
        """
        self.openings, self.upper, self.d = openings, upper, d
        self.stop, self.tell, self.infinite, self._begin = stop, tell, infinite, begin
        self.best, self.guesses, self.is_long = NO_GUESS, guesses, is_long
        self.settled: list[tuple[int, Part]] = []
        self.running: list[Rise] = []
        self.waiting: dict[Part, Rise] = {}
        self.spares = spares
        self._changed = threading.Condition()

    @property
    def now(self) -> tuple[int, int, int]:
        """Lower bound, the opening that has it, and how many are below ``upper``."""
        below = [opening for opening in self.openings if opening.total < self.upper]
        least = min(below, key=lambda opening: opening.total, default=None)
        return (self.upper, self.best, 0) if least is None else (least.total, least.guess, len(below))

    def watch(self) -> None:
        """Pause searches that are dear, and stop all that are to be."""
        with self._changed:
            spare = len(self.spares) - sum(len(rise.begun) for rise in self.running if rise.is_pausing)
            for rise in self.running:
                is_dear = rise.work > rise.most and not rise.is_pausing
                if self.stop[0] or (is_dear and len(rise.begun) > spare):
                    rise.stop[0] = rise.stop[0] or 1
                elif is_dear:
                    spare -= len(rise.begun)
                    rise.is_pausing = True
                    for memory, _ in rise.begun:
                        memory.pause(is_to=True)

    def lower(self, upper: int) -> None:
        """Bring the openings to less: a better strategy was found elsewhere."""
        with self._changed:
            if upper < self.upper:
                self.upper, self.best = upper, NO_GUESS
                for opening in self.openings:
                    self._look_at(opening)

    def run(self, memory: ThreadMemory) -> None:
        """Search, as one of the threads, as long as there is something to search."""
        while (task := self._next(memory)) is not None:
            if isinstance(task, OpenedGuess):
                self._begin(memory, task)
                with self._changed:
                    self._look_at(task)
                continue
            rise, memory, is_again = task
            found = engine.resume(memory, 1, together=rise.together) if is_again else self._searched(memory, rise)
            with self._changed:
                self._returned(rise, memory, *found)
                if found[0] == PAUSED:
                    memory = self.spares.take()

    def _searched(self, memory: ThreadMemory, rise: Rise) -> tuple[int, int]:
        part, guess = rise.part, rise.opening.guess
        if memory.entered[:1] != [guess]:
            engine.enter(memory, 0, guess, NO_LABEL)
        engine.enter_answer(memory, guess, part.label)
        return engine.solve(memory, part.codes, rise.ub, self.d, 1, part.mixed, together=rise.together)

    def _next(self, memory: ThreadMemory) -> tuple[Rise, ThreadMemory, bool] | OpenedGuess | None:
        """An opening to cut; or a search, the memory for it, and whether that has searched it before."""
        with self._changed:
            while not self.stop[0]:
                task = self._choice()
                if isinstance(task, Rise):
                    return task, *self._taken_part(task, memory)
                if task is not None or not (self.running or any(each.parts is None for each in self._below())):
                    return task
                self._changed.wait(0.1)
            return None

    def _taken_part(self, rise: Rise, memory: ThreadMemory) -> tuple[ThreadMemory, bool]:
        is_again = bool(rise.paused)
        if is_again:
            self.spares.give(memory)
            memory = rise.paused.pop()
        rise.begin(memory)
        return memory, is_again

    def _below(self) -> list[OpenedGuess]:
        """The openings that are not refuted, that of the least bound first."""
        return sorted((each for each in self.openings if each.total < self.upper), key=lambda each: each.total)

    def _choice(self) -> Rise | OpenedGuess | None:
        for opening in self._below():
            if opening.parts is not None:
                rise = self._begun(opening)
                if rise is not None:
                    return rise
            elif not opening.is_taken:
                opening.is_taken = True
                return opening
        open_ones = [rise for rise in self.running if rise.can_be_joined]
        bounded = [rise for rise in open_ones if rise.ub < self.infinite or rise.shared[FOUND]]
        return next(iter(bounded or open_ones), None)

    def _begun(self, opening: OpenedGuess) -> Rise | None:
        """A rise of the part that costs least; None where no more is missing than is asked for already."""
        left, running = opening.open_parts, {rise.part: rise for rise in self.running if rise.opening is opening}
        free = [part for part in left if part not in running]
        missing = self.upper - opening.total - sum(rise.asked for rise in running.values())
        if not free or missing <= 0:
            return None
        most = float("inf")
        if self.upper >= self.infinite:
            part = max(free, key=lambda part: len(part.codes))
            asked = self.infinite - part.low
        else:
            part = min(free, key=lambda part: (part.rate, len(part.codes)))
            steps, size = self._steps(opening), sum(len(each.codes) for each in left)
            part.step = part.step or max(1, missing * len(part.codes) // (steps.first * size))
            asked = min(part.step, missing, self.infinite - part.low)
            if len(left) > 1:
                most = max(10 * self._least(part, steps), steps.most * _work(opening), 2 * part.rate * asked)
        rise = self.waiting.pop(part, None)
        if rise is None:
            rise = Rise(opening, part, part.low + asked, most, new_words(part.low + asked))
        elif len(left) > 1:
            rise.most = 2 * rise.work
        else:
            rise.most = most
        rise.is_pausing = False
        self.running.append(rise)
        return rise

    # ------------------------------------------------------------ what came of searches

    def _returned(self, rise: Rise, memory: ThreadMemory, value: int, guess: int) -> None:
        rise.end(memory)
        if value == PAUSED:
            rise.paused.append(memory)
        else:
            rise.is_shared_out = True
            if not rise.stop[0]:
                rise.least = min(rise.least, (value, guess))
        if rise.begun:
            return
        self.running.remove(rise)
        if rise.stop[0]:
            self._drop(rise)
        if rise.stop[0] == DEEP:
            self.stop[0] = DEEP
        if rise.paused:
            # As dear as if it will take as much again.
            rise.part.rate = 2 * rise.work / rise.asked
            self.waiting[rise.part] = rise
        elif not self.stop[0]:
            self._learn(rise)
        self._look_at(rise.opening)

    def _drop(self, rise: Rise) -> None:
        self.spares.give(*rise.paused)
        rise.paused.clear()

    def _learn(self, rise: Rise) -> None:
        part, opening = rise.part, rise.opening
        if rise.stop[0]:
            # A search that was stopped returns no news, but that it is dear.
            part.rate, part.step = 4 * rise.ended / rise.asked, max(1, part.step // 2)
            return
        low, guess = rise.least
        low = min(low, self.infinite)
        if rise.together:
            part.exact, part.guess = guess != NO_GUESS, guess
        else:
            part.exact = low < rise.ub
        gain = max(0, low - part.low)
        part.rate = rise.ended / max(gain, 1)
        whole = _work(opening) * (LAST if len(opening.open_parts) == 1 else 1)
        steps = self._steps(opening)
        if rise.ended <= max(self._least(part, steps), steps.cheap * whole):
            part.step *= 2
        elif rise.ended > max(5 * self._least(part, steps), steps.dear * whole):
            part.step = max(1, part.step // 2)
        opening.total += gain
        part.low += gain
        self.settled.append((opening.guess, part))
        if part.exact:
            self.tell()

    def _least(self, part: Part, steps: Steps) -> int:
        return steps.looks * len(part.codes) * self.guesses

    def _steps(self, opening: OpenedGuess) -> Steps:
        return FINE if self.is_long and self.upper - opening.total > FAR * self.upper else COARSE

    def _look_at(self, opening: OpenedGuess) -> None:
        """See whether an opening is refuted or the best, and what is asked of its parts now."""
        if opening.total < self.upper and opening.parts is not None and not opening.open_parts:
            self.upper, self.best = opening.total, opening.guess
        for rise in [*self.running, *self.waiting.values()]:
            aim = rise.part.low + self.upper - rise.opening.total
            if aim <= rise.part.low:
                rise.stop[0] = rise.stop[0] or 1
                if self.waiting.pop(rise.part, None):
                    self._drop(rise)
            else:  # a value above the aim that was found is forgotten: that it is not below is all that matters
                rise.shared[BEST_OF_ALL] = min(rise.shared[BEST_OF_ALL], aim)
        self._changed.notify_all()


def _work(opening: OpenedGuess) -> int:
    return sum(part.work for part in opening.parts or ())


def opened_parts(memory: ThreadMemory, labels: int) -> list[Part]:
    """The parts into which `engine.open_parts` cut a set, ``labels`` at most."""
    arrays, parts = memory.arrays, []
    for label in range(labels):
        size = int(arrays["count"][0, label])
        if size:
            begin = int(arrays["start"][0, label])
            codes = memory.stack[begin : begin + size].copy()
            exact = bool(arrays["state"][0, label] == EXACT)
            parts.append(Part(label, codes, int(arrays["hashes"][0, label]), int(arrays["low"][0, label]), exact))
    return parts
