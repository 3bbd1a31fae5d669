"""`entropeg decode`: the decoder of Forget (2011) tells what it plays and why."""

from __future__ import annotations

import json
from collections.abc import Iterator

import click

from entropeg.chosen_language import translated
from entropeg.cli.options import RulesType, json_option
from entropeg.cli.terminal import folded
from entropeg.codebreakers.decoder.explanation import Explanation, explain, story
from entropeg.codebreakers.decoder.player import Decoder
from entropeg.codes import format_code, parse_code
from entropeg.errors import InputError
from entropeg.feedback import Code, format_feedback, score_trusted
from entropeg.position import Position, format_turn, parse_turn
from entropeg.rules import Rules


@click.command("decode")
@click.argument("rules", type=RulesType())
@click.argument("turns", nargs=-1, metavar='["GUESS FEEDBACK"]...')
@click.option("--secret", metavar="CODE", help="Go on to the end of the game against this secret.")
@click.option("--full", is_flag=True, help="Any code as a probe, and no overture where the codes can be scanned.")
@click.option(
    "--criterion",
    default="entropy",
    metavar="C",
    help="entropy or minimax, or one a turn as minimax+entropy. [default: entropy]",
)
@json_option
def command(
    rules: Rules, turns: tuple[str, ...], secret: str | None, full: bool, criterion: str, as_json: bool
) -> None:
    """Tell a game of the decoder: its stages, the codes left, what each guess does to them.

    RULES is pegs x colors and options, as 4x26. Each turn already played is one argument: a guess, a space, and its
    feedback. What comes next is the decoder's guess; with --secret, the rest of the game.

    \b
        entropeg decode 4x26 "ABCD XXX" "ABCE XXX"
        entropeg decode 4x26 --secret CODE

    With --json one object a line and turn: turn, guess, answer, decoder (its own guess), stage, overture_end,
    criterion, candidates, is_candidate, partition, bits, largest.
    """  # noqa: D301 (click knows the character, not the letters)
    decoder = Decoder("full" if full else "document", criterion)
    position = Position(rules, [parse_turn(text, rules) for text in turns])
    hidden = None if secret is None else parse_code(secret, rules, secret=True)
    if hidden is not None:
        for number, turn in enumerate(position.turns, start=1):
            answer = score_trusted(turn.guess, hidden, rules)
            if answer != turn.feedback:
                raise InputError(
                    "the secret {secret} does not fit turn {number} ({turn}): it would answer {answer}",
                    *(format_code(hidden, rules), number, format_turn(turn, rules), format_feedback(answer)),
                )
    for explanation in game(position, decoder, hidden):
        click.echo(json.dumps(explanation.to_json()) if as_json else folded(translated(str(explanation))))


def game(position: Position, decoder: Decoder, secret: Code | None) -> Iterator[Explanation]:
    """Explain the turns played, then the next guess or, with a secret, all that follow."""
    if secret is None:
        yield from story(position, decoder)
        return
    for turn, explanation in zip(position.turns, story(position, decoder), strict=False):
        assert explanation.answer == turn.feedback
        yield explanation
    while not position.is_over:
        decision = decoder.decide(position)
        answer = score_trusted(decision.guess, secret, position.rules)
        yield explain(position, decoder, answer=answer)
        position = position.after(decision.guess, answer)
