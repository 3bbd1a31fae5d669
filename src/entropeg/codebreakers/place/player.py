"""Plays marks by place: exactly the colors that each peg may have, and guesses whose marks tell most."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from entropeg.codebreakers.memo import Memo, followed
from entropeg.codebreakers.place.asking import GuessBounds, ask_most, split_listed
from entropeg.codebreakers.place.knowledge import Placed
from entropeg.codebreakers.place.open_pegs import OpenPegs
from entropeg.codes import Array
from entropeg.errors import InputError
from entropeg.feedback import Code, Method, check_known
from entropeg.kernels.switch import check_compiler
from entropeg.position import Position
from entropeg.registry import named
from entropeg.rules import Rules

MOST_PEGS = 100
"""Beyond, and on as many pairs of a peg and a color, chances gain no guess, and take ten times as long on 100x100."""


@dataclass(frozen=True)
class ByPlace:
    """Marks by place, under hard rules too, on large boards.

    The answers say exactly which colors each peg may have, and bounds on how often each color occurs; chances follow by
    `passes` messages a turn. The guess is the one whose marks tell most by them, of `starts` codes that fit, each
    changed peg by peg in at most `sweeps` rounds. Once there are no more than `listed` codes they are listed, and the
    guess is the one that splits them best, of 150 of them, the best improved by `tries` changes. Beyond 100 pegs, or
    ten thousand pairs of a peg and a color, no chances are kept: each peg is asked about a color that it may have.
    """

    passes: int = 24
    starts: int = 2
    sweeps: int = 4
    listed: int = 3000
    tries: int = 400

    name = named("place")
    deterministic: ClassVar[bool] = False

    # Two games are remembered.
    _memo: Memo[Placed] = field(default_factory=lambda: Memo(2), init=False, repr=False, compare=False)
    _plain: Memo[OpenPegs] = field(default_factory=lambda: Memo(2), init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, least in (("passes", 1), ("starts", 1), ("sweeps", 0), ("listed", 2), ("tries", 0)):
            if getattr(self, name) < least:
                raise InputError("{name} is {given!r}; it must be at least {least:,}", name, getattr(self, name), least)

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the guess.

        Raises InputError under rules that it does not play, ContradictionError where no secret fits all turns, naming
        them to 100 pegs.
        """
        rules = position.rules
        check_rules(rules)
        if rules.pegs > MOST_PEGS or rules.pegs * rules.symbols_in_secrets > MOST_PEGS**2:
            return tuple(followed(self._plain, position, OpenPegs).guess(rng).tolist())
        check_compiler(rules.secret_count)
        known = followed(self._memo, position, lambda rules: Placed(rules, self.passes))
        guess = self._choose(known, GuessBounds.of(rules, position.clues), rng) if known.fits else None
        if guess is None:
            position.check_consistent()
            raise AssertionError("a position without a code that fits is contradictory")
        return tuple(guess.tolist())

    def _choose(self, known: Placed, limits: GuessBounds, rng: np.random.Generator) -> Array | None:
        codes: Array | None = known.listed(self.listed, 200_000)
        if codes is not None:
            return split_listed(codes, limits, self.tries, rng) if len(codes) else None
        guess = ask_most(known, limits, self.starts, self.sweeps, rng)
        if guess is None or tuple(guess.tolist()) not in {turn.guess for turn in known.turns}:
            return guess
        # A code that fits has not been played, and tells something.
        return known.domains.fitting(rng.random(known.chances.shape))

    def __reduce__(self) -> tuple[type[ByPlace], tuple[int, ...]]:
        """Pickle the parameters only: all else follows from the turns."""
        return ByPlace, (self.passes, self.starts, self.sweeps, self.listed, self.tries)


def check_rules(rules: Rules) -> None:
    """Raise InputError, saying why, where the strategy does not apply."""
    if not rules.is_symmetric:
        raise InputError("place plays codes of any colors, no words and no shapes: {rules} is no board for it", rules)
    check_known(rules, Method.place)
