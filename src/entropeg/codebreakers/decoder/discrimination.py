"""Finds the guess that splits the candidates best: by entropy or by the largest part, with ties decided exactly.

Forget 2011, "Fin de partie": one criterion leads, the other decides between equals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log2
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import Array, CodeSet
from entropeg.errors import InputError
from entropeg.feedback import Code

DecoderCriterion: TypeAlias = Literal["entropy", "minimax"]


BLOCK = 1 << 24
"""Part sizes held at a time: 64 MB."""


@dataclass(frozen=True)
class BestGuess:
    """The best guess of a pool, and the guesses of the pool that are as good by both criteria, itself among them."""

    guess: Code
    is_candidate: bool
    equal: CodeSet
    compared: int
    """Number of guesses compared; where symmetric ones were left out, the number that was left."""
    whole_kinds: Literal["none", "candidates", "all"] = "none"
    """Which guesses of the pool stand for all of their kind, so that equal ones are counted by `kind_sizes`."""

    @property
    def equals(self) -> int:
        """How many guesses of the pool are as good."""
        return len(self.equal)


@lru_cache(maxsize=32)
def schedule(text: str) -> tuple[DecoderCriterion, ...]:
    """Read the criteria by turn: `entropy`, `minimax`, or several as `minimax+entropy`, the last for the rest."""
    words = tuple(word.strip() for word in text.split("+"))
    for word in words:
        if word not in ("entropy", "minimax"):
            raise InputError(
                "the criterion is {criterion!r}; it must be entropy or minimax, or several by turn joined by +", word
            )
    return words  # type: ignore[return-value]  # each word was just checked


def choose(
    candidates: CodeSet,
    pool: CodeSet,
    criterion: DecoderCriterion,
    sizes: NDArray[np.int32] | None = None,
    whole_kinds: Literal["none", "candidates", "all"] = "none",
) -> BestGuess:
    """Return the guess of the pool that splits the candidates best; of equals a candidate, then the first in the pool.

    `entropy`: most bits, then the smallest largest part; `minimax`: the smallest largest part, then most bits. Exact,
    see `entropy_costs`. `sizes` are the part sizes, `int32[pool, labels]`, where they are already known; of the guesses
    that `whole_kinds` says the pool holds one of each kind.
    """
    table = entropy_costs(len(candidates))
    keys = [(table[block].sum(axis=1), block.max(axis=1)) for block in _blocks(candidates, pool, sizes)]
    cost, largest = (np.concatenate(column) for column in zip(*keys, strict=True))
    is_candidate = np.ones(len(pool), np.bool_) if pool is candidates else candidates.find(pool) >= 0
    ranked = (cost, largest) if criterion == "entropy" else (largest, cost)
    equal = np.flatnonzero(_least(*ranked))
    inside = equal[is_candidate[equal]]
    best = int((inside if len(inside) else equal)[0])
    return BestGuess(pool[best], bool(is_candidate[best]), pool.take(equal), len(pool), whole_kinds)


def join(candidates: CodeSet, others: Sequence[Code]) -> CodeSet:
    """Return the candidates and some other guesses as one set in lexicographic order, each code once."""
    missing = [code for code in others if code not in candidates]
    if not missing:
        return candidates
    new = CodeSet.of(missing, candidates.rules)
    planes = np.concatenate([candidates.planes, new.planes], axis=1)
    return CodeSet(candidates.rules, planes[:, np.lexsort(planes[::-1])])


def _least(first: Array, second: Array) -> Array:
    equal: Array = first == first.min()
    equal &= second == second[equal].min()
    return equal


def _blocks(candidates: CodeSet, pool: CodeSet, sizes: NDArray[np.int32] | None) -> Iterable[NDArray[np.int32]]:
    if sizes is not None:
        return [sizes]
    rows = max(1, BLOCK // candidates.rules.label_count)
    if len(pool) <= rows:
        return [candidates.part_sizes(pool)]
    return (
        candidates.part_sizes(CodeSet(pool.rules, pool.planes[:, first : first + rows]))
        for first in range(0, len(pool), rows)
    )


def entropy_costs(total: int) -> NDArray[np.int64]:
    """Return n log2(n) for n = 0 ... `total` and a little beyond, as whole numbers: `int64`, scaled by a power of two.

    The sum over the parts of a guess is least where its entropy is greatest. Sums are exact integers, and up to
    a million each is made of the rounded logarithms of primes: two partitions of the same entropy, also of different
    sizes as {6, 1, 1, 1, 1, 1, 1} and {3, 3, 2, 2, 2}, come out equal, which floating point does not promise. Beyond,
    only partitions of the same sizes do. Rounding is below 2^-30 bits.

    >>> table = entropy_costs(8)
    >>> bool(2 * table[3] + 3 * table[2] == table[6] + 6 * table[1])
    True
    """
    return _surprise(max(total - 1, 1).bit_length())


@lru_cache(maxsize=24)
def _surprise(bits: int) -> NDArray[np.int64]:
    most = 1 << bits
    # The largest sum, 2^bits times bits, has to stay below 2^62.
    scale = float(1 << (61 - bits - bits.bit_length()))
    numbers = np.arange(most + 1)
    # Up to a million candidates logarithms are added up from those of primes, so that equal entropies are equal
    # numbers.
    if most <= (1 << 20):
        table = numbers * _factored_logs(most, scale)
    else:
        table = np.rint(numbers * np.log2(np.maximum(numbers, 1)) * scale).astype(np.int64)
    table.flags.writeable = False
    return table


def _factored_logs(most: int, scale: float) -> NDArray[np.int64]:
    logs = np.zeros(most + 1, np.int64)
    for prime in _primes(most).tolist():
        power, log = prime, round(log2(prime) * scale)
        while power <= most:
            logs[power::power] += log
            power *= prime
    return logs


def _primes(most: int) -> Array:
    sieve = np.ones(most + 1, np.bool_)
    sieve[:2] = False
    for number in range(2, int(most**0.5) + 1):
        if sieve[number]:
            sieve[number * number :: number] = False
    return np.flatnonzero(sieve)


class PairTable:
    """The feedback of every guess of a pool to every candidate, kept for the rest of a game (Forget 2011, `%notes`).

    `labels[g, c]` is the label that guess g gets from candidate c: one byte a pair on the usual boards. The document
    builds it below a limit on the number of codes; 9720 of them, which filled its 3.9 GB, take 94 MB here.
    """

    def __init__(self, candidates: CodeSet, pool: CodeSet) -> None:
        """Score every pair: half a nanosecond each, and one or two bytes."""
        from entropeg import kernels

        self.candidates, self.pool = candidates, pool
        kind = candidates.rules.kind
        self.labels = kernels.score_many(kind, pool.planes, candidates.planes)

    def part_sizes(self, guesses: CodeSet, candidates: CodeSet) -> NDArray[np.int32]:
        """Look up the part sizes of some guesses of the pool for some of the candidates: `int32[guesses, labels]`."""
        from entropeg import kernels

        rows, columns = self.pool.find(guesses), self.candidates.find(candidates)
        counted = kernels.tallies(self.labels[rows[:, None], columns], candidates.rules.label_count)
        return np.asarray(counted, np.int32)
