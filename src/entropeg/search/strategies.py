"""Complete strategies: as a tree of nodes, or as arrays of them, also put together from pieces grown one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg.told import Told


@dataclass(slots=True)
class Node:
    """A guess (color indexes) and, by label of the feedback, the nodes that follow.

    ``wins`` tells whether the guess may be the secret. Labels are those of `entropeg.rules`:
    ``black * (pegs + 1) + white``, or the blacks alone. The one code left of a game that ends so is not ``asked``: a
    node says which it is, and takes no guess.

    >>> tree = Node((0, 1), True, {1: Node((0, 0), True, {})})
    >>> tree.total, tree.worst, tree.secrets
    (3, 2, 2)
    """

    guess: tuple[int, ...]
    wins: bool
    children: dict[int, Node] = field(default_factory=dict, repr=False)
    asked: bool = True

    def _winners(self) -> Iterator[list[Node]]:
        """The nodes that may be the secret, level by level."""
        level = [self]
        while level:
            yield [node for node in level if node.wins]
            level = [child for node in level for child in node.children.values()]

    def found(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Each secret that the tree finds, and the number of guesses used for it."""
        return ((node.guess, depth + node.asked) for depth, nodes in enumerate(self._winners()) for node in nodes)

    @property
    def histogram(self) -> dict[int, int]:
        """Number of secrets by number of guesses, ascending."""
        return dict(sorted(Counter(depth for _, depth in self.found()).items()))

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
        raise ValueError(Told("its strategy has a node that does not follow an earlier one"))
    for parent, label, wins, *guess in rows.tolist():
        nodes.append(Node(tuple(guess), bool(wins)))
        if parent >= 0:
            nodes[parent].children[label] = nodes[-1]
    return nodes[0] if nodes else None


class Grown(NamedTuple):
    """A strategy over all secrets, one entry a node, level by level, siblings together by ascending label."""

    guess: Any  # int32: index in the list of legal guesses
    parent: Any  # int32, -1 for node 0
    label: Any  # int32: feedback that leads here from the parent, -1 for node 0
    size: Any  # int32: secrets that come here


class Pieces:
    """The pieces of a tree that are grown so far, their nodes numbered as they come."""

    def __init__(self) -> None:
        self._placed: list[tuple[Any, ...]] = []
        self._heads: list[tuple[int, int]] = []
        self._nodes = 0

    def place(self, piece: Any, at: int) -> tuple[Any, Any]:
        """Number the nodes of a piece that grows from node `at` of the tree, -1 for the first piece.

        piece: guess, parent, label and size of its nodes; a guess of -1 leaves a node to a piece of its own. Returns
        these nodes as places in the piece, and the numbers of all.
        """
        guess, parent, label, size = piece
        old = int(at >= 0)
        numbers = np.arange(self._nodes - old, self._nodes - old + len(guess), dtype=np.int32)
        self._nodes += len(guess) - old
        if old:
            numbers[0] = at
            self._heads.append((at, int(guess[0])))
        self._placed.append(tuple(column[old:] for column in (guess, numbers[parent], label, size)))
        return np.flatnonzero(guess < 0), numbers

    def whole(self) -> Grown:
        """Put all of them together."""
        guess, parent, label, size = (np.concatenate(column) for column in zip(*self._placed, strict=True))
        for at, head in self._heads:
            guess[at] = head
        parent[0] = -1
        return in_levels(guess, parent, label, size)


def path_to(piece: Any, node: int) -> list[tuple[int, int]]:
    """Return (guess, label) of each turn that leads from the first node of a piece to another."""
    guess, parent, label = piece[:3]
    steps = []
    while parent[node] >= 0:
        steps.append((int(guess[parent[node]]), int(label[node])))
        node = int(parent[node])
    return steps[::-1]


def in_levels(guess: Any, parent: Any, label: Any, size: Any) -> Grown:
    """Put nodes level by level, children of one parent together by ascending label.

    One order for one tree, however it was grown.
    """
    count = len(guess)
    by_parent = np.lexsort((label, parent))
    begin = np.searchsorted(parent[by_parent], np.arange(count + 1))
    order = np.zeros(count, np.int64)
    rank = np.zeros(count, np.int64)
    order[0] = by_parent[0]
    low, high = 0, 1
    while low < high:
        level = order[low:high]
        rank[level] = np.arange(low, high)
        widths = begin[level + 1] - begin[level]
        total = int(widths.sum())
        offsets = np.repeat(begin[level] - np.concatenate(([0], widths.cumsum()[:-1])), widths)
        order[high : high + total] = by_parent[np.arange(total) + offsets]
        low, high = high, high + total
    above = parent[order]
    return Grown(guess[order], np.where(above >= 0, rank[above], -1).astype(np.int32), label[order], size[order])
