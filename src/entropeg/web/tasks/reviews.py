"""Reviews of games: read from any text, accounted for, beside what others would have done; worksheets and totals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from entropeg.advise.expectation import Expectation
from entropeg.chosen_language import SpokenChoice, speaking
from entropeg.errors import InputError
from entropeg.plain_values import PlainValue, plain
from entropeg.position import Position
from entropeg.review import GivenGame, Level, Review, read_games, review
from entropeg.review.account import OTHERS_SHARE
from entropeg.review.codemaker_answers import AnswersReview, is_cheat, review_answers
from entropeg.review.level import level_of_losses
from entropeg.review.others import OtherPlay, other_plays
from entropeg.review.review_page import review_page
from entropeg.review.totals import GameResult, Totals
from entropeg.review.turns import Mark
from entropeg.review.wording import turn_notes
from entropeg.review.worksheet import worksheet_csv, worksheets_csv
from entropeg.rules import Rules, without_files
from entropeg.told import Told, plural
from entropeg.web.inputs import code_of
from entropeg.web.refusals import RefusedError, field

LEVEL_SECONDS = 2.0
"""For the players that a level is told by, once for each board and process, so that every level is of the same ones."""


@dataclass(frozen=True)
class _ReadGames:
    """The games of a request, and the field that they stand in."""

    games: tuple[GivenGame, ...]
    field: str


@dataclass(frozen=True)
class GamesRead(PlainValue):
    """The games of a text, as they were read."""

    games: tuple[GivenGame, ...]


@dataclass(frozen=True)
class ReviewSays(PlainValue):
    """A review in words."""

    account: str
    adjusted: str
    turns: list[list[str]]
    """What there is to say of each turn."""
    answers: str = ""
    """Of a cheat: what its answers cost."""
    level: str = ""
    """Why no level is told, where it could not be found out in time."""


@dataclass(frozen=True)
class GameReviewed(PlainValue):
    """A game and its review, which has the keys of `entropeg review --json`."""

    rules: Rules
    game: GivenGame
    review: Review
    says: ReviewSays
    others: tuple[OtherPlay, ...]
    answers: AnswersReview | None
    level: Level | None = None


@dataclass(frozen=True)
class GamesReviewed(PlainValue):
    """Reviews, in the order of the games."""

    games: tuple[GameReviewed, ...]


@dataclass(frozen=True)
class TotalsTold(PlainValue):
    """What games add up to, on average, in numbers and in words; null where nobody knows."""

    totals: Totals
    says: list[str]
    level: Level | None


def games(data: dict[str, Any]) -> dict[str, Any]:
    """Tell the `GamesRead` of a `text`, or the one of `rules` and `turns`; they are not yet reviewed."""
    return GamesRead(_read(data).games).to_json()


def reviews(data: dict[str, Any]) -> dict[str, Any]:
    """Tell the `GamesReviewed` of a `text`, or the one of `rules` and `turns`, in about `seconds` for all.

    With `others`, what others would have played. Levels are told by `levels`.
    """
    given = _few(_read(data))
    seconds = data["seconds"] / len(given.games)
    return GamesReviewed(tuple(_reviewed(game, given.field, data, seconds) for game in given.games)).to_json()


def worksheet(data: dict[str, Any]) -> str:
    """Return the worksheet of games as CSV, or a page of their reviews that prints well: `as_` is `csv` or `html`."""
    given = _few(_read(data))
    seconds = data["seconds"] / len(given.games)
    told = [(game.name, _review(game, given.field, seconds)) for game in given.games]
    if data["as_"] == "html":
        with speaking(SpokenChoice(data["language"])):
            return review_page(told)
    return worksheet_csv(told[0][1]) if len(told) == 1 else worksheets_csv(told)


def levels(data: dict[str, Any]) -> list[dict[str, Any] | None]:
    """Return who plays as well as each of some `reviews`, as `reviews` gave them; None where that cannot be told."""
    return [_level(review, place) for place, review in enumerate(data["reviews"])]


def totals(data: dict[str, Any]) -> dict[str, Any]:
    """Tell the `TotalsTold` of results on `rules`: `games`, as `reviews` gave them; with `level`, who plays as well."""
    rules = Rules.parse(data["rules"], files=False)
    results = [_result(game, place) for place, game in enumerate(data["games"])]
    found = Totals.of_results(results)
    losses = [one.loss.value for one in results if one.is_known]
    level = None
    if losses and data["level"]:
        with field("games.0.par"):
            level = level_of_losses(rules, results[0].par, losses, time=LEVEL_SECONDS)
    return TotalsTold(found, found.lines(data["name"] or str(rules)), level).to_json()


def _result(game: dict[str, Any], place: int) -> Any:
    numbers = {}
    for name in ("par", "loss", "luck", "remaining"):
        with field(f"games.{place}.{name}"):
            numbers[name] = Expectation.from_json(game[name])
    marks = tuple(None if mark is None else Mark(mark) for mark in game["marks"])
    return GameResult(guesses=game["guesses"], is_won=game["won"], marks=marks, **numbers)


def _read(data: dict[str, Any]) -> _ReadGames:
    if data.get("text") is not None:
        rules = None if data["rules"] is None else Rules.parse(data["rules"], files=False)
        with field("text", "AABB XO"), without_files():
            found = read_games(data["text"], rules)
            if len(found) > 200:
                raise InputError("the text has {found:,} games: 200 at most", len(found))
        return _ReadGames(found, "text")
    rules = Rules.parse(data["rules"], files=False)
    with field("turns"):
        position = Position(rules, data["turns"])
    secret = None if data["secret"] is None else code_of(data["secret"], rules, "secret", secret=True)
    game = replace(GivenGame.of(position, Told("the game")), secret=secret, codemaker=data["codemaker"] or "")
    return _ReadGames((game,), "turns")


def _few(given: _ReadGames) -> _ReadGames:
    if len(given.games) > 20:
        said = Told("the text has {games:,} games: 20 at most are reviewed at once; ask game by game", len(given.games))
        raise RefusedError(said, given.field)
    return given


def _review(game: GivenGame, name: str, seconds: float) -> Review:
    with field(name):
        return review(game.position, time=seconds)


def _reviewed(game: GivenGame, name: str, data: dict[str, Any], seconds: float) -> GameReviewed:
    found = _review(game, name, seconds * (1 - OTHERS_SHARE))
    account = found.line
    if found.is_late:
        whole = plural(len(game.turns), "{n} turn", "{n} turns")
        account = Told(
            "{account}; the time was over: {guesses} of {turns} were reviewed", account, found.guesses, whole
        )
    with field("secret"):
        others = other_plays(found, game.secret, time=seconds * OTHERS_SHARE) if data["others"] else ()
    answers = review_answers(found) if is_cheat(game.codemaker) else None
    notes = [list(turn_notes(turn, game.rules)) for turn in found.turns]
    says = ReviewSays(account, found.adjusted_line, notes, "" if answers is None else answers.sentence)
    return GameReviewed(game.rules, game, found, says, others, answers)


def _level(told: dict[str, Any], place: int) -> dict[str, Any] | None:
    found = _result(told | {"marks": []}, place)
    if not found.is_known:
        return None
    rules = Rules.parse(told["rules"], files=False)
    level: dict[str, Any] | None = plain(level_of_losses(rules, found.par, [found.loss.value], time=LEVEL_SECONDS))
    return level
