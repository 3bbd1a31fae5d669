"""`entropeg classroom grade` and `kit`: points for a project, as systems that grade by machine want them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from entropeg import signals
from entropeg.chosen_language import spoken_language, translated
from entropeg.cli import saving
from entropeg.cli.completion import files, folders
from entropeg.cli.options import Function, executor_option, limits_options, rules_option, seed_option
from entropeg.cli.progress import telling
from entropeg.cli.terminal import OWN, remark
from entropeg.files import shown
from entropeg.rules import Rules
from entropeg.told import Told

FORMATS = ("gradescope", "classroom50", "vpl", "junit", "csv")
KITS = ("gradescope", "classroom50", "vpl")


def workers_options(function: Function) -> Function:
    """Add `--jobs`, `--executor` and `--keep`, for looking at projects."""
    for option in (
        click.option(
            "--keep",
            metavar="FILE",
            shell_complete=files,
            help="Keep what is found in this file: projects that have not changed are not looked at again.",
        ),
        executor_option,
        click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Modules at a time. [default: all cores]"),
    ):
        function = option(function)
    return function


@click.command("grade", short_help="Give a project points, for a system that grades.")
@click.argument("folder", metavar="DIR", shell_complete=folders)
@click.option("--format", "form", type=click.Choice(FORMATS), default="csv", show_default=True, help="Whose format.")
@click.option(
    "--scheme", metavar="FILE", shell_complete=files, help="What gives how many points. [default: 1 a module]"
)
@click.option(
    "--output",
    metavar="DIR",
    shell_complete=folders,
    help="Write the file of the format into this folder, and a table for the teacher. [default: print it]",
)
@rules_option("4x8/course")
@click.option(
    "--games", type=click.IntRange(min=1), default=100, show_default=True, metavar="N", help="A series of games."
)
@click.option("--seconds", type=float, default=20.0, show_default=True, metavar="S", help="A series may take.")
@seed_option
@limits_options(turn=5.0, game=60.0)
@workers_options
@saving.force_option
@click.pass_context
def grade(
    context: click.Context,
    /,
    *,
    folder: str,
    form: str,
    scheme: str | None,
    output: str | None,
    rules: Rules,
    seed: int | None,
    **asked: Any,
) -> None:
    """Look through the project in DIR, as check does, and give it points by a scheme.

    The student sees why points were lost; of hidden checks only the teacher does. A folder that is no project has no
    points, and the sentence that says why.

    Exit code 0: all points; 1: some were lost.
    """
    from entropeg.classroom.grading.delivery import check_delivery, deliver, graded_project
    from entropeg.classroom.grading.scheme import read_scheme
    from entropeg.classroom.process import Limits
    from entropeg.classroom.series import ClassroomInterrupted

    wanted = None if scheme is None else read_scheme(scheme)
    if wanted is not None:
        wanted.check_games(asked["games"])
    check_delivery(form, output)
    limits = Limits(*(asked.pop(name) for name in ("turn_seconds", "game_seconds", "memory")))
    stopped = False
    try:
        with telling("modules") as stand:

            def tell(name: str, done: int, total: int) -> None:
                stand.put(Told("looking at {module}", name), done=done, total=total)

            found = graded_project(folder, wanted, rules=rules, seed=seed or 0, limits=limits, progress=tell, **asked)
            saving.put_signals_off()
    except ClassroomInterrupted as stop:
        saving.put_signals_off()
        found, stopped = stop.done, True
    for path, text in deliver(found.spoken(spoken_language()), form, output, os.environ):
        if path is None:
            click.echo(text, nl=False)
        else:
            remark(OWN + Told("wrote {file}", shown(path)))
    context.exit(signals.exit_code() if stopped else 1 if found.points < found.most else 0)


@click.command("kit", short_help="Write the files that a grading system needs.")
@click.argument("system", metavar="SYSTEM", type=click.Choice(KITS))
@click.argument("folder", metavar="DIR", shell_complete=folders)
@click.option("--scheme", metavar="FILE", shell_complete=files, help="The scheme to use. [default: one to start from]")
@saving.force_option
def kit(system: str, folder: str, scheme: str | None) -> None:
    """Write into DIR what SYSTEM (gradescope, classroom50, vpl) needs to grade by a scheme.

    Beside the scripts lies scheme.toml, to be changed; the wheel of entropeg has to be put there. Students read
    sentences in the language of --lang.
    """
    from entropeg.classroom.grading.delivery import write_kit

    for path in write_kit(system, Path(folder), scheme, language=spoken_language()):
        click.echo(translated(Told("wrote {file}", shown(path))))
