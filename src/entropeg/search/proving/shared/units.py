"""Units of a proof that other workers search: a set with the total to undercut, or a share of the guesses for a set.

A worker keeps the labels of the board and a table of values from call to call, one of each for all its threads. It is
told of better bounds, and to stop, in the midst of a unit (`executors.notices`).
"""

from __future__ import annotations

import pickle
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from time import monotonic
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import guesses, secrets
from entropeg.executors.notices import heard
from entropeg.rules import Rules
from entropeg.search.exact import engine
from entropeg.search.exact.fields import DEEP, NO_GUESS, WHOLE
from entropeg.search.exact.layout import Layout, ThreadMemory, new_words
from entropeg.search.preparing import layout_options, rows_of
from entropeg.search.strategies import Node, to_rows

Codes: TypeAlias = NDArray[np.int32]
History: TypeAlias = tuple[tuple[int, int], ...]
"""Guesses and their answers, compact labels."""
Ending: TypeAlias = Literal["done", "long", "stopped", "deep", "other", "refuted"]
"""How a unit ended: searched; given up, as it took long and others wait; told to stop; no memory for so many sets in
progress; guesses come in another order here; no longer of use, by the units before it in the same call."""

ROUND, HURRY, FIRST_GOAL = 0, 1, 2
"""Slots of notices: the round that is under way; the round in which workers wait for others; that of the first set."""

WATCHED = 0.1
"""Seconds between looks at the results of others."""

LONG, LONGEST = 5.0, 20.0
"""Seconds after which a unit is given up, so that it is cut into smaller ones: where workers wait, and in any case."""


@dataclass(frozen=True)
class SharedBoard:
    """A board, as a worker has to know it to make the same layout: codes have the same numbers everywhere.

    `weighing`: weights by row and the kinds of pegs and colors, as of `Layout.weighted`. `start`: the codes that the
    proof is about, None for all; `history`: the guesses behind them. `memory`: bytes for the table; `seed`: of its
    random words.
    """

    rules: Rules
    consistent: bool
    weighing: tuple[NDArray[Any], ...] | None
    start: Codes | None
    history: History
    memory: int
    seed: int = 0

    @cached_property
    def name(self) -> str:
        """What tells boards apart."""
        parts = (str(self.rules), self.consistent, self.history, self.memory, self.seed)
        arrays = [array.tobytes() for array in (*(self.weighing or ()), self.start) if array is not None]
        return blake2b(pickle.dumps((parts, arrays)), digest_size=16).hexdigest()

    def layout(self) -> Layout:
        """Make the layout: labels of all secrets and guesses."""
        codes = rows_of(secrets(self.rules)), rows_of(guesses(self.rules))
        made = Layout(*codes, **layout_options(self.rules), consistent=self.consistent, seed=self.seed)
        return made if self.weighing is None else made.weighted(*self.weighing)


class Unit(NamedTuple):
    """A set after some guesses, of which a strategy below `target` is wanted, `d` guesses left; `low`: its bound.

    ``end`` is -1 for the whole set; else a share of its guesses is searched, numbers ``first`` to ``end``, where they
    come in the order with the checksum ``order``. ``only``: the one guess tried, of which no strategy is wanted.
    `number` is whose it is, `branch` of which guess the set is a part; ``is_whole``: it is never given up as too long.
    """

    number: int
    branch: int
    slot: int
    history: History
    d: int
    low: int
    target: int
    first: int = 0
    end: int = -1
    order: int = 0
    only: int = NO_GUESS
    is_whole: bool = False


class UnitFound(NamedTuple):
    """What came of a unit: a bound, and where that is below the target the guess and rows of the strategy.

    ``is_whole``: the bound holds of all guesses for the set, not of those of the share alone.
    """

    number: int
    ending: Ending
    bound: int = 0
    is_whole: bool = False
    rows: NDArray[np.int32] | None = None
    seconds: float = 0.0


class UnitCall(NamedTuple):
    """Some units for one worker, and about how many seconds it should search; units left then come back undone."""

    board: SharedBoard
    session: str
    round: int
    seconds: float
    units: tuple[Unit, ...]


