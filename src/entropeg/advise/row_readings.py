"""Everything that one written row may have been before a single mistake, as arrays, one entry for each reading."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from entropeg import kernels
from entropeg.advise.slips import (
    SlipKind,
    colors_exchanged,
    feedbacks_one_off,
    likelihood,
    likelihood_of_foreign,
    neighbors_exchanged,
    pegs_misread,
)
from entropeg.codes import Array, CodeSet, plane_type
from entropeg.feedback import label_of
from entropeg.position import Turn
from entropeg.rules import Rules


class RowReadings:
    """What a row may have been: with another feedback, with another guess, or, last, as a row of another game.

    `turns`, `kinds` and `likelihoods` (`float64[v]`) are aligned. Where two kinds of mistake come to the same reading,
    it is listed once, under the likelier kind, with the likelihood of both.
    """

    def __init__(self, rules: Rules, turns: tuple[Turn, ...], row: int, frequency: float) -> None:
        """List the readings of a row; `frequency` is how often a random secret gives its answer."""
        self._rules, self._turns, self.row = rules, turns, row
        guess, feedback = turns[row]
        likely: dict[Turn, dict[SlipKind, float]] = {}

        def add(kind: SlipKind, turn: Turn) -> None:
            likely.setdefault(turn, {})[kind] = likelihood(kind, *turn, len(turns), rules)

        for other in feedbacks_one_off(feedback, rules):
            add(SlipKind.feedback_one_off, Turn(guess, other))
        exchanged = colors_exchanged(feedback, rules)
        if exchanged is not None:
            add(SlipKind.colors_exchanged, Turn(guess, exchanged))
        self._feedbacks = len(likely)
        for code in neighbors_exchanged(guess, rules):
            add(SlipKind.neighbors_exchanged, Turn(code, feedback))
        for code in pegs_misread(guess, rules):
            add(SlipKind.peg_misread, Turn(code, feedback))
        self.turns: list[Turn | None] = [*likely, None]
        self.kinds = [max(kinds, key=kinds.__getitem__) for kinds in likely.values()] + [SlipKind.foreign_row]
        foreign = likelihood_of_foreign(frequency, len(turns))
        self.likelihoods = np.array([sum(kinds.values()) for kinds in likely.values()] + [foreign])

    def fits(self, codes: CodeSet) -> Array:
        """Return which codes fit which readings: `bool[v, n]`."""
        guess, feedback = self._turns[self.row]
        fits = np.ones((len(self.turns), len(codes)), bool)
        if not len(codes):
            return fits
        labels = codes.score(guess)
        for place, turn in enumerate(self.turns[: self._feedbacks]):
            assert turn is not None
            fits[place] = labels == label_of(turn.feedback, self._rules)
        if self._planes.shape[1]:
            found = kernels.score_many(self._rules.kind, self._planes, codes.planes)
            fits[self._feedbacks : -1] = found == label_of(feedback, self._rules)
        return fits

    @cached_property
    def _planes(self) -> Array:
        # The guesses that were read otherwise.
        others = [turn.guess for turn in self.turns[self._feedbacks : -1] if turn is not None]
        planes = np.array(others, plane_type(self._rules)).reshape(len(others), self._rules.pegs).T
        return np.ascontiguousarray(planes)

    @cached_property
    def guesses(self) -> CodeSet:
        """The guess of each reading; the written one for the row of another game."""
        written = self._turns[self.row].guess
        rows = np.array([written if turn is None else turn.guess for turn in self.turns], plane_type(self._rules))
        return CodeSet.trusted(self._rules, rows.T)

    @cached_property
    def wanted(self) -> list[int]:
        """The label of each reading's feedback; -1, which no code gives, for the row of another game."""
        return [-1 if turn is None else label_of(turn.feedback, self._rules) for turn in self.turns]

    def broken_by(self, others: CodeSet) -> Array:
        """Return whether other guesses, as secrets, contradict each reading: `bool[v, n]`; none the foreign row."""
        labels = kernels.score_many(self._rules.kind, self.guesses.planes, others.planes)
        broken: Array = labels != np.array(self.wanted)[:, None]
        broken[-1] = False
        return broken

    @cached_property
    def breaks(self) -> Array:
        """Whether each reading's guess contradicts the written rows before it: `bool[v, row]`."""
        broken = np.zeros((len(self.turns), self.row), bool)
        for earlier in range(self.row):
            guess, feedback = self._turns[earlier]
            broken[:, earlier] = self.guesses.score(guess) != label_of(feedback, self._rules)
        broken[-1] = False
        return broken
