"""`entropeg mcp`: tools for language models over the Model Context Protocol, on standard input and output."""

from __future__ import annotations

import click


@click.command("mcp")
def command() -> None:
    """Offer tools to a language model over the Model Context Protocol, on standard input and output.

    score answers a guess, candidates finds the codes left, advise says what to play next, explain which rows contradict
    each other, and review what each guess lost: the model never does the Mastermind. Needs the extra mcp.
    """
    from entropeg.model_tools import server

    server().run("stdio")
