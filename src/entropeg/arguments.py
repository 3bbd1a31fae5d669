"""Checks arguments of public functions: takes those of the right kind, and refuses others in one sentence.

Some are read in their own rooms: rules by `Rules.of`, codes by `codes.read_code`, players by `Registry.of`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sized
from math import inf, nan
from operator import index
from pathlib import Path
from typing import Any, TypeVar

from entropeg.errors import InputError
from entropeg.told import Spoken, Told

Instance = TypeVar("Instance")

SEED_DIGITS = 1000
"""Digits of a seed, at most."""

MOST_ITEMS = 10_000_000
"""Most items of a list that is given."""


def named(name: str) -> str:
    """Return the name of what is checked as a sentence, since callers give plain constants; a parameter keeps its name.

    >>> type(named("the depth")).__name__, type(named("jobs")).__name__
    ('Told', 'str')
    """
    return Told(name) if is_name(name) and not isinstance(name, Spoken) else name


def is_name(text: str) -> bool:
    """Tell whether a text is a name in words, as «the depth» or «or a position», and neither a parameter nor code."""
    return " " in text and text[0].isalpha()


def whole(value: object, name: str, *, least: int | None = None, most: int | None = None) -> int:
    """Return a whole number, NumPy's included, as a plain int; truth values are none. Raises InputError, naming it.

    >>> whole(3.0, "the depth")
    Traceback (most recent call last):
    ...
    entropeg.errors.InputError: the depth is 3.0; it must be a whole number
    """
    try:
        number = index(None if isinstance(value, (bool, Sized)) else value)  # type: ignore[arg-type]  # None has none
    except TypeError:
        raise InputError("{name} is {given!r}; it must be a whole number", named(name), value) from None
    if least is not None and number < least:
        raise InputError("{name} is {given!r}; it must be at least {least:,}", named(name), number, least)
    if most is not None and number > most:
        raise InputError("{name} is {given!r}; it must be at most {most:,}", named(name), number, most)
    return number


def some(value: object, name: str, *, least: int | None = None, most: int | None = None) -> int | None:
    """Return a whole number as `whole` does, or None where None was given."""
    return None if value is None else whole(value, name, least=least, most=most)


def seed(value: object) -> int:
    """Return a seed: a whole number from 0, of `SEED_DIGITS` digits at most, so that it can be typed again."""
    found = whole(value, Told("the seed"), least=0)
    if found >= 10**SEED_DIGITS:
        raise InputError("the seed is {given!r}; it must have {digits} digits at most", found, SEED_DIGITS)
    return found


def number(value: object, name: str, *, least: float = 0.0) -> float:
    """Return a finite number of at least `least`, or raise InputError, naming it.

    >>> number("1", "the time")
    Traceback (most recent call last):
    ...
    entropeg.errors.InputError: the time is '1'; it must be a number, 0 or more
    """
    try:
        found = nan if isinstance(value, (bool, str, bytes)) else float(value)  # type: ignore[arg-type]  # refused below
    except (TypeError, ValueError, OverflowError):
        found = nan
    if least <= found < inf:
        return found
    raise InputError("{name} is {given!r}; it must be a number, {least:g} or more", named(name), value, least)


def flag(value: object, name: str) -> bool:
    """Return True or False, NumPy's included; any other value is refused rather than taken for one of them."""
    if isinstance(value, bool) or type(value).__name__ in {"bool", "bool_"}:
        return bool(value)
    raise InputError("{name} is {given!r}; it must be True or False", named(name), value)


def file(value: object, name: str) -> Path:
    """Return the name of a file or folder as a path, or raise InputError where it cannot be one."""
    if not isinstance(value, (str, os.PathLike)):
        raise InputError("{name} is {given!r}; it must be the name of a file, as text or a Path", named(name), value)
    text = os.fspath(value)
    if not isinstance(text, str) or not text or "\0" in text:
        raise InputError("{name} is {given!r}, which names no file", named(name), text)
    return Path(text)


def text(value: object, name: str) -> str:
    """Return a text, or raise InputError, naming it."""
    if isinstance(value, str):
        return value
    raise InputError("{name} is {given!r}; it must be text", named(name), value)


def instance(value: Any, kind: type[Instance], name: str, hint: str) -> Instance:
    """Return a value of a class of ours, or raise InputError with a hint at how one is made."""
    if isinstance(value, kind):
        return value
    raise InputError("{name} is {given!r}; it must be a {kind}, {hint}", named(name), value, kind.__name__, named(hint))


def items(value: Any, name: str, example: str) -> list[Any]:
    """Return what a list, or anything else that can be gone through, holds; text is no list of letters here.

    Raises InputError, with an example of a right one, for anything else, and beyond `MOST_ITEMS`.
    """
    is_list = isinstance(value, Iterable) and not isinstance(value, (str, bytes, bytearray, memoryview, type))
    try:
        if is_list and isinstance(value, Sized) and len(value) > MOST_ITEMS:
            raise InputError("{name} are too many: {given!r} holds more than {most:,}", named(name), value, MOST_ITEMS)
        return list(value if is_list else None)  # type: ignore[arg-type]  # None is no list
    except (TypeError, OverflowError):
        raise InputError(
            "{name} are {given!r}; give a list of them, as {example}", named(name), value, example
        ) from None


def call(value: Any, name: str) -> Any:
    """Return something that can be called, or None; raises InputError for anything else."""
    if value is None or callable(value):
        return value
    raise InputError("{name} is {given!r}; it must be a function, or None", named(name), value)
