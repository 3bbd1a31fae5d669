"""Unpacks the student projects of `tests/projects`, for tests."""

from __future__ import annotations

import re
from pathlib import Path

PROJECTS = Path(__file__).parent / "projects"


def student_project(name: str, folder: Path) -> Path:
    """Write the project of that name into a folder, and return the folder."""
    for path, content in files_of(name).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content, encoding="utf-16" if path == "requirements.txt" else "utf-8")
    return folder


def files_of(name: str) -> dict[str, str]:
    """Return the files of a project, those that it takes from another one too."""
    text = (PROJECTS / f"{name}.txt").read_text(encoding="utf-8")
    parts, found = re.split(r"^=== (.+)\n", text, flags=re.MULTILINE)[1:], dict[str, str]()
    for head, content in zip(parts[::2], parts[1::2], strict=True):
        path, _, other = head.partition(" as in ")
        found[path] = files_of(other.partition(" ")[0])[other.partition(" ")[2]] if other else content
    return found
