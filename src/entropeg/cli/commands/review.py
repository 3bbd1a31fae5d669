"""`entropeg review`: what each guess of a game lost, what luck gave, and how good the player was."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from entropeg import signals
from entropeg.amounts import plural
from entropeg.cli import saving
from entropeg.cli.completion import files
from entropeg.cli.layout import folded, remark
from entropeg.cli.options import jobs_option, json_option, rules_option, seed_option
from entropeg.cli.progress import telling
from entropeg.cli.screen import speaks
from entropeg.cli.tables import columns
from entropeg.errors import InputError
from entropeg.files import PAGE, FileKind, check_target, read_text, shown, write_whole
from entropeg.rules import Rules

if TYPE_CHECKING:
    from entropeg.review.account import Review
    from entropeg.review.games import GivenGame

SHEET = FileKind("a worksheet", lambda content: content.startswith((b"round,guess,", b"game,round,guess,")))
ENDINGS = {".txt", ".json", ".jsonl", ".game", ".log", ".csv", ""}
"""Files of a folder that are read."""
THRESHOLDS = ("good", "inaccuracy", "mistake")


@click.command("review")
@click.argument("sources", nargs=-1, metavar="FILE|-...", shell_complete=files)
@rules_option(None)
@click.option("--html", metavar="FILE", shell_complete=files, help="Write a page with pictures, one file.")
@click.option("--worksheet", is_flag=True, help="Print round, guess, feedback, codes left and bits left alone.")
@click.option("--csv", "sheet", metavar="FILE", shell_complete=files, help="Write the worksheet as CSV.")
@click.option("--good", type=float, metavar="L", help="A guess that lost more is an inaccuracy. [default: 0.06]")
@click.option("--inaccuracy", type=float, metavar="L", help="One that lost more is a mistake. [default: 0.15]")
@click.option("--mistake", type=float, metavar="L", help="One that lost more is a blunder. [default: 0.30]")
@click.option("--time", "seconds", type=float, metavar="SECONDS", help="For a game, about. [default: 10]")
@seed_option
@jobs_option
@saving.force_option
@json_option
@click.pass_context
def command(
    context: click.Context,
    *,
    sources: tuple[str, ...],
    rules: Rules | None,
    html: str | None,
    worksheet: bool,
    sheet: str | None,
    good: float | None,
    inaccuracy: float | None,
    mistake: float | None,
    seconds: float | None,
    seed: int | None,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Review games: what each guess lost, what luck gave, and what was best.

    FILE is a game that entropeg saved, a list of such games, a log of a course, or rows as they were noted down or
    pasted, one a line, as AABB XO; - is standard input, and of a folder every file is read. Several games are
    reviewed as a table with totals.

    Numbers are guesses: lost is what a guess takes more than the best play, luck what its answer saved. They are exact
    where the exact search reaches, and marked ≈ elsewhere.

    Stopped by Ctrl-C, it shows the games reviewed by then (exit code 130 or 143).

    Keys with --json: games, a list of reviews (name, codebreaker, rules, guesses, won, exact, par, loss, luck,
    remaining, adjusted, turns), refused (name and sentence of games that cannot be reviewed), totals by codebreaker.
    Numbers of guesses are value, knowledge (exact, at_least, estimate), error and fraction.
    """
    from entropeg.review.tasks import Options

    if not sources:
        raise InputError("name a file of games, or - for standard input: entropeg review game.txt")
    err = saving.to_error(html, sheet, as_json=as_json)
    for path, kind in ((html, PAGE), (sheet, SHEET)):
        if path is not None:
            check_target(path, kind)
    thresholds = {"good": good, "inaccuracy": inaccuracy, "mistake": mistake}
    options = Options(**_given(thresholds=_thresholds(thresholds), seconds=seconds, seed=seed))
    games = [game for source in sources for game in _read(source, rules)]
    told = ToldReviews(games, _reviewed(games, options, jobs), err=err)
    if html is not None:
        write_whole(html, told.page().encode(), PAGE)
    if sheet is not None:
        write_whole(sheet, told.sheet().encode(), SHEET)
    if as_json:
        click.echo(json.dumps(told.data(), indent=2))
    else:
        told.say(worksheet=worksheet)
    if signals.is_heard():
        context.exit(signals.exit_code())


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _thresholds(levels: dict[str, float | None]) -> Any:
    from entropeg.review.turns import Thresholds

    given = _given(**levels)
    return Thresholds(**given) if given else None


def _read(source: str, rules: Rules | None) -> list[GivenGame]:
    from entropeg.review.games import read_games

    if source != "-" and Path(source).is_dir():
        found = sorted(path for path in Path(source).iterdir() if path.is_file() and path.suffix in ENDINGS)
        if not found:
            raise InputError(f"the folder {shown(source)} holds no file of games")
        return [game for path in found for game in read_games(read_text(path), rules, shown(path))]
    return list(read_games(read_text(source), rules, shown(source)))


def _reviewed(games: Sequence[GivenGame], options: Any, jobs: int | None) -> list[Review | InputError | None]:
    from entropeg.review.tasks import review_games

    if len(games) == 1:
        from entropeg.review.account import review

        return [review(games[0].position, thresholds=options.thresholds, seconds=options.seconds, seed=options.seed)]
    with telling("games", "reviewing") as stand:
        found = review_games(
            [game.position for game in games],
            options=options,
            jobs=jobs,
            progress=lambda done, total: stand.put("reviewing", done=done, total=total),
        )
        saving.put_signals_off()
    return found


