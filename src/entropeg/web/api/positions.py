"""`POST /api/positions`: which codes are left, and what they have in common."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import Field

from entropeg.web import gate, work
from entropeg.web.api.games import RulesField, Turns, limited
from entropeg.web.api.shapes import Asked
from entropeg.web.errors import DeadlineError, RefusedError
from entropeg.web.language import Language, told
from entropeg.web.models import model_of
from entropeg.web.tasks import positions as tasks

router = APIRouter(tags=["positions"])


class PositionAsked(Asked):
    """A position: turns, or rows of notes such as `AABB XO` and `AB?? ?`."""

    rules: RulesField
    turns: Turns = Field(default=[])
    rows: Annotated[list[Annotated[str, Field(max_length=10_000)]], Field(max_length=500)] | None = None


@router.post("/positions", response_model=model_of(tasks.PositionTold))
async def position(request: Request, asked: PositionAsked, language: Language) -> Response:
    """Count the codes that fit the turns, exactly or about, and say how likely each symbol is at each peg."""
    rules = gate.rules_of(asked.rules, request.app.state.settings.limits)
    if asked.rows is not None and asked.turns:
        raise RefusedError("a position has turns or rows: leave one of them out", "rows")
    data = {"rules": str(rules), "turns": limited(request, asked.turns), "rows": asked.rows}
    found = None
    if asked.rows is None and tasks.is_quick(rules, len(asked.turns)):
        found = tasks.position({**data, "quick": True})
    if found is None:
        try:
            # After eight seconds the codes of a large board are left uncounted.
            found = await work.run(request, "entropeg.web.tasks.positions:position", data, seconds=8.0)
        except DeadlineError:
            found = tasks.unknown(
                rules, "open", says="the codes left could not be counted in the time that this may take"
            ).to_json()
    return JSONResponse(told(found, language))
