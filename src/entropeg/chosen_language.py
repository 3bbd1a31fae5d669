"""The language in which everything is said just now, and texts in it: of prompts and dialogs, whoever shows them.

English needs no catalogue, and loads none.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from entropeg.told import NAMES_SECRETS, Told

ENGLISH = "en"


class SpokenChoice(NamedTuple):
    """The language that is spoken, and whether somebody asked for it, as `--lang` does."""

    language: str = ENGLISH
    is_asked: bool = False


_CHOICE: ContextVar[SpokenChoice] = ContextVar("language", default=SpokenChoice())  # noqa: B039 - it is a tuple


@contextmanager
def speaking(choice: SpokenChoice | str) -> Iterator[None]:
    """Say everything in a language for a while; a text names it. What is looked for keeps its name until the end.

    >>> with speaking("fr"):
    ...     print(translated(Told("guesses to win")))
    propositions pour gagner
    """
    token = _CHOICE.set(SpokenChoice(choice) if isinstance(choice, str) else choice)
    named = NAMES_SECRETS.set(NAMES_SECRETS.get())
    try:
        yield
    finally:
        NAMES_SECRETS.reset(named)
        _CHOICE.reset(token)


def spoken_language() -> str:
    """Return the language in which everything is said just now."""
    return _CHOICE.get().language


def asked_language() -> str:
    """Return the language that somebody asked for, English where nobody did.

    Text that programs read is the same on every machine, and in another language only where the command line says so.
    """
    choice = _CHOICE.get()
    return choice.language if choice.is_asked else ENGLISH


def translated(text: str) -> str:
    """Return a sentence in the language in which everything is said just now; what is no sentence stays as it is.

    >>> translated(Told("Only one code is left."))
    'Only one code is left.'
    """
    if spoken_language() == ENGLISH and not NAMES_SECRETS.get():
        return text
    from entropeg.texts import say

    return say(text, spoken_language())


def pieces(text: str) -> list[str]:
    """Return a sentence in the language of the hour in pieces: texts, and each code or answer that can be drawn.

    >>> from entropeg.told import Drawn
    >>> pieces(Told("Try {guess}.", Drawn("AABB", (0, 0, 1, 1))))
    ['Try ', 'AABB', '.']
    """
    from entropeg.texts import speaking

    return speaking.pieces(text, spoken_language())


def translated_data(data: Any) -> Any:
    """Return plain data with its sentences in the language that was asked for, and all else as it is.

    >>> translated_data({"guess": "AABB", "says": Told("Only one code is left.")})
    {'guess': 'AABB', 'says': 'Only one code is left.'}
    """
    from entropeg.texts import say_all

    return say_all(data, asked_language())


def headed(text: str) -> str:
    """Return a text in the language of the hour, with its colon.

    >>> headed(Told("the level"))
    'the level:'
    """
    return translated(Told("{what}:", text))
