"""What every exact search looks at before it begins: its numbers, its rules, and codes as rows of an array."""

from __future__ import annotations

import math
from types import NoneType
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from entropeg import arguments
from entropeg.codes import CodeSet
from entropeg.errors import InputError, quoted
from entropeg.processors import MOST_PROCESSORS
from entropeg.rules import Blanks, FeedbackKind, Rules

MOST_NUMBER = 10**12
"""Seconds or megabytes that a search may be given, at most."""


def check_numbers(limit: int | None, threads: int | None, time: float | None, memory: float | None = None) -> None:
    """Raise InputError for numbers that make no sense."""
    arguments.some(limit, "the limit")
    arguments.some(threads, "the number of threads", most=MOST_PROCESSORS)
    for value, name in ((time, "the time"), (memory, "the memory")):
        if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating, NoneType)):
            raise InputError(f"{name} is {quoted(value)}; it must be a number")
        if isinstance(value, int) and value > MOST_NUMBER:
            raise InputError(f"{name} is {quoted(value)}; it must be at most {MOST_NUMBER:,}")
    if limit is not None and limit < 1:
        raise InputError(f"a limit of {limit} guesses settles nothing; give 1 or more")
    if threads is not None and threads < 1:
        raise InputError(f"{threads} threads search nothing; give 1 or more, or none to use every processor")
    if time is not None and not time >= 0:
        raise InputError(f"a time of {time} seconds cannot be kept; give 0 or more")
    if memory is not None and not 0 < memory < math.inf:
        raise InputError(f"a memory of {memory} megabytes cannot be kept; give more than 0")


class LayoutOptions(TypedDict):
    """What a layout has to be told of the rules."""

    colors: int
    blank: int | None
    by_color: bool


def layout_options(rules: Rules) -> LayoutOptions:
    """What a layout has to be told; raises InputError for rules that the exact search does not know."""
    if rules.feedback not in (FeedbackKind.standard, FeedbackKind.black):
        raise InputError(f"exact search knows standard and black feedback, not that of {rules}")
    if not rules.is_symmetric:
        raise InputError(f"exact search needs boards whose pegs and colors may change places, which {rules} has not")
    alike = rules.blanks == Blanks.none or (rules.blanks == Blanks.both and rules.repeats)
    return {
        "colors": rules.symbols_in_secrets,
        "blank": None if alike else rules.colors,
        "by_color": rules.feedback == FeedbackKind.standard,
    }


def rows_of(codes: CodeSet) -> NDArray[np.uint8]:
    """Codes one a row."""
    return np.ascontiguousarray(codes.planes.T).astype(np.uint8)
