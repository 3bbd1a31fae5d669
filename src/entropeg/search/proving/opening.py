"""The parts that an opening leaves, searched by several threads until their bounds refute it or all are exact."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from entropeg.search.exact import engine
from entropeg.search.exact.fields import BEST_OF_ALL, FOUND, NO_GUESS, SMALL
from entropeg.search.exact.layout import ThreadMemory, new_words
from entropeg.search.strategies import Node

ALONE = 3 * SMALL  # parts up to this size are searched by one thread, several of them at once

NONE = 1 << 62  # more than any total, where none is known

Codes = NDArray[np.int32]


@dataclass
class Part:
    """One part of an opening: its codes, its lower bound, whether that is its value, and the guess that attains it.

    Where the workers of an executor found that, the strategy for it.

    While it is searched: the bound ``ub`` that it was begun with, the same for all threads, what they have in common
    (`engine` tells the words of ``shared``), how many they are, and the least that one of them returned.
    """

    label: int
    codes: Codes
    mixed: int
    low: int
    exact: bool
    guess: int = NO_GUESS
    tree: Node | None = None
    ub: int = NONE
    shared: NDArray[np.int64] = field(default_factory=lambda: new_words(NONE))
    active: int = 0
    least: tuple[int, int] = (NONE, NO_GUESS)
    is_shared_out: bool = False

    @property
    def has_bound(self) -> bool:
        """Whether some guess was followed to the end; threads that join earlier search without a bound."""
        return bool(self.shared[FOUND])


@dataclass
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
    settled: list[Part] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        """Order the parts as they are begun."""
        self.parts = sorted(self.parts, key=lambda part: len(part.codes), reverse=self.is_first)
        self._lock = threading.Lock()


class ThreadedOpening(OpeningSearch):
    """An opening whose parts threads search together. ``total`` is its lower bound so far, to be brought to ``upper``.

    Parts are begun from the smallest on, small ones by one thread each. On large ones threads take one second guess
    after another; a thread that finds none left goes on with the next part, while the others finish theirs. Of the
    opening that is likely the best (``is_first``) all parts have to be solved: there each thread begins a part of its
    own, since two on the same part would both search without a bound, and the largest come first, for the others to
    join when a bound is known.
    """

    def __post_init__(self) -> None:
        """Begin with all parts waiting."""
        super().__post_init__()
        self.waiting = [part for part in self.parts if not part.exact]
        self.running: list[Part] = []

    def run(self, memory: ThreadMemory) -> None:
        """Search, as one of the threads, as long as there is something to search."""
        while (part := self._next()) is not None:
            together = len(part.codes) > ALONE
            if together:
                memory.use(shared=part.shared)
            engine.enter_answer(memory, self.guess, part.label)
            found = engine.solve(memory, part.codes, part.ub, self.d, 1, part.mixed, together=together)
            with self._lock:
                self._returned(part, *found, together=together)

    def _next(self) -> Part | None:
        with self._lock:
            if self.stop[0] or self.total >= self.upper:
                return None
            part = self._choice()
            if part is not None:
                part.active += 1
            return part

    def _choice(self) -> Part | None:
        open_ones = [part for part in self.running if not part.is_shared_out]
        bounded = [part for part in open_ones if part.has_bound or not self.is_first]
        if bounded:
            return bounded[0]
        if not self.waiting:
            return open_ones[0] if open_ones else None
        part = self.waiting.pop(0)
        # The total has this part's bound in it. A search that does not undercut `ub` brings the total to `upper`,
        # whatever the other parts do meanwhile, for that only raises it.
        part.ub = min(part.low + self.upper - self.total, self.infinite)
        part.shared[:] = new_words(part.ub)
        if len(part.codes) > ALONE:
            self.running.append(part)
        return part

    def _returned(self, part: Part, value: int, guess: int, *, together: bool) -> None:
        part.active -= 1
        if self.stop[0]:  # a search that was stopped returns no news
            return
        part.is_shared_out = True
        part.least = min(part.least, (value, guess))
        if part.active:
            return
        low, guess = part.least
        if together:
            self.running.remove(part)
            part.exact, part.guess = guess != NO_GUESS, guess
        else:
            part.exact = low < part.ub
        self.total += max(0, low - part.low)
        part.low = max(part.low, low)
        self.settled.append(part)
        self.tell()
        if self.total < self.upper:
            self._lower_aims()
        elif not self.stop[0]:
            self.stop[0] = 1  # the opening is refuted: the others may leave their parts

    def _lower_aims(self) -> None:
        """Tell the threads on other parts that less is needed now to refute the opening."""
        for part in self.running:
            aim = part.low + self.upper - self.total
            # A value above the aim that was found is forgotten: that it is not below is all that matters.
            part.shared[BEST_OF_ALL] = min(part.shared[BEST_OF_ALL], aim)
