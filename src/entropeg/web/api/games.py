"""`/api/games`, `/api/answers`, `/api/positions` and `/api/daily`: games, and the codes left."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from entropeg.codes import format_code
from entropeg.plain_values import PlainValue
from entropeg.rules import Rules
from entropeg.told import Told
from entropeg.web import inputs, work
from entropeg.web.api.shapes import CODE_TEXT, Asked, CodeText, asked_as
from entropeg.web.inputs import PLAYER_TEXT, RULES_TEXT
from entropeg.web.language import Language, answered
from entropeg.web.models import model_of
from entropeg.web.numbered import (
    DAILY_RULES,
    FEWEST,
    MOST,
    OWN_FROM,
    SECRETS,
    check_number,
    daily_number,
    day_of,
    draw_number,
    secret_of,
    seed_of,
    today,
)
from entropeg.web.refusals import DeadlineError, RefusedError, field
from entropeg.web.tasks import games as tasks
from entropeg.web.tokens import EndedGames, SealedGame, Sealer

router = APIRouter()


# A token holds rules and a secret: the longest texts of both fit.
Token = Annotated[str, Field(min_length=1, max_length=64_000)]
RulesField = Annotated[str, Field(max_length=RULES_TEXT, examples=["4x6/limit=10"])]
Turns = Annotated[
    list[
        Annotated[
            list[Annotated[str, Field(max_length=CODE_TEXT)]],
            Field(min_length=2, max_length=2, examples=[["AABB", "XO"]]),
        ]
    ],
    Field(examples=[[["AABB", "XO"]]], description="Guess and feedback of each row, in their order."),
]


class GameAsked(Asked):
    """A game to begin: of a number, of a day, with a secret that a person sets, or of a number that is drawn.

    With the `token` of another game it is one more of the same secret, which has answered nothing yet.
    """

    model_config = asked_as(rules="4x6/limit=10", codemaker="honest")

    rules: RulesField | None = None
    codemaker: Annotated[str, Field(max_length=PLAYER_TEXT, examples=["honest"])] = "honest"
    number: Annotated[int, Field(ge=1, le=MOST)] | None = None
    date: dt.date | None = None
    secret: CodeText | None = None
    token: Token | None = None
    secrets: Annotated[
        int, Field(ge=1, le=SECRETS, description="How the secret of a number is drawn: 1 in links of versions 1 and 2.")
    ] = SECRETS


@dataclass(frozen=True)
class GameBegun(PlainValue):
    """A game that was begun; `token` holds what the player may not see. `kind` is daily, numbered or own."""

    rules: str
    codemaker: str
    kind: str
    number: int | None
    date: dt.date | None
    secrets: int
    """How the secret of a number was drawn."""
    token: str


@router.post("/games", tags=["games"], status_code=201, response_model=model_of(GameBegun))
async def begin(request: Request, asked: GameAsked, language: Language) -> Response:
    """Begin a game. The same rules, codemaker and number give the same game to everyone."""
    rules, game, day = _game(asked, request)
    await dispatched(request, "begin", game, rules, {})
    sealer: Sealer = request.app.state.sealer
    # The text of a codemaker with a secret of its own holds it.
    codemaker = "honest" if game.codemaker.partition(":")[0] == "honest" else game.codemaker
    begun = GameBegun(game.rules, codemaker, game.kind, game.number, day, game.secrets, sealer.seal(game))
    return answered(begun, language, 201)


def _game(asked: GameAsked, request: Request) -> tuple[Rules, SealedGame, dt.date | None]:
    if sum(each is not None for each in (asked.number, asked.date, asked.secret, asked.token)) > 1:
        raise RefusedError("a game has a number, a date, a secret or a token: leave the others out", "number")
    if asked.rules is None and asked.date is None:
        raise RefusedError("a game needs rules, or a date", "rules", "4x6")
    rules = inputs.rules_of(asked.rules or DAILY_RULES, request.app.state.settings.limits)
    inputs.codemaker_of(asked.codemaker)
    if asked.token is not None:
        return _once_more(asked.token, rules, request)
    if asked.secret is not None:
        return rules, _own(asked, rules), None
    number, day = asked.number, asked.date
    if day is not None:
        if rules != Rules.parse(DAILY_RULES) or asked.codemaker != "honest":
            raise RefusedError(
                Told("the daily puzzle is {rules} with an honest codemaker", DAILY_RULES), "date", DAILY_RULES
            )
        with field("date", str(today())):
            number = daily_number(day)
    elif number is None:
        number = draw_number()
    else:
        with field("number"):
            check_number(rules, number)
        is_daily = rules == Rules.parse(DAILY_RULES) and asked.codemaker == "honest" and number < FEWEST
        day = day_of(number) if is_daily else None
    kind = "numbered" if day is None else "daily"
    is_own = day is not None and day >= OWN_FROM and request.app.state.settings.public
    seed = request.app.state.sealer.seed(f"daily {number}") if is_own else seed_of(rules, number)
    is_drawn = asked.secrets > 1 and asked.codemaker == "honest" and not is_own
    secret = secret_of(rules, number) if is_drawn else None
    codemaker = asked.codemaker if secret is None else f"{inputs.GIVEN}{format_code(secret, rules)}"
    return rules, SealedGame(str(rules), codemaker, seed, kind, number, asked.secrets), day


def _once_more(token: str, rules: Rules, request: Request) -> tuple[Rules, SealedGame, dt.date | None]:
    _, game = opened(request, str(rules), token)
    return rules, game, day_of(game.number) if game.kind == "daily" and game.number is not None else None


def _own(asked: GameAsked, rules: Rules) -> SealedGame:
    if asked.codemaker != "honest":
        raise RefusedError("a secret of one's own is answered by an honest codemaker", "codemaker", "honest")
    secret = inputs.code_of(asked.secret or "", rules, "secret", secret=True)
    return SealedGame(str(rules), f"{inputs.GIVEN}{format_code(secret, rules)}", 0, "own")


class GameToEnd(Asked):
    """A game to end."""

    rules: RulesField
    turns: Turns = Field(default=[])
    token: Token
    give_up: Annotated[bool, Field(description="End a game that is not over: it is answered no more.")] = False


@router.post("/games/end", tags=["games"], response_model=model_of(tasks.GameEnded))
async def end(request: Request, asked: GameToEnd, language: Language) -> Response:
    """End a game: tell the secret, and prove each answer by it. One that is not over has to be given up for that.

    A game that was given up is answered no more; asked again, its end is the same.
    """
    rules, game = opened(request, asked.rules, asked.token)
    turns = limited(request, asked.turns)
    ended: EndedGames = request.app.state.ended
    data = await dispatched(request, "end", game, rules, {"turns": turns})
    if data["state"] == "open":
        if not (asked.give_up or ended.is_end(asked.token, turns)):
            raise RefusedError("this game is not over: give_up ends it, and tells the secret", "give_up", expected=True)
        data["state"] = "given up"
    ended.check(asked.token, turns)
    ended.note(asked.token, turns)
    return answered(data, language)


def opened(request: Request, rules_text: str, token: str) -> tuple[Rules, SealedGame]:
    """Read the rules and the token of a request; raises RefusedError where they are not of the same game."""
    rules = inputs.rules_of(rules_text, request.app.state.settings.limits)
    sealer: Sealer = request.app.state.sealer
    game = sealer.open(token)
    if game.rules != str(rules):
        raise RefusedError(
            Told("this game is played by {game}, not by {rules}", game.rules, rules), "rules", game.rules
        )
    return rules, game


def limited(request: Request, turns: list[list[str]]) -> list[list[str]]:
    """Return the turns of a request; raises RefusedError where they are too many."""
    most = request.app.state.settings.limits.turns
    if len(turns) > most:
        raise RefusedError(Told("{turns:,} turns are too many: {most:,} at most", len(turns), most), "turns")
    return turns


async def dispatched(request: Request, task: str, game: SealedGame, rules: Rules, asked: dict[str, Any]) -> Any:
    """Do a task of `tasks.games`: here where the codemaker is quick, else in a worker process."""
    data = {"rules": game.rules, "codemaker": game.codemaker, "seed": game.seed, **asked}
    if tasks.is_quick(game.codemaker, rules, len(asked.get("turns", ()))):
        return getattr(tasks, task)(data)
    # A codemaker of perfect play takes long: it proves each of its answers.
    return await work.run(request, getattr(tasks, task), data, seconds=30.0)


@dataclass(frozen=True)
class Daily(PlainValue):
    """The puzzle of a day."""

    number: int
    date: dt.date
    rules: str


@router.get("/daily", tags=["games"], response_model=model_of(Daily))
def daily(
    language: Language,
    date: Annotated[dt.date | None, Query(description="The date where the player is.")] = None,
    number: Annotated[int | None, Query(ge=1, le=MOST)] = None,
) -> Response:
    """Tell the number of a day's puzzle, or the day of a number; those after tomorrow's are refused."""
    if number is not None and date is not None:
        raise RefusedError("a puzzle is named by its date or by its number: leave one of them out", "number")
    if number is not None:
        try:
            day = day_of(number)
        except OverflowError:
            raise RefusedError("there is no daily puzzle of this number", "number") from None
        with field("number"):
            daily_number(day)
    else:
        day = date or today()
    with field("date", str(today())):
        return answered(Daily(daily_number(day), day, DAILY_RULES), language)


class GuessAsked(Asked):
    """A guess after some turns. `strict` refuses one that contradicts a row; `count` counts the codes left."""

    rules: RulesField
    turns: Turns = Field(default=[])
    guess: Annotated[CodeText, Field(examples=["AABB"])]
    token: Token
    strict: bool = False
    count: bool = True


@router.post("/answers", tags=["games"], response_model=model_of(tasks.Answered))
async def answer(request: Request, asked: GuessAsked, language: Language) -> Response:
    """Answer a guess: the same rules, token and guesses always get the same answers, until the game has ended."""
    rules, game = opened(request, asked.rules, asked.token)
    data = await dispatched(
        request,
        "answer",
        game,
        rules,
        {"turns": limited(request, asked.turns), "guess": asked.guess, "strict": asked.strict, "count": asked.count},
    )
    turns = [*asked.turns, data["turn"]]
    ended: EndedGames = request.app.state.ended
    ended.check(asked.token, turns)
    if data["state"] != "open":
        ended.note(asked.token, turns)
    return answered(data | {"next": asked.token}, language)


class PositionAsked(Asked):
    """A position: turns, or rows of notes such as `AABB XO` and `AB?? ?`."""

    rules: RulesField
    turns: Turns = Field(default=[])
    rows: Annotated[list[Annotated[str, Field(max_length=10_000)]], Field(max_length=500)] | None = None


@router.post("/positions", tags=["positions"], response_model=model_of(tasks.PositionTold))
async def position(request: Request, asked: PositionAsked, language: Language) -> Response:
    """Count the codes that fit the turns, exactly or about, and say how likely each symbol is at each peg."""
    rules = inputs.rules_of(asked.rules, request.app.state.settings.limits)
    if asked.rows is not None and asked.turns:
        raise RefusedError("a position has turns or rows: leave one of them out", "rows")
    data = {"rules": str(rules), "turns": limited(request, asked.turns), "rows": asked.rows}
    found = None
    if asked.rows is None and tasks.is_counted_quickly(rules, len(asked.turns)):
        found = tasks.position({**data, "quick": True})
    if found is None:
        try:
            # After eight seconds the codes of a large board are left uncounted.
            found = await work.run(request, tasks.position, data, seconds=8.0)
        except DeadlineError:
            found = tasks.unknown(
                rules, "open", says=Told("the codes left could not be counted in the time that this may take")
            ).to_json()
    return answered(found, language)
