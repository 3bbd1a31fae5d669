"""The rules that a game was likely played by, where nobody says: from the guesses alone."""

from __future__ import annotations

from collections.abc import Sequence

from entropeg.alphabet import COURSE_LETTERS
from entropeg.errors import InputError
from entropeg.rules import Rules

FEWEST = 6
"""Colors that a board of letters or digits has at least."""


def likely_rules(guesses: Sequence[str]) -> Rules:
    """Return rules that guesses, as they were typed, may belong to: of their length, and colors as far as they go.

    Letters of the course alone are taken for the course's. Raises InputError where they are neither letters nor digits.

    >>> [str(likely_rules(guesses)) for guesses in (["AABB", "ABCH"], ["1234", "5566"], ["RVBJ"])]
    ['4x8', '4x6/digits', '4x8/course']
    """
    pegs, used = len(guesses[0]), set("".join(guesses).upper())
    if used <= set(COURSE_LETTERS):
        return Rules.parse(f"{pegs}x{len(COURSE_LETTERS)}/course")
    if used <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ"):
        return Rules.parse(f"{pegs}x{max(FEWEST, *(ord(letter) - 64 for letter in used))}")
    if used <= set("0123456789"):
        return Rules.parse(f"{pegs}x10/digits" if "0" in used else f"{pegs}x{max(FEWEST, *map(int, used))}/digits")
    raise InputError("its colors are not letters or digits alone: say which rules it follows with --rules")
