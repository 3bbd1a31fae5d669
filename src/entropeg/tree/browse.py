"""Looks at a strategy node by node: one that is written down, or one that a codebreaker plays, made as one looks.

A node is named by the feedbacks that lead to it from the first guess. To look at one costs the guesses on the way to
it: the strategy of `entropy` on 5x8 has 50,000 nodes, and nobody has to build them to see the first ten.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import ClassVar

import numpy as np

from entropeg.codebreakers import Codebreaker
from entropeg.codes import format_code
from entropeg.errors import InputError
from entropeg.feedback import AnyFeedback, Code, format_feedback, from_label, parse_feedback, win_feedback
from entropeg.plain_values import PlainValue
from entropeg.position import AtPosition, Position, Turn
from entropeg.rules import Rules
from entropeg.search.grow import check_growable
from entropeg.told import Told
from entropeg.tree.nodes import TreeNodes


class WrongPathError(InputError):
    """No node is at the end of a path: `step` is the place of the first feedback that leads nowhere, from 0.

    `possible` are the feedbacks that would lead on there.
    """

    def __init__(self, message: str, step: int, possible: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.step: int = step
        self.possible: tuple[str, ...] = tuple(possible)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle all of it: processes hand errors on."""
        return type(self), (str(self), self.step, self.possible)


@dataclass(frozen=True)
class Branch(PlainValue):
    """What follows one feedback: the codes that give it, and the next guess. Nothing follows the one that wins."""

    PLAIN: ClassVar[tuple[str, ...]] = ("feedback", "size", "guess", "is_leaf", "expected=mean", "is_win")

    feedback: AnyFeedback
    size: int
    guess: Code | None = None
    """What is played then; null where the time was too short, and after the answer that wins."""
    is_leaf: bool | None = None
    """Whether that guess is the last one."""
    mean: float | None = None
    """The mean number of guesses from there on, where it is known without playing."""
    is_win: bool = False


@dataclass(frozen=True)
class NodeView(AtPosition, PlainValue):
    """A node of a strategy: the position, the guess there, and what can follow.

    `wins`: the guess is one of the codes left. The sizes of `branches` and, where it wins, one code are all codes left.
    """

    PLAIN: ClassVar[tuple[str, ...]] = ("rules", "path", "guess", "left", "depth", "expected=mean", "children")

    position: Position
    guess: Code
    left: int
    """Codes that come here."""
    wins: bool
    branches: tuple[Branch, ...]
    mean: float | None = None
    """The mean number of guesses from here on, where it is known without playing."""

    @property
    def path(self) -> tuple[Turn, ...]:
        """The guesses on the way, each with the answer that leads on."""
        return self.position.turns

    @property
    def depth(self) -> int:
        """Guesses on the way."""
        return len(self.path)

    @property
    def children(self) -> tuple[Branch, ...]:
        """What can follow, the answer that wins last."""
        won = Branch(win_feedback(self.rules), 1, is_win=True)
        return (*self.branches, won) if self.wins else self.branches


def view_tree(tree: TreeNodes, path: Sequence[str]) -> NodeView:
    """Look at a node of a strategy that is written down; raises WrongPathError where there is none.

    >>> from entropeg import StrategyTree
    >>> node = view_tree(StrategyTree.build("minimax", "3x3"), ["-"])
    >>> node.left, node.guess, node.mean
    (1, (2, 2, 2), 1.0)
    """
    node, position = 0, tree.start
    for step, text in enumerate(path):
        feedback = _read(text, tree.rules, step)
        possible = [format_feedback(from_label(label, tree.rules)) for label, _ in tree.children(node)]
        below = tree.child(node, feedback)
        if below is None:
            raise _nowhere(position, tree.code(node), feedback, step, possible)
        position = position.after_trusted(tree.code(node), feedback)
        node = below
    means, sizes = tree.subtotals / tree.sizes, tree.sizes
    branches = tuple(
        Branch(
            from_label(label, tree.rules),
            int(sizes[child]),
            tree.code(child),
            is_leaf=tree.is_leaf(child),
            mean=float(means[child]),
        )
        for label, child in tree.children(node)
    )
    return NodeView(
        position, tree.code(node), int(sizes[node]), bool(tree.wins[node]), branches, mean=float(means[node])
    )


