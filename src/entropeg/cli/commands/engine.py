"""`entropeg engine`: the text protocol, so that other programs can play against our strategies."""

from __future__ import annotations

import sys

import click

from entropeg.cli.completion import players
from entropeg.files import read_line


@click.command("engine")
@click.option(
    "--codebreaker",
    shell_complete=players("codebreaker"),
    default="consistent",
    show_default=True,
    metavar="NAME",
    help="Who guesses.",
)
@click.option(
    "--codemaker",
    shell_complete=players("codemaker"),
    default="honest",
    show_default=True,
    metavar="NAME",
    help="Who answers.",
)
def command(codebreaker: str, codemaker: str) -> None:
    """Speak the text protocol on standard input and output, as an engine.

    The page "Protocol" of the documentation describes it; mastermind 1 is the first line to send, quit the last.
    """
    from entropeg.engine.server import serve

    def send(line: str) -> None:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    serve(iter(lambda: read_line(sys.stdin), ""), send, codebreaker, codemaker)
