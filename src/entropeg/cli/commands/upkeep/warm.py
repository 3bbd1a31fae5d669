"""`entropeg warm`: has compiled now what would be compiled when it is first used."""

from __future__ import annotations

import json
from dataclasses import asdict
from time import perf_counter
from typing import TYPE_CHECKING

import click

from entropeg import signals
from entropeg.amounts import duration
from entropeg.cli.layout import remark
from entropeg.cli.options import jobs_option, json_option
from entropeg.cli.progress import telling
from entropeg.cli.tables import columns

if TYPE_CHECKING:
    from entropeg.upkeep import Warmed, WarmingProgress


@click.command("warm")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@jobs_option
@json_option
@click.pass_context
def command(context: click.Context, names: tuple[str, ...], jobs: int | None, as_json: bool) -> None:
    """Compile now what would be compiled when it is first used, and keep it.

    NAME is one of play, strategies, arena, variants, large, huge, near and weights; all of them without one. What is
    stored already takes a moment. Ctrl-C stops it, and keeps what is compiled.

    Exit code 0: done; 1: something could not be compiled, which is said; 2: there is no compiler, or no such name.

    Keys with --json: jobs (job, seconds, compiled, failure), seconds.
    """
    from entropeg.upkeep import Warmed, warm

    began, code, done = perf_counter(), 0, list[Warmed]()

    with telling("jobs", "compiling") as stand:

        def tell(progress: WarmingProgress) -> None:
            done[:] = progress.done
            working = ", ".join(progress.working)
            stand.put(f"compiling {working}", done=len(done), total=progress.total, left=progress.left)

        try:
            done = warm(names, jobs=jobs, progress=tell)
        except KeyboardInterrupt:
            code = signals.exit_code()
    if as_json:
        told = {"jobs": [asdict(each) for each in done], "seconds": perf_counter() - began}
        click.echo(json.dumps(told, indent=2))
    else:
        _tell(done, perf_counter() - began)
    if code:
        remark("entropeg: interrupted; what is compiled is kept")
    context.exit(code or int(any(each.failure for each in done)))


def _tell(done: list[Warmed], seconds: float) -> None:
    from entropeg.upkeep import JOBS

    if not done:
        return
    rows = [[each.job, _outcome(each), JOBS[each.job].purpose] for each in done]
    click.echo(columns(rows, "<<<"))
    if any(each.compiled for each in done):
        click.echo(f"{duration(seconds, 2)} in all")


def _outcome(warmed: Warmed) -> str:
    if warmed.failure:
        return f"failed: {warmed.failure}"
    return f"compiled in {duration(warmed.seconds, 2)}" if warmed.compiled else "stored already"
