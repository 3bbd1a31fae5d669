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


class TwoSidesEnv(AECEnv[str, Observed, Any]):  # type: ignore[misc]  # PettingZoo has no types
    """Codemaker against codebreaker in turns, as PettingZoo's agent environment cycle: zero-sum in guesses.

    An honest codemaker (`maker`) chooses the secret by its number, and every answer follows. A cheat chooses none and
    answers each guess by its label, which must leave a code. The codebreaker pays 1 for a guess, and the codemaker gets
    it. What an agent may do is in its `action_mask`; anything else is refused. Raises InputError for boards whose codes
    or answers are not numbered.

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
        super().__init__()
        self.contract = Contract.of(rules, "steps", turns, "penalty", 1.0, ())
        taken, self.is_cheat = self.contract.rules, choice("maker", maker, MAKERS) == "cheat"
        actions = max(taken.secret_count, taken.guess_count, taken.label_count if self.is_cheat else 0)
        if actions > MOST_ACTIONS:
            raise InputError(
                "{rules} has more than {most:,} codes or answers, which are not numbered", taken, MOST_ACTIONS
            )
        width, most = self.contract.answer_shape
        last = max(taken.symbols_in_guesses, most + 1)
        self._empty = np.full((self.contract.turns, taken.pegs + width), last, np.uint8 if last < 256 else np.int32)
        seen = spaces.Box(0, last, self._empty.shape, self._empty.dtype.type)
        self._seen = spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (actions,), np.int8)})
        self.render_mode, self.possible_agents = render_mode, [MAKER, BREAKER]
        self._actions = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.position = Position(taken)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of what an agent sees: the rows, and its mask."""
        return self._seen

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of actions: secrets, guesses and labels of answers share their numbers."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game, in which nothing is drawn: the codemaker moves first, unless it is a cheat."""
        self.position = Position(self.contract.rules)
        self.secret: Code | None = None
        self.pending: Code | None = None
        self.agent_selection = BREAKER if self.is_cheat else MAKER
        self.agents = list(self.possible_agents)
        self.rewards, self._cumulative_rewards = dict.fromkeys(self.agents, 0.0), dict.fromkeys(self.agents, 0.0)
        self.terminations, self.truncations = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}

    def _mask(self, agent: str) -> Array:
        """Return which actions an agent may take: `int8[actions]`; of one that waits, action 0 alone."""
        rules, mask = self.contract.rules, np.zeros(self._actions[agent].n, np.int8)
        if agent != self.agent_selection or self.terminations[agent] or self.truncations[agent]:
            mask[0] = 1
        elif agent == BREAKER:
            clues = self.position.clues
            mask[: rules.guess_count] = 1 if clues is None else clues.mask(guesses(rules).planes)
        elif self.pending is None:
            mask[: rules.secret_count] = 1
        else:
            mask[self.position.candidates.parts(self.pending)[0]] = 1
        return mask

    def observe(self, agent: str) -> Observed:
        """Return the rows, of which the last may wait for its answer, and the mask of an agent."""
        rows, pegs = self._empty.copy(), self.contract.rules.pegs
        for row, turn in enumerate(self.position.turns):
            rows[row] = *turn.guess, *turn.feedback
        if self.pending is not None:
            rows[len(self.position.turns), :pegs] = self.pending
        return {"observation": rows, "action_mask": self._mask(agent)}

    def step(self, action: Any) -> None:
        """Let the selected agent act; InputError beside its mask."""
        agent, rules = self.agent_selection, self.contract.rules
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if int(action) not in range(self._actions[agent].n) or not self._mask(agent)[int(action)]:
            raise InputError("{agent} may not take action {action!r}: its mask says which it may", agent, action)
        self._cumulative_rewards[agent], paid = 0.0, float(agent == BREAKER)
        if agent == BREAKER:
            self.pending = guesses(rules)[int(action)]
            if self.is_cheat:
                self.agent_selection = MAKER
            elif self.secret is not None:
                self._answered(self.pending, score_trusted(self.pending, self.secret, rules))
        else:
            self.agent_selection = BREAKER
            if self.pending is None:
                self.secret = secrets(rules)[int(action)]
            else:
                self._answered(self.pending, from_label(int(action), rules))
        self.rewards = {MAKER: paid, BREAKER: -paid}
        self._accumulate_rewards()

    def _answered(self, guess: Code, answer: AnyFeedback) -> None:
        self.position, self.pending = self.position.after_trusted(guess, answer), None
        is_over, is_last = self.position.is_over, len(self.position.turns) >= self.contract.turns
        self.terminations = dict.fromkeys(self.agents, is_over)
        self.truncations = dict.fromkeys(self.agents, is_last and not is_over)

    def render(self) -> str | None:
        """Show the turns as text."""
        return str(self.position).replace(", ", "\n") if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""


class TwoSidesParallelEnv(turn_based_aec_to_parallel_wrapper):  # type: ignore[misc]
    """The same game in steps that both take: of the agent that waits, by its mask, action 0 is taken and unheard."""

    def __init__(self, rules: Rules | str = "4x6", **agreed: Any) -> None:
        super().__init__(TwoSidesEnv(rules, **agreed))
