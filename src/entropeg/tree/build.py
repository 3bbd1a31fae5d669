"""Building strategy trees: from one-step codebreakers by the kernels, from any other deterministic one by asking it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from entropeg import codebreakers
from entropeg.codes import CodeSet, guesses
from entropeg.feedback import Code
from entropeg.registry import name_of
from entropeg.rules import Blanks, Rules
from entropeg.search.grow import grow
from entropeg.tree.strategy import StrategyTree

if TYPE_CHECKING:
    from entropeg.search.tree import Node
    from entropeg.tree.kept import Kept


def build_tree(
    codebreaker: Any,
    rules: Rules,
    *,
    opening: Code | None = None,
    threads: int = 0,
    progress: Callable[[int], None] | None = None,
    kept: Kept | None = None,
) -> StrategyTree:
    """Build the tree that a deterministic codebreaker (or the one of that name) plays against every secret.

    `opening` replaces its first guess. `progress` is called with numbers of secrets finished, `secret_count` in all.
    With `kept` the tree grows in pieces that are put there, KeyboardInterrupt is heard at once, and pieces that are
    there already are not grown again. Raises TooLargeError beyond `search.grow.TREE_CODES` secrets, InputError where
    the codebreaker draws at random or would never find some secret.

    >>> from entropeg import Rules
    >>> build_tree("minimax", Rules.parse("3x3"), opening=(0, 1, 2)).total
    82
    """
    if isinstance(codebreaker, str):
        codebreaker = codebreakers.get(codebreaker)
    if kept is None:
        nodes = grow(codebreaker, rules, opening=opening, threads=threads, progress=progress)
    else:
        from entropeg.tree.pieces import grow_pieces

        nodes = grow_pieces(codebreaker, rules, kept, opening=opening, threads=threads, progress=progress)
    return StrategyTree(rules, nodes.guess, nodes.parent, nodes.label, name_of(codebreaker))


def tree_of_nodes(rules: Rules, root: Node, name: str = "optimal") -> StrategyTree:
    """Number the nodes of a strategy that the exact search found for a whole board, level by level.

    >>> from entropeg import Rules
    >>> from entropeg.search.optimum import optimal
    >>> tree_of_nodes(Rules.parse("3x4"), optimal(Rules.parse("3x4")).tree).total
    206
    """
    nodes, parent, label = [root], [-1], [-1]
    for here, node in enumerate(nodes):  # grows as it goes
        for by, child in sorted(node.children.items()):
            nodes.append(child)
            parent.append(here)
            label.append(by)
    legal = guesses(rules.with_limit(None))
    played = np.array([node.guess for node in nodes], legal.planes.dtype).T
    return StrategyTree(rules, legal.find(CodeSet(legal.rules, played)), parent, label, name)


def opening_classes(rules: Rules) -> list[Code]:
    """Return one guess of each class of openings that renaming colors and moving pegs make equal, the first of each.

    Exact for every feedback kind, since at the start no peg or color differs from another; with words or shapes
    every guess is returned, since there they do differ.

    >>> from entropeg import Rules, format_code
    >>> [format_code(code, Rules()) for code in opening_classes(Rules())]
    ['AAAA', 'AAAB', 'AABB', 'AABC', 'ABCD']
    """
    if not rules.is_symmetric:
        return list(guesses(rules))
    # A blank that secrets may hold as often as any color is one more color.
    blank = -1 if rules.blanks == Blanks.both and rules.repeats else rules.colors
    seen: dict[tuple[int, ...], Code] = {}
    for code in guesses(rules):
        counts = sorted((code.count(color) for color in set(code) if color != blank), reverse=True)
        seen.setdefault((code.count(blank), *counts), code)
    return list(seen.values())


class Opening(NamedTuple):
    """One opening and the tree that a codebreaker plays after it."""

    code: Code
    tree: StrategyTree


def openings(
    codebreaker: Any,
    rules: Rules,
    progress: Callable[[int], None] | None = None,
    kept: Kept | None = None,
    found: Callable[[Opening], None] | None = None,
) -> list[Opening]:
    """Build the tree of every opening class; the best first, by total, then worst case, then order.

    `progress` and `kept` are as for `build_tree`; `found` is called with each opening as it is finished.

    >>> from entropeg import Rules
    >>> [one.tree.total for one in openings("minimax", Rules.parse("3x3"))]
    [74, 82, 87]
    """
    if isinstance(codebreaker, str):
        codebreaker = codebreakers.get(codebreaker)
    made = []
    for code in opening_classes(rules):
        one = Opening(code, build_tree(codebreaker, rules, opening=code, progress=progress, kept=kept))
        if found is not None:
            found(one)
        made.append(one)
    return sorted(made, key=lambda one: (one.tree.total, one.tree.worst, one.code))
