"""Changes the source of a function in one place: the mutants that `scripts/mutants.py` tries.

A mutant is a piece of text that takes the place of another. Only bodies of functions are changed: constants of a
module, fields of a class, defaults and decorators are computed before a test begins. Functions that numba compiles are
left out, since machine code does not change with them, and so are docstrings, annotations and assertions. Sentences are
left out too: the tests of `texts` hold each against its French.
"""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass
from difflib import unified_diff


def _both_ways(text: str) -> dict[str, str]:
    pairs = dict(pair.split("/") for pair in text.split())
    return pairs | {second: first for first, second in pairs.items()}


NODES = _both_ways("Lt/LtE Gt/GtE Eq/NotEq In/NotIn Is/IsNot And/Or Add/Sub BitAnd/BitOr LShift/RShift Break/Continue")
NODES |= {"Mult": "FloorDiv", "FloorDiv": "Mult", "Div": "Mult", "Mod": "FloorDiv", "Pow": "Mult", "BitXor": "BitOr"}
NAMES = _both_ways("min/max any/all lower/upper lstrip/rstrip partition/rpartition startswith/endswith argmin/argmax")
KERNELS = {"kernel", "inner", "allocating_kernel", "allocating_inner", "entry_point", "callback", "njit"}
"""Decorators of functions that become machine code."""


@dataclass(frozen=True)
class Mutant:
    """A change of one place: `after` stands at offsets `begin` to `end` of the source.

    `line` and `last` are the lines of the whole statement, or of its head: tests that reach one of them are tried.
    """

    module: str
    function: str
    line: int
    last: int
    begin: int
    end: int
    before: str
    after: str
    number: int = 1

    @property
    def file(self) -> str:
        """The file of the module, in the folder of the package."""
        return f"{self.module.replace('.', '/')}.py"

    @property
    def name(self) -> str:
        """Where it is and what it does, without its line, which other changes move; a number tells equal ones apart."""
        number = f" ({self.number})" if self.number > 1 else ""
        return f"{self.module}:{self.function}: {' '.join(self.before.split())} -> {self.after}{number}"

    def source(self, original: str) -> str:
        """Return the changed source."""
        return original[: self.begin] + self.after + original[self.end :]

    def diff(self, original: str) -> str:
        """Return the change as lines of a diff."""
        lines = unified_diff(original.splitlines(), self.source(original).splitlines(), lineterm="", n=1)
        return "\n".join(list(lines)[2:])

    def rank(self, seed: int) -> str:
        """Return what samples are ordered by: a draw that changes elsewhere in the source leave as it is."""
        return hashlib.sha256(f"{seed} {self.name}".encode()).hexdigest()


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _constants(node: ast.Constant) -> Iterator[ast.AST]:
    value = node.value
    if isinstance(value, bool):
        yield _with(node, value=not value)
    elif isinstance(value, int | float):
        yield _with(node, value=value + 1)
    elif isinstance(value, str) and value and " " not in value:
        yield _with(node, value=f"XX{value}XX")


def _arguments(node: ast.Call) -> Iterator[ast.AST]:
    for at, argument in enumerate(node.args):
        if not isinstance(argument, ast.Starred | ast.GeneratorExp) and ast.unparse(argument) != "None":
            yield _with(node, args=[*node.args[:at], ast.Constant(None), *node.args[at + 1 :]])
    for at in range(len(node.keywords)):
        yield _with(node, keywords=node.keywords[:at] + node.keywords[at + 1 :])


def _other(node: ast.AST) -> ast.AST:
    kind: type[ast.AST] = getattr(ast, NODES[type(node).__name__])
    return kind()


