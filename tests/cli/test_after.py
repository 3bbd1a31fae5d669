"""Strategies from a position on: `--after` of optimal, tree build and compare, and trees of positions in Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from entropeg import Position, Rules, codebreakers, optimal, score
from entropeg.cli import group
from entropeg.errors import ContradictionError, InputError
from entropeg.tree import StrategyTree

AFTER = ["--after", "AABB XO"]


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(group, arguments, prog_name="entropeg")


def asked(player: Any, start: Position, secret: tuple[int, ...]) -> int:
    """Guesses that a player takes for a secret, asked one at a time."""
    position, guesses = start, 0
    while not position.is_won:
        guess = player.guess(position, np.random.default_rng(0))
        position = position.after(guess, score(guess, secret, position.rules))
        guesses += 1
    return guesses


@pytest.mark.parametrize("name", ["minimax", "entropy", "parts", "first-consistent", "decoder"])
def test_the_tree_of_a_position_takes_what_its_codebreaker_takes_from_there(name: str) -> None:
    start = Position("3x5").after("AAB", "XO")
    tree, player = StrategyTree.build(name, start).check(), codebreakers.get(name)

    assert [asked(player, start, secret) for secret in start.candidates] == tree.turns.tolist()
    assert [asked(tree, start, secret) for secret in start.candidates] == tree.turns.tolist()


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_no_tree_of_a_position_is_better_than_the_optimum_there(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(["3x4", "3x4/black", "3x5/no-repeats", "2x6"]).map(Rules.parse))
    start, _ = data.draw(strategies.positions(game, max_turns=2))
    if start.is_over:
        return
    best = optimal(start)

    assert best.is_exact
    assert best.root is not None
    assert len(start.candidates) == best.root.secrets
    assert best.value.lower <= StrategyTree.build("parts", start).check().total


def test_optimal_begins_after_the_turns_that_are_given() -> None:
    found = json.loads(typed("optimal", "4x6", *AFTER, "--json").stdout)
    said = typed("optimal", "4x6", *AFTER).stdout

    assert (718, 718, 208, ["AABB XO"]) == (found["lower"], found["upper"], found["codes"], found["after"])
    assert said.startswith("4x6 after AABB XO: total = 718 guesses over 208 codes\n")


def test_compare_plays_the_codes_that_are_left() -> None:
    rows = json.loads(typed("compare", "4x6", *AFTER, "--json").stdout)
    totals = {row["codebreaker"]: row["total"] for row in rows}

    assert {"minimax": 730, "entropy": 721, "parts": 719}.items() <= totals.items()
    assert min(totals.values()) >= 718
    assert [["AABB XO"]] * len(rows) == [row["after"] for row in rows]


def test_turns_may_be_given_one_after_the_other() -> None:
    said = typed("tree", "build", "minimax", "4x6", *AFTER, "--after", "A B A C OO").stdout

    assert said.startswith("minimax on 4x6 after AABB XO, ABAC OO, first guess DDBA\ntotal 105 guesses over 37 codes")


WRONG = {
    "a file": (["tree", "build", "minimax", "4x6", *AFTER, "--out", "x.tree"], "--out and --after exclude each other"),
    "a saved optimum": (["optimal", "4x6", *AFTER, "--save", "x.tree"], "--save and --after exclude each other"),
    "a proof": (["optimal", "4x6", *AFTER, "--proof", "x.json"], "--proof and --after exclude each other"),
    "openings": (["compare", "4x6", *AFTER, "--best-opening"], "--best-opening and --after exclude each other"),
    "an opening": (["tree", "build", "minimax", "4x6", *AFTER, "--opening", "AABB"], "--opening and --after exclude"),
    "a game that is over": (["optimal", "4x6", "--after", "AABB XXXX"], "the game is over: leave the last turn out"),
    "contradictions": (["tree", "build", "minimax", "4x6", *AFTER, "--after", "AABB X"], "no secret fits turn 1"),
    "half a turn": (["compare", "4x6", "--after", "AABB"], "is not a guess and its feedback"),
    "chance": (["compare", "4x6", *AFTER, "--also", "random"], "random plays at random"),
    "out of reach": (["optimal", "7x8", "--after", "AABBCCD XO"], "is out of reach of a search from a position"),
}


@pytest.mark.parametrize(("arguments", "said"), WRONG.values(), ids=WRONG.keys())
def test_what_a_position_cannot_have_is_refused_in_a_sentence(arguments: list[str], said: str) -> None:
    result = typed(*arguments)

    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert said in result.stderr


def test_the_tree_of_a_position_is_not_for_files_and_has_no_opening_of_its_own(tmp_path: Path) -> None:
    start = Position("3x4").after("AAB", "X")
    tree = StrategyTree.build("minimax", start)

    with pytest.raises(InputError, match="whole boards"):
        tree.save(tmp_path / "a.tree")
    with pytest.raises(InputError, match="no opening"):
        StrategyTree.build("minimax", start, opening="AAB")
    with pytest.raises(InputError, match="the game is over"):
        StrategyTree.build("minimax", Position("3x4").after("AAB", "XXX"))
    with pytest.raises(ContradictionError, match="no secret fits"):
        StrategyTree.build("minimax", start.after("AAB", "O"))
