"""Holds the nodes of a strategy tree: the guess at each, and how many guesses every secret takes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from entropeg import arguments
from entropeg.codes import CodeSet, format_code, guesses
from entropeg.errors import InputError
from entropeg.feedback import AnyFeedback, Code, FeedbackLike, check_feedback, from_label, label_of
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.tree.replay import Replay, check_clues, path_text, replay


class TreeNodes:
    """A guess for every position that a strategy itself can come to, over all secrets of the rules.

    Nodes are numbered level by level from 0, the children of a node together and by ascending feedback label. Arrays,
    one entry a node: `guess_index` (`int32`, place in the list of legal guesses), `parent` (`int32`, -1 for node 0),
    `label` (`int32`, the feedback that leads here, -1 for node 0). Two compare equal where rules, start, guesses and
    branches are the same. As a codebreaker they play what they say.

    `start` is the position from which the strategy plays, the start of the game unless it is one of `optimal` on a
    position; `secrets` are the codes that it finds: the candidates of that position, or the ones that have a weight.

    Everything that a `StrategyTree` knows but how to be built, loaded and saved: formats of files rest on this alone.

    >>> nodes = TreeNodes("1x2", [0, 1], [-1, 0], [-1, 0])
    >>> nodes.total, nodes.worst, nodes.histogram
    (3, 2, (1, 1))
    """

    deterministic: ClassVar[bool] = True

    def __init__(
        self,
        rules: Rules | str,
        guess: Any,
        parent: Any,
        label: Any,
        name: str = "tree",
        *,
        start: Position | None = None,
        secrets: CodeSet | None = None,
    ) -> None:
        """Take the arrays as they are; `check` plays every secret through them.

        Raises InputError where they are no nodes of a tree, numbered level by level.
        """
        self.rules: Rules = Rules.of(rules).with_limit(None)
        self.guess_index: NDArray[np.int32]
        self.parent: NDArray[np.int32]
        self.label: NDArray[np.int32]
        self.guess_index, self.parent, self.label = _nodes(self.rules, guess, parent, label)
        self.name: str = arguments.text(name, "the name of the tree")
        self.start: Position = Position(self.rules) if start is None else Position(self.rules, start.turns)
        self._secrets = secrets

    @property
    def secrets(self) -> CodeSet:
        """The codes that the strategy finds: the ones that are possible at its start, but for codes without weight."""
        return self.start.candidates if self._secrets is None else self._secrets

    def __len__(self) -> int:
        """Return the number of nodes: of guesses that the strategy can be brought to."""
        return len(self.guess_index)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, TreeNodes)
            and self.start == other.start
            and np.array_equal(self.guess_index, other.guess_index)
            and np.array_equal(self.parent, other.parent)
            and np.array_equal(self.label, other.label)
        )

    def __hash__(self) -> int:
        return hash((self.rules, self.guess_index.tobytes()))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.rules} from {self.code_text(0)}: {len(self)} nodes>"

    @cached_property
    def _replay(self) -> Replay:
        arrays = self.guess_index, self.parent, self.label
        if self.rules.hard:
            check_clues(self.rules, *arrays, self.start.turns)
        found = replay(self.rules.with_names, *arrays, self.secrets)
        wrong = [] if self.rules.is_named else np.flatnonzero(found.wins != (found.sizes == 1)).tolist()
        if wrong:
            turns = path_text(self.rules.with_names, *arrays, wrong[0])
            raise InputError("after {turns} the tree must name the secret that is left, and no other", turns)
        return found

    def check(self) -> Self:
        """Play every secret through the tree and return it.

        Raises InputError saying where a branch is missing or superfluous, or where a guess does not use every clue
        though the rules are hard.

        >>> TreeNodes("2x2", [0], [-1], [-1]).check()
        Traceback (most recent call last):
        ...
        entropeg.errors.InputError: after the start, guess AA, the tree has no branch for X, which the secret AB gives
        """
        _ = self._replay
        return self

    @property
    def turns(self) -> NDArray[np.int64]:
        """Number of guesses that each secret takes, in the order of `secrets`: `int64[secrets]`, exact."""
        return self._replay.turns - (not self.rules.is_named)

    @property
    def total(self) -> int:
        """Guesses over all secrets, the winning ones included; exact."""
        return int(self.turns.sum())

    @property
    def mean(self) -> float:
        """Mean number of guesses, all secrets equally likely."""
        return self.total / len(self.turns)

    @property
    def worst(self) -> int:
        """Most guesses that a secret takes."""
        return int(self.turns.max())

    @property
    def at_worst(self) -> int:
        """How many secrets take that many guesses."""
        return int((self.turns == self.worst).sum())

    @property
    def rank(self) -> tuple[int, int, int]:
        """What strategies are compared by, the least is best: total, worst case, secrets that take the worst case.

        >>> from entropeg import StrategyTree
        >>> StrategyTree.build("minimax", "4x6").rank
        (5801, 5, 694)
        """
        return self.total, self.worst, self.at_worst

    @property
    def histogram(self) -> tuple[int, ...]:
        """How many secrets take 1, 2, ... guesses."""
        return tuple(np.bincount(self.turns)[1:].tolist())

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many secrets come to each node: `int64[nodes]`."""
        return self._replay.sizes

    @property
    def wins(self) -> NDArray[np.bool_]:
        """Whether the guess of each node is right for one of the secrets that come to it: `bool[nodes]`."""
        return self._replay.wins

    @cached_property
    def subtotals(self) -> NDArray[np.int64]:
        """Guesses from each node on, its own included, over the secrets that come to it: `int64[nodes]`, exact.

        >>> from entropeg import StrategyTree
        >>> tree = StrategyTree.build("minimax", "3x3")
        >>> int(tree.subtotals[0]) == tree.total, int(tree.subtotals[-1])
        (True, 1)
        """
        # A secret is counted at every node that it comes to: the sizes of a subtree sum up to its guesses.
        found = self.sizes if self.rules.is_named else np.where(self.wins, 0, self.sizes)
        found = found.copy()
        ends = [0, 1]  # of levels
        while ends[-1] < len(self):
            ends.append(int(self._first_child[ends[-1]]))
        for start, end in reversed(list(pairwise(ends[1:]))):
            np.add.at(found, self.parent[start:end], found[start:end])
        return found

    @cached_property
    def _first_child(self) -> Any:
        return np.searchsorted(self.parent[1:], np.arange(len(self) + 1)) + 1

    def children(self, node: int) -> Iterator[tuple[int, int]]:
        """Give the feedback label and the node of each branch below a node, by ascending label.

        >>> from entropeg import StrategyTree
        >>> tree = StrategyTree.build("minimax", "3x3")
        >>> [(tree.feedback(node).black, tree.code_text(node)) for label, node in tree.children(0)][:2]
        [(0, 'CCC'), (0, 'BCC')]
        """
        node = self._numbered(node)
        for child in range(int(self._first_child[node]), int(self._first_child[node + 1])):
            yield int(self.label[child]), child

    def walk(self) -> Iterator[tuple[int, int]]:
        """Give all nodes in preorder, each with its depth.

        >>> from entropeg import StrategyTree
        >>> tree = StrategyTree.build("minimax", "2x2")
        >>> [(tree.code_text(node), depth) for node, depth in tree.walk()]
        [('AA', 0), ('BB', 1), ('AB', 1), ('BA', 2)]
        """
        waiting = [(0, 0)]
        while waiting:
            node, depth = waiting.pop()
            yield node, depth
            waiting += [(child, depth + 1) for _, child in reversed(list(self.children(node)))]

    def is_leaf(self, node: int) -> bool:
        """Tell whether no branch goes on from a node.

        >>> TreeNodes("1x2", [0, 1], [-1, 0], [-1, 0]).is_leaf(1)
        True
        """
        return next(self.children(node), None) is None

    def _numbered(self, node: int) -> int:
        return arguments.whole(node, "the number of the node", least=0, most=len(self) - 1)

    def child(self, node: int, feedback: FeedbackLike) -> int | None:
        """Return the node after one more feedback, None where no secret gives it.

        >>> from entropeg import StrategyTree
        >>> tree = StrategyTree.build("minimax", "3x3")
        >>> tree.child(0, "-"), tree.child(0, (3, 0))
        (1, None)
        """
        wanted = label_of(check_feedback(feedback, self.rules), self.rules)
        return next((child for label, child in self.children(node) if label == wanted), None)

    def code(self, node: int) -> Code:
        """Return the guess of a node.

        >>> from entropeg import StrategyTree
        >>> tree = StrategyTree.build("minimax", "3x3")
        >>> tree.code(0)
        (0, 0, 1)
        """
        return guesses(self.rules.with_names)[int(self.guess_index[self._numbered(node)])]

    def code_text(self, node: int) -> str:
        """Return the guess of a node as text.

        >>> from entropeg import StrategyTree
        >>> tree = StrategyTree.build("minimax", "3x3")
        >>> tree.code_text(0)
        'AAB'
        """
        return format_code(self.code(node), self.rules)

    def feedback(self, node: int) -> AnyFeedback:
        """Return the feedback that leads to a node (not for node 0).

        >>> from entropeg import StrategyTree
        >>> tree = StrategyTree.build("minimax", "3x3")
        >>> tree.feedback(1)
        Feedback(black=0, white=0)
        """
        if self._numbered(node) == 0:
            raise InputError("no feedback leads to node 0: it is the first guess")
        return from_label(int(self.label[node]), self.rules)

    def path_text(self, node: int) -> str:
        """Return the turns that lead to a node: `AABB XO, CDEF -`.

        >>> from entropeg import StrategyTree
        >>> tree = StrategyTree.build("minimax", "3x3")
        >>> tree.path_text(0), tree.path_text(2)
        ('the start', 'AAB O')
        """
        node = self._numbered(node)
        return path_text(self.rules, self.guess_index, self.parent, self.label, node)

    def guess(self, position: Position | Rules | str, rng: np.random.Generator | None = None) -> Code:
        """Return the guess of the tree; raises InputError where the position is not one that the tree comes to.

        >>> from entropeg import StrategyTree
        >>> tree = StrategyTree.build("minimax", "3x3")
        >>> tree.guess("3x3")
        (0, 0, 1)
        """
        position = Position.of(position)
        if position.rules.with_limit(None) != self.rules:
            raise InputError("this tree is for {rules}, not for {others}", self.rules, position.rules)
        before = len(self.start.turns)
        if position.turns[:before] != self.start.turns:
            raise InputError("this tree begins after {start}, not at {position}", self.start, position)
        node = 0
        for number, turn in enumerate(position.turns[before:], start=before + 1):
            if turn.guess != self.code(node):
                played = format_code(turn.guess, self.rules)
                raise InputError(
                    "the tree plays {guess} at turn {turn}, not {played}: it has no advice from there",
                    *(self.code_text(node), number, played),
                )
            below = self.child(node, turn.feedback)
            if below is None:
                position.check_consistent()
                raise InputError("the tree has no branch after turn {turn}", number)
            node = below
        return self.code(node)


