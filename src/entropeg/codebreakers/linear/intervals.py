"""Intervals of pegs: what is known of the colors in each, and the colors that a guess puts there.

The pegs are cut in two again and again. Of an interval it is known how often each color occurs in it; open is how
many of these pegs are in its left half. Once that is known of every color, the halves take the interval's place.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import comb, floor
from typing import TYPE_CHECKING

import numpy as np

from entropeg.errors import ContradictionError
from entropeg.search.subset import split_point, subset_bound

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Interval:
    """Pegs start, ..., stop - 1: how often each color occurs there, and of some colors how often in the left half."""

    __slots__ = ("absent", "counts", "fresh", "held", "left", "middle", "place", "rest", "start", "stop", "stuck")

    def __init__(self, start: int, stop: int, counts: dict[int, int], absent: int | None) -> None:
        self.start, self.middle, self.stop = start, (start + stop + 1) // 2, stop
        self.counts = counts
        """The colors of the interval, and how many of its pegs have each."""
        self.absent = absent
        """A color that it has not, if one is known."""
        self.left: dict[int, int] = {}
        """Of the colors that are settled, how many of their pegs are in the left half."""
        self.fresh = dict.fromkeys(sorted(counts, key=lambda color: (counts[color], -color)))
        """The colors of which nothing is known yet; the rarest last, to be taken from the end."""
        self.held: list[int] = []
        """The colors about which a window is asking."""
        self.place = self.middle - start
        """Pegs of the left half that have colors not settled."""
        self.rest = stop - start
        """Pegs of the interval that have colors not settled."""
        self.stuck = False
        """Whether a window found nothing to ask about it, for want of a filler."""
        self._infer()

    @property
    def solid(self) -> int | None:
        """The color of all pegs, None where there are several."""
        return next(iter(self.counts)) if len(self.counts) == 1 else None

    @property
    def open(self) -> int:
        """How many colors are not settled."""
        return len(self.fresh) + len(self.held)

    def settle(self, color: int, left: int) -> None:
        """Note how many pegs of a color are in the left half. Raises ContradictionError where they cannot be."""
        count = self.counts[color]
        if not 0 <= left <= count or left > self.place or count - left > self.rest - self.place:
            raise ContradictionError("it puts more pegs of a color into a half than there is room for")
        self.fresh.pop(color, None)
        if color in self.held:
            self.held.remove(color)
        self.left[color] = left
        self.place -= left
        self.rest -= count
        self._infer()

    def release(self) -> None:
        """Forget that a window was asking."""
        self.fresh.update(dict.fromkeys(self.held))
        self.held.clear()
        self._infer()

    def _infer(self) -> None:
        # What no window asks about and is plain by now: one half is full, or one color is left.
        if self.held or not self.fresh:
            return
        if self.place in {0, self.rest} or len(self.fresh) == 1:
            for color in list(self.fresh):
                count = self.counts[color]
                left = min(count, self.place)
                del self.fresh[color]
                self.left[color] = left
                self.place -= left
                self.rest -= count

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
        """A color and its known numbers of pegs in the left and in the right half; None where there is none."""
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

    def law(self, color: int, used: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """Each number of pegs that a fresh color may have in the left half, with its chance in each state of a window.

        `used` says for each state how many pegs of the left half the colors held have.
        """
        place = self.place - used
        low, high = int(place.min()), int(place.max())
        count, rest = self.counts[color], self.rest - sum(self.counts[other] for other in self.held)
        for left in range(count + 1):
            if count == rest:  # the last color takes what remains
                yield left, (place == left).astype(float)
                continue
            law = [chance(count, rest, left, at) for at in range(low, high + 1)]
            yield left, np.array(law)[place - low]

    def still_needed(self) -> int:
        """Return the guesses that settle everything in the interval, its halves, their halves, asked one by one.

        All colors but one are asked for, each on the left half with a filler on the right; without a filler
        differences of two colors, until the first is settled. `unresolved` is the worst case for the halves.
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
    return comb(place, left) * comb(rest - place, count - left) / comb(rest, count)


def unresolved(pegs: int, colors: int) -> int:
    """Return the most questions that an interval with so many different colors needs when asked one by one.

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
