"""The environment of one game: what Gymnasium asks of it, its rewards against theory, and what it refuses."""

from __future__ import annotations

import subprocess
import sys
from itertools import product
from math import log2
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from entropeg import InputError, Position, Rules, codebreakers, optimal
from entropeg.agents import ID
from entropeg.agents.losses import ExactLosses
from entropeg.agents.single import MastermindEnv
from entropeg.codes import guesses, secrets
from entropeg.errors import TooLargeError

EVERYTHING = ("action_mask", "marginals", "codes_left")
BOARDS = [
    "4x6", "3x4/limit=5", "4x6/positional/hard", "3x5/blanks", "3x4/no-repeats/guess-repeats", "words:english", "grand",
    "3x6/black", "20x20",
]  # fmt: skip


@pytest.mark.parametrize("board", BOARDS)
def test_gymnasium_finds_no_fault(board: str) -> None:
    observe = EVERYTHING if board not in {"grand", "20x20"} else ()

    env = gymnasium.make(f"entropeg.agents:{ID}", rules=board, observe=observe)

    check_env(env.unwrapped)


def test_gymnasium_has_it_by_its_name_with_many_games_too() -> None:
    assert gymnasium.spec(ID).vector_entry_point == "entropeg.agents.many:MastermindVectorEnv"


def test_whoever_imports_entropeg_alone_loads_none_of_it() -> None:
    rooms = ("gymnasium", "pettingzoo", "entropeg.agents")
    asked = f"import entropeg, entropeg.cli, sys; print([m for m in sys.modules if m.startswith({rooms})])"

    assert "[]\n" == subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout


# ------------------------------------------------------------------ rewards


def played(env: MastermindEnv, secret: Any, policy: dict[Any, int]) -> list[float]:
    """The rewards of a game of a policy: an action for each row of answers."""
    seen, _ = env.reset(options={"secret": secret})
    rewards, is_over = list[float](), False
    while not is_over:
        key = seen["guesses"].tobytes(), seen["feedback"].tobytes()
        action = policy.setdefault(key, len(policy) * 37 % env.contract.rules.guess_count)
        seen, reward, terminated, truncated, _ = env.step(np.int64(action))
        rewards.append(reward)
        is_over = terminated or truncated
    return rewards


@pytest.mark.parametrize("board", ["3x4", "2x5/black", "3x3/positional", "3x4/no-repeats/guess-repeats"])
def test_losses_are_what_a_policy_takes_above_the_optimum_and_luck_evens_out(board: str) -> None:
    every = list(secrets(board))
    by_loss, by_steps = MastermindEnv(board, "loss", turns=200), MastermindEnv(board, "steps", turns=200)
    policy: dict[Any, int] = {}
    lost = sum(sum(played(by_loss, secret, policy)) for secret in every)
    guessed = sum(len(played(by_steps, secret, policy)) for secret in every)

    assert guessed == pytest.approx((optimal(board).total or 0) - lost)
    assert lost < -1


def test_the_best_play_loses_nothing_at_any_turn(tmp_path: Path) -> None:
    env, tree = MastermindEnv("3x4", "loss"), optimal("3x4").tree
    assert tree is not None
    tree.save(tmp_path / "best.tree")
    player = codebreakers.get(f"tree:{tmp_path / 'best.tree'}")
    numbers = {code: at for at, code in enumerate(guesses("3x4"))}
    for secret in secrets("3x4"):
        env.reset(options={"secret": secret})
        is_over = False
        while not is_over:
            guess = player.guess(env.position, np.random.default_rng(0))
            _, reward, is_over, _, _ = env.step(numbers[guess])
            assert 0.0 == reward


@pytest.mark.parametrize(("board", "expected"), [("4x6", (6318 - 5625) / 1296), ("bulls-and-cows", 0.0)])
def test_the_start_is_valued_by_the_book(board: str, expected: float) -> None:
    losses = ExactLosses(Rules.parse(board))
    start = Position(losses.rules)
    worst = losses.loss(start, guesses(board)[0])

    assert expected == pytest.approx(worst)


