"""Codemakers that draw a game out as long as it can be: against a known codebreaker, and against perfect play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from entropeg import codebreakers
from entropeg.codemakers.cheat import Cheat, Unsettled
from entropeg.feedback import AnyFeedback, Code, from_label
from entropeg.position import Position
from entropeg.registry import spec_of


@dataclass(frozen=True)
class WorstCase(Unsettled):
    """Makes one codebreaker take most: `worst-case:minimax`.

    The codebreaker is a deterministic one.
    It plays the codebreaker through once, on boards whose codes can be listed, and follows the longest branch; some
    secret always fits. Where the guesses are not that codebreaker's, it answers as `cheat:first`.
    """

    codebreaker: str
    """Name of the codebreaker, with parameters: `codebreaker=minimax:ties=first`."""

    deterministic: ClassVar[bool] = True

    def __post_init__(self) -> None:
        codebreakers.get(self.codebreaker)

    @property
    def name(self) -> str:
        """`worst-case` and the codebreaker."""
        return f"worst-case:codebreaker={self.codebreaker}" if ":" in self.codebreaker else spec_of("worst-case", self)

    def answer(self, position: Position, guess: Code, secret: Code | None, rng: np.random.Generator) -> AnyFeedback:
        """Answer along the longest branch; raises InputError where the codebreaker plays at random."""
        from entropeg.codemakers.adversary import plan_of

        plan = plan_of(self.codebreaker, position.rules.with_limit(None))
        node = plan.node_of(position)
        if node is None or plan.code(node) != guess:
            return Cheat("first").answer(position, guess, secret, rng)
        below = plan.deepest(node)
        return from_label(position.rules.win_label if below is None else int(plan.label[below]), position.rules)


@dataclass(frozen=True)
class PerfectCheat(Unsettled):
    """Makes perfect play take most, on small boards (4x7).

    Its answers are those after which even perfect play needs most guesses, proven at every turn.
    Of equal answers the one that leaves most candidates. No codebreaker does better against it than the least worst
    case of the board.
    """

    deterministic: ClassVar[bool] = True
    name: ClassVar[str] = "perfect-cheat"

    def answer(self, position: Position, guess: Code, secret: Code | None, rng: np.random.Generator) -> AnyFeedback:
        """Answer so that the least worst case stays as large as it can; raises TooLargeError on larger boards."""
        from entropeg.codemakers.adversary import perfect_answer

        position.check_consistent()
        return perfect_answer(position, guess)
