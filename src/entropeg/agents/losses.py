"""Gives the exact loss of a guess: how many guesses more it takes, in the mean, than the best one."""

from __future__ import annotations

from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import CodeSet, guesses, secrets
from entropeg.errors import InputError
from entropeg.feedback import Code
from entropeg.kernels.turns import MissingSets, TotalStore, TurnGames, add_losses, store_totals
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.book import look_up
from entropeg.search.reach import proof_seconds
from entropeg.search.values import PROBED, BoardValues, PositionValues, can_value, concatenated_ranges
from entropeg.table.stored import table_of

PROVEN_SECONDS = 20.0
"""Seconds of a proof that is waited for where nothing is stored: 4x8 takes 6, 4x9 fifty."""
KEPT = 100_000
MOST_RENAMED = 4_000_000
"""Words of all codes by all first guesses: 4x6 has 1.7 million, of 8 bytes."""

Key: TypeAlias = "tuple[bytes, Code | None]"


class ExactLosses:
    """The losses of guesses on one board, from the book, tables and the exact search: exact, or refused."""

    def __init__(self, rules: Rules) -> None:
        """Take a board; InputError where its values are neither stored nor found in moments, or need clues."""
        self.rules = rules.with_limit(None)
        entry = look_up(Position(self.rules))
        is_stored = entry is not None and entry.is_exact
        is_known = rules.is_named and not rules.hard and can_value(self.rules, rules.secret_count)
        if not is_known or not (is_stored or proof_seconds(self.rules) <= PROVEN_SECONDS):
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
        words = np.random.default_rng(1).integers(1, 1 << 63, size=len(every), dtype=np.uint64)
        self._store = TotalStore(
            _words_by_opening(rules, words), np.zeros(cells, np.uint64), np.zeros(cells, np.int64), number,
            np.arange(len(every), dtype=np.int32), np.full(rules.guess_count, -1.0),
        )  # fmt: skip
        self._boards, self._table = [BoardValues(rules) for _ in range(threads)], table_of(rules.board)
        labels, most = rules.label_count + 1, max(1 << 20, 4 * len(every))
        self._rooms = [
            (
                (np.zeros(len(every), np.int32), np.zeros(labels, np.int64), np.zeros(labels, np.int64)),
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
        self._put(np.bitwise_xor.reduce(self._store.words[:1], axis=1), [total])

    def of(self, games: TurnGames, actions: NDArray[np.int64], pool: ThreadPoolExecutor) -> NDArray[np.float64]:
        """Return the losses of the actions that are played next, 0 in games that begin anew: `float64[n]`."""
        losses, left = np.zeros(len(actions)), np.flatnonzero(~games.is_over)
        while len(left):
            shares, calls = np.array_split(left, len(self._rooms)), list[Future[int]]()
            for share, (scratch, missing) in zip(shares, self._rooms, strict=True):
                missing.count[:] = 0
                given = games, actions, share, self.rules.win_label, self._store, scratch, missing, losses
                calls.append(pool.submit(add_losses, *given))
            left = np.concatenate(
                [share[: len(share) - call.result()] for share, call in zip(shares, calls, strict=True)]
            )
            for _, missing in self._rooms:
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


def _words_by_opening(rules: Rules, words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The words of the codes that a renaming makes of all codes: for each guess that which sorts it, if there is any.

    The colors that a guess has most come first, and its pegs in their order. Any renaming would be right; guesses that
    are alike have to get the same names for their sets to be shared.
    """
    every, listed = secrets(rules), guesses(rules)
    is_alike = rules.is_symmetric and rules.words is None and not rules.shapes and rules.feedback.about.pegs_alike
    if not is_alike or len(every) * len(listed) > MOST_RENAMED:
        return words[None]
    renamed, symbols = np.empty((len(listed), len(every)), np.uint64), rules.symbols_in_guesses
    planes = every.planes.astype(np.int64)
    powers = symbols ** np.arange(rules.pegs - 1, -1, -1)
    numbers = powers @ planes
    for at, guess in enumerate(listed):
        order = sorted(range(rules.pegs), key=lambda peg: (guess[peg] == rules.colors, -guess.count(guess[peg]),
                                                           guess.index(guess[peg])))  # fmt: skip
        used = [color for color in dict.fromkeys(guess[peg] for peg in order) if color < rules.colors]
        names = np.arange(symbols)
        names[used + [color for color in range(rules.colors) if color not in used]] = np.arange(rules.colors)
        renamed[at] = words[np.searchsorted(numbers, powers @ names[planes[order]])]
    return renamed
