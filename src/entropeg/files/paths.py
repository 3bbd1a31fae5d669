"""Names of files: what stands for standard input and output, and how a name is shown."""

from __future__ import annotations

import os
from pathlib import Path

from entropeg.errors import InputError

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


def refuse_standard(path: str | Path | None, what: str, why_not: str = "is read and written in turn") -> None:
    """Raise InputError where `-` is given for a file that standard input cannot be, such as a checkpoint."""
    if is_standard(path):
        raise InputError(f"{what} {why_not}: name a file, not -")


def shown(path: str | Path) -> str:
    r"""Return a name as messages show it: on one line, and not longer than a line.

    >>> shown("game.txt"), shown("-"), shown("a\nb"), shown("")
    ('game.txt', 'standard input', 'a\\nb', "''")
    """
    text = "standard input" if is_standard(path) else os.fspath(path)
    text = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)
    text = text or "''"  # a variable of a shell that is not set
    return text if len(text) <= SHOWN else f"{text[: SHOWN // 2]}...{text[-SHOWN // 2 :]}"


def why(error: OSError | ValueError) -> str:
    """Return why the system refuses a file, in its words."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return "its name holds a character that no name may have"
