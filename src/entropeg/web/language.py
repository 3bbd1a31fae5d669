"""The language of an answer: chosen by the browser, applied to the sentences of plain data."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Request

SENTENCES = frozenset({"says", "error", "reason", "heading", "account", "adjusted"})
"""Keys under which an answer holds sentences for people: text, or lists of it at any depth."""


LANGUAGES = ("en", "fr")


def language_of(request: Request) -> str:
    """Return the language of an answer: that of the query (`language=fr`), else what the browser asks for first.

    Where neither names one that there is, it is that of the settings.
    """
    default: str = request.app.state.settings.language
    wished = [request.query_params.get("language", ""), *request.headers.get("accept-language", "").split(",")]
    return next((found for found in (wish.strip()[:2].casefold() for wish in wished) if found in LANGUAGES), default)


async def _language_of(request: Request) -> str:
    return language_of(request)  # what is no coroutine would be called in a thread


Language = Annotated[str, Depends(_language_of)]
"""The language of a request, as a parameter of a router's function."""


def told(data: Any, language: str) -> Any:  # noqa: ARG001 (until there are other languages)
    """Return plain data with its sentences in a language; what is no sentence is handed on as it is."""
    return data
