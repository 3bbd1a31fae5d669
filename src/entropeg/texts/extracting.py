"""Lists what there is to translate: Babel reads the calls that make sentences, click's commands say their help.

At development time only. The page's modules are read by Babel too, for the calls `t("Codes left")` and
`tn("{n} code left", "{n} codes left", n)`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from inspect import cleandoc
from pathlib import Path
from typing import Any

import click
from babel.messages.extract import extract_from_file

from entropeg import errors
from entropeg.arguments import is_name

PACKAGE = Path(errors.__file__).parent
ERRORS = [name for name, each in vars(errors).items() if isinstance(each, type) and issubclass(each, Exception)]
KEYWORDS: dict[str, Any] = {name: None for name in ["Told", "Template", *ERRORS]}
KEYWORDS |= {"plural": (2, 3), "word": ((1, "c"), 2)}
"""Calls that make sentences, and which of their arguments are texts."""
NAMING = {"FileKind", "refuse_standard", "is_begun"}
"""Functions that are given a name, as all of `arguments` are, and make a sentence of it themselves."""
ON_PAGE = {"t": None, "tn": (1, 2)}
KEEPS_LINES = "\b\n"
"""What begins a paragraph of help whose lines stay as they are, for click."""


@dataclass(frozen=True, order=True)
class Said:
    """A template, its form for several where it counts, and whose word it is, where that matters."""

    text: str
    many: str = ""
    context: str = ""
    where: str = field(default="", compare=False)


def said_in_library() -> list[Said]:
    """List what the package says, help included."""
    paths = sorted(PACKAGE.rglob("*.py"))
    said = [said for path in paths for said in (*said_in(path), *named_in(path))]
    return list(dict.fromkeys([*said, *said_of_players(), *said_in_help()]))


def said_on_page() -> list[Said]:
    """List the texts of all modules of the page."""
    static = PACKAGE / "web" / "static"
    paths = [path for path in sorted(static.rglob("*.js")) if "vendor" not in path.parts and path.name != "texts.js"]
    return list(dict.fromkeys(said for path in paths for said in said_in(path, "javascript", ON_PAGE)))


def said_in(path: Path, method: str = "python", keywords: dict[str, Any] = KEYWORDS) -> Iterator[Said]:
    """List what a module says."""
    for line, texts, _, context in extract_from_file(method, path, keywords=keywords):
        one, many = texts if isinstance(texts, tuple) else (texts, "")
        yield Said(one, many, context or "", f"{path.relative_to(PACKAGE)}:{line}")


def named_in(path: Path) -> Iterator[Said]:
    """List the names that a module gives to what is checked or written: words, not those of parameters or examples."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(ast.Attribute(ast.Name("arguments")), given):
                pass
            case ast.Call(ast.Name(called), given) if called in NAMING:
                pass
            case _:
                continue
        texts = [each.value for each in given if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        yield from (Said(text, where=f"{path.relative_to(PACKAGE)}:{node.lineno}") for text in texts if is_name(text))


def said_of_players() -> Iterator[Said]:
    """List what a player is, in a line: the first of its docstring."""
    from entropeg import codebreakers, codemakers

    for registry in (codebreakers.registry, codemakers.registry):
        yield from (Said(registry.summary(name), where="registry.py") for name in registry.builtin)


def said_in_help() -> Iterator[Said]:
    """List what the commands say of themselves: paragraphs, lines of those that keep theirs, words for what is taken."""
    from entropeg.cli import group

    return _help(group, "entropeg")


def _help(command: click.Command, name: str) -> Iterator[Said]:
    for text in filter(None, (command.help, command.short_help, command.epilog)):
        for paragraph in cleandoc(text).split("\n\n"):
            kept = paragraph.startswith(KEEPS_LINES)
            lines = paragraph.removeprefix(KEEPS_LINES).splitlines() if kept else [" ".join(paragraph.split())]
            for line in lines:
                for column in re.split(r"\s{2,}", line.strip()) if kept else [line]:
                    yield Said(column, where=name)
    for parameter in command.params:
        for taken in re.findall(r"(?<![\w-])[A-Z]{2,}(?![\w-])", parameter.metavar or ""):
            yield Said(taken, context="taken", where=name)
        if isinstance(parameter, click.Option) and parameter.help:
            yield Said(" ".join(parameter.help.partition("  [")[0].split()), where=name)
    if isinstance(command, click.Group):
        context = click.Context(command)
        for each in command.list_commands(context):
            below = command.get_command(context, each)
            if below is not None:
                yield from _help(below, f"{name} {each}")
