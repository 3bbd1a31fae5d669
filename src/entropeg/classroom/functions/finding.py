"""Finds evaluations in the programs of other courses, by whatever name, and says how they are called and read."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from entropeg.classroom.functions.conventions import LAST
from entropeg.classroom.functions.evaluation import Examination
from entropeg.classroom.functions.readings import USUAL

_LIKELY = re.compile(
    r"evalu|compar|score|feedback|verif|corrig|correct|juge|judge|match|repon|note|indice|pions|marqu|black|white|noir|blanc"
)

_CONVENTIONS = {
    "codes as text": "text",
    "lists of letters": "list",
    "tuples of letters": "tuple",
    "texts of digits": "text-from-1",
    "lists of whole numbers from 1": "list-from-1",
    "lists of whole numbers from 0": "list-from-0",
    "tuples of whole numbers from 1": "tuple-from-1",
    "tuples of whole numbers from 0": "tuple-from-0",
}


@dataclass(frozen=True)
class FoundFunction:
    """A function of two parameters: its name, its line, and whether its name is that of an evaluation."""

    name: str
    line: int
    is_likely: bool


def functions_of_two(file: Path) -> list[FoundFunction]:
    """Return the functions of a file that take two arguments, those with the name of an evaluation first.

    A file that is no Python has none.
    """
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError, OSError):
        return []
    found = [
        FoundFunction(node.name, node.lineno, bool(_LIKELY.search(node.name.casefold())))
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and _takes_two(node.args)
    ]
    return sorted(found, key=lambda each: not each.is_likely)[:20]


def _takes_two(arguments: ast.arguments) -> bool:
    needed = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)
    return needed == 2 and not any(default is None for default in arguments.kw_defaults)


def files_to_try(files: Iterable[Path]) -> Iterator[tuple[Path, list[FoundFunction]]]:
    """Give the files that have such functions, with them."""
    count = 0
    for file in files:
        functions = functions_of_two(file)
        if functions and count < 40:
            count += 1
            yield file, functions


def is_evaluation(found: FoundFunction, examined: Examination) -> bool:
    """Tell whether a function is an evaluation: right, or wrong as a known mistake is, or at least called one."""
    if examined.verdict == "right" or examined.why:
        return True
    return found.is_likely and examined.kind == "wrong evaluation"


def convention_of(examined: Examination) -> str:
    """Return the name under which modules of such a project are played; empty where there is none, or it is the usual.

    See `conventions`.
    """
    if examined.verdict != "right" or examined.is_usual or examined.form not in _CONVENTIONS:
        return ""
    codes, (placed, misplaced) = _CONVENTIONS[examined.form], examined.reading
    answers = {"item": examined.returns, "digit": "digits", "tens": "number", "units": "number"}.get(placed.kind, "")
    if answers not in {"tuple", "list", "digits", "number"} or {placed.key, misplaced.key} not in ({0, 1}, {None}):
        return ""
    exchanged = placed.kind == "units" or placed.key == USUAL.misplaced.key
    return f"{codes}/{answers}/{LAST}" if exchanged else f"{codes}/{answers}"
