"""`entropeg play`: a person breaks a code that the machine hides."""

from __future__ import annotations

import click

from entropeg import codemakers
from entropeg.cli import saving
from entropeg.cli.completion import players
from entropeg.cli.lines import say
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
from entropeg.cli.playing import PlaySession
from entropeg.cli.prompt import converse
from entropeg.game import load_game
from entropeg.rules import Rules

GUESSES = 12
"""The guess limit of a game at the prompt where the rules have none, as on the board in the box."""

FEW = 10**11
"""On boards with more secrets than this the best strategies that we have miss the twelfth guess now and then."""


@click.command("play")
@rules_option("classic")
@click.option(
    "--codemaker",
    default="honest",
    show_default=True,
    shell_complete=players("codemaker"),
    metavar="NAME",
    help="Who answers: honest, cheat, ...",
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
    codemaker: str,
    limit: int | str | None,
    seed: int | None,
    save_to: str | None,
    load: str | None,
    as_json: bool,
) -> None:
    """Break a code that the machine hides.

    Type a guess, as AABB, or a word: hint, hint 5, undo, left, board, save FILE, give up, help, quit. Twelve guesses,
    unless the rules or --limit say otherwise.
    """
    if save_to is not None and save_to != load:
        saving.check_free(save_to)
    if load is not None:
        refuse_with_load(context, "rules", "codemaker", "limit", "seed")
        session = PlaySession.resume(load_game(load), save_to)
    else:
        session = PlaySession(with_limit(rules, limit, GUESSES), codemakers.get(codemaker), seed, save_to)
        if limit is None and rules.guess_limit is None and rules.secret_count > FEW:
            few = f"({GUESSES} guesses, as on every board, are few for this one: --limit N or --limit none changes it)"
            session.note.append(say(few, tone="quiet"))
    converse(session, "play", as_json=as_json)
