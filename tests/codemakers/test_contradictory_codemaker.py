"""A codemaker that lies after some turns: every strategy for large boards stops and says so."""

from __future__ import annotations

import numpy as np
import pytest

from entropeg import Position, Rules, codebreakers, score
from entropeg.codes import random_secret
from entropeg.errors import ContradictionError, TooLargeError

pytestmark = pytest.mark.slow

CASES = [
    # board, strategy, turns of the first secret, and turns within which it has to stop
    ("20x20", "sampling:steps=50000,tries=50", 10, 60),
    ("9x12", "sampling:steps=200000,tries=50", 4, 30),
    ("20x20", "belief:patience=2", 10, 300),
    ("50x50", "belief:patience=2", 40, 600),
    ("12x14/no-repeats", "belief:patience=2", 5, 60),
    ("20x20/black", "belief:patience=2", 10, 600),
    ("20x20", "linear", 10, 300),
    ("50x50", "linear", 40, 400),
    ("100x100", "linear", 80, 900),
    ("1000x1000", "linear", 200, 12_000),
    ("20x20/positional", "linear", 10, 300),
    ("20x20", "dichotomy", 30, 300),
    ("100x100", "dichotomy", 80, 900),
    ("1000x1000", "dichotomy", 300, 12_000),
    ("8x12", "montecarlo:secrets=100,candidates=100", 3, 30),
    ("7x9", "evolutionary", 3, 30),
    ("4x6", "evolutionary:time=0.01", 2, 30),
    ("7x9", "evolutionary:time=0.05", 3, 30),
    ("16x16", "evolutionary:merelo,time=0.02", 8, 60),
    ("20x20", "auto:time=0.03", 10, 60),
    ("60x60", "auto:time=0.001", 40, 600),
]


REBUILT = [
    ("20x20", "sampling:steps=50000,tries=50", 10, 60),
    ("20x20", "linear", 10, 300),
]
"""Played as the advisor and the web page play: each turn from a position that is read anew, by a codebreaker that has
seen nothing."""


def said_to_liar(board: str, spec: str, honest: int, most: int, *, rebuilt: bool = False) -> tuple[str, int]:
    """Play against a codemaker that changes its secret; return what was said, and after how many turns."""
    rules, rng = Rules.parse(board), np.random.default_rng(1)
    secrets = [random_secret(rules, rng) for _ in range(2)]
    breaker, position = codebreakers.get(spec), Position(rules)
    try:
        while len(position.turns) < most and not position.is_won:
            if rebuilt:
                breaker, position = (
                    codebreakers.get(spec),
                    Position(rules, [(code, told) for code, told in position.turns]),
                )
            guess = breaker.guess(position, rng)
            position = position.after(guess, score(guess, secrets[len(position.turns) >= honest], rules))
    except (ContradictionError, TooLargeError) as error:
        return str(error), len(position.turns)
    return "", len(position.turns)


@pytest.mark.parametrize(("board", "spec", "honest", "most"), CASES)
def test_a_codemaker_that_changes_its_secret_is_told(board: str, spec: str, honest: int, most: int) -> None:
    said, turns = said_to_liar(board, spec, honest, most)

    assert "contradict" in said or "no secret" in said
    assert honest < turns < most


@pytest.mark.parametrize(("board", "spec", "honest", "most"), REBUILT)
def test_it_is_told_too_where_each_turn_is_played_anew(board: str, spec: str, honest: int, most: int) -> None:
    said, turns = said_to_liar(board, spec, honest, most, rebuilt=True)

    assert "contradict" in said or "no secret" in said
    assert honest < turns < most
