"""Keeps results in files: nothing is overwritten unasked, and what goes to standard output is alone there."""

from __future__ import annotations

from pathlib import Path

import click

from entropeg import signals
from entropeg.cli.options import Function
from entropeg.errors import InputError
from entropeg.files import is_standard, replacing


def force_option(function: Function) -> Function:
    """Add the option `--force`: within the command, files of other kinds are replaced."""

    def allow(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
        if value:
            context.with_resource(replacing())

    return click.option(
        "--force",
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=allow,
        help="Replace a file even if it is of another kind.",
    )(function)


def put_signals_off() -> None:
    """Let a signal wait for the end of the command: its results are shown and written whole."""
    click.get_current_context().with_resource(signals.held())


def check_figure(path: str | Path) -> None:
    """Raise InputError or MissingExtraError where a figure cannot be drawn or written: before anything is played."""
    from entropeg import plots

    plots.check_figure(path)
    plots.require()


def to_error(*paths: str | Path | None, as_json: bool = False) -> bool:
    """Tell whether sentences for a person go to standard error, as a file is written to standard output.

    Raises InputError where two are.
    """
    taken = sum(is_standard(path) for path in paths)
    if taken + as_json > 1 and taken:
        if as_json:
            raise InputError("- is standard output, where --json goes too: name a file for one of them")
        raise InputError("- is standard output, where another - goes too: name a file for one of them")
    return bool(taken)
