"""The symmetry that weights leave, and the memory of the weighted search."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from entropeg.kernels.vectors import BLOCK
from entropeg.search.exact import weighted_desk as desk
from entropeg.search.exact.board import aligned
from entropeg.search.exact.checkpoint import Entries
from entropeg.search.exact.targets import first_rise
from entropeg.search.exact.weighted_scans import LEVELS

if TYPE_CHECKING:
    from entropeg.search.exact.board import Layout

MOVED_PEGS = 7
"""Up to so many pegs all orders of them are looked at for symmetry."""
TABLE_BYTES = 1 << 26
"""Size of two tables unless the caller says otherwise; 32 bytes a set."""
ENTRIES = Entries(
    4,
    lambda entries: entries[:, 2] & np.uint64(0xFFFFFFFF),
    lambda entries: (entries[:, 0] ^ entries[:, 1] ^ entries[:, 2]) >> np.uint64(11),
)
"""How `weighted_desk.store` writes them."""
FIRST_GAIN = 0.15
"""Guesses a code by which a look at all guesses raises the bound of a part, before any was made."""


class Exchanges:
    """The exchanges of pegs and colors that change no weight.

    `allowed`: bool[guesses], one guess of every class that they make equal; `orders`: int64[orders, pegs] of the pegs,
    none where there is no exchange; colors of the same number in `color_kind` may change places, and so may pegs.
    """

    def __init__(self, layout: Layout, weight: NDArray[np.int64], *, used: bool) -> None:
        """Try all exchanges of two; `used`: whether there are any at all, behind a guess for instance there are not."""
        self.layout, self.weight = layout, weight
        pegs = layout.guesses.shape[1]
        self.peg_kind, self.color_kind = np.arange(pegs), np.arange(int(layout.guesses.max()) + 1)
        images = [image for swap in self._swaps() if (image := self._image(swap)) is not None] if used else []
        self.allowed = self._representatives(images)
        self.orders = np.array(self._orders() if images else np.zeros((0, pegs)), np.int64)

    def _representatives(self, images: list[NDArray[Any]]) -> NDArray[np.bool_]:
        """One opening of every class that swaps of two colors or pegs make equal, those that change no weight."""
        first = np.arange(len(self.layout.guesses))
        before = -first
        while not np.array_equal(before, first):
            before = first.copy()
            for image in images:
                first = np.minimum(first, first[image])
        return np.asarray(first == np.arange(len(self.layout.guesses)))

    def _orders(self) -> list[tuple[int, ...]]:
        """The orders of the pegs that change no weight; only the one as it is where there are too many to look at."""
        pegs = range(len(self.peg_kind))
        if len(pegs) > MOVED_PEGS:
            return [tuple(pegs)]
        return [order for order in permutations(pegs) if (self.peg_kind[list(order)] == self.peg_kind).all()]

    def _swaps(self) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
        """(order of the pegs, names of the colors) of every exchange of two pegs or two colors but the blank."""
        for kinds in (self.peg_kind, self.color_kind):
            for pair in combinations(range(len(kinds)), 2):
                order, names = np.arange(len(self.peg_kind)), np.arange(len(self.color_kind))
                moved = names if kinds is self.color_kind else order
                moved[list(pair)] = pair[::-1]
                if self.layout.blank is None or names[self.layout.blank] == self.layout.blank:
                    yield order, names

    def _image(self, swap: tuple[NDArray[Any], NDArray[Any]]) -> NDArray[Any] | None:
        """Where a swap takes every guess, and the two are of a kind; None where it changes a weight."""
        order, names = swap
        images = self.layout.number_secrets(names[self.layout.secrets[:, order]])
        if (images < 0).any() or not np.array_equal(self.weight[images], self.weight):
            return None
        for kinds, moved in ((self.peg_kind, order), (self.color_kind, names)):
            kinds[:] = np.minimum(kinds, kinds[moved])
        numbers = names[self.layout.guesses[:, order]] @ self.layout.arrays["powers"]
        image: NDArray[Any] = self.layout.arrays["guess_of_number"][numbers]
        return image


def board_of(layout: Layout, weight: NDArray[np.int64], exchanges: Exchanges) -> desk.Board:
    """What all threads read."""
    arrays, m = layout.arrays, len(layout.labels)
    ranks = np.arange(len(layout.secrets) + 1)
    least, settled, layer = np.ones(len(ranks), np.int64), 1, 1
    while settled < len(ranks) and layer:
        least[settled:] += 1
        layer *= m - 1
        settled += layer
    return desk.Board(
        by_guess=arrays["by_guess"],
        scan=arrays["scan"],
        guess_of_secret=arrays["guess_of_secret"],
        digits=np.ascontiguousarray(layout.guesses, np.uint8),
        orders=exchanges.orders,
        kind=exchanges.color_kind,
        weight=weight,
        least=least,
        guessed=np.divide(arrays["expected"], np.maximum(ranks, 1)),
        zobrist=arrays["zobrist"],
        numbers=np.array([arrays["base"][-1], arrays["stride"][-1], m], np.int64),
    )


def work_of(layout: Layout, n: int, exchanges: Exchanges) -> desk.Work:
    """Memory of one thread for sets of up to n codes."""
    m, depths, guesses = len(layout.labels), desk.DEPTHS, len(layout.guesses)
    padded = (guesses + BLOCK) // BLOCK * BLOCK
    elements, symbols = max(1, len(exchanges.orders)), len(exchanges.color_kind)
    gain = np.ones((2, desk.SMALL + 1))
    gain[0] = FIRST_GAIN
    work = desk.Work(
        stack=np.zeros(n * min(n + 2, depths) + 64, np.uint32),
        frames=np.zeros((depths, desk.FRAME), np.int64),
        hashes=np.zeros(depths, np.uint64),
        candidates=np.zeros((depths, guesses), np.int32),
        lows=np.zeros((depths, guesses), np.int64),
        parts=np.zeros((depths, m, desk.PART_NUMBERS), np.int64),
        part_hash=np.zeros((depths, m), np.uint64),
        seen=np.zeros((depths, desk.SEEN), np.uint64),
        group_size=np.zeros(desk.SYMMETRIC + 1, np.int64),
        group_order=np.zeros((desk.SYMMETRIC + 1, elements), np.int32),
        group_name=np.full((desk.SYMMETRIC + 1, elements, symbols), -1, np.int16),
        names=np.zeros((2, symbols), np.int16),
        low=np.zeros(padded, np.int64),
        score=np.zeros(padded),
        saved=aligned(4 * padded).view(np.int32),
        tops=np.zeros(padded // BLOCK, np.int32),
        rank=np.zeros(padded, np.int32),
        begin=np.zeros(desk.BINS + 1, np.int64),
        offsets=np.zeros(n, np.int64),
        quanta=np.zeros(n, np.int32),
        label=np.zeros(n, np.uint8),
        sizes=aligned(4 * BLOCK * (m + 20)).view(np.int32).reshape(-1, BLOCK),
        whole_sizes=aligned(4 * BLOCK * (m + 20)).view(np.int32).reshape(-1, BLOCK),
        mass=np.zeros((m, BLOCK)),
        folded=aligned(4 * BLOCK).view(np.int32),
        ends=np.zeros(LEVELS, np.int64),
        top=np.zeros(m, np.int64),
        head=np.zeros(m, np.int64),
        met=np.zeros(m, np.uint64),
        gain=gain,
        rise=first_rise(),
        nodes=np.zeros(2, np.int64),
    )
    work.group_size[0] = len(exchanges.orders)
    work.group_order[0] = np.arange(elements)
    return work


def empty_table(n: int, memory: int) -> NDArray[np.uint64]:
    """A table for the search of a set of n codes, of at most so many bytes."""
    cells = 1 << max(12, min((memory // 32).bit_length() - 1, (16 * n**2).bit_length()))
    return np.zeros((cells, 4), np.uint64)
