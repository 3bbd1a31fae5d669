"""`entropeg engine`: the text protocol, so that other programs can play against our strategies."""

from __future__ import annotations

import sys

import click

from entropeg.cli.options import player_option
from entropeg.files import read_line


@click.command("engine")
@player_option("codebreaker", "consistent", "Who guesses.")
@player_option("codemaker", "honest", "Who answers.")
def command(codebreaker: str, codemaker: str) -> None:
    """Speak the text protocol on standard input and output, as an engine.

    The page "Protocol" of the documentation describes it; mastermind 1 is the first line to send, quit the last.
    """
    from entropeg.engine.server import serve

    def send(line: str) -> None:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    serve(iter(lambda: read_line(sys.stdin), ""), send, codebreaker, codemaker)
