"""`/api/advice`, `/api/explore`, `/api/mends`, `/api/rows`, `/api/hints`: what to play next, what is wrong in notes."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import Field

from entropeg.advise.exploring import Exploration
from entropeg.advise.ladder import HintLadder
from entropeg.advise.noted import NotedAdvice
from entropeg.web import work
from entropeg.web.api.shapes import (
    Asked,
    BoardText,
    CodeText,
    PastedText,
    PlayerText,
    RowsText,
    Seconds,
    TurnsText,
    allowed,
    deadline,
)
from entropeg.web.inputs import codebreaker_of, rules_of, turns_of
from entropeg.web.language import Language
from entropeg.web.models import model_of
from entropeg.web.tasks import advice as tasks

router = APIRouter()

SureRows = Annotated[list[int], Field(max_length=200, description="Rows, from 1, that are not to be mended.")]


class AdviceAsked(Asked):
    """Rules and rows as they were noted, and what to tell."""

    rules: BoardText
    rows: RowsText = Field(default_factory=list)
    limit: int = Field(5, ge=1, le=100, description="Guesses to rank.")
    also: list[CodeText] = Field(
        default_factory=list, max_length=20, description="Guesses to rate beside them.", examples=[["ABCD"]]
    )
    players: list[PlayerText] = Field(
        default_factory=list,
        max_length=12,
        description="Codebreakers whose guesses to show.",
        examples=[["minimax", "entropy", "optimal"]],
    )
    seconds: Seconds = 2.0
    codes: int = Field(48, ge=0, le=2000, description="Codes to list of those left.")
    sure: SureRows = Field(default_factory=list)


class ExploreAsked(Asked):
    """A position, and the guess whose answers are to be told."""

    rules: BoardText
    turns: TurnsText = Field(default_factory=list)
    guess: CodeText | None = Field(None, description="The guess; null for the best.", examples=["ACAD"])
    limit: int = Field(100, ge=1, le=2000, description="Classes of guesses to tell, the best first.")
    seconds: Seconds = 2.0
    codes: int = Field(48, ge=0, le=2000, description="Codes to list of those left.")


class MendsAsked(Asked):
    """Rows that contradict one another."""

    rules: BoardText
    rows: RowsText
    live: bool = Field(default=True, description="Whether the guesses followed the rows as they stand.")
    sure: SureRows = Field(default_factory=list)
    seconds: Seconds = 4.0


class RowsAsked(Asked):
    """Text with rows, and the rules where they are known."""

    rules: BoardText | None = None
    text: PastedText = Field(examples=["1. aabb  xo\n2) CCDD -> 1b"])


@router.post("/advice", tags=["assist"], response_model=model_of(NotedAdvice))
async def advice(request: Request, asked: AdviceAsked, language: Language) -> Response:
    """Advise on the next guess after some rows: ranked guesses and why; where no code fits, ways to mend the rows."""
    limits = request.app.state.settings.limits
    rules_of(asked.rules, limits)
    for place, player in enumerate(asked.players):
        if player != "optimal":
            codebreaker_of(player, f"players.{place}")
    times = 2 if asked.players else 1
    given = asked.model_dump() | {"seconds": allowed(asked.seconds, limits, times)}
    task, seconds = tasks.advice, deadline(asked.seconds * times)
    return await work.answer(request, task, given, language, seconds=seconds)


@router.post("/explore", tags=["assist"], response_model=model_of(Exploration))
async def explored(request: Request, asked: ExploreAsked, language: Language) -> Response:
    """Say all that is known of a position: its value, all guesses by kinds, and what each answer to one leaves."""
    limits = request.app.state.settings.limits
    turns_of(asked.turns, rules_of(asked.rules, limits), limits)
    given = asked.model_dump() | {"seconds": allowed(asked.seconds, limits)}
    return await work.answer(request, tasks.explored, given, language, seconds=deadline(asked.seconds))


@router.post("/mends", tags=["assist"], response_model=model_of(tasks.Mending))
async def mends(request: Request, asked: MendsAsked, language: Language) -> Response:
    """Say which rows contradict one another, which of them is likely wrong, and what it may have been."""
    limits = request.app.state.settings.limits
    rules_of(asked.rules, limits)
    given = asked.model_dump() | {"seconds": allowed(asked.seconds, limits)}
    return await work.answer(request, tasks.mends, given, language, seconds=deadline(asked.seconds))


@router.post("/rows", tags=["assist"], response_model=model_of(tasks.ReadRows))
async def rows(request: Request, asked: RowsAsked, language: Language) -> Response:
    """Read rows from text: typed, pasted from elsewhere, or saved notes and games."""
    if asked.rules is not None:
        rules_of(asked.rules, request.app.state.settings.limits)
    return await work.answer(request, tasks.rows, asked.model_dump(), language, seconds=deadline(0))


class HintsAsked(Asked):
    """A game, and the guess that is being made."""

    rules: BoardText
    turns: TurnsText = Field(default_factory=list)
    guess: CodeText | None = Field(None, description="The guess in the making, ? for pegs not set.", examples=["AC??"])
    best: bool = Field(default=True, description="Whether to work out the best guess, which takes most of the time.")
    seconds: Seconds = 1.0


@router.post("/hints", tags=["play"], response_model=model_of(HintLadder))
async def hints(request: Request, asked: HintsAsked, language: Language) -> Response:
    """Give hints in steps: codes left, what contradicts the guess in the making, the kind and shape of a good guess."""
    limits = request.app.state.settings.limits
    turns_of(asked.turns, rules_of(asked.rules, limits), limits)
    return await work.answer(request, tasks.hints, asked.model_dump(), language, seconds=deadline(asked.seconds))
