"""`entropeg train`: positions in which there is something to find, at a prompt, as a booklet or as cards for Anki."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path

import click

from entropeg.chosen_language import translated
from entropeg.cli import saving
from entropeg.cli.completion import files
from entropeg.cli.options import RulesType, json_option, seed_option
from entropeg.cli.reviewing import Unread, given_games, tell_unread
from entropeg.cli.screen import converse
from entropeg.errors import ContradictionError, InputError
from entropeg.files import PAGE, FileKind, check_target, is_standard, write_whole
from entropeg.loop import draw_seed
from entropeg.rules import Rules
from entropeg.told import Told, plural
from entropeg.train import TrainingPuzzle, own_mistakes, puzzles
from entropeg.train.anki_cards import CARDS, anki_cards
from entropeg.train.booklet import MOST, booklet, booklet_page, booklet_text
from entropeg.train.puzzle_series import THEMES


@click.command("train")
@click.argument("rules", type=RulesType(), required=False)
@click.option(
    "--theme",
    type=click.Choice([theme.value for theme in THEMES]),
    help="Only puzzles of this kind. [default: all in turn]",
)
@click.option(
    "--learn",
    multiple=True,
    metavar="FILE",
    shell_complete=files,
    help="The mistakes of games: a file or folder as `review` reads it.",
)
@click.option("--book", type=click.IntRange(1, MOST), metavar="N", help="Print so many puzzles, then their solutions.")
@click.option("--html", metavar="FILE", shell_complete=files, help="Write the booklet as a page that prints well.")
@click.option("--anki", metavar="FILE", shell_complete=files, help="Write them as cards that Anki imports.")
@seed_option
@saving.force_option
@json_option
def command(
    *,
    rules: Rules | None,
    theme: str | None,
    learn: tuple[str, ...],
    book: int | None,
    html: str | None,
    anki: str | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Find what there is to find in positions of RULES (4x6 where none are named).

    deduce: one code is left, which? split: which guess tells all codes left apart? outside: the best guess cannot be
    the secret. trap: codes that differ in one peg alone. mend: one row is wrong, which?

    Type a guess (or the number of a row), hint, solution, skip, score, help or quit. The difficulty is the share of
    seven built-in codebreakers that fail. The same seed gives the same puzzles.
    """
    if html is not None and book is None:
        raise InputError("--html writes a booklet: say of how many puzzles, as --book 24")
    if anki is not None and book is None:
        raise InputError("--anki writes cards: say how many, as --book 24")
    if learn and theme is not None:
        raise InputError("--learn takes the mistakes of games as they are: leave --theme out")
    if book is None and any(map(is_standard, learn)):
        raise InputError("- is standard input, where answers are typed too: name a file, or a booklet with --book")
    seed = draw_seed() if seed is None else seed
    if learn:
        name, found = _of_games(learn, rules, seed)
    else:
        board = (Rules.parse("4x6") if rules is None else rules).with_limit(None)
        name, found = Told("Training on {board}, seed {seed}", board, seed), puzzles(board, theme, seed=seed)
    if book is None:
        _play(found, name, seed, as_json=as_json)
        return
    _print(found, book, name, html, anki, as_json=as_json)


def _play(found: Iterator[TrainingPuzzle], name: str, seed: int, *, as_json: bool) -> None:
    from entropeg.sessions.training import TrainSession

    converse(TrainSession(found, name, seed), "train", as_json=as_json)


def _of_games(paths: tuple[str, ...], rules: Rules | None, seed: int) -> tuple[str, Iterator[TrainingPuzzle]]:
    given, unread = given_games(paths, rules)
    games = []
    for game in given:
        try:
            game.position.check_consistent()
        except ContradictionError as error:
            unread.append(Unread(game.name, ContradictionError("{game}: {error}", game.name, error)))
        else:
            games.append(game)
    if not games:
        raise unread[-1].error
    tell_unread(unread)
    boards = {str(game.position.rules.with_limit(None)) for game in games}
    if len(boards) > 1:
        raise InputError("the games are of different rules, {rules:and}: take one board at a time", sorted(boards))
    counted = plural(len(games), "{n} game", "{n} games")
    found = own_mistakes(games, seed=seed)
    first = next(found, None)
    if first is None:
        raise InputError("there is no mistake in {games} that is known exactly: nothing to learn", counted)
    return Told("The mistakes of {games} on {board}", counted, boards.pop()), chain([first], found)


def _print(
    found: Iterator[TrainingPuzzle], number: int, title: str, html: str | None, anki: str | None, *, as_json: bool
) -> None:
    wanted: list[tuple[str | None, FileKind, Callable[[list[TrainingPuzzle]], str]]]
    wanted = [(html, PAGE, partial(booklet_page, title=title)), (anki, CARDS, anki_cards)]
    files_ = [(path, kind, text) for path, kind, text in wanted if path is not None]
    for path, kind, _ in files_:
        check_target(path, kind)
    err = saving.to_error(html, anki, as_json=as_json)
    made = booklet(found, number)
    if as_json:
        click.echo(json.dumps({"name": title, "puzzles": [puzzle.to_json() for puzzle in made]}, indent=2))
    for path, kind, text in files_:
        write_whole(path, text(made).encode(), kind)
        if not as_json and not is_standard(path):
            told = plural(len(made), "{n} puzzle written into {file}", "{n} puzzles written into {file}", Path(path))
            click.echo(translated(told), err=err)
    if not (files_ or as_json):
        click.echo(booklet_text(made, title), nl=False)
