"""How far the weighted search searches each part of a guess that is to be refuted: as `search.aims`, in weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels._inner import inner
from entropeg.search.aims import AHEAD, KEPT, REST, size_class
from entropeg.search.weighted_desk import EXACT, FLOOR, HOPE, MASS, RAISED, SIZE, STATE, Array, Int


@inner
def expect(part: Array, rise: Array, labels: Int) -> None:
    """Fill HOPE of the parts of a guess with what a search is expected to add to their bounds."""
    for e in range(labels):
        if part[e, STATE] != EXACT:
            at = size_class(part[e, SIZE])
            part[e, HOPE] = np.int64(rise[0, at] / rise[1, at] * part[e, MASS])


@inner
def next_part(part: Array, labels: Int, missing: Int, whole: Int) -> Any:
    """(the part to search next, how much is asked of it); (-1, 0) if all are exact. ``whole``: all that is missing."""
    chosen, least = -1, np.int64(1) << 40
    promised = 0.0
    for e in range(labels):
        if part[e, STATE] == EXACT:
            continue
        promised += part[e, HOPE]
        rank = part[e, SIZE] + (1 << 32 if part[e, STATE] == RAISED else 0)
        if rank < least:
            chosen, least = e, rank
    if chosen < 0:
        return chosen, np.int64(0)
    if whole or promised <= missing or part[chosen, STATE] == RAISED:
        return chosen, missing
    return chosen, min(missing, max(1, np.int64(np.ceil(AHEAD * missing * part[chosen, HOPE] / promised))))


@inner
def take(part: Array, rise: Array, value: Int, exact: Int) -> None:
    """Take over what a search found of a ``part``: its value, or that it reaches what was asked."""
    gain = value - part[FLOOR]
    if part[STATE] != RAISED:
        at = size_class(part[SIZE])
        rise[0, at] = KEPT * rise[0, at] + (gain if exact else max(gain, part[HOPE])) / part[MASS]
        rise[1, at] = KEPT * rise[1, at] + 1.0
    part[FLOOR] = value
    part[STATE] = EXACT if exact else RAISED
    part[HOPE] = max(part[HOPE] - gain, np.int64(REST * part[MASS]))
