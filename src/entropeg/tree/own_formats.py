"""Trees as this program writes them: in few bytes, as JSON and YAML, which are read again, and for Graphviz."""

from __future__ import annotations

import json
import re
import zlib
from typing import Any

import numpy as np

from entropeg.errors import InputError
from entropeg.feedback import from_label
from entropeg.files import inflated, parse_json
from entropeg.files.reading import DEEPEST
from entropeg.rules import Rules
from entropeg.tree.entries import Entry, entry_place, from_entries, tree_name
from entropeg.tree.nodes import TreeNodes

MAGIC = b"entropeg strategy tree 1\n"


def to_compact(tree: TreeNodes) -> bytes:
    """Write a tree in few bytes: a header line of JSON, then guesses, numbers of branches and labels, compressed.

    5x8 takes about 100 KB.

    >>> from entropeg import StrategyTree
    >>> tree = StrategyTree.build("minimax", "2x2")
    >>> to_compact(tree)[:24]
    b'entropeg strategy tree 1'
    """
    branches = np.bincount(tree.parent[1:], minlength=len(tree))
    columns = (tree.guess_index.astype("<u4"), branches.astype("<u2"), tree.label[1:].astype("<u4"))
    body = zlib.compress(b"".join(column.tobytes() for column in columns), 9)
    header = {"rules": str(tree.rules), "name": tree.name, "nodes": len(tree), "crc32": zlib.crc32(body)}
    return MAGIC + json.dumps(header).encode() + b"\n" + body


