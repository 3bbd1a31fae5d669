"""Makes a report: plays, compares, draws, writes."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

from entropeg import arguments, codebreakers, codemakers, plots
from entropeg.errors import InputError
from entropeg.executors import Crew, Executor, crew_of, executor_of
from entropeg.files import FIGURE, FileKind, check_target, make_folder, refuse_standard, write_whole
from entropeg.files import PAGE as PAGES
from entropeg.report.documents import DOCUMENTS, claims_on, documents_on
from entropeg.report.experiments import Experiment, Result, experiments
from entropeg.report.figures import Picture, pictures, time_picture
from entropeg.report.findings import find
from entropeg.report.page import BoardReport, render
from entropeg.report.playing import Playing
from entropeg.report.tables import claim_rows, histogram_rows, statistics_rows, time_rows, to_csv
from entropeg.rules import Rules

PAGE = "index.html"
"""Name of the page in the folder of the report."""


def report(  # noqa: PLR0913 (one call makes the whole page; all of them have defaults)
    rules: Rules | str = "4x8",
    games: int = 1000,
    out: str | Path = "report",
    *,
    seed: int = 0,
    also: Sequence[str] = (),
    against: Sequence[str] = (),
    jobs: int | None = None,
    executor: Executor | Crew | str | None = None,
    time: float | None = None,
    progress: Callable[[Any], object] | None = None,
    told: Callable[[str], object] | None = None,
) -> Path:
    """Play the documents' experiments, write page, figures and tables into the folder `out`, return the page's path.

    On 4x8, Bruyere's board, the French notebook's experiments on 4x6 come along. On other boards the documents' figures
    do not apply and measurements stand beside theory. `games`, at least 2, are played by each pair; `jobs` processes
    (default: all cores), or the workers of an `executor`, share the work; `progress` is handed to the arena. What the
    folder's results file already holds is not played again: an interrupted report goes on where it stopped. The same
    rules, games and seed give the same files, run times aside. Page and figures are in the language of the hour
    (`chosen_language`), the tables in English. `also` and `against` name further codebreakers and codemakers, paths of
    course modules among them; one that goes wrong leaves a row that says how. After `time` seconds of play the report
    is made of the games that are finished. `told` hears in sentences, once each experiment has been at play for a
    second, what the games left will take, and in the end which of them were not played.

    Raises InputError for rules, games or a folder that cannot be, MissingExtraError without matplotlib,
    KeyboardInterrupt when interrupted. A board beyond a codebreaker's reach leaves a row that says why.
    """
    plots.require()
    rules = Rules.of(rules)
    arguments.seed(seed)
    executor = executor if isinstance(executor, Crew) else executor_of(executor, jobs)
    if arguments.whole(games, "the number of games") < 2:
        raise InputError(
            "a report plays at least 2 games of each pair, since its intervals need a spread, not {games}", games
        )
    for name in also:
        codebreakers.get(name)
    for name in against:
        codemakers.get(name)
    seconds = inf if time is None else arguments.number(time, "the time")
    refuse_standard(out, "the folder of a report")
    folder = _folder(arguments.file(out, "the folder of a report"))
    check_target(folder / PAGE, PAGES)
    plan: list[Experiment] = []
    for board in boards_of(rules):
        named = {"also": also, "against": against} if board == rules else {}
        plan += experiments(board, first=sum(not each.is_further for each in plan), **named)
    drawn: dict[str, Picture] = {}

    def draw(board: Rules, results: list[Result]) -> list[Picture]:
        return pictures(board, _on(board, results), companion=board != rules, drawn=drawn)

    def draw_ahead(results: list[Result]) -> None:
        for board in boards_of(rules):
            draw(board, results)

    with crew_of(executor) as crew:
        hear = told or (lambda _: None)
        playing = Playing(plan, games, seed, crew, folder / "results.sqlite", progress, hear, draw_ahead, seconds)
        results = playing.play()
    boards = [_compared(board, _on(board, results), draw(board, results)) for board in boards_of(rules)]
    tables = _write_tables(boards, folder)
    _write_figures(boards, folder)
    options = [("--rules", rules), ("--games", games), ("--seed", seed)]
    options += [*(("--also", name) for name in also), *(("--against", name) for name in against)]
    command = shlex.join(["entropeg", "report", *(str(word) for option in options for word in option)])
    page = render(boards, games=games, command=command, files_written=tables)
    write_whole(folder / PAGE, page.encode(), PAGES)
    return folder / PAGE


def boards_of(rules: Rules) -> list[Rules]:
    """Return the boards of a report: the one asked for, and the French notebook's beside Bruyere's."""
    is_first = any(document.letter == "A" for document in documents_on(rules))
    return [rules, Rules.parse(DOCUMENTS["E"].board)] if is_first else [rules]


def _folder(folder: Path) -> Path:
    for part in (folder / "figures", folder / "tables"):
        make_folder(part)
    return folder


def _on(rules: Rules, results: list[Result]) -> list[Result]:
    return [result for result in results if result.experiment.rules == rules]


def _compared(rules: Rules, results: list[Result], drawn: list[Picture]) -> BoardReport:
    runs = {result.experiment.key: result.run for result in results if result.run is not None}
    missing = {result.experiment.key: result.reason for result in results if result.run is None}
    findings = [find(claim, runs, missing) for claim in claims_on(rules)]
    return BoardReport(rules, results, findings, drawn, time_picture(results, rules))


def _write_tables(boards: list[BoardReport], folder: Path) -> list[str]:
    results: list[Result] = [result for board in boards for result in board.results]
    tables = {
        "statistics": statistics_rows(results),
        "histograms": histogram_rows(results),
        "claims": claim_rows([finding for board in boards for finding in board.findings]),
        "times": time_rows(results),
    }
    names = [f"tables/{name}.csv" for name, rows in tables.items() if rows]
    for name in names:
        table = to_csv(tables[Path(name).stem])
        write_whole(folder / name, table, FileKind("a table of a report", partial(_begins_alike, table)))
    return names


def _begins_alike(table: bytes, other: bytes) -> bool:
    return table.partition(b"\n")[0] == other.partition(b"\n")[0]


def _write_figures(boards: list[BoardReport], folder: Path) -> None:
    for board in boards:
        for picture in [*board.pictures, *([board.times] if board.times is not None else [])]:
            write_whole(folder / "figures" / f"{picture.name}.svg", picture.svg, FIGURE)
            write_whole(folder / "figures" / f"{picture.name}.png", picture.png, FIGURE)
