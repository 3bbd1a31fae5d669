"""How many guesses of some notes contradict the rows before them, once some rows are read otherwise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from entropeg.advise.row_readings import RowReadings, contradictions
from entropeg.advise.rows import Row
from entropeg.codes import Array
from entropeg.rules import Rules


def count_unreasoned(rows: Sequence[Row | None], rules: Rules) -> int:
    """Count the guesses that, as the secret, contradict an earlier row; rows that are None are passed over.

    >>> count_unreasoned([Row.of(*turn, "4x6") for turn in [("AABB", "X"), ("CCDD", "-"), ("CEEE", "XX")]], Rules())
    2
    """
    known = [row for row in rows if row is not None]
    broken = np.triu(contradictions(known, [row.guess for row in known], rules), 1)
    return int(broken.any(axis=0).sum())


class Reasoning:
    """The written rows held against one another; then, for readings of one or two of them, what becomes of it."""

    def __init__(self, rules: Rules, rows: tuple[Row, ...]) -> None:
        """Score every guess against every earlier one."""
        self._guesses, self._rules = [row.guess for row in rows], rules
        # broken[i, j]: the guess of row j contradicts the earlier row i.
        self._broken: Array = np.triu(contradictions(rows, self._guesses, rules), 1)
        self._later: Array = np.triu(np.ones((len(rows), len(rows)), bool), 1)

    def of_exchanges(self, exchanges: Sequence[tuple[int, int, Row]]) -> int:
        """Count the guesses that contradict the rows before them as these stood when the guess was made, live.

        The feedbacks of two rows are exchanged when the later one is noted: `exchanges` are the places of both, and
        what stood in the earlier one until then.
        """
        stood = self._broken.copy()
        for one, other, earlier in exchanges:
            stood[one, : other + 1] = contradictions([earlier], self._guesses[: other + 1], self._rules)[0]
        return int((stood & self._later).any(axis=0).sum())

    def of_one(self, readings: RowReadings) -> Array:
        """Count the guesses that contradict a row before them, for each reading of a row: `int64[v]`."""
        row = readings.row
        columns: Array = self._rest(row) | self._by(readings)
        columns[:, row] = readings.breaks.any(axis=1)
        counted: Array = columns.sum(axis=1)
        return counted

    def of_two(self, first: RowReadings, second: RowReadings) -> Array:
        """Count them for each pair of readings of two rows, the first before the second: `int64[v, w]`."""
        one, other = first.row, second.row
        rest = self._rest(one, other)
        columns: Array = rest | self._by(first)[:, None] | self._by(second)[None]
        columns[:, :, one] = _any(first.breaks, 1)[:, None]
        earlier = second.breaks.copy()
        earlier[:, one] = False
        joint = first.broken_by(second.guesses)
        joint[:, -1] = False  # a row of another game contradicts nothing
        columns[:, :, other] = _any(earlier, 1)[None] | joint
        counted: Array = columns.sum(axis=2)
        return counted

    def _rest(self, *rows: int) -> Array:
        kept = np.ones(len(self._broken), bool)
        kept[list(rows)] = False
        return _any(self._broken[kept], 0)

    def _by(self, readings: RowReadings) -> Array:
        # Which written guesses contradict each reading of an earlier row.
        broken: Array = readings.broken_by(self._guesses) & self._later[readings.row]
        return broken


def _any(broken: Array, axis: int) -> Array:
    found: Array = np.asarray(broken.any(axis=axis))
    return found
