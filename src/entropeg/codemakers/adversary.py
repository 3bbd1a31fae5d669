"""The most guesses that a codebreaker can be forced to take, by answers that some secret gives.

Against a deterministic codebreaker no cheat can do better than the secret that is hardest for it: every line of
answers that a secret fits is the game against this secret. The longest path through the codebreaker's strategy is
therefore exact, and so is a codemaker that follows it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from entropeg import codebreakers
from entropeg.codes import AnyCode, check_code, format_code, guesses
from entropeg.errors import InputError, TooLargeError
from entropeg.feedback import AnyFeedback, Code, format_feedback, from_label, label_of, win_feedback
from entropeg.position import Position
from entropeg.processors import usable_processors
from entropeg.registry import name_of
from entropeg.rules import Rules
from entropeg.search.grow import grow
from entropeg.told import plural

PERFECT_CODES = 2_500
"""Boards of more secrets are too large for a codemaker that proves a least worst case at every turn: 4x7 fits."""


class StrategyBranches:
    """A codebreaker's strategy, and how far each branch of it can be drawn out.

    Arrays, one entry a node as of `Grown`: `rest` (`int32`) is the largest number of guesses that a secret
    still takes from there, this one included; `tied` how many secrets take it.
    """

    def __init__(self, player: Any, rules: Rules, progress: Callable[[int], None] | None = None) -> None:
        """Play every secret; `progress` and errors are those of `search.grow.grow`."""
        self.rules, self.name = rules.with_limit(None), name_of(player)
        grown = grow(player, self.rules, progress=progress)
        self.guess, self.parent, self.label, self.size = grown
        self.first_child = np.searchsorted(self.parent[1:], np.arange(len(self.guess) + 1)) + 1
        self.rest, self.tied = self._measure()

    def _measure(self) -> tuple[Any, Any]:
        count = len(self.guess)
        rest, tied = np.ones(count, np.int32), np.zeros(count, np.int64)
        for node in range(count - 1, -1, -1):
            if rest[node] == 1:
                tied[node] = 1  # nothing follows: the last guess of one secret
            above = int(self.parent[node])
            if above < 0:
                continue
            if rest[node] + 1 > rest[above]:
                rest[above], tied[above] = rest[node] + 1, 0
            if rest[node] + 1 == rest[above]:
                tied[above] += tied[node]
        return rest, tied

    def children(self, node: int) -> range:
        """The nodes that can follow, by ascending label."""
        return range(int(self.first_child[node]), int(self.first_child[node + 1]))

    def code(self, node: int) -> Code:
        """The guess of a node."""
        return guesses(self.rules)[int(self.guess[node])]

    def deepest(self, node: int) -> int | None:
        """The child that takes longest, of equals the one in which most secrets do, then of lowest label."""
        return max(self.children(node), key=lambda child: (self.rest[child], self.tied[child], -child), default=None)

    def node_of(self, position: Position) -> int | None:
        """The node that a position stands at; None where it is not one that the strategy comes to."""
        node = 0
        for turn in position.turns:
            label = label_of(turn.feedback, self.rules)
            below = [child for child in self.children(node) if self.label[child] == label]
            if turn.guess != self.code(node) or not below:
                return None
            node = below[0]
        return node

    def line(self) -> list[tuple[Code, AnyFeedback]]:
        """A longest game: guesses and feedbacks, the win last."""
        turns, node = [], 0
        while (below := self.deepest(node)) is not None:
            turns.append((self.code(node), from_label(int(self.label[below]), self.rules)))
            node = below
        return [*turns, (self.code(node), win_feedback(self.rules))]

    def greedy(self) -> tuple[int, int]:
        """Fewest and most guesses that it takes against the cheat that keeps the largest part, over all ties."""
        shortest = longest = 0
        level, turn = [0], 1
        while level:
            below = []
            for node in level:
                sizes = [int(self.size[child]) for child in self.children(node)]
                if not sizes:
                    shortest, longest = shortest or turn, turn
                    continue
                most = max(sizes)
                below += [child for child, size in zip(self.children(node), sizes, strict=True) if size == most]
            level, turn = below, turn + 1
        return shortest, longest


@lru_cache(maxsize=8)
def plan_of(codebreaker: str, rules: Rules) -> StrategyBranches:
    """The plan against the codebreaker of that name, made once and kept."""
    return StrategyBranches(codebreakers.get(codebreaker), rules)


@dataclass(frozen=True)
class Forced:
    """The most guesses that a codebreaker can be made to take: exact.

    `greedy`: fewest and most guesses against the greedy cheat, over its ties. `forced`: the most against any answers
    that a secret fits. `hardest`: how many secrets take the most. `line`: one such game.
    """

    codebreaker: str
    greedy: tuple[int, int]
    forced: int
    hardest: int
    line: tuple[tuple[Code, AnyFeedback], ...]

    def line_text(self, rules: Rules | str) -> str:
        """The game on one line: `AABB X, CDEF XXXX`."""
        return ", ".join(f"{format_code(guess, rules)} {format_feedback(answer)}" for guess, answer in self.line)


def forced(codebreaker: Any, rules: Rules | str, progress: Callable[[int], None] | None = None) -> Forced:
    """How many guesses a deterministic codebreaker (object, tree or name) can be forced to take.

    Costs one game for every secret; `progress` is called with how many more are finished. Raises InputError where it
    plays at random, TooLargeError beyond a million codes.

    >>> forced("minimax", "3x3").forced, forced("minimax", "3x3").greedy
    (4, (3, 4))
    """
    rules = Rules.of(rules)
    plan = StrategyBranches(codebreakers.of(codebreaker), rules, progress)
    return Forced(plan.name, plan.greedy(), int(plan.rest[0]), int(plan.tied[0]), tuple(plan.line()))


def least_worst(position: Position | Rules | str) -> int:
    """Least worst case from a position on, whatever the prior and the limit: exact, by `optimal`; 0 where it is won."""
    from entropeg.search.proving.request import Request
    from entropeg.search.proving.solving import solve

    position = Position.of(position)
    if position.is_won:
        return 0
    rules = replace(position.rules, prior=None, guess_limit=None)
    asked = position if rules == position.rules else Position(rules, position.turns)
    found = solve(Request(asked, worst=True, threads=usable_processors()))
    if found.is_interrupted:
        raise KeyboardInterrupt
    if found.worst_value is None or not found.worst_value.is_exact:
        raise InputError("the search for the least worst case after {position} was stopped", position)
    return int(found.worst_value.lower)


def perfect_answer(position: Position | Rules | str, guess: AnyCode) -> AnyFeedback:
    """The answer after which perfect play still needs most guesses; of equals, the one that leaves most candidates.

    Raises TooLargeError on boards of more than `PERFECT_CODES` secrets, and as `optimal` does.
    """
    position = Position.of(position)
    rules = position.rules.with_limit(None)
    guess = check_code(guess, rules)
    position.check_consistent()
    if rules.secret_count > PERFECT_CODES:
        raise TooLargeError(
            "{rules} has {secrets}; perfect answers are worked out for boards of up to "
            "{most:,}: use cheat, or worst-case against a known codebreaker",
            *(rules, plural(rules.secret_count, "{n} secret", "{n} secrets"), PERFECT_CODES),
        )
    labels, sizes = position.candidates.parts(guess)
    start = Position(rules, position.turns)
    best, chosen = -1, rules.win_label
    for label, size in sorted(zip(labels.tolist(), sizes.tolist(), strict=True), key=lambda part: (-part[1], part[0])):
        value = (
            0
            if label == rules.win_label
            else _exceeds(start.after_trusted(guess, from_label(label, rules)), best, size)
        )
        if value > best:
            best, chosen = value, label
    return from_label(chosen, rules)


def _exceeds(position: Position, known: int, size: int) -> int:
    """Least worst case where it is more than `known`, else `known` or less."""
    # n codes never need more than n guesses, and one guess settles one code.
    if size <= known:
        return size
    return 1 if size == 1 else least_worst(position)
