"""The account of a game: the guesses played are those of the best play, and what guesses lost, less what luck gave.

With V(S) the expected number of further guesses of the best play from a set S of codes, 0 once won, and Q(S, g) that of
a guess followed by the best play, a guess loses Q(S, g) - V(S) and its answer is worth Q(S, g) - 1 - V(S'). These add
up: guesses played = V(start) + sum of losses - sum of luck, whatever V is; where it is exact, luck has mean 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import accumulate
from math import fsum
from typing import ClassVar

from entropeg import arguments
from entropeg.advise.contradicted_rows import clues_against
from entropeg.advise.expectation import Expectation, less
from entropeg.codes import is_listable, may_be_secret
from entropeg.errors import InputError, TooLargeError
from entropeg.executors import Crew, Executor
from entropeg.experiments.sharing import shared_work
from entropeg.plain_values import PlainValue
from entropeg.position import Position, Turn
from entropeg.review.assessment import Assessment, Assessor
from entropeg.review.drawing import draw_turns
from entropeg.review.turns import ROUNDED, Thresholds, TurnReview, is_known, number_of, total_of
from entropeg.review.wording import account_line, adjusted_line
from entropeg.rules import Rules

SECONDS = 8.0
"""Seconds for a game, about: with the work begun by then a game of 5x8 takes up to 10."""
OTHERS_SHARE = 0.3
"""Of a time for a game, what may be spent on what others would have played, and as much on the level."""


@dataclass(frozen=True)
class Review(PlainValue):
    """A game, reviewed: `par` guesses of the best play, and the turns.

    `remaining` is V of the last position: 0 where the game was won. `is_late`: the time was over before its last turn.
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("format", "rules", "guesses", "is_won", "is_late", "is_exact", "par", "loss", "luck", "remaining"),
        *("adjusted", "turns"),
    )

    position: Position
    par: Expectation
    turns: tuple[TurnReview, ...]
    remaining: Expectation
    """Guesses that the best play would still take: 0 where the game was won."""
    is_late: bool = False
    """Whether the time was over before the last turn."""

    @property
    def format(self) -> str:
        """First words of a review as data."""
        return "entropeg review 1"

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.position.rules

    @property
    def is_won(self) -> bool:
        """Whether the game was won."""
        return self.position.is_won

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
    def is_known(self) -> bool:
        """Whether every number is exact or an estimate: beyond that there are bounds, which do not add up."""
        return is_known(self.adjusted) and is_known(self.luck)

    @property
    def line(self) -> str:
        """The account on one line: `5 guesses: par 4.34, lost 1.10, good luck +0.44`."""
        return account_line(self.guesses, self.remaining, self.par, self.loss, is_exact=self.is_exact)

    @property
    def adjusted_line(self) -> str:
        """The result without luck, in words: `without luck: 5.44 guesses`."""
        return adjusted_line(self.adjusted)

    def __repr__(self) -> str:
        return f"<Review of {self.position.rules}: {self.line}>"

    def _repr_svg_(self) -> str:
        """Show the review in a notebook: the board, beside each turn its mark, loss and luck."""
        return draw_turns(self.position.rules, self.turns, [self.line, self.adjusted_line])

    @property
    def error(self) -> Fraction | float:
        """The error of the account: 0, in fractions where all are known as such, else rounding."""
        played = self.guesses + number_of(self.remaining)
        return played - number_of(self.par) - number_of(self.loss) + number_of(self.luck)


