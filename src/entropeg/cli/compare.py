"""`entropeg compare RULES`: all one-step rules of choice side by side, each playing every secret."""

from __future__ import annotations

import json
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from entropeg.cli.options import RulesType, json_option
from entropeg.cli.tables import bars, columns
from entropeg.cli.tree import facts, progress
from entropeg.errors import InputError
from entropeg.files import write_whole
from entropeg.rules import Rules

if TYPE_CHECKING:
    from entropeg.tree import StrategyTree

COMPARED = ("minimax", "sorted-minimax", "expected-size", "entropy", "entropy:win=yes", "parts")
"""The rules of choice of the literature; `--also` adds others."""


@click.command(name="compare")
@click.argument("rules", type=RulesType())
@click.option(
    "--also", multiple=True, metavar="CODEBREAKER", help="A further deterministic codebreaker; may be repeated."
)
@click.option(
    "--best-opening", is_flag=True, help="For each, the best of all opening classes instead of its own opening."
)
@click.option(
    "--keep",
    type=click.Path(path_type=Path),
    help="Folder of finished trees: what is there already is not played again.",
)
@click.option(
    "--figure", type=click.Path(path_type=Path), help="Draw the histograms to this file (.svg, .png or .pdf)."
)
@json_option
def command(
    rules: Rules, also: tuple[str, ...], best_opening: bool, keep: Path | None, figure: Path | None, as_json: bool
) -> None:
    """Compare the rules of choice on RULES: total, mean, worst, histogram, seconds.

    With --keep an interrupted comparison goes on where it stopped.
    """
    rows: list[dict[str, Any]] = []
    trees: list[StrategyTree] = []
    for name in (*COMPARED, *also):
        tree, seconds = _played(name, rules, best_opening, keep)
        trees.append(tree)
        rows.append({"codebreaker": name, **facts(tree), "seconds": seconds})
    if figure is not None:
        draw(trees, [row["codebreaker"] for row in rows], figure)
    click.echo(json.dumps(rows) if as_json else _table(rows))


def _played(name: str, rules: Rules, best_opening: bool, keep: Path | None) -> tuple[StrategyTree, float | None]:
    from entropeg.tree import build_tree, load_tree, openings

    plain = "".join(
        letter if letter.isalnum() else "-" for letter in f"{rules} {name} {'best' if best_opening else 'own'}"
    )
    kept = None if keep is None else keep / f"{plain}.tree"
    if kept is not None and kept.exists():
        return load_tree(kept, rules), None
    start = perf_counter()
    with progress(rules.secret_count) as step:
        tree = openings(name, rules)[0].tree if best_opening else build_tree(name, rules, progress=step)
    seconds = perf_counter() - start
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        tree.save(kept)
    return tree, seconds


def _table(rows: list[dict[str, Any]]) -> str:
    head = ("codebreaker", "first", "total", "mean", "worst", "guesses 1, 2, ...", "", "seconds")
    body = [
        (
            row["codebreaker"],
            row["first"],
            str(row["total"]),
            f"{row['mean']:.4f}",
            str(row["worst"]),
            " ".join(map(str, row["histogram"])),
            bars(dict(enumerate(row["histogram"], start=1))),
            "kept" if row["seconds"] is None else f"{row['seconds']:.3f}",
        )
        for row in rows
    ]
    return columns([head, *body], "<<>>><<>")


def draw(trees: list[StrategyTree], names: list[str], path: Path) -> None:
    """Draw the histograms side by side; raises InputError where the figure cannot be made."""
    import io

    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError("figures need matplotlib: install entropeg[figures]") from None
    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.subplots()
    width = 0.8 / len(trees)
    for index, (tree, name) in enumerate(zip(trees, names, strict=True)):
        turns = [turn + (index - (len(trees) - 1) / 2) * width for turn in range(1, tree.worst + 1)]
        axes.bar(turns, tree.histogram, width, label=f"{name}: {tree.mean:.4f}")
    axes.set_xlabel("guesses")
    axes.set_ylabel("codes")
    axes.set_title(f"{trees[0].rules}, every code once")
    axes.legend(title="mean number of guesses")
    content = io.BytesIO()
    try:
        figure.savefig(content, format=path.suffix.lstrip(".") or "svg")
    except ValueError as error:
        raise InputError(f"{path.name}: {error}") from None
    write_whole(path, content.getvalue())
