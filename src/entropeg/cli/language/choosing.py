"""The language in which commands speak: which one is chosen, and texts in it.

`--lang` says which, before the command or after it; else the variable ENTROPEG_LANG; else the system's locale. English
needs no catalogue, and loads none.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

import click

ENGLISH = "en"


class SpokenChoice(NamedTuple):
    """The language that is spoken, and whether `--lang` asked for it."""

    language: str = ENGLISH
    is_asked: bool = False


NOBODY_S = SpokenChoice()
_CHOICE: ContextVar[SpokenChoice] = ContextVar("language", default=NOBODY_S)


def chosen(arguments: Sequence[str]) -> SpokenChoice:
    """Return the language for a command line; raises InputError where ENTROPEG_LANG names none.

    It is found before the options are read, so that help and refusals are told in it, too. A wrong `--lang` is left to
    the option itself.
    """
    asked = _asked(arguments)
    if asked is not None:
        return SpokenChoice(asked, is_asked=True)
    # Where none of these is set, nobody asks for another language.
    if not any(map(os.environ.get, ("ENTROPEG_LANG", "LC_ALL", "LC_MESSAGES", "LANG"))) and sys.platform != "win32":
        return NOBODY_S
    from entropeg.texts import of_environment

    return SpokenChoice(of_environment())


def _asked(arguments: Sequence[str]) -> str | None:
    # The last of several counts, as everywhere; what follows `--` is no option.
    asked = None
    for place, word in enumerate(arguments):
        if word == "--":
            break
        name, has_value, value = word.partition("=")
        if name == "--lang":
            asked = value if has_value else "".join(arguments[place + 1 : place + 2])
    return asked.casefold() if asked is not None and _is_known(asked.casefold()) else None


def _is_known(language: str) -> bool:
    from entropeg.texts import LANGUAGES

    return language in LANGUAGES


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
    """Return the language that `--lang` asked for, English where it did not.

    What programs read is the same on every machine, and in another language only where the command line says so.
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
    """Return a text in the language of the hour, with its colon: what follows is told of it.

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


def _check(_context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        from entropeg.texts import known_language

        known_language(value.casefold())


def lang_option() -> click.Option:
    """Make the option `--lang`: it was obeyed already when the options are read, and refuses what is no language."""
    return click.Option(
        ["--lang"],
        metavar="en|fr",
        expose_value=False,
        is_eager=True,
        callback=_check,
        help="Language of what is said. [default: ENTROPEG_LANG, or the system's, else en]",
    )


def with_language(command: click.Command, context_class: type[click.Context]) -> click.Command:
    """Give a command and those below it the option `--lang`, and the context in which their help is written."""
    if not any("--lang" in parameter.opts for parameter in command.params):
        command.params.append(lang_option())
    command.context_class = context_class
    below: Any = getattr(command, "commands", {})
    for each in below.values():
        with_language(each, context_class)
    return command
