"""Priors: how likely each secret is, by a formula or by a file of weights.

Without a prior all secrets are equally likely. People choose otherwise (Forget 2011: codes of one color are rarer), and
words of a list are not equally well known. A prior knows nothing of the rules: `codes.weights` holds it against the
secrets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from entropeg import arguments
from entropeg.errors import InputError
from entropeg.files import read_text, shown
from entropeg.told import Told

if TYPE_CHECKING:
    from numpy.typing import NDArray

PriorWeights: TypeAlias = "NDArray[np.float64]"

OTHERS = "*"
"""Stands in a file for every secret that it does not name."""

_LINE = re.compile(r"(.*\S)[\s,;]+(\S+)")


class WeightLine(NamedTuple):
    """One line of a file of weights."""

    number: int
    """Line of the file, from 1."""
    code: str
    """As it is written, or `OTHERS`."""
    weight: float


@dataclass(frozen=True)
class Prior:
    """How likely each secret is: a formula of `FORMULAS`, or weights read from a file; equal by content.

    >>> Prior.read("distinct").is_formula
    True
    """

    source: str = field(compare=False)
    """Name of the formula or of the file."""
    entries: tuple[WeightLine, ...] = field(default=(), repr=False, compare=False)
    """Lines of the file; none for a formula."""
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        """Sum the weights up; raises InputError for a formula that is none."""
        arguments.text(self.source, "the source of the prior")
        if not (isinstance(self.entries, tuple) and {WeightLine}.issuperset(map(type, self.entries))):
            raise InputError("the entries of a prior are a tuple of WeightLine, as Prior.read makes them of a file")
        if not self.entries and self.source not in FORMULAS:
            raise InputError("the prior {prior!r} is no formula: {formulas:list}", self.source, FORMULAS)
        content = "\n".join(f"{entry.code} {entry.weight!r}" for entry in self.entries) or self.source
        object.__setattr__(self, "digest", sha256(content.encode()).hexdigest())

    @classmethod
    def read(cls, source: str) -> Prior:
        """Take a formula by its name, or read a file of one secret and its weight a line.

        The line `* 1` gives a weight to all secrets that are not named. Raises InputError where the file cannot be
        read, a weight is missing, no number, negative or infinite, or all are zero: with the line.
        """
        source = arguments.text(source, "the prior")
        if source in FORMULAS:
            return cls(source)
        arguments.file(source, "the prior")
        entries = tuple(_entries(source))
        if not entries:
            raise InputError("{file} is empty: write a secret and its weight on each line", shown(source))
        if not any(entry.weight for entry in entries):
            raise InputError(
                "{file}: all {weights} weights are zero: at least one secret must be possible", source, len(entries)
            )
        return cls(source, entries)

    @property
    def is_formula(self) -> bool:
        """Whether a formula gives the weights."""
        return not self.entries


def _entries(source: str) -> Iterator[WeightLine]:
    try:
        text = read_text(source)
    except InputError as error:
        raise InputError(
            "the prior {prior!r} is no formula ({formulas:list}), and {error}", source, FORMULAS, error
        ) from None
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield _entry(source, number, line.strip())


def _entry(source: str, number: int, line: str) -> WeightLine:
    where = Told("{file}, line {number} ({line!r})", source, number, line)
    match = _LINE.fullmatch(line)
    if match is None:
        raise InputError("{where} has no weight: write a secret and a number, as ABCD 2.5", where)
    try:
        weight = float(match[2])
    except ValueError:
        raise InputError("{where}: the weight {weight!r} is not a number", where, match[2]) from None
    if not 0 <= weight < inf:
        raise InputError("{where}: the weight is {weight}; it must be 0 or more, and finite", where, shown(match[2]))
    return WeightLine(number, match[1], weight)


def _uniform(counts: Any, _: int) -> PriorWeights:
    return np.ones(counts.shape[1])


def _distinct(counts: Any, pegs: int) -> PriorWeights:
    # An assumption, not a measurement: people avoid repeats, and each one makes a code half as likely.
    different = (counts > 0).sum(axis=0)
    halved: PriorWeights = np.exp2(different.astype(np.float64) - pegs)
    return halved


FORMULAS: dict[str, Callable[[Any, int], PriorWeights]] = {"uniform": _uniform, "distinct": _distinct}
"""Formulas by name: from how often each color occurs in each code, `[symbols, n]`, and the pegs to the weights.

- uniform: all alike.
- distinct: each repeated color makes a code half as likely, as people who avoid repeats might choose. An assumption.
"""
