"""Building strategy trees: from one-step codebreakers by the kernels, from any other deterministic one by asking it."""

from __future__ import annotations

from collections.abc import Callable

from entropeg import arguments, codebreakers
from entropeg.codebreakers import Codebreaker
from entropeg.codes import AnyCode, check_code
from entropeg.errors import InputError
from entropeg.position import Position
from entropeg.processors import MOST_PROCESSORS
from entropeg.registry import name_of
from entropeg.rules import Rules
from entropeg.search.grow import ask, check_growable, grow
from entropeg.tree.kept import KeptPieces
from entropeg.tree.nodes import TreeNodes
from entropeg.tree.pieces import grow_pieces


def build_nodes(
    codebreaker: Codebreaker | str,
    board: Position | Rules | str,
    *,
    opening: AnyCode | None = None,
    threads: int = 0,
    progress: Callable[[int], None] | None = None,
    kept: KeptPieces | None = None,
) -> TreeNodes:
    """Build the nodes of the tree that a deterministic codebreaker plays, as `StrategyTree.build` describes.

    >>> build_nodes("minimax", "3x3", opening="ABC").total
    82
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
        nodes = grow_pieces(codebreaker, rules, kept, opening=opening, threads=threads, progress=progress)
    return TreeNodes(rules, nodes.guess, nodes.parent, nodes.label, name_of(codebreaker))


def _from(
    codebreaker: Codebreaker,
    start: Position,
    opening: AnyCode | None,
    kept: KeptPieces | None,
    progress: Callable[[int], None] | None,
) -> TreeNodes:
    if opening is not None or kept is not None:
        raise InputError("a tree from a position has no opening, and no pieces of it are kept")
    if start.is_over:
        raise InputError(f"after {start} the game is over: there is nothing left to guess")
    check_growable(codebreaker, start.rules)
    start.check_consistent()
    arguments.call(progress, "progress")
    nodes = ask(codebreaker, Position(start.rules.with_limit(None), start.turns), progress=progress)
    return TreeNodes(start.rules, nodes.guess, nodes.parent, nodes.label, name_of(codebreaker), start=start)
