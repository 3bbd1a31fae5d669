"""Makes a table: lists the sets that guesses leave, turn by turn, values them, and goes on where it was interrupted."""

from __future__ import annotations

import io
import json
import time as clock
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropeg import arguments, signals
from entropeg.codes import is_listable
from entropeg.errors import InputError, TooLargeError
from entropeg.executors import Crew, Executor, crew_of
from entropeg.feedback import Method, is_known
from entropeg.files import OWN, is_begun, parse_arrays, parse_json, read_bytes, shown, write_whole
from entropeg.kernels.switch import check_compiler
from entropeg.keys import keys_of
from entropeg.rules import Rules
from entropeg.search.reach import Reach
from entropeg.search.tables.sets import CutTask, SetList, done
from entropeg.search.tables.worth import Worths, WorthTask
from entropeg.table.tablebase import Tablebase

FORMAT = "entropeg table in the making 1"
PARENTS, SETS = 256, 20_000
"""Sets that are cut, or valued, between two looks at the clock: seconds on 4x6."""
MOST_BYTES = 1 << 32
SAVE_EVERY = 30.0
"""Seconds between two checkpoints: one of 4x6 after three guesses is written in one."""


@dataclass(frozen=True)
class TableProgress:
    """How far a table is: which turn is listed, or 0 where sets are valued; of how many things, and sets found."""

    turn: int
    done: int
    all: int
    sets: int


def make_table(  # noqa: PLR0913 - a call says what to make, and how
    rules: Rules | str,
    turns: int,
    *,
    least: int = 3,
    most: int | None = None,
    time: float | None = None,
    checkpoint: str | Path | None = None,
    progress: Callable[[TableProgress], None] | None = None,
    executor: Executor | Crew | str | None = None,
) -> Tablebase | None:
    """Make the table of all positions that up to `turns` guesses can leave: None where the time was over before.

    All codes together, and sets of fewer codes than `least`, or more than `most`, are left out. `time` (seconds) or
    Ctrl-C end it, and with `checkpoint`, a file, the same call goes on; the same table comes of any number of workers.
    4x6 after three guesses takes a minute of a core. Raises InputError for rules under which a set of codes has no
    value of its own (hard, a prior, words), TooLargeError where the codes are not listed or not searched exactly.

    >>> table = make_table("3x4", 1)
    >>> table.sets, sorted(table.totals.tolist())[-1]
    (15, 74)
    """
    board = Rules.of(rules).board
    if board.hard or board.prior is not None or board.words is not None:
        raise InputError("{rules} has no table: hard rules, priors and lists of words are left out of it", board)
    if not (is_listable(board) and is_known(board, Method.exact) and Reach.of(board).can_be_raised):
        raise TooLargeError("the positions of {rules} have no exact values that a table could hold", board)
    check_compiler()
    wanted = arguments.whole(turns, "the number of turns", least=1)
    making = _Making(
        board,
        wanted,
        arguments.whole(least, "the least number of codes", least=3),
        board.secret_count if most is None else arguments.whole(most, "the largest number of codes", least=3),
        None if time is None else arguments.number(time, "the time"),
        None if checkpoint is None else arguments.file(checkpoint, "the checkpoint"),
        arguments.call(progress, "progress"),
    )
    with nullcontext() if executor is None else crew_of(executor) as crew:
        return making.run(crew)


