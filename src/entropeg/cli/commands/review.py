"""`entropeg review`: what each guess of a game lost, what luck gave, and how good the player was."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from entropeg import arguments, signals
from entropeg.chosen_language import translated
from entropeg.cli import saving
from entropeg.cli.completion import files
from entropeg.cli.options import executor_options, json_option, rules_option, seed_option
from entropeg.cli.progress import telling
from entropeg.cli.reviewing import ToldReviews, Wanted, given_games
from entropeg.cli.terminal import OWN, folded, remark
from entropeg.errors import ContradictionError, InputError
from entropeg.executors import Executor, WorkersError
from entropeg.files import PAGE, FileKind, check_target, read_text, shown, write_whole
from entropeg.rules import Rules
from entropeg.told import Told, word

if TYPE_CHECKING:
    from entropeg.advise.given_games import GivenGame
    from entropeg.review.account import Review
    from entropeg.review.claims import ClaimCheck

SHEET = FileKind("a worksheet", lambda content: content.startswith((b"round,guess,", b"game,round,guess,")))


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
@click.option("--time", type=float, metavar="SECONDS", help="For a game. [default: 8; vast boards: 2 a turn]")
@seed_option
@executor_options
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
    time: float | None,
    seed: int | None,
    executor: Executor | None,
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

    Stopped by Ctrl-C or SIGTERM, it shows the games, or of one game the turns, reviewed by then (exit code 130 or 143).

    Keys with --json: games, a list of reviews (name, codebreaker, rules, guesses, won, late, exact, par, loss, luck,
    remaining, adjusted, turns, others, answers), refused (name and sentence of games that cannot be reviewed), totals
    by codebreaker. Numbers of guesses of a game have sign (=, ≥, ≈), value, error and fraction, as those of advise.
    With --claim claims: claim, rules, measure, value, verdict (impossible, known, plausible), reason.
    """
    from entropeg.review.account import OTHERS_SHARE, ReviewOptions

    if claims:
        _refuse_others(context)
        _check(claims, as_json=as_json)
        return
    if not sources:
        raise InputError("name a file of games, or - for standard input: entropeg review game.txt")
    err = saving.to_error(html, sheet, as_json=as_json)
    _check_targets(html, sheet)
    thresholds = _thresholds({"good": good, "inaccuracy": inaccuracy, "mistake": mistake})
    seconds = None if time is None else arguments.number(time, "the time")
    games, unread = given_games(sources, rules)
    wanted = Wanted(len(games), level, others, answers, seconds, seed or 0)
    options = ReviewOptions(thresholds, wanted.seconds_of_game(OTHERS_SHARE), wanted.seed)
    found = _reviewed(games, options, executor, keeps_refusal=as_json)
    told = ToldReviews(games, found, unread, wanted=wanted, err=err)
    if told.refused and not told.reviews:  # there is nothing to show or to write
        if as_json:
            click.echo(json.dumps(told.data(), indent=2))
        told.say(worksheet=False)
        context.exit(2)
    if not worksheet or html is not None or as_json:
        told.add_comparisons()
    saving.put_signals_off()
    if html is not None:
        write_whole(html, told.page().encode(), PAGE)
    if sheet is not None:
        write_whole(sheet, told.sheet().encode(), SHEET)
    if as_json:
        click.echo(json.dumps(told.data(), indent=2))
    else:
        told.say(worksheet=worksheet)
    # Without a signal reviews are missing where the workers were gone, which was said.
    context.exit(signals.exit_code() if signals.is_heard() else 2 * (None in found))


def _refuse_others(context: click.Context) -> None:
    """Raise InputError where something was given that checking figures does not heed."""
    given = []
    for one in context.command.params:
        if one.name is None or one.name in {"claims", "as_json"}:
            continue
        if context.get_parameter_source(one.name) is ParameterSource.COMMANDLINE:
            is_off = one.secondary_opts and context.params.get(one.name) is False
            given.append(
                word("taken", "FILE") if one.name == "sources" else (one.secondary_opts if is_off else one.opts)[0]
            )
    if given:
        raise InputError("--claim checks figures: leave {options:and} out", given)


def _check(claims: Sequence[str], *, as_json: bool) -> None:
    from entropeg.review.claims import check_claim, check_claims

    found: list[ClaimCheck] = []
    for claim in claims:
        is_word = not any(letter.isspace() for letter in claim.strip())
        is_file = claim == "-" or (is_word and Path(claim).is_file())
        if is_word and not is_file and Path(claim).suffix:
            raise InputError("{claim!r} is no file that is there, and no claim: write one as 4x6 mean 4.25", claim)
        found += check_claims(read_text(claim), shown(claim)) if is_file else [check_claim(claim)]
    if as_json:
        click.echo(json.dumps({"claims": [one.to_json() for one in found]}, indent=2))
    else:
        click.echo("\n".join(folded(translated(one.sentence)) for one in found))


def _check_targets(html: str | None, sheet: str | None) -> None:
    for path, kind in ((html, PAGE), (sheet, SHEET)):
        if path is not None:
            check_target(path, kind)


def _thresholds(levels: dict[str, float | None]) -> Any:
    from entropeg.review.turns import Thresholds

    given = {name: level for name, level in levels.items() if level is not None}
    return Thresholds(**given) if given else None


def _reviewed(
    games: Sequence[GivenGame], options: Any, executor: Executor | None, *, keeps_refusal: bool
) -> list[Review | InputError | None]:
    # Why a game cannot be reviewed stands in its place; of the only one it is raised unless ``keeps_refusal``.
    from entropeg.review.account import review, review_games

    positions = [game.position for game in games]
    unit = Told("turns") if len(games) == 1 else Told("games")
    with telling(unit, word("progress", "reviewing")) as stand:
        if len(games) == 1:
            how = {"thresholds": options.thresholds, "time": options.time, "seed": options.seed}
            try:
                return [review(positions[0], progress=stand.count, **how)]
            except ContradictionError as error:
                if not keeps_refusal:
                    raise
                return [error]
        try:
            return review_games(positions, options=options, executor=executor, progress=stand.count)
        except WorkersError as error:
            if not any(error.made or ()):
                raise
            remark(OWN + Told("{error}: what is shown is of the games reviewed by then", error))
            made: list[Review | InputError | None] = error.made
            return made
