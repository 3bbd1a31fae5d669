"""Reads and writes tree files, by one table of their formats.

The content of a file tells its format when it is read, its ending when it is written. Reading checks the whole tree by
playing every secret, so that a damaged or foreign file is told apart from a strategy.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from entropeg import arguments
from entropeg.errors import InputError
from entropeg.files import FileKind, check_target, is_standard, read_bytes, shown, write_whole
from entropeg.files.reading import decoded
from entropeg.rules import Rules
from entropeg.told import Told
from entropeg.tree.cards import NotCardsError, begins_cards, from_cards, to_cards
from entropeg.tree.nodes import TreeNodes
from entropeg.tree.own_formats import (
    from_compact,
    from_json,
    from_yaml,
    to_compact,
    to_dot,
    to_json,
    to_mermaid,
    to_yaml,
)
from entropeg.tree.picture import to_svg
from entropeg.tree.published import BRACKETS, LISTS, from_brackets, from_lists


class Source(NamedTuple):
    """A file to be read: its content, its name, and the rules where they were given."""

    content: bytes
    name: str
    given: Rules | None

    @property
    def text(self) -> str:
        """The content as text; raises InputError where it is none."""
        return decoded(self.content, self.name)

    @property
    def rules(self) -> Rules:
        """The rules, for formats that do not name them; raises InputError where they were not given."""
        if self.given is None:
            raise InputError(
                "it names no rules: if it is a tree, give them, as 4x6 or 4x10/no-repeats; {formats}", READ
            )
        return self.given


class Format(NamedTuple):
    """A format of tree files: how it is told apart, read and written; `None` for the way that is not taken here."""

    begins: str | re.Pattern[str]
    """The beginning of files of this format, also of ones that are damaged further on."""
    read: Callable[[Source], TreeNodes] | None
    endings: tuple[str, ...] = ()
    """Endings of files that are written in it."""
    write: Callable[[TreeNodes], str | bytes] | None = None
    written: Callable[[bytes], object] | None = None
    """Tells a file that this program may have written: another tree may replace it."""


def _starts(pattern: bytes) -> Callable[[bytes], object]:
    return re.compile(pattern, re.DOTALL).match


FORMATS = (
    Format(
        "entropeg strateg",
        lambda source: from_compact(source.content),
        (".tree",),
        to_compact,
        _starts(rb"entropeg strategy tree \d+\n"),
    ),
    Format(
        r"\s*\{(?!\s*\w+\s*:)",
        lambda source: from_json(source.text),
        (".json",),
        to_json,
        _starts(rb'\{\s*"format": "entropeg-tree"'),
    ),
    Format(
        r"(?ms:.*^rules:)",
        lambda source: from_yaml(source.text),
        (".yaml", ".yml"),
        to_yaml,
        _starts(rb"rules: \S+\s+total: \d+\s+tree:"),
    ),
    Format(r"\s*digraph", None, (".dot",), to_dot, _starts(rb"digraph strategy \{")),
    Format(r"%% entropeg strategy", None, (".mmd",), to_mermaid, _starts(rb"%% entropeg strategy")),
    Format(r"(?s:\s*.{0,196}<svg)", None, (".svg",), to_svg, _starts(rb'<svg.{0,2500}<metadata id="entropeg-tree"')),
    Format(BRACKETS, lambda source: from_brackets(source.text, source.rules)),
    Format(LISTS, lambda source: from_lists(source.text, source.rules)),
    # What begins as none of the others.
    Format("", lambda source: from_cards(source.text, source.rules), (".txt",), to_cards, begins_cards),
)
"""In the order in which a file is held against them."""

ENDINGS = tuple(ending for each in FORMATS for ending in each.endings)

DRAWN = tuple(ending for each in FORMATS if each.read is None for ending in each.endings)
"""Endings of pictures, which are not read."""

READ = Told(
    "read are the trees of this program (.tree, JSON, YAML), punch cards, lists in YAML (- 0012 and - XO--: 3345) and "
    "bracket trees ({example})",
    "{AB:{10:AA}}",
)
"""The answer to a file that is none of them."""


def _is_tree(content: bytes) -> bool:
    start = content.removeprefix(b"\xef\xbb\xbf").lstrip()
    return any(each.written(start) for each in FORMATS if each.written is not None)


KIND = FileKind(Told("a strategy tree"), _is_tree)
"""A tree in any of the formats may replace a tree in any other."""


def check_ending(path: str | Path | None) -> None:
    """Raise InputError where a file's ending names no format, or it cannot be written: before a long search.

    >>> check_ending("strategy.tree")
    """
    if path is None or is_standard(path):
        return
    path = Path(path)
    if path.suffix not in ENDINGS:
        raise InputError("{file} does not say its format: end it in {endings:list}", shown(path.name or path), ENDINGS)
    check_target(path, KIND)


def write_nodes(tree: TreeNodes, path: str | Path, ending: str | None = None) -> None:
    """Write a tree in the format that the ending of the file names, as `StrategyTree.save` does, or another ending.

    >>> from entropeg import StrategyTree
    >>> write_nodes(StrategyTree.build("minimax", "2x2"), "t.x")
    Traceback (most recent call last):
    ...
    entropeg.errors.InputError: t.x does not say its format: end it in .tree, .json, .yaml, .yml, .dot, .mmd, .svg, .txt
    """
    path = arguments.file(path, "the tree file")
    check_ending(path)
    if len(tree.secrets) < tree.rules.secret_count:
        raise InputError("files hold strategies of whole boards; this one finds a part of the codes only")
    ending = ending or (".json" if is_standard(path) else path.suffix)  # standard output has no ending
    [write] = [each.write for each in FORMATS if each.write is not None and ending in each.endings]
    written = write(tree)
    write_whole(path, written.encode() if isinstance(written, str) else written, KIND)


def read_nodes(path: str | Path, rules: Rules | str | None = None) -> TreeNodes:
    """Read a tree file of any format, by its content, and play every secret through it, as `StrategyTree.load` does.

    >>> read_nodes("none.tree")
    Traceback (most recent call last):
    ...
    entropeg.errors.InputError: none.tree cannot be read: No such file or directory
    """
    rules = None if rules is None else Rules.of(rules)
    content = read_bytes(arguments.file(path, "the tree file"))
    name = shown(path if is_standard(path) else Path(path).name)
    try:
        return _agreeing(_read(Source(content, name, rules)), rules).check()
    except NotCardsError as error:
        raise InputError("{file}: {error}; {formats}", name, error, READ) from None
    except InputError as error:
        if str(error).startswith(name):
            raise
        raise InputError("{file}: {error}", name, error) from None


def _read(source: Source) -> TreeNodes:
    beginning = source.content.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    read = next(each.read for each in FORMATS if re.match(each.begins, beginning))
    if read is None:
        raise InputError("it is a picture, and trees are not read from pictures; {formats}", READ)
    return read(source)


def _agreeing(tree: TreeNodes, rules: Rules | None) -> TreeNodes:
    if rules is not None and tree.rules != rules.with_limit(None):
        raise InputError("the tree is for {rules}, not for {others}", tree.rules, rules)
    return tree
