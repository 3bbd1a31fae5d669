"""Reads the server's own description (OpenAPI): where a field of a request stands, and examples of right requests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from entropeg.web.settings import API


class Described:
    """The shapes of requests and answers.

    >>> described = Described({"paths": {}, "components": {"schemas": {"Peg": {"type": "integer", "minimum": 0}}}})
    >>> described.example({"type": "array", "items": {"$ref": "#/components/schemas/Peg"}})
    [0]
    """

    def __init__(self, openapi: dict[str, Any]) -> None:
        self._paths = openapi["paths"]
        self._models = openapi.get("components", {}).get("schemas", {})

    def at(self, method: str, address: str, loc: Sequence[str]) -> tuple[list[str], dict[str, Any] | None]:
        """Return the path of a field of a request, and its schema where there is one.

        `address` is that of the route, with or without its beginning `/api`; `loc` the place as pydantic names it, with
        `body` or `query` before it, and the names of our models in it, which the path is without.
        """
        path = address if address.startswith(f"{API}/") else API + address
        described = self._paths.get(path, {}).get(method.lower(), {})
        if loc[0] != "body":
            found = [each for each in described.get("parameters", []) if each["name"] == (loc[1:] or [""])[0]]
            return list(loc[1:]), found[0]["schema"] if found else None
        content = described.get("requestBody", {}).get("content", {})
        schema: dict[str, Any] | None = next(iter(content.values()))["schema"] if content else None
        named: list[str] = []
        for part in loc[1:]:
            schema, is_field = self._below(schema, part)
            named += [part] * is_field
        return named, self.resolved(schema)

    def _below(self, schema: dict[str, Any] | None, part: str) -> tuple[dict[str, Any] | None, bool]:
        """The schema of a part of a place, and whether the part is a field rather than the name of one shape of it."""
        schema = self.resolved(schema)
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

    def resolved(self, schema: dict[str, Any] | None) -> dict[str, Any] | None:
        """Return a schema itself for a reference to it; None for a reference to none."""
        while schema is not None and "$ref" in schema:
            schema = self._models.get(schema["$ref"].rpartition("/")[2])
        return schema

    def example(self, schema: dict[str, Any] | None, deep: int = 0) -> Any:
        """Return an example of what a schema describes; None where it names none."""
        schema = self.resolved(schema)
        # An example has four levels at most.
        if schema is None or deep > 4:
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
            fields = schema.get("properties", {})
            shown = [name for name in fields if name in needed or fields[name].get("examples")]
            return {name: self.example(fields[name], deep + 1) for name in shown}
        if kind == "array":
            one = self.example(schema.get("items"), deep + 1)
            return [] if one is None else [one]
        simple = {"boolean": True, "integer": 1, "number": 1.0}
        return "2026-01-01" if schema.get("format") == "date" else simple.get(str(kind))
