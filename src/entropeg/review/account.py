"""The account of a game: the guesses played are those of the best play, and what guesses lost, less what luck gave.

With V(S) the expected number of further guesses of the best play from a set S of codes, 0 once won, and Q(S, g) that of
a guess followed by the best play, a guess loses Q(S, g) - V(S) and its answer is worth Q(S, g) - 1 - V(S'). These add
up: guesses played = V(start) + sum of losses - sum of luck, whatever V is; where it is exact, luck has mean 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import hypot

from entropeg import arguments
from entropeg.advise.expectation import Expectation
from entropeg.errors import InputError
from entropeg.feedback import Code
from entropeg.position import Position, Turn
from entropeg.review.assessment import Assessment, Assessor
from entropeg.review.clues import Clue, clues_against

SECONDS = 10.0
"""For a game, about."""
NO_CHOICE = 2
"""With at most so many codes left there is nothing to choose."""
ROUNDED = 1e-9
"""Losses below this are none: they come from rounding, under priors."""


class Mark(StrEnum):
    """What is said of a guess by what it lost."""

    best = "best"
    good = "good"
    inaccuracy = "inaccuracy"
    mistake = "mistake"
    blunder = "blunder"
    wasted = "wasted"


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
            raise InputError(f"the thresholds are {levels}; they must rise, from 0 to 1 at most, as .06 .15 .30")

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


@dataclass(frozen=True)
class TurnReview:
    """One turn: what was known, what the guess lost, and what its answer gave.

    `before` and `after` are numbers of codes, None where nobody can count them. `value` is V before the turn and `left`
    after it, `expected` is Q of the guess. `best` is a guess that loses nothing, with its Q. `chance` is that of the
    answer, `rarity` that of one at least as good, None where they are not known. `clues` are earlier rows that rule the
    guess out as the secret. `mark` is None where there was no choice.
    """

    number: int
    turn: Turn
    before: int | None
    after: int | None
    value: Expectation
    expected: Expectation
    left: Expectation
    best: tuple[Code, Expectation]
    chance: float | None
    rarity: float | None
    clues: tuple[Clue, ...]
    mark: Mark | None

    @property
    def loss(self) -> Expectation:
        """What the guess cost: at least 0 and at most 1 where it is exact; an estimate may be below 0."""
        return less(self.expected, self.value)

    @property
    def luck(self) -> Expectation:
        """What the answer gave: guesses saved against what was to be expected."""
        return less(self.expected.plus(-1), self.left)


@dataclass(frozen=True)
class Review:
    """A game, reviewed: `par` guesses of the best play, and the turns.

    `remaining` is V of the last position: 0 where the game was won.
    """

    position: Position
    par: Expectation
    turns: tuple[TurnReview, ...]
    remaining: Expectation

    @property
    def guesses(self) -> int:
        """Guesses played."""
        return len(self.turns)

    @property
    def loss(self) -> Expectation:
        """All guesses lost."""
        return total_of([turn.loss for turn in self.turns])

    @property
    def luck(self) -> Expectation:
        """All guesses won by luck."""
        return total_of([turn.luck for turn in self.turns])

    @property
    def adjusted(self) -> Expectation:
        """The result without luck: par and what was lost."""
        return total_of([self.par, self.loss])

    @property
    def is_exact(self) -> bool:
        """Whether every number is exact."""
        return self.adjusted.is_exact and self.luck.is_exact

    @property
    def error(self) -> Fraction | float:
        """What the account is off by: 0, in fractions where all are known as such, else rounding."""
        played = self.guesses + number_of(self.remaining)
        return played - number_of(self.par) - number_of(self.loss) + number_of(self.luck)


def review(
    position: Position,
    *,
    thresholds: Thresholds | None = None,
    seconds: float = SECONDS,
    seed: int = 0,
) -> Review:
    """Review the turns of a position, in the order in which they were played.

    Exact wherever the exact search can value every position in the time, which is about ``seconds`` for all turns;
    elsewhere numbers are estimates, and say so. A limit of the rules is left out of the account. Games that were not
    won are reviewed as far as they went.

    Raises InputError where there is no turn, ContradictionError where no code fits the turns.

    >>> told = review(Position("4x6", ["AABB XO", "ACCD O", "BEBF XXO", "FEBA XXXX"]))
    >>> print(f"{told.guesses} guesses: par {told.par}, lost {told.loss}, luck {told.luck}")
    4 guesses: par = 4.340, lost = 0.761, luck = 1.101
    """
    if not position.turns:
        raise InputError("the game has no turn to review")
    position.check_consistent()
    marks = Thresholds() if thresholds is None else thresholds
    assessor = Assessor(position.rules, seconds=arguments.number(seconds, "the time"), seed=arguments.seed(seed))
    before = [
        Position(position.rules.with_limit(None), position.turns[:played]) for played in range(len(position.turns))
    ]
    found = [assessor.assess(here, turn.guess) for here, turn in zip(before, position.turns, strict=True)]
    end = Expectation.of(Fraction(0)) if position.is_won else assessor.value(position)
    values = [*(one.value for one in found), end]
    turns = [
        _reviewed(number, turn, here, one, left, marks)
        for number, (turn, here, one, left) in enumerate(
            zip(position.turns, before, found, values[1:], strict=True), start=1
        )
    ]
    return Review(position, values[0], tuple(turns), end)


def _reviewed(
    number: int, turn: Turn, here: Position, found: Assessment, left: Expectation, marks: Thresholds
) -> TurnReview:
    partition, codes = found.partition, found.remaining
    share = partition.chances or {answer: size / partition.total for answer, size in partition.sizes.items()}
    is_listed = codes.is_complete
    chance = share.get(turn.feedback) if is_listed else None
    rarity = None
    if found.left is not None and turn.feedback in found.left:
        worth = found.left[turn.feedback]
        rarity = sum(share[answer] for answer, value in found.left.items() if value <= worth + ROUNDED)
    loss = less(found.expected, found.value)
    is_choice = not is_listed or partition.total > NO_CHOICE
    return TurnReview(
        number,
        turn,
        codes.count,
        partition.sizes.get(turn.feedback, 0) if is_listed else None,
        found.value,
        found.expected,
        left,
        found.best,
        chance,
        rarity,
        clues_against(turn.guess, here.turns, here.rules),
        marks.mark(loss.value) if is_choice else None,
    )


def less(one: Expectation, other: Expectation) -> Expectation:
    """The difference of two numbers: exact where both are, else an estimate."""
    if one.is_exact and other.is_exact:
        if one.fraction is None or other.fraction is None:
            return Expectation.of(one.value - other.value)
        return Expectation.of(one.fraction - other.fraction)
    return Expectation.about(one.value - other.value, hypot(one.error, other.error))


def total_of(numbers: Sequence[Expectation]) -> Expectation:
    """The sum of numbers: exact where all are, else an estimate."""
    if all(number.fraction is not None for number in numbers):
        return Expectation.of(sum((number.fraction or Fraction(0) for number in numbers), Fraction(0)))
    whole = sum(number.value for number in numbers)
    if all(number.is_exact for number in numbers):
        return Expectation.of(whole)
    return Expectation.about(whole, hypot(*(number.error for number in numbers)))


def number_of(expected: Expectation) -> Fraction | float:
    """The number as exactly as it is known."""
    return expected.value if expected.fraction is None else expected.fraction
