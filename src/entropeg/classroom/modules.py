"""Reads from the file of a course module which functions it defines, without running it."""

from __future__ import annotations

import ast
import re
import sys
import threading
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Literal, TypeAlias

from entropeg.classroom.faults import Fault, ModuleFault
from entropeg.classroom.worker import no_python
from entropeg.errors import InputError
from entropeg.files.paths import why
from entropeg.told import Told

_PARSING = threading.Lock()
"""Held while Python makes a tree: threads share a count of its depth, which fails where they take turns."""

Role: TypeAlias = Literal["codebreaker", "codemaker"]

ROLES: tuple[Role, ...] = ("codebreaker", "codemaker")

COUNTERPARTS: dict[Role, dict[int, str]] = {
    "codebreaker": {0: "random", 1: "memory", 2: "consistent", 3: "minimax"},
    "codemaker": {1: "honest", 2: "cheat"},
}
"""Our players that the course's are meant to play like, by their numbers."""

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

    def place(self, name: str, shown: str = "") -> tuple[str, int]:
        """Return file and line of a function: where it stands, also where it comes from a file beside the module.

        `shown` is how messages name the module.
        """
        file, line = _defined_at(self.path, name, 3) or (self.path, self.functions[name])
        return str(Path(shown or self.path).with_name(file.name)), line


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
    return Module(Path(path), functions_of(read_tree(path, shown), Path(path)))


def read_tree(path: str | Path, shown: str = "") -> ast.Module:
    """Read the syntax tree of a module; `shown` is how messages name it.

    Raises InputError where there is no such file, ModuleFault where it cannot be read or is not Python.
    """
    file, shown = Path(path), shown or str(path)
    if file.is_dir():
        example = Path(shown) / "codebreaker2.py"
        raise InputError("{path} is a folder: name a module in it, as {example}", shown, example)
    if not file.exists():
        found = sorted(each.name for each in file.parent.glob("code*.py")) if file.parent.is_dir() else []
        if not found:
            raise InputError("there is no module {path}: No such file or directory", shown)
        raise InputError(
            "there is no module {path}: No such file or directory; its folder has {files:list}", shown, found[:8]
        )
    content = _content(file, shown)
    if (other := _no_python(content)) is not None:
        raise ModuleFault(Fault("syntax", Told("it is no Python, but {what}", other), shown, shown))
    if not _is_text(content):
        text = Told("it is not in UTF-8: save it so, or write # -*- coding: latin-1 -*- in its first line")
        raise ModuleFault(Fault("syntax", text, shown, shown, 1))
    try:
        with _PARSING:
            return ast.parse(content, str(file))
    except SyntaxError as error:
        raise ModuleFault(Fault("syntax", no_python(error), shown, shown, error.lineno)) from None
    except ValueError as error:
        raise ModuleFault(Fault("syntax", str(error), shown, shown)) from None
    except (RecursionError, MemoryError):
        text = Told("its brackets are nested too deeply for Python")
        raise ModuleFault(Fault("syntax", text, shown, shown)) from None


def tree_or_none(file: Path) -> ast.Module | None:
    """Read the syntax tree of a file; None where it cannot be read as Python."""
    try:
        return read_tree(file)
    except (ModuleFault, InputError):
        return None


def _content(file: Path, shown: str) -> bytes:
    if not file.is_file():
        raise ModuleFault(Fault("file", Told("it is a pipe or a device, and no file"), shown, shown))
    try:
        if file.stat().st_size <= LONGEST:
            return file.read_bytes()
        text = Told("it has more than {most:,} bytes, the most that is read", LONGEST)
    except OSError as error:
        text = Told("it cannot be read: {why}", why(error))
    raise ModuleFault(Fault("file", text, shown, shown))


