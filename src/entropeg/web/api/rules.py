"""`GET /api/rules` and `/api/bounds`: a board described, or refused with the reason, and the known facts of it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from entropeg.search.known import BoardFacts
from entropeg.web import work
from entropeg.web.inputs import RULES_TEXT, rules_of
from entropeg.web.language import Language, answered
from entropeg.web.models import model_of
from entropeg.web.shown_rules import RulesShown
from entropeg.web.tasks.boards import facts

router = APIRouter()

RulesText = Annotated[str, Query(max_length=RULES_TEXT, examples=["4x6"])]
"""Rules as text, in an address."""


@router.get("/rules", tags=["rules"], response_model=model_of(RulesShown))
def rules(request: Request, text: RulesText, language: Language) -> Response:
    """Describe rules: sizes, options, symbols with their drawing, how many secrets there are, what can be asked."""
    shown = RulesShown.of(rules_of(text, request.app.state.settings.limits, "text"))
    return answered(shown, language)


@router.get("/bounds", tags=["bounds"], response_model=model_of(BoardFacts))
async def bounds(request: Request, rules: RulesText, language: Language) -> Response:
    """Tell the bounds and the best known values of a board of any size, each with its source and grade."""
    asked = {"rules": rules, "limits": request.app.state.settings.limits}
    # The largest boards, of a million pegs and colors, take that long.
    return await work.answer(request, facts, asked, language, seconds=20.0)
