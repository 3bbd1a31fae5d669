"""Means without luck: unbiased whatever V is, par and losses where V is exact, the same on any number of processes."""

from __future__ import annotations

import json
import os
from math import log2

import numpy as np
import pytest
from click.testing import CliRunner

from entropeg import cli
from entropeg.codes import format_code, guesses, secrets
from entropeg.errors import InputError
from entropeg.experiments import sharing
from entropeg.experiments.adjusted import CurveValues, ExactValues, adjusted_mean, adjusted_result, values_of
from entropeg.experiments.runner import arena
from entropeg.experiments.sharing import shared_work
from entropeg.feedback import Feedback
from entropeg.game import Game
from entropeg.loop import play
from entropeg.partition import Partition
from entropeg.position import Position, Turn
from entropeg.review import review
from entropeg.review.level import guesses_of
from entropeg.rules import Rules


def process_of(number: int) -> tuple[int, int]:
    return number, os.getpid()


@pytest.mark.parametrize("board", ["3x4", "3x5/no-repeats", "3x4/black", "4x6/limit=4"])
def test_where_v_is_exact_a_result_is_par_and_what_was_lost(board: str) -> None:
    rules = Rules.parse(board)
    for seed in range(6):
        game = play("consistent", "honest", rules, seed=seed)
        adjusted, played = adjusted_result(game, values_of(rules))
        told = review(game.position)
        assert told.adjusted.value == pytest.approx(adjusted)
        assert told.guesses + told.remaining.value == pytest.approx(played)


def test_by_place_a_guess_that_moves_pegs_leaves_values_of_its_own() -> None:
    start = Position("3x4/positional")
    values, fresh = ExactValues(start.rules), ExactValues(start.rules)
    values.after(start, (0, 0, 1))

    assert values.after(start, (0, 1, 0)) == fresh.after(start, (0, 1, 0))


@pytest.mark.parametrize(
    ("board", "is_exact"),
    [
        ("3x4", True),
        ("3x4/positional", True),
        ("3x3/membership", True),
        ("3x4/blanks", True),
        ("2x5/no-repeats", True),
    ],
)
def test_whatever_v_is_the_mean_over_all_secrets_stays_as_it_is(board: str, is_exact: bool) -> None:
    rules = Rules.parse(board)
    games = [play("first-consistent", f"honest:{format_code(secret, rules)}", rules) for secret in secrets(rules)]
    plain = np.mean([len(game) for game in games])
    kinds = [CurveValues(rules)] + ([ExactValues(rules)] if is_exact else [])
    assert isinstance(values_of(rules), ExactValues) == is_exact
    for values in kinds:
        assert np.mean([adjusted_result(game, values)[0] for game in games]) == pytest.approx(plain)


def test_on_a_board_beyond_exact_values_the_curve_takes_much_of_the_chance_out() -> None:
    [run] = arena("consistent", "honest", "5x8", games=80, seed=2, jobs=1)
    found = adjusted_mean(run, jobs=1)

    assert not found.is_exact
    assert found.half is not None
    assert found.raw_half is not None
    assert found.half < 0.7 * found.raw_half
    assert abs(found.mean - run.statistics.mean) < 2 * found.raw_half


def test_processes_find_the_same_mean_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    [run] = arena("consistent", "honest", "3x4", games=70, seed=1, jobs=1)
    monkeypatch.setattr(sharing, "ALONE", 0.0)

    assert adjusted_mean(run, jobs=1) == adjusted_mean(run, jobs=2)


def test_few_things_that_take_long_are_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "ALONE", 0.0)
    told: list[tuple[int, int]] = []
    found = shared_work(list(range(6)), process_of, jobs=2, progress=lambda done, total: told.append((done, total)))

    assert found[0] == (0, os.getpid())
    assert [one[0] for one in found if one is not None] == list(range(6))
    assert all(one is not None and one[1] != os.getpid() for one in found[1:])
    assert told[-1] == (6, 6)


def test_what_takes_a_moment_is_not_shared() -> None:
    assert shared_work(list(range(200)), process_of, jobs=2) == [(number, os.getpid()) for number in range(200)]


