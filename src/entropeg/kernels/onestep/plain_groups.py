"""Guesses by the colors that they have, on NumPy: their labels from three small tables, and bounds on their costs.

A label is ``pegs * black + common``. The pegs that a guess and a secret have in common depend on their colors, black
pegs are those of the first half and those of the second: each is looked up in a table, so that a pair of codes costs
three bytes read and two additions. `color_bounds` explains the parts by colors alone; here bounds
are whole numbers and without bonuses, so that they need no room for rounding.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from entropeg.kernels._plain_labels import tallies
from entropeg.kernels.onestep.arrays import COUNTED, LARGEST, SORTED, SUM, Core, Criterion
from entropeg.sizes import BLACK, MEMBERSHIP, STANDARD

Array = Any

MOST_AT_ONCE = 1 << 22
"""Nodes that would need more cells for themselves have their guesses looked up one by one."""


class CodePlaces(NamedTuple):
    """Where the codes of a list, guesses or secrets, stand in the tables."""

    head: Array  # intp[codes]: which of the codes over the first pegs each begins with
    tail: Array  # intp[codes]: and ends with
    group: Array  # intp[codes]: which of the groups of equal colors each belongs to
    heads: Array  # uint8[heads, left]: the codes over the first pegs, each once
    tails: Array  # uint8[tails, pegs - left]
    colors: Array  # uint8[groups, symbols]: how many pegs of each color a group has


class LabelTables(NamedTuple):
    """The labels of a board in three parts, guesses by secrets, and the guesses by groups."""

    guesses: CodePlaces
    secrets: CodePlaces
    heads: Array  # label[heads, heads of secrets]: what their black pegs add to a label
    tails: Array  # label[tails, tails of secrets]
    common: Array  # label[groups, groups of secrets]
    order: Array  # intp[guesses]: the guesses by group, in each in order
    starts: Array  # intp[groups + 1]: where each group begins in `order`


_kept: list[tuple[Core, LabelTables | None]] = []


def tables_of(core: Core) -> LabelTables | None:
    """Return the tables of a board, kept for the next call; None where they would be large, or feedback is another."""
    for owner, tables in _kept:
        if owner is core:
            return tables
    made = _make(core)
    _kept[:] = [(core, made)]
    return made


def _make(core: Core) -> LabelTables | None:
    if core.kind not in {STANDARD, MEMBERSHIP, BLACK} or core.pegs < 2 or core.symbols**core.pegs >= 1 << 62:
        return None
    one, other = _side(core, core.guesses), _side(core, core.secrets)
    pairs = ((one.heads, other.heads), (one.tails, other.tails), (one.colors, other.colors))
    # Boards whose tables would take more than 32 MB are scored without them.
    if sum(len(left) * len(right) for left, right in pairs) > (1 << 25):
        return None
    dtype = np.dtype(np.uint8 if core.labels <= 256 else np.uint32)
    unit = 1 if core.kind == BLACK else core.pegs
    order = np.argsort(one.group, kind="stable")
    starts = np.searchsorted(one.group[order], np.arange(len(one.colors) + 1))
    heads, tails = (_blacks(left, right, unit, dtype) for left, right in pairs[:2])
    return LabelTables(one, other, heads, tails, _common(core.kind, one.colors, other.colors, dtype), order, starts)


def _side(core: Core, planes: Array) -> CodePlaces:
    left = core.pegs // 2
    (heads, head), (tails, tail) = (_distinct(half, core.symbols) for half in (planes[:left], planes[left:]))
    if core.kind in COUNTED:
        sorts, group = _distinct(np.sort(planes, axis=0), core.symbols)
    else:
        sorts, group = planes[:, :1].T, np.zeros(planes.shape[1], np.intp)
    colors = (sorts[:, :, None] == np.arange(core.symbols)).sum(axis=1).astype(np.uint8)
    return CodePlaces(head, tail, group, heads, tails, colors)


def _distinct(planes: Array, symbols: int) -> tuple[Array, Array]:
    """(the codes among the columns, each once and one a row; which of them each column is)."""
    numbers = np.zeros(planes.shape[1], np.int64)
    for row in planes:
        numbers = numbers * symbols + row
    _, first, places = np.unique(numbers, return_index=True, return_inverse=True)
    return np.ascontiguousarray(planes[:, first].T), places.ravel()


def _blacks(rows: Array, columns: Array, unit: int, dtype: Any) -> Array:
    out = np.zeros((len(rows), len(columns)), dtype)
    for p in range(rows.shape[1]):
        out += (rows[:, p, None] == columns[:, p]) * dtype.type(unit)
    return out


def _common(kind: int, rows: Array, columns: Array, dtype: Any) -> Array:
    """What groups have in common: of each color the least of the two counts, or all pegs of the colors that occur."""
    out = np.zeros((len(rows), len(columns)), dtype)
    if kind != BLACK:
        for own, other in zip(rows.T, columns.T, strict=True):
            out += np.minimum(own[:, None], other) if kind == STANDARD else own[:, None] * (other > 0)
    return out


def labels_by(tables: LabelTables, pool: Array, codes: Array) -> Array:
    """Return the label of each guess of the pool with each candidate: [G, N]."""
    guesses, secrets = tables.guesses, tables.secrets
    out: Array = _rows(tables.heads, guesses.head[pool], secrets.head[codes])
    out += _rows(tables.tails, guesses.tail[pool], secrets.tail[codes])
    out += _rows(tables.common, guesses.group[pool], secrets.group[codes])
    return out


def _rows(table: Array, rows: Array, columns: Array) -> Array:
    """table[rows][:, columns], by whichever way reads less."""
    if len(rows) <= len(table):
        return table.take(rows, axis=0)[:, columns] if len(columns) >= table.shape[1] else table[rows[:, None], columns]
    return table[:, columns].take(rows, axis=0)


class NodeLabels:
    """The tables of a board for the candidates of one node, which serve every guess."""

    def __init__(self, tables: LabelTables, codes: Array, groups: Array) -> None:
        """Take the candidates, and the groups of guesses, ascending, that are to be scored."""
        self.tables, self.codes, self.guesses, secrets = tables, codes, tables.guesses, tables.secrets
        self.is_large = len(codes) * (len(tables.heads) + len(tables.tails) + len(groups)) > MOST_AT_ONCE
        self.sums = self._sums(groups)
        if self.is_large:
            return
        self.heads, self.tails = tables.heads[:, secrets.head[codes]], tables.tails[:, secrets.tail[codes]]
        self.common = tables.common.take(groups, axis=0)[:, secrets.group[codes]]
        self.place = np.zeros(len(tables.common), np.intp)
        self.place[groups] = np.arange(len(groups))

    def _sums(self, groups: Array) -> Array:
        """Count the candidates with each sum ``black + white`` with the guesses of each group: int64[G, sums]."""
        tables = self.tables
        found, copies = np.unique(tables.secrets.group[self.codes], return_counts=True)
        common = tables.common.take(groups, axis=0)[:, found]
        step, most = max(1, MOST_AT_ONCE // (8 * len(found))), int(tables.common.max()) + 1
        counted = [
            tallies(common[lo : lo + step], most, copies.astype(np.float64)) for lo in range(0, len(common), step)
        ]
        return np.concatenate(counted).astype(np.int64)

    def rows(self, pool: Array) -> Array:
        """Return the label of each guess of the pool with each candidate: [G, N]."""
        if self.is_large:
            return labels_by(self.tables, pool, self.codes)
        out: Array = self.heads.take(self.guesses.head[pool], axis=0)
        out += self.tails.take(self.guesses.tail[pool], axis=0)
        out += self.common.take(self.place[self.guesses.group[pool]], axis=0)
        return out


def groups_left(core: Core, tables: LabelTables, codes: Array, history: Array) -> Array:
    """Return the groups, ascending, that no exchange of colors takes to an earlier one.

    Of colors that no guess used and a candidate has, the first ones are enough; of those that no candidate has the
    first, as often as may be. See `guess_lists.is_first`.
    """
    symbols = np.arange(core.symbols)
    present = tables.secrets.colors[np.unique(tables.secrets.group[codes])].any(axis=0)
    if core.kind not in COUNTED:
        return np.arange(len(tables.guesses.colors))
    used = np.isin(symbols, core.guesses[:, history])
    absent = np.flatnonzero(~present & ((symbols < core.colors) | core.repeats))
    unused = np.flatnonzero(~used & present & (symbols < core.colors))
    has = tables.guesses.colors > 0
    left = ~has[:, absent[1:]].any(axis=1) if core.repeats else (has[:, absent[1:]] <= has[:, absent[:-1]]).all(axis=1)
    left &= (has[:, unused[1:]] <= has[:, unused[:-1]]).all(axis=1)
    return np.flatnonzero(left)


def can_bound(criterion: Criterion, win: int) -> bool:
    """Tell whether the colors bound the cost: of a criterion that counts all parts alike, but for the win."""
    return criterion.family in {LARGEST, SORTED} or (
        criterion.family == SUM and not np.delete(criterion.by_label, win).any()
    )


def least_costs(core: Core, criterion: Criterion, sums: Array) -> Array:
    """Return the least that a guess with these sums may cost that cannot win, int64[G].

    sums: int64[G, sums], how many candidates have each sum ``black + white`` with the guess. Candidates of one sum fall
    into a number of parts at most, and cost least in equal ones.
    """
    values = np.arange(sums.shape[1])
    parts = values + 1 if core.kind in COUNTED else np.full(1, core.pegs + 1)
    if core.kind == STANDARD and len(values) > core.pegs:
        parts[core.pegs] -= 1  # of all pegs but one black and one white there is no feedback
    if criterion.family != SUM:
        return np.asarray((-(-sums // parts)).max(axis=1))
    whole, rest = np.divmod(sums, parts)
    cost = np.concatenate([[0], np.cumsum(criterion.slopes[: int(sums.sum(axis=1).max()) + 1].astype(np.int64))])
    return np.asarray((rest * cost[whole + 1] + (parts - rest) * cost[whole]).sum(axis=1))


def discount(criterion: Criterion, win: int) -> int:
    """Return the most by which a guess that may win costs less than its bound, which knows of no winning part."""
    if criterion.family != SUM:
        return 0
    return max(0, int(criterion.table[0, 1] - criterion.table[criterion.by_label[win], 1]))
