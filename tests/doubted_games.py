"""Games on boards that nobody can list in which some answers are wrong, for the tests of who notices it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

import naive
from entropeg import codebreakers
from entropeg.codebreakers.doubts import Doubt, doubt_of
from entropeg.codes import random_secret
from entropeg.errors import ContradictionError
from entropeg.feedback import Code, Feedback
from entropeg.position import Position
from entropeg.rules import Rules


class Doubted(NamedTuple):
    """A game up to the first doubt, or to its end: `doubt` is None where it was won without one."""

    position: Position
    secret: Code
    doubt: Doubt | None


def right(guess: Code, secret: Code) -> Feedback:
    """The true answer."""
    black = naive.blacks(guess, secret)
    return Feedback(black, naive.common(guess, secret) - black)


def one_off(answer: Feedback, kind: str) -> Feedback:
    """A wrong answer: a peg `exchanged` between black and white, or a wrong `sum`."""
    black, white = answer
    if kind == "sum":
        return Feedback(black, white + 1)
    return Feedback(black + 1, white - 1) if white else Feedback(black - 1, white + 1)


@lru_cache(maxsize=32)
def play_doubted(board: str, seed: int, wrong: tuple[tuple[int, str], ...], player: str = "belief") -> Doubted:
    """Play with wrong answers at some turns, from 1, until the player doubts or wins; it is asked after each turn."""
    rules, rng, kinds = Rules.parse(board), np.random.default_rng(seed), dict(wrong)
    secret, breaker, position = random_secret(rules, rng), codebreakers.get(player), Position(rules)
    while True:
        try:
            guess = breaker.guess(position, rng)
        except ContradictionError:
            return Doubted(position, secret, doubt_of(breaker, position))
        doubt = doubt_of(breaker, position)
        if doubt is not None:
            return Doubted(position, secret, doubt)
        answer, turn = right(guess, secret), len(position.turns) + 1
        position = position.after_trusted(guess, one_off(answer, kinds[turn]) if turn in kinds else answer)
        if position.is_won:
            return Doubted(position, secret, None)
