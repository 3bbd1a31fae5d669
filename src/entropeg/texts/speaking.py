"""Says sentences in a language: gettext finds the words, and entries of the catalogue itself write numbers and lists.

The signs in numbers and the words in lists that a language writes otherwise than English are entries of its catalogue
too, with the context `number` or `list`: a language costs nothing but translations.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from math import inf
from typing import Any

from entropeg.texts.languages import LANGUAGES, TEXTS, known_language
from entropeg.told import LISTS, NAMES_SECRETS, Joined, Spoken, Told, by_the_game, english_field, names_of, pieces_of

SIGNS = (",", ".", "%", "about ")
"""What stands in numbers, and languages write in their own way."""


def is_same_everywhere(template: str) -> bool:
    """Whether a template has nothing but fields and signs that all languages write alike."""
    return not any(re.search(r"[^\W\d_]|[:;?!%]", piece.before) for piece in pieces_of(template))


def _things(number: Any) -> int | None:
    # gettext counts whole things: in French 1.5 is one. Another process may have sent no number, or an infinite one.
    return abs(int(number)) if isinstance(number, (int, float)) and abs(number) < inf else None


class _Unknown(NullTranslations):
    """Has no translation: one that reads as in English is a translation all the same."""

    def _none(self, *_: object) -> str:
        return ""

    gettext = ngettext = pgettext = npgettext = _none  # type: ignore[assignment]


class Catalogue:
    """The sentences of one language; English for what it has not, and where it cannot be read."""

    def __init__(self, language: str) -> None:
        self._words, self.is_other = NullTranslations(), language != LANGUAGES[0]
        try:
            with (TEXTS / f"{language}.mo").open("rb") as file:
                self._words = GNUTranslations(file)
                self._words.add_fallback(_Unknown())
        except (OSError, struct.error, ValueError):  # damaged: whoever installed it hears of it from `make texts`
            pass
        self._signs = {sign: self._words.pgettext("number", sign) or sign for sign in SIGNS}
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
        english = text.many or text.template
        written = self._written(text) or text.template * is_same_everywhere(english)
        if not (text.fields and names_of(english)):
            yield by_the_game(written or text.english)
        elif self.is_other and not (written and {*names_of(written)} <= text.fields.keys()):
            # All of it in English: numbers of another language in an English sentence are worse than either.
            yield from catalogue(LANGUAGES[0]).pieces(text)
        else:
            specs = {piece.name: piece.spec for each in (text.template, text.many) for piece in pieces_of(each)}
            for before, name, _, _, forms in pieces_of(by_the_game(written)):
                yield before
                value = text.fields.get(name, f"{{{name}}}" if name else "")
                yield from [forms[self._form(value, len(forms))]] if forms else self._field(value, specs.get(name, ""))

    def _written(self, text: Told) -> str:
        one, many, context, words = text.template, text.many, text.context, self._words
        if not many:
            return words.pgettext(context, one) if context else words.gettext(one) if one else ""
        if (n := _things(text.fields.get("n"))) is None:
            return ""
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
        number = value
        if isinstance(value, Told):  # its one number, as of «2.34», or that of its plural
            numbers = [each for each in value.fields.values() if isinstance(each, (int, float))]
            number = value.fields.get("n", numbers[0] if len(numbers) == 1 else None)
        if (n := _things(number)) is None:
            return forms - 1
        # An entry of the catalogue's own tells its forms by number.
        return int(self._words.npgettext("form", "0", "1", n) or number != 1)


@lru_cache(maxsize=len(LANGUAGES))
def catalogue(language: str) -> Catalogue:
    """Return the catalogue of a language, read once."""
    return Catalogue(language)


def pieces(text: str, language: str) -> list[str]:
    """Return a sentence in a language in pieces: texts, and each code or answer (`Drawn`) that can be drawn.

    >>> pieces(Told("Only one code is left."), "fr")
    ['Il ne reste qu’un code.']
    """
    return list(filter(None, catalogue(known_language(language)).pieces(text)))


def say(text: str, language: str) -> str:
    """Return a sentence in a language; what is no sentence stays as it is.

    English loads no catalogue. Raises InputError for a language that there is not.

    >>> say(Told("Only one code is left."), "fr"), say("Only one code is left.", "fr")
    ('Il ne reste qu’un code.', 'Only one code is left.')
    """
    as_it_is = known_language(language) == LANGUAGES[0] and not NAMES_SECRETS.get()
    if as_it_is or not isinstance(text, Spoken):
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
