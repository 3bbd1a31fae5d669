"""`entropeg compare RULES`: all one-step rules of choice side by side, each playing every secret."""

from __future__ import annotations

import json
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from entropeg import codebreakers
from entropeg.chosen_language import translated
from entropeg.cli import saving
from entropeg.cli.commands.tree import Growing, facts, found, growing, is_growable, part_of, plain
from entropeg.cli.options import (
    RulesType,
    after_option,
    executor_options,
    further_option,
    json_option,
    position_after,
    refuse_after,
)
from entropeg.cli.terminal import bars, columns
from entropeg.errors import InputError
from entropeg.executors import Crew, Executor, kept_open
from entropeg.files import make_folder, refuse_standard
from entropeg.position import Position
from entropeg.registry import name_of
from entropeg.rules import Rules
from entropeg.told import Told, word, words

if TYPE_CHECKING:
    from entropeg.tree import StrategyTree


WRITTEN = 20
"""A histogram of more guesses is not written out in the table; --json has every number."""


@click.command(name="compare")
@click.argument("rules", type=RulesType())
@further_option("--also", "codebreaker", "A further codebreaker, a path among them; may be repeated.")
@click.option(
    "--best-opening", is_flag=True, help="For each, the best of all opening classes instead of its own opening."
)
@click.option(
    "--keep",
    type=click.Path(path_type=Path),
    help="Folder of finished trees: what is there already is not played again.",
)
@click.option(
    "--figure", type=click.Path(path_type=Path), help="Draw the histograms to this file (.svg, .png or .pdf; - is SVG)."
)
@executor_options
@after_option
@saving.force_option
@json_option
def command(
    *,
    rules: Rules,
    also: tuple[str, ...],
    best_opening: bool,
    keep: Path | None,
    figure: Path | None,
    executor: Executor | None,
    after: tuple[str, ...],
    as_json: bool,
) -> None:
    """Compare the rules of choice on RULES: total, mean, worst, histogram, seconds.

    A codebreaker that draws at random, or a course module, has no tree: it plays every secret once, and has no first
    guess of its own in the table.

    Ctrl-C keeps what is done in a file named after RULES, in this folder or in that of --keep; the same command goes
    on from there, and deletes it at the end. With --after every code left at a position is played once, from there on.
    """
    from entropeg.tree import opening_classes

    names = (*codebreakers.registry.compared, *also)
    refuse_after(after, keep=keep, best_opening=best_opening, executor=executor)
    players = found(names, rules, trees_only=bool(after))
    if figure is not None:
        saving.check_figure(figure)
    err = saving.to_error(figure, as_json=as_json)
    if after:
        _show(_after(names, players, position_after(rules, after)), figure, as_json=as_json, err=err)
        return
    if keep is not None:
        refuse_standard(keep, "a folder of trees")
        make_folder(keep)
    rows: list[dict[str, Any]] = []
    part = part_of(None if keep is None else keep / f"compare-{plain(str(rules))}", "compare", rules)
    total = len(names) * rules.secret_count * (len(opening_classes(rules)) if best_opening else 1)
    with growing(part, f"compare {rules}", total, players) as grown, kept_open(executor) as where:
        for name, player in zip(names, players, strict=True):
            if is_growable(player):
                how = PlayedHow(best_opening, keep, where)
                tree, seconds = _played(name, player, rules, how, grown)
                rows.append({"codebreaker": name, **facts(tree), "seconds": seconds})
            else:
                rows.append({"codebreaker": name, **_asked(name, rules, where, grown)})
    _show(rows, figure, as_json=as_json, err=err)


def _show(rows: list[dict[str, Any]], figure: Path | None, *, as_json: bool, err: bool) -> None:
    if figure is not None:
        draw(rows, figure)
    click.echo(json.dumps(rows) if as_json else _table(rows), err=err)


def _after(names: tuple[str, ...], players: list[Any], position: Position) -> list[dict[str, Any]]:
    from entropeg.tree import StrategyTree

    rows = []
    for name, player in zip(names, players, strict=True):
        start = perf_counter()
        tree = StrategyTree.build(player, position).check()
        rows.append({"codebreaker": name, **facts(tree), "seconds": perf_counter() - start})
    return rows