def find_player(path: str | Path, role: Role | None = None, shown: str = "") -> tuple[Module, Role]:
    """Read a module that is to play, and say in which role.

    Raises InputError where it has no function for the role, two roles, or no `init`: file and line are named.
    """
    module, shown = read_module(path, shown), shown or str(path)
    if len(module.roles) > 1:
        line = max(module.functions[each] for each in ROLES)
        text = Told("it defines both codebreaker and codemaker: each needs a module of its own")
        raise ModuleFault(Fault("both", text, shown, shown, line))
    if role is not None and role not in module.functions:
        text = Told("it has no function {role}", role)
        if module.roles:
            [other] = module.roles
            line = module.functions[other]
            text = Told("it has no function {role}; its line {line} has {other}", role, line, other)
        raise ModuleFault(Fault("function", text, shown, shown, 1))
    if not module.roles:
        text = Told("it has neither a function codebreaker nor a function codemaker")
        raise ModuleFault(Fault("function", text, shown, shown, 1))
    [role] = module.roles
    if "init" not in module.functions:
        text = Told("it has no function init(), which every game calls before {role}", role)
        raise ModuleFault(Fault("init", text, shown, shown, module.functions[role]))
    return module, role


def _is_text(content: bytes) -> bool:
    try:
        content.decode(tokenize.detect_encoding(BytesIO(content).readline)[0])
    except (SyntaxError, UnicodeDecodeError):
        return False
    return True


def _no_python(content: bytes) -> str | None:
    others = {
        b"PK\x03\x04": Told("an archive (zip)"),
        b"%PDF": Told("a PDF"),
        b"<!doctype": Told("a page (HTML)"),
        b"<html": Told("a page (HTML)"),
        b'{\n "cells"': Told("a notebook: export it as a Python file"),
        b'{"cells"': Told("a notebook: export it as a Python file"),
        b"{\\rtf": Told("a text of a word processor (RTF)"),
    }
    start = content.lstrip()[:16]
    for begin, what in others.items():
        if start.startswith(begin) or start.lower().startswith(begin):
            return what
    return Told("a binary file") if b"\0" in content else None


def functions_of(tree: ast.Module, file: Path, *, imported: bool = True) -> dict[str, int]:
    """Return what a module can be asked for under a name, with the line: wherever at its top level it comes from.

    What it imports from the library of Python is not the student's. With `imported` false, only what it defines itself.
    """
    return dict(_defined(tree, file, 3 if imported else 0))  # names by `*` are followed through three modules


def _defined(tree: ast.Module, file: Path, depth: int) -> Iterator[tuple[str, int]]:
    for node in _top(tree.body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            if depth and (node.level or (node.module or "").partition(".")[0] not in sys.stdlib_module_names):
                names = [alias.asname or alias.name for alias in node.names]
                yield from ((name, node.lineno) for name in (_starred(node, file, depth) if "*" in names else names))
        elif isinstance(node, ast.Assign):
            yield from ((each.id, node.lineno) for each in node.targets if isinstance(each, ast.Name))


def _starred(node: ast.ImportFrom, file: Path, depth: int) -> list[str]:
    other = _file_beside(node, file)
    tree = None if other is None else tree_or_none(other)
    return [] if other is None or tree is None else [name for name, _ in _defined(tree, other, depth - 1)]


def _defined_at(file: Path, name: str, depth: int) -> tuple[Path, int] | None:
    # The last definition counts. None where it is no `def`, or comes from somewhere else than a file beside.
    tree, found = tree_or_none(file), None
    for node in [] if tree is None else _top(tree.body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name:
            found = file, node.lineno
        elif isinstance(node, ast.ImportFrom) and depth:
            other = _file_beside(node, file)
            wanted = [each.name for each in node.names if (each.asname or each.name) == name]
            wanted += [name for each in node.names if each.name == "*"]
            if other is not None and wanted:
                found = _defined_at(other, wanted[0], depth - 1) or found
    return found


def _file_beside(node: ast.ImportFrom, file: Path) -> Path | None:
    other = file.with_name(f"{(node.module or '').rpartition('.')[2]}.py")
    return None if other == file or not other.is_file() else other


def _top(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        for part in ("body", "orelse", "finalbody"):
            if isinstance(node, (ast.If, ast.Try, ast.With)):
                yield from _top(getattr(node, part, []))
