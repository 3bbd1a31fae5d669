"""Looks at strategies for the page: kept in files, or played by a codebreaker and made node by node."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import Any

from entropeg.errors import InputError
from entropeg.feedback import Code, win_feedback
from entropeg.rules import Rules
from entropeg.tree.browse import Branch, NodeView, PlayerNodes, WrongPathError, view_tree
from entropeg.tree.files import read_nodes
from entropeg.tree.nodes import TreeNodes
from entropeg.web.errors import RefusedError, field
from entropeg.web.gate import codebreaker_of, rules_of
from entropeg.web.values import code_data, feedback_data

MOST_KEPT = 3_000_000
"""Nodes of trees, and codes of positions, that a process keeps: some hundred megabytes."""

_kept: OrderedDict[tuple[Any, ...], TreeNodes | PlayerNodes] = OrderedDict()


def node(data: dict[str, Any]) -> dict[str, Any]:
    """Return one node: of the file `path`, or of `codebreaker` under `rules`; `feedbacks` lead there.

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
        _forget()
    told = {"name": data["name"], **node_data(view, nodes.rules)}
    if isinstance(nodes, TreeNodes):
        told |= {"nodes": len(nodes), "total": nodes.total, "worst": nodes.worst}
    return told


def node_data(view: NodeView, rules: Rules) -> dict[str, Any]:
    """Return a node as plain data; the answer that wins is the last of its children."""
    turns = view.position.turns
    win = [Branch(win_feedback(rules), 1)] if view.wins else []
    return {
        "rules": str(rules),
        "path": [
            {"guess": code_data(turn.guess, rules), "feedback": feedback_data(turn.feedback, rules, turn.guess)}
            for turn in turns
        ],
        "guess": code_data(view.guess, rules),
        "left": view.left,
        "depth": len(turns),
        "expected": view.mean,
        "children": [_branch(branch, view.guess, rules) for branch in (*view.branches, *win)],
        "nodes": None,
        "total": None,
        "worst": None,
    }


def _branch(branch: Branch, guess: Code, rules: Rules) -> dict[str, Any]:
    return {
        "feedback": feedback_data(branch.feedback, rules, guess),
        "size": branch.size,
        "guess": None if branch.guess is None else code_data(branch.guess, rules),
        "leaf": branch.is_leaf,
        "expected": branch.mean,
        "win": branch.feedback == win_feedback(rules),
    }


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
                raise InputError(str(error).replace(str(path), path.name)) from None
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


def _forget() -> None:
    # What was looked at longest ago goes first; even the last one where it alone is too large.
    while sum(map(len, _kept.values())) > MOST_KEPT:
        _kept.popitem(last=False)
