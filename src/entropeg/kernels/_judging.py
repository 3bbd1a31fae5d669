"""Comparing guesses: by exact cost, by a second criterion, by what else tells them apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels._guess_lists import mix
from entropeg.kernels.compile import inner


@inner
def _sort_down(sizes: Any, ordered: Any) -> None:
    """Copy the sizes to `ordered`, the largest first, by insertion: there are few, and most are zero."""
    count = 0
    ordered[:] = 0
    for e in range(len(sizes)):
        x = sizes[e]
        if x > 0:
            i = count
            while i > 0 and ordered[i - 1] < x:
                ordered[i] = ordered[i - 1]
                i -= 1
            ordered[i] = x
            count += 1


@inner
def _cost(family: Any, table: Any, klass: Any, possible: Any, sizes: Any, ordered: Any) -> Any:
    """Exact cost of a partition; for SORTED also the sizes from the largest in `ordered`."""
    total, top = np.int64(0), np.int64(0)
    if family == 0:
        for i in range(len(possible)):
            e = possible[i]
            total += table[klass[e], sizes[e]]
        return total
    for i in range(len(possible)):
        top = max(top, sizes[possible[i]])
    if family == 3:
        every = sizes.sum()
        unit = table[0, every] // every
        for e in range(len(sizes)):
            total += klass[e] * (table[0, sizes[e]] - sizes[e] * unit)
        return total
    if family == 2:
        _sort_down(sizes, ordered)
    return top


@inner
def _compare(family: Any, cost: Any, best: Any, ordered: Any, record: Any) -> Any:
    """Return -1, 0, 1 as the cost, or for SORTED the whole partition, is less than the best one, equal, greater."""
    if cost != best:
        return -1 if cost < best else 1
    if family == 2:
        for i in range(len(ordered)):
            if ordered[i] != record[i]:
                return -1 if ordered[i] < record[i] else 1
    return 0


@inner
def _order(rule: Any, key: Any, guess: Any) -> Any:
    """What decides among guesses equal in everything else, the least first."""
    if rule.shuffle:
        return np.int64(mix(key ^ np.uint64(guess)) >> np.uint64(1))
    return np.int64(guess)


@inner
def judge(board: Any, rule: Any, best: Any, sorts: Any, sizes: Any, guess: Any, member: Any, key: Any) -> None:
    """Replace the best guess by this one, with these part sizes, if it is better."""
    cost = _cost(rule.family, rule.table, rule.klass, board.possible, sizes, sorts[2])
    sign = _compare(rule.family, cost, best[0], sorts[2], sorts[0])
    if sign > 0:
        return
    second = np.int64(0)
    if rule.then >= 0:
        second = _cost(rule.then, rule.then_table, rule.then_klass, board.possible, sizes, sorts[3])
        if sign == 0:
            sign = _compare(rule.then, second, best[1], sorts[3], sorts[1])
            if sign > 0:
                return
    other = np.int64(1 if rule.member and not member else 0)
    order = _order(rule, key, guess)
    if sign == 0 and (other > best[2] or (other == best[2] and order >= best[3])):
        return
    best[0], best[1], best[2], best[3], best[4] = cost, second, other, order, guess
    for i in range(len(sizes)):
        sorts[0, i], sorts[1, i] = sorts[2, i], sorts[3, i]
