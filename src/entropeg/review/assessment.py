"""Values positions and guesses at them: for all turns of a game, within a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from time import perf_counter

from entropeg.advise.advice import rank
from entropeg.advise.expectation import Expectation
from entropeg.advise.question import AdviceQuestion, NotedPosition, Remaining
from entropeg.advise.ranking.ranker import Ranking
from entropeg.advise.ranking.searched import can_search
from entropeg.feedback import AnyFeedback, Code
from entropeg.partition import Partition
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.known import known_values


@dataclass(frozen=True)
class Assessment:
    """A position and a guess: V of the position, Q of the guess, the best guess with its Q.

    `left` has V of what each answer to the guess leaves, 0 for the winning one; None where it is not known exactly.
    `possible` is the best of the codes that may be the secret, with its Q; None where it is not known.
    """

    remaining: Remaining
    partition: Partition
    value: Expectation
    expected: Expectation
    best: tuple[Code, Expectation]
    left: dict[AnyFeedback, float] | None
    possible: tuple[Code, Expectation] | None


class Assessor:
    """Values the positions of one game; exact values may take all the time that is left.

    Where the codes left are a sample, a position takes as long as it may: its share of the time left.
    """

    def __init__(self, rules: Rules, *, seconds: float, seed: int, positions: int) -> None:
        """Take the rules, without their limit; how many ``positions`` will be valued, about."""
        self.rules, self.seed, self._positions = rules.with_limit(None), seed, positions
        self._began, self._seconds = perf_counter(), seconds

    def assess(self, position: Position, guess: Code) -> Assessment:
        """Value a position and a guess at it."""
        noted = NotedPosition.of(position, self.seed)
        ranking = self._ranking(noted, (guess,))
        remaining, expected = noted.remaining, ranking.also[0][1]
        value = self._value(position, ranking)
        partition, left = Partition.of(remaining.codes, guess), None
        if expected.is_exact and can_search(noted):
            values = noted.values()
            with values.opened():
                left = values.means_after(partition)  # which the search has just found
        elif expected.is_exact:
            left = self._values_after(position, partition)
        best, possible = ranking.guesses[0], ranking.candidate
        if remaining.is_complete and remaining.codes.index_of(best[0]) is not None:
            possible = best
        return Assessment(remaining, partition, value, expected, best, left, possible)

    def expected(self, position: Position, guess: Code) -> Expectation:
        """Q of a guess."""
        return self._ranking(NotedPosition.of(position, self.seed), (guess,)).also[0][1]

    def _values_after(self, position: Position, partition: Partition) -> dict[AnyFeedback, float] | None:
        """V of what each answer leaves, found one by one; None where one is not known exactly."""
        found = {}
        for answer, share in partition.shares.items():
            if not share:  # of codes without weight
                continue
            value, after = 0.0, position.after_trusted(partition.guess, answer)
            if not after.is_won:
                told = None if self.is_late else self.value(after)
                if told is None or not told.is_exact:
                    return None
                value = told.value
            found[answer] = value
        return found

    @property
    def is_late(self) -> bool:
        """Whether the time is over."""
        return perf_counter() - self._began > self._seconds

    def best(self, position: Position) -> tuple[Code, Expectation]:
        """The best guess at a position, with its Q."""
        return self._ranking(NotedPosition.of(position, self.seed), ()).guesses[0]

    def value(self, position: Position) -> Expectation:
        """Value a position."""
        return self._value(position, self._ranking(NotedPosition.of(position, self.seed), ()))

    def _value(self, position: Position, ranking: Ranking) -> Expectation:
        known = None if position.turns or ranking.value.is_exact else optimum_of(self.rules)
        return ranking.value if known is None else Expectation.of(known)

    def _ranking(self, noted: NotedPosition, also: Sequence[Code]) -> Ranking:
        left = self._began + self._seconds - perf_counter()
        if not noted.remaining.is_complete:
            left /= max(self._positions, 1)
        self._positions -= 1
        return rank(AdviceQuestion(noted, 1, tuple(also), max(0.05, left), self.seed))


def optimum_of(rules: Rules) -> Fraction | None:
    """Return the expected number of guesses of the best play of a board, where it is proven and known.

    >>> float(optimum_of(Rules.parse("5x7")))
    5.095793419408579
    """
    for known in known_values(rules) if rules.prior is None else ():
        if known.strategy == "optimum" and known.total is not None:
            return Fraction(known.total, rules.secret_count)
    return None
