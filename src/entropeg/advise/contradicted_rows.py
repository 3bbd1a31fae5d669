"""Finds the earlier rows that rule a guess out as the secret: the clues that it left unused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from entropeg.codes import may_be_secret
from entropeg.feedback import AnyFeedback, Code, Feedback, Marks, format_feedback, score_trusted
from entropeg.plain_values import Ordinal, PlainValue
from entropeg.position import Turn
from entropeg.rules import Rules
from entropeg.svg.pegs import counts_in_words
from entropeg.told import Told


@dataclass(frozen=True)
class Clue(PlainValue):
    """An earlier row that a guess contradicts: were the guess the secret, the row would have had another answer.

    `row` counts from 0. `pegs` are those, from 0, at which the guess shows it by itself: where it repeats a peg of the
    row though the answer has fewer pegs in place, or differs though it has more; empty where no peg does alone.
    """

    PLAIN: ClassVar[tuple[str, ...]] = ("row", "says", "told", "would_be", "pegs")

    row: Ordinal
    told: AnyFeedback
    would_be: AnyFeedback
    """What the row would have got, were the guess the secret."""
    pegs: tuple[Ordinal, ...]
    """Pegs at which it shows."""

    @property
    def says(self) -> str:
        """What the row would have got, in a sentence."""
        in_words = format_feedback if isinstance(self.told, Marks) else counts_in_words
        would_be, told = in_words(self.would_be), in_words(self.told)
        return Told("were it the secret, row {row} would have got {would_be}, not {told}", self.row + 1, would_be, told)


def clues_against(guess: Code, turns: Sequence[Turn], rules: Rules) -> tuple[Clue, ...]:
    """Return the rows that a guess contradicts, in their order; empty where it may be the secret.

    Where secrets have no holes, a hole of the guess stands for a peg of no color that any row has.

    >>> turns = [Turn((0, 0, 1, 1), Feedback(0, 1)), Turn((2, 2, 3, 3), Feedback(1, 1))]
    >>> [(clue.row, clue.pegs) for clue in clues_against((0, 2, 3, 4), turns, Rules.parse("4x6"))]
    [(0, (0,)), (1, (1, 2))]
    >>> clues_against((0, 3, 3), [Turn((1, 1, 3), Feedback(0, 0))], Rules.parse("3x3/blanks"))
    ()
    """
    if rules.feedback.about.is_listed and not may_be_secret(guess, rules):
        return ()  # a question says nothing of what its asker takes for the secret
    if rules.symbols_in_secrets < rules.symbols_in_guesses:
        guess = tuple(peg if peg < rules.symbols_in_secrets else rules.symbols_in_guesses for peg in guess)
    found = []
    for row, turn in enumerate(turns):
        would_be = score_trusted(turn.guess, guess, rules)
        if would_be != turn.feedback:
            found.append(Clue(row, turn.feedback, would_be, _pegs(guess, turn, would_be)))
    return tuple(found)


def _pegs(guess: Code, turn: Turn, would_be: AnyFeedback) -> tuple[int, ...]:
    told = turn.feedback
    if isinstance(told, Marks) and isinstance(would_be, Marks):
        pairs = enumerate(zip(told, would_be, strict=True))
        return tuple(peg for peg, (one, other) in pairs if one != other)
    if not isinstance(told, Feedback) or not isinstance(would_be, Feedback):
        return ()
    same = [one == other for one, other in zip(guess, turn.guess, strict=True)]
    if would_be.black > told.black:
        return tuple(peg for peg, is_same in enumerate(same) if is_same)
    if would_be.black < told.black == len(same) - 1:
        return tuple(peg for peg, is_same in enumerate(same) if not is_same)
    return ()
