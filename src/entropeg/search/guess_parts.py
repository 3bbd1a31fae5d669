"""Values of what guesses leave, of many guesses of a position at once: sets that several guesses leave count once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import CodeSet
from entropeg.search.preparing import rows_of
from entropeg.search.values import PROBED, PositionValues
from entropeg.table.tablebase import Tablebase

Array = NDArray[np.int64]

ALONE = 100
"""Sets of more codes are searched one by one, behind the guess that left them, as `search.tables.worth` says."""


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


def prepare(values: PositionValues, table: Tablebase | None = None) -> None:
    """Have all compiled that `guess_parts` needs, before a clock begins."""
    none = np.zeros(0, np.int32), np.zeros(1, np.int64)
    values.board.totals_of_rows(*none)
    if table is not None:
        table.look(*none)


def guess_parts(
    values: PositionValues, guesses: CodeSet, left: int | None = None, table: Tablebase | None = None
) -> GuessParts | None:
    """Return the parts of all guesses with their exact values, or None where the search was stopped.

    Asked in a block of `values.opened`; `left`: guesses that are left. Large sets that the table has are not
    searched. Costs 30 to 100 ms for all 1,296 guesses of 4x6 where 50 codes are left, of which half are worst cases.
    """
    layout, n = values.board.layout, len(values.codes)
    numbers = layout.number_guesses(rows_of(guesses))
    labels = layout.arrays["by_guess"][numbers[:, None], values.codes]
    order = np.argsort(labels, axis=1, kind="stable")  # codes of a part stay in the order of sets
    labels, rows = np.take_along_axis(labels, order, 1), values.codes[order].ravel()
    is_first = np.ones(labels.shape, np.bool_)
    is_first[:, 1:] = labels[:, 1:] != labels[:, :-1]
    starts = np.flatnonzero(is_first)
    sizes, of, labels = np.diff(starts, append=rows.size), starts // n, labels.ravel()[starts]
    weights = layout.arrays["weight"][rows] if layout.is_weighted else np.ones(rows.size, np.int64)
    masses, is_won = np.add.reduceat(weights, starts), labels == layout.win
    # Of two codes the heavier comes first.
    totals = masses + np.where(sizes == 2, weights[np.minimum(starts + 1, rows.size - 1)], 0)
    if left is not None:
        totals[sizes >= left] = values.infinite
    totals[is_won], worsts = 0, np.where(is_won, 0, sizes)
    parts = GuessParts(of, labels, sizes, masses, totals, worsts)
    large = np.flatnonzero((sizes > 2) & ~is_won)
    if not len(large):
        return parts
    words = np.bitwise_xor.reduceat(layout.zobrist[rows], starts)[large]
    if layout.answers.is_hard:  # the value depends on the clues too
        words = np.arange(len(large), dtype=np.uint64)
    _, first, which = np.unique(words, return_index=True, return_inverse=True)
    by_size = np.argsort(sizes[large][first], kind="stable")  # small sets first: they help large ones
    which, chosen = np.argsort(by_size)[which], large[first[by_size]]
    sets = _Sets(values, left, table, rows, starts[chosen], sizes[chosen])
    sets.behind = np.stack([numbers[of[chosen]], labels[chosen]], 1)
    if not (sets.find_totals() and sets.find_worsts()):
        return None
    totals[large], worsts[large] = sets.totals[which], sets.worsts[which]
    # Of a guess that leaves nothing worse it matters which of these take three guesses.
    rough = sets.is_rough[which] & (len(guesses) == 1 or parts.worst(len(guesses))[of[large]] == 3)
    if not sets.refine(np.unique(which[rough])):
        return None
    worsts[large] = sets.worsts[which]
    return parts


class _Sets:
    """Different sets of three codes or more that guesses leave, in ascending order of their sizes.

    Set i is `rows[starts[i] : starts[i] + sizes[i]]`, what an answer to a guess leaves. Methods return False where the
    search was stopped.
    """

    behind: NDArray[np.int32]
    """The guess and the compact label of the answer that leave each set."""

    def __init__(
        self, values: PositionValues, left: int | None, table: Tablebase | None,
        rows: NDArray[np.int32], starts: Array, sizes: Array,
    ) -> None:  # fmt: skip
        self.values, self.board, self.table = values, values.board, table
        self.rows, self.starts, self.sizes = rows, starts, sizes
        self.left = None if left is None else left - 1
        self.is_hard: bool = self.board.layout.answers.is_hard
        self.totals, self.worsts = np.zeros(len(sizes), np.int64), np.zeros(len(sizes), np.int64)
        self.is_rough: NDArray[np.bool_] = np.zeros(len(sizes), np.bool_)
        """Worst cases of 2 that may be 3."""

    def find_totals(self) -> bool:
        """Find the totals of all sets, and the worst cases of those that the table has."""
        table, is_open = self.table, np.ones(len(self.sizes), np.bool_)
        if table is not None:
            inside = np.flatnonzero((self.sizes >= max(PROBED, table.least)) & (self.sizes <= table.most))
            rows, starts = self._pool(inside)
            is_there, self.totals[inside], self.worsts[inside] = table.look(self.board.ranks[rows], starts)
            is_open[inside] = ~is_there
        some = np.flatnonzero(is_open)
        found = self._searched(some, self.left)
        if found is not None:
            self.totals[some] = found
        return found is not None

    def find_worsts(self) -> bool:
        """Find the worst cases, but for whether they are 2 or 3."""
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
            is_kept = found < self.values.infinite
            self.is_rough[open_ones[is_kept]] = limit == 3 and self.board.layout.is_weighted
            self.worsts[open_ones[is_kept]] = limit
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

    def _pool(self, some: Array) -> tuple[NDArray[np.int32], Array]:
        sizes = self.sizes[some]
        ends = np.cumsum(sizes)
        places = np.arange(int(sizes.sum())) + np.repeat(self.starts[some] - ends + sizes, sizes)
        return self.rows[places], np.concatenate([[0], ends])

    def _searched(self, some: Array, left: int | None, below: int | None = None) -> Array | None:
        """The totals of some sets, in ascending order of size, within so many guesses; None where it was stopped."""
        few = some[(self.sizes[some] <= ALONE) & (not self.is_hard)]
        found = self.board.totals_of_rows(*self._pool(few), left, below).tolist() if len(few) else []
        for each in some[len(few) :].tolist():
            if self.board.stop.is_set:
                break
            found.append(self._alone(each, left))
        return None if self.board.stop.is_set else np.array(found, np.int64)

    def _alone(self, each: int, left: int | None) -> int:
        from entropeg.search.exact import engine, fields

        memory, (guess, label) = self.board.memory, self.behind[each].tolist()
        engine.enter(memory, 0, guess, fields.NO_LABEL)
        engine.enter_answer(memory, guess, label)
        d = fields.UNLIMITED if left is None else min(left, fields.UNLIMITED)
        return self.values.total(self._pool(np.array([each]))[0], d, 1).lower
