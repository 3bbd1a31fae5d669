"""What the codebreakers that play by a plan have in common: memory, taking over a game, catching a lie."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from entropeg import Feedback, Position, Rules, score
from entropeg.codebreakers.dichotomy import Dichotomy
from entropeg.codebreakers.linear.player import Linear
from entropeg.codes import random_guess
from entropeg.errors import ContradictionError
from entropeg.feedback import Code
from strategies import all_feedbacks

RNG = np.random.default_rng(0)

both = pytest.mark.parametrize("breaker", [Dichotomy, Linear])


def positions_of(breaker: type[Any], rules: Rules, secret: Code) -> list[tuple[Position, Code]]:
    """Every position of a game before its end, with the guess that a codebreaker without any memory makes in it."""
    found, position = [], Position(rules)
    while not position.is_won:
        guess = breaker().guess(position, RNG)
        found.append((position, guess))
        position = position.after(guess, score(guess, secret, rules))
    return found


@both
def test_memory_changes_no_guess_in_whatever_order_positions_come(breaker: type[Any]) -> None:
    rules, player = Rules.parse("7x5"), breaker()
    secrets = [(0, 1, 2, 3, 4, 4, 1), (3, 3, 3, 1, 0, 1, 3), (2,) * 7]
    mixed = [turn for secret in secrets for turn in positions_of(breaker, rules, secret)]
    order = [*mixed, *reversed(mixed), *(mixed[i] for i in np.random.default_rng(5).permutation(len(mixed)))]

    assert [guess for _, guess in order] == [player.guess(position, RNG) for position, _ in order]


@both
def test_it_takes_over_a_game_and_asks_nothing_twice(breaker: type[Any]) -> None:
    rules, secret = Rules.parse("5x6"), (5, 0, 3, 3, 1)
    rng = np.random.default_rng(2)
    own = [guess for _, guess in positions_of(breaker, rules, secret)]
    position = Position(rules)
    for guess in [random_guess(rules, rng), own[1], random_guess(rules, rng), own[4]]:
        position = position.after(guess, score(guess, secret, rules))
    guesses = []
    while not position.is_won:
        guesses.append(breaker().guess(position, RNG))
        position = position.after(guesses[-1], score(guesses[-1], secret, rules))

    assert [guess for guess in own if guess not in (own[1], own[4])] == guesses


@both
def test_it_pickles_without_its_memory_and_equals_its_like(breaker: type[Any]) -> None:
    player, start = breaker(), Position(Rules.parse("4x6"))
    first = player.guess(start, RNG)
    again = pickle.loads(pickle.dumps(player))  # noqa: S301 (our own bytes)

    assert player == again == breaker()
    assert first == again.guess(start, RNG)


@both
def test_a_single_lie_is_caught_by_the_end_of_the_game(breaker: type[Any]) -> None:
    rules, secret = Rules.parse("5x4"), (0, 1, 2, 3, 3)
    for position, guess in positions_of(breaker, rules, secret)[:-1]:
        truth = score(guess, secret, rules)
        for wrong in all_feedbacks(rules):
            if wrong not in (truth, Feedback(5, 0)):
                with pytest.raises(ContradictionError):
                    finish(breaker(), position.after(guess, wrong), secret)


def finish(player: Any, position: Position, secret: Code) -> None:
    while not position.is_won:
        guess = player.guess(position, RNG)
        position = position.after(guess, score(guess, secret, position.rules))
    if position.is_contradictory:
        raise ContradictionError("won, against what was told before")
