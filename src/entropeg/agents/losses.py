"""Gives the exact loss of a guess: how many guesses more it takes, in the mean, than the best one."""

from __future__ import annotations

from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import permutations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import CodeSet, guesses, secrets
from entropeg.errors import InputError
from entropeg.feedback import Code
from entropeg.kernels.turns import KnownNumbers, LossRooms, MissingSets, TotalStore, TurnGames, add_losses, store_totals
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.book import look_up
from entropeg.search.reach import proof_seconds
from entropeg.search.values import PROBED, BoardValues, PositionValues, can_value, concatenated_ranges
from entropeg.table.stored import table_of

KEPT = 100_000

Array: TypeAlias = NDArray[Any]
Key: TypeAlias = "tuple[bytes, Code | None]"


class ExactLosses:
    """The losses of guesses on one board, from the book, tables and the exact search: exact, or refused."""

    def __init__(self, rules: Rules) -> None:
        """Take a board; InputError where its values are neither stored nor found in moments, or need clues."""
        self.rules = rules.with_limit(None)
        entry = look_up(Position(self.rules))
        is_stored = entry is not None and entry.is_exact
        is_known = rules.is_named and not rules.hard and can_value(self.rules, rules.secret_count)
        # Where nothing is stored a proof of 20 seconds is waited for: 4x8 takes 6, 4x9 fifty.
        if not is_known or not (is_stored or proof_seconds(self.rules) <= 20.0):
            raise InputError(
                "the loss of guesses of {rules} needs exact values, which neither the book nor the exact search has in "
                "moments: other rewards need none",
                rules,
            )
        self._start = entry.guesses[0][1] if entry is not None and is_stored else None
        self._kept: OrderedDict[Key, int] = OrderedDict()

    def loss(self, position: Position, guess: Code) -> float:
        """Return the loss of a guess, 0 to 1, without regard to a limit; costs microseconds where it was asked before.

        Raises InputError where no code is left.

        >>> losses = ExactLosses(Rules.parse("3x4"))
        >>> losses.loss(Position("3x4"), (0, 1, 2)), losses.loss(Position("3x4"), (0, 0, 1))
        (0.03125, 0.0)
        """
        codes = position.candidates
        if not len(codes):
            raise InputError("no code is left, and so no guess has a loss")
        best, played = self.total(position, codes, None), self.total(position, codes, guess)
        return (played - best) / len(codes)

    def total(self, position: Position, codes: CodeSet, guess: Code | None) -> int:
        """Return the least total over the codes left at a position, or that of a guess."""
        if guess is None and not position.turns and self._start is not None:
            return self._start
        key = codes.planes.tobytes(), guess
        if (known := self._kept.get(key)) is not None:
            return known
        values = PositionValues(codes, position.turns)

        def asked() -> int:
            with values.opened():
                total = values.value() if guess is None else values.after(guess)
                assert total.is_exact
                return total.lower

        self._kept[key] = total = values.board.stop.run(asked)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return total


