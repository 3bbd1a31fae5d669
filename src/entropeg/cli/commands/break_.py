"""`entropeg break`: the machine breaks a code that a person hides."""

from __future__ import annotations

import click

from entropeg.cli import saving
from entropeg.cli.answering import BreakSession, find_codebreaker
from entropeg.cli.completion import players
from entropeg.cli.options import (
    json_option,
    limit_option,
    load_option,
    refuse_with_load,
    rules_option,
    save_option,
    seed_option,
    with_limit,
)
from entropeg.cli.prompt import converse
from entropeg.game import load_game
from entropeg.rules import Rules


@click.command("break")
@rules_option("4x6")
@click.option(
    "--codebreaker",
    default="adviser",
    show_default=True,
    shell_complete=players("codebreaker"),
    metavar="NAME",
    help="Who guesses: adviser, consistent, ...",
)
@limit_option
@seed_option
@save_option
@load_option
@saving.force_option
@json_option
@click.pass_context
def command(
    context: click.Context,
    *,
    rules: Rules,
    codebreaker: str,
    limit: int | str | None,
    seed: int | None,
    save_to: str | None,
    load: str | None,
    as_json: bool,
) -> None:
    """Hide a code; the machine breaks it.

    Answer each guess in any notation (XXO, 2 1, 2b1w, - for none) or type a word: correct TURN FEEDBACK,
    undo, left, board, save FILE, help, quit. A feedback that contradicts the earlier ones is told, and can be
    corrected.
    """
    if save_to is not None and save_to != load:
        saving.check_free(save_to)
    if load is not None:
        refuse_with_load(context, "rules", "codebreaker", "limit", "seed")
        session = BreakSession.resume(load_game(load), save_to)
    else:
        session = BreakSession(with_limit(rules, limit, None), find_codebreaker(codebreaker), seed, save_to)
    converse(session, "break", as_json=as_json)
