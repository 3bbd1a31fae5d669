"""Writes projects as one HTML page that needs no other, and as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from entropeg import plots
from entropeg.chosen_language import spoken_language, translated
from entropeg.classroom.findings import ModuleMeasure, Project, verdict_word
from entropeg.classroom.players import path_of
from entropeg.durations import duration
from entropeg.errors import printable
from entropeg.report.figures import Picture
from entropeg.report.page import drawn_figure, whole_page
from entropeg.told import Template, Told, plural, word, words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIGNS = {"right": "✓", "wrong": "✗", "follows": "→", "slow": "~", "note": "–", "unwritten": "○", "waiting": "·"}


# -------------------------------------------------------------------- text


def project_text(project: Project) -> str:
    """Write the findings, file by file.

    Signs are words as well: nothing hangs on a color.
    """
    count, modules = len(project.wrong), plural(len(project.modules), "{n} module", "{n} modules")
    faults: str = plural(count, "{n} thing wrong", "{n} things wrong") if count else Told("nothing wrong")
    for further, number in (
        (Template("{faults}, {count} through common.py alone"), project.follows_count),
        (Template("{faults}, {count} slow"), project.slow_count),
        (Template("{faults}, {count} not written yet"), project.unwritten_count),
        (Template("{faults}, {count} not judged yet"), len(project.waiting)),
        (Template("{faults}, {count} not judged: no game was finished"), len(project.unjudged)),
    ):
        faults = Told(further, faults, number) if number else faults
    if project.left:
        faults = Told("{faults} so far", faults)
    lines = [said(Told("{folder} on {rules}: {modules}, {faults}", project.folder, project.rules, modules, faults))]
    for file, findings in project.found_in.items():
        lines += ["", printable(file)]
        lines += [f"  {SIGNS[each.verdict]} {said(each.text)}" for each in findings]
        lines += [f"  = {said(measure_text(each))}" for each in project.measures if each.file == file]
    if project.left:
        lines += ["", said(_left(project))]
    return "\n".join(lines)


def said(text: str) -> str:
    """Return a sentence in the language of the hour, a name as it is: on one line that can be printed."""
    return printable(translated(text))


def _left(project: Project) -> str:
    return Told("Stopped before these were looked at to the end: {files:list}", project.left)


def measure_text(measure: ModuleMeasure) -> str:
    """Write a mean with its interval beside the expected one."""
    series, facts = measure.series, measure.series.run.statistics
    player, games = opponent(measure), plural(facts.won, "{n} game", "{n} games")
    if not facts.won:
        return Told("against {player} on {rules}: no game was finished", player, series.rules)
    mean = with_interval(Told("{mean} guesses on average", plots.number(facts.mean)), facts.interval)
    text = Told("against {player} on {rules}: {mean}, {games}", player, series.rules, mean, games)
    if measure.ours:
        text = Told("{text}, with entropeg's {functions:and}", text, measure.ours)
    if measure.expected is not None:
        text = Told("{text}; {mean} expected ({source})", text, plots.number(measure.expected), measure.source)
    return Told("{text}; {time} a game", text, duration(facts.seconds_per_game, 2))


def is_maker(measure: ModuleMeasure) -> bool:
    """Tell whether it is a codemaker that was measured."""
    series = measure.series
    return path_of(series.codemaker).endswith(measure.file)


def opponent(measure: ModuleMeasure) -> str:
    """Name the other player of a measure."""
    series = measure.series
    return path_of(series.codebreaker if is_maker(measure) else series.codemaker)


def with_interval(mean: str, interval: tuple[float, float] | None) -> str:
    """Write a mean with its interval in brackets, where there is one, and games are not all alike."""
    if interval is None or interval[0] == interval[1]:
        return mean
    return Told("{mean} ({interval})", mean, interval_text(interval))


def interval_text(interval: tuple[float, float] | None) -> str:
    """Write an interval; a dash where there is none, or games are all alike."""
    if interval is None or interval[0] == interval[1]:
        return "–"
    return Told("{low} to {high}", *map(plots.number, interval))


# -------------------------------------------------------------------- figures


def project_pictures(project: Project) -> list[Picture]:
    """Draw the figures of the documents from the project's games: histograms, honest beside cheat, run times."""
    pictures: list[Picture] = []
    for measure in project.measures:
        if _finished(measure) and (is_maker(measure) or not _is_cheat(measure)):
            pictures.append(_histogram(measure, len(pictures)))
    pairs = [
        (one, other)
        for one in project.measures
        for other in project.measures
        if one.file == other.file and not _is_cheat(one) and _is_cheat(other) and _finished(one) and _finished(other)
    ]
    for one, other in pairs:
        caption = Told("{file} against the honest codemaker and against the cheat.", one.file)
        runs, title = [one.series.run, other.series.run], Told("{file} on {rules}", one.file, one.series.rules)
        figure = plots.compared(runs, labels=("honest", "cheat"), title=title)
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
    caption = Told("{file}: {measured}.", measure.file, measure_text(measure))
    return _picture(f"turns{number}", caption, figure)


