"""Gives the exact loss of a guess: how many guesses more it takes, in the mean, than the best one."""

from __future__ import annotations

from collections import OrderedDict
from typing import TypeAlias

from entropeg.codes import CodeSet
from entropeg.errors import InputError
from entropeg.feedback import Code
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.book import look_up
from entropeg.search.reach import proof_seconds
from entropeg.search.values import PositionValues, can_value

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
        best, played = self._total(position, codes, None), self._total(position, codes, guess)
        return (played - best) / len(codes)

    def _total(self, position: Position, codes: CodeSet, guess: Code | None) -> int:
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
