"""`entropeg table make|verify|probe|list|export`: tables of the exact values of all positions after some guesses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from entropeg import signals
from entropeg.chosen_language import translated
from entropeg.cli import saving
from entropeg.cli.helping import NearestGroup
from entropeg.cli.options import RulesType, executor_options, json_option, position_after
from entropeg.cli.progress import telling
from entropeg.cli.terminal import OWN, columns, folded, remark
from entropeg.errors import InputError
from entropeg.executors import Executor
from entropeg.files import check_target, make_folder, shown
from entropeg.rules import Rules
from entropeg.told import Told, word, words

if TYPE_CHECKING:
    from entropeg.search.tables.make import TableProgress
    from entropeg.table.tablebase import Tablebase


@click.group(name="table", cls=NearestGroup, invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """Make, check and probe tables: exact values of every position that some guesses can leave."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@command.command(short_help="Make the table of a board.")
@click.argument("rules", type=RulesType())
@click.option("--turns", type=click.IntRange(min=1), required=True, metavar="K", help="All positions after K guesses.")
@click.option("--from", "least", type=click.IntRange(min=3), default=3, show_default=True, metavar="CODES",
              help="Only sets of so many codes, or more.")  # fmt: skip
@click.option("--to", "most", type=click.IntRange(min=3), metavar="CODES", help="Only sets of so many codes, or fewer.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="File to write. [default: your tables]")
@click.option("--time", type=float, metavar="T", help="Stop after T seconds, and keep what is done.")
@click.option(
    "--checkpoint", type=click.Path(path_type=Path), metavar="FILE", help="Go on from here. [default: OUT.part]"
)
@executor_options
@saving.force_option
@json_option
@click.pass_context
def make(
    context: click.Context,
    *,
    rules: Rules,
    turns: int,
    least: int,
    most: int | None,
    out: Path | None,
    time: float | None,
    checkpoint: Path | None,
    executor: Executor | None,
    as_json: bool,
) -> None:
    """Make the table of all positions of RULES that up to K guesses can leave.

    Sets of codes that differ in names of colors and places of pegs alone are one. 4x6 after three guesses takes a
    minute of a core. Ctrl-C and --time keep what is done in the checkpoint; the same command goes on from there.
    Without --out the table goes to your own, where advice and reviews of larger boards find it.

    Exit code 0: the table is made; 1: the time was over before.
    """
    from entropeg.search.reach import Reach
    from entropeg.search.tables.make import make_table
    from entropeg.table.stored import file_name, user_folder
    from entropeg.table.tablebase import TABLEBASE

    if out is None:
        folder = user_folder()
        if folder is None:
            raise InputError("no folder of your own is known for tables: name a file with --out")
        make_folder(folder)
        out = folder / file_name(rules, turns)
    check_target(out, TABLEBASE)
    kept = checkpoint or out.with_name(f"{out.name}.part")
    megabytes = Reach.of(rules).cells // 1_000_000
    if megabytes >= 500:
        remark(OWN + Told("a table of {rules} takes about {megabytes:,} MB of memory", rules, 2 * megabytes))
    try:
        with telling("sets") as stand:

            def tell(progress: TableProgress) -> None:
                stage = Told("turn {turn}, {sets:,} sets found", progress.turn, progress.sets)
                stand.put(
                    stage if progress.turn else word("progress", "valued"), done=progress.done, total=progress.all
                )

            table = make_table(
                rules, turns, least=least, most=most, time=time, checkpoint=kept, progress=tell, executor=executor
            )
    except KeyboardInterrupt:
        remark(OWN + Told("interrupted; the same command goes on from {file}", shown(kept)))
        context.exit(signals.exit_code())
    if table is None:
        remark(OWN + Told("the time is over; the same command goes on from {file}", shown(kept)))
        context.exit(1)
    saving.put_signals_off()
    table.save(out)
    kept.unlink(missing_ok=True)
    _tell(table, out, as_json=as_json)


@command.command(short_help="Check a table by Bellman's equation.")
@click.argument("file")
@executor_options
@json_option
@click.pass_context
def verify(context: click.Context, file: str, as_json: bool, executor: Executor | None) -> None:
    """Check the table in FILE, or that at hand of the rules FILE.

    Every set of codes that fewer guesses than the table's leave is tried with all guesses: its value has to be the
    least that they make of the values of their parts. It proves these values given those after the last guess.

    Exit code 0: all is right; 1: something is wrong, which is said.
    """
    from entropeg.search.tables.checking import check_table

    with telling("sets") as stand:
        table = _table(file)
        found = check_table(table, progress=stand.count, executor=executor)
    if as_json:
        click.echo(json.dumps(found.to_json(), indent=2))
    elif found.fault:
        click.echo(folded(translated(Told("{file} is wrong: {fault}", shown(file), found.fault))))
    else:
        told = Told(
            "all {n:,} sets are there, and each of {tried:,} is the least that guesses make of its parts",
            found.table.sets, found.tried,
        )  # fmt: skip
        click.echo(folded(translated(told)))
    context.exit(int(bool(found.fault)))


@command.command(short_help="Look a position up.")
@click.argument("file")
@click.argument("turns", nargs=-1)
@json_option
@click.pass_context
def probe(context: click.Context, file: str, turns: tuple[str, ...], as_json: bool) -> None:
    """Say what the table in FILE, or that at hand of the rules FILE, knows of the position after TURNS: "AABB XO" ....

    Exit code 0: it is there; 1: the table does not have it.
    """
    table = _table(file)
    codes = position_after(table.rules, turns).candidates
    found = table.value(codes)
    if as_json:
        click.echo(json.dumps(None if found is None else {"codes": len(codes), **found._asdict()}))
    elif found is None:
        click.echo(translated(Told("the table does not have the {n:,} codes left here", len(codes))))
    else:
        told = Told(
            "{n:,} codes left: {total:,} guesses in all, {mean:.4f} each, {worst} at worst",
            len(codes), found.total, found.total / len(codes), found.worst,
        )  # fmt: skip
        click.echo(translated(told))
    context.exit(int(found is None))


@command.command("list", short_help="Name the tables at hand.")
@json_option
def list_(as_json: bool) -> None:
    """Name the tables at hand: those that come with entropeg, and your own."""
    from entropeg.table.stored import files_at_hand
    from entropeg.table.tablebase import Tablebase

    tables = []
    for file in files_at_hand():
        try:
            tables.append((file, Tablebase.load(file)))
        except InputError as error:
            remark(OWN + str(error))
    if as_json:
        click.echo(json.dumps([{"file": str(file), **table.to_json()} for file, table in tables], indent=2))
        return
    head = words("column", "rules", "turns", "codes", "sets", "file")
    rows = [
        [str(each.rules), str(each.turns), f"{each.least}–{each.most}", Told("{number:,}", each.sets), str(file)]
        for file, each in tables
    ]
    click.echo(columns([head, *rows], "<>>><", head=True))


@command.command(short_help="Write a table as Parquet.")
@click.argument("file")
@click.argument("out", type=click.Path(path_type=Path))
@saving.force_option
def export(file: str, out: Path) -> None:
    """Write the table in FILE, or that at hand of the rules FILE, to OUT as Parquet: columns key, total and worst."""
    _table(file).write_parquet(out)


def _table(file: str) -> Tablebase:
    """Read a table by the name of its file, or find that of some rules."""
    from entropeg.table.stored import open_table
    from entropeg.table.tablebase import Tablebase

    return Tablebase.load(file) if Path(file).exists() or not file[:1].isalnum() else open_table(file)


def _tell(table: Tablebase, file: Path, *, as_json: bool) -> None:
    told = Told("{file}: {n:,} sets of codes after up to {turns} guesses", shown(file), table.sets, table.turns)
    click.echo(json.dumps(table.to_json(), indent=2) if as_json else folded(translated(told)))
