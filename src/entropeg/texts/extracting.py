"""Lists what there is to translate: calls that make sentences, the help of click's commands, and texts of the page.

At development time only. The page's modules are read by Babel too, for the calls `t("Codes left")` and
`tn("{n} code left", "{n} codes left", n)`.
"""

from __future__ import annotations

import ast
import errno
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from inspect import cleandoc
from pathlib import Path

import click
from babel.messages.extract import extract_from_file

from entropeg import errors
from entropeg.arguments import is_name

PACKAGE = Path(errors.__file__).parent
ERRORS = [name for name, each in vars(errors).items() if isinstance(each, type) and issubclass(each, Exception)]
SAYING = {"Told", "Template", *ERRORS}
"""Calls that make a sentence of their first argument."""
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
    said = [said for path in paths for said in said_in(path)]
    return list(dict.fromkeys([*said, *said_of_players(), *said_of_files(), *said_in_help()]))


def said_on_page() -> list[Said]:
    """List the texts of all modules of the page."""
    static = PACKAGE / "web" / "static"
    paths = [path for path in sorted(static.rglob("*.js")) if "vendor" not in path.parts and path.name != "texts.js"]
    found = ((path, each) for path in paths for each in extract_from_file("javascript", path, keywords=ON_PAGE))
    return list(
        dict.fromkeys(_on_page(texts, f"{path.relative_to(PACKAGE)}:{line}") for path, (line, texts, *_) in found)
    )


def _on_page(texts: str | tuple[str, ...], where: str) -> Said:
    return Said(texts, where=where) if isinstance(texts, str) else Said(texts[0], texts[1], where=where)


def said_in(path: Path) -> Iterator[Said]:
    """List what a module says."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            where = f"{path.relative_to(PACKAGE)}:{node.lineno}"
            yield from (replace(said, where=where) for said in _said_by(node) if said.text)


def _said_by(call: ast.Call) -> Iterator[Said]:
    owner, called = "", getattr(call.func, "id", "")
    if isinstance(call.func, ast.Attribute):
        owner, called = getattr(call.func.value, "id", ""), call.func.attr
    texts = [str(each.value) if isinstance(each, ast.Constant) else "" for each in call.args]
    match called, texts:
        case _, _ if owner == "arguments" or called in NAMING:
            yield from map(Said, filter(is_name, texts))
        case "plural", [_, one, many, *_]:
            yield Said(one, many)
        case "word", [context, text]:
            yield Said(text, context=context)
        case _, [text, *_] if called in SAYING:
            yield Said(text)


def said_of_players() -> Iterator[Said]:
    """List what a player is, in a line: the first of its docstring."""
    from entropeg import codebreakers, codemakers

    for registry in (codebreakers.registry, codemakers.registry):
        yield from (Said(registry.summary(name), where="registry.py") for name in registry.builtin)


def said_of_files() -> Iterator[Said]:
    """List what the system says most often of a file that cannot be used: `files.paths.why` hands its words on."""
    codes = (errno.ENOENT, errno.EACCES, errno.EISDIR, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ENOSPC, errno.EROFS)
    yield from (Said(os.strerror(code), where="files/paths.py") for code in codes)


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
