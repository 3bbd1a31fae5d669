"""`GET /api/rules`: a board described, or refused with the reason."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse

from entropeg.web.gate import RULES_TEXT, rules_of
from entropeg.web.language import Language, told
from entropeg.web.models import model_of
from entropeg.web.values import RulesShown

router = APIRouter(tags=["rules"])

RulesText = Annotated[str, Query(max_length=RULES_TEXT, examples=["4x6"])]
"""Rules as text, in an address."""


@router.get("/rules", response_model=model_of(RulesShown))
def rules(request: Request, text: RulesText, language: Language) -> Response:
    """Describe rules: sizes, options, symbols with their drawing, how many secrets there are, what can be asked."""
    shown = RulesShown.of(rules_of(text, request.app.state.settings.limits, "text"))
    return JSONResponse(told(shown.to_json(), language))
