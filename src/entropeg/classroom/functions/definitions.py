"""Tells the definitions of a program from the program itself, by the syntax tree, so that they are loaded alone.

Definitions are functions, classes, imports, and constants: values that are worked out of other values without asking,
showing, reading or writing anything. All other statements at the top level of a file are the program: a menu, a game
loop, a window. They do not run. Like `imports`, this module stands on the standard library alone.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Sequence
from typing import Any

from entropeg.classroom.imports import imports_of


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


QUIET = _words(
    "abs all any bool bytes chr complex dict divmod enumerate filter float frozenset hash hex int isinstance iter "
    "len list map max min next object ord pow property range repr reversed round set slice sorted str sum tuple "
    "type zip"
)
"""Built-in functions that only work out a value."""

QUIET_MODULES = _words(
    "abc array bisect collections copy dataclasses datetime decimal enum fractions functools heapq itertools math "
    "numpy operator pathlib random re statistics string time types typing typing_extensions"
)
"""Modules whose functions only work out a value."""

QUIET_METHODS = _words(
    "append add appendleft array astype capitalize copy count difference endswith extend find format fromkeys get "
    "index insert intersection isdigit items join keys ljust lower lstrip pop remove replace reshape reverse "
    "rjust rstrip setdefault sort split splitlines startswith strip title tolist union update upper values zfill"
)
"""Methods of texts and collections."""

LEFT_OUT = "__entropeg_left_out__"


def definitions(tree: ast.Module) -> ast.Module:
    r"""Return the definitions of a file; a constant that cannot be worked out is left out when they run.

    >>> text = "N = 4\ndef f(a, b): return a\nwhile True:\n    f(input(), N)\nM = int(input())"
    >>> [type(each).__name__ for each in definitions(ast.parse(text)).body]
    ['Try', 'FunctionDef', 'Expr']
    """
    return ast.Module(_Sorting(tree).top(tree.body), tree.type_ignores)


class _Sorting:
    """Sorts the statements of one file."""

    def __init__(self, tree: ast.Module) -> None:
        self.modules, self.taken = dict[str, str](), dict[str, str]()
        self.own = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
        self.left_out = set[str]()
        self._asked = set[str]()
        for each in imports_of(tree):
            if not each.level:
                (self.taken if each.name else self.modules)[each.known_as] = each.module

    # ---------------------------------------------------------------- statements

    def top(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Keep the definitions of the top level, each guarded, and say which names the program alone would set."""
        kept: list[ast.stmt] = []
        for statement in body:
            found = self.kept(statement)
            for each in found:
                guard = not isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)) and not _is_future(each)
                kept.append(_guarded(each) if guard else each)
            if not found and (names := sorted(set(_set_by(statement)))):
                kept.append(_noted(names, statement, None))
        return sorted(kept, key=lambda each: not _is_future(each))

    def kept(self, statement: ast.stmt) -> list[ast.stmt]:
        """Return what is kept of a statement: all of it, a part, or nothing."""
        found = self._kept(statement)
        names = set(_set_by(statement))
        self.left_out = self.left_out - names if found else self.left_out | (names - self._known)
        self._known |= names if found else set()
        return found

    _known: frozenset[str] = frozenset()

    def _kept(self, node: ast.stmt) -> list[ast.stmt]:
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.Pass)):
            return [node]
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return [self._function(node)]
        if isinstance(node, ast.ClassDef):
            return [self._class(node)]
        if isinstance(node, (ast.If, ast.Try, ast.With)):
            return self._block(node)
        return [node] if self._is_quiet_statement(node) else []

    def _is_quiet_statement(self, node: ast.stmt) -> bool:
        if isinstance(node, ast.For):
            whole = all(isinstance(each, (ast.If, ast.For)) or self._is_simple(each) for each in node.body)
            return whole and self.is_quiet(node)
        return self._is_simple(node) and self.is_quiet(node)

    @staticmethod
    def _is_simple(node: ast.stmt) -> bool:
        return isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr, ast.Pass)) or (
            isinstance(node, ast.AnnAssign) and node.value is not None
        )

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt:
        # Annotations are not needed, and may name what is not there.
        node.decorator_list = [each for each in node.decorator_list if self._is_known(each)]
        every = node.args
        for each in [*every.posonlyargs, *every.args, *every.kwonlyargs, every.vararg, every.kwarg]:
            if each is not None:
                each.annotation = None
        node.returns = None
        every.defaults = [each if self.is_quiet(each) else ast.Constant(None) for each in every.defaults]
        every.kw_defaults = [
            each if each is None or self.is_quiet(each) else ast.Constant(None) for each in every.kw_defaults
        ]
        return ast.fix_missing_locations(node)

    def _class(self, node: ast.ClassDef) -> ast.stmt:
        node.decorator_list = [each for each in node.decorator_list if self._is_known(each)]
        node.body = [part for each in node.body for part in self._in_class(each)] or [ast.Pass()]
        return ast.fix_missing_locations(node)

    def _in_class(self, node: ast.stmt) -> list[ast.stmt]:
        if isinstance(node, ast.AnnAssign):
            return [node] if node.value is None or self.is_quiet(node.value) else []
        return self.kept(node)

    def _is_known(self, decorator: ast.expr) -> bool:
        # Of the language, of the standard library or of the file itself: others may start a server or a window.
        root = decorator
        while isinstance(root, (ast.Attribute, ast.Call)):
            root = root.func if isinstance(root, ast.Call) else root.value
        if not isinstance(root, ast.Name):
            return False
        if root.id in {"property", "staticmethod", "classmethod"} or root.id in self.own:
            return True
        if isinstance(decorator, ast.Attribute) and decorator.attr in {"setter", "getter", "deleter"}:
            return True
        origin = self.taken.get(root.id) or self.modules.get(root.id, "")
        return origin.partition(".")[0] in QUIET_MODULES

    def _block(self, node: ast.If | ast.Try | ast.With) -> list[ast.stmt]:
        if isinstance(node, ast.With):
            return []
        if isinstance(node, ast.If):
            named = {each.id for each in ast.walk(node.test) if isinstance(each, ast.Name)}
            if "__name__" in named:
                is_other = any(isinstance(each, ast.NotEq) for each in ast.walk(node.test))
                return [part for each in (node.body if is_other else node.orelse) for part in self.kept(each)]
            if not self.is_quiet(node.test):
                return []
            node.body, node.orelse = (self._inside(part) for part in (node.body, node.orelse))
        else:
            for handler in node.handlers:
                handler.body = self._inside(handler.body)
            node.body, node.orelse, node.finalbody = map(self._inside, (node.body, node.orelse, node.finalbody))
        if not node.body and not node.orelse:
            return []
        node.body = node.body or [ast.Pass()]
        if isinstance(node, ast.Try):
            for handler in node.handlers:
                handler.body = handler.body or [ast.Pass()]
        return [ast.fix_missing_locations(node)]

    def _inside(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        return [part for each in body for part in self.kept(each)]

    # ---------------------------------------------------------------- expressions

    def is_quiet(self, node: ast.AST) -> bool:
        """Tell whether something only works out values, of names that are known."""
        if isinstance(node, ast.Lambda):
            return True  # it is not called here
        if isinstance(node, (ast.Await, ast.Yield, ast.YieldFrom, ast.While, ast.With, ast.Import, ast.ImportFrom)):
            return False
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in self.left_out:
            return False
        if isinstance(node, ast.Call) and not self._is_quiet_call(node.func):
            return False
        return all(map(self.is_quiet, ast.iter_child_nodes(node)))

    def _is_quiet_call(self, called: ast.expr) -> bool:
        if isinstance(called, ast.Name):
            name = called.id
            origin = self.taken.get(name, "").partition(".")[0]
            return origin in QUIET_MODULES or (self._is_quiet_function(name) if name in self.own else name in QUIET)
        if not isinstance(called, ast.Attribute):
            return False
        root: ast.expr = called
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name) and root.id in self.modules:
            module = self.modules[root.id].partition(".")[0]
            allowed = {"sys": {"append", "insert"}, "os": {"join", "dirname", "abspath", "getcwd"}}
            return module in QUIET_MODULES or called.attr in allowed.get(module, ())
        return called.attr in QUIET_METHODS

    def _is_quiet_function(self, name: str) -> bool:
        # A function of the file that itself only works out a value: all codes of a board, as a rule.
        if name in self._asked:
            return False
        self._asked.add(name)
        node = self.own[name]
        noisy = (ast.Global, ast.Nonlocal, ast.While, ast.Raise, ast.With)
        is_quiet = not any(isinstance(each, noisy) for each in ast.walk(node)) and all(map(self.is_quiet, node.body))
        self._asked.discard(name)
        return is_quiet


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _set_by(node: ast.stmt) -> Iterator[str]:
    # The names that a statement sets, in its parts too, but not within functions and classes.
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
        return
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
        return
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.stmt):
            yield from _set_by(each)
        elif isinstance(each, ast.ExceptHandler):
            yield from (name for inner in each.body for name in _set_by(inner))
        else:
            yield from (
                inner.id for inner in ast.walk(each) if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
            )


