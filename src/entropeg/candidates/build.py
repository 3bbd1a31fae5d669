"""Builds the codes that fit some turns peg by peg: all, the first of them, or their number, in lexicographic order.

A partial code is given up as soon as one turn, or the synthetic guess that joins several, can no longer come out
right (Forget 2011, "interlude"; there from the right-hand peg, here from the left, so that the codes come in order).
Needs no list of all codes: the cost is that of the symbols tried on partial codes that survive, some 100 million a
second.
"""

from __future__ import annotations

from math import perm
from typing import NamedTuple

import numpy as np

from entropeg import arguments
from entropeg.candidates.constraints import AnyTurns, Demands, DemandWords, Turns
from entropeg.candidates.domains import Domains
from entropeg.codes import LISTED_BYTES, Array, CodeSet, plane_type, read_turns
from entropeg.errors import TooLargeError
from entropeg.feedback import Marks, Method, is_known
from entropeg.kernels.switch import Switch, can_compile
from entropeg.rules import Rules
from entropeg.told import Template, Told, plural

STEPS = 2_000_000_000
"""Symbols that are tried before a construction is given up; some ten seconds."""

SLICE = 50_000_000
"""Symbols tried between two looks at the outside, so that an interruption is heard."""

FIRST = 50_000
"""Symbols that are tried as plain Python in one go, until it is clear that there are many."""


_functions = Switch("entropeg.kernels.building", "entropeg.kernels._plain_building")


def can_build(rules: Rules) -> bool:
    """Tell whether the codes of these rules can be built peg by peg; those of words and shapes can only be scanned."""
    return rules.is_symmetric and is_known(rules, Method.building)


class BuildProgress(NamedTuple):
    """How far a construction came: codes found and symbols tried."""

    found: int
    tried: int


def build_codes(rules: Rules | str, turns: AnyTurns, *, limit: int | None = None, steps: int = STEPS) -> CodeSet:
    """Return every secret that fits the turns, exactly as a scan of all secrets would.

    `limit` is the number of codes that may be found (default: as many as fit in `LISTED_BYTES`). Raises
    TooLargeError, with numbers, where there are more or `steps` symbols have been tried.

    >>> len(build_codes("4x26", [("ABCD", "O"), ("EFGH", "O"), ("IJKL", "O")]))
    9720
    """
    rules, turns, steps = _asked(rules, turns, steps)
    limit = arguments.some(limit, "the limit", least=0)
    limit = LISTED_BYTES // (rules.pegs + rules.symbols_in_guesses) if limit is None else limit
    search = Construction(rules, turns)
    chunks: list[Array] = []
    while not search.is_done:
        # After 65,536 codes, and after a slice of the steps, an interruption is heard.
        chunks.append(search.next_planes(1 << 16, search.slice_of(steps)))
        if search.progress.found > limit:
            raise TooLargeError(
                "{where} more than {limit:,} codes are left: too many to list", _after(rules, turns), limit
            )
        search.check_tried(steps, Template("{where} there are too many codes to list"))
    return CodeSet(rules, np.concatenate(chunks, axis=1)) if chunks else CodeSet(rules, search.empty)


def build_within(rules: Rules, domains: Domains, limit: int, steps: int) -> Array | None:
    """Return all codes within domains, [N, pegs] in no order; None where there are more, or `steps` symbols were tried.

    They are `uint8`, or `uint16` past 256 colors.
    """
    # Pegs of few colors first, so that a wrong beginning is short.
    order = np.argsort(domains.allowed.sum(axis=1), kind="stable")
    search = Construction(rules, (), domains=domains.reordered(order))
    rows = search.next_planes(limit + 1, steps)
    if not search.is_done or rows.shape[1] > limit:
        return None
    codes = np.empty_like(rows)
    codes[order] = rows
    return np.ascontiguousarray(codes.T)


def first_codes(rules: Rules | str, turns: AnyTurns, number: int, *, steps: int = STEPS) -> CodeSet:
    """Return the first `number` secrets that fit the turns, in lexicographic order, or all if they are fewer.

    Raises TooLargeError where `steps` symbols were tried before.
    """
    rules, turns, steps = _asked(rules, turns, steps)
    number = arguments.whole(number, "the number of codes", least=0)
    search = Construction(rules, turns)
    chunks = [search.empty]
    while not search.is_done and search.progress.found < number:
        chunks.append(search.next_planes(min(1 << 16, number - search.progress.found), search.slice_of(steps)))
        if search.progress.found < number:
            search.check_tried(steps, Template("{where} there are too many codes to find"))
    return CodeSet(rules, np.concatenate(chunks, axis=1))


def is_possible(rules: Rules | str, turns: AnyTurns, *, steps: int = STEPS) -> bool:
    """Tell whether a secret fits the turns; colors that no guess has used are tried as one.

    Raises TooLargeError where `steps` symbols were tried in vain. By marks by place it is always decided.
    """
    rules, turns, steps = _asked(rules, turns, steps)
    if can_build(rules) and rules.feedback.about.answer is Marks:
        return Domains.of(rules, turns).fitting() is not None
    search = Construction(rules, turns, merged=True)
    while not search.is_done:
        if search.next_planes(1, search.slice_of(steps)).shape[1]:
            return True
        search.check_tried(steps, Template("{where} there are too many codes to search"))
    return False


