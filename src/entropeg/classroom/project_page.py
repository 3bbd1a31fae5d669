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
from entropeg.told import Told, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIGNS = {"right": "✓", "wrong": "✗", "slow": "~", "note": "–"}


# -------------------------------------------------------------------- text


def project_text(project: Project) -> str:
    """Write the findings, file by file.

    Signs are words as well: nothing hangs on a color.
    """
    count = len(project.wrong)
    faults = Told("nothing wrong") if not count else Told("{things} wrong", plural(count, "{n} thing", "{n} things"))
    faults += Told(", {slow} slow", len(project.slow)) if project.slow else ""
    faults += Told(", {unjudged} not judged: no game was finished", len(project.unjudged)) if project.unjudged else ""
    faults += Told(" so far") if project.left else ""
    lines = [
        Told(
            "{folder} on {rules}: {modules}, {faults}",
            project.folder,
            project.rules,
            plural(len(project.files), "{n} module", "{n} modules"),
            faults,
        )
    ]
    for file in dict.fromkeys(finding.file for finding in project.findings):
        lines += ["", file]
        lines += [f"  {SIGNS[each.verdict]} {each.text}" for each in project.findings if each.file == file]
        lines += [f"  = {measure_text(each)}" for each in project.measures if each.file == file]
    if project.left:
        lines += ["", _left(project)]
    return "\n".join(map(printable, lines))


def _left(project: Project) -> str:
    return Told("Stopped before these were looked at to the end: {left:list}", project.left)


def measure_text(measure: ModuleMeasure) -> str:
    """Write a mean with its interval beside the expected one."""
    series, facts = measure.series, measure.series.run.statistics
    against = Told("against {opponent} on {rules}", opponent(measure), series.rules)
    if not facts.won:
        return Told("{against}: no game was finished", against)
    mean = Told(
        "{number} guesses on average{interval_text}, {games}",
        plots.number(facts.mean),
        interval_text(facts.interval),
        plural(facts.won, "{n} game", "{n} games"),
    )
    basis = measure.source
    expected = (
        "" if measure.expected is None else Told("; {number} expected ({basis})", plots.number(measure.expected), basis)
    )
    return Told(
        "{against}: {mean}{expected}; {duration} a game", against, mean, expected, duration(facts.seconds_per_game, 2)
    )


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
        else Told(" ({number} to {number2})", plots.number(interval[0]), plots.number(interval[1]))
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
        caption = Told("{file} against the honest codemaker and against the cheat.", one.file)
        runs = [one.series.run, other.series.run]
        figure = plots.compared(
            runs, labels=("honest", "cheat"), title=Told("{file} on {rules}", one.file, one.series.rules)
        )
        pictures.append(_picture(f"compared{len(pictures)}", caption, figure))
    rows = [
        (f"{each.file}, {opponent(each)}", each.series.run.statistics.seconds_per_game)
        for each in project.measures
        if _finished(each)
    ]
    if rows:
        figure = plots.times([(name.replace(str(project.folder), ""), time) for name, time in rows])
        pictures.append(_picture("times", Told("Time a game, on a logarithmic axis."), figure))
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
    lead = Told("Nothing wrong was found.") if not wrong else Told("Found wrong: {wrong}.", wrong)
    lead += f" {escape(_left(project))}." if project.left else ""
    modules = Told(
        "Modules: {escape}. Board: {escape2}.", escape(printable(", ".join(project.files))), escape(str(project.rules))
    )
    folder = printable(str(project.folder))
    sections = [
        Told(
            "<header><h1>{escape}</h1><p>{modules} <strong>{lead}</strong></p></header>", escape(folder), modules, lead
        )
    ]
    for file in dict.fromkeys(finding.file for finding in project.findings):
        items = "".join(
            Told(
                '<li><span class="verdict {verdict}">{signs} {verdict2}</span> {escape}</li>',
                "differs" if each.verdict == "wrong" else each.verdict,
                SIGNS[each.verdict],
                each.verdict,
                escape(printable(each.text)),
            )
            for each in project.findings
            if each.file == file
        )
        sections.append(f"<section><h2>{escape(printable(file))}</h2><ul>{items}</ul></section>")
    sections.append(
        html_table(
            "Games",
            ("Module", "Against", "Games", "Mean", Told("95 % interval"), "Expected", Told("Time a game")),
            [_measure_row(each) for each in project.measures],
        )
    )
    figures = "\n".join(
        drawn_figure(each, str(number)) for number, each in enumerate(project_pictures(project), start=1)
    )
    sections.append(Told('<section><h2>Figures</h2><div class="figures">{figures}</div></section>', figures))
    return whole_page(Told("{folder}: a project of the course", folder), "\n".join(sections))


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
        Told("<tr><th scope='row'>{name}</th>", name(row[0]))
        + "".join(
            Told('<td class="number" data-label="{escape}">{escape2}</td>', escape(label), escape(cell))
            for label, cell in zip(heads[1:], row[1:], strict=True)
        )
        + "</tr>"
        for row in rows
    )
    above = f"<h2>{escape(title)}</h2>" if title else ""
    plain, label = (
        Told('<div class="wide">'),
        Told('<div class="wide" role="region" tabindex="0" aria-label="{escape}">', escape(title)),
    )
    return (
        f"<section>{above}{label if title else plain}<table>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div></section>"
    )
