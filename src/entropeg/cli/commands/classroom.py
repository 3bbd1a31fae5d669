"""`entropeg classroom`: codebreakers and codemakers of a course, run, checked and compared."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from entropeg import signals
from entropeg.chosen_language import spoken_language, translated, translated_data
from entropeg.cli import grading, saving
from entropeg.cli.browsing import show_page
from entropeg.cli.completion import files, folders
from entropeg.cli.helping import NearestGroup
from entropeg.cli.options import (
    executor_option,
    json_option,
    limit_option,
    limits_options,
    rules_option,
    seed_option,
    with_limit,
)
from entropeg.cli.progress import remark_beside, telling
from entropeg.cli.terminal import OWN, folded, remark, speaks
from entropeg.errors import InputError
from entropeg.executors import WorkersError
from entropeg.files import PAGE, check_target, refuse_standard, shown, write_whole
from entropeg.rules import Rules
from entropeg.told import Told, plural

if TYPE_CHECKING:
    from entropeg.classroom.series import Series
    from entropeg.classroom.tournament.live_page import LivePage
    from entropeg.classroom.whole_class.checking import ClassCheck
    from entropeg.classroom.whole_class.class_page import LiveClassPage


@click.group("classroom", cls=NearestGroup, invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """Run, check and compare codebreakers and codemakers of a course.

    A course module has init() and either codebreaker(evaluation) or codemaker(guess). It runs in a process of its own,
    within limits, and its files are never changed.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


command.add_command(grading.grade)
command.add_command(grading.kit)


@command.command("start", short_help="Write what a student starts from.")
@click.argument("folder", metavar="DIR", shell_complete=folders)
@click.pass_context
def start(context: click.Context, /, folder: str) -> None:
    """Write into DIR what a student of the course starts from.

    That is common.py with three functions to write, play.py, the first players, tests (python tests.py) and README.md,
    a page with the road from chance to minimax; all of it in the language of --lang. What is not written yet is never
    called wrong by check. No file that is there already is changed.

    Exit code 0: every file was written; 1: some were there already.
    """
    from entropeg.classroom.start import write_start

    found = write_start(folder, language=spoken_language())
    for path in found.written:
        click.echo(translated(Told("wrote {file}", shown(path))))
    for path in found.left:
        click.echo(translated(Told("{file} is there already: it stays as it is", shown(path))))
    if found.written:
        click.echo(
            translated(Told("Next: read {page}, and run python tests.py in {folder}.", "README.md", shown(folder)))
        )
    context.exit(int(bool(found.left)))


@command.command("run", short_help="Let one module play many games.")
@click.argument("module", metavar="PATH", shell_complete=files)
@click.option("--against", metavar="PLAYER", help="A name, or another path. [default: honest, or consistent]")
@click.option("--games", type=click.IntRange(min=1), default=1000, show_default=True, metavar="N")
@rules_option("4x8/course")
@limit_option
@seed_option
@limits_options()
@json_option
@click.pass_context
def run(
    context: click.Context,
    /,
    *,
    module: str,
    against: str | None,
    games: int,
    rules: Rules,
    limit: int | str | None,
    seed: int | None,
    as_json: bool,
    **limits: Any,
) -> None:
    """Let one module play many games; what goes wrong is told with the game so far, and play goes on.

    PATH may have parameters, as for arena (dupont/codebreaker2.py:ours=evaluation), and be a program that speaks the
    protocol (cmd:./program); one that plays both roles is the codebreaker.

    Exit code 0: every game went well; 1: some went wrong, or none was finished.

    Keys with --json: codebreaker, codemaker, rules, seed, planned, faulty, those of a run of the arena, and faults
    (kind, sentence, player, file, line, game, turns, prints).
    """
    from entropeg.classroom.players import path_of
    from entropeg.classroom.process import remarks_of
    from entropeg.classroom.programs import role_of
    from entropeg.classroom.series import ClassroomInterrupted, play_series

    board = with_limit(rules, limit, None)
    breaker: Any
    maker: Any
    if role_of(module) == "codebreaker":
        breaker, maker = opponent("codebreaker", module, limits), opponent("codemaker", against or "honest", limits)
    else:
        breaker, maker = opponent("codebreaker", against or "consistent", limits), opponent("codemaker", module, limits)
    code: int | None = None
    try:
        with telling("games", module) as stand:
            series = play_series(
                breaker,
                maker,
                board,
                games,
                seed=seed or 0,
                progress=lambda done: stand.put(module, done=done, total=games),
            )
            saving.put_signals_off()
    except ClassroomInterrupted as stop:
        saving.put_signals_off()
        series, code = stop.done, signals.exit_code()
        remark(OWN + Told("interrupted after {played:,} of {games:,} games", series.played, games))
    click.echo(_json(series.to_json()) if as_json else as_text(series, stopped=code is not None))
    for text in remarks_of(path_of(module)):
        remark(OWN + Told("note: {remark}", text))
    context.exit(bool(series.faults or not series.guesses) if code is None else code)


