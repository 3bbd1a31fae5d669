"""Compares guesses: by exact cost, by a second criterion, by what else tells them apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import inner
from entropeg.kernels.onestep.arrays import BY_HASH, SORTED, SUM, WEIGHTED
from entropeg.kernels.onestep.guess_lists import mix


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
def _cost(criterion: Any, possible: Any, sizes: Any, ordered: Any) -> Any:
    """Exact cost of a partition; for SORTED also the sizes from the largest in `ordered`."""
    table, by_label = criterion.table, criterion.by_label
    total, top = np.int64(0), np.int64(0)
    if criterion.family == SUM:
        for i in range(len(possible)):
            e = possible[i]
            total += table[by_label[e], sizes[e]]
        return total
    for i in range(len(possible)):
        top = max(top, sizes[possible[i]])
    if criterion.family == WEIGHTED:
        every = sizes.sum()
        unit = table[0, every] // every
        for e in range(len(sizes)):
            total += by_label[e] * (table[0, sizes[e]] - sizes[e] * unit)
        return total
    if criterion.family == SORTED:
        _sort_down(sizes, ordered)
    return top


@inner
def _compare(family: Any, cost: Any, best: Any, ordered: Any, record: Any) -> Any:
    """Return -1, 0, 1 as the cost, or for SORTED the whole partition, is less than the best one, equal, greater."""
    if cost != best:
        return -1 if cost < best else 1
    if family == SORTED:
        for i in range(len(ordered)):
            if ordered[i] != record[i]:
                return -1 if ordered[i] < record[i] else 1
    return 0


@inner
def _order(order: Any, key: Any, guess: Any) -> Any:
    """What decides among guesses equal in everything else, the least first: see `search.onestep.choice.TIES`."""
    if order == BY_HASH:
        return np.int64(mix(key ^ np.uint64(guess)) >> np.uint64(1))
    return np.int64(guess)


@inner
def forget(best: Any) -> None:
    """Make the record of the best guess one that every guess betters."""
    best[0], best[1], best[2], best[3], best[4] = np.int64(2**62), 0, 2, np.int64(2**62), -1


@inner
def judge(rule: Any, possible: Any, score: Any, guess: Any, member: Any, key: Any) -> None:
    """Replace the best guess by this one, with the part sizes in score.sizes, if it is better."""
    best, sorts, sizes = score.best, score.sorts, score.sizes
    cost = _cost(rule.first, possible, sizes, sorts[2])
    sign = _compare(rule.first.family, cost, best[0], sorts[2], sorts[0])
    if sign > 0:
        return
    second = np.int64(0)
    if rule.second.family >= 0:
        second = _cost(rule.second, possible, sizes, sorts[3])
        if sign == 0:
            sign = _compare(rule.second.family, second, best[1], sorts[3], sorts[1])
            if sign > 0:
                return
    other = np.int64(1 if rule.member and not member else 0)
    order = _order(rule.order, key, guess)
    if sign == 0 and (other > best[2] or (other == best[2] and order >= best[3])):
        return
    best[0], best[1], best[2], best[3], best[4] = cost, second, other, order, guess
    for i in range(len(sizes)):
        sorts[0, i], sorts[1, i] = sorts[2, i], sorts[3, i]
