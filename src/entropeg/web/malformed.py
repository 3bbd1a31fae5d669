"""Says what is wrong with a request that has not the described shape: the field as its sender names it, an example."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError

from entropeg.web.settings import API

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
"""What is said of values of the wrong kind, by the type of the error."""

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
"""What is said of values beyond a bound, by the name of the bound."""


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
        path, schema = Shapes(request.app.openapi()).at(request, [str(part) for part in first["loc"]])
        tag = str((first.get("ctx") or {}).get("discriminator", "")).strip("'")
        if tag:
            path = [*path, tag]
            tags = list((schema or {}).get("discriminator", {}).get("mapping", {}))
            return cls(f"{_named(path)}: {_said(first)}", ".".join(path), tags[0] if tags else None)
        expected = None if first["type"] == "extra_forbidden" else Shapes(request.app.openapi()).example(schema)
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
    for key, words in _BOUNDS.items():
        if key in context:
            return words.format(context[key])
    message = str(wrong["msg"])
    return message[:1].lower() + message[1:]


def _named(path: Sequence[str]) -> str:
    return path[0] + "".join(f" {int(part) + 1}" if part.isdecimal() else f" {part}" for part in path[1:])


MOST_DEEP = 4
"""Levels of an example."""


class Shapes:
    """The shapes of requests as the server describes them: where a field is, and an example of it."""

    def __init__(self, openapi: dict[str, Any]) -> None:
        """Keep the description."""
        self._paths = openapi["paths"]
        self._models = openapi.get("components", {}).get("schemas", {})

    def at(self, request: Request, loc: Sequence[str]) -> tuple[list[str], dict[str, Any] | None]:
        """Return the path of a field without the names of our models in it, and its schema where there is one."""
        path = API + str(getattr(request.scope.get("route"), "path", ""))
        described = self._paths.get(path, {}).get(request.method.lower(), {})
        if loc[0] != "body":
            found = [each for each in described.get("parameters", []) if each["name"] == (loc[1:] or [""])[0]]
            return list(loc[1:]), found[0]["schema"] if found else None
        content = described.get("requestBody", {}).get("content", {})
        schema: dict[str, Any] | None = next(iter(content.values()))["schema"] if content else None
        named: list[str] = []
        for part in loc[1:]:
            schema, is_field = self._below(schema, part)
            named += [part] * is_field
        return named, self._resolved(schema)

    def _below(self, schema: dict[str, Any] | None, part: str) -> tuple[dict[str, Any] | None, bool]:
        """The schema of a part of a place, and whether the part is a field rather than the name of one shape of it."""
        schema = self._resolved(schema)
        if schema is None:
            return None, True
        mapping = schema.get("discriminator", {}).get("mapping", {})
        if part in mapping:
            return {"$ref": mapping[part]}, False
        for each in schema.get("anyOf", []) + schema.get("oneOf", []):
            if each.get("$ref", "").rpartition("/")[2] == part:
                return each, False
            found, _ = self._below(each, part)
            if found is not None:
                return found, True
        if part.isdecimal():
            return schema.get("items"), True
        return schema.get("properties", {}).get(part), True

    def _resolved(self, schema: dict[str, Any] | None) -> dict[str, Any] | None:
        while schema is not None and "$ref" in schema:
            schema = self._models.get(schema["$ref"].rpartition("/")[2])
        return schema

    def example(self, schema: dict[str, Any] | None, deep: int = 0) -> Any:
        """Return an example of what a schema describes; None where it names none."""
        schema = self._resolved(schema)
        if schema is None or deep > MOST_DEEP:
            return None
        for key in ("examples", "enum"):
            if schema.get(key):
                return schema[key][0]
        for key in ("const", "default", "minimum"):
            if schema.get(key) is not None:
                return schema[key]
        for each in schema.get("anyOf", []) + schema.get("oneOf", []):
            found = self.example(each, deep)
            if found is not None:
                return found
        return self._made(schema, deep)

    def _made(self, schema: dict[str, Any], deep: int) -> Any:
        kind = schema.get("type")
        if kind == "object":
            needed = schema.get("required", [])
            return {name: self.example(schema["properties"][name], deep + 1) for name in needed}
        if kind == "array":
            one = self.example(schema.get("items"), deep + 1)
            return [] if one is None else [one]
        simple = {"boolean": True, "integer": 1, "number": 1.0}
        return "2026-01-01" if schema.get("format") == "date" else simple.get(str(kind))
