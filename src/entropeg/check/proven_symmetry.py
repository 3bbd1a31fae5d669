"""Guesses that cost the same because a symmetry of the game takes one to the other, for the checker of proofs.

A symmetry is a permutation of the pegs with one of the colors that takes codes to codes, answers to answers, and each
secret to one of the same weight. One that takes each guess of a history to itself, and its answer to itself, takes the
set of codes that the history leads to to itself, so a guess costs what its image costs. By feedback:

- *standard*, *black*, *membership*: answers count pegs, and no permutation changes a count. Every permutation of the
  pegs will do, with every one of the colors; where a blank is not as the colors are, it stays the blank;
- *positional*: an answer tells which pegs are in place, and how many whites each color has, as whites are the
  first pegs of their color that are not in place. A permutation of the pegs takes the pegs in place along, and leaves
  whites to be counted. So it takes an answer of a guess that it takes to itself to itself if pegs in place go to pegs
  in place, and each color to one of as many whites. Clues of hard rules are made of the same: colors in place, and how
  many marks a color had;
- *grand*: colors are permuted, and shapes. Pegs stay: of two copies of a pair the first one is white, and blue asks
  whether the other is half right in its place. (3x4/shapes=2: guess 001 and secret 130 have two white, and nothing
  else; guess 001 and secret 310, in which the first two pegs changed places, have a blue one besides.) Where no guess
  has a pair twice pegs are permuted, too;
- words: none, as a word hardly ever becomes another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations
from typing import TypeAlias

import numpy as np

from entropeg.check.proven_board import ProvenBoard
from entropeg.check.proven_labels import Array, marks_of

History: TypeAlias = Sequence[Sequence[int]]
Renaming: TypeAlias = list[dict[int, int]]


class ProvenSymmetry:
    """The symmetries of a board. A code is seen by its features: its colors, or colors and shapes."""

    def __init__(self, board: ProvenBoard) -> None:
        """Allow what the feedback allows, as if every secret weighed the same."""
        self.board = board
        pegs = board.secrets.shape[1]
        self.features = self._seen(board.guesses)
        self.sizes = [board.symbols]
        if board.shapes:
            self.sizes = [board.symbols // board.shapes, board.shapes]
        are_moved = not board.is_list and (board.feedback != "grand" or not board.is_repeated)
        self.orders = list(permutations(range(pegs))) if are_moved else [tuple(range(pegs))]
        self.peg_kind = np.zeros(pegs, np.int64)
        self.kinds = [np.zeros(size, np.int64) for size in self.sizes]
        if board.blank is not None:
            self.kinds[0][board.blank] = 1

    def _seen(self, codes: Array) -> list[Array]:
        shapes = self.board.shapes
        return [codes // shapes, codes % shapes] if shapes else [codes]

    def keep(self, weight: Array) -> None:
        """Leave only symmetries that change no weight: of pegs, colors and shapes any two change places, or stay."""
        if self.board.is_list:
            return
        secrets, shapes = self.board.secrets, self.board.shapes
        digits = self.board.symbols ** np.arange(secrets.shape[1])[::-1]
        numbers = secrets @ digits

        def changes(moved: Array) -> bool:
            return not np.array_equal(weight[np.searchsorted(numbers, moved @ digits)], weight)

        if len(self.orders) > 1:
            for order, pair in _exchanges(self.peg_kind):
                if not changes(secrets[:, order]):
                    self.peg_kind[pair[1]] = self.peg_kind[pair[0]]
        for at, kind in enumerate(self.kinds):
            for names, pair in _exchanges(kind):
                seen = self._seen(secrets)
                seen[at] = names[seen[at]]
                if not changes(seen[0] * shapes + seen[1] if shapes else seen[0]):
                    kind[pair[1]] = kind[pair[0]]

    def numbers(self, history: History, guesses: Array) -> Array | None:
        """A number for each of the guesses, equal only where a symmetry takes one to the other; None without any."""
        # After more than two guesses hardly any symmetry is left.
        if self.board.is_list or len(history) > 2:
            return None
        keys = [self._named(guesses, order, names) for order, names in self._kept(history)]
        least: Array = np.min(keys, axis=0)
        return least

    def _kept(self, history: History) -> list[tuple[list[int], Renaming]]:
        """(order of pegs, names of the colors, and shapes, played) that take each guess and answer to itself."""
        found = []
        for order in self.orders:
            names = self._matched(history, order)
            if names is not None and all(self._is_answered(guess, label, order, names) for guess, label in history):
                found.append((list(order), names))
        return found

    def _matched(self, history: History, order: tuple[int, ...]) -> Renaming | None:
        """The new name of each color and shape under which the guesses stay as they are, if there is one."""
        if (self.peg_kind[list(order)] != self.peg_kind).any():
            return None
        every = []
        for feature, kind in zip(self.features, self.kinds, strict=True):
            names: dict[int, int] = {}
            for guess, _ in history:
                code = feature[guess].tolist()
                for peg, new in enumerate(code):
                    old = code[order[peg]]
                    if names.setdefault(old, new) != new or kind[old] != kind[new]:
                        return None
            if len(set(names.values())) < len(names):
                return None
            every.append(names)
        return every

    def _is_answered(self, guess: int, label: int, order: tuple[int, ...], names: Renaming) -> bool:
        """Whether an answer goes to itself: counts always do."""
        if self.board.feedback != "positional":
            return True
        code = self.features[0][guess].tolist()
        marks = marks_of(label, len(code))
        white = Counter(color for color, mark in zip(code, marks, strict=True) if mark == 1)
        return all((marks[old] == 2) == (mark == 2) for old, mark in zip(order, marks, strict=True)) and all(
            white[color] == white[names[0][color]] for color in set(code)
        )

    def _named(self, guesses: Array, order: list[int], names: Renaming) -> Array:
        """The guesses under one symmetry, as numbers.

        Colors that were not played get the names of those of their kind in order of appearance, and shapes do.
        """
        number = np.zeros(len(guesses), np.int64)
        for feature, kind, given in zip(self.features, self.kinds, names, strict=True):
            number = _add_names(number, feature[guesses][:, order], kind, given)
        return number


def _exchanges(kind: Array) -> list[tuple[Array, tuple[int, int]]]:
    """Every exchange of two of a kind, as a permutation; then each becomes a kind of its own."""
    found = []
    for one, other in combinations(range(len(kind)), 2):
        if kind[one] == kind[other]:
            names = np.arange(len(kind))
            names[[one, other]] = other, one
            found.append((names, (one, other)))
    kind[:] = np.arange(len(kind))
    return found


def _add_names(number: Array, moved: Array, kind: Array, given: dict[int, int]) -> Array:
    size = len(kind)
    free = np.array([color not in given for color in range(size)])
    free_of_kind = np.zeros((size, size), np.int64)
    for one in set(kind.tolist()):
        some = np.flatnonzero(free & (kind == one))
        free_of_kind[one, : len(some)] = some
    token = np.array([given.get(color, 0) for color in range(size)])
    rows, seen = np.arange(len(moved)), np.zeros((len(moved), size), np.int64)
    called = np.full((len(moved), size), -1)
    for color in moved.T:
        its_kind = kind[color]
        new = free[color] & (called[rows, color] < 0)
        called[rows[new], color[new]] = free_of_kind[its_kind[new], seen[rows[new], its_kind[new]]]
        seen[rows[new], its_kind[new]] += 1
        number = number * (2 * size) + np.where(free[color], size + called[rows, color], token[color])
    return number
