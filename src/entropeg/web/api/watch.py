"""`POST /api/watch`: a game of any codebreaker against any codemaker, with what each answer would have left."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from pydantic import Field

from entropeg.experiments.watched import WatchedGame
from entropeg.web import work
from entropeg.web.api.shapes import Asked, BoardText, CodeText, PlayerText, Seconds, Seed, allowed, deadline
from entropeg.web.inputs import code_of, codebreaker_of, codemaker_of, rules_of
from entropeg.web.language import Language
from entropeg.web.models import model_of
from entropeg.web.refusals import RefusedError
from entropeg.web.tasks import watching as tasks

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


@router.post("/watch", response_model=model_of(WatchedGame))
async def watch(request: Request, asked: WatchAsked, language: Language) -> Response:
    """Play a game of two programs, and say of each turn what every answer would have left."""
    limits = request.app.state.settings.limits
    rules = rules_of(asked.rules, limits)
    codebreaker_of(asked.codebreaker)
    codemaker = codemaker_of(asked.codemaker)
    if asked.secret is not None:
        code_of(asked.secret, rules, "secret", secret=True)
        if codemaker.name != "honest":
            raise RefusedError("a secret that is given is kept by the honest codemaker alone", "codemaker", "honest")
    given = asked.model_dump() | {"seconds": allowed(asked.seconds, limits, times=2)}  # to play, and to look at it
    return await work.answer(request, tasks.watch, given, language, seconds=deadline(asked.seconds))
