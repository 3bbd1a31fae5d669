"""Least expected number of guesses where secrets are not equally likely."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import secrets
from entropeg.errors import InputError, TooLargeError
from entropeg.search import weighted_kernels as kernel
from entropeg.search.proof import Progress
from entropeg.search.tree import Node

if TYPE_CHECKING:
    from entropeg.feedback import Code
    from entropeg.rules import Rules
    from entropeg.search.board import Layout

MOST_CODES = 20_000
"""Sets of more codes are refused: a single look at all guesses would take seconds."""
CELLS = 1 << 20
"""Sets that the table holds, 28 bytes each."""
BATCH = 200
"""Guesses tried between looks at the clock."""

Weights = Mapping["Code", float] | NDArray[Any]


def read_weights(weights: Weights, rules: Rules) -> NDArray[np.float64]:
    """The weight of every secret in the order of `secrets(rules)`; raises InputError where one is missing or negative.

    A mapping gives weights to codes, 0 to those that it does not hold; an array has one entry a secret.
    """
    codes = secrets(rules)
    if isinstance(weights, Mapping):
        read = np.zeros(len(codes))
        for code, weight in weights.items():
            index = codes.index_of(code)
            if index is None:
                raise InputError(f"{code} has a weight and is no secret of {rules}")
            read[index] = weight
    else:
        read = np.asarray(weights, np.float64)
        if read.shape != (len(codes),):
            raise InputError(f"{rules} has {len(codes)} secrets; there are weights of shape {read.shape}")
    if not np.isfinite(read).all() or (read < 0).any() or not read.any():
        raise InputError("weights must be finite, none negative and not all zero")
    return read


class WeightedProof:
    """The search for the least sum of weight times guesses over a set of secrets, interruptible at any time.

    `weight`: float64[secrets], by row of the layout; codes of weight 0 are left out. After `run`, `lower` and
    `upper` bound the sum (`upper` is None while nothing is known), `finished` says whether they are proven equal.
    """

    def __init__(
        self,
        layout: Layout,
        start: NDArray[np.int32],
        weight: NDArray[np.float64],
        *,
        deadline: float | None = None,
        progress: Callable[[Progress], None] | None = None,
        at_start: bool = False,
    ) -> None:
        """Sort the codes; `at_start` lets symmetry of the weights stand for equal openings."""
        self.layout, self.weight = layout, weight
        start = start[weight[start] > 0]
        self.start = start[np.argsort(-weight[start], kind="stable")].astype(np.int32)
        if len(start) > MOST_CODES:
            raise TooLargeError(
                f"there are {len(start):,} codes with a weight; the search takes {MOST_CODES:,} at most"
            )
        self.deadline, self.progress = deadline, progress
        self.began = time.perf_counter()
        self.finished = self.interrupted = self.cancelled = False
        self.lower: float = 0
        self.upper: float | None = None
        self.nodes = 0
        self._allocate()
        images = [self._image(swap) for swap in self._swaps()] if at_start else []
        self.allowed = self._representatives([image for image in images if image is not None])
        if images and all(image is not None for image in images):
            self.orders = np.array(list(permutations(range(self.digits.shape[1]))), np.int64)

    def _allocate(self) -> None:
        n, m = len(self.start), len(self.layout.labels)
        self.by_guess = self.layout.arrays["by_guess"]
        self.guess_count = self.by_guess.shape[0]
        self.digits = np.ascontiguousarray(self.layout.guesses, np.uint8)
        self.orders = np.zeros((0, self.digits.shape[1]), np.int64)
        by_secret = np.ascontiguousarray(self.by_guess.T) if m <= kernel.MASK else np.zeros((0, 0), np.uint8)
        self.board: list[Any] = [by_secret, self.layout.arrays["guess_of_secret"], self.digits]
        ranks = np.arange(len(self.layout.secrets) + 1)
        self.least = np.ones(len(ranks))
        settled, layer = 1, 1
        while settled < len(ranks) and layer:
            self.least[settled:] += 1
            layer *= m - 1
            settled += layer
        self.guessed = np.zeros((2, len(ranks)))
        self.guessed[0] = np.divide(self.layout.arrays["expected"], np.maximum(ranks, 1))
        self.guessed[1, 0] = m
        depths = kernel.DEPTHS
        self.keys, self.values = np.zeros(CELLS, np.uint64), np.zeros(CELLS)
        self.marks = np.zeros((CELLS, 3), np.int32)
        self.whole, self.sums = np.zeros((depths, 7), np.int64), np.zeros((depths, 6))
        self.memory: list[Any] = [
            np.zeros(n * depths, np.int32),
            self.whole,
            self.sums,
            np.zeros(depths, np.uint64),
            np.zeros((depths, self.guess_count), np.int32),
            np.zeros((depths + 2, self.guess_count)),
            np.zeros((depths, m, 3), np.int64),
            np.zeros((depths, m)),
            np.zeros((depths, m), np.uint64),
            np.zeros((depths, kernel.SEEN), np.uint64),
            self.keys,
            self.values,
            self.marks,
        ]
        self.mask = np.zeros(self.guess_count, np.uint32)
        self.state = np.zeros(2, np.int64)

    # ------------------------------------------------------------ running

    def run(self) -> None:
        """Search until the value is proven, the deadline passes or Ctrl-C is pressed."""
        self._enter(self.start, np.inf)
        done = kernel.PAUSED
        try:
            while done == kernel.PAUSED:
                if self.deadline is not None and time.perf_counter() > self.deadline:
                    self.interrupted = True
                    break
                done, value = self._go(BATCH, self.allowed)
                self.nodes += BATCH
                self._bound(done, value)
                self.interrupted = done == kernel.DEEP
        except KeyboardInterrupt:
            self.interrupted = self.cancelled = True
        self.opening = int(self.whole[0, kernel.CHOSEN])

    def _enter(self, codes: NDArray[np.int32], ub: float) -> None:
        n = len(codes)
        self.memory[0][:n] = codes
        self.whole[0, [kernel.N, kernel.OFFSET, kernel.TOP]] = n, 0, n
        self.sums[0, kernel.UB] = ub
        self.memory[3][0] = np.bitwise_xor.reduce(self.layout.zobrist[codes])
        self.state[:] = 0

    def _go(self, budget: int, allowed: NDArray[np.bool_]) -> tuple[int, float]:
        search: Any = kernel.search
        done, value = search(
            self.by_guess,
            *self.board,
            self.orders,
            -1 if self.layout.blank is None else self.layout.blank,
            self.weight,
            self.least,
            self.guessed,
            self.layout.zobrist,
            self.mask,
            *self.memory,
            self.state,
            allowed,
            budget,
        )
        return int(done), float(value)

    def _bound(self, done: int, value: float) -> None:
        if done == kernel.FINISHED:
            self.finished, self.lower, self.upper = True, value, value
            return
        sums, at, count = self.sums[0], int(self.whole[0, kernel.POS]), int(self.whole[0, kernel.CANDIDATES])
        # Below frame 0 the guess at hand is open; in frame 0 it has been counted into REST, or is still to come.
        left = self.memory[5][0, at + 1 : count].min(initial=np.inf)
        under_study = sums[kernel.TOTAL] if self.state[0] > 0 else np.inf
        low = min(sums[kernel.REST], sums[kernel.BEST], left, under_study)
        self.lower = max(self.lower, float(sums[kernel.LOW]), float(low) if np.isfinite(low) else 0.0)
        if self.whole[0, kernel.CHOSEN] >= 0:
            self.upper = float(sums[kernel.BEST])
        if self.progress is not None:
            opening = tuple(self.layout.guesses[self.memory[4][0, max(at, 0)]].tolist())
            seconds = time.perf_counter() - self.began
            self.progress(Progress(opening, count - at, self.lower, self.upper, self.nodes, seconds))

    # ------------------------------------------------------------ strategy

    def strategy(self) -> Node:
        """The best strategy known: exact sets by the table, others by the guess of least expected value."""
        return self._grow(self.start, self.opening)

    def any_strategy(self) -> Node:
        """A complete strategy, before any opening was settled."""
        return self._grow(self.start, self._guess(self.start))

    def _grow(self, codes: NDArray[np.int32], guess: int) -> Node:
        labels = self.by_guess[guess][codes]
        win = len(self.layout.labels) - 1
        node = Node(tuple(self.layout.guesses[guess].tolist()), bool((labels == win).any()))
        for label in np.unique(labels).tolist():
            if label != win:
                below = codes[labels == label]
                node.children[self.layout.labels[label]] = self._grow(below, self._guess(below))
        return node

    def _guess(self, codes: NDArray[np.int32]) -> int:
        if len(codes) <= 2:
            return int(self.layout.arrays["guess_of_secret"][codes[0]])
        found = int(kernel.probe(self.keys, np.bitwise_xor.reduce(self.layout.zobrist[codes])))
        if found >= 0 and self.marks[found, 0] == kernel.EXACT:
            return int(self.marks[found, 1])
        self._enter(codes, np.inf)
        # A small set is solved, a large one tried for a moment; its first candidate looks best.
        self._go(1 << 40 if self.finished else 300, np.ones(self.guess_count, np.bool_))
        chosen = int(self.whole[0, kernel.CHOSEN])
        return chosen if chosen >= 0 else int(self.memory[4][0, 0])

    # ------------------------------------------------------------ symmetry

    def _representatives(self, images: list[NDArray[Any]]) -> NDArray[np.bool_]:
        """One opening of every class that swaps of two colors or pegs make equal, those that change no weight."""
        first = np.arange(self.guess_count)
        before = -first
        while not np.array_equal(before, first):
            before = first.copy()
            for image in images:
                first = np.minimum(first, first[image])
        return np.asarray(first == np.arange(self.guess_count))

    def _swaps(self) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
        """(order of the pegs, names of the colors) of every exchange of two pegs or two colors but the blank."""
        pegs = self.layout.guesses.shape[1]
        symbols = int(self.layout.guesses.max()) + 1
        for of_colors, count in ((False, pegs), (True, symbols)):
            for pair in combinations(range(count), 2):
                order, names = np.arange(pegs), np.arange(symbols)
                moved = names if of_colors else order
                moved[list(pair)] = pair[::-1]
                if self.layout.blank is None or names[self.layout.blank] == self.layout.blank:
                    yield order, names

    def _image(self, swap: tuple[NDArray[Any], NDArray[Any]]) -> NDArray[Any] | None:
        """Where a swap takes every guess; None where it changes a weight."""
        order, names = swap
        images = self.layout.number_secrets(names[self.layout.secrets[:, order]])
        if (images < 0).any() or not np.array_equal(self.weight[images], self.weight):
            return None
        numbers = names[self.layout.guesses[:, order]] @ self.layout.arrays["powers"]
        image: NDArray[Any] = self.layout.arrays["guess_of_number"][numbers]
        return image
