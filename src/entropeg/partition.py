"""Parts the candidates by the feedback to a guess: how many each leaves, and the measures that strategies compare."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log2

import numpy as np

from entropeg import arguments
from entropeg.codes import AnyCode, Array, CodeSet, format_code, read_code
from entropeg.feedback import AnyFeedback, Code, from_label, win_feedback
from entropeg.plain_values import PlainValue
from entropeg.rules import Rules
from entropeg.told import Told, plural


@dataclass(frozen=True)
class AnswerLeft(PlainValue):
    """An answer to a guess, and how many codes it would leave: of those left, or of the sample."""

    feedback: AnyFeedback
    codes: int
    chance: float


@dataclass(frozen=True)
class Partition:
    """The candidates of a position split by the feedback that a guess would get; equally likely without a prior.

    `sizes` maps each feedback that can occur to the number of candidates that give it, in label order. Every
    measure is exact (floating point where it is not a whole number). `chances`, where the rules have a prior, maps it
    to its probability; `bits` and `expected_size` go by it, the other measures count codes. `rules` are those of the
    candidates, where they are known: a picture draws the guess by them.

    >>> codes = CodeSet.of(["ABCD", "ABDC", "BACD"], "4x6")
    >>> round(Partition.of(codes, "ABCD").bits, 2), Partition.of(codes, "BACD").largest
    (0.92, 1)
    """

    guess: Code
    sizes: dict[AnyFeedback, int]
    win: AnyFeedback
    chances: dict[AnyFeedback, float] | None = None
    rules: Rules | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, candidates: CodeSet, guess: AnyCode) -> Partition:
        """Split a set of candidates by a guess; costs one pass over them.

        Raises InputError where the guess is no code of their rules.
        """
        rules = arguments.instance(candidates, CodeSet, "candidates", "such as position.candidates").rules
        guess = read_code(guess, rules)
        labels, sizes = candidates.parts(guess)
        by_feedback = {
            from_label(label, rules): size for label, size in zip(labels.tolist(), sizes.tolist(), strict=True)
        }
        chances = None if rules.prior is None else _chances(candidates, guess, list(by_feedback))
        return cls(guess, by_feedback, win_feedback(rules), chances, rules)

    def __repr__(self) -> str:
        guess = self.guess if self.rules is None else format_code(self.guess, self.rules)
        parts = plural(self.parts, "{n} part", "{n} parts")
        return f"<Partition by {guess}: {parts}, largest {self.largest:,}, {self.bits:.2f} bits>"

    @property
    def total(self) -> int:
        """Number of candidates."""
        return sum(self.sizes.values())

    @property
    def bits(self) -> float:
        """Shannon entropy of the feedback, in bits: the information that the guess is expected to bring."""
        return -sum(chance * log2(chance) for chance in self.shares.values() if chance) + 0.0

    @property
    def shares(self) -> dict[AnyFeedback, float]:
        """The probability of each feedback: `chances`, or without a prior its share of the candidates."""
        total = self.total
        return self.chances or {feedback: size / total for feedback, size in self.sizes.items()}

    @property
    def answers(self) -> tuple[AnswerLeft, ...]:
        """What each answer would leave, the most codes first."""
        shares = self.shares
        found = [AnswerLeft(feedback, size, shares[feedback]) for feedback, size in self.sizes.items()]
        return tuple(sorted(found, key=lambda answer: -answer.codes))

    @property
    def largest(self) -> int:
        """Number of candidates left in the worst case."""
        return max(self.sizes.values(), default=0)

    @property
    def expected_size(self) -> float:
        """Mean number of candidates left (the winning one counts as one left)."""
        if self.chances is not None:
            return sum(chance * self.sizes[feedback] for feedback, chance in self.chances.items())
        return sum(size * size for size in self.sizes.values()) / max(self.total, 1)

    def _repr_svg_(self) -> str:
        """Show the partition in a notebook: a bar for each part, the largest first."""
        from entropeg.svg.parts import draw_parts  # the room of pictures is loaded when one is wanted

        codes, parts = plural(self.total, "{n} code", "{n} codes"), plural(self.parts, "{n} part", "{n} parts")
        most, counts = plural(self.largest, "{n} code", "{n} codes"), Told("{codes} in {parts}", codes, parts)
        note = Told("{bits:.3f} bits; {codes} at most, {expected:.1f} expected", self.bits, most, self.expected_size)
        return draw_parts(self.sizes, counts, guess=self.guess, rules=self.rules, notes=[note], chances=self.chances)

    @property
    def parts(self) -> int:
        """Number of feedbacks that can occur."""
        return len(self.sizes)

    @property
    def win_possible(self) -> bool:
        """Whether the guess is itself a candidate."""
        return self.win in self.sizes


def _chances(candidates: CodeSet, guess: Code, feedbacks: list[AnyFeedback]) -> dict[AnyFeedback, float]:
    places: Array = np.unique(candidates.score(guess), return_inverse=True)[1]
    return dict(zip(feedbacks, np.bincount(places, candidates.chances).tolist(), strict=True))