def _swaps(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(ops=ops):
            for at, found in enumerate(ops):
                yield _with(node, ops=[*ops[:at], _other(found), *ops[at + 1 :]])
        case ast.BoolOp(op=operator) | ast.BinOp(op=operator) | ast.AugAssign(op=operator):
            if type(operator).__name__ in NODES:
                yield _with(node, op=_other(operator))
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.Break() | ast.Continue():
            yield _other(node)
        case ast.Name(id=name) if name in NAMES:
            yield _with(node, id=NAMES[name])
        case ast.Attribute(attr=name) if name in NAMES:
            yield _with(node, attr=NAMES[name])
        case ast.IfExp(body=body, orelse=orelse):
            yield _with(node, body=orelse, orelse=body)


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what may stand in place of an expression or a statement, its parts left as they are.

    >>> [ast.unparse(change) for change in changes(ast.parse("a < b").body[0].value)]
    ['a <= b']
    """
    yield from _swaps(node)
    match node:
        case ast.Constant():
            yield from _constants(node)
        case ast.Call():
            yield from _arguments(node)
        case ast.AugAssign(target=target, value=value):
            yield ast.Assign([target], value, lineno=0)
        case ast.Return(value=value) | ast.Assign(value=value):
            if value is not None and ast.unparse(value) != "None":
                yield _with(node, value=ast.Constant(None))


def _conditions(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.If(test=test) | ast.While(test=test) if not isinstance(test, ast.Compare | ast.UnaryOp):
            yield test
        case ast.comprehension(ifs=ifs):
            yield from ifs


def _decorator(node: ast.expr) -> str:
    return ast.unparse(node.func if isinstance(node, ast.Call) else node).rpartition(".")[2]


class _Finder(ast.NodeVisitor):
    """Collects the mutants of a module."""

    def __init__(self, module: str, source: str) -> None:
        self.module, self.source = module, source
        self.path: list[str] = []
        self.is_inside = False
        self.statement = (0, 0)
        self.found: list[Mutant] = []
        self.seen: Counter[tuple[str, str, str]] = Counter()
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.lines = source.splitlines(keepends=True)

    def _offset(self, line: int, column: int) -> int:
        # Columns of a syntax tree count bytes.
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def _note(self, node: ast.expr | ast.stmt, after: str) -> None:
        begin = self._offset(node.lineno, node.col_offset)
        end = self._offset(node.end_lineno or 0, node.end_col_offset or 0)
        name = ".".join(self.path)
        before = self.source[begin:end]
        self.seen[name, before, after] += 1
        number = self.seen[name, before, after]
        self.found.append(Mutant(self.module, name, *self.statement, begin, end, before, after, number))

    def visit(self, node: ast.AST) -> None:
        """Note what can be changed in a node, then in its parts."""
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            self.statement = (node.lineno, body[0].lineno - 1 if body else node.end_lineno or 0)
        if self.is_inside:
            if isinstance(node, ast.expr | ast.stmt):
                for change in changes(node):
                    text = ast.unparse(ast.fix_missing_locations(change))
                    is_bare = isinstance(node, ast.stmt | ast.Constant | ast.Name | ast.Attribute | ast.Call)
                    self._note(node, text if is_bare else f"({text})")
            for test in _conditions(node):
                self._note(test, f"(not ({ast.unparse(test)}))")
        super().visit(node)

    def _body(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, *, is_inside: bool) -> None:
        outside, self.is_inside = self.is_inside, is_inside
        self.path.append(node.name)
        for statement in node.body:
            self.visit(statement)
        self.path.pop()
        self.is_inside = outside

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Look through the body alone."""
        if KERNELS.isdisjoint(map(_decorator, node.decorator_list)):
            self._body(node, is_inside=True)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - ast's name

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Look through its methods."""
        self._body(node, is_inside=False)

    def visit_Expr(self, node: ast.Expr) -> None:
        """Pass docstrings."""
        if not isinstance(node.value, ast.Constant):
            self.visit(node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Pass the annotation."""
        if node.value is not None:
            self.visit(node.value)

    def visit_Assert(self, node: ast.Assert) -> None:
        """Pass: it states what has just been shown."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Pass: Python 3.11 does not say where its parts stand."""


def mutants_of(module: str, source: str) -> list[Mutant]:
    r"""Return the mutants of a module, in the order of the source.

    >>> [mutant.name for mutant in mutants_of("m", "def f(a):\n    return a < 1\n")]
    ['m:f: return a < 1 -> return None', 'm:f: a < 1 -> (a <= 1)', 'm:f: 1 -> 2']
    """
    finder = _Finder(module, source)
    finder.visit(ast.parse(source))
    return finder.found


def sample(mutants: Iterable[Mutant], count: int, seed: int) -> list[Mutant]:
    """Return so many of the mutants, in the order of the source: the same ones for the same seed."""
    drawn = sorted(mutants, key=lambda mutant: mutant.rank(seed))[:count]
    return sorted(drawn, key=lambda mutant: (mutant.module, mutant.begin, mutant.name))
