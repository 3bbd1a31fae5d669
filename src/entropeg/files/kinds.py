"""Kinds of files that several rooms write: figures and pages, which carry the name of this program."""

from __future__ import annotations

from entropeg.files.writing import FileKind

MARK = "entropeg"
"""Who made a figure, as its metadata say."""

GENERATOR = f'<meta name="generator" content="{MARK}">'
"""Stands in the head of every page."""

_BEGINNINGS = (b"<?xml", b"<svg", b"\x89PNG\r\n", b"%PDF-")


def _is_figure(content: bytes) -> bool:
    is_ours = content.startswith(_BEGINNINGS) and MARK.encode() in content
    return is_ours and b'id="entropeg-tree"' not in content  # a picture that carries a tree is a tree


FIGURE = FileKind("a figure of entropeg", _is_figure)
PAGE = FileKind("a page of entropeg", lambda content: GENERATOR.encode() in content)
