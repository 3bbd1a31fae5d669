"""Feedback, the answers of the codemaker: scored, packed into one small number, checked, read and written.

At the edge feedback is a `Feedback(black, white)`, or `Marks` (a mark per peg) under positional rules.
Inside, in kernels and partitions, it is a *label*, an int below `rules.label_count`; `label_of` and
`from_label` convert. Each kind of feedback is described in a file of its own, in the room `kinds`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from entropeg import arguments
from entropeg.errors import InputError
from entropeg.kinds import AnyFeedback, FeedbackKind
from entropeg.kinds.answers import TABLED, NamedAnswer
from entropeg.kinds.counts import Feedback
from entropeg.kinds.grand import GrandFeedback
from entropeg.kinds.kind import Code, Method
from entropeg.kinds.marks import Marks
from entropeg.rules import Rules
from entropeg.told import Drawn, Told

__all__ = [
    "AnyFeedback",
    "Code",
    "Feedback",
    "FeedbackLike",
    "GrandFeedback",
    "Marks",
    "Method",
    "check_feedback",
    "check_known",
    "check_named",
    "format_feedback",
    "from_label",
    "is_known",
    "label_of",
    "parse_feedback",
    "score_trusted",
    "win_feedback",
]

FeedbackLike: TypeAlias = "AnyFeedback | str | Sequence[int]"
"""All that is read as feedback: text in any notation, or its numbers, as in (black, white)."""


def is_known(rules: Rules, method: Method) -> bool:
    """Tell whether a search knows the kind of feedback of the rules."""
    return method in rules.feedback.about.methods


def check_known(rules: Rules, method: Method) -> None:
    """Raise InputError where a search does not know the kind of feedback, with the kinds that it knows."""
    if not is_known(rules, method):
        known = [kind.name for kind in FeedbackKind if method in kind.about.methods]
        raise InputError(method.value, known, rules)


def check_named(rules: Rules) -> None:
    """Raise InputError where a game ends when one secret is left, as searches of large boards do not know it."""
    if not rules.is_named:
        raise InputError(
            "{rules} ends when one secret is left, and what was asked for is found where the secret is named: leave "
            "/identify out",
            rules,
        )


def score_trusted(guess: Code, secret: Code, rules: Rules) -> AnyFeedback:
    """Answer a guess as the rules say: `codes.score` without its checks, for long loops.

    >>> score_trusted((0, 0, 1, 2), (0, 1, 0, 0), Rules())
    Feedback(black=1, white=2)
    """
    feedback: AnyFeedback = rules.feedback.about.score(guess, secret, rules)
    return feedback


def win_feedback(rules: Rules) -> AnyFeedback:
    """Return the feedback that ends the game."""
    feedback: AnyFeedback = rules.feedback.about.win(rules)
    return feedback


def label_of(feedback: AnyFeedback, rules: Rules) -> int:
    """Pack feedback into its label.

    Standard and membership: `black * (pegs + 1) + white`; black only: `black`; positional: base 3, first peg
    most significant; grand: as standard, times `pegs + 1`, plus `blue`.
    """
    return rules.feedback.about.label(feedback, rules)


def from_label(label: int, rules: Rules) -> AnyFeedback:
    """Unpack a label; the inverse of `label_of`.

    >>> from_label(12, Rules())
    Feedback(black=2, white=2)
    """
    feedback: AnyFeedback = rules.feedback.about.from_label(label, rules)
    return feedback


_PLAIN = frozenset({int})


def check_feedback(feedback: FeedbackLike, rules: Rules) -> AnyFeedback:
    """Return feedback, given as such, as text or as numbers, or raise InputError saying why no secret could give it.

    >>> check_feedback((2, 1), Rules()), check_feedback("XXO", Rules())
    (Feedback(black=2, white=1), Feedback(black=2, white=1))
    """
    if isinstance(feedback, str):
        return parse_feedback(feedback, rules)
    about = rules.feedback.about
    is_answer = type(feedback) is about.answer and _PLAIN.issuperset(map(type, feedback))
    checked: Any = feedback if is_answer else _of_numbers(feedback, rules)
    fault = about.fault(checked, rules)
    if fault:
        raise InputError(fault)
    return checked  # type: ignore[no-any-return]


def _of_numbers(numbers: Any, rules: Rules) -> Any:
    # (black, white), as documents write it; black alone under black-only rules; a mark a peg under positional ones.
    about, most = rules.feedback.about, len(win_feedback(rules))
    is_row = type(numbers) in {tuple, list} or (isinstance(numbers, np.ndarray) and numbers.ndim == 1)
    is_read = isinstance(numbers, about.answer) or is_row
    if not is_read or (about.answer is not Marks and not most - about.optional <= len(numbers) <= most):
        raise InputError("{feedback!r} does not fit {rules}: the feedback is {wanted}", numbers, rules, about.wanted)
    if _PLAIN.issuperset(map(type, numbers)):
        return about.of(numbers, rules)
    name = Told("a number of {feedback!r}", numbers)
    return about.of([arguments.whole(value, name) for value in numbers], rules)


def parse_feedback(text: str, rules: Rules | str) -> AnyFeedback:
    """Read feedback in any usual notation, and check that it can exist.

    `XXO` (black first or not), `●●○`, `2 1`, `2,1`, `2b1w`, `2b`, `1w`, `2A1B` (bulls and cows), `rien`,
    `none`, `-`. Under positional rules one mark a peg, as `XO..` or `2100`. Under black-only rules a single
    number will do. Raises InputError with the notations that can be used.

    >>> parse_feedback("2A1B", Rules())
    Feedback(black=2, white=1)
    """
    rules, text = Rules.of(rules), arguments.text(text, "the feedback").strip()
    about = rules.feedback.about
    feedback = about.read(text, rules)
    if feedback is None:
        raise InputError("{text!r} is not a feedback: {notation}", text, Told(about.notation, pegs=rules.pegs))
    return check_feedback(feedback, rules)


_WRITTEN = {**{kind.about.answer: kind.about for kind in FeedbackKind}, NamedAnswer: TABLED}


def format_feedback(feedback: FeedbackLike) -> str:
    """Write feedback as entropeg always does: `XXO`, `-` for none, `14b3w` past 12 marks.

    `XO..` for positional; `XO~` for grand. Plain pairs are (black, white). Raises InputError for what is no feedback
    under any rules.

    >>> format_feedback(Feedback(2, 1)), format_feedback((0, 0)), format_feedback(Marks((1, 0, 2)))
    ('XXO', '-', 'O.X')
    """
    if type(feedback) in {tuple, list} and len(feedback) == 2:
        feedback = Feedback(*feedback)
    about = _WRITTEN.get(type(feedback))
    if about is None or not all(isinstance(n, (int, np.integer)) and 0 <= n <= about.most for n in feedback):
        raise InputError("{feedback!r} is not a feedback: write Feedback(black, white), or Marks", feedback)
    return about.text(feedback)


def is_feedback(value: object) -> bool:
    """Tell whether a value is a feedback, and no code."""
    return isinstance(value, (Feedback, GrandFeedback, Marks, NamedAnswer))


def drawn_feedback(feedback: AnyFeedback) -> Drawn:
    """Make feedback a part of a sentence, to be drawn as marks where there is color.

    >>> drawn_feedback(Feedback(2, 1)).value
    Feedback(black=2, white=1)
    """
    return Drawn(format_feedback(feedback), feedback)
