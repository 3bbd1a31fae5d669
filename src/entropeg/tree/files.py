"""Tree files: a compact one, JSON, YAML, Graphviz, SVG, and the «punch card» text.

Every format that is written is read again; `published` reads what others write.

Reading checks the whole tree by playing every secret, so that a damaged or foreign file is told apart from a strategy.
"""

from __future__ import annotations

import json
import re
import zlib
from bisect import bisect_left
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from entropeg import arguments
from entropeg.codes import CodeSet, format_code, guesses, parse_code
from entropeg.errors import InputError, quoted
from entropeg.feedback import Code, GrandFeedback, Marks, format_feedback, from_label, label_of, parse_feedback
from entropeg.files import (
    Kind,
    check_target,
    inflated,
    is_standard,
    parse_json,
    read_bytes,
    shown,
    write_whole,
)
from entropeg.files.reading import DEEPEST, decoded
from entropeg.rules import Rules
from entropeg.tree.strategy import StrategyTree

if TYPE_CHECKING:
    from collections.abc import Iterator

MAGIC = b"entropeg strategy tree 1\n"

STANDARD_FORMAT = ".json"
"""The format of a tree on standard output, which has no ending."""


class Entry(NamedTuple):
    """A node as read: the guess, the number of the entry before it (-1 for the first guess), the feedback between."""

    guess: str
    above: int
    feedback: str
    line: int = 0
    """Line of the file, 0 where it has no lines."""


ENDINGS = (".tree", ".json", ".yaml", ".yml", ".dot", ".svg", ".txt")
"""Endings of files, each of which names a format."""


FORMATS = (
    "read are the trees of this program (.tree, JSON, YAML, Graphviz, SVG), punch cards, lists in YAML "
    "(- 0012 and - XO--: 3345) and bracket trees ({AB:{10:AA}})"
)
"""What is said where a file is none of them."""


def check_ending(path: str | Path | None) -> None:
    """Raise InputError where a file's ending names no format, or it cannot be written: before a long search.

    >>> check_ending("strategy.tree")
    """
    if path is None or is_standard(path):
        return
    path = Path(path)
    if path.suffix not in ENDINGS:
        raise InputError(f"{shown(path.name)} does not say its format: end it in {', '.join(ENDINGS)}")
    check_target(path, KIND)


_BEGINNINGS = (
    rb"entropeg strategy tree \d+\n",
    rb"digraph strategy \{",
    rb'\{\s*"format": "entropeg-tree"',
    rb"rules: \S+\s+total: \d+\s+tree:",
    rb'<svg[^>]*>.{0,2000}<metadata id="entropeg-tree"',
)
"""Of the formats that are written, but for punch cards."""


def _is_tree(content: bytes) -> bool:
    from entropeg.tree.cards import begins_cards

    start = content.removeprefix(b"\xef\xbb\xbf").lstrip()
    return any(re.match(beginning, start, re.DOTALL) for beginning in _BEGINNINGS) or begins_cards(start)


KIND = Kind("a strategy tree", _is_tree)
"""A tree in any of the formats may replace a tree in any other."""


def save_tree(tree: StrategyTree, path: str | Path) -> None:
    """Write a tree in the format that the ending names: .tree (compact), .json, .yaml, .dot, .svg or .txt (punch card).

    The file is written whole or not at all; `-` is standard output, in JSON. Raises InputError for another ending,
    where there is a file that is no tree (see `files.replacing`), and where it cannot be written.

    >>> from tempfile import TemporaryDirectory
    >>> from entropeg.tree import build_tree
    >>> tree = build_tree("minimax", Rules.parse("2x2"))
    >>> with TemporaryDirectory() as folder:
    ...     save_tree(tree, f"{folder}/a.yaml")
    ...     load_tree(f"{folder}/a.yaml") == tree
    True
    """
    arguments.instance(tree, StrategyTree, "the tree", "as StrategyTree.build makes one")
    path = arguments.file(path, "the tree file")
    check_ending(path)
    if len(tree.secrets) < tree.rules.secret_count:
        raise InputError("files hold strategies of whole boards; this one finds a part of the codes only")
    if path.suffix == ".tree":
        write_whole(path, to_compact(tree), KIND)
        return
    write_whole(path, _writers()[STANDARD_FORMAT if is_standard(path) else path.suffix](tree).encode(), KIND)


def _writers() -> dict[str, Callable[[StrategyTree], str]]:
    from entropeg.tree.cards import to_cards
    from entropeg.tree.picture import to_svg

    return {".json": to_json, ".yaml": to_yaml, ".yml": to_yaml, ".dot": to_dot, ".svg": to_svg, ".txt": to_cards}


