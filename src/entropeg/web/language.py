"""The language of an answer: chosen by the browser, applied to the sentences of plain data."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.responses import JSONResponse

from entropeg.plain_values import PlainValue
from entropeg.texts import LANGUAGES, preferred, translate
from entropeg.told import Spoken


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


async def _language_of(request: Request) -> str:
    return language_of(request)  # a plain function would be called in a thread


Language = Annotated[str, Depends(_language_of)]
"""The language of a request, as a parameter of a router's function."""


def told(data: Any, language: str) -> Any:
    """Return plain data with its sentences in a language, wherever they stand, and all else as it is.

    >>> from entropeg.told import Told
    >>> told({"says": [Told("Only one code is left.")], "guess": "AABB"}, "fr")
    {'says': ['Il ne reste qu’un code.'], 'guess': 'AABB'}
    """
    if language == LANGUAGES[0]:
        return data
    match data:
        case Spoken():
            return translate(data, language)
        case dict():
            return {key: told(value, language) for key, value in data.items()}
        case list() | tuple():
            return [told(each, language) for each in data]
    return data


def answered(value: Any, language: str, status: int = 200) -> JSONResponse:
    """Answer with a value, or with plain data, in a language."""
    return JSONResponse(told(value.to_json() if isinstance(value, PlainValue) else value, language), status)
