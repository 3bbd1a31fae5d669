"""Explains a game as the decoder sees it: turn by turn its stage, the candidates, and what its guess does to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from entropeg import arguments
from entropeg.candidates import SCANNED, count_codes
from entropeg.codebreakers.decoder.discrimination import BestGuess
from entropeg.codebreakers.decoder.player import Decision, Decoder
from entropeg.codes import AnyCode, format_code
from entropeg.errors import TooLargeError
from entropeg.feedback import AnyFeedback, Code, FeedbackLike, check_feedback, format_feedback
from entropeg.partition import Partition
from entropeg.plain_values import PlainValue
from entropeg.position import AtPosition, Position
from entropeg.rules import Rules
from entropeg.symmetry import kind_sizes, representatives
from entropeg.told import Joined, Told, plural

ENDS = {
    "found": Told("the code was found by chance"),
    "colors": Told("every color has been played"),
    "words": Told("a word list has no overture"),
    "hard": Told("hard rules have no overture"),
    "all marks": Told("the marks add up to all pegs"),
    "all marks but one": Told("the marks add up to all pegs but one"),
    "other guess": Told("another code was played"),
}
"""Why the overture is over, in words."""


@dataclass(frozen=True)
class Explanation(AtPosition, PlainValue):
    """The reason for the decoder's guess at a position, and its effect on the candidates.

    `guess` is the code explained: that of the decision, or another one that was played. `candidates` is exact, None
    where they are too many to be counted; `partition` is None where they are too many to be listed. `answer` is the
    feedback that the guess got, None while it is open.
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("turn", "guess", "answer", "decoder=decision.guess", "stage=decision.stage"),
        *("overture_end=decision.overture.end", "criterion=decision.criterion", "candidates"),
        *("is_candidate=decision.choice.is_candidate", "partition=partition.sizes", "bits=partition.bits"),
        "largest=partition.largest",
    )

    position: Position
    decision: Decision
    guess: Code
    candidates: int | None
    partition: Partition | None
    answer: AnyFeedback | None = None

    @property
    def turn(self) -> int:
        """Which turn of the game it is, from 1."""
        return len(self.position.turns) + 1

    def __repr__(self) -> str:
        return f"<Explanation of {self._shown(self.guess)} at {self.position!r}: {self._stage()}>"

    def __str__(self) -> str:
        """Write the explanation as Forget (2011) does, some lines of text."""
        return Joined(self._lines(), "\n")

    def _lines(self) -> Iterator[str]:
        answer = "" if self.answer is None else f" {format_feedback(self.answer)}"
        yield f"{self.turn}. {self._shown(self.guess)}{answer}"
        yield Joined(["   ", Told("{stage}; {left}", self._stage(), self._left())])
        if self.guess != self.decision.guess:
            yield Joined(["   ", Told("the decoder would play {guess}", self._shown(self.decision.guess))])
        if self.partition is not None:
            yield "   " + format_partition(self.partition)
            bits, largest = self.partition.bits, self.partition.largest
            facts = [Told("{bits:.2f} bits, largest part {largest:,}", bits, largest), *self._equals()]
            yield Joined(["   ", Joined(facts, ", ")])

    def _shown(self, code: Code) -> str:
        return format_code(code, self.position.rules)

    def _stage(self) -> Told:
        decision = self.decision
        if decision.stage == "overture":
            return Told("overture")
        end = decision.overture.end
        if end is None:  # `full` goes over to the endgame at once, whatever the overture would do
            return Told("endgame by {criterion}", decision.criterion)
        return Told("endgame by {criterion} ({reason})", decision.criterion, ENDS[end])

    def _left(self) -> Told:
        if self.candidates is None:
            return Told("too many codes left to be counted")
        return plural(self.candidates, "{n} code is left", "{n} codes are left")

    def _equals(self) -> Iterator[Told]:
        choice = self.decision.choice
        if choice is None or self.guess != self.decision.guess:
            return
        if not choice.is_candidate:
            yield Told("a probe")
        if more := count_equal(self.position, choice) - 1:
            yield Told("as good as {more:,} more", more)


def explain(
    position: Position | Rules | str,
    decoder: Decoder | None = None,
    *,
    guess: AnyCode | None = None,
    answer: FeedbackLike | None = None,
) -> Explanation:
    """Explain the decoder's guess at a position, or what another guess does there.

    Raises ContradictionError and TooLargeError as the decoder does.

    >>> print(explain(Position("4x26", ["ABCD XXX", "ABCE XXX"])))
    3. IJKL
       endgame by entropy (the marks add up to all pegs but one); 24 codes are left
       X: 1, O: 3, -: 20
       0.79 bits, largest part 20, a probe, as good as 3 more
    """
    position = Position.of(position)
    decoder = Decoder() if decoder is None else arguments.instance(decoder, Decoder, "the decoder", "as Decoder()")
    answered = None if answer is None else check_feedback(answer, position.rules)
    played = None if guess is None else position.check_guess(guess)
    decision = decoder.decide(position)
    guess = decision.guess if played is None else played
    candidates = count_left(position)
    listed = candidates is not None and (candidates <= SCANNED or decision.stage == "endgame")
    partition = Partition.of(position.candidates, guess) if listed else None
    return Explanation(position, decision, guess, candidates, partition, answered)


def count_equal(position: Position, choice: BestGuess) -> int:
    """Return how many guesses are as good as the one chosen, itself included, by both of the decoder's criteria.

    Exact among the guesses that it compared, all those counted for which one stood.

    >>> position = Position("4x6")
    >>> count_equal(position, Decoder("full").decide(position).choice)
    360
    """
    equal = choice.equal
    if choice.whole_kinds == "none":
        return len(equal)
    if choice.whole_kinds == "all":
        return sum(kind_sizes(position, equal))
    # A probe stands for itself, unless it is a candidate: then it is of the kind of one that was compared.
    is_candidate = position.candidates.find(equal) >= 0
    kinds = representatives(position, equal.take(np.flatnonzero(is_candidate)))
    return sum(kind_sizes(position, kinds)) + int(np.count_nonzero(~is_candidate))


def count_left(position: Position | Rules | str) -> int | None:
    """Return the exact number of candidates, None where that takes too long."""
    position = Position.of(position)
    if position.rules.secret_count <= SCANNED:
        return len(position.candidates)
    try:
        # After that many steps, well under a second, the number of candidates is left open.
        return count_codes(position.rules, position.turns, steps=100_000_000)
    except TooLargeError:
        return None


def story(position: Position | Rules | str, decoder: Decoder | None = None) -> Iterator[Explanation]:
    """Explain every turn of a game, played by the decoder or not, and the next one where the game goes on."""
    position = Position.of(position)
    for index, turn in enumerate(position.turns):
        earlier = Position(position.rules, position.turns[:index])
        yield explain(earlier, decoder, guess=turn.guess, answer=turn.feedback)
    if not position.is_over:
        yield explain(position, decoder)


def format_partition(partition: Partition) -> Joined:
    """Write the sizes of the parts, the best feedback first: `XXXX: 1, XXX: 24, XXO: 3, XX: 72`.

    >>> from entropeg.feedback import Feedback
    >>> format_partition(Partition((0, 1), {Feedback(0, 0): 4, Feedback(0, 2): 1, Feedback(2): 1}, Feedback(2)))
    'XX: 1, OO: 1, -: 4'
    """
    sizes = reversed(partition.sizes.items())
    return Joined([Told("{answer}: {codes:,}", format_feedback(answer), codes) for answer, codes in sizes], ", ")
