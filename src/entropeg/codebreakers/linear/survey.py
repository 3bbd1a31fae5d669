"""Counts the pegs of each color in each quarter of the board: the same guesses ask for colors and for places.

Each quarter is painted in one color. Black and white together tell how often the colors of the guess occur, black how
many of their pegs are in the quarters painted so. A few colors at a time are held, with every way that their pegs can
be spread over the quarters; a guess brings in new ones when few ways are left.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import factorial, lgamma, log
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from entropeg.codebreakers.linear.intervals import LEAST, Interval
from entropeg.errors import ContradictionError
from entropeg.search.subset import Questions, between

QUARTERS = 4


Group: TypeAlias = "tuple[NDArray[np.intp], tuple[int, int], tuple[int, int]]"
"""States that leave the same: pegs and cells asked about, pegs and cells not asked about."""


class Survey:
    """The survey of colors: those done with, those held with their ways, and those not asked about yet.

    `allowed` guesses are left of those that the caller grants; one for each color of which it is not known how
    often it occurs stays untouched.
    """

    def __init__(self, pegs: int, colors: int, allowed: int) -> None:
        self.pegs, self.allowed = pegs, allowed
        middle = (pegs + 1) // 2
        self.bounds = [0, (middle + 1) // 2, middle, (middle + pegs + 1) // 2, pegs]
        self._sizes = np.diff(self.bounds)
        self.spread: dict[int, tuple[int, ...]] = {}
        """Of the colors done with, their numbers of pegs in the quarters."""
        self.counts: dict[int, int] = {}
        """Of these and of others asked about alone, how often they occur, zero included."""
        self.fresh = list(range(colors))[::-1]
        self.held: list[int] = []
        mean = pegs / colors
        self._rate = mean / QUARTERS
        self._ways = (mean + 1) * (mean + 2) * (mean + 3) / 6
        """In how many ways the pegs of a color are spread, about."""
        self._values: NDArray[np.int32] = np.zeros((0, QUARTERS, 1), np.int32)
        self._weights: NDArray[np.float64] = np.ones(1)
        self._random = np.array([pegs], np.uint64)

    @property
    def left(self) -> int:
        """How many pegs have colors of which it is not known how often they occur."""
        return self.pegs - sum(self.counts.values())

    @property
    def unknown(self) -> list[int]:
        """The colors of which it is not known how often they occur."""
        return [*self.held, *self.fresh]

    def run(self) -> Questions[None]:
        """Ask until every color is done with, no guess can be spared, or nothing is learned this way."""
        while self.unknown and self.left and self.allowed >= len(self.unknown) + 3:
            fresh = self._new_colors()
            chosen = self._choose(fresh)
            # Without a color that is done with, only differences between quarters may be left to ask for.
            if not fresh and not any((known != known[0]).any() for known in self._known(chosen, [])):
                break
            yield from self._ask(chosen, fresh)
            self._settle()
        self._finish()

    def _new_colors(self) -> list[int]:
        states, each = self._weights.size, self._ways
        # New colors come in where few ways are left, and few will be with them: two, one, or none.
        wanted = 2 if states * each**2 <= 4096 else 1 if states <= min(1 << 13, (1 << 16) / each) else 0
        if not self.spread and len(self.held) < 2:
            wanted = max(1, wanted)  # nothing can be asked about one color by itself
        return [self.fresh.pop() for _ in range(min(wanted, len(self.fresh)))]

    def _choose(self, fresh: list[int]) -> list[int]:
        """Return a color for each quarter: the new ones, twice where nothing else is open; and those of most bits."""
        done = next(iter(self.spread), None)
        if not self.held:
            rest = fresh * QUARTERS if done is None else [done] * QUARTERS
            return (fresh + rest)[:QUARTERS]

        from entropeg.kernels.windows import Spreads, choose_painting

        totals = self._values.sum(axis=1, dtype=np.int32)
        size = (1 + int(self._values.max(axis=(0, 2)).sum())) * (1 + QUARTERS * int(totals.max()))
        room = np.empty((2, QUARTERS), np.int64), np.empty(self._weights.size, np.int64), np.empty(size)
        spreads = Spreads(self._values, totals, self._weights, self._sizes)
        # A better guess is looked for from five random ones, color by color.
        choose_painting(spreads, len(fresh), int(done is not None), 5, self._random, *room)
        new, colors = iter(fresh), [*self.held, done]
        chosen = [next(new) if row < 0 else colors[row] for row in room[0][0].tolist()]
        return [color for color in chosen if color is not None]

    def _known(self, chosen: list[int], fresh: list[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Black, and black and white together, that the held colors of a guess get in each state."""
        black, common = np.zeros((2, self._weights.size), np.int64)
        for color in dict.fromkeys(chosen):
            if color in fresh:
                continue
            quarters = [quarter for quarter in range(QUARTERS) if chosen[quarter] == color]
            pegs = int(self._sizes[quarters].sum())
            if color in self.spread:
                black += sum(self.spread[color][quarter] for quarter in quarters)
                common += min(pegs, self.counts[color])
            else:
                values = self._values[self.held.index(color)]
                black += values[quarters].sum(axis=0)
                common += np.minimum(pegs, values.sum(axis=0))
        return black, common

    def _ask(self, chosen: list[int], fresh: list[int]) -> Questions[None]:
        self.allowed -= 1
        feedback = yield np.repeat(chosen, self._sizes)
        known_black, known_common = self._known(chosen, fresh)
        black = feedback.black - known_black
        common = feedback.black + feedback.white - known_common
        keep = (black == 0) & (common == 0) if not fresh else (black >= 0) & (common >= black)
        self._keep(keep)
        if fresh:
            yield from self._admit(chosen, fresh, black[keep], common[keep])

    def _admit(
        self, chosen: list[int], fresh: list[int], black: NDArray[np.int64], common: NDArray[np.int64]
    ) -> Questions[None]:
        """Hold new colors, by the pegs of them that each state leaves in the quarters asked, and in all."""
        pegs = [int(self._sizes[np.equal(chosen, color)].sum()) for color in fresh]
        totals: list[int] = []
        if int(common.max()) >= min(pegs):  # a color may have more pegs than were painted
            totals = yield from self._ask_alone(fresh)
            keep = common == sum(map(min, totals, pegs))
            self._keep(keep)
            black, common = black[keep], np.full(int(keep.sum()), sum(totals))
        cells = list(product(fresh, range(QUARTERS)))
        asked = [color == chosen[quarter] for color, quarter in cells]
        groups = []
        for told, total in sorted(set(zip(black.tolist(), common.tolist(), strict=True))):
            states = np.flatnonzero((black == told) & (common == total))
            groups.append((states, (told, sum(asked)), (total - told, len(cells) - sum(asked))))
        # Colors that would make more ways are asked about alone and held no longer.
        if sum(states.size * ways(*inside) * ways(*outside) for states, inside, outside in groups) <= (1 << 17):
            self._extend(fresh, np.argsort(np.logical_not(asked), kind="stable"), groups)
            if totals:
                self._keep((self._values[-len(fresh) :].sum(axis=1) == np.array(totals)[:, None]).all(axis=0))
            return
        if not totals:
            totals = yield from self._ask_alone(fresh)
            self._keep(common == sum(totals))
        self.counts.update(zip(fresh, totals, strict=True))
        self.spread.update({color: (0,) * QUARTERS for color in fresh if not self.counts[color]})

    def _ask_alone(self, colors: list[int]) -> Questions[list[int]]:
        totals: list[int] = []
        for color in colors:
            self.allowed -= 1
            most = self.left - sum(totals)
            totals.append(between(0, (yield np.full(self.pegs, color)).black, most))
        return totals

    def _extend(self, fresh: list[int], order: NDArray[np.intp], groups: list[Group]) -> None:
        values, added, logs = [], [], []
        for states, inside, outside in groups:
            (first, first_logs), (second, second_logs) = spreads(*inside), spreads(*outside)
            both = np.empty((len(first) * len(second), order.size), np.int32)
            both[:, order] = np.hstack((np.repeat(first, len(second), axis=0), np.tile(second, (len(first), 1))))
            law = np.repeat(first_logs, len(second)) + np.tile(second_logs, len(first))
            law += log(self._rate) * (inside[0] + outside[0])
            values.append(np.repeat(self._values[:, :, states], len(both), axis=2))
            added.append(np.tile(both, (states.size, 1)).T.reshape(len(fresh), QUARTERS, -1))
            logs.append(np.repeat(np.log(self._weights[states]), len(both)) + np.tile(law, states.size))
        self._values = np.concatenate((np.concatenate(values, axis=2), np.concatenate(added, axis=2)))
        likely = np.concatenate(logs)
        self._weights = np.maximum(LEAST, np.exp(likely - likely.max()))
        self._weights /= self._weights.sum()
        self.held += fresh

    def _keep(self, keep: NDArray[np.bool_]) -> None:
        if not keep.any():
            raise ContradictionError("it tells a number that no way to spread the colors asked about can give")
        # The states of a row stay side by side, where the kernel loops over them; after an index they would not.
        self._values = self._values.compress(keep, axis=2)
        self._weights = self._weights[keep] / self._weights[keep].sum()

    def _settle(self) -> None:
        if self.held:
            held = self._values.sum(axis=(0, 1))
            fits = held <= self.left if self.fresh else held == self.left
            # Every peg of a quarter has a color, and one of these if no other color is left.
            room = self._sizes - np.sum(list(self.spread.values()) or [(0,) * QUARTERS], axis=0)
            cells = self._values.sum(axis=0)
            full = not self.fresh and all(color in self.spread for color in self.counts)
            fits &= (cells == room[:, None] if full else cells <= room[:, None]).all(axis=0)
            self._keep(fits)
        constant = (self._values == self._values[:, :, :1]).all(axis=(1, 2))
        for place in np.flatnonzero(constant).tolist():
            color = self.held[place]
            self.spread[color] = tuple(self._values[place, :, 0].tolist())
            self.counts[color] = sum(self.spread[color])
        self._values = self._values[~constant]
        self.held = [color for color, settled in zip(self.held, constant, strict=True) if not settled]

    def _finish(self) -> None:
        sums = self._values.sum(axis=1)
        for color, ways in zip(self.held, sums, strict=True):
            if (ways == ways[0]).all():
                self.counts[color] = int(ways[0])
        if not self.left:
            absent = [color for color in self.unknown if color not in self.counts]
            self.counts.update(dict.fromkeys(absent, 0))
            self.spread.update(dict.fromkeys(absent, (0,) * QUARTERS))

    def tell(self, interval: Interval) -> None:
        """Settle the halves of an interval where they are known, if these are made of quarters."""
        if not {interval.start, interval.middle, interval.stop} <= set(self.bounds):
            return
        first, last = self.bounds.index(interval.start), self.bounds.index(interval.middle)
        for color in list(interval.fresh):
            if color in self.spread and color in interval.fresh:
                interval.settle(color, sum(self.spread[color][first:last]))


