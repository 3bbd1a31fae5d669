"""Symmetries of the game, as a proof states them: a permutation of the pegs with one of the colors, called a witness.

A witness `[pegs, names, ...]` takes a code c to the code whose peg i has color `names[c[pegs[i]]]`; where there is a
list of names for each peg, peg i takes that with number i. It is checked, not trusted: both must be permutations of a
kind under which equal answers stay equal ones, and every guess must become a guess. By feedback:

- *standard*, *membership*: answers count pegs, and no permutation of all pegs and all colors changes a count; where a
  blank is not as the colors are, it stays the blank;
- *black*: the same, and with names for each peg of its own, since a peg in place knows nothing of the others;
- *positional*: an answer tells which pegs are in place, and how many whites each color has, as whites are the first
  pegs of their color that are not in place. Both are permuted along. Clues of hard rules are made of the same;
- *grand*: pairs are permuted as their colors and their shapes are. Pegs stay: of two copies of a pair the first one is
  white, and blue asks whether the other is half right in its place. (3x4/shapes=2: guess 001 and secret 130 have two
  white, and nothing else; guess 001 and secret 310, in which the first two pegs changed places, have a blue one
  besides.) Where no guess has a pair twice pegs are permuted, too;
- words: none, as a word hardly ever becomes another one.

`ProvenSymmetry.found` looks for witnesses that keep a history, for whoever writes a proof, and for files of formats 1
to 3, which state none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise, permutations
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from entropeg.check.proven_board import ProofError, ProvenBoard
from entropeg.check.proven_labels import Array, marks_of

History: TypeAlias = Sequence[Sequence[int]]
Order: TypeAlias = "tuple[int, ...]"
Renaming: TypeAlias = list[dict[int, int]]


class Images(NamedTuple):
    """Where a witness takes each guess, and each secret: -1 for those that become none."""

    guesses: Array
    secrets: Array


class ProvenSymmetry:
    """The symmetries of a board. A code is seen by its features: its colors, colors and shapes, or pegs one by one."""

    def __init__(self, board: ProvenBoard) -> None:
        """Allow what the feedback allows, as if every secret weighed the same."""
        self.board = board
        self.pegs = board.secrets.shape[1]
        self.may_move = not board.is_list and (board.feedback != "grand" or not board.is_repeated)
        self.orders = list(permutations(range(self.pegs))) if self.may_move else [tuple(range(self.pegs))]
        self.peg_kind = np.zeros(self.pegs, np.int64)
        self.sizes = [board.symbols]
        if board.shapes:
            self.sizes = [board.symbols // board.shapes, board.shapes]
        self.kinds = [np.zeros(size, np.int64) for size in self.sizes]
        if board.blank is not None:
            self.kinds[0][board.blank] = 1
        full = len(board.guesses) == len(board.secrets) == board.symbols**self.pegs
        self.is_by_peg = board.feedback == "black" and not board.is_list and full
        self._orders_of: dict[tuple[tuple[int, ...], ...], list[Order]] = {}

    # ------------------------------------------------------------ checking

    def images(self, number: int, witness: Any) -> Images:
        """Where a witness takes the codes. Raises ProofError, with its number, where it is no symmetry."""
        if not self._is_written(witness):
            raise ProofError("witness {number} is not written as witnesses are: [pegs, names]", number)
        board, (order, *names) = self.board, witness
        if not self._is_symmetry(order, names):
            raise ProofError("witness {number} is no symmetry of the game", number)
        table = np.array(names * self.pegs if len(names) == 1 else names)
        every = []
        for codes in (board.guesses, board.secrets):
            moved = np.stack([table[peg][codes[:, order[peg]]] for peg in range(self.pegs)], axis=1)
            numbers, wanted = self._numbers(codes), self._numbers(moved)
            at = np.minimum(np.searchsorted(numbers, wanted), len(numbers) - 1)
            every.append(np.where(numbers[at] == wanted, at, -1).astype(np.int32))
        if (every[0] < 0).any():
            raise ProofError("witness {number} takes a guess to a code that may not be guessed", number)
        return Images(*every)

    def _numbers(self, codes: Array) -> Array:
        numbers: Array = codes @ self.board.symbols ** np.arange(self.pegs)[::-1]
        return numbers

    def _is_written(self, witness: Any) -> bool:
        if not (isinstance(witness, list) and len(witness) in {2, 1 + self.pegs}):
            return False
        sizes = [self.pegs, *[self.board.symbols] * (len(witness) - 1)]
        return all(
            isinstance(some, list) and all(type(one) is int for one in some) and sorted(some) == list(range(size))
            for some, size in zip(witness, sizes, strict=True)
        )

    def _is_symmetry(self, order: list[int], names: list[list[int]]) -> bool:
        board, shapes = self.board, self.board.shapes
        if board.is_list or (not self.may_move and order != sorted(order)):
            return False
        if len(names) > 1 and not self.is_by_peg:
            return False
        if board.blank is not None and names[0][board.blank] != board.blank:
            return False
        pairs = [
            (old // shapes, old % shapes, new // shapes, new % shapes)
            for old, new in enumerate(names[0] if shapes else [])
        ]
        return all(
            len({pair[new] for pair in pairs if pair[old] == one}) <= 1
            for old, new in ((0, 2), (1, 3))
            for one in {pair[old] for pair in pairs}
        )

    # ------------------------------------------------------------ finding

    def keep(self, weight: Array) -> None:
        """Look only for symmetries that change no weight: of pegs, colors and shapes any two change places, or stay."""
        if self.board.is_list:
            return
        secrets, shapes = self.board.secrets, self.board.shapes
        numbers = self._numbers(secrets)
        if (weight != weight[0]).any():
            self.is_by_peg = False

        def changes(moved: Array) -> bool:
            return not np.array_equal(weight[np.searchsorted(numbers, self._numbers(moved))], weight)

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

    def _seen(self, codes: Array) -> list[Array]:
        shapes = self.board.shapes
        return [codes // shapes, codes % shapes] if shapes else [codes]

    def found(self, history: History) -> list[list[Any]]:
        """Witnesses that take each guess of a history to itself, and each answer: of all that do, generators."""
        if self.board.is_list:
            return []
        every, here = [], tuple(range(self.pegs))
        reached = {here}
        for order in self._kept_orders(history[:-1]):  # what keeps all turns keeps those before the last one
            if order not in reached and (names := self._keeping(order, history)) is not None:
                every.append(self._written(order, self._filled(names, order)))
                reached = _closed([tuple(witness[0]) for witness in every], here)
        played = [self._played(guess, here) for guess, _ in history]
        return every + [self._written(here, names) for names in self._free(played)]

    def _kept_orders(self, history: History) -> list[Order]:
        """The orders of the pegs that are part of a symmetry which keeps a history."""
        if not history:
            return self.orders
        key = tuple(map(tuple, history))
        if key not in self._orders_of:
            orders = [order for order in self._kept_orders(history[:-1]) if self._keeping(order, history) is not None]
            if len(self._orders_of) >= 1 << 16:
                self._orders_of.clear()
            self._orders_of[key] = orders
        return self._orders_of[key]

    def _keeping(self, order: Order, history: History) -> Renaming | None:
        """The new names with which an order of the pegs keeps a history, if it does."""
        here = tuple(range(self.pegs))
        played, moved = ([self._played(guess, one) for guess, _ in history] for one in (here, order))
        names = self._matched(played, moved, order)
        is_kept = names is not None and all(self._is_answered(guess, label, order, names) for guess, label in history)
        return names if is_kept else None

    def _played(self, guess: int, order: Order) -> list[list[int]]:
        """The features of a guess whose pegs are ordered so: by peg, or colors, or colors and shapes."""
        code = self.board.guesses[guess][list(order)]
        if self.is_by_peg:
            return [[color] for color in code.tolist()]
        return [feature.tolist() for feature in self._seen(code)]

    def _features(self) -> list[Array]:
        return self.kinds * self.pegs if self.is_by_peg else self.kinds

    def _matched(self, played: list[list[list[int]]], moved: list[list[list[int]]], order: Order) -> Renaming | None:
        """The new name of each color and shape under which the guesses stay as they are, if there is one."""
        if (self.peg_kind[list(order)] != self.peg_kind).any():
            return None
        every = []
        for at, kind in enumerate(self._features()):
            names: dict[int, int] = {}
            for wanted, code in zip(played, moved, strict=True):
                for new, old in zip(wanted[at], code[at], strict=True):
                    if names.setdefault(old, new) != new or kind[old] != kind[new]:
                        return None
            if len(set(names.values())) < len(names):
                return None
            every.append(names)
        return every

    def _is_answered(self, guess: int, label: int, order: Order, names: Renaming) -> bool:
        """Whether an answer goes to itself: counts always do."""
        if self.board.feedback != "positional":
            return True
        code = self.board.guesses[guess].tolist()
        marks = marks_of(label, len(code))
        white = Counter(color for color, mark in zip(code, marks, strict=True) if mark == 1)
        return all((marks[old] == 2) == (mark == 2) for old, mark in zip(order, marks, strict=True)) and all(
            white[color] == white[names[0][color]] for color in set(code)
        )

    def _filled(self, names: Renaming, order: Order) -> Renaming:
        """The same with names for the colors that were not played, those of their kind in ascending order."""
        every = []
        for given, kind in zip(names, self._features(), strict=True):
            free = {
                one: [color for color in np.flatnonzero(kind == one).tolist() if color not in given.values()]
                for one in set(kind.tolist())
            }
            every.append(
                {color: given[color] if color in given else free[kind[color]].pop(0) for color in range(len(kind))}
            )
        return every

    def _free(self, played: list[list[list[int]]]) -> list[Renaming]:
        """Exchanges of two neighbors among the colors of a kind that were not played."""
        found = []
        features = self._features()
        for at, kind in enumerate(features):
            used = {color for code in played for color in code[at]}
            for one in set(kind.tolist()):
                free = [color for color in np.flatnonzero(kind == one).tolist() if color not in used]
                for pair in pairwise(free):
                    names = [{color: color for color in range(len(other))} for other in features]
                    names[at].update(zip(pair, reversed(pair), strict=True))
                    found.append(names)
        return found

    def _written(self, order: Order, names: Renaming) -> list[Any]:
        lists = [[given[color] for color in range(len(given))] for given in names]
        if self.board.shapes:
            colors, shapes = lists
            lists = [[color * len(shapes) + shape for color in colors for shape in shapes]]
        return [list(order), *lists]


def _closed(orders: list[Order], here: Order) -> set[Order]:
    """All permutations that these generate."""
    found, waiting = {here}, [here]
    while waiting:
        one = waiting.pop()
        for order in orders:
            other = tuple(one[peg] for peg in order)
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


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
