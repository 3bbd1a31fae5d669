"""Both sides of a game: what PettingZoo asks of it, what is refused, and that nothing is lost between the two."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from pettingzoo.test import api_test, parallel_api_test, seed_test

from entropeg import InputError, cli, codebreakers, codemakers, optimal
from entropeg.agents.sides import BREAKER, MAKER, TwoSidesEnv, TwoSidesParallelEnv
from entropeg.codes import guesses, parse_code, secrets
from entropeg.feedback import Code
from entropeg.position import Position
from entropeg.rules import Rules

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
        while env.agents and not env.terminations[MAKER]:
            env.step(numbers[player.guess(env.position, np.random.default_rng(0))])
            for agent in sums:
                sums[agent] += env.rewards[agent]

    assert {MAKER: best.total, BREAKER: -(best.total or 0)} == sums


class Enumerated:
    """A generator that takes every draw in turn: `follow` gives all results of a call, each with its chance."""

    def follow(self, call: Callable[[Any], Code]) -> dict[Code, float]:
        found, open_ = dict[Code, float](), [list[int]()]
        while open_:
            self.path, self.wide, self.chance, self.at = open_.pop(), list[int](), 1.0, 0
            result = call(self)
            found[result] = found.get(result, 0.0) + self.chance
            for depth in range(len(self.path), len(self.wide)):
                taken = self.path + [0] * (depth - len(self.path))
                open_ += [[*taken, other] for other in range(1, self.wide[depth])]
        return found

    def _drawn(self, chances: list[float]) -> int:
        taken = self.path[self.at] if self.at < len(self.path) else 0
        self.at, self.chance = self.at + 1, self.chance * chances[taken]
        self.wide.append(len(chances))
        return taken

    def choice(self, number: int, p: Any) -> int:
        assert number == len(p)
        return self._drawn(list(p))

    def permutation(self, values: list[int]) -> Any:
        every = list(permutations(values))
        return np.array(every[self._drawn([1 / len(every)] * len(every))], int)


@pytest.mark.parametrize(("board", "expected", "uniform"), [
    ("2x3", Fraction(29, 12), Fraction(7, 3)), ("3x2", Fraction(23, 10), Fraction(9, 4)),
    ("3x3/positional", Fraction(34, 15), Fraction(20, 9)),
])  # fmt: skip
def test_mixed_strategies_of_both_sides_meet_at_the_value_of_the_game(
    board: str, expected: Fraction, uniform: Fraction, tmp_path: Path
) -> None:
    file = tmp_path / "both.json"
    typed = CliRunner().invoke(cli.group, ["value", board, "--save", str(file)], prog_name="entropeg")
    env = TwoSidesEnv(board)
    maker, breaker = codemakers.get(f"mixed:{file}"), codebreakers.get(f"mixed:{file}")
    numbers, kept = {code: at for at, code in enumerate(guesses(board))}, dict[Position, dict[Code, float]]()

    def played(actions: list[int]) -> float:
        """Return what the codemaker gets on average from here on; the environment is led here by the actions."""
        env.reset()
        for action in actions:
            env.step(action)
        if env.terminations[MAKER] or env.truncations[MAKER]:
            return 0.0
        position = env.position
        if position not in kept:
            kept[position] = Enumerated().follow(lambda rng: breaker.guess(position, rng))
        assert 1 == pytest.approx(sum(kept[position].values()))
        gets = 0.0
        for code, chance in kept[position].items():
            gets += chance * (1.0 + played([*actions, numbers[code]]))
        return gets

    drawn = Enumerated().follow(lambda rng: maker.choose(Rules.parse(board), rng) or ())
    by_secret = {secret: played([list(secrets(board)).index(secret)]) for secret in secrets(board)}
    mean = sum(chance * by_secret[secret] for secret, chance in drawn.items())

    assert 0 == typed.exit_code
    assert expected == pytest.approx(mean, rel=1e-12)
    # No secret takes a codebreaker more who mixes so; and a codemaker who draws all alike gets less of the best one.
    assert expected == pytest.approx(max(by_secret.values()), rel=1e-12)
    assert expected > uniform == Fraction(optimal(board).total or 0, len(secrets(board)))


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
    assert len(env.position.candidates) == 2**3


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
