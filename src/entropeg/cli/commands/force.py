"""`entropeg force CODEBREAKER[,...]`: the most guesses that each codebreaker can be made to take."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from entropeg import codebreakers
from entropeg.chosen_language import translated
from entropeg.cli import saving
from entropeg.cli.commands.arena import named
from entropeg.cli.completion import players
from entropeg.cli.options import json_option, rules_option
from entropeg.cli.progress import Stand, telling
from entropeg.cli.terminal import columns
from entropeg.feedback import Method, is_known
from entropeg.rules import Rules
from entropeg.told import Told, words

if TYPE_CHECKING:
    from entropeg.codemakers.adversary import Forced


@click.command("force")
@click.argument("codebreaker", shell_complete=players("codebreaker"), metavar="CODEBREAKER[,...]")
@rules_option("4x6")
@json_option
def command(codebreaker: str, rules: Rules, as_json: bool) -> None:
    """Say how many guesses each CODEBREAKER can be forced to take, beside the greedy cheat.

    Exact, for codebreakers that do not play at random: every secret is played. On small boards the least that any
    codebreaker can be forced to is said too.
    """
    from entropeg.codemakers.adversary import forced

    specs = named(codebreakers.get, codebreaker)
    with telling("codes") as stand:
        found = [forced(spec, rules, _step(stand, spec, len(specs) * rules.secret_count)) for spec in specs]
        stand.put(Told("the least that any codebreaker can be forced to"))
        least = _least(rules)
        saving.put_signals_off()
    if as_json:
        rows = [
            {"codebreaker": one.codebreaker, "greedy": list(one.greedy), "forced": one.forced, "hardest": one.hardest}
            | {"line": one.line_text(rules)}
            for one in found
        ]
        click.echo(json.dumps({"rules": str(rules), "least": least, "codebreakers": rows}))
        return
    head = words("column", "codebreaker", "greedy cheat", "forced", "codes", "a longest game")
    click.echo(columns([head, *(_row(one, rules) for one in found)], "<>>><", names=1, head=True))
    if least is not None:
        click.echo(translated(Told("no codebreaker can do with fewer than {least} (proven)", least)))


def _step(stand: Stand, spec: str, total: int) -> Callable[[int], None]:
    return lambda count: stand.put(spec, done=stand.done + count, total=total)


def _row(one: Forced, rules: Rules) -> tuple[str, ...]:
    few, many = one.greedy
    greedy = str(few) if few == many else Told("{few} to {many}", few, many)
    return one.codebreaker, greedy, str(one.forced), str(one.hardest), one.line_text(rules)


def _least(rules: Rules) -> int | None:
    from entropeg.codemakers.adversary import PERFECT_CODES, least_worst
    from entropeg.position import Position

    known = rules.is_symmetric and is_known(rules, Method.exact)
    return least_worst(Position(rules.with_limit(None))) if known and rules.secret_count <= PERFECT_CODES else None