class _Making:
    """One call: what is listed, what is still to be cut, and what is valued."""

    def __init__(
        self,
        rules: Rules,
        turns: int,
        least: int,
        most: int,
        seconds: float | None,
        checkpoint: Path | None,
        progress: Callable[[TableProgress], None] | None,
    ) -> None:
        self.rules, self.turns, self.least, self.most, self.seconds = rules, turns, least, most, seconds
        self.checkpoint, self.progress = checkpoint, progress
        self.began = self.saved = clock.perf_counter()
        start = SetList.start(rules)
        self.turn = 1
        self.found = start.take(np.zeros(0, np.int64))
        """All sets so far, each with as few turns as lead to it."""
        self.level = self.found
        """Sets that the turn leaves, as far as parents were cut."""
        self.parents = start
        self.values = Worths.joined([])
        self.to_cut = len(start)
        if checkpoint is not None and is_begun(checkpoint):
            self._load(checkpoint)

    @property
    def is_over(self) -> bool:
        """Whether the time is over."""
        return self.seconds is not None and clock.perf_counter() - self.began >= self.seconds

    def run(self, crew: Crew | None) -> Tablebase | None:
        """Go on until the table is made, or the time is over."""
        try:
            while self.turn <= self.turns and not self.is_over:
                self._list(crew)
            while self.turn > self.turns and len(self.values) < len(self.wanted) and not self.is_over:
                self._value(crew)
        finally:
            self._save()
        is_made = self.turn > self.turns and len(self.values) == len(self.wanted)
        return self._table() if is_made else None

    def _list(self, crew: Crew | None) -> None:
        """Cut some of the parents that are left; go on to the next turn when all are."""
        some, left = (self.parents.take(part) for part in np.split(np.arange(len(self.parents)), [PARENTS]))
        lists = [self.level, *done(crew, CutTask(self.rules, some))]
        level = SetList.joined([each for each in lists if len(each)] or [self.level])
        with signals.held():  # what a checkpoint has belongs together
            self.level, self.parents = level, left
            if not len(left):
                fresh = level.take(np.flatnonzero(~np.isin(level.keys, self.found.keys)))
                self.found, self.parents = _with_turns([self.found, fresh], self.turns), level
                self.turn, self.level, self.to_cut = self.turn + 1, level.take(np.zeros(0, np.int64)), len(level)
        self._tell(min(self.turn, self.turns), self.to_cut - len(self.parents), self.to_cut)

    @property
    def wanted(self) -> SetList:
        """The sets that are to be in the table, the small ones first: their values help the others."""
        sizes = self.found.sizes
        order = np.lexsort((self.found.keys, sizes))
        return self.found.take(order[(sizes[order] >= self.least) & (sizes[order] <= self.most)])

    def _value(self, crew: Crew | None) -> None:
        """Value some of the sets that have no value yet."""
        wanted = self.wanted
        left = np.flatnonzero(~np.isin(wanted.keys, self.values.keys))
        some = wanted.take(left[:SETS])
        self.values = Worths.joined([self.values, *done(crew, WorthTask(self.rules, some))])
        self._tell(0, len(self.values), len(wanted))

    def _table(self) -> Tablebase:
        values = self.values
        return Tablebase(
            self.rules, self.turns, self.least, self.most, values.keys, values.totals.astype(np.uint32),
            values.worsts.astype(np.uint8),
        )  # fmt: skip

    def _tell(self, turn: int, done: int, of: int = 0) -> None:
        if self.progress is not None:
            self.progress(TableProgress(turn, done, of, len(self.found) + len(self.level)))
        if clock.perf_counter() - self.saved > SAVE_EVERY:
            self._save()

    # ------------------------------------------------------------------ checkpoints

    @property
    def _name(self) -> str:
        return f"{self.rules}, {self.turns} turns, {self.least} to {self.most} codes"

    def _save(self) -> None:
        if self.checkpoint is None:
            return
        content, arrays = io.BytesIO(), dict[str, NDArray[Any]]()
        for name in ("found", "level", "parents"):
            sets: SetList = getattr(self, name)
            for part in ("pool", "starts", "keys", "turns", "last"):
                arrays[f"{name}_{part}"] = getattr(sets, part)
        for part in ("keys", "totals", "worsts"):
            arrays[f"values_{part}"] = getattr(self.values, part)
        head = json.dumps({"format": FORMAT, "name": self._name, "turn": self.turn})
        arrays["head"] = np.frombuffer(head.encode(), np.uint8)
        np.savez(content, allow_pickle=False, **arrays)
        write_whole(self.checkpoint, content.getvalue(), OWN)
        self.saved = clock.perf_counter()

    def _load(self, file: Path) -> None:
        try:
            arrays = parse_arrays(read_bytes(file, most=MOST_BYTES), most=MOST_BYTES)
            head = parse_json(arrays["head"].tobytes().decode())
            name, self.turn, kind = str(head["name"]), int(head["turn"]), head["format"]
            read = {each: self._sets(arrays, each) for each in ("found", "level", "parents")}
            self.values = Worths(*(arrays[f"values_{part}"] for part in ("keys", "totals", "worsts")))
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise InputError(
                "{file} is not a table in the making, or damaged; name another file", shown(file)
            ) from error
        if (kind, name) != (FORMAT, self._name):
            raise InputError(
                "{file} is the table in the making of {other}, not of {this}; name another file",
                shown(file), shown(name), self._name,
            )  # fmt: skip
        self.found, self.level, self.parents = read["found"], read["level"], read["parents"]
        self.to_cut = len(self.parents)

    def _sets(self, arrays: dict[str, NDArray[Any]], name: str) -> SetList:
        pool, starts, _, turns, last = (
            arrays[f"{name}_{part}"] for part in ("pool", "starts", "keys", "turns", "last")
        )
        # Keys and forms are made again of the codes: a file that was changed makes no wrong table.
        keys, forms = keys_of(self.rules).of(np.ascontiguousarray(pool, np.int32), starts)
        return SetList(pool, starts, keys, turns, last, forms)


def _with_turns(lists: list[SetList], turns: int) -> SetList:
    """Join lists of sets whose histories have different lengths: the shorter ones are filled with -1."""
    filled = []
    for each in lists:
        longer = np.full((len(each), turns, 2), -1, np.int32)
        longer[:, : each.turns.shape[1]] = each.turns
        filled.append(replace(each, turns=longer))
    return SetList.joined(filled)
