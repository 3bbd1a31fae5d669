"""`entropeg score`: the answer to one guess."""

from __future__ import annotations

import json
from typing import Any

import click

from entropeg.chosen_language import translated
from entropeg.cli.options import json_option, rules_option
from entropeg.codes import format_code, parse_code
from entropeg.feedback import format_feedback, parse_feedback, score_trusted
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
        click.echo(json.dumps(answered))
    else:
        said = rules.feedback.about.said(parse_feedback(answered["feedback"], rules))
        click.echo(f"{answered['feedback']}  {translated(said)}")


def answer(guess: str, secret: str, rules: Rules) -> dict[str, Any]:
    """Score a guess, both given as text.

    >>> answer("AABB", "ABCD", Rules())["feedback"]
    'XO'
    """
    tried, hidden = parse_code(guess, rules), parse_code(secret, rules, secret=True)
    feedback = score_trusted(tried, hidden, rules)
    return {
        "rules": str(rules),
        "guess": format_code(tried, rules),
        "secret": format_code(hidden, rules),
        "feedback": format_feedback(feedback),
        "black": feedback.black,
        "white": feedback.white,
        **rules.feedback.about.details(feedback),
    }
