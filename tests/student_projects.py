"""Unpacks the student projects of `tests/projects`, for tests."""

from __future__ import annotations

import re
from pathlib import Path

PROJECTS = Path(__file__).parent / "projects"


def student_project(name: str, folder: Path) -> Path:
    """Write the project of that name into a folder, and return the folder."""
    text = (PROJECTS / f"{name}.txt").read_text(encoding="utf-8")
    parts = re.split(r"^=== (.+)\n", text, flags=re.MULTILINE)[1:]
    for path, content in zip(parts[::2], parts[1::2], strict=True):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content, encoding="utf-8")
    return folder
