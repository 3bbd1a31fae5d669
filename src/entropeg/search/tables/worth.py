"""Values of the sets of a table: the least total, and the fewest guesses that settle every code of a set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import CodeSet, secrets
from entropeg.rules import Rules
from entropeg.search.tables.sets import SetList, turns_of
from entropeg.search.values import ALONE, BoardValues, PositionValues

TOGETHER = 2000
"""Sets that are valued in one call, so that time and Ctrl-C are heard."""


@dataclass(frozen=True)
class Worths:
    """The values of sets by their keys: `total` guesses over all codes at least, and the fewest in the worst case."""

    keys: NDArray[np.uint64]
    totals: NDArray[np.int64]
    worsts: NDArray[np.int64]

    @classmethod
    def joined(cls, parts: list[Worths]) -> Worths:
        """Return all of them, by key."""
        keys = np.concatenate([np.zeros(0, np.uint64), *(each.keys for each in parts)])
        order = np.argsort(keys)
        totals = np.concatenate([np.zeros(0, np.int64), *(each.totals for each in parts)])
        worsts = np.concatenate([np.zeros(0, np.int64), *(each.worsts for each in parts)])
        return cls(keys[order], totals[order], worsts[order])

    def __len__(self) -> int:
        """Return the number of sets."""
        return len(self.keys)


@lru_cache(maxsize=1)
def _board(rules: Rules) -> BoardValues:
    return BoardValues(rules)


@dataclass(frozen=True)
class WorthTask:
    """Sets to be valued: a task that workers share, the small sets first."""

    rules: Rules
    sets: SetList

    @property
    def size(self) -> int:
        """Number of sets."""
        return len(self.sets)

    def split(self, pieces: int) -> list[WorthTask]:
        """Divide the sets, in turn, so that large ones are shared evenly."""
        pieces = min(pieces, self.size)
        return [replace(self, sets=self.sets.take(np.arange(at, self.size, pieces))) for at in range(pieces)]

    def run(self, budget: float) -> tuple[Worths, list[WorthTask]]:
        """Value sets for a number of seconds, one piece at least; their values, and the task left."""
        began, found, left = perf_counter(), list[Worths](), self.sets
        while len(left) and (not found or perf_counter() - began < budget):
            few = int((left.sizes <= ALONE).sum())
            some = np.flatnonzero(left.sizes <= ALONE)[:TOGETHER] if few else np.arange(1)
            piece = left.take(some)
            found.append(self._together(piece) if few else self._alone(piece))
            left = left.take(np.setdiff1d(np.arange(len(left)), some, assume_unique=True))
        return Worths.joined(found), [replace(self, sets=left)] if len(left) else []

    def _together(self, sets: SetList) -> Worths:
        board = _board(self.rules)
        rows = board.rows[sets.pool]
        totals = board.row_totals(rows, sets.starts)
        return Worths(sets.keys, totals, board.row_worsts(rows, sets.starts, totals))

    def _alone(self, sets: SetList) -> Worths:
        # One set, behind the turns that led to it.
        codes = CodeSet(self.rules, secrets(self.rules).planes[:, sets.pool])
        turns = tuple(turns_of(self.rules, sets.turns[0]))
        total, limit = _searched(codes, turns, None), 2
        while _searched(codes, turns, limit) is None:
            limit += 1
        return Worths(sets.keys, np.array([total or 0], np.int64), np.array([limit], np.int64))


def _searched(codes: CodeSet, turns: tuple[object, ...], limit: int | None) -> int | None:
    values = PositionValues(codes, turns, limit)  # type: ignore[arg-type]
    with values.opened():
        total = values.value().lower
    return None if total >= values.infinite else total
