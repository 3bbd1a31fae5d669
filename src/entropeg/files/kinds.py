"""Kinds of files that several rooms write: figures and pages, which carry the name of this program."""

from __future__ import annotations

from entropeg.files.writing import Kind

MARK = "entropeg"
"""Who made a figure, as its metadata say."""

GENERATOR = f'<meta name="generator" content="{MARK}">'
"""Stands in the head of every page."""

_BEGINNINGS = (b"<?xml", b"<svg", b"\x89PNG\r\n", b"%PDF-")

FIGURE = Kind("a figure of entropeg", lambda content: content.startswith(_BEGINNINGS) and MARK.encode() in content)
PAGE = Kind("a page of entropeg", lambda content: GENERATOR.encode() in content)
