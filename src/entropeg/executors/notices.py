"""Numbers that a client tells its workers while these work, as a bound that was found elsewhere, or that all may stop.

Every run of a client has a name. Under it workers find pairs of numbers in slots: which round of the work the pair is
about, and the value. Workers that came later, or could not be reached, find zeros: a notice only spares work.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import MutableSequence

SLOTS = 256
KEPT = 8
"""Runs of which a worker keeps what it was told."""

_told: OrderedDict[str, MutableSequence[int]] = OrderedDict()


def register(session: str, words: MutableSequence[int]) -> None:
    """Take the numbers of a run from memory that its client writes to."""
    _told[session] = words


def hear(session: str, slot: int, about: int, value: int) -> None:
    """Take a notice, where the worker is."""
    words = _words(session)
    if words[2 * slot] == about and value > words[2 * slot + 1]:
        return  # an older one was overtaken on its way
    words[2 * slot] = 0  # nobody takes the old value for one of the new round
    words[2 * slot + 1] = value
    words[2 * slot] = about


def heard(session: str, slot: int) -> tuple[int, int]:
    """Return the last notice in a slot: what it is about, 0 for nothing yet, and the value.

    >>> hear("a run", 3, 1, 100)
    >>> heard("a run", 3), heard("another", 3)
    ((1, 100), (0, 0))
    """
    words = _words(session)
    about = words[2 * slot]
    value = words[2 * slot + 1]
    return (about, value) if words[2 * slot] == about else (0, 0)


def _words(session: str) -> MutableSequence[int]:
    if session not in _told:
        while len(_told) >= KEPT:
            _told.popitem(last=False)
        _told[session] = [0] * (2 * SLOTS)
    return _told[session]
