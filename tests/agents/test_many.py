"""Many games at once are the games that single environments play, turn by turn."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv

from entropeg import InputError, optimal
from entropeg.agents import ID
from entropeg.agents.losses import ManyLosses
from entropeg.agents.many import MastermindVectorEnv
from entropeg.agents.single import MastermindEnv
from entropeg.codes import CodeSet, guesses, secrets
from entropeg.experiments.turns import AHEAD
from entropeg.search import values_many

EVERYTHING = ("action_mask", "marginals", "codes_left")
MODES = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED]


def pair(games: int, mode: AutoresetMode, **agreed: Any) -> tuple[MastermindVectorEnv, VectorEnv[Any, Any, Any]]:
    singles = SyncVectorEnv([lambda: MastermindEnv(**agreed)] * games, autoreset_mode=mode)
    return MastermindVectorEnv(games, autoreset_mode=mode, **agreed), singles


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "agreed",
    [
        {"rules": "3x4", "reward": "loss", "observe": EVERYTHING},
        {"rules": "2x4", "reward": "potential", "turns": 3},
        {"rules": "2x3/limit=3", "reward": "potential", "observe": ("codes_left",)},
        {"rules": "3x3/positional/limit=4", "reward": "bits", "observe": ("action_mask",)},
        {"rules": "3x4/no-repeats/guess-repeats", "reward": "win", "observe": EVERYTHING},
        {"rules": "2x5/black", "reward": "steps"},
    ],
)
def test_the_games_are_those_of_single_environments(agreed: dict[str, Any], mode: AutoresetMode) -> None:
    games = 5
    many, singles = pair(games, mode, **agreed)
    assert singles.single_observation_space == many.single_observation_space
    assert singles.observation_space == many.observation_space
    rng = np.random.default_rng(2)
    expected, seen = singles.reset(seed=11)[0], many.reset(seed=11)[0]
    assert data_equivalence(expected, seen, exact=True)
    for _ in range(4 * AHEAD):
        actions = rng.integers(many.contract.rules.guess_count, size=games)
        wanted, got = singles.step(actions), many.step(actions)
        for one, other in zip(wanted[:4], got[:4], strict=True):
            assert data_equivalence(one, other)
        assert got[0] in many.observation_space
        if "final_obs" in wanted[4]:
            assert wanted[4]["_final_obs"].tolist() == got[4]["_final_obs"].tolist()
            for one, other in zip(wanted[4]["final_obs"], got[4]["final_obs"], strict=True):
                assert data_equivalence(one, other)
        over = got[2] | got[3]
        if mode == AutoresetMode.DISABLED and over.any():
            expected = singles.reset(options={"reset_mask": over.copy()})[0]
            assert data_equivalence(expected, many.reset(options={"reset_mask": over})[0])


def test_threads_that_share_the_games_change_none_of_them() -> None:
    one, several = (MastermindVectorEnv(5_000, "3x5", "bits", threads=threads) for threads in (1, 4))
    rng = np.random.default_rng(1)
    one.reset(seed=3)
    several.reset(seed=3)
    for _ in range(30):
        actions = rng.integers(125, size=5_000)
        assert data_equivalence(one.step(actions), several.step(actions), exact=True)


def test_gymnasium_makes_many_by_the_name() -> None:
    many = gymnasium.make_vec(f"entropeg.agents:{ID}", num_envs=3, rules="3x4", autoreset_mode="SameStep")

    assert isinstance(many.unwrapped, MastermindVectorEnv)
    assert AutoresetMode.SAME_STEP == many.metadata["autoreset_mode"]
    many.reset(seed=1)
    many.close()


def test_observations_are_copies_unless_they_need_not_be() -> None:
    for is_copied in (True, False):
        many = MastermindVectorEnv(2, "3x4", observe=EVERYTHING, copy=is_copied)
        many.reset(seed=1)
        first = many.step(np.array([5, 6]))[0]
        kept = {name: values.copy() for name, values in first.items()}
        many.step(np.array([7, 8]))

        assert is_copied == data_equivalence(kept, first)


# ------------------------------------------------------------------ theory


@pytest.mark.parametrize(("board", "reward", "expected"), [
    ("4x6/limit=12", "win", 1 - (1295 / 1296) ** 12),
    ("2x3/limit=6", "win", 1 - (8 / 9) ** 6),
    ("2x3/limit=6", "steps", -9 * (1 - (8 / 9) ** 6)),
])  # fmt: skip
def test_random_guesses_have_the_mean_of_theory(board: str, reward: str, expected: float) -> None:
    # Whole games of equal number for each environment have no bias: all run until each has ended at least so many.
    games, limit = 5_000, int(board.rpartition("=")[2])
    many, rng = MastermindVectorEnv(games, board, reward, autoreset_mode="Disabled"), np.random.default_rng(8)
    total, squares, number = 0.0, 0.0, 0
    for seed in range(3):
        many.reset(seed=seed * games)
        sums, alive = np.zeros(games), np.ones(games, np.bool_)
        for _ in range(limit):
            _, rewards, terminated, _, _ = many.step(rng.integers(many.contract.rules.guess_count, size=games))
            sums += np.where(alive, rewards, 0)
            alive &= ~terminated
            if terminated.any():
                many.reset(options={"reset_mask": terminated})
        assert not alive.any()
        total, squares, number = total + sums.sum(), squares + (sums**2).sum(), number + games
    mean = total / number
    error = ((squares / number - mean**2) / number) ** 0.5

    assert abs(mean - expected) < 4 * error  # by a seed: it holds or not


def test_losses_of_whole_games_are_what_was_played_above_the_optimum() -> None:
    # Every secret once, by a policy that follows from the rows: luck evens out exactly.
    board, every = "3x4", 64
    many = MastermindVectorEnv(every, board, "loss", turns=1_000, autoreset_mode="SameStep")
    many.reset(seed=0)
    many._games.secret[:] = np.arange(every)
    policy: dict[bytes, int] = {}
    alive, lost, guessed = np.ones(every, np.bool_), 0.0, 0
    seen, rng = many._observed(), np.random.default_rng(4)
    while alive.any():
        keys = [seen["guesses"][at].tobytes() + seen["feedback"][at].tobytes() for at in range(every)]
        actions = np.array([policy.setdefault(key, int(rng.integers(64))) for key in keys])
        seen, rewards, terminated, _, _ = many.step(actions)
        lost, guessed = lost + float(rewards[alive].sum()), guessed + int(alive.sum())
        alive &= ~terminated

    assert guessed == pytest.approx((optimal(board).total or 0) - lost)


@pytest.mark.parametrize("board", ["3x5", "3x3/positional", "3x4/no-repeats/guess-repeats", "3x3/blanks", "4x3"])
def test_losses_are_those_of_the_exact_search_though_the_store_is_emptied(board: str) -> None:
    many = MastermindVectorEnv(3, board, "loss", autoreset_mode="SameStep")
    many._losses = small = ManyLosses(many.contract.rules, threads=2, cells=64)
    rng, forgotten, used = np.random.default_rng(5), 0, 0
    codes, games = guesses(board), many._games
    many.reset(seed=1)
    for _ in range(120):
        actions = rng.integers(len(codes), size=3)
        every = secrets(board)
        positions = [every if games.turn[at] == 0 else every.take(games.codes[at, : games.size[at]]) for at in range(3)]
        expected = [loss_of(left, codes[action]) for left, action in zip(positions, actions, strict=True)]
        assert expected == pytest.approx((-many.step(actions)[1]).tolist())
        forgotten, used = forgotten + (small._used < used), small._used

    assert forgotten or board != "3x5"


def loss_of(left: CodeSet, guess: tuple[int, ...]) -> float:
    best, *rest = values_many([left, *parts_of(left, guess)])
    return float(len(left) + sum(rest) - best) / len(left)


def parts_of(left: CodeSet, guess: tuple[int, ...]) -> list[CodeSet]:
    labels = left.score(guess)
    return [left.take(np.flatnonzero(labels == label)) for label in set(labels.tolist()) - {left.rules.win_label}]


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize("board", ["6x6", "4x6/positional/hard", "3x4/prior=distinct", "5x13/no-repeats"])
def test_boards_without_a_table_of_labels_are_refused(board: str) -> None:
    with pytest.raises(InputError, match="is not played many games at once"):
        MastermindVectorEnv(2, board)


def test_wrong_actions_seeds_and_masks_are_refused() -> None:
    many = MastermindVectorEnv(2, "3x4", autoreset_mode="Disabled")
    with pytest.raises(InputError, match="reset it"):
        many.step(np.array([0, 0]))
    many.reset(seed=[1, 2])
    for actions, sentence in (([0, 64], "one of the actions"), ([-1, 0], "one of the actions"), ([0], "must be 2"),
                              ([0.5, 1], "must be 2")):  # fmt: skip
        with pytest.raises(InputError, match=sentence):
            many.step(np.array(actions))
    with pytest.raises(InputError, match="3 seeds for 2"):
        many.reset(seed=[1, 2, 3])
    with pytest.raises(InputError, match="reset_mask"):
        many.reset(options={"reset_mask": [True, False]})
    secret = int(many._games.secret[0])
    many.step(np.array([secret, secret]))
    with pytest.raises(InputError, match="a game is over"):
        many.step(np.array([0, 0]))


def test_seeds_of_the_first_games_are_those_of_numpy() -> None:
    many = MastermindVectorEnv(3, "4x6")
    many.reset(seed=9)

    drawn = [int(np.random.default_rng(9 + at).integers(1296)) for at in range(3)]
    assert drawn == many._games.secret.tolist()
