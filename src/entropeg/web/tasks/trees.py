"""Looks at strategies for the page: kept in files, or played by a codebreaker and made node by node."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from entropeg.errors import InputError
from entropeg.plain_values import PlainValue
from entropeg.told import with_names
from entropeg.tree.browse import NodeView, PlayerNodes, WrongPathError, view_tree
from entropeg.tree.files import read_nodes
from entropeg.tree.nodes import TreeNodes
from entropeg.web.inputs import codebreaker_of, rules_of
from entropeg.web.refusals import RefusedError, field

_kept: OrderedDict[tuple[Any, ...], TreeNodes | PlayerNodes] = OrderedDict()


@dataclass(frozen=True)
class TreeNode(PlainValue):
    """A node of a strategy; of a file also how many nodes the whole tree has, its total and its worst case."""

    name: str
    node: NodeView
    nodes: int | None = None
    total: int | None = None
    worst: int | None = None


def node(data: dict[str, Any]) -> dict[str, Any]:
    """Tell one `TreeNode`: of the file `path`, or of `codebreaker` under `rules`; `feedbacks` lead there.

    The guesses below it are asked of a codebreaker for `seconds`.
    """
    nodes = _file(data) if data["path"] else _player(data)
    try:
        if isinstance(nodes, PlayerNodes):
            view = nodes.view(data["feedbacks"], seconds=data["seconds"])
        else:
            view = view_tree(nodes, data["feedbacks"])
    except WrongPathError as error:
        raise RefusedError(str(error), f"path.{error.step}", next(iter(error.possible), None)) from None
    finally:
        # The tree that was looked at longest ago goes first; even the last one where it alone is too large.
        # Three million nodes of trees, and codes of positions, take some hundred megabytes.
        while sum(map(len, _kept.values())) > 3_000_000:
            _kept.popitem(last=False)
    if isinstance(nodes, PlayerNodes):
        return TreeNode(data["name"], view).to_json()
    return TreeNode(data["name"], view, len(nodes), nodes.total, nodes.worst).to_json()


def _file(data: dict[str, Any]) -> TreeNodes:
    path = Path(data["path"])
    status = path.stat()
    key = (data["path"], status.st_mtime_ns, status.st_size, data["rules"])
    if key not in _kept:
        rules = None if data["rules"] is None else rules_of(data["rules"], data["limits"])
        with field("name"):
            try:
                _kept[key] = read_nodes(path, rules)
            except InputError as error:
                raise InputError(with_names(str(error), lambda name: name.replace(str(path), path.name))) from None
    _kept.move_to_end(key)
    found = _kept[key]
    assert isinstance(found, TreeNodes)
    return found


def _player(data: dict[str, Any]) -> PlayerNodes:
    key = (data["codebreaker"], data["rules"])
    if key not in _kept:
        rules = rules_of(data["rules"], data["limits"], "name")
        player = codebreaker_of(data["codebreaker"], "name")
        with field("name", "entropy@4x6"):
            _kept[key] = PlayerNodes(player, rules)
    _kept.move_to_end(key)
    found = _kept[key]
    assert isinstance(found, PlayerNodes)
    return found
