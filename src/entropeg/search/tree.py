"""A complete strategy as a plain tree: the guess, and what follows after each feedback but the winning one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(slots=True)
class Node:
    """A guess (color indexes) and, by label of the feedback, the nodes that follow.

    ``wins`` tells whether the guess may be the secret. Labels are those of `entropeg.rules`:
    ``black * (pegs + 1) + white``, or the blacks alone.

    >>> tree = Node((0, 1), True, {1: Node((0, 0), True, {})})
    >>> tree.total, tree.worst, tree.secrets
    (3, 2, 2)
    """

    guess: tuple[int, ...]
    wins: bool
    children: dict[int, Node] = field(default_factory=dict, repr=False)

    def _winners(self) -> Iterator[list[Node]]:
        """The nodes that may be the secret, for one guess, two, ...: the tree is walked level by level."""
        level = [self]
        while level:
            yield [node for node in level if node.wins]
            level = [child for node in level for child in node.children.values()]

    def found(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Each secret that the tree finds, and the number of guesses used for it."""
        return ((node.guess, depth) for depth, nodes in enumerate(self._winners(), 1) for node in nodes)

    @property
    def histogram(self) -> dict[int, int]:
        """Number of secrets by number of guesses, ascending."""
        return {depth: len(nodes) for depth, nodes in enumerate(self._winners(), 1) if nodes}

    @property
    def total(self) -> int:
        """Sum of guesses over all secrets, the winning guess included."""
        return sum(depth * secrets for depth, secrets in self.histogram.items())

    @property
    def worst(self) -> int:
        """Most guesses that a secret needs."""
        return max(self.histogram)

    @property
    def secrets(self) -> int:
        """Number of secrets found."""
        return sum(self.histogram.values())


def to_rows(tree: Node | None) -> NDArray[np.int32]:
    """The nodes of a strategy, parents before children: (parent, label, wins, colors of the guess); none for None."""
    rows: list[tuple[int, ...]] = []
    waiting = [] if tree is None else [(tree, -1, -1)]
    while waiting:
        node, parent, label = waiting.pop()
        waiting.extend((child, len(rows), e) for e, child in node.children.items())
        rows.append((parent, label, int(node.wins), *node.guess))
    return np.array(rows, np.int32).reshape(len(rows), -1 if rows else 0)


def from_rows(rows: NDArray[np.int32]) -> Node | None:
    """The strategy that `to_rows` made these of; raises ValueError where they are no nodes, parents before children.

    >>> tree = Node((0, 1), True, {1: Node((0, 0), True, {})})
    >>> from_rows(to_rows(tree)) == tree
    True
    """
    nodes: list[Node] = []
    above = rows[:, 0] if rows.ndim == 2 and rows.shape[1] >= 3 else np.zeros(len(rows))
    if len(rows) and (above[0] != -1 or (above[1:] < 0).any() or (above >= np.arange(len(rows))).any()):
        raise ValueError("its strategy has a node that does not follow an earlier one")
    for parent, label, wins, *guess in rows.tolist():
        nodes.append(Node(tuple(guess), bool(wins)))
        if parent >= 0:
            nodes[parent].children[label] = nodes[-1]
    return nodes[0] if nodes else None
