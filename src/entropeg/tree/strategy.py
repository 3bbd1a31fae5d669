"""The strategy tree that users hold: it is built, loaded and saved, and plays; and the trees of all first guesses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from entropeg import arguments, codebreakers
from entropeg.codebreakers import Codebreaker
from entropeg.codes import AnyCode, CodeSet, check_code, guesses
from entropeg.errors import InputError
from entropeg.executors import Crew, Executor, instead_of_threads, kept_open
from entropeg.feedback import Code
from entropeg.position import Position
from entropeg.processors import MOST_PROCESSORS
from entropeg.registry import name_of
from entropeg.rules import Rules
from entropeg.search.grow import ask, check_growable, grow
from entropeg.search.strategies import Node
from entropeg.symmetry import opening_classes
from entropeg.tree.files import read_nodes, write_nodes
from entropeg.tree.kept import KeptPieces
from entropeg.tree.nodes import TreeNodes
from entropeg.tree.picture import NOTEBOOK_ROWS, to_svg
from entropeg.tree.pieces import grow_pieces


class StrategyTree(TreeNodes):
    """A guess for every position that the strategy itself can come to, over all secrets of the rules.

    What its nodes hold, and what can be asked of them, stands at `tree.nodes.TreeNodes`.

    >>> tree = StrategyTree.build("minimax", "3x3")
    >>> tree.total, tree.worst, tree.histogram
    (74, 4, (1, 7, 17, 2))
    """

    @classmethod
    def build(
        cls,
        codebreaker: Codebreaker | str,
        board: Position | Rules | str,
        *,
        opening: AnyCode | None = None,
        threads: int = 0,
        executor: Executor | Crew | str | None = None,
        progress: Callable[[int], None] | None = None,
        kept: KeptPieces | None = None,
    ) -> Self:
        """Build the tree that a deterministic codebreaker, or the one of that name, plays against every secret.

        `board` is the rules, or a position that a game may have come to: then the tree finds the codes left there,
        counts guesses from there on, and `opening` and `kept` are not for it.

        `opening` replaces its first guess. `progress` is called with numbers of secrets finished, `secret_count` in
        all. With `kept` the tree grows in pieces that are put there, KeyboardInterrupt is heard at once, and pieces
        that are there already are not grown again. It grows in `threads`, 0 for one a processor, or by an `executor`,
        as `processes:4`; the tree is the same. Raises TooLargeError beyond `search.grow.TREE_CODES` secrets,
        InputError where the codebreaker draws at random or would never find some secret.

        >>> StrategyTree.build("minimax", "3x3", opening="ABC").total
        82
        >>> StrategyTree.build("minimax", Position("4x6").after("AABB", "XO")).histogram
        (0, 10, 82, 116)
        """
        codebreaker, start = codebreakers.of(codebreaker), Position.of(board)
        if start.turns:
            if opening is not None or kept is not None:
                raise InputError("a tree from a position has no opening, and no pieces of it are kept")
            return cls._from(codebreaker, start, progress)
        rules = start.rules
        opening = None if opening is None else check_code(opening, rules)
        threads = arguments.whole(threads, "the number of threads", least=0, most=MOST_PROCESSORS)
        arguments.call(progress, "progress")
        placed = instead_of_threads(executor, threads)
        how: dict[str, Any] = {"opening": opening, "threads": threads, "progress": progress}
        if placed is None and kept is None:
            nodes = grow(codebreaker, rules, **how)
        else:
            nodes = grow_pieces(codebreaker, rules, kept or KeptPieces(None, ""), executor=placed, **how)
        return cls(rules, nodes.guess, nodes.parent, nodes.label, name_of(codebreaker))

    @classmethod
    def _from(cls, codebreaker: Codebreaker, start: Position, progress: Callable[[int], None] | None) -> Self:
        if start.is_over:
            raise InputError("after {turns} the game is over: there is nothing left to guess", start)
        check_growable(codebreaker, start.rules)
        start.check_consistent()
        arguments.call(progress, "progress")
        nodes = ask(codebreaker, Position(start.rules.with_limit(None), start.turns), progress=progress)
        return cls(start.rules, nodes.guess, nodes.parent, nodes.label, name_of(codebreaker), start=start)

    @classmethod
    def load(cls, path: str | Path, rules: Rules | str | None = None) -> Self:
        """Read a tree file of any format, by its content, and play every secret through it.

        `rules` are needed for punch cards, lists in YAML and bracket trees, which do not name them (docs/do/trees.md),
        and must agree with a file that does. Raises InputError saying where the file is damaged, or after which turns
        the strategy is incomplete.

        >>> from tempfile import TemporaryDirectory
        >>> tree = StrategyTree.build("minimax", "3x3")
        >>> with TemporaryDirectory() as folder:
        ...     tree.save(f"{folder}/a.json")
        ...     StrategyTree.load(f"{folder}/a.json") == tree
        True
        """
        # The same nodes, with the facts found out about them.
        tree = cls.__new__(cls)
        vars(tree).update(vars(read_nodes(path, rules)))
        return tree

    def _repr_svg_(self) -> str:
        """Show the tree in a notebook: about 40 positions at most, smaller subtrees folded."""
        return to_svg(self, NOTEBOOK_ROWS, metadata="")

    def save(self, path: str | Path) -> None:
        """Write the tree in the format that the ending names: .tree (compact), .json, .yaml, .dot, .svg or .txt.

        The file is written whole or not at all; `-` is standard output, in JSON. Raises InputError for another ending,
        where there is a file that is no tree (see `files.replacing`), and where it cannot be written.

        >>> StrategyTree.build("minimax", "3x3").save("none/a.tree")
        Traceback (most recent call last):
        ...
        entropeg.errors.InputError: none/a.tree cannot be written: there is no folder none
        """
        write_nodes(self, path)


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
    legal = guesses(rules.with_limit(None).with_names)
    played = np.array([node.guess for node in nodes], legal.planes.dtype).T
    found = legal.find(CodeSet(legal.rules, played))
    return StrategyTree(rules, found, parent, label, name, start=start, secrets=secrets)


class Opening(NamedTuple):
    """One opening and the tree that a codebreaker plays after it."""

    code: Code
    tree: StrategyTree


def openings(
    codebreaker: Codebreaker | str,
    rules: Rules | str,
    progress: Callable[[int], None] | None = None,
    kept: KeptPieces | None = None,
    found: Callable[[Opening], None] | None = None,
    *,
    executor: Executor | Crew | str | None = None,
) -> list[Opening]:
    """Build the tree of every opening class; the best first, by total, worst case, secrets that take it, order.

    `executor`, `progress` and `kept` are as for `StrategyTree.build`; `found` is called with each opening as it is
    finished.

    >>> [one.tree.total for one in openings("minimax", "3x3")]
    [74, 82, 87]
    """
    codebreaker, rules = codebreakers.of(codebreaker), Rules.of(rules)
    made = []
    with kept_open(executor) as where:
        how: dict[str, Any] = {"progress": progress, "kept": kept, "executor": where}
        for code in opening_classes(rules):
            one = Opening(code, StrategyTree.build(codebreaker, rules, opening=code, **how))
            if found is not None:
                found(one)
            made.append(one)
    return sorted(made, key=lambda one: (*one.tree.rank, one.code))
