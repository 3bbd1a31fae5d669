"""`GET /api/about`: what there is to choose from, and the state of the server."""

from __future__ import annotations

from functools import cache
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from entropeg import codebreakers, codemakers
from entropeg.kinds import FeedbackKind
from entropeg.registry import Registry
from entropeg.rules import PRESETS, Rules
from entropeg.texts import LANGUAGES
from entropeg.version import __version__
from entropeg.web.api.games import Daily
from entropeg.web.api.shapes import SECONDS, allowed
from entropeg.web.gate import served
from entropeg.web.language import Language, told
from entropeg.web.numbered import DAILY_RULES, FIRST_DAY, daily_number, today
from entropeg.web.settings import Settings
from entropeg.web.warm import kernels_data
from entropeg.words import SHIPPED

router = APIRouter(tags=["about"])


class Preset(BaseModel):
    """Rules with a name."""

    name: str
    text: str
    says: str


class PlayerShown(BaseModel):
    """A codebreaker or codemaker: its parameters with their defaults."""

    name: str
    says: str
    parameters: dict[str, str]


class FeedbackKindShown(BaseModel):
    """A kind of feedback: its option of rules, with `{shapes}` for their number, and what a board of it begins with."""

    name: str
    says: str
    option: str
    numbers: list[str]
    board: dict[str, int | str]


class WordListShown(BaseModel):
    """A list of words that comes with the package."""

    name: str
    says: str
    rules: str


class KernelsShown(BaseModel):
    """What the kernels are doing: ready, loading, compiling, or none."""

    state: str
    says: str


class About(BaseModel):
    """What there is to choose from."""

    version: str
    languages: list[str]
    language: str
    presets: list[Preset]
    codebreakers: list[PlayerShown]
    codemakers: list[PlayerShown]
    feedback: list[FeedbackKindShown]
    word_lists: list[WordListShown]
    themes: list[str]
    kernels: KernelsShown
    daily: Daily | None
    limits: dict[str, float] = Field(
        description="The most that is taken; `exact_seconds` is the time that can be asked for exact numbers."
    )
    public: bool


@router.get("/about")
def about(request: Request, language: Language) -> About:
    """Tell what there is to choose from: presets, players, word lists, themes; and the state of the server."""
    settings: Settings = request.app.state.settings
    limits = settings.limits
    shown = {
        **_choices(),
        "version": __version__,
        "language": settings.language,
        "daily": _daily(),
        "kernels": kernels_data(request.app.state.workers),
        "limits": {
            name: getattr(limits, name)
            for name in ("body", "pegs", "colors", "turns", "seconds", "runs", "run_games", "run_seconds")
        }
        | {"exact_seconds": allowed(SECONDS, limits)},
        "public": settings.public,
    }
    return About.model_validate(told(shown, language))


def _daily() -> dict[str, Any] | None:
    day = today()
    if day < FIRST_DAY:  # this machine's clock is wrong
        return None
    return {"number": daily_number(day), "date": day, "rules": DAILY_RULES}


@cache
def _choices() -> dict[str, Any]:
    from entropeg.train.puzzle_series import THEMES

    return {
        "languages": list(LANGUAGES),
        "presets": [
            {"name": name, "text": text, "says": Rules.parse(text).describe()} for name, text in PRESETS.items()
        ],
        "codebreakers": _players(codebreakers.registry),
        "codemakers": _players(codemakers.registry),
        "feedback": [_feedback(kind) for kind in FeedbackKind],
        "word_lists": [
            {"name": name, "says": said, "rules": f"words:{name}/positional"} for name, said in SHIPPED.items()
        ],
        "themes": [theme.value for theme in THEMES],
    }


def _feedback(kind: FeedbackKind) -> dict[str, Any]:
    about = kind.about
    option = "" if kind is FeedbackKind.standard else kind.name if about.is_option else "shapes={shapes}"
    named = {"name": kind.name, "says": about.title, "option": option}
    return {**named, "numbers": list(about.numbers), "board": dict(about.board)}


def _players(registry: Registry[Any]) -> list[dict[str, Any]]:
    return [
        {"name": name, "says": registry.summary(name), "parameters": registry.parameters(name)}
        for name in served(registry)
    ]
