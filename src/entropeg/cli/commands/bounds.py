"""`entropeg bounds RULES`: what is known about a board without playing a game; `--figure`: how bounds grow."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import log2
from pathlib import Path
from typing import Any

import click

from entropeg.chosen_language import translated
from entropeg.cli.completion import files, rules_items
from entropeg.cli.progress import telling
from entropeg.cli.saving import check_figure, force_option
from entropeg.cli.terminal import columns, folded, heading
from entropeg.errors import InputError
from entropeg.files import is_standard
from entropeg.rules import Rules
from entropeg.search.bounds import GRADES, Bound
from entropeg.search.known import BoardFacts, KnownValue, board_facts
from entropeg.told import NAMES_SECRETS, Joined, Told, plural, word


@click.command(name="bounds")
@click.argument("rules", required=False, shell_complete=lambda _, __, typed: rules_items(typed))
@click.option("--json", "as_json", is_flag=True, help="Write the facts as JSON.")
@click.option(
    "--figure",
    metavar="FILE",
    shell_complete=files,
    help="Draw how the bounds grow with the pegs instead: .svg, .png or .pdf.",
)
@click.option("--pegs", default=1024, show_default=True, metavar="N", help="The largest board of the figure.")
@click.option("--games", default=20, show_default=True, metavar="N", help="Secrets played on each board of the figure.")
@force_option
def command(rules: str | None, as_json: bool, figure: str | None, pegs: int, games: int) -> None:
    """Say what is known about a board: codes, feedbacks, proven bounds, best known values.

    RULES are written as everywhere: 4x6, 5x8, bulls-and-cows, 1000x1000. Guesses count the one that wins. Every
    figure names its source and its grade.

    With --figure FILE and no RULES: a drawing of guesses against pegs, for as many colors as pegs, a quarter and
    four times as many: the bound proven for dichotomy, what it needs, the counting bound, the information limit.
    """
    if (rules is None) == (figure is None):
        raise InputError("name one board, as in entropeg bounds 5x8, or a file for the figure: --figure bounds.svg")
    if figure is not None:
        _draw(Path(figure), pegs, games)
        return
    board = Rules.parse(str(rules))
    NAMES_SECRETS.set(not board.has_pegs)
    facts = board_facts(board)
    click.echo(json.dumps(facts.to_json(), indent=2, ensure_ascii=False) if as_json else "\n".join(_lines(facts)))


def _draw(path: Path, pegs: int, games: int) -> None:
    # What is wrong is told before anything is played: all of it takes about two minutes.
    from entropeg import plots
    from entropeg.plots.bounds import SIZES, bounds_figure, samples_of

    sizes = [size for size in SIZES if size <= pegs]
    if not sizes or games < 1:
        raise InputError(
            "--pegs is {pegs} and --games {games}; the smallest figure has 4 pegs and 1 game a board", pegs, games
        )
    check_figure(path)
    with telling() as stand:
        stand.put(Told("playing {games} secrets on every board of the figure", games))
        figure = bounds_figure(samples_of(sizes, games=games))
    plots.save(figure, path)
    if not is_standard(path):
        click.echo(translated(Told("{file}: {panels:list}", path, _extent(figure))))


def _extent(figure: Any) -> Iterator[str]:
    for panel in figure.axes:
        pegs = panel.lines[0].get_xdata()
        yield Told(
            "{title} for {boards} boards of {least:.0f} to {most:.0f} pegs",
            *(panel.get_title(), len(pegs), pegs[0], pegs[-1]),
        )


def _lines(facts: BoardFacts) -> list[str]:
    entries: list[Bound | KnownValue] = [*facts.bounds, *facts.known]
    sources = list(dict.fromkeys(entry.source for entry in entries))
    table = [_bound_row(bound, sources) for bound in facts.bounds]
    table += [_known_row(value, sources) for value in facts.known]
    grades = {entry.grade for entry in entries}
    codes, answers = plural(facts.rules.secret_count, "{n} code", "{n} codes"), facts.feedbacks
    return [
        heading(translated(Told("{rules}: {codes}, {bits:,.2f} bits", facts.rules, codes, facts.bits))),
        translated(Told("feedbacks to a guess: {feedbacks:,}, {bits:.2f} bits at most", answers, log2(answers))),
        "",
        columns(table, "<><<"),
        "",
        *(folded(f"{number}. {translated(source)}") for number, source in enumerate(sources, start=1)),
        *(folded(f"[{_shown(grade)}] {translated(meaning)}") for grade, meaning in GRADES.items() if grade in grades),
    ]


def _bound_row(bound: Bound, sources: list[str]) -> tuple[str, ...]:
    if bound.measure == "mean":
        what = Told("mean at least") if bound.side == "lower" else Told("mean at most")
        value = Told("{number:,.3f}", bound.value)
    else:
        what = Told("worst at least") if bound.side == "lower" else Told("worst at most")
        value = Told("{number:,}", bound.value)
    return what, value, _mark(bound, sources), bound.formula


def _known_row(known: KnownValue, sources: list[str]) -> tuple[str, ...]:
    what, value = word("cell", "worst case"), str(known.worst)
    if known.mean is not None:
        what, value = word("cell", "mean"), Told("{number:,.3f}", known.mean)
    details = [known.strategy]
    if known.total is not None:
        details.append(Told("total {total:,}", known.total))
    if known.worst is not None and known.mean is not None:
        details.append(Told("worst {worst}", known.worst))
    if known.sampled:
        details.append(word("cell", "sampled"))
    return what, value, _mark(known, sources), Joined(details, ", ")


def _mark(entry: Bound | KnownValue, sources: list[str]) -> str:
    return f"[{_shown(entry.grade)}] {sources.index(entry.source) + 1}"


def _shown(grade: str) -> str:
    return translated(word("grade", "proved")) if grade == "proved" else grade
