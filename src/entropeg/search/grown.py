"""Strategy trees as arrays: whole, and put together from pieces that were grown one by one."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Grown(NamedTuple):
    """A strategy over all secrets, one entry a node, level by level, siblings together by ascending label."""

    guess: Any  # int32: index in the list of legal guesses
    parent: Any  # int32, -1 for node 0
    label: Any  # int32: feedback that leads here from the parent, -1 for node 0
    size: Any  # int32: secrets that come here


class Pieces:
    """The pieces of a tree that are grown so far, their nodes numbered as they come."""

    def __init__(self) -> None:
        """Begin with none."""
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
