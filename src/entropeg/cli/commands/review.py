"""`entropeg review`: what each guess of a game lost, what luck gave, and how good the player was."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

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
    from entropeg.review.answers import AnswersReview
    from entropeg.review.claims import ClaimCheck
    from entropeg.review.games import GivenGame
    from entropeg.review.level import Level
    from entropeg.review.others import OtherPlay
    from entropeg.review.totals import Totals

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
@click.option(
    "--level/--no-level",
    default=None,
    help="Say which codebreakers lose as much. [default: from ten games of a player on]",
)
@click.option(
    "--others/--no-others",
    default=None,
    help="Say what optimal, entropy and minimax would have done. [default: for one game]",
)
@click.option(
    "--answers/--no-answers",
    default=None,
    help="Review the codemaker's answers too. [default: where the codemaker is a cheat]",
)
@click.option("--claim", "claims", multiple=True, metavar="CLAIM|FILE", help="Check a figure instead of a game.")
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
    level: bool | None,
    others: bool | None,
    answers: bool | None,
    claims: tuple[str, ...],
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

    --claim "4x6 mean 4.25" says of a figure whether it is impossible, that of a known strategy, or plausible; --claim
    FILE of every line of a table (board, mean or worst or total, number).

    Stopped by Ctrl-C, it shows the games reviewed by then (exit code 130 or 143).

    Keys with --json: games, a list of reviews (name, codebreaker, rules, guesses, won, exact, par, loss, luck,
    remaining, adjusted, turns, others, answers), refused (name and sentence of games that cannot be reviewed), totals
    by codebreaker. Numbers of guesses are value, knowledge (exact, at_least, estimate), error and fraction. With
    --claim claims: claim, rules, measure, value, verdict (impossible, known, plausible), reason.
    """
    from entropeg.review.tasks import Options

    if claims:
        if sources or html is not None or sheet is not None:
            raise InputError("--claim checks figures: leave games and files to write out")
        _check(claims, as_json=as_json)
        return
    if not sources:
        raise InputError("name a file of games, or - for standard input: entropeg review game.txt")
    err = saving.to_error(html, sheet, as_json=as_json)
    for path, kind in ((html, PAGE), (sheet, SHEET)):
        if path is not None:
            check_target(path, kind)
    thresholds = {"good": good, "inaccuracy": inaccuracy, "mistake": mistake}
    options = Options(**_given(thresholds=_thresholds(thresholds), seconds=seconds, seed=seed))
    games = [game for source in sources for game in _read(source, rules)]
    told = ToldReviews(games, _reviewed(games, options, jobs), wanted=Wanted(level, others, answers, options), err=err)
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


def _check(claims: Sequence[str], *, as_json: bool) -> None:
    from entropeg.review.claims import check_claim, check_claims

    found: list[ClaimCheck] = []
    for claim in claims:
        is_file = claim == "-" or (not any(letter.isspace() for letter in claim.strip()) and Path(claim).is_file())
        found += check_claims(read_text(claim), shown(claim)) if is_file else [check_claim(claim)]
    if as_json:
        click.echo(json.dumps({"claims": [one.to_json() for one in found]}, indent=2))
    else:
        click.echo("\n".join(folded(one.sentence) for one in found))


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


class Wanted(NamedTuple):
    """What is told beside the reviews; None: where it suits."""

    level: bool | None
    others: bool | None
    answers: bool | None
    options: Any


class ToldReviews:
    """Games with their reviews, as they are told."""

    def __init__(
        self,
        games: Sequence[GivenGame],
        found: Sequence[Review | InputError | None],
        *,
        wanted: Wanted,
        err: bool,
    ) -> None:
        """Divide those that were reviewed from those that cannot be."""
        pairs = list(zip(games, found, strict=True))
        self.err, self.wanted = err, wanted
        self.planned = len(games)
        self.reviews = [(game, one) for game, one in pairs if not isinstance(one, InputError) and one is not None]
        self.refused = [(game, one) for game, one in pairs if isinstance(one, InputError)]
        self.is_single = len(games) == 1

    def say(self, *, worksheet: bool) -> None:
        """Print the reviews."""
        if worksheet:
            self._say("\n\n".join(self._worksheet(game, one) for game, one in self.reviews))
        elif self.is_single:
            self._say(
                "\n".join(
                    [
                        *_single(*self.reviews[0]),
                        *self._others_told(),
                        *self._answers_told(),
                        *map(folded, self.summary),
                    ]
                )
            )
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
        return [columns(rows, "<>>>>><", names=1, head=True), "", *map(folded, self.summary)]

    @cached_property
    def groups(self) -> list[tuple[str, Totals, Level | None]]:
        """The games of each player: its name, what they add up to, and its level where that is wanted."""
        from entropeg.review.totals import Totals, by_player

        groups = by_player([(game.codebreaker, one) for game, one in self.reviews])
        return [(name, Totals.of(found), self._level(found)) for name, found in groups.items()]

    def _level(self, found: list[Review]) -> Level | None:
        from entropeg.review.level import ENOUGH, level_of

        wanted = len(found) >= ENOUGH if self.wanted.level is None else self.wanted.level
        return level_of(found, seed=self.wanted.options.seed) if wanted else None

    def _others(self, game: GivenGame, one: Review) -> Sequence[OtherPlay]:
        from entropeg.review.others import other_plays

        if not (self.is_single if self.wanted.others is None else self.wanted.others):
            return ()
        options = self.wanted.options
        return other_plays(one, game.secret, seconds=options.seconds, seed=options.seed)

    def _others_told(self) -> list[str]:
        from entropeg.review.others import others_in_rows

        found = self._others(*self.reviews[0])
        rows = others_in_rows(self.reviews[0][1], found)
        return ["", columns(rows, "<" * (len(rows[0]) - 2) + ">>", names=1, head=True)] if found else []

    def _answers(self, game: GivenGame, one: Review) -> AnswersReview | None:
        from entropeg.review.answers import is_cheat, review_answers

        wanted = is_cheat(game.codemaker) if self.wanted.answers is None else self.wanted.answers
        return review_answers(one) if wanted else None

    def _answers_told(self) -> list[str]:
        from entropeg.review.answers import ALIGNED, COLUMNS

        found = self._answers(*self.reviews[0])
        if found is None:
            return []
        rows = [COLUMNS, *(answer.in_row() for answer in found.answers)]
        return ["", columns(rows, ALIGNED, names=2, head=True), folded(found.sentence)]

    @property
    def summary(self) -> list[str]:
        """What is said of all games together."""
        lines = []
        for name, totals, level in self.groups:
            lines += [] if self.is_single else totals.lines(name)
            lines += [] if level is None else [level.sentence if self.is_single else f"  {level.sentence}"]
        return lines

    def page(self) -> str:
        """The page of all games."""
        from entropeg.review.page import review_page

        return review_page([(game.name, one) for game, one in self.reviews], lines=self.summary)

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
                {
                    "name": game.name,
                    "codebreaker": game.codebreaker,
                    **to_json(one),
                    "answers": None if (answers := self._answers(game, one)) is None else answers.to_json(),
                    "others": [other.to_json(one.position.rules) for other in self._others(game, one)],
                }
                for game, one in self.reviews
            ],
            "refused": [{"name": game.name, "sentence": str(error)} for game, error in self.refused],
            "totals": {
                name: totals.to_json() | {"level": None if level is None else level.to_json()}
                for name, totals, level in self.groups
            },
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
