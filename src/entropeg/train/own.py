"""Makes puzzles of the mistakes of one's own games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

import numpy as np

from entropeg import arguments
from entropeg.advise.given_games import GivenGame
from entropeg.errors import ContradictionError, InputError, TooLargeError
from entropeg.feedback import Code
from entropeg.game import Game
from entropeg.position import Position, Turn
from entropeg.review.account import review
from entropeg.review.turns import Mark, TurnReview
from entropeg.search.values import PositionValues, can_value
from entropeg.told import Told, plural
from entropeg.train.difficulty import failing_by_trial
from entropeg.train.puzzle import SOLVING, Theme, TrainingPuzzle


def own_mistakes(games: Iterable[Game | GivenGame | Position], *, seed: int = 0) -> Iterator[TrainingPuzzle]:
    """Give the positions in which a mistake or a blunder was made, in the order of the games; none twice.

    Only where values are exact. A guess solves one if it is expected to take no more than 0.02 guesses beyond the best:
    there need not be one best idea. A game without a turn gives none; raises ContradictionError where no code fits.

    >>> game = Position("4x6", ["AABB XO", "ACCD O", "BEBF XXO", "FEBA XXXX"])
    >>> [(str(puzzle.position), puzzle.played.guess) for puzzle in own_mistakes([game])]
    [('AABB XO, ACCD O', (1, 4, 1, 5)), ('AABB XO, ACCD O, BEBF XXO', (5, 4, 1, 0))]
    """
    given: set[Position] = set()
    seed = arguments.seed(seed)
    for game in games:
        position = game if isinstance(game, Position) else game.position
        rules = position.rules.with_limit(None)
        for turn in _reviewed(position, game.name if isinstance(game, GivenGame) else ""):
            before = Position(rules, position.turns[: turn.number - 1])
            if turn.mark in (Mark.mistake, Mark.blunder, Mark.wasted) and turn.loss.is_exact and before not in given:
                given.add(before)
                yield _puzzle(before, turn.turn, seed)


def last_turn_puzzle(position: Position, *, seed: int = 0) -> TrainingPuzzle:
    """Make a puzzle of the last turn of a game, whatever it lost.

    For a turn that lost much it is that of `own_mistakes`. Raises InputError where there is no turn, or where the exact
    search does not know the rules or the size of the position, ContradictionError where no code fits the turns.

    >>> puzzle = last_turn_puzzle(Position("4x6", ["AABB XO", "ACCD O", "BEBF XXO"]))
    >>> puzzle == next(own_mistakes([Position("4x6", ["AABB XO", "ACCD O", "BEBF XXO"])]))
    True
    """
    position = arguments.instance(position, Position, "the game", 'such as Position("4x6", ["AABB XO"])')
    if not position.turns:
        raise InputError("the game has no turn to make a puzzle of")
    position.check_consistent()
    before = Position(position.rules.with_limit(None), position.turns[:-1])
    if not can_value(before.rules, len(before.candidates)):
        codes = plural(len(before.candidates), "{n} code", "{n} codes")
        raise TooLargeError("{codes} of {rules} are left: too many to value", codes, before.rules)
    return _puzzle(before, position.turns[-1], arguments.seed(seed))


def _reviewed(position: Position, name: str) -> tuple[TurnReview, ...]:
    try:
        return review(position).turns if position.turns else ()
    except ContradictionError as error:
        raise ContradictionError(Told("{file}: {error}", name, error) if name else str(error)) from None


def _puzzle(before: Position, turn: Turn, seed: int) -> TrainingPuzzle:
    values, rng = PositionValues.of(before), np.random.default_rng(seed)
    with values.opened():
        # Twelve classes of guesses near the best are kept with a puzzle.
        found, _ = values.best(12)
        mass, best = values.mass, found[0][1]
        most = best + SOLVING * mass
        known = dict(found)

        def solves(guess: Code) -> bool:
            if guess not in known:
                known[guess] = values.after(guess).lower
            return known[guess] <= most

        failing = failing_by_trial(before, solves, rng)
    possible = before.candidates
    near = [guess for guess, total in found if total <= most]
    answers = tuple(sorted(near, key=lambda code: (known[code], code not in possible, code)))
    second = next((Fraction(total, mass) for _, total in found if total > most), None)
    codes = tuple(possible)
    return TrainingPuzzle(Theme.learn, before, codes, answers, Fraction(best, mass), second, failing, played=turn)
