"""Feedback that marks each peg: in place, elsewhere, or neither, as in Wordle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

from entropeg.kinds.kind import BLACKS, NOTHING, WHITES, Code, Kind, Method, Sizes, last_peg_fault
from entropeg.told import Template, Told


class Marks(tuple[int, ...]):
    """Positional feedback: for each peg 2 (black, in place), 1 (white, elsewhere) or 0.

    >>> Marks((2, 0, 1, 1)).black, Marks((2, 0, 1, 1)).white
    (1, 2)
    """

    __slots__ = ()

    @property
    def black(self) -> int:
        """Number of pegs in place."""
        return self.count(2)

    @property
    def white(self) -> int:
        """Number of pegs whose color is elsewhere."""
        return self.count(1)

    def __repr__(self) -> str:
        """Write the marks so that the text evaluates to them."""
        return f"Marks({tuple(self)})"


def marks_of(guess: Code, secret: Code) -> Marks:
    """Mark the pegs in place; then, from the left, others while unmatched copies of their color are in the secret."""
    marks = [2 * (g == s) for g, s in zip(guess, secret, strict=True)]
    unmatched = Counter(s for s, mark in zip(secret, marks, strict=True) if not mark)
    for peg, color in enumerate(guess):
        if not marks[peg] and unmatched[color]:
            marks[peg] = 1
            unmatched[color] -= 1
    return Marks(marks)


class _Positional(Kind):
    answer = Marks
    methods = frozenset(
        {
            *(Method.building, Method.onestep, Method.games, Method.place, Method.belief, Method.linear),
            *(Method.exact, Method.proofs),
        }
    )
    pegs_alike = False
    summary = Told("a mark for each peg, as in Wordle")
    title = Told("a mark for each peg, as in word games")
    legend: ClassVar = {"": Told("● right place, ○ another place, · not in the secret (or not once more)")}
    on_tiles = Told(
        "Line under a letter: right place; two points: another place; gray: not in the word (or not once more)."
    )
    wanted = Told("a mark for each peg")
    notation = Template("write one mark for each of the {pegs} pegs, X in place, O elsewhere, . none")
    examples = Told("X in place, O elsewhere, . none")
    most = 2

    def score(self, guess: Code, secret: Code, rules: Sizes) -> Marks:
        return marks_of(guess, secret)

    def count(self, rules: Sizes) -> int:
        return int(3**rules.pegs - rules.pegs)  # all but those of one white and otherwise blacks

    def of(self, numbers: Sequence[int], rules: Sizes) -> Marks:
        return Marks(numbers)

    def win(self, rules: Sizes) -> Marks:
        return Marks((2,) * rules.pegs)

    def label(self, feedback: Marks, rules: Sizes) -> int:
        label = 0
        for mark in feedback:  # to the base 3, the first peg most significant
            label = 3 * label + mark
        return label

    def from_label(self, label: int, rules: Sizes) -> Marks:
        return Marks(label // 3**power % 3 for power in reversed(range(rules.pegs)))

    def fault(self, feedback: Marks, rules: Sizes) -> str:
        if len(feedback) != rules.pegs:
            marks = len(feedback)
            return Told("{marks} marks for a guess of {pegs} pegs: give one mark for each peg", marks, rules.pegs)
        if not set(feedback) <= {0, 1, 2}:
            return Told("the marks {marks!r} are not all 0 (none), 1 (white) or 2 (black)", tuple(feedback))
        last = feedback.black == rules.pegs - 1 and feedback.white == 1
        return last_peg_fault(rules) if last else ""

    def read(self, text: str, rules: Sizes) -> Marks | None:
        if text.casefold() in NOTHING - {"-"} and rules.pegs > 1:
            return Marks((0,) * rules.pegs)
        marks = text.replace(" ", "").replace(",", "")
        if marks and all(mark in "012" for mark in marks):
            return Marks(map(int, marks))
        if marks and all(mark in BLACKS + WHITES + "._-·⬛⬜" for mark in marks):
            return Marks(2 if mark in BLACKS else 1 if mark in WHITES else 0 for mark in marks)
        return None

    def text(self, feedback: Marks) -> str:
        return "".join(".OX"[mark] for mark in feedback)

    word = text

    def said(self, feedback: Marks) -> str:
        return super().said((feedback.black, feedback.white))

    def details(self, feedback: Marks) -> dict[str, list[int]]:
        return {"marks": list(feedback)}


POSITIONAL = _Positional()
