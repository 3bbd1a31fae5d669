"""States what an environment and its agent agree on: rules, rewards, observations, and what bad guesses cost."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from math import log2
from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from entropeg import arguments
from entropeg.codes import CodeSet, check_code, check_listable, guesses, random_secret, secrets
from entropeg.codes import weights as prior_weights
from entropeg.errors import InputError
from entropeg.experiments.turns import answer_shape, row_type
from entropeg.feedback import Code
from entropeg.registry import choice
from entropeg.rules import Rules

REWARDS = ("steps", "win", "bits", "potential", "loss")
INVALID = ("penalty", "counted", "ended")
OBSERVED = ("action_mask", "marginals", "codes_left")

MOST_ACTIONS = 100_000
"""Codes that are numbered as actions; on larger boards an action is a color for each peg."""
TURNS = 12
"""Guesses to which a game is cut off where the rules have no limit."""

Array: TypeAlias = NDArray[Any]


@dataclass(frozen=True)
class Contract:
    """All that a single environment and one of many games share: `MastermindEnv` explains the fields.

    >>> contract = Contract(Rules.parse("4x6/limit=10"), "steps")
    >>> contract.turns, contract.action_space
    (10, Discrete(1296))
    """

    rules: Rules
    reward: str
    most_turns: int | None = None
    invalid: str = "penalty"
    penalty: float = 1.0
    observe: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, rules: Rules | str, reward: str, turns: int | None, invalid: str, penalty: float, observe: Collection[str]
    ) -> Contract:
        """Check what is agreed on; InputError says what cannot be, and TooLargeError what nobody can list."""
        taken, most = Rules.of(rules), arguments.some(turns, "the number of turns", least=1)
        choice("reward", reward, REWARDS)
        choice("invalid", invalid, INVALID)
        named = (observe,) if isinstance(observe, str) else tuple(observe)
        for name in named:
            choice("observe", name, OBSERVED)
        if most is not None and taken.guess_limit is not None:
            raise InputError("{rules} has a limit of guesses already: leave the turns out", taken)
        if not 0 <= penalty < np.inf:
            raise InputError("the penalty is {penalty!r}; it must be a number from 0", penalty)
        contract = cls(taken, reward, most, invalid, float(penalty), named)
        if named or reward in {"bits", "potential"}:
            check_listable(taken)
        if "action_mask" in named and not contract.is_numbered:
            raise InputError(
                "{rules} has more than {most:,} guesses, which are not numbered: there is no mask of them",
                taken, MOST_ACTIONS,
            )  # fmt: skip
        return contract

    @property
    def turns(self) -> int:
        """The guesses after which a game is lost, or cut off where the rules have no limit."""
        return self.rules.guess_limit or self.most_turns or TURNS

    @property
    def is_numbered(self) -> bool:
        """Whether an action is the number of a guess, in the order of `guesses`."""
        return self.rules.guess_count <= MOST_ACTIONS

    @cached_property
    def action_space(self) -> spaces.Space[Any]:
        """Numbers of guesses, or a color for each peg."""
        rules = self.rules
        if self.is_numbered:
            return spaces.Discrete(rules.guess_count)
        return spaces.MultiDiscrete(np.full(rules.pegs, rules.symbols_in_guesses))

    @cached_property
    def answer_shape(self) -> tuple[int, int]:
        """(numbers of an answer, the greatest of them)."""
        return answer_shape(self.rules)

    @cached_property
    def observation_space(self) -> spaces.Dict:
        """Rows of guesses and answers, the number of turns, and what else is observed.

        What was not played yet is filled with the number one past the last color, and past the greatest of an answer.
        """
        rules, (width, most) = self.rules, self.answer_shape
        rows: dict[str, spaces.Space[Any]] = {
            "guesses": _rows((self.turns, rules.pegs), rules.symbols_in_guesses),
            "feedback": _rows((self.turns, width), most + 1),
            "turn": spaces.Discrete(self.turns + 1),
        }
        if "action_mask" in self.observe:
            rows["action_mask"] = spaces.MultiBinary(rules.guess_count)
        if "marginals" in self.observe:
            rows["marginals"] = spaces.Box(0.0, 1.0, (rules.pegs, rules.symbols_in_secrets), np.float32)
        if "codes_left" in self.observe:
            rows["codes_left"] = spaces.Discrete(rules.secret_count + 1)
        return spaces.Dict(rows)

    @cached_property
    def answers_bits(self) -> float:
        """Bits that an answer brings at most: the unit of the potential."""
        return max(log2(max(self.rules.feedback.about.count(self.rules), 2)), 1.0)

    @cached_property
    def guess_of_secret(self) -> NDArray[np.int64]:
        """The number, as an action, of each secret."""
        return guesses(self.rules).find(secrets(self.rules))

    def code_of(self, action: Any) -> Code:
        """Return the guess of an action of the space; InputError where the rules forbid it."""
        return guesses(self.rules)[int(action)] if self.is_numbered else check_code(action, self.rules)

    def draw(self, rng: np.random.Generator) -> Code:
        """Draw a secret by the rules: by its number, where the secrets are as few as numbered actions."""
        rules = self.rules
        if rules.prior is not None:
            weights = prior_weights(rules)
            return secrets(rules)[int(rng.choice(len(weights), p=weights / weights.sum()))]
        if rules.secret_count <= MOST_ACTIONS:
            return secrets(rules)[int(rng.integers(rules.secret_count))]
        return random_secret(rules, rng)

    def marginals(self, codes: CodeSet) -> NDArray[np.float32]:
        """Return how likely each color is at each peg: `float32[pegs, colors]`."""
        symbols, chances = self.rules.symbols_in_secrets, codes.chances
        return np.array([np.bincount(plane, chances, symbols) for plane in codes.planes], np.float32).clip(0.0, 1.0)


def _rows(shape: tuple[int, int], last: int) -> spaces.MultiDiscrete[Any]:
    """Rows of numbers to `last`, which fills rows that were not played."""
    return spaces.MultiDiscrete(np.full(shape, last + 1), dtype=row_type(last))