@lru_cache(maxsize=1 << 10)
def ways(total: int, cells: int) -> int:
    """Return in how many ways a number of pegs can be spread over a number of cells.

    >>> ways(2, 3), ways(0, 0), ways(1, 0)
    (6, 1, 0)
    """
    if cells == 0:
        return int(total == 0)
    return factorial(total + cells - 1) // factorial(total) // factorial(cells - 1)


@lru_cache(maxsize=1 << 8)
def spreads(total: int, cells: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Return the ways, one a row, and for each the logarithm of the product of 1/x! over its numbers x.

    >>> [row.round(3).tolist() for row in spreads(2, 2)]
    [[[0, 2], [1, 1], [2, 0]], [-0.693, 0.0, -0.693]]
    """
    rows = list(_compositions(total, cells))
    table = np.array(rows, np.int32).reshape(len(rows), cells)
    each = np.array([lgamma(number + 1) for number in range(total + 1)])
    return table, 0.0 - each[table].sum(axis=1)


def _compositions(total: int, cells: int) -> list[tuple[int, ...]]:
    if cells == 0:
        return [()] if total == 0 else []
    return (
        [(first, *rest) for first in range(total + 1) for rest in _compositions(total - first, cells - 1)]
        if cells > 1
        else [(total,)]
    )
