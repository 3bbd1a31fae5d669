"""Codemakers that draw a game out: exact against a known codebreaker, and against perfect play."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from entropeg import cli, codebreakers, codemakers
from entropeg.codemakers.adversary import forced
from entropeg.codemakers.check import check_codemaker
from entropeg.errors import InputError, TooLargeError
from entropeg.loop import play
from entropeg.registry import name_of
from entropeg.rules import Rules
from entropeg.tree import StrategyTree, tree_of_nodes
from entropeg.tree.optimum import optimal

BOARDS = [("minimax", "4x4"), ("entropy", "3x6"), ("first-consistent", "3x5"), ("minimax", "3x4/positional")]


@pytest.mark.parametrize(("name", "board"), BOARDS)
def test_the_codemaker_takes_what_the_hardest_secret_takes(name: str, board: str) -> None:
    rules = Rules.parse(board)
    turns = StrategyTree.build(name, rules).turns

    found = forced(name, rules)
    game = play(codebreakers.get(name), codemakers.get(f"worst-case:{name}"), rules, seed=1)

    assert turns.max() == found.forced == len(game.turns) == len(found.line)
    assert (turns == turns.max()).sum() == found.hardest
    assert tuple((turn.guess, turn.feedback) for turn in game.turns) == found.line


@pytest.mark.parametrize(("name", "board"), BOARDS)
def test_the_greedy_cheat_stays_within_its_range_and_below_the_forced(name: str, board: str) -> None:
    rules = Rules.parse(board)
    found = forced(name, rules)

    lengths = {len(play(codebreakers.get(name), codemakers.get("cheat"), rules, seed=seed).turns) for seed in range(8)}

    assert found.greedy[0] <= min(lengths)
    assert max(lengths) <= found.greedy[1] <= found.forced


def test_a_tree_can_be_forced_to_its_worst_case() -> None:
    rules = Rules.parse("4x5")
    best = optimal(rules)
    assert best.root is not None

    tree: StrategyTree = tree_of_nodes(best.root, rules)

    assert best.worst == forced(tree, rules).forced


@pytest.mark.parametrize("board", ["3x4", "2x7", "3x5", "4x4"])
@pytest.mark.parametrize("name", ["minimax", "entropy", "first-consistent"])
def test_against_perfect_answers_nobody_does_better_than_the_least_worst_case(board: str, name: str) -> None:
    rules = Rules.parse(board)

    game = play(codebreakers.get(name), codemakers.get("perfect-cheat"), rules, seed=3)

    assert len(game.turns) >= (optimal(rules, worst=True).worst or 0)


def test_perfect_play_against_perfect_answers_takes_the_least_worst_case() -> None:
    rules = Rules.parse("3x6")
    best = optimal(rules, worst=True)
    assert best.root is not None

    game = play(tree_of_nodes(best.root, rules), codemakers.get("perfect-cheat"), rules, seed=3)

    assert best.worst == 5 == len(game.turns)


def test_both_keep_the_promises_of_codemakers() -> None:
    check_codemaker(codemakers.get("worst-case:minimax"), Rules.parse("3x4"))
    check_codemaker(codemakers.get("perfect-cheat"), Rules.parse("3x4"))


def test_a_codemaker_names_itself_so_that_it_can_be_made_again() -> None:
    for spec in ("worst-case:minimax", "worst-case:codebreaker=minimax:ties=first", "perfect-cheat"):
        assert spec == name_of(codemakers.get(spec))


def test_what_cannot_be_forced_is_refused() -> None:
    with pytest.raises(InputError, match="plays at random"):
        forced("random", Rules.parse("3x3"))
    with pytest.raises(InputError, match="no codebreaker called"):
        codemakers.get("worst-case:minimaks")
    with pytest.raises(TooLargeError, match="2,500"):
        play(codebreakers.get("minimax"), codemakers.get("perfect-cheat"), Rules.parse("4x8"), seed=1)


def test_the_command_tells_greedy_forced_and_least() -> None:
    arguments = ["force", "minimax,entropy", "--rules", "4x4"]
    shown = CliRunner().invoke(cli.group, arguments).output
    found = json.loads(CliRunner().invoke(cli.group, [*arguments, "--json"]).output)

    assert f"no codebreaker can do with fewer than {found['least']} (proven)" in shown
    assert [row["codebreaker"] for row in found["codebreakers"]] == ["minimax", "entropy"]
    assert all(row["forced"] >= found["least"] for row in found["codebreakers"])


def test_the_command_plays_boards_whose_least_worst_case_is_not_worked_out(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("apple\nangle\nample\nbrave\n", encoding="utf-8")
    arguments = ["force", "first-consistent", "--json", "--rules"]

    of_words = CliRunner().invoke(cli.group, [*arguments, f"words:{words}"])
    with_prior = CliRunner().invoke(cli.group, [*arguments, "3x3/prior=distinct"])

    assert json.loads(of_words.output)["least"] is None
    assert optimal(Rules.parse("3x3"), worst=True).worst == json.loads(with_prior.output)["least"]