def search_units(call: UnitCall) -> tuple[list[UnitFound], int]:
    """Search units one after the other, where a worker is; what came of them, and how many guesses were tried."""
    station = _station(call.board)
    here = station.here()
    before, end = int(here.memory.nodes[1]), monotonic() + call.seconds
    found, gained = list[UnitFound](), dict[int, int]()
    with _watched(here, call):
        for unit in call.units:
            if found and monotonic() > end:
                break
            gain = gained.get(unit.branch, 0)
            if unit.target - gain <= unit.low:
                found.append(UnitFound(unit.number, "refuted"))
                continue
            found.append(here.search(unit, unit.target - gain))
            if found[-1].ending in {"stopped", "deep"}:
                break
            if unit.end < 0:  # the bound of a part of a guess is that of the guess
                raised = min(found[-1].bound, unit.target - gain) - unit.low
                gained[unit.branch] = gain + max(0, raised)
    return found, int(here.memory.nodes[1]) - before


def strategy_nodes(layout: Layout, table: NDArray[np.int64] | None) -> Node | None:
    """The strategy that `engine.unfold` wrote."""
    if table is None:
        return None
    played = map(tuple, layout.guesses[table[:, 0]].tolist())
    nodes = list(map(Node, played, (table[:, 3] != 0).tolist()))
    labels = layout.public_labels(table[table[1:, 1], 0], table[1:, 2]).tolist()
    for node, parent, label in zip(nodes[1:], table[1:, 1].tolist(), labels, strict=True):
        nodes[parent].children[label] = node
    return nodes[0]


# ------------------------------------------------------------ where a worker searches


