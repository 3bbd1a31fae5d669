"""The codebreaker that asks the same questions whatever the answers, and then names the secret: `static:K`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from entropeg.errors import InputError
from entropeg.feedback import Code
from entropeg.position import Position
from entropeg.registry import named


@dataclass(frozen=True)
class Static:
    """Asks the same K questions, then codes that fit: `static:K`.

    Without K they are as many as tell all secrets apart, the fewest that are found in a moment; `entropeg static` says
    whether fewer would do. Where one code is left before, it is played. Needs a board whose labels fit into memory.
    """

    questions: int = 0
    """How many; 0 for as many as tell all secrets apart."""

    name = named("static")
    deterministic: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Raise InputError for a number that makes no sense."""
        if not 0 <= self.questions <= 1000:
            raise InputError("static asks 0 to 1,000 questions, not {number:,}", self.questions)

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the next question, or the first code that fits."""
        from entropeg.search.static import good_questions

        del rng
        asked = good_questions(position.rules.with_limit(None), self.questions)
        candidates = position.candidates
        position.check_consistent()
        if len(position.turns) < len(asked) and len(candidates) > 1:
            return asked[len(position.turns)]
        return candidates[0]
