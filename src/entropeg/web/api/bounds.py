"""`GET /api/bounds`: what is known of a board without playing on it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel

from entropeg.web.gate import RULES_TEXT
from entropeg.web.language import Language, told
from entropeg.web.work import run

router = APIRouter(tags=["bounds"])

SECONDS = 20.0
"""For the largest boards, of a million pegs and colors."""


class BoundShown(BaseModel):
    """A proven or published bound: at least (lower) or at most (upper) so many guesses, in the mean or at worst."""

    name: str
    side: str
    measure: str
    value: float
    formula: str
    source: str
    grade: str


class KnownShown(BaseModel):
    """What is reported of one strategy."""

    rules: str
    strategy: str
    grade: str
    source: str
    total: int | None
    worst: int | None
    mean: float | None
    sampled: bool
    games: list[int]


class BoundsShown(BaseModel):
    """What is known of a board; `codes` is null where they have more than fifteen digits, `bits` is their logarithm."""

    rules: str
    codes: int | None
    bits: float
    feedbacks: int | None
    bounds: list[BoundShown]
    known: list[KnownShown]
    grades: dict[str, str]


@router.get("/bounds")
async def bounds(
    request: Request,
    rules: Annotated[str, Query(max_length=RULES_TEXT, examples=["5x8"])],
    language: Language,
) -> BoundsShown:
    """Tell the bounds and the best known values of a board of any size, each with its source and grade."""
    limits = request.app.state.settings.limits
    asked = {"rules": rules, "limits": limits}
    found: dict[str, Any] = await run(request, "entropeg.web.tasks.bounds:facts", asked, seconds=SECONDS)
    return BoundsShown.model_validate(told(found, language))
