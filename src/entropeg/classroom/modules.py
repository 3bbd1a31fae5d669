"""Reads from the file of a course module which functions it defines, without running it."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Literal, TypeAlias

from entropeg.classroom.faults import Fault, ModuleFault
from entropeg.errors import InputError
from entropeg.files import read_bytes

Role: TypeAlias = Literal["codebreaker", "codemaker"]

ROLES: tuple[Role, ...] = ("codebreaker", "codemaker")

LONGEST = 1 << 20
"""Bytes of a module that are read at most."""


@dataclass(frozen=True)
class Module:
    """A Python file and the lines of the functions that it defines or imports by name."""

    path: Path
    functions: dict[str, int]

    @property
    def roles(self) -> list[Role]:
        """The roles that it can play."""
        return [role for role in ROLES if role in self.functions]

    @property
    def number(self) -> int | None:
        """The number in the name: 3 for `codebreaker3.py`."""
        return number_of(self.path)


def number_of(path: str | Path) -> int | None:
    """Return the number in the name of a module, None where there is none.

    >>> number_of("a/codebreaker3_Anna.py"), number_of("codemaker2 (1).py"), number_of("b/honest")
    (3, 2, None)
    """
    match = re.fullmatch(r"(codebreaker|codemaker)_?(\d*)(?:\D.*)?", Path(path).stem, re.DOTALL)
    return int(match[2]) if match and match[2] else None


def read_module(path: str | Path, shown: str = "") -> Module:
    """Read a module; `shown` is how messages name it.

    Raises InputError where there is no such file, ModuleFault where it cannot be read or is not Python.
    """
    file, shown = Path(path), shown or str(path)
    if file.is_dir():
        example = Path(shown) / "codebreaker2.py"
        raise InputError(f"{shown} is a folder: name a module in it, as {example}")
    if not file.exists():
        raise InputError(f"there is no module {shown}: No such file or directory{_nearby(file)}")
    content = _content(file, shown)
    if (other := _no_python(content)) is not None:
        raise ModuleFault(Fault("syntax", f"it is no Python, but {other}", shown, shown))
    if not _is_text(content):
        text = "it is not in UTF-8: save it so, or write # -*- coding: latin-1 -*- in its first line"
        raise ModuleFault(Fault("syntax", text, shown, shown, 1))
    try:
        tree = ast.parse(content, str(file))
    except SyntaxError as error:
        text = f"Python cannot read it: {type(error).__name__}: {error.msg}"
        raise ModuleFault(Fault("syntax", text, shown, shown, error.lineno)) from None
    except ValueError as error:
        raise ModuleFault(Fault("syntax", str(error), shown, shown)) from None
    except (RecursionError, MemoryError):
        raise ModuleFault(Fault("syntax", "its brackets are nested too deeply for Python", shown, shown)) from None
    return Module(file, dict(_defined(tree)))


def _content(file: Path, shown: str) -> bytes:
    if not file.is_file():
        raise ModuleFault(Fault("file", "it is a pipe or a device, and no file", shown, shown))
    try:
        return read_bytes(file, most=LONGEST)
    except InputError as error:
        text = f"it cannot be read: {str(error).rpartition(': ')[2]}"
        if file.stat().st_size > LONGEST:
            text = f"it has more than {LONGEST:,} bytes, the most that is read"
        raise ModuleFault(Fault("file", text, shown, shown)) from None


def find_player(path: str | Path, role: Role | None = None, shown: str = "") -> tuple[Module, Role]:
    """Read a module that is to play, and say in which role.

    Raises InputError where it has no function for the role, two roles, or no `init`: file and line are named.
    """
    module, shown = read_module(path, shown), shown or str(path)
    if len(module.roles) > 1:
        line = max(module.functions[each] for each in ROLES)
        raise ModuleFault(
            Fault(
                "both", "it defines both codebreaker and codemaker: each needs a module of its own", shown, shown, line
            )
        )
    if role is not None and role not in module.functions:
        other = f"; its line {module.functions[module.roles[0]]} has {module.roles[0]}" if module.roles else ""
        raise ModuleFault(Fault("function", f"it has no function {role}{other}", shown, shown, 1))
    if not module.roles:
        raise ModuleFault(
            Fault("function", "it has neither a function codebreaker nor a function codemaker", shown, shown, 1)
        )
    if "init" not in module.functions:
        line = module.functions[module.roles[0]]
        raise ModuleFault(
            Fault(
                "init",
                f"it has no function init(), which every game calls before {module.roles[0]}",
                shown,
                shown,
                line,
            )
        )
    return module, module.roles[0]


def _is_text(content: bytes) -> bool:
    try:
        content.decode(tokenize.detect_encoding(BytesIO(content).readline)[0])
    except (SyntaxError, UnicodeDecodeError):
        return False
    return True


def _no_python(content: bytes) -> str | None:
    others = {
        b"PK\x03\x04": "an archive (zip)",
        b"%PDF": "a PDF",
        b"<!DOCTYPE": "a page (HTML)",
        b"<!doctype": "a page (HTML)",
        b"<html": "a page (HTML)",
        b'{\n "cells"': "a notebook: export it as a Python file",
        b'{"cells"': "a notebook: export it as a Python file",
        b"{\\rtf": "a text of a word processor (RTF)",
    }
    for begin, what in others.items():
        if content.lstrip().startswith(begin):
            return what
    return "a binary file" if b"\0" in content else None


def _nearby(file: Path) -> str:
    found = sorted(each.name for each in file.parent.glob("code*.py")) if file.parent.is_dir() else []
    return f"; its folder has {', '.join(found[:8])}" if found else ""


def _defined(tree: ast.Module) -> Iterator[tuple[str, int]]:
    # What the module can be asked for under a name, wherever at its top level it comes from.
    for node in _top(tree.body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            yield from ((alias.asname or alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.Assign):
            yield from ((each.id, node.lineno) for each in node.targets if isinstance(each, ast.Name))


def _top(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        for part in ("body", "orelse", "finalbody"):
            if isinstance(node, (ast.If, ast.Try, ast.With)):
                yield from _top(getattr(node, part, []))
