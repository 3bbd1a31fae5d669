"""Draws for many games, and plays games of random guesses, on NumPy: a twin of `batch_kernels`."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any

_MULTIPLIER_HIGH, _MULTIPLIER_LOW = np.uint64(0x2360ED051FC65DA4), np.uint64(0x4385DF649FCCF645)
_HALF, _LOW32 = np.uint64(32), np.uint64(0xFFFFFFFF)
_SIXTY_THREE = np.uint64(63)
_ZERO, _ONE = np.uint64(0), np.uint64(1)

REPEATED, DIFFERENT, HOLED, LISTED, LEFT = range(5)
"""The ways in which `codes.random_guess` and `random_secret` draw: with repeats, without, without but for blanks, and
from a list of words; and how `consistent` does, among the candidates."""


def start_generators(words: Array, rngs: Array) -> None:
    """Start PCG64 generators, into `rngs` (`uint64[n, 6]` of zeros), from the seed words of each, `uint64[n, 4]`."""
    every = np.arange(len(rngs))
    rngs[:, 2] = (words[:, 2] << _ONE) | (words[:, 3] >> _SIXTY_THREE)
    rngs[:, 3] = (words[:, 3] << _ONE) | _ONE
    _step(rngs, every)
    rngs[:, 1] += words[:, 1]
    rngs[:, 0] += words[:, 0] + (rngs[:, 1] < words[:, 1])
    _step(rngs, every)


def draw_below(rngs: Array, bound: int, drawn: Array) -> None:
    """Draw a number in 0..bound-1 from each generator (`uint64[n, 6]`, advanced), into `drawn`: `int64[n]`."""
    drawn[:] = 0
    if bound == 1:
        return
    size = np.uint64(bound)
    threshold = (_LOW32 + _ONE - size) % size
    again = np.arange(len(rngs))
    while len(again):
        product = _next32(rngs, again) * size
        drawn[again] = product >> _HALF
        again = again[product & _LOW32 < threshold]


def blind_games(rngs: Array, secrets: Array, draw: Any, limit: int, seen: Array, code: Array, out: Array) -> None:  # noqa: ARG001  # as the kernel
    """Count how many random guesses find each secret: the same games as the kernel of this name, many draws at a time.

    Arguments as there, for draws with repeats and from a list alone; `rngs` are left as they are.
    """
    bases = draw.symbols ** np.arange(len(secrets) - 1, -1, -1)
    for game, secret in enumerate(secrets.T):
        # Few codes are drawn at first, then twice as many each time: that takes less time than many small draws.
        out[game], turns, size, rng = 0, 0, 256, _generator(rngs[game])
        # Drawn from a list, a code is known by its place there; the secret is looked for among the places.
        wanted = np.flatnonzero((secret == draw.words.T).all(axis=1))[0] if draw.words.size else secret @ bases
        while not limit or turns < limit:
            if draw.words.size:
                ranks = rng.integers(draw.words.shape[1], size=size)
            else:
                ranks = rng.integers(draw.symbols, size=(size, len(bases))) @ bases
            hits = np.flatnonzero(ranks == wanted)
            played = ranks[: hits[0] + 1] if len(hits) else ranks
            if len(seen):
                played = np.unique(played)
                played = played[seen[played] != game + 1]
                seen[played] = game + 1
            turns += len(played)
            if len(hits):
                out[game] = turns if not limit or turns <= limit else 0
                break
            size = min(2 * size, 1 << 14)


def _generator(row: Array) -> np.random.Generator:
    # A generator as the rest of NumPy knows it, from a row of six words.
    high, low, increment_high, increment_low, is_half, half = map(int, row)
    bits = np.random.PCG64(0)
    state: Any = {"state": high << 64 | low, "inc": increment_high << 64 | increment_low}
    bits.state = {"bit_generator": "PCG64", "state": state, "has_uint32": is_half, "uinteger": half}
    return np.random.Generator(bits)


def _step(rngs: Array, at: Array) -> None:
    # state = state * multiplier + increment, modulo 2**128.
    state_high, low, increment_high, increment_low = rngs[at, :4].T
    a, b = low & _LOW32, low >> _HALF
    c, d = _MULTIPLIER_LOW & _LOW32, _MULTIPLIER_LOW >> _HALF
    middle = b * c + (a * c >> _HALF)
    carry = a * d + (middle & _LOW32)
    high = b * d + (middle >> _HALF) + (carry >> _HALF)
    high += state_high * _MULTIPLIER_LOW + low * _MULTIPLIER_HIGH + increment_high
    rngs[at, 1] = low * _MULTIPLIER_LOW + increment_low
    rngs[at, 0] = high + (rngs[at, 1] < increment_low)


def _next32(rngs: Array, at: Array) -> Array:
    kept = rngs[at, 4] != _ZERO
    words = rngs[at, 5]
    rngs[at[kept], 4] = _ZERO
    fresh = at[~kept]
    _step(rngs, fresh)
    mixed, turn = rngs[fresh, 0] ^ rngs[fresh, 1], rngs[fresh, 0] >> np.uint64(58)
    drawn = (mixed >> turn) | (mixed << ((_ZERO - turn) & _SIXTY_THREE))
    rngs[fresh, 4], rngs[fresh, 5] = _ONE, drawn >> _HALF
    words[~kept] = drawn & _LOW32
    return words
