"""Exact values of positions: expected numbers of guesses of the best play, of single guesses, and of the best ones.

Labels and the table of values, which all positions of a board share, are made once and kept: a second question takes
milliseconds. Where the labels of a whole board are too many, those of the codes left at the position are made.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import inf
from threading import Lock, Timer, get_ident
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from entropeg import arguments
from entropeg.codes import CodeSet, guesses, is_listable, secrets
from entropeg.codes import weights as prior_weights
from entropeg.errors import InputError, TooLargeError
from entropeg.feedback import AnyFeedback, Code, Method, from_label, is_known, label_of
from entropeg.kernels import switch
from entropeg.partition import Partition
from entropeg.position import Position, Turn
from entropeg.rules import Rules
from entropeg.search.preparing import layout_options, rows_of
from entropeg.search.reach import MOST_LABELS, Reach
from entropeg.search.small.search import SmallSearch
from entropeg.search.weights import WHOLE, whole_weights
from entropeg.signals import held
from entropeg.table.stored import table_of
from entropeg.table.tablebase import Tablebase

if TYPE_CHECKING:
    from entropeg.search.exact.layout import Layout, ThreadMemory

BOARD_BYTES = 120_000_000
"""Labels of a whole board are kept where they take no more: Bulls and Cows takes 25 MB, 5x7 would take 280."""
TABLE_BYTES = 1 << 26
"""Bytes of the table of values."""
PROBED = 51
"""Fewest codes of a set that is looked up in a table: to name a smaller one costs more than to search it."""
TICK = 0.02
"""Seconds after which Ctrl-C, and the end of a time, is heard at most."""

Array = NDArray[np.int32]
T = TypeVar("T")


def can_value(rules: Rules, codes: int) -> bool:
    """Tell whether positions of this many codes have values that the exact search finds, given time enough.

    >>> [can_value(Rules.parse(name), 400) for name in ("5x8", "5x9", "12x12", "5x8/positional")]
    [True, True, False, True]
    """
    if not (is_known(rules, Method.exact) and rules.is_named and is_listable(rules) and switch.can_compile()):
        return False
    # Places of pegs are bytes.
    if rules.pegs > 255:
        return False
    reach = Reach.of(rules)
    # Labels of one position take 500 MB at most, twice: half a second.
    is_small = codes * rules.guess_count <= 500_000_000
    if reach.has_many_answers:  # those of one guess are no more than the codes
        return reach.can_be_raised and not rules.is_symmetric and not rules.hard and codes < MOST_LABELS and is_small
    return reach.can_be_raised and (reach.cells <= BOARD_BYTES or is_small)


def is_compiled(rules: Rules) -> bool:
    """Tell whether the code that values these rules is compiled already, on this machine; else the first call waits."""
    if not switch.can_compile():
        return False
    from entropeg.search.exact import engine

    return engine.is_compiled(is_weighted=rules.prior is not None)


class Stop:
    """Ends a search from outside: after a number of seconds, or when Ctrl-C is pressed."""

    def __init__(self) -> None:
        self.word: NDArray[np.int64] = np.zeros(1, np.int64)
        self.is_pressed: bool = False
        self._end, self._at_end = inf, Lock()
        self._watched = set[int]()

    @property
    def is_set(self) -> bool:
        """Whether the search is to end, or has ended early."""
        return bool(self.word[0])

    def set(self) -> None:
        """End the search as soon as may be."""
        self.word[0] = 1

    def press(self) -> None:
        """Ctrl-C was pressed."""
        self.is_pressed = True
        self.set()

    @contextmanager
    def after(self, seconds: float) -> Iterator[None]:
        """End the searches of the block after a number of seconds; searches after the block begin anew."""
        self._end = perf_counter() + max(seconds, 0.001)
        timer = Timer(max(seconds, 0.001), self._end_late)
        if get_ident() not in self._watched:  # by `run`
            timer.daemon = True
            timer.start()
        try:
            yield
        finally:
            timer.cancel()
            with self._at_end:
                self._end = inf
                if not self.is_pressed:
                    self.word[0] = 0

    def _end_late(self) -> None:
        with self._at_end:
            if perf_counter() >= self._end:
                self._end = inf
                self.set()

    @contextmanager
    def ignored(self) -> Iterator[None]:
        """In the block the time does not end a search, Ctrl-C does: for short ones that are wanted all the same."""
        ended = self.is_set and not self.is_pressed
        if ended:
            self.word[0] = 0
        try:
            yield
        finally:
            if ended:
                self.word[0] = 1

    def run(self, function: Callable[[], T]) -> T:
        """Call a function that searches, so that Ctrl-C is heard meanwhile; it raises KeyboardInterrupt then."""
        self.is_pressed, self.word[0] = False, 0
        with held(self.press):
            call = _threads(os.getpid()).submit(self._run, function)
            while not call.done():
                with suppress(TimeoutError):
                    call.exception(TICK)
                self._end_late()
        if self.is_pressed:
            raise KeyboardInterrupt
        return call.result()

    def _run(self, function: Callable[[], T]) -> T:
        self._watched.add(get_ident())
        try:
            return function()
        finally:
            self._watched.discard(get_ident())


@lru_cache(maxsize=1)
def _threads(_process: int) -> ThreadPoolExecutor:
    # Kept: to start one takes as long as to search a small position. Those of a process are not those of its forks.
    return ThreadPoolExecutor(64, "search")


class BoardValues:
    """The values of the positions of one board, or of one position where the labels of the board are too many."""

    def __init__(self, rules: Rules, some: CodeSet | None = None) -> None:
        """``some``: the codes of the one position."""
        from entropeg.search.exact.exchanges import kinds_of
        from entropeg.search.exact.layout import Layout, new_words

        codes = secrets(rules) if some is None else some
        options = layout_options(rules)
        self.rules = rules
        layout = Layout(rows_of(codes), rows_of(guesses(rules)), **options, is_whole=some is None)
        self.is_exact: bool = True  # whether totals are: weights that no whole numbers are in the ratio of are rounded
        if rules.prior is not None:
            weight = prior_weights(rules)[codes.ranks]
            in_rows = np.zeros(len(layout.secrets))
            in_rows[layout.number_secrets(rows_of(codes))] = weight
            whole, _ = whole_weights(in_rows)
            kinds = np.arange(rules.pegs), np.arange(int(layout.numbers[1]))
            layout = layout.weighted(whole, *(kinds if some is not None else kinds_of(layout, in_rows)))
            self.is_exact = bool((weight == np.round(weight)).all()) or int(whole.max()) < WHOLE
        self.layout: Layout = layout
        self.stop: Stop = Stop()
        self._common = {"stop": self.stop.word, "shared": new_words(layout.infinite)}
        self.tables: list[Array] = [layout.table(TABLE_BYTES), layout.table(TABLE_BYTES // 4)]
        self.memory: ThreadMemory = layout.memory(self._common | {"table": self.tables[0]})
        first = ("group_size", "group_peg", "group_color", *(["clues"] if len(self.memory.arrays["clues"]) else []))
        self._groups = {name: self.memory.arrays[name][0].copy() for name in first}
        self.in_use: Lock = Lock()
        self._entered: tuple[tuple[Turn, ...], bool] | None = None
        self.openings: dict[Code, list[tuple[AnyFeedback, Total]]] = {}
        """What the answers to guesses at the start leave, by their shapes."""
        self.looked_up: dict[bytes, Total | None] = {}
        """What a table said of sets of rows: to name one again takes 50 microseconds."""

    def enter(self, turns: Iterable[Turn], *, is_all: bool) -> None:
        """Let the search stand behind these turns; not ``is_all``: and behind more, which leaves no symmetry."""
        from entropeg.search.exact import engine

        arrays, turns = self.memory.arrays, tuple(turns)
        if self._entered == (turns, is_all):
            return
        self._entered = None  # until it is done
        for name, start in self._groups.items():
            arrays[name][0] = start
        labels = ((turn.guess, label_of(turn.feedback, self.rules)) for turn in turns)
        engine.behind(self.memory, self.layout.number_turns(labels))
        if not is_all:
            arrays["group_size"][0], symbols = 1, self.layout.numbers[1]
            arrays["group_color"][0, 0] = np.arange(arrays["group_color"].shape[2]) % symbols
        self._entered = turns, is_all

    def totals(self, pool: NDArray[np.int64], starts: NDArray[np.int64], left: int | None = None) -> NDArray[np.int64]:
        """The least totals of many sets, in one compiled loop: int64[sets]; `infinite` where none keeps to `left`.

        Set i are the codes at these places of the board's list, `pool[starts[i] : starts[i + 1]]`. Small sets first
        help large ones, as the table of values is shared. Fewer totals come back where the search was stopped.
        """
        with self.in_use:
            return self.totals_of_rows(self.in_order(self.rows[pool], starts), starts, left)

    def in_order(self, rows: Array, starts: NDArray[np.int64]) -> Array:
        """Rows of many sets, each in the order of sets, as `Layout.in_order` has those of one."""
        of = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        heavy = -self.layout.arrays["weight"][rows] if self.layout.is_weighted else rows
        return rows[np.lexsort((rows, heavy, of))]

    def totals_of_rows(
        self,
        rows: Array,
        starts: NDArray[np.int64],
        left: int | None = None,
        below: int | None = None,
        depth: int | None = None,
    ) -> NDArray[np.int64]:
        """The same for sets of rows of the board, each in the order of sets, while the board is in use.

        ``below``: totals below it are wanted alone; others may be any number from there on. ``depth``: so many guesses
        were entered before.
        """
        from entropeg.search.exact import engine
        from entropeg.search.exact.fields import NO_GUESS, SYMMETRIC, UNLIMITED
        from entropeg.search.exact.many import solve_many

        totals, memory = np.zeros(len(starts) - 1, np.int64), self.memory
        entry = engine.address(memory)
        memory.set(breadth=0, only=NO_GUESS, ranked=0)
        limits = below or memory.infinite, UNLIMITED if left is None else min(left, UNLIMITED)
        behind = SYMMETRIC + 1 if depth is None else depth
        given = self.layout.zobrist, self.stop.word, rows, starts, *limits, behind, totals
        return totals[: solve_many(entry, memory.fields, memory.stack, *given)]

    def total(self, codes: Array, d: int, depth: int) -> Total:
        """The total of codes, rows in the order of sets, with so many guesses left, behind those that were entered."""
        from entropeg.search.exact import engine

        memory = self.memory
        value, _ = engine.solve(memory, codes, memory.infinite, d, depth, self.hash(codes, depth))
        if not self.stop.is_set:
            return Total(value, value)
        return Total(min(value, memory.infinite), None)

    def hash(self, codes: Array, depth: int = 0) -> int:
        """The word that the search knows codes by, behind so many guesses that were entered."""
        from entropeg.search.exact import engine

        word = int(np.bitwise_xor.reduce(self.layout.zobrist[codes]))
        return word ^ engine.clue_hash(self.memory, depth)

    @cached_property
    def ranks(self) -> NDArray[np.int32]:
        """The number, as `secrets` lists it, of the code in each row."""
        return CodeSet(self.rules, self.layout.secrets.T).ranks.astype(np.int32)

    @cached_property
    def rows(self) -> NDArray[np.int32]:
        """The row of each code, as `secrets` lists them: of a whole board."""
        return self.layout.number_secrets(rows_of(secrets(self.rules)))

    @contextmanager
    def greedy(self) -> Iterator[None]:
        """Search with a table of its own: the totals of the most promising guesses are kept apart from proven ones."""
        self.memory.use(table=self.tables[1])
        try:
            yield
        finally:
            self.memory.use(table=self.tables[0])


@dataclass(frozen=True)
class Total:
    """A total number of guesses over the codes of a set, each times its weight: exact, or between two bounds."""

    lower: int
    upper: int | None

    @property
    def is_exact(self) -> bool:
        """Whether it is known."""
        return self.lower == self.upper


class PositionValues:
    """The exact search of one position, by guesses and sets of codes. One thread at a time asks it.

    Totals are sums over the codes left, each times its `weights`: `mass` of them makes an expected number of guesses.
    """

    def __init__(
        self, codes: CodeSet, turns: tuple[Turn, ...], guesses_left: int | None = None, *, is_all: bool = True
    ) -> None:
        """Take the codes left, one or more, and the turns that led to them; not ``is_all``: with more than these.

        ``guesses_left``: the guesses in which every code is to be found; None without a limit.
        """
        from entropeg.search.exact.fields import UNLIMITED

        codes = _possible(codes)
        self.board: BoardValues = _board_of(codes)
        layout = self.board.layout
        self.codes: Array = layout.in_order(layout.number_secrets(rows_of(codes)))
        self._weight = layout.arrays["weight"] if layout.is_weighted else None
        self.mass: int = self.weight(self.codes)
        self._turns, self._is_all = turns, is_all
        # A table has sets that some guesses leave: those of one position, and not of more than is told of it.
        self.table: Tablebase | None = table_of(codes.rules.board) if is_all and guesses_left is None else None
        self._after = dict[Code, list[tuple[AnyFeedback, Total]]]()
        self.guesses_left: int | None = guesses_left
        self._left = UNLIMITED if guesses_left is None else min(guesses_left, UNLIMITED)

    @classmethod
    def of(cls, position: Position) -> PositionValues:
        """Return the search of a position, without regard to a limit."""
        return cls(position.candidates, position.turns)

    @property
    def infinite(self) -> int:
        """More than any total: that of a set which no play finds within the guesses left."""
        return self.board.layout.infinite

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Have the memory of the board in the block; the other questions are asked in such a block."""
        with self.board.in_use:
            # All is compiled before the clock of a search begins: the search, and the keys of a table.
            self.board.totals_of_rows(np.zeros(0, np.int32), np.zeros(1, np.int64))
            if self.table is not None and b"" not in self.board.looked_up:
                self.table.look(np.zeros(1, np.int32), np.array([0, 1]))
                self.board.looked_up[b""] = None
            self.board.enter(self._turns, is_all=self._is_all)
            yield

    def value(self) -> Total:
        """The total of the best play, or, where the search was stopped, bounds of it."""
        return self._stored([self.codes], 0)[0] or self.board.total(self.codes, self._left, 0)

    def best(self, number: int) -> tuple[list[tuple[Code, int]], bool]:
        """(a number of the best guesses with their totals, whether these are all proven), the best first.

        One guess of every class under the symmetry of the position, and one of all that leave the same parts. Where the
        search was stopped the totals are exact all the same, and there may be better guesses.
        """
        from entropeg.search.exact import engine

        if len(self.codes) <= 2:
            return self._best_of_few(number), True
        memory, n = self.board.memory, len(self.codes)
        memory.stack[:n] = self.codes
        found, _ = engine.ranking(memory, n, self._left, 0, self.board.hash(self.codes), number)
        digits = self.board.layout.guesses
        return [(_code(digits[guess]), total) for total, guess in found], not self.board.stop.is_set

    def best_candidate(self) -> tuple[Code, int] | None:
        """The best of the codes left as a guess, with its total; None where the search was stopped."""
        from entropeg.search.exact import engine
        from entropeg.search.exact.fields import NO_GUESS

        if len(self.codes) <= 2:
            return self._best_of_few(1)[0]
        memory, layout, n = self.board.memory, self.board.layout, len(self.codes)
        memory.stack[:n] = self.codes
        classes, _ = engine.openings(memory, n, self._left, every=True)
        own = classes[np.isin(classes[:, 0], layout.arrays["guess_of_secret"][self.codes])]
        best, chosen = self.infinite, None
        for guess, bound in own[np.argsort(own[:, 1], kind="stable")].tolist():
            if bound >= best:
                break
            search = self.codes, best, self._left, 0, self.board.hash(self.codes)
            total, found = engine.solve(memory, *search, only=guess)
            if self.board.stop.is_set:
                return None
            if found != NO_GUESS and total < best:
                best, chosen = total, guess
        return None if chosen is None else (_code(layout.guesses[chosen]), best)

    def _best_of_few(self, number: int) -> list[tuple[Code, int]]:
        digits = self.board.layout.secrets
        found = [(_code(digits[row]), self.after(_code(digits[row])).lower) for row in self.codes]
        return sorted(found, key=lambda one: one[1])[:number]

    def is_candidate(self, guess: Code) -> bool:
        """Whether a guess is one of the codes left."""
        layout = self.board.layout
        return bool((layout.arrays["guess_of_secret"][self.codes] == layout.number_guess(guess)).any())

    def after(self, guess: Code) -> Total:
        """The total where a guess is played first, and the best play follows."""
        lower = upper = self.mass
        for _, total in self.parts_after(guess):
            lower = min(lower + total.lower, self.infinite)
            upper = self.infinite if total.upper is None else min(upper + total.upper, self.infinite)
        return Total(lower, upper if upper < self.infinite or lower == upper else None)

    def parts_after(self, guess: Code) -> list[tuple[AnyFeedback, Total]]:
        """The answers to a guess but the winning one, with the totals of the codes they leave; the largest first."""
        # At the start guesses that are alike but for names and places of colors leave the same.
        known, name = (self.board.openings, _shape(guess, self.board.rules)) if self._is_start else (self._after, guess)
        found = known.get(name) or self._parts_after(guess)
        if all(total.is_exact for _, total in found):
            known[name] = found
        return found

    @property
    def _is_start(self) -> bool:
        from entropeg.search.exact.fields import UNLIMITED

        rules = self.board.rules
        is_alike = rules.is_symmetric and rules.prior is None and rules.feedback.about.pegs_alike
        return is_alike and self._left == UNLIMITED and len(self.codes) == rules.secret_count

    def _parts_after(self, guess: Code) -> list[tuple[AnyFeedback, Total]]:
        from entropeg.search.exact import engine
        from entropeg.search.exact.fields import NO_LABEL, UNLIMITED

        layout, rules = self.board.layout, self.board.rules
        index = layout.number_guess(guess)
        engine.enter(self.board.memory, 0, index, NO_LABEL)
        d = self._left if self._left == UNLIMITED else self._left - 1
        parts = self._parts(index)
        totals = self._stored(list(parts.values()), 1)
        if not self.board.memory.is_entered_by_answer:
            self._search_together(list(parts.values()), totals, d)
        for at, (label, part) in enumerate(parts.items()):
            if totals[at] is None:
                engine.enter_answer(self.board.memory, index, label)
                totals[at] = self.board.total(part, d, 1)
        answers = layout.public_labels(index, np.array([*parts], np.int64)).tolist()
        return [
            (from_label(answer, rules), total)
            for answer, total in zip(answers, totals, strict=True)
            if total is not None
        ]

    def _search_together(self, sets: list[Array], totals: list[Total | None], d: int) -> None:
        """Search those of some parts that have no total yet, in one compiled loop, until it is stopped."""
        left = [at for at, total in enumerate(totals) if total is None]
        if left:
            starts = np.cumsum([0, *(len(sets[at]) for at in left)])
            found = self.board.totals_of_rows(np.concatenate([sets[at] for at in left]), starts, d, depth=1)
            for at, total in zip(left, found.tolist(), strict=False):
                totals[at] = Total(total, total)

    def table_after(self, depth: int) -> Tablebase | None:
        """The table of the rules, if there is one that has sets which so many further guesses leave."""
        return None if self.table is None or len(self._turns) + depth > self.table.turns else self.table

    def _stored(self, sets: list[Array], depth: int) -> list[Total | None]:
        """What the table says of sets that so many further guesses leave."""
        table, found = self.table_after(depth), list[Total | None]([None]) * len(sets)
        if table is None:
            return found
        known, names = self.board.looked_up, [rows.tobytes() for rows in sets]
        inside = [at for at, rows in enumerate(sets) if max(table.least, PROBED) <= len(rows) <= table.most]
        fresh = [at for at in inside if names[at] not in known]
        if fresh:
            pool = self.board.ranks[np.concatenate([sets[at] for at in fresh])]
            is_there, totals, _ = table.look(pool, np.cumsum([0, *(len(sets[at]) for at in fresh)]))
            if len(known) > 100_000:
                known.clear()
            for at, there, total in zip(fresh, is_there.tolist(), totals.tolist(), strict=True):
                known[names[at]] = Total(total, total) if there else None
        for at in inside:
            found[at] = known[names[at]]
        return found

    def means_after(self, partition: Partition) -> dict[AnyFeedback, float]:
        """The mean number of guesses that the best play takes after each answer, 0 after the winning one.

        `partition` is that of the codes of the position by the guess. Lower bounds where the search is stopped.
        """
        shares = partition.shares
        totals = self.parts_after(partition.guess)
        means = {answer: total.lower / (self.mass * shares[answer]) for answer, total in totals if shares[answer]}
        return means | ({partition.win: 0.0} if partition.win_possible and shares[partition.win] else {})

    def followed(self, guess: Code | None = None) -> int | None:
        """The total of a strategy that follows the most promising guess in every set; None if the search was stopped.

        After a guess, if one is given. Without regard to a limit.
        """
        from entropeg.search.exact import engine
        from entropeg.search.exact.fields import NO_LABEL, UNLIMITED

        board, parts, depth, total, index = self.board, {NO_LABEL: self.codes}, 0, 0, 0
        if guess is not None:
            index = board.layout.number_guess(guess)
            engine.enter(board.memory, 0, index, NO_LABEL)
            parts, depth, total = self._parts(index), 1, self.mass
        with board.greedy():
            for label, part in parts.items():
                if depth:
                    engine.enter_answer(board.memory, index, label)
                search = part, board.memory.infinite, UNLIMITED, depth, self.board.hash(part, depth)
                value, _ = engine.solve(board.memory, *search, breadth=1)
                if board.stop.is_set or value >= board.memory.infinite:
                    return None
                total += value
        return total

    def promising(self) -> list[tuple[Code, int]]:
        """One guess of every class with a lower bound of its total, in the order in which the search tries them."""
        from entropeg.search.exact import engine
        from entropeg.search.exact.fields import UNLIMITED

        memory, n, digits = self.board.memory, len(self.codes), self.board.layout.guesses
        memory.stack[:n] = self.codes
        found, _ = engine.openings(memory, n, UNLIMITED, every=True)
        in_order = found[np.argsort(found[:, 1], kind="stable")]
        return [(_code(digits[guess]), int(bound)) for guess, bound in in_order]

    def _parts(self, guess: int) -> dict[int, Array]:
        """The codes that each answer but the winning one leaves, by label, the largest first."""
        layout = self.board.layout
        labels = layout.arrays["by_guess"][guess][self.codes]
        found = np.unique(labels[labels != layout.win]).tolist()
        parts = {label: self.codes[labels == label] for label in found}
        return dict(sorted(parts.items(), key=lambda part: -len(part[1])))

    def weight(self, codes: Array) -> int:
        """What codes weigh together, as rows of the board: their number where all weigh the same."""
        return len(codes) if self._weight is None else int(self._weight[codes].sum())


