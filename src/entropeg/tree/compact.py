"""Trees in few bytes: a line of JSON, then guesses, numbers of branches and feedbacks, compressed."""

from __future__ import annotations

import json
import zlib

import numpy as np

from entropeg.errors import InputError, quoted
from entropeg.files import inflated, parse_json
from entropeg.rules import Rules
from entropeg.tree.entries import tree_name
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
    return TreeNodes(rules, guess, parent, label, tree_name(header))
