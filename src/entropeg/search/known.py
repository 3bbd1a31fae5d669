"""Figures of the literature and of public programs, each with its source and grade."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.resources import files
from math import log2
from typing import Any

from entropeg.alphabet import Alphabet
from entropeg.amounts import MOST_DIGITS
from entropeg.rules import Rules
from entropeg.search.bounds import GRADES, bounds, feedback_count


@dataclass(frozen=True)
class KnownValue:
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
    default = rules.alphabet if not rules.is_symmetric else Alphabet.default_name(rules.colors)
    plain = replace(rules, alphabet=default, guess_limit=None)
    mine = [
        value if value.total is None else replace(value, mean=value.total / plain.secret_count)
        for value in all_known_values()
        if value.rules == str(plain)
    ]
    return sorted(mine, key=lambda value: (value.mean is None, value.mean))


def board_facts(rules: Rules | str) -> dict[str, Any]:
    """Return what is known of a board without playing on it, as plain data: what `entropeg bounds --json` writes.

    `codes` is None where it has more digits than readers of JSON keep; every bound and value names source and grade.

    >>> facts = board_facts("4x6")
    >>> facts["codes"], facts["feedbacks"], facts["bounds"][0]["value"]
    (1296, 14, 2.715756795611971)
    """
    rules = Rules.of(rules)
    is_short = rules.secret_bits < log2(10**MOST_DIGITS)
    return {
        "rules": str(rules),
        "codes": rules.secret_count if is_short else None,
        "bits": rules.secret_bits,
        "feedbacks": feedback_count(rules),
        "bounds": [asdict(bound) for bound in bounds(rules)],
        "known": [asdict(value) for value in known_values(rules)],
        "grades": GRADES,
    }


@cache
def all_known_values() -> tuple[KnownValue, ...]:
    """Return every figure of the data file, with its source spelled out."""
    data: dict[str, Any] = json.loads((files("entropeg") / "data" / "known_values.json").read_text(encoding="utf-8"))
    return tuple(_read(data["sources"], **value) for value in data["values"])


def _read(sources: dict[str, str], *, source: str, games: list[int] | None = None, **fields: Any) -> KnownValue:
    return KnownValue(source=sources[source], games=tuple(games or ()), **fields)
