"""Without kernels, guesses refuted by their colors: what is left decides as all guesses would."""

from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
import pytest

from entropeg import Rules, codebreakers, score
from entropeg.codes import random_guess, random_secret
from entropeg.kernels import switch
from entropeg.kernels.onestep import plain, plain_groups
from entropeg.kernels.onestep.arrays import OpenNode
from entropeg.position import Position
from entropeg.search.grow import one_step
from entropeg.search.onestep.code_arrays import board_of, node_at
from entropeg.tree import StrategyTree

PLAYERS = [
    "minimax",
    "sorted-minimax",
    "expected-size",
    "entropy",
    "entropy:win=yes",
    "parts",
    "parts:ties=random,seed=3",
    "minimax:then=entropy",
]

BOARDS = [
    "4x5",
    "3x8",
    "5x3",
    "4x6/no-repeats",
    "4x4/blanks",
    "3x5/no-repeats/guess-repeats",
    "4x4/black",
    "4x5/membership",
]


def nodes(rules: Rules) -> list[OpenNode]:
    """Positions after no guess, one and two, by chance."""
    found = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        secret, position = random_secret(rules, rng), Position(rules)
        for _ in range(3):
            if position.candidates:
                found.append(node_at(position, seed))
            guess = random_guess(rules, rng)
            position = position.after(guess, score(guess, secret, rules))
    return [node for node in found if len(node.codes) > 2]


@pytest.mark.parametrize(("player", "board"), [*zip(PLAYERS, BOARDS, strict=True), *product(PLAYERS[3:5], BOARDS[3:])])
@pytest.mark.parametrize("few", [0, 64])
def test_the_choice_is_that_among_all_guesses(
    player: str, board: str, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = Rules.parse(board)
    schedule = one_step(codebreakers.get(player), rules)
    assert schedule is not None
    arrays, rule = board_of(rules), schedule.choice_at(1).rule(rules)
    monkeypatch.setattr(plain, "FEW", few)
    for at_once, reduced in ((1 << 22, 1 << 17), (0, 0)):
        monkeypatch.setattr(plain_groups, "MOST_AT_ONCE", at_once)
        monkeypatch.setattr(plain, "WORTH_REDUCING", reduced)
        for node in nodes(rules):
            if plain.settled_guess(arrays.core, rule, node.codes) < 0:
                every = plain.guesses_to_judge(arrays.core, rule, node)

                assert plain.best_of(arrays.core, rule, node, every) == plain.choose(arrays, rule, node)


def test_labels_come_from_the_tables_where_they_are_small() -> None:
    core = board_of(Rules.parse("4x5")).core
    tables = plain_groups.tables_of(core)
    assert tables is not None
    pool, codes = np.arange(0, 625, 7), np.arange(0, 625, 3)

    assert (plain.label_rows(core, pool, codes) == plain_groups.labels_by(tables, pool, codes)).all()
    assert plain_groups.tables_of(board_of(Rules.parse("3x3/positional")).core) is None


def test_a_tree_on_numpy_needs_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(ThreadPoolExecutor, "submit", refuse)
    before = switch.use("no")
    try:
        assert StrategyTree.build("entropy", "5x5").total == 13593
    finally:
        switch.use(before)
