"""Lines of a conversation in another language: sentences are translated whole, the codes in them stay what they are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from entropeg.cli.language.choosing import ENGLISH, spoken_language, translated
from entropeg.cli.lines import Fragment, Line

FIRST, LAST = "\U000f0000", "\U000fffff"
"""Characters for private use: each stands for a code or an answer while its sentence is translated."""

_STANDS = re.compile(f"([{FIRST}-{LAST}])")


def told(line: Line) -> Line:
    """Return a line in the language of the hour, unless it is told already.

    >>> told(Line(("try ", (0, 0)))).fragments
    ('try ', (0, 0))
    """
    if line.is_told or spoken_language() == ENGLISH:
        return line
    return Line(told_fragments(line.fragments), line.tone, told_fragments(line.brief), is_told=True)


def told_fragments(fragments: Sequence[Fragment]) -> tuple[Fragment, ...]:
    """Return a sentence in pieces, codes among them, in the language of the hour."""
    drawn = [each for each in fragments if not isinstance(each, str)]
    places = iter(range(len(drawn)))
    text = "".join(each if isinstance(each, str) else chr(ord(FIRST) + next(places)) for each in fragments)
    if len(_STANDS.findall(text)) != len(drawn):  # somebody has typed such a character
        return tuple(fragments)
    pieces = _STANDS.split(translated(text))
    return tuple(drawn[ord(each) - ord(FIRST)] if place % 2 else each for place, each in enumerate(pieces) if each)
