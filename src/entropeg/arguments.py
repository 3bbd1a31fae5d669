"""Arguments of public functions: taken where they are of the right kind, refused in one sentence where they are not.

What has a room of its own is read there: rules by `Rules.of`, codes by `codes.read_code`, players by `Registry.of`.
"""

from __future__ import annotations

import os
from operator import index
from pathlib import Path
from typing import Any, TypeVar

from entropeg.errors import InputError, quoted

Kind = TypeVar("Kind")


def whole(value: object, name: str, *, least: int | None = None, most: int | None = None) -> int:
    """Return a whole number, NumPy's included, as a plain int; truth values are none. Raises InputError, naming it.

    >>> whole(3.0, "the depth")
    Traceback (most recent call last):
    ...
    entropeg.errors.InputError: the depth is 3.0; it must be a whole number
    """
    try:
        number = index(None if isinstance(value, bool) else value)  # type: ignore[arg-type]  # None has no index
    except TypeError:
        raise InputError(f"{name} is {quoted(value)}; it must be a whole number") from None
    if least is not None and number < least:
        raise InputError(f"{name} is {quoted(number)}; it must be at least {least:,}")
    if most is not None and number > most:
        raise InputError(f"{name} is {quoted(number)}; it must be at most {most:,}")
    return number


def some(value: object, name: str, *, least: int | None = None, most: int | None = None) -> int | None:
    """Return a whole number as `whole` does, or None where None was given."""
    return None if value is None else whole(value, name, least=least, most=most)


def number(value: object, name: str, *, least: float = 0.0) -> float:
    """Return a finite number of at least `least`, or raise InputError, naming it.

    >>> number("1", "the time")
    Traceback (most recent call last):
    ...
    entropeg.errors.InputError: the time is '1'; it must be a number, 0 or more
    """
    wanted = f"{name} is {quoted(value)}; it must be a number, {least:g} or more"
    if isinstance(value, (bool, str, bytes)):
        raise InputError(wanted)
    try:
        found = float(value)  # type: ignore[arg-type]  # what is no number is what is refused
    except (TypeError, ValueError, OverflowError):
        raise InputError(wanted) from None
    if not least <= found < float("inf"):
        raise InputError(wanted)
    return found


def flag(value: object, name: str) -> bool:
    """Return True or False, NumPy's included; any other value is refused rather than taken for one of them."""
    if isinstance(value, bool) or type(value).__name__ in {"bool", "bool_"}:
        return bool(value)
    raise InputError(f"{name} is {quoted(value)}; it must be True or False")


def file(value: object, name: str) -> Path:
    """Return the name of a file or folder as a path, or raise InputError where it cannot be one."""
    if not isinstance(value, (str, os.PathLike)):
        raise InputError(f"{name} is {quoted(value)}; it must be the name of a file, as text or a Path")
    text = os.fspath(value)
    if not isinstance(text, str) or not text or "\0" in text:
        raise InputError(f"{name} is {quoted(text)}, which names no file")
    return Path(text)


def text(value: object, name: str) -> str:
    """Return a text, or raise InputError, naming it."""
    if isinstance(value, str):
        return value
    raise InputError(f"{name} is {quoted(value)}; it must be text")


def instance(value: Any, kind: type[Kind], name: str, hint: str) -> Kind:
    """Return a value of a class of ours, or raise InputError with a hint at how one is made."""
    if isinstance(value, kind):
        return value
    raise InputError(f"{name} is {quoted(value)}; it must be a {kind.__name__}, {hint}")


def call(value: Any, name: str) -> Any:
    """Return something that can be called, or None; raises InputError for anything else."""
    if value is None or callable(value):
        return value
    raise InputError(f"{name} is {quoted(value)}; it must be a function, or None")
