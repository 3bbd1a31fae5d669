"""Finding an unknown subset by asking how many of its members a set holds (Viaud 1987, sections III and IV).

A set of known size hides a subset S, of known size too. A query is a set S', the answer `|S ∩ S'|`. The search
cuts the set at the largest power of two below its size, asks for the first part, and goes on in both parts, whose
shares are then known.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import cache
from math import log2
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from entropeg.errors import ContradictionError
from entropeg.feedback import Feedback
from entropeg.told import Told

Array: TypeAlias = "NDArray[np.int64]"

Gathered = TypeVar("Gathered")

Questions: TypeAlias = Generator[Array, Feedback, Gathered]
"""Yields a code, is sent the feedback that it got, and returns what it has found out."""

Ask: TypeAlias = Callable[[Array], Generator[Array, Feedback, int]]
"""Makes a code of a query, and returns the number of members that its feedback tells."""


def split_point(size: int) -> int:
    """Return the largest power of two below a size of two or more: half of it where it is one itself."""
    return 1 << ((size - 1).bit_length() - 1)


def subset_bound(size: float, members: float) -> float:
    """Return f(n; x): the number of queries that find x members among n never exceeds it.

    x·log2(2n/x) up to n/2, and the same for n - x beyond; 0 at both ends, n in the middle; symmetric and
    concave in x, increasing in n. Where n is a power of two and 0 < x < n, one query less is enough.
    Source: Viaud 1987, section III and proposition IV.1.

    >>> subset_bound(8, 4), subset_bound(8, 1), subset_bound(8, 8)
    (8.0, 4.0, 0.0)
    """
    fewer = min(members, size - members)
    return fewer * log2(2 * size / fewer) if fewer > 0 else 0.0


@cache
def subset_worst(size: int, members: int) -> int:
    """Return the exact number of queries that `search_subset` needs in its worst case; costs O(size²), once.

    >>> [subset_worst(8, members) for members in range(9)]
    [0, 3, 5, 6, 7, 6, 5, 3, 0]
    """
    if members in {0, size}:
        return 0
    first = split_point(size)
    rest = size - first
    shares = range(max(0, members - rest), min(first, members) + 1)
    return 1 + max(subset_worst(first, share) + subset_worst(rest, members - share) for share in shares)


def search_subset(elements: Array, members: int, ask: Ask) -> Questions[Array]:
    """Find which `members` of the elements belong to the subset; return them in the order of the elements.

    Asks at most `subset_bound(len(elements), members)` queries, none where all or none belong. Raises
    ContradictionError when an answer cannot be.
    """
    if members == 0:
        return elements[:0]
    if members == len(elements):
        return elements
    cut = split_point(len(elements))
    first, rest = elements[:cut], elements[cut:]
    share = between(max(0, members - len(rest)), (yield from ask(first)), min(cut, members))
    left = yield from search_subset(first, share, ask)
    right = yield from search_subset(rest, members - share, ask)
    return np.concatenate((left, right))


def between(least: int, told: int, most: int) -> int:
    """Return a number that an answer tells; raise ContradictionError where earlier answers rule it out."""
    if least <= told <= most:
        return told
    allowed = str(least) if least == most else Told("{least} to {most}", least, most)
    raise ContradictionError(
        "it tells a count of {count}, and by the turns before it should be {allowed}", told, allowed
    )
