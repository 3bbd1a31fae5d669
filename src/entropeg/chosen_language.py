"""The language in which everything is said just now, and texts in it: of prompts and dialogs, whoever shows them.

English needs no catalogue, and loads none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

ENGLISH = "en"


class SpokenChoice(NamedTuple):
    """The language that is spoken, and whether somebody asked for it, as `--lang` does."""

    language: str = ENGLISH
    is_asked: bool = False


_CHOICE: ContextVar[SpokenChoice] = ContextVar("language", default=SpokenChoice())  # noqa: B039 - it is a tuple


@contextmanager
def speaking(choice: SpokenChoice) -> Iterator[None]:
    """Say everything in a language for a while."""
    token = _CHOICE.set(choice)
    try:
        yield
    finally:
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


def translated(text: str, context: str = "") -> str:
    """Return a text in the language in which everything is said just now, line by line.

    `context` is what a word by itself stands for, as `column` for the head of one.
    """
    if spoken_language() == ENGLISH:
        return text
    from entropeg.texts import translate_lines

    return translate_lines(text, spoken_language(), context)


def translated_page(page: str) -> str:
    """Return a page of HTML in the language in which everything is said just now."""
    if spoken_language() == ENGLISH:
        return page
    from entropeg.texts import translate_page

    return translate_page(page, spoken_language())


def headed(text: str) -> str:
    """Return a text in the language of the hour, with its colon.

    >>> headed("the level")
    'the level:'
    """
    return f"{translated(text)}{colon()}"


def colon() -> str:
    """Return a colon as the language of the hour writes it, for names and codes that have no translation."""
    return {ENGLISH: ":", "fr": "\u00a0:"}[spoken_language()]


def heads(*words: str) -> tuple[str, ...]:
    """Return the heads of the columns of a table, in the language of the hour.

    >>> heads("player", "loss")
    ('player', 'loss')
    """
    return tuple(translated(word, "column") for word in words)


def told_table(rows: Sequence[Sequence[str]], kept: Collection[int]) -> list[tuple[str, ...]]:
    """Return a table, its heads first, in the language of the hour, but for columns of codes and names that are kept.

    >>> told_table([("player", "loss"), ("entropy", ".06")], {0})
    [('player', 'loss'), ('entropy', '.06')]
    """
    body = [
        tuple(cell if place in kept else translated(cell, "cell") for place, cell in enumerate(row)) for row in rows[1:]
    ]
    return [heads(*rows[0]), *body] if rows else []
