"""`entropeg value RULES`: the expected number of guesses where the secret is chosen at will, and both sides mix."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from entropeg import signals
from entropeg.chosen_language import translated
from entropeg.cli import saving
from entropeg.cli.options import RulesType, json_option
from entropeg.cli.progress import telling
from entropeg.cli.terminal import folded
from entropeg.compiling import told_of_compilation
from entropeg.files import check_target
from entropeg.rules import Rules
from entropeg.told import Told, plural

if TYPE_CHECKING:
    from entropeg.tree.game_value import GameValue


@click.command(name="value")
@click.argument("rules", type=RulesType())
@click.option("--time", type=float, metavar="T", help="Stop after T seconds with the bounds known by then.")
@click.option(
    "--threads", type=click.IntRange(min=1), metavar="N", help="Threads that search. [default: one a processor]"
)
@click.option(
    "--save", type=click.Path(path_type=Path), metavar="FILE", help="Write both strategies, for the players mixed:FILE."
)
@saving.force_option
@json_option
def command(rules: Rules, time: float | None, threads: int | None, save: Path | None, *, as_json: bool) -> int:
    """Find the value of the game of RULES: the guesses to expect where both sides choose at will, and mix.

    It is an exact fraction. The codemaker draws the secret by the chances found, and then no codebreaker takes fewer
    guesses in the mean; the codebreaker draws one of the strategies found, and then no secret takes more. At the end
    the search is asked once more under these chances, and every code played through every strategy. Ctrl-C
    stops with bounds (exit code 130; 143 after SIGTERM).
    """
    from entropeg.tree.game_value import KIND, game_value

    if save is not None:
        check_target(save, KIND)
    err = saving.to_error(save, as_json=as_json)
    with telling() as stand, told_of_compilation(lambda: stand.put(Told("compiling the search"))):

        def tell(found: GameValue) -> None:
            searches = plural(found.searches, "{n} search", "{n} searches")
            stand.put(Told("{searches}: >= {least:.6f} and <= {most:.6f}", searches, float(found.lower), found.mean))

        found = game_value(rules, time=time, threads=threads, progress=tell)
        if found.is_exact:
            found.check()
    saving.put_signals_off()
    if save is not None:
        found.save(save)
    click.echo(json.dumps(found.to_json()) if as_json else folded("\n".join(map(translated, found.lines()))), err=err)
    return signals.exit_code() if found.is_interrupted else 0
