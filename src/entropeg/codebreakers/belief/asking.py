"""Codes whose number of blacks is as uncertain as can be, given all earlier answers: drawn ones, improved peg by peg.

A guess drawn by the uncertainty of each peg asks much that earlier answers told together. How much of the variance of
its answer they explain is a matter of covariances (`kernels.ascent`); the rest is made as large as possible.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import Array

GAIN = 1e-9
"""Variances that differ by less are alike."""

UNBOUNDED = 1 << 30
"""Room for a color that may be repeated."""


class Draft(NamedTuple):
    """A code to improve, int64[pegs], and what may be done to it.

    locked: bool[pegs], pegs whose color may only change places. room: int64[colors], how many more pegs may take a
    color.
    """

    code: NDArray[np.int64]
    locked: NDArray[np.bool_]
    room: NDArray[np.int64]


class Regression:
    """The part of a further answer that all earlier ones explain, after one turn of one game."""

    def __init__(self, chances: Array, guesses: Array, counted: Array) -> None:
        """Take float64[pegs, colors], the guesses so far, int32[T, pegs], and int64[k], colors of known number."""
        from entropeg.kernels import ascent as kernel

        # Pegs whose color is all but known are left as they are.
        self.pegs: NDArray[np.int64] = np.flatnonzero(chances.max(axis=1) < 1 - 1e-5)
        likely = np.ascontiguousarray(chances[self.pegs])
        spread = (likely * (1 - likely)).sum(axis=0)
        # A color whose pegs are known in number is a row while the chances leave that number open.
        counted = counted[spread[counted] > 1e-3]
        asked = np.ascontiguousarray(guesses[:, self.pegs])
        (turns, pegs), colors = asked.shape, likely.shape[1]
        rows = turns + len(counted)
        self._marks = kernel.RowMarks(np.empty((pegs, rows), np.int32), np.empty((pegs, colors + 1), np.int32))
        self._told = kernel.Explained(
            likely,
            np.empty((rows, rows)),
            np.empty((rows, pegs)),
            np.empty((pegs, rows)),
            np.empty((pegs, pegs)),
            np.empty((pegs, colors)),
        )
        size = kernel.PANEL
        room = kernel.RegressionRoom(
            np.empty((rows, pegs)), np.empty((size, rows)), np.empty((size, rows)), np.empty((size, size))
        )
        kernel.explain(asked, counted, self._told, self._marks, room)
        self._scratch = kernel.AscentScratch(np.empty(rows), np.empty(pegs), np.empty(colors), np.empty(pegs, np.int64))

    def improve(self, draft: Draft, rng: np.random.Generator) -> float:
        """Change a code in place while that makes its answer less foreseeable; return the variance of its blacks."""
        from entropeg.kernels import ascent as kernel

        distinct = not draft.room.max() > 1
        part, locked = draft.code[self.pegs], draft.locked[self.pegs]
        state = rng.integers(1, 1 << 62, size=1).astype(np.uint64)
        # To 64 pegs every peg is looked at up to six times from one start, and may change places with any other;
        # beyond, twice, and pegs change places only where they must keep their colors. Against the latter the former
        # took 1.9 ± 0.9 guesses less on 50x50 (60 games), and on 100x100 4.3 ± 3.4 more (20), in 1.7 times the time.
        limits = np.array([6, True] if len(draft.code) <= 64 else [2, distinct])
        variance = kernel.ascend(self._told, self._marks, part, locked, draft.room, limits, state, self._scratch)
        draft.code[self.pegs] = part
        return float(variance)
