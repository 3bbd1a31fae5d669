"""Lays out the state of many games that are played turn by turn, as the kernels of `kernels.turns` take it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from entropeg.codes import guesses, secrets
from entropeg.feedback import from_label, win_feedback
from entropeg.rules import Rules

if TYPE_CHECKING:
    from entropeg.kernels.turns import TurnGames

AHEAD = 32
"""Secrets that are drawn at a time for each game."""


def answer_shape(rules: Rules) -> tuple[int, int]:
    """Return (numbers of an answer, the greatest of them)."""
    win = win_feedback(rules)
    return len(win), rules.label_count - 1 if rules.feedback.about.is_listed else max(win)


def row_type(last: int) -> Any:
    """Return the type of rows of numbers to `last`, which fills rows that were not played."""
    return np.uint8 if last < 256 else np.int64


def begun(rules: Rules, turns: int, n: int, *, codes: bool, mask: bool) -> TurnGames:
    """Return the state of games none of which has begun, with room for `turns` rows each.

    `codes`, `mask`: whether the codes left are kept, as lists and as masks. Costs the labels of the whole board.

    >>> begun(Rules.parse("3x4"), 5, 2, codes=True, mask=False).guesses.shape
    (2, 15)
    """
    from entropeg.kernels.turns import TurnGames

    every, hidden, (width, most) = guesses(rules), secrets(rules), answer_shape(rules)
    labels = hidden.labels(every)
    empty, unanswered = rules.symbols_in_guesses, most + 1
    answers = np.zeros((rules.label_count, width), row_type(unanswered))
    for label in np.unique(labels).tolist():
        answers[label] = tuple(from_label(label, rules))
    digits = np.ascontiguousarray(every.planes.T).astype(row_type(empty))
    return TurnGames(
        labels=labels, digits=digits, answers=answers, drawn=np.zeros((n, AHEAD), np.int32),
        taken=np.zeros(n, np.int64), filled=np.zeros(n, np.int64), secret=np.zeros(n, np.int64),
        guesses=np.full((n, turns * rules.pegs), empty, digits.dtype),
        feedback=np.full((n, turns * width), unanswered, answers.dtype),
        turn=np.zeros(n, np.int64), early=np.zeros((n, 2), np.int64),
        codes=np.zeros((n, len(hidden) * codes), np.int32), size=np.full(n, len(hidden)),
        mask=np.ones((n, len(hidden) * mask), np.int8), is_over=np.zeros(n, np.bool_),
    )  # fmt: skip
