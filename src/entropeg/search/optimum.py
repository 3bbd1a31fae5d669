"""`optimal`: the least total number of guesses of a board or position, proven or bounded, with a strategy."""

from __future__ import annotations

import os
import time as clock
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import CodeSet, guesses, secrets
from entropeg.errors import InputError
from entropeg.position import Position
from entropeg.rules import Blanks, FeedbackKind, Rules
from entropeg.search.board import Layout
from entropeg.search.proof import Progress, Proof
from entropeg.search.reach import MATRIX_BYTES, Reach
from entropeg.search.tree import Node

TABLE_BYTES = 1 << 26


@dataclass(frozen=True)
class Value:
    """A total that lies between two bounds; exact where they agree. ``upper`` is None while no strategy is known.

    >>> str(Value(5625, 5625)), str(Value(5600, 5700)), str(Value(5600, None))
    ('= 5625', '>= 5600 and <= 5700', '>= 5600')
    """

    lower: int
    upper: int | None

    @property
    def is_exact(self) -> bool:
        """Whether the bounds agree."""
        return self.lower == self.upper

    def __str__(self) -> str:
        if self.is_exact:
            return f"= {self.lower}"
        return f">= {self.lower}" if self.upper is None else f">= {self.lower} and <= {self.upper}"


@dataclass(frozen=True)
class Optimum:
    """What a search found: bounds of the least total, and the best strategy, complete.

    ``tree`` is None only where no strategy keeps the limit (``is_impossible``) or none was found in time.
    ``worst_value`` bounds the least worst case where that was asked for. ``nodes`` counts guesses tried.
    ``is_interrupted``: Ctrl-C ended the search.
    """

    rules: Rules
    size: int
    value: Value
    tree: Node | None
    worst_value: Value | None
    is_impossible: bool
    seconds: float
    nodes: int
    is_interrupted: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether the total (or its impossibility) is proven."""
        return self.value.is_exact or self.is_impossible

    @property
    def total(self) -> int | None:
        """Total of the strategy: the optimum where the value is exact."""
        return None if self.tree is None else self.tree.total

    @property
    def mean(self) -> float | None:
        """Guesses per secret of the strategy."""
        return None if self.tree is None else self.tree.total / self.size

    @property
    def worst(self) -> int | None:
        """Most guesses that the strategy needs."""
        return None if self.tree is None else self.tree.worst

    @property
    def histogram(self) -> dict[int, int]:
        """Number of secrets by number of guesses."""
        return {} if self.tree is None else self.tree.histogram

    @property
    def opening(self) -> tuple[int, ...] | None:
        """The first guess."""
        return None if self.tree is None else self.tree.guess


def optimal(  # noqa: PLR0913 - each is an option of the command as well
    board: Rules | Position,
    *,
    worst: bool = False,
    limit: int | None = None,
    consistent_only: bool = False,
    time: float | None = None,
    memory: int | None = None,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: str | Path | None = None,
) -> Optimum:
    """Find a strategy of least total number of guesses over all codes still possible, and prove it.

    ``worst`` asks for the least worst case first, the least total under it second; ``limit`` for the least total
    of the strategies that never need more guesses; ``consistent_only`` for strategies that guess only codes
    still possible. After ``time`` seconds, or Ctrl-C, the best strategy and bounds so far are returned.
    ``memory`` bounds the labels and the table, in bytes; ``checkpoint`` names a file from which a long proof
    resumes. ``progress`` is called a few times a second. Exact; time grows steeply with the board.

    Raises InputError for feedback other than standard and black, and where no code fits a position;
    TooLargeError where the labels of the board take more than ``memory``.

    >>> from entropeg import Rules
    >>> found = optimal(Rules.parse("3x4"))
    >>> str(found.value), found.worst, found.opening
    ('= 206', 4, (0, 0, 1))
    """
    began = clock.perf_counter()
    position = board if isinstance(board, Position) else Position(board)
    rules = position.rules
    if limit is not None and limit < 1:
        raise InputError(f"a limit of {limit} guesses settles nothing; give 1 or more")
    layout = _layout(rules.with_limit(None), memory or MATRIX_BYTES, consistent_only=consistent_only)
    start = _start(layout, position)
    history = [int(layout.number_guess(turn.guess)) for turn in position.turns]
    deadline = None if time is None else began + time

    def prove(at_most: int | None) -> Proof:
        name = f"{rules} {position} consistent={consistent_only}"
        proof = Proof(
            layout,
            start,
            limit=at_most,
            history=history,
            threads=threads or min(2, os.cpu_count() or 1),
            deadline=deadline,
            memory=min(memory or TABLE_BYTES, TABLE_BYTES * 8),
            progress=progress,
            checkpoint=None if checkpoint is None else Path(checkpoint),
            name=name,
        )
        proof.run()
        return proof

    if not worst:
        proof = prove(limit)
        return _result(rules, proof, None, began)
    d = next(d for d in range(1, 99) if layout.arrays["capacity"][d] >= len(start))
    d = max(1, d)
    while True:
        proof = prove(d)
        if not proof.infeasible or (limit is not None and d >= limit):
            break
        d += 1
    exact = proof.finished and not proof.infeasible
    return _result(rules, proof, d if exact else None, began, least_worst=d)


def _result(rules: Rules, proof: Proof, worst: int | None, began: float, least_worst: int | None = None) -> Optimum:
    tree = None if proof.infeasible else _best_tree(proof)
    if least_worst is not None and tree is None and not proof.infeasible:
        tree = proof.any_strategy()  # it bounds the worst case from above, not the least total under it
    total = None if tree is None else tree.total
    lower = proof.lower
    if proof.finished and total is not None and total != lower:
        raise AssertionError(f"the strategy makes {total} where {lower} was proven")
    worst_value = None
    if least_worst is not None:
        worst_value = Value(least_worst, worst if worst is not None else (None if tree is None else tree.worst))
    return Optimum(
        rules=rules,
        size=len(proof.start),
        value=Value(lower, total),
        tree=tree,
        worst_value=worst_value,
        is_impossible=proof.infeasible,
        seconds=clock.perf_counter() - began,
        nodes=proof.nodes,
        is_interrupted=proof.cancelled,
    )


def _best_tree(proof: Proof) -> Node | None:
    tree = proof.strategy()
    if proof.finished:
        return tree
    greedy = proof.strategy(greedy=True)
    trees = [found for found in (tree, greedy) if found is not None]
    return min(trees, key=lambda found: found.total, default=None)


def _start(layout: Layout, position: Position) -> NDArray[np.int32]:
    position.check_consistent()
    codes = np.ascontiguousarray(position.candidates.planes.T)
    return np.sort(layout.number_secrets(codes)).astype(np.int32)


@lru_cache(maxsize=2)
def _layout(rules: Rules, memory: int, *, consistent_only: bool) -> Layout:
    if rules.feedback not in (FeedbackKind.standard, FeedbackKind.black):
        raise InputError(f"exact search knows standard and black feedback, not that of {rules}")
    if not rules.is_symmetric:
        raise InputError(f"exact search needs boards whose pegs and colors may change places, which {rules} has not")
    if rules.prior is not None:
        raise InputError(f"exact search holds all secrets for equally likely: leave the prior of {rules} out")
    Reach.of(rules).check(memory)
    return Layout(
        _rows(secrets(rules)),
        _rows(guesses(rules)),
        rules.symbols_in_secrets,
        blank=None if rules.blanks == Blanks.none or (rules.blanks == Blanks.both and rules.repeats) else rules.colors,
        by_color=rules.feedback == FeedbackKind.standard,
        consistent=consistent_only,
    )


def _rows(codes: CodeSet) -> NDArray[np.uint8]:
    return np.ascontiguousarray(codes.planes.T).astype(np.uint8)