def values_many(sets: Iterable[CodeSet]) -> NDArray[np.int64]:
    """Return the least total number of guesses that each set of codes takes, exact: `int64[sets]`.

    The sets are of one board; none may be empty. Without regard to a limit, a prior, or what was guessed before. Costs
    5 to 20 microseconds a set of up to 50 codes on 4x6, once the search is loaded, and more for larger ones; without a
    compiler, and where the labels of a board are too many to be kept, milliseconds. Raises InputError for hard rules,
    under which a value needs the clues, TooLargeError where positions have no exact values.

    >>> sets = [CodeSet.of(["AABB", "ABCD", "CCDA"], "4x6"), CodeSet.of(["AABB"], "4x6")]
    >>> values_many(sets).tolist()
    [5, 1]
    """
    listed = arguments.items(sets, "the sets", '[CodeSet.of(["AABB", "ABCD"], "4x6")]')
    if not listed:
        return np.zeros(0, np.int64)
    rules = replace(listed[0].rules, prior=None).with_limit(None)
    if rules.hard:
        raise InputError("under hard rules the value of a set depends on the clues before it: ask for a position")
    several = {id(each.rules): each.rules for each in listed}.values()
    if any(replace(other, prior=None).with_limit(None) != rules for other in several):
        raise InputError("the sets are of several boards: ask for those of one at a time")
    if not all(map(len, listed)):
        raise InputError("one of the sets has no code")
    if not switch.can_compile():
        return np.array([_plain_value(each, rules) for each in listed], np.int64)
    if not can_value(rules, max(map(len, listed))):
        raise TooLargeError("sets of {rules} have no values that the exact search finds", rules)
    reach = Reach.of(rules)
    if reach.cells > BOARD_BYTES or reach.has_many_answers:
        return np.array([_value_alone(CodeSet(rules, each.planes)) for each in listed], np.int64)
    board = _board_of(CodeSet(rules, listed[0].planes))
    pool = np.concatenate([each.ranks for each in listed])
    return board.stop.run(lambda: board.totals(pool, np.cumsum([0, *map(len, listed)])))


