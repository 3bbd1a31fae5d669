"""Keeping games and tables in files: nothing is overwritten unasked, and every failure is one sentence."""

from __future__ import annotations

from pathlib import Path

from entropeg.errors import InputError
from entropeg.files import check_target
from entropeg.game import Game, load_game


def load(path: str) -> Game:
    """Read a saved game; raises InputError, naming the file, where it is none."""
    try:
        return load_game(path)
    except InputError as error:
        said = str(error)
        raise InputError(said if path in said else f"{path}: {said}") from None


def check_free(path: str, *, game: bool = True) -> None:
    """Raise InputError where saving under this name would overwrite a file or has no folder to go to.

    With `game` the file is one that a game could be continued from.
    """
    target = Path(path)
    if target.is_file() and target.stat().st_size:
        how = f" (a game in it is continued with --load {path})" if game else ""
        raise InputError(f"{path} exists already: choose another name{how}")
    check_target(path)
