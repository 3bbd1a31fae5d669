"""`GET /api/about` and `/api/texts`: what there is to choose from, the state of the server, the texts of the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar

from fastapi import APIRouter, Path, Request, Response

from entropeg import codebreakers, codemakers
from entropeg.kinds import FeedbackKind
from entropeg.plain_values import PlainValue
from entropeg.registry import Registry
from entropeg.rules import PRESETS, Rules
from entropeg.texts import LANGUAGES, page_texts
from entropeg.version import __version__
from entropeg.web.api.games import Daily
from entropeg.web.api.shapes import SECONDS, allowed
from entropeg.web.inputs import served
from entropeg.web.language import Language, answered
from entropeg.web.models import model_of
from entropeg.web.numbered import DAILY_RULES, FIRST_DAY, daily_number, today
from entropeg.web.refusals import field
from entropeg.web.settings import BUILT, Settings
from entropeg.web.shown_rules import played_words
from entropeg.web.tasks.warming import KernelsShown
from entropeg.words import SHIPPED

router = APIRouter(tags=["about"])


@dataclass(frozen=True)
class Preset(PlainValue):
    """Rules with a name."""

    name: str
    text: str
    says: str


@dataclass(frozen=True)
class PlayerShown(PlainValue):
    """A codebreaker or codemaker: its parameters with their defaults."""

    name: str
    says: str
    parameters: dict[str, str]

    @classmethod
    def all(cls, registry: Registry[Any]) -> tuple[PlayerShown, ...]:
        """Return those of a role that requests may ask for."""
        return tuple(cls(name, registry.summary(name), registry.parameters(name)) for name in served(registry))


@dataclass(frozen=True)
class FeedbackKindShown(PlainValue):
    """A kind of feedback: its option of rules, with `{shapes}` for their number, and what a board of it begins with."""

    name: str
    says: str
    option: str
    numbers: tuple[str, ...]
    board: Mapping[str, int | str]

    @classmethod
    def of(cls, kind: FeedbackKind) -> FeedbackKindShown:
        """Describe a kind."""
        about = kind.about
        option = "" if kind is FeedbackKind.standard else kind.name if about.is_option else "shapes={shapes}"
        return cls(kind.name, about.title, option, tuple(about.numbers), about.board)


@dataclass(frozen=True)
class WordListShown(PlainValue):
    """A list of words that comes with the package."""

    name: str
    says: str
    rules: str

    @classmethod
    def of(cls, name: str, says: str) -> WordListShown:
        """Describe a list by the rules that the page plays."""
        return cls(name, says, played_words(name))


@dataclass(frozen=True)
class Choices(PlainValue):
    """What there is to choose from, which stays the same as long as the server runs."""

    languages: tuple[str, ...]
    presets: tuple[Preset, ...]
    codebreakers: tuple[PlayerShown, ...]
    codemakers: tuple[PlayerShown, ...]
    feedback: tuple[FeedbackKindShown, ...]
    word_lists: tuple[WordListShown, ...]
    themes: tuple[str, ...]

    @classmethod
    @cache
    def of(cls) -> Choices:
        """Return all."""
        from entropeg.train.puzzle_series import THEMES

        return cls(
            LANGUAGES,
            tuple(Preset(name, text, Rules.parse(text).describe()) for name, text in PRESETS.items()),
            PlayerShown.all(codebreakers.registry),
            PlayerShown.all(codemakers.registry),
            tuple(map(FeedbackKindShown.of, FeedbackKind)),
            tuple(WordListShown.of(name, said) for name, said in SHIPPED.items()),
            tuple(theme.value for theme in THEMES),
        )


@dataclass(frozen=True)
class About(PlainValue):
    """What there is to choose from, and the state of the server."""

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("version", "language", "*choices", "kernels", "daily", "limits", "is_public", "docs"),
    )

    version: str
    language: str
    choices: Choices
    kernels: KernelsShown
    daily: Daily | None
    limits: dict[str, float]
    """The most that is taken; `exact_seconds` is the time that can be asked for exact numbers."""
    is_public: bool
    docs: bool
    """Whether the pages of the documentation lie beside the page, under `/docs`."""


@router.get("/about", response_model=model_of(About))
def about(request: Request, language: Language) -> Response:
    """Tell what there is to choose from: presets, players, word lists, themes; and the state of the server."""
    settings: Settings = request.app.state.settings
    limits, day = settings.limits, today()
    # Before the first day this machine's clock is wrong.
    daily = None if day < FIRST_DAY else Daily(daily_number(day), day, DAILY_RULES)
    told = ("body", "pegs", "colors", "turns", "seconds", "runs", "run_games", "run_seconds")
    most = {name: getattr(limits, name) for name in told} | {"exact_seconds": allowed(SECONDS, limits)}
    kernels = KernelsShown.of(request.app.state.workers)
    shown = About(__version__, settings.language, Choices.of(), kernels, daily, most, settings.public, BUILT.is_dir())
    return answered(shown, language)


@router.get("/texts/{language}")
async def texts(language: Annotated[str, Path(examples=["fr"])]) -> dict[str, str | list[str]]:
    """Give the texts of the page by their English: one text, or the forms for one and for many."""
    with field("language", "fr"):
        return page_texts(language)