def concatenated_ranges(starts: NDArray[np.int64], sizes: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
    """Return (the indexes of ranges, one after the other; where each of them starts there, and the last one ends)."""
    ends = np.concatenate([[0], np.cumsum(sizes)])
    return np.repeat(starts - ends[:-1], sizes) + np.arange(ends[-1]), ends


def _plain_value(codes: CodeSet, rules: Rules) -> int:
    labels = CodeSet(rules, codes.planes).labels(guesses(rules))
    return SmallSearch(labels, rules.win_label).value()


def _value_alone(codes: CodeSet) -> int:
    values = PositionValues(codes, (), is_all=False)
    with values.opened():
        return values.value().lower


def _possible(codes: CodeSet) -> CodeSet:
    """The codes that may be the secret by the prior; where it holds all of them for impossible, they are alike."""
    rules = codes.rules
    if rules.prior is None:
        return codes
    weight = prior_weights(rules)[codes.ranks]
    if weight.any():
        return codes.take(np.flatnonzero(weight))
    return CodeSet(replace(rules, prior=None), codes.planes)


_boards: OrderedDict[Rules, BoardValues] = OrderedDict()
_position: list[tuple[object, BoardValues]] = []
"""The latest board that was made for one position."""


def _board_of(codes: CodeSet) -> BoardValues:
    rules = codes.rules.with_limit(None)
    reach = Reach.of(rules)
    if reach.cells <= BOARD_BYTES and not reach.has_many_answers:
        if rules not in _boards:
            _boards[rules] = BoardValues(rules)
        _boards.move_to_end(rules)
        # Whole boards kept take 80 MB each beside the labels: the latest three stay.
        while len(_boards) > 3:
            _boards.popitem(last=False)
        return _boards[rules]
    key = rules, codes.planes.tobytes()
    if not _position or _position[0][0] != key:
        _position.clear()  # before the next one is made: each may take a gigabyte
        _position.append((key, BoardValues(rules, CodeSet(rules, codes.planes))))
    return _position[0][1]


def forget() -> None:
    """Let go of all boards, as before the first question."""
    _boards.clear()
    _position.clear()


def _shape(guess: Code, rules: Rules) -> Code:
    counts = sorted((guess.count(color) for color in set(guess) if color < rules.colors), reverse=True)
    return (*counts, guess.count(rules.colors))


def _code(digits: NDArray[np.uint8]) -> Code:
    return tuple(digits.tolist())
