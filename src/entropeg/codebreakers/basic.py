"""The codebreakers that need no analysis: pure chance, with memory, and consistent play (Bruyere, sections 3, 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from entropeg.codes import random_guess
from entropeg.errors import InputError
from entropeg.feedback import Code
from entropeg.position import Position


@dataclass(frozen=True)
class Random:
    """Any code at all, each time anew, all equally likely.

    The number of guesses follows a geometric law of mean `rules.guess_count`. Works on boards of any size; under hard
    rules, where it draws from the guesses that use every clue, on those whose codes can be listed.
    """

    name: ClassVar[str] = "random"
    deterministic: ClassVar[bool] = False

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Draw a legal guess."""
        return _any_guess(position, rng)


@dataclass(frozen=True)
class Memory:
    """Any code not played yet; the answers are not used.

    The number of guesses is uniform on 1..N, of mean (N + 1) / 2, for N legal guesses. Works on boards of any
    size: a guess is drawn until a new one comes, which costs two draws or fewer on average until half of all
    codes are played.
    """

    name: ClassVar[str] = "memory"
    deterministic: ClassVar[bool] = False

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Draw a legal guess that has not been played."""
        if len(position.turns) >= position.rules.guess_count:
            raise InputError("every code of {rules} has been played and none was the secret", position.rules)
        played = {turn.guess for turn in position.turns}
        if position.rules.hard and played.issuperset(position.legal_guesses):
            raise InputError("every code of {rules} that uses every clue has been played", position.rules)
        while True:
            guess = _any_guess(position, rng)
            if guess not in played:
                return guess


def _any_guess(position: Position, rng: np.random.Generator) -> Code:
    if not position.rules.hard:
        return random_guess(position.rules, rng)
    legal = position.legal_guesses
    if not len(legal):  # answers that no secret fits may ask for two colors on one peg
        position.check_consistent()
    return legal[int(rng.integers(len(legal)))]


def check_named(position: Position, name: str) -> None:
    """Raise InputError for a player that guesses secrets where these are not named: its questions are others."""
    if not position.rules.is_named:
        raise InputError("{name} guesses secrets, which are not named in {rules}: play entropy", name, position.rules)


@dataclass(frozen=True)
class Consistent:
    """Any code that fits every answer so far, at random.

    All are equally likely; with `prior=yes` as likely as the rules say. A course document measures 5.39 to 5.5 guesses
    on 4x8. Needs a board whose codes can be listed.
    """

    prior: bool = False

    deterministic: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """`consistent`, or `consistent:prior=yes`."""
        return "consistent:prior=yes" if self.prior else "consistent"

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Draw a candidate; raises ContradictionError where there is none."""
        check_named(position, self.name)
        position.check_consistent()
        candidates = position.candidates
        if self.prior:
            return candidates[int(rng.choice(len(candidates), p=candidates.chances))]
        return candidates[int(rng.integers(len(candidates)))]


@dataclass(frozen=True)
class FirstConsistent:
    """The first code, in order, that fits every answer so far.

    On 4x6 it takes 7471 guesses over all secrets. Needs a board whose codes can be listed.
    """

    name: ClassVar[str] = "first-consistent"
    deterministic: ClassVar[bool] = True

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the first candidate; raises ContradictionError where there is none."""
        check_named(position, self.name)
        position.check_consistent()
        return position.candidates[0]
