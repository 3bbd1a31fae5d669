"""The bounds of `proven_bounds` in compiled loops: the same numbers, some fifty times as fast on large boards.

For boards without weights where guesses do not depend on the history, and with at most 64 labels. The definitions are
those of `SetBounds`, which the tests compare with; what is left out here is what cannot change a number. It shares the
compiler's decorators with the rest of the program, and no line that computes.
"""

# ruff: noqa: C901, PLR0912, PLR0913, PLR0917
# Kernels are written for the compiler: plain loops, and arrays made by their callers.

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg.check.proven_board import ProvenBoard
from entropeg.check.proven_bounds import HOPELESS, NO_USE, Left, SetBounds
from entropeg.kernels.compile import inner, kernel

BLOCK = 512
"""Guesses that are looked at together: their words of bits stay in the nearest cache."""
UNLIMITED = 1 << 20
"""Guesses that are left where there is no limit."""


class _Labelled(NamedTuple):
    """A board. by_secret: [secrets, guesses], places of labels; by_guess: the same turned over.

    guess_of: int64[secrets], the number of each as a guess; colors: int64[guesses], a bit for each color in the guess,
    none where guesses do not become guesses as colors change places; is_repeated: whether a color may come twice.
    """

    by_secret: NDArray[np.uint8]
    by_guess: NDArray[np.uint8]
    guess_of: NDArray[np.int64]
    colors: NDArray[np.int64]
    labels: int
    is_repeated: bool


class _Space(NamedTuple):
    """Arrays to work in.

    parts: int64[guesses]; least: int64[2, secrets + 1]; codes: int64[secrets]; sizes and part_sizes: int64[labels];
    words: uint64[BLOCK]; places and sums: int64[BLOCK]; counts: uint16[labels, BLOCK], or uint32 for more secrets.
    """

    parts: NDArray[np.int64]
    least: NDArray[np.int64]
    codes: NDArray[np.int64]
    sizes: NDArray[np.int64]
    part_sizes: NDArray[np.int64]
    words: NDArray[np.uint64]
    places: NDArray[np.int64]
    sums: NDArray[np.int64]
    counts: NDArray[Any]


@inner
def _most_found(inside: int, outside: int, within: int, enough: int) -> int:
    """How many codes are found within some guesses, or at least `enough`."""
    found = 0
    for _ in range(within):
        if found >= enough:
            break
        found = max(1 + inside * found, outside * found)
    return found


@inner
def _fill_least(least: Any, n: int, inside: int, outside: int, after: int) -> None:
    """The least cost of 0 to n codes by their number, with so many guesses left."""
    least[0] = 0
    for x in range(1, n + 1):
        least[x] = min(2 * x - 1 + max(x - 1 - inside, 0), 2 * x + max(x - outside, 0))
    found, before = max(1 + inside, outside), 0
    while before < found < n:
        before, found = found, max(1 + inside * found, outside * found)
        if before < found:
            for x in range(found + 1, n + 1):
                least[x] += x - found
    if after < UNLIMITED - 1:
        for x in range(_most_found(inside, outside, after, n) + 1, n + 1):
            least[x] = HOPELESS


@inner
def _count(word: Any) -> Any:
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@inner
def _count_parts(pairs: Any, codes: Any, n: int, space: Any, is_enough: int) -> tuple[int, int]:
    """Parts that each guess leaves, its own included; (most that a guess of the set leaves beside, most of another).

    The second is -1 where a guess of the set leaves all codes apart, -2 where another one does; only if `is_enough`.
    """
    by_guess, guess_of, parts = pairs.by_guess, pairs.guess_of, space.parts
    one = np.uint64(1)
    inside = 0
    for i in range(n):
        row, word = by_guess[guess_of[codes[i]]], np.uint64(0)
        for j in range(n):
            word |= one << np.uint64(row[codes[j]])
        inside = max(inside, _count(word) - 1)
    if is_enough and inside == n - 1:
        return inside, -1
    outside, size, words = 0, parts.shape[0], space.words
    for begin in range(0, size, BLOCK):
        width = min(BLOCK, size - begin)
        for g in range(width):
            words[g] = np.uint64(0)
        for j in range(n):
            row = pairs.by_secret[codes[j]]
            for g in range(width):
                words[g] |= one << np.uint64(row[begin + g])
        most = 0
        for g in range(width):
            count = _count(words[g])
            parts[begin + g] = count
            most = max(most, count)
        if is_enough and most == n:
            return inside, -2
        if most > outside:
            # A guess of the set does not count here, and hardly ever has the most.
            for i in range(n):
                at = guess_of[codes[i]] - begin
                if 0 <= at < width:
                    parts[begin + at] = -parts[begin + at]
            for g in range(width):
                outside = max(outside, parts[begin + g])
            for i in range(n):
                at = guess_of[codes[i]] - begin
                if 0 <= at < width:
                    parts[begin + at] = -parts[begin + at]
    return inside, outside


