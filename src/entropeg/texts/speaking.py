"""Says sentences in a language: gettext finds the words, and entries of the catalogue itself write numbers and lists.

What a language writes otherwise than English in numbers and lists are entries of its catalogue too, with the context
`number` or `list`: a language costs nothing but translations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from struct import error as StructError
from typing import Any

from entropeg.texts.languages import LANGUAGES, TEXTS, known_language
from entropeg.told import LISTS, Joined, Spoken, Told, english_field, names_of, pieces_of

FIELD = re.compile(r"\{\{|\}\}|\{(\w+)(?:![rs])?(?::[^{}|]*)?((?:\|[^{}|]*)*)\}")
"""A field, or a brace; with words after it, as in `{turns|tour|tours}`, the one for its number stands there instead."""


class _Unknown(NullTranslations):
    """Answers nothing where a text has no translation: one that reads as in English is a translation all the same."""

    def gettext(self, message: str) -> str:
        return ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return ""

    def pgettext(self, context: str, message: str) -> str:
        return ""

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return ""


class Catalogue:
    """The sentences of one language; English for what it has not, and where it cannot be read."""

    def __init__(self, language: str) -> None:
        """Read what gettext compiled."""
        self._words, self.is_other = NullTranslations(), language != LANGUAGES[0]
        try:
            with (TEXTS / f"{language}.mo").open("rb") as file:
                self._words = GNUTranslations(file)
                self._words.add_fallback(_Unknown())
        except (OSError, StructError, ValueError):  # damaged: whoever installed it hears of it from `make texts`
            pass
        self._signs = {sign: self._words.pgettext("number", sign) or sign for sign in (",", ".", "%", "about ")}
        self._lists = {spec: self._words.pgettext("list", last) or last for spec, last in LISTS.items()}

    def pieces(self, text: str) -> Iterator[str]:
        """Give a text in pieces, in the order of the language: texts, and each `Drawn` as it is."""
        if isinstance(text, Joined):
            for part in text.parts:
                yield from self.pieces(part)
        elif isinstance(text, Told):
            yield from self._filled(text)
        else:
            yield text

    def _filled(self, text: Told) -> Iterator[str]:
        written = self._written(text)
        if not (text.fields and names_of(text.template)):
            yield written or text.english
            return
        names = {found[1] for found in FIELD.finditer(written) if found[1]}
        if self.is_other and (not written or not names <= text.fields.keys()):
            # All of it in English: numbers of another language in an English sentence are worse than either.
            yield from catalogue(LANGUAGES[0]).pieces(text)
            return
        specs = {
            piece.name: piece.spec or "count" * (piece.name == "n")
            for each in (text.template, text.many)
            for piece in pieces_of(each)
        }
        end = 0
        for found in FIELD.finditer(written):
            yield written[end : found.start()]
            name, forms, end = found[1], (found[2] or "").split("|")[1:], found.end()
            if name is None:
                yield found[0][0]
            elif forms:
                yield forms[self._form(text.fields[name], len(forms))]
            else:
                yield from self._field(text.fields.get(name, found[0]), specs.get(name, ""))
        yield written[end:]

    def _written(self, text: Told) -> str:
        one, many, context, words = text.template, text.many, text.context, self._words
        if not many:
            return words.pgettext(context, one) if context else words.gettext(one) if one else ""
        n = abs(int(text.fields["n"]))
        return words.npgettext(context, one, many, n) if context else words.ngettext(one, many, n)

    def _field(self, value: Any, spec: str) -> Iterator[str]:
        if isinstance(value, tuple):
            last = self._lists.get(spec, ", ")
            for place, each in enumerate(value):
                yield ("" if not place else ", " if place < len(value) - 1 else last)
                yield from self._field(each, "")
        elif isinstance(value, str):
            yield from self.pieces(value)
        else:
            yield re.sub(r"about |[,.%]", lambda found: self._signs[found[0]], english_field(value, spec))

    def _form(self, value: Any, forms: int) -> int:
        # gettext counts whole things: in French 1.5 is one. An entry of the catalogue's own tells its forms by number.
        number = value.fields.get("n") if isinstance(value, Told) else value
        if not isinstance(number, (int, float)):
            return forms - 1
        return int(self._words.npgettext("form", "0", "1", abs(int(number))) or number != 1)


@lru_cache(maxsize=len(LANGUAGES))
def catalogue(language: str) -> Catalogue:
    """Return the catalogue of a language, read once."""
    return Catalogue(language)


def pieces(text: str, language: str) -> list[str]:
    """Return a sentence in a language in pieces: texts, and each code or answer (`Drawn`) that can be drawn.

    >>> pieces(Told("Only one code is left."), "fr")
    ['Il ne reste qu’un code.']
    """
    return list(catalogue(known_language(language)).pieces(text))


def say(text: str, language: str) -> str:
    """Return a sentence in a language; what is no sentence stays as it is.

    English loads no catalogue. Raises InputError for a language that there is not.

    >>> say(Told("Only one code is left."), "fr"), say("Only one code is left.", "fr")
    ('Il ne reste qu’un code.', 'Only one code is left.')
    """
    if known_language(language) == LANGUAGES[0] or not isinstance(text, Spoken):
        return text
    return "".join(piece.english if isinstance(piece, Spoken) else piece for piece in catalogue(language).pieces(text))


def say_all(data: Any, language: str) -> Any:
    """Return plain data, as of JSON, with each sentence in it in a language.

    >>> say_all({"file": "a.py", "text": Told("Only one code is left.")}, "fr")
    {'file': 'a.py', 'text': 'Il ne reste qu’un code.'}
    """
    if isinstance(data, dict):
        return {key: say_all(each, language) for key, each in data.items()}
    if isinstance(data, (list, tuple)):
        return [say_all(each, language) for each in data]
    return say(data, language) if isinstance(data, Spoken) else data
