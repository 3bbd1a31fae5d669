"""Texts in the languages of the page: English as it is written in the sources, French from a catalogue.

English sentences are the keys. Those of the page are looked up whole; those of the library are found by their
templates, as `catalogue` describes. `sources`, `spoken` and `page` read from the code what there is to translate, and
`making` turns the translators' files (`data/texts/fr/*.po`) into the one that is read here (`data/texts/fr.json`).
"""

from entropeg.texts.languages import (
    LANGUAGES,
    known_language,
    of_environment,
    of_locale,
    page_texts,
    preferred,
    translate,
)
from entropeg.texts.speaking import pieces, say, say_all
from entropeg.texts.whole import translate_data, translate_drawing, translate_lines, translate_page

__all__ = [
    "LANGUAGES",
    "known_language",
    "of_environment",
    "of_locale",
    "page_texts",
    "pieces",
    "preferred",
    "say",
    "say_all",
    "translate",
    "translate_data",
    "translate_drawing",
    "translate_lines",
    "translate_page",
]
