"""A puzzle: a position with one best idea, or notes with one wrong row, and how an attempt at it is judged."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import ClassVar, TypeAlias

from entropeg.advise.contradicted_rows import Clue, clues_against
from entropeg.codes import AnyCode, CodeSet, read_code
from entropeg.errors import InputError
from entropeg.feedback import AnyFeedback, Code, from_label
from entropeg.plain_values import Ordinal, PlainValue
from entropeg.position import AtPosition, Position, Turn
from entropeg.search.values import PositionValues
from entropeg.told import Told, words

SOLVING = Fraction(2, 100)
"""A guess solves a puzzle if it is expected to take no more guesses than this beyond the best."""
GAP = Fraction(10, 100)
"""Guesses that the best class is expected to save, at least, over every other class."""

POINTS = 3
"""For a puzzle that is solved at once."""


def points_of(hints: int, missed: int) -> int:
    """Return the points of a solved puzzle: one less for each hint and each attempt that missed, but at least 1.

    >>> points_of(0, 0), points_of(1, 0), points_of(2, 4)
    (3, 2, 1)
    """
    return max(1, POINTS - hints - missed)


Failing: TypeAlias = tuple[tuple[str, float], ...]
"""Codebreakers by name, each with the probability that it fails a puzzle."""


class Theme(Enum):
    """What there is to find in a puzzle."""

    deduce = "deduce"
    """One code is left: which?"""
    split = "split"
    """Which guess tells all codes left apart?"""
    outside = "outside"
    """Which guess is best, where no code that is left is?"""
    trap = "trap"
    """Which guess is best, where three or more of the codes left differ in one peg alone?"""
    mend = "mend"
    """Which row is wrong?"""
    learn = "learn"
    """Which guess would have been better, in a game of one's own?"""

    def __str__(self) -> str:
        return self.value

    @property
    def told(self) -> Told:
        """Its name, for a heading."""
        said = words("heading", "deduce", "split", "outside", "trap", "mend", "learn")
        return dict(zip(Theme, said, strict=True))[self]


@dataclass(frozen=True)
class Judgment:
    """The verdict on an attempt.

    `loss` is how many guesses more than the best a guess is expected to take, None for rows, and where one code is
    left. `clues` are the rows that rule the guess out as the secret.
    """

    is_solved: bool
    loss: Fraction | None = None
    clues: tuple[Clue, ...] = ()


@dataclass(frozen=True)
class TrainingPuzzle(AtPosition, PlainValue):
    """A position in which there is something to find.

    `position` is shown: its rules have no limit. `codes` are those left; of *mend* those that fit all rows but
    the wrong one. `answers` are the guesses that solve it, those that may be the secret first: all of them, but of
    *learn*, where there is one of every class that is near the best, and of *mend*, where there is none. `best` and
    `second` are the expected numbers of guesses of the best class of guesses and of the second: exact; None where the
    theme does not go by them. `failing` are the built-in codebreakers with the probability that their guess does not
    solve it; empty for *mend*, which none of them plays. `row` is the wrong row, from 0, and `mends` how it may have
    been, the likeliest first. `played` is what was played in a game of one's own.
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("theme", "rules", "turns", "codes", "difficulty", "row", "mends", "answers", "failing=failing_by_name"),
        *("best", "second", "played"),
    )

    theme: Theme
    position: Position
    codes: tuple[Code, ...]
    answers: tuple[Code, ...] = ()
    best: Fraction | None = None
    second: Fraction | None = None
    failing: Failing = ()
    row: Ordinal | None = None
    mends: tuple[Turn, ...] = ()
    played: Turn | None = None

    def __repr__(self) -> str:
        """Show the theme and the position; the answers are not given away."""
        return f"<TrainingPuzzle {self.theme.value} at {self.position!r}>"

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns that are shown."""
        return self.position.turns

    @property
    def failing_by_name(self) -> dict[str, float]:
        """The probability that the guess of each codebreaker does not solve it."""
        return dict(self.failing)

    @property
    def difficulty(self) -> float | None:
        """The share of the built-in codebreakers that fail it, from 0 to 1; None where they cannot be asked."""
        return sum(chance for _, chance in self.failing) / len(self.failing) if self.failing else None

    @property
    def look_alikes(self) -> tuple[Code, ...]:
        """The most of the codes left that differ in one and the same peg alone; empty where there are not three."""
        return () if self.position.rules.feedback.about.is_listed else look_alikes(self.codes)

    def parts(self, guess: Code) -> dict[AnyFeedback, tuple[Code, ...]]:
        """Return the codes left by the answer that they would give to a guess, the largest parts first."""
        rules = self.position.rules
        found: dict[int, list[Code]] = {}
        labels = CodeSet.of(self.codes, rules).score(guess).tolist()
        for code, label in zip(self.codes, labels, strict=True):
            found.setdefault(label, []).append(code)
        ordered = sorted(found.items(), key=lambda part: (-len(part[1]), part[0]))
        return {from_label(label, rules): tuple(codes) for label, codes in ordered}

    def read(self, guess: AnyCode) -> Code:
        """Read an attempt: a guess, or where the one code left is asked for its name."""
        rules = self.position.rules
        return read_code(guess, rules.with_names if self.theme is Theme.deduce else rules)

    def judge(self, guess: AnyCode) -> Judgment:
        """Say whether a guess solves the puzzle, and what it would lose; InputError where the rules forbid it.

        >>> from entropeg.train import puzzles
        >>> puzzle = next(puzzles("4x6", "deduce", seed=1))
        >>> puzzle.judge(puzzle.answers[0]).is_solved
        True
        """
        if self.theme is Theme.mend:
            raise InputError("the answer to this puzzle is the number of a row")
        code = self.read(guess)
        if self.position.clues is not None:
            self.position.clues.check(code)
        clues = clues_against(code, self.position.turns, self.position.rules)
        loss = self._loss(code)
        is_solved = code in self.answers if loss is None else loss <= SOLVING
        return Judgment(is_solved=is_solved, loss=loss, clues=clues)

    def judge_row(self, number: int) -> Judgment:
        """Say whether a row, from 0, is the wrong one; InputError where the puzzle has no such row."""
        if self.theme is not Theme.mend:
            raise InputError("the answer to this puzzle is a guess, not a row")
        rows = len(self.position.turns)
        if not 0 <= number < rows:
            raise InputError("there is no row {number}: name one from 1 to {rows}", number + 1, rows)
        return Judgment(is_solved=number == self.row)

    def _loss(self, guess: Code) -> Fraction | None:
        if self.best is None:
            return None
        values = PositionValues.of(self.position)
        with values.opened():
            return Fraction(values.after(guess).lower, values.mass) - self.best


def look_alikes(codes: tuple[Code, ...]) -> tuple[Code, ...]:
    """Return the most codes that differ in one and the same peg alone, of several the first; empty if not three do.

    >>> look_alikes(((0, 1, 2), (0, 1, 3), (0, 1, 4), (2, 1, 4)))
    ((0, 1, 2), (0, 1, 3), (0, 1, 4))
    """
    best: tuple[int, int, Code] = (0, 0, ())
    for peg in range(len(codes[0]) if codes else 0):
        for rest, number in Counter((*code[:peg], *code[peg + 1 :]) for code in codes).items():
            if number > best[0]:
                best = number, peg, rest
    number, peg, rest = best
    # Three codes that differ in one peg alone are a trap.
    return tuple(code for code in codes if (*code[:peg], *code[peg + 1 :]) == rest) if number >= 3 else ()
