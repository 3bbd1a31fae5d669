"""Knows the functions of the course: tells those that are not written yet, and puts ours in the place of wrong ones.

This module stands on the standard library alone: the process in which a module of someone else runs loads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from types import FunctionType
from typing import Any

NAMES = {"choices": 2, "evaluation": 2, "donner_possibles": 2, "maj_possibles": 3}
"""The functions of `common.py` in whose place ours can stand, and how many arguments each takes at most."""

ALL_NAMES = frozenset({*NAMES, "codebreaker", "codemaker"})
"""Functions that have something to do whenever they are called. `init` may well be empty."""

WHOLE = "common"
"""The name under which our whole `common.py` stands in the place of theirs."""


def is_empty(function: Any) -> bool:
    """Tell whether there is nothing in the body of a function but a docstring, `...`, `pass` or a bare `return`.

    >>> def codebreaker(evaluation):
    ...     "The next guess."
    ...     ...
    >>> is_empty(codebreaker), is_empty(is_empty), is_empty(len)
    (True, False, False)
    """
    # Sixteen bytes: the longest of these bodies has eight. `dis` takes a hundredth of a second to import.
    if not isinstance(function, FunctionType) or len(function.__code__.co_code) > 16:
        return False
    from dis import get_instructions

    # It does nothing but return None.
    steps = {each.opname: each.argval for each in get_instructions(function)}
    idle = {"RESUME", "NOP", "RETURN_VALUE", "LOAD_CONST", "RETURN_CONST"}
    return steps.keys() <= idle and steps.get("LOAD_CONST") is steps.get("RETURN_CONST") is None


class OurCodes(set[Any]):
    """A set of codes that is read as a list too: a module may know a function that returns one.

    >>> OurCodes({"RV", "RR"})[0]
    'RR'
    """

    def __getitem__(self, at: Any) -> Any:
        """Return a code by its place in order."""
        return sorted(self)[at]


class OurFunctions:
    """Functions of entropeg that are called as those are in whose place they stand."""

    def __init__(self, common: Any, size: Callable[[], tuple[int, str]], write: Callable[[str], Any] = str) -> None:
        """`common` is entropeg's; `size` says, when asked, the number of pegs and the letters of the project.

        `write` writes a code as the project does.
        """
        self._common, self._size, self._write = common, size, write

    def __call__(self, name: str, theirs: Any) -> Any:
        """Return what stands in the place of a function, and takes its arguments by the names that it has."""
        if not callable(theirs):
            return theirs
        # An evaluation is asked for millions of times: it is handed on as it is.
        ours, most = self._common.evaluation if name == "evaluation" else getattr(self, name), NAMES[name]

        @wraps(theirs)
        def function(*given: Any, **named: Any) -> Any:
            if named:
                import inspect  # it takes a hundredth of a second

                given = tuple(inspect.signature(theirs).bind(*given, **named).arguments.values())
            return ours(*given[:most])

        return function

    def choices(self, colors: Iterable[str] | None = None, length: int | None = None) -> Any:
        """Draw a code."""
        self._follow()
        return self._write(self._common.choices(colors, length))

    def donner_possibles(self, guess: Any, answer: Iterable[int]) -> OurCodes:
        """Return the codes that would have given an answer."""
        self._follow()
        return OurCodes(map(self._write, self._common.donner_possibles(guess, tuple(answer))))

    def maj_possibles(self, possibles: Any, guess: Any, answer: Iterable[int]) -> Any:
        """Remove codes from a set or a list, in place, and return it: a function of theirs may have made a new one."""
        answer, evaluate = tuple(answer), self._common.evaluation
        for code in [code for code in possibles if evaluate(guess, code) != answer]:
            possibles.remove(code)
        return possibles

    def _follow(self) -> None:
        self._common.LENGTH, letters = self._size()
        self._common.COLORS = list(letters)