def load_tree(path: str | Path, rules: Rules | str | None = None) -> StrategyTree:
    """Read a tree file of any format, by its content, and play every secret through it.

    `rules` are needed for punch cards, lists in YAML and bracket trees, which do not name them (docs/trees.md), and
    must agree with a file that does. Raises InputError saying where the file is damaged, or after which turns the
    strategy is incomplete.

    >>> load_tree("none.tree")
    Traceback (most recent call last):
    ...
    entropeg.errors.InputError: none.tree cannot be read: No such file or directory
    """
    rules = None if rules is None else Rules.of(rules)
    content = read_bytes(arguments.file(path, "the tree file"))
    name = shown(path if is_standard(path) else Path(path).name)
    try:
        return _agreeing(_parse(content, name, rules), rules).check()
    except InputError as error:
        raise InputError(str(error) if str(error).startswith(name) else f"{name}: {error}") from None


def _agreeing(tree: StrategyTree, rules: Rules | None) -> StrategyTree:
    if rules is not None and tree.rules != rules.with_limit(None):
        raise InputError(f"the tree is for {tree.rules}, not for {rules}")
    return tree


def _parse(content: bytes, name: str, rules: Rules | None) -> StrategyTree:
    if content.startswith(MAGIC[:16]):
        return from_compact(content)
    text = decoded(content, name)
    start = text.lstrip()[:200]
    if start.startswith("digraph"):
        return from_dot(text)
    if "<svg" in start:
        return from_svg(text)
    if re.search(r"^rules:", text, re.MULTILINE):
        return from_yaml(text)
    return _of_others(text, rules)


def _of_others(text: str, rules: Rules | None) -> StrategyTree:
    """Read a tree that does not name its rules, or JSON."""
    from entropeg.tree.cards import from_cards
    from entropeg.tree.published import reader_of

    read = reader_of(text)
    if read is None and text.lstrip().startswith("{"):
        return from_json(text)
    if rules is None:
        raise InputError(f"it names no rules: if it is a tree, give them, as 4x6 or 4x10/no-repeats; {FORMATS}")
    return from_cards(text, rules) if read is None else read(text, rules)


def to_compact(tree: StrategyTree) -> bytes:
    """Write a tree in few bytes: a header line of JSON, then guesses, numbers of branches and labels, compressed.

    5x8 takes about 100 KB.

    >>> from entropeg.tree import build_tree
    >>> tree = build_tree("minimax", Rules.parse("2x2"))
    >>> to_compact(tree)[:24]
    b'entropeg strategy tree 1'
    """
    branches = np.bincount(tree.parent[1:], minlength=len(tree))
    columns = (tree.guess_index.astype("<u4"), branches.astype("<u2"), tree.label[1:].astype("<u4"))
    body = zlib.compress(b"".join(column.tobytes() for column in columns), 9)
    header = {"rules": str(tree.rules), "name": tree.name, "nodes": len(tree), "crc32": zlib.crc32(body)}
    return MAGIC + json.dumps(header).encode() + b"\n" + body


def from_compact(content: bytes) -> StrategyTree:
    """Read what `to_compact` wrote; raises InputError where it is cut short or changed.

    >>> from entropeg.tree import build_tree
    >>> tree = build_tree("minimax", Rules.parse("2x2"))
    >>> from_compact(to_compact(tree)) == tree
    True
    """
    magic, _, rest = content.partition(b"\n")
    if magic + b"\n" != MAGIC:
        version = quoted(magic.decode(errors="replace"))
        raise InputError(f"it is of another version ({version}); this program reads version 1")
    line, _, body = rest.partition(b"\n")
    try:
        header = parse_json(line.decode())
        rules, count, checksum = Rules.parse(header["rules"]), header["nodes"], header["crc32"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"its header, line 2, is damaged: {error}") from None
    if type(count) is not int or count < 1:
        raise InputError(f"its header, line 2, says that it has {quoted(count)} nodes; it must have 1 at least")
    if zlib.crc32(body) != checksum:
        raise InputError(f"its {len(body)} bytes after line 2 are damaged or cut short: their checksum is wrong")
    data = inflated(body, 10 * count)
    if len(data) != 10 * count - 4:
        raise InputError(f"it should hold {count} nodes, which take {10 * count - 4} bytes, and holds {len(data)}")
    guess = np.frombuffer(data, "<u4", count).astype(np.int32)
    branches = np.frombuffer(data, "<u2", count, 4 * count)
    label = np.concatenate(([-1], np.frombuffer(data, "<u4", count - 1, 6 * count).astype(np.int32)))
    if int(branches.sum()) != count - 1 or (guess < 0).any() or int(guess.max()) >= rules.guess_count:
        raise InputError(
            "its nodes do not fit together: the branches are not as many as the nodes, or a guess does not exist"
        )
    parent = np.concatenate(([-1], np.repeat(np.arange(count), branches))).astype(np.int32)
    if (parent >= np.arange(count)).any() or int(label.max()) >= rules.label_count:
        raise InputError("its nodes do not fit together: a node comes before its parent, or a feedback does not exist")
    return StrategyTree(rules, guess, parent, label, _name(header))