class ToldReviews:
    """Games with their reviews, as they are told."""

    def __init__(self, games: Sequence[GivenGame], found: Sequence[Review | InputError | None], *, err: bool) -> None:
        """Divide those that were reviewed from those that cannot be."""
        pairs = list(zip(games, found, strict=True))
        self.err = err
        self.planned = len(games)
        self.reviews = [(game, one) for game, one in pairs if not isinstance(one, InputError) and one is not None]
        self.refused = [(game, one) for game, one in pairs if isinstance(one, InputError)]
        self.is_single = len(games) == 1

    def say(self, *, worksheet: bool) -> None:
        """Print the reviews."""
        if worksheet:
            self._say("\n\n".join(self._worksheet(game, one) for game, one in self.reviews))
        elif self.is_single:
            self._say("\n".join(_single(*self.reviews[0])))
        elif self.reviews:
            self._say("\n".join(self._table()))
        for game, error in self.refused:
            remark(f"entropeg: {game.name} is left out: {error}")
        left = self.planned - len(self.reviews) - len(self.refused)
        if left:
            remark(f"entropeg: interrupted: {plural(left, 'game')} of {self.planned:,} were not reviewed")

    def _say(self, text: str) -> None:
        stream = sys.stderr if self.err else sys.stdout
        for sign, plain in (("−", "-"), ("→", "->"), ("≈", "~"), ("±", "+-")):
            text = text if speaks(stream, sign) else text.replace(sign, plain)
        click.echo(text, err=self.err)

    def _worksheet(self, game: GivenGame, one: Review) -> str:
        from entropeg.review.export import WORKSHEET, shown_rows

        head = [] if self.is_single else [game.name]
        return "\n".join([*head, columns([WORKSHEET, *shown_rows(one)], "><<>>", head=True)])

    def _table(self) -> list[str]:
        rows: list[tuple[str, ...]] = [("game", "guesses", "par", "lost", "luck", "without luck", "worst guess")]
        for game, one in self.reviews:
            rows.append(_in_row(game.name, one))
        lines = [columns(rows, "<>>>>><", names=1, head=True)]
        for name, totals in self._totals().items():
            lines += ["", *_totals_told(name, totals)]
        return lines

    def _totals(self) -> dict[str, Any]:
        from entropeg.review.totals import Totals

        names = dict.fromkeys((game.codebreaker, str(game.position.rules)) for game, _ in self.reviews)
        return {
            f"{name} on {board}" if name else board: Totals.of(
                [one for game, one in self.reviews if (game.codebreaker, str(game.position.rules)) == (name, board)]
            )
            for name, board in names
        }

    def page(self) -> str:
        """The page of all games."""
        from entropeg.review.page import review_page

        lines = (
            [] if self.is_single else [line for name, one in self._totals().items() for line in _totals_told(name, one)]
        )
        return review_page([(game.name, one) for game, one in self.reviews], lines=lines)

    def sheet(self) -> str:
        """The worksheet of all games as CSV; with more than one a first column names the game."""
        from entropeg.review.export import worksheet_csv, worksheets_csv

        if self.is_single:
            return worksheet_csv(self.reviews[0][1])
        return worksheets_csv([(game.name, one) for game, one in self.reviews])

    def data(self) -> dict[str, Any]:
        """Plain data of all games."""
        from entropeg.review.export import to_json

        return {
            "games": [
                {"name": game.name, "codebreaker": game.codebreaker, **to_json(one)} for game, one in self.reviews
            ],
            "refused": [{"name": game.name, "sentence": str(error)} for game, error in self.refused],
            "totals": {name: totals.to_json() for name, totals in self._totals().items()},
        }


def _single(game: GivenGame, one: Review) -> list[str]:
    from entropeg.review.words import ALIGNED, COLUMNS, turn_in_numbers, turn_notes

    rules = game.position.rules
    assumed = " (assumed from the guesses; --rules says otherwise)" if game.is_assumed else ""
    rows = [COLUMNS, *(turn_in_numbers(turn, rules) for turn in one.turns)]
    table = columns(rows, ALIGNED, names=2, head=True)
    notes = [f"{turn.number}. {note}" for turn in one.turns for note in turn_notes(turn, rules)]
    return [
        folded(f"{game.name}: {rules}{assumed}"),
        one.line,
        one.adjusted_line,
        "",
        table,
        *([""] if notes else []),
        *(folded(note) for note in notes),
    ]


def _in_row(name: str, one: Review) -> tuple[str, ...]:
    from entropeg.review.words import hundredths

    worst = max(one.turns, key=lambda turn: turn.loss.value)
    told = f"{worst.number}: {worst.mark.value}" if worst.mark is not None else ""
    played = str(one.guesses) if one.position.is_won else f"{one.guesses}, not won"
    return (name, played, *(hundredths(number) for number in (one.par, one.loss, one.luck, one.adjusted)), told)


def _totals_told(name: str, totals: Any) -> list[str]:
    raw = f" ± {totals.raw_error:.2f}" if totals.raw_error is not None else ""
    error = f" ± {totals.loss_error:.2f}" if totals.loss_error is not None else ""
    sign = "" if totals.is_exact else "about "
    marks = ", ".join(f"{100 * share:.0f} % {mark.value}" for mark, share in totals.shares().items() if share)
    raw_mean, adjusted = f"{totals.guesses:.2f}{raw}", f"{sign}{totals.adjusted:.2f}{error}"
    return [
        f"{name}: {plural(totals.games, 'game')}, {raw_mean} guesses, {adjusted} without luck",
        f"  lost {totals.loss:.2f} a game; of its guesses that had a choice {marks or 'none had one'}",
    ]
