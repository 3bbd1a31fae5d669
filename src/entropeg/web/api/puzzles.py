"""`GET /api/puzzles` and below: puzzles by theme and difficulty, judged, with hints, solutions and booklets."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import Field

from entropeg.web import work
from entropeg.web.api.shapes import GAME, Asked, BoardText, CodeText, PastedText, Seed, TurnsText, asked_as
from entropeg.web.inputs import rules_of, turns_of
from entropeg.web.language import Language
from entropeg.web.models import model_of
from entropeg.web.refusals import RefusedError
from entropeg.web.tasks import puzzles as tasks

router = APIRouter(tags=["train"])

SECONDS = 20.0
"""That one of these requests may take."""
MOST = 500
"""Puzzles of a seed that may be passed over."""


ThemeName = Annotated[str, Field(max_length=20, description="deduce, split, outside, trap or mend; null: all in turn.")]


class LearnedName(Asked):
    """What names a puzzle of one's own game: the turns up to the guess that could have been better."""

    rules: BoardText
    turns: TurnsText


class DrawnName(Asked):
    """What names a puzzle that was drawn: it is made again from this."""

    rules: BoardText
    theme: ThemeName | None = None
    seed: Seed = 0
    number: int = Field(ge=1, le=2 * MOST)


class OwnName(Asked):
    """A puzzle of one's own game."""

    learn: LearnedName


PuzzleName = DrawnName | OwnName

DRAWN = {"rules": "4x6", "theme": "deduce", "seed": 0, "number": 1}
"""An example of the name of a puzzle."""


class SeriesAsked(Asked):
    """Which puzzles: of some rules, theme and seed."""

    rules: BoardText = "4x6"
    theme: ThemeName | None = None
    seed: Seed = 0
    skip: int = Field(0, ge=0, le=MOST, description="Puzzles to pass over.")
    least: float = Field(
        0.0, ge=0, le=1, allow_inf_nan=False, description="Least difficulty: the share of codebreakers that fail."
    )
    most: float = Field(1.0, ge=0, le=1, allow_inf_nan=False, description="Greatest difficulty.")
    language: str | None = Field(None, max_length=20, description="Of sentences: en or fr; else the browser's.")


class BookletAsked(SeriesAsked):
    """Which puzzles a booklet has."""

    count: int = Field(12, ge=1, le=48)


class LearnAsked(Asked):
    """Games in a text, or one game, of whose mistakes puzzles are made."""

    model_config = asked_as(text=GAME)

    text: PastedText | None = None
    rules: BoardText | None = None
    turns: TurnsText | None = None


class JudgeAsked(Asked):
    """A puzzle, and an attempt at it."""

    model_config = asked_as(puzzle=DRAWN, guess="AABB")

    puzzle: PuzzleName
    guess: CodeText | None = None
    row: int | None = Field(None, ge=1, description="The wrong row, from 1, where that is asked.")
    hints: int = Field(0, ge=0, le=100, description="Hints that were taken, for the points.")
    tried: int = Field(0, ge=0, le=100_000, description="Attempts that missed before, for the points.")


class HintAsked(Asked):
    """A puzzle, and which of its hints."""

    model_config = asked_as(puzzle=DRAWN, step=1)

    puzzle: PuzzleName
    step: int = Field(1, ge=1, le=100)


class SolutionAsked(Asked):
    """A puzzle."""

    model_config = asked_as(puzzle=DRAWN)

    puzzle: PuzzleName


@router.get("/puzzles", response_model=model_of(tasks.PuzzleShown))
async def draw(request: Request, asked: Annotated[SeriesAsked, Query()], language: Language) -> Response:
    """Draw a puzzle: the same for the same rules, theme, seed and number of puzzles passed over."""
    rules_of(asked.rules, request.app.state.settings.limits)
    return await work.answer(request, tasks.draw, asked.model_dump(), language, seconds=SECONDS)


@router.post("/puzzles/learn", response_model=model_of(tasks.PuzzlesShown))
async def learn(request: Request, asked: LearnAsked, language: Language) -> Response:
    """Make puzzles of the mistakes in one's own games."""
    if (asked.text is None) == (asked.turns is None):
        raise RefusedError("puzzles are made of a text, or of rules and turns: give one of them", "text")
    if asked.turns is not None and asked.rules is None:
        raise RefusedError("the rules of the turns are missing", "rules", "4x6")
    limits = request.app.state.settings.limits
    if asked.rules is not None:
        rules = rules_of(asked.rules, limits)
        turns_of(asked.turns or [], rules, limits)
    return await work.answer(request, tasks.learn, asked.model_dump(), language, seconds=2 * SECONDS)


@router.post("/puzzles/judge", response_model=model_of(tasks.Judged))
async def judge(request: Request, asked: JudgeAsked, language: Language) -> Response:
    """Judge an attempt at a puzzle: exactly, for any guess."""
    _check(request, asked.puzzle)
    return await work.answer(request, tasks.judge, asked.model_dump(), language, seconds=SECONDS)


@router.post("/puzzles/hints", response_model=model_of(tasks.HintTold))
async def hints(request: Request, asked: HintAsked, language: Language) -> Response:
    """Give a hint of a puzzle; each gives away more than the one before it."""
    _check(request, asked.puzzle)
    return await work.answer(request, tasks.hints, asked.model_dump(), language, seconds=SECONDS)


@router.post("/puzzles/solution", response_model=model_of(tasks.PuzzleSolution))
async def solution(request: Request, asked: SolutionAsked, language: Language) -> Response:
    """Tell the solution of a puzzle, and why it is the best."""
    _check(request, asked.puzzle)
    return await work.answer(request, tasks.solution, asked.model_dump(), language, seconds=SECONDS)


@router.get("/puzzles/booklet", response_class=HTMLResponse)
async def booklet(request: Request, asked: Annotated[BookletAsked, Query()], language: Language) -> HTMLResponse:
    """Return a page with puzzles and, after them, their solutions, which prints well."""
    rules_of(asked.rules, request.app.state.settings.limits)
    wanted = asked.model_dump() | {"language": language}
    page = await work.run(request, tasks.booklet, wanted, seconds=2 * SECONDS)
    # A booklet is a page by itself: it has its style within, and no script.
    return HTMLResponse(
        page,
        headers={
            "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
            "base-uri 'none'; form-action 'none'; sandbox"
        },
    )


def _check(request: Request, named: PuzzleName) -> None:
    limits = request.app.state.settings.limits
    if isinstance(named, DrawnName):
        rules_of(named.rules, limits, "puzzle.rules")
    else:
        turns_of(
            named.learn.turns, rules_of(named.learn.rules, limits, "puzzle.learn.rules"), limits, "puzzle.learn.turns"
        )
