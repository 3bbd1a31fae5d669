"""`POST /api/watch`: a game of any codebreaker against any codemaker, with what each answer would have left."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from entropeg.web import work
from entropeg.web.api.shapes import (
    Asked,
    BoardText,
    CodeText,
    PlayerText,
    Seconds,
    Seed,
    TurnShown,
    allowed,
    deadline,
)
from entropeg.web.errors import RefusedError
from entropeg.web.gate import code_of, codebreaker_of, codemaker_of, rules_of
from entropeg.web.language import Language, told
from entropeg.web.numbered import is_to_come
from entropeg.web.values import FeedbackShown, PegsShown

router = APIRouter(tags=["watch"])


class WatchAsked(Asked):
    """Who plays against whom."""

    rules: BoardText
    codebreaker: PlayerText = Field("auto", examples=["entropy"])
    codemaker: PlayerText = Field("honest", examples=["cheat"])
    seed: Seed | None = Field(None, description="Null: one is drawn.")
    secret: CodeText | None = Field(None, description="A secret that an honest codemaker keeps.")
    steps: int | None = Field(None, ge=1, le=10_000, description="Turns at most; null: to the end.")
    seconds: Seconds = 10.0


class PartShown(BaseModel):
    """An answer that could come."""

    feedback: FeedbackShown
    size: int = Field(description="Codes that it leaves, of those left or of the sample.")
    chance: float
    hit: bool = Field(description="Whether it is the one that came.")


class SeenTurnShown(TurnShown):
    """A turn with what its guess did to the codes left."""

    before: int | None = Field(description="Codes left before it; null where they cannot be listed.")
    after: int | None
    sample: int | None = Field(description="Codes of the sample that `parts` are of; null: of all codes left.")
    chance: float | None = Field(description="How likely the answer was.")
    parts: list[PartShown] = Field(description="The likeliest first; empty where there was no time for them.")
    says: str


class WatchedShown(BaseModel):
    """A game; the same seed gives the same game, that of `entropeg.play`."""

    rules: str
    codebreaker: str
    codemaker: str
    seed: int
    secret: PegsShown | None = Field(description="Null where the codemaker keeps none.")
    turns: list[SeenTurnShown]
    state: Literal["open", "won", "lost"]
    cut: bool = Field(description="Whether the time, or the turns asked for, were over before the game was.")


@router.post("/watch", response_model_exclude_unset=True)
async def watch(request: Request, asked: WatchAsked, language: Language) -> WatchedShown:
    """Play a game of two programs, and say of each turn what every answer would have left."""
    limits = request.app.state.settings.limits
    rules = rules_of(asked.rules, limits)
    codebreaker_of(asked.codebreaker)
    codemaker = codemaker_of(asked.codemaker)
    if asked.secret is not None:
        code_of(asked.secret, rules, "secret", secret=True)
        if codemaker.name != "honest":
            raise RefusedError("a secret that is given is kept by the honest codemaker alone", "codemaker", "honest")
    elif asked.seed is not None and is_to_come(asked.seed):
        raise RefusedError("this is the seed of a daily puzzle whose day is not over: take another one", "seed", 1)
    task = "entropeg.web.tasks.watching:watch"
    given = asked.model_dump() | {"seconds": allowed(asked.seconds, limits, times=2)}  # to play, and to look at it
    data = await work.run(request, task, given, seconds=deadline(asked.seconds))
    return WatchedShown.model_validate(told(data, language))
