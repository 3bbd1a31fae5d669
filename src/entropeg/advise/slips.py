"""The mistakes that people make in their notes, each with how often it happens: a stated model of slips.

One mistake of a kind is made with the probability `SHARES`, in any row alike (or in any two rows), and within the row
the variants are alike. So what is written came from a given true row with the probability share / rows / variants of
the true row. The shares are an assumption: nobody has counted.
"""

from __future__ import annotations

from enum import Enum
from math import comb

import numpy as np

from entropeg.codes import guesses
from entropeg.feedback import AnyFeedback, Code, Marks
from entropeg.rules import Blanks, Rules


class SlipKind(Enum):
    """What can go wrong when a turn is written down or typed."""

    feedback_one_off = "the feedback is one off"
    """One number is one too large or too small, or one peg was counted under another number; of marks one is wrong."""
    colors_exchanged = "black and white are exchanged"
    neighbors_exchanged = "two neighboring pegs of the guess are exchanged"
    peg_misread = "one peg of the guess is misread"
    feedbacks_exchanged = "the feedbacks of two rows are exchanged"
    foreign_row = "the row belongs to another game"


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
"""Afterwards: by how much less likely notes are for each guess that contradicts the rows before it."""


def feedbacks_one_off(feedback: AnyFeedback, rules: Rules) -> list[AnyFeedback]:
    """List the feedbacks that are one off from one; the relation goes both ways.

    Of marks one is another. Of numbers one is larger or smaller by one, or one peg is counted under another number.

    >>> from entropeg.feedback import Feedback
    >>> [tuple(each) for each in feedbacks_one_off(Feedback(1, 0), Rules())]
    [(0, 0), (0, 1), (1, 1), (2, 0)]
    """
    about, numbers = rules.feedback.about, list(feedback)
    found = set[tuple[int, ...]]()
    for place, number in enumerate(numbers):
        if isinstance(feedback, Marks):
            found.update((*numbers[:place], mark, *numbers[place + 1 :]) for mark in range(3) if mark != number)
            continue
        for step in (-1, 1):
            changed = [*numbers[:place], number + step, *numbers[place + 1 :]]
            found.add(tuple(changed))
            for other in range(place + 1, len(numbers)):
                found.add((*changed[:other], changed[other] - step, *changed[other + 1 :]))
    made = [about.of(numbers) for numbers in sorted(found)]
    return [each for each in made if not about.fault(each, rules)]


def colors_exchanged(feedback: AnyFeedback, rules: Rules) -> AnyFeedback | None:
    """Return the feedback with black and white exchanged; None where it is the same, or cannot be.

    >>> from entropeg.feedback import Feedback
    >>> colors_exchanged(Feedback(2, 1), Rules()), colors_exchanged(Feedback(1, 1), Rules())
    (Feedback(black=1, white=2), None)
    """
    about = rules.feedback.about
    if isinstance(feedback, Marks):
        changed = about.of([{1: 2, 2: 1}.get(mark, mark) for mark in feedback])
    else:
        changed = about.of([feedback[1], feedback[0], *feedback[2:]])
    is_other: bool = changed != feedback and not about.fault(changed, rules)
    return changed if is_other else None


def neighbors_exchanged(guess: Code, rules: Rules) -> list[Code]:
    """List the legal guesses that differ from a guess by the exchange of two neighboring pegs.

    >>> neighbors_exchanged((0, 0, 1, 2), Rules())
    [(0, 1, 0, 2), (0, 0, 2, 1)]
    """
    found = [
        (*guess[:peg], guess[peg + 1], guess[peg], *guess[peg + 2 :])
        for peg in range(len(guess) - 1)
        if guess[peg] != guess[peg + 1]
    ]
    words = rules.words
    return found if words is None else [code for code in found if words.allows(code, secret=False)]


def pegs_misread(guess: Code, rules: Rules) -> list[Code]:
    """List the legal guesses that differ from a guess in one peg, in order of the pegs.

    >>> len(pegs_misread((0, 1, 2, 3), Rules())), len(pegs_misread((0, 1, 2, 3), Rules(4, 10, repeats=False)))
    (20, 24)
    """
    if rules.words is not None and not rules.words.free:
        planes = guesses(rules).planes
        differing = (planes != np.array(guess, planes.dtype)[:, None]).sum(axis=0)
        return [tuple(row) for row in planes[:, differing == 1].T.tolist()]
    found = []
    for peg, color in enumerate(guess):
        barred = {color} if rules.guess_repeats else {each for each in guess if each < rules.colors} | {color}
        found += [
            (*guess[:peg], other, *guess[peg + 1 :]) for other in range(rules.symbols_in_guesses) if other not in barred
        ]
    return found


def count_pegs_misread(guess: Code, rules: Rules) -> int:
    """Return the length of `pegs_misread`, mostly without listing them."""
    if rules.words is not None and not rules.words.free:
        return len(pegs_misread(guess, rules))
    if rules.guess_repeats:
        return rules.pegs * (rules.symbols_in_guesses - 1)
    colored = sum(color < rules.colors for color in guess)
    unused = rules.colors - colored
    return rules.pegs * unused + colored * (rules.blanks != Blanks.none)


def likelihood(kind: SlipKind, guess: Code, feedback: AnyFeedback, rows: int, rules: Rules) -> float:
    """Return how likely a true row is written down in one given wrong way of a kind, in notes of so many rows.

    For the kinds in which one row goes wrong by itself. The share of the kind, spread over the rows and over the ways
    in which this row can go wrong.
    """
    ways = 1  # black and white are exchanged in one way
    if kind is SlipKind.feedback_one_off:
        ways = len(feedbacks_one_off(feedback, rules))
    elif kind is SlipKind.neighbors_exchanged:
        ways = len(neighbors_exchanged(guess, rules))
    elif kind is SlipKind.peg_misread:
        ways = count_pegs_misread(guess, rules)
    return SHARES[kind] / rows / ways


def likelihood_of_exchange(rows: int) -> float:
    """Return how likely the feedbacks of two given rows are exchanged, in notes of so many rows."""
    return SHARES[SlipKind.feedbacks_exchanged] / comb(rows, 2)


def likelihood_of_foreign(frequency: float, rows: int) -> float:
    """Return how likely a row of another game stands in a given place; `frequency` is that of its answer."""
    return SHARES[SlipKind.foreign_row] / rows * frequency
