"""Writes the notebooks of the pages as files of Jupyter, for platforms that read nothing else.

    python docs/extensions/notebooks.py

The text of `docs/learn/notebooks/NAME.md` is what people change; `NAME.ipynb` beside it is made from it, without
results, and the tests hold the two together. Links to other pages become plain words, since a file that was taken along
has no pages around it, and cells tagged `solution` go to the end.
"""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent.parent / "learn" / "notebooks"

_HEAD = re.compile(r"\A---\n.*?^---\n", re.MULTILINE | re.DOTALL)
_CELL = re.compile(r"^```\{code-cell\}[^\n]*\n((?::[^\n]*\n)*)(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]+\)")
_TAGS = re.compile(r"^:tags: \[(.*)\]$", re.MULTILINE)


class Cell(NamedTuple):
    """A piece of a notebook: its text, whether it is code, and its tags."""

    text: str
    is_code: bool = False
    tags: tuple[str, ...] = ()


def cells(page: str, *, moved: bool = True) -> list[Cell]:
    r"""Split a page into the cells of a notebook, solutions `moved` to the end, or where they stand.

    >>> [cell.text for cell in cells("# Sum\n\n```{code-cell} python\n1 + 1\n```\n\nSee [there](../x.md).\n")]
    ['# Sum', '1 + 1', 'See there.']
    """
    body, end = _HEAD.sub("", page), 0
    found = list[Cell]()
    for match in _CELL.finditer(body):
        found.append(_words(body[end : match.start()]))
        given = _TAGS.search(match[1])
        found.append(Cell(match[2].strip(), is_code=True, tags=tuple(given[1].split(", ")) if given else ()))
        end = match.end()
    found = [cell for cell in [*found, _words(body[end:])] if cell.text]
    if not moved:
        return found
    solutions = [cell._replace(tags=()) for cell in found if "solution" in cell.tags]
    heading = [Cell("## Solutions")] if solutions else []
    return [cell for cell in found if "solution" not in cell.tags] + heading + solutions


def _words(text: str) -> Cell:
    return Cell(_LINK.sub(r"\1", text).strip())


def notebook(page: str) -> str:
    """Return a page as the text of a file of Jupyter (format 4.5), without results."""
    written = [_cell(cell, number) for number, cell in enumerate(cells(page))]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    data = {
        "cells": written,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _cell(cell: Cell, number: int) -> dict[str, Any]:
    source = cell.text.splitlines(keepends=True)
    data: dict[str, Any] = {"id": f"cell-{number}", "metadata": {"tags": [*cell.tags]} if cell.tags else {}}
    kind: dict[str, Any] = {"cell_type": "markdown"}
    if cell.is_code:
        kind = {"cell_type": "code", "execution_count": None, "outputs": []}
    return data | kind | {"source": source}


def pages() -> dict[str, Path]:
    """Return the pages that are notebooks, by the names of their files."""
    found = {path: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.md"))}
    return {f"{path.stem}.ipynb": path for path, text in found.items() if "file_format: mystnb" in text}


def main() -> None:
    """Write every notebook that has changed."""
    for name, path in pages().items():
        text, file = notebook(path.read_text(encoding="utf-8")), FOLDER / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8", newline="\n")
            print(f"notebooks: {name}")  # noqa: T201 (a command of make)


if __name__ == "__main__":
    main()
