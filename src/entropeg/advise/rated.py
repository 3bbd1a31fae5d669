"""Rates a guess at a position, in numbers and in words: what its answers tell, and how many guesses it takes."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from entropeg.advise.expectation import NINETEEN_OF_TWENTY, Certainty, Expectation, Information
from entropeg.advise.question import NotedPosition
from entropeg.codes import format_code, may_be_secret
from entropeg.feedback import Code, score_trusted
from entropeg.partition import AnswerLeft, Partition
from entropeg.plain_values import PlainValue
from entropeg.rules import Rules
from entropeg.told import plural

SMALL = 0.0005
"""Less than this is no difference, in words."""
COLUMNS = ("wins now", "bits", "answers", "most left", "expected left", "guesses", "loss")
"""Names of the numbers of a guess, in the order of `numbers_in_words`."""


@dataclass(frozen=True)
class RatedGuess(PlainValue):
    """A guess, weighed at a position.

    `partition` says how many of the codes left each answer would leave; its `bits`, `parts`, `largest` and
    `expected_size` are the measures that strategies compare. Where `sample` is a number, nobody can list the codes: the
    partition is that of such a sample, and its measures are estimates.

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

    @classmethod
    def of(cls, noted: NotedPosition, guess: Code, expected: Expectation, loss: Expectation) -> RatedGuess:
        """Weigh a guess of which that much is known."""
        remaining, rules = noted.remaining, noted.rules
        partition = Partition.of(remaining.codes, guess)
        if remaining.is_complete:
            is_candidate, chance = partition.win_possible, partition.shares.get(partition.win, 0.0)
            return cls(guess, is_candidate, chance, partition, expected, loss)
        is_candidate = may_be_secret(guess, rules) and all(
            score_trusted(turn.guess, guess, rules) == turn.feedback for turn in noted.position.turns
        )
        chance = 1 / remaining.about if is_candidate and remaining.about >= 1 else 0.0
        return cls(guess, is_candidate, chance, partition, expected, loss, len(remaining.codes))

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


def numbers_in_words(guess: RatedGuess) -> tuple[str, ...]:
    """Write the numbers of a guess, one for each of `COLUMNS`.

    Of a sample no counts are written, which would be those of the sample.
    """
    wins = "no" if not guess.is_candidate else "maybe" if not guess.chance else _share(guess.chance)
    if guess.sample is not None:
        return wins, f"{guess.bits:.2f}", "", "", "", str(guess.expected), str(guess.loss)
    sizes = f"{guess.parts:,}", f"{guess.largest:,}", f"{guess.expected_size:,.1f}"
    return wins, f"{guess.bits:.2f}", *sizes, str(guess.expected), str(guess.loss)


def _share(chance: float) -> str:
    return f"{100 * chance:.0f} %" if chance >= 0.1 else f"{100 * chance:.2g} %"


def explain_guess(guess: RatedGuess, best: RatedGuess, rival: RatedGuess | None, rules: Rules) -> str:
    """Say what a guess does to the codes left, and what it is worth beside the best one.

    ``rival`` is the best of the codes left as a guess, None where that is not known.
    """
    shown, total = format_code(guess.guess, rules), guess.partition.total
    if guess.sample is None and total == 1:
        return f"{shown} is the only code left." if guess.is_candidate else f"{shown} is not the only code left."
    if guess.sample is None and guess.parts == 1 and not guess.is_candidate:
        return f"{shown} tells nothing: the answer is the same for all {total:,} codes left."
    return f"{_splits(guess, shown)}; it {_wins(guess)}{_compared(guess, best, rival, rules)}."


def explain_last_guess(guess: RatedGuess, best: RatedGuess, rules: Rules) -> str:
    """Say what the last guess of a game is worth, where it may be wrong."""
    shown = format_code(guess.guess, rules)
    if guess.chance < best.chance:
        return f"This is the last guess, and {format_code(best.guess, rules)} is likelier: {shown} {_wins(guess)}."
    return f"This is the last guess: {shown} {_wins(guess)}."


def _splits(guess: RatedGuess, shown: str) -> str:
    if guess.sample is not None:
        return f"{shown} tells about {guess.bits:.1f} bits, by a sample of {plural(guess.sample, '{n} code', '{n} codes')} that fit"
    total, parts = guess.partition.total, guess.parts
    if parts == total:
        return f"{shown} tells {'both' if total == 2 else f'all {total:,}'} codes left apart"
    largest = "each of one" if guess.largest == 1 else f"the largest of {guess.largest:,}"
    return f"{shown} splits the {total:,} codes left into {plural(parts, '{n} group', '{n} groups')}, {largest}"


def _wins(guess: RatedGuess) -> str:
    if not guess.is_candidate:
        return "cannot win now"
    return f"wins now with {_share(guess.chance)}" if guess.chance else "can win now"


def _compared(guess: RatedGuess, best: RatedGuess, rival: RatedGuess | None, rules: Rules) -> str:
    """Compare the guess with others, in words."""
    loss = guess.loss
    if loss.knowledge is not Certainty.estimate and loss.value > SMALL:
        sign = "" if loss.is_exact else "at least "
        return f", and takes {sign}{loss.value:.2g} guesses more than {format_code(best.guess, rules)}"
    if not loss.is_exact:
        return "" if loss.value <= SMALL else f", and takes about {loss.value:.2g} guesses more than the best"
    if guess.is_candidate or rival is None or not rival.expected.is_exact:
        return ""
    gap = rival.expected.value - guess.expected.value
    if gap <= SMALL:
        return ", and is as good as any code that can"
    return f", and still beats every code that can by {gap:.2g} guesses"
