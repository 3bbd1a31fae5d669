"""Models that the requests and answers of several resources share, with what every field means."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from entropeg.web.inputs import PLAYER_TEXT, RULES_TEXT
from entropeg.web.settings import ServerLimits

CODE_TEXT = 20_000
"""Characters of a code: a thousand pegs by name."""
ROWS = 200
"""Rows of a request, and turns of a game that is looked at."""
SECONDS = 10.0
"""That exact numbers may take."""
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
PastedText = Annotated[str, Field(max_length=200_000, description="Text as typed or pasted, in any usual notation.")]
Seconds = Annotated[float, Field(ge=0, le=SECONDS, description="Time for exact numbers, about.")]
Seed = Annotated[int, Field(ge=0, lt=2**63, description="The same seed gives the same answer.")]


def deadline(seconds: float) -> float:
    """Return after how many seconds a piece of work is ended whose exact numbers may take some."""
    return 2.0 * seconds + 20.0


def allowed(seconds: float, limits: ServerLimits, times: int = 1) -> float:
    """Return the seconds that exact numbers may take of those asked for, where they are taken a number of times.

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
