"""Values of what guesses leave, of many guesses of a position at once: sets that several guesses leave count once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import CodeSet
from entropeg.search.preparing import rows_of
from entropeg.search.values import PROBED, BoardValues, PositionValues, concatenated_ranges
from entropeg.table.tablebase import Tablebase

Array = NDArray[np.int64]

ALONE = 100
"""Sets of more codes are searched one by one, behind the turns that led to them: with the symmetry of these 4x7 takes 2
to 11 milliseconds a set, without it 367."""
LARGE = 2_000_000
"""Guesses times codes of boards whose small sets are looked up as well: the first question about Bulls and Cows and 4x8
takes half of the time, a second the same."""


@dataclass(frozen=True)
class GuessParts:
    """The parts that guesses make of the codes of a position, guess after guess: arrays of one length.

    `of` says which guess, `labels` which answer (compact, the winning one included), `sizes` how many codes, `masses`
    what they weigh, `totals` what the best play takes for them, 0 after the winning answer, and `worsts` the fewest
    guesses in the worst case. `infinite` stands for a set that no play finds in the guesses left. A worst case of 2 may
    be 3 beside a part of the same guess that takes 3 or more.
    """

    of: Array
    labels: NDArray[np.uint8]
    sizes: Array
    masses: Array
    totals: Array
    worsts: Array
    large: Array
    """Which parts have three codes or more, and no winning answer before."""
    which: Array
    """The number of the set that each of those is."""

    def number(self, guesses: int) -> Array:
        """How many parts each guess makes: `int64[guesses]`."""
        return np.bincount(self.of, minlength=guesses)

    def after(self, guesses: int, infinite: int) -> Array:
        """The total of each guess, itself counted: `int64[guesses]`."""
        found = np.zeros(guesses, np.int64)
        np.add.at(found, self.of, self.masses + self.totals)
        return np.minimum(found, infinite)

    def worst(self, guesses: int) -> Array:
        """The fewest guesses that settle every code where each guess is played first: `int64[guesses]`."""
        found = np.zeros(guesses, np.int64)
        np.maximum.at(found, self.of, self.worsts)
        return found + 1

    def take_values(self, sets: PartSets) -> None:
        """Give the large parts the values of the sets that they are."""
        self.totals[self.large], self.worsts[self.large] = sets.totals[self.which], sets.worsts[self.which]


def guess_parts(values: PositionValues, guesses: CodeSet) -> GuessParts | None:
    """Return the parts of all guesses with their exact values, or None where the search was stopped.

    Asked in a block of `values.opened`. Large sets that the table has are not searched. Costs 5 to 100 ms for all
    1,296 guesses of 4x6 where 50 codes are left, of which half are worst cases.
    """
    board, table = values.board, values.table_after(1)
    parts, sets = cut_codes(board, values.codes, board.layout.number_guesses(rows_of(guesses)), values.guesses_left)
    if table is not None:
        sets.look_up(table)
    if not sets.search():
        return None
    parts.take_values(sets)
    # Of a guess that leaves nothing worse it matters which of these take three guesses.
    rough = sets.is_rough[parts.which] & (len(guesses) == 1 or parts.worst(len(guesses))[parts.of[parts.large]] == 3)
    if not sets.refine(np.unique(parts.which[rough])):
        return None
    parts.take_values(sets)
    return parts


def cut_codes(
    board: BoardValues, codes: NDArray[np.int32], numbers: NDArray[np.int32], left: int | None = None
) -> tuple[GuessParts, PartSets]:
    """Cut codes, rows in the order of sets, by guesses: parts with the values of the small ones, and the large sets."""
    layout, n = board.layout, len(codes)
    labels = layout.arrays["by_guess"][numbers[:, None], codes]
    order = np.argsort(labels, axis=1, kind="stable")  # codes of a part stay in the order of sets
    labels, rows = np.take_along_axis(labels, order, 1), codes[order].ravel()
    is_first = np.ones(labels.shape, np.bool_)
    is_first[:, 1:] = labels[:, 1:] != labels[:, :-1]
    starts = np.flatnonzero(is_first)
    sizes, of, labels = np.diff(starts, append=rows.size), starts // n, labels.ravel()[starts]
    weights = layout.arrays["weight"][rows] if layout.is_weighted else np.ones(rows.size, np.int64)
    masses, is_won = np.add.reduceat(weights, starts), labels == layout.win
    # Of two codes the heavier comes first.
    totals = masses + np.where(sizes == 2, weights[np.minimum(starts + 1, rows.size - 1)], 0)
    if left is not None:
        totals[sizes >= left] = layout.infinite
    totals[is_won], worsts = 0, np.where(is_won, 0, sizes)
    large = np.flatnonzero((sizes > 2) & ~is_won)
    words = np.bitwise_xor.reduceat(layout.zobrist[rows], starts)[large]
    if layout.answers.is_hard:  # the value depends on the clues too
        words = np.arange(len(large), dtype=np.uint64)
    _, first, which = np.unique(words, return_index=True, return_inverse=True)
    by_size = np.argsort(sizes[large][first], kind="stable")  # small sets first: they help large ones
    which, chosen = np.argsort(by_size)[which], large[first[by_size]]
    behind = np.stack([numbers[of[chosen]], labels[chosen]], 1)
    sets = PartSets(board, rows, starts[chosen], sizes[chosen], None if left is None else left - 1, behind)
    return GuessParts(of, labels, sizes, masses, totals, worsts, large, which), sets


class PartSets:
    """Different sets of three codes or more with their values, 0 until they are found.

    Set i is `rows[starts[i] : starts[i] + sizes[i]]`, in the order of sets. Those of more than `ALONE` codes come last,
    and `behind` has the guess and the compact label of the answer that leave each of them. Methods return False where
    the search was stopped.
    """

    def __init__(
        self, board: BoardValues, rows: NDArray[np.int32], starts: Array, sizes: Array,
        left: int | None = None, behind: NDArray[np.int32] | None = None,
    ) -> None:  # fmt: skip
        self.board, self.rows, self.starts, self.sizes = board, rows, starts, sizes
        self.left, self._behind = left, behind
        self.totals, self.worsts = np.zeros(len(sizes), np.int64), np.zeros(len(sizes), np.int64)
        self.is_rough: NDArray[np.bool_] = np.zeros(len(sizes), np.bool_)
        """Worst cases of 2 that may be 3."""

    def pool(self, some: Array) -> tuple[NDArray[np.int32], Array]:
        """Some of the sets one after the other: their rows, and where each begins and the last one ends."""
        places, starts = concatenated_ranges(self.starts[some], self.sizes[some])
        return self.rows[places], starts

    def look_up(self, table: Tablebase) -> None:
        """Take what a table has: of the large sets, on large boards of all."""
        is_large = self.board.layout.arrays["by_guess"].size >= LARGE
        least = table.least if is_large else max(PROBED, table.least)
        inside = np.flatnonzero((self.sizes >= least) & (self.sizes <= table.most))
        rows, starts = self.pool(inside)
        _, self.totals[inside], self.worsts[inside] = table.look(self.board.ranks[rows], starts)

    def search(self) -> bool:
        """Search those that have no values yet, but for whether a worst case is 2 or 3."""
        some = np.flatnonzero(self.totals == 0)
        found = self._searched(some, self.left)
        if found is None:
            return False
        self.totals[some] = found
        if not self.board.layout.is_weighted:
            # A tree in which a code takes four guesses takes 2n + 2 for n codes at least, one of two at most 2n.
            more, is_open = self.totals - 2 * self.sizes, self.worsts == 0
            self.is_rough = is_open & (more == 0)
            self.worsts[is_open & (more <= 1)] = 3
            self.worsts[is_open & (more <= 0)] = 2
        limit, open_ones = 3, np.flatnonzero(self.worsts == 0)
        while len(open_ones):
            found = self._searched(open_ones, limit)
            if found is None:
                return False
            is_kept = found < self.board.layout.infinite
            is_rough = limit == 3 and self.board.layout.is_weighted
            self.is_rough[open_ones[is_kept]] = is_rough
            self.worsts[open_ones[is_kept]] = limit - is_rough
            open_ones, limit = open_ones[~is_kept], limit + 1
        return True

    def refine(self, some: Array) -> bool:
        """Tell of sets whose worst case is 2 or 3 which it is."""
        weight = 1 if not self.board.layout.is_weighted else int(self.board.layout.arrays["weight"].max())
        for n in np.unique(self.sizes[some]).tolist():
            alike = some[self.sizes[some] == n]
            found = self._searched(alike, 2, 2 * n * weight + 1)
            if found is None:
                return False
            self.worsts[alike] = np.where(found <= 2 * n * weight, 2, 3)
        return True

    def value(self) -> bool:
        """Search those that have no values yet, and tell which worst cases are 2."""
        return self.search() and self.refine(np.flatnonzero(self.is_rough))

    def _searched(self, some: Array, left: int | None, below: int | None = None) -> Array | None:
        """The totals of some sets, in ascending order of size, within so many guesses; None where it was stopped."""
        few = some[(self.sizes[some] <= ALONE) & (not self.board.layout.answers.is_hard)]
        found = self.board.totals_of_rows(*self.pool(few), left, below).tolist() if len(few) else []
        for each in some[len(few) :].tolist():
            if self.board.stop.is_set:
                break
            found.append(self._alone(each, left))
        return None if self.board.stop.is_set else np.array(found, np.int64)

    def _alone(self, each: int, left: int | None) -> int:
        from entropeg.search.exact import engine, fields

        assert self._behind is not None
        memory, (guess, label) = self.board.memory, self._behind[each].tolist()
        engine.enter(memory, 0, guess, fields.NO_LABEL)
        engine.enter_answer(memory, guess, label)
        d = fields.UNLIMITED if left is None else min(left, fields.UNLIMITED)
        return self.board.total(self.pool(np.array([each]))[0], d, 1).lower
