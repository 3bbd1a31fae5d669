"""Expected numbers of guesses, and bits that a guess tells, with how well each of them is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import hypot, inf, isfinite, log, sqrt
from typing import Any, ClassVar

import numpy as np

from entropeg.codes import CodeSet
from entropeg.errors import InputError
from entropeg.feedback import Code
from entropeg.plain_values import PlainValue
from entropeg.told import Told

NINETEEN_OF_TWENTY = 1.96
"""Standard errors in which 19 of 20 estimates lie."""


class Certainty(StrEnum):
    """How well a number is known; the value is the sign before it."""

    exact = "="
    at_least = "≥"
    estimate = "≈"


@dataclass(frozen=True)
class Expectation(PlainValue):
    """An expected number of guesses: exact, a lower bound, or an estimate.

    `error` is that of an estimate: in about 19 of 20 cases the exact number lies within `value` ± `error`. `fraction`
    is the exact number where it is known as one: always without a prior, and under priors whose weights are whole.

    >>> print(Expectation.of(Fraction(29, 12)), Expectation.at_least(2), Expectation.about(2.4172, 0.031))
    = 2.417 ≥ 2.000 ≈ 2.42 ± 0.03
    """

    PLAIN: ClassVar[tuple[str, ...]] = ("sign=knowledge", "value=known_value", "error=known_error", "fraction")

    value: float
    knowledge: Certainty
    """Exact, a lower bound, or an estimate."""
    error: float = 0.0
    fraction: Fraction | None = None
    """The exact number, where it is known as a fraction."""

    @classmethod
    def of(cls, exact: Fraction | float) -> Expectation:
        """An exact number; a float is one that is right to rounding."""
        return cls(float(exact), Certainty.exact, fraction=None if isinstance(exact, float) else Fraction(exact))

    @classmethod
    def at_least(cls, bound: Fraction | float) -> Expectation:
        """A number that is known to be no smaller."""
        return cls(float(bound), Certainty.at_least)

    @classmethod
    def about(cls, value: float, error: float) -> Expectation:
        """An estimate and its error."""
        return cls(float(value), Certainty.estimate, float(error))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Expectation:
        """Return the number that `to_json` wrote; raises InputError where it is none.

        >>> str(Expectation.from_json(Expectation.of(Fraction(29, 12)).to_json()))
        '= 2.417'
        """
        try:
            return cls._of_json(data)
        except (KeyError, TypeError, ValueError, ArithmeticError):
            raise InputError(
                "{data!r} is no expected number: it has sign, value, error and fraction", dict(data)
            ) from None

    @classmethod
    def _of_json(cls, data: Mapping[str, Any]) -> Expectation:
        value, error, fraction = data.get("value"), data.get("error"), data.get("fraction")
        knowledge, exact = Certainty(data["sign"]), None if fraction is None else Fraction(fraction)
        if value is None:
            if exact is not None or knowledge is Certainty.exact:
                raise ArithmeticError
            return cls(inf, knowledge, inf)
        number, half = float(value), 0.0 if error is None else float(error)
        # No game that is played takes a billion guesses.
        if not (0 <= half <= 1e9 and abs(number) <= 1e9):
            raise ArithmeticError
        # A number beside its fraction may be rounded.
        if exact is not None and abs(float(exact) - number) > 0.01 * max(1.0, abs(number)):
            raise ArithmeticError
        return cls(number, knowledge, half, exact)

    def __repr__(self) -> str:
        """Show the number as it is told, and as a fraction where it is known as one."""
        return f"<Expectation {self}>" if self.fraction is None else f"<Expectation {self}, {self.fraction}>"

    @property
    def known_value(self) -> float | None:
        """The number; null where it is infinite or unknown."""
        return self.value if isfinite(self.value) and isfinite(self.error) else None

    @property
    def known_error(self) -> float | None:
        """Of an estimate: in 19 of 20 cases the number is that near."""
        return None if self.known_value is None else self.error

    @property
    def is_exact(self) -> bool:
        """Whether this is the number itself."""
        return self.knowledge is Certainty.exact

    def plus(self, other: Fraction | float) -> Expectation:
        """Return the sum with a number that is exact."""
        fraction = None if self.fraction is None or isinstance(other, float) else self.fraction + other
        return Expectation(self.value + float(other), self.knowledge, self.error, fraction)

    def loss(self, best: Expectation) -> Expectation:
        """Return what this number is more than that of the best play; estimates of it are no less than 0."""
        if self.is_exact and best.is_exact:
            if self.fraction is None or best.fraction is None:
                return Expectation.of(max(self.value - best.value, 0.0))
            return Expectation.of(self.fraction - best.fraction)
        more = max(self.value - best.value, 0.0)
        if best.knowledge is Certainty.at_least:
            return Expectation.about(more, 1.0)
        if self.knowledge is Certainty.at_least:
            return Expectation.at_least(more - best.error if more > best.error else 0.0)
        return Expectation.about(more, max(self.error, best.error))

    def __str__(self) -> str:
        """Write the sign and the number: `= 2.417`, `≥ 2.000`, `≈ 2.42 ± 0.03`."""
        if self.knowledge is Certainty.estimate:
            if self.error >= 0.95:
                return Told("≈ {number:.1f} ± {error:.1f}", self.value, self.error)
            return Told("≈ {number:.2f} ± {error:.2f}", self.value, self.error)
        return Told("= {number:.3f}", self.value) if self.is_exact else Told("≥ {number:.3f}", self.value)


def less(one: Expectation, other: Expectation) -> Expectation:
    """The difference of two numbers: exact where both are, else an estimate; its error is infinite beside a bound."""
    if one.is_exact and other.is_exact:
        if one.fraction is None or other.fraction is None:
            return Expectation.of(one.value - other.value)
        return Expectation.of(one.fraction - other.fraction)
    return Expectation.about(one.value - other.value, hypot(error_of(one), error_of(other)))


def error_of(number: Expectation) -> float:
    """The error of a number: infinite of a bound."""
    return inf if number.knowledge is Certainty.at_least else number.error


@dataclass(frozen=True)
class Information:
    """Bits that a guess tells, estimated from a sample of the codes left; `error` holds in 19 of 20 cases.

    A sample misses answers, and shows too few bits, by about (answers seen - 1) / (2 n log 2): these are added (Miller
    1955). The error is that of the mean of -log2 p over the sample.
    """

    bits: float
    error: float

    @classmethod
    def of(cls, codes: CodeSet, guess: Code) -> Information:
        """Estimate it on a sample.

        >>> from entropeg.codes import secrets
        >>> Information.of(secrets("4x6"), (0, 0, 1, 2)).bits > 3
        True
        """
        return cls.of_sizes(codes.parts(guess)[1].tolist())

    @classmethod
    def of_sizes(cls, counted: list[int]) -> Information:
        """Estimate it from how often each answer came."""
        sizes = np.array(counted, np.float64)
        total = sizes.sum()
        shares = sizes / total
        logs = -np.log2(shares)
        bits = float(shares @ logs)
        spread = max(float(shares @ logs**2) - bits * bits, 0.0)
        missed = (len(sizes) - 1) / (2 * total * log(2))
        return cls(float(bits + missed), float(NINETEEN_OF_TWENTY * sqrt(spread / total) + missed))
