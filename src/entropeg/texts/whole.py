"""Whole texts in a language: lines of a terminal, pages of HTML and plain data, sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from entropeg.texts.languages import LANGUAGES, known_language, translate
from entropeg.told import Spoken

SAID = frozenset(
    {"text", "sentence", "trouble", "source", "notes", "message", "reason", "set_aside", "absent", "output"}
)
"""Fields of plain data that hold sentences for people; all others hold names, codes and numbers."""

STAYS = ' translate="no"'
"""What an element says whose text is in no language."""

_LINE = re.compile(r"(\s*(?:(?:[-–=~✓✗]|\d+\.) )?)(.*?)(\s*)", re.DOTALL)
"""A line: what it begins with, the sign or number of a list among it, and what it says."""
_COLUMNS = re.compile(r"(\s{2,})")
_PIECE = re.compile(r"<(style|script|svg)\b.*?</\1>|<[^>]*>|[^<]+", re.DOTALL)
_DRAWN = re.compile(r"(<(?:text|tspan|title|desc)\b[^>]*>)([^<]+)(?=</)")
"""A text in a drawing, and what it says of itself to those who listen."""
_LABEL = re.compile(r'(?<= data-label=")([^"]*)(?=")|(?<= aria-label=")([^"]*)(?=")')


def translate_lines(text: str, language: str, context: str = "") -> str:
    r"""Return a text of several lines in a language: each line for itself, its spaces and signs kept.

    `context` is the field that words by themselves are for, as `column` for heads of tables. Raises InputError for a
    language that there is not.

    >>> translate_lines("\n  ✗ Only one code is left.", "fr")
    '\n  ✗ Il ne reste qu’un code.'
    """
    if isinstance(text, Spoken) and known_language(language) != LANGUAGES[0]:
        from entropeg.texts.speaking import say

        if (said := say(text, language)) != text:
            return said
    return "\n".join(_line(line, language, context) for line in text.split("\n"))


def translate_page(page: str, language: str) -> str:
    """Return a page of HTML in a language: the texts between its tags, in drawings too; programs stay as they are.

    So does the text of an element that says `translate="no"`, as a code of digits. Raises InputError for a language
    that there is not.

    >>> translate_page("<p>Only one code is left.</p>", "fr")
    '<p>Il ne reste qu’un code.</p>'
    """
    from html import escape, unescape

    stays = False

    def written(found: re.Match[str]) -> str:
        nonlocal stays
        piece = found[0]
        stayed, stays = stays, STAYS in piece
        if found[1] == "svg":
            piece = translate_drawing(piece, language)
        elif found[1] or (stayed and not piece.startswith("<")):
            return piece
        if piece.startswith("<"):
            return _LABEL.sub(lambda label: escape(_line(unescape(label[0]), language)), piece)
        return escape(translate_lines(unescape(piece), language), quote=False)

    translated = _PIECE.sub(written, page)
    return translated.replace(f'<html lang="{LANGUAGES[0]}"', f'<html lang="{language}"', 1)


def translate_drawing(drawing: str, language: str) -> str:
    """Return an SVG with its texts in a language: those that are seen, its title and its description.

    Nothing is moved: a longer text takes the room that there is. Raises InputError for a language that there is not.

    >>> translate_drawing("<svg><desc>Only one code is left.</desc></svg>", "fr")
    '<svg><desc>Il ne reste qu’un code.</desc></svg>'
    """
    from html import escape, unescape

    def written(text: re.Match[str]) -> str:
        return f"{text[1]}{escape(_line(unescape(text[2]), language, 'drawn'), quote=False)}"

    return _DRAWN.sub(written, drawing)


def translate_data(data: Any, language: str, fields: Collection[str] = SAID) -> Any:
    """Return plain data, as of JSON, with the sentences in some of its fields in a language.

    Raises InputError for a language that there is not.

    >>> translate_data({"file": "a.py", "text": "Only one code is left."}, "fr")
    {'file': 'a.py', 'text': 'Il ne reste qu’un code.'}
    """
    if isinstance(data, dict):
        return {key: _said(each, language, fields, is_said=key in fields) for key, each in data.items()}
    return _said(data, language, fields, is_said=False)


def _said(value: Any, language: str, fields: Collection[str], *, is_said: bool) -> Any:
    if isinstance(value, str):
        return translate_lines(value, language) if is_said else value
    if isinstance(value, (list, tuple)):
        return [_said(each, language, fields, is_said=is_said) for each in value]
    return translate_data(value, language, fields) if isinstance(value, dict) else value


def _column(text: str, language: str, context: str) -> str:
    if known_language(language) == LANGUAGES[0]:
        return text
    from entropeg.texts.catalogue import french_decimals  # English needs none

    return french_decimals(translate(text, language, context))


def _line(line: str, language: str, context: str = "") -> str:
    if line.startswith("- ") and (whole := translate(line, language, context)) != line:
        return whole  # a sentence about standard input
    start, said, end = _LINE.fullmatch(line).groups()  # type: ignore[union-attr] # fits any line
    columns = (each if each.isspace() else _column(each, language, context) for each in _COLUMNS.split(said))
    return f"{start}{''.join(columns)}{end}"