def _name(data: dict[str, Any]) -> str:
    name = data.get("name", "tree")
    if not isinstance(name, str) or not name.isprintable():
        raise InputError(f"its name is {quoted(name)}; it must be a text on one line")
    return name


def from_entries(rules: Rules, entries: list[Entry], name: str = "tree") -> StrategyTree:
    """Make a tree of guesses and feedbacks as text; raises InputError saying where one is wrong.

    >>> rows = [Entry("AB", -1, ""), Entry("AA", 0, "X"), Entry("BA", 0, "OO"), Entry("BB", 1, "-")]
    >>> from_entries(Rules.parse("2x2"), rows).check().total
    8
    """
    codes = [_read(parse_code, entry.guess, rules, entries, at) for at, entry in enumerate(entries)]
    labels = [
        -1 if entry.above < 0 else label_of(_read(parse_feedback, entry.feedback, rules, entries, at), rules)
        for at, entry in enumerate(entries)
    ]
    return from_nodes(rules, codes, [entry.above for entry in entries], labels, name)


def from_nodes(
    rules: Rules, codes: list[Code], above: list[int], labels: list[int], name: str = "tree"
) -> StrategyTree:
    """Make a tree of guesses in any order, each with the number of the one before it and the label that leads here.

    The number is -1 for the first guess. Raises InputError where there is not one first guess, or guesses follow each
    other in a circle.

    >>> from_nodes(Rules.parse("1x2"), [(1,), (0,)], [-1, 0], [-1, 0]).check().total
    3
    """
    from entropeg.search.onestep import in_levels

    parent = np.array(above, np.int64)
    if (parent < 0).sum() != 1:
        raise InputError(f"it has {(parent < 0).sum()} first guesses; a tree has one")
    root = int(np.argmin(parent))
    up = np.where(parent < 0, root, parent)
    for _ in range(len(up).bit_length()):
        up = up[up]
    if (up != root).any():
        lost = codes[int(np.flatnonzero(up != root)[0])]
        raise InputError(f"the guess {format_code(lost, rules)} is its own forerunner: guesses follow in a circle")
    unsorted = CodeSet(rules, np.array(codes, guesses(rules).planes.dtype).reshape(len(codes), rules.pegs).T)
    guess = guesses(rules).find(unsorted)
    nodes = in_levels(guess.astype(np.int32), parent, np.array(labels, np.int32), np.zeros(len(codes), np.int32))
    return StrategyTree(rules, nodes.guess, nodes.parent, nodes.label, name)


def _read(parse: Any, text: str, rules: Rules, entries: list[Entry], at: int) -> Any:
    try:
        return parse(text, rules)
    except InputError as error:
        raise InputError(f"{entry_place(entries, at)}: {error}") from None


def entry_place(entries: list[Entry], at: int) -> str:
    """Tell where an entry is: its line, else the turns that lead to it.

    >>> entry_place([Entry("AB", -1, ""), Entry("BB", 0, "X")], 1)
    'after AB X'
    """
    if entries[at].line:
        return f"line {entries[at].line}"
    turns: list[str] = []
    while entries[at].above >= 0 and len(turns) < len(entries):
        turns.insert(0, f"{entries[entries[at].above].guess} {entries[at].feedback}")
        at = entries[at].above
    return f"after {shown(', '.join(turns) or 'the start')}"


def _answer(tree: StrategyTree, label: int) -> str:
    """Feedback as a word of letters and digits, which needs no quotes anywhere: `2b1w`; `XO..` for positional."""
    feedback = from_label(label, tree.rules)
    if isinstance(feedback, Marks):
        return format_feedback(feedback)
    if isinstance(feedback, GrandFeedback):
        return f"{feedback.black}b{feedback.white}w{feedback.blue}h"
    return f"{feedback.black}b" if tree.rules.feedback.name == "black" else f"{feedback.black}b{feedback.white}w"


