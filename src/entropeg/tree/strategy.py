"""The strategy tree itself."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from entropeg.codes import format_code, guesses
from entropeg.errors import InputError
from entropeg.feedback import AnyFeedback, Code, from_label, label_of
from entropeg.tree.replay import Replay, path_text, replay

if TYPE_CHECKING:
    from pathlib import Path

    from entropeg.position import Position
    from entropeg.rules import Rules


class StrategyTree:
    """A guess for every position that the strategy itself can come to, over all secrets of the rules.

    Nodes are numbered level by level from 0, the children of a node together and by ascending feedback label. Arrays,
    one entry a node: `guess` (`int32`, index in the list of legal guesses), `parent` (`int32`, -1 for node 0),
    `label` (`int32`, the feedback that leads here, -1 for node 0). A tree compares equal to one with the same rules,
    guesses and branches. As a codebreaker it plays what it says.

    >>> from entropeg import Rules
    >>> tree = StrategyTree.build("minimax", Rules.parse("3x3"))
    >>> tree.total, tree.worst, tree.histogram
    (74, 4, (1, 7, 17, 2))
    """

    deterministic: ClassVar[bool] = True

    def __init__(self, rules: Rules, guess: Any, parent: Any, label: Any, name: str = "tree") -> None:
        """Take the arrays as they are; `check` plays every secret through them."""
        self.rules = rules.with_limit(None)
        self.guess_index = np.asarray(guess, np.int32)
        self.parent = np.asarray(parent, np.int32)
        self.label = np.asarray(label, np.int32)
        self.name = name

    @classmethod
    def build(cls, codebreaker: Any, rules: Rules, **options: Any) -> StrategyTree:
        """Build the tree that a deterministic codebreaker, or the one of that name, plays.

        See `tree.build_tree` for the options.

        >>> from entropeg import Rules
        >>> StrategyTree.build("minimax", Rules.parse("3x3"), opening=(0, 1, 2)).total
        82
        """
        from entropeg.tree.build import build_tree

        return build_tree(codebreaker, rules, **options)

    @classmethod
    def load(cls, path: str | Path, rules: Rules | None = None) -> StrategyTree:
        """Read a tree file of any of the formats, and check it; see `tree.load_tree`.

        >>> from entropeg import Rules
        >>> from tempfile import TemporaryDirectory
        >>> tree = StrategyTree.build("minimax", Rules.parse("3x3"))
        >>> with TemporaryDirectory() as folder:
        ...     tree.save(f"{folder}/a.json")
        ...     StrategyTree.load(f"{folder}/a.json") == tree
        True
        """
        from entropeg.tree.files import load_tree

        return load_tree(path, rules)

    def save(self, path: str | Path) -> None:
        """Write the tree in the format that the file's ending names; see `tree.save_tree`.

        >>> from entropeg import Rules
        >>> StrategyTree.build("minimax", Rules.parse("3x3")).save("none/a.tree")
        Traceback (most recent call last):
        ...
        entropeg.errors.InputError: none/a.tree cannot be written: there is no folder none
        """
        from entropeg.tree.files import save_tree

        save_tree(self, path)

    def __len__(self) -> int:
        """Return the number of nodes: of guesses that the strategy can be brought to."""
        return len(self.guess_index)

    def __eq__(self, other: object) -> bool:
        """Tell whether rules, guesses and branches are the same."""
        return (
            isinstance(other, StrategyTree)
            and self.rules == other.rules
            and np.array_equal(self.guess_index, other.guess_index)
            and np.array_equal(self.parent, other.parent)
            and np.array_equal(self.label, other.label)
        )

    def __hash__(self) -> int:
        """Hash by rules and guesses."""
        return hash((self.rules, self.guess_index.tobytes()))

    def __repr__(self) -> str:
        """Name the rules, the opening and the size."""
        return f"<StrategyTree of {self.rules} from {self.code_text(0)}: {len(self)} nodes>"

    @cached_property
    def _replay(self) -> Replay:
        return replay(self.rules, self.guess_index, self.parent, self.label)

    def check(self) -> StrategyTree:
        """Play every secret through the tree and return it.

        Raises InputError saying where a branch is missing or superfluous.

        >>> from entropeg import Rules
        >>> StrategyTree(Rules.parse("2x2"), [0], [-1], [-1]).check()
        Traceback (most recent call last):
        ...
        entropeg.errors.InputError: after the start, guess AA, the tree has no branch for X, which the secret AB gives
        """
        _ = self._replay
        return self

    @property
    def turns(self) -> Any:
        """Number of guesses that each secret takes, in the order of `secrets(rules)`: `int64[secrets]`, exact."""
        return self._replay.turns

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
    def histogram(self) -> tuple[int, ...]:
        """How many secrets take 1, 2, ... guesses."""
        return tuple(np.bincount(self.turns)[1:].tolist())

    @property
    def sizes(self) -> Any:
        """How many secrets come to each node: `int64[nodes]`."""
        return self._replay.sizes

    @property
    def wins(self) -> Any:
        """Whether the guess of each node is right for one of the secrets that come to it: `bool[nodes]`."""
        return self._replay.wins

    @cached_property
    def _first_child(self) -> Any:
        return np.searchsorted(self.parent[1:], np.arange(len(self) + 1)) + 1

    def children(self, node: int) -> Iterator[tuple[int, int]]:
        """Give the feedback label and the node of each branch below a node, by ascending label.

        >>> from entropeg import Rules
        >>> tree = StrategyTree.build("minimax", Rules.parse("3x3"))
        >>> [(tree.feedback(node).black, tree.code_text(node)) for label, node in tree.children(0)][:2]
        [(0, 'CCC'), (0, 'BCC')]
        """
        for child in range(int(self._first_child[node]), int(self._first_child[node + 1])):
            yield int(self.label[child]), child

    def child(self, node: int, feedback: AnyFeedback) -> int | None:
        """Return the node after one more feedback, None where no secret gives it.

        >>> from entropeg import Feedback, Rules
        >>> tree = StrategyTree.build("minimax", Rules.parse("3x3"))
        >>> tree.child(0, Feedback(0, 0)), tree.child(0, Feedback(3, 0))
        (1, None)
        """
        wanted = label_of(feedback, self.rules)
        return next((child for label, child in self.children(node) if label == wanted), None)

    def code(self, node: int) -> Code:
        """Return the guess of a node.

        >>> from entropeg import Rules
        >>> tree = StrategyTree.build("minimax", Rules.parse("3x3"))
        >>> tree.code(0)
        (0, 0, 1)
        """
        return guesses(self.rules)[int(self.guess_index[node])]

    def code_text(self, node: int) -> str:
        """Return the guess of a node as text.

        >>> from entropeg import Rules
        >>> tree = StrategyTree.build("minimax", Rules.parse("3x3"))
        >>> tree.code_text(0)
        'AAB'
        """
        return format_code(self.code(node), self.rules)

    def feedback(self, node: int) -> AnyFeedback:
        """Return the feedback that leads to a node (not for node 0).

        >>> from entropeg import Rules
        >>> tree = StrategyTree.build("minimax", Rules.parse("3x3"))
        >>> tree.feedback(1)
        Feedback(black=0, white=0)
        """
        return from_label(int(self.label[node]), self.rules)

    def path_text(self, node: int) -> str:
        """Return the turns that lead to a node: `AABB XO, CDEF -`.

        >>> from entropeg import Rules
        >>> tree = StrategyTree.build("minimax", Rules.parse("3x3"))
        >>> tree.path_text(0), tree.path_text(2)
        ('the start', 'AAB O')
        """
        return path_text(self.rules, self.guess_index, self.parent, self.label, node)

    def guess(self, position: Position, rng: np.random.Generator | None = None) -> Code:
        """Return the guess of the tree; raises InputError where the position is not one that the tree comes to.

        >>> from entropeg import Position, Rules
        >>> tree = StrategyTree.build("minimax", Rules.parse("3x3"))
        >>> tree.guess(Position(tree.rules))
        (0, 0, 1)
        """
        if position.rules.with_limit(None) != self.rules:
            raise InputError(f"this tree is for {self.rules}, not for {position.rules}")
        node = 0
        for number, turn in enumerate(position.turns, start=1):
            if turn.guess != self.code(node):
                played = format_code(turn.guess, self.rules)
                raise InputError(
                    f"the tree plays {self.code_text(node)} at turn {number}, not {played}: it has no advice from there"
                )
            below = self.child(node, turn.feedback)
            if below is None:
                position.check_consistent()
                raise InputError(f"the tree has no branch after turn {number}")
            node = below
        return self.code(node)