def from_compact(content: bytes) -> TreeNodes:
    """Read what `to_compact` wrote; raises InputError where it is cut short or changed.

    >>> from entropeg import StrategyTree
    >>> tree = StrategyTree.build("minimax", "2x2")
    >>> from_compact(to_compact(tree)) == tree
    True
    """
    magic, _, rest = content.partition(b"\n")
    if magic + b"\n" != MAGIC:
        version = magic.decode(errors="replace")
        raise InputError("it is of another version ({version!r}); this program reads version 1", version)
    line, _, body = rest.partition(b"\n")
    try:
        header = parse_json(line.decode())
        named, count, checksum = str(header["rules"]), header["nodes"], header["crc32"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError("its header, line 2, is damaged: {error}", error) from None
    rules = Rules.parse(named)
    if type(count) is not int or count < 1:
        raise InputError("its header, line 2, says that it has {count!r} nodes; it must have 1 at least", count)
    if zlib.crc32(body) != checksum:
        raise InputError("its {count} bytes after line 2 are damaged or cut short: their checksum is wrong", len(body))
    data = inflated(body, 10 * count)
    if len(data) != 10 * count - 4:
        raise InputError(
            "it should hold {nodes} nodes, which take {wanted} bytes, and holds {found}",
            *(count, 10 * count - 4, len(data)),
        )
    guess = np.frombuffer(data, "<u4", count).astype(np.int32)
    branches = np.frombuffer(data, "<u2", count, 4 * count)
    label = np.concatenate(([-1], np.frombuffer(data, "<u4", count - 1, 6 * count).astype(np.int32)))
    if int(branches.sum()) != count - 1 or (guess < 0).any() or int(guess.max()) >= rules.with_names.guess_count:
        raise InputError(
            "its nodes do not fit together: the branches are not as many as the nodes, or a guess does not exist"
        )
    parent = np.concatenate(([-1], np.repeat(np.arange(count), branches))).astype(np.int32)
    if (parent >= np.arange(count)).any() or int(label.max()) >= rules.label_count:
        raise InputError("its nodes do not fit together: a node comes before its parent, or a feedback does not exist")
    return TreeNodes(rules, guess, parent, label, tree_name(header))


def _answer(tree: TreeNodes, label: int) -> str:
    """Feedback as a word of letters and digits, which needs no quotes anywhere: `2b1w`; `XO..` for positional."""
    return tree.rules.feedback.about.word(from_label(label, tree.rules))


def to_json(tree: TreeNodes) -> str:
    """Write a tree as JSON: each node is {"guess": code, "next": {feedback: node}}; a leaf has no "next".

    >>> from entropeg import StrategyTree
    >>> tree = StrategyTree.build("minimax", "2x2")
    >>> json.loads(to_json(tree))["tree"]["guess"]
    'AA'
    """
    nodes: list[dict[str, Any]] = [{"guess": tree.code_text(node)} for node in range(len(tree))]
    for node in range(1, len(tree)):
        nodes[tree.parent[node]].setdefault("next", {})[_answer(tree, int(tree.label[node]))] = nodes[node]
    facts = {"total": tree.total, "mean": tree.mean, "worst": tree.worst, "histogram": tree.histogram}
    data = {"format": "entropeg-tree", "rules": str(tree.rules), "name": tree.name, **facts, "tree": nodes[0]}
    if 2 * tree.worst > DEEPEST:
        raise InputError(
            "a tree of {turns} turns is too deep for JSON: write it as .tree, .yaml, .dot or .txt", tree.worst
        )
    return json.dumps(data, indent=1)


def from_json(text: str) -> TreeNodes:
    """Read what `to_json` wrote.

    >>> from entropeg import StrategyTree
    >>> tree = StrategyTree.build("minimax", "2x2")
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
            raise InputError("{place} there is no guess with its branches", entry_place(entries, len(entries) - 1))
        waiting += [(child, len(entries) - 1, key) for key, child in following.items()]
    return from_entries(Rules.parse(data["rules"]), entries, tree_name(data))


def to_yaml(tree: TreeNodes) -> str:
    """Write a tree as YAML: a guess, then each feedback to its subtree; a leaf stands on the feedback's own line.

    >>> from entropeg import StrategyTree
    >>> tree = StrategyTree.build("minimax", "2x2")
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
    for node, depth in tree.walk():
        indent = "  " * (2 * depth + 1)
        leaf = tree.is_leaf(node)
        if depth:
            answer = f"{indent[2:]}{_answer(tree, int(tree.label[node]))}:"
            lines.append(f"{answer} {tree.code_text(node)}" if leaf else answer)
        if not depth or not leaf:
            lines.append(f"{indent}{tree.code_text(node)}:{' {}' if leaf else ''}")
    return "\n".join(lines) + "\n"


def from_yaml(text: str) -> TreeNodes:
    """Read what `to_yaml` wrote: this part of YAML, with any indentation.

    >>> from entropeg import StrategyTree
    >>> tree = StrategyTree.build("minimax", "2x2")
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
                "line {line}: {text!r} is neither 'guess:' nor 'feedback:' nor 'feedback: guess'", number, line.strip()
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


def to_dot(tree: TreeNodes) -> str:
    """Write a tree for Graphviz: `dot -Tsvg`.

    >>> from entropeg import StrategyTree
    >>> tree = StrategyTree.build("minimax", "2x2")
    >>> to_dot(tree).splitlines()[-2]
    '  n2 -> n3 [label="0b2w"];'
    """
    lines = ["digraph strategy {", f'  label="{tree.rules}";', "  node [shape=box, fontname=monospace];"]
    lines += [f'  n{node} [label="{_quoted(tree.code_text(node))}"];' for node in range(len(tree))]
    lines += [
        f'  n{tree.parent[node]} -> n{node} [label="{_shown_answer(tree, node)}"];' for node in range(1, len(tree))
    ]
    return "\n".join([*lines, "}"]) + "\n"


def to_mermaid(tree: TreeNodes) -> str:
    """Write a tree as a flow chart of Mermaid, which many pages of text draw.

    >>> from entropeg import StrategyTree
    >>> print(to_mermaid(StrategyTree.build("minimax", "2x2")).splitlines()[-1])
      n2 -->|"0b2w"| n3
    """
    lines = [f"%% entropeg strategy of {tree.rules}", "flowchart TD"]
    lines += [f'  n{node}["{_quoted(tree.code_text(node))}"]' for node in range(len(tree))]
    lines += [f'  n{tree.parent[node]} -->|"{_shown_answer(tree, node)}"| n{node}' for node in range(1, len(tree))]
    return "\n".join(lines) + "\n"


def _shown_answer(tree: TreeNodes, node: int) -> str:
    # For people: the names that answers of a table have, the letters of all others.
    answer, about = from_label(int(tree.label[node]), tree.rules), tree.rules.feedback.about
    return _quoted(about.text(answer) if about.is_listed else about.word(answer))


def _quoted(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;")
