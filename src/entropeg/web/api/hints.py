"""`POST /api/hints`: hints for a game that is being played, each of which gives away more."""

from __future__ import annotations

from typing import Literal, TypeAlias

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

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
from entropeg.web.values import PegsShown

router = APIRouter(tags=["play"])


HintKindText: TypeAlias = Literal["left", "contradiction", "pegs", "kind", "shape", "guess", "why"]


class HintsAsked(Asked):
    """A game, and the guess that is being made."""

    rules: BoardText
    turns: TurnsText = Field(default_factory=list)
    guess: CodeText | None = Field(None, description="The guess in the making, ? for pegs not set.", examples=["AC??"])
    best: bool = Field(default=True, description="Whether to work out the best guess, which takes most of the time.")
    seconds: Seconds = 1.0


class StepShown(BaseModel):
    """One hint."""

    kind: HintKindText
    says: str
    row: int | None = Field(description="The row that it speaks of, from 1.")
    pegs: list[int] = Field(description="The pegs that it speaks of, from 1.")
    code: PegsShown | None = Field(description="The guess that it gives away.")


class HintsShown(BaseModel):
    """Hints in order; the last two are the best guess, and why it is the best."""

    steps: list[StepShown]
    further: list[HintKindText] = Field(description="The hints at the best guess, where it was not asked for.")


@router.post("/hints", response_model_exclude_unset=True)
async def hints(request: Request, asked: HintsAsked, language: Language) -> HintsShown:
    """Give hints in steps: codes left, what contradicts the guess in the making, the kind and shape of a good guess."""
    limits = request.app.state.settings.limits
    turns_of(asked.turns, rules_of(asked.rules, limits), limits)
    data = await work.run(
        request, "entropeg.web.tasks.hints:hints", asked.model_dump(), seconds=deadline(asked.seconds)
    )
    return HintsShown.model_validate(told(data, language))
