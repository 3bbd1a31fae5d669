"""The codemaker that plays its side of a file of mixed strategies: `mixed:FILE`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from entropeg.codemakers.honest import SecretKeeper
from entropeg.feedback import Code
from entropeg.files import refuse_standard
from entropeg.registry import named
from entropeg.rules import Rules


@dataclass(frozen=True)
class MixedMaker(SecretKeeper):
    """Draws the secret by the chances in a file of `entropeg value`: `mixed:FILE`.

    No codebreaker takes fewer guesses against it, in the mean, than the value of the game.
    """

    file: str

    name = named("mixed")
    deterministic = False

    def __post_init__(self) -> None:
        """Read the file now, so that its mistakes are told at once."""
        from entropeg.tree.mixed import mixed_strategies

        refuse_standard(self.file, "the strategies of a player", is_shared=True)
        mixed_strategies(self.file)

    def choose(self, rules: Rules, rng: np.random.Generator) -> Code | None:
        """Draw the secret; raises InputError for rules that the file is not for."""
        from entropeg.tree.mixed import mixed_strategies

        weights = mixed_strategies(self.file, rules).weights
        codes, chances = list(weights), np.array([float(weight) for weight in weights.values()])
        return codes[int(rng.choice(len(codes), p=chances / chances.sum()))]
