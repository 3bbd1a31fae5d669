"""Words of the search for near-optimal trees."""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

Array = NDArray[Any]

PROVEN = 99
"""Effort of a value that is exact."""


class Found(NamedTuple):
    """What is known of a set: a total that some strategy has, its guess, and how hard was looked for a better one."""

    value: int
    guess: int
    effort: int


class Aim(NamedTuple):
    """How a set came about, and how hard it is searched."""

    history: tuple[int, ...]
    effort: int


class Answer(NamedTuple):
    """What is left after a feedback to an opening."""

    opening: int
    label: int
    rows: Array
    name: int


class Stopped(Exception):  # noqa: N818 - no error: the time is over
    """The time is over."""
