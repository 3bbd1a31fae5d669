"""How wide each pass of the search for near-optimal trees searches."""

from __future__ import annotations

from typing import NamedTuple

MIDDLE = 200
"""Sets up to this size get the widths for small ones."""


class Widths(NamedTuple):
    """How many guesses of a set are estimated by their parts, estimated better, and followed to the end."""

    estimated: int
    refined: int
    followed: int


class Effort(NamedTuple):
    """How wide a pass searches: sets up to MIDDLE codes, larger ones, and those after the opening."""

    small: Widths
    middle: Widths
    second: Widths
    z: float  # a guess is given up when its estimate lies so many deviations above the best value
    again: int  # the parts after a second guess are searched with less effort, for so many of the best once more


def _effort(level: int) -> Effort:
    def grown(first: float, factor: float) -> int:
        return round(first * factor**level)

    return Effort(
        small=Widths(grown(64, 1.3), grown(4, 1.6), grown(5, 1.7)),
        middle=Widths(grown(64, 1.3), grown(3, 1.6), grown(2.5, 1.6)),
        second=Widths(grown(200, 1.4), grown(10, 1.6), grown(6, 1.6)),
        z=1.5 + 0.5 * level,
        again=4 + 2 * level,
    )


PASSES = 8
NARROW = Effort(Widths(64, 4, 3), Widths(64, 3, 2), Widths(200, 10, 4), z=1.5, again=0)
"""How the parts after a second guess are searched at first."""
LEARNING = PASSES
"""Nothing is given up early where estimates are learned: what is seen must not depend on what was believed before."""
EFFORTS = (
    NARROW,
    *(_effort(level) for level in range(1, PASSES)),
    Effort(Widths(64, 4, 3), Widths(64, 4, 2), Widths(200, 10, 4), z=30.0, again=0),
)
