"""Tells, from their syntax trees, files that look like players and are none that a machine plays.

Players for people, tests, copies, and programs that only import what a player defines: nothing of them is run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from entropeg.classroom.imports import imports_of, named_modules
from entropeg.classroom.modules import ROLES, functions_of, number_of, tree_or_none
from entropeg.told import Template, Told

TEST_FOLDERS = frozenset({"test", "tests"})

_TEST_NAME = re.compile(r"(test_.*|.*_tests?|tests?|conftest)", re.IGNORECASE)

_COPY = re.compile(
    r"(?:(?:copie|copy) (?:de|of) (?P<of>.+)|(?P<by>.+?)(?:[ _-]+(?:copie|copy))?(?: ?\(\d+\))?)", re.IGNORECASE
)
"""`Copie de x`, `x - Copie (2)`, `x copy`, `x (1)`."""


def looks_like_a_player(file: Path) -> bool:
    """Tell whether a file may be a player: by its name, or by one of the two functions and `init`.

    The two functions may be defined in it, or imported by it.
    """
    if file.stem.startswith(ROLES):
        return True
    tree = tree_or_none(file)
    functions = {} if tree is None else functions_of(tree, file)
    return sum(role in functions for role in ROLES) == 1 and "init" in functions


def why_passed(file: Path) -> Told | None:
    """Say why a file that looks like a player is none that a machine plays; None where it is one, or is no Python."""
    tree = tree_or_none(file)
    if tree is None:
        return None
    if (original := _original(file)) is not None:
        return _copy(tree, original)
    own, is_named = functions_of(tree, file, imported=False), file.stem.startswith(ROLES)
    plays = any(role in own for role in ROLES)
    if (_is_test(tree) or _TEST_NAME.fullmatch(file.stem)) and not (is_named and plays):
        return Told("passed over: it is a test, and no player")
    names = {*own, *functions_of(tree, file)} if is_named else set(own) - {"init"}
    if not names & {"init", *ROLES}:
        return _no_player(file, tree, is_named=is_named)
    waiting = WaitingFunctions.of(file, tree)
    for name in ("init", *ROLES):
        if name in own and (line := waiting.line_of(name)) is not None:
            for_people = Template(
                "passed over: it is a player for people; {function} waits for a person in line {line}"
            )
            return Told(for_people, name, line)
    return None


def _no_player(file: Path, tree: ast.Module, *, is_named: bool) -> Told | None:
    number, role = number_of(file), next((role for role in ROLES if file.stem.startswith(role)), "")
    # Of a name that the course knows a player is wanted: there a function is missing, and that is a fault.
    numbered = file.with_name(f"{role}{number}.py")
    if file.stem in ROLES or (number is not None and (numbered == file or not numbered.is_file())):
        return None
    named = {part for each in imports_of(tree) for part in (each.stem, each.name if each.name not in ROLES else "")}
    players = sorted(name for name in named if name.startswith(ROLES))
    if players:
        return Told("passed over: it imports {modules:list} and defines no player itself", players)
    if not is_named:
        return Told("passed over: it imports its functions, and defines no player itself")
    return Told("passed over: it has neither a function codebreaker nor a function codemaker nor init")


# ---------------------------------------------------------------------- copies


def _original(file: Path) -> Path | None:
    # The file beside of which this one is a copy, by its name.
    match = _COPY.fullmatch(file.stem)
    stem = (match["of"] or match["by"]) if match is not None else file.stem
    original = file.with_name(f"{stem}.py")
    return original if stem != file.stem and original.is_file() else None


def _copy(tree: ast.Module, original: Path) -> Told:
    other = tree_or_none(original)
    if other is not None and ast.dump(other) == ast.dump(tree):
        return Told("passed over: it is a copy of {file}, which lies beside it", original.name)
    return Told("passed over: by its name it is a copy of {file}, which lies beside it, and differs", original.name)


# ---------------------------------------------------------------------- tests


def _is_test(tree: ast.Module) -> bool:
    # It imports a framework of tests, and has tests.
    return bool(named_modules(tree) & {"unittest", "pytest"}) and any(
        (isinstance(node, ast.FunctionDef) and node.name.startswith("test"))
        or (isinstance(node, ast.ClassDef) and any("TestCase" in ast.dump(base) for base in node.bases))
        for node in tree.body
    )


# ---------------------------------------------------------------------- players for people

_INPUTS = frozenset({"input", "raw_input"})
_DIALOGS = frozenset({"getpass", "askstring", "askinteger", "askfloat", "mainloop", "wait_window", "wait_variable"})
"""Calls that wait for a person: what is typed, and dialogs and windows."""


@dataclass
class WaitingFunctions:
    """Which functions of a file wait for a person in every game, whatever they are given.

    A function does so where each way through it to a `return`, or to its end, asks for something and uses what is
    typed. A loop is taken to be run once at least: `while not valid(guess): guess = input()` asks. One branch of an
    `if` is not enough, since a machine may play the other; a bare `input()`, which only waits for Enter, is a pause.
    """

    file: Path
    functions: dict[str, ast.FunctionDef]
    modules: dict[str, str] = field(default_factory=dict)
    """Modules that it imports, by the names that it gives them."""
    names: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Names that it imports from modules: module, and name there."""
    known: dict[str, int | None] = field(default_factory=dict)
    breaks: list[list[int | None]] = field(default_factory=list)
    """What was asked at each `break` of the loops around a statement."""
    others: dict[Path, WaitingFunctions | None] = field(default_factory=dict)
    """The other modules that have been read; None for one that is no Python."""

    @classmethod
    def of(
        cls, file: Path, tree: ast.Module, others: dict[Path, WaitingFunctions | None] | None = None
    ) -> WaitingFunctions:
        """Read a file; of modules beside and above it their functions are known too."""
        found = cls(file, {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)})
        found.functions |= {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        found.others = {} if others is None else others
        found.others[file] = found
        for each in imports_of(tree):
            found.modules[each.known_as] = each.name or each.module
            if each.name:
                found.names[each.known_as] = each.module, each.name
        return found

    def line_of(self, name: str) -> int | None:
        """Return the line in which a function waits for a person, None where it need not, or is not defined here."""
        if name not in self.functions:
            return None
        if name not in self.known:
            self.known[name] = None  # one that calls itself asks nothing by that
            function, exits = self.functions[name], list[int | None]()
            exits += self._flow(function.body, None, exits)
            first = next(iter(exits), None)
            self.known[name] = first if all(line is not None for line in exits) else None
        return self.known[name]

    # Each way through some statements: the line that asked, None where none has, nothing where they do not end.

    def _flow(self, body: Sequence[ast.stmt], asked: int | None, exits: list[int | None]) -> list[int | None]:
        for node in body:
            ends = self._step(node, asked, exits)
            if not ends:
                return []
            asked = None if None in ends else ends[0]
        return [asked]

    def _step(self, node: ast.stmt, asked: int | None, exits: list[int | None]) -> list[int | None]:
        if isinstance(node, ast.Return):
            exits.append(asked or self._asks(node.value))
        elif isinstance(node, ast.Break) and self.breaks:
            self.breaks[-1].append(asked)
        elif isinstance(node, (ast.If, ast.Match)):
            return self._branches(node, asked, exits)
        elif isinstance(node, (ast.While, ast.For)):
            return self._loop(node, asked, exits)
        elif isinstance(node, ast.Try):
            return self._try(node, asked, exits)
        elif isinstance(node, ast.With):
            asked = asked or self._first([each.context_expr for each in node.items])
            return self._flow(node.body, asked, exits)
        elif not isinstance(node, (ast.Raise, ast.Continue)):
            return [asked or self._asked_by(node)]
        return []

    def _asked_by(self, node: ast.stmt) -> int | None:
        is_defined = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        is_pause = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and self._is_input(node.value)
        return None if is_defined or is_pause else self._first(ast.iter_child_nodes(node))

    def _branches(self, node: ast.If | ast.Match, asked: int | None, exits: list[int | None]) -> list[int | None]:
        if isinstance(node, ast.If):
            asked = asked or self._asks(node.test)
            return self._flow(node.body, asked, exits) + self._flow(node.orelse, asked, exits)
        asked = asked or self._asks(node.subject)
        return [end for case in node.cases for end in self._flow(case.body, asked, exits)] + [asked]

    def _loop(self, node: ast.While | ast.For, asked: int | None, exits: list[int | None]) -> list[int | None]:
        asked = asked or self._asks(node.test if isinstance(node, ast.While) else node.iter)
        self.breaks.append([])
        line = self._met(node.body, asked, self._flow(node.body, asked, exits))
        breaks = self.breaks.pop()
        if isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and node.test.value:
            return breaks  # nothing else ends it
        return self._flow(node.orelse, line, exits) + breaks

    def _met(self, body: Sequence[ast.stmt], asked: int | None, ends: list[int | None]) -> int | None:
        # What was asked in some statements, also where none of them comes to their end: each way returns or goes round.
        if asked or ends:
            return asked or (None if None in ends else ends[0])
        return self._first([each for node in body for each in ast.walk(node) if isinstance(each, ast.Call)])

    def _try(self, node: ast.Try, asked: int | None, exits: list[int | None]) -> list[int | None]:
        ends = self._flow(node.body, asked, exits)
        before = self._met(node.body, asked, ends)
        found = [end for handler in node.handlers for end in self._flow(handler.body, before, exits)]
        for end in ends:
            found += self._flow(node.orelse, end, exits)
        return [each for end in found for each in self._flow(node.finalbody, end, exits)]

    # ---------------------------------------------------------------- expressions

    def _first(self, nodes: Iterable[ast.AST]) -> int | None:
        return next((line for node in nodes if (line := self._asks(node)) is not None), None)

    def _asks(self, node: ast.AST | None) -> int | None:
        # The line in which an expression asks, whenever it is worked out.
        if node is None or isinstance(node, ast.Lambda):
            return None
        if isinstance(node, ast.IfExp):
            line = self._asks(node.body)
            return self._asks(node.test) or (line if self._asks(node.orelse) is not None else None)
        if isinstance(node, ast.BoolOp):
            return self._asks(node.values[0])
        if isinstance(node, ast.Call) and self._waits(node):
            return node.lineno
        return self._first(ast.iter_child_nodes(node))

    def _is_input(self, call: ast.Call) -> bool:
        return isinstance(call.func, ast.Name) and call.func.id in _INPUTS - self.functions.keys()

    def _waits(self, call: ast.Call) -> bool:
        function = call.func
        if isinstance(function, ast.Name):
            name = function.id
            if name in self.functions:
                return self.line_of(name) is not None
            return name in _INPUTS | _DIALOGS or self._waits_elsewhere(*self.names.get(name, ("", "")))
        if not isinstance(function, ast.Attribute):
            return False
        name, owner = function.attr, function.value
        if name in _INPUTS | _DIALOGS:
            return True
        if name.startswith("read"):
            return ast.unparse(owner) in {"sys.stdin", "stdin"}
        return isinstance(owner, ast.Name) and self._waits_elsewhere(self.modules.get(owner.id, ""), name)

    def _waits_elsewhere(self, module: str, name: str) -> bool:
        # A function of another module of the project: `common.demander()`.
        stem = module.rpartition(".")[2]
        places = [self.file.with_name(f"{stem}.py"), self.file.parent.parent / f"{stem}.py"]
        file = next((each for each in places if stem and each != self.file and each.is_file()), None)
        if file is None:
            return False
        if file not in self.others:
            tree = tree_or_none(file)
            self.others[file] = None if tree is None else WaitingFunctions.of(file, tree, self.others)
        other = self.others[file]
        return other is not None and other.line_of(name) is not None
