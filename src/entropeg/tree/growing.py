"""How a piece of a tree is grown, here or by other workers: by kernels, or by asking the player.

A piece is a node with all of its subtree, except nodes of more than `cut` candidates below it, which begin pieces of
their own; a node whose guess alone takes long is a piece by itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from entropeg.kernels.onestep.arrays import make_work
from entropeg.search.grow import ask, one_step
from entropeg.search.onestep.board import legal_index, node_at
from entropeg.search.onestep.growing import Subtrees
from entropeg.tree.kept import COLUMNS

if TYPE_CHECKING:
    from entropeg.feedback import Code
    from entropeg.position import Position
    from entropeg.rules import Rules
    from entropeg.search.onestep.choice import Schedule

WHOLE = 2048
"""A tree by the kernels over so few secrets is one piece: it is done in milliseconds."""

LONG = 1 << 31
"""Pairs of a candidate and a guess that take a core about half a second."""


class Head(NamedTuple):
    """Where a piece begins: the position, how many candidates it has, and its number in the tree (-1: the first)."""

    position: Position
    size: int
    at: int


@dataclass(frozen=True)
class PieceGrower:
    """Grows pieces of the tree of one player on one board without a limit; `opening` replaces its first guess."""

    player: Any
    rules: Rules
    opening: Code | None

    @cached_property
    def schedule(self) -> Schedule | None:
        """The player's one-step rules, where kernels grow its tree."""
        return one_step(self.player, self.rules)

    @cached_property
    def first(self) -> Code | None:
        """The first guess, where it is known beforehand."""
        own = self.schedule.opening_code(self.rules) if self.schedule else None
        return own if self.opening is None else self.opening

    @cached_property
    def _subtrees(self) -> Subtrees:
        assert self.schedule is not None
        return Subtrees(self.rules, self.schedule, -1 if self.first is None else legal_index(self.rules, self.first))

    @property
    def is_plain(self) -> bool:
        """Whether all is done by Python and NumPy, so that one thread does it, and hears Ctrl-C itself."""
        return self.schedule is None or self._subtrees.is_plain

    @cached_property
    def cut(self) -> int:
        """Up to how many candidates a node belongs to the piece above it."""
        count = self.rules.secret_count
        return count if self.schedule and count <= WHOLE else max(256, count // 64)

    def limit(self, head: Head) -> int:
        """Return up to how many candidates a node below a head belongs to its piece."""
        return 0 if head.size > self.cut and self.pairs(head) > LONG else self.cut

    def pairs(self, head: Head) -> int:
        """Return how many pairs of a candidate and a guess the first choice looks at."""
        return head.size * self.rules.guess_count

    def method(self) -> Callable[[Head], Any]:
        """Return what grows pieces, in one thread: `int32[4, nodes]`, see `tree.kept`."""
        if self.schedule is None:
            return lambda head: np.array(ask(self.player, head.position, opening=self.first, limit=self.limit(head)))
        subtrees, seed = self._subtrees, max(self.schedule.seed, 0)
        memory = make_work(subtrees.board)

        def grow(head: Head) -> Any:
            return subtrees.grow(node_at(head.position, seed), memory, self.limit(head))[:COLUMNS].copy()

        return grow


_kept = threading.local()
# What grew pieces last in each thread: making the arrays of a board takes longer than most pieces.


def grown_pieces(grower: PieceGrower, heads: tuple[Head, ...]) -> list[Any]:
    """Grow several pieces of one tree; for workers, who keep what they need for the next ones.

    >>> from entropeg import Rules, codebreakers
    >>> from entropeg.position import Position
    >>> rules = Rules.parse("2x3")
    >>> callable(grown_pieces), Position(rules).turns
    (True, ())
    """
    if getattr(_kept, "grower", None) != grower:
        _kept.grower, _kept.method = grower, grower.method()
    return [_kept.method(head) for head in heads]
