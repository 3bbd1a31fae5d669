"""Numbers that a client tells its workers while these work, as a bound that was found, or that all may stop.

Every run of a client has a name. Under it workers find pairs of numbers in slots: which round of the work the pair is
about, and the value. Workers that came later, or could not be reached, find zeros: a notice only spares work.

Workers that share memory with the client (processes and threads of its machine) tell it likewise how far a long thing
is that they are at, one number a thing. Nothing comes of it from the workers of a cluster.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import MutableSequence

SLOTS = 256

WORDS = 3 * SLOTS
"""Numbers of a run: a pair for each slot, then what workers tell, a number for each slot."""

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
    """Return the last notice in a slot: its round, 0 for nothing yet, and the value.

    >>> hear("a run", 3, 1, 100)
    >>> heard("a run", 3), heard("another", 3)
    ((1, 100), (0, 0))
    """
    words = _words(session)
    about = words[2 * slot]
    value = words[2 * slot + 1]
    return (about, value) if words[2 * slot] == about else (0, 0)


def tell_back(session: str, thing: int, standing: int) -> None:
    """Let the client know how far a thing is: its number below 2**31, and a number from 1 to 2**32 - 1."""
    _words(session)[2 * SLOTS + thing % SLOTS] = thing << 32 | standing  # one word, which no other can be mixed into


def told_back(session: str) -> dict[int, int]:
    """Return how far things are, by their numbers: the last notice of each, of those that share a slot about one.

    >>> tell_back("a run", 7, 1204)
    >>> told_back("a run")
    {7: 1204}
    """
    return {word >> 32: word & 0xFFFFFFFF for word in _words(session)[2 * SLOTS :] if word}


def nothing_told_back(session: str) -> None:
    """Forget how far things were, before others are begun."""
    _words(session)[2 * SLOTS :] = [0] * SLOTS


def _words(session: str) -> MutableSequence[int]:
    if session not in _told:
        while len(_told) >= 8:
            _told.popitem(last=False)
        _told[session] = [0] * WORDS
    return _told[session]
