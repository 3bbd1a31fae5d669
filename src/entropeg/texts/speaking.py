"""Says sentences in a language: gettext finds the words, and the catalogue's own entries write numbers and lists.

What a language writes otherwise than English in numbers and lists are entries of its catalogue too, with the context
`number` or `list`: a language costs nothing but translations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Any

from entropeg.texts.languages import LANGUAGES, known_language
from entropeg.told import LISTS, Joined, Spoken, Told, english_field, pieces_of

CATALOGUES = Path(__file__).parents[1] / "data" / "texts"

FIELD = re.compile(r"\{(\w+)(?:![rs])?(?::[^{}|]*)?((?:\|[^{}|]*)*)\}")
"""A field of a translation; with words after it, the one for its number stands there instead."""


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
    """The sentences of one language."""

    def __init__(self, path: Path) -> None:
        """Read what gettext compiled."""
        with path.open("rb") as file:
            self._words = GNUTranslations(file)
        self._words.add_fallback(_Unknown())
        self._signs = {sign: self._entry(sign, "number") or sign for sign in (",", ".", "%", "about ")}
        self._lists = {spec: self._entry(last, "list") or last for spec, last in LISTS.items()}

    def say(self, text: str, context: str = "") -> str:
        """Return a text in the language; English where it has no translation."""
        if isinstance(text, Spoken):
            return "".join(piece.english if isinstance(piece, Spoken) else piece for piece in self.pieces(text))
        return self._entry(text, context) or text

    def pieces(self, text: str) -> Iterator[str]:
        """Give a text in pieces, in the order of the language: texts, and each `Drawn` as it is."""
        if isinstance(text, Joined):
            for part in text.parts:
                yield from self.pieces(part)
        elif isinstance(text, Told):
            yield from self._filled(text)
        else:
            yield text

    def number(self, text: str) -> str:
        """Write a number, as English writes it, as the language does."""
        text = re.sub(r"(?<!\d)\.(?=\d)", "0.", text)
        return re.sub(r"about |[,.%]", lambda found: self._signs[found[0]], text)

    def _filled(self, text: Told) -> Iterator[str]:
        written = self._written(text)
        if not (text.fields and written):
            yield written or text.english  # without a translation all of it is English, numbers too
            return
        specs = {piece.name: piece.spec for each in (text.template, text.many) for piece in pieces_of(each)}
        end = 0
        for found in FIELD.finditer(written):
            yield _unescaped(written[end : found.start()])
            name, end = found[1], found.end()
            value, forms = text.fields.get(name, found[0]), found[2].split("|")[1:]
            yield from [forms[self._form(value, len(forms))]] if forms else self._field(value, specs.get(name, ""))
        yield _unescaped(written[end:])

    def _field(self, value: Any, spec: str) -> Iterator[str]:
        if isinstance(value, tuple):
            last = self._lists.get(spec, ", ")
            for place, each in enumerate(value):
                yield "" if not place else ", " if place < len(value) - 1 else last
                yield from self._field(each, "")
        elif isinstance(value, str):
            yield from self.pieces(value)
        else:
            yield self.number(english_field(value, spec))

    def _form(self, value: Any, forms: int) -> int:
        # gettext counts whole things: in French 1.5 is one. An entry of the catalogue's own tells its forms by number.
        if isinstance(value, Told):
            value = value.fields.get("n")
        if not isinstance(value, (int, float)):
            return forms - 1
        return int(self._words.npgettext("form", "0", "1", abs(int(value))))

    def _written(self, text: Told) -> str:
        one, many, context = text.template, text.many, text.context
        if not many:
            return self._entry(one, context)
        n = abs(int(text.fields["n"]))
        return self._words.npgettext(context, one, many, n) if context else self._words.ngettext(one, many, n)

    def _entry(self, text: str, context: str) -> str:
        return self._words.pgettext(context, text) if context else self._words.gettext(text) if text else ""


def _unescaped(text: str) -> str:
    return text.replace("{{", "{").replace("}}", "}")


@lru_cache(maxsize=len(LANGUAGES))
def catalogue(language: str) -> Catalogue:
    """Return the catalogue of a language, read once."""
    return Catalogue(CATALOGUES / f"{language}.mo")


def say(text: str, language: str, context: str = "") -> str:
    """Return a sentence in a language; what is no sentence is looked up as it stands, with its `context` if it has one.

    English loads no catalogue. Raises InputError for a language that there is not.

    >>> say(Told("Only one code is left."), "fr")
    'Il ne reste qu’un code.'
    """
    return text if known_language(language) == LANGUAGES[0] else catalogue(language).say(text, context)
