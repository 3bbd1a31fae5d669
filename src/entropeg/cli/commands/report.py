"""`entropeg report`: a page of figures."""

from __future__ import annotations

import json
from typing import Any

import click

from entropeg import signals
from entropeg.chosen_language import translated
from entropeg.cli.completion import folders
from entropeg.cli.options import executor_options, further_option, json_option, rules_option, seed_option
from entropeg.cli.progress import remark_beside, telling_of_games
from entropeg.cli.saving import force_option
from entropeg.cli.terminal import OWN, folded, remark
from entropeg.executors import Executor
from entropeg.rules import Rules
from entropeg.told import Told


@click.command("report")
@rules_option("4x8")
@click.option(
    "--games", type=click.IntRange(min=1), default=1000, show_default=True, metavar="N", help="Games of each pair."
)
@click.option(
    "--out",
    default="report",
    show_default=True,
    metavar="DIR",
    shell_complete=folders,
    help="Folder for the page, the figures and the tables.",
)
@further_option("--also", "codebreaker", "A further one, a path among them, against every codemaker; may be repeated.")
@further_option("--against", "codemaker", "A further one against every codebreaker; may be repeated.")
@click.option(
    "--time", type=float, metavar="T", help="Play for T seconds; the page is made of the games finished by then."
)
@force_option
@seed_option
@executor_options
@json_option
@click.pass_context
def command(
    context: click.Context,
    *,
    rules: Rules,
    games: int,
    out: str,
    also: tuple[str, ...],
    against: tuple[str, ...],
    time: float | None,
    seed: int | None,
    executor: Executor | None,
    as_json: bool,
) -> None:
    """Write a page of figures: every codebreaker against every codemaker.

    What the games will take is said once each pair has played for a second. Games are kept in the folder: after Ctrl-C,
    or when the time of --time is over, the same command goes on from there.

    Key with --json: page, the path of the page.
    """
    from entropeg.report import report

    try:
        with telling_of_games() as progress:
            further: dict[str, Any] = {"also": also, "against": against, "executor": executor, "time": time}
            further |= {"progress": progress, "told": lambda sentence: remark_beside(OWN + sentence)}
            page = report(rules, games, out, seed=seed or 0, **further)
    except KeyboardInterrupt:
        remark(
            OWN
            + Told("interrupted: the games played are kept in {folder}, and the same command goes on from there", out)
        )
        context.exit(signals.exit_code())
    told = Told("The report is in {page}", page)
    click.echo(json.dumps({"page": str(page)}) if as_json else folded(translated(told)))
