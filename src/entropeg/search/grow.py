"""Grows the tree that a deterministic codebreaker plays: by kernels for one-step rules, else by asking it.

Kernels grow subtrees, the largest first, in several threads; the pieces are put together at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from functools import cached_property
from typing import Any

import numpy as np

from entropeg.codes import check_listable
from entropeg.errors import InputError, TooLargeError
from entropeg.feedback import Code, from_label
from entropeg.kernels.onestep.arrays import OpenNode, Work, borrow, give_back, next_key
from entropeg.kernels.switch import CALL
from entropeg.position import Position
from entropeg.processors import usable_processors
from entropeg.registry import name_of
from entropeg.rules import Rules
from entropeg.search.onestep.choice import Schedule
from entropeg.search.onestep.choosing import is_weighed
from entropeg.search.onestep.code_arrays import FUNCTIONS, board_of, legal_index
from entropeg.search.strategies import Grown, Pieces, path_to
from entropeg.signals import LISTEN_EVERY, held
from entropeg.told import plural

TREE_CODES = 1_000_000
"""Trees over more secrets are refused: 6x10 takes minutes and 60 MB, 7x10 would take hours."""


def check_size(rules: Rules) -> None:
    """Raise TooLargeError, saying what a tree would need and what to use instead, where there are too many secrets."""
    count = rules.secret_count
    if count > TREE_CODES:
        raise TooLargeError(
            "a tree over the {secrets:count} secrets of {rules} would have about as many nodes ({megabytes:count} MB), "
            "and the choice of each would weigh up to {guesses}; trees go to {most:,} secrets: play a sample of games "
            "with arena instead",
            *(count, rules, count * 12 // 10**6, plural(rules.guess_count, "{n} guess", "{n} guesses"), TREE_CODES),
        )
    check_listable(rules, rules.guess_count)


def check_growable(player: Any, rules: Rules) -> None:
    """Raise InputError where the player draws at random, TooLargeError where there are too many secrets."""
    check_size(rules)
    if not getattr(player, "deterministic", False):
        raise InputError(
            "{player} plays at random (or does not say that it is deterministic): a tree needs one guess a position",
            name_of(player),
        )


def grow(
    player: Any,
    rules: Rules,
    *,
    opening: Code | None = None,
    threads: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Grown:
    """Follow a deterministic codebreaker to every position that it can come to against honest answers.

    `opening` replaces its first guess. `progress` is called with numbers of secrets finished, `secret_count` in all.
    Raises TooLargeError beyond `TREE_CODES` secrets, InputError where it draws at random or never finds some secret.

    >>> from entropeg import codebreakers
    >>> from entropeg.rules import Rules
    >>> len(grow(codebreakers.get("minimax"), Rules.parse("3x3")).guess)
    27
    """
    check_growable(player, rules)
    rules = rules.with_limit(None)
    schedule = one_step(player, rules)
    if schedule is not None:
        first = schedule.opening_code(rules) if opening is None else opening
        index = -1 if first is None else legal_index(rules, first)
        return TreeGrower(Subtrees(rules, schedule, index), threads, progress).run()
    return ask(player, Position(rules), opening=opening, progress=progress)


def one_step(player: Any, rules: Rules) -> Schedule | None:
    """Return the player's schedule of one-step rules, where all of them count codes: kernels grow such trees."""
    schedule = getattr(player, "schedule", None)
    if (
        not isinstance(schedule, Schedule)
        or not rules.is_named
        or any(is_weighed(rules, choice) for choice in schedule.choices)
    ):
        return None
    return schedule


