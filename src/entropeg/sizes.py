"""Counts the codes and feedbacks of a board, exactly, for boards of any size."""

from __future__ import annotations

from math import comb, exp, lgamma, log, log2, perm
from typing import Any
from weakref import WeakValueDictionary

STANDARD, BLACK, MEMBERSHIP, POSITIONAL, GRAND, TABLE = range(6)
"""The kinds of feedback as kernels number them; `rules.FeedbackKind` says what each tells."""

KINDS = 8
"""Grand feedback has the number of shapes in it: its kind is `GRAND + KINDS * shapes`; a table that of its digest."""

TABLES: WeakValueDictionary[int, Any] = WeakValueDictionary()
"""The tables of answers that somebody has in this process, by the number of their kind (`answers.LabelTable`)."""


def table_of(kind: int) -> Any:
    """Return the table of a kind; ValueError where this process has none of that number."""
    table = TABLES.get(kind)
    if table is None:
        raise ValueError(f"kind: there is no table of answers of number {kind}; hold the rules as long as their kind")
    return table


def shapes_of(kind: int) -> int:
    """Return the number of shapes that a kind of feedback tells apart; 0 for every kind but grand.

    >>> shapes_of(GRAND + KINDS * 5), shapes_of(STANDARD)
    (5, 0)
    """
    return kind // KINDS if kind % KINDS == GRAND else 0


def code_count(pegs: int, symbols: int, *, repeats: bool = True, blank: bool = False) -> int:
    """Return the exact number of codes; with `blank` the last symbol is the blank, which may always repeat.

    >>> code_count(4, 6), code_count(4, 6, repeats=False), code_count(2, 3, repeats=False, blank=True)
    (1296, 360, 7)
    """
    if repeats:
        return int(symbols**pegs)
    if not blank:
        return perm(symbols, pegs)
    colors = symbols - 1
    return sum(comb(pegs, used) * perm(colors, used) for used in range(min(pegs, colors) + 1))


LONG = 1 << 16
"""Bits of a count beyond which its logarithm is summed up, without the number itself."""


def code_bits(pegs: int, symbols: int, *, repeats: bool = True, blank: bool = False) -> float:
    """Return the logarithm of `code_count` to base 2, to rounding; of a board of a million pegs in no time.

    >>> code_bits(2, 8), round(code_bits(10**6, 10**6, repeats=False))
    (6.0, 18488885)
    """
    if pegs * log2(symbols) <= LONG:
        return log2(code_count(pegs, symbols, repeats=repeats, blank=blank))
    if repeats:
        return pegs * log2(symbols)
    if not blank:
        return (lgamma(symbols + 1) - lgamma(symbols - pegs + 1)) / log(2)
    colors = symbols - 1
    constant = lgamma(pegs + 1) + lgamma(colors + 1)
    terms = [
        constant - lgamma(used + 1) - lgamma(pegs - used + 1) - lgamma(colors - used + 1)
        for used in range(min(pegs, colors) + 1)
    ]
    most = max(terms)
    return (most + log(sum(exp(term - most) for term in terms))) / log(2)


def label_count(kind: int, pegs: int) -> int:
    """Return how many labels a kind of feedback has, those that never occur included; ValueError for an unknown kind.

    >>> [label_count(kind, 4) for kind in range(4)]
    [25, 5, 25, 81]
    """
    if shapes_of(kind):
        return int((pegs + 1) ** 3)
    if kind % KINDS == TABLE:
        return len(table_of(kind).answers)
    if kind not in range(4):
        raise ValueError(f"kind: expected 0 standard, 1 black, 2 membership or 3 positional, got {kind!r}")
    if kind == POSITIONAL:
        return int(3**pegs)
    return pegs + 1 if kind == BLACK else (pegs + 1) * (pegs + 1)
