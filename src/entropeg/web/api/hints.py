"""`POST /api/hints`: hints for a game that is being played, each of which gives away more."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import Field

from entropeg.advise.ladder import HintLadder
from entropeg.web import work
from entropeg.web.api.shapes import (
    Asked,
    BoardText,
    CodeText,
    Seconds,
    TurnsText,
    deadline,
)
from entropeg.web.gate import rules_of, turns_of
from entropeg.web.language import Language, told
from entropeg.web.models import model_of

router = APIRouter(tags=["play"])


class HintsAsked(Asked):
    """A game, and the guess that is being made."""

    rules: BoardText
    turns: TurnsText = Field(default_factory=list)
    guess: CodeText | None = Field(None, description="The guess in the making, ? for pegs not set.", examples=["AC??"])
    best: bool = Field(default=True, description="Whether to work out the best guess, which takes most of the time.")
    seconds: Seconds = 1.0


@router.post("/hints", response_model=model_of(HintLadder))
async def hints(request: Request, asked: HintsAsked, language: Language) -> Response:
    """Give hints in steps: codes left, what contradicts the guess in the making, the kind and shape of a good guess."""
    limits = request.app.state.settings.limits
    turns_of(asked.turns, rules_of(asked.rules, limits), limits)
    data = await work.run(
        request, "entropeg.web.tasks.hints:hints", asked.model_dump(), seconds=deadline(asked.seconds)
    )
    return JSONResponse(told(data, language))
