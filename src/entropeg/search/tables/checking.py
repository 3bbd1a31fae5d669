"""Checks a table by Bellman's equation: what it says of a set is the least that guesses and its own values make."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg import arguments
from entropeg.executors import Crew, Executor, crew_of
from entropeg.plain_values import PlainValue
from entropeg.search.guess_parts import cut_codes
from entropeg.search.preparing import rows_of
from entropeg.search.tables.sets import CutTask, SetList, SetTask, done, tried_at
from entropeg.search.tables.worth import board_of
from entropeg.table.tablebase import Tablebase
from entropeg.told import Told

SETS = 128
"""Sets that are tried between two looks at the progress: two seconds on 4x6."""


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


def check_table(
    table: Tablebase,
    *,
    progress: Callable[[int, int], None] | None = None,
    executor: Executor | Crew | str | None = None,
) -> TableCheck:
    """Check every set of fewer turns than the table has, and stop at a fault; the workers of an `executor` share them.

    `progress` is told (sets tried, sets to try). Sets of fewer codes than the table has are valued by the exact search;
    with `least` 3 it searches nothing. 4x6 after three guesses takes two minutes of a core. Ctrl-C ends it, and the
    same call begins again.

    >>> from entropeg.search.tables.make import make_table
    >>> check = check_table(make_table("3x3", 2))
    >>> check.tried, check.fault
    (13, '')
    """
    rules, tell = arguments.instance(table, Tablebase, "the table", "as open_table returns it").rules, progress
    arguments.call(progress, "progress")
    level, found = SetList.start(rules), _Checked.joined([])
    with nullcontext() if executor is None else crew_of(executor) as crew:
        for turn in range(table.turns):
            for at in range(0, len(level), SETS):
                some = level.take(np.arange(at, min(at + SETS, len(level))))
                found = _Checked.joined([found, *done(crew, _CheckTask(rules, some, table))])
                if found.fault:
                    return TableCheck(table, found.tried, found.fault)
                if tell is not None:
                    tell(at + len(some), len(level))
            if turn + 1 < table.turns:
                level = SetList.joined(done(crew, CutTask(rules, level)))
    missing = np.setdiff1d(table.keys, found.keys)
    if len(missing) and table.most >= rules.secret_count:
        told = Told("it has {n:,} sets that no {turns} guesses leave", len(missing), table.turns)
        return TableCheck(table, found.tried, told)
    return TableCheck(table, found.tried, "")


class _Checked(NamedTuple):
    """The keys of parts that the table has, how many sets were tried, and what is wrong, or nothing."""

    keys: NDArray[np.uint64]
    tried: int
    fault: str

    @classmethod
    def joined(cls, made: list[_Checked]) -> _Checked:
        keys = np.unique(np.concatenate([np.zeros(0, np.uint64), *(each.keys for each in made)]))
        return cls(keys, sum(each.tried for each in made), next((each.fault for each in made if each.fault), ""))


@dataclass(frozen=True)
class _CheckTask(SetTask[_Checked]):
    """Sets to be checked."""

    table: Tablebase

    def _joined(self, made: list[_Checked]) -> _Checked:
        return _Checked.joined(made)

    def _made(self, sets: SetList) -> _Checked:
        rules, table, n, board = self.rules, self.table, len(sets.pool), board_of(self.rules)
        position = sets.position(rules)
        tried = board.layout.number_guesses(rows_of(tried_at(position)))
        parts, found = cut_codes(board, board.layout.in_order(board.rows[sets.pool]), tried)
        # 1. Each different part is named and looked up once.
        inside = np.flatnonzero((found.sizes >= table.least) & (found.sizes <= table.most))
        rows, starts = found.pool(inside)
        keys = table.keys_of_sets(board.ranks[rows], starts)
        is_there, found.totals[inside], found.worsts[inside] = table.found(keys)
        if not is_there.all():
            return _Checked(keys, 0, Told("after {position} and one guess more a set is missing", position))
        if not sets.turns.shape[1] or not table.least <= n <= table.most:
            return _Checked(keys, 0, "")
        # 2. Those of too few codes are searched.
        found.value()
        parts.take_values(found)
        # 3. The least over all guesses of n and what the parts take.
        made, at_worst = parts.after(len(tried), board.layout.infinite), parts.worst(len(tried))
        least, fewest = int(made.min()), int(at_worst.min())
        _, [total], [limit] = table.look(sets.pool, np.array([0, n]))
        if (total, limit) == (least, fewest):
            return _Checked(keys, 1, "")
        told = Told(
            "after {position} it says {total} guesses in all and {worst} at worst; its parts make {least} and {fewest}",
            position, int(total), int(limit), least, fewest,
        )  # fmt: skip
        return _Checked(keys, 1, told)
