"""`GET /api/`: the API as a page without any script, written from its own OpenAPI description."""

from __future__ import annotations

import json
import shlex
from functools import lru_cache
from html import escape
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse

from entropeg.web.described import Described

router = APIRouter(include_in_schema=False)

INTRODUCTION = (
    "What the page does, a program can do too. Requests and answers are JSON; a position travels with each request, so "
    "that the server keeps a key, runs and tables alone. Rules, codes and feedback are written as everywhere "
    "in entropeg: <code>4x6</code>, <code>AABB</code>, <code>XO</code>. What is refused is answered with 422 and "
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
    shapes = Described(described)
    tags = list(dict.fromkeys(operation.get("tags", ["others"])[0] for _, _, operation in operations))
    sections = "".join(
        f"<h2 id='{escape(tag)}'>{escape(tag)}</h2>"
        + "".join(
            _operation(method, path, operation, shapes, address)
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


def _operation(method: str, path: str, operation: dict[str, Any], shapes: Described, address: str) -> str:
    answers = operation["responses"]
    done = next((code for code in answers if code.startswith("2")), None)
    body = _schema_of(operation.get("requestBody", {}), shapes)
    answer = _schema_of(answers.get(done, {}), shapes) if done else {}
    rows = [
        _row(each["name"], each.get("schema", {}), shapes, each.get("required", False), each.get("description", ""))
        for each in operation.get("parameters", ())
        if each["in"] != "header"
    ]
    rows += _fields(body, shapes)
    asks = f"<h4>Asks</h4>{_table(rows)}" if rows else ""
    given = _fields(answer, shapes)
    gives = f"<h4>Answers {escape(done or '')}</h4>{_table(given)}" if given else ""
    example = escape(_curl(method, path, operation, body, shapes, address))
    return (
        f"<section><h3><code>{method.upper()} {escape(path)}</code></h3>"
        f"<p>{escape(operation.get('description') or operation.get('summary', ''))}</p>"
        f"<pre tabindex='0'><code>{example}</code></pre>{asks}{gives}</section>"
    )


def _schema_of(content: dict[str, Any], shapes: Described) -> dict[str, Any]:
    found = content.get("content", {}).get("application/json", {}).get("schema", {})
    return shapes.resolved(found) or {}


def _fields(schema: dict[str, Any], shapes: Described) -> list[str]:
    if "oneOf" in schema:
        return [row for each in schema["oneOf"] for row in _fields(shapes.resolved(each) or {}, shapes)]
    required = schema.get("required", ())
    return [
        _row(name, each, shapes, name in required, each.get("description", ""))
        for name, each in schema.get("properties", {}).items()
    ]


def _row(name: str, schema: dict[str, Any], shapes: Described, required: bool, said: str) -> str:  # noqa: FBT001
    default = "" if required or schema.get("default") is None else f", {json.dumps(schema['default'])} if left out"
    kind = f"{_kind(schema, shapes)}{default}"
    name = f"<code>{escape(name)}</code>" + (" *" if required else "")
    return f"<tr><th scope='row'>{name}</th><td>{escape(kind)}</td><td>{escape(said)}</td></tr>"


def _table(rows: list[str]) -> str:
    return f"<table>{''.join(rows)}</table>"


def _kind(schema: dict[str, Any], shapes: Described, depth: int = 0) -> str:
    # A type in a few words; objects within objects by their fields, two levels deep.
    if "anyOf" in schema:
        return " or ".join(_kind(each, shapes, depth) for each in schema["anyOf"])
    if "$ref" in schema:
        named = shapes.resolved(schema) or {}
        names = ", ".join(named.get("properties", {}))
        return f"object of {names}" if depth < 2 and names else _kind(named, shapes, depth + 1)
    if "enum" in schema:
        return " or ".join(json.dumps(each) for each in schema["enum"])
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {_kind(schema.get('items', {}), shapes, depth + 1)}"
    return {"string": "text", "integer": "whole number", "boolean": "true or false"}.get(kind, str(kind))


def _curl(
    method: str, path: str, operation: dict[str, Any], body: dict[str, Any], shapes: Described, address: str
) -> str:
    for each in operation.get("parameters", ()):
        if each["in"] == "path":
            path = path.replace(f"{{{each['name']}}}", str(shapes.example(each.get("schema")) or each["name"]))
    asked = "&".join(
        f"{each['name']}={shapes.example(each.get('schema'))}"
        for each in operation.get("parameters", ())
        if each["in"] == "query" and each.get("required")
    )
    words = [
        "curl",
        *(["-X", method.upper()] if method == "delete" else []),
        f"{address}{path}{'?' * bool(asked)}{asked}",
    ]
    if body:
        words += ["-H", "Content-Type: application/json", "-d", json.dumps(shapes.example(body))]
    return shlex.join(words)
