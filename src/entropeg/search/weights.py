"""Weights of secrets: how they are given, read, and made whole numbers for an exact search."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropeg.arguments import number
from entropeg.codes import CodeSet, check_code, secrets
from entropeg.codes import weights as prior_weights
from entropeg.errors import InputError
from entropeg.feedback import Code
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.told import Told

WHOLE = 1 << 20
"""Weights that are multiples of the least, or of the least over a number to 12, by numbers up to this are exact."""
ROUNDED = 2.0**50
"""Whole weights of no greater sum are exact too; others are rounded to one part in this number of their sum."""

Weights = Mapping["Code", float] | NDArray[Any]


@dataclass(frozen=True)
class SecretWeights:
    """The weights of the codes that are possible at a position: plain ints where all are whole, else float64.

    A code of weight 0 is a secret that is never chosen: it costs no guesses, and a strategy need not find it.
    """

    candidates: CodeSet
    each: NDArray[Any]
    every: NDArray[Any]
    """Those of all secrets, which tell what pegs and colors may change places."""

    @classmethod
    def read(cls, given: Weights | None, position: Position) -> SecretWeights:
        """Read weights as `optimal` takes them, or those of the prior where none are given.

        Raises InputError where one is missing, negative or infinite, and where all are 0.
        """
        position.check_consistent()
        every = prior_weights(position.rules) if given is None else read_weights(given, position.rules)
        each = every[position.candidates.ranks]
        if not each.any():
            raise InputError("no code that is still possible has a weight")
        return cls(position.candidates, each, every)

    @property
    def shared(self) -> float | None:
        """The weight that all codes have alike, if they have."""
        first = self.each[0]
        return first if first > 0 and (self.each == first).all() else None

    @cached_property
    def likely(self) -> CodeSet | None:
        """The codes that may be the secret; None where that is all of them."""
        places = np.flatnonzero(self.each > 0)
        return None if len(places) == len(self.each) else self.candidates.take(places)

    @cached_property
    def unit(self) -> int:
        """What whole weights are multiples of, 1 for others. Raises InputError where their sum is too large."""
        return shared_unit(self.each) if self.each.dtype == object else 1

    @property
    def in_units(self) -> NDArray[Any]:
        """The weights as multiples of the unit."""
        return self.each // self.unit if self.each.dtype == object else self.each

    def of_tree(self, depths: Mapping[Code, int]) -> float:
        """Sum of weight times guesses, by the guesses after which a strategy finds each code."""
        # Exact for whole weights; others add up to the same in any order, as a strategy read from a file has another.
        shares = [depths[code] * weight for code, weight in zip(self.candidates, self.each, strict=True) if weight]
        return sum(shares) if self.each.dtype == object else math.fsum(shares)


def read_weights(weights: Weights, rules: Rules) -> NDArray[Any]:
    """The weight of every secret in the order of `secrets(rules)`: whole numbers of any size, else float64.

    A mapping gives weights to codes, 0 to those that it does not hold; an array has one entry a secret. Where all are
    whole they are plain ints, in an array of objects. Raises InputError where one is missing, negative or infinite.
    """
    codes = secrets(rules)
    given: list[Any]
    if isinstance(weights, Mapping):
        given = [0] * len(codes)
        for code, weight in weights.items():
            try:
                index = codes.index_of(check_code(code, rules, secret=True))
            except InputError as error:
                raise InputError(
                    "{code!r} has a weight and is no secret of {rules}: {error}", code, rules, error
                ) from None
            number(weight, Told("the weight of {code!r}", code))
            assert index is not None
            given[index] = weight
    else:
        try:
            shape = np.asarray(weights, np.float64).shape
        except (TypeError, ValueError, OverflowError):
            raise InputError("the weights are {weights!r}; they must be numbers, one a secret", weights) from None
        if shape != (len(codes),):
            raise InputError(
                "{rules} has {secrets} secrets; there are weights of shape {shape}", rules, len(codes), shape
            )
        given = list(weights)
    read = np.array(given, np.float64)
    if not np.isfinite(read).all() or (read < 0).any() or not read.any():
        raise InputError("weights must be finite, none negative and not all zero")
    return np.array([int(weight) for weight in given], object) if (read == np.round(read)).all() else read


def shared_unit(weights: Iterable[int]) -> int:
    """The greatest common divisor of whole weights; raises InputError where, divided by it, their sum is too large.

    >>> shared_unit([3 * 10**18, 0, 6 * 10**18])
    3000000000000000000
    """
    every = list(weights)
    unit = math.gcd(*every)
    if sum(every) // unit > ROUNDED:
        total = Told("{weight:,}", sum(every) // unit)
        if unit > 1:
            total = Told("{weight:,}, in units of {unit:,}", sum(every) // unit, unit)
        raise InputError(
            "the whole weights sum up to {total}, and the search is exact to {most:,}: give smaller ones, or fractions "
            "of their sum, which it rounds",
            *(total, int(ROUNDED)),
        )
    return unit


def whole_weights(weight: NDArray[np.float64]) -> tuple[NDArray[np.int64], float]:
    """(whole numbers in the ratio of the weights, what 1 of them is worth); rounded where there are none that small.

    >>> whole_weights(np.array([0.5, 0.25, 0.0]))
    (array([2, 1, 0]), 0.25)
    >>> whole_weights(np.array([2.0**40 + 2, 4]))
    (array([549755813889,            2]), 2)
    """
    if (weight == np.round(weight)).all() and weight.sum() <= ROUNDED:
        exact = weight.astype(np.int64)
        shared = int(np.gcd.reduce(exact))
        return exact // shared, shared
    least = float(weight[weight > 0].min())
    for unit in (1.0, *(least / parts for parts in range(1, 13))):
        near = np.round(weight / unit)
        if near.max() < WHOLE and np.allclose(near * unit, weight, rtol=1e-12, atol=0):
            common = int(np.gcd.reduce(near.astype(np.int64)))
            return near.astype(np.int64) // common, unit * common
    unit = float(weight.sum()) / ROUNDED
    return np.maximum(np.round(weight / unit), weight > 0).astype(np.int64), unit
