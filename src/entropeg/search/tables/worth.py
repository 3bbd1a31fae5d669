"""Values of the sets of a table: the least total, and the fewest guesses that settle every code of a set."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import CodeSet, secrets
from entropeg.position import Turn
from entropeg.rules import Rules
from entropeg.search.guess_parts import ALONE, PartSets
from entropeg.search.tables.sets import SetList, SetTask, turns_of
from entropeg.search.values import BoardValues, PositionValues

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
        return len(self.keys)


@lru_cache(maxsize=1)
def board_of(rules: Rules) -> BoardValues:
    """Return the values of a whole board, whatever its labels take."""
    return BoardValues(rules)


class WorthTask(SetTask[Worths]):
    """Sets to be valued, the small sets first."""

    def _next(self, left: SetList) -> NDArray[np.int64]:
        few = np.flatnonzero(left.sizes <= ALONE)
        return few[:TOGETHER] if len(few) else np.arange(1)

    def _made(self, sets: SetList) -> Worths:
        return self._together(sets) if sets.sizes[0] <= ALONE else self._alone(sets)

    def _joined(self, made: list[Worths]) -> Worths:
        return Worths.joined(made)

    def _together(self, sets: SetList) -> Worths:
        board = board_of(self.rules)
        found = PartSets(board, board.in_order(board.rows[sets.pool], sets.starts), sets.starts[:-1], sets.sizes)
        found.value()
        return Worths(sets.keys, found.totals, found.worsts)

    def _alone(self, sets: SetList) -> Worths:
        # One set, behind the turns that led to it.
        codes = CodeSet(self.rules, secrets(self.rules).planes[:, sets.pool])
        turns = tuple(turns_of(self.rules, sets.turns[0]))
        total, limit = _searched(codes, turns, None), 2
        while _searched(codes, turns, limit) is None:
            limit += 1
        return Worths(sets.keys, np.array([total or 0], np.int64), np.array([limit], np.int64))


def _searched(codes: CodeSet, turns: tuple[Turn, ...], limit: int | None) -> int | None:
    values = PositionValues(codes, turns, limit)
    with values.opened():
        total = values.value().lower
    return None if total >= values.infinite else total
