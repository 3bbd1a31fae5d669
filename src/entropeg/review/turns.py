"""Holds the review of one turn: what was known, what the guess lost, what its answer gave; and sums of such numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import hypot, isfinite
from typing import ClassVar

from entropeg import arguments
from entropeg.advise.contradicted_rows import Clue
from entropeg.advise.expectation import Expectation, error_of, less
from entropeg.errors import InputError
from entropeg.feedback import AnyFeedback, Code
from entropeg.position import ToldTurn, Turn
from entropeg.told import Told, words

ROUNDED = 1e-9
"""Losses below this are none: they come from rounding, under priors."""


class Mark(StrEnum):
    """The mark of a guess, by its loss."""

    best = "best"
    good = "good"
    inaccuracy = "inaccuracy"
    mistake = "mistake"
    blunder = "blunder"
    wasted = "wasted"

    @property
    def told(self) -> Told:
        """The mark, for people."""
        said = words("mark", "best", "good", "inaccuracy", "mistake", "blunder", "wasted")
        return dict(zip(Mark, said, strict=True))[self]


@dataclass(frozen=True)
class Thresholds:
    """Up to which loss a guess is good, an inaccuracy, a mistake; beyond it is a blunder."""

    good: float = 0.06
    inaccuracy: float = 0.15
    mistake: float = 0.30

    def __post_init__(self) -> None:
        """Raise InputError where they do not rise from 0 to 1."""
        levels = [arguments.number(level, "a threshold") for level in (self.good, self.inaccuracy, self.mistake)]
        if levels != sorted(levels) or levels[-1] > 1:
            raise InputError("the thresholds are {levels}; they must rise, from 0 to 1 at most, as .06 .15 .30", levels)

    def mark(self, loss: float) -> Mark:
        """Return the mark of a guess that lost so much.

        >>> [Thresholds().mark(loss).value for loss in (0, 0.06, 0.1, 0.2, 0.9, 1)]
        ['best', 'good', 'inaccuracy', 'mistake', 'blunder', 'wasted']
        """
        if loss <= ROUNDED:
            return Mark.best
        if loss >= 1 - ROUNDED:
            return Mark.wasted
        levels = ((self.good, Mark.good), (self.inaccuracy, Mark.inaccuracy), (self.mistake, Mark.mistake))
        return next((mark for level, mark in levels if loss <= level), Mark.blunder)

    def mark_of(self, loss: Expectation) -> Mark | None:
        """Return the mark of a guess: of an estimate the mildest within its error, None where it may as well be best.

        >>> told = [Thresholds().mark_of(Expectation.about(loss, 0.02)) for loss in (0.0, 0.03, 0.05, 0.09, 0.2)]
        >>> [mark and mark.value for mark in told]
        ['good', 'good', 'good', 'inaccuracy', 'mistake']
        >>> Thresholds().mark_of(Expectation.about(0.2, 0.5)) is None
        True
        """
        if loss.is_exact:
            return self.mark(loss.value)
        least, most = self.mark(loss.value - loss.error), self.mark(loss.value + loss.error)
        if least is Mark.best:
            return Mark.good if most in {Mark.best, Mark.good} else None
        return Mark.blunder if least is Mark.wasted else least


@dataclass(frozen=True)
class TurnReview(ToldTurn):
    """One turn: what was known, what the guess lost, and what its answer gave.

    `before` and `after` are numbers of codes, None where nobody can count them. `value` is V before the turn and `left`
    after it, `expected` is Q of the guess. `best` is a guess that loses nothing, with its Q, and `possible` the best of
    those that may be the secret. `chance` is that of the answer, `rarity` that of one at least as good. They are None
    where they are not known. `clues` are earlier rows that rule the guess out as the secret. `mark` is None where there
    was no choice, or an estimate cannot tell.
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("guess", "feedback", "before", "after", "mark", "loss", "luck", "value", "expected", "left"),
        *("best=best_guess", "best_expected", "best_possible", "best_possible_expected", "is_possible"),
        *("chance", "rarity", "clues"),
    )

    number: int
    turn: Turn
    before: int | None
    """Codes left before it; null where nobody can count them."""
    after: int | None
    value: Expectation
    """Guesses of the best play before the turn."""
    expected: Expectation
    """Guesses expected with this guess."""
    left: Expectation
    """Guesses of the best play after the turn."""
    best: tuple[Code, Expectation]
    possible: tuple[Code, Expectation] | None
    chance: float | None
    """How likely the answer was."""
    rarity: float | None
    """How likely an answer at least as good was."""
    clues: tuple[Clue, ...]
    is_possible: bool
    """Whether the guess may be the secret; also False where the rules allow no such secret."""
    mark: Mark | None
    answers: tuple[tuple[AnyFeedback, float], ...] | None = None
    """The answers that could come, with V of what each leaves, where these are known exactly."""

    def __repr__(self) -> str:
        return f"<TurnReview {self.number}: {self.mark or 'no mark'}, loss {self.loss}, luck {self.luck}>"

    @property
    def best_guess(self) -> Code:
        """A guess that loses nothing."""
        return self.best[0]

    @property
    def best_expected(self) -> Expectation:
        """Guesses expected with it."""
        return self.best[1]

    @property
    def best_possible(self) -> Code | None:
        """The best of the guesses that may be the secret."""
        return None if self.possible is None else self.possible[0]

    @property
    def best_possible_expected(self) -> Expectation | None:
        """Guesses expected with it."""
        return None if self.possible is None else self.possible[1]

    @property
    def loss(self) -> Expectation:
        """What the guess cost: at least 0 and at most 1 where it is exact; an estimate may be below 0."""
        return less(self.expected, self.value)

    @property
    def luck(self) -> Expectation:
        """What the answer gave: guesses saved against what was to be expected."""
        return less(self.expected.plus(-1), self.left)


def total_of(numbers: Sequence[Expectation]) -> Expectation:
    """The sum of numbers: exact where all are, else an estimate; its error is infinite beside a bound."""
    if all(number.fraction is not None for number in numbers):
        return Expectation.of(sum((number.fraction or Fraction(0) for number in numbers), Fraction(0)))
    whole = sum(number.value for number in numbers)
    if all(number.is_exact for number in numbers):
        return Expectation.of(whole)
    return Expectation.about(whole, hypot(*map(error_of, numbers)))


def is_known(number: Expectation) -> bool:
    """Tell whether a number is known, exactly or with an error: of a bound, and what was made of it, nobody can say.

    >>> one, bound = Expectation.of(3), Expectation.at_least(3)
    >>> is_known(less(one, Expectation.about(2.5, 0.1))), is_known(less(one, bound)), is_known(bound)
    (True, False, False)
    """
    return isfinite(error_of(number))


def number_of(expected: Expectation) -> Fraction | float:
    """The number as exactly as it is known."""
    return expected.value if expected.fraction is None else expected.fraction
