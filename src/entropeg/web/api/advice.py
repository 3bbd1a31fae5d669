"""`POST /api/advice`, `/api/mends`, `/api/rows`: what to play next on a real board, and what is wrong in its notes."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from entropeg.web import work
from entropeg.web.api.shapes import (
    Asked,
    BoardText,
    CodeText,
    ExpectationShown,
    PastedText,
    PlayerText,
    RatedShown,
    RowsText,
    Seconds,
    allowed,
    deadline,
)
from entropeg.web.gate import codebreaker_of, rules_of
from entropeg.web.language import Language, told
from entropeg.web.values import FeedbackShown

router = APIRouter(tags=["assist"])

OPTIMAL = "optimal"
"""The best guess known, asked for among players."""
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


class PartGuessShown(BaseModel):
    """A guess of which pegs may be unknown: null."""

    text: str
    pegs: list[int | None]


class RowShown(BaseModel):
    """A row as it was read: `text` can be sent back."""

    text: str = Field(examples=["AABB XO"])
    guess: PartGuessShown
    marks: str = Field(description="What is known of the feedback, as text.", examples=["XO?"])
    feedback: FeedbackShown | None = Field(description="Null where a part is unknown.")
    complete: bool
    says: str


class RowsShown(BaseModel):
    """The rows of a text, and the rules that they were read by."""

    rules: str
    rows: list[RowShown]


class CodesLeftShown(BaseModel):
    """The codes still possible."""

    count: int | None = Field(description="Exactly; null where nobody can count them.")
    about: float | None
    sample: int | None = Field(description="Codes of a sample that stands for them; null: all are listed.")
    method: str
    codes: list[str]
    more: bool
    says: str


class AnswerShown(BaseModel):
    """An answer to the best guess, and what it would leave."""

    feedback: FeedbackShown
    codes: int
    chance: float


class PlayerGuessShown(BaseModel):
    """What a codebreaker would play; `guess` is null where it cannot, and `reason` says why."""

    player: str
    reason: str
    guess: str | None
    pegs: list[int] | None
    candidate: bool | None = None
    chance: float | None = None
    bits: float | None = None
    parts: int | None = None
    largest: int | None = None
    expected_size: float | None = None
    expected: ExpectationShown | None = None
    loss: ExpectationShown | None = None
    sample: int | None = None


class AdviceTold(BaseModel):
    """Advice: the keys of `entropeg advise --json`, and guesses with their pegs."""

    rules: str
    left: CodesLeftShown
    value: ExpectationShown = Field(description="Guesses expected from here on with the best play.")
    proven: bool = Field(description="Whether no guess that is not listed is better than the last one that is.")
    keeps_limit: bool
    is_last_guess: bool
    guesses: list[RatedShown]
    also: list[RatedShown]
    says: list[str] = Field(description="On the best guess, and on each of those asked about.")
    answers: list[AnswerShown] = Field(description="What each answer to the best guess leaves, the most codes first.")
    marginals: list[dict[str, float]] = Field(
        description="For each peg the chance of each symbol; empty on vast boards."
    )
    copies: dict[str, float] = Field(description="How often each symbol is expected to occur.")
    presence: dict[str, float] = Field(description="The chance that each symbol occurs.")
    players: list[PlayerGuessShown]
    seconds: float


class MendShown(BaseModel):
    """One way to mend a contradiction: `rows` replace those that were sent."""

    says: str
    kinds: list[str]
    changes: list[int] = Field(description="Rows that it changes, from 1.")
    codes: int = Field(description="Codes that fit then; exactly where `exact`, else at least.")
    exact: bool
    probability: float
    rows: list[str]


class SuspectShown(BaseModel):
    """A row to look at."""

    row: int = Field(description="From 1.")
    probability: float
    says: str
    mends: list[MendShown]
    rest: str


class ContradictionShown(BaseModel):
    """Why no code fits the rows, and what may be wrong in them; rows count from 1."""

    says: str
    situation: Literal["live", "afterwards"]
    proved: bool
    conflicts: list[list[int]] = Field(description="Rows that cannot all be true.")
    mistakes: int
    rows: list[SuspectShown] = Field(description="The likeliest first.")
    undecided: list[int]


class AdviceShown(BaseModel):
    """Advice, or the contradiction; neither where the game is over."""

    advice: AdviceTold | None
    contradiction: ContradictionShown | None
    rows: list[RowShown]
    state: Literal["open", "won", "lost"]


class MendsShown(BaseModel):
    """The contradiction; null where a code fits, which `says` tells."""

    contradiction: ContradictionShown | None
    says: str


@router.post("/advice", response_model_exclude_unset=True)
async def advice(request: Request, asked: AdviceAsked, language: Language) -> AdviceShown:
    """Advise on the next guess after some rows: ranked guesses and why; where no code fits, ways to mend the rows."""
    limits = request.app.state.settings.limits
    rules_of(asked.rules, limits)
    for place, player in enumerate(asked.players):
        if player != OPTIMAL:
            codebreaker_of(player, f"players.{place}")
    times = 2 if asked.players else 1
    given = asked.model_dump() | {"seconds": allowed(asked.seconds, limits, times)}
    task, seconds = "entropeg.web.tasks.advice:advice", deadline(asked.seconds * times)
    data = await work.run(request, task, given, seconds=seconds)
    return AdviceShown.model_validate(told(data, language))


@router.post("/mends", response_model_exclude_unset=True)
async def mends(request: Request, asked: MendsAsked, language: Language) -> MendsShown:
    """Say which rows contradict one another, which of them is likely wrong, and what it may have been."""
    limits = request.app.state.settings.limits
    rules_of(asked.rules, limits)
    given = asked.model_dump() | {"seconds": allowed(asked.seconds, limits)}
    data = await work.run(request, "entropeg.web.tasks.advice:mends", given, seconds=deadline(asked.seconds))
    return MendsShown.model_validate(told(data, language))


@router.post("/rows", response_model_exclude_unset=True)
async def rows(request: Request, asked: RowsAsked, language: Language) -> RowsShown:
    """Read rows from text: typed, pasted from elsewhere, or saved notes and games."""
    if asked.rules is not None:
        rules_of(asked.rules, request.app.state.settings.limits)
    data = await work.run(request, "entropeg.web.tasks.advice:rows", asked.model_dump(), seconds=deadline(0))
    return RowsShown.model_validate(told(data, language))
