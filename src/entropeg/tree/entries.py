"""A tree as files tell it: guesses and feedbacks as text, each below another one; and the nodes that they make."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np

from entropeg.codes import CodeSet, check_code, guesses, parse_code
from entropeg.errors import InputError
from entropeg.feedback import Code, label_of, parse_feedback
from entropeg.files import shown
from entropeg.rules import Rules
from entropeg.search.strategies import in_levels
from entropeg.told import Told
from entropeg.tree.nodes import TreeNodes

_T = TypeVar("_T")


class Entry(NamedTuple):
    """A node as read: the guess, the number of the entry before it (-1 for the first guess), the feedback between."""

    guess: str
    above: int
    feedback: str
    line: int = 0
    """Line of the file, 0 where it has no lines."""


def tree_name(data: dict[str, Any]) -> str:
    """Return the name of a tree as the data of a file give it; raises InputError where it is none.

    >>> tree_name({"name": "minimax"}), tree_name({})
    ('minimax', 'tree')
    """
    name = data.get("name", "tree")
    if not isinstance(name, str) or not name.isprintable():
        raise InputError("its name is {name!r}; it must be a text on one line", name)
    return name


def from_entries(rules: Rules, entries: list[Entry], name: str = "tree") -> TreeNodes:
    """Make a tree of guesses and feedbacks as text; raises InputError saying where one is wrong.

    >>> rows = [Entry("AB", -1, ""), Entry("AA", 0, "X"), Entry("BA", 0, "OO"), Entry("BB", 1, "-")]
    >>> from_entries(Rules.parse("2x2"), rows).check().total
    8
    """
    codes = [
        read_at(entries, at, lambda text: parse_code(text, rules.with_names), one.guess)
        for at, one in enumerate(entries)
    ]
    labels = [
        -1
        if one.above < 0
        else read_at(entries, at, lambda text: label_of(parse_feedback(text, rules), rules), one.feedback)
        for at, one in enumerate(entries)
    ]
    return from_nodes(rules, codes, [entry.above for entry in entries], labels, name)


def from_nodes(rules: Rules, codes: list[Code], above: list[int], labels: list[int], name: str = "tree") -> TreeNodes:
    """Make a tree of guesses in any order, each with the number of the one before it and the label that leads here.

    The number is -1 for the first guess. Raises InputError where there is not one first guess.

    >>> from_nodes(Rules.parse("1x2"), [(1,), (0,)], [-1, 0], [-1, 0]).check().total
    3
    """
    parent = np.array(above, np.int64)
    if (parent < 0).sum() != 1:
        raise InputError("it has {count} first guesses; a tree has one", (parent < 0).sum())
    legal = guesses(rules.with_names)
    unsorted = CodeSet(legal.rules, np.array(codes, legal.planes.dtype).reshape(len(codes), rules.pegs).T)
    guess = legal.find(unsorted)
    nodes = in_levels(guess.astype(np.int32), parent, np.array(labels, np.int32), np.zeros(len(codes), np.int32))
    return TreeNodes(rules, nodes.guess, nodes.parent, nodes.label, name)


def read_at(entries: list[Entry], at: int, read: Callable[[str], _T], text: str) -> _T:
    """Read a part of an entry; an InputError says where the entry is.

    >>> read_at([Entry("AB", -1, "", 7)], 0, int, "3")
    3
    """
    try:
        return read(text)
    except InputError as error:
        raise InputError("{place}: {error}", entry_place(entries, at), error) from None


def entry_place(entries: list[Entry], at: int) -> str:
    """Tell where an entry is: its line, else the turns that lead to it.

    >>> entry_place([Entry("AB", -1, ""), Entry("BB", 0, "X")], 1)
    'after AB X'
    """
    if entries[at].line:
        return Told("line {line}", entries[at].line)
    turns: list[str] = []
    while entries[at].above >= 0 and len(turns) < len(entries):
        turns.insert(0, f"{entries[entries[at].above].guess} {entries[at].feedback}")
        at = entries[at].above
    return Told("after {turns}", shown(", ".join(turns))) if turns else Told("after the start")


def code_reader(rules: Rules, codes: set[str]) -> Callable[[str], Code]:
    """Return what reads the codes of a file: as the rules write them, or with letters from A, digits from 0 or 1.

    `codes` are all of them: of these ways the first is taken that reads the most.

    >>> code_reader(Rules(), {"0123", "5501"})("5501")
    (5, 5, 0, 1)
    """
    lowest = min(symbol for code in codes for symbol in code)
    firsts = ("A", "a", "0", "1") if lowest == "0" else ("A", "a", "1")
    ways = [partial(parse_code, rules=rules), *(partial(_from_symbol, rules, first) for first in firsts)]
    tables = [_readable(read, codes) for read in ways]
    # Where no way reads all codes that of the most is taken, so that the error names the one that is wrong.
    at = max(range(len(ways)), key=lambda way: len(tables[way]))
    return tables[at].__getitem__ if len(tables[at]) == len(codes) else ways[at]


def _readable(read: Callable[[str], Code], codes: set[str]) -> dict[str, Code]:
    table = {}
    for code in codes:
        with suppress(InputError):
            table[code] = read(code)
    return table


def _from_symbol(rules: Rules, first: str, text: str) -> Code:
    return check_code(tuple(ord(symbol) - ord(first) for symbol in text), rules)
