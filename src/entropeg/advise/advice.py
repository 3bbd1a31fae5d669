"""Advice on the next guess: the codes still possible, the best guesses with what each is worth, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from textwrap import wrap
from time import perf_counter
from typing import ClassVar

from entropeg.advise.expectation import Expectation
from entropeg.advise.notes import Notes
from entropeg.advise.question import LIMIT, SECONDS, AdviceQuestion, Marginals, Remaining, ToldChances
from entropeg.advise.ranking.listed import listed
from entropeg.advise.ranking.ranker import Ranking
from entropeg.advise.ranking.sampled import sampled
from entropeg.advise.ranking.searched import booked, can_search, searched
from entropeg.advise.rated import COLUMNS, RatedGuess, explain_guess, explain_last_guess, numbers_in_words
from entropeg.chosen_language import translated
from entropeg.codes import AnyCode, format_code
from entropeg.feedback import Code
from entropeg.partition import AnswerLeft
from entropeg.position import AtPosition, Position
from entropeg.rules import Rules
from entropeg.told import Told, plural


@dataclass(frozen=True)
class Advice(AtPosition, ToldChances):
    """What there is to say of the next guess at a position.

    `remaining` are the codes still possible, or a sample of them; `value` the expected number of guesses from here on
    if play is optimal, and `guesses` the best ones, the best first. Where `is_proven`, no guess that is not listed is
    better than the last one that is; of guesses that a symmetry of the position maps to each other, and of guesses that
    split the codes alike, one stands for all. `also` are the guesses that the caller asked about. Where the limit of
    the rules leaves one guess for more than one code, the likeliest codes come first.
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("rules", "left=remaining", "value", "is_proven", "keeps_limit", "is_last_guess", "guesses", "also", "says"),
        *("answers", "marginals", "copies", "presence", "seconds"),
    )

    position: Position
    remaining: Remaining
    value: Expectation
    """Guesses expected from here on with the best play."""
    guesses: tuple[RatedGuess, ...]
    is_proven: bool
    """Whether no guess that is not listed is better than the last one that is."""
    also: tuple[RatedGuess, ...] = ()
    keeps_limit: bool = True
    """Whether the best play finds every code within the guesses that the limit of the rules leaves."""
    candidate: RatedGuess | None = None
    """The best of the codes left as a guess, where none is among `guesses` and the search could tell in time."""
    seconds: float = 0.0
    guesses_left: int | None = None
    """How many guesses the limit of the rules leaves, after all rows; None without a limit."""

    @property
    def says(self) -> list[str]:
        """What each of `guesses` does in a sentence or two, and then each of those asked about."""
        return [self.explain(guess) for guess in (*self.guesses, *self.also)]

    @property
    def answers(self) -> tuple[AnswerLeft, ...]:
        """What each answer to the best guess leaves, the most codes first."""
        return self.best.answers if self.guesses else ()

    @cached_property
    def chances(self) -> Marginals | None:
        """What is known of each peg and each color; None where there are no pegs."""
        return self.remaining.marginals() if self.rules.has_pegs else None

    @property
    def is_last_guess(self) -> bool:
        """Whether the limit of the rules leaves one guess, and more codes than one are left."""
        return self.guesses_left == 1 and self.remaining.count != 1

    @property
    def best(self) -> RatedGuess:
        """The guess to make."""
        return self.guesses[0]

    @property
    def best_candidate(self) -> RatedGuess | None:
        """The best of the codes left as a guess; None where the search could not tell in time."""
        if not self.is_proven:
            return None
        return next((one for one in self.guesses if one.is_candidate), self.candidate)

    def __repr__(self) -> str:
        rules, count = self.position.rules, self.remaining.count
        left = "codes left that nobody counts" if count is None else f"{plural(count, '{n} code', '{n} codes')} left"
        best = f"{format_code(self.best.guess, rules)} {self.best.expected}" if self.guesses else "no guess"
        return f"<Advice on {rules}, {plural(len(self.position.turns), '{n} turn', '{n} turns')}: {left}, {best}>"

    def explain(self, guess: RatedGuess | None = None) -> str:
        """Say in one or two sentences what a guess does, by default the best one."""
        guess, rules = guess or self.best, self.position.rules
        if self.is_last_guess:
            return explain_last_guess(guess, self.best, rules)
        return explain_guess(guess, self.best, self.best_candidate, rules)

    def _repr_svg_(self) -> str:
        """Show the advice in a notebook: the guesses with their numbers, and the best one in words."""
        from entropeg.svg.guesses import draw_guesses  # the room of pictures is loaded when one is wanted

        rules, remaining = self.position.rules, self.remaining
        listed = [*self.guesses, *(one for one in self.also if one not in self.guesses)]
        rows = [(one.guess, [*map(translated, numbers_in_words(one))]) for one in listed]
        heading = (
            Told("{rules}: too many codes to count", rules)
            if remaining.count is None
            else plural(remaining.count, "{rules}: {n} code left", "{rules}: {n} codes left", rules)
        )
        notes = wrap(translated(self.explain()), 80)
        notes += [] if self.is_proven else [translated(Told("other guesses may be better"))]
        return draw_guesses(rules, [*map(translated, COLUMNS)], rows, translated(heading), notes=notes)


