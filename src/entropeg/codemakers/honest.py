"""The codemaker that chooses a secret and keeps to it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from entropeg.codes import parse_code, random_secret
from entropeg.errors import InputError
from entropeg.feedback import AnyFeedback, Code, score_trusted
from entropeg.position import Position
from entropeg.registry import name_of, named
from entropeg.rules import Rules


class SecretKeeper:
    """A codemaker that has chosen a secret and answers by it."""

    def answer(self, position: Position, guess: Code, secret: Code | None, rng: np.random.Generator) -> AnyFeedback:
        """Score the guess against the secret."""
        if secret is None:
            raise InputError("the codemaker {name} needs a secret", name_of(self))
        return score_trusted(guess, secret, position.rules)


@dataclass(frozen=True)
class Honest(SecretKeeper):
    """A secret drawn at random, or one given: `honest:ABCD`."""

    secret: str = ""
    """The secret as text in the alphabet of the rules; empty to draw one."""

    name = named("honest")
    deterministic = False

    def choose(self, rules: Rules, rng: np.random.Generator) -> Code | None:
        """Draw the secret, or read the one given; raises InputError where the rules forbid it."""
        return parse_code(self.secret, rules, secret=True) if self.secret else random_secret(rules, rng)
