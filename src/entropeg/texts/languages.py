"""Tells which languages there are, and gives the texts of the page in them."""

from __future__ import annotations

import json
from pathlib import Path

from entropeg.errors import InputError

TEXTS = Path(__file__).parents[1] / "data" / "texts"

LANGUAGES = ("en", *sorted(path.stem for path in TEXTS.glob("*.mo")))
"""The first is the one in which texts are written; the others are those that `make texts` has compiled."""


def known_language(language: str) -> str:
    """Return a language; raises InputError for one that there is not."""
    if language not in LANGUAGES:
        raise InputError("there is no language {language!r}: it is {languages:or}", language, LANGUAGES)
    return language


def page_texts(language: str) -> dict[str, str | list[str]]:
    """Return the texts of the page by their English, or by that for one thing with the forms for each number of things.

    English needs none.
    """
    if known_language(language) == LANGUAGES[0]:
        return {}
    texts: dict[str, str | list[str]] = json.loads((TEXTS / f"{language}.json").read_text(encoding="utf-8"))
    return texts
