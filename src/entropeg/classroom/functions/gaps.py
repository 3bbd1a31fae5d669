"""Tells which functions are not written yet: they raise NotImplementedError, or their bodies are empty.

Like `forms`, this module stands on the standard library alone: the process in which a module of someone else runs
loads it.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

NAMES = frozenset({"choices", "evaluation", "donner_possibles", "maj_possibles", "codebreaker", "codemaker"})
"""Functions that have something to do whenever they are called. `init` may well be empty."""


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
