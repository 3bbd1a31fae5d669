"""Both sides of a game for agents: a codemaker against a codebreaker, in turns or in steps that both take."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper

from entropeg.agents.contract import MOST_ACTIONS, Array, Contract
from entropeg.codes import guesses, secrets
from entropeg.errors import InputError
from entropeg.feedback import AnyFeedback, Code, from_label, score_trusted
from entropeg.position import Position
from entropeg.registry import choice
from entropeg.rules import Rules

MAKER, BREAKER = "codemaker_0", "codebreaker_0"
MAKERS = ("honest", "cheat")

Observed: TypeAlias = dict[str, Any]


class Duel:
    """A game between two agents, as both environments keep it; its fields are not to be changed.

    An honest codemaker chooses the secret by its number, and every answer follows. A cheat chooses none and answers
    each guess by its label, which must leave a code. The codebreaker pays 1 for a guess, and the codemaker gets it.
    """

    def __init__(self, rules: Rules | str, maker: str, turns: int | None) -> None:
        """Agree on a game; InputError for boards whose codes or answers are not numbered."""
        self.contract = Contract.of(rules, "steps", turns, "penalty", 1.0, ())
        taken, self.is_cheat = self.contract.rules, choice("maker", maker, MAKERS) == "cheat"
        self.actions = max(taken.secret_count, taken.guess_count, taken.label_count if self.is_cheat else 0)
        if self.actions > MOST_ACTIONS:
            raise InputError(
                "{rules} has more than {most:,} codes or answers, which are not numbered", taken, MOST_ACTIONS
            )
        width, most = self.contract.answer_shape
        last = max(taken.symbols_in_guesses, most + 1)
        self._empty = np.full((self.contract.turns, taken.pegs + width), last, np.uint8 if last < 256 else np.int32)
        self.space = spaces.Dict(
            {
                "observation": spaces.Box(0, last, self._empty.shape, self._empty.dtype.type),
                "action_mask": spaces.Box(0, 1, (self.actions,), np.int8),
            }
        )
        self.begin()

    def begin(self) -> None:
        """Begin a game: the codemaker moves first, unless it is a cheat."""
        self.position = Position(self.contract.rules)
        self.secret: Code | None = None
        self.pending: Code | None = None
        self.mover = BREAKER if self.is_cheat else MAKER

    @property
    def ends(self) -> tuple[bool, bool]:
        """(whether the game is won or lost, whether it is cut off)."""
        is_last = len(self.position.turns) >= self.contract.turns
        return self.position.is_over, is_last and not self.position.is_over

    def mask(self, agent: str) -> Array:
        """Return which actions an agent may take: `int8[actions]`; of one that waits, action 0 alone."""
        mask = np.zeros(self.actions, np.int8)
        if agent != self.mover or any(self.ends):
            mask[0] = 1
        elif agent == BREAKER:
            mask[: self.contract.rules.guess_count] = 1
            if self.position.clues is not None:
                mask[: self.contract.rules.guess_count] = self.position.clues.mask(guesses(self.contract.rules).planes)
        elif self.pending is None:
            mask[: self.contract.rules.secret_count] = 1
        else:
            mask[self.position.candidates.parts(self.pending)[0]] = 1
        return mask

    def observed(self, agent: str) -> Observed:
        """Return the rows, of which the last may wait for its answer, and the mask of an agent."""
        rows, pegs = self._empty.copy(), self.contract.rules.pegs
        for row, turn in enumerate(self.position.turns):
            rows[row] = *turn.guess, *turn.feedback
        if self.pending is not None:
            rows[len(self.position.turns), :pegs] = self.pending
        return {"observation": rows, "action_mask": self.mask(agent)}

    def act(self, action: Any) -> float:
        """Let the agent whose turn it is act, and return what the codebreaker pays; InputError beside its mask."""
        rules = self.contract.rules
        if not 0 <= int(action) < self.actions or not self.mask(self.mover)[int(action)]:
            raise InputError("{agent} may not take action {action!r}: its mask says which it may", self.mover, action)
        if self.mover == BREAKER:
            self.pending = guesses(rules)[int(action)]
            if self.is_cheat:
                self.mover = MAKER
            elif self.secret is not None:
                self._answered(score_trusted(self.pending, self.secret, rules))
            return 1.0
        if self.pending is None:
            self.secret = secrets(rules)[int(action)]
        else:
            self._answered(from_label(int(action), rules))
        self.mover = BREAKER
        return 0.0

    def _answered(self, answer: AnyFeedback) -> None:
        assert self.pending is not None
        self.position, self.pending = self.position.after_trusted(self.pending, answer), None


class TwoSidesEnv(AECEnv[str, Observed, Any]):  # type: ignore[misc]  # PettingZoo has no types
    """Codemaker against codebreaker in turns, as PettingZoo's agent environment cycle: zero-sum in guesses.

    `maker` is `honest` or `cheat`; see `Duel`. What an agent may do is in its `action_mask`; anything else is refused.

    >>> env = TwoSidesEnv("4x6")
    >>> env.reset()
    >>> env.step(6 * 36 + 2 * 6)  # the secret BACA
    >>> env.step(7)               # the guess AABB
    >>> env.last()[0]["observation"][0].tolist(), env.rewards["codemaker_0"]
    ([0, 0, 1, 1, 1, 2], 1.0)
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as PettingZoo types it
        "name": "mastermind_v0", "render_modes": ["ansi"], "is_parallelizable": False,
    }  # fmt: skip

    def __init__(
        self, rules: Rules | str = "4x6", *, maker: str = "honest", turns: int | None = None,
        render_mode: str | None = None,
    ) -> None:  # fmt: skip
        """Agree on a game."""
        super().__init__()
        self.duel = Duel(rules, maker, turns)
        self.render_mode = render_mode
        self.possible_agents = [MAKER, BREAKER]
        self._actions = {agent: spaces.Discrete(self.duel.actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of what an agent sees: the rows, and its mask."""
        return self.duel.space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of actions: secrets, guesses and labels of answers share their numbers."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; nothing in it is drawn."""
        self.duel.begin()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations, self.truncations = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.duel.mover

    def observe(self, agent: str) -> Observed:
        """Return what an agent sees."""
        return self.duel.observed(agent)

    def step(self, action: Any) -> None:
        """Let the selected agent act."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        paid = self.duel.act(action)
        self.rewards = {MAKER: paid, BREAKER: -paid}
        terminated, truncated = self.duel.ends
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self._accumulate_rewards()
        self.agent_selection = self.duel.mover

    def render(self) -> str | None:
        """Show the turns as text."""
        return str(self.duel.position).replace(", ", "\n") if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""


class TwoSidesParallelEnv(turn_based_aec_to_parallel_wrapper):  # type: ignore[misc]
    """The same game in steps that both take: of the agent that waits, by its mask, action 0 is taken and unheard."""

    def __init__(self, rules: Rules | str = "4x6", **agreed: Any) -> None:
        """Agree on a game, as `TwoSidesEnv` does."""
        super().__init__(TwoSidesEnv(rules, **agreed))
