"""Names for the ways in which a course module may take and give codes and evaluations, so that it can be played.

A name is `codes/answer` or `codes/answer/misplaced-first`: `text/tuple` is the course's own, `list/tuple` has
codes as lists of letters, `text/digits/misplaced-first` answers "21" for one well placed and two misplaced. Like
`forms`, this module stands on the standard library alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

USUAL = "text/tuple"

CODES: dict[str, Callable[[str], Any]] = {"text": str, "list": list, "tuple": tuple}

ANSWERS: dict[str, Callable[[int, int], Any]] = {
    "tuple": lambda one, other: (one, other),
    "list": lambda one, other: [one, other],
    "digits": lambda one, other: f"{one}{other}",
    "number": lambda one, other: 10 * one + other,
}

LAST = "misplaced-first"

_NAME = re.compile(rf"({'|'.join(CODES)})/({'|'.join(ANSWERS)})(/{LAST})?")


class Convention:
    """How codes and evaluations are written, by its name; raises ValueError for a name that there is not.

    >>> swapped = Convention("list/digits/misplaced-first")
    >>> swapped.code("RVBJ"), swapped.answer((1, 2)), swapped.read_answer("21")
    (['R', 'V', 'B', 'J'], '21', (1, 2))
    """

    def __init__(self, name: str) -> None:
        """Read the name."""
        match = _NAME.fullmatch(name)
        if match is None:
            known = ", ".join([*CODES]), ", ".join([*ANSWERS])
            raise ValueError(
                f"there is no convention {name!r}: codes are {known[0]}, answers {known[1]}, as text/tuple"
            )
        self.codes, self.answers, self.is_exchanged = match[1], match[2], match[3] is not None

    def code(self, text: str) -> Any:
        """Write a code."""
        return CODES[self.codes](text)

    def read_code(self, value: Any) -> Any:
        """Return a code as text; what is no such code as it is."""
        kind = {"text": str, "list": list, "tuple": tuple}[self.codes]
        if not isinstance(value, kind) or not all(isinstance(each, str) for each in value):
            return value
        return "".join(value)

    def answer(self, pair: tuple[int, int]) -> Any:
        """Write an evaluation, (well placed, misplaced)."""
        return ANSWERS[self.answers](*self._order(*pair))

    def read_answer(self, value: Any) -> Any:
        """Return an evaluation as a pair; what is no such evaluation as it is."""
        if self.answers in {"tuple", "list"}:
            kind = tuple if self.answers == "tuple" else list
            return self._order(*value) if isinstance(value, kind) and len(value) == 2 else value
        if self.answers == "digits":
            if not isinstance(value, str) or not re.fullmatch("[0-9]{2}", value):
                return value
            return self._order(int(value[0]), int(value[1]))
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 100:
            return value
        return self._order(*divmod(value, 10))

    def _order(self, one: Any, other: Any) -> tuple[Any, Any]:
        return (other, one) if self.is_exchanged else (one, other)