def test_bits_and_potential_add_up_to_what_there_is_to_know() -> None:
    for secret in list(secrets("3x4"))[::7]:
        bits = played(MastermindEnv("3x4", "bits", turns=200), secret, {})
        shaped = played(MastermindEnv("3x4", "potential", turns=200), secret, {})

        assert log2(64) == pytest.approx(sum(bits))
        assert log2(64) / log2(9) - len(bits) == pytest.approx(sum(shaped))


def test_a_lost_game_gives_the_potential_back() -> None:
    shaped = played(MastermindEnv("3x4/limit=2", "potential"), "DDD", {(): 0})

    assert log2(64) / log2(9) - 2 == pytest.approx(sum(shaped))


@pytest.mark.parametrize(("board", "turns"), [("2x2", 3), ("2x3", 2), ("1x5", 3)])
def test_the_mean_of_random_guesses_is_that_of_theory(board: str, turns: int) -> None:
    # Every sequence of actions against every secret, each as likely as the others.
    codes = list(secrets(board))
    wins = MastermindEnv(f"{board}/limit={turns}", "win")
    won, lasted = [], []
    for secret in codes:
        for sequence in product(range(len(codes)), repeat=turns):
            wins.reset(options={"secret": secret})
            for number, action in enumerate(sequence, start=1):
                _, reward, is_over, _, _ = wins.step(action)
                if is_over:
                    won.append(reward)
                    lasted.append(number)
                    break
    miss = 1 - 1 / len(codes)

    assert 1 - miss**turns == pytest.approx(np.mean(won))
    assert sum(miss**t for t in range(turns)) == pytest.approx(np.mean(lasted))


# ------------------------------------------------------------------ what is observed


def test_masks_marginals_and_counts_are_those_of_the_codes_left() -> None:
    env = MastermindEnv("3x5/no-repeats/guess-repeats", observe=EVERYTHING)
    rules, rng = env.contract.rules, np.random.default_rng(5)
    codes = list(guesses(rules))
    for seed in range(20):
        seen, _ = env.reset(seed=seed)
        is_over = False
        while not is_over:
            left = list(env.position.candidates)
            assert left == [codes[at] for at in np.flatnonzero(seen["action_mask"])]
            assert len(left) == seen["codes_left"]
            for peg, row in enumerate(seen["marginals"]):
                counted = [sum(code[peg] == color for code in left) for color in range(5)]
                assert [count / len(left) for count in counted] == pytest.approx(row)
            seen, _, terminated, truncated, _ = env.step(rng.integers(len(codes)))
            is_over = terminated or truncated


def test_rows_that_were_not_played_are_filled_with_what_no_guess_has() -> None:
    env = MastermindEnv("3x4/limit=2")
    env.reset(options={"secret": "ABC"})
    seen, *_ = env.step(0)

    assert [[0, 0, 0], [4, 4, 4]] == seen["guesses"].tolist()
    assert [[1, 0], [4, 4]] == seen["feedback"].tolist()
    assert 1 == seen["turn"]


def test_a_seed_gives_the_same_secret_and_the_next_games_follow_from_it() -> None:
    one, other = MastermindEnv("4x6"), MastermindEnv("4x6")
    drawn = []
    for env in (one, other):
        env.reset(seed=7)
        first = env.secret
        env.reset()
        drawn.append((first, env.secret))

    assert drawn[0] == drawn[1]


def test_a_limit_loses_the_game_and_no_limit_cuts_it_off() -> None:
    for board, expected in (("3x4/limit=1", (True, False)), ("3x4", (False, True))):
        env = MastermindEnv(board, turns=None if "limit" in board else 1)
        env.reset(options={"secret": "DDD"})

        assert expected == env.step(0)[2:4]


def test_a_game_that_ends_when_one_code_is_left_is_won_so() -> None:
    rules = Rules.of_answers(
        ["cat", "owl", "ant"], ["flies", "big"], lambda asked, it: it == {"flies": "owl", "big": "cat"}[asked],
        naming=False,
    )  # fmt: skip
    env = MastermindEnv(rules, "win")
    env.reset(options={"secret": secrets(rules)[0]})

    assert [False, True] == [env.step(0)[2], env.step(1)[2]] or env.position.is_won


