"""What the codemaker answers: how it is counted, written, read, and packed into one small number.

At the edge feedback is a `Feedback(black, white)`, or `Marks` (a mark per peg) under positional rules.
Inside, in kernels and partitions, it is a *label*, an int below `rules.label_count`; `label_of` and
`from_label` convert.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import eq
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from entropeg import arguments
from entropeg.errors import InputError, quoted
from entropeg.rules import FeedbackKind, Rules

Code: TypeAlias = tuple[int, ...]
"""A code at the edge of the library: color indexes from 0; a blank peg is the index `rules.colors`."""

MARKS_WRITTEN_OUT = 12
"""Up to so many marks feedback is written `XXO`, beyond as `14b3w`."""


class Feedback(NamedTuple):
    """Number of pegs in place (black), and of further pegs of a right color (white)."""

    black: int
    white: int = 0


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


class GrandFeedback(NamedTuple):
    """Number of pairs in place (black), elsewhere (white), and half right in place (blue): `FeedbackKind.grand`."""

    black: int
    white: int = 0
    blue: int = 0


AnyFeedback: TypeAlias = Feedback | Marks | GrandFeedback

FeedbackLike: TypeAlias = "AnyFeedback | str | Sequence[int]"
"""What is read as feedback: text in any notation, or its numbers, as in (black, white)."""


def score_trusted(guess: Code, secret: Code, rules: Rules) -> AnyFeedback:
    """Answer a guess as the rules say: `codes.score` without its checks, for long loops.

    >>> score_trusted((0, 0, 1, 2), (0, 1, 0, 0), Rules())
    Feedback(black=1, white=2)
    """
    if rules.feedback == FeedbackKind.positional:
        return _marks(guess, secret)
    if rules.shapes:
        return _grand(_marks(guess, secret), guess, secret, rules.shapes)
    black = sum(map(eq, guess, secret))
    if rules.feedback == FeedbackKind.black:
        return Feedback(black)
    if rules.feedback == FeedbackKind.membership:
        present = set(secret)
        return Feedback(black, sum(g in present for g in guess) - black)
    have = _color_counts(secret)
    return Feedback(black, sum(min(count, have.get(color, 0)) for color, count in Counter(guess).items()) - black)


@lru_cache(maxsize=16)
def _color_counts(secret: Code) -> Counter[int]:
    # Kept because a game scores every guess against one secret: with a thousand pegs counting is most of the work.
    return Counter(secret)


def _marks(guess: Code, secret: Code) -> Marks:
    marks = [2 * (g == s) for g, s in zip(guess, secret, strict=True)]
    unmatched = Counter(s for s, mark in zip(secret, marks, strict=True) if not mark)
    for peg, color in enumerate(guess):
        if not marks[peg] and unmatched[color]:
            marks[peg] = 1
            unmatched[color] -= 1
    return Marks(marks)


def _grand(marks: Marks, guess: Code, secret: Code, shapes: int) -> GrandFeedback:
    # Pairs as colors, with marks from the left; then the pegs without a mark that are half right in their place.
    left = [pair for *pair, mark in zip(guess, secret, marks, strict=True) if not mark]
    blue = sum(one // shapes == other // shapes or one % shapes == other % shapes for one, other in left)
    return GrandFeedback(marks.black, marks.white, blue)


def win_feedback(rules: Rules) -> AnyFeedback:
    """Return the feedback that ends the game."""
    if rules.shapes:
        return GrandFeedback(rules.pegs)
    return Marks((2,) * rules.pegs) if rules.feedback == FeedbackKind.positional else Feedback(rules.pegs)


def label_of(feedback: AnyFeedback, rules: Rules) -> int:
    """Pack feedback into its label.

    Standard and membership: `black * (pegs + 1) + white`; black only: `black`; positional: base 3, first peg
    most significant; grand: as standard, times `pegs + 1`, plus `blue`.
    """
    if isinstance(feedback, Marks):
        label = 0
        for mark in feedback:
            label = 3 * label + mark
        return label
    if isinstance(feedback, GrandFeedback):
        return (feedback.black * (rules.pegs + 1) + feedback.white) * (rules.pegs + 1) + feedback.blue
    return (
        feedback.black if rules.feedback == FeedbackKind.black else feedback.black * (rules.pegs + 1) + feedback.white
    )


def from_label(label: int, rules: Rules) -> AnyFeedback:
    """Unpack a label; the inverse of `label_of`.

    >>> from_label(12, Rules())
    Feedback(black=2, white=2)
    """
    if rules.feedback == FeedbackKind.positional:
        return Marks(label // 3**power % 3 for power in reversed(range(rules.pegs)))
    if rules.feedback == FeedbackKind.black:
        return Feedback(label)
    if rules.shapes:
        return GrandFeedback(*divmod(label // (rules.pegs + 1), rules.pegs + 1), label % (rules.pegs + 1))
    return Feedback(*divmod(label, rules.pegs + 1))


def check_feedback(feedback: FeedbackLike, rules: Rules) -> AnyFeedback:
    """Return feedback, given as such, as text or as numbers, or raise InputError saying why no secret could give it.

    >>> check_feedback((2, 1), Rules()), check_feedback("XXO", Rules())
    (Feedback(black=2, white=1), Feedback(black=2, white=1))
    """
    if isinstance(feedback, str):
        return parse_feedback(feedback, rules)
    expected, wanted = _EXPECTED.get(rules.feedback, _COUNTS)
    if type(feedback) is not expected or not _PLAIN.issuperset(map(type, feedback)):
        feedback = _of_numbers(feedback, expected, wanted, rules)
    if isinstance(feedback, Marks):
        return _check_marks(feedback, rules)
    if isinstance(feedback, GrandFeedback):
        return _check_grand(feedback, rules)
    return _check_counts(feedback, rules)


def _of_numbers(numbers: Any, expected: type[AnyFeedback], wanted: str, rules: Rules) -> AnyFeedback:
    # (black, white), as documents write it; black alone under black-only rules; a mark a peg under positional ones.
    least, most = _NUMBERS.get(rules.feedback, (2, 2))
    is_read = isinstance(numbers, expected) or type(numbers) in {tuple, list, np.ndarray}
    if not is_read or (expected is not Marks and not least <= len(numbers) <= most):
        raise InputError(f"{quoted(numbers)} does not fit {rules}: the feedback is {wanted}")
    return _made(expected, numbers)


def _made(expected: type[AnyFeedback], numbers: Sequence[int]) -> AnyFeedback:
    plain = [arguments.whole(value, f"a number of {quoted(numbers)}") for value in numbers]
    return Marks(plain) if issubclass(expected, Marks) else expected(*plain)


_PLAIN = frozenset({int})

_COUNTS: tuple[type[AnyFeedback], str] = Feedback, "a number of black and of white pegs"

_NUMBERS = {FeedbackKind.black: (1, 2), FeedbackKind.grand: (3, 3)}
"""How many numbers feedback is given as, at least and at most; a pair everywhere else."""

_EXPECTED: dict[FeedbackKind, tuple[type[AnyFeedback], str]] = {
    FeedbackKind.positional: (Marks, "a mark for each peg"),
    FeedbackKind.grand: (GrandFeedback, "a number of black, of white and of blue pegs"),
}


def _check_grand(feedback: GrandFeedback, rules: Rules) -> GrandFeedback:
    _check_counts(Feedback(feedback.black, feedback.white), rules)
    if feedback.blue < 0:
        raise InputError(f"{feedback.blue} blue: the number cannot be negative")
    if sum(feedback) > rules.pegs:
        raise InputError(
            f"{tuple(feedback)} are {sum(feedback)} marks; a guess has {rules.pegs} pegs, each one at most"
        )
    return feedback


def _check_marks(marks: Marks, rules: Rules) -> Marks:
    if len(marks) != rules.pegs:
        raise InputError(f"{len(marks)} marks for a guess of {rules.pegs} pegs: give one mark for each peg")
    if not set(marks) <= {0, 1, 2}:
        raise InputError(f"the marks {tuple(marks)} are not all 0 (none), 1 (white) or 2 (black)")
    if marks.black == rules.pegs - 1 and marks.white == 1:
        raise InputError(f"{_impossible(rules)}: when all other pegs are in place the last one cannot be elsewhere")
    return marks


def _check_counts(feedback: Feedback, rules: Rules) -> Feedback:
    black, white = feedback
    if black < 0 or white < 0:
        raise InputError(f"{black} black and {white} white: the numbers cannot be negative")
    if black + white > rules.pegs:
        raise InputError(f"{black} black and {white} white are {black + white} marks; a guess has {rules.pegs} pegs")
    if rules.feedback == FeedbackKind.black and white:
        raise InputError(f"{rules} answers with black only; {white} white cannot be")
    if rules.feedback in (FeedbackKind.standard, FeedbackKind.grand) and white == 1 and black == rules.pegs - 1:
        raise InputError(f"{_impossible(rules)}: when all other pegs are in place the last one cannot be elsewhere")
    return feedback


def _impossible(rules: Rules) -> str:
    return f"{rules.pegs - 1} black and 1 white cannot be"


def all_feedbacks(rules: Rules) -> list[AnyFeedback]:
    """List the feedbacks that the kind of rules can give at all, in label order; a given board may lack some."""
    labels = range(rules.label_count)
    return [feedback for feedback in (from_label(label, rules) for label in labels) if _can_be(feedback, rules)]


def _can_be(feedback: AnyFeedback, rules: Rules) -> bool:
    try:
        check_feedback(feedback, rules)
    except InputError:
        return False
    return True


_NOTHING = {"-", "–", "—", "none", "rien", "0", "no", "nothing"}
_BLACKS, _WHITES, _EMPTIES = "xX●⚫bB🟩", "oO○⚪wW🟨", "._-·⬛⬜"
_LETTERED = re.compile(r"(?:(\d{1,9})\s*[bB])?\s*,?\s*(?:(\d{1,9})\s*[wW])?")
_BULLS = re.compile(r"(?:(\d{1,9})\s*[aA])?\s*,?\s*(?:(\d{1,9})\s*[bB])?")
_BLUES = "~hH🔵🟦"
_THREE_NUMBERS = re.compile(r"(\d{1,9})[\s,;:/+-]+(\d{1,9})[\s,;:/+-]+(\d{1,9})")
_LETTERED_GRAND = re.compile(r"(?:(\d{1,9})\s*[bB])?\s*,?\s*(?:(\d{1,9})\s*[wW])?\s*,?\s*(?:(\d{1,9})\s*[hH])?")
_TWO_NUMBERS = re.compile(r"(\d{1,9})\s*(?:[\s,;:/+-])\s*(\d{1,9})")


def parse_feedback(text: str, rules: Rules | str) -> AnyFeedback:
    """Read feedback in any usual notation, and check that it can exist.

    `XXO` (black first or not), `●●○`, `2 1`, `2,1`, `2b1w`, `2b`, `1w`, `2A1B` (bulls and cows), `rien`,
    `none`, `-`. Under positional rules one mark a peg, as `XO..` or `2100`. Under black-only rules a single
    number will do. Raises InputError with the notations that can be used.

    >>> parse_feedback("2A1B", Rules())
    Feedback(black=2, white=1)
    """
    rules, text = Rules.of(rules), arguments.text(text, "the feedback").strip()
    read: Callable[[str, Rules], AnyFeedback | None] = _READERS.get(rules.feedback, _read_counts)
    feedback = read(text, rules)
    if feedback is None:
        raise InputError(f"{quoted(text)} is not a feedback: {_how_to_write(rules)}")
    return check_feedback(feedback, rules)


def _how_to_write(rules: Rules) -> str:
    if rules.feedback == FeedbackKind.positional:
        return f"write one mark for each of the {rules.pegs} pegs, X in place, O elsewhere, . none"
    if rules.feedback == FeedbackKind.black:
        return "write the number of pegs in place, as 2 or XX, or - for none"
    if rules.shapes:
        return "write XXO~ (~ for a pair half right in place, blue), 2 1 1, 2b1w1h, or - for none"
    return "write XXO, 2 1, 2,1, 2b1w, 2A1B, or - for none"


def _read_counts(text: str, rules: Rules) -> Feedback | None:
    if text.casefold() in _NOTHING:
        return Feedback(0)
    if rules.feedback == FeedbackKind.black and text.isdecimal() and len(text) < 10:
        return Feedback(int(text))
    marks = text.replace(" ", "")
    if marks and all(mark in _BLACKS + _WHITES for mark in marks):
        return Feedback(sum(mark in _BLACKS for mark in marks), sum(mark in _WHITES for mark in marks))
    for pattern in (_TWO_NUMBERS, _LETTERED, _BULLS):
        match = pattern.fullmatch(text)
        if match and text:
            return Feedback(int(match[1] or 0), int(match[2] or 0))
    return None


def _read_marks(text: str, rules: Rules) -> Marks | None:
    if text.casefold() in _NOTHING - {"-"} and rules.pegs > 1:
        return Marks((0,) * rules.pegs)
    marks = text.replace(" ", "").replace(",", "")
    if marks and all(mark in "012" for mark in marks):
        return Marks(map(int, marks))
    if marks and all(mark in _BLACKS + _WHITES + _EMPTIES for mark in marks):
        return Marks(2 if mark in _BLACKS else 1 if mark in _WHITES else 0 for mark in marks)
    return None


def _read_grand(text: str, _: Rules) -> GrandFeedback | None:
    if text.casefold() in _NOTHING:
        return GrandFeedback(0)
    for pattern in (_THREE_NUMBERS, _LETTERED_GRAND):
        match = pattern.fullmatch(text)
        if match and text:
            return GrandFeedback(*(int(number or 0) for number in match.groups()))
    marks = text.replace(" ", "")
    if any(mark not in _BLACKS + _WHITES + _BLUES for mark in marks) or not marks:
        return None
    return GrandFeedback(*(sum(mark in kind for mark in marks) for kind in (_BLACKS, _WHITES, _BLUES)))


_READERS: dict[FeedbackKind, Callable[[str, Rules], AnyFeedback | None]] = {
    FeedbackKind.positional: _read_marks,
    FeedbackKind.grand: _read_grand,
}


def format_feedback(feedback: FeedbackLike) -> str:
    """Write feedback as entropeg always does: `XXO`, `-` for none, `14b3w` past 12 marks.

    `XO..` for positional; `XO~` for grand. Plain pairs are (black, white). Raises InputError for what is no feedback
    under any rules.

    >>> format_feedback(Feedback(2, 1)), format_feedback((0, 0)), format_feedback(Marks((1, 0, 2)))
    ('XXO', '-', 'O.X')
    """
    if isinstance(feedback, Marks) and _is_below(feedback, 3):
        return "".join(".OX"[mark] for mark in feedback)
    if type(feedback) in {tuple, list} and len(feedback) == 2:
        feedback = Feedback(*feedback)
    if not isinstance(feedback, (Feedback, GrandFeedback)) or not _is_below(feedback, 1 << 31):
        raise InputError(f"{quoted(feedback)} is not a feedback: write Feedback(black, white), or Marks")
    if sum(feedback) > MARKS_WRITTEN_OUT:
        return "".join(f"{number}{letter}" for number, letter in zip(feedback, "bwh", strict=False))
    return "".join(mark * number for number, mark in zip(feedback, "XO~", strict=False)) or "-"


def _is_below(numbers: Sequence[int], bound: int) -> bool:
    return all(isinstance(number, (int, np.integer)) and 0 <= number < bound for number in numbers)
