"""`POST /api/answers`: a guess, answered as the codemaker of the token does."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import Field

from entropeg.web.api.games import RulesField, Token, Turns, dispatched, limited, opened
from entropeg.web.api.shapes import Asked, CodeText
from entropeg.web.language import Language, told
from entropeg.web.models import model_of
from entropeg.web.seal import EndedGames
from entropeg.web.tasks.games import Answered

router = APIRouter(tags=["games"])


class GuessAsked(Asked):
    """A guess after some turns. `strict` refuses one that contradicts a row; `count` counts the codes left."""

    rules: RulesField
    turns: Turns = Field(default=[])
    guess: Annotated[CodeText, Field(examples=["AABB"])]
    token: Token
    strict: bool = False
    count: bool = True


@router.post("/answers", response_model=model_of(Answered))
async def answer(request: Request, asked: GuessAsked, language: Language) -> Response:
    """Answer a guess: the same rules, token and guesses always get the same answers, until the game has ended."""
    rules, game = opened(request, asked.rules, asked.token)
    data = await dispatched(
        request,
        "answer",
        game,
        rules,
        {
            "turns": limited(request, asked.turns),
            "guess": asked.guess,
            "strict": asked.strict,
            "count": asked.count,
        },
    )
    turns = [*asked.turns, data["turn"]]
    ended: EndedGames = request.app.state.ended
    ended.check(asked.token, turns)
    if data["state"] != "open":
        ended.note(asked.token, turns)
    return JSONResponse({**told(data, language), "next": asked.token})
