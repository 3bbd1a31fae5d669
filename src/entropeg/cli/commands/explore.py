"""`entropeg explore`: every guess of a position, what each is worth, and where its answers lead."""

from __future__ import annotations

import json
import sys

import click

from entropeg import arguments
from entropeg.advise.exploring import explore, explore_command
from entropeg.cli.commands.advise import contradicted, noted
from entropeg.cli.options import RulesType, exact_time_option, json_option, sample_seed_option
from entropeg.cli.screen import Screen, converse
from entropeg.errors import ContradictionError, InputError
from entropeg.rules import Rules
from entropeg.sessions.exploring import ExploreSession, exploration_lines


@click.command("explore")
@click.argument("rules", type=RulesType())
@click.argument("rows", nargs=-1, metavar='["GUESS FEEDBACK"]...')
@click.option("--guess", metavar="CODE", help="Show what the answers to it leave, instead of those to the best guess.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="List N classes of guesses. [default: all]")
@click.option("--share", is_flag=True, help="Print the command that shows this position again, and nothing else.")
@exact_time_option
@sample_seed_option
@json_option
@click.pass_context
def command(
    context: click.Context,
    *,
    rules: Rules,
    rows: tuple[str, ...],
    guess: str | None,
    limit: int | None,
    share: bool,
    time: float,
    seed: int,
    as_json: bool,
) -> None:
    """Look at every guess of a position, and go on from it.

    RULES and rows are those of `entropeg advise`. Guesses that renamed colors and moved pegs make of one another are
    one class: AABC and 23 alike.

    \b
        entropeg explore 4x6 "AABB XO"
        entropeg explore 4x6 "AABB XO" "ACDE O" --guess ABCF --json

    Above, what is known: codes left, guesses that the best play takes, and how sure that is (exact, from the table;
    exact, searched; estimated). Then the moves, the best first: guesses expected, what that is more than with the best
    (loss), the worst case, answers that can come (parts), and whether it may be the secret. Below, what each answer to
    one of them leaves, with its luck: guesses that it saves.

    At a terminal type the number of a move or a guess to see its answers, an answer to go on to what it leaves, back,
    more, share, help or quit.

    Keys with --json: rules, turns, state, left (count, about, sample, method, codes, says), value, worst, source
    (table, searched, estimated), keeps_limit, says, command, moves (guess, alike, mean, loss, worst, candidate, parts),
    others (guesses in none of them), chosen (the keys of a move), answers (feedback, codes, chance, mean, worst, luck),
    seconds. An expected number has sign (=, ≥, ≈), value, error, fraction.
    """  # noqa: D301 (click knows the character, not the letters)
    seconds, notes = arguments.number(time, "the time"), noted(rules, rows)
    if not notes.is_complete:
        raise InputError("the explorer takes whole rows: leave out those with ?, or ask entropeg advise")
    position = notes.position
    if share:
        click.echo(explore_command(position))
        return
    try:
        view = explore(position, guess, limit=limit, time=seconds, seed=seed)
    except ContradictionError:
        context.exit(contradicted(notes, as_json=as_json))
    if as_json:
        click.echo(json.dumps(view.to_json(), ensure_ascii=False))
    elif sys.stdin.isatty():
        converse(ExploreSession(view, seconds=seconds, seed=seed), "explore", as_json=False)
    else:
        Screen(sys.stdout, rules).show(exploration_lines(view))
