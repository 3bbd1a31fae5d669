"""Gives the exact loss of a guess: how many guesses more it takes, in the mean, than the best one."""

from __future__ import annotations

from collections import OrderedDict
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

    def __init__(self, rules: Rules, cells: int = 1 << 22) -> None:
        """Take a board, and the number of cells of the store, of 16 bytes each; refuses as `ExactLosses` does."""
        self._single = ExactLosses(rules)
        self.rules = rules = self._single.rules
        every = secrets(rules)
        words = np.random.default_rng(1).integers(1, 1 << 63, size=len(every), dtype=np.uint64)
        self._store = TotalStore(
            words, np.zeros(cells, np.uint64), np.zeros(cells, np.int64), guesses(rules).find(every)
        )
        self._board, self._table = BoardValues(rules), table_of(rules.board)
        labels = rules.label_count + 1
        self._scratch = np.zeros(len(every), np.int32), np.zeros(labels, np.int64), np.zeros(labels, np.int64)
        most = max(1 << 20, 4 * len(every))
        self._missing = MissingSets(
            np.zeros(most, np.int32), np.zeros(most // 3 + 2, np.int64), np.zeros(most // 3 + 2, np.uint64),
            np.zeros(2, np.int64),
        )  # fmt: skip
        self._used = 0
        self._begin()

    def _begin(self) -> None:
        """TotalStore what is known of the start."""
        self._store.keys[:], self._used = 0, 0
        start = Position(self.rules)
        self._put(np.bitwise_xor.reduce(self._store.words)[None], [self._single.total(start, start.candidates, None)])

    def of(self, games: TurnGames, actions: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the losses of the actions that are played next, 0 in games that begin anew: `float64[n]`."""
        losses = np.zeros(len(actions))
        which = np.flatnonzero(~games.is_over)
        while len(which):
            self._missing.count[:] = 0
            done = add_losses(
                games, actions, which, self.rules.win_label, self._store, self._scratch, self._missing, losses
            )
            which = which[: len(which) - done]
            if len(which):
                self._find()
        return losses

    def _find(self) -> None:
        """Find the totals of the sets that are missing, each once."""
        sets, used = self._missing.count.tolist()
        pool, starts = self._missing.codes[:used], self._missing.starts[: sets + 1]
        keys, first = np.unique(self._missing.keys[:sets], return_index=True)
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
            listed, ends = codes[np.repeat(left, sizes)], np.cumsum([0, *sizes[left]])
            totals[left] = self._board.stop.run(lambda: self._board.totals(listed.astype(np.int64), ends))
        if self._used + len(keys) > len(self._store.keys) // 2:
            self._begin()
        self._put(keys, totals)

    def _put(self, keys: NDArray[np.uint64], totals: NDArray[np.int64] | list[int]) -> None:
        self._used += store_totals(self._store, keys, np.asarray(totals, np.int64))
