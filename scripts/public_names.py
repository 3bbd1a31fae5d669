"""Prints the names that are promised (docs/lookup/stability.md), a line each: functions with their parameters.

    python scripts/public_names.py > names.txt && mv names.txt tests/earlier/names.txt

adds what is new to the list of those that were promised before. A line that is broken stays in it: only a person takes
it out, once the time of its deprecation is over.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
EARLIER = ROOT / "tests" / "earlier" / "names.txt"
ROOMS = (
    "advise",
    "candidates",
    "classroom",
    "codebreakers",
    "codemakers",
    "errors",
    "report",
    "review",
    "search",
    "train",
    "tree",
    "upkeep",
)
"""Rooms whose names are promised: those in their `__all__`, or else all that stand in the room itself."""

_IMPORT = re.compile(r"^(?:>>> )?\s*from (entropeg[\w.]*) import ([\w, ]+)$", re.MULTILINE)


class Parameter(NamedTuple):
    """A parameter of a promised function."""

    name: str
    is_positional: bool
    is_required: bool


# ------------------------------------------------------------------ one name


def found(dotted: str) -> Any:
    """Return what a dotted name leads to; raises AttributeError where it leads nowhere.

    >>> found("entropeg.Position.after").__name__
    'after'
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        value: Any = import_module("entropeg")
        parts = dotted.split(".")[1:]
        for number, part in enumerate(parts, start=1):
            if isinstance(value, ModuleType) and not hasattr(value, part):
                import_module(".".join(["entropeg", *parts[:number]]))
            value = getattr(value, part)
        return value


def _parameters(value: Any) -> str:
    if not callable(value) or (isinstance(value, type) and not _is_made_by_call(value)):
        return ""
    words: list[str] = []
    for parameter in inspect.signature(value).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not any(word.startswith("*") for word in words):
            words.append("*")
        mark = "*" * (parameter.kind is parameter.VAR_POSITIONAL) + "**" * (parameter.kind is parameter.VAR_KEYWORD)
        default = "" if mark or parameter.default is parameter.empty else "="
        words.append(f"{mark}{parameter.name}{default}")
    return f"({', '.join(word for word in words if word not in {'self', 'cls'})})"


def _is_made_by_call(owner: type) -> bool:
    # How members of an enumeration and protocols are made is Python's affair, and differs from version to version.
    makes = any(
        {"__init__", "__new__"} & {*vars(each)} for each in owner.__mro__ if each.__module__.startswith("entropeg")
    )
    return makes and not issubclass(owner, Enum) and not getattr(owner, "_is_protocol", False)


def line_of(dotted: str) -> str | None:
    """Return the line of a name: with its parameters where it can be called; None where there is no such name.

    >>> line_of("entropeg.perft")
    'entropeg.perft(rules, depth)'
    """
    try:
        return dotted + _parameters(found(dotted))
    except (AttributeError, ModuleNotFoundError):
        # A field without a default is no attribute of its class.
        home, _, field = dotted.rpartition(".")
        try:
            is_field = field in _fields(found(home))
        except (AttributeError, ModuleNotFoundError):
            return None
        return dotted if is_field else None


def _fields(owner: Any) -> set[str]:
    classes = [each for each in getattr(owner, "__mro__", ()) if each.__module__.startswith("entropeg")]
    return {name for each in classes for name in inspect.get_annotations(each)}


def members(owner: type) -> Iterator[str]:
    """Give the public attributes and methods of a class that come from this package."""
    ours = {name for each in owner.__mro__ if each.__module__.startswith("entropeg") for name in vars(each)}
    yield from sorted(name for name in ours | _fields(owner) if not name.startswith("_") and name != "PLAIN")


# ------------------------------------------------------------------ all of them


def shown_on_pages() -> set[str]:
    """Names that a page of the documentation imports: those for developers are left alone."""
    pages = [ROOT / "README.md", *(path for door in ("learn", "do", "lookup", "understand") for path in _pages(door))]
    lines = [pair for page in pages for pair in _IMPORT.findall(page.read_text(encoding="utf-8"))]
    return {f"{module}.{name.split(' as ')[0].strip()}" for module, names in lines for name in names.split(",")}


def _pages(door: str) -> list[Path]:
    written = {"modules", "commands"}
    return [path for path in sorted((ROOT / "docs" / door).rglob("*.md")) if not written & {*path.parts}]


def _in_room(room: str) -> list[str]:
    module = import_module(f"entropeg.{room}")
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
    return [name for name in getattr(module, "__all__", own) if not name.startswith("_")]


def lines() -> list[str]:
    """Return the line of each promised name; a class has its members below it, where it is named first."""
    top = [f"entropeg.{name}" for name in import_module("entropeg").__all__]
    rooms = [f"entropeg.{room}.{name}" for room in ROOMS for name in _in_room(room)]
    names: list[str] = []
    seen: set[Any] = set()
    for name in dict.fromkeys([*top, *rooms, *sorted(shown_on_pages())]):
        names.append(name)
        value = found(name)
        if isinstance(value, type) and value not in seen:
            seen.add(value)
            names += [f"{name}.{member}" for member in members(value)]
    return sorted({line for line in map(line_of, names) if line is not None})


# ------------------------------------------------------------------ then and now


def name_of(line: str) -> str:
    """Return the name that a line begins with."""
    return line.partition("(")[0]


def parameters_of(line: str) -> list[Parameter]:
    """Return the parameters in a line.

    >>> parameters_of("entropeg.f(a, *, b=)")[1]
    Parameter(name='b', is_positional=False, is_required=False)
    """
    words = [word for word in line.partition("(")[2].rstrip(")").split(", ") if word]
    places = [number for number, word in enumerate(words) if word.startswith("*")]
    first = places[0] if places else len(words)
    return [
        Parameter(word.rstrip("="), number < first, not word.endswith("=") and not word.startswith("*"))
        for number, word in enumerate(words)
        if word != "*"
    ]


def broken(before: str, now: str | None) -> str:
    """Say what breaks for someone who wrote code by an earlier line; nothing where it still works."""
    name = name_of(before)
    if now is None:
        return f"{name} is gone"
    old, new = parameters_of(before), {each.name: each for each in parameters_of(now)}
    if "(" in before and "(" not in now:
        return f"{name} cannot be called any more"
    takes_any = any(each.startswith("**") for each in new)
    for parameter in old:
        if parameter.name not in new and not takes_any:
            return f"{name} takes no {parameter.name} any more"
        if not parameter.is_required and parameter.name in new and new[parameter.name].is_required:
            return f"{name} cannot do without {parameter.name} any more"
    positional = [each.name for each in old if each.is_positional]
    if positional != [each.name for each in new.values() if each.is_positional][: len(positional)]:
        return f"{name} takes its first values in another order"
    wanted = [each.name for each in new.values() if each.is_required and each.name not in {one.name for one in old}]
    return f"{name} asks for {wanted[0]}, too" if wanted and "(" in before else ""


def earlier() -> list[str]:
    """Return the lines of the names that were promised before."""
    return EARLIER.read_text(encoding="utf-8").splitlines() if EARLIER.exists() else []


def merged() -> list[str]:
    """Return the lines of what was promised before and of what is promised now; a promise that is broken stays."""
    now = {name_of(line): line for line in lines()}
    for line in earlier():
        name = name_of(line)
        now[name] = line if broken(line, line_of(name)) else now.get(name, line)
    return sorted(now.values())


if __name__ == "__main__":
    print("\n".join(merged()))
