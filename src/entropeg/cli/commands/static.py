"""`entropeg static RULES`: the fewest questions that, asked all at once, tell every secret from every other."""

from __future__ import annotations

import json

import click

from entropeg import signals
from entropeg.chosen_language import translated
from entropeg.cli import saving
from entropeg.cli.options import RulesType, json_option
from entropeg.cli.progress import telling
from entropeg.cli.terminal import folded
from entropeg.compiling import told_of_compilation
from entropeg.rules import Rules
from entropeg.search.results import Value
from entropeg.told import Told


@click.command(name="static")
@click.argument("rules", type=RulesType())
@click.option("--time", type=float, metavar="T", help="Stop after T seconds with what is known by then.")
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, metavar="N", help="Other exchanges in the search for good sets."
)
@json_option
def command(rules: Rules, time: float | None, seed: int, *, as_json: bool) -> int:
    """Find the fewest guesses of RULES that, all asked before any is answered, tell every secret from every other.

    The guess that names the secret then is not counted. Good sets are looked for first, and then it is proven that
    fewer will not do. Ctrl-C stops with the questions and the bounds so far (exit code 130; 143 after SIGTERM).
    """
    from entropeg.search.static import static_questions

    with telling() as stand, told_of_compilation(lambda: stand.put(Told("compiling the search"))):

        def tell(value: Value, tried: int) -> None:
            stand.put(Told("questions {value}", value), Told("{n:,} tried", tried))

        found = static_questions(rules, time=time, seed=seed, progress=tell).check()
    saving.put_signals_off()
    click.echo(json.dumps(found.to_json()) if as_json else folded("\n".join(map(translated, found.lines()))))
    return signals.exit_code() if found.is_interrupted else 0
