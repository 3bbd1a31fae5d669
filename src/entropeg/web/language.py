"""The language of an answer: chosen by the browser, applied to the sentences of plain data."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Request

SENTENCES = frozenset({"says", "error", "reason", "heading", "account", "adjusted"})
"""Keys under which an answer holds sentences for people: text, or lists of it at any depth."""


def language_of(request: Request) -> str:
    """Return the language that the browser asks for first among those that there are, `en` or `fr`."""
    default: str = request.app.state.settings.language
    return default


Language = Annotated[str, Depends(language_of)]
"""The language of a request, as a parameter of a router's function."""


def told(data: Any, language: str) -> Any:  # noqa: ARG001 (until there are other languages)
    """Return plain data with its sentences in a language; what is no sentence is handed on as it is."""
    return data
