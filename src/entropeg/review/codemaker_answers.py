"""Reviews the answers of a codemaker that may choose them: what each cost the player, and what would have cost most.

An honest codemaker has no choice: its answers are luck. A cheat may give any answer that some code still fits; the
perfect one gives that after which the best play takes longest, the answer of greatest V.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from entropeg import arguments, codemakers
from entropeg.advise.expectation import Expectation, less
from entropeg.codes import format_code
from entropeg.feedback import AnyFeedback, format_feedback
from entropeg.plain_values import PlainValue
from entropeg.review.account import Review
from entropeg.review.turns import ROUNDED, TurnReview, is_known, total_of
from entropeg.review.wording import hundredths
from entropeg.told import Told, words

COLUMNS = words("column", "", "guess", "answer", "of", "cost", "worst", "left out")
"""Names of the numbers of an answer, in the order of `AnswerReview.in_row`."""
ALIGNED = "><<>><>"
CAPTION = Told("what each answer cost the player, and what the worst one would have cost more")
"""The caption of the table of these rows."""


@dataclass(frozen=True)
class AnswerReview(PlainValue):
    """One answer: what it cost the player, and how far it is from the worst that could have come.

    `cost` is what the best play then takes more than was to be expected of an honest codemaker: luck, with the other
    sign. `worst` is the answer of greatest V, the given one where it is one of them, and `spared` how much smaller V is
    after the given one. `choices` is the number of answers that could be given. None where they are not known exactly.
    """

    number: int
    guess: str
    answer: AnyFeedback
    cost: Expectation
    choices: int | None
    worst: AnyFeedback | None
    spared: Expectation | None

    def __repr__(self) -> str:
        return f"<AnswerReview {self.number}: {self.guess} {format_feedback(self.answer)}, cost {self.cost}>"

    @classmethod
    def of(cls, turn: TurnReview, guess: str) -> AnswerReview:
        """Review the answer of a turn."""
        cost = less(turn.left, turn.expected.plus(-1))
        given = turn.turn.feedback
        if turn.answers is None:
            return cls(turn.number, guess, given, cost, None, None, None)
        values = dict(turn.answers)
        greatest = max(values.values())
        # A codemaker may give an answer that has no chance, by the weights of the rules.
        spared = max(0.0, greatest - values.get(given, turn.left.value))
        if spared <= ROUNDED:
            return cls(turn.number, guess, given, cost, len(values), given, Expectation.of(0.0))
        worst = next(answer for answer, value in values.items() if value == greatest)
        return cls(turn.number, guess, given, cost, len(values), worst, Expectation.of(spared))

    def in_row(self) -> tuple[str, ...]:
        """Write the numbers, one for each of `COLUMNS`; `worst` is empty where no answer is worse."""
        is_perfect = self.spared is not None and self.spared.value <= ROUNDED
        worst = "" if self.worst is None or is_perfect else format_feedback(self.worst)
        choices = "" if self.choices is None else str(self.choices)
        spared = "" if self.spared is None else hundredths(self.spared)
        return (
            str(self.number),
            self.guess,
            format_feedback(self.answer),
            choices,
            hundredths(self.cost),
            worst,
            spared,
        )


@dataclass(frozen=True)
class AnswersReview(PlainValue):
    """All answers of a game: what they cost the player, and what they left out, in guesses."""

    PLAIN: ClassVar[tuple[str, ...]] = ("cost", "spared", "answers", "says=sentence")

    answers: tuple[AnswerReview, ...]

    def __repr__(self) -> str:
        return f"<AnswersReview: {self.sentence}>"

    @property
    def cost(self) -> Expectation:
        """What all answers cost the player, against honest ones."""
        return total_of([answer.cost for answer in self.answers])

    @property
    def spared(self) -> Expectation | None:
        """What the answers of greatest V would have cost more, each at its turn; None where one is not known."""
        found = [answer.spared for answer in self.answers if answer.spared is not None]
        return total_of(found) if len(found) == len(self.answers) else None

    @property
    def sentence(self) -> str:
        """The account of the codemaker in words."""
        if not is_known(self.cost):
            return Told("what the answers cost the player, nobody can say")
        said = Told("the answers cost the player {guesses} guesses against honest ones", hundredths(self.cost))
        if self.spared is None:
            return said
        if self.spared.value <= ROUNDED:
            return Told("{cost}; none could have cost more", said)
        more = hundredths(self.spared)
        return Told("{cost}; the worst ones would have cost {guesses} more, each at its turn", said, more)


def is_cheat(codemaker: str) -> bool:
    """Tell whether a codemaker of that name chooses its answers.

    >>> is_cheat("cheat:first"), is_cheat("honest")
    (True, False)
    """
    row = codemakers.registry.rows.get(codemaker.partition(":")[0])
    return row is not None and row.is_cheat


def review_answers(review: Review) -> AnswersReview:
    """Review the answers of a reviewed game, as those of a codemaker that could choose them.

    >>> from entropeg import Position
    >>> from entropeg.review import review
    >>> found = review_answers(review(Position("4x6", ["AABB O", "CCDD -"])))
    >>> [(str(one.cost), str(one.spared)) for one in found.answers]
    [('= 0.108', '= 0.027'), ('= -0.059', '= 0.252')]
    """
    rules = arguments.instance(review, Review, "the review", "as review returns it").position.rules
    return AnswersReview(tuple(AnswerReview.of(turn, format_code(turn.turn.guess, rules)) for turn in review.turns))
