"""Lists what there is to translate: Babel collects the calls that make sentences, click's commands say their help.

At development time only. The page's modules are read by Babel too, for the calls `t("Codes left")` and
`tn("{n} code left", "{n} codes left", n)`.
"""

from __future__ import annotations

import ast
import errno
import os
import re
from collections.abc import Collection, Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Any

import click
from babel.messages.catalog import Catalog
from babel.messages.extract import extract

from entropeg import codebreakers, codemakers, errors
from entropeg.arguments import is_name
from entropeg.cli import group
from entropeg.search.known import all_known_values
from entropeg.texts.speaking import SIGNS
from entropeg.told import LISTS

PACKAGE = Path(errors.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.py"))
ERRORS = [
    name for path in SOURCES for name in re.findall(r"^class (\w+)\(\w*Error\b", path.read_text("utf-8"), re.MULTILINE)
]
IN_PYTHON: dict[str, Any] = dict.fromkeys(["Told", "Template", "say", "telling", *ERRORS])
IN_PYTHON |= {"plural": (2, 3), "word": ((1, "c"), 2)}
"""Calls that make sentences, and which of their arguments are texts."""
NAMING = {"FileKind", "refuse_standard", "is_begun"}
"""Functions that are given a name, as all of `arguments` are, and make a sentence of it themselves."""
ON_PAGE: dict[str, Any] = {"t": None, "tn": (1, 2)}
KEEPS_LINES = "\b\n"
"""What begins a paragraph of help whose lines stay as they are, for click."""


def said_in_library() -> Catalog:
    """List what the package says, help included, what players are, and what the system says most often of files."""
    found = Catalog()
    for path in SOURCES:
        read(path, found)
    for text, context, where in [*_own(), *_help(group, "entropeg")]:
        found.add(text, context=context or None, locations=[(where, 0)])
    return found


def _own() -> Iterator[tuple[str, str, str]]:
    yield from ((sign, "number", "numbers") for sign in SIGNS)
    yield from ((last, "list", "lists") for last in LISTS.values())
    for heading in ("Usage", "Options", "Commands", "Positional arguments", *group.headings):
        yield f"{heading}:", "heading", "entropeg"
    yield from ((taken, "taken", "entropeg") for taken in ("OPTIONS", "COMMAND", "ARGS"))
    yield from ((said, "", "entropeg") for _, said in group.table.values())
    for registry in (codebreakers.registry, codemakers.registry):
        yield from ((registry.summary(name), "", "registry.py") for name in registry.builtin)
    yield from ((known.strategy, "", "known_values.json") for known in all_known_values())
    codes = (errno.ENOENT, errno.EACCES, errno.EISDIR, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ENOSPC, errno.EROFS)
    yield from ((os.strerror(code), "", "files/paths.py") for code in codes)


def said_on_page() -> Catalog:
    """List the texts of all modules of the page."""
    found, static = Catalog(), PACKAGE / "web" / "static"
    for path in sorted(static.rglob("*.js")):
        if "vendor" not in path.parts and path.name != "texts.js":
            read(path, found, "javascript", ON_PAGE)
    return found


def read(path: Path, found: Catalog, method: str = "", keywords: dict[str, Any] = IN_PYTHON) -> None:
    """Add what a module says."""
    options = {"template_string": False}  # of JavaScript: what stands in an expression of a template
    reader: Any = method or _calls
    with path.open("rb") as file:
        for line, texts, _, context in extract(reader, file, keywords, options=options):
            found.add(texts, context=context, locations=[(path.relative_to(PACKAGE).as_posix(), line)])


def _calls(file: Any, keywords: Collection[str], *_: Any, **__: Any) -> Iterator[tuple[int, Any, Any, list[str]]]:
    # For Babel, whose own reader of Python passes over calls inside f-strings, and over a call around another one.
    for node in ast.walk(ast.parse(file.read())):
        if isinstance(node, ast.Call):
            owner = getattr(getattr(node.func, "value", None), "id", "")
            called = getattr(node.func, "id", "") or getattr(node.func, "attr", "")
            values = [each.value if isinstance(each, ast.Constant) else None for each in node.args]
            texts = [each if isinstance(each, str) else None for each in values]
            if owner == "arguments" or called in NAMING:
                yield from ((node.lineno, "Told", [text], []) for text in texts if text and is_name(text))
            elif called in keywords:
                yield node.lineno, called, texts, []


def paragraphs(text: str) -> Iterator[str]:
    r"""Give a text of help in pieces, as they are translated: paragraphs, and columns of lines that click keeps.

    >>> list(paragraphs("Play a game.\n\n\b\nA B C    colors"))
    ['Play a game.', 'A B C', 'colors']
    """
    for paragraph in cleandoc(text).split("\n\n"):
        if paragraph.startswith(KEEPS_LINES):
            for line in paragraph.removeprefix(KEEPS_LINES).splitlines():
                yield from re.split(r"\s{2,}", line.strip())
        else:
            yield " ".join(paragraph.split())


def _help(command: click.Command, name: str) -> Iterator[tuple[str, str, str]]:
    # Commands say what they do, what their options mean, and words for what these take.
    for text in filter(None, (command.help, command.short_help, command.epilog)):
        yield from ((each, "", name) for each in paragraphs(text))
    context = click.Context(command)
    for parameter in command.get_params(context):
        shown = "" if getattr(parameter, "is_flag", False) else parameter.make_metavar(context)
        yield from ((taken, "taken", name) for taken in re.findall(r"(?<![\w-])[A-Z]{2,}(?![\w-])", shown))
        if isinstance(parameter, click.Option) and parameter.help:
            yield " ".join(parameter.help.partition("  [")[0].split()), "", name
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            below = command.get_command(context, each)
            if below is not None:
                yield from _help(below, f"{name} {each}")
