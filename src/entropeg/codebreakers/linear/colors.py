"""Finds how often each color occurs in the secret, by combined questions as of `rounds`, about sets of colors.

Black and white together are the sum, over the colors of a guess, of its pegs or those of the secret, whichever are
fewer. A guess with g pegs of each color of a set S therefore tells how many colors of S occur g times or more, if it is
known which occur g - 1 times.
"""

from __future__ import annotations

from collections.abc import Generator
from math import floor, log2
from typing import TYPE_CHECKING

import numpy as np

from entropeg.codebreakers.linear.intervals import ColorSet
from entropeg.codebreakers.linear.rounds import Rounds
from entropeg.errors import ContradictionError
from entropeg.feedback import Feedback
from entropeg.search.subset import Array, Questions, between

if TYPE_CHECKING:
    from numpy.typing import NDArray


def counts_needed(pegs: int, colors: int, *, whites: bool = True) -> int:
    """Return guesses that are enough to count the colors: one by one, or by finding first which of them occur.

    Without whites only the first way is open.

    >>> counts_needed(4, 6), counts_needed(1000, 1000), counts_needed(10, 1000)
    (5, 999, 153)
    """
    if not whites:
        return colors - 1
    return min(colors - 1, 1 - (-colors // pegs) + set_needed(pegs, colors) + pegs - 1)


def set_needed(pegs: int, colors: int) -> int:
    """Return the most queries that find which of so many colors occur, once it is known how many of each block do."""
    return floor(min(colors, pegs * log2(2 * pegs)))


class Counting:
    """What is known: of some colors how often they occur, of the others that it is `copies` times or more.

    `known` are colors counted before, of which nothing is asked. `allowed` guesses must be `counts_needed` at least, or
    one for each color that is open; it becomes what is left of them.
    """

    def __init__(
        self, pegs: int, colors: int, allowed: int, *, whites: bool, known: dict[int, int] | None = None
    ) -> None:
        self.pegs, self.allowed, self.whites = pegs, allowed, whites
        self.counts: dict[int, int] = dict(known or {})
        self.filler = next(iter(self.counts), colors - 1)
        others = set(range(colors)) - {self.filler, *self.counts}
        self.open: Array = np.array(sorted(others), np.int64)
        self.copies = 0
        self.left = pegs - sum(self.counts.values())
        """Pegs of the colors that are open, beyond those `copies`."""

    def find(self) -> Questions[dict[int, int]]:
        """Return the colors that occur, with their numbers of pegs; ContradictionError where there are too few."""
        if self.filler not in self.counts:
            yield from self._ask_alone(self.filler, last=not len(self.open))
        while self.left and self._pays():
            yield from self._split()
        for place, color in enumerate(self.open.tolist(), start=1):
            yield from self._ask_alone(color, last=place == len(self.open))
        if self.left:
            raise ContradictionError("it leaves pegs to which no color is left")
        return {color: count for color, count in sorted(self.counts.items()) if count}

    def _pays(self) -> bool:
        number = len(self.open)
        # Few colors, or colors of many more pegs than are known of, are asked about one at a time.
        if not self.whites or number <= 12 or self.left > 2.5 * number:
            return False
        needed = -(-number // self._most()) + set_needed(self.pegs, number) + min(number, self.left) - 1
        return needed <= self.allowed

    def _most(self) -> int:
        return max(1, self.pegs // (self.copies + 1))

    def _ask_alone(self, color: int, *, last: bool) -> Questions[None]:
        more = self.left
        if not last and self.left:
            self.allowed -= 1
            black = (yield np.full(self.pegs, color)).black
            more = between(0, black - self.copies, self.left)
        self.counts[color] = self.copies + more
        self.left -= more

    def _split(self) -> Questions[None]:
        """Find which of the open colors occur once more than is known."""
        pieces = np.array_split(self.open, -(-len(self.open) // self._most()))
        shares: list[int] = []
        for piece in pieces:
            shares.append(between(0, (yield from self._ask(piece)), min(len(piece), self.left - sum(shares))))
        reserve = max(0, min(sum(shares), self.left) - 1)
        found = []
        split = list(zip(pieces, shares, strict=True))
        for number, (piece, share) in enumerate(split, start=1):
            later = sum(ColorSet(0, len(other), part).still_needed() for other, part in split[number:])
            members = yield from self._search(piece, share, reserve + later)
            found.append(members)
            self.counts.update(dict.fromkeys(piece[~members].tolist(), self.copies))
        self.open = self.open[np.concatenate(found)]
        self.copies += 1
        self.left -= len(self.open)

    def _search(self, piece: Array, share: int, reserve: int) -> Questions[NDArray[np.bool_]]:
        search = Rounds([ColorSet(0, len(piece), share)]).find(self.allowed - reserve)
        try:
            query = next(search)
            while True:
                told = yield from self._ask(piece[query == 1])
                query = search.send(Feedback(told))
        except StopIteration as end:
            return np.asarray(end.value == 1)

    def _ask(self, asked: Array) -> Generator[Array, Feedback, int]:
        self.allowed -= 1
        code = np.full(self.pegs, self.filler)
        size = len(asked) * (self.copies + 1)
        code[:size] = np.repeat(asked, self.copies + 1)
        black, white = yield code
        return black + white - min(self.counts[self.filler], self.pegs - size) - self.copies * len(asked)