def _nodes(rules: Rules, guess: Any, parent: Any, label: Any) -> tuple[NDArray[np.int32], ...]:
    # As int32; a parent comes before its children, which stand together, so that levels follow one another.
    arrays = [np.asarray(values) for values in (guess, parent, label)]
    if any(values.ndim != 1 or values.dtype.kind not in "ui" for values in arrays):
        raise InputError("a tree is three arrays of whole numbers: the guess, parent and label of each node")
    count = len(arrays[0])
    if not count or any(len(values) != count for values in arrays):
        raise InputError("the arrays of a tree have {counts:list} nodes", [len(values) for values in arrays])
    bounds = (0, rules.with_names.guess_count), (-1, count), (-1, rules.label_count)
    if any(values.min() < least or values.max() >= most for values, (least, most) in zip(arrays, bounds, strict=True)):
        raise InputError("the arrays of a tree hold a guess, parent or label that {rules} does not have", rules)
    above = arrays[1]
    if above[0] != -1 or (above[1:] < 0).any() or (above >= np.arange(count)).any() or (above[1:] < above[:-1]).any():
        raise InputError("the nodes of a tree are numbered level by level, and node 0 alone has no parent, -1")
    if (arrays[2][1:] < 0).any():
        raise InputError("a node of the tree other than the first has no feedback that leads to it")
    return tuple(values.astype(np.int32) for values in arrays)
