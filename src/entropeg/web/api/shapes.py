"""Models that the requests and answers of several resources share, with what every field means."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from entropeg.web.gate import PLAYER_TEXT, RULES_TEXT
from entropeg.web.settings import ServerLimits
from entropeg.web.values import FeedbackShown

CODE_TEXT = 20_000
"""Characters of a code: a thousand pegs by name."""
ROWS = 200
"""Rows of a request, and turns of a game that is looked at."""
TEXT = 200_000
"""Characters of a pasted text."""
SECONDS = 10.0
"""That exact numbers may take."""
SLACK, TIMES = 20.0, 2.0
"""A piece of work is ended where it takes so many seconds more than so many times those that were asked for."""

BoardText = Annotated[str, Field(max_length=RULES_TEXT, description="Rules as text.", examples=["4x6"])]
CodeText = Annotated[str, Field(max_length=CODE_TEXT, description="A code in the symbols of the rules.")]
PlayerText = Annotated[str, Field(max_length=PLAYER_TEXT)]
TurnText: TypeAlias = Annotated[
    list[Annotated[str, Field(max_length=CODE_TEXT)]],
    Field(description="A guess and its feedback.", examples=[["AABB", "XO"]]),
]
TurnsText = Annotated[
    list[TurnText],
    Field(max_length=ROWS, description="Turns in order, each a guess and its feedback.", examples=[[["AABB", "XO"]]]),
]
RowsText = Annotated[
    list[CodeText],
    Field(max_length=ROWS, description="Rows as typed; ? for what is not known.", examples=[["AABB XO", "CCD? 1 ?"]]),
]
PastedText = Annotated[str, Field(max_length=TEXT, description="Text as typed or pasted, in any usual notation.")]
Seconds = Annotated[float, Field(ge=0, le=SECONDS, description="Time for exact numbers, about.")]
Seed = Annotated[int, Field(ge=0, lt=2**63, description="The same seed gives the same answer.")]
ThemeName = Annotated[str, Field(max_length=20, description="deduce, split, outside, trap or mend; null: all in turn.")]


def deadline(seconds: float) -> float:
    """Return after how many seconds a piece of work is ended whose exact numbers may take some."""
    return TIMES * seconds + SLACK


def allowed(seconds: float, limits: ServerLimits, times: int = 1) -> float:
    """Return the seconds that exact numbers may take of those asked for, where they are taken so many times.

    All together they have half of what a piece of work has: the rest is for what has no measure of time.

    >>> from entropeg.web.settings import PUBLIC
    >>> allowed(10.0, ServerLimits()), allowed(10.0, PUBLIC), allowed(10.0, PUBLIC, times=2)
    (10.0, 5.0, 2.5)
    """
    return min(seconds, limits.seconds / (2 * times))


class Asked(BaseModel):
    """A request: fields that nobody knows are refused."""

    model_config = ConfigDict(extra="forbid")


def asked_as(**example: Any) -> ConfigDict:
    """Return the configuration of a request with an example of it as a whole."""
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [example]})


GAME = "rules: 4x6\nAABB XO\nACCD O\nBEBF XXO\nFEBA XXXX"
"""An example of a game in a text."""


class TurnShown(BaseModel):
    """A turn: guess as text and pegs, and what it got."""

    guess: str
    pegs: list[int]
    feedback: FeedbackShown


FRACTION = r"^-?\d{1,400}(/\d{1,400})?$"
"""An exact number in a request."""


class ExpectationShown(BaseModel):
    """A number of guesses, and how well it is known."""

    sign: Literal["=", "≥", "≈"] = Field(description="Exact, a lower bound, or an estimate.")
    value: float | None = Field(allow_inf_nan=False, description="Null where it is infinite or unknown.")
    error: float | None = Field(
        default=None, allow_inf_nan=False, description="Of an estimate: in 19 of 20 cases the number is that near."
    )
    fraction: str | None = Field(
        default=None, pattern=FRACTION, description="The exact number, where it is known as a fraction."
    )


class RatedShown(BaseModel):
    """A guess with what it does."""

    guess: str
    pegs: list[int]
    candidate: bool = Field(description="Whether it may be the secret.")
    chance: float = Field(description="Probability that it is the secret.")
    bits: float = Field(description="Information that its answer is expected to bring.")
    parts: int = Field(description="Answers that can come.")
    largest: int = Field(description="Most codes that an answer leaves.")
    expected_size: float = Field(description="Codes expected to be left.")
    expected: ExpectationShown = Field(description="Guesses expected from here on, this one counted.")
    loss: ExpectationShown = Field(description="What that is more than with the best guess.")
    sample: int | None = Field(description="Codes of the sample that the numbers are of; null: of all codes.")
    says: str = ""


class ClueTold(BaseModel):
    """A row that rules a guess out as the secret."""

    row: int = Field(description="From 1.")
    told: FeedbackShown
    would_be: FeedbackShown = Field(description="What the row would have got, were the guess the secret.")
    pegs: list[int] = Field(description="Pegs, from 1, at which it shows.")


class LevelShown(BaseModel):
    """Who plays as well: the built-in codebreakers that lose as much a game."""

    games: int
    loss: float
    error: float
    weaker: str | None
    stronger: str
    range: bool
    players: list[dict[str, Any]]
    says: str
