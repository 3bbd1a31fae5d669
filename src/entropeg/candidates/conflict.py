"""Finds turns of a contradictory history that cannot all be true.

The fewest, every set of the fewest, or, beyond the lists of codes, a set in which none can be spared.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np

from entropeg.candidates.build import STEPS, is_possible
from entropeg.candidates.constraints import Turns
from entropeg.codes import Array, CodeSet
from entropeg.feedback import label_of
from entropeg.rules import Rules

BrokenTurns: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.bool_]]
"""Which turns (columns) are broken by a secret (rows): `bool[patterns, turns]`."""


def smallest_conflict(codes: CodeSet, turns: Turns) -> tuple[int, ...]:
    """Return the fewest turns, by index, that none of the codes fits together; empty where a code fits all of them.

    Of several smallest sets the first in order. Exact for any number of turns: every code breaks some turn, and what
    is looked for is the smallest set with a turn that each code breaks (a hitting set), searched deeper and deeper
    from the code with the fewest. One pass over the codes a turn.

    >>> from entropeg.codes import secrets
    >>> from entropeg.feedback import Feedback
    >>> turns = [((0, 1, 2, 3), Feedback(1)), ((0, 0, 1, 1), Feedback(2)), ((2, 2, 3, 3), Feedback(3))]
    >>> smallest_conflict(secrets(Rules()), turns)
    (0, 2)
    """
    if not turns:
        return ()
    broken = _distinct(_broken(codes, turns))
    if not broken.any(axis=1).all():
        return ()
    for size in range(1, len(turns) + 1):
        if _hit(broken, np.ones(len(turns), bool), size):
            return _first(broken, size)
    return ()


def smallest_conflicts(codes: CodeSet, turns: Turns) -> Iterator[tuple[int, ...]]:
    """Give every smallest set of turns, by index and in order, that none of the codes fits together.

    All have the same number of turns; the first is what `smallest_conflict` returns. None where a code fits all turns.
    An iterator, since notes of many turns can have very many of them.

    >>> from entropeg.codes import secrets
    >>> from entropeg.feedback import Feedback
    >>> turns = [((0, 1, 2, 3), Feedback(1)), ((0, 0, 1, 1), Feedback(2)), ((2, 2, 3, 3), Feedback(3))]
    >>> list(smallest_conflicts(secrets(Rules()), turns))
    [(0, 2), (1, 2)]
    """
    if turns:
        yield from smallest_conflicts_of(_broken(codes, turns))


def smallest_conflicts_of(broken: Array) -> Iterator[tuple[int, ...]]:
    """Give every smallest set of rows that no code fits together: `broken` says which rows each breaks, `bool[r, n]`.

    >>> list(smallest_conflicts_of(np.array([[True, False], [True, False], [False, True]])))
    [(0, 2), (1, 2)]
    """
    patterns = _distinct(broken)
    if not patterns.any(axis=1).all():
        return
    every = np.ones(len(broken), bool)
    size = next(size for size in range(1, len(broken) + 1) if _hit(patterns, every, size))
    yield from _hitting_sets(patterns, 0, size)


def _hitting_sets(broken: BrokenTurns, first: int, size: int) -> Iterator[tuple[int, ...]]:
    # Every set of ``size`` turns from the first on that hits every row; only ways that lead to one are gone.
    if size == 0:
        yield ()
        return
    allowed = np.ones(broken.shape[1], bool)
    allowed[:first] = False
    for turn in range(first, broken.shape[1] - size + 1):
        allowed[turn] = False
        rest = broken[~broken[:, turn]]
        if _hit(rest, allowed, size - 1):
            for others in _hitting_sets(rest, turn + 1, size - 1):
                yield (turn, *others)


def _broken(codes: CodeSet, turns: Turns) -> Array:
    return np.array([codes.score(guess) != label_of(feedback, codes.rules) for guess, feedback in turns])


def _distinct(columns: Array) -> BrokenTurns:
    packed = np.packbits(columns, axis=0).T
    rows = np.unique(np.ascontiguousarray(packed).view(f"V{packed.shape[1]}"))
    words = np.frombuffer(rows.tobytes(), np.uint8).reshape(len(rows), -1)
    return np.unpackbits(words, axis=1, count=len(columns)).astype(bool)


def _hit(broken: BrokenTurns, allowed: np.ndarray[tuple[int], np.dtype[np.bool_]], size: int) -> bool:
    # Whether ``size`` of the allowed turns can hit every row. One of the turns of any row must be among them.
    if not len(broken):
        return True
    if size == 0:
        return False
    row = broken[(broken & allowed).sum(axis=1).argmin()] & allowed
    allowed = allowed.copy()
    for turn in np.flatnonzero(row):
        allowed[turn] = False  # sets with this turn are all looked at here, and not again
        if _hit(broken[~broken[:, turn]], allowed, size - 1):
            return True
    return False


def _first(broken: BrokenTurns, size: int) -> tuple[int, ...]:
    # The first in order of the hitting sets of the least size: the least turn with which it can go on, again and again.
    chosen = list[int]()
    allowed = np.ones(broken.shape[1], bool)
    for turn in range(broken.shape[1]):
        allowed[turn] = False
        rest = broken[~broken[:, turn]]
        if len(chosen) < size and _hit(rest, allowed, size - len(chosen) - 1):
            chosen.append(turn)
            broken = rest
    return tuple(chosen)


def minimal_conflict(rules: Rules, turns: Turns, *, steps: int = STEPS) -> tuple[int, ...]:
    """Return turns, by index, that no secret fits together though any proper part of them is fitted by one.

    Empty where a secret fits all of them. Such a set cannot be made smaller by leaving out a turn; another one may have
    fewer turns. One construction a turn. Raises TooLargeError where one of them takes more than `steps`.

    >>> from entropeg.feedback import Feedback
    >>> turns = [((0, 1, 2, 3), Feedback(1)), ((0, 0, 1, 1), Feedback(2)), ((2, 2, 3, 3), Feedback(3))]
    >>> minimal_conflict(Rules(), turns)
    (1, 2)
    """
    kept = list(range(len(turns)))
    if is_possible(rules, turns, steps=steps):
        return ()
    for index in range(len(turns)):
        rest = [other for other in kept if other != index]
        if not is_possible(rules, [turns[other] for other in rest], steps=steps):
            kept = rest
    return tuple(kept)
