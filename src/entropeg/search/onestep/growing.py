"""Whole strategy trees by one-step rules, grown by one thread or by all cores."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from entropeg.kernels.onestep.arrays import OpenNode, borrow, give_back, next_key
from entropeg.kernels.switch import CALL
from entropeg.processors import usable_processors
from entropeg.search.onestep.code_arrays import FUNCTIONS, board_of
from entropeg.search.strategies import Grown, Pieces, path_to
from entropeg.signals import LISTEN_EVERY, held

if TYPE_CHECKING:
    from entropeg.kernels.onestep.arrays import Work
    from entropeg.rules import Rules
    from entropeg.search.onestep.choice import Schedule


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
