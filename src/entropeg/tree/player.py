"""Makes a codebreaker of a tree file: it plays, advises and enters the arena by its name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np

from entropeg.errors import InputError
from entropeg.feedback import Code
from entropeg.files import refuse_standard, shown
from entropeg.files.paths import why
from entropeg.position import Position
from entropeg.registry import named
from entropeg.rules import Rules
from entropeg.tree.strategy import StrategyTree


@dataclass(frozen=True)
class TreeFile:
    """Plays the strategy in a tree file: `tree:FILE`.

    The file is in any format of `StrategyTree.load`.
    The file is read, and every secret played through it, when the codebreaker is made (a punch card, ending in .txt,
    which does not name its rules, at its first guess). Raises InputError where the file is damaged or for other
    rules, and at a position to which the strategy does not come by itself: a tree has no advice there.

    >>> TreeFile("none.tree")
    Traceback (most recent call last):
    ...
    entropeg.errors.InputError: none.tree cannot be read: No such file or directory
    """

    file: str

    name = named("tree")
    deterministic: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Read the file now, so that its mistakes are told at once."""
        refuse_standard(self.file, "the tree of a player", is_shared=True)
        if not self._is_card:
            self.tree()

    def tree(self, rules: Rules | None = None) -> StrategyTree:
        """Return the strategy; a punch card needs the rules."""
        try:
            changed = Path(self.file).stat()
        except OSError as error:
            raise InputError("{file} cannot be read: {reason}", shown(self.file), why(error)) from None
        return _loaded(self.file, (changed.st_mtime_ns, changed.st_size), rules)

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the guess of the strategy; costs some microseconds a turn played."""
        rules = position.rules.with_limit(None) if self._is_card else None
        return self.tree(rules).guess(position, rng)

    @property
    def _is_card(self) -> bool:
        return Path(self.file).suffix == ".txt"


@lru_cache(maxsize=16)
def _loaded(file: str, _changed: tuple[int, int], rules: Rules | None) -> StrategyTree:
    # Kept until the file changes.
    return StrategyTree.load(file, rules)
