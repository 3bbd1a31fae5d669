"""Turns values into plain data: one description serves JSON at the prompt, the API, OpenAPI, and the types of the page.

A value names the attributes that it tells. Their annotations say of what kind each is, their docstrings what it means.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import date
from enum import Enum
from fractions import Fraction
from functools import cache, cached_property
from math import isfinite
from pathlib import Path
from types import NoneType, SimpleNamespace, UnionType
from typing import Annotated, Any, ClassVar, TypeAlias, Union, get_args, get_origin, get_type_hints

import numpy as np

from entropeg.codes import CodeSet, format_code
from entropeg.feedback import Code, format_feedback
from entropeg.kinds import FeedbackKind
from entropeg.kinds.answers import NamedAnswer
from entropeg.rules import Rules

Ordinal: TypeAlias = Annotated[int, "from 1"]
"""A row, a turn or a peg, counted from 0 inside, and from 1 in what is told."""

Finite: TypeAlias = Annotated[float, "or null"]
"""A number of which nothing is known where it is infinite or NaN: null in what is told."""

ANSWERS = (*{kind.about.answer for kind in FeedbackKind}, NamedAnswer)
"""The types of feedback, all of which are told as text."""


class PlainValue:
    """A value that is told as plain data: the attributes in `PLAIN`, or else all its public fields, in their order.

    The key of an attribute is its name, without `is_` before it; `left=remaining` gives it another one. A path tells
    what another value has, `bits=partition.bits`, null where that value is None; `*statistics` tells all its keys here.
    """

    __slots__ = ()
    PLAIN: ClassVar[tuple[str, ...]] = ()

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `json.dumps`."""
        data: dict[str, Any] = plain(self)
        return data


@dataclass(frozen=True)
class PlainField:
    """A key of what a value tells: the path of attributes behind it, its annotation, and what it means."""

    key: str
    path: str
    hint: Any
    says: str


def plain(value: Any, rules: Rules | None = None, *, codes: int = 10) -> Any:
    """Return a value as plain data for `json.dumps`: objects, lists, texts and numbers; a turn is a list of two texts.

    A code, where the annotation says `Code`, and feedback are text, as everywhere; rules are their text; a `Ordinal`
    counts from 1. A fraction is text, an infinite number null. Of a set of codes the first ones are listed, `codes` of
    them. The `rules` are those of codes in values that have none of their own.

    >>> from entropeg.position import Turn
    >>> from entropeg.feedback import Feedback
    >>> plain(Turn((0, 0, 1, 1), Feedback(1, 2)), Rules())
    ['AABB', 'XOO']
    """
    return _plain(value, type(value), rules, codes)


def _plain(value: Any, hint: Any, rules: Rules | None, codes: int) -> Any:
    if value is None or value is True or value is False:
        return value
    if isinstance(value, ANSWERS):
        return format_feedback(value)
    kind: Any = type(value)
    if is_named(kind):
        return [_plain(one, each.hint, rules, codes) for one, each in zip(value, fields_of(kind), strict=True)]
    if is_told(kind):
        own = getattr(value, "rules", None) or rules
        return {each.key: _plain(_at(value, each.path), each.hint, own, codes) for each in fields_of(kind)}
    if isinstance(value, CodeSet):
        return [format_code(code, value.rules) for code in value[:codes]]
    if isinstance(value, Iterable) and not isinstance(value, str):
        return _plain_items(value, hint, rules, codes)
    return _simple(value, hint)


def _at(value: Any, path: str) -> Any:
    for attribute in path.split("."):
        value = None if value is None else getattr(value, attribute)
    return value


def _plain_items(value: Iterable[Any], hint: Any, rules: Rules | None, codes: int) -> Any:
    of = get_args(meant(hint)) or (Any, Any)
    if isinstance(value, Mapping):
        return {str(_plain(key, of[0], rules, codes)): _plain(each, of[1], rules, codes) for key, each in value.items()}
    if is_code(hint):
        assert rules is not None, "a code is told by rules"
        return format_code(value, rules)  # type: ignore[arg-type]
    listed = value.tolist() if isinstance(value, np.ndarray) else list(value)
    hints = of if len(of) == len(listed) and Ellipsis not in of else [of[0]] * len(listed)
    return [_plain(each, one, rules, codes) for each, one in zip(listed, hints, strict=True)]