class PlayerNodes:
    """The strategy of a deterministic codebreaker, looked at node by node; positions seen are kept.

    Raises TooLargeError beyond `search.grow.TREE_CODES` secrets, InputError where the codebreaker draws at random.

    >>> from entropeg import codebreakers
    >>> nodes = PlayerNodes(codebreakers.get("minimax"), Rules.parse("3x3"))
    >>> nodes.view([]).guess, [branch.size for branch in nodes.view([]).branches]
    ((0, 0, 1), [1, 4, 3, 6, 4, 2, 6])
    """

    def __init__(self, player: Codebreaker, rules: Rules) -> None:
        check_growable(player, rules)
        self.rules: Rules = rules.with_limit(None)
        self._player = player
        self._seen: dict[Position, tuple[Position, Code]] = {}
        self._codes = 0

    def __len__(self) -> int:
        """Return the number of codes that are kept: those left at each position seen."""
        return self._codes

    def view(self, path: Sequence[str], *, seconds: float = 0.0) -> NodeView:
        """Look at a node; raises WrongPathError where there is none.

        The guesses below it are asked for, for `seconds`, of the smallest branches first.
        """
        position = Position(self.rules)
        for step, text in enumerate(path):
            feedback = _read(text, self.rules, step)
            guess = self._guess(position)
            possible = self._branches(position, guess)
            if feedback not in [branch.feedback for branch in possible]:
                named = [format_feedback(branch.feedback) for branch in possible]
                raise _nowhere(position, guess, feedback, step, named)
            position = position.after_trusted(guess, feedback)
            position = self._seen.get(position, (position,))[0]  # the one that knows its codes
        guess, left = self._guess(position), len(position.candidates)
        branches = self._branches(position, guess)
        won = left - sum(branch.size for branch in branches)
        return NodeView(position, guess, left, won > 0, tuple(self._asked(position, guess, branches, seconds)))

    def _guess(self, position: Position) -> Code:
        if position not in self._seen:
            self._seen[position] = position, self._player.guess(position, np.random.default_rng(0))
            self._codes += len(position.candidates)
        return self._seen[position][1]

    def _branches(self, position: Position, guess: Code) -> list[Branch]:
        labels, sizes = position.candidates.parts(guess)
        return [
            Branch(from_label(label, self.rules), size)
            for label, size in zip(labels.tolist(), sizes.tolist(), strict=True)
            if label != self.rules.win_label
        ]

    def _asked(self, position: Position, guess: Code, branches: list[Branch], seconds: float) -> list[Branch]:
        end = perf_counter() + seconds
        for place in sorted(range(len(branches)), key=lambda place: branches[place].size):
            if perf_counter() >= end:
                break
            below = position.after_trusted(guess, branches[place].feedback)
            asked = self._guess(below)
            is_leaf = branches[place].size == 1 and asked in below.candidates
            branches[place] = replace(branches[place], guess=asked, is_leaf=is_leaf)
        return branches


def _read(text: str, rules: Rules, step: int) -> AnyFeedback:
    try:
        return parse_feedback(text, rules)
    except InputError as error:
        raise WrongPathError(str(error), step) from None


def _nowhere(
    position: Position, guess: Code, feedback: AnyFeedback, step: int, possible: Sequence[str]
) -> WrongPathError:
    rules = position.rules
    asked = Told("guess {guess}", format_code(guess, rules))
    if position.turns:
        asked = Told("after {turns}, guess {guess}", position, format_code(guess, rules))
    said = Told("{asked}, no code gives {feedback!r}", asked, format_feedback(feedback))
    if from_label(rules.win_label, rules) == feedback:
        said = Told("{asked}, the game is won with {feedback!r}", asked, format_feedback(feedback))
    return WrongPathError(said, step, possible)
