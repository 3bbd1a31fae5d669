"""Checks a table by Bellman's equation: what it says of a set is the least that guesses and its own values make."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from entropeg.kernels.compile import kernel
from entropeg.plain_values import PlainValue
from entropeg.search.tables.sets import CutTask, SetList, members, set_words, tried_at
from entropeg.search.tables.worth import WorthTask
from entropeg.table.tablebase import Tablebase
from entropeg.told import Told

Array = Any
Int = Any


@dataclass(frozen=True)
class TableCheck(PlainValue):
    """What a check of a table has found.

    Each set that fewer guesses than `turns` leave was tried with one guess of every kind. It proves their values given
    those of the sets of the last turn, and that no set is missing.
    """

    PLAIN: ClassVar[tuple[str, ...]] = ("rules=table.rules", "turns=table.turns", "sets=table.sets", "tried", "fault")

    table: Tablebase
    tried: int
    """Sets that were tried with all guesses."""
    fault: str
    """What is wrong, or nothing."""


@kernel
def part_words(labels: Array, words: Array, sizes: Array, hashes: Array) -> Any:
    """Write the size and the XOR of the words of every part: labels uint8[guesses, codes], both [guesses, labels]."""
    for g in range(labels.shape[0]):
        for i in range(labels.shape[1]):
            sizes[g, labels[g, i]] += 1
            hashes[g, labels[g, i]] ^= words[i]
    return 0


def check_table(table: Tablebase, *, progress: Callable[[int, int], None] | None = None) -> TableCheck:
    """Check every set of fewer turns than the table has, and stop at the first fault.

    `progress` is told (sets tried, sets to try). Sets of fewer codes than the table has are valued by the exact search;
    with `least` 3 it searches nothing. 4x6 after three guesses takes a minute of a core.

    >>> from entropeg.search.tables.make import make_table
    >>> check = check_table(make_table("3x3", 2))
    >>> check.tried, check.fault
    (13, '')
    """
    rules = table.rules
    level, met, tried = SetList.start(rules), list[NDArray[np.uint64]](), 0
    known = dict[int, tuple[int, int]]()
    for turn in range(table.turns):
        next_level, _ = CutTask(rules, level).run(math.inf) if turn + 1 < table.turns else (level, None)
        for at in range(len(level)):
            one = level.take(np.array([at]))
            keys, fault = _checked(table, one, known, is_stored=turn > 0)
            is_tried = turn > 0 and table.least <= len(one.pool) <= table.most
            tried, met = tried + is_tried, [*met, keys]
            if fault:
                return TableCheck(table, tried, fault)
            if progress is not None:
                progress(at + 1, len(level))
        met, level = [np.unique(np.concatenate(met))], next_level
    missing = np.setdiff1d(table.keys, met[0])
    if len(missing) and table.most >= rules.secret_count:
        return TableCheck(
            table, tried, Told("it has {n:,} sets that no {turns} guesses leave", len(missing), table.turns)
        )
    return TableCheck(table, tried, "")


def _checked(
    table: Tablebase, one: SetList, known: dict[int, tuple[int, int]], *, is_stored: bool
) -> tuple[NDArray[np.uint64], str]:
    """The keys of the parts of one set that the table has, and what is wrong, or nothing; ``known``: small sets."""
    rules, n = table.rules, len(one.pool)
    position = one.position(rules)
    _, labels = tried_at(position, one)
    shape = len(labels), rules.label_count
    sizes, hashes = np.zeros(shape, np.int64), np.zeros(shape, np.uint64)
    part_words(labels, set_words(rules)[one.pool], sizes, hashes)
    costs, worsts = np.where(sizes > 0, 2 * sizes - 1, 0), np.minimum(sizes, 2)
    # 1. Each different part is named and looked up once.
    is_part = (sizes > 2) & (sizes < n)
    is_part[:, rules.win_label] = False
    guess, label = np.nonzero(is_part)
    _, first, which = np.unique(hashes[is_part], return_index=True, return_inverse=True)
    pool, starts = members(one, labels, guess[first], label[first])
    is_there, totals, worst = table.look(pool, starts)
    totals, worst, lengths = totals.astype(np.int64), worst.astype(np.int64), np.diff(starts)
    if (~is_there & (lengths >= table.least) & (lengths <= table.most)).any():
        return np.zeros(0, np.uint64), Told("after {position} and one guess more a set is missing", position)
    # 2. Those of too few codes are searched.
    keys = table.keys_of_sets(pool, starts)
    found = keys[is_there]
    small = [(at, int(keys[at])) for at in np.flatnonzero(lengths < table.least)]
    fresh = {key: at for at, key in small if key not in known}
    if fresh and is_stored:
        parts = SetList(pool, starts, keys, np.zeros((len(keys), 0, 2), np.int32), np.zeros(len(keys), np.int64))
        searched, _ = WorthTask(rules, parts.take(np.array([*fresh.values()]))).run(math.inf)
        pairs = zip(searched.totals.tolist(), searched.worsts.tolist(), strict=True)
        known.update(zip(searched.keys.tolist(), pairs, strict=True))
    if not is_stored or not table.least <= n <= table.most:
        return found, ""
    # 3. The least over all guesses of n and what the parts take.
    for at, key in small:
        totals[at], worst[at] = known[key]
    costs[is_part], worsts[is_part] = totals[which], worst[which]
    costs[:, rules.win_label], worsts[:, rules.win_label] = 0, 0
    tells = ~(sizes == n).any(axis=1)
    least, fewest = n + costs[tells].sum(axis=1).min(), 1 + worsts[tells].max(axis=1).min()
    _, [total], [limit] = table.look(one.pool, np.array([0, n]))
    if (total, limit) != (least, fewest):
        told = Told(
            "after {position} it says {total} guesses in all and {worst} at worst; its parts make {least} and {fewest}",
            position, int(total), int(limit), int(least), int(fewest),
        )  # fmt: skip
        return found, told
    return found, ""
