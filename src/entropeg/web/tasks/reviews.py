"""Reviews of games: read from any text, accounted for, beside what others would have done; worksheets and totals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from entropeg.amounts import plural
from entropeg.codes import format_code
from entropeg.errors import InputError
from entropeg.position import Position
from entropeg.rules import Rules, without_files
from entropeg.web.errors import RefusedError, field
from entropeg.web.gate import code_of
from entropeg.web.values import code_data, feedback_data

if TYPE_CHECKING:
    from entropeg.review import GivenGame, Level, Review

MOST_GAMES = 200
"""Games that are read from one text."""
REVIEWED = 20
"""Games of a text that are reviewed in one piece of work; the page asks game by game."""
LEVEL_SECONDS = 2.0
"""For the players that a level is told by, once for each board and process, so that every level is of the same ones."""


@dataclass(frozen=True)
class _ReadGames:
    """The games of a request, and the field that they stand in."""

    games: tuple[GivenGame, ...]
    field: str


def games(data: dict[str, Any]) -> dict[str, Any]:
    """Return the games of a `text`, or the one of `rules` and `turns`, as they were read, not yet reviewed."""
    return {"games": [_game_data(game) for game in _read(data).games]}


def reviews(data: dict[str, Any]) -> dict[str, Any]:
    """Return the games of a `text`, or the one of `rules` and `turns`, with their reviews, in about `seconds` for all.

    With `others`, what others would have played. Levels are told by `levels`.
    """
    given = _few(_read(data))
    seconds = data["seconds"] / len(given.games)
    return {"games": [_game_data(game) | _reviewed(game, given.field, data, seconds) for game in given.games]}


def worksheet(data: dict[str, Any]) -> str:
    """Return the worksheet of games as CSV, or a page of their reviews that prints well: `as_` is `csv` or `html`."""
    from entropeg.review.export import worksheet_csv, worksheets_csv
    from entropeg.review.page import review_page

    given = _few(_read(data))
    seconds = data["seconds"] / len(given.games)
    told = [(game.name, _review(game, given.field, seconds)) for game in given.games]
    if data["as_"] == "html":
        return review_page(told)
    return worksheet_csv(told[0][1]) if len(told) == 1 else worksheets_csv(told)


def levels(data: dict[str, Any]) -> list[dict[str, Any] | None]:
    """Return who plays as well as each of some `reviews`, as `reviews` gave them; None where that cannot be told."""
    return [_level(review, place) for place, review in enumerate(data["reviews"])]


def no_level(why: str) -> str:
    """Say that there is no level.

    >>> no_level("this takes longer than 10 s")
    'no level is told: this takes longer than 10 s'
    """
    return f"no level is told: {why}"


def totals(data: dict[str, Any]) -> dict[str, Any]:
    """Return what results (`games`, as `reviews` gave them) add up to on `rules`; with `level`, who plays as well."""
    from entropeg.review.level import level_of_losses
    from entropeg.review.totals import Totals

    rules = Rules.parse(data["rules"], files=False)
    results = [_result(game, place) for place, game in enumerate(data["games"])]
    found = Totals.of_results(results)
    losses = [one.loss.value for one in results if one.is_known]
    level = None
    if losses and data["level"]:
        with field("games.0.par"):
            level = level_of_losses(rules, results[0].par, losses, time=LEVEL_SECONDS)
    return found.to_json() | {"says": found.lines(data["name"] or str(rules)), "level": _level_data(level)}


def _result(game: dict[str, Any], place: int) -> Any:
    from entropeg.advise.telling.plain_data import expectation_of
    from entropeg.review.totals import GameResult
    from entropeg.review.turns import Mark

    numbers = {}
    for name in ("par", "loss", "luck", "remaining"):
        with field(f"games.{place}.{name}"):
            numbers[name] = expectation_of(game[name])
    marks = tuple(None if mark is None else Mark(mark) for mark in game["marks"])
    return GameResult(guesses=game["guesses"], is_won=game["won"], marks=marks, **numbers)


def _read(data: dict[str, Any]) -> _ReadGames:
    from entropeg.review import GivenGame, read_games

    if data.get("text") is not None:
        rules = None if data["rules"] is None else Rules.parse(data["rules"], files=False)
        with field("text", "AABB XO"), without_files():
            found = read_games(data["text"], rules)
            if len(found) > MOST_GAMES:
                raise InputError(f"the text has {len(found):,} games: {MOST_GAMES} at most")
        return _ReadGames(found, "text")
    rules = Rules.parse(data["rules"], files=False)
    with field("turns"):
        position = Position(rules, data["turns"])
    secret = None if data["secret"] is None else code_of(data["secret"], rules, "secret", secret=True)
    game = replace(GivenGame.of(position, "the game"), secret=secret, codemaker=data["codemaker"] or "")
    return _ReadGames((game,), "turns")


def _few(given: _ReadGames) -> _ReadGames:
    if len(given.games) > REVIEWED:
        said = f"the text has {len(given.games):,} games: {REVIEWED} at most are reviewed at once; ask game by game"
        raise RefusedError(said, given.field)
    return given


def _review(game: GivenGame, name: str, seconds: float) -> Review:
    from entropeg.review import review

    with field(name):
        return review(game.position, time=seconds)


def _reviewed(game: GivenGame, name: str, data: dict[str, Any], seconds: float) -> dict[str, Any]:
    from entropeg.review.account import OTHERS_SHARE
    from entropeg.review.answers import is_cheat, review_answers
    from entropeg.review.export import to_json
    from entropeg.review.others import other_plays
    from entropeg.review.words import rarity_in_words, turn_notes
    from entropeg.train.puzzle import SOLVING

    found = _review(game, name, seconds * (1 - OTHERS_SHARE))
    account = found.line
    if found.is_late:
        whole = plural(len(game.position.turns), "turn")
        account = f"{account}; the time was over: {found.guesses} of {whole} were reviewed"
    rules, told = game.position.rules, to_json(found)
    for turn, one in zip(found.turns, told["turns"], strict=True):
        one["best_pegs"] = list(turn.best[0])
        one["best_possible_pegs"] = None if turn.possible is None else list(turn.possible[0])
        one["best_as_possible"] = one["best"] == one["best_possible"]
    with field("secret"):
        others = other_plays(found, game.secret, time=seconds * OTHERS_SHARE) if data["others"] else ()
    answers = review_answers(found) if is_cheat(game.codemaker) else None
    return {
        "review": told,
        "says": {
            "account": account,
            "adjusted": found.adjusted_line,
            "turns": [list(turn_notes(turn, rules)) for turn in found.turns],
            "numbers": [{"rarity": rarity_in_words(turn)} for turn in found.turns],
            "answers": "" if answers is None else answers.sentence,
        },
        "others": [_other_data(one.to_json(rules), one.guesses) for one in others],
        "level": None,
        "answers": None if answers is None else answers.to_json(),
        "curves": {
            "codes": [found.turns[0].before, *(turn.after for turn in found.turns)],
            "par": [*(turn["value"] for turn in told["turns"]), told["remaining"]],
        },
        "tolerance": float(SOLVING),
    }


def _other_data(told: dict[str, Any], guesses: Any) -> dict[str, Any]:
    for (guess, _), one in zip(guesses, told["guesses"], strict=True):
        one["pegs"] = list(guess)
    return told


def _level(told: dict[str, Any], place: int) -> dict[str, Any] | None:
    from entropeg.review.level import level_of_losses

    found = _result(told | {"marks": []}, place)
    if not found.is_known:
        return None
    rules = Rules.parse(told["rules"], files=False)
    return _level_data(level_of_losses(rules, found.par, [found.loss.value], time=LEVEL_SECONDS))


def _level_data(level: Level | None) -> dict[str, Any] | None:
    return None if level is None else level.to_json() | {"says": level.sentence}


def _game_data(game: GivenGame) -> dict[str, Any]:
    position = game.position
    rules = position.rules
    return {
        "name": game.name,
        "rules": str(rules),
        "codemaker": game.codemaker,
        "codebreaker": game.codebreaker,
        "assumed": game.is_assumed,
        "secret": None if game.secret is None else code_data(game.secret, rules),
        "won": position.is_won,
        "turns": [
            {
                "guess": format_code(guess, rules),
                "pegs": list(guess),
                "feedback": feedback_data(answer, rules, guess),
            }
            for guess, answer in position.turns
        ],
    }