def ask(
    player: Any,
    start: Position,
    *,
    opening: Code | None = None,
    limit: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Grown:
    """Follow a deterministic codebreaker from a position on, asking it for one guess after the other.

    `opening` replaces the first guess of a game. Positions of more than `limit` candidates are left out, the start
    apart: their guess is -1. Raises InputError where the codebreaker never finds some secret.
    """
    rules = start.rules
    rng = np.random.default_rng(0)
    rows: list[tuple[int, int, int, int]] = []
    level = [(start, -1, -1)]
    while level:
        below = []
        for position, above, by in level:
            size = len(position.candidates)
            if not rules.is_named and size == 1:
                rows.append((legal_index(rules.with_names, position.candidates[0]), above, by, size))
                if progress is not None:
                    progress(1)
                continue
            if limit is not None and above >= 0 and size > limit:
                rows.append((-1, above, by, size))
                continue
            chosen = opening if opening is not None and not position.turns else player.guess(position, rng)
            chosen = position.check_guess(chosen)
            rows.append((legal_index(rules.with_names, chosen), above, by, size))
            if endless := position.endless(chosen):
                raise InputError("{player} never finds some secret: {reason}", name_of(player), endless)
            below += _branch(position, chosen, len(rows) - 1, progress)
        level = below
    return Grown(*np.array(rows, np.int32).T)


def _branch(position: Position, chosen: Code, here: int, progress: Any) -> list[tuple[Position, int, int]]:
    """The positions that can follow a guess, by ascending label."""
    rules = position.rules
    labels = position.candidates.parts(chosen)[0].tolist()
    if progress is not None and rules.win_label in labels:
        progress(1)
    return [
        (position.after_trusted(chosen, from_label(label, rules)), here, label)
        for label in labels
        if label != rules.win_label
    ]


class Subtrees:
    """Grows subtrees of one strategy: by kernels, or by NumPy where the board is small: decided once, at the first."""

    def __init__(self, rules: Rules, schedule: Schedule, opening: int) -> None:
        """Take the rules and the schedule; opening: index of the first guess, -1 for the schedule's choice."""
        self.board, self.rules, self.schedule, self.opening = board_of(rules), rules, schedule, opening

    @cached_property
    def is_plain(self) -> bool:
        """Whether NumPy grows them, in one thread: two would wait for one another in Python."""
        core = self.board.core
        # Every secret is scored with about all guesses, and there are about as many nodes.
        return FUNCTIONS.is_plain(core.secrets.shape[1] * (core.guesses.shape[1] + CALL))

    def grow(self, node: OpenNode, work: Work, cut: int) -> Any:
        """Grow a subtree, without the nodes of more than `cut` candidates below its first; see `kernels.onestep`."""
        turn = len(node.history)
        # The rule of this turn is that of the next ones only from the last of them on.
        limit = cut if turn + 1 >= len(self.schedule.choices) else 0
        opening = self.opening if turn == 0 else -1
        rule = self.schedule.choice_at(turn).rule(self.rules)
        functions = FUNCTIONS.plain if self.is_plain else FUNCTIONS.compiled
        return functions.grow(self.board, rule, node, work, opening, limit)


class TreeGrower:
    """A whole tree in the making: tasks are nodes whose subtree is still to grow, the largest first."""

    def __init__(self, subtrees: Subtrees, threads: int, done: Callable[[int], None] | None) -> None:
        """Every core works unless `threads` is not 0: the tree does not depend on it.

        `done` is called with the number of secrets whose part of the tree was finished.
        """
        self.subtrees, self.done, self.pieces = subtrees, done, Pieces()
        self.count = subtrees.board.core.secrets.shape[1]
        # A subtree of 4096 secrets is half a second in which nothing else is heard.
        self.cut = self.count if self.count <= 2048 else max(256, min(self.count // 64, 4096))
        self.threads = 1 if self.count <= 2048 or subtrees.is_plain else threads or usable_processors()

    def run(self) -> Grown:
        """Grow all of it."""
        root = OpenNode(
            np.arange(self.count, dtype=np.int32), np.zeros(0, np.int32), max(self.subtrees.schedule.seed, 0)
        )
        waiting = [(root, -1)]
        if self.threads == 1:
            while waiting:
                waiting += self._finish(*self._work(*waiting.pop()))
        else:
            self._run_threads(waiting)
        return self.pieces.whole()

    def _run_threads(self, waiting: list[tuple[OpenNode, int]]) -> None:
        with held() as check, ThreadPoolExecutor(self.threads) as pool:
            running: set[Any] = set()
            while waiting or running:
                check()
                waiting.sort(key=lambda task: len(task[0].codes))
                while waiting and len(running) < self.threads:
                    running.add(pool.submit(self._work, *waiting.pop()))
                finished, running = wait(running, LISTEN_EVERY, return_when=FIRST_COMPLETED)
                for future in finished:
                    waiting += self._finish(*future.result())

    def _work(self, start: OpenNode, at: int) -> tuple[OpenNode, int, Any]:
        board = self.subtrees.board
        memory = borrow(board)
        columns = self.subtrees.grow(start, memory, self.cut)
        give_back(board, memory)
        return start, at, columns

    def _finish(self, start: OpenNode, at: int, columns: Any) -> list[tuple[OpenNode, int]]:
        """Number the new nodes and return the tasks that they leave: where each starts, and its number."""
        *piece, first = columns
        left, numbers = self.pieces.place(piece, at)
        if self.done is not None:
            self.done(len(start.codes) - int(piece[3][left].sum()))
        return [
            (self._follow(start, piece, i, first[i]), number)
            for i, number in zip(left.tolist(), numbers[left].tolist(), strict=True)
        ]

    def _follow(self, start: OpenNode, piece: Any, i: int, first: int) -> OpenNode:
        """Return where a node that was left out starts: its candidates stand from `first` on in those of the piece."""
        turns, key = path_to(piece, i), start.key
        for turn in turns:
            key = next_key(key, *turn)
        history = np.array([*start.history, *(guess for guess, _ in turns)], np.int32)
        return OpenNode(start.codes[first : first + piece[3][i]].copy(), history, key)
