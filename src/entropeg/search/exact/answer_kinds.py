"""Kinds of feedback for the exact search: labels of codes against codes, and which pegs and colors may change places.

A layout is told two things of its rules: the kind of feedback, by the number that the kernels give it, and whether
colors and pegs are alike. In a list of words they are not: no other word list is the same game.

Under marks by place a permutation of the pegs moves the marks with them, and whites go to the leftmost pegs of a color.
An answer tells which pegs are in place and how many whites each color has, whatever pegs these stand at; so pegs may
change places in the game, and a symmetry of a history has to take each answer to itself, not only each guess: the
search enters the history answer by answer there. Pairs of a color and a shape may change places as colors and as shapes
do, each by themselves; their pegs may not where guesses repeat pairs, since the white of a repeated pair goes to the
leftmost peg, and which of the others are half right depends on it.
"""

# Kernels are written for the compiler, as in `entropeg.kernels`: plain loops, many arrays by position.

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import permutations
from math import factorial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg.errors import TooLargeError
from entropeg.kernels import color_counts, score_many
from entropeg.kernels.compile import allocating_kernel as kernel
from entropeg.kernels.scoring import write_labels
from entropeg.kernels.vectors import BLOCK
from entropeg.search.exact.fields import Int
from entropeg.sizes import BLACK, KINDS, POSITIONAL, STANDARD, TABLE, label_count, shapes_of, table_of

MOST_LABELS = 255
"""Labels are bytes, and one of their values stands for none."""
WINNING = 255
"""Stands for the winning label until it is known how many others there are."""
SCORED = 1 << 24
"""Labels that are made at a time, before they are made compact."""
SQUARE = 1 << 10
"""Rows and columns of a matrix that are turned at a time."""

Array = NDArray[Any]


class TooManyAnswersError(TooLargeError):
    """A guess has more different answers than a byte tells apart."""


@dataclass(frozen=True)
class AnswerKind:
    """How guesses are answered: ``kind`` as the kernels number it.

    ``is_alike``: whether pegs, and colors but a blank, may change places; not ``is_hard``: every guess is allowed, and
    otherwise those that use every clue.
    """

    kind: int = STANDARD
    is_alike: bool = True
    is_hard: bool = False

    @property
    def is_mutual(self) -> bool:
        """Whether two codes have the same label whichever of them is the guess."""
        return self.kind in {STANDARD, BLACK} or (self.kind % KINDS == TABLE and table_of(self.kind).is_mutual)

    @property
    def is_by_place(self) -> bool:
        """Whether a label says which pegs are marked."""
        return self.kind == POSITIONAL

    @property
    def shapes(self) -> int:
        """Shapes of a peg, 0 where pegs have none."""
        return shapes_of(self.kind)

    @property
    def renames(self) -> bool:
        """Whether every color may take the place of every other."""
        return self.is_alike and not self.shapes and not self.is_hard

    @property
    def is_by_colors(self) -> bool:
        """Whether the colors of two codes, wherever they stand, say the sum of blacks and whites."""
        return self.kind == STANDARD and self.renames


def compact_labels(pegs: int, *, by_color: bool) -> tuple[Array, int]:
    """(uint8 table from ``pegs * blacks + common`` or blacks to 0..m-1, m); the winning label is m - 1.

    >>> compact_labels(4, by_color=True)[1], compact_labels(4, by_color=False)[1]
    (14, 5)
    """
    if not by_color:
        return np.arange(pegs + 1, dtype=np.uint8), pegs + 1
    table = np.zeros(pegs * (pegs + 1) + 1, np.uint8)
    possible = sorted(
        pegs * black + common
        for black in range(pegs + 1)
        for common in range(black, pegs + 1)
        if (black, common) != (pegs - 1, pegs)
    )
    table[possible] = np.arange(len(possible), dtype=np.uint8)
    return table, len(possible)


def plain_labels(pegs: int, *, by_color: bool) -> list[int]:
    """The public label of every compact one: ``black * (pegs + 1) + white``, or the blacks alone."""
    if not by_color:
        return list(range(pegs + 1))
    pairs = sorted(
        (pegs * black + common, black * (pegs + 1) + common - black)
        for black in range(pegs + 1)
        for common in range(black, pegs + 1)
        if (black, common) != (pegs - 1, pegs)
    )
    return [label for _, label in pairs]


def aligned(size: int) -> Array:
    """Zeros, a number of bytes, on a boundary of `BLOCK`: a vector that crosses one costs twice the time."""
    raw = np.zeros(size + BLOCK, np.uint8)
    skip = -raw.ctypes.data % BLOCK
    return raw[skip : skip + size]


def new_matrix(rows: int, stride: int) -> Array:
    """Memory for labels: uint8[rows, stride]."""
    whole: Array = aligned(rows * stride).reshape(rows, stride)
    return whole