def _picture(name: str, caption: str, figure: Figure) -> Picture:
    return Picture(name, said(caption), said(caption), plots.svg(figure), b"")


# -------------------------------------------------------------------- pages


def project_page(project: Project) -> str:
    """Return the page of a project."""
    wrong = len(project.wrong)
    lead = said(Told("Found wrong: {count}.", wrong) if wrong else Told("Nothing wrong was found."))
    if project.follows:
        follow = Told("Through common.py alone: {count}.", len(project.follows))
        lead += f" {said(follow)}"
    if project.unwritten_count:
        gaps = said(Told("Not written yet: {count}.", project.unwritten_count))
        lead += f" {gaps}"
    if project.left:
        stopped = Told("{stopped}.", _left(project))
        lead += f" {said(stopped)}"
    modules = said(Told("Modules: {files:list}. Board: {rules}.", project.modules, project.rules))
    folder = printable(str(project.folder))
    head = f"<h1>{escape(folder)}</h1><p>{escape(modules)} <strong>{escape(lead)}</strong></p>"
    sections = [f"<header>{head}</header>"]
    for file, findings in project.found_in.items():
        items = "".join(
            f'<li><span class="verdict {"differs" if each.verdict == "wrong" else each.verdict}">'
            f"{SIGNS[each.verdict]} {said(verdict_word(each.verdict))}</span> {escape(said(each.text))}</li>"
            for each in findings
        )
        sections.append(f"<section><h2>{escape(printable(file))}</h2><ul>{items}</ul></section>")
    heads = words("heading", "Module", "Against", "Games", "Mean", "95 % interval", "Expected", "Time a game")
    sections.append(html_table(word("heading", "Games"), heads, [_measure_row(each) for each in project.measures]))
    figures = "\n".join(
        drawn_figure(each, str(number)) for number, each in enumerate(project_pictures(project), start=1)
    )
    title = escape(said(word("heading", "Figures")))
    sections.append(f'<section><h2>{title}</h2><div class="figures">{figures}</div></section>')
    title = said(Told("{folder}: a project of the course", folder))
    return whole_page(title, "\n".join(sections), language=spoken_language())


def _measure_row(measure: ModuleMeasure) -> list[str]:
    facts = measure.series.run.statistics
    known, expected = facts.won > 0, measure.expected
    return [
        measure.file,
        _against(measure),
        Told("{number:,}", facts.count),
        plots.number(facts.mean) if known else "–",
        interval_text(facts.interval),
        "–" if expected is None else Told("{mean} ({source})", plots.number(expected), measure.source),
        duration(facts.seconds_per_game, 2) if known else "–",
    ]


def _against(measure: ModuleMeasure) -> str:
    text = f"{opponent(measure)}, {measure.series.rules}"
    return Told("{text}, with entropeg's {functions:and}", text, measure.ours) if measure.ours else text


def html_table(
    title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], name: Callable[[str], str] = escape
) -> str:
    """Return a section with a table; the first cell of a row names it, and `name` writes names as HTML."""
    title, heads = said(title), list(map(said, heads))
    head = "".join(f"<th>{name(each)}</th>" for each in heads)
    body = "".join(
        "<tr>"
        f"<th scope='row'>{name(printable(row[0]))}</th>"
        + "".join(
            f'<td class="number" data-label="{escape(label)}">{escape(said(cell))}</td>'
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