time_option = click.option(
    "--time", "within", type=float, metavar="T", help="Stop after T seconds with what is known by then."
)
html_option = click.option("--html", metavar="FILE", help="Write the page, figures within, into this file.")


def check_html(html: str | None) -> None:
    """Raise InputError, before any game is played, where the page cannot be made."""
    if html is not None:
        from entropeg import plots

        plots.require()
        check_target(html, PAGE)


@command.command("check", short_help="Look through the projects in folders.")
@click.argument("folders", metavar="DIR...", shell_complete=folders, nargs=-1, required=True)
@rules_option("4x8/course")
@click.option(
    "--games", type=click.IntRange(min=1), default=100, show_default=True, metavar="N", help="A series of games."
)
@click.option("--seconds", type=float, default=20.0, show_default=True, metavar="S", help="A series may take.")
@time_option
@seed_option
@limits_options(turn=5.0, game=60.0)
@click.option(
    "--csv", "table", metavar="FILE", shell_complete=files, help="Write a table of the class, a row a project."
)
@click.option(
    "--only", metavar="NAMES", help="Projects or modules to look at: dupont,codebreaker2,codemaker*. [default: all]"
)
@grading.workers_options
@html_option
@click.option("--live", is_flag=True, help="Show the page of a class while it fills. [default file: class.html]")
@saving.force_option
@json_option
@click.pass_context
def check(
    context: click.Context,
    /,
    *,
    folders: tuple[str, ...],
    only: str | None,
    table: str | None,
    html: str | None,
    live: bool,
    as_json: bool,
    **asked: Any,
) -> None:
    """Look through the project in DIR: what is right, what is wrong, how well it plays.

    DIR may be a program that speaks the protocol, too (cmd:./program), whose limits stand in its own text.

    Several folders, or a folder of projects, are a class: one line a project, then what is wrong in each. For it --html
    FILE writes a page, and a folder beside it with a page for each project; --csv FILE writes a table for spreadsheets.

    Exit code 0: nothing wrong; 1: something is, and it is named with file and line, a module finished no game, a
    function is not written yet, or --time was over before all was looked at. What is slow or not written yet is not
    wrong, nor is what follows from a wrong common.py: modules play once more with functions of entropeg there, and what
    goes right then is charged to common.py alone.

    --only names projects, modules without .py, or both; common.py is looked at in any case, since modules rest on it.
    What was found is the same with any --jobs and --executor. With --keep FILE a project is looked at anew only where
    something has changed: its files, the options, entropeg, Python, or the packages that are installed.

    Ctrl-C ends it with what was found by then (exit code 130), and --time with the games that are played then; with
    --keep the same command goes on from there.

    Keys with --json: folder, rules, files, wrong, follows and slow (how many), unjudged (files that finished no game,
    and are not known to be wrong), left (files that Ctrl-C left out), findings (file, verdict, kind, text), missing
    (packages to be installed: name, listed_in, held_up), games, unwritten (how many functions), waiting (files that
    rest on them). Of a class: rules, wrong (projects), left, notes, projects (project, folder, trouble, found: as of
    one project).
    """
    from entropeg.classroom.process import Limits
    from entropeg.classroom.series import ClassroomInterrupted
    from entropeg.classroom.whole_class.checking import CLASS_TABLE, check_class, is_class, write_class_table
    from entropeg.classroom.whole_class.class_page import pages_folder

    is_one, html = not is_class(folders), html or ("class.html" if live else None)
    check_html(html)
    if html is not None and not is_one:
        pages_folder(html)
    if table is not None:
        check_target(table, CLASS_TABLE)
    err = saving.to_error(html, table, as_json=as_json)
    limits = Limits(*(asked.pop(name) for name in ("turn_seconds", "game_seconds", "memory")))
    code, asked["seed"] = None, asked["seed"] or 0
    page = _live_class(html, asked["rules"], is_one=is_one) if live and html is not None else None
    try:
        with page or nullcontext(), telling(Told("modules") if is_one else Told("projects")) as stand:
            found = check_class(
                folders,
                limits=limits,
                only=listed(only),
                progress=lambda name, done, total: stand.put(Told("looking at {name}", name), done=done, total=total),
                watch=None if page is None else page.put,
                **asked,
            )
            saving.put_signals_off()
    except ClassroomInterrupted as stop:
        saving.put_signals_off()
        found, code = stop.done, signals.exit_code()
    except WorkersError as error:
        if error.made is None:
            raise
        found, code = error.made, 2
        remark(OWN + str(error))
    _tell_known(found, asked["keep"])
    if table is not None:
        write_class_table(found, table)
    _tell_class(found, html, is_one=is_one, as_json=as_json, err=err)
    is_fine = not found.wrong and not found.begun and found.is_complete
    context.exit(int(not is_fine) if code is None else code)


