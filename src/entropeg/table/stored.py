"""Tables at hand: those that come with the package, and those that were made into the user's folder."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from warnings import warn

from entropeg.errors import EntropegWarning, InputError
from entropeg.files import data_folder
from entropeg.rules import Rules
from entropeg.table.tablebase import Tablebase
from entropeg.told import Told

ENDING = ".table"


def user_folder() -> Path | None:
    """Return where tables of this user are kept; None where nobody can say."""
    folder = data_folder()
    return None if folder is None else folder / "tables"


def file_name(rules: Rules, turns: int) -> str:
    """Return the name of the file of a table.

    >>> file_name(Rules.parse("4x6/positional"), 2)
    '4x6_positional-2.table'
    """
    return f"{_stem(rules)}-{turns}{ENDING}"


def _stem(rules: Rules) -> str:
    return re.sub(r"[^A-Za-z0-9=-]", "_", str(rules.board))


def files_at_hand(rules: Rules | None = None) -> list[Path]:
    """Return the files of tables, of some rules or of all: those of the package first."""
    folders = [Path(str(files("entropeg") / "data" / "tables")), user_folder()]
    pattern = f"{'*' if rules is None else _stem(rules)}-*{ENDING}"
    return [file for folder in folders if folder is not None for file in sorted(folder.glob(pattern))]


@lru_cache(maxsize=16)
def table_of(rules: Rules) -> Tablebase | None:
    """Return the table at hand that has most positions of some rules, whatever their alphabet and limit; None without.

    A file that cannot be read is told in a warning, and passed over. Answers are kept: `forget` lets go of them.
    """
    if rules.hard or rules.prior is not None or rules.words is not None:
        return None
    found: list[Tablebase] = []
    for file in files_at_hand(rules):
        try:
            found.append(Tablebase.load(file))
        except InputError as error:
            warn(Told("{problem}; it is not used", error), EntropegWarning, stacklevel=2)
    return max((each for each in found if each.rules == rules.board), key=lambda each: each.sets, default=None)


def forget() -> None:
    """Look for tables anew when one is asked for."""
    table_of.cache_clear()


def open_table(rules: Rules | str) -> Tablebase:
    """Return the table at hand of some rules, or raise InputError with the command that makes one.

    >>> from entropeg.position import Position
    >>> table = open_table("4x6")
    >>> table.turns, table.value(Position("4x6", ["AABB XO"]).candidates)
    (3, StoredValue(total=718, worst=4))
    """
    board = Rules.of(rules).board
    found = table_of(board)
    if found is None:
        raise InputError("there is no table of {rules}: `entropeg table make {rules} --turns 2` makes one", board)
    return found