def review(
    position: Position,
    *,
    thresholds: Thresholds | None = None,
    time: float | None = None,
    seed: int = 0,
    progress: Callable[[int, int], object] | None = None,
) -> Review:
    """Review the turns of a position, in the order in which they were played.

    Exact wherever the exact search can value every position in the time, which is about ``time`` seconds for all turns;
    elsewhere numbers are estimates, and say so. A limit of the rules is left out of the account. Games that were not
    won are reviewed as far as they went.

    By default that is 8 seconds, and 2 a turn where nobody can list the codes. There each turn takes some of it,
    whatever is found: where the time is over, the review has the turns before, as of a game that ended there.

    ``progress`` is called with the numbers of turns done and in all. A caller that gives it gets, after Ctrl-C, the
    review of the first turns, as of a game that ended there: `position` has no more of them. Where there is none, and
    without it, KeyboardInterrupt is raised.

    Raises InputError where there is no turn, ContradictionError where no code fits the turns.

    >>> told = review(Position("4x6", ["AABB XO", "ACCD O", "BEBF XXO", "FEBA XXXX"]))
    >>> print(f"{told.guesses} guesses: par {told.par}, lost {told.loss}, luck {told.luck}")
    4 guesses: par = 4.340, lost = 0.761, luck = 1.101
    """
    position = arguments.instance(position, Position, "the game", 'such as Position("4x6", ["AABB XO"])')
    arguments.call(progress, "progress")
    if not position.turns:
        raise InputError("the game has no turn to review")
    _check_consistent(position)
    marks = Thresholds() if thresholds is None else thresholds
    arguments.instance(marks, Thresholds, "the thresholds", "such as Thresholds(good=0.05)")
    number = len(position.turns)
    is_listed = is_listable(position.rules)
    # Where nobody can list the codes, a turn takes two seconds: an estimate of 12x12 is made in one.
    seconds = max(SECONDS, 0 if is_listed else number * 2.0)
    if time is not None:
        seconds = arguments.number(time, "the time")
    assessor = Assessor(position.rules, seconds=seconds, seed=arguments.seed(seed), positions=number + 1)
    start = Position(position.rules.with_limit(None))
    *before, last = accumulate(position.turns, lambda here, turn: here.after_trusted(*turn), initial=start)
    found, end, is_cut, is_late = list[Assessment](), Expectation.of(Fraction(0)), False, False
    try:
        for here, turn in zip(before, position.turns, strict=True):
            if not is_listed and assessor.is_late and len(found) > 1:
                is_cut = is_late = True
                break
            found.append(assessor.assess(here, turn.guess))
            if progress is not None:
                progress(len(found), len(before))
        if not is_cut and not position.is_won:
            end = assessor.value(last)
    except KeyboardInterrupt:
        if progress is None or len(found) < 2:
            raise
        is_cut = True
    if is_cut:
        end = found.pop().value  # the answer to this guess is not valued yet
        before = before[: len(found)]
        position = Position(position.rules, position.turns[: len(found)])
    values = [*(one.value for one in found), end]
    turns = [
        _reviewed(number, turn, here, one, left, marks)
        for number, (turn, here, one, left) in enumerate(
            zip(position.turns, before, found, values[1:], strict=True), start=1
        )
    ]
    return Review(position, values[0], tuple(turns), end, is_late)


def _check_consistent(position: Position) -> None:
    """Raise ContradictionError where it is known that no code fits the turns.

    The guess that won is a code that fits, if it fits; where else nobody can tell, the review finds codes or says so.
    """
    if position.is_won and not clues_against(position.secret_found, position.turns, position.rules):
        return
    with suppress(TooLargeError):
        position.check_consistent()


def reviews_of(reviews: object) -> list[Review]:
    """Return reviews as a list; raises InputError for anything else."""
    listed = arguments.items(reviews, "the reviews", "[review(game)]")
    return [arguments.instance(one, Review, "a review", "as review returns it") for one in listed]


def _reviewed(
    number: int, turn: Turn, here: Position, found: Assessment, left: Expectation, marks: Thresholds
) -> TurnReview:
    partition, codes = found.partition, found.remaining
    share = partition.shares
    is_listed = codes.is_complete
    chance = share.get(turn.feedback) if is_listed else None
    rarity = None
    if found.left is not None and chance and turn.feedback in found.left:
        worth = found.left[turn.feedback]
        rarity = min(1.0, fsum(share[answer] for answer, value in found.left.items() if value <= worth + ROUNDED))
    loss = less(found.expected, found.value)
    clues = clues_against(turn.guess, here.turns, here.rules)
    # With two codes left there is nothing to choose.
    is_choice = not is_listed or partition.total > 2
    return TurnReview(
        number,
        turn,
        codes.count,
        partition.sizes.get(turn.feedback, 0) if is_listed else None,
        found.value,
        found.expected,
        left,
        found.best,
        found.possible,
        chance,
        rarity,
        clues,
        partition.win_possible if is_listed else not clues and may_be_secret(turn.guess, here.rules),
        marks.mark_of(loss) if is_choice else None,
        None if found.left is None else tuple(found.left.items()),
    )


@dataclass(frozen=True)
class ReviewOptions:
    """How games are reviewed, as `review` takes it."""

    thresholds: Thresholds | None = None
    time: float | None = None
    seed: int = 0


def review_games(
    positions: Sequence[Position],
    *,
    options: ReviewOptions | None = None,
    jobs: int | None = None,
    executor: Executor | Crew | str | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> list[Review | InputError | None]:
    """Review many games, in their order; `jobs` processes share them, by default one a processor, or an `executor`.

    ``progress`` is called with the numbers of games done and in all. After Ctrl-C the reviews that are finished are
    returned, None in the places of the others. In the place of a game that `review` refuses stands its InputError.

    >>> games = [Position("4x6", ["AABB XO", "ACCD O", "BEBF XXO", "FEBA XXXX"])] * 2
    >>> review_games(games)[1].line
    '4 guesses: par 4.34, lost 0.76, good luck +1.10'
    """
    asked = ReviewOptions() if options is None else options
    positions = arguments.items(positions, "the games", '[Position("4x6", ["AABB XO"])]')
    return shared_work(positions, partial(reviewed, options=asked), jobs=jobs, executor=executor, progress=progress)


def reviewed(position: Position, options: ReviewOptions) -> Review | InputError:
    """Review a game, or say why it cannot be: one game that cannot must not stop a thousand."""
    try:
        return review(position, thresholds=options.thresholds, time=options.time, seed=options.seed)
    except InputError as error:
        return error
