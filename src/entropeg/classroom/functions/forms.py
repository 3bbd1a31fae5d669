"""Codes in the forms that programs of other courses take, and what their functions give back, as plain data.

This module stands on the standard library and sentences alone: the process in which a module of someone else runs loads
it too.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from enum import Enum
from io import StringIO
from math import isfinite
from operator import index
from typing import Any, NamedTuple

from entropeg.told import Told

LETTERS = "RVBJNMOGACDEFHIKLPQSTUWXYZ"
"""Colors as letters: those of the course first."""

SHOWN, LONGEST = 120, 20_000
"""Characters of a value that are shown, and items of it that are looked at."""


def all_letters(own: str) -> str:
    """Return letters for colors: a program's own first.

    >>> all_letters("ABR")[:5]
    'ABRVJ'
    """
    return "".join(dict.fromkeys(own + LETTERS))


class CodeKind(NamedTuple):
    """How codes are written: as a text, a list, a tuple or a number, of letters, or of whole numbers from `first` on.

    >>> CodeKind(list)((0, 0, 1)), CodeKind(tuple, 1)((0, 0, 1)), CodeKind(str, 1).name
    (['R', 'R', 'V'], (1, 1, 2), 'text-from-1')
    """

    kind: type[Any]
    first: int | None = None

    def __call__(self, code: Sequence[int], letters: str = LETTERS) -> Any:
        """Write a code, a sequence of colors from 0."""
        colors = [letters[color] if self.first is None else color + self.first for color in code]
        return self.kind("".join(map(str, colors)) if issubclass(self.kind, (str, int)) else colors)

    @property
    def name(self) -> str:
        """How conventions name it (`conventions.CODES`)."""
        name = "text" if self.kind is str else self.kind.__name__
        return name if self.first is None else f"{name}-from-{self.first}"

    @property
    def of_numbers(self) -> bool:
        """Whether the colors are whole numbers, each an object of its own."""
        return self.first is not None and self.kind is not str


FORMS: dict[str, CodeKind] = {
    Told("codes as text"): CodeKind(str),
    Told("lists of whole numbers from 1"): CodeKind(list, 1),
    Told("lists of whole numbers from 0"): CodeKind(list, 0),
    Told("lists of letters"): CodeKind(list),
    Told("tuples of letters"): CodeKind(tuple),
    Told("tuples of whole numbers from 1"): CodeKind(tuple, 1),
    Told("tuples of whole numbers from 0"): CodeKind(tuple, 0),
    Told("texts of digits"): CodeKind(str, 1),
    Told("whole numbers with a digit a peg"): CodeKind(int, 1),
}
"""How a function may take codes, by the words for it; tried in this order."""


@dataclass(frozen=True)
class CallResult:
    """What one call gave: a value as plain data (see `plain`), how it shows, of which type it is; or an error."""

    value: Any = None
    shown: str = ""
    type: str = ""
    error: str = ""
    line: int | None = None
    """The line of the error, in the file or the cell of the function."""
    changed: bool = False
    """Whether the call changed an argument."""
    printed: str = ""
    """What the call printed, cut short."""


def outcomes(function: Callable[..., Any], calls: Sequence[Sequence[Any]], file: str | None = None) -> list[CallResult]:
    """Call a function many times, each time with copies of the arguments; no exception comes out but KeyboardInterrupt.

    The lines of errors are those of `file`: where none is named, of the function's own.

    >>> outcomes(divmod, [(7, 2), (1, 0)])[1].error
    'ZeroDivisionError: integer ... by zero'
    """
    file = file or getattr(getattr(function, "__code__", None), "co_filename", None)
    return [_outcome(function, arguments, file) for arguments in calls]


def _outcome(function: Callable[..., Any], arguments: Sequence[Any], file: str | None) -> CallResult:
    given, printed = copy.deepcopy(list(arguments)), StringIO()
    try:
        with redirect_stdout(printed):
            value = function(*given)
        result, text = plain(value), shown(value)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 (whatever foreign code raises is its fault, SystemExit too)
        text = str(error)[:SHOWN]
        return CallResult(error=f"{type(error).__name__}{': ' if text else ''}{text}", line=_line(file, error))
    changed = any(repr(mine) != repr(theirs) for mine, theirs in zip(given, arguments, strict=True))
    return CallResult(result, text, type(value).__name__, changed=changed, printed=printed.getvalue()[:LONGEST])


def _line(file: str | None, error: BaseException) -> int | None:
    trace, line = error.__traceback__, None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


@contextmanager
def with_size(places: Sequence[dict[str, Any]], pegs: int, letters: str | None = None) -> Iterator[None]:
    """Let `LENGTH` be a number of pegs in some namespaces, within this block, and `COLORS` letters that are given.

    Without letters a `LENGTH` that is no number stays as it is.

    >>> names = {"LENGTH": 4, "COLORS": ["R", "V", "B"]}
    >>> with with_size([names], 2, "RV"):
    ...     names["LENGTH"], names["COLORS"]
    (2, ['R', 'V'])
    >>> names["LENGTH"], names["COLORS"]
    (4, ['R', 'V', 'B'])
    """
    before = [(names, name, names[name]) for names in places for name in ("LENGTH", "COLORS") if name in names]
    try:
        for names, name, value in before:
            if name == "LENGTH" and (letters is not None or isinstance(value, int)):
                names[name] = pegs
            elif name == "COLORS" and letters is not None:
                names[name] = _colors_like(value, letters)
        yield
    finally:
        for names, name, value in before:
            names[name] = value


def _colors_like(value: Any, letters: str) -> Any:
    if isinstance(value, dict):
        return {color: value.get(color, color) for color in letters}
    if hasattr(value, "tolist"):
        return sys.modules["numpy"].array([*letters])
    if isinstance(value, (str, int)):
        return letters if isinstance(value, str) else len(letters)
    return type(value)(letters) if isinstance(value, (tuple, set, frozenset)) else [*letters]


def plain(value: Any, depth: int = 0) -> Any:
    """Return a value as None, bool, int, float, str, list or dict with text keys; sets and arrays become lists.

    >>> plain({"bien": (1, 2)}), plain({3})
    ({'bien': [1, 2]}, [3])
    """
    if value is None or isinstance(value, (bool, str, float)):
        return _scalar(value)
    if isinstance(value, Enum):
        return value.name
    try:
        return _scalar(index(value))
    except TypeError:
        pass
    if depth == 4:  # levels that are looked at
        return None
    if isinstance(value, dict):
        return {str(key): plain(each, depth + 1) for key, each in list(value.items())[:LONGEST]}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(each, depth + 1) for each in list(value)[:LONGEST]]
    if hasattr(value, "tolist"):
        return plain(value.tolist(), depth + 1)
    inside = _parts(value)
    return plain(inside, depth + 1) if inside else None


def _parts(value: Any) -> dict[str, Any]:
    # The attributes of an object, and what its properties give.
    found = {**getattr(value, "__dict__", {})}
    for kind in type(value).__mro__[:-1]:
        slots = getattr(kind, "__slots__", ())
        names = [name for name, each in vars(kind).items() if isinstance(each, property)]
        for name in [*([slots] if isinstance(slots, str) else slots), *names]:
            with suppress(Exception):
                found.setdefault(name, getattr(value, name))
    return found


def _scalar(value: Any) -> Any:
    # What JSON carries, and any reader of it takes.
    if isinstance(value, str):
        return value[:LONGEST]
    if isinstance(value, float):
        return value if isfinite(value) else None
    return value if value is None or abs(value) < 1 << 63 else None


def shown(value: object) -> str:
    """Return how a value shows, cut short.

    >>> shown("x" * 500)[-4:]
    'x...'
    """
    try:
        text = repr(value)
        if type(value).__repr__ is object.__repr__ and hasattr(value, "__dict__"):  # else it shows where it is stored
            text = f"{type(value).__name__}({', '.join(f'{key}={each!r}' for key, each in vars(value).items())})"
    except Exception:  # noqa: BLE001 (a foreign __repr__)
        text = f"<{type(value).__name__}>"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
