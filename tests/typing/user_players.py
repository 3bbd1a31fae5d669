"""Players of a user: any class with the methods is one, whatever it inherits and calls its arguments."""

from typing import assert_type

import numpy as np

from entropeg import (
    Codebreaker,
    Codemaker,
    Feedback,
    Game,
    Position,
    Rules,
    StrategyTree,
    arena,
    check_codebreaker,
    check_codemaker,
    codebreakers,
    codemakers,
    play,
    score,
)
from entropeg.feedback import AnyFeedback


class First:
    """Guesses the first code that fits; its arguments have names of its own."""

    deterministic = True

    def guess(self, board: Position, chance: np.random.Generator) -> tuple[int, ...]:
        return board.candidates[0]


class Open:
    """A codemaker that shows its secret to nobody, with names of its own for all that it is given."""

    def choose(self, game: Rules, chance: np.random.Generator) -> tuple[int, ...]:
        return tuple(chance.integers(game.colors, size=game.pegs).tolist())

    def answer(
        self, board: Position, asked: tuple[int, ...], hidden: tuple[int, ...] | None, chance: np.random.Generator
    ) -> AnyFeedback:
        assert hidden is not None
        return score(asked, hidden, board.rules)


class Narrow:
    """A codemaker that settles on nothing, and of which it is known that it answers in black and white."""

    def choose(self, rules: Rules, rng: np.random.Generator) -> None:
        return None

    def answer(self, position: Position, guess: tuple[int, ...], secret: object, rng: object) -> Feedback:
        found = score(guess, position.candidates[-1], position.rules)
        return Feedback(found.black, found.white)


class Wrapped:
    """A codebreaker that asks another one."""

    def __init__(self, other: Codebreaker) -> None:
        self.other = other

    def guess(self, position: Position, rng: np.random.Generator, /) -> tuple[int, ...]:
        return self.other.guess(position, rng)


breaker: Codebreaker = First()
makers: list[Codemaker] = [Open(), Narrow()]
assert_type(play(First(), Open(), "2x3", seed=1), Game)
assert_type(play(Wrapped(First()), Narrow(), Rules(2, 3), 1, on_turn=str), Game)
assert_type(play("consistent", "honest:AB", "2x3"), Game)
arena([First(), "consistent"], makers, "2x3", games=3)
check_codebreaker(First(), "2x3")
check_codemaker(Open(), "2x3", games=1)
assert_type(StrategyTree.build(First(), "2x3"), StrategyTree)
assert_type(codebreakers.get("consistent"), Codebreaker)
assert_type(codemakers.get("honest"), Codemaker)
assert_type(codebreakers.names(), list[str])
assert isinstance(First(), Codebreaker)
assert isinstance(Open(), Codemaker)