def to_json(tree: StrategyTree) -> str:
    """Write a tree as JSON: each node is {"guess": code, "next": {feedback: node}}; a leaf has no "next".

    >>> from entropeg.tree import build_tree
    >>> tree = build_tree("minimax", Rules.parse("2x2"))
    >>> json.loads(to_json(tree))["tree"]["guess"]
    'AA'
    """
    nodes: list[dict[str, Any]] = [{"guess": tree.code_text(node)} for node in range(len(tree))]
    for node in range(1, len(tree)):
        nodes[tree.parent[node]].setdefault("next", {})[_answer(tree, int(tree.label[node]))] = nodes[node]
    facts = {"total": tree.total, "mean": tree.mean, "worst": tree.worst, "histogram": tree.histogram}
    data = {"format": "entropeg-tree", "rules": str(tree.rules), "name": tree.name, **facts, "tree": nodes[0]}
    if 2 * tree.worst > DEEPEST:
        raise InputError(f"a tree of {tree.worst} turns is too deep for JSON: write it as .tree, .yaml, .dot or .txt")
    return json.dumps(data, indent=1)


def from_json(text: str) -> StrategyTree:
    """Read what `to_json` wrote.

    >>> from entropeg.tree import build_tree
    >>> tree = build_tree("minimax", Rules.parse("2x2"))
    >>> from_json(to_json(tree)) == tree
    True
    """
    data = parse_json(text)
    if not isinstance(data, dict) or not isinstance(data.get("rules"), str) or "tree" not in data:
        raise InputError("it has no 'rules' and 'tree': it is JSON, but not a tree of this program")
    entries: list[Entry] = []
    waiting: list[tuple[Any, int, str]] = [(data["tree"], -1, "")]
    while waiting:
        node, above, answer = waiting.pop()
        guess, following = (node.get("guess"), node.get("next", {})) if isinstance(node, dict) else (None, None)
        entries.append(Entry(str(guess), above, answer))
        if not isinstance(guess, str) or not isinstance(following, dict):
            raise InputError(f"{entry_place(entries, len(entries) - 1)} there is no guess with its branches")
        waiting += [(child, len(entries) - 1, key) for key, child in following.items()]
    return from_entries(Rules.parse(data["rules"]), entries, _name(data))


def walk(tree: StrategyTree) -> Iterator[tuple[int, int]]:
    """Nodes in preorder, with their depth.

    >>> from entropeg.tree import build_tree
    >>> tree = build_tree("minimax", Rules.parse("2x2"))
    >>> [(tree.code_text(node), depth) for node, depth in walk(tree)]
    [('AA', 0), ('BB', 1), ('AB', 1), ('BA', 2)]
    """
    waiting = [(0, 0)]
    while waiting:
        node, depth = waiting.pop()
        yield node, depth
        waiting += [(child, depth + 1) for _, child in reversed(list(tree.children(node)))]


def to_yaml(tree: StrategyTree) -> str:
    """Write a tree as YAML: a guess, then each feedback to its subtree; a leaf stands on the feedback's own line.

    >>> from entropeg.tree import build_tree
    >>> tree = build_tree("minimax", Rules.parse("2x2"))
    >>> print(to_yaml(tree), end="")
    rules: 2x2
    total: 8
    tree:
      AA:
        0b0w: BB
        1b0w:
          AB:
            0b2w: BA
    """
    lines = [f"rules: {tree.rules}", f"total: {tree.total}", "tree:"]
    for node, depth in walk(tree):
        indent = "  " * (2 * depth + 1)
        leaf = not any(True for _ in tree.children(node))
        if depth:
            answer = f"{indent[2:]}{_answer(tree, int(tree.label[node]))}:"
            lines.append(f"{answer} {tree.code_text(node)}" if leaf else answer)
        if not depth or not leaf:
            lines.append(f"{indent}{tree.code_text(node)}:{' {}' if leaf else ''}")
    return "\n".join(lines) + "\n"


