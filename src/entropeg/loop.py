"""The one loop in which a codebreaker and a codemaker meet; it knows no strategy."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np

from entropeg import arguments, codebreakers, codemakers
from entropeg.codebreakers import Codebreaker
from entropeg.codemakers import Codemaker
from entropeg.codes import AnyCode, check_code
from entropeg.errors import InputError, PlayerError
from entropeg.feedback import AnyFeedback, Code, check_feedback
from entropeg.game import Game
from entropeg.position import Position
from entropeg.registry import name_of
from entropeg.rules import Rules
from entropeg.told import Told, plural


def play(
    codebreaker: Codebreaker | str,
    codemaker: Codemaker | str,
    rules: Rules | str,
    seed: int | None = None,
    *,
    on_turn: Callable[[Position], object] | None = None,
) -> Game:
    """Play one game to its end and return its record.

    Players and rules are given as such or as text. The codemaker first chooses its secret (or none, if it means to
    cheat); then guess and answer take turns until the game is won or the guess limit reached. Codebreaker and
    codemaker draw from generators of their own, both made from the seed: the same rules and seed give the same
    game. Without a seed one is drawn and recorded. `on_turn` is called with the position after each turn. Raises
    InputError where an argument cannot be right, and PlayerError, which is one and names the player, where a player
    returns something that the rules forbid, or a codebreaker repeats itself and would never come to an end.

    >>> game = play("consistent", "honest:ABCA", "4x6", seed=1)
    >>> game.outcome, game.turns[-1].guess
    ('won', (0, 1, 2, 0))
    """
    codebreaker, codemaker, rules = codebreakers.of(codebreaker), codemakers.of(codemaker), Rules.of(rules)
    seed = draw_seed() if seed is None else arguments.seed(seed)
    arguments.call(on_turn, "on_turn")
    breaker_rng, maker_rng = generators(seed)
    started = perf_counter()
    secret = codemaker.choose(rules, maker_rng)
    if secret is not None:
        secret = legal_secret(codemaker, secret, rules)
    position = Position(rules)
    while not position.is_over:
        guess = legal_guess(codebreaker, codebreaker.guess(position, breaker_rng), position)
        answer = legal_answer(codemaker, codemaker.answer(position, guess, secret, maker_rng), position)
        position = position.after_trusted(guess, answer)
        if on_turn is not None:
            on_turn(position)
    seconds = perf_counter() - started
    return Game(rules, position.turns, secret, name_of(codebreaker), name_of(codemaker), seed, seconds)


@dataclass(frozen=True, eq=False)
class Answering:
    """A codemaker in the midst of the game of a seed: it answers the next guess as it does in `play`.

    Immutable: `after` returns the next one, so that a guess can be taken back, or another one made. `position` holds
    the guesses so far with the codemaker's answers, `secret` what it chose, None where it chose none; `rng` is its
    generator, as it stands.

    >>> game = Answering.begin("honest:ABCA", "4x6", seed=1).after("AABB")
    >>> str(game.position), game.secret
    ('AABB XOO', (0, 1, 2, 0))
    """

    codemaker: Codemaker
    secret: Code | None
    position: Position
    rng: np.random.Generator

    @classmethod
    def begin(cls, codemaker: Codemaker | str, rules: Rules | str, seed: int) -> Answering:
        """Let the codemaker choose; raises InputError where it cannot, or chooses what the rules forbid."""
        codemaker, rules = codemakers.of(codemaker), Rules.of(rules)
        _, rng = generators(arguments.seed(seed))
        chosen = codemaker.choose(rules, rng)
        secret = None if chosen is None else legal_secret(codemaker, chosen, rules)
        return cls(codemaker, secret, Position(rules), rng)

    def after(self, guess: AnyCode) -> Answering:
        """Return the game after a guess that the codemaker answers; raises InputError where it is over."""
        if self.position.is_over:
            raise InputError(
                "the game is over after {guesses}", plural(len(self.position.turns), "{n} guess", "{n} guesses")
            )
        guess, rng = self.position.check_guess(guess), deepcopy(self.rng)
        answer = self.codemaker.answer(self.position, guess, self.secret, rng)
        legal = legal_answer(self.codemaker, answer, self.position)
        return replace(self, position=self.position.after_trusted(guess, legal), rng=rng)


def generators(seed: int) -> tuple[np.random.Generator, np.random.Generator]:
    """Return the generators of codebreaker and codemaker for a seed; they are independent of each other."""
    breaker, maker = np.random.SeedSequence(seed).spawn(2)
    return np.random.default_rng(breaker), np.random.default_rng(maker)


def draw_seed() -> int:
    """Draw a seed from the system's entropy: 32 bits, short enough to be typed again."""
    return int(np.random.SeedSequence().generate_state(1)[0])


def legal_guess(codebreaker: Codebreaker, guess: Any, position: Position) -> Code:
    """Return what a codebreaker guessed as a code.

    PlayerError names it and the turn where the rules forbid the guess, and where it repeats itself for ever.
    """
    name, turn = name_of(codebreaker), len(position.turns) + 1
    try:
        code = position.check_guess(guess)
    except InputError as error:
        raise PlayerError(
            Told("the codebreaker {name} made an illegal guess at turn {turn}: {error}", name, turn, error), name
        ) from None
    if endless := position.endless(code):
        raise PlayerError(Told("the codebreaker {name} would never end the game: {endless}", name, endless), name)
    return code


def legal_answer(codemaker: Codemaker, answer: Any, position: Position) -> AnyFeedback:
    """Return what a codemaker answered as feedback; PlayerError names it and the turn where no secret could give it."""
    try:
        return check_feedback(answer, position.rules)
    except InputError as error:
        name, turn = name_of(codemaker), len(position.turns) + 1
        raise PlayerError(
            Told("the codemaker {name} gave an impossible answer at turn {turn}: {error}", name, turn, error), name
        ) from None


def legal_secret(codemaker: Codemaker, secret: Any, rules: Rules) -> Code:
    """Return what a codemaker chose as a code; raises PlayerError, naming it, where the rules forbid the secret."""
    try:
        return check_code(secret, rules, secret=True)
    except InputError as error:
        name = name_of(codemaker)
        raise PlayerError(Told("the codemaker {name} chose an illegal secret: {error}", name, error), name) from None
