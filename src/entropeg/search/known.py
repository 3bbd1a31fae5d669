"""Figures of the literature and of public programs, each with its source and grade."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from math import log2
from typing import Any, ClassVar

from entropeg.plain_values import PlainValue
from entropeg.rules import Rules
from entropeg.search.bounds import GRADES, Bound, bounds, feedback_count
from entropeg.told import Told


@dataclass(frozen=True)
class KnownValue(PlainValue):
    """What is reported of one strategy on one board; a figure that is not reported is None."""

    rules: str
    strategy: str
    grade: str
    """A key of `bounds.GRADES`."""
    source: str
    total: int | None = None
    """Guesses summed over all secrets, the winning ones included."""
    worst: int | None = None
    """Guesses against the hardest secret."""
    mean: float | None = None
    sampled: bool = False
    """Whether the mean is an average over random secrets, not over all of them."""
    games: tuple[int, ...] = ()
    """Number of secrets found at guess 1, 2, 3, ..."""


def known_values(rules: Rules | str) -> list[KnownValue]:
    """Return what is reported of a board, whatever its alphabet and guess limit; best mean first, then without a mean.

    >>> [known.total for known in known_values("classic") if known.strategy == "optimum"]
    [5625]
    """
    rules = Rules.of(rules)
    plain = rules.board
    mine = [
        value if value.total is None else replace(value, mean=value.total / plain.secret_count)
        for value in all_known_values()
        if value.rules == str(plain)
    ]
    return sorted(mine, key=lambda value: (value.mean is None, value.mean))


@dataclass(frozen=True)
class BoardFacts(PlainValue):
    """What is known of a board without playing on it: what `entropeg bounds` tells."""

    PLAIN: ClassVar[tuple[str, ...]] = ("rules", "codes", "bits", "feedbacks", "bounds", "known", "grades")

    rules: Rules
    feedbacks: int
    """How many different ones a guess can get: exact, or slightly too many."""
    bounds: tuple[Bound, ...]
    known: tuple[KnownValue, ...]

    @property
    def codes(self) -> int | None:
        """How many there are; null where the number has more digits than readers of JSON keep."""
        return self.rules.secret_count if self.bits < log2(10**15) else None

    @property
    def bits(self) -> float:
        """The binary logarithm of the number of codes."""
        return self.rules.secret_bits

    @property
    def grades(self) -> dict[str, str]:
        """What the grade of a bound or value means."""
        return GRADES


def board_facts(rules: Rules | str) -> BoardFacts:
    """Return what is known of a board without playing on it; every bound and value names source and grade.

    >>> facts = board_facts("4x6")
    >>> facts.codes, facts.feedbacks, facts.bounds[0].value
    (1296, 14, 2.715756795611971)
    """
    rules = Rules.of(rules)
    return BoardFacts(rules, feedback_count(rules), tuple(bounds(rules)), tuple(known_values(rules)))


@cache
def all_known_values() -> tuple[KnownValue, ...]:
    """Return every figure of the data file, with its source spelled out."""
    data: dict[str, Any] = json.loads((files("entropeg") / "data" / "known_values.json").read_text(encoding="utf-8"))
    return tuple(_read(data["sources"], **value) for value in data["values"])


def _read(
    sources: dict[str, str], *, strategy: str, source: str, games: list[int] | None = None, **fields: Any
) -> KnownValue:
    return KnownValue(strategy=Told(strategy), source=sources[source], games=tuple(games or ()), **fields)
