"""The language of an answer: chosen by the browser, applied to the sentences of plain data."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.responses import JSONResponse

from entropeg.plain_values import PlainValue
from entropeg.texts import LANGUAGES, preferred, say_all


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


def answered(value: Any, language: str, status: int = 200) -> JSONResponse:
    """Answer with a value, or with plain data, in a language."""
    return JSONResponse(say_all(value.to_json() if isinstance(value, PlainValue) else value, language), status)
