"""Makes the models of OpenAPI from what values tell, so that an answer of the API is described once, by its value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import numpy as np
from pydantic import BaseModel, Field, create_model

from entropeg.codes import CodeSet
from entropeg.plain_values import ANSWERS, Finite, Ordinal, fields_of, is_code, is_named, is_told
from entropeg.rules import Rules

CodeText = Annotated[str, Field(examples=["AABB"])]
FeedbackText = Annotated[str, Field(examples=["XO"])]


@cache
def model_of(kind: Any) -> type[BaseModel]:
    """Return the model of what values of a type tell, with the sentences of their docstrings.

    >>> from entropeg.advise.expectation import Expectation
    >>> list(model_of(Expectation).model_fields)
    ['sign', 'value', 'error', 'fraction']
    """
    keys: dict[str, Any] = {
        each.key: (_schema(each.hint), Field(description=each.says or None)) for each in fields_of(kind)
    }
    says = (kind.__doc__ or "").strip().split("\n\n")[0]
    return create_model(kind.__name__, __doc__=" ".join(says.split()), **keys)


def _schema(hint: Any) -> Any:
    """The type of what an annotation becomes as plain data."""
    of = tuple(each for each in get_args(hint) if each is not NoneType)
    if len(of) < len(get_args(hint)):
        return _schema(Union[of]) | None  # noqa: UP007 (there may be one or several)
    if is_code(hint):
        return CodeText
    if hint == Finite:
        return float | None
    if hint == Ordinal:
        return Annotated[int, Field(description="From 1.")]
    if get_origin(hint) in {Union, UnionType}:
        return FeedbackText if set(of) <= set(ANSWERS) else Union[tuple(map(_schema, of))]  # noqa: UP007
    origin = get_origin(hint) or hint
    return _of_type(origin, of) if isinstance(origin, type) else hint


def _of_type(kind: Any, of: tuple[Any, ...]) -> Any:
    """The type that plain values of a type have, `of` its arguments in brackets."""
    if is_told(kind):
        return model_of(kind)
    if issubclass(kind, Enum):
        return Literal[tuple(each.value for each in kind)]
    if issubclass(kind, Mapping):
        return dict[str, _schema(of[1]) if of else Any]  # type: ignore[misc]
    texts: dict[Any, Any] = dict.fromkeys((Rules, Fraction, Path), str) | dict.fromkeys(ANSWERS, FeedbackText)
    texts |= {CodeSet: list[CodeText], np.ndarray: list[Any]}
    if kind in texts:
        return texts[kind]
    if is_named(kind):
        return tuple[tuple(_schema(each.hint) for each in fields_of(kind))]  # type: ignore[misc]
    if issubclass(kind, Sequence) and kind is not str:
        return list[_schema(of[0]) if of else Any]  # type: ignore[misc]
    return kind
