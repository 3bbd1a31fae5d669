"""Decides whether any counts of colors give what some answers say of colors, and if none do, which answer may be wrong.

Black and white together are Σ_c min(pegs of c in the guess, pegs of c in the secret). Colors are gone through one by
one; counts of those before that leave the same to those behind are one state, and states from which some sum cannot be
reached any more are dropped. Where none is left, no secret gives these sums: a proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lgamma, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg.codebreakers.doubts import Suspect
from entropeg.codes import Array
from entropeg.feedback import AnyFeedback, Code
from entropeg.rules import Rules

STATES = 1 << 17
"""Most states that are followed, some seconds; no game of 50x50 with a wrong answer needed more than 7,000."""

MORE = 6
"""Where rows are only compared, a color has at most so many pegs more than any guess had: all but one in millions."""


EFFORT = 2_000_000
"""Rows are compared where their number squared times that of the colors is no more: some seconds."""

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
    def of(cls, rules: Rules, turns: Sequence[tuple[Code, AnyFeedback]]) -> ColorSums:
        """Take turns of standard feedback, one at least.

        >>> from entropeg import Position
        >>> position = Position("4x3", ["AAAA XXX", "BBBB XX", "AABB XXXX"])
        >>> told = ColorSums.of(position.rules, position.turns)
        >>> told.weight(told.sums), told.suspects()
        (0.0, (Suspect(row=0, chance=1.0),))
        """
        colors = rules.symbols_in_secrets
        counts = np.array([np.bincount(guess, minlength=colors)[:colors] for guess, _ in turns])
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

    @property
    def is_quick(self) -> bool:
        """Whether the rows can be compared in some seconds."""
        turns, colors = self._counts.shape
        return bool(turns**2 * colors <= EFFORT)

    def suspects(self) -> tuple[Suspect, ...]:
        """Return the rows that may be wrong, likeliest first, if one sum is one off; else none.

        Of two wrong rows one may be named, or none. None where there are too many rows to compare them.
        """
        rows = len(self.sums)
        if not self.is_quick:
            return ()
        weights = np.zeros(rows)
        for row in range(rows):
            off = np.zeros_like(self.sums)
            off[row] = 1
            weights[row] = sum(self.weight(self.sums + way * off, MORE) or 0.0 for way in (-1, 1))
        order = np.argsort(-weights, kind="stable")
        return tuple(Suspect(int(row), float(weights[row] / weights.sum())) for row in order if weights[row])


def suspects_of(rules: Rules, turns: Sequence[tuple[Code, AnyFeedback]]) -> tuple[Suspect, ...]:
    """Return the rows that may be wrong where the sums of colors contradict each other; none where they do not.

    None, too, under feedback that tells no such sums, and where no color repeats.
    """
    if not turns or not rules.repeats or rules.feedback.about.common != "copies":
        return ()
    told = ColorSums.of(rules, turns)
    return told.suspects() if told.is_quick and told.weight(told.sums) == 0 else ()


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
