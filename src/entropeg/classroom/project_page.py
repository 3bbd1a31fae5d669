"""Writes projects as one HTML page that needs no other, and as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from entropeg import plots
from entropeg.amounts import duration
from entropeg.classroom.findings import ModuleMeasure, Project
from entropeg.classroom.players import path_of
from entropeg.errors import printable
from entropeg.report.figures import Picture
from entropeg.report.page import drawn_figure, whole_page
from entropeg.told import plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIGNS = {"right": "✓", "wrong": "✗", "slow": "~", "note": "–"}


# -------------------------------------------------------------------- text


def project_text(project: Project) -> str:
    """Write the findings, file by file.

    Signs are words as well: nothing hangs on a color.
    """
    count = len(project.wrong)
    faults = "nothing wrong" if not count else f"{plural(count, '{n} thing', '{n} things')} wrong"
    faults += f", {len(project.slow)} slow" if project.slow else ""
    faults += f", {len(project.unjudged)} not judged: no game was finished" if project.unjudged else ""
    faults += " so far" if project.left else ""
    lines = [
        f"{project.folder} on {project.rules}: {plural(len(project.files), '{n} module', '{n} modules')}, {faults}"
    ]
    for file in dict.fromkeys(finding.file for finding in project.findings):
        lines += ["", file]
        lines += [f"  {SIGNS[each.verdict]} {each.text}" for each in project.findings if each.file == file]
        lines += [f"  = {measure_text(each)}" for each in project.measures if each.file == file]
    if project.left:
        lines += ["", _left(project)]
    return "\n".join(map(printable, lines))


def _left(project: Project) -> str:
    return f"Stopped before these were looked at to the end: {', '.join(project.left)}"


def measure_text(measure: ModuleMeasure) -> str:
    """Write a mean with its interval beside the expected one."""
    series, facts = measure.series, measure.series.run.statistics
    against = f"against {opponent(measure)} on {series.rules}"
    if not facts.won:
        return f"{against}: no game was finished"
    mean = f"{plots.number(facts.mean)} guesses on average{interval_text(facts.interval)}, {plural(facts.won, '{n} game', '{n} games')}"
    basis = measure.source
    expected = "" if measure.expected is None else f"; {plots.number(measure.expected)} expected ({basis})"
    return f"{against}: {mean}{expected}; {duration(facts.seconds_per_game, 2)} a game"


def is_maker(measure: ModuleMeasure) -> bool:
    """Tell whether it is a codemaker that was measured."""
    series = measure.series
    return path_of(series.codemaker).endswith(measure.file)


def opponent(measure: ModuleMeasure) -> str:
    """Name the other player of a measure."""
    series = measure.series
    return path_of(series.codebreaker if is_maker(measure) else series.codemaker)


def interval_text(interval: tuple[float, float] | None) -> str:
    """Write an interval in brackets, with a space before them; nothing where there is none, or games all alike."""
    return (
        ""
        if interval is None or interval[0] == interval[1]
        else f" ({plots.number(interval[0])} to {plots.number(interval[1])})"
    )


# -------------------------------------------------------------------- figures


def project_pictures(project: Project) -> list[Picture]:
    """Draw the figures of the documents from the project's games: histograms, honest beside cheat, run times."""
    pictures: list[Picture] = []
    for measure in project.measures:
        if measure.series.run.statistics.won and not (not is_maker(measure) and _is_cheat(measure)):
            pictures.append(_histogram(measure, len(pictures)))
    pairs = [
        (one, other)
        for one in project.measures
        for other in project.measures
        if one.file == other.file and not _is_cheat(one) and _is_cheat(other) and _finished(one) and _finished(other)
    ]
    for one, other in pairs:
        caption = f"{one.file} against the honest codemaker and against the cheat."
        runs = [one.series.run, other.series.run]
        figure = plots.compared(runs, labels=("honest", "cheat"), title=f"{one.file} on {one.series.rules}")
        pictures.append(_picture(f"compared{len(pictures)}", caption, figure))
    rows = [
        (f"{each.file}, {opponent(each)}", each.series.run.statistics.seconds_per_game)
        for each in project.measures
        if _finished(each)
    ]
    if rows:
        figure = plots.times([(name.replace(str(project.folder), ""), time) for name, time in rows])
        pictures.append(_picture("times", "Time a game, on a logarithmic axis.", figure))
    return pictures


