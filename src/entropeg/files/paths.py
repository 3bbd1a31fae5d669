"""Reads and shows names of files; `-` stands for standard input and output."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from entropeg.arguments import named
from entropeg.errors import InputError
from entropeg.told import Told

STANDARD = "-"
"""Names standard input where a file is read, standard output where one is written."""

SHOWN = 120
"""Characters of a name that a message shows at most."""


def is_standard(path: str | Path | None) -> bool:
    """Tell whether a name stands for standard input or output.

    >>> is_standard("-"), is_standard("./-")
    (True, False)
    """
    return path is not None and os.fspath(path) == STANDARD


def refuse_standard(path: str | Path | None, what: str, *, is_shared: bool = False) -> None:
    """Raise InputError where `-` is given for a file that standard input cannot be, such as a checkpoint."""
    if is_standard(path) and is_shared:
        raise InputError("{what} is read by several processes: name a file, not -", named(what))
    if is_standard(path):
        raise InputError("{what} is read and written in turn: name a file, not -", named(what))


def shown(path: str | Path) -> str:
    r"""Return a name as messages show it: on one line, and not longer than a line.

    >>> shown("game.txt"), shown("-"), shown("a\nb"), shown("")
    ('game.txt', 'standard input', 'a\\nb', "''")
    """
    if is_standard(path):
        return Told("standard input")
    text = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in os.fspath(path))
    text = text or "''"  # a variable of a shell that is not set
    return text if len(text) <= SHOWN else f"{text[: SHOWN // 2]}...{text[-SHOWN // 2 :]}"


def data_folder() -> Path | None:
    """Return the folder in which this user's programs keep data, with our name; it need not be there.

    None where nobody can say which: platformdirs, which comes with the extra `web`, is not installed.
    """
    try:
        from platformdirs import user_data_path
    except ImportError:
        return None
    return user_data_path("entropeg", appauthor=False)


def file_above(path: str | Path) -> Path | None:
    """Return the file that a name takes for a folder, as `game` in `game/a.txt`; None where there is none."""
    with suppress(OSError, ValueError):  # a name may be too long to be looked up
        return next((each for each in Path(path).parents if each.is_file()), None)
    return None


def misnamed(path: str | Path) -> str:
    """Return what is wrong with a name that is to be that of a file; nothing where it may be one."""
    with suppress(OSError, ValueError):
        if Path(path).is_dir():
            return Told("{file} is a folder: name a file in it", shown(path))
    file = file_above(path)
    return "" if file is None else Told("{file} is a file, not a folder", shown(file))


def why(error: OSError | ValueError) -> Told:
    """Return why the system refuses a file, in its words."""
    if isinstance(error, OSError):
        return Told(error.strerror or str(error))
    return Told("its name holds a character that no name may have")
