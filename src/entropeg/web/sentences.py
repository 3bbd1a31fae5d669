"""Sentences with codes in them: text that can be translated, and then pieces, of which a page draws the codes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from entropeg.rules import Rules
from entropeg.train.booklet import plain
from entropeg.train.telling import Sentence, is_feedback
from entropeg.web.values import code_data


def sentence_data(sentence: Sentence, rules: Rules) -> dict[str, Any]:
    """Return a sentence as text, `says`, with the codes that it names, in their order.

    >>> sentence_data(((0, 0, 1, 1), " is the only code that fits every row."), Rules.parse("4x6"))
    {'says': 'AABB is the only code that fits every row.', 'codes': [{'text': 'AABB', 'pegs': [0, 0, 1, 1]}]}
    """
    codes = [piece for piece in sentence if not isinstance(piece, str) and not is_feedback(piece)]
    return {"says": plain(sentence, rules), "codes": [code_data(tuple(code), rules) for code in dict.fromkeys(codes)]}


def with_pieces(said: dict[str, Any]) -> dict[str, Any]:
    """Return sentence data, translated or not, with its `pieces`: texts, and codes where the sentence names them.

    >>> said = sentence_data(((0, 0, 1, 1), " is the only code that fits every row."), Rules.parse("4x6"))
    >>> with_pieces(said)["pieces"]
    [{'code': 'AABB', 'pegs': [0, 0, 1, 1]}, {'text': ' is the only code that fits every row.'}]
    """
    return said | {"pieces": list(_pieces(said["says"], {code["text"]: code["pegs"] for code in said["codes"]}))}


def _pieces(text: str, codes: dict[str, list[int]]) -> Iterator[dict[str, Any]]:
    if not codes:
        yield {"text": text}
        return
    names = "|".join(re.escape(name) for name in sorted(codes, key=len, reverse=True))
    for place, piece in enumerate(re.split(rf"(?<!\w)({names})(?!\w)", text)):
        if place % 2:
            yield {"code": piece, "pegs": codes[piece]}
        elif piece:
            yield {"text": piece}
