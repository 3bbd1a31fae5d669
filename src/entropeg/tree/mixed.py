"""Plays the codebreaker's side of a file of mixed strategies: `mixed:FILE`."""

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
from entropeg.position import Position, Turn
from entropeg.registry import named
from entropeg.rules import Rules
from entropeg.symmetry import Classes, automorphisms
from entropeg.tree.game_value import GameValue
from entropeg.tree.strategy import StrategyTree

NewColors = dict[int, int]
"""New names of colors."""


def mixed_strategies(file: str, rules: Rules | None = None) -> GameValue:
    """Return what a file of mixed strategies holds, kept until it changes; raises InputError, also for other rules.

    >>> mixed_strategies("none.json")
    Traceback (most recent call last):
    ...
    entropeg.errors.InputError: none.json cannot be read: No such file or directory
    """
    try:
        changed = Path(file).stat()
    except OSError as error:
        raise InputError("{file} cannot be read: {reason}", shown(file), why(error)) from None
    found = _loaded(file, (changed.st_mtime_ns, changed.st_size))
    if rules is not None and rules.board != found.rules.board:
        raise InputError("{file} is for {rules}, not for {others}", shown(file), found.rules, rules)
    return found


@lru_cache(maxsize=16)
def _loaded(file: str, _changed: tuple[int, int]) -> GameValue:
    return GameValue.load(file)


@dataclass(frozen=True)
class MixedBreaker:
    """Plays a strategy drawn from a file of `entropeg value`: `mixed:FILE`.

    Colors and pegs are renamed at random. Which strategy it plays, under which names, is told by the guesses so far: of
    all that agree with these one is drawn, by their chances, so that nothing is kept from turn to turn. At positions
    to which none of them leads, it plays a code that fits.
    """

    file: str

    name = named("mixed")
    deterministic: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Read the file now, so that its mistakes are told at once."""
        refuse_standard(self.file, "the strategies of a player", is_shared=True)
        mixed_strategies(self.file)

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the guess of a strategy that is drawn among those that played as the history says."""
        rules = position.rules
        mixed = mixed_strategies(self.file, rules)
        start = Position(rules.with_limit(None))
        # Words, and questions of a table, have no other names.
        fresh = set(Classes.of(start).fresh) if rules.is_symmetric else set[int]()
        agreeing: list[tuple[Code, tuple[int, ...], NewColors]] = []
        chances: list[float] = []
        for one in mixed.trees:
            path = _path(one.tree, position)
            if path is None:
                continue
            for pegs, _ in automorphisms(start):
                names = _names(path[:-1], position.turns, pegs, fresh)
                if names is not None:
                    agreeing.append((path[-1], pegs, names))
                    chances.append(float(one.chance))
        if not agreeing:
            candidates = position.candidates
            position.check_consistent()
            return candidates[int(rng.integers(len(candidates)))]
        # Each leaves the same number of ways to name the other colors, so that they weigh by their chances alone.
        chosen = rng.choice(len(agreeing), p=np.array(chances) / sum(chances))
        guess, pegs, names = agreeing[int(chosen)]
        others = sorted(fresh - names.keys())
        taken = set(names.values())
        names |= dict(zip(others, rng.permutation([c for c in sorted(fresh) if c not in taken]).tolist(), strict=True))
        return _renamed(guess, pegs, names)


def _path(tree: StrategyTree, position: Position) -> list[Code] | None:
    """The guesses of a tree at the answers of a position, and the next one; None where it does not lead there."""
    node, path = 0, [tree.code(0)]
    for turn in position.turns:
        below = tree.child(node, turn.feedback)
        if below is None:
            return None
        node = below
        path.append(tree.code(node))
    return path


def _names(guesses: list[Code], turns: tuple[Turn, ...], pegs: tuple[int, ...], fresh: set[int]) -> NewColors | None:
    """The names of colors by which guesses, their pegs moved, become those that were played; None where none do."""
    names: NewColors = {}
    for guess, turn in zip(guesses, turns, strict=True):
        for peg, color in enumerate(guess):
            played = turn.guess[pegs[peg]]
            if color not in fresh or played not in fresh:
                if color != played:
                    return None
            elif names.setdefault(color, played) != played:
                return None
    return names if len(set(names.values())) == len(names) else None


def _renamed(guess: Code, pegs: tuple[int, ...], names: NewColors) -> Code:
    moved = [0] * len(guess)
    for peg, color in enumerate(guess):
        moved[pegs[peg]] = names.get(color, color)
    return tuple(moved)
