"""Codes that fit every answer, found by chains at several temperatures, once it is known how often each color occurs.

Messages take the answers for independent and can agree on something that no code is; a chain has a code at any time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import Array
from entropeg.kernels.mixing import GAMMA

CHAINS = 8

GUESSES = 200
"""Guesses that are compared on them: half of them codes that fit."""


class ArrangementChains:
    """The chains of one game. `codes`: int16[CHAINS, pegs]. `fitting`: int16[N, pegs], codes that fit every answer.

    Their steps follow from the answers alone: their chance comes from the number of turns.
    """

    def __init__(self, colors: Array) -> None:
        """Start from the colors of the secret, int64[pegs], in some order; steps swap pegs."""
        rng = np.random.default_rng(len(colors))
        self.codes: NDArray[np.int16] = np.array([rng.permutation(colors) for _ in range(CHAINS)], np.int16)
        self.fitting: NDArray[np.int16] = self.codes[:0]
        # Inverse temperatures, geometrically spaced.
        self._betas = np.geomspace(0.6, 3.0, CHAINS)
        self._odds = np.exp(-self._betas[:, None] * np.arange(64)[None, :])

    def run(self, guesses: Array, blacks: Array, steps: int) -> None:
        """Look for codes that fit; guesses: int32[T, pegs], blacks: int64[T], steps in all."""
        from entropeg.kernels import belief as kernel

        turns, pegs = guesses.shape
        same = guesses[None, :, :] == self.codes[:, None, :]
        misses = (same.sum(axis=2) - blacks[None, :]).astype(np.int16)
        asked = np.ascontiguousarray(guesses.T.astype(np.int16))
        # 400 codes that fit are enough.
        out = np.empty((400, pegs), np.int16)
        state = np.array([turns + 1], np.uint64) * GAMMA
        rounds = max(1, steps // (CHAINS * pegs))
        found = kernel.temper_codes(self.codes, misses, asked, self._betas, self._odds, rounds, state, out)
        self.fitting = out[:found]

    def best(self, drawn: Array) -> Array:
        """Return the guess whose black is most uncertain over the fitting codes, one of these or of drawn: int64[K, n].

        Where at most two codes fit, the likelier one.
        """
        codes, sizes = np.unique(self.fitting, axis=0, return_counts=True)
        likely = codes[np.argsort(-sizes, kind="stable")[: GUESSES // 2]]
        if len(likely) <= 2:
            return np.asarray(likely[0], np.int64)
        guesses = np.concatenate([likely, drawn.astype(np.int16)])
        black = (guesses[:, None, :] == self.fitting[None, :, :]).sum(axis=2)
        costs = [_cost(row) - (number < len(likely)) for number, row in enumerate(black)]
        return np.asarray(guesses[int(np.argmin(costs))], np.int64)


def _cost(black: Array) -> float:
    sizes = np.bincount(black)
    sizes = sizes[sizes > 0]
    return float((sizes * np.log(sizes)).sum())