@inner
def _sum_of_sizes(pairs: Any, codes: Any, n: int, guess: int, least: Any, sizes: Any) -> int:
    """The least cost of a guess by the sizes of its parts."""
    row, win, total = pairs.by_guess[guess], pairs.labels - 1, n
    for label in range(pairs.labels):
        sizes[label] = 0
    for i in range(n):
        sizes[row[codes[i]]] += 1
    for label in range(win):
        total += least[sizes[label]]
        if sizes[label] == n:
            return NO_USE
    return NO_USE if total >= HOPELESS else total


@inner
def _sums_of_sizes(pairs: Any, codes: Any, n: int, begin: int, many: int, least: Any, space: Any) -> None:
    """Write the same of so many guesses of a block to `space.sums`: code by code, whose labels lie side by side."""
    places, counts, win = space.places, space.counts, pairs.labels - 1
    counts[:, :many] = 0
    for i in range(n):
        row = pairs.by_secret[codes[i]]
        for at in range(many):
            counts[row[begin + places[at]], at] += 1
    for at in range(many):
        total = n
        for label in range(win):
            size = np.int64(counts[label, at])
            total += least[size]
            if size == n:
                total = HOPELESS
        space.sums[at] = NO_USE if total >= HOPELESS else total


@inner
def _absent(pairs: Any, codes: Any, n: int) -> int:
    """The colors that none of these codes has, a bit for each."""
    there, colors, guess_of = 0, pairs.colors, pairs.guess_of
    for i in range(n):
        there |= colors[guess_of[codes[i]]]
    return ~there


@inner
def _is_first(colors: int, absent: int, is_repeated: int) -> bool:
    """Whether a guess is the one to look at among those that differ in absent colors, which leave the same parts.

    It has none but the first of them; where no color comes twice, none before another that it does not have.
    """
    its = colors & absent
    if is_repeated:
        return (its & (absent - 1)) == 0
    others = absent & ~its
    return its < (others & -others)


@inner
def _set_bound(pairs: Any, codes: Any, n: int, within: int, space: Any) -> int:
    """The least cost of a set by the formulas: as `SetBounds.set_bound`."""
    if n <= 2:
        return 2 * n - 1 if within >= n else NO_USE
    inside, outside = _count_parts(pairs, codes, n, space, 1)
    if outside < 0:
        # Every code apart takes two guesses each, and one of the set is found by the first.
        return NO_USE if within < 2 else 2 * n + (-1 if outside == -1 else 0)
    if within < UNLIMITED and _most_found(inside, outside, within, n) < n:
        return NO_USE
    parts, guess_of, least = space.parts, pairs.guess_of, space.least[1]
    _fill_least(least, n, inside, outside, within - 1)
    for i in range(n):
        parts[guess_of[codes[i]]] += 1  # a guess of the set saves one more
    absent, best, size, tried = _absent(pairs, codes, n), NO_USE, parts.shape[0], 0
    most = max(inside + 2, outside)
    for guess in range(size):  # the first with the most parts, as good as the best one often
        if parts[guess] == most and tried < 4:
            tried += 1
            best = min(best, max(_sum_of_sizes(pairs, codes, n, guess, least, space.sizes), 3 * n - most))
    for begin in range(0, size, BLOCK):
        if best <= 3 * n - most:
            break
        many = 0
        for guess in range(begin, min(begin + BLOCK, size)):
            if 3 * n - parts[guess] < best and _is_first(pairs.colors[guess], absent, pairs.is_repeated):
                space.places[many] = guess - begin
                many += 1
        _sums_of_sizes(pairs, codes, n, begin, many, least, space)
        for at in range(many):
            best = min(best, max(space.sums[at], 3 * n - parts[begin + space.places[at]]))
    return best


@inner
def _cost(pairs: Any, codes: Any, n: int, guess: int, after: int, named: Any, enough: int, space: Any) -> int:
    """The least cost of a guess: as `SetBounds.cost`; `space.least[0]` is that of the set."""
    row, win, sizes = pairs.by_guess[guess], pairs.labels - 1, space.part_sizes
    for label in range(win + 1):
        sizes[label] = 0
    for i in range(n):
        sizes[row[codes[i]]] += 1
    total = n
    for label in range(win):
        if sizes[label] == n:
            return NO_USE
        if sizes[label]:
            total += max(space.least[0][sizes[label]], named[label])
    if total >= HOPELESS:
        return NO_USE
    some, last = space.codes, 2
    while total < enough:
        size = n + 1
        for label in range(win):  # the next larger size
            if last < sizes[label] < size:
                size = sizes[label]
        if size > n:
            break
        last = size
        for label in range(win):
            if sizes[label] == size and total < enough:
                count = 0
                for i in range(n):
                    if row[codes[i]] == label:
                        some[count] = codes[i]
                        count += 1
                low = max(space.least[0][size], named[label])
                bound = _set_bound(pairs, some, size, after, space)
                if bound > low:
                    total += bound - low
    return NO_USE if total >= HOPELESS else total


