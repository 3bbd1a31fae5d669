"""`GET /api/rules`: a board described, or refused with the reason."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from entropeg.web.gate import RULES_TEXT, rules_of
from entropeg.web.language import Language, told
from entropeg.web.values import rules_data

router = APIRouter(tags=["rules"])

RulesText = Annotated[str, Query(max_length=RULES_TEXT, examples=["4x6"])]
"""Rules as text, in an address."""


class SymbolShown(BaseModel):
    """How a peg is written and drawn: its outline around 0, 0, 24 wide; `drop` moves the letter down."""

    index: int
    text: str
    name: str
    fill: str
    ink: str
    path: str
    drop: float
    tile: bool


class MarkShown(BaseModel):
    """What a mark means; what all of them mean where `mark` is empty."""

    mark: str
    says: str


class RulesShown(BaseModel):
    """A board described: all that is needed to draw and to play it."""

    text: str
    pegs: int
    colors: int
    limit: int | None
    feedback: str
    hard: bool
    repeats: bool
    guess_repeats: bool
    blanks: str
    shapes: int
    words: bool
    secrets: str
    secret_count: int | None
    says: str
    symbols: list[SymbolShown]
    more_symbols: int
    blank: int | None
    symmetric: bool
    notation: str
    numbers: list[str] = Field(description="What feedback counts; nothing where it is a mark for each peg.")
    legend: list[MarkShown]
    can: dict[str, bool | list[str]]


@router.get("/rules")
def rules(request: Request, text: RulesText, language: Language) -> RulesShown:
    """Describe rules: sizes, options, symbols with their drawing, how many secrets there are, what can be asked."""
    data: dict[str, Any] = rules_data(rules_of(text, request.app.state.settings.limits, "text"))
    return RulesShown.model_validate(told(data, language))
