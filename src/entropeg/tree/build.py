"""Building strategy trees: from one-step codebreakers by the kernels, from any other deterministic one by asking it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from entropeg import arguments, codebreakers
from entropeg.codebreakers import Codebreaker
from entropeg.codes import AnyCode, CodeSet, check_code, guesses
from entropeg.errors import InputError
from entropeg.feedback import Code
from entropeg.position import Position
from entropeg.processors import MOST_PROCESSORS
from entropeg.registry import name_of
from entropeg.rules import Blanks, Rules
from entropeg.search.grow import ask, check_growable, grow
from entropeg.tree.strategy import StrategyTree

if TYPE_CHECKING:
    from entropeg.search.tree import Node
    from entropeg.tree.kept import Kept


def build_tree(
    codebreaker: Codebreaker | str,
    board: Position | Rules | str,
    *,
    opening: AnyCode | None = None,
    threads: int = 0,
    progress: Callable[[int], None] | None = None,
    kept: Kept | None = None,
) -> StrategyTree:
    """Build the tree that a deterministic codebreaker (or the one of that name) plays against every secret.

    `board` is the rules, or a position that a game may have come to: then the tree finds the codes left there, counts
    guesses from there on, and `opening` and `kept` are not for it.

    `opening` replaces its first guess. `progress` is called with numbers of secrets finished, `secret_count` in all.
    With `kept` the tree grows in pieces that are put there, KeyboardInterrupt is heard at once, and pieces that are
    there already are not grown again. Raises TooLargeError beyond `search.grow.TREE_CODES` secrets, InputError where
    the codebreaker draws at random or would never find some secret.

    >>> build_tree("minimax", "3x3", opening="ABC").total
    82
    >>> from entropeg import Position
    >>> build_tree("minimax", Position("4x6").after("AABB", "XO")).histogram
    (0, 10, 82, 116)
    """
    codebreaker, start = codebreakers.of(codebreaker), Position.of(board)
    if start.turns:
        return _from(codebreaker, start, opening, kept, progress)
    rules = start.rules
    opening = None if opening is None else check_code(opening, rules)
    threads = arguments.whole(threads, "the number of threads", least=0, most=MOST_PROCESSORS)
    arguments.call(progress, "progress")
    if kept is None:
        nodes = grow(codebreaker, rules, opening=opening, threads=threads, progress=progress)
    else:
        from entropeg.tree.pieces import grow_pieces

        nodes = grow_pieces(codebreaker, rules, kept, opening=opening, threads=threads, progress=progress)
    return StrategyTree(rules, nodes.guess, nodes.parent, nodes.label, name_of(codebreaker))


def _from(
    codebreaker: Codebreaker,
    start: Position,
    opening: AnyCode | None,
    kept: Kept | None,
    progress: Callable[[int], None] | None,
) -> StrategyTree:
    if opening is not None or kept is not None:
        raise InputError("a tree from a position has no opening, and no pieces of it are kept")
    if start.is_over:
        raise InputError(f"after {start} the game is over: there is nothing left to guess")
    check_growable(codebreaker, start.rules)
    start.check_consistent()
    arguments.call(progress, "progress")
    nodes = ask(codebreaker, Position(start.rules.with_limit(None), start.turns), progress=progress)
    return StrategyTree(start.rules, nodes.guess, nodes.parent, nodes.label, name_of(codebreaker), start=start)


def tree_of_nodes(
    root: Node, start: Position | Rules | str, secrets: CodeSet | None = None, name: str = "optimal"
) -> StrategyTree:
    """Number the nodes of a strategy that the exact search found for a position, or a whole board, level by level.

    `secrets` are the codes that it finds, where they are not all that the position leaves.

    >>> from entropeg import optimal
    >>> tree_of_nodes(optimal("3x4").root, "3x4").total
    206
    """
    start = Position.of(start)
    rules = start.rules
    nodes, parent, label = [root], [-1], [-1]
    for here, node in enumerate(nodes):  # grows as it goes
        for by, child in sorted(node.children.items()):
            nodes.append(child)
            parent.append(here)
            label.append(by)
    legal = guesses(rules.with_limit(None))
    played = np.array([node.guess for node in nodes], legal.planes.dtype).T
    found = legal.find(CodeSet(legal.rules, played))
    return StrategyTree(rules, found, parent, label, name, start=start, secrets=secrets)


def opening_classes(rules: Rules | str) -> list[Code]:
    """Return one guess of each class of openings that renaming colors and moving pegs make equal, the first of each.

    Exact for every feedback kind, since at the start no peg or color differs from another; with words or shapes
    every guess is returned, since there they do differ.

    >>> from entropeg import format_code
    >>> [format_code(code, "4x6") for code in opening_classes("4x6")]
    ['AAAA', 'AAAB', 'AABB', 'AABC', 'ABCD']
    """
    rules = Rules.of(rules)
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
    codebreaker: Codebreaker | str,
    rules: Rules | str,
    progress: Callable[[int], None] | None = None,
    kept: Kept | None = None,
    found: Callable[[Opening], None] | None = None,
) -> list[Opening]:
    """Build the tree of every opening class; the best first, by total, worst case, secrets that take it, order.

    `progress` and `kept` are as for `build_tree`; `found` is called with each opening as it is finished.

    >>> [one.tree.total for one in openings("minimax", "3x3")]
    [74, 82, 87]
    """
    codebreaker, rules = codebreakers.of(codebreaker), Rules.of(rules)
    made = []
    for code in opening_classes(rules):
        one = Opening(code, build_tree(codebreaker, rules, opening=code, progress=progress, kept=kept))
        if found is not None:
            found(one)
        made.append(one)
    return sorted(made, key=lambda one: (*one.tree.rank, one.code))
