"""The page of a report: one HTML file that needs no other, readable on a phone, on paper, and in the dark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from entropeg import plots
from entropeg.files import GENERATOR
from entropeg.report.documents import DOCUMENTS, documents_on
from entropeg.report.experiments import Result
from entropeg.report.figures import Picture, inline
from entropeg.report.findings import VERDICTS, CheckedClaim, measure, summary
from entropeg.report.tables import law_of
from entropeg.rules import Rules
from entropeg.told import shown_count

COUNTED = {
    "holds": ("holds", "hold"),
    "near": ("lies within chance", "lie within chance"),
    "differs": ("does not hold", "do not hold"),
    "elsewhere": ("is not so here", "are not so here"),
    "unmeasured": ("was not measured", "were not measured"),
}
"""Verdicts as the summary counts them: of one, of several."""


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
    title = f"Mastermind on {first.rules}: from pure chance to minimax"
    body = "\n".join(
        [
            f"<header><h1>{escape(title)}</h1>{_lead(games)}{_steps(first)}{_in_short(boards)}</header>",
            *(_section(board, number) for number, board in enumerate(boards, start=1)),
            _method(command, games, files_written),
        ]
    )
    return whole_page(title, body, '<meta name="color-scheme" content="light dark">\n')


def whole_page(title: str, body: str, head: str = "", *, language: str = "en") -> str:
    """Return a page with the style of reports; `head` is what else stands in its head, `language` that of its texts."""
    style = files("entropeg.report").joinpath("page.css").read_text(encoding="utf-8")
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        f"{GENERATOR}\n"
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n{head}'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _lead(games: int) -> str:
    return (
        f"<p>Each codebreaker has played {games:,} games against each codemaker that it is compared on, with secrets "
        "drawn at random. Where theory knows the answer it stands beside the measurement; where one of the documents "
        "behind this project states a figure, so does the document’s.</p>"
    )


def _steps(board: BoardReport) -> str:
    """Write the mean of each codebreaker against the honest codemaker in large figures."""
    tiles = []
    for result in board.results:
        experiment, law = result.experiment, law_of(result)
        if experiment.codemaker != "honest" or experiment.all_secrets:
            continue
        mean, below = "–", "not played"
        if result.run is not None and result.run.statistics.won:
            mean, below = plots.number(result.run.statistics.mean), "guesses on average"
            cheat = _mean_of(board, f"{experiment.codebreaker} cheat")
            below += f"; {cheat} against the cheat" if cheat else ""
        if law is not None:
            below += f"; theory {_exact(law.mean)}"
        tiles.append(
            f'<div><dt>{escape(experiment.codebreaker)}</dt><dd class="big">{mean}</dd><dd>{escape(below)}</dd></div>'
        )
    return f'<dl class="steps">{"".join(tiles)}</dl>'


def _mean_of(board: BoardReport, key: str) -> str:
    runs = [result.run for result in board.results if result.experiment.key == key and result.run is not None]
    return plots.number(runs[0].statistics.mean) if runs and runs[0].statistics.won else ""


def _in_short(boards: Sequence[BoardReport]) -> str:
    findings = [finding for board in boards for finding in board.findings]
    if not findings:
        return (
            "<p>The documents give no figures for this board: measurements stand beside theory alone. Their own "
            "boards are 4x8 and 4x6.</p>"
        )
    counts = summary(findings)
    told = ", ".join(f"{count} {COUNTED[verdict][count != 1]}" for verdict, count in counts.items())
    told_of = [
        finding for finding in findings if finding.verdict not in ("holds", "unmeasured") or finding.claim.caution
    ]
    items = "".join(_short_item(finding) for finding in told_of)
    listed = f"<ul>{items}</ul>" if items else ""
    return f"<p>Of {len(findings)} statements of the documents, <strong>{told}</strong>.</p>{listed}"


def _short_item(finding: CheckedClaim) -> str:
    measured = "" if finding.measured is None else f" Measured: <strong>{escape(_measured(finding))}</strong>."
    return (
        f'<li><span class="verdict {finding.verdict}">{escape(finding.words)}</span>: {escape(finding.claim.says)} '
        f'<span class="quiet">({escape(_place(finding))})</span>{measured} {escape(finding.remark)}</li>'
    )


def _measured(finding: CheckedClaim) -> str:
    if finding.measured is None:
        return "–"
    text, interval = finding.measured.text, finding.measured.interval
    return text if interval in ("exact", finding.measured.without) else f"{text} ({interval})"


def _place(finding: CheckedClaim) -> str:
    return f"{DOCUMENTS[finding.claim.document].author}, {finding.claim.place}"


def _section(board: BoardReport, number: int) -> str:
    parts = [f'<section id="board-{number}"><h2>The board {escape(str(board.rules))}</h2>{_board_lead(board)}']
    parts += [_gallery(board, number)]
    parts += [_claims(board)] if board.findings else []
    parts += [_statistics(board)]
    parts += [_times(board, number)] if board.times is not None else []
    return "\n".join([*parts, "</section>"])


def _board_lead(board: BoardReport) -> str:
    rules = board.rules
    sizes = f"{rules.pegs} pegs, {rules.colors} colors: {shown_count(rules.secret_count)} possible secrets."
    limit = f" A game is lost after {rules.guess_limit} guesses." if rules.guess_limit else ""
    sources = "".join(
        f"<p>{escape(document.author)}, {escape(document.title)}. {escape(document.players)}</p>"
        for document in documents_on(rules)
    )
    return f"<p>{sizes}{limit}</p>{sources}"


def _claims(board: BoardReport) -> str:
    rows = "".join(_claim_row(finding) for finding in board.findings)
    head = "<tr><th>Statement</th><th>Document</th><th>Measured</th><th>95 % interval</th><th>Verdict</th></tr>"
    caption = (
        "<caption>The documents’ figures beside ours. A figure holds when it lies in the 95 % interval of the "
        "measured value; where that value is exact, when it equals it as far as it is written.</caption>"
    )
    return f"<h3>What the documents say</h3><table>{caption}<thead>{head}</thead><tbody>{rows}</tbody></table>"


def _claim_row(finding: CheckedClaim) -> str:
    claim, measured = finding.claim, finding.measured
    quote = f'<small><q lang="fr">{escape(claim.quote)}</q></small>' if claim.quote else ""
    games = f"<small>{claim.games:,} games</small>" if claim.games else ""
    remark = f"<small>{escape(finding.remark)}</small>" if finding.remark else ""
    return (
        f"<tr><th scope='row'>{escape(claim.says)}<small>{escape(_place(finding))}</small>{quote}{remark}</th>"
        f"{_cell('Document', escape(claim.written) + games)}"
        f"{_cell('Measured', escape(measured.text) if measured else '–')}"
        f"{_cell('95 % interval', escape(measured.interval) if measured else '–')}"
        f'<td><span class="verdict {finding.verdict}">{escape(VERDICTS[finding.verdict])}</span></td></tr>'
    )


def _cell(label: str, content: str) -> str:
    return f'<td class="number" data-label="{escape(label)}">{content}</td>'


def _gallery(board: BoardReport, number: int) -> str:
    figures = "\n".join(_figure(picture, f"{number}.{index}") for index, picture in enumerate(board.pictures, start=1))
    return f'<h3>Figures</h3><div class="figures">{figures}</div>' if figures else ""


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
    described = drawing.replace("<svg", f'<svg role="img" aria-label="{escape(picture.description)}"', 1)
    caption = f"<b>Figure {label}.</b> {escape(picture.caption)}{more}"
    return f"<figure>{described}<figcaption>{caption}</figcaption></figure>"


def _statistics(board: BoardReport) -> str:
    rows = "".join(_statistics_row(result) for result in board.results)
    heads = ("Played", "Games", "Mean", "95 % interval", "Median", "Longest", "Theory (mean)")
    head = "".join(f"<th>{name}</th>" for name in heads)
    caption = "<caption>Guesses of the games won. The winning guess counts.</caption>"
    return f"<h3>Statistics</h3><table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _statistics_row(result: Result) -> str:
    law = law_of(result)
    theory = _cell("Theory (mean)", "–" if law is None else _exact(law.mean))
    start = f"<tr><th scope='row'>{escape(result.experiment.label)}"
    if result.run is None:
        return f'{start}<small>Not played: {escape(result.reason)}.</small></th><td colspan="5"></td>{theory}</tr>'
    numbers = result.run.statistics
    if not numbers.won:
        lost = f"<small>All {numbers.lost:,} games were lost at the limit.</small>"
        return f'{start}{lost}</th><td colspan="5"></td>{theory}</tr>'
    lost = f"<small>{numbers.lost:,} lost</small>" if numbers.lost else ""
    mean = measure("mean", [result.run])
    cells = [("Games", f"{numbers.count:,}{lost}"), ("Mean", mean.text), ("95 % interval", mean.interval)]
    cells += [("Median", _exact(numbers.median)), ("Longest", _exact(numbers.worst))]
    return f"{start}</th>{''.join(_cell(*cell) for cell in cells)}{theory}</tr>"


def _exact(value: float) -> str:
    return f"{value:,.10g}" if value >= 10_000 else f"{value:.10g}"


def _times(board: BoardReport, number: int) -> str:
    if board.times is None:
        return ""
    figure = _figure(board.times, f"{number}.{len(board.pictures) + 1}")
    return (
        "<h3>Run times</h3><p>Processor time of all processes together, divided by the games. Positions that come up "
        "again are analyzed once for all games, so a game played alone takes longer. These figures, alone in this "
        f'report, change from one run to the next.</p><div class="figures">{figure}</div>'
    )


def _method(command: str, games: int, files_written: Sequence[str]) -> str:
    tables = ", ".join(f'<a href="{escape(name)}">{escape(name)}</a>' for name in files_written)
    return (
        f"<section><h2>How this was made</h2><p>Repeat it with <code>{escape(command)}</code>: the same seed gives "
        "the same games, figures and tables on any number of processes; only run times change. Each experiment has a "
        "seed of its own, so that samples are independent.</p><p>The 95 % interval of a mean is Student’s, mean ± t "
        "s/√n, where t is 1.96 for many games, 2.26 for ten. Differences add the variances of the means; ratios add "
        "the squares of their relative errors (delta method). One interval in twenty misses by chance alone: a figure "
        "just outside is no proof. «Within chance» means that a document’s figure lies outside our interval, but that "
        "the two samples, ours and the document’s with its own number of games, differ by no more than chance allows. "
        f"With {games:,} games the gap between the measured and a theoretical distribution is held to Kolmogorov’s "
        "95 % limit, 1.358/√n. Where the mean is called exact, every secret was played once by a player that uses no "
        f"chance.</p><p>Tables: {tables}. Every game’s number of guesses: results.sqlite.</p></section>"
    )
