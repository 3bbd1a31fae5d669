"""Tells that a game without a limit of guesses would never end, since the codebreaker repeats itself.

Stands on the standard library alone: the process of a course module loads this file by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from entropeg.told import Told

PATIENCE = 20
"""A player that draws among m + 1 codes, one of them new, draws none that is new 20 (m + 1) times in one of e**20
games."""


def repeating(turns: Sequence[Sequence[Any]], guess: Any, write: Callable[[Any], str] = str) -> str:
    """Say how a guess goes on with turns, each of which begins with its guess, that only repeat themselves; "" if not.

    They do where the latter half of them, `PATIENCE` turns at least for each different guess and one more, has no new
    guess, and nor is this one. Pure chance, which repeats itself too, is not taken for it. Looked at after 128 turns,
    256, 512 and so on: a long game pays next to nothing for it. `write` writes a guess.

    >>> repeating([("AABB", "X")] * 128, "AABB"), repeating([("AABB", "X")] * 128, "CCDD")
    ('at turn 129 it guesses AABB again, and for 64 turns it has made no new guess', '')
    """
    count, half = len(turns), len(turns) // 2
    if half < 2 * PATIENCE or count.bit_count() > 1:
        return ""
    old = {turn[0] for turn in turns[:half]}
    if guess not in old or half < PATIENCE * (len(old) + 1) or not old.issuperset(turn[0] for turn in turns[half:]):
        return ""
    turn, shown = count + 1, write(guess)
    return Told(
        "at turn {turn} it guesses {shown} again, and for {half:,} turns it has made no new guess", turn, shown, half
    )
