"""Reads what a Python file imports from its syntax tree, for everybody who asks.

This module stands on the standard library alone: the process in which a module of someone else runs loads it too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple


class Import(NamedTuple):
    """One name that a file imports: a module, or something out of one."""

    module: str
    """The module as it is written, without the dots before it; empty in `from . import x`."""
    name: str = ""
    """What is taken out of it, `*` for all; empty where the module itself is imported."""
    known_as: str = ""
    """The name under which the file knows it."""
    level: int = 0
    """The dots before the module."""

    @property
    def head(self) -> str:
        """The package at the head of the module."""
        return self.module.partition(".")[0]

    @property
    def stem(self) -> str:
        """The last part of the module: the name of its file."""
        return self.module.rpartition(".")[2]


def imports_of(tree: ast.AST) -> Iterator[Import]:
    """Give the imports anywhere in a file, or in a part of it.

    >>> [each.known_as for each in imports_of(ast.parse("import a.b, c as d; from .e import f as g, h"))]
    ['a', 'd', 'g', 'h']
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                yield Import(each.name, "", each.asname or each.name.partition(".")[0])
        elif isinstance(node, ast.ImportFrom):
            for each in node.names:
                yield Import(node.module or "", each.name, each.asname or each.name, node.level)


def named_modules(tree: ast.AST) -> set[str]:
    """Return the names of the modules that a file may import, without their packages.

    >>> sorted(named_modules(ast.parse("import a.b; from c.d import e")))
    ['b', 'd', 'e']
    """
    return {name for each in imports_of(tree) for name in (each.stem, each.name) if name}
