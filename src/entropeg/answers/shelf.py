"""A folder of tables of answers, of which rules that read no other files take a table by its name or digest.

The folder is that of a context: a server sets it for each request, and its workers for themselves. A table is a file
`NAME.DIGEST.json`, so that names are looked up among the files that there are, and lead nowhere else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, NamedTuple

from entropeg.errors import InputError
from entropeg.files import OWN, write_whole
from entropeg.files.paths import why

_FOLDER: ContextVar[Path | None] = ContextVar("_FOLDER", default=None)

_NAME = r"[\w-][\w+-]{0,59}"
_DIGEST = r"[0-9a-f]{8}"


class KeptTable(NamedTuple):
    """A table in the folder."""

    name: str
    digest: str
    """That of the rules that are this table and nothing else."""
    path: Path


@contextmanager
def tables_in(folder: Path) -> Iterator[None]:
    """Have rules take tables from a folder in this block."""
    token = _FOLDER.set(folder)
    try:
        yield
    finally:
        _FOLDER.reset(token)


def take_tables_from(folder: Path) -> None:
    """Have rules take tables from a folder in this process."""
    _FOLDER.set(folder)


def kept_tables() -> list[KeptTable]:
    """Return the tables of the folder, by name; none without a folder."""
    folder = _FOLDER.get()
    if folder is None or not folder.is_dir():
        return []
    found = (re.fullmatch(rf"({_NAME})\.({_DIGEST})\.json", file.name) for file in sorted(folder.iterdir()))
    return [KeptTable(match[1], match[2], folder / match[0]) for match in found if match]


def kept_table(name: str) -> KeptTable | None:
    """Return the table of a name, or of a digest; None where there is none."""
    tables = kept_tables()
    return next((table for table in tables if table.name == name), None) or next(
        (table for table in tables if table.digest == name), None
    )


def keep_table(name: str, digest: str, parts: dict[str, Any], *, most: int) -> KeptTable:
    """Write a table into the folder: `secrets`, `questions` and `answers`; one that is there is returned.

    Raises InputError for a name that is none, or that another table has, where there are as many as `most`, and where
    the folder cannot be used.
    """
    folder = _FOLDER.get()
    if folder is None:
        raise InputError("no tables are kept here")
    if not re.fullmatch(_NAME, name) or re.fullmatch(_DIGEST, name):
        raise InputError(
            "{name!r} is no name of a table: it has 1 to 60 letters, digits, - and _, and is not written as a digest",
            name,
        )
    tables = kept_tables()
    same = next((table for table in tables if table.digest == digest), None)
    if same is not None:
        return same
    if any(table.name == name for table in tables):
        raise InputError("another table is called {name!r}: give this one another name, or remove that one", name)
    if len(tables) >= most:
        raise InputError("{most} tables are kept already: remove one that is not needed any more", most)
    made = KeptTable(name, digest, folder / f"{name}.{digest}.json")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError("the folder {folder} cannot be used: {why}", folder, why(error)) from None
    write_whole(made.path, json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode(), OWN)
    return made
