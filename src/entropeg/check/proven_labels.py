"""Answers to guesses, for the checker of proofs: each feedback by its definition alone, in NumPy.

A label is a number that stands for an answer:

- *standard*: black * (pegs + 1) + white. Black counts the pegs in place, black and white together the pegs that both
  codes have by color, copies counted;
- *black*: the pegs in place alone;
- *membership*: black * (pegs + 1) + white, white being the other pegs of the guess whose color is in the secret;
- *positional*: a mark for each peg, to the base 3, the first peg most significant: 2 in place; 1, from the left, while
  copies of its color are left among the pegs of the secret that are not guessed in place; 0 neither;
- *grand*: (black * (pegs + 1) + white) * (pegs + 1) + blue. Marks are as under positional feedback, of pairs; blue
  counts the pegs without a mark whose color or shape is right in its place. Pair number p is color p // shapes and
  shape p % shapes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import comb
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]

FEEDBACKS = ("standard", "black", "membership", "positional", "grand")


def most_labels(feedback: str, pegs: int) -> int:
    """How many labels a feedback has at most."""
    if feedback == "black":
        return pegs + 1
    return {"positional": int(3**pegs), "grand": comb(pegs + 3, 3)}.get(feedback, comb(pegs + 2, 2))


def label_type(feedback: str, pegs: int) -> Any:
    """The type of numbers that holds every label."""
    end = {"positional": 3**pegs, "grand": (pegs + 1) ** 3}.get(feedback, (pegs + 1) ** 2)
    return np.uint8 if end <= 1 << 8 else np.uint16 if end <= 1 << 16 else np.uint32


def compare(secrets: Array, guesses: Array, symbols: int, feedback: str, shapes: int) -> tuple[Array, list[int]]:
    """(places of labels among those that occur, by secret and guess; these labels, ascending).

    Codes are one a row, of numbers below ``symbols``. A complete hit, the greatest label of all, is the last of those
    that occur where any secret is a guess.
    """
    pegs = secrets.shape[1]
    label_of = _FEEDBACKS[feedback]
    label = np.empty((len(secrets), len(guesses)), label_type(feedback, pegs))
    found: set[int] = set()
    for rows in _blocks(*label.shape):
        label[rows] = label_of(_Pairs(secrets[rows], guesses, symbols, shapes))
        found.update(np.flatnonzero(np.bincount(label[rows].reshape(-1))).tolist())
    labels = sorted(found)
    place = np.zeros(labels[-1] + 1, np.uint8 if len(labels) <= 1 << 8 else np.uint16)
    place[labels] = np.arange(len(labels), dtype=place.dtype)
    if label.dtype != place.dtype:
        return place[label], labels
    for rows in _blocks(*label.shape):
        label[rows] = place[label[rows]]
    return label, labels


def marks_of(label: int, pegs: int) -> list[int]:
    """The marks of a positional label, by peg."""
    return [label // 3 ** (pegs - 1 - peg) % 3 for peg in range(pegs)]


def _blocks(rows: int, columns: int) -> Iterator[slice]:
    # Blocks of 8 million pairs of a secret and a guess keep the arrays in between small.
    size = max(1, (1 << 23) // columns)
    return (slice(begin, begin + size) for begin in range(0, rows, size))


def _in_place(secrets: Array, guesses: Array) -> list[Array]:
    """Of every secret and guess, for each peg, whether both have the same there."""
    return [secret[:, None] == guess for secret, guess in zip(secrets.T, guesses.T, strict=True)]


def _copies(codes: Array, symbols: int) -> Array:
    return np.stack([(codes == symbol).sum(axis=1) for symbol in range(symbols)], axis=1).astype(np.uint8)


def _sum(hits: list[Array], kind: Any) -> Array:
    total = np.zeros(hits[0].shape, kind)
    for hit in hits:
        total += hit
    return total


class _Pairs(NamedTuple):
    """Codes to compare, one a row, of numbers below `symbols`."""

    secrets: Array
    guesses: Array
    symbols: int
    shapes: int


def _black(pairs: _Pairs) -> Array:
    return _sum(_in_place(pairs.secrets, pairs.guesses), label_type("black", pairs.secrets.shape[1]))


def _standard(pairs: _Pairs) -> Array:
    pegs = pairs.secrets.shape[1]
    label = _sum(_in_place(pairs.secrets, pairs.guesses), label_type("standard", pegs))
    label *= label.dtype.type(pegs)  # black * (pegs + 1) + white, as both together are black + white
    for mine, theirs in zip(*(_copies(codes, pairs.symbols).T for codes in pairs[:2]), strict=True):
        label += np.minimum(mine[:, None], theirs)
    return label


def _membership(pairs: _Pairs) -> Array:
    pegs = pairs.secrets.shape[1]
    label = _sum(_in_place(pairs.secrets, pairs.guesses), label_type("membership", pegs))
    label *= label.dtype.type(pegs)
    is_member = _copies(pairs.secrets, pairs.symbols) > 0
    for color in pairs.guesses.T:
        label += is_member[:, color]
    return label


def _marks(pairs: _Pairs) -> tuple[list[Array], list[Array]]:
    """(whether in place, whether elsewhere), for each peg: whites from the left while unmatched copies are left."""
    black, white = _in_place(pairs.secrets, pairs.guesses), list[Array]()
    copies, colors = _copies(pairs.secrets, pairs.symbols), pairs.guesses.T
    for peg, color in enumerate(colors):
        left = copies[:, color]  # those of this peg's color that no peg in place, nor a white before it, has taken
        for other, its_color in enumerate(colors):
            same = np.flatnonzero(its_color == color)
            left[:, same] -= black[other][:, same]
            if other < peg:
                left[:, same] -= white[other][:, same]
        white.append(~black[peg] & (left > 0))
    return black, white


def _positional(pairs: _Pairs) -> Array:
    label = np.zeros((len(pairs.secrets), len(pairs.guesses)), label_type("positional", pairs.secrets.shape[1]))
    three, two = label.dtype.type(3), label.dtype.type(2)
    for black, white in zip(*_marks(pairs), strict=True):
        label *= three
        label += two * black
        label += white
    return label


def _grand(pairs: _Pairs) -> Array:
    pegs = pairs.secrets.shape[1]
    black, white = _marks(pairs)
    half = [
        ~(in_place | misplaced) & (color | shape)
        for in_place, misplaced, color, shape in zip(
            black,
            white,
            _in_place(pairs.secrets // pairs.shapes, pairs.guesses // pairs.shapes),
            _in_place(pairs.secrets % pairs.shapes, pairs.guesses % pairs.shapes),
            strict=True,
        )
    ]
    kind = label_type("grand", pegs)
    numbers = [_sum(marks, kind) for marks in (black, white, half)]
    each = kind(pegs + 1)
    label: Array = (numbers[0] * each + numbers[1]) * each + numbers[2]
    return label


_FEEDBACKS: dict[str, Callable[[_Pairs], Array]] = {
    "standard": _standard,
    "black": _black,
    "membership": _membership,
    "positional": _positional,
    "grand": _grand,
}
