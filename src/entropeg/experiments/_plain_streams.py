"""Generators of many games on NumPy, all at once: the twin of what `batch_kernels` does for `streams`."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any

_MULTIPLIER_HIGH, _MULTIPLIER_LOW = np.uint64(0x2360ED051FC65DA4), np.uint64(0x4385DF649FCCF645)
_HALF, _LOW32 = np.uint64(32), np.uint64(0xFFFFFFFF)
_ROTATION, _SIXTY_THREE = np.uint64(58), np.uint64(63)
_ZERO, _ONE = np.uint64(0), np.uint64(1)


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
    mixed, turn = rngs[fresh, 0] ^ rngs[fresh, 1], rngs[fresh, 0] >> _ROTATION
    drawn = (mixed >> turn) | (mixed << ((_ZERO - turn) & _SIXTY_THREE))
    rngs[fresh, 4], rngs[fresh, 5] = _ONE, drawn >> _HALF
    words[~kept] = drawn & _LOW32
    return words
