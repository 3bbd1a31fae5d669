"""Plays by a plan, a generator of codes to which feedback is sent, and remembers its place in each game.

A plan draws nothing by chance, so that a position always gets the same code; what is remembered only saves the time of
going through its turns again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from entropeg.codebreakers.color_sums import suspects_of
from entropeg.codebreakers.doubts import Doubt
from entropeg.codebreakers.memo import Memo, followed
from entropeg.errors import ContradictionError
from entropeg.feedback import AnyFeedback, Code, Feedback, format_feedback, score_trusted
from entropeg.position import Position, Turn
from entropeg.rules import Rules
from entropeg.search.subset import Array, Questions
from entropeg.told import Told

Start: TypeAlias = Callable[[Rules], Questions[Array]]
"""Makes the generator of a plan; the code that it returns in the end is the secret."""


class Plans:
    """The plans of the games that are going on."""

    def __init__(self, start: Start) -> None:
        self._start = start
        # The games that one process plays side by side.
        self._memo: Memo[Plan] = Memo(8)
        self._refused: tuple[Position, str] | None = None  # the last contradiction

    def guess(self, position: Position) -> Code:
        """Return the next code of a position's plan; raises ContradictionError where an answer cannot be."""
        try:
            return followed(self._memo, position, lambda rules: Plan(rules, self._start(rules))).guess()
        except ContradictionError as error:
            self._refused = position, str(error)
            raise

    def doubt(self, position: Position) -> Doubt | None:
        """Return the contradiction that a position's plan meets, which is a proof; None where it meets none.

        Rows are suspect where black and white together contradict each other.
        """
        # To go through thousands of turns again may take a minute.
        if self._refused is None or self._refused[0] is not position:
            try:
                self.guess(position)
            except ContradictionError:
                pass
            else:
                return None
        assert self._refused is not None
        return Doubt(self._refused[1], is_proved=True, rows=suspects_of(position.rules, position.turns))


class Plan:
    """One game in progress: the questions, the next code, and the turns it has seen.

    Turns of other origin are left aside, except that an answer that is there already is not asked for again.
    """

    def __init__(self, rules: Rules, questions: Questions[Array]) -> None:
        self.rules = rules
        self.turns: tuple[Turn, ...] = ()
        self.found = False
        self._foreign: dict[Code, AnyFeedback] = {}
        # One int object a color, shared by all codes: with a thousand pegs they would fill the memory.
        self._symbols = np.arange(rules.symbols_in_guesses).astype(object)
        self._questions = questions
        self._code: Code = ()
        self._go_on(0, None)

    def follow(self, turns: tuple[Turn, ...]) -> None:
        """Take in the turns not seen yet."""
        for number in range(len(self.turns), len(turns)):
            self._take(number + 1, *turns[number])
        self.turns = turns

    def _take(self, number: int, guess: Code, feedback: AnyFeedback) -> None:
        if self.found or guess != self._code:
            self._foreign[guess] = feedback
            return
        self._go_on(number, feedback)
        while not self.found and self._code in self._foreign:
            self._go_on(number, self._foreign[self._code])

    def _go_on(self, number: int, feedback: AnyFeedback | None) -> None:
        told = None if feedback is None else Feedback(feedback.black, feedback.white)
        try:
            self._code = self._as_code(self._questions.send(told))  # type: ignore[arg-type]  # None starts it
        except StopIteration as end:
            self._code, self.found = self._as_code(end.value), True
        except ContradictionError as error:
            raise ContradictionError(
                "the answer to turn {number} contradicts the turns before it: {error}", number, error
            ) from None

    def _as_code(self, pegs: Array) -> Code:
        return tuple(self._symbols[pegs].tolist())

    def guess(self) -> Code:
        """Return the next code; once it is the only one left it must fit every turn."""
        for number, (guess, feedback) in enumerate(self.turns if self.found else (), start=1):
            right = score_trusted(guess, self._code, self.rules)
            if right != feedback:
                shown = self.rules.symbols.format(self._code) if self.rules.pegs <= 12 else Told("one code")
                raise ContradictionError(
                    "the answers contradict each other: they leave only {code}, yet turn {number} was answered "
                    "{feedback}, not {right}",
                    *(shown, number, format_feedback(feedback), format_feedback(right)),
                )
        return self._code


def count_guesses(
    questions: Questions[Array], secret: Sequence[int] | Array, colors: int, *, whites: bool = True
) -> int:
    """Return how many codes a plan plays until it has played the secret, without a game around it."""
    hidden = np.asarray(secret)
    counts = np.bincount(hidden, minlength=colors)
    code, guesses = next(questions, None), 1
    while code is not None:
        black = int(np.count_nonzero(code == hidden))
        if black == len(hidden):
            break
        common = int(np.minimum(np.bincount(code, minlength=colors), counts).sum())
        try:
            code = questions.send(Feedback(black, common - black if whites else 0))
        except StopIteration as end:
            code = end.value
        guesses += 1
    return guesses
