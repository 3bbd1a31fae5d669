"""Intervals of pegs: the colors known in each, and the colors that a guess puts there.

The pegs are cut in two again and again. Of an interval it is known how often each color occurs in it; open is how
many of these pegs are in its left half. Once that is known of every color, the halves take the interval's place.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import comb, floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropeg.errors import ContradictionError
from entropeg.search.subset import split_point, subset_bound

LEAST = 1e-200
"""The least chance of a possible half: some halves of 4096 pegs have chances that are zero in floats."""


class Interval:
    """Pegs start, ..., stop - 1: how often each color occurs there, and of some colors how often in the left half."""

    __slots__ = ("absent", "counts", "fresh", "held", "left", "middle", "place", "reference", "rest", "start", "stop")

    def __init__(self, start: int, stop: int, counts: dict[int, int], absent: int | None) -> None:
        self.start, self.middle, self.stop = start, (start + stop + 1) // 2, stop
        self.counts = counts
        """The colors of the interval, and how many of its pegs have each."""
        self.absent = absent
        """A color that it has not, if one is known."""
        self.left: dict[int, int] = {}
        """Of the colors that are settled, how many of their pegs are in the left half; relative to the reference."""
        self.reference: int | None = None
        """A color that others are compared with for want of a filler: `left` says how many more pegs they have."""
        self.fresh = dict.fromkeys(sorted(counts, key=lambda color: (counts[color], -color)))
        """The colors of which nothing is known yet; the rarest last, to be taken from the end."""
        self.held: list[int] = []
        """The colors about which a window is asking."""
        self.place = self.middle - start
        """Pegs of the left half that have colors not settled."""
        self.rest = stop - start
        """Pegs of the interval that have colors not settled."""
        self._infer()

    @property
    def solid(self) -> int | None:
        """The color of all pegs, None where there are several."""
        return next(iter(self.counts)) if len(self.counts) == 1 else None

    @property
    def open(self) -> int:
        """How many colors are not settled."""
        return len(self.fresh) + len(self.held) + (self.reference is not None)

    def refer(self) -> None:
        """Choose a color to compare the others with, where none can be a filler."""
        if self.filler is None and self.fresh:
            self.reference = next(reversed(self.fresh))
            del self.fresh[self.reference]

    def settle(self, color: int, left: int) -> None:
        """Note how many pegs of a color are in the left half, with a reference how many more of it than of that.

        Raises ContradictionError where they cannot be.
        """
        count = self.counts[color]
        if self.reference is None and (not 0 <= left <= count or not 0 <= self.place - left <= self.rest - count):
            raise ContradictionError("it puts more pegs of a color into a half than there is room for")
        self.fresh.pop(color, None)
        if color in self.held:
            self.held.remove(color)
        self.left[color] = left
        if self.reference is None:
            self.place -= left
            self.rest -= count
        self._infer()

    def release(self) -> None:
        """Forget that a window was asking."""
        self.fresh.update(dict.fromkeys(self.held))
        self.held.clear()
        self._infer()

    def _infer(self) -> None:
        # No window asks about intervals that are plain by now: one half is full, or one color is left.
        if self.reference is not None and not self.held:
            self._infer_reference()
        if self.reference is not None or self.held or not self.fresh:
            return
        if self.place in {0, self.rest} or len(self.fresh) == 1:
            for color in list(self.fresh):
                count = self.counts[color]
                left = min(count, self.place)
                del self.fresh[color]
                self.left[color] = left
                self.place -= left
                self.rest -= count

    def _infer_reference(self) -> None:
        # One number of its pegs in the left half may be left, by the other colors and by the room there is.
        assert self.reference is not None
        known = {self.reference: 0} | self.left
        pegs, more = sum(self.counts[color] for color in known), sum(known.values())
        lowest = max(-left for left in known.values())
        highest = min(self.counts[color] - left for color, left in known.items())
        lowest = max(lowest, -(-(self.place - more - (self.rest - pegs)) // len(known)))
        highest = min(highest, (self.place - more) // len(known))
        if lowest > highest:
            raise ContradictionError("it leaves no way to fill half of an interval")
        if lowest == highest:
            self.left = {color: lowest + left for color, left in known.items()}
            self.place -= more + lowest * len(known)
            self.rest -= pegs
            self.reference = None

    def halves(self) -> Iterator[Interval]:
        """The two halves, once every color is settled."""
        left = {color: count for color, count in self.left.items() if count}
        right = {color: rest for color, count in self.counts.items() if (rest := count - self.left[color])}
        for start, stop, counts in ((self.start, self.middle, left), (self.middle, self.stop, right)):
            absent = self.absent
            if absent is None:
                absent = next((color for color in self.counts if color not in counts), None)
            yield Interval(start, stop, counts, absent)

    @property
    def filler(self) -> tuple[int, int, int] | None:
        """A color and its known numbers of pegs in the left and in the right half; None where there is none.

        The reference counts as if all its pegs were in the right half.
        """
        if self.reference is not None:
            return self.reference, 0, self.counts[self.reference]
        if self.absent is not None:
            return self.absent, 0, 0
        for color, left in self.left.items():
            return color, left, self.counts[color] - left
        return None

    @property
    def blank(self) -> tuple[int, int]:
        """A color to paint the whole interval with when nothing is asked of it, and its known number of pegs."""
        if self.absent is not None:
            return self.absent, 0
        return next(iter(self.counts.items()))

    def ways(self, color: int) -> int:
        """Return how many numbers a color may have in the left half, at most, or differences from the reference."""
        return self.counts[color] + 1 + (0 if self.reference is None else self.counts[self.reference])

    def law(self, color: int, values: NDArray[np.signedinteger[Any]]) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """Each number of pegs that a fresh color may have in the left half, with its chance in each state of a window.

        `values` says for each state the numbers of the colors held, in their order. Zero is what cannot be.
        """
        if self.reference is not None:
            yield from self._law_of_differences(color, values)
            return
        place = self.place - values.sum(axis=0, dtype=np.int64)
        low, high = int(place.min()), int(place.max())
        count, rest = self.counts[color], self.rest - sum(self.counts[other] for other in self.held)
        for left in range(count + 1):
            if count == rest:  # the last color takes what remains
                yield left, (place == left).astype(float)
                continue
            law = [chance(count, rest, left, at) for at in range(low, high + 1)]
            yield left, np.array(law)[place - low]

    def _law_of_differences(
        self, color: int, values: NDArray[np.signedinteger[Any]]
    ) -> Iterator[tuple[int, NDArray[np.float64]]]:
        # The pegs of the reference are summed over: a state does not say where they are.
        assert self.reference is not None
        count, base = self.counts[color], self.counts[self.reference]
        known, which = _distinct(values)
        lefts = np.tile(np.arange(base + 1)[:, None], known.shape[1])
        logs, place, rest = log_ways(base, lefts), self.place - lefts, self.rest - base - count
        for other, more in [*self.left.items(), *zip(self.held, known, strict=True)]:
            logs = logs + log_ways(self.counts[other], lefts + more)
            place = place - lefts - more
            rest -= self.counts[other]
        highest = (logs + log_ways(count + rest, place)).max(axis=0)
        numbers, laws = range(-base, count + 1), []
        for more in numbers:
            terms = logs + log_ways(count, lefts + more) + log_ways(rest, place - lefts - more) - highest
            laws.append(np.where(np.isfinite(terms).any(axis=0), np.maximum(LEAST, np.exp(terms).sum(axis=0)), 0.0))
        total = np.sum(laws, axis=0)
        for more, law in zip(numbers, laws, strict=True):
            yield more, (law / total)[which]

    def still_needed(self) -> int:
        """Return the guesses that settle everything in the interval, its halves, their halves, asked one by one.

        All colors but one are asked for, each on the left half with a filler or the reference on the right.
        `unresolved` is the worst case for the halves.
        """
        return max(0, self.open - 1) + below(self.stop - self.start, len(self.counts))


class ColorSet(Interval):
    """The same for an unknown set: "pegs" are elements, 1 stands on those that belong to the set, 0 is never asked.

    It is cut at the largest power of two below its size, as `search.subset` does, whose bound holds here too.
    """

    __slots__ = ()

    def __init__(self, start: int, stop: int, members: int) -> None:
        super().__init__(start, stop, {1: members}, 0)
        self.middle = start + split_point(stop - start) if stop - start > 1 else stop
        self.place = self.middle - start
        self._infer()

    @property
    def solid(self) -> int | None:
        """1 where all belong to the set, 0 where none does, None otherwise."""
        return {0: 0, self.stop - self.start: 1}.get(self.counts[1])

    def _infer(self) -> None:
        pass

    def halves(self) -> Iterator[Interval]:
        """The two parts, once it is known how many members each has."""
        yield ColorSet(self.start, self.middle, self.left[1])
        yield ColorSet(self.middle, self.stop, self.counts[1] - self.left[1])

    def still_needed(self) -> int:
        """Return the queries that find the members, asked one by one."""
        needed = floor(subset_bound(self.stop - self.start, self.counts[1]))
        if self.open or not needed:
            return needed
        return sum(half.still_needed() for half in self.halves())


@lru_cache(maxsize=1 << 16)
def chance(count: int, rest: int, left: int, place: int) -> float:
    """Return the chance that of `count` pegs among `rest`, `left` are among the first `place`: the hypergeometric law.

    >>> [chance(2, 4, left, 2) for left in range(3)]
    [0.16666666666666666, 0.6666666666666666, 0.16666666666666666]
    """
    if left > place or count - left > rest - place:
        return 0.0  # without the work on numbers of hundreds of digits
    return max(LEAST, comb(place, left) * comb(rest - place, count - left) / comb(rest, count))


def _distinct(values: NDArray[np.signedinteger[Any]]) -> tuple[NDArray[np.signedinteger[Any]], NDArray[np.intp]]:
    """Return the different columns, and which of them each column is; one empty column where there are no rows."""
    if not len(values):
        return values[:, :1], np.zeros(values.shape[1], np.intp)
    columns, which = np.unique(values, axis=1, return_inverse=True)
    return columns, which.ravel()


def log_ways(total: int, chosen: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the logarithms of the binomial coefficients, minus infinity where they are zero.

    >>> np.exp(log_ways(4, np.array([-1, 0, 2, 5]))).round(9).tolist()
    [0.0, 1.0, 6.0, 0.0]
    """
    logs = _log_factorials(1 << total.bit_length())
    inside = (chosen >= 0) & (chosen <= total)
    safe = np.where(inside, chosen, 0)
    return np.where(inside, logs[total] - logs[safe] - logs[total - safe], -np.inf)


@lru_cache(maxsize=32)
def _log_factorials(size: int) -> NDArray[np.float64]:
    return np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, size + 1)))))


def unresolved(pegs: int, colors: int) -> int:
    """Return the most questions that an interval needs by its number of different colors, asked one by one.

    >>> unresolved(4, 4), unresolved(1000, 1000), unresolved(1000, 2)
    (5, 8977, 999)
    """
    colors = min(pegs, colors)
    return colors - 1 + below(pegs, colors) if colors > 1 else 0


@lru_cache(maxsize=1 << 14)
def below(pegs: int, colors: int) -> int:
    """Return the most questions that the halves of such an interval need together."""
    if colors <= 1:
        return 0
    return unresolved((pegs + 1) // 2, colors) + unresolved(pegs // 2, colors)
