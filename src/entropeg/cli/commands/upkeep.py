"""`entropeg doctor` and `warm`: whether the installation works, and its kernels compiled before they are used."""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import groupby
from time import perf_counter
from typing import TYPE_CHECKING

import click

from entropeg import signals
from entropeg.chosen_language import translated
from entropeg.cli.options import jobs_option, json_option
from entropeg.cli.progress import telling
from entropeg.cli.terminal import OWN, columns, folded, heading, remark
from entropeg.durations import duration
from entropeg.told import Told, word

if TYPE_CHECKING:
    from entropeg.upkeep import Warmed, WarmingProgress


@click.command("doctor")
@click.option("--self-test/--no-self-test", "is_tested", default=True, help="Try things whose results are known.")
@json_option
@click.pass_context
def doctor(context: click.Context, is_tested: bool, as_json: bool) -> None:
    """Look at the installation, and say what is missing and how it is had.

    Versions, processors, compiled code that is stored, extras, settings of the environment; and a self-test, which
    takes a second or two. Before a line, `-` is something that entropeg does without, `!` something that does not work.

    Exit code 0: everything works; 1: something does not.

    Keys with --json: version, well (whether everything works), findings (part, name, says, grade: good, note or wrong,
    help: what would help).
    """
    from entropeg.upkeep import examine

    with telling() as stand:
        stand.put(Told("looking at the installation"))
        found = examine(is_tested=is_tested)
    if as_json:
        click.echo(json.dumps(found.to_json(), indent=2))
    else:
        signs = {"good": "", "note": "-", "wrong": "!"}
        for part, findings in groupby(found.findings, lambda finding: finding.heading):
            click.echo(heading(translated(part)))
            rows = [
                [
                    f"{signs[each.grade]:1} " + each.name,
                    Told("{finding}: {help}", each.says, each.help) if each.help else each.says,
                ]
                for each in findings
            ]
            click.echo(columns(rows, "<<"))
        verdict = Told("everything works")
        if found.wrong:
            verdict = Told("{names:list}: not right", [each.name for each in found.wrong])
        click.echo(folded(translated(verdict)))
    context.exit(1 if found.wrong else 0)


@click.command("warm")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@jobs_option
@json_option
@click.pass_context
def warm(context: click.Context, names: tuple[str, ...], jobs: int | None, as_json: bool) -> None:
    """Compile now what would be compiled when it is first used, and keep it.

    NAME is one of play, strategies, arena, variants, large, huge, near, weights, tables, questions, agents and
    proofs; all of them without one.
    What is stored already takes a moment. Ctrl-C stops it, and keeps what is compiled.

    Exit code 0: done; 1: something could not be compiled, which is said; 2: there is no compiler, or no such name.

    Keys with --json: jobs (job, seconds, compiled, failure), seconds.
    """
    from entropeg.upkeep import Warmed
    from entropeg.upkeep import warm as compile_now

    began, code, done = perf_counter(), 0, list[Warmed]()

    with telling("jobs", word("progress", "compiling")) as stand:

        def tell(progress: WarmingProgress) -> None:
            done[:] = progress.done
            working = Told("compiling {jobs:list}", progress.working)
            stand.put(working, done=len(done), total=progress.total, left=progress.left)

        try:
            done = compile_now(names, jobs=jobs, progress=tell)
        except KeyboardInterrupt:
            code = signals.exit_code()
    if as_json:
        told = {"jobs": [asdict(each) for each in done], "seconds": perf_counter() - began}
        click.echo(json.dumps(told, indent=2))
    else:
        _tell(done, perf_counter() - began)
    if code:
        remark(OWN + Told("interrupted; what is compiled is kept"))
    context.exit(code or int(any(each.failure for each in done)))


def _tell(done: list[Warmed], seconds: float) -> None:
    from entropeg.upkeep import JOBS

    if not done:
        return
    rows = [[each.job, _outcome(each), JOBS[each.job].purpose] for each in done]
    click.echo(columns(rows, "<<<"))
    if any(each.compiled for each in done):
        click.echo(translated(Told("{time} in all", duration(seconds, 2))))


def _outcome(warmed: Warmed) -> str:
    if warmed.failure:
        return Told("failed: {failure}", warmed.failure)
    if warmed.compiled:
        return Told("compiled in {time}", duration(warmed.seconds, 2))
    return Told("stored already")