@command.command("tournament", short_help="Let projects play one another, and rank them.")
@click.argument("folders", metavar="DIR...", shell_complete=folders, nargs=-1, required=True)
@rules_option("4x8/course")
@click.option("--only", metavar="NAMES", help="Modules that play: codebreaker2,codemaker*. [default: all]")
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True, metavar="N", help="A pair plays.")
@click.option("--seconds", type=float, default=10.0, show_default=True, metavar="S", help="A pair may take.")
@time_option
@seed_option
@limits_options(turn=5.0, game=60.0)
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Pairs at a time. [default: all cores]")
@executor_option
@click.option(
    "--keep", metavar="FILE", shell_complete=files, help="Keep the games in this file, and go on from what it holds."
)
@html_option
@click.option(
    "--live", is_flag=True, help="Show the page while games are played, for a wall. [default file: tournament.html]"
)
@saving.force_option
@json_option
@click.pass_context
def tournament(
    context: click.Context,
    /,
    *,
    folders: tuple[str, ...],
    only: str | None,
    html: str | None,
    live: bool,
    as_json: bool,
    **asked: Any,
) -> None:
    """Let the codebreakers of every project play every codemaker, honest and cheat among them, and rank them.

    DIR is a project, a folder of projects, or a program (cmd:./program). Games are dealt so that all players have alike
    many at any moment; after Ctrl-C, or at the end of --time, the ranking is that of the games played by then.

    Keys with --json: rules, games (a pair), seed, planned and played (games), codebreakers and codemakers (player,
    rank: one more than there are better ones beyond chance, ranks: from which to which chance leaves open, mean,
    interval, games, counted (games as they count for a rank), spoiled, opponents; best first), series (as of classroom
    run), set_aside (too slow, and why), absent (could not play), notes (what was left out).
    """
    from entropeg.classroom.process import Limits
    from entropeg.classroom.series import ClassroomInterrupted
    from entropeg.classroom.tournament.playing import play_tournament
    from entropeg.classroom.tournament.tournament_page import tournament_page, tournament_text

    html = html or ("tournament.html" if live else None)
    check_html(html)
    err = saving.to_error(html, as_json=as_json)
    keep = asked["keep"]
    limits = Limits(*(asked.pop(name) for name in ("turn_seconds", "game_seconds", "memory")))
    code, asked["seed"] = 0, asked["seed"] or 0
    page = _live_page(html, asked["rules"]) if live and html is not None else None
    try:
        with page or nullcontext(), telling("games") as stand:
            played = play_tournament(
                folders,
                limits=limits,
                only=listed(only),
                told=lambda plan: remark_beside(OWN + plan.sentence),
                progress=lambda now: stand.put(now.pair, done=now.done, total=now.total),
                watch=None if page is None else page.put,
                **asked,
            )
            saving.put_signals_off()
    except ClassroomInterrupted as stop:
        saving.put_signals_off()
        played, code = stop.done, signals.exit_code()
        counted = plural(played.played, "{n} game played", "{n} games played")
        told = Told("interrupted: {games}, not kept: --keep FILE does so", counted)
        if keep:
            told = Told("interrupted: {games}, kept in {file}, and the same command goes on from there", counted, keep)
        remark(OWN + told)
    except WorkersError as error:
        if error.made is None:
            raise
        played, code = error.made, 2
        remark(OWN + str(error))
    written = partial(tournament_page, on_wall=live)
    _tell(played, written, tournament_text, html, as_json=as_json, err=err)
    context.exit(code)


def _live_page(html: str, rules: Rules) -> LivePage:
    from entropeg.classroom.tournament.live_page import LivePage

    refuse_standard(html, Told("a page that is shown while games are played"))
    page = LivePage(html, rules)
    _show(html, Told("the page of the tournament is {file}, and fills while games are played", shown(html)))
    return page


