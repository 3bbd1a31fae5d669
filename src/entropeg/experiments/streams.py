"""Makes the generators of many games at once, equal to the ones that `loop.generators` makes one by one.

NumPy guarantees both the algorithm of `SeedSequence` and the stream of `PCG64` that it seeds; the tests compare the
two ways.
"""

from __future__ import annotations

from math import comb, perm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg.experiments._plain_streams import DIFFERENT, HOLED, LEFT, LISTED, REPEATED
from entropeg.kernels.switch import Switch
from entropeg.rules import Blanks, Rules

BREAKER, MAKER = 0, 1
"""Which child of a game's seed each player draws from."""


_functions = Switch("entropeg.experiments.batch_kernels", "entropeg.experiments._plain_streams")

_POOL = 4
_SHIFT = np.uint32(16)


class _Hash:
    """The running multiplicative hash of `SeedSequence` (after M. O'Neill's `seed_seq_fe`), on arrays of words."""

    def __init__(self, start: int, multiplier: int) -> None:
        self.constant = start
        self.multiplier = multiplier

    def __call__(self, words: Any) -> Any:
        words = words ^ np.uint32(self.constant)
        self.constant = self.constant * self.multiplier & 0xFFFFFFFF
        words = words * np.uint32(self.constant)
        return words ^ (words >> _SHIFT)


def _mix(left: Any, right: Any) -> Any:
    mixed = np.uint32(0xCA01F9DD) * left - np.uint32(0x4973F715) * right
    return mixed ^ (mixed >> _SHIFT)


def seed_words(seeds: NDArray[np.uint64], role: int) -> NDArray[np.uint64]:
    """Return what `SeedSequence(seed).spawn(2)[role].generate_state(4, uint64)` is for each seed: `uint64[n, 4]`."""
    zero = np.zeros(len(seeds), dtype=np.uint32)
    entropy = [
        (seeds & np.uint64(0xFFFFFFFF)).astype(np.uint32),
        (seeds >> np.uint64(32)).astype(np.uint32),
        zero,
        zero,
    ]
    hashed = _Hash(0x43B0D7E5, 0x931E8875)
    pool = [hashed(word) for word in entropy]
    for source in range(_POOL):
        for target in range(_POOL):
            if source != target:
                pool[target] = _mix(pool[target], hashed(pool[source]))
    for target in range(_POOL):
        pool[target] = _mix(pool[target], hashed(zero + np.uint32(role)))
    drawn = _Hash(0x8B51F9DD, 0x58F38DED)
    halves = [drawn(pool[word % _POOL]).astype(np.uint64) for word in range(2 * _POOL)]
    return np.stack([halves[2 * word] | (halves[2 * word + 1] << np.uint64(32)) for word in range(_POOL)], axis=1)


def streams(seeds: NDArray[np.uint64], role: int) -> NDArray[np.uint64]:
    """Return the generators of one player in many games, as the batch kernels take them: `uint64[n, 6]`."""
    started = np.zeros((len(seeds), 6), dtype=np.uint64)
    _functions(len(seeds)).start_generators(seed_words(seeds, role), started)
    return started


class Draw(NamedTuple):
    """How codes are drawn, as the batch kernels take it.

    `way` is one of `REPEATED` to `LEFT`; `symbols` the values that a peg may take. `weights`, `int64[pegs + 1]`: how
    many codes have 0, 1, ... blanks, for `HOLED`. `words`, `int64[pegs, n]`: the list, for `LISTED`. What the way does
    not need is empty.
    """

    way: int
    symbols: int
    weights: NDArray[np.int64]
    words: NDArray[np.int64]


AMONG_LEFT = Draw(LEFT, 0, np.empty(0, np.int64), np.empty((0, 0), np.int64))


def can_draw(rules: Rules) -> bool:
    """Tell whether the kernels can draw the codes of these rules as NumPy does.

    >>> can_draw(Rules.parse("4x8/no-repeats/blanks")), can_draw(Rules.parse("2x20000/no-repeats"))
    (True, False)
    """
    # NumPy draws samples of larger ranges in another way than the kernels do.
    return rules.symbols_in_guesses <= 10_000 and (rules.blanks == Blanks.none or rules.guess_count < 1 << 62)


def guess_draw(rules: Rules) -> Draw:
    """Return how `codes.random_guess` draws."""
    listed = rules.words.guess_codes if rules.words is not None and not rules.words.free else ()
    return _draw(rules, listed, repeats=bool(rules.guess_repeats), blank=rules.blanks != Blanks.none)


def secret_draw(rules: Rules) -> Draw:
    """Return how `codes.random_secret` draws."""
    listed = rules.words.codes if rules.words is not None else ()
    return _draw(rules, listed, repeats=rules.repeats, blank=rules.blanks == Blanks.both)


def _draw(rules: Rules, listed: Any, *, repeats: bool, blank: bool) -> Draw:
    pegs, colors = rules.pegs, rules.colors
    words = np.array(listed, np.int64).reshape(len(listed), pegs).T.copy()
    holed = blank and not repeats
    weights = [comb(pegs, holes) * perm(colors, pegs - holes) for holes in range(pegs + 1)] if holed else []
    way = LISTED if listed else REPEATED if repeats else HOLED if holed else DIFFERENT
    return Draw(way, colors + blank, np.array(weights, np.int64), words)


def draw_codes(rngs: NDArray[np.uint64], draw: Draw, pegs: int) -> NDArray[np.int64]:
    """Draw one code from each generator, as `codes.random_secret` does: planes `int64[pegs, n]`."""
    from entropeg.experiments import batch_kernels

    planes = np.empty((pegs, len(rngs)), dtype=np.int64)
    batch_kernels.draw_codes(rngs, draw, np.empty(pegs, dtype=np.int64), planes)
    return planes


def draw_below(rngs: NDArray[np.uint64], bound: int) -> NDArray[np.int64]:
    """Draw a number below a bound from each generator, as `Generator.integers` does: `int64[n]`."""
    drawn = np.empty(len(rngs), dtype=np.int64)
    _functions(len(rngs)).draw_below(rngs, bound, drawn)
    return drawn
