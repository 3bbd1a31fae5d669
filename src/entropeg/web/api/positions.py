"""`POST /api/positions`: which codes are left, and what they have in common."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from entropeg.web import gate, work
from entropeg.web.api.games import RulesField, Turns, limited
from entropeg.web.api.shapes import Asked
from entropeg.web.errors import DeadlineError, RefusedError
from entropeg.web.language import Language, told
from entropeg.web.tasks import positions as tasks
from entropeg.web.values import ConflictShown

router = APIRouter(tags=["positions"])

SECONDS = 8.0
"""After which the codes of a large board are left uncounted."""


class PositionAsked(Asked):
    """A position: turns, or rows of notes such as `AABB XO` and `AB?? ?`."""

    rules: RulesField
    turns: Turns = Field(default=[])
    rows: Annotated[list[Annotated[str, Field(max_length=10_000)]], Field(max_length=500)] | None = None


class CodesLeft(BaseModel):
    """The codes left. `count` is exact or null, `about` an estimate or null; `codes` are the first, or some."""

    count: int | None
    about: float | None
    method: str
    exact: bool
    says: str
    codes: list[str]


class PositionShown(BaseModel):
    """A position. Chances are by peg and symbol: null where nobody can tell, or the board is too large to list them."""

    rules: str
    left: CodesLeft
    marginals: list[list[float]] | None
    presence: list[float] | None
    copies: list[float] | None
    state: str
    conflict: ConflictShown | None


@router.post("/positions", response_model=PositionShown)
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
            found = await work.run(request, "entropeg.web.tasks.positions:position", data, seconds=SECONDS)
        except DeadlineError:
            found = tasks.unknown(
                rules, "open", says="the codes left could not be counted in the time that this may take"
            )
    return JSONResponse(told(found, language))