class Searcher:
    """The memory of one thread, which can be made to stand behind any history."""

    def __init__(
        self,
        layout: Layout,
        table: NDArray[np.uint64],
        start: Codes,
        history: History,
        stop: NDArray[np.int64] | None = None,
    ) -> None:
        """``start``: the codes behind ``history``; ``stop``: not 0 where all is to end."""
        self.layout, self.start, self._before = layout, start, history
        self.stop = np.zeros(1, np.int64) if stop is None else stop
        self.memory: ThreadMemory = layout.memory(
            {"stop": self.stop, "shared": new_words(layout.infinite), "table": table}
        )
        self._groups = {name: array[0].copy() for name, array in self._first_rows().items()}
        self._at: History | None = None
        self._codes = start
        self._orders: dict[History, int] = {}
        self.unit: Unit | None = None
        self.since = 0.0
        self.ending: Ending = "done"

    def _first_rows(self) -> dict[str, NDArray[Any]]:
        names = [name for name in ("group_size", "group_peg", "group_color", "clues") if len(self.memory.arrays[name])]
        return {name: self.memory.arrays[name] for name in names}

    def stand_behind(self, history: History) -> Codes:
        """Let sets stand behind these guesses; returns the codes that they leave."""
        if self._at != history:
            for name, array in self._first_rows().items():
                array[0] = self._groups[name]
            engine.behind(self.memory, (*self._before, *history))
            codes, labels = self.start, self.layout.arrays["by_guess"]
            for guess, label in history:
                codes = codes[labels[guess, codes] == label]
            self._at, self._codes = history, np.ascontiguousarray(codes)
        return self._codes

    def hash(self, codes: Codes) -> int:
        """The hash of a set behind the history, as the table knows it."""
        return int(np.bitwise_xor.reduce(self.layout.zobrist[codes])) ^ engine.clue_hash(self.memory, 0)

    def listed(self, codes: Codes, d: int) -> NDArray[np.int64]:
        """(guess, bound) of every guess for the set, in the order in which they are tried."""
        self.memory.stack[: len(codes)] = codes
        found: NDArray[np.int64] = engine.order(self.memory, len(codes), d)
        return found

    def listed_with_order(self, codes: Codes, d: int) -> tuple[NDArray[np.int64], int]:
        """What `listed` returns, and what tells its order apart."""
        listed = self.listed(codes, d)
        return listed, checksum(listed)

    def search(self, unit: Unit, target: int) -> UnitFound:
        """Search one unit; a strategy that was found is written down at once, while the table has it."""
        codes, infinite = self.stand_behind(unit.history), self.layout.infinite
        is_share, began = unit.end >= 0, monotonic()
        if is_share and self._order(unit, codes) != unit.order:
            return UnitFound(unit.number, "other")
        words = new_words(target, unit.first, unit.end) if is_share else new_words(infinite)
        self.memory.use(shared=words)
        self._begin(unit)
        aim = infinite if is_share else target
        value, guess = engine.solve(
            self.memory, codes, aim, unit.d, 0, self.hash(codes), together=is_share, only=unit.only
        )
        is_found = guess != NO_GUESS if is_share else value < target
        rows = None
        if is_found and unit.only == NO_GUESS and not self.stop[0]:
            nodes = engine.unfold(self.memory, len(codes), unit.d, guess, finished=True)
            tree = strategy_nodes(self.layout, nodes)
            rows = None if tree is None else to_rows(tree)
        self._end()
        if self.stop[0]:
            return UnitFound(unit.number, "deep" if self.stop[0] == DEEP else self.ending, seconds=monotonic() - began)
        is_whole = not is_share or bool(words[WHOLE]) or value >= infinite
        return UnitFound(unit.number, "done", value, is_whole, rows, monotonic() - began)

    def _order(self, unit: Unit, codes: Codes) -> int:
        # Floating-point estimates, which other processors may round otherwise, decide on the order.
        if unit.history not in self._orders:
            self._orders[unit.history] = checksum(self.listed(codes, unit.d))
        return self._orders[unit.history]

    # ------------------------------------------------------------ the watcher

    def _begin(self, unit: Unit) -> None:
        self.stop[0], self.ending, self.since, self.unit = 0, "done", monotonic(), unit

    def _end(self) -> None:
        self.unit = None

    def look(self, call: UnitCall) -> None:
        """Hear the client's notices meanwhile: in the thread that watches."""
        unit = self.unit
        if unit is None:
            return
        about, _ = heard(call.session, ROUND)
        if about > call.round:
            self._leave("stopped")
        elif not unit.is_whole and self._takes_long(call):
            self._leave("long")
        elif unit.end >= 0 and unit.slot:
            about, target = heard(call.session, unit.slot)
            if about == call.round:
                engine.lower(self.memory, target)

    def _takes_long(self, call: UnitCall) -> bool:
        seconds, (_, hurried) = monotonic() - self.since, heard(call.session, HURRY)
        return seconds > (LONG if hurried == call.round else LONGEST)

    def _leave(self, ending: Ending) -> None:
        self.ending = ending
        self.stop[0] = 1


def checksum(listed: NDArray[np.int64]) -> int:
    """What tells orders of guesses apart."""
    return zlib.crc32(np.ascontiguousarray(listed).tobytes())


@dataclass
class Station:
    """A board on this machine: labels and a table for all threads, a searcher for each."""

    board: SharedBoard
    layout: Layout = field(init=False)
    table: NDArray[np.uint64] = field(init=False)

    def __post_init__(self) -> None:
        """Make labels and table."""
        self.layout = self.board.layout()
        self.table = self.layout.table(self.board.memory)
        self._here = threading.local()

    def here(self) -> Searcher:
        """The searcher of this thread."""
        if not hasattr(self._here, "searcher"):
            start = self.board.start
            codes = self.layout.in_order(np.arange(len(self.layout.secrets))) if start is None else start
            self._here.searcher = Searcher(self.layout, self.table, codes, self.board.history)
        searcher: Searcher = self._here.searcher
        return searcher


_lock = threading.Lock()
_stations: dict[str, Station] = {}


def _station(board: SharedBoard) -> Station:
    with _lock:
        if board.name not in _stations:
            _stations.clear()  # before the next one is made: labels take up to gigabytes
            _stations[board.name] = Station(board)
        return _stations[board.name]


@contextmanager
def _watched(here: Searcher, call: UnitCall) -> Iterator[None]:
    is_over = threading.Event()

    def watch() -> None:
        while not is_over.wait(WATCHED):
            here.look(call)

    watcher = threading.Thread(target=watch, name="entropeg unit", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        is_over.set()
        watcher.join()
