"""What is known of one guess at a position: what its answers tell, and how many guesses it is expected to take."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from entropeg.advise.estimating.information import NINETEEN_OF_TWENTY, Information
from entropeg.advise.expectation import Expectation
from entropeg.codes import format_code
from entropeg.feedback import Code
from entropeg.partition import AnswerLeft, Partition
from entropeg.plain_values import PlainValue
from entropeg.rules import Rules


@dataclass(frozen=True)
class RatedGuess(PlainValue):
    """A guess, weighed at a position.

    `partition` says how many of the codes left each answer would leave; its `bits`, `parts`, `largest` and
    `expected_size` are the measures that strategies compare. Where `sample` is a number, nobody can list the codes: the
    partition is that of a sample of so many, and its measures are estimates.

    `expected` is the expected number of guesses from here on, this one counted, if play is optimal afterwards: 1 +
    Σ p(answer) × the value of what the answer leaves. `loss` is what that is more than for the best guess, in [0, 1]
    where it is exact.
    """

    PLAIN = (
        *("guess", "is_candidate", "chance", "bits", "parts", "largest", "expected_size", "expected", "loss"),
        "sample",
    )

    guess: Code
    is_candidate: bool
    """Whether it may be the secret."""
    chance: float
    """The probability that it is the secret: exact, or, where `sample` is a number, about that by how many codes there
    are, and 0 where nobody knows how many.
    """
    partition: Partition
    expected: Expectation
    """Guesses expected from here on, this one counted."""
    loss: Expectation
    """What that is more than with the best guess."""
    sample: int | None = None
    """Codes of the sample that the numbers are of; None: of all codes."""

    def __repr__(self) -> str:
        """Show the guess, and how many guesses it is expected to take."""
        guess = self.guess if self.rules is None else format_code(self.guess, self.rules)
        return f"<RatedGuess {guess} {self.expected}, loss {self.loss}>"

    @property
    def rules(self) -> Rules | None:
        """The rules of the guess, where they are known."""
        return self.partition.rules

    @property
    def answers(self) -> tuple[AnswerLeft, ...]:
        """What each answer would leave, the most codes first."""
        return self.partition.answers

    @property
    def bits(self) -> float:
        """Information that the answer is expected to bring, in bits; of a sample, corrected for what it misses."""
        return self.partition.bits if self.sample is None else self._information.bits

    @property
    def bits_error(self) -> float:
        """In about 19 of 20 cases the bits are right within this: 0 where all codes are listed."""
        return 0.0 if self.sample is None else self._information.error

    @property
    def largest_share(self) -> float:
        """The share of the codes left that the commonest answer leaves; of a sample, the share of its codes."""
        return self.partition.largest / max(self.partition.total, 1)

    @property
    def largest_share_error(self) -> float:
        """In about 19 of 20 cases that share is right within this: 0 where all codes are listed."""
        if self.sample is None:
            return 0.0
        share = self.largest_share
        return NINETEEN_OF_TWENTY * sqrt(share * (1 - share) / self.sample) + 1 / self.sample

    @property
    def _information(self) -> Information:
        return Information.of_sizes(list(self.partition.sizes.values()))

    @property
    def parts(self) -> int:
        """Number of answers that can come; of a sample, that came."""
        return self.partition.parts

    @property
    def largest(self) -> int:
        """Most codes that an answer leaves; of a sample, codes of the sample."""
        return self.partition.largest

    @property
    def expected_size(self) -> float:
        """Expected number of codes left, a found secret counted as one; of a sample, codes of the sample."""
        return self.partition.expected_size