def _finished(measure: ModuleMeasure) -> bool:
    return bool(measure.series.run.statistics.won)


def _is_cheat(measure: ModuleMeasure) -> bool:
    return measure.series.codemaker.startswith("cheat")


def _histogram(measure: ModuleMeasure, number: int) -> Picture:
    from entropeg.experiments.laws import law

    series = measure.series
    names = {"codebreaker0.py": "random", "codebreaker1.py": "memory"}
    name = names.get(PurePosixPath(measure.file).name)
    known = law(name, series.rules) if name is not None else None
    figure = plots.turns(series.run, law=known, title=f"{measure.file}, {series.rules}")
    return _picture(f"turns{number}", f"{measure.file}: {measure_text(measure)}.", figure)


def _picture(name: str, caption: str, figure: Figure) -> Picture:
    return Picture(name, caption, caption, plots.svg(figure), b"")


# -------------------------------------------------------------------- pages


def project_page(project: Project) -> str:
    """Return the page of a project."""
    wrong = len(project.wrong)
    lead = "Nothing wrong was found." if not wrong else f"Found wrong: {wrong}."
    lead += f" {escape(_left(project))}." if project.left else ""
    modules = f"Modules: {escape(printable(', '.join(project.files)))}. Board: {escape(str(project.rules))}."
    folder = printable(str(project.folder))
    sections = [f"<header><h1>{escape(folder)}</h1><p>{modules} <strong>{lead}</strong></p></header>"]
    for file in dict.fromkeys(finding.file for finding in project.findings):
        items = "".join(
            f'<li><span class="verdict {"differs" if each.verdict == "wrong" else each.verdict}">'
            f"{SIGNS[each.verdict]} {each.verdict}</span> {escape(printable(each.text))}</li>"
            for each in project.findings
            if each.file == file
        )
        sections.append(f"<section><h2>{escape(printable(file))}</h2><ul>{items}</ul></section>")
    sections.append(
        html_table(
            "Games",
            ("Module", "Against", "Games", "Mean", "95 % interval", "Expected", "Time a game"),
            [_measure_row(each) for each in project.measures],
        )
    )
    figures = "\n".join(
        drawn_figure(each, str(number)) for number, each in enumerate(project_pictures(project), start=1)
    )
    sections.append(f'<section><h2>Figures</h2><div class="figures">{figures}</div></section>')
    return whole_page(f"{folder}: a project of the course", "\n".join(sections))


def _measure_row(measure: ModuleMeasure) -> list[str]:
    series, facts = measure.series, measure.series.run.statistics
    known = facts.won > 0
    return [
        measure.file,
        f"{opponent(measure)}, {series.rules}",
        f"{facts.count:,}",
        plots.number(facts.mean) if known else "–",
        interval_text(facts.interval).strip(" ()") or "–",
        "–" if measure.expected is None else f"{plots.number(measure.expected)} ({measure.source})",
        duration(facts.seconds_per_game, 2) if known else "–",
    ]


def html_table(
    title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], name: Callable[[str], str] = escape
) -> str:
    """Return a section with a table; the first cell of a row names it, and `name` writes names as HTML."""
    head = "".join(f"<th>{name(each)}</th>" for each in heads)
    body = "".join(
        "<tr>"
        f"<th scope='row'>{name(row[0])}</th>"
        + "".join(
            f'<td class="number" data-label="{escape(label)}">{escape(cell)}</td>'
            for label, cell in zip(heads[1:], row[1:], strict=True)
        )
        + "</tr>"
        for row in rows
    )
    above = f"<h2>{escape(title)}</h2>" if title else ""
    plain, label = '<div class="wide">', f'<div class="wide" role="region" tabindex="0" aria-label="{escape(title)}">'
    return (
        f"<section>{above}{label if title else plain}<table>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div></section>"
    )