def _noted(names: Sequence[str], place: ast.stmt, error: str | None) -> ast.stmt:
    told = ast.parse(f"{LEFT_OUT}({tuple(names)!r}, {error})").body[0]
    return _placed(told, place)


def _guarded(statement: ast.stmt) -> ast.stmt:
    # One that raises is left out, and all the others are still there; what asks a stand-in for a value is one.
    handler = ast.ExceptHandler(
        ast.Name("BaseException", ast.Load()),
        f"{LEFT_OUT}_error",
        [_noted(list(_set_by(statement)), statement, f"{LEFT_OUT}_error")],
    )
    return _placed(ast.Try([statement], [handler], [], []), statement)


def _placed(statement: ast.stmt, place: ast.stmt) -> ast.stmt:
    for each in ast.walk(statement):
        if isinstance(each, (ast.stmt, ast.expr, ast.ExceptHandler)) and not hasattr(each, "lineno"):
            ast.copy_location(each, place)
    ast.copy_location(statement, place)
    return ast.fix_missing_locations(statement)


def tried_imports(tree: ast.AST) -> Iterator[str]:
    """Give the packages whose absence a file itself provides for, by `except ImportError`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Try) and node.handlers:
            yield from (each.head for part in node.body for each in imports_of(part))


# ---------------------------------------------------------------------- what may not be done

HARMFUL = _words(
    "os.chmod os.chown os.exec os.fork os.forkpty os.kill os.killpg os.link os.mkdir os.posix_spawn os.remove "
    "os.rename os.rmdir os.spawn os.startfile os.symlink os.system os.truncate os.unlink shutil.copyfile "
    "shutil.move shutil.rmtree socket.bind socket.connect socket.__new__ subprocess.Popen webbrowser.open"
)
"""What functions of definitions may not do, as Python's audit calls it; besides, no file is opened to be written."""

FORBIDDEN = set[str]()
"""What is refused at present."""


def forbid(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse what does harm, while definitions are loaded and called."""
    if event in FORBIDDEN:
        raise PermissionError(f"{event}: a check lets nothing be written or started")
    if event == "open" and FORBIDDEN:
        _, mode, flags = (*arguments, None, None)[:3]
        writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
        if writes or (isinstance(mode, str) and set(mode) & set("wax+")):
            raise PermissionError("open: a check lets nothing be written or started")