@kernel
def set_bound(pairs: Any, codes: Any, within: int, space: Any) -> int:
    """As `SetBounds.set_bound`; codes: int64[n]."""
    bound: int = _set_bound(pairs, codes, len(codes), within, space)
    return bound


@kernel
def fan(pairs: Any, codes: Any, space: Any) -> tuple[int, int]:
    """As `SetBounds.fan`."""
    most: tuple[int, int] = _count_parts(pairs, codes, len(codes), space, 0)
    return most


@kernel
def prepare(pairs: Any, codes: Any, bound: int, within: int, space: Any, some: Any) -> int:
    """Write the guesses that sizes and numbers of parts do not refute; how many, -1 where the set is refuted as one.

    Leaves in `space.least[0]` what the costs of the guesses need.
    """
    n, count = len(codes), 0
    inside, outside = _count_parts(pairs, codes, n, space, 0)
    parts, guess_of, least = space.parts, pairs.guess_of, space.least[0]
    _fill_least(least, n, inside, outside, within - 1)
    for i in range(n):
        parts[guess_of[codes[i]]] += 1
    if within < UNLIMITED and _most_found(inside, outside, within, n) < n:
        return -1
    quick = NO_USE
    for guess in range(parts.shape[0]):
        quick = min(quick, 3 * n - parts[guess])
    plain = space.least[1]
    _fill_least(plain, n, inside, outside, UNLIMITED)
    if max(quick, plain[n]) >= bound:
        return -1
    for begin in range(0, parts.shape[0], BLOCK):
        many = 0
        for guess in range(begin, min(begin + BLOCK, parts.shape[0])):
            if 3 * n - parts[guess] < bound:
                space.places[many] = guess - begin
                many += 1
        _sums_of_sizes(pairs, codes, n, begin, many, least, space)
        for at in range(many):
            if space.sums[at] < bound:
                some[count] = begin + space.places[at]
                count += 1
    return count


@kernel
def costs(pairs: Any, codes: Any, guesses: Any, after: int, named: Any, enough: int, space: Any, found: Any) -> None:
    """The cost of each of these guesses, after `prepare`; named: int64[guesses or 1, labels]."""
    for at in range(len(guesses)):
        names = named[min(at, len(named) - 1)]
        found[at] = _cost(pairs, codes, len(codes), guesses[at], after, names, enough, space)


@inner
def _root(kind: Any, at: int) -> int:
    while kind[at] != at:
        kind[at] = kind[kind[at]]
        at = kind[at]
    return at


@kernel
def join(
    pairs: Any, codes: Any, guesses: Any, images: Any, rows: Any, slots: Any, place: Any, names: Any, kind: Any
) -> None:
    """A number for each of the guesses, as `SetBounds.classes`.

    images: [k, guesses of the board]; rows: uint8[guesses, n] to work in, slots: int64[a power of 2], place: int64[
    guesses of the board], all -1; names: int64[labels].
    """
    n, win = len(codes), pairs.labels - 1
    for at in range(len(guesses)):
        kind[at], place[guesses[at]] = at, at
        names[:] = -1
        names[win] = win
        count, word = 0, np.uint64(1469598103934665603)
        for i in range(n):
            label = pairs.by_guess[guesses[at], codes[i]]
            if names[label] < 0:
                names[label] = count
                count += 1
            rows[at, i] = names[label]
            word = (word ^ np.uint64(names[label] + 1)) * np.uint64(1099511628211)
        slot = np.int64((word ^ (word >> np.uint64(32))) & np.uint64(len(slots) - 1))
        while slots[slot] >= 0:
            other, is_same = slots[slot], True
            for i in range(n):
                if rows[other, i] != rows[at, i]:
                    is_same = False
                    break
            if is_same:
                kind[at] = other
                break
            slot = (slot + 1) & (len(slots) - 1)
        if slots[slot] < 0:
            slots[slot] = at
    for k in range(len(images)):
        for at in range(len(guesses)):
            target = place[images[k, guesses[at]]]
            if target >= 0:
                one, other = _root(kind, at), _root(kind, target)
                kind[max(one, other)] = min(one, other)
    for at in range(len(guesses)):
        place[guesses[at]] = -1
    for at in range(len(guesses)):
        kind[at] = _root(kind, at)


