"""Decides whether any counts of colors give what some answers say of colors, and if none do, which answer may be wrong.

Black and white together are Σ_c min(pegs of c in the guess, pegs of c in the secret). Colors are gone through one by
one; counts of those before that leave the same to those behind are one state, and states from which some sum cannot be
reached any more are dropped. Where none is left, no secret gives these sums: a proof, where the list of likely counts
(`colors`) found empty is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lgamma, log
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from entropeg.feedback import AnyFeedback, Code

if TYPE_CHECKING:
    from numpy.typing import NDArray

Array = Any  # dtypes are said in the docstrings

STATES = 1 << 17
"""Most states that are followed, some seconds; no game of 50x50 with a wrong answer needed more than 7,000."""

MORE = 6
"""Where rows are only compared, a color has at most so many pegs more than any guess had: all but one in millions."""


LEAST = 1e-290
"""A weight is never less, since none at all is a proof."""


class _SumsLeft(NamedTuple):
    """States: int64[n, T], int64[n] and float64[n]."""

    lacks: Array
    rest: Array
    weights: Array


class ColorSums:
    """What some answers say of colors.

    `counts`: int64[T, k], pegs in each guess of each color that may occur. `sums`: int64[T], black and white together.
    """

    def __init__(self, counts: NDArray[np.int64], sums: NDArray[np.int64], pegs: int) -> None:
        """Take arrays as they are described above."""
        self.sums, self.pegs = sums, pegs
        is_asked = counts.any(axis=0)
        self._counts, self._others = counts[:, is_asked], int((~is_asked).sum())
        self._later = np.zeros_like(self._counts)  # of each guess, the pegs of the colors behind one
        self._later[:, :-1] = np.cumsum(self._counts[:, :0:-1], axis=1)[:, ::-1]
        # How likely so many pegs have one color, or one of those of which nothing was asked, were each of any color
        # alike: up to a factor.
        shares = [pegs / counts.shape[1], pegs * self._others / counts.shape[1]]
        self._color, self._rest = (np.array([_poisson(count, share) for count in range(pegs + 1)]) for share in shares)

    @classmethod
    def of(cls, turns: Sequence[tuple[Code, AnyFeedback]], colors: Sequence[int]) -> ColorSums:
        """Take turns of standard feedback, one at least, and the colors that may occur.

        >>> from entropeg import Position
        >>> turns = Position("4x3", ["AAAA XXX", "BBBB XX", "AABB XXXX"]).turns
        >>> told = ColorSums.of(turns, range(3))
        >>> told.weight(told.sums), told.suspects()
        (0.0, {0: 1.0})
        """
        counts = np.array([np.bincount(guess, minlength=max(colors) + 1)[list(colors)] for guess, _ in turns])
        sums = np.array([answer.black + answer.white for _, answer in turns])
        return cls(counts, sums, len(turns[0][0]))

    def weight(self, sums: Array, more: int | None = None) -> float | None:
        """Return how likely a secret gives some sums, int64[T], up to a factor; 0 where none does, which is a proof.

        None where that takes more than `STATES` states. With `more` no color has that many pegs above the most asked.
        """
        # A state is what each sum lacks, and the pegs that are left.
        state = _SumsLeft(sums[None, :], np.array([self.pegs]), np.ones(1))
        for color in range(self._counts.shape[1]):
            reached = self._after(state, color, more)
            if not sum(len(each.rest) for each in reached):
                return 0.0
            state = _joined(reached)
            if len(state.rest) > STATES:
                return None
        if not self._others:
            return float(state.weights[state.rest == 0].sum())
        return float(np.maximum(state.weights * self._rest[state.rest], LEAST).sum())

    def _after(self, state: _SumsLeft, color: int, more: int | None) -> list[_SumsLeft]:
        """Return the states once a color has 0, 1, ... pegs, of which every sum may still be reached."""
        most = self.pegs if more is None else min(self.pegs, int(self._counts[:, color].max()) + more)
        lacks, rest, weights = state
        reached = []
        for count in range(most + 1):
            left, kept = lacks - np.minimum(count, self._counts[:, color]), rest - count
            fits = (kept >= 0) & (left >= 0).all(axis=1)  # of more pegs no more fit
            lacks, rest, weights, left, kept = lacks[fits], rest[fits], weights[fits], left[fits], kept[fits]
            if not len(rest):
                break
            fits = (left <= np.minimum(self._later[:, color], kept[:, None])).all(axis=1)
            reached.append(_SumsLeft(left[fits], kept[fits], weights[fits] * self._color[count]))
        return reached

    def suspects(self) -> dict[int, float]:
        """Return rows, by index, that may be wrong, with their chances, if one sum is one off; else none.

        Of two wrong rows one may be named, or none.
        """
        found: dict[int, float] = {}
        for row in range(len(self.sums)):
            off = np.zeros_like(self.sums)
            off[row] = 1
            found[row] = sum(self.weight(self.sums + way * off, MORE) or 0.0 for way in (-1, 1))
        total = sum(found.values())
        return {row: weight / total for row, weight in found.items() if weight}


def _joined(states: list[_SumsLeft]) -> _SumsLeft:
    # States that leave the same are one; sums that lack the same in all of them tell none apart.
    lacks, rest, weights = (np.concatenate(parts) for parts in zip(*states, strict=True))
    apart = np.flatnonzero((lacks != lacks[0]).any(axis=0))
    rows = np.ascontiguousarray(np.column_stack([lacks[:, apart], rest]).astype(np.int32))
    whole = rows.view(f"V{rows.itemsize * rows.shape[1]}").ravel()
    _, first, place = np.unique(whole, return_index=True, return_inverse=True)
    return _SumsLeft(lacks[first], rest[first], np.maximum(np.bincount(place, weights), LEAST))


def _poisson(count: int, share: float) -> float:
    if not share:
        return float(count == 0)
    return float(np.exp(count * log(share) - lgamma(count + 1) - share))
