"""Beliefs on boards without repeats: which colors occur at all, and codes of different colors that ask open questions.

Every color is on one peg at most. Black and white together tell how many of the colors of a guess occur: a sum of
zeros and ones, over which the messages of `kernels.belief` pass as they do over pegs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Array = Any  # dtypes are said in the docstrings

ABSENT, PRESENT, NOT_ASKED = 0, 1, 2
"""Columns of the weights; the last has no weight."""


class Presence:
    """Which colors the secret has, by messages from black and white together; it has `pegs` of them.

    `weights`: float64[colors, 3], absent, present, and nothing. `likely`: float64[colors, 2], how likely the answers
    are without and with each color. The first question is about all colors, of which as many as pegs occur. Where most
    colors occur the answers count those that do not: the smaller number is the smaller work.
    """

    def __init__(self, pegs: int, colors: int) -> None:
        self.pegs, self.colors = pegs, colors
        self.likely: NDArray[np.float64] = np.ones((colors, 2))
        self.weights = np.zeros((colors, 3))
        self._counted = ABSENT if 2 * pegs > colors else PRESENT
        self._asked: NDArray[np.int32] = np.full((8, colors), self._counted, np.int32)
        self._sums: NDArray[np.int64] = np.full(8, pegs if self._counted == PRESENT else colors - pegs)
        self._ratios: NDArray[np.float64] = np.ones((8, colors))
        self._used = 1

    def take(self, guess: Array, common: int) -> None:
        """Take in an answer: the guess, int[pegs], and black plus white."""
        if self._used == len(self._sums):
            self._asked = np.concatenate([self._asked, self._asked])
            self._sums = np.concatenate([self._sums, self._sums])
            self._ratios = np.concatenate([self._ratios, np.ones_like(self._ratios)])
        colors = np.unique(guess[guess < self.colors])
        self._asked[self._used] = NOT_ASKED
        self._asked[self._used, colors] = self._counted
        self._sums[self._used] = common if self._counted == PRESENT else len(colors) - common
        self._used += 1

    def forget(self) -> None:
        """Believe anew, from nothing."""
        self._ratios[:] = 1

    def pass_messages(self, pegs: Array, ratios: Array, least: float, number: int) -> None:
        """Hear the pegs, float64[pegs, colors], less what colors told them (ratios), and all answers once."""
        from entropeg.kernels import belief as kernel

        own = pegs / ratios
        others = np.maximum(1 - pegs, 1e-14)
        odds = (own / others).sum(axis=0) + 1e-12
        used, colors = self._used, self.colors
        self.weights[:, 0], self.weights[:, PRESENT], self.weights[:, 2] = 1, odds * self._told(), 0
        self.weights /= self.weights.sum(axis=1, keepdims=True)
        answers = kernel.Answers(self._asked, self._sums, self._ratios)
        order = np.random.default_rng((used, number)).permutation(used)
        # Colors that are all but decided take part in every second pass only.
        decided = 1e-6 if number % 2 else 0.0
        kernel.pass_blacks(self.weights, answers, order, least, decided, kernel.MessageScratch.of(colors))
        told = self._told()
        self.likely[:, 0], self.likely[:, 1] = 1 / np.maximum(told, 1), np.minimum(told, 1)

    def _told(self) -> Array:
        # How much likelier all answers together are with each color: float64[colors].
        used = self._used
        asked = self._asked[:used] == self._counted
        logs = np.where(asked, np.log(self._ratios[:used]), 0.0).sum(axis=0)
        return np.exp(np.clip(logs if self._counted == PRESENT else -logs, -30, 30))

    def fits(self, code: Array) -> bool:
        """Tell whether the colors of a code, int64[pegs], agree with every answer."""
        there = np.zeros(self.colors, bool)
        there[code[code < self.colors]] = True
        asked = self._asked[: self._used] == self._counted
        there = there if self._counted == PRESENT else ~there
        return bool(((asked & there).sum(axis=1) == self._sums[: self._used]).all())


def draw_distinct(spread: Array, rng: np.random.Generator, greedy: float, free: int) -> Array:
    """Pick a different column for each row, int64[rows], by the values: float64[rows, columns].

    A share of the rows, `greedy`, takes the largest value left; the others draw one. Columns from `free` on may be
    picked again.
    """
    rows, columns = spread.shape
    left = np.ones(columns, bool)
    picked = np.zeros(rows, np.int64)
    takes, draws = rng.random(rows) < greedy, rng.random(rows)
    for row in rng.permutation(rows):
        values = np.where(left, spread[row] + 1e-300, 0.0)
        if takes[row]:
            column = int(values.argmax())
        else:
            sums = np.cumsum(values)
            column = int(np.searchsorted(sums, draws[row] * sums[-1], side="right").clip(0, columns - 1))
            column = column if left[column] else int(values.argmax())
        picked[row], left[column] = column, column >= free
    return picked
