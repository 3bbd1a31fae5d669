"""`entropeg check-log`: whether the log of a game is consistent."""

from __future__ import annotations

import json

import click

from entropeg.cli.completion import files
from entropeg.cli.layout import folded
from entropeg.cli.options import json_option, rules_option
from entropeg.files import shown
from entropeg.rules import Rules


@click.command("check-log")
@click.argument("file", metavar="FILE", shell_complete=files)
@rules_option(None)
@json_option
@click.pass_context
def command(context: click.Context, file: str, rules: Rules | None, as_json: bool) -> None:
    """Say whether some secret fits every turn of a game.

    FILE is a log of the course's play_log (one guess and one black,white a line in turn) or a game that entropeg saved.
    Without --rules they are those of the saved game, or follow from the letters used.

    Exit code 0: consistent; 1: inconsistent, and the smallest set of turns that contradict each other is named; 2: the
    file cannot be read.

    Keys with --json: rules, assumed (whether the rules were guessed), turns, consistent, contradicted_at, conflict
    (turns), left (secrets that fit), ending, sentence.
    """
    from entropeg.classroom.logs import check_log, read_log

    log = read_log(file, rules)
    verdict = check_log(log)
    if as_json:
        click.echo(json.dumps(verdict.to_json()))
    else:
        note = " (assumed from the guesses; --rules says otherwise)" if log.assumed else ""
        click.echo(folded(f"{shown(file)}: {log.rules}{note}\n{verdict.sentence}"))
    context.exit(0 if verdict.consistent else 1)
