"""The fewest questions after which one secret is left, in a game that is a table of answers: `identify`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from entropeg.answers import AnswerTable
from entropeg.codes import format_code
from entropeg.errors import InputError
from entropeg.plain_values import PlainValue
from entropeg.rules import Rules
from entropeg.search.results import SearchProgress, Value
from entropeg.told import Told, plural
from entropeg.tree.optimum import optimal


@dataclass(frozen=True)
class Identification(PlainValue):
    """The least total number of questions over all secrets, or with `worst` the least worst case; exact, or bounded."""

    PLAIN: ClassVar[tuple[str, ...]] = ("rules", "secrets", "lower", "upper", "is_worst", "first", "seconds")

    rules: Rules
    secrets: int
    value: Value
    is_worst: bool
    first: str
    """A first question that is best, empty where none is known."""
    seconds: float

    @property
    def lower(self) -> float:
        """No way of asking takes fewer."""
        return self.value.lower

    @property
    def upper(self) -> float | None:
        """There is one that takes no more; None where none is known."""
        return self.value.upper

    def __str__(self) -> str:
        """Say it in a line."""
        secrets = plural(self.secrets, "{n} secret", "{n} secrets")
        if self.is_worst:
            said = Told("{rules}: {value} questions in the worst case, over {secrets}", self.rules, self.value, secrets)
        else:
            said = Told("{rules}: {value} questions in all, over {secrets}", self.rules, self.value, secrets)
        return Told("{said}; first {question}", said, self.first) if self.first else said


def identify(
    rules: Rules | str,
    *,
    worst: bool = False,
    time: float | None = None,
    memory: float | None = None,
    threads: int | None = None,
    progress: Callable[[SearchProgress], None] | None = None,
) -> Identification:
    """Find the least total of questions after which one secret is left, whatever it is, and prove it.

    The search knows games that end when a secret is named. It is given two copies of each secret that no question tells
    apart: the least total there is twice the one sought, and 3 for each secret; the least worst case is 2 more
    (docs/do/own-games.md has the proof). Raises InputError for rules in which secrets are named.

    >>> table = Rules.of_answers(list("abcd"), ["q", "r"], [[0, 0], [0, 1], [1, 0], [1, 1]], naming=False)
    >>> identify(table).value, identify(table, worst=True).value
    (Value(lower=8, upper=8), Value(lower=2, upper=2))
    """
    rules = Rules.of(rules)
    if not isinstance(rules.words, AnswerTable) or rules.is_named:
        raise InputError("the secrets of {rules} are named: `optimal` is for such games", rules)
    n = len(rules.words.words)
    if n == 1:
        return Identification(rules, n, Value(0, 0), worst, "", 0.0)
    asked: dict[str, Any] = {"time": time, "memory": memory, "threads": threads, "progress": progress}
    found = optimal(Rules(words=rules.words.twins()), worst=worst, **asked)
    if worst:
        known = found.worst_value or Value(2, found.worst)
        value = Value(max(known.lower - 2, 0), None if known.upper is None else known.upper - 2)
    else:
        least, most = found.value.lower, found.value.upper
        value = Value(-(-(int(least) - 3 * n) // 2), None if most is None else (int(most) - 3 * n) // 2)
    value = Value(max(value.lower, _least(n, rules.table.most_parts - 1, worst=worst)), value.upper)
    first = "" if found.root is None else format_code(found.root.guess, found.rules)
    return Identification(rules, n, value, worst, first if first in rules.words.probes else "", found.seconds)


def _least(n: int, answers: int, *, worst: bool) -> int:
    """The least total, or worst case, of n leaves under questions of so many answers: all on two neighboring levels.

    >>> _least(25, 3, worst=False), _least(25, 3, worst=True)
    (74, 3)
    """
    depth, most = 0, 1
    while most < n:
        depth, most = depth + 1, most * answers
    if worst or n == 1:
        return depth
    # Each leaf of the level above that is divided in `answers` takes its own place and answers - 1 more.
    above = most // answers
    divided = -((above - n) // (answers - 1))
    return depth * n - (above - divided)