def advise(
    board: Position | Notes | Rules | str,
    *,
    limit: int = LIMIT,
    also: Iterable[AnyCode] = (),
    time: float = SECONDS,
    seed: int = 0,
) -> Advice:
    """Advise on the next guess: the best guesses, ``limit`` of them, with what each is expected to take.

    ``board``: a position, or `Notes` of which rows may be incomplete, or rules at the start of a game. ``also`` are
    guesses of the caller's own, rated beside them. ``time`` is that of the exact search, about, in seconds: where it
    cannot tell in time, numbers are estimates, and say so. Estimates draw by the seed, exact numbers do not.

    Raises InputError where the game is over or a guess is no code of the rules, ContradictionError where no code fits,
    TooLargeError where no way to find codes suits the board.

    >>> advice = advise(Position("4x6", ["AABB XO"]), limit=3)
    >>> advice.remaining.count, str(advice.value), advice.is_proven
    (208, '= 3.452', True)
    """
    began = perf_counter()
    return answer(AdviceQuestion.of(board, limit, also, time, seed), began)


def answer(question: AdviceQuestion, began: float, ranking: Ranking | None = None) -> Advice:
    """Advise on what was asked, by the ranking that suits it best if none is given.

    `began` is the reading of `perf_counter` from which the seconds of the advice count.
    """
    noted, found = question.noted, ranking or rank(question)

    def rated(guess: Code, expected: Expectation) -> RatedGuess:
        return RatedGuess.of(noted, guess, expected, found.loss(expected))

    return Advice(
        noted.position,
        noted.remaining,
        found.value,
        tuple(rated(*one) for one in found.guesses),
        found.is_proven,
        tuple(rated(*one) for one in found.also),
        found.keeps_limit,
        None if found.candidate is None else rated(*found.candidate),
        perf_counter() - began,
        noted.guesses_left,
    )


def rank(question: AdviceQuestion) -> Ranking:
    """Rank guesses in the best way that suits the rules and the board.

    Where one guess is left, which may be wrong, the likeliest codes come first.
    """
    likeliest = question.last_guesses
    if not likeliest:
        return _by_expected(question)
    ranking = _by_expected(replace(question, limit=1, also=(*likeliest, *question.also)))
    codes = question.noted.remaining.codes
    chances = dict(zip(codes, codes.chances.tolist(), strict=True))
    guesses = tuple(sorted(ranking.also[: len(likeliest)], key=lambda one: (-chances[one[0]], one[1].value)))
    return replace(ranking, guesses=guesses, also=ranking.also[len(likeliest) :], keeps_limit=False)


def _by_expected(question: AdviceQuestion) -> Ranking:
    noted, by_book = question.noted, booked(question)
    if by_book is not None or can_search(noted):
        return by_book or searched(question)
    return listed(question) if noted.remaining.is_complete else sampled(question)
