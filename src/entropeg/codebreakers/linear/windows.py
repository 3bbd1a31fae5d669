"""Windows: a few intervals asked about together, with all ways in which their open colors can fall into the halves.

A window lists the joint states of the colors that it holds, each with its weight, so that any answer is used to the
full. It takes in new colors as old ones are settled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropeg.codebreakers.linear.intervals import LEAST, Interval
from entropeg.errors import ContradictionError
from entropeg.kernels.mixing import GAMMA

STATES = 1 << 13
"""States that each window may have; one alone may have eight times as many."""

SEARCHED = 1 << 13
"""The most states on which a question is looked for; of more, an even sample."""

HELD = 80
"""The most colors that a window holds."""


class Question:
    """The question of a window: per interval a color on the left half and one on the right, and the constant part."""

    __slots__ = ("constant", "pairs", "signed", "total")

    def __init__(self) -> None:
        self.pairs: list[tuple[Interval, int | None, int | None]] = []
        self.signed: NDArray[np.int32] | None = None
        self.constant = 0
        """The part of the minus colors in the signed sum: all their pegs less those in the left half."""
        self.total = 0
        """The sum of the question and its mirror image."""


class Window:
    """Intervals, the colors held of them, and the joint states."""

    def __init__(self, seed: int) -> None:
        self.limit = STATES
        """It takes in no color that would give it more states."""
        self.intervals: list[Interval] = []
        self.held: list[tuple[Interval, int]] = []
        self.values: NDArray[np.signedinteger[Any]]
        self.weights: NDArray[np.float64]
        self.drop()
        self._random = np.array([int(GAMMA) + seed], np.uint64)

    @property
    def states(self) -> int:
        """How many ways are left."""
        return int(self.weights.size)

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to ask."""
        return not self.intervals

    def fill(self, idle: list[Interval], most: int) -> None:
        """Take in colors, and intervals from the end of `idle` up to `most`, as far as the states allow.

        Breadth first: a third color of an interval makes states and finds no room in a question.
        """
        # A question asks for two colors of an interval at most, so seven intervals come in before a second color of
        # any, and two colors of each before further intervals.
        for cells, colors in ((min(7, most), 2), (most, 2), (most, HELD)):
            self._take_intervals(idle, cells)
            self._take_more(colors)
        self._settle()

    def _take_intervals(self, idle: list[Interval], most: int) -> None:
        while idle and len(self.intervals) < most:
            idle[-1].refer()
            if not self._fits(idle[-1]):
                break
            interval = idle.pop()
            self.intervals.append(interval)
            self._take(interval)

    def _take_more(self, colors: int) -> None:
        # In turn from the intervals of which the fewest colors are held, as far as each fits.
        ready = [interval for interval in self.intervals if interval.fresh and len(interval.held) < colors]
        while ready and len(self.held) < HELD:
            interval = min(ready, key=lambda interval: len(interval.held))
            if self._fits(interval):
                self._take(interval)
            else:
                ready.remove(interval)
            ready = [interval for interval in ready if interval.fresh and len(interval.held) < colors]

    def _fits(self, interval: Interval) -> bool:
        # The last color of an interval follows from the others; and something has to be asked about.
        if not self.held or (interval.reference is None and interval.held and len(interval.fresh) == 1):
            return True
        return self.states * interval.ways(next(reversed(interval.fresh))) <= self.limit

    def _take(self, interval: Interval) -> None:
        color = next(reversed(interval.fresh))
        rows = [row for row, (owner, _) in enumerate(self.held) if owner is interval]
        columns, lefts, weights = [], [], []
        for left, chances in interval.law(color, self.values[rows]):
            keep = np.flatnonzero(chances)
            columns.append(keep)
            lefts.append(left)
            weights.append(self.weights[keep] * chances[keep])
        # Signed bytes while numbers of pegs and their differences fit: most of the time went into copying states.
        dtype = self.values.dtype if interval.ways(color) <= 128 else np.int32
        values = np.empty((len(self.held) + 1, sum(keep.size for keep in columns)), dtype)
        start = 0
        for left, keep in zip(lefts, columns, strict=True):
            part = values[:, start : start + keep.size]
            if keep.size == self.states:
                part[:-1] = self.values
            else:
                # The states of a row stay side by side, where kernels loop over them; and nothing is copied twice, as
                # it would be if `take` checked the places first.
                for before, row in zip(self.values, part, strict=False):
                    before.take(keep, out=row, mode="clip")
            part[-1] = left
            start += keep.size
        self.values, self.weights = values, np.maximum(LEAST, np.concatenate(weights))
        del interval.fresh[color]
        interval.held.append(color)
        self.held.append((interval, color))

    def ask(self) -> Question:
        """Choose the question whose answer tells most."""
        from entropeg.kernels.windows import QuestionScratch, Unknowns, choose_question

        question = Question()
        if not self.held:
            return question
        cells, counts = self._cells()
        most = np.array([interval.ways(color) - 1 for interval, color in self.held])
        largest = int(sum(most[row[:count]].max() for row, count in zip(cells, counts, strict=True) if count))
        values, weights = self._sample()
        unknowns = Unknowns(values, weights, cells, counts, most)
        sums, trial = np.empty((2, weights.size), np.int32)
        scratch = QuestionScratch(sums, trial, np.empty((2, 2 * largest + 1)))
        plus, minus = np.empty((2, len(counts)), np.int64)
        # More changes are tried the more intervals there are.
        choose_question(unknowns, 80 + 40 * len(counts), self._random, scratch, plus, minus)
        if weights.size < self.states:
            sums = self.values[plus[plus >= 0]].sum(axis=0, dtype=np.int32)
            sums -= self.values[minus[minus >= 0]].sum(axis=0, dtype=np.int32)
        question.signed = sums
        for interval, first, second in zip(self.intervals, plus.tolist(), minus.tolist(), strict=True):
            if first >= 0 or second >= 0:
                self._add(question, interval, first, second)
        return question

    def _sample(self) -> tuple[NDArray[np.signedinteger[Any]], NDArray[np.float64]]:
        # From all over the list, whose neighbors are alike.
        if self.states <= SEARCHED:
            return self.values, self.weights
        # Multiples of the golden ratio, modulo 1, lie evenly however many they are.
        chosen = (np.arange(SEARCHED) * ((5**0.5 - 1) / 2) % 1.0 * self.states).astype(np.int64)
        weights = self.weights[chosen]
        return self.values.take(chosen, axis=1), weights / weights.sum()

    def _add(self, question: Question, interval: Interval, first: int, second: int) -> None:
        left = self.held[first][1] if first >= 0 else None
        right = self.held[second][1] if second >= 0 else None
        question.pairs.append((interval, left, right))
        question.total += 0 if left is None else interval.counts[left]
        if right is not None:
            question.total += interval.counts[right]
            question.constant += interval.counts[right]

    def _cells(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        number = {id(interval): cell for cell, interval in enumerate(self.intervals)}
        rows: list[list[int]] = [[] for _ in self.intervals]
        for row, (interval, _) in enumerate(self.held):
            rows[number[id(interval)]].append(row)
        counts = np.array([len(row) for row in rows])
        cells = np.zeros((len(rows), max(1, counts.max())), np.int64)
        for cell, held in enumerate(rows):
            cells[cell, : len(held)] = held
        return cells, counts

    def learn(self, question: Question, told: int) -> None:
        """Keep the states that fit an answer, and settle the colors that are the same in all of them."""
        if question.signed is None:
            if told:
                raise ContradictionError("it counts pegs of which none can be there")
            return
        keep = np.flatnonzero(question.signed == told - question.constant)
        if not keep.size:
            raise ContradictionError("it tells a number that no arrangement of the colors asked about can give")
        self.values = self.values.take(keep, axis=1)
        self.weights = self.weights[keep] / self.weights[keep].sum()
        self._settle()

    def _settle(self) -> None:
        # Few colors are the same in some states that lie apart, and only of those all states are looked at.
        first = self.values[:, 0]
        known = (self.values[:, :: self.states // 16 + 1] == first[:, None]).all(axis=1)
        for row in np.flatnonzero(known):
            known[row] = (self.values[row] == first[row]).all()
        if not known.any():
            return
        for row in np.flatnonzero(known):
            interval, color = self.held[row]
            interval.settle(color, int(first[row]))
        self.values = self.values[~known]
        self.held = [held for held, settled in zip(self.held, known, strict=True) if not settled]

    def take_finished(self) -> list[Interval]:
        """Give away the intervals in which nothing is open."""
        done = [interval for interval in self.intervals if not interval.open]
        if done:
            self.intervals = [interval for interval in self.intervals if interval.open]
        return done

    def take_unheld(self) -> list[Interval]:
        """Give away the intervals of which no color is held."""
        loose = [interval for interval in self.intervals if not interval.held]
        if loose:
            self.intervals = [interval for interval in self.intervals if interval.held]
        return loose

    def drop(self) -> None:
        """Let go of everything."""
        self.intervals, self.held = [], []
        self.values, self.weights = np.zeros((0, 1), np.int8), np.ones(1)

    def can_join(self, other: Window) -> bool:
        """Tell whether one window has room for the states of both."""
        return self.states * other.states <= self.limit

    def join(self, other: Window) -> None:
        """Take over everything that another window holds."""
        mine, theirs = self.states, other.states
        self.values = np.vstack((np.repeat(self.values, theirs, axis=1), np.tile(other.values, mine)))
        self.weights = np.maximum(LEAST, np.repeat(self.weights, theirs) * np.tile(other.weights, mine))
        self.held += other.held
        self.intervals += other.intervals
