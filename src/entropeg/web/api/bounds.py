"""`GET /api/bounds`: the known facts of a board, without playing on it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse

from entropeg.search.known import BoardFacts
from entropeg.web.gate import RULES_TEXT
from entropeg.web.language import Language, told
from entropeg.web.models import model_of
from entropeg.web.work import run

router = APIRouter(tags=["bounds"])


@router.get("/bounds", response_model=model_of(BoardFacts))
async def bounds(
    request: Request,
    rules: Annotated[str, Query(max_length=RULES_TEXT, examples=["5x8"])],
    language: Language,
) -> Response:
    """Tell the bounds and the best known values of a board of any size, each with its source and grade."""
    limits = request.app.state.settings.limits
    asked = {"rules": rules, "limits": limits}
    # The largest boards, of a million pegs and colors, take that long.
    found = await run(request, "entropeg.web.tasks.bounds:facts", asked, seconds=20.0)
    return JSONResponse(told(found, language))
