"""Shows reviews at the prompt: one game turn by turn, many as a table with totals, and both as data and pages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from entropeg.chosen_language import headed, translated
from entropeg.cli.progress import telling
from entropeg.cli.terminal import OWN, columns, folded, remark
from entropeg.errors import InputError
from entropeg.files import decoded, is_standard, read_bytes, shown
from entropeg.plain_values import plain
from entropeg.rules import Rules
from entropeg.told import Joined, Told, plural, words

if TYPE_CHECKING:
    from entropeg.advise.given_games import GivenGame
    from entropeg.review.account import Review
    from entropeg.review.codemaker_answers import AnswersReview
    from entropeg.review.level import Level
    from entropeg.review.others import OtherPlay
    from entropeg.review.totals import Totals

ENDINGS = {".txt", ".json", ".jsonl", ".game", ".log", ".csv", ""}
"""Files of a folder that are read."""

COLUMNS = words("column", "game", "guesses", "par", "lost", "luck", "without luck", "worst guess")


class Unread(NamedTuple):
    """A file of a folder that could not be read."""

    name: str
    error: InputError


def given_games(sources: Sequence[str], rules: Rules | None) -> tuple[list[GivenGame], list[Unread]]:
    """Read the games of files, of standard input (`-`), or of every file of folders.

    Of a folder some files may be others: why they cannot be read is returned beside the games. Raises InputError where
    a file that was named cannot be read, or none of a folder.
    """
    games: list[GivenGame] = []
    unread: list[Unread] = []
    for source in sources:
        if is_standard(source) or not Path(source).is_dir():
            games += _games_of(source, rules)
            continue
        paths = sorted(path for path in Path(source).iterdir() if path.is_file() and path.suffix in ENDINGS)
        if not paths:
            endings = sorted(ENDINGS - {""})
            raise InputError("the folder {folder} holds no file of games: {endings:list}", shown(source), endings)
        before = len(games)
        for path in paths:
            try:
                games += _games_of(str(path), rules)
            except InputError as error:
                unread.append(Unread(shown(path), error))
        if len(games) == before:
            raise unread[-1].error
    return games, unread


def tell_unread(unread: Sequence[Unread]) -> None:
    """Say on standard error which files of a folder were left out, and why."""
    for one in unread:
        remark(OWN + Told("left out: {error}", one.error))


def _games_of(source: str, rules: Rules | None) -> list[GivenGame]:
    from entropeg.advise.given_games import read_games

    content = read_bytes(source)
    if content.startswith(b"SQLite format 3"):
        raise InputError(
            "{file} is a store of the arena: it keeps how many guesses games took, and not their turns", shown(source)
        )
    return list(read_games(decoded(content, shown(source)), rules, shown(source)))


class Wanted(NamedTuple):
    """What is told of some games beside their reviews, None where it suits; `time` is that of a game with all of it."""

    games: int
    level: bool | None
    others: bool | None
    answers: bool | None
    time: float | None
    seed: int

    @property
    def are_others(self) -> bool:
        """Whether others are asked what they would have played: of one game, unless told otherwise."""
        return self.games == 1 if self.others is None else self.others

    def seconds_beside(self, share: float) -> dict[str, Any]:
        """A share of the time, as an argument; none where no time was given."""
        return {} if self.time is None else {"time": share * self.time}

    def seconds_of_game(self, share: float) -> float | None:
        """The time of the review itself, where each of the answers beside it has a share of the time of a game."""
        beside = share * (self.are_others + (self.games == 1 and bool(self.level)))
        return None if self.time is None else self.time * (1 - beside)


class ToldReviews:
    """Games with their reviews, as they are told."""

    def __init__(
        self,
        games: Sequence[GivenGame],
        found: Sequence[Review | InputError | None],
        unread: Sequence[Unread],
        *,
        wanted: Wanted,
        err: bool,
    ) -> None:
        """Divide those that were reviewed from those that cannot be; ``unread``: why files of folders were left out."""
        pairs = list(zip(games, found, strict=True))
        self.err, self.wanted, self.unread = err, wanted, unread
        self.planned = len(games)
        self.reviews = [(game, one) for game, one in pairs if not isinstance(one, InputError) and one is not None]
        self.refused = [(game, one) for game, one in pairs if isinstance(one, InputError)]
        self.is_single = len(games) == 1
        self.is_cut = None in found or any(one.guesses < len(game.position.turns) for game, one in self.reviews)
        self._levels: dict[str, Level] = {}
        self._others: dict[int, Sequence[OtherPlay]] = {}

    def add_comparisons(self) -> None:
        """Find what others would have played and the levels, where they are wanted; Ctrl-C leaves out the rest."""
        from entropeg.review.account import OTHERS_SHARE
        from entropeg.review.others import other_plays

        if self.is_cut:
            return
        seed, given = self.wanted.seed, self.wanted.seconds_beside(OTHERS_SHARE)
        try:
            with telling("games") as stand:
                for place, (game, one) in enumerate(self.reviews if self.wanted.are_others else ()):
                    stand.put(Told("what others would have played"), done=place, total=len(self.reviews))
                    self._others[place] = other_plays(one, game.secret, seed=seed, **given)
                for name, found in self._players.items():
                    stand.put(Told("the level of {player}", name))
                    self._add_level(name, found, given if self.is_single else {})
        except KeyboardInterrupt:
            self.is_cut = True

    def say(self, *, worksheet: bool) -> None:
        """Print the reviews."""
        if worksheet:
            told = ["\n\n".join(self._worksheet(game, one) for game, one in self.reviews)]
        elif self.is_single and self.reviews:
            beside = [line for table in self._beside(0) for line in ("", *table)]
            told = [*_single(*self.reviews[0]), *beside, *self._told_summary()]
        else:
            told = self._table() if self.reviews else []
        if worksheet or self.reviews:
            click.echo("\n".join(told), err=self.err)
        tell_unread(self.unread)
        for game, error in self.refused:
            remark(OWN + Told("{game} is left out: {error}", game.name, error))
        if self.is_cut:
            if any(one.is_late for _, one in self.reviews):
                remark(OWN + Told("the time was over: {missing}", self._missing))
            else:
                remark(OWN + Told("interrupted: {missing}", self._missing))

    @property
    def _missing(self) -> str:
        """The sentence about what is missing after Ctrl-C, or where the time was over before the game."""
        left = self.planned - len(self.reviews) - len(self.refused)
        if left:
            return plural(
                left, "{n} game of {games:,} was not reviewed", "{n} games of {games:,} were not reviewed", self.planned
            )
        late = sum(one.is_late for _, one in self.reviews)
        if late and not self.is_single:
            return plural(
                late,
                "{n} game of {games:,} was not reviewed to the end, and is not added up",
                "{n} games of {games:,} were not reviewed to the end, and are not added up",
                self.planned,
            )
        for game, one in self.reviews:
            if one.guesses < len(game.position.turns):
                turns = len(game.position.turns)
                return plural(
                    turns, "{guesses} of {n} turn were reviewed", "{guesses} of {n} turns were reviewed", one.guesses
                )
        return Told("comparisons with other players are missing")

    def _worksheet(self, game: GivenGame, one: Review) -> str:
        from entropeg.review.worksheet import WORKSHEET, shown_rows

        head = [] if self.is_single else [game.name]
        return "\n".join([*head, columns([WORKSHEET, *shown_rows(one)], "><<>>", head=True)])

    def _table(self) -> list[str]:
        rows = [COLUMNS, *(_in_row(game.name, one) for game, one in self.reviews)]
        table = columns(rows, "<>>>>><", names=1, head=True)
        told = [table, "", *self._told_summary()]
        for place, (game, _) in enumerate(self.reviews):
            tables = self._beside(place)
            told += ["", game.name, *(line for table in tables for line in table)] if tables else []
        return told

    @cached_property
    def groups(self) -> list[tuple[str, Totals, Level | None]]:
        """The games of each player: its name, their totals, and its level where that is wanted."""
        from entropeg.review.totals import Totals

        return [(name, Totals.of(found), self._levels.get(name)) for name, found in self._players.items()]

    @cached_property
    def _players(self) -> dict[str, list[Review]]:
        from entropeg.review.totals import by_player

        return by_player([(game.codebreaker, one) for game, one in self.reviews if not one.is_late])

    def _told_summary(self) -> list[str]:
        return [folded(translated(line)) for line in self.summary]

    def _add_level(self, name: str, found: list[Review], given: dict[str, Any]) -> None:
        from entropeg.review.level import ENOUGH, level_of

        if len(found) >= ENOUGH if self.wanted.level is None else self.wanted.level:
            level = level_of(found, seed=self.wanted.seed, **given)
            if level is not None:
                self._levels[name] = level

    def _beside(self, place: int) -> list[list[str]]:
        # The tables below a game: of several games only those that were asked for outright.
        tables = [self._others_told(place)] if self.is_single or self.wanted.others else []
        tables += [self._answers_told(place)] if self.is_single or self.wanted.answers else []
        return [table for table in tables if table]

    def _others_rows(self, place: int) -> list[tuple[str, ...]]:
        from entropeg.review.others import others_in_rows

        found = self._others.get(place)
        return others_in_rows(self.reviews[place][1], found) if found else []

    def _others_told(self, place: int) -> list[str]:
        from entropeg.review.others import CAPTION

        rows = self._others_rows(place)
        if not rows:
            return []
        last = len(rows[0]) - 1
        return _captioned(CAPTION, columns(rows, "<" * (last - 1) + ">>", names=1, head=True))

    def _answers(self, game: GivenGame, one: Review) -> AnswersReview | None:
        from entropeg.review.codemaker_answers import is_cheat, review_answers

        wanted = is_cheat(game.codemaker) if self.wanted.answers is None else self.wanted.answers
        return review_answers(one) if wanted else None

    def _answers_rows(self, place: int) -> list[tuple[str, ...]]:
        from entropeg.review.codemaker_answers import COLUMNS

        found = self._answers(*self.reviews[place])
        return [] if found is None else [COLUMNS, *(answer.in_row() for answer in found.answers)]

    def _answers_told(self, place: int) -> list[str]:
        from entropeg.review.codemaker_answers import ALIGNED, CAPTION

        found = self._answers(*self.reviews[place])
        if found is None:
            return []
        table = columns(self._answers_rows(place), ALIGNED, names=2, head=True)
        return [*_captioned(CAPTION, table), folded(translated(found.sentence))]

    @property
    def summary(self) -> list[str]:
        """The sentences about all games together."""
        lines = []
        for name, totals, level in self.groups:
            lines += [] if self.is_single else totals.lines(name)
            lines += [] if level is None else [level.sentence if self.is_single else "  " + level.sentence]
        return lines

    def page(self) -> str:
        """The page of all games."""
        from entropeg.review import codemaker_answers, others
        from entropeg.review.review_page import review_page

        tables = []
        if self.is_single:
            found = ((others.CAPTION, self._others_rows(0)), (codemaker_answers.CAPTION, self._answers_rows(0)))
            tables = [(caption, rows) for caption, rows in found if rows]
        reviews = [(game.name, one) for game, one in self.reviews]
        return review_page(reviews, lines=self.summary, tables=tables)

    def sheet(self) -> str:
        """The worksheet of all games as CSV; with more than one a first column names the game."""
        from entropeg.review.worksheet import worksheet_csv, worksheets_csv

        if self.is_single:
            return worksheet_csv(self.reviews[0][1])
        return worksheets_csv([(game.name, one) for game, one in self.reviews])

    def data(self) -> dict[str, Any]:
        """Plain data of all games."""
        return {
            "games": [
                {
                    "name": game.name,
                    "codebreaker": game.codebreaker,
                    **one.to_json(),
                    "answers": plain(self._answers(game, one), one.rules),
                    "others": plain(self._others.get(place, ()), one.rules),
                }
                for place, (game, one) in enumerate(self.reviews)
            ],
            "refused": [
                {"name": name, "sentence": str(error)}
                for name, error in [*self.unread, *((game.name, error) for game, error in self.refused)]
            ],
            "totals": {name: totals.to_json() | {"level": plain(level)} for name, totals, level in self.groups},
        }


def _single(game: GivenGame, one: Review) -> list[str]:
    from entropeg.review.wording import ALIGNED, COLUMNS, turn_in_numbers, turn_notes

    rules = game.position.rules
    head = (
        Told("{game}: {rules} (assumed from the guesses; --rules says otherwise)", game.name, rules)
        if game.is_assumed
        else Told("{game}: {rules}", game.name, rules)
    )
    rows = [COLUMNS, *(turn_in_numbers(turn, rules) for turn in one.turns)]
    table = columns(rows, ALIGNED, names=2, head=True)
    notes = [Joined([f"{turn.number}. ", note]) for turn in one.turns for note in turn_notes(turn, rules)]
    return [
        folded(translated(head)),
        translated(one.line),
        translated(one.adjusted_line),
        "",
        table,
        *([""] if notes else []),
        *(folded(translated(note)) for note in notes),
    ]


def _captioned(caption: str, table: str) -> list[str]:
    return [folded(headed(caption)), table]


def _in_row(name: str, one: Review) -> tuple[str, ...]:
    from entropeg.review.wording import hundredths

    worst = max(one.turns, key=lambda turn: turn.loss.value)
    told = Told("{turn}: {mark}", worst.number, worst.mark) if worst.mark is not None else ""
    played = str(one.guesses) if one.position.is_won else Told("{guesses}, not won", one.guesses)
    return (name, played, *(hundredths(number) for number in (one.par, one.loss, one.luck, one.adjusted)), told)
