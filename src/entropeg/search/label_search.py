"""Searches over the labels of all guesses, run in a thread while signals are heard and the clock is looked at."""

from __future__ import annotations

import time as clock
from abc import ABC, abstractmethod
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait

import numpy as np

from entropeg.codes import Array, CodeSet
from entropeg.search.reach import MATRIX_BYTES, Reach
from entropeg.search.results import Value
from entropeg.signals import held
from entropeg.told import Joined, Told


class StoppedError(Exception):
    """The search was told to stop."""


class BoundedFinding:
    """What a search found: a value, proven or between bounds, and lines that say it."""

    value: Value

    @property
    def is_exact(self) -> bool:
        """Whether the bounds agree, which is proven."""
        return self.value.is_exact

    def lines(self) -> Iterator[str]:
        """Give the lines that say it."""
        raise NotImplementedError

    def __str__(self) -> str:
        return Joined(self.lines(), "\n")


class HeardSearch(ABC):
    """One call of a search: `_search` stops soon once `stop[0]` is set, and keeps what it has by then."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.stop = np.zeros(1, np.int64)
        self.is_interrupted = False

    @abstractmethod
    def _search(self) -> None:
        """Search, in a thread of its own."""

    @abstractmethod
    def _tell(self) -> None:
        """Tell how the search stands; KeyboardInterrupt stops it."""

    def searched(self) -> float:
        """Search until it is done, out of time or interrupted; return the seconds that it took."""
        began = clock.perf_counter()
        with held(self._interrupt), ThreadPoolExecutor(1) as pool:
            call = pool.submit(self._search)
            while wait([call], 0.1).not_done:
                if clock.perf_counter() > began + self.seconds:
                    self.stop[0] = 1
                try:
                    self._tell()
                except KeyboardInterrupt:
                    self._interrupt()
            call.result()
        return clock.perf_counter() - began

    def _interrupt(self) -> None:
        self.is_interrupted, self.stop[0] = True, 1


class LabelSearch(HeardSearch):
    """A search over labels.

    ``labels``: uint16[guesses, secrets], numbered as they occur; ``label_of`` has those of the rules.
    """

    def __init__(self, seconds: float, legal: CodeSet, codes: CodeSet) -> None:
        """Make the labels; raises TooLargeError where they take more than 200 MB."""
        rules = codes.rules
        Reach.of(rules).check(MATRIX_BYTES // 3)  # labels of two bytes, and those of one
        super().__init__(seconds)
        labels = codes.labels(legal)
        occurs = np.zeros(max(int(labels.max()), rules.win_label) + 1, np.bool_)
        for row in labels:
            occurs[row] = True
        self.label_of = np.flatnonzero(occurs)
        self.width = len(self.label_of)
        self.labels: Array = np.ascontiguousarray((occurs.cumsum() - 1).astype(np.uint16)[labels])


def why_unproven(*, is_exact: bool, is_interrupted: bool) -> Iterator[Told]:
    """Give a line that says why a proof is not complete; none where it is."""
    if is_interrupted:
        yield Told("interrupted before the proof was complete")
    elif not is_exact:
        yield Told("out of time before the proof was complete")