def _tell_known(found: ClassCheck, keep: str | None) -> None:
    if found.known:
        told = plural(
            len(found.known),
            "{n} project has not changed since: what was found in it is that of {file}",
            "{n} projects have not changed since: what was found in them is that of {file}",
            file=shown(keep or ""),
        )
        remark(OWN + told)


def _tell_class(found: ClassCheck, html: str | None, *, is_one: bool, as_json: bool, err: bool) -> None:
    from entropeg.classroom.project_page import project_page, project_text
    from entropeg.classroom.whole_class.class_page import class_text, write_class_pages

    if is_one:
        [alone] = found.members
        if alone.project is None:
            raise InputError(str(alone.trouble))
        _tell(alone.project, project_page, project_text, html, as_json=as_json, err=err)
        return
    if html is not None:
        write_class_pages(found, html)
    click.echo(_json(found.to_json()) if as_json else folded(class_text(found)), err=err and not as_json)


def _live_class(html: str, rules: Rules, *, is_one: bool) -> LiveClassPage:
    from entropeg.classroom.whole_class.class_page import LiveClassPage

    if is_one:
        raise InputError("--live shows the page of a class: name several projects, or a folder of them")
    refuse_standard(html, Told("a page that is shown while games are played"))
    page = LiveClassPage(html, rules)
    _show(html, Told("the page of the class is {file}, and fills while projects are looked at", shown(html)))
    return page


def _show(html: str, told: str) -> None:
    show_page(Path(html).absolute().as_uri())
    remark(OWN + told)


def listed(text: str | None) -> list[str]:
    """Split names at their commas; none of nothing."""
    return [name.strip().removesuffix(".py") for name in (text or "").split(",") if name.strip()]


def _tell(
    found: Any, page: Callable[..., str], text: Callable[..., str], html: str | None, *, as_json: bool, err: bool
) -> None:
    if html is not None:
        write_whole(html, page(found).encode(), PAGE)
    if as_json:
        click.echo(_json(found.to_json()))
    else:
        click.echo(folded(text(found)), err=err)


def _json(data: dict[str, Any]) -> str:
    return json.dumps(translated_data(data), indent=2)


def opponent(role: str, spec: str, own: dict[str, Any]) -> Any:
    """Make the other player; a course module has the same limits, unless its text says otherwise."""
    from entropeg import codebreakers, codemakers
    from entropeg.classroom.players import path_of
    from entropeg.classroom.programs import is_program

    path = path_of(spec)
    if path.endswith(".py") and not is_program(spec):
        given = [each for each in spec[len(path) + 1 :].split(",") if each]
        named = {each.partition("=")[0].strip() for each in given}
        usual = [f"{key}={value}" for key, value in own.items() if key not in named]
        spec = f"{path}:{','.join([*usual, *given])}"
    return codebreakers.get(spec) if role == "codebreaker" else codemakers.get(spec)


def as_text(series: Series, *, stopped: bool = False) -> str:
    """Write a series as the arena's table, and what went wrong below it; `stopped` by the user, it was not given up."""
    from entropeg.classroom.faults import counted
    from entropeg.cli.commands.arena import as_table

    told: list[str] = [] if series.guesses else [Told("no game of {planned:,} was finished", series.planned)]
    gaps = [fault for fault in series.faults if fault.is_unwritten]
    if gaps:
        # No game goes on after the first of them.
        told += ["", Told("not played on: {place}: {text}", gaps[0].place, gaps[0].text)]
    faults = [fault for fault in series.faults if not fault.is_unwritten]
    if faults:
        told += ["", Told("{faults:,} of {played:,} games went wrong:", len(faults), series.played)]
        known = counted(faults)
        for fault, count in known[:10]:
            again = Told("{fault} ({count:,} times, this is the first)", fault.sentence, count)
            told.append("- " + (again if count > 1 else fault.sentence))
        told += ["  " + Told("and {count:,} more", len(known) - 10)] if len(known) > 10 else []
        if series.played < series.planned and not stopped and not gaps:
            told.append(
                Told("after {played:,} games the rest was not played: too many in a row went wrong", series.played)
            )
    prints = next((fault.prints for fault in series.faults if fault.prints), "")
    if prints and speaks(sys.stdout, "…"):
        told.append(Told("it prints: {prints}", prints[:400].strip()))
    return "\n".join([as_table([series.run])] * bool(series.guesses) + [folded(translated(line)) for line in told])