# ------------------------------------------------------------------ guesses that the rules forbid

FORBIDDEN = np.array([0, 0, 1, 2, 3])


@pytest.mark.parametrize(
    ("invalid", "expected"),
    [("penalty", (0, -2.5, False)), ("counted", (1, -1.0, False)), ("ended", (0, -2.5, True))],
)
def test_a_forbidden_guess_costs_what_was_agreed_on(invalid: str, expected: tuple[int, float, bool]) -> None:
    env = MastermindEnv("5x13/no-repeats", invalid=invalid, penalty=2.5)
    env.reset(seed=1)
    seen, reward, terminated, _, info = env.step(FORBIDDEN)

    assert expected == (seen["turn"], reward, terminated)
    assert info == {"is_valid": False}


def test_forbidden_guesses_that_are_counted_lose_a_game() -> None:
    env = MastermindEnv("5x13/no-repeats/limit=2", invalid="counted")
    env.reset(seed=1)

    assert [(False, -1.0), (True, -1.0)] == [(t, r) for _, r, t, _, _ in (env.step(FORBIDDEN) for _ in range(2))]


def test_under_hard_rules_numbered_guesses_may_be_forbidden() -> None:
    env = MastermindEnv("3x4/positional/hard")
    env.reset(options={"secret": "ABC"})
    env.step(0)

    assert {"is_valid": False} == env.step(63)[4]


# ------------------------------------------------------------------ pictures


def test_each_way_to_render_shows_the_turns() -> None:
    shown = {}
    for mode in MastermindEnv.metadata["render_modes"]:
        env = MastermindEnv("4x6", render_mode=mode)
        env.reset(options={"secret": "ABCA"})
        env.step(7)
        shown[mode] = env.render()

    assert "AABB XOO" == shown["ansi"]
    assert shown["svg"].startswith("<svg")
    assert (192, 120, 3) == shown["rgb_array"].shape
    assert MastermindEnv().render() is None


@pytest.mark.parametrize("board", ["4x6/positional", "grand", "100x100"])
def test_pixels_of_other_boards_have_a_row_for_each_turn(board: str) -> None:
    env = MastermindEnv(board, render_mode="rgb_array")
    env.reset(seed=2)
    before = env.render()
    env.step(env.action_space.sample())

    assert before.shape == env.render().shape
    assert (before != env.render()).any()


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"reward": "points"}, "reward is 'points'; it must be one of steps, win, bits, potential, loss"),
        ({"rules": "5x8", "reward": "loss"}, "needs exact values"),
        ({"rules": "6x10", "reward": "loss"}, "needs exact values"),
        ({"rules": "4x6/positional/hard", "reward": "loss"}, "needs exact values"),
        ({"rules": "6x10", "observe": ["action_mask"]}, "more than 100,000 guesses"),
        ({"rules": "4x6/limit=9", "turns": 8}, "has a limit of guesses already"),
        ({"observe": ["secret"]}, "observe is 'secret'"),
        ({"invalid": "forgiven"}, "invalid is 'forgiven'"),
        ({"penalty": -1.0}, "the penalty is -1.0"),
        ({"turns": 0}, "the number of turns"),
        ({"render_mode": "human"}, "render_mode is 'human'"),
    ],
)
def test_what_cannot_be_agreed_on_is_said(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        MastermindEnv(**arguments)


def test_boards_that_nobody_lists_have_no_bits() -> None:
    with pytest.raises(TooLargeError):
        MastermindEnv("20x20", "bits")


def test_a_step_without_a_game_is_refused() -> None:
    env = MastermindEnv("3x4")
    with pytest.raises(InputError, match="reset the environment"):
        env.step(0)
    env.reset(options={"secret": "AAA"})
    with pytest.raises(InputError, match="is no action"):
        env.step(64)
    assert env.step(0)[2]
    with pytest.raises(InputError, match="reset the environment"):
        env.step(0)


def test_losses_of_codes_that_are_not_left_are_refused() -> None:
    with pytest.raises(InputError, match="no code is left"):
        ExactLosses(Rules.parse("3x4")).loss(Position("3x4", ["ABC -", "ABC XXX"]), (0, 0, 0))
