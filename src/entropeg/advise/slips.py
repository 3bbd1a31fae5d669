"""Models the mistakes that people make in their notes: each kind, how often it happens, and what it makes of a row.

One mistake of a kind is made with the probability `SHARES`, in any row alike (or in any two rows), and within the row
the variants are alike. So the written row came from a given true row with the probability share / rows / variants
of the true row. The shares are an assumption: nobody has counted.
"""

from __future__ import annotations

from enum import Enum
from math import comb
from typing import TypeAlias

import numpy as np

from entropeg.advise.rows import NotedFeedback, PartCode, PartFeedback, is_from_list, words_like
from entropeg.errors import InputError
from entropeg.feedback import Feedback, Marks
from entropeg.rules import Blanks, Rules
from entropeg.told import Template, Told

Numbers: TypeAlias = tuple[tuple[int, "int | None"], ...]
"""The numbers of a feedback: for each the least and the most, None for no more than that it is the least."""

Noted: TypeAlias = tuple[bool, ...]
"""For each number of a feedback whether it was noted."""


class SlipKind(Enum):
    """The mistakes that happen when a turn is written down or typed."""

    feedback_one_off = Template("the feedback is one off")
    """One number is one too large or too small, or one peg was counted under another number; of marks one is wrong."""
    colors_exchanged = Template("black and white are exchanged")
    neighbors_exchanged = Template("two neighboring pegs of the guess are exchanged")
    peg_misread = Template("one peg of the guess is misread")
    feedbacks_exchanged = Template("the feedbacks of two rows are exchanged")
    foreign_row = Template("the row belongs to another game")
    doubted_row = Template("nothing else agrees with the row")
    """Told where a player doubts a row of a board whose codes nobody can list; no model of how often it happens."""

    @property
    def told(self) -> Told:
        """What happened, for people."""
        return Told(self.value)


SHARES = {
    SlipKind.feedback_one_off: 0.40,
    SlipKind.peg_misread: 0.20,
    SlipKind.colors_exchanged: 0.15,
    SlipKind.neighbors_exchanged: 0.10,
    SlipKind.feedbacks_exchanged: 0.10,
    SlipKind.foreign_row: 0.05,
}
"""How often each kind of mistake is made, of all single mistakes: assumed, of sum 1."""

UNREASONED = 0.1
"""By how much less likely notes are for each guess that contradicts the rows before it: as they are mended, afterwards;
live as they stood when the guess was made."""


def numbers_of(told: NotedFeedback) -> Numbers:
    """Return the numbers that a feedback tells; none where nothing is told.

    >>> numbers_of(PartFeedback(((1, 1), (0, 4))))
    ((1, 1), (0, None))
    """
    if told is None:
        return ()
    if not isinstance(told, PartFeedback):
        return tuple((number, number) for number in told)
    return tuple((least, most if least == most else None) for least, most in told.ranges)


def told_of(numbers: Numbers, rules: Rules) -> list[NotedFeedback]:
    """Return the feedback that tells these numbers, alone in a list; an empty list where no feedback has them."""
    about = rules.feedback.about
    if any(least < 0 for least, _ in numbers):
        return []
    if all(most is not None for _, most in numbers):
        whole = about.of([least for least, _ in numbers], rules)
        return [] if about.fault(whole, rules) else [whole]
    try:
        return [PartFeedback.of(numbers, rules)]
    except InputError:
        return []


def noted_in(numbers: Numbers, rules: Rules) -> Noted:
    """Tell which numbers were noted: exactly, or from below; where marks stand singly (`X?`) all of them.

    >>> noted_in(((1, 1), (0, None)), Rules()), noted_in(((1, None), (0, None)), Rules())
    ((True, False), (True, True))
    """
    are_marks = rules.feedback.about.answer is not Marks and all(most is None for _, most in numbers)
    return tuple(are_marks or least == most or least > 0 for least, most in numbers)


def numbers_one_off(numbers: Numbers, noted: Noted, rules: Rules) -> list[Numbers]:
    """List the numbers that are one off from some; only those that were noted can be."""
    found = set[Numbers]()
    for place in (place for place, is_noted in enumerate(noted) if is_noted):
        if rules.feedback.about.answer is Marks:
            found.update(_replaced(numbers, {place: mark}) for mark in range(3) if (mark, mark) != numbers[place])
            continue
        for step in (-1, 1):
            found.add(_stepped(numbers, {place: step}))
            others = (other for other in range(place + 1, len(numbers)) if noted[other])
            found.update(_stepped(numbers, {place: step, other: -step}) for other in others)
    return [each for each in sorted(found) if told_of(each, rules)]


