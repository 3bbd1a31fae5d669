"""The environment of many games at once, played by compiled loops: the same games as single environments play."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from entropeg import arguments
from entropeg.agents.contract import Array, Contract
from entropeg.agents.losses import ManyLosses
from entropeg.agents.single import MastermindEnv
from entropeg.codes import secrets
from entropeg.errors import InputError
from entropeg.experiments.streams import draw_below
from entropeg.experiments.turns import AHEAD, begun
from entropeg.kernels.turns import STEPS, WIN, begin_games, play_turns
from entropeg.processors import usable_processors
from entropeg.rules import Rules

MOST_CELLS = 300_000_000
"""Labels of a board that are kept in a table: 5x7 has 282 million."""


class MastermindVectorEnv(gymnasium.vector.VectorEnv[dict[str, Any], Any, Array]):
    """A number of games at once, on boards whose labels make a table: `gymnasium.make_vec` makes it.

    Game i plays what a single environment plays that was reset with the seed of `reset` plus i. Arguments are those of
    `MastermindEnv` but for `invalid` and `penalty`, since every number is a legal guess, and `autoreset_mode`:
    `NextStep`, `SameStep` or `Disabled`, as Gymnasium names them (disabled: `reset(options={"reset_mask": ...})` begins
    games anew). Without `copy` observations are the arrays in which the games are kept: faster, and overwritten by the
    next step. Raises InputError for boards that are too large, priors
    and hard rules, which `vectorization_mode="sync"` plays.
    """

    def __init__(  # noqa: PLR0913 - what is agreed on
        self,
        num_envs: int = 1,
        rules: Rules | str = "4x6",
        reward: str = "steps",
        *,
        turns: int | None = None,
        observe: Collection[str] = (),
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        threads: int | None = None,
    ) -> None:
        contract = Contract.of(rules, reward, turns, "penalty", 1.0, observe)
        rules = contract.rules
        if rules.secret_count * rules.guess_count > MOST_CELLS or rules.hard or rules.prior or not rules.is_named:
            raise InputError(
                "{rules} is not played many games at once: boards to {most:,} pairs of guess and secret are, without "
                'priors and hard rules; vectorization_mode="sync" plays the others',
                rules, MOST_CELLS,
            )  # fmt: skip
        self.num_envs = arguments.whole(num_envs, "the number of environments", least=1)
        self.contract, self.is_copied = contract, copy
        self.mode = AutoresetMode(autoreset_mode)
        self.metadata = MastermindEnv.metadata | {"autoreset_mode": self.mode}
        self.single_action_space, self.single_observation_space = contract.action_space, contract.observation_space
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        # Fewer games than 2,048 are played in less time than a thread takes to begin.
        self._threads = min(usable_processors() if threads is None else threads, -(-num_envs // 2_048))
        self._pool = ThreadPoolExecutor(max(self._threads, 1))
        has_mask = bool({"action_mask", "marginals"} & set(contract.observe))
        is_listed = bool(contract.observe) or reward in {"bits", "potential", "loss"}
        self._games = begun(rules, contract.turns, self.num_envs, codes=is_listed, mask=has_mask)
        self._rngs = np.zeros((self.num_envs, 6), np.uint64)
        self._rule = (
            rules.win_label, WIN if reward == "win" else STEPS, rules.guess_limit is not None,
            rules.symbols_in_guesses, contract.answer_shape[1] + 1,
        )  # fmt: skip
        self._onehot = _onehot(contract)
        self._losses = ManyLosses(rules, max(self._threads, 1)) if reward == "loss" else None
        self._has_begun = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin all games, or those of the option `reset_mask` (`bool[n]`): by seeds, or as the generators go on."""
        mask = (options or {}).get("reset_mask", np.ones(self.num_envs, np.bool_))
        if not isinstance(mask, np.ndarray) or mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise InputError("reset_mask is {mask!r}; it must be an array of {games} truth values", mask, self.num_envs)
        if seed is None:
            seeds: list[int | None] = [None] * self.num_envs
        elif isinstance(seed, Sequence):
            seeds = list(seed)
        else:
            seeds = [arguments.seed(int(seed)) + at for at in range(self.num_envs)]
        if len(seeds) != self.num_envs:
            raise InputError("there are {seeds} seeds for {games} games", len(seeds), self.num_envs)
        which, is_new = np.flatnonzero(mask), (self._rngs == 0).all(axis=1)
        for at in which.tolist() if seed is not None else np.flatnonzero(mask & is_new).tolist():
            if seeds[at] is not None or is_new[at]:
                self._rngs[at] = _generator(seeds[at])
                self._games.filled[at] = self._games.taken[at]  # those that were drawn are of another generator
        self._begin(which)
        self._has_begun = True
        return self._observed(), {}

    def step(self, actions: Any) -> tuple[dict[str, Any], Array, Array, Array, dict[str, Any]]:
        """Play an action in each game; InputError for what is none, and where a game that is over was not reset."""
        played, games = np.asarray(actions), self._games
        if played.shape != (self.num_envs,) or played.dtype.kind not in "iu":
            raise InputError("the actions are {actions!r}; they must be {games} whole numbers", actions, self.num_envs)
        if played.min() < 0 or played.max() >= self.contract.rules.guess_count:
            raise InputError("one of the actions is none: they are 0 to {last}", self.contract.rules.guess_count - 1)
        if not self._has_begun or (self.mode == AutoresetMode.DISABLED and games.is_over.any()):
            raise InputError("a game is over: reset it before the next guess")
        self._draw()
        rewards, ends = np.empty(self.num_envs), np.empty((2, self.num_envs), np.bool_)
        before = np.empty(self.num_envs, np.int64)
        chosen = played.astype(np.int64, copy=False)
        losses = None if self._losses is None else self._losses.of(games, chosen, self._pool)
        self._spread(chosen, rewards, ends, before)
        if losses is not None:
            rewards = -losses
        if self.contract.reward in {"bits", "potential"}:
            self._of_bits(rewards, ends[0], before)
        infos = {}
        if self.mode == AutoresetMode.SAME_STEP and games.is_over.any():
            infos = self._final(np.flatnonzero(games.is_over))
        return self._observed(), rewards, ends[0], ends[1], infos

    def close_extras(self, **_: Any) -> None:
        """Let go of the threads."""
        self._pool.shutdown()

    def _spread(self, *given: Array) -> None:
        """Play the turn in threads that share the games."""
        actions, *written = given
        bounds = np.linspace(0, self.num_envs, max(self._threads, 1) + 1).astype(int).tolist()
        calls = [(self._games, actions, lo, hi, self._rule, *written) for lo, hi in pairwise(bounds)]
        others = [self._pool.submit(play_turns, *call) for call in calls[1:]]
        play_turns(*calls[0])
        for other in others:
            other.result()

    def _begin(self, which: NDArray[np.int64]) -> None:
        self._draw()
        begin_games(self._games, which, *self._rule[3:])

    def _draw(self) -> None:
        """Where a game has no secret left, draw half a ring of them for all that have no more than the other half."""
        games = self._games
        left = games.filled - games.taken
        if left.all():
            return
        which = np.flatnonzero(left <= AHEAD // 2)
        rngs = self._rngs[which]
        for _ in range(AHEAD // 2):
            games.drawn[which, games.filled[which] % AHEAD] = draw_below(rngs, self.contract.rules.secret_count)
            games.filled[which] += 1
        self._rngs[which] = rngs

    def _of_bits(self, rewards: Array, is_ended: Array, before: Array) -> None:
        is_shaped, left = self.contract.reward == "potential", self._games.size.copy()
        if is_shaped:
            left[is_ended] = 1
        began = self._games.turn == 0  # no guess was played
        bits = np.log2(before / np.maximum(left, 1))
        rewards[:] = np.where(began, 0.0, bits / self.contract.answers_bits - 1.0 if is_shaped else bits)

    def _final(self, which: NDArray[np.int64]) -> dict[str, Any]:
        """Begin games anew that have just ended, and return what was observed of them, as Gymnasium names it."""
        seen, games = self._observed(which), np.empty(self.num_envs, object)
        for at, game in enumerate(which.tolist()):
            games[game] = {name: values[at] for name, values in seen.items()}
        is_final = np.zeros(self.num_envs, np.bool_)
        is_final[which] = True
        self._begin(which)
        return {"final_obs": games, "_final_obs": is_final}

    def _observed(self, which: NDArray[np.int64] | slice = slice(None)) -> dict[str, Any]:
        games, observe, rules = self._games, self.contract.observe, self.contract.rules
        turns = self.contract.turns
        rows = {"guesses": games.guesses[which], "feedback": games.feedback[which]}
        seen = {name: each.reshape(len(each), turns, -1) for name, each in rows.items()}
        seen["turn"] = games.turn[which]
        if "action_mask" in observe:
            mask = games.mask[which]
            if rules.guess_count != rules.secret_count:
                listed, mask = mask, np.zeros((len(mask), rules.guess_count), np.int8)
                mask[:, self.contract.guess_of_secret] = listed
            seen["action_mask"] = mask
        if "marginals" in observe:
            mask = games.mask[which]
            likely = mask.astype(np.float32) @ self._onehot / mask.sum(axis=1, dtype=np.float32)[:, None]
            seen["marginals"] = likely.reshape(-1, rules.pegs, rules.symbols_in_secrets)
        if "codes_left" in observe:
            seen["codes_left"] = games.size[which]
        return {name: values.copy() for name, values in seen.items()} if self.is_copied else seen


def _generator(seed: int | None) -> list[int]:
    """The state of the generator that Gymnasium makes of a seed, as kernels take it."""
    state = np.random.PCG64(np.random.SeedSequence(seed)).state["state"]
    low = (1 << 64) - 1
    return [part for word in (state["state"], state["inc"]) for part in (word >> 64, word & low)] + [0, 0]


def _onehot(contract: Contract) -> NDArray[np.float32]:
    """Which color each secret has at each peg: `float32[secrets, pegs * colors]`; empty where nobody asks."""
    if "marginals" not in contract.observe:
        return np.zeros((0, 0), np.float32)
    planes, symbols = secrets(contract.rules).planes, np.arange(contract.rules.symbols_in_secrets)
    onehot: NDArray[np.bool_] = planes.T[:, :, None] == symbols
    return onehot.reshape(planes.shape[1], -1).astype(np.float32)
