"""`POST /api/reviews` and below: games read from any text, accounted for turn by turn, as worksheets, and added up."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from entropeg.told import Told
from entropeg.web import work
from entropeg.web.api.shapes import (
    GAME,
    Asked,
    BoardText,
    CodeText,
    PastedText,
    PlayerText,
    Seconds,
    TurnsText,
    allowed,
    asked_as,
    deadline,
)
from entropeg.web.inputs import code_of, rules_of, turns_of
from entropeg.web.language import Language, answered
from entropeg.web.models import model_of
from entropeg.web.refusals import RefusedError
from entropeg.web.tasks import reviews as tasks

router = APIRouter(tags=["review"])

LEVEL_SECONDS = 60.0
"""That a level may take beside: the first on a board of 5x8 takes 50 seconds, the next ones none."""
MarkName = Literal["best", "good", "inaccuracy", "mistake", "blunder", "wasted"]


class GamesAsked(Asked):
    """Games in a text, or one game: its rules, its turns, its secret and its codemaker where they are known."""

    model_config = asked_as(text=GAME)

    text: PastedText | None = Field(None, examples=[GAME])
    rules: BoardText | None = Field(None, description="Of a text they may be left out where it tells them.")
    turns: TurnsText | None = None
    secret: CodeText | None = None
    codemaker: PlayerText | None = Field(None, examples=["honest"])


class ReviewsAsked(GamesAsked):
    """Games, and what to tell of them."""

    seconds: Seconds = 5.0
    level: bool = Field(default=True, description="Tell who plays as well.")
    others: bool = Field(default=True, description="Tell what others would have played.")


class WorksheetAsked(ReviewsAsked):
    """Games, and what to make of them: a table, or a page that prints well."""

    as_: Literal["csv", "html"] = Field("csv", alias="as")


class ExpectationGiven(BaseModel):
    """A number of guesses, and how well it is known: an `Expectation` as it was told, within limits."""

    sign: Literal["=", "≥", "≈"] = Field(description="Exact, a lower bound, or an estimate.")
    value: float | None = Field(allow_inf_nan=False, description="Null where it is infinite or unknown.")
    error: float | None = Field(
        default=None, allow_inf_nan=False, description="Of an estimate: in 19 of 20 cases the number is that near."
    )
    fraction: str | None = Field(
        default=None,
        pattern=r"^-?\d{1,400}(/\d{1,400})?$",
        description="The exact number, where it is known as a fraction.",
    )


class ResultGiven(Asked):
    """What a review came to: as much as totals need."""

    guesses: int = Field(ge=1, le=1_000_000)
    won: bool
    par: ExpectationGiven
    loss: ExpectationGiven
    luck: ExpectationGiven
    remaining: ExpectationGiven
    marks: list[MarkName | None] = Field(max_length=2_000)


class TotalsAsked(Asked):
    """Results of reviews on the same rules."""

    model_config = asked_as(
        rules="4x6",
        games=[
            {
                "guesses": 5,
                "won": True,
                "par": {"sign": "=", "value": 4.34, "error": None, "fraction": "5625/1296"},
                "loss": {"sign": "=", "value": 1.1, "error": None, "fraction": None},
                "luck": {"sign": "≈", "value": 0.44, "error": 0.02, "fraction": None},
                "remaining": {"sign": "=", "value": 0.0, "error": None, "fraction": "0"},
                "marks": ["best", None, "mistake", None, None],
            }
        ],
    )

    rules: BoardText
    games: list[ResultGiven] = Field(min_length=1, max_length=5_000)
    name: str = Field("", max_length=100, description="Whose games they are, for the sentence.")
    level: bool = Field(default=True, description="Tell who plays as well, which on large boards takes long at first.")


@router.post("/reviews/games", response_model=model_of(tasks.GamesRead))
async def games(request: Request, asked: GamesAsked, language: Language) -> Response:
    """Read games from text: saved ones, logs, and rows pasted from other programs; one or many. Nothing is reviewed."""
    _check_given(request, asked)
    return await work.answer(request, tasks.games, asked.model_dump(), language, seconds=deadline(0))


@router.post("/reviews", response_model=model_of(tasks.GamesReviewed))
async def reviews(request: Request, asked: ReviewsAsked, language: Language) -> Response:
    """Review games: what each guess lost and what luck gave, exactly where that can be told, and what others do."""
    _check_given(request, asked)
    given = asked.model_dump() | {"seconds": allowed(asked.seconds, request.app.state.settings.limits)}
    data = await work.run(request, tasks.reviews, given, seconds=deadline(asked.seconds))
    if asked.level:
        await _add_levels(request, data["games"])
    return answered(data, language)


async def _add_levels(request: Request, games: list[dict[str, Any]]) -> None:
    """Tell the levels, in a piece of work of its own: where it has no time the reviews are there all the same."""
    reviews = [game["review"] for game in games]
    seconds = deadline(0) + LEVEL_SECONDS
    try:
        levels = await work.run(request, tasks.levels, {"reviews": reviews}, seconds=seconds, is_further=True)
    except RefusedError as refused:
        if refused.status == work.GONE:
            raise
        for game in games:
            game["says"]["level"] = Told("no level is told: {refusal}", refused)
        return
    for game, level in zip(games, levels, strict=True):
        game["level"] = level


@router.post("/reviews/worksheet", response_class=Response)
async def worksheet(request: Request, asked: WorksheetAsked, language: Language) -> Response:
    """Return the worksheet of games as CSV, or a page of their reviews that prints well."""
    _check_given(request, asked)
    seconds = allowed(asked.seconds, request.app.state.settings.limits)
    given = asked.model_dump() | {"seconds": seconds, "language": language}
    text = await work.run(request, tasks.worksheet, given, seconds=deadline(asked.seconds))
    kind = "text/csv" if asked.as_ == "csv" else "text/html"
    named = f'attachment; filename="worksheet.{asked.as_}"'
    return Response(text, media_type=kind, headers={"Content-Disposition": named})


@router.post("/reviews/totals", response_model=model_of(tasks.TotalsTold))
async def totals(request: Request, asked: TotalsAsked, language: Language) -> Response:
    """Add up the results of reviews on the same rules, and tell the level of play."""
    _check(request, asked.rules)
    seconds = deadline(0) + (LEVEL_SECONDS if asked.level else 0)
    return await work.answer(request, tasks.totals, asked.model_dump(), language, seconds=seconds)


def _check(request: Request, rules: str | None) -> None:
    if rules is not None:
        rules_of(rules, request.app.state.settings.limits)


def _check_given(request: Request, asked: GamesAsked) -> None:
    if (asked.text is None) == (asked.turns is None):
        raise RefusedError("a review is of a text, or of rules and turns: give one of them", "text")
    if asked.text is not None:
        _check(request, asked.rules)
        return
    if asked.rules is None or asked.turns is None:
        raise RefusedError("the rules of the turns are missing", "rules", "4x6")
    limits = request.app.state.settings.limits
    rules = rules_of(asked.rules, limits)
    turns_of(asked.turns, rules, limits)
    if asked.secret is not None:
        code_of(asked.secret, rules, "secret", secret=True)
