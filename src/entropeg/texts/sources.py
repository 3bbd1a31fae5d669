"""What the library can say, read from its source: the templates of its sentences.

An f-string gives a template: `f"row {number}: {quoted(what)} is no code of {rules}"` gives
`row {number}: {what!r} is no code of {rules}`. A field is called after what stands in it; `!r` says that it quotes
something as it is, `:n` that it is a number. A choice between texts inside it gives one template for each.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce
from itertools import product
from pathlib import Path
from typing import TypeAlias

MOST_CHOICES = 12
"""An f-string of more alternatives than this keeps its choices as fields."""

QUOTING = {"quoted", "repr", "shown", "_show"}
COUNTING = {"shown_count", "len", "round", "sum"}
TRANSPARENT = QUOTING | {"shown_count", "len", "str", "round", "map", "sorted", "float", "int", "join", "name_of"}
TRANSPARENT |= {"Pegs", "ShownFeedback", "called"}
"""Calls that are named after what they are given."""
PLURAL = "plural"
SILENT = {
    "compile",
    "getattr",
    "hasattr",
    "setattr",
    "TypeVar",
    "Literal",
    "cast",
    "field",
    "import_module",
    "fullmatch",
}
"""Calls whose arguments nobody reads."""
NAMING = {"instance", "items"}
"""Calls that name a thing, with a hint for those who write programs."""
PIECED = {"say", "told_fragments"}
"""Calls that are given a sentence in pieces: texts, and codes between them."""
HEADING, TABLES = "heads", {"COLUMNS", "WORKSHEET"}
"""The call whose words are heads of columns, and the tables of such words."""
OF_COMMANDS = {"command", "group"}
"""Decorators that make a function a command: its docstring is its help."""
KEEPS_LINES = "\b\n"
"""What begins a paragraph of a help whose lines stay as they are."""
OWN = "entropeg: "
"""What begins a remark, in every language."""
SHOWING = {"__repr__", "_repr_svg_", "_repr_html_"}
"""Functions whose texts a notebook shows."""

Field: TypeAlias = tuple[str, str]
"""Source of a field, and its name with what kind it is."""
TextPieces: TypeAlias = tuple[str | Field, ...]


@dataclass(frozen=True, order=True)
class Said:
    """A template, its form for many things where it counts, and the field that it is for where it is a mere word."""

    text: str
    many: str = ""
    context: str = ""
    where: str = field(default="", compare=False)
    """File and line, to be looked at."""


def said_in(path: Path, *, errors_only: bool = False) -> list[Said]:
    """List what a module can say: texts of more than one word, counted things, and the values of enumerations.

    With `errors_only` only the sentences of the errors that it raises.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    reader = _SourceReader(path.name, errors_only=errors_only)
    reader.visit(tree)
    return list(dict.fromkeys(reader.found))