def numbers_exchanged(numbers: Numbers, rules: Rules) -> list[Numbers]:
    """List the numbers with those of black and white exchanged: none where they are the same, or cannot be."""
    if rules.feedback.about.answer is Marks:
        other = {1: 2, 2: 1}
        places = {place: other[low] for place, (low, high) in enumerate(numbers) if low == high and low in other}
        changed = _replaced(numbers, places)
    elif len(numbers) < len(Feedback._fields):
        return []  # under black-only rules
    else:
        changed = (numbers[1], numbers[0], *numbers[2:])
    return [changed] if changed != numbers and told_of(changed, rules) else []


def _replaced(numbers: Numbers, marks: dict[int, int]) -> Numbers:
    return tuple((marks[place], marks[place]) if place in marks else each for place, each in enumerate(numbers))


def _stepped(numbers: Numbers, steps: dict[int, int]) -> Numbers:
    moved = [(*each, steps.get(place, 0)) for place, each in enumerate(numbers)]
    return tuple((least + step, None if most is None else most + step) for least, most, step in moved)


def neighbors_exchanged(guess: PartCode, rules: Rules) -> list[PartCode]:
    """List the legal guesses that differ from a guess by the exchange of two neighboring pegs; both must be known.

    >>> neighbors_exchanged((0, 0, 1, 2), Rules()), neighbors_exchanged((0, None, 1, 2), Rules())
    ([(0, 1, 0, 2), (0, 0, 2, 1)], [(0, None, 2, 1)])
    """
    found = [
        (*guess[:peg], guess[peg + 1], guess[peg], *guess[peg + 2 :])
        for peg in range(len(guess) - 1)
        if guess[peg] != guess[peg + 1] and guess[peg] is not None and guess[peg + 1] is not None
    ]
    return [code for code in found if words_like(code, rules).shape[1]] if is_from_list(rules) else found


def pegs_misread(guess: PartCode, rules: Rules) -> list[PartCode]:
    """List the legal guesses that differ from a guess in one known peg, in order of the pegs.

    >>> len(pegs_misread((0, 1, 2, 3), Rules())), len(pegs_misread((0, 1, 2, 3), Rules(4, 10, repeats=False)))
    (20, 24)
    >>> pegs_misread((0, None), Rules(2, 3))
    [(1, None), (2, None)]
    """
    found: list[PartCode] = []
    known = {color for color in guess if color is not None and color < rules.colors}
    for peg, color in enumerate(guess):
        if color is None:
            continue
        before, after = guess[:peg], guess[peg + 1 :]
        if is_from_list(rules):
            like = words_like((*before, None, *after), rules)
            others = [int(letter) for letter in np.unique(like[peg]) if letter != color]
        else:
            barred = {color} if rules.guess_repeats else known | {color}
            others = [other for other in range(rules.symbols_in_guesses) if other not in barred]
        found += [(*before, other, *after) for other in others]
    return found


def count_pegs_misread(guess: PartCode, rules: Rules) -> int:
    """Return the length of `pegs_misread`, mostly without listing them."""
    if is_from_list(rules):
        return len(pegs_misread(guess, rules))
    known = [color for color in guess if color is not None]
    if rules.guess_repeats:
        return len(known) * (rules.symbols_in_guesses - 1)
    colored = sum(color < rules.colors for color in known)
    return len(known) * (rules.colors - colored) + colored * (rules.blanks != Blanks.none)


def likelihood(kind: SlipKind, ways: int, rows: int) -> float:
    """Return how likely a true row is written down in one given wrong way of a kind, in notes of ``rows`` rows.

    For the kinds in which one row goes wrong by itself. The share of the kind, spread over the rows and over the ways
    in which this row can go wrong.
    """
    return SHARES[kind] / rows / ways


def likelihood_of_exchange(rows: int) -> float:
    """Return how likely the feedbacks of two given rows are exchanged, in notes of ``rows`` rows."""
    return SHARES[SlipKind.feedbacks_exchanged] / comb(rows, 2)


def likelihood_of_foreign(frequency: float, rows: int) -> float:
    """Return how likely a row of another game stands in a given place; `frequency` is that of its answer."""
    return SHARES[SlipKind.foreign_row] / rows * frequency
