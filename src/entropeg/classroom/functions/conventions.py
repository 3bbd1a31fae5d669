"""Names the ways in which a course module may take and give codes and evaluations, so that it can be played.

A name is `codes/answer` or `codes/answer/misplaced-first`: `text/tuple` is the course's own, `list/tuple` has
codes as lists of letters, `list-from-1/tuple` as lists of whole numbers, and `text/digits/misplaced-first` answers "21"
for one well placed and two misplaced. Like `forms`, this module stands on the standard library and sentences alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import index
from typing import Any

from entropeg.classroom.functions.forms import FORMS

USUAL, TUPLES = "text/tuple", "tuple/tuple"
"""How the course writes codes and evaluations, and how projects do whose codes are tuples of letters throughout."""

CODES = {
    kind.name: kind
    for kind in sorted(FORMS.values(), key=lambda kind: (kind.first is not None, kind.kind is not str))
    if kind.kind is not int
}
"""How codes can be written, those of letters first."""

SYMBOLS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""How whole numbers show in games that are told: one symbol each."""

ANSWERS: dict[str, Callable[[int, int], Any]] = {
    "tuple": lambda one, other: (one, other),
    "list": lambda one, other: [one, other],
    "digits": lambda one, other: f"{one}{other}",
    "number": lambda one, other: 10 * one + other,
}

LAST = "misplaced-first"


class Convention:
    """How codes and evaluations are written, by its name; raises ValueError for a name that there is not.

    >>> swapped = Convention("list/digits/misplaced-first")
    >>> swapped.code("RVBJ"), swapped.answer((1, 2)), swapped.read_answer("21")
    (['R', 'V', 'B', 'J'], '21', (1, 2))
    >>> numbered = Convention("list-from-1/tuple")
    >>> numbered.symbols(6), numbered.code("1126"), numbered.read_code([1, 1, 2, 6])
    ('123456', [1, 1, 2, 6], '1126')
    """

    def __init__(self, name: str) -> None:
        match = re.fullmatch(rf"({'|'.join(CODES)})/({'|'.join(ANSWERS)})(/{LAST})?", name)
        if match is None:
            raise ValueError(name)
        self.codes, self.answers, self.is_exchanged = match[1], match[2], match[3] is not None
        self._way = CODES[self.codes]

    @property
    def is_numbered(self) -> bool:
        """Whether colors are numbers."""
        return self._way.first is not None

    def symbols(self, colors: int) -> str | None:
        """Return how colors that are numbers show; None of letters, and of more colors than there are symbols."""
        first = self._way.first
        return None if first is None or first + colors > len(SYMBOLS) else SYMBOLS[first : first + colors]

    def code(self, text: str) -> Any:
        """Write a code."""
        return self._way.kind(map(SYMBOLS.index, text) if self._way.of_numbers else text)

    def read_code(self, value: Any) -> Any:
        """Return a code as text, and anything else as it is."""
        if not isinstance(value, self._way.kind):
            return value
        if not self._way.of_numbers:
            return "".join(value) if all(isinstance(each, str) for each in value) else value
        items: list[Any] = [*value]
        try:
            numbers = [index(each) for each in items if not isinstance(each, bool)]
        except TypeError:
            return value
        if len(numbers) < len(value) or not all(0 <= each < len(SYMBOLS) for each in numbers):
            return value
        return "".join(SYMBOLS[each] for each in numbers)

    def read_own_code(self, value: Any) -> Any:
        """Return a code as text, and anything else within a tuple: a text must not pass where codes are tuples."""
        return self.read_code(value) if isinstance(value, self._way.kind) else (value,)

    def read_codes(self, value: Any) -> Any:
        """Return a set or a list of codes with each as text, and anything else as it is."""
        return type(value)(map(self.read_own_code, value)) if isinstance(value, (set, frozenset, list)) else value

    def answer(self, pair: tuple[int, int]) -> Any:
        """Write an evaluation, (well placed, misplaced)."""
        return ANSWERS[self.answers](*self._order(*pair))

    def read_answer(self, value: Any) -> Any:
        """Return an evaluation as a pair, and anything else as it is."""
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
