"""Asks a course module only once what it answers in the same game after the same turns.

In a tournament a codebreaker meets many codemakers under the same seeds. Where two codemakers answer alike, as two
honest ones of the same secret do, the module would work out the same guesses again. What it has answered is kept
instead, by the seed of the game and what it was told; where a game takes another way, the module is taken along the
turns before and asked. So no game costs more than without, and every game is the one that would have been played.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from entropeg.classroom.players import CourseCodebreaker, CourseCodemaker
from entropeg.errors import EntropegError
from entropeg.feedback import AnyFeedback, Code
from entropeg.game import Game
from entropeg.loop import play
from entropeg.position import Position
from entropeg.registry import name_of
from entropeg.rules import Rules

KnownAnswers: TypeAlias = dict[tuple[Any, ...], Any]


@dataclass
class Recall:
    """What course modules have answered: by player, board and seed of the game, then by what they were told in it."""

    known: dict[tuple[Any, Rules, int], KnownAnswers] = field(default_factory=dict)
    unsteady: set[Any] = field(default_factory=set)
    """Modules that answered otherwise when they were asked again: nothing is kept of them."""

    def game(self, codebreaker: Any, codemaker: Any, rules: Rules, seed: int) -> Game:
        """Play the game that `entropeg.loop.play` plays, with as few questions to course modules as it takes."""
        while True:
            breaker = codebreaker
            if isinstance(codebreaker, CourseCodebreaker) and codebreaker not in self.unsteady:
                breaker = RecalledCodebreaker(codebreaker, self)
            maker = codemaker
            if isinstance(codemaker, CourseCodemaker) and codemaker not in self.unsteady:
                maker = RecalledCodemaker(codemaker, self)
            try:
                return play(breaker, maker, rules, seed)
            except UnsteadyError as error:
                self.unsteady.add(error.player)  # the game is played again without what it answered before


class UnsteadyError(EntropegError):
    """A module answers otherwise than before, with the same seed and after the same turns."""

    def __init__(self, player: Any) -> None:
        super().__init__("{player} answers otherwise when it is asked again", name_of(player))
        self.player = player


@dataclass(frozen=True)
class _Redrawn:
    """The seed that a player draws first in its game, as a generator that has nothing else."""

    seed: int

    def integers(self, _below: int) -> int:
        return self.seed


@dataclass
class _Recalled:
    player: Any
    recall: Recall
    seed: int = -1
    asked: list[tuple[Callable[[Any], Any], Any]] = field(default_factory=list)
    """Of each turn of the game: how the module is asked there, and what it answered."""
    reached: int = 0
    """Turns at which the module itself has been asked in this game."""

    @property
    def name(self) -> str:
        return name_of(self.player)

    def _ask(self, rules: Rules, rng: np.random.Generator, told: tuple[Any, ...], ask: Callable[[Any], Any]) -> Any:
        if not self.asked:
            self.seed = int(rng.integers(1 << 32))
        answers = self.recall.known.setdefault((self.player, rules, self.seed), {})
        answer = answers.get(told)
        if answer is None:
            for earlier, answered in self.asked[self.reached :]:
                if earlier(_Redrawn(self.seed)) != answered:
                    raise UnsteadyError(self.player)
            answer = ask(_Redrawn(self.seed))
            self.reached = len(self.asked) + 1
            if len(self.asked) < 40:  # longer games are those of chance, and never alike
                answers[told] = answer
        self.asked.append((ask, answer))
        return answer


@dataclass
class RecalledCodebreaker(_Recalled):
    """A course codebreaker in one game: asked where nobody knows what it guesses."""

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return its guess."""
        told = tuple(turn.feedback for turn in position.turns)
        guess: Code = self._ask(position.rules, rng, told, lambda drawn: self.player.guess(position, drawn))
        return guess


@dataclass
class RecalledCodemaker(_Recalled):
    """A course codemaker in one game: asked where nobody knows what it answers."""

    def choose(self, rules: Rules, rng: np.random.Generator) -> Code | None:
        """Settle on nothing that we know of."""
        secret: Code | None = self.player.choose(rules, rng)
        return secret

    def answer(self, position: Position, guess: Code, secret: Code | None, rng: np.random.Generator) -> AnyFeedback:
        """Return its answer."""
        told = (*(turn.guess for turn in position.turns), guess)
        answer: AnyFeedback = self._ask(
            position.rules, rng, told, lambda drawn: self.player.answer(position, guess, secret, drawn)
        )
        return answer