class ManyLosses:
    """The losses of guesses in many games at once; totals of sets are stored by words of 64 bits."""

    def __init__(self, rules: Rules, threads: int = 1, cells: int = 1 << 22) -> None:
        """Take a board, threads that share the work, and cells of the store; refuses as `ExactLosses` does."""
        self._single = ExactLosses(rules)
        self.rules = rules = self._single.rules
        every, number = secrets(rules), guesses(rules).find(secrets(rules)).astype(np.int32)
        words = np.random.default_rng(1).integers(1, 1 << 63, size=rules.guess_count, dtype=np.uint64)
        leads, renamed, behind, kinds, named, rows = _renamings(rules, words, number)
        opened = np.zeros((len(leads), rules.label_count), np.uint64)
        for names, labels in zip(opened, every.labels(guesses(rules).take(leads)), strict=True):
            np.bitwise_xor.at(names, labels, words[number])
        self._store = TotalStore(
            renamed, behind, kinds, named, rows, np.zeros(cells, np.uint64), np.zeros(cells, np.int64), number,
            np.arange(len(every), dtype=np.int32), np.bitwise_xor.reduce(words[number]), opened,
        )  # fmt: skip
        self._boards, self._table = [BoardValues(rules) for _ in range(threads)], table_of(rules.board)
        labels, most = rules.label_count + 1, max(1 << 20, 4 * len(every))
        self._rooms = [
            (
                KnownNumbers(np.zeros(cells // 4, np.uint64), np.zeros(cells // 4)),
                LossRooms(np.zeros(len(every), np.int32), *np.zeros((2, labels), np.int64)),
                MissingSets(
                    np.zeros(most, np.int32), np.zeros(most // 3 + 2, np.int64), np.zeros(most // 3 + 2, np.uint64),
                    np.zeros(2, np.int64),
                ),
            )
            for _ in range(threads)
        ]  # fmt: skip
        self._used = 0
        self._begin()

    def _begin(self) -> None:
        """Forget all but what is known of the start."""
        self._store.keys[:], self._used = 0, 0
        start = Position(self.rules)
        total = self._single.total(start, start.candidates, None)
        self._put(np.array([self._store.whole]), [total])

    def of(self, games: TurnGames, actions: NDArray[np.int64], pool: ThreadPoolExecutor) -> NDArray[np.float64]:
        """Return the losses of the actions that are played next, 0 in games that begin anew: `float64[n]`."""
        losses, left = np.zeros(len(actions)), np.flatnonzero(~games.is_over)
        while len(left):
            shares, calls = np.array_split(left, len(self._rooms)), list[Future[int]]()
            for share, room in zip(shares, self._rooms, strict=True):
                room[-1].count[:] = 0
                given = games, actions, share, self.rules.win_label, self._store, *room, losses
                calls.append(pool.submit(add_losses, *given))
            left = np.concatenate(
                [share[: len(share) - call.result()] for share, call in zip(shares, calls, strict=True)]
            )
            for *_, missing in self._rooms:
                if missing.count[0]:
                    self._find(missing, pool)
        return losses

    def _find(self, missing: MissingSets, threads: ThreadPoolExecutor) -> None:
        """Find the totals of the sets that are missing, each once."""
        sets, used = missing.count.tolist()
        pool, starts = missing.codes[:used], missing.starts[: sets + 1]
        keys, first = np.unique(missing.keys[:sets], return_index=True)
        sizes = np.diff(starts)[first]
        # Small sets first: what the search finds of them helps with large ones.
        order = np.argsort(sizes, kind="stable")
        keys, first, sizes = keys[order], first[order], sizes[order]
        places, _ = concatenated_ranges(starts[first], sizes)
        codes, totals = pool[places], np.zeros(len(keys), np.int64)
        if self._table is not None and (large := sizes >= PROBED).any():
            chosen = np.repeat(large, sizes)
            _, found, _ = self._table.look(codes[chosen], np.cumsum([0, *sizes[large]]))
            totals[large] = found
        if (left := totals == 0).any():
            listed = codes[np.repeat(left, sizes)].astype(np.int64)
            totals[left] = self._boards[0].stop.run(lambda: self._searched(listed, sizes[left], threads))
        if self._used + len(keys) > len(self._store.keys) // 2:
            self._begin()
        self._put(keys, totals)

    def _searched(
        self, codes: NDArray[np.int64], sizes: NDArray[np.int64], threads: ThreadPoolExecutor
    ) -> NDArray[np.int64]:
        """Search sets that stand one after the other: every thread takes as many small ones and large ones."""
        totals, starts, several = np.zeros(len(sizes), np.int64), np.cumsum(sizes) - sizes, len(self._boards)

        def search(at: int) -> None:
            places, ends = concatenated_ranges(starts[at::several], sizes[at::several])
            found = self._boards[at].totals(codes[places], ends)
            totals[at::several][: len(found)] = found  # fewer after Ctrl-C

        list(threads.map(search, range(several)))
        return totals

    def _put(self, keys: NDArray[np.uint64], totals: NDArray[np.int64] | list[int]) -> None:
        self._used += store_totals(self._store, keys, np.asarray(totals, np.int64))


def _renamings(rules: Rules, words: NDArray[np.uint64], number: NDArray[np.int32]) -> tuple[Array, ...]:
    """Return the sorted first guesses, and `renamed` to `rows` of a `TotalStore`: without renamings on large boards.

    Any renaming would be right; guesses that are alike have to get the same names for their sets to be shared.
    """
    listed = guesses(rules)
    is_alike = rules.is_symmetric and rules.words is None and not rules.shapes and rules.feedback.about.pegs_alike
    # Of 8 bytes each, and 10 MB besides: 4x6 has 1.7 million.
    if not is_alike or len(number) * len(listed) > 4_000_000:
        same = np.arange(len(listed), dtype=np.int32)[None]
        return same[0, :0], number[None], same, np.zeros(1, np.int32), words[None], np.zeros((1, 1), np.int32)
    planes, symbols = listed.planes.astype(np.int64), rules.symbols_in_guesses
    powers = symbols ** np.arange(rules.pegs - 1, -1, -1)
    ranks = powers @ planes
    orders = np.array(list(permutations(range(rules.pegs))))

    def moved(order: Array, names: Array) -> Array:
        return np.searchsorted(ranks, powers @ names[planes[order]]).astype(np.int32)

    # 1. The first guess: any order of pegs, and no color has a name but the blank.
    free = np.where(np.arange(symbols) < rules.colors, -1, np.arange(symbols))
    sorted_first, first = _sorted_by(planes, [(order, free) for order in orders], powers, rules.colors)
    renamed = np.array([moved(order, names) for order, names in first])
    leads, kinds = np.unique(np.searchsorted(ranks, sorted_first), return_inverse=True)
    # 2. The second: orders that leave the first as it is, with the names that they ask for.
    row_of, rows = {(bytes(orders[0]), bytes(np.arange(symbols))): 0}, np.empty((len(leads), len(listed)), np.int32)
    for kind, lead in enumerate(leads):
        allowed = [(order, names) for order in orders if (names := _fixing(planes[:, lead], order, free)) is not None]
        for at, (order, names) in enumerate(_sorted_by(planes, allowed, powers, rules.colors)[1]):
            rows[kind, at] = row_of.setdefault((bytes(order), bytes(names)), len(row_of))
    maps = [moved(np.frombuffer(order, np.int64), np.frombuffer(names, np.int64)) for order, names in row_of]
    return leads, renamed.take(number, axis=1), renamed, kinds.astype(np.int32), words[np.array(maps)], rows


def _fixing(code: Array, order: Array, free: Array) -> Array | None:
    """Return the names of its colors under which a code stays as it is when its pegs are put into an order, if any."""
    names = free.copy()
    names[code[order]] = code
    is_fixed = np.array_equal(names[code[order]], code) and np.array_equal(names[free >= 0], free[free >= 0])
    return names if is_fixed else None


def _sorted_by(planes: Array, maps: list[tuple[Array, Array]], powers: Array, colors: int) -> tuple[Array, list[Any]]:
    """Return the least number that maps give each code, and those maps: orders of pegs, and the names of all colors.

    Each map comes as an order and names, -1 for a color that gets the next free name when it comes first.
    """
    every, unseen = np.arange(planes.shape[1]), np.repeat(np.arange(colors)[:, None], planes.shape[1], axis=1)
    best, found = np.full(len(every), np.iinfo(np.int64).max), [maps[0]] * len(every)
    for order, given in maps:
        names, free = np.repeat(given[:, None], len(every), axis=1), np.full(len(every), (given[:colors] >= 0).sum())
        for color in (*planes[order], *unseen):
            is_new = names[color, every] < 0
            names[color[is_new], every[is_new]] = free[is_new]
            free += is_new
        numbers = powers @ names[planes[order], every]
        for at in np.flatnonzero(numbers < best).tolist():
            best[at], found[at] = numbers[at], (order, names[:, at].copy())
    return best, found
