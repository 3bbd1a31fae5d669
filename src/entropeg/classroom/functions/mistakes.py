"""Lists the commonest wrong evaluations, each as a function, with the sentence that names the mistake."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from entropeg.told import Told

Marks2: TypeAlias = tuple[int, int]
"""Well placed, misplaced."""

Colors: TypeAlias = Sequence[Any]


def right(guess: Colors, secret: Colors) -> Marks2:
    """Return (well placed, misplaced), each peg counted once.

    >>> right((0, 0, 1, 2), (0, 1, 0, 0))
    (1, 2)
    """
    placed = _placed(guess, secret)
    return placed, _shared(guess, secret) - placed


def _placed(guess: Colors, secret: Colors) -> int:
    return sum(mine == other for mine, other in zip(guess, secret, strict=True))


def _shared(guess: Colors, secret: Colors) -> int:
    mine, other = list(guess), list(secret)
    return sum(min(mine.count(color), other.count(color)) for color in set(guess))


def _rests(guess: Colors, secret: Colors) -> tuple[list[Any], list[Any]]:
    pairs = [(mine, other) for mine, other in zip(guess, secret, strict=True) if mine != other]
    return [mine for mine, _ in pairs], [other for _, other in pairs]


def _members(guess: Colors, secret: Colors) -> int:
    return sum(color in secret for color in guess)


def _one_pass(guess: Colors, secret: Colors) -> Marks2:
    left, placed, misplaced = list(secret), 0, 0
    for mine, other in zip(guess, secret, strict=True):
        if mine == other:
            placed += 1
        elif mine in left:
            misplaced += 1
        if mine in left:
            left.remove(mine)
    return placed, misplaced


def _pairs(guess: Colors, secret: Colors, *, skip: bool, both: bool) -> int:
    count = 0
    for here, mine in enumerate(guess):
        for there, other in enumerate(secret):
            taken = skip and (mine == secret[here] or (both and guess[there] == other))
            count += here != there and mine == other and not taken
    return count


class Mistake(NamedTuple):
    """A wrong evaluation: under which kind it is found, the sentence that names it, and the function itself."""

    kind: str
    why: str
    evaluate: Callable[[Colors, Colors], Marks2]


def _misplaced(kind: str, why: str, count: Callable[[Colors, Colors], int]) -> Mistake:
    # Well placed is right, misplaced is that.
    return Mistake(kind, why, lambda guess, secret: (_placed(guess, secret), count(guess, secret)))


_USED_UP = Told(
    "a peg counts as misplaced although its color is used up: a color counts as often as it occurs in both codes"
)
_TWICE = Told("one peg is paired with several pegs of the other code: each peg may count only once")
_SETS = Told("sets of colors are compared, and a set forgets how often a color occurs")

MISTAKES = (
    _misplaced(
        "not subtracted",
        Told("pegs that are well placed are counted as misplaced too: they must be taken away"),
        _shared,
    ),
    _misplaced("multiplicity", _USED_UP, lambda g, s: _members(g, s) - _placed(g, s)),
    _misplaced("multiplicity", _USED_UP, lambda g, s: _members(s, g) - _placed(g, s)),
    _misplaced(
        "multiplicity",
        Told("a peg counts as misplaced although its color is used up, and pegs that are well placed are counted too"),
        _members,
    ),
    _misplaced(
        "multiplicity",
        Told("a peg counts as misplaced although its color is used up, and pegs that are well placed are counted too"),
        lambda g, s: _members(s, g),
    ),
    _misplaced(
        "multiplicity",
        Told(
            "well placed pegs are set aside, but a color of the others counts again after it is used up: strike it out"
        ),
        lambda g, s: _members(*_rests(g, s)),
    ),
    _misplaced(
        "multiplicity",
        Told(
            "well placed pegs are set aside, but a color of the others counts again after it is used up: strike it out"
        ),
        lambda g, s: _members(*_rests(s, g)),
    ),
    _misplaced("set", _SETS, lambda g, s: len(set(g) & set(s)) - _placed(g, s)),
    _misplaced("set", _SETS, lambda g, s: max(0, len(set(g) & set(s)) - _placed(g, s))),
    _misplaced("set", _SETS, lambda g, s: len(set(g) & set(s))),
    _misplaced("set", _SETS, lambda g, s: len(set(_rests(g, s)[0]) & set(_rests(g, s)[1]))),
    Mistake(
        "one pass",
        Told("misplaced pegs are looked for before all well placed ones are known: these must be set aside first"),
        _one_pass,
    ),
    Mistake(
        "one pass",
        Told("misplaced pegs are looked for before all well placed ones are known: these must be set aside first"),
        lambda g, s: _one_pass(s, g),
    ),
    _misplaced("twice", _TWICE, lambda g, s: _pairs(g, s, skip=False, both=False)),
    _misplaced("twice", _TWICE, lambda g, s: _pairs(g, s, skip=True, both=False)),
    _misplaced("twice", _TWICE, lambda g, s: _pairs(s, g, skip=True, both=False)),
    _misplaced("twice", _TWICE, lambda g, s: _pairs(g, s, skip=True, both=True)),
    _misplaced(
        "twice",
        Told("the smaller count of a color is added once for each of its pegs: it must be added once for each color"),
        lambda g, s: sum(min(list(g).count(color), list(s).count(color)) for color in g) - _placed(g, s),
    ),
    _misplaced("no misplaced", Told("misplaced is 0 for every pair of codes"), lambda _g, _s: 0),
    Mistake("last peg", Told("the last peg is never looked at"), lambda g, s: right(g[:-1], s[:-1])),
    Mistake("first peg", Told("the first peg is never looked at"), lambda g, s: right(g[1:], s[1:])),
)
"""In the order in which they are tried: the commonest first."""
