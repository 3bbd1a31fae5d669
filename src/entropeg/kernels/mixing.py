"""Words of 64 bits for hashes and for chance: SplitMix64 and two xorshifts, for kernels and for NumPy alike.

Plain functions of one `uint64` or of an array of them; a kernel takes them in as `inner(mixed)`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

GAMMA = np.uint64(0x9E3779B97F4A7C15)
"""SplitMix64 adds this to its state for each number: 2**64 divided by the golden ratio, made odd."""

MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)

STAR = np.uint64(0x2545F4914F6CDD1D)
"""The factor by which the state of `xorshift_star` gives its number."""


def mixed(word: Any) -> Any:
    """Return a word in whose bits all bits of another have a part, each word from one other (Steele, Lea, Flood 2014).

    The finish of SplitMix64, whose next number is this of its state plus `GAMMA`.
    """
    word = (word ^ (word >> np.uint64(30))) * MIX_1
    word = (word ^ (word >> np.uint64(27))) * MIX_2
    return word ^ (word >> np.uint64(31))


def xorshift(word: Any) -> Any:
    """Return the next state of a generator, which is its number too; never 0 if the state was not (Marsaglia 2003)."""
    word = word ^ (word << np.uint64(13))
    word = word ^ (word >> np.uint64(7))
    return word ^ (word << np.uint64(17))


def xorshift_star(word: Any) -> Any:
    """Return the next state of a generator whose number is the state times `STAR`, cut to 64 bits (Vigna 2016)."""
    word = word ^ (word >> np.uint64(12))
    word = word ^ (word << np.uint64(25))
    return word ^ (word >> np.uint64(27))
