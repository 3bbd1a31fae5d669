"""Reads the answers of evaluations: finds which part says well placed, and which misplaced."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from entropeg.classroom.functions.forms import CallResult
from entropeg.told import Template, Told

MarksPartKind: TypeAlias = Literal["item", "key", "digit", "number", "tens", "units", "count"]

_WHOLE = re.compile(r"-?\d+")


class MarksPart(NamedTuple):
    """A number in an answer: an item of a sequence, the value of a key, a digit, how often a mark occurs, ..."""

    kind: MarksPartKind
    key: Any = None

    def of(self, value: Any) -> int | None:
        """Return the number that an answer (plain data) has there; None where it has none.

        >>> MarksPart("digit", 1).of("21"), MarksPart("count", "X").of("XXO"), MarksPart("item", 0).of([[3, 4], []])
        (1, 2, 2)
        """
        return _READERS[self.kind](value, self.key)


def _item(value: Any, key: int) -> int | None:
    if not isinstance(value, list) or len(value) <= key:
        return None
    return _amount(value[key])


def _key(value: Any, key: str) -> int | None:
    return _amount(value[key]) if isinstance(value, dict) and key in value else None


def _amount(value: Any) -> int | None:
    # A number, or a list of pegs or places that are counted.
    if isinstance(value, list):
        return len(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and _WHOLE.fullmatch(value):
        return int(value)
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else None


def _digit(value: Any, key: int) -> int | None:
    return int(value[key]) if isinstance(value, str) and re.fullmatch("[0-9]{2}", value) else None


def _number(value: Any, key: int) -> int | None:
    found = _WHOLE.findall(value) if isinstance(value, str) else []
    return int(found[key]) if len(found) > key else None


def _tens(value: Any, _key: None) -> int | None:
    return value // 10 if type(value) is int and 0 <= value < 100 else None


def _units(value: Any, _key: None) -> int | None:
    return value % 10 if type(value) is int and 0 <= value < 100 else None


def _count(value: Any, key: Any) -> int | None:
    if isinstance(value, str):
        return value.count(key) if isinstance(key, str) else None
    if isinstance(value, list) and not any(isinstance(each, (list, dict)) for each in value):
        return [(type(each), each) for each in value].count((type(key), key))
    return None


_READERS: dict[MarksPartKind, Callable[[Any, Any], int | None]] = {
    "item": _item,
    "key": _key,
    "digit": _digit,
    "number": _number,
    "tens": _tens,
    "units": _units,
    "count": _count,
}


class Reading(NamedTuple):
    """Where an answer says well placed, and where misplaced."""

    placed: MarksPart
    misplaced: MarksPart

    def of(self, value: Any) -> tuple[int, int] | None:
        """Return (well placed, misplaced) of an answer; None where it does not say them."""
        placed, misplaced = self.placed.of(value), self.misplaced.of(value)
        return None if placed is None or misplaced is None else (placed, misplaced)

    def words(self, example: CallResult) -> str:
        """Say what the function returns.

        >>> Reading(MarksPart("item", 1), MarksPart("item", 0)).words(CallResult([2, 1], "[2, 1]", "list"))
        'misplaced, then well placed: [2, 1]'
        """
        first, second = self.placed, self.misplaced
        if first.kind == "count":
            marks = Template("a mark for each peg, {first!r} for well placed and {second!r} for misplaced: {answer}")
            return Told(marks, first.key, second.key, example.shown)
        if first.kind == "key":
            under = Template("well placed under {first!r} and misplaced under {second!r}: {answer}")
            return Told(under, first.key, second.key, example.shown)
        if (first.kind == "units") or (first.kind != "tens" and first.key > second.key):
            return Told("misplaced, then well placed: {answer}", example.shown)
        return Told("well placed, then misplaced: {answer}", example.shown)

    @property
    def is_usual(self) -> bool:
        """Whether it is the course's: a pair, well placed first."""
        return self == USUAL_READING


USUAL_READING = Reading(MarksPart("item", 0), MarksPart("item", 1))


def parts_of(values: Sequence[Any]) -> list[MarksPart]:
    """Return the parts that answers have."""
    found: dict[MarksPart, None] = {}
    for value in values:
        for part in _parts(value):
            if len(found) < 40:
                found.setdefault(part)
    order: list[MarksPartKind] = list(_READERS)
    return sorted(found, key=lambda part: order.index(part.kind))


def _parts(value: Any) -> Iterator[MarksPart]:
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        yield from (MarksPart("tens"), MarksPart("units"))
    elif isinstance(value, dict):
        yield from (MarksPart("key", key) for key in value)
    elif isinstance(value, list):
        yield from (MarksPart("item", at) for at in range(min(len(value), 4)))
        yield from (MarksPart("count", each) for each in value if isinstance(each, (str, int)))
    elif isinstance(value, str):
        yield from (MarksPart("digit", at) for at in (0, 1) if re.fullmatch("[0-9]{2}", value))
        yield from (MarksPart("number", at) for at in range(min(len(_WHOLE.findall(value)), 3)))
        yield from (MarksPart("count", each) for each in dict.fromkeys(value) if not each.isspace())
