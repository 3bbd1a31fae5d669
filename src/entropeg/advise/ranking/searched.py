"""Ranks guesses by the exact search of boards: by what it finds in its time, and by what the book has of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from fractions import Fraction
from math import inf
from time import perf_counter
from typing import TypeVar

from entropeg.advise.expectation import Expectation
from entropeg.advise.question import AdviceQuestion, NotedPosition
from entropeg.advise.ranking.ranker import RankedGuess, Ranker, Ranking, in_order, of_strategy
from entropeg.feedback import Code
from entropeg.kernels import switch
from entropeg.search.book import BookEntry, is_image, look_up
from entropeg.search.values import can_value

GREEDY = 0.025, 0.045
"""Guesses that strategies of the search take more than the best play for each beyond the second, and how that varies,
in 19 of 20 cases: python benchmarks/bench_advice.py estimates."""

T = TypeVar("T")


def can_search(noted: NotedPosition) -> bool:
    """Tell whether the exact search knows these rules and boards of this size.

    What rows known in part oblige to under hard rules it does not know, and it takes compiled code.
    """
    remaining = noted.remaining
    if noted.rules.hard and not noted.is_complete:
        return False
    return remaining.is_complete and switch.is_ready() and can_value(noted.rules, len(remaining.codes))


def booked(question: AdviceQuestion) -> Ranking | None:
    """Rank first and second guesses by the book.

    None where it has nothing or not as many guesses, or where it cannot tell of the others asked about.
    """
    noted = question.noted
    # With ten guesses left a limit changes nothing on the boards of the book.
    if not noted.is_complete or (noted.guesses_left or 10) < 10:
        return None
    entry = look_up(noted.position)
    if entry is None:
        return None
    is_too_short = len(entry.guesses) < question.limit or (question.also and not can_search(noted))
    return None if noted.position.turns and is_too_short else _Booked(question, entry).ranking()


def searched(question: AdviceQuestion) -> Ranking:
    """Rank guesses by the exact search, and by strategies where its time is too short."""
    return _opened(question, _Searched.ranking)


class _Booked(Ranker):
    """The numbers of a position in the book."""

    def __init__(self, question: AdviceQuestion, entry: BookEntry) -> None:
        super().__init__(question)
        self._entry, self._codes = entry, len(self.noted.remaining.codes)

    def value(self) -> Expectation:
        return self._expected(self._entry.guesses[0][1])

    def best(self) -> tuple[list[RankedGuess], bool]:
        listed = [(guess, self._expected(total)) for guess, total in self._entry.guesses[: self.number]]
        return listed, self._entry.is_exact

    def after(self, guesses: Sequence[Code]) -> list[Expectation]:
        if not self.noted.position.turns:
            entry = self._entry.guesses
            return [self._expected(next(total for one, total in entry if is_image(one, guess))) for guess in guesses]
        return _opened(self.question, lambda search: search.rated(guesses)) if guesses else []

    def _expected(self, total: int) -> Expectation:
        if self._entry.is_exact:
            return Expectation.of(Fraction(total, self._codes))
        # The best strategies found may take .005 guesses more than the best play; on 5x7, where both are known, .0001.
        return Expectation.about(total / self._codes, 0.005)


def _opened(question: AdviceQuestion, ask: Callable[[_Searched], T]) -> T:
    """Ask the exact search, so that Ctrl-C is heard meanwhile."""
    search = _Searched(question)

    def asked() -> T:
        with search.values.opened():
            search.began = perf_counter()
            return ask(search)

    return search.values.board.stop.run(asked)


class _Searched(Ranker):
    """The exact search, asked within the seconds of the question."""

    def __init__(self, question: AdviceQuestion) -> None:
        super().__init__(question)
        self.values = self.noted.values(self.noted.guesses_left)
        self.began = 0.0

    def value(self) -> Expectation | None:
        with self._until(0.4):  # shares of the time: what matters most comes first
            total = self.values.value()
        return self._exact(total.lower) if total.is_exact else None

    def lift_limit(self) -> None:
        super().lift_limit()
        self.values, self.began = self.noted.values(), perf_counter()

    def best(self) -> tuple[list[RankedGuess], bool]:
        with self._until(0.7):
            found, is_proven = self.values.best(self.number)
        known = {guess: self._exact(total) for guess, total in found}
        if is_proven:
            return self.first(known), True
        likely = [(guess, bound) for guess, bound in self.values.promising() if guess not in known]
        # Twenty-four are estimated beside those asked for, so that the best of them are likely among them.
        for guess, bound in likely[: self.number + 24]:
            if len(known) >= 3 and self._share_spent() >= 0.85:  # three are estimated however long it takes
                known[guess] = Expectation.at_least(Fraction(bound, self.values.mass))
                continue
            with self._until(0.85):
                known[guess] = self._after(guess)
        return self.first(known), False

    def place(self, one: RankedGuess) -> tuple[float, ...]:
        return *in_order(one[1]), not self.values.is_candidate(one[0])

    def after(self, guesses: Sequence[Code]) -> list[Expectation]:
        with self._until(1):
            return [self._after(guess) for guess in guesses]

    def rated(self, guesses: Sequence[Code]) -> list[Expectation]:
        """The expected numbers of guesses without regard to a limit, where nothing else is asked."""
        self.lift_limit()
        return self.after(guesses)

    def candidate(self, listed: list[RankedGuess]) -> RankedGuess | None:
        if any(self.values.is_candidate(guess) for guess, _ in listed):
            return None
        with self._until(1):
            found = self.values.best_candidate()
        return None if found is None else (found[0], self._exact(found[1]))

    def _after(self, guess: Code) -> Expectation:
        """The expected number of a guess: exact if the time is not over, else by a strategy."""
        values = self.values
        total = values.after(guess)
        if total.is_exact:
            return self._exact(total.lower)
        with values.board.stop.ignored():
            upper = values.followed(guess)
        if upper is None:
            return Expectation.at_least(Fraction(total.lower, values.mass))
        return of_strategy(upper / values.mass, *GREEDY)

    def _exact(self, total: int) -> Expectation:
        values = self.values
        if total >= values.infinite:
            return Expectation.of(inf)
        return Expectation.of(Fraction(total, values.mass) if values.board.is_exact else total / values.mass)

    def _until(self, share: float) -> AbstractContextManager[None]:
        return self.values.board.stop.after((share - self._share_spent()) * self.question.seconds)

    def _share_spent(self) -> float:
        return (perf_counter() - self.began) / max(self.question.seconds, 1e-9)
