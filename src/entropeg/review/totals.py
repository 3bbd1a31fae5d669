"""Adds up the reviews of many games: what they lost and won by luck on average, and how often each mark was given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from statistics import fmean
from typing import ClassVar

from entropeg.advise.expectation import Expectation
from entropeg.errors import InputError
from entropeg.experiments.confidence import half_width
from entropeg.plain_values import Finite, PlainValue
from entropeg.review.account import Review, reviews_of
from entropeg.review.turns import Mark, is_known, total_of
from entropeg.told import Told, plural


@dataclass(frozen=True)
class GameResult:
    """The result of a review without its turns: as much as totals need. `marks` are those of the turns, in order."""

    guesses: int
    is_won: bool
    par: Expectation
    loss: Expectation
    luck: Expectation
    remaining: Expectation
    marks: tuple[Mark | None, ...]

    @classmethod
    def of(cls, review: Review) -> GameResult:
        """Take it from a review."""
        marks = tuple(turn.mark for turn in review.turns)
        won = review.position.is_won
        return cls(review.guesses, won, review.par, review.loss, review.luck, review.remaining, marks)

    @property
    def is_known(self) -> bool:
        """Whether every number is exact or an estimate: `Review.is_known`."""
        return all(map(is_known, (total_of([self.par, self.loss]), self.luck, self.remaining)))

    @property
    def is_exact(self) -> bool:
        """Whether every number is exact."""
        return self.par.is_exact and self.loss.is_exact and self.luck.is_exact


@dataclass(frozen=True)
class Totals(PlainValue):
    """What some games of one player add up to; means are over the games of which the account is known, `known` of them.

    `adjusted` is the mean result without luck, par and what was lost; `loss_error` half the width of its 95 % interval
    and of that of `loss`, None of one game; `raw_error` that of the mean of guesses. Means are NaN without
    such games. Where a game was not won, guesses count what the best play would still take. `marks` has how many
    guesses got each mark, `unmarked` how many had none.
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("games", "known", "won", "guesses", "par", "loss", "luck", "adjusted", "guesses_error=raw_error"),
        *("adjusted_error=loss_error", "is_exact", "marks", "unmarked"),
    )

    games: int
    known: int
    won: int
    guesses: Finite
    par: Finite
    loss: Finite
    luck: Finite
    raw_error: float | None
    loss_error: float | None
    marks: dict[Mark, int]
    unmarked: int
    is_exact: bool

    def __repr__(self) -> str:
        means = f"{self.guesses:.2f} guesses, par {self.par:.2f}, lost {self.loss:.2f}, luck {self.luck:+.2f}"
        return f"<Totals of {plural(self.games, '{n} game', '{n} games')}: {means}>"

    @property
    def adjusted(self) -> Finite:
        """The mean result without luck."""
        return self.par + self.loss

    @classmethod
    def of(cls, reviews: Sequence[Review]) -> Totals:
        """Add up reviews, one or more.

        >>> from entropeg import Position
        >>> from entropeg.review import review
        >>> totals = Totals.of([review(Position("4x6", ["AABB XO", "ACCD O", "BEBF XXO", "FEBA XXXX"]))] * 2)
        >>> round(totals.adjusted, 3), totals.marks[Mark.good]
        (5.101, 4)
        """
        return cls.of_results([GameResult.of(review) for review in reviews_of(reviews)])

    @classmethod
    def of_results(cls, results: Sequence[GameResult]) -> Totals:
        """Add up results of reviews, one or more."""
        if not results:
            raise InputError("there is no review to add up")
        known = [one for one in results if one.is_known]
        played = [one.guesses + one.remaining.value for one in known]
        losses = [one.loss.value for one in known]
        marks = Counter(mark for one in results for mark in one.marks)
        return cls(
            games=len(results),
            known=len(known),
            won=sum(one.is_won for one in results),
            guesses=_mean(played),
            par=_mean([one.par.value for one in known]),
            loss=_mean(losses),
            luck=_mean([one.luck.value for one in known]),
            raw_error=half_width(played),
            loss_error=half_width(losses),
            marks={mark: marks[mark] for mark in Mark},
            unmarked=marks[None],
            is_exact=all(one.is_exact for one in results),
        )

    def shares(self) -> dict[Mark, float]:
        """Return the share of each mark among the guesses that had one; 0 where none had."""
        marked = sum(self.marks.values())
        return {mark: count / marked if marked else 0.0 for mark, count in self.marks.items()}

    def lines(self, name: str) -> list[str]:
        """Say what the games of a player add up to, in two lines."""
        games = plural(self.games, "{n} game", "{n} games")
        if not self.known:
            return [Told("{name}: {games}, of which nobody can say what was lost and what was luck", name, games)]
        if self.known < self.games:
            games = Told("{games} ({known:,} of them added up)", games, self.known)
        guesses, adjusted = _within(self.guesses, self.raw_error), _within(self.adjusted, self.loss_error)
        adjusted = adjusted if self.is_exact else Told("about {number}", adjusted)
        marks = [Told("{percent:.0f} % {mark}", 100 * share, mark) for mark, share in self.shares().items() if share]
        lost = (
            Told("lost {loss:.2f} a game; of its marked guesses {marks:list}", self.loss, marks)
            if marks
            else Told("lost {loss:.2f} a game; of its marked guesses there is none", self.loss)
        )
        counted = (name, games, guesses, adjusted)
        return [Told("{name}: {games}, {guesses} guesses, {adjusted} without luck", *counted), "  " + lost]


def by_player(games: Sequence[tuple[str, Review]]) -> dict[str, list[Review]]:
    """Group reviews, each with the name of its player or none, by player and rules: `Anna on 4x6`, or `4x6`."""
    groups: dict[str, list[Review]] = {}
    for name, review in games:
        board = str(review.position.rules)
        groups.setdefault(Told("{player} on {rules}", name, board) if name else board, []).append(review)
    return groups


def _within(number: float, error: float | None) -> Told:
    return Told("{number:.2f}", number) if error is None else Told("{number:.2f} ± {error:.2f}", number, error)


def _mean(numbers: Sequence[float]) -> float:
    return fmean(numbers) if numbers else nan
