"""First guesses of a strategy: one of each class that symmetry makes equal, and what each of them leads to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from entropeg import codebreakers
from entropeg.codebreakers import Codebreaker
from entropeg.executors import Crew, Executor, kept_open
from entropeg.feedback import Code
from entropeg.rules import Rules
from entropeg.symmetry import opening_classes
from entropeg.tree.kept import KeptPieces
from entropeg.tree.strategy import StrategyTree


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
