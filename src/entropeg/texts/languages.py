"""Which languages there are, which one a browser prefers, and texts in them."""

from __future__ import annotations

import json
import locale
import os
import re
import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from entropeg import arguments
from entropeg.errors import InputError
from entropeg.told import Spoken, quoted

if TYPE_CHECKING:
    from entropeg.texts.catalogue import Catalogue, Entries

LANGUAGES = ("en", "fr")
"""The first is the one in which texts are written."""

TEXTS = Path(__file__).parents[1] / "data" / "texts"

VARIABLE = "ENTROPEG_LANG"
"""The variable that names a language."""
_ON_WINDOWS = {"english": "en", "french": "fr"}

LONGEST_HEADER = 1000
"""Characters of a header that are looked at."""

_RANGE = re.compile(r"\s*([A-Za-z]{1,8}|\*)(?:-[A-Za-z0-9-]*)?\s*(?:;\s*[qQ]\s*=\s*([01](?:\.\d{0,3})?)\s*)?")


def preferred(accept_language: str | None, default: str = LANGUAGES[0]) -> str:
    """Return the language for a header `Accept-Language` (RFC 9110, 12.5.4); `default` where it names none of ours.

    A language counts with all its regions: `fr-CA` is French. Of equal weights the first wins; ranges that cannot be
    read are passed over.

    >>> preferred("fr-CA,fr;q=0.8,en;q=0.5"), preferred("de, en;q=0.2, fr;q=0.1"), preferred("de, *", "fr")
    ('fr', 'en', 'fr')
    """
    weights: dict[str, float] = {}
    for piece in (accept_language or "")[:LONGEST_HEADER].split(","):
        found = _RANGE.fullmatch(piece)
        if found is not None:
            weight = min(1.0, float(found[2] or 1))
            weights[found[1].lower()] = max(weight, weights.get(found[1].lower(), 0.0))
    others = weights.get("*", 0.0)
    order = [*weights, default, *LANGUAGES]
    best = max(LANGUAGES, key=lambda each: (weights.get(each, others), -order.index(each)))
    return best if weights.get(best, others) > 0 else default


def of_environment(environment: Mapping[str, str] | None = None) -> str:
    """Return the language that the variable ENTROPEG_LANG names; where it is not set, that of the system.

    Raises InputError where it names none of ours.

    >>> of_environment({"ENTROPEG_LANG": "fr", "LANG": "en_US"}), of_environment({"LANG": "fr_BE"})
    ('fr', 'fr')
    """
    variables = os.environ if environment is None else environment
    asked = variables.get(VARIABLE, "").strip().casefold()
    if asked and asked not in LANGUAGES:
        raise InputError(f"{VARIABLE} is {quoted(asked)}: it must be {' or '.join(LANGUAGES)}")
    return asked or of_locale(environment)


def of_locale(environment: Mapping[str, str] | None = None) -> str:
    """Return the language of the system, as LC_ALL, LC_MESSAGES and LANG say it; English where it is none of ours.

    The first of the three that is set counts; on Windows, where none is, the system is asked. `environment` stands for
    the variables of this process.

    >>> of_locale({"LANG": "fr_CA.UTF-8"}), of_locale({"LANG": "fr_FR", "LC_ALL": "C"}), of_locale({})
    ('fr', 'en', 'en')
    """
    variables = os.environ if environment is None else environment
    said = next(filter(None, (variables.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    if not said and environment is None and sys.platform == "win32":
        said = locale.getlocale()[0] or ""
    language = re.split(r"[_.@-]", said)[0].lower()
    language = _ON_WINDOWS.get(language, language)
    return language if language in LANGUAGES else LANGUAGES[0]


def translate(sentence: str, language: str, context: str = "") -> str:
    """Return a sentence of the library in a language; in English where the catalogue has no template that fits.

    `context` is the field that a word by itself is for, where only that meaning is wanted. Raises InputError for a
    language that there is not.

    >>> translate("'AAB' has 3 pegs; a code of 4x6 has 4 pegs", "en")
    "'AAB' has 3 pegs; a code of 4x6 has 4 pegs"
    >>> translate("Only one code is left.", "fr")
    'Il ne reste qu’un code.'
    """
    sentence = arguments.text(sentence, "the sentence")
    if known_language(language) == LANGUAGES[0]:
        return sentence
    if isinstance(sentence, Spoken):
        from entropeg.texts.speaking import say

        if (said := say(sentence, language)) != sentence:
            return said
    return _catalogue(language).translate(sentence, context)


def page_texts(language: str) -> dict[str, str | list[str]]:
    """Return the texts of the page by their English, or by that for one thing with the forms for one and for many.

    English needs none.
    """
    return {} if known_language(language) == LANGUAGES[0] else dict(_read(language)["page"])


def known_language(language: str) -> str:
    """Return a language; raises InputError for one that there is not."""
    if language not in LANGUAGES:
        raise InputError(f"there is no language {quoted(language)}: it is {' or '.join(LANGUAGES)}")
    return language


@lru_cache(maxsize=len(LANGUAGES))
def _catalogue(language: str) -> Catalogue:
    from entropeg.texts.catalogue import Catalogue  # English needs none

    return Catalogue(_read(language)["library"])


@lru_cache(maxsize=len(LANGUAGES))
def _read(language: str) -> dict[str, Entries]:
    texts: dict[str, Entries] = json.loads((TEXTS / f"{language}.json").read_text(encoding="utf-8"))
    return texts