def test_every_secret_once_without_chance_is_exact() -> None:
    [run] = arena("minimax", "honest", "3x4", all_secrets=True)
    found = adjusted_mean(run)

    assert 0 == found.half
    assert run.statistics.mean == pytest.approx(found.mean)
    assert found.worth is None


def test_some_of_the_secrets_are_a_sample() -> None:
    def stop(done: int, _all: int) -> None:
        if done == 10:
            raise KeyboardInterrupt

    [run] = arena("minimax", "honest", "3x4", all_secrets=True)
    found = adjusted_mean(run, jobs=1, progress=stop)

    assert 10 == found.games
    assert found.half


@pytest.mark.parametrize(
    ("codemaker", "board"),
    [
        ("cheat", "3x4"),
        ("honest:AAB", "3x4"),
        ("biased", "3x4"),
        ("honest", "3x4/prior=distinct"),
        ("biased:uniform", "3x4/prior=distinct"),
    ],
)
def test_where_secrets_are_not_drawn_as_the_rules_say_there_is_no_mean_without_luck(codemaker: str, board: str) -> None:
    [run] = arena("minimax", codemaker, board, games=2)

    with pytest.raises(InputError, match=f"{codemaker} does not draw its secrets as likely as {board} says"):
        adjusted_mean(run)


def test_under_a_prior_the_mean_without_luck_is_that_of_secrets_drawn_by_it() -> None:
    rules = Rules.parse("3x4/prior=distinct")
    mean = float(np.dot(guesses_of("first-consistent", rules), secrets(rules).chances))
    [run] = arena("first-consistent", "biased", rules, games=400, seed=1)
    found = adjusted_mean(run, jobs=1)

    assert found.half is not None
    assert abs(found.mean - mean) < 2 * found.half < 0.2


def test_what_is_done_when_ctrl_c_comes_is_returned() -> None:
    def work(number: int) -> int:
        if number == 3:
            raise KeyboardInterrupt
        return number

    assert [0, 1, 2, None, None] == shared_work(range(5), work)
    with pytest.raises(KeyboardInterrupt):
        shared_work([3, 4], work)


def test_the_arena_tells_the_mean_without_luck_beside_the_plain_one() -> None:
    typed = ["arena", "consistent,minimax", "honest,cheat", "--rules", "3x4", "--games", "50", "--adjusted"]
    said = CliRunner().invoke(cli.group, typed, prog_name="entropeg")

    assert 0 == said.exit_code
    assert 2 == said.stdout.count(" without luck, for which the plain mean needs ")
    assert 2 == said.stderr.count("entropeg: no mean without luck of ")
    runs = json.loads(CliRunner().invoke(cli.group, [*typed, "--json"]).stdout)["runs"]
    assert [True, False, True, False] == [run["adjusted"] is not None for run in runs]
    assert all(run["adjusted"]["worth"] > 3 for run in runs[::2])


@pytest.mark.parametrize("board", ["2x3", "2x4/no-repeats", "2x3/prior=distinct"])
def test_exact_values_are_those_of_the_best_next_guess(board: str) -> None:
    start = Position(board)
    values = ExactValues(start.rules)
    for position in (start, start.after("AB", "O"), start.after("AB", "-")):
        if not len(position.candidates):
            continue
        expected = min(
            1 + sum(Partition.of(position.candidates, guess).shares[answer] * value for answer, value in left.items())
            for guess in guesses(start.rules)
            for left in [values.after(position, guess)]
        )

        assert pytest.approx(expected) == values.of(position)


def test_a_game_that_was_lost_goes_on_for_as_long_as_the_codes_left_take() -> None:
    game = Game(Rules.parse("4x6/limit=1"), (Turn((0, 0, 1, 1), Feedback(0, 1)),))
    result, played = adjusted_result(game, CurveValues(game.rules))
    left = len(game.position.candidates)

    assert pytest.approx(1 + 1 + log2(left) / (0.75 * log2(14))) == played
    assert result != played


def test_something_else_than_a_run_is_refused_in_a_sentence() -> None:
    with pytest.raises(InputError, match="as arena returns them in a list"):
        adjusted_mean("4x6")  # type: ignore[arg-type]
