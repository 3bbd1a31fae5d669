"""`entropeg score`: the answer to one guess."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import ClassVar

import click

from entropeg.chosen_language import translated
from entropeg.cli.options import json_option, rules_option
from entropeg.codes import parse_code
from entropeg.feedback import AnyFeedback, Code, format_feedback, score_trusted
from entropeg.plain_values import PlainValue
from entropeg.rules import Rules


@click.command("score")
@click.argument("guess")
@click.argument("secret")
@rules_option("4x6")
@json_option
def command(guess: str, secret: str, rules: Rules, as_json: bool) -> None:
    """Answer GUESS for a given SECRET.

    Keys with --json: rules, guess, secret, feedback, black, white, and marks (2 black, 1 white, 0 none, a peg
    each) under positional rules.
    """
    answered = answer(guess, secret, rules)
    if as_json:
        click.echo(json.dumps(answered.to_json() | rules.feedback.about.details(answered.feedback)))
    else:
        said = rules.feedback.about.said(answered.feedback)
        click.echo(f"{format_feedback(answered.feedback)}  {translated(said)}")


@dataclass(frozen=True)
class ScoredGuess(PlainValue):
    """A guess and its answer."""

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("rules", "guess", "secret", "feedback", "black=feedback.black", "white=feedback.white"),
    )

    rules: Rules
    guess: Code
    secret: Code
    feedback: AnyFeedback


def answer(guess: str, secret: str, rules: Rules) -> ScoredGuess:
    """Score a guess, both given as text.

    >>> format_feedback(answer("AABB", "ABCD", Rules()).feedback)
    'XO'
    """
    tried, hidden = parse_code(guess, rules), parse_code(secret, rules, secret=True)
    return ScoredGuess(rules, tried, hidden, score_trusted(tried, hidden, rules))