class _SourceReader(ast.NodeVisitor):
    def __init__(self, file: str, *, errors_only: bool) -> None:
        self.found: list[Said] = []
        self._file, self._errors_only = file, errors_only
        self._constants: dict[str, ast.expr] = {}
        self._in_error = not errors_only

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:  # the name that ast asks for
        if node.name in SHOWING:
            return
        outer, self._constants = self._constants, {**self._constants, **_constants(node), **_quotes(node)}
        for default in filter(None, (*node.args.defaults, *node.args.kw_defaults)):
            self.visit(default)
        if any(isinstance(each, ast.Call) and _called(each) in OF_COMMANDS for each in node.decorator_list):
            self._help(node)
        for decorator in node.decorator_list:
            self.visit(decorator)
        for each in node.body[1:] if ast.get_docstring(node) is not None else node.body:
            self.visit(each)
        self._constants = outer

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for each in node.body:
            self.visit(each)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            self.visit(node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None and "TypeAlias" not in ast.unparse(node.annotation):
            self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        names = {each.id for each in node.targets if isinstance(each, ast.Name)}
        if names & TABLES and isinstance(node.value, ast.Tuple):
            self._heads(node.value.elts)
            return
        if not any(name.startswith("__") or name in self._constants for name in names) or isinstance(
            node.value, ast.Call
        ):
            self.visit(node.value)

    def visit_Raise(self, node: ast.Raise) -> None:
        outer, self._in_error = self._in_error, True
        if node.exc is not None:
            self.visit(node.exc)
        self._in_error = outer

    def visit_Call(self, node: ast.Call) -> None:
        name = _called(node)
        if name in SILENT:
            return
        if name == PLURAL and self._in_error:
            self._plural(node)
            return
        if name in PIECED and self._in_error:
            self._pieces([*node.args])
            return
        if name == HEADING:
            self._heads(node.args)
        if name in NAMING:
            for each in node.args[1:-1]:
                self.visit(each)
            return
        self.generic_visit(node)

    def visit_Tuple(self, node: ast.Tuple) -> None:
        # A sentence in pieces: texts, and codes between them.
        if len(node.elts) > 1 and any(_is_piece(each) for each in node.elts):
            self._pieces(node.elts)
        else:
            self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        return

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.visit(node.value)

    def visit_Dict(self, node: ast.Dict) -> None:
        for each in node.values:
            self.visit(each)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self._add(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self._add(node)
        for each in node.values:
            if isinstance(each, ast.FormattedValue):
                self._inner(each.value)

    def _heads(self, nodes: list[ast.expr]) -> None:
        for each in nodes:
            if isinstance(each, ast.Constant) and each.value:
                self.found.append(Said(str(each.value), context="column", where=self._where(each)))

    def _pieces(self, pieces: list[ast.expr]) -> None:
        values = [_as_value(each) for each in pieces]
        flat = [inner for each in values for inner in (each.values if isinstance(each, ast.JoinedStr) else [each])]
        if flat:
            self.visit_JoinedStr(ast.JoinedStr(values=flat, lineno=pieces[0].lineno))

    def _help(self, node: ast.FunctionDef) -> None:
        # Paragraphs, and the lines of those that keep theirs.
        for paragraph in (ast.get_docstring(node) or "").split("\n\n"):
            kept = paragraph.startswith(KEEPS_LINES)
            for text in paragraph.removeprefix(KEEPS_LINES).splitlines() if kept else [" ".join(paragraph.split())]:
                for column in re.split(r"\s{2,}", text.strip()) if kept else [text]:
                    self._add(ast.Constant(value=column, lineno=node.lineno))

    def _inner(self, node: ast.expr) -> None:
        # Choices among texts are part of the templates already; what else stands in a field may say something itself.
        if isinstance(node, ast.IfExp) and _alternatives(node, self._constants) is not None:
            return
        self.visit(node)

    def _plural(self, node: ast.Call) -> None:
        words = _plural_words(node)
        if words is not None:
            self.found.append(Said(f"{{n:n}} {words[0]}", f"{{n:n}} {words[1]}", where=self._where(node)))

    def _add(self, node: ast.expr) -> None:
        if not self._in_error:
            return
        for text in templates(node, self._constants):
            if is_text(text.removeprefix(OWN)):
                self.found.append(Said(text.removeprefix(OWN).strip(), where=self._where(node)))

    def _where(self, node: ast.expr) -> str:
        return f"{self._file}:{node.lineno}"


def _is_piece(node: ast.expr) -> bool:
    texts = templates(node)
    return any(text != text.strip() and is_text(f"{text} a") and len(text.strip()) > 1 for text in texts)


def _as_value(node: ast.expr) -> ast.expr:
    if isinstance(node, (ast.Constant, ast.JoinedStr)):
        return node
    inner = node.value if isinstance(node, ast.Starred) else node
    return ast.FormattedValue(value=inner, conversion=-1)


def is_text(template: str) -> bool:
    """Tell whether a template says something in words: a word beside a space, not a name, a pattern or a key."""
    literal = re.sub(r"\{[^{}]*\}", "\0", template)
    return " " in literal.strip() and re.search(r"(?<![\w\\])[^\W\d_]*[a-z]{2,}(?!\w)", literal) is not None


def _constants(function: ast.FunctionDef) -> dict[str, ast.expr]:
    # Local names that stand for texts without fields, wherever they are assigned, and are put into f-strings only.
    nodes = list(ast.walk(function))
    inside = {id(each) for node in nodes if isinstance(node, ast.JoinedStr) for each in ast.walk(node)}
    names = [node for node in nodes if isinstance(node, ast.Name)]
    stored = Counter(name.id for name in names if not isinstance(name.ctx, ast.Load))
    taken = {name.id for name in names if isinstance(name.ctx, ast.Load) and id(name) not in inside}
    found: dict[str, list[ast.expr]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and _is_plain(node.value):
            found.setdefault(node.targets[0].id, []).append(node.value)
    alone = {name: values for name, values in found.items() if stored[name] == len(values) and name not in taken}
    return {name: reduce(_either, values) for name, values in alone.items()}


def _either(one: ast.expr, other: ast.expr) -> ast.expr:
    return ast.IfExp(test=ast.Constant(value=True), body=one, orelse=other)


def _quotes(function: ast.FunctionDef) -> dict[str, ast.expr]:
    # Local names that stand for a quote: the calls that made them.
    found: dict[str, ast.expr] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
            pairs = [(target, value)]
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs = list(zip(target.elts, value.elts, strict=False))
            for name, made in pairs:
                if isinstance(name, ast.Name) and isinstance(made, ast.Call) and _called(made) in QUOTING:
                    found[name.id] = made
    return found


def _is_plain(node: ast.expr) -> bool:
    if isinstance(node, ast.IfExp):
        return _is_plain(node.body) and _is_plain(node.orelse)
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def templates(node: ast.expr, constants: dict[str, ast.expr] | None = None) -> list[str]:
    r"""Return the templates that a text or an f-string can give.

    >>> source = "f'{plural(n, \"peg\")} of {self.rules} {\"is\" if n == 1 else \"are\"} red'"
    >>> templates(ast.parse(source, mode="eval").body)
    ['{pegs} of {rules} is red', '{pegs} of {rules} are red']
    """
    return list(dict.fromkeys(_named(pieces) for pieces in _alternatives(node, constants or {}) or []))


def _alternatives(node: ast.expr, constants: dict[str, ast.expr]) -> list[TextPieces] | None:
    # All ways in which an expression is put together; None where it is no text written out.
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [(_escaped(node.value),)]
    if isinstance(node, ast.Name) and node.id in constants:
        return _alternatives(constants[node.id], constants)
    if isinstance(node, ast.IfExp):
        body, other = _alternatives(node.body, constants), _alternatives(node.orelse, constants)
        return None if body is None or other is None else body + other
    if isinstance(node, ast.JoinedStr):
        parts = [_part(value, constants) for value in node.values]
        total = 1
        for part in parts:
            total *= len(part)
        if total > MOST_CHOICES:
            parts = [_part(value, constants, chosen=False) for value in node.values]
        return [tuple(piece for pieces in chosen for piece in pieces) for chosen in product(*parts)]
    return None


def _escaped(text: str) -> str:
    # `{name}` in a text that is no f-string is filled in later, by its method `format`: it is a field like any other.
    pieces = re.split(r"(\{[a-z_]+\})", text.replace("{}", "{value}"))
    return "".join(one if place % 2 else one.replace("{", "{{").replace("}", "}}") for place, one in enumerate(pieces))


def _part(value: ast.expr, constants: dict[str, ast.expr], *, chosen: bool = True) -> list[TextPieces]:
    if not isinstance(value, ast.FormattedValue):
        return _alternatives(value, {}) or []
    inner = value.value
    if chosen and isinstance(inner, (ast.IfExp, ast.Constant, ast.Name, ast.JoinedStr)):
        found = _alternatives(inner, constants)
        if found is not None:
            return found
    if isinstance(inner, ast.Name) and isinstance(constants.get(inner.id), ast.Call):
        return [((inner.id, f"{_field_name(inner)}!r"),)]
    return [((ast.unparse(inner), _field_name(inner) + _kind_of(value)),)]


def _kind_of(value: ast.FormattedValue) -> str:
    inner = value.value
    parts = value.format_spec.values if isinstance(value.format_spec, ast.JoinedStr) else []
    spec = "".join(str(part.value) for part in parts if isinstance(part, ast.Constant))
    if value.conversion == ord("r") or (isinstance(inner, ast.Call) and _called(inner) in QUOTING):
        return "!r"
    is_number = re.search(r"[,dfgeE%]$", spec) or (isinstance(inner, ast.Call) and _called(inner) in COUNTING)
    if is_number or isinstance(inner, ast.BinOp) or (isinstance(inner, ast.Name) and inner.id.isupper() and spec):
        return ":n"
    return ""


def _field_name(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id.strip("_").lower()
    if isinstance(node, ast.Attribute):
        is_detail = node.attr in {"value", "name", "args"}
        return _field_name(node.value) if is_detail else node.attr.strip("_").lower()
    if isinstance(node, ast.Call):
        return _call_name(node)
    if isinstance(node, ast.Subscript):
        return _field_name(node.value)
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.BinOp)):
            return _field_name(child)
    return "value"


def _call_name(node: ast.Call) -> str:
    called = _called(node)
    if called == PLURAL:
        words = _plural_words(node)
        return words[1].replace(" ", "_").replace("-", "_") if words else called
    is_transparent = called.strip("_") in TRANSPARENT or called.startswith("format_")
    if node.args and is_transparent:
        return _field_name(node.args[-1] if called == "map" else node.args[0])
    return called.strip("_")


def _plural_words(node: ast.Call) -> tuple[str, str] | None:
    words = [each.value for each in node.args[1:] if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return (words[0], words[1] if len(words) > 1 else f"{words[0]}s") if words else None


def _called(node: ast.Call) -> str:
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _named(pieces: TextPieces) -> str:
    # The same expression keeps its name, another of the same name gets a number.
    names: dict[str, str] = {}
    text = ""
    for piece in pieces:
        if isinstance(piece, str):
            text += piece
            continue
        source, wanted = piece
        if source not in names:
            name, mark, kind = re.fullmatch(r"(\w+)(.?)(.*)", wanted).groups()  # type: ignore[union-attr] # all match
            taken = {re.split("[!:]", each)[0] for each in names.values()}
            number, free = 2, name
            while free in taken:
                free, number = f"{name}{number}", number + 1
            names[source] = f"{free}{mark}{kind}"
        text += f"{{{names[source]}}}"
    return text


def words_in(path: Path, name: str, context: str) -> Iterator[Said]:
    """List the values of an enumeration, or the texts of a table, as words for the fields of a name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef) and node.name == name:
            for each in node.body:
                if (
                    isinstance(each, ast.Assign)
                    and isinstance(each.value, ast.Constant)
                    and isinstance(each.value.value, str)
                ):
                    yield Said(each.value.value, context=context, where=f"{path.name}:{each.lineno}")


def summaries(package: Path, role: str) -> Iterator[Said]:
    """List the first lines of the docstrings of the players of a role, `codebreakers` or `codemakers`."""
    table = ast.parse((package / role / "__init__.py").read_text(encoding="utf-8"))
    for node in ast.walk(table):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and re.fullmatch(r"entropeg[\w.]+:[A-Z]\w+", node.value)  # a class
        ):
            module, _, name = node.value.removeprefix("entropeg.").partition(":")
            path = package / f"{module.replace('.', '/')}.py"
            if path.exists():
                yield from _first_line(path, name)


def _first_line(path: Path, name: str) -> Iterator[Said]:
    for each in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(each, (ast.ClassDef, ast.FunctionDef)) and each.name == name:
            text = (ast.get_docstring(each) or "").partition("\n")[0]
            yield Said(text.replace("{", "{{").replace("}", "}}"), where=f"{path.name}:{each.lineno}")
