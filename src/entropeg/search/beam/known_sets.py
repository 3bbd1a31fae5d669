"""The sets that the near-optimal search has values of, and the strategies that it has written down from them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from entropeg.errors import InputError
from entropeg.search.beam import kernels
from entropeg.search.beam.board import Answer, Board
from entropeg.search.beam.model import Model
from entropeg.search.beam.threads import Clock, LabelWorker, Subset, Worker
from entropeg.search.exact.fields import INF, NO_GUESS
from entropeg.search.strategies import Node

PROVEN = 99
"""Effort of a value that is exact."""


class Known(NamedTuple):
    """The best known of a set: a total that some strategy has, its guess, and how hard was looked for a better one.

    The effort is the number of a pass, PROVEN, or -1 where a search was stopped.
    """

    value: int
    guess: int
    effort: int


class KnownSets:
    """The best that was found for every set, kept over all passes, and strategies for the answers to openings."""

    def __init__(self, board: Board, model: Model, clock: Clock) -> None:
        self.board, self.model, self.clock = board, model, clock
        self.of: dict[int, Known] = {}
        self.strategies: dict[int, tuple[int, Node]] = {}
        """Of answers, by name: the total and the tree."""

    def keep(self, name: int, known: Known) -> None:
        """Take this for the value of a set."""
        self.of[name] = known
        if known.effort >= 0:  # a search that was stopped leaves no estimate
            kernels.remember(self.model.tables.memory, np.uint64(name), known.value, int(known.effort == PROVEN))

    def forget_efforts(self) -> None:
        """Let every set be searched anew that is not proven; the best found stays."""
        for name, known in self.of.items():
            if known.effort != PROVEN:
                self.of[name] = known._replace(effort=-1)

    def solve(self, worker: LabelWorker, subset: Subset) -> int:
        """The least total of a set, which is kept; raises Stopped when the time is over."""
        value = worker.solve(subset, INF)
        self.clock.look()  # a search that was stopped returns a bound
        self.keep(subset.name, Known(value, worker.guess_of(subset), PROVEN))
        return value

    def total(self, opening: int) -> int:
        """Total of the best strategy known with an opening; INF while one of its answers was never searched."""
        total = len(self.board.secrets)
        for answer in self.board.answers(opening):
            found = self._value_of(answer)
            if found is None:
                return INF
            total += found
        return total

    def _value_of(self, answer: Answer) -> int | None:
        if len(answer.rows) <= 2:
            return 2 * len(answer.rows) - 1
        known, written = self.of.get(answer.name), self.strategies.get(answer.name)
        values = [*([] if known is None else [known.value]), *([] if written is None else [written[0]])]
        return min(values, default=None)

    # ------------------------------------------------------------ strategies

    def write(self, worker: Worker, answer: Answer) -> None:
        """Write down the strategy after an answer, where it is better than the one written down before."""
        known, before = self.of.get(answer.name), self.strategies.get(answer.name)
        if before is None or (known is not None and known.value < before[0]):
            node = self._tree_of(worker, worker.subset(answer))
            total = node.total
            if before is None or total < before[0]:
                self.strategies[answer.name] = (total, node)

    def tree(self, opening: int) -> Node:
        """The strategy with an opening, once there is one for each answer."""
        root = Node(tuple(self.board.guesses[opening].tolist()), self.board.is_secret(opening))
        for answer in sorted(self.board.answers(opening), key=lambda answer: answer.label):
            root.children[self.board.public_labels[answer.label]] = self.strategies[answer.name][1]
        return root

    def _tree_of(self, worker: Worker, subset: Subset) -> Node:
        codes = subset.codes
        guess = self._guess(worker, subset)
        code = tuple(self.board.guesses[guess].tolist())
        node = Node(code, bool((worker.codes.guess_of_secret[codes] == guess).any()))
        for part in worker.split(codes, guess):
            if len(part.codes) == len(codes):
                raise InputError("the checkpoint is damaged: it keeps a guess that tells nothing apart")
            node.children[self.board.public_labels[part.label]] = self._tree_of(worker, part)
        if len(codes) > self.model.small and isinstance(worker, LabelWorker) and subset.name not in self.of:
            self.keep(subset.name, Known(node.total, guess, -1))
        return node

    def _guess(self, worker: Worker, subset: Subset) -> int:
        codes = subset.codes
        if len(codes) <= 2:
            return int(worker.codes.guess_of_secret[codes[0]])
        known = self.of.get(subset.name)
        if known is not None and known.guess != NO_GUESS:
            return known.guess
        # The guess of a set that was solved is unknown where its entry of the table has gone meanwhile.
        is_solved = known is not None and known.effort == PROVEN
        if isinstance(worker, LabelWorker) and (is_solved or len(codes) <= self.model.small):
            self.solve(worker, subset)
            if self.of[subset.name].guess != NO_GUESS:
                return self.of[subset.name].guess
        return worker.quick_guess(self.board.quick_guesses, codes)
