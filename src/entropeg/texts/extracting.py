"""Lists what there is to translate: Babel reads the calls that make sentences, click's commands say their help.

At development time only. The page's modules are read by Babel too, for the calls `t("Codes left")` and
`tn("{n} code left", "{n} codes left", n)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Any

import click
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file

from entropeg import errors
from entropeg.texts.speaking import SIGNS
from entropeg.told import LISTS

PACKAGE = Path(errors.__file__).parent
NAMED = ("text", "whole", "some", "real", "flag", "seed", "file", "call", "instance")
"""Functions of `arguments` that are given a value and its name."""
IN_PYTHON: dict[str, Any] = {
    **dict.fromkeys(
        ["Told", "Template", "say", "telling", *(name for name in vars(errors) if name.endswith(("Error", "Warning")))]
    ),
    **dict.fromkeys(NAMED, (2,)),
    "plural": (2, 3),
    "word": ((1, "c"), 2),
}
"""Calls that make sentences, and which of their arguments are texts."""
ON_PAGE: dict[str, Any] = {"t": None, "tn": (1, 2)}
KEEPS_LINES = "\b\n"
"""What begins a paragraph of help whose lines stay as they are, for click."""


def said_in_library() -> Catalog:
    """List what the package says, help included."""
    found = Catalog()
    for path in sorted(PACKAGE.rglob("*.py")):
        read(path, found)
    from entropeg.cli import group

    own = [*((sign, "number", "numbers") for sign in SIGNS), *((last, "list", "lists") for last in LISTS.values())]
    headings = ("Usage", "Options", "Commands", "Positional arguments", *group.headings)
    own += [(f"{heading}:", "heading", "entropeg") for heading in headings]
    own += [(taken, "taken", "entropeg") for taken in ("OPTIONS", "COMMAND", "ARGS")]
    own += [(said, "", "entropeg") for _, said in group.table.values()]
    for text, context, where in [*own, *_help(group, "entropeg")]:
        found.add(text, context=context or None, locations=[(where, 0)])
    return found


def said_on_page() -> Catalog:
    """List the texts of all modules of the page."""
    found, static = Catalog(), PACKAGE / "web" / "static"
    for path in sorted(static.rglob("*.js")):
        if "vendor" not in path.parts and path.name != "texts.js":
            read(path, found, "javascript", ON_PAGE)
    return found


def read(path: Path, found: Catalog, method: str = "python", keywords: dict[str, Any] = IN_PYTHON) -> None:
    """Add what a module says."""
    options = {"template_string": False}  # of JavaScript: what stands in an expression of a template
    for line, texts, _, context in extract_from_file(method, path, keywords=keywords, options=options):
        found.add(texts, context=context, locations=[(path.relative_to(PACKAGE).as_posix(), line)])


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
    for parameter in command.params:
        shown = "" if getattr(parameter, "is_flag", False) else parameter.make_metavar(context)
        yield from ((taken, "taken", name) for taken in re.findall(r"(?<![\w-])[A-Z]{2,}(?![\w-])", shown))
        if isinstance(parameter, click.Option) and parameter.help:
            yield " ".join(parameter.help.partition("  [")[0].split()), "", name
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            below = command.get_command(context, each)
            if below is not None:
                yield from _help(below, f"{name} {each}")