def _stride(columns: int) -> int:
    """Whole vectors, and no 4096 bytes from row to row: those would share the lines of a cache."""
    stride = (columns + BLOCK - 1) // BLOCK * BLOCK
    return stride + (BLOCK if stride % 1024 == 0 else 0)


@kernel
def mark_labels(matrix: Array, columns: Int, seen: Array) -> Any:
    """Set ``seen[e]`` to 1 for every label in the first columns of a matrix: uint8[256]."""
    for i in range(matrix.shape[0]):
        row = matrix[i]
        for j in range(columns):
            seen[row[j]] = 1


@kernel
def rename_labels(matrix: Array, columns: Int, names: Array) -> Any:
    """Replace every label in the first columns of a matrix by its name: uint8[256]."""
    for i in range(matrix.shape[0]):
        row = matrix[i]
        for j in range(columns):
            row[j] = names[row[j]]


def label_matrix(
    rows: Array, columns: Array, symbols: int, matrix: Callable[[int, int], Array] = new_matrix, *, by_color: bool
) -> Array:
    """Compact labels of codes against codes, one code a row: uint8[rows, columns and padding].

    Under standard feedback, or black alone. ``matrix`` gives the memory: zeros, or whatever an earlier call with as
    many columns left there.
    """
    kind, pegs = STANDARD if by_color else BLACK, columns.shape[1]
    out = matrix(len(rows), _stride(len(columns)))  # whole, so that one compiled kernel is enough
    planes = np.ascontiguousarray(columns.T)
    counts, names = color_counts(planes, symbols) if by_color else None, _names(plain_labels(pegs, by_color=by_color))
    # Labels are written, and read again, while they are in the second-level cache.
    step = max(1, (1 << 18) // out.shape[1])
    for block in (slice(at, at + step) for at in range(0, len(rows), step)):
        write_labels(kind, rows[block], planes, counts, out[block])
        rename_labels(out[block], len(columns), names)
    return out


def _names(labels: list[int], count: int = 256) -> Array:
    names = np.zeros(max(count, 256), np.uint8)
    names[labels] = np.arange(len(labels), dtype=np.uint8)
    return names


class Matrices(NamedTuple):
    """Labels of a board, compact: 0 to m - 1, the winning one the last."""

    by_secret: Array
    """uint8[secrets, guesses and padding]"""
    by_guess: Array
    """uint8[guesses, secrets and padding]"""
    labels: Array
    """int64[1 or guesses, m]: the public label of every compact one, for all guesses or for each by itself."""


def matrices(
    secrets: Array, guesses: Array, symbols: int, answers: AnswerKind, matrix: Callable[[int, int], Array] = new_matrix
) -> Matrices:
    """Score all guesses against all secrets, codes one a row; ``matrix`` as `label_matrix` takes it.

    Under other feedback than standard and black only labels that occur are numbered; where they are more than
    `MOST_LABELS`, for each guess by itself, as nothing but the parts of a guess matters where no two guesses are alike.
    Raises TooManyAnswersError where those of one guess are too many, or guesses are alike or have to use clues.
    """
    pegs = secrets.shape[1]
    if answers.kind in {STANDARD, BLACK}:
        by_color = answers.kind == STANDARD
        by_secret = label_matrix(secrets, guesses, symbols, matrix, by_color=by_color)
        by_guess = by_secret
        if secrets.shape != guesses.shape or (secrets != guesses).any():
            by_guess = label_matrix(guesses, secrets, symbols, matrix, by_color=by_color)
        return Matrices(by_secret, by_guess, np.array([plain_labels(pegs, by_color=by_color)]))
    by_guess = matrix(len(guesses), _stride(len(secrets)))
    labels = _score(guesses, secrets, answers, by_guess)
    if answers.is_mutual and np.array_equal(secrets, guesses):
        return Matrices(by_guess, by_guess, labels)
    by_secret = matrix(len(secrets), _stride(len(guesses)))
    turn(by_guess, len(secrets), by_secret)
    return Matrices(by_secret, by_guess, labels)


def _score(guesses: Array, secrets: Array, answers: AnswerKind, out: Array) -> Array:
    """Write compact labels; the public ones."""
    pegs, columns, kind = secrets.shape[1], np.ascontiguousarray(secrets.T), answers.kind
    seen, n = np.zeros(label_count(kind, pegs), np.bool_), len(secrets)
    is_byte = len(seen) <= 256
    step = max(1, SCORED // n)
    blocks = [slice(at, at + step) for at in range(0, len(guesses), step)]

    def scored(block: slice) -> Array:
        return score_many(kind, np.ascontiguousarray(guesses[block].T), columns)

    for block in blocks:
        if is_byte:
            out[block, :n] = scored(block)
        else:
            seen[scored(block)] = True
    if is_byte:
        marked = np.zeros(256, np.uint8)
        mark_labels(out, n, marked)
        seen |= marked[: len(seen)].astype(np.bool_)
    win = int(score_many(kind, columns[:, :1], columns[:, :1])[0, 0])
    seen[win] = True
    found = [label for label in np.flatnonzero(seen).tolist() if label != win] + [win]
    if len(found) > MOST_LABELS and not (answers.is_alike or answers.is_hard):
        return _named_by_guess(map(scored, blocks), win, out[:, :n])
    _check_count(len(found))
    compact = _names(found, len(seen))
    if is_byte:
        rename_labels(out, n, compact)
    else:
        for block in blocks:
            out[block, :n] = compact[scored(block)]
    return np.array([found])


def best_first(guesses: Array, secrets: Array, answers: AnswerKind) -> Array:
    """Guesses in the order of how many parts they make of some of the secrets: so a split of a set is found soon."""
    # Guesses are put in order by 250 of the secrets.
    some = np.ascontiguousarray(secrets[:: max(1, len(secrets) // 250)].T)
    step = max(1, SCORED // some.shape[1])
    parts = []
    for at in range(0, len(guesses), step):
        labels = np.sort(score_many(answers.kind, np.ascontiguousarray(guesses[at : at + step].T), some), axis=1)
        parts.append((labels[:, 1:] != labels[:, :-1]).sum(axis=1))
    return np.ascontiguousarray(guesses[np.argsort(-np.concatenate(parts), kind="stable")])


def _check_count(labels: int) -> None:
    if labels > MOST_LABELS:
        raise TooManyAnswersError(
            "the exact search takes up to {most} different answers, and there are {answers} on this board; lists "
            "of words are searched for a good strategy where a time is given",
            MOST_LABELS,
            labels,
        )


def _named_by_guess(blocks: Iterable[Array], win: int, out: Array) -> Array:
    """Write labels that are numbered for each guess by itself; the public ones."""
    found, at = [], 0
    for rows in blocks:
        for row in rows:
            seen = np.bincount(row, minlength=win + 1) > 0
            seen[win] = False
            names = np.flatnonzero(seen)
            number = np.zeros(len(seen), np.int64)
            number[names] = np.arange(len(names))
            number[win] = WINNING
            found.append(names)
            out[at] = number[row]
            at += 1
    most = 1 + max(map(len, found))
    _check_count(most)
    labels = np.full((len(found), most), -1)
    for names, row in zip(found, labels, strict=True):
        row[: len(names)], row[-1] = names, win
    out[out == WINNING] = most - 1
    return labels


def turn(matrix: Array, columns: int, out: Array) -> None:
    """Write the first columns of a matrix as rows, square by square."""
    rows = len(matrix)
    for top in range(0, rows, SQUARE):
        for left in range(0, columns, SQUARE):
            square = matrix[top : min(top + SQUARE, rows), left : min(left + SQUARE, columns)]
            out[left : left + square.shape[1], top : top + square.shape[0]] = square.T


def marks_of_labels(labels: Array, pegs: int) -> Array:
    """The marks of labels by place, uint8[labels, pegs]: 2 in place, 1 elsewhere, 0 neither."""
    powers = 3 ** np.arange(pegs - 1, -1, -1, dtype=np.int64)
    marks: Array = (labels[:, None] // powers % 3).astype(np.uint8)
    return marks


class Elements(NamedTuple):
    """The symmetries of a board before the first guess: orders of the pegs, and the image of every color."""

    orders: Array
    """uint8[*, pegs]"""
    order_of: Array
    """int32[elements]: which order is that of an element"""
    images: Array
    """int16[elements, symbols], -1 where any color of its kind will do"""


def _has_repeats(codes: Array) -> bool:
    in_order = np.sort(codes, axis=1)
    return bool((in_order[:, 1:] == in_order[:, :-1]).any())


def elements_of(answers: AnswerKind, guesses: Array, symbols: int, blank: int | None, most_pegs: int) -> Elements:
    """The symmetries that a kind of feedback has; the pegs of boards of more than ``most_pegs`` stay where they are."""
    pegs = guesses.shape[1]
    moved = answers.is_alike and pegs <= most_pegs and not (answers.shapes and _has_repeats(guesses))
    orders = np.array(list(permutations(range(pegs))) if moved else [range(pegs)], np.uint8)
    images = np.full((1, symbols), -1, np.int16)
    if answers.shapes or not answers.is_alike:
        images[0] = np.arange(symbols)
    elif blank is not None and blank < symbols:
        images[0, blank] = blank
    if answers.shapes and answers.is_alike:
        colors, shapes = symbols // answers.shapes, answers.shapes
        # Of more permutations of pegs, colors and shapes together those of the pegs alone are kept.
        if len(orders) * factorial(colors) * factorial(shapes) <= 5000:
            pairs = [
                [color * shapes + shape for color in by_color for shape in by_shape]
                for by_color in permutations(range(colors))
                for by_shape in permutations(range(shapes))
            ]
            images = np.array(pairs, np.int16)
    each = len(images)
    return Elements(orders, np.repeat(np.arange(len(orders), dtype=np.int32), each), np.tile(images, (len(orders), 1)))
