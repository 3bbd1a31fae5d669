"""Both sides of a game: what PettingZoo asks of it, what is refused, and that nothing is lost between the two."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test

from entropeg import InputError, codebreakers, optimal
from entropeg.agents.sides import BREAKER, MAKER, TwoSidesEnv, TwoSidesParallelEnv
from entropeg.codes import guesses, parse_code, secrets

GAMES = [("4x6", "honest"), ("3x4", "cheat"), ("3x4/positional/hard", "honest"), ("2x3/limit=3", "cheat")]


@pytest.mark.parametrize(("board", "maker"), GAMES)
def test_pettingzoo_finds_no_fault(board: str, maker: str) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Observation (space for each agent probably|is not a NumPy)")
        api_test(TwoSidesEnv(board, maker=maker), num_cycles=60)
    parallel_api_test(TwoSidesParallelEnv(board, maker=maker), num_cycles=60)
    seed_test(lambda: TwoSidesEnv(board, maker=maker), num_cycles=30)


def number(code: str, board: str) -> int:
    return list(guesses(board)).index(parse_code(code, board))


def test_the_codebreaker_pays_what_the_codemaker_gets_and_the_optimum_is_reached(tmp_path: Path) -> None:
    best = optimal("3x4")
    assert best.tree is not None
    best.tree.save(tmp_path / "best.tree")
    player, numbers = codebreakers.get(f"tree:{tmp_path / 'best.tree'}"), {c: at for at, c in enumerate(guesses("3x4"))}
    sums = {MAKER: 0.0, BREAKER: 0.0}
    for secret in range(64):
        env = TwoSidesEnv("3x4")
        env.reset()
        env.step(secret)
        while env.agents and not any(env.duel.ends):
            env.step(numbers[player.guess(env.duel.position, np.random.default_rng(0))])
            for agent in sums:
                sums[agent] += env.rewards[agent]

    assert {MAKER: best.total, BREAKER: -(best.total or 0)} == sums


def test_both_ways_to_step_play_the_same_game() -> None:
    rng = np.random.default_rng(3)
    for maker in ("honest", "cheat"):
        cycle, parallel = TwoSidesEnv("3x4", maker=maker), TwoSidesParallelEnv("3x4", maker=maker)
        cycle.reset()
        seen, _ = parallel.reset()
        while parallel.agents:
            mover = cycle.agent_selection
            assert cycle.observe(mover)["observation"].tolist() == seen[mover]["observation"].tolist()
            action = rng.choice(np.flatnonzero(seen[mover]["action_mask"]))
            cycle.step(action)
            seen, rewards, ended, cut, _ = parallel.step({MAKER: 0, BREAKER: 0} | {mover: action})
            assert (cycle.rewards, cycle.terminations, cycle.truncations) == (rewards, ended, cut)


def test_a_cheat_may_answer_what_leaves_a_code_and_nothing_else() -> None:
    env = TwoSidesEnv("3x4", maker="cheat")
    env.reset()
    env.step(number("AAA", "3x4"))
    assert [0, 4, 8, 12] == np.flatnonzero(env.last()[0]["action_mask"]).tolist()
    with pytest.raises(InputError, match="codemaker_0 may not take action 1"):
        env.step(1)
    env.step(0)
    env.step(number("BBB", "3x4"))
    env.step(0)
    env.step(number("CCC", "3x4"))

    # Two colors are excluded: CCC and DDD may still be all of it.
    assert [0, 4, 8, 12] == np.flatnonzero(env.last()[0]["action_mask"]).tolist()
    assert len(env.duel.position.candidates) == 2**3


def test_an_honest_codemaker_answers_by_its_secret_at_once() -> None:
    env = TwoSidesEnv("3x4", render_mode="ansi")
    env.reset()
    env.step(list(secrets("3x4")).index((0, 1, 2)))
    env.step(number("BAC", "3x4"))

    assert (BREAKER, "BAC XOO") == (env.agent_selection, env.render())


def test_a_guess_that_waits_for_its_answer_is_seen() -> None:
    env = TwoSidesEnv("3x4", maker="cheat")
    env.reset()
    env.step(number("ABC", "3x4"))

    assert [0, 1, 2, 4, 4] == env.observe(MAKER)["observation"][0].tolist()
    assert [1, *[0] * 63] == env.observe(BREAKER)["action_mask"].tolist()


@pytest.mark.parametrize(
    "wrong", [{"maker": "liar"}, {"rules": "6x10"}, {"rules": "12x2/positional", "maker": "cheat"}]
)
def test_what_cannot_be_played_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        TwoSidesEnv(**wrong)