def count_codes(rules: Rules | str, turns: AnyTurns, *, steps: int = STEPS) -> int:
    """Return how many secrets fit the turns, exactly, without listing them.

    Colors that no guess has used are tried as one and counted for all. Raises TooLargeError, with a lower bound, where
    `steps` symbols were tried before the end.

    >>> count_codes("20x20", [])
    104857600000000000000000000
    """
    rules, turns, steps = _asked(rules, turns, steps)
    search = Construction(rules, turns, merged=True)
    while not search.is_done:
        search.count_on(search.slice_of(steps))
        search.check_tried(steps, Template("{where} there are too many codes to count"))
    return search.total


def _asked(rules: Rules | str, turns: AnyTurns, steps: int) -> tuple[Rules, Turns, int]:
    rules = Rules.of(rules)
    return rules, read_turns(turns, rules), arguments.whole(steps, "the number of steps", least=1)


class BuildState(NamedTuple):
    """The state of a construction from call to call.

    missing: uint64[pegs + 1, W], what the lanes still miss at each depth. tried, code: int64[pegs]. used:
    int64[symbols]. cursor: int64[2], the peg to fill and the symbols tried so far. tally: int64[pegs + 1], the codes
    found by how often they have the fresh symbol.
    """

    missing: Array
    tried: Array
    code: Array
    used: Array
    cursor: Array
    tally: Array


class Construction:
    """A construction that can be carried on: its whole state is in a few small arrays.

    With `merged`, colors in no guess are tried as one: for counting, and to learn whether there is any code.
    """

    def __init__(self, rules: Rules, turns: Turns, *, merged: bool = False, domains: Domains | None = None) -> None:
        """Pack the demands of the turns, or domains; raises TooLargeError where the board is out of proportion."""
        if not can_build(rules):
            raise TooLargeError("the codes of {rules} can only be scanned, not built peg by peg", rules)
        demands = Demands(rules, turns, merged, domains)
        pegs, symbols = demands.allowed.shape
        self.rules, self.turns = rules, turns
        self._words = words = DemandWords.of(demands)
        self._merged = len(demands.fresh)
        self._fresh = demands.fresh[0] if demands.fresh else -1
        missing, tried, code = np.zeros((pegs + 1, len(words.start)), np.uint64), *np.zeros((2, pegs), np.int64)
        missing[0] = words.start
        used, self._cursor, self._tally = (np.zeros(size, np.int64) for size in (symbols, 2, pegs + 1))
        self._state = BuildState(missing, tried, code, used, self._cursor, self._tally)
        self.empty = np.empty((pegs, 0), plane_type(rules))

    @property
    def is_done(self) -> bool:
        """Whether every code has been found."""
        return bool(self._cursor[0] < 0)

    @property
    def progress(self) -> BuildProgress:
        """Codes found (merged ones once) and symbols tried so far."""
        return BuildProgress(int(self._tally.sum()), int(self._cursor[1]))

    @property
    def total(self) -> int:
        """Number of codes found so far; those with merged colors counted for all that they stand for."""
        merged = 1 if self._fresh < 0 else self._merged
        ways = pow if self.rules.repeats or self._fresh < 0 else perm
        return sum(int(found) * ways(merged, number) for number, found in enumerate(self._tally))

    def check_tried(self, steps: int, doing: Template) -> None:
        """Raise TooLargeError, with what was found, where as many symbols were tried and there may be further codes."""
        tried = self.progress.tried
        if not self.is_done and tried >= steps:
            found = Told("at least {found:,} were found when {tried:,} steps had been made", self.total, tried)
            raise TooLargeError("{fault}: {hint}", Told(doing, _after(self.rules, self.turns)), found)

    def slice_of(self, steps: int) -> int:
        """Return how many symbols may be tried in one go, of ``steps`` in all."""
        return min(SLICE, max(1, steps - self.progress.tried))

    def next_planes(self, most: int, symbols: int = SLICE) -> Array:
        """Return the next codes as planes, at most ``most``; fewer do not mean the end: `is_done` does."""
        out = np.empty((len(self.empty), most), self.empty.dtype)
        return out[:, : self._run(out, symbols)]

    def count_on(self, symbols: int = SLICE) -> None:
        """Try a number of further symbols without keeping the codes."""
        self._run(self.empty, symbols)

    def _run(self, out: Array, symbols: int) -> int:
        first = min(symbols, FIRST)
        # NumPy could score 150 pairs of codes while plain Python tries a symbol.
        is_short = self._cursor[1] < FIRST and _functions.is_plain(first * 150)
        if is_short:
            symbols = first
        functions = _functions.plain if is_short or not can_compile() else _functions.compiled
        return int(functions.build_columns(self._words, self._fresh, self._state, symbols, out))


def _after(rules: Rules, turns: Turns) -> Told:
    return Told("on {rules} after {turns}", rules, plural(len(turns), "{n} turn", "{n} turns"))
