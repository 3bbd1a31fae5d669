"""Writes what students of the course start from: gaps to fill, the first players, tests, and a page with the road.

The texts stand in `data/start`, each language whole in a folder: a `.txt` behind their names keeps them from being
taken for modules of entropeg. The programs of all languages are the same but for what people read in them.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from entropeg.files import OWN, FileKind, make_folder, write_whole
from entropeg.texts.languages import LANGUAGES, known_language

STARTS = Path(__file__).parents[1] / "data" / "start"

_NEW = FileKind(OWN.name, lambda _: False)
"""No file is of this kind: whatever is there stays."""


class StartFiles(NamedTuple):
    """The files of a start: those that were written, and those that were there already and stay as they are."""

    written: list[Path]
    left: list[Path]


def write_start(folder: str | Path, *, language: str = "en") -> StartFiles:
    """Write the handout of the course into a folder, which is made; no file that is there already is changed.

    A language without a handout of its own has the English one. Raises InputError for a language that there is not, and
    where a file cannot be written.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     first, second = write_start(folder, language="fr"), write_start(folder)
    >>> [path.name for path in first.written][:3], second.written
    (['README.md', 'codebreaker0.py', 'codemaker0.py'], [])
    """
    own = STARTS / known_language(language)
    texts = own if own.is_dir() else STARTS / LANGUAGES[0]
    make_folder(folder)
    found = StartFiles([], [])
    for text in sorted(texts.glob("*.txt")):
        path = Path(folder) / text.stem
        if os.path.lexists(path):
            found.left.append(path)
        else:
            write_whole(path, text.read_bytes(), _NEW)
            found.written.append(path)
    return found