def _asked(name: str, rules: Rules, where: Executor | Crew | None, grown: Growing) -> dict[str, Any]:
    from entropeg.experiments.runner import arena

    start = perf_counter()
    [run] = arena(name, "honest", rules, all_secrets=True, executor=where)
    seconds = perf_counter() - start
    grown.step(rules.secret_count)
    if run.fault:
        raise InputError(run.fault)
    numbers = run.statistics
    if numbers.lost:
        raise InputError(
            "{codebreaker} loses {lost:,} of {games:,} games on {rules}: it cannot be compared",
            *(name, numbers.lost, numbers.count, rules),
        )
    return {
        "rules": str(rules),
        "name": run.codebreaker,
        "first": None,
        "total": numbers.total,
        "mean": numbers.mean,
        "worst": numbers.worst,
        "at_worst": numbers.histogram[numbers.worst],
        "histogram": [numbers.histogram.get(guesses, 0) for guesses in range(1, numbers.worst + 1)],
        "nodes": None,
        "seconds": seconds,
    }


class PlayedHow(NamedTuple):
    """How trees are grown: with the best opening or the codebreaker's own, kept in which folder, by which workers."""

    best_opening: bool
    keep: Path | None
    where: Executor | Crew | None


def _played(name: str, player: Any, rules: Rules, how: PlayedHow, grown: Growing) -> tuple[StrategyTree, float | None]:
    from entropeg.tree import StrategyTree, openings

    called = plain(f"{rules} {name} {'best' if how.best_opening else 'own'}")
    file = None if how.keep is None else how.keep / f"{called}.tree"
    if file is not None and file.exists():
        return StrategyTree.load(file, rules), None
    kept, step = grown
    start, begun = perf_counter(), kept.holds(name_of(player))
    if how.best_opening:
        tree = openings(player, rules, step, kept, executor=how.where)[0].tree
    else:
        tree = StrategyTree.build(player, rules, executor=how.where, progress=step, kept=kept)
    seconds = perf_counter() - start
    if file is not None:
        tree.save(file)
        kept.forget(name_of(player))
    return tree, None if begun else seconds


def _table(rows: list[dict[str, Any]]) -> str:
    head = words("column", "codebreaker", "first", "total", "mean", "worst", "guesses 1, 2, ...", "", "seconds")
    body = [
        (
            row["codebreaker"],
            row["first"] or "",
            str(row["total"]),
            Told("{number:.4f}", row["mean"]),
            str(row["worst"]),
            _numbers(row["histogram"]),
            bars(dict(enumerate(row["histogram"], start=1))),
            word("cell", "kept") if row["seconds"] is None else Told("{number:.3f}", row["seconds"]),
        )
        for row in rows
    ]
    return columns([head, *body], "<<>>><<>", names=1, head=True)


def _numbers(histogram: list[int]) -> str:
    # A random player may take a thousand guesses: then the bar alone is shown, with its ends.
    if len(histogram) <= WRITTEN:
        return " ".join(map(str, histogram))
    least = next(guesses for guesses, count in enumerate(histogram, start=1) if count)
    return Told("from {least:,} to {most:,}", least, len(histogram))


def draw(rows: list[dict[str, Any]], path: Path) -> None:
    """Draw the histograms side by side."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    from entropeg import plots
    from entropeg.svg.palette import TEN, hexadecimal

    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.subplots()
    width = 0.8 / len(rows)
    for index, row in enumerate(rows):
        turns = [turn + (index - (len(rows) - 1) / 2) * width for turn in range(1, row["worst"] + 1)]
        name = plots.fitted(row["codebreaker"])
        label = translated(Told("{codebreaker}: {mean:.4f}, {worst}", name, row["mean"], row["worst"]))
        axes.bar(turns, row["histogram"], width, label=label, color=hexadecimal(TEN[index % len(TEN)]))
    axes.set_xlabel(translated(word("drawn", "guesses")))
    axes.xaxis.set_major_locator(MaxNLocator(WRITTEN, integer=True))
    axes.set_axisbelow(True)
    axes.grid(axis="y", color="#ddd")
    axes.set_ylabel(translated(word("drawn", "codes")))
    axes.set_title(translated(Told("{rules}, every code once", rows[0]["rules"])))
    # A free place for the names is looked for among few bars: among a thousand that takes a second.
    few = sum(row["worst"] for row in rows) <= 300
    axes.legend(title=translated(word("drawn", "guesses: mean, most")), loc="best" if few else "upper right")
    plots.save(figure, path)