def from_yaml(text: str) -> StrategyTree:
    """Read what `to_yaml` wrote: this part of YAML, with any indentation.

    >>> from entropeg.tree import build_tree
    >>> tree = build_tree("minimax", Rules.parse("2x2"))
    >>> from_yaml(to_yaml(tree)) == tree
    True
    """
    found = re.search(r"^rules:\s*(\S+)\s*$", text, re.MULTILINE)
    if found is None:
        raise InputError("it has no line 'rules:'")
    rules = Rules.parse(found[1])
    entries: list[Entry] = []
    stack: list[tuple[int, int, str]] = []  # indentation, entry (-1 for a feedback), feedback
    started = False
    for number, line in enumerate(text.splitlines(), start=1):
        if not started or not line.strip() or line.lstrip().startswith("#"):
            started = started or line.strip() == "tree:"
            continue
        indent = len(line) - len(line.lstrip())
        key, colon, value = line.strip().partition(":")
        while stack and stack[-1][0] >= indent:
            stack.pop()
        if not colon or (stack and stack[-1][1] < 0 and value.strip() not in ("", "{}")):
            raise InputError(
                f"line {number}: {quoted(line.strip())} is neither 'guess:' nor 'feedback:' nor 'feedback: guess'"
            )
        if stack and stack[-1][1] >= 0:
            if value.strip():
                entries.append(Entry(value.strip(), stack[-1][1], key, number))
            else:
                stack.append((indent, -1, key))
            continue
        above = stack[-2][1] if len(stack) > 1 else -1
        entries.append(Entry(key, above, stack[-1][2] if stack else "", number))
        stack.append((indent, len(entries) - 1, ""))
    return from_entries(rules, entries)


def to_dot(tree: StrategyTree) -> str:
    """Write a tree for Graphviz: `dot -Tsvg`.

    >>> from entropeg.tree import build_tree
    >>> tree = build_tree("minimax", Rules.parse("2x2"))
    >>> to_dot(tree).splitlines()[-2]
    '  n2 -> n3 [label="0b2w"];'
    """
    lines = ["digraph strategy {", f'  label="{tree.rules}";', "  node [shape=box, fontname=monospace];"]
    lines += [f'  n{node} [label="{tree.code_text(node)}"];' for node in range(len(tree))]
    lines += [
        f'  n{tree.parent[node]} -> n{node} [label="{_answer(tree, int(tree.label[node]))}"];'
        for node in range(1, len(tree))
    ]
    return "\n".join([*lines, "}"]) + "\n"


_DOT_LABEL = re.compile(r'^[ \t]*label="([^"]*)";', re.MULTILINE)
_DOT_NODE = re.compile(r'^[ \t]*n(\d{1,9}) \[label="([^"]*)"\];', re.MULTILINE)
_DOT_EDGE = re.compile(r'^[ \t]*n(\d{1,9}) -> n(\d{1,9}) \[label="([^"]*)"\];', re.MULTILINE)


def from_dot(text: str) -> StrategyTree:
    """Read what `to_dot` wrote.

    >>> from entropeg.tree import build_tree
    >>> tree = build_tree("minimax", Rules.parse("2x2"))
    >>> from_dot(to_dot(tree)) == tree
    True
    """
    title = _DOT_LABEL.search(text)
    if title is None:
        raise InputError('it does not name its rules in a line label="...";')
    ends = [found.start() for found in re.finditer("\n", text)]
    codes = {int(node[1]): (node[2], bisect_left(ends, node.start(1)) + 1) for node in _DOT_NODE.finditer(text)}
    above = {int(found[2]): (int(found[1]), found[3]) for found in _DOT_EDGE.finditer(text)}
    order = {node: number for number, node in enumerate(codes)}
    missing = next((node for node, (parent, _) in above.items() if parent not in order or node not in order), None)
    if missing is not None:
        raise InputError(f"the branch to n{missing} joins a node that is not there")
    entries = [
        Entry(code, order[above[node][0]] if node in above else -1, above.get(node, (0, ""))[1], line)
        for node, (code, line) in codes.items()
    ]
    return from_entries(Rules.parse(title[1]), entries)


def from_svg(text: str) -> StrategyTree:
    """Read the tree that a picture of this program carries in its metadata.

    >>> from entropeg.tree.picture import to_svg
    >>> from entropeg.tree import build_tree
    >>> tree = build_tree("minimax", Rules.parse("2x2"))
    >>> from_svg(to_svg(tree)) == tree
    True
    """
    import base64
    import binascii

    found = re.search(r'<metadata id="entropeg-tree">([^<]*)</metadata>', text)
    if found is None:
        raise InputError("this picture carries no tree: it was not made by this program, or is cut short")
    try:
        return from_compact(base64.b64decode(found[1], validate=True))
    except binascii.Error as error:
        raise InputError(f"the tree in the picture's metadata is damaged: {error}") from None
