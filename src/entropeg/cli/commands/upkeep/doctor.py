"""`entropeg doctor`: what is installed, what is missing, and whether it works."""

from __future__ import annotations

import json
from itertools import groupby

import click

from entropeg.cli.layout import folded, heading
from entropeg.cli.options import json_option
from entropeg.cli.progress import telling
from entropeg.cli.tables import columns

SIGNS = {"good": "", "note": "-", "wrong": "!"}
"""What stands before a finding."""


@click.command("doctor")
@click.option("--self-test/--no-self-test", "is_tested", default=True, help="Try things whose results are known.")
@json_option
@click.pass_context
def command(context: click.Context, is_tested: bool, as_json: bool) -> None:
    """Look at the installation, and say what is missing and how it is had.

    Versions, processors, compiled code that is stored, extras, settings of the environment; and a self-test, which
    takes a second or two. Before a line, `-` is something that entropeg does without, `!` something that does not work.

    Exit code 0: everything works; 1: something does not.

    Keys with --json: version, well (whether everything works), findings (part, name, says, grade: good, note or wrong,
    help: what would help).
    """
    from entropeg.upkeep import examine

    with telling("", "looking at the installation"):
        found = examine(is_tested=is_tested)
    if as_json:
        click.echo(json.dumps(found.to_json(), indent=2))
    else:
        for part, findings in groupby(found.findings, lambda finding: finding.part):
            click.echo(heading(part))
            rows = [
                [f"{SIGNS[each.grade]:1} {each.name}", f"{each.says}{each.help and f': {each.help}'}"]
                for each in findings
            ]
            click.echo(columns(rows, "<<"))
        number = len(found.wrong)
        verdict = "everything works" if not number else f"{', '.join(each.name for each in found.wrong)}: not right"
        click.echo(folded(verdict))
    context.exit(1 if found.wrong else 0)
