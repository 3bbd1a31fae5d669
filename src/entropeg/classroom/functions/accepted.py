"""Tells what is right where a text of the course can be read in two ways, for `check` and `valider` alike.

An older text has `choices(e, n)`, whose docstring promises a list, and players that join it; elsewhere a code is a
string. One text gives `donner_possibles` the codes *different from* the guess, another all that fit, and the guess
itself is one of them where all is well placed. `docs/do/classroom.md` has the table of these readings.
"""

from __future__ import annotations

from collections.abc import Iterable

from entropeg.told import Told

IN_TUPLES = Told("its codes are tuples of letters, where the course has strings: it is judged as it writes them")
"""The note on codes that are tuples throughout."""


def is_drawn_code(value: object, pegs: int, letters: Iterable[str]) -> bool:
    """Tell whether `choices` may return a value.

    >>> [is_drawn_code(value, 2, "RV") for value in ("RV", ["R", "V"], ("R", "V"), "R", ["RV"], "RB")]
    [True, True, False, False, False, False]
    """
    return isinstance(value, (str, list)) and len(value) == pegs and all(each in [*letters] for each in value)


def is_right_set(value: Iterable[object], fitting: Iterable[str], guess: str) -> bool:
    """Tell whether codes are those that fit after a guess; the guess itself may be among them or not, if it fits.

    >>> [is_right_set(value, {"RR", "RV"}, "RV") for value in ({"RR", "RV"}, {"RR"}, {"RV"})]
    [True, True, False]
    """
    found, right = set(value), set(fitting)
    return found in (right, right - {guess})
