"""Explains why a request has not the described shape: names the field as its sender does, and gives an example."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError

from entropeg.web.described import Described

_SAID = {
    "missing": "it is missing",
    "json_invalid": "the request is not JSON",
    "string_type": "it must be text",
    "string_unicode": "it holds characters that are none",
    "int_type": "it must be a whole number",
    "int_parsing": "it must be a whole number",
    "int_parsing_size": "it is too large a number",
    "int_from_float": "it must be a whole number",
    "float_type": "it must be a number",
    "float_parsing": "it must be a number",
    "finite_number": "it must be a finite number",
    "bool_type": "it must be true or false",
    "bool_parsing": "it must be true or false",
    "list_type": "it must be a list",
    "tuple_type": "it must be a list",
    "dict_type": "it must be an object",
    "model_type": "it must be an object",
    "model_attributes_type": "it must be an object",
    "extra_forbidden": "there is no such field",
    "date_type": "it must be a date",
    "date_parsing": "it must be a date",
    "date_from_datetime_parsing": "it must be a date",
    "date_from_datetime_inexact": "it must be a date",
    "union_tag_not_found": "it is missing",
}
"""Sentences about values of the wrong kind, by the type of the error."""

_BOUNDS = {
    "ge": "it must be at least {}",
    "gt": "it must be more than {}",
    "le": "it must be at most {}",
    "lt": "it must be less than {}",
    "max_length": "it must have at most {} entries or characters",
    "min_length": "it must have at least {} entries or characters",
    "expected": "it must be {}",
    "expected_tags": "it must be one of {}",
}
"""Sentences about values beyond a bound, by the name of the bound."""


@dataclass(frozen=True)
class Malformed:
    """What is wrong with a request: a sentence, the path of the field (from 0), and what would be right."""

    sentence: str
    field: str
    expected: Any

    @classmethod
    def of(cls, request: Request, error: RequestValidationError) -> Malformed:
        """Describe the first thing that is wrong."""
        first = _first(error.errors())
        if first["type"] == "json_invalid":
            return cls(_SAID["json_invalid"], "", None)
        described = Described(request.app.openapi())
        address = str(getattr(request.scope.get("route"), "path", ""))
        path, schema = described.at(request.method, address, [str(part) for part in first["loc"]])
        tag = str((first.get("ctx") or {}).get("discriminator", "")).strip("'")
        if tag:
            path = [*path, tag]
            tags = list((schema or {}).get("discriminator", {}).get("mapping", {}))
            return cls(f"{_named(path)}: {_said(first)}", ".".join(path), tags[0] if tags else None)
        expected = None if first["type"] == "extra_forbidden" else described.example(schema)
        said = _said(first)
        return cls(f"{_named(path)}: {said}" if path else said, ".".join(path), expected)


def _first(errors: Sequence[Any]) -> Any:
    # Of a value that may have one of several shapes, the shape that it comes nearest to: most fields deep.
    return max((each for each in errors if each["loc"][:2] == errors[0]["loc"][:2]), key=lambda each: len(each["loc"]))


def _said(wrong: dict[str, Any]) -> str:
    said = _SAID.get(wrong["type"])
    if said is not None:
        return said
    context = wrong.get("ctx") or {}
    if context.get("min_length") == 1:
        return "it must not be empty"
    for key, words in _BOUNDS.items():
        if key in context:
            return words.format(context[key])
    message = str(wrong["msg"])
    return message[:1].lower() + message[1:]


def _named(path: Sequence[str]) -> str:
    return path[0] + "".join(f" {int(part) + 1}" if part.isdecimal() else f" {part}" for part in path[1:])
