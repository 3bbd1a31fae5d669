"""The language of an answer: chosen by the browser, applied to the sentences of plain data."""

from __future__ import annotations

import re
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.responses import JSONResponse

from entropeg.plain_values import PlainValue
from entropeg.texts import LANGUAGES, say_all

_RANGE = re.compile(r"\s*([A-Za-z]{1,8}|\*)(?:-[A-Za-z0-9-]*)?\s*(?:;\s*[qQ]\s*=\s*([01](?:\.\d{0,3})?)\s*)?")


def language_of(request: Request) -> str:
    """Return the language of an answer: that of the query (`language=fr`), else what the browser asks for first.

    Where it asks for none that there is, it is that of the settings.
    """
    wished = request.query_params.get("language", "")
    if wished in LANGUAGES:
        return wished
    default: str = request.app.state.settings.language
    header = request.headers.get("accept-language", "")
    return preferred(header, default)


def preferred(accept_language: str | None, default: str = LANGUAGES[0]) -> str:
    """Return the language for a header `Accept-Language` (RFC 9110, 12.5.4); `default` where it names none of ours.

    A language counts with all its regions: `fr-CA` is French. Of equal weights the first wins; ranges that cannot be
    read are passed over.

    >>> preferred("fr-CA,fr;q=0.8,en;q=0.5"), preferred("de, en;q=0.2, fr;q=0.1"), preferred("de, *", "fr")
    ('fr', 'en', 'fr')
    """
    weights: dict[str, float] = {}
    for piece in (accept_language or "")[:1000].split(","):
        found = _RANGE.fullmatch(piece)
        if found is not None:
            weight = min(1.0, float(found[2] or 1))
            weights[found[1].lower()] = max(weight, weights.get(found[1].lower(), 0.0))
    others = weights.get("*", 0.0)
    order = [*weights, default, *LANGUAGES]
    best = max(LANGUAGES, key=lambda each: (weights.get(each, others), -order.index(each)))
    return best if weights.get(best, others) > 0 else default


async def _language_of(request: Request) -> str:
    return language_of(request)  # a plain function would be called in a thread


Language = Annotated[str, Depends(_language_of)]
"""The language of a request, as a parameter of a router's function."""


def answered(value: Any, language: str, status: int = 200) -> JSONResponse:
    """Answer with a value, or with plain data, in a language."""
    return JSONResponse(say_all(value.to_json() if isinstance(value, PlainValue) else value, language), status)
