"""`GET /api/`: the API as a page without any script, written from its own OpenAPI description."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from functools import lru_cache
from html import escape
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse

router = APIRouter(include_in_schema=False)

INTRODUCTION = (
    "What the page does, a program can do too. Requests and answers are JSON; a position travels with each request, so "
    "that the server keeps nothing but a key and the runs. Rules, codes and feedback are written as everywhere in "
    "entropeg: <code>4x6</code>, <code>AABB</code>, <code>XO</code>. What is refused is answered with 422 and "
    '<code>{"error": sentence, "field": path, "expected": example}</code>; 429 and 503 say when to ask again. The '
    "language of sentences is that of <code>Accept-Language</code>, or <code>?language=fr</code>."
)


@router.get("/", response_class=HTMLResponse)
async def page(request: Request) -> str:
    """Show the API as a page."""
    return _page(request.app, str(request.base_url).rstrip("/"))


@lru_cache(maxsize=8)
def _page(app: FastAPI, address: str) -> str:
    described = app.openapi()
    operations = [
        (method, path, operation)
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    ]
    schemas = described.get("components", {}).get("schemas", {})
    tags = list(dict.fromkeys(operation.get("tags", ["others"])[0] for _, _, operation in operations))
    sections = "".join(
        f"<h2 id='{escape(tag)}'>{escape(tag)}</h2>"
        + "".join(
            _operation(method, path, operation, schemas, address)
            for method, path, operation in operations
            if operation.get("tags", ["others"])[0] == tag
        )
        for tag in tags
    )
    contents = " · ".join(f"<a href='#{escape(tag)}'>{escape(tag)}</a>" for tag in tags)
    return (
        "<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
        "<title>entropeg: the API</title><link rel='stylesheet' href='/api.css'>"
        f"<main><h1>The API of entropeg {escape(described['info']['version'])}</h1><p>{INTRODUCTION}</p>"
        "<p><a href='/api/openapi.json'>openapi.json</a> describes all of it for programs. <a href='/'>The page</a></p>"
        f"<nav aria-label='Sections'>{contents}</nav>{sections}</main></html>"
    )


def _operation(method: str, path: str, operation: dict[str, Any], schemas: dict[str, Any], address: str) -> str:
    answers = operation["responses"]
    done = next((code for code in answers if code.startswith("2")), None)
    body = _schema_of(operation.get("requestBody", {}), schemas)
    answer = _schema_of(answers.get(done, {}), schemas) if done else {}
    rows = [
        _row(each["name"], each.get("schema", {}), schemas, each.get("required", False), each.get("description", ""))
        for each in operation.get("parameters", ())
        if each["in"] != "header"
    ]
    rows += _fields(body, schemas)
    asks = f"<h4>Asks</h4>{_table(rows)}" if rows else ""
    given = _fields(answer, schemas)
    gives = f"<h4>Answers {escape(done or '')}</h4>{_table(given)}" if given else ""
    example = escape(_curl(method, path, operation, body, schemas, address))
    return (
        f"<section><h3><code>{method.upper()} {escape(path)}</code></h3>"
        f"<p>{escape(operation.get('description') or operation.get('summary', ''))}</p>"
        f"<pre tabindex='0'><code>{example}</code></pre>{asks}{gives}</section>"
    )


def _schema_of(content: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    found = content.get("content", {}).get("application/json", {}).get("schema", {})
    return _resolved(found, schemas)


def _resolved(schema: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        named: dict[str, Any] = schemas.get(schema["$ref"].rpartition("/")[2], {})
        return named
    return schema


def _fields(schema: dict[str, Any], schemas: dict[str, Any]) -> list[str]:
    required = schema.get("required", ())
    return [
        _row(name, each, schemas, name in required, each.get("description", ""))
        for name, each in schema.get("properties", {}).items()
    ]


def _row(name: str, schema: dict[str, Any], schemas: dict[str, Any], required: bool, said: str) -> str:  # noqa: FBT001
    default = "" if required or schema.get("default") is None else f", {json.dumps(schema['default'])} if left out"
    kind = f"{_kind(schema, schemas)}{default}"
    name = f"<code>{escape(name)}</code>" + (" *" if required else "")
    return f"<tr><th scope='row'>{name}</th><td>{escape(kind)}</td><td>{escape(said)}</td></tr>"


def _table(rows: list[str]) -> str:
    return f"<table>{''.join(rows)}</table>"


def _kind(schema: dict[str, Any], schemas: dict[str, Any], depth: int = 0) -> str:
    # A type in a few words; objects within objects by their fields, two levels deep.
    if "anyOf" in schema:
        return " or ".join(_kind(each, schemas, depth) for each in schema["anyOf"])
    if "$ref" in schema:
        named = _resolved(schema, schemas)
        names = ", ".join(named.get("properties", {}))
        return f"object of {names}" if depth < 2 and names else _kind(named, schemas, depth + 1)
    if "enum" in schema:
        return " or ".join(json.dumps(each) for each in schema["enum"])
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {_kind(schema.get('items', {}), schemas, depth + 1)}"
    return {"string": "text", "integer": "whole number", "boolean": "true or false"}.get(kind, str(kind))


def _curl(
    method: str, path: str, operation: dict[str, Any], body: dict[str, Any], schemas: dict[str, Any], address: str
) -> str:
    for each in operation.get("parameters", ()):
        if each["in"] == "path":
            path = path.replace(f"{{{each['name']}}}", str(_example(each.get("schema", {}), schemas) or each["name"]))
    asked = "&".join(
        f"{each['name']}={_example(each.get('schema', {}), schemas)}"
        for each in operation.get("parameters", ())
        if each["in"] == "query" and each.get("required")
    )
    words = [
        "curl",
        *(["-X", method.upper()] if method == "delete" else []),
        f"{address}{path}{'?' * bool(asked)}{asked}",
    ]
    if body:
        given = body["examples"][0] if body.get("examples") else dict(_examples(body, schemas))
        words += ["-H", "Content-Type: application/json", "-d", json.dumps(given)]
    return shlex.join(words)


def _examples(schema: dict[str, Any], schemas: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, each in schema.get("properties", {}).items():
        if name in schema.get("required", ()) or each.get("examples"):
            yield name, _example(each, schemas)


def _example(schema: dict[str, Any], schemas: dict[str, Any]) -> Any:
    schema = _resolved(schema, schemas)
    if schema.get("examples"):
        return schema["examples"][0]
    if schema.get("default") is not None:
        return schema["default"]
    for each in schema.get("anyOf", ()):
        return _example(each, schemas)
    empty: dict[str, Any] = {"array": [], "object": {}, "integer": 1, "number": 1, "boolean": False}
    return empty.get(schema.get("type", ""), "...")