class CompiledBounds(SetBounds):
    """The labels of a board, and the bounds of sets of codes, compiled."""

    def __init__(self, board: ProvenBoard) -> None:
        super().__init__(board)
        guesses, size, labels = len(board.guesses), len(board.secrets), len(self.labels)
        is_alike = board.labels is None and not board.is_list and not board.shapes and board.symbols <= 62
        colors = (
            np.bitwise_or.reduce(1 << np.minimum(board.guesses, 62), axis=1)
            if is_alike
            else np.zeros(guesses, np.int64)
        )
        if board.blank is not None:
            colors &= ~(1 << board.blank)
        by_guess = np.ascontiguousarray(self.label.T)
        self.pairs = _Labelled(self.label, by_guess, self.guess_of, colors, labels, board.is_repeated)
        some = (np.zeros(guesses, np.int64), np.zeros((2, size + 1), np.int64), np.zeros(size, np.int64))
        sizes = (np.zeros(labels, np.int64), np.zeros(labels, np.int64), np.zeros(BLOCK, np.uint64))
        counts = np.zeros((labels, BLOCK), np.uint16 if size < 1 << 16 else np.uint32)
        self.space = _Space(*some, *sizes, np.zeros(BLOCK, np.int64), np.zeros(BLOCK, np.int64), counts)
        self.some = np.zeros(guesses, np.int64)
        self.at = np.full(guesses, -1)

    def set_bound(self, left: Left, within: int | None = None) -> int:
        """The least cost of a set by the formulas."""
        return int(set_bound(self.pairs, left.codes, _guesses(within), self.space))

    def _fan(self, left: Left) -> tuple[int, int]:
        inside, outside = fan(self.pairs, left.codes, self.space)
        return int(inside), int(outside)

    def open_guesses(self, left: Left, bound: int, within: int | None) -> Any:
        """The guesses, ascending, that sizes and numbers of parts do not refute; none where they refute all."""
        count = prepare(self.pairs, left.codes, max(bound, 0), _guesses(within), self.space, self.some)
        return self.some[: max(count, 0)].copy()

    def alike(self, left: Left, guesses: Any) -> Any:
        """A number for each of the guesses: equal ones leave the same parts."""
        return self._kinds(left, guesses, [])

    def unrefuted(
        self, left: Left, bound: int, within: int | None, images: list[Any], costs_of: dict[int, dict[int, int]]
    ) -> list[tuple[int, int]]:
        """As of `SetBounds`."""
        most, bound = _guesses(within), max(bound, 0)
        count = prepare(self.pairs, left.codes, bound, most, self.space, self.some)
        if count < 0:
            return []
        some = self.some[:count].copy()
        given = np.array(list(costs_of), np.int64)
        named = np.zeros((max(1, len(given)), len(self.labels)), np.int64)
        for row, parts in zip(named, costs_of.values(), strict=False):
            row[list(parts)] = [min(max(value, 0), HOPELESS) for value in parts.values()]
        for guess, value in zip(costs_of, self._costs(left, given, most, named, bound), strict=True):
            if value < bound:
                return [(guess, value)]
        kinds = self._kinds(left, some, images)
        is_refuted = np.isin(some, given)
        _, first = np.unique(kinds, return_index=True)
        rest = some[first[~np.isin(kinds[first], kinds[is_refuted])]]
        found = self._costs(left, rest, most, np.zeros((1, len(self.labels)), np.int64), bound)
        return [(guess, value) for guess, value in zip(rest.tolist(), found, strict=True) if value < bound]

    def _costs(self, left: Left, guesses: Any, within: int, named: Any, enough: int) -> list[int]:
        found = np.zeros(len(guesses), np.int64)
        costs(self.pairs, left.codes, guesses, within - 1, named, enough, self.space, found)
        values: list[int] = found.tolist()
        return values

    def _kinds(self, left: Left, guesses: Any, images: list[Any]) -> Any:
        rows = np.zeros((len(guesses), len(left.codes)), np.uint8)
        slots = np.full(1 << (2 * len(guesses)).bit_length(), -1)
        kind, every = np.zeros(len(guesses), np.int64), np.zeros((len(images), len(self.at)), np.int32)
        for row, image in zip(every, images, strict=True):
            row[:] = image
        join(self.pairs, left.codes, guesses, every, rows, slots, self.at, self.space.part_sizes, kind)
        return kind


def _guesses(within: int | None) -> int:
    """The guesses that are left, as kernels take them."""
    return UNLIMITED if within is None else min(max(within, -1), UNLIMITED)
