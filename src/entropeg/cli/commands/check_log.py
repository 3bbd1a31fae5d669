"""`entropeg check-log`: whether the log of a game is consistent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from entropeg.chosen_language import translated, translated_data
from entropeg.cli.completion import files
from entropeg.cli.options import json_option, rules_option
from entropeg.cli.terminal import folded
from entropeg.files import shown
from entropeg.rules import Rules
from entropeg.told import Told

if TYPE_CHECKING:
    from entropeg.classroom.logs import CheckedLog


@click.command("check-log")
@click.argument("file", metavar="FILE", shell_complete=files)
@rules_option(None)
@json_option
@click.pass_context
def command(context: click.Context, file: str, rules: Rules | None, as_json: bool) -> None:
    """Say whether some secret fits every turn of a game.

    FILE is a log of the course's play_log (one guess and one black,white a line in turn), what its play prints, a game
    that entropeg saved, or any that review reads; several games in a row are looked at one by one. Without --rules they
    are those of the saved game, or follow from the letters used.

    Exit code 0: consistent; 1: inconsistent, and the smallest set of turns that contradict each other is named, or a
    guess is no code; 2: the file cannot be read.

    Keys with --json: rules, assumed (whether the rules were guessed), turns, consistent, contradicted_at, conflict
    (turns), left (secrets that fit), ending, sentence, lines (first and last); of several games rules, assumed,
    consistent and games, a list of such.
    """
    from entropeg.classroom.logs import check_log, read_logs

    logs = read_logs(file, rules)
    verdicts = [check_log(log) for log in logs]
    consistent = all(verdict.consistent for verdict in verdicts)
    if as_json:
        told = [verdict.to_json() for verdict in verdicts]
        first = {"rules": told[0]["rules"], "assumed": told[0]["assumed"]}
        data = told[0] if len(told) == 1 else {**first, "consistent": consistent, "games": told}
        click.echo(json.dumps(translated_data(data)))
    else:
        head = Told("{file}: {rules}", shown(file), logs[0].rules)
        if logs[0].is_assumed:
            head = Told(
                "{file}: {rules} (assumed from the guesses; --rules says otherwise)", shown(file), logs[0].rules
            )
        said = [
            head,
            *(_said(verdict, number if len(logs) > 1 else None) for number, verdict in enumerate(verdicts, 1)),
        ]
        click.echo("\n".join(folded(translated(sentence)) for sentence in said))
    context.exit(0 if consistent else 1)


def _said(verdict: CheckedLog, number: int | None) -> str:
    # Of several games each has its number, and its lines where they are known.
    if number is None:
        return verdict.sentence
    if verdict.lines is None:
        return Told("game {number}: {sentence}", number, verdict.sentence)
    return Told("game {number}, lines {first} to {last}: {sentence}", number, *verdict.lines, verdict.sentence)