def _simple(value: Any, hint: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Fraction | Rules | Path | date):
        return str(value)
    if isinstance(value, float | np.floating):
        return float(value) if isfinite(value) else None
    if isinstance(value, int | np.integer):
        return int(value) + (meant(hint) == Ordinal)
    if isinstance(value, str):
        return value
    raise TypeError(f"{type(value).__name__} tells nothing of itself: it is no PlainValue")


def meant(hint: Any) -> Any:
    """Return what an annotation says that is not None: `int` for `int | None`; the first where it says several."""
    if get_origin(hint) in {Union, UnionType}:
        return next(each for each in get_args(hint) if each is not NoneType)
    return hint


def is_code(hint: Any) -> bool:
    """Tell whether an annotation says `Code`, or `Code | None`."""
    return bool(meant(hint) == Code)


def is_told(kind: Any) -> bool:
    """Tell whether values of a type become objects."""
    return isinstance(kind, type) and issubclass(kind, PlainValue)


def is_named(kind: Any) -> bool:
    """Tell whether a type is one of named tuples, as a turn is: they become lists."""
    return isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")


@cache
def fields_of(kind: Any) -> tuple[PlainField, ...]:
    """Return what values of a type tell, in order.

    >>> from entropeg.position import Turn
    >>> [each.key for each in fields_of(Turn)]
    ['guess', 'feedback']
    """
    named = tuple(getattr(kind, "PLAIN", ())) or tuple(getattr(kind, "_fields", ())) or _public(kind)
    return tuple(each for name in named for each in _fields(kind, name))


def _public(kind: type) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind) if not each.name.startswith("_")) if is_dataclass(kind) else ()


def _fields(kind: type, name: str) -> tuple[PlainField, ...]:
    if name.startswith("*"):
        inner = name[1:]
        keys = fields_of(meant(_described(kind, inner)[0]))
        return tuple(replace(each, path=f"{inner}.{each.path}") for each in keys)
    key, _, path = name.rpartition("=")
    return (PlainField(key or path.removeprefix("is_"), path, *_described(kind, path)),)


def _described(kind: type, path: str) -> tuple[Any, str]:
    """Return the annotation at the end of a path, which may be None where any on the way is, and what it means."""
    first, _, rest = path.partition(".")
    hint, says = _of_attribute(kind, first)
    if not rest:
        return hint, says
    at_end, says = _described(meant(hint), rest)
    return at_end | None if NoneType in get_args(hint) else at_end, says


def _of_attribute(kind: type, attribute: str) -> tuple[Any, str]:
    """Return the annotation of an attribute, and what its docstring says."""
    for owner in kind.__mro__:
        got = vars(owner).get(attribute)
        if isinstance(got, property | cached_property):
            getter: Any = got.fget if isinstance(got, property) else got.func
            return get_type_hints(getter, include_extras=True)["return"], _sentences(got.__doc__)
        if attribute in vars(owner).get("__annotations__", {}):
            of_it: Any = SimpleNamespace(__annotations__={attribute: owner.__annotations__[attribute]})
            hints = get_type_hints(of_it, vars(sys.modules[owner.__module__]), include_extras=True)
            return hints[attribute], _said(owner.__module__).get(owner.__qualname__, {}).get(attribute, "")
    raise AttributeError(f"{kind.__name__} tells {attribute}, and has no such attribute with an annotation")


@cache
def _said(module: str) -> dict[str, dict[str, str]]:
    # What stands below the fields of the classes of a module, by their names. It is in the source alone; all else works
    # without it. One look serves all classes: `inspect.getsource` reads the whole file for each.
    try:
        waiting: list[tuple[str, Any]] = [("", ast.parse(inspect.getsource(sys.modules[module])))]
    except (OSError, TypeError):
        return {}
    found: dict[str, dict[str, str]] = {}
    while waiting:
        prefix, block = waiting.pop()
        for each in block.body:
            if isinstance(each, ast.ClassDef):
                found[prefix + each.name] = _below_fields(each)
                waiting.append((f"{prefix}{each.name}.", each))
            elif isinstance(each, ast.FunctionDef):
                waiting.append((f"{prefix}{each.name}.<locals>.", each))
    return found


def _below_fields(kind: ast.ClassDef) -> dict[str, str]:
    found, last = dict[str, str](), ""
    for line in kind.body:
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
            last = line.target.id
        elif last and isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant):
            found[last] = _sentences(str(line.value.value))
        else:
            last = ""
    return found


def _sentences(doc: str | None) -> str:
    """The first paragraph of a docstring, in one line."""
    return " ".join((doc or "").strip().split("\n\n")[0].split())
