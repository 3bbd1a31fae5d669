"""Shapes that many answers share: rules with their symbols, codes, feedback and counts as plain data."""

from __future__ import annotations

from functools import lru_cache
from math import isfinite
from typing import Any

from pydantic import BaseModel

from entropeg.amounts import shown_count
from entropeg.codes import format_code
from entropeg.errors import InputError
from entropeg.feedback import AnyFeedback, Code, Marks, Method, format_feedback, is_known
from entropeg.rules import Blanks, Rules
from entropeg.search.reach import Reach
from entropeg.svg.outlines import outline_of
from entropeg.svg.palette import hexadecimal, ink, peg_color
from entropeg.svg.pegs import counts_in_words, feedback_in_words, has_tiles


class PegsShown(BaseModel):
    """A code as text, and as the numbers of its colors."""

    text: str
    pegs: list[int]


class FeedbackShown(BaseModel):
    """Feedback as text, in words and in numbers: `blue` of grand feedback, `marks` (0, 1, 2) of that by place."""

    text: str
    says: str
    black: int
    white: int
    blue: int | None = None
    marks: list[int] | None = None


class LeftShown(BaseModel):
    """How many codes are left."""

    count: int
    exact: bool
    says: str


class ConflictShown(BaseModel):
    """That no code fits all rows, in words."""

    says: str


SYMBOLS = 200
"""Symbols that are described one by one."""

EXACT = 1 << 53
"""Whole numbers below it are exact in every reader of JSON."""


def code_data(code: Code, rules: Rules) -> dict[str, Any]:
    """Return a code as text and as the numbers of its colors.

    >>> code_data((0, 0, 1, 1), Rules.parse("4x6"))
    {'text': 'AABB', 'pegs': [0, 0, 1, 1]}
    """
    return {"text": format_code(code, rules), "pegs": list(code)}


def feedback_data(feedback: AnyFeedback, rules: Rules, guess: Code | None = None) -> dict[str, Any]:
    """Return feedback as text, in words and in numbers; with the guess, marks by place are said peg by peg.

    >>> feedback_data((1, 2), Rules.parse("4x6"))
    {'text': 'XOO', 'says': '1 black, 2 white', 'black': 1, 'white': 2}
    """
    says = counts_in_words(feedback) if guess is None else feedback_in_words(feedback, guess, rules)
    data: dict[str, Any] = {"text": format_feedback(feedback), "says": says}
    if isinstance(feedback, Marks):
        return {**data, "black": feedback.black, "white": feedback.white, "marks": list(feedback)}
    return data | dict(zip(("black", "white", "blue"), map(int, feedback), strict=False))


def number(value: float) -> float | None:
    """Return a number that JSON knows; None for one that is infinite or none."""
    return value if isfinite(value) else None


def count_data(count: int) -> int | None:
    """Return an exact count, or None where readers of JSON would round it."""
    return count if count < EXACT else None


@lru_cache(maxsize=128)
def rules_data(rules: Rules) -> dict[str, Any]:
    """Return all that a page needs to draw a board of these rules; not to be written to.

    >>> data = rules_data(Rules.parse("4x6"))
    >>> data["secrets"], data["symbols"][0]["text"], data["can"]["exact"]
    ('1,296', 'A', True)
    """
    shown = min(rules.colors, SYMBOLS)
    return {
        "text": str(rules),
        "pegs": rules.pegs,
        "colors": rules.colors,
        "limit": rules.guess_limit,
        "feedback": rules.feedback.name,
        "hard": rules.hard,
        "repeats": rules.repeats,
        "guess_repeats": bool(rules.guess_repeats),
        "blanks": rules.blanks.name,
        "shapes": rules.shapes,
        "words": rules.words is not None,
        "secrets": shown_count(rules.secret_count),
        "secret_count": count_data(rules.secret_count),
        "says": rules.describe(),
        "symbols": [symbol_data(color, rules) for color in range(shown)],
        "more_symbols": rules.colors - shown,
        "blank": None if rules.blanks == Blanks.none else rules.colors,
        "symmetric": rules.is_symmetric,
        "notation": rules.feedback.about.notation.format(pegs=rules.pegs),
        "numbers": list(rules.feedback.about.numbers),
        "legend": _legend(rules),
        "can": _can(rules),
    }


def _legend(rules: Rules) -> list[dict[str, str]]:
    about = rules.feedback.about
    meanings = {"": about.on_tiles} if about.on_tiles and has_tiles(rules) else about.legend
    return [{"mark": mark, "says": said} for mark, said in meanings.items()]


def symbol_data(color: int, rules: Rules) -> dict[str, Any]:
    """Return how a peg of a color is written and drawn: an outline around 0, 0, its fill, and the ink on it."""
    fill, outline = peg_color(color, rules), outline_of(color, rules)
    return {
        "index": color,
        "text": rules.symbols.symbol(color),
        "name": outline.name,
        "fill": hexadecimal(fill),
        "ink": hexadecimal(ink(fill)),
        "path": outline.path(0, 0),
        "drop": outline.drop,
        "tile": has_tiles(rules),
    }


COUNTED = 50_000
"""Secrets of a board, at most, whose codes left the server counts at every turn, and whose positions it values."""

REVIEWED = 1_000_000
"""Secrets of a board, at most, of which games are reviewed here."""


def _can(rules: Rules) -> dict[str, Any]:
    # Whether there is a compiler is not asked: the answer would load it.
    from entropeg.train.making import THEMES, VALUED, check_trained

    is_small = rules.secret_count <= COUNTED
    exact = is_small and rules.prior is None and is_known(rules, Method.exact) and not Reach.of(rules).has_many_answers
    try:
        check_trained(rules)
        themes = [theme.value for theme in THEMES if exact or theme not in VALUED]
    except InputError:
        themes = []
    return {
        "count": is_small,
        "advise": True,
        "exact": exact,
        "review": rules.secret_count <= REVIEWED,
        "train": themes,
        "prove": exact,
    }
