"""The codebreaker that asks the same questions whatever the answers, and then names the secret: `static:K`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from entropeg.codes import secrets
from entropeg.errors import InputError
from entropeg.feedback import Code
from entropeg.position import Position
from entropeg.registry import named
from entropeg.rules import Rules
from entropeg.told import plural


@dataclass(frozen=True)
class Static:
    """Asks the same K questions, then codes that fit: `static:K`.

    Without K they are as many as tell all secrets apart, the fewest that are found in a moment; `entropeg static` says
    whether fewer would do. Where one code is left before, it is played. Needs a board whose labels fit into memory.
    Where secrets are not named the questions have to tell all apart.
    """

    questions: int = 0
    """How many; 0 for as many as tell all secrets apart."""

    name = named("static")
    deterministic: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 0 <= self.questions <= 1000:
            raise InputError("static asks 0 to 1,000 questions, not {number:,}", self.questions)

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the next question, or the first code that fits.

        Raises InputError where secrets are not named and the questions leave several.
        """
        from entropeg.search.static import good_questions

        del rng
        asked = good_questions(position.rules.with_limit(None), self.questions)
        if not (position.turns or position.rules.is_named):
            _check_apart(position.rules, asked)
        candidates = position.candidates
        position.check_consistent()
        if len(position.turns) < len(asked) and len(candidates) > 1:
            return asked[len(position.turns)]
        return candidates[0]


def _check_apart(rules: Rules, asked: Sequence[Code]) -> None:
    apart = np.unique(rules.table.block(np.array(asked), secrets(rules).planes), axis=1).shape[1]
    if apart < rules.secret_count:
        raise InputError(
            "{questions} tell only {apart:,} of {secrets:,} secrets apart, which are not named in {rules}: play "
            "static, which asks as many as are needed",
            *(plural(len(asked), "{n} question", "{n} questions"), apart, rules.secret_count, rules),
        )
