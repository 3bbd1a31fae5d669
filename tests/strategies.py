"""What Hypothesis draws: rules, codes and positions; and the position after some guesses."""

from __future__ import annotations

from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from entropeg.codes import score
from entropeg.errors import InputError
from entropeg.feedback import AnyFeedback, Code, from_label
from entropeg.position import Position
from entropeg.rules import Blanks, FeedbackKind, Rules


@st.composite
def rules(draw: st.DrawFn, *, max_codes: int = 10**40, max_pegs: int = 12, max_colors: int = 40) -> Rules:
    """Draw legal rules of every kind."""
    fields: dict[str, Any] = {
        "pegs": draw(st.integers(1, max_pegs)),
        "colors": draw(st.integers(1, max_colors)),
        "repeats": draw(st.booleans()),
        "guess_repeats": draw(st.sampled_from([None, True])),
        "blanks": draw(st.sampled_from(Blanks)),
        "feedback": draw(st.sampled_from([kind for kind in FeedbackKind if kind != FeedbackKind.grand])),
        "guess_limit": draw(st.none() | st.integers(1, 20)),
    }
    try:
        made = Rules(**fields)
    except InputError:
        assume(False)
        raise
    assume(made.guess_count <= max_codes)
    return made


@st.composite
def codes(draw: st.DrawFn, game: Rules, *, secret: bool = False) -> Code:
    """Draw a legal guess, or a legal secret."""
    repeats = game.repeats if secret else bool(game.guess_repeats)
    blank = game.blanks == Blanks.both if secret else game.blanks != Blanks.none
    code: list[int] = []
    for _ in range(game.pegs):
        free = [color for color in range(game.colors) if repeats or color not in code] + [game.colors] * blank
        code.append(draw(st.sampled_from(free)))
    return tuple(code)


@st.composite
def positions(draw: st.DrawFn, game: Rules, *, max_turns: int = 4) -> tuple[Position, Code]:
    """Draw a position that some secret fits, and that secret."""
    secret = draw(codes(game, secret=True))
    position = Position(game)
    for guess in draw(st.lists(codes(game), max_size=max_turns)):
        position = position.after(guess, score(guess, secret, game))
    return position, secret


def all_feedbacks(rules: Rules) -> list[AnyFeedback]:
    """List the feedbacks that the kind of rules can give at all, in label order; a given board may lack some."""
    every = (from_label(label, rules) for label in range(rules.label_count))
    return [feedback for feedback in every if not rules.feedback.about.fault(feedback, rules)]


def position_after(text: str, secret: Code, *played: Code) -> Position:
    """Return the position after some guesses at a secret; nothing is drawn."""
    rules = Rules.parse(text)
    return Position(rules, [(guess, score(guess, secret, rules)) for guess in played])
