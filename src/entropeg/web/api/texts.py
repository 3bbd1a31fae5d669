"""`GET /api/texts/{language}`: the texts of the page in a language."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from entropeg.texts import page_texts
from entropeg.web.errors import field

router = APIRouter(tags=["about"])


@router.get("/texts/{language}")
async def texts(language: Annotated[str, Path(examples=["fr"])]) -> dict[str, str | list[str]]:
    """Give the texts of the page by their English: one text, or the forms for one and for many."""
    with field("language", "fr"):
        return page_texts(language)
