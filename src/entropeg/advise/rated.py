"""Rates a guess at a position, in numbers and in words: what its answers tell, and how many guesses it takes."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import ClassVar

from entropeg.advise.expectation import NINETEEN_OF_TWENTY, Certainty, Expectation, Information
from entropeg.advise.question import NotedPosition
from entropeg.codes import format_code, may_be_secret
from entropeg.feedback import Code, score_trusted
from entropeg.partition import AnswerLeft, Partition
from entropeg.plain_values import PlainValue
from entropeg.rules import Rules
from entropeg.told import Template, Told, plural, word, words

SMALL = 0.0005
"""Less than this is no difference, in words."""
COLUMNS = words("column", "wins now", "bits", "answers", "most left", "expected left", "guesses", "loss")
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

    PLAIN: ClassVar[tuple[str, ...]] = (
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
    wins, bits = _share(guess.chance) if guess.chance else word("cell", "maybe"), Told("{number:.2f}", guess.bits)
    if not guess.is_candidate:
        wins = word("cell", "no")
    if guess.sample is not None:
        return wins, bits, "", "", "", str(guess.expected), str(guess.loss)
    sizes = (
        Told("{number:,}", guess.parts),
        Told("{number:,}", guess.largest),
        Told("{number:,.1f}", guess.expected_size),
    )
    return wins, bits, *sizes, str(guess.expected), str(guess.loss)


def _share(chance: float) -> Told:
    percent = 100 * chance
    return Told("{percent:.0f} %", percent) if chance >= 0.1 else Told("{percent:.2g} %", percent)


def explain_guess(guess: RatedGuess, best: RatedGuess, rival: RatedGuess | None, rules: Rules) -> str:
    """Say what a guess does to the codes left, and what it is worth beside the best one.

    ``rival`` is the best of the codes left as a guess, None where that is not known.
    """
    shown, total = format_code(guess.guess, rules), guess.partition.total
    if guess.sample is None and total == 1:
        return (
            Told("{guess} is the only code left.", shown)
            if guess.is_candidate
            else Told("{guess} is not the only code left.", shown)
        )
    if guess.sample is None and guess.parts == 1 and not guess.is_candidate:
        return Told("{guess} tells nothing: the answer is the same for all {total:,} codes left.", shown, total)
    return _compared(guess, best, rival, rules)


def explain_last_guess(guess: RatedGuess, best: RatedGuess, rules: Rules) -> str:
    """Say what the last guess of a game is worth, where it may be wrong."""
    wins = _wins(guess, format_code(guess.guess, rules))
    if guess.chance < best.chance:
        likelier = format_code(best.guess, rules)
        return Told("This is the last guess, and {guess} is likelier: {wins}.", likelier, wins)
    return Told("This is the last guess: {wins}.", wins)


def _splits(guess: RatedGuess, shown: str) -> str:
    if guess.sample is not None:
        codes = plural(guess.sample, "{n} code", "{n} codes")
        return Told("{guess} tells about {bits:.1f} bits, by a sample of {codes} that fit", shown, guess.bits, codes)
    total, parts = guess.partition.total, guess.parts
    if parts == total:
        return (
            Told("{guess} tells both codes left apart", shown)
            if total == 2
            else Told("{guess} tells all {total:,} codes left apart", shown, total)
        )
    groups = plural(parts, "{n} group", "{n} groups")
    if guess.largest == 1:
        return Told("{guess} splits the {total:,} codes left into {groups}, each of one", shown, total, groups)
    return Told(
        "{guess} splits the {total:,} codes left into {groups}, the largest of {largest:,}",
        *(shown, total, groups, guess.largest),
    )


def _wins(guess: RatedGuess, shown: str) -> Told:
    if not guess.is_candidate:
        return Told("{guess} cannot win now", shown)
    if not guess.chance:
        return Told("{guess} can win now", shown)
    return Told("{guess} wins now with {chance}", shown, _share(guess.chance))


def _compared(guess: RatedGuess, best: RatedGuess, rival: RatedGuess | None, rules: Rules) -> Told:
    """Say what the guess does, and compare it with others."""
    splits, wins = _splits(guess, format_code(guess.guess, rules)), _wins(guess, word("guess", "it"))
    loss, other = guess.loss, format_code(best.guess, rules)
    if not rules.is_named:
        if loss.value <= SMALL or not loss.is_exact:
            return Told("{splits}.", splits)
        return Told("{splits}, and takes {loss:.2g} guesses more than {guess}.", splits, loss.value, other)
    if loss.value > SMALL:
        match loss.knowledge:
            case Certainty.exact:
                template = Template("{splits}; {wins}, and takes {loss:.2g} guesses more than {guess}.")
            case Certainty.at_least:
                template = Template("{splits}; {wins}, and takes at least {loss:.2g} guesses more than {guess}.")
            case _:
                template = Template("{splits}; {wins}, and takes about {loss:.2g} guesses more than the best.")
        return Told(template, splits=splits, wins=wins, loss=loss.value, guess=other)
    if not loss.is_exact or guess.is_candidate or rival is None or not rival.expected.is_exact:
        return Told("{splits}; {wins}.", splits, wins)
    gap = rival.expected.value - guess.expected.value
    if gap <= SMALL:
        return Told("{splits}; {wins}, and is as good as any code that can.", splits, wins)
    return Told("{splits}; {wins}, and still beats every code that can by {gap:.2g} guesses.", splits, wins, gap)
