"""What positions are worth, and guesses at them: for all turns of a game, within a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from time import perf_counter

from entropeg.advise.estimating.estimates import estimated
from entropeg.advise.expectation import Expectation
from entropeg.advise.ranking import Ranking, can_search, searched
from entropeg.advise.remaining import Remaining
from entropeg.advise.situation import Situation
from entropeg.codes import CodeSet
from entropeg.feedback import AnyFeedback, Code
from entropeg.partition import Partition
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.known import known_values
from entropeg.search.values import PositionValues

LEAST = 0.05
"""Seconds that a position gets at least, however late it is."""
POSSIBLE = 0.25
"""Share of the time left in which the best of the codes left is looked for."""


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
    """Values the positions of one game; what is exact takes as long as is left of the time, at most."""

    def __init__(self, rules: Rules, *, seconds: float, seed: int) -> None:
        """Take the rules, without their limit."""
        self.rules, self.seed = rules.with_limit(None), seed
        self._began, self._seconds = perf_counter(), seconds

    def assess(self, position: Position, guess: Code) -> Assessment:
        """Value a position and a guess at it."""
        situation = Situation.of(position, self.seed)
        ranking = self._ranking(situation, (guess,))
        remaining, expected = situation.remaining, ranking.also[0][1]
        value = self._value(position, ranking)
        left = None
        if expected.is_exact and can_search(situation):
            left = _values_after(situation, guess)
        best, possible = self._best(situation, ranking)
        return Assessment(remaining, Partition.of(remaining.codes, guess), value, expected, best, left, possible)

    def best(self, position: Position) -> tuple[Code, Expectation]:
        """The best guess at a position, with its Q."""
        situation = Situation.of(position, self.seed)
        return self._best(situation, self._ranking(situation, ()))[0]

    def value(self, position: Position) -> Expectation:
        """Value a position."""
        return self._value(position, self._ranking(Situation.of(position, self.seed), ()))

    def _best(
        self, situation: Situation, ranking: Ranking
    ) -> tuple[tuple[Code, Expectation], tuple[Code, Expectation] | None]:
        """The best guess, and the best of the codes left; of guesses that are alike, one that may win is the best."""
        best, possible = ranking.guesses[0], self._possible(situation, ranking)
        is_alike = possible is not None and possible[1].fraction == best[1].fraction is not None
        return (possible if possible is not None and is_alike else best), possible

    def _possible(self, situation: Situation, ranking: Ranking) -> tuple[Code, Expectation] | None:
        """The best of the codes left, where the search finds it in time."""
        codes, best = situation.remaining.codes, ranking.guesses[0]
        if not situation.remaining.is_complete or codes.index_of(best[0]) is not None:
            return best if situation.remaining.is_complete else None
        if not (ranking.is_proven and best[1].is_exact and can_search(situation)):
            return None
        values = PositionValues(codes, situation.history)
        left = max(LEAST, POSSIBLE * (self._began + self._seconds - perf_counter()))
        return values.board.stop.run(lambda: _best_of_codes(values, codes, left))

    def _value(self, position: Position, ranking: Ranking) -> Expectation:
        known = None if position.turns or ranking.value.is_exact else optimum_of(self.rules)
        return ranking.value if known is None else Expectation.of(known)

    def _ranking(self, situation: Situation, also: Sequence[Code]) -> Ranking:
        left = max(LEAST, self._began + self._seconds - perf_counter())
        if can_search(situation):
            return searched(situation, 1, also, left)
        return estimated(situation, 1, also, seconds=left, seed=self.seed)


def _best_of_codes(values: PositionValues, codes: CodeSet, seconds: float) -> tuple[Code, Expectation] | None:
    """The best guess among the codes left, if it is found in time: by their bounds, the least first."""
    found: tuple[Code, int] | None = None
    with values.opened(), values.board.stop.after(seconds):
        for guess, bound in values.promising():
            if found is not None and bound >= found[1]:
                break
            if codes.index_of(guess) is None:
                continue
            total = values.after(guess)
            if values.board.stop.is_set:
                return None
            if found is None or total.lower < found[1]:
                found = guess, total.lower
    if found is None:
        return None
    return found[0], Expectation.of(
        Fraction(found[1], values.mass) if values.board.is_exact else found[1] / values.mass
    )


def _values_after(situation: Situation, guess: Code) -> dict[AnyFeedback, float] | None:
    """V of what each answer leaves, which the search has just found."""
    values = PositionValues(situation.remaining.codes, situation.history)
    with values.opened():
        found = values.parts_after(guess)
    sizes = Partition.of(situation.remaining.codes, guess)
    masses = sizes.chances or {feedback: size / sizes.total for feedback, size in sizes.sizes.items()}
    left = {feedback: total.lower / (values.mass * masses[feedback]) for feedback, total in found}
    return left | ({sizes.win: 0.0} if sizes.win_possible else {})


def optimum_of(rules: Rules) -> Fraction | None:
    """Return the expected number of guesses of the best play of a board, where it is proven and known.

    >>> float(optimum_of(Rules.parse("5x7")))
    5.095793419408579
    """
    for known in known_values(rules) if rules.prior is None else ():
        if known.strategy == "optimum" and known.total is not None:
            return Fraction(known.total, rules.secret_count)
    return None
