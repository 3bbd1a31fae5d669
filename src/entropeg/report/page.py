"""The page of a report: one HTML file that needs no other, readable on a phone, on paper, and in the dark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from entropeg import plots
from entropeg.chosen_language import headed, spoken_language, translated
from entropeg.files import GENERATOR
from entropeg.report.documents import DOCUMENTS, documents_on
from entropeg.report.experiments import Result
from entropeg.report.figures import Picture, inline
from entropeg.report.findings import CheckedClaim, Measured, measure, summary
from entropeg.report.tables import law_of
from entropeg.rules import Rules
from entropeg.told import Joined, Told, plural, word, words


@dataclass(frozen=True)
class BoardReport:
    """The findings of a report on one board."""

    rules: Rules
    results: list[Result]
    findings: list[CheckedClaim]
    pictures: list[Picture]
    times: Picture | None


def render(boards: Sequence[BoardReport], *, games: int, command: str, files_written: Sequence[str]) -> str:
    """Return the page. `command` repeats the report; `files_written` are the names of the tables beside it."""
    first = boards[0]
    title = translated(Told("Mastermind on {rules}: from pure chance to minimax", first.rules))
    body = "\n".join(
        [
            f"<header><h1>{escape(title)}</h1>{_lead(games)}{_missing(boards)}{_steps(first)}{_in_short(boards)}</header>",
            *(_section(board, number) for number, board in enumerate(boards, start=1)),
            _method(command, games, files_written),
        ]
    )
    head = '<meta name="color-scheme" content="light dark">\n'
    return whole_page(title, body, head, language=spoken_language())


def whole_page(title: str, body: str, head: str = "", *, language: str = "en") -> str:
    """Return a page with the style of reports; `head` is what else stands in its head, `language` that of its texts."""
    style = files("entropeg.report").joinpath("page.css").read_text(encoding="utf-8")
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        f"{GENERATOR}\n"
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n{head}'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _written(sentence: str) -> str:
    return escape(translated(sentence))


def _small(sentence: str) -> str:
    return f"<small>{_written(sentence)}</small>"


def _titled(sentence: str) -> str:
    return f"<h3>{_written(sentence)}</h3>"


def _lead(games: int) -> str:
    said = Told(
        "Each codebreaker has played {games:,} games against each codemaker that it is compared on, with secrets drawn "
        "at random. Where theory knows the answer it stands beside the measurement; where one of the documents behind "
        "this project states a figure, so does the document’s.",
        games,
    )
    return f"<p>{_written(said)}</p>"


def _missing(boards: Sequence[BoardReport]) -> str:
    """Say where there are fewer games than were to be played."""
    runs = [result.run for board in boards for result in board.results]
    short = any(run is not None and not run.complete for run in runs)
    said = Told(
        "Not all games were played: the table of statistics says how many. Those that were under way in the end are "
        "left out, and long games are among these more often than short ones: a mean of few games may be too small."
    )
    return f"<p>{_written(said)}</p>" if short else ""


def _steps(board: BoardReport) -> str:
    """Write the mean of each codebreaker against the honest codemaker in large figures."""
    tiles, between = [], Told("; ")
    for result in board.results:
        experiment, law = result.experiment, law_of(result)
        if experiment.codemaker != "honest" or experiment.all_secrets:
            continue
        mean, below = "–", [Told("not played")]
        if result.run is not None and result.run.statistics.won:
            mean, below = plots.number(result.run.statistics.mean), [Told("guesses on average")]
            cheat = _mean_of(board, f"{experiment.codebreaker} cheat")
            below += [Told("{mean} against the cheat", cheat)] if cheat else []
        if law is not None:
            below += [Told("theory {mean}", _exact(law.mean))]
        tiles.append(
            f'<div><dt>{escape(experiment.codebreaker)}</dt><dd class="big">{_written(mean)}</dd>'
            f"<dd>{_written(Joined(below, between))}</dd></div>"
        )
    return f'<dl class="steps">{"".join(tiles)}</dl>'


def _mean_of(board: BoardReport, key: str) -> str:
    runs = [result.run for result in board.results if result.experiment.key == key and result.run is not None]
    return plots.number(runs[0].statistics.mean) if runs and runs[0].statistics.won else ""


def _in_short(boards: Sequence[BoardReport]) -> str:
    findings = [finding for board in boards for finding in board.findings]
    if not findings:
        said = Told(
            "The documents give no figures for this board: measurements stand beside theory alone. Their own boards "
            "are 4x8 and 4x6."
        )
        return f"<p>{_written(said)}</p>"
    counts = [_counted(verdict, count) for verdict, count in summary(findings).items()]
    told_of = [
        finding for finding in findings if finding.verdict not in ("holds", "unmeasured") or finding.claim.caution
    ]
    items = "".join(_short_item(finding) for finding in told_of)
    listed = f"<ul>{items}</ul>" if items else ""
    said = Told("Of {count} statements of the documents, <strong>{verdicts:list}</strong>.", len(findings), counts)
    return f"<p>{translated(said)}</p>{listed}"


def _counted(verdict: str, count: int) -> Told:
    match verdict:
        case "holds":
            return plural(count, "{n} holds", "{n} hold")
        case "near":
            return plural(count, "{n} lies within chance", "{n} lie within chance")
        case "differs":
            return plural(count, "{n} does not hold", "{n} do not hold")
        case "elsewhere":
            return plural(count, "{n} is not so here", "{n} are not so here")
    return plural(count, "{n} was not measured", "{n} were not measured")


def _short_item(finding: CheckedClaim) -> str:
    verdict = headed(f'<span class="verdict {finding.verdict}">{_written(finding.words)}</span>')
    place = f'<span class="quiet">({escape(_place(finding))})</span>'
    measured = ""
    if finding.measured is not None:
        said = Told("Measured: <strong>{measured}</strong>.", escape(translated(_measured(finding.measured))))
        measured = f" {translated(said)}"
    return f"<li>{verdict} {_written(finding.claim.says)} {place}{measured} {_written(finding.remark)}</li>"


def _measured(measured: Measured) -> str:
    text, interval = measured.text, measured.interval
    return text if interval in ("exact", measured.without) else Joined([text, " (", interval, ")"])


def _place(finding: CheckedClaim) -> str:
    return f"{DOCUMENTS[finding.claim.document].author}, {finding.claim.place}"


def _section(board: BoardReport, number: int) -> str:
    title = _written(Told("The board {rules}", board.rules))
    parts = [f'<section id="board-{number}"><h2>{title}</h2>{_board_lead(board)}']
    parts += [_gallery(board, number)]
    parts += [_claims(board)] if board.findings else []
    parts += [_statistics(board)]
    parts += [_times(board, number)] if board.times is not None else []
    return "\n".join([*parts, "</section>"])


def _board_lead(board: BoardReport) -> str:
    rules = board.rules
    said: str = Told(
        "{pegs} pegs, {colors} colors: {secrets:count} possible secrets.",
        *(rules.pegs, rules.colors, rules.secret_count),
    )
    if rules.guess_limit:
        said = Joined([said, Told("A game is lost after {guesses} guesses.", rules.guess_limit)], " ")
    sources = "".join(
        f"<p>{escape(document.author)}, {escape(document.title)}. {_written(document.players)}</p>"
        for document in documents_on(rules)
    )
    return f"<p>{_written(said)}</p>{sources}"


def _claims(board: BoardReport) -> str:
    rows = "".join(_claim_row(finding) for finding in board.findings)
    heads = words("column", "Statement", "Document", "Measured", "95 % interval", "Verdict")
    caption = Told(
        "The documents’ figures beside ours. A figure holds when it lies in the 95 % interval of the measured value; "
        "where that value is exact, when it equals it as far as it is written."
    )
    return _titled(Told("What the documents say")) + _table(caption, heads, rows)


def _table(caption: str, heads: Sequence[str], rows: str) -> str:
    head = "".join(f"<th>{_written(name)}</th>" for name in heads)
    return f"<table><caption>{_written(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _claim_row(finding: CheckedClaim) -> str:
    claim, measured = finding.claim, finding.measured
    quote = f'<small><q lang="fr">{escape(claim.quote)}</q></small>' if claim.quote else ""
    games = _small(plural(claim.games, "{n} game", "{n} games")) if claim.games else ""
    remark = _small(finding.remark) if finding.remark else ""
    cells = [
        _cell(word("column", "Document"), claim.written, games),
        _cell(word("column", "Measured"), measured.text if measured else "–"),
        _cell(word("column", "95 % interval"), measured.interval if measured else "–"),
    ]
    return (
        f"<tr><th scope='row'>{_written(claim.says)}<small>{escape(_place(finding))}</small>{quote}{remark}</th>"
        f'{"".join(cells)}<td><span class="verdict {finding.verdict}">{_written(finding.words)}</span></td></tr>'
    )


def _cell(label: str, content: str, more: str = "") -> str:
    return f'<td class="number" data-label="{_written(label)}">{_written(content)}{more}</td>'


def _gallery(board: BoardReport, number: int) -> str:
    figures = "\n".join(_figure(picture, f"{number}.{index}") for index, picture in enumerate(board.pictures, start=1))
    return _titled(Told("Figures")) + f'<div class="figures">{figures}</div>' if figures else ""


def _figure(picture: Picture, label: str) -> str:
    name = f'<a href="figures/{picture.name}.svg">SVG</a>, <a href="figures/{picture.name}.png">PNG</a>'
    return drawn_figure(picture, label, f" {name}")


def drawn_figure(picture: Picture, label: str, more: str = "") -> str:
    """Return a figure with its caption, and `more` behind that."""
    # Colors of figures follow the page from light to dark.
    tokens = {
        plots.INK: "--ink",
        plots.QUIET: "--quiet",
        plots.BAND: "--line",
        plots.PAPER: "--paper",
        plots.BLUE: "--one",
        plots.VERMILION: "--two",
    }
    drawing = inline(picture, f"f{label.replace('.', '-')}", tokens)
    described = drawing.replace("<svg", f'<svg role="img" aria-label="{_written(picture.description)}"', 1)
    title = Told("Figure {number}.", label)
    caption = f"<b>{_written(title)}</b> {_written(picture.caption)}{more}"
    return f"<figure>{described}<figcaption>{caption}</figcaption></figure>"


def _statistics(board: BoardReport) -> str:
    rows = "".join(_statistics_row(result) for result in board.results)
    heads = words("column", "Played", "Games", "Mean", "95 % interval", "Median", "Longest", "Theory (mean)")
    caption = Told("Guesses of the games won. The winning guess counts.")
    return _titled(Told("Statistics")) + _table(caption, heads, rows)


def _statistics_row(result: Result) -> str:
    law = law_of(result)
    theory = _cell(word("column", "Theory (mean)"), "–" if law is None else _exact(law.mean))
    start = f"<tr><th scope='row'>{_written(result.experiment.label)}"
    if result.run is None:
        return _unplayed(start, Told("Not played: {reason}.", result.reason), theory)
    numbers = result.run.statistics
    if not numbers.won:
        return _unplayed(start, Told("All {games:,} games were lost at the limit.", numbers.lost), theory)
    lost = _small(plural(numbers.lost, "{n} lost", "{n} lost")) if numbers.lost else ""
    mean = measure("mean", [result.run])
    games: str = Told("{games:,}", numbers.count)
    if not result.run.complete:
        games = Told("{games:,} of {planned:,}", numbers.count, result.run.planned)
    if result.reason:
        start += _small(result.reason)
    cells = [
        (word("column", "Games"), games, lost),
        (word("column", "Mean"), mean.text),
        (word("column", "95 % interval"), mean.interval),
    ]
    cells += [(word("column", "Median"), _exact(numbers.median)), (word("column", "Longest"), _exact(numbers.worst))]
    return f"{start}</th>{''.join(_cell(*cell) for cell in cells)}{theory}</tr>"


def _unplayed(start: str, why: str, theory: str) -> str:
    return f'{start}{_small(why)}</th><td colspan="5"></td>{theory}</tr>'


def _exact(value: float) -> Told:
    return Told("{guesses:,.10g}", value) if value >= 10_000 else Told("{guesses:.10g}", value)


def _times(board: BoardReport, number: int) -> str:
    if board.times is None:
        return ""
    figure = _figure(board.times, f"{number}.{len(board.pictures) + 1}")
    said = Told(
        "Processor time of all processes together, divided by the games. Positions that come up again are analyzed "
        "once for all games, so a game played alone takes longer. These figures, alone in this report, change from "
        "one run to the next."
    )
    title = _titled(Told("Run times"))
    return f'{title}<p>{_written(said)}</p><div class="figures">{figure}</div>'


def _method(command: str, games: int, files_written: Sequence[str]) -> str:
    tables = ", ".join(f'<a href="{escape(name)}">{escape(name)}</a>' for name in files_written)
    paragraphs = (
        Told(
            "Repeat it with <code>{command}</code>: the same seed gives the same games, figures and tables on any "
            "number of processes; only run times change. Each experiment has a seed of its own, so that samples are "
            "independent.",
            escape(command),
        ),
        Told(
            "The 95 % interval of a mean is Student’s, mean ± t s/√n, where t is 1.96 for many games, 2.26 for ten. "
            "Differences add the variances of the means; ratios add the squares of their relative errors (delta "
            "method). One interval in twenty misses by chance alone: a figure just outside is no proof. «Within "
            "chance» means that a document’s figure lies outside our interval, but that the two samples, ours and the "
            "document’s with its own number of games, differ by no more than chance allows. With {games:,} games the "
            "gap between the measured and a theoretical distribution is held to Kolmogorov’s 95 % limit, 1.358/√n. "
            "Where the mean is called exact, every secret was played once by a player that uses no chance.",
            games,
        ),
        Told("Tables: {tables}. Every game’s number of guesses: results.sqlite.", tables),
    )
    title, written = Told("How this was made"), "".join(f"<p>{translated(each)}</p>" for each in paragraphs)
    return f"<section><h2>{_written(title)}</h2>{written}</section>"
