"""Building strategy trees: from one-step codebreakers by the kernels, from any other deterministic one by asking it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from entropeg import codebreakers
from entropeg.codes import check_listable, format_code, guesses
from entropeg.errors import InputError, TooLargeError
from entropeg.feedback import Code, from_label
from entropeg.position import Position
from entropeg.tree.strategy import StrategyTree

if TYPE_CHECKING:
    from entropeg.rules import Rules

TREE_CODES = 1_000_000
"""Trees over more secrets are refused: 6x10 takes minutes and 60 MB, 7x10 would take hours."""


def check_size(rules: Rules) -> None:
    """Raise TooLargeError, saying what a tree would need and what to use instead, where the rules have too many secrets for one."""
    count = rules.secret_count
    if count > TREE_CODES:
        raise TooLargeError(
            f"a tree over the {count:,} secrets of {rules} would have about as many nodes ({count * 12 / 1e6:,.0f} MB) and the choice of each "
            f"would weigh up to {rules.guess_count:,} guesses; trees go to {TREE_CODES:,} secrets: play a sample of games with arena instead"
        )
    check_listable(rules, rules.guess_count)


def build_tree(
    codebreaker: Any,
    rules: Rules,
    *,
    opening: Code | None = None,
    threads: int = 0,
    progress: Callable[[int], None] | None = None,
) -> StrategyTree:
    """Build the tree that a deterministic codebreaker (or the one of that name) plays against every secret.

    `opening` replaces its first guess. `progress` is called with numbers of secrets finished, `secret_count` in all. Raises
    TooLargeError beyond `TREE_CODES` secrets, InputError where the codebreaker draws at random or would never find some secret.
    """
    if isinstance(codebreaker, str):
        codebreaker = codebreakers.get(codebreaker)
    check_size(rules)
    if not getattr(codebreaker, "deterministic", False):
        name = getattr(codebreaker, "name", type(codebreaker).__name__)
        raise InputError(
            f"{name} plays at random (or does not say that it is deterministic): a tree needs one guess a position"
        )
    from entropeg.codebreakers.onestep import OneStep
    from entropeg.search.weighing import is_weighed

    if isinstance(codebreaker, OneStep) and not is_weighed(rules, codebreaker.criterion_name, codebreaker.then):
        return _build_one_step(codebreaker, rules, opening, threads, progress)
    return _build_by_asking(codebreaker, rules, opening, progress)


def _build_one_step(player: Any, rules: Rules, opening: Code | None, threads: int, progress: Any) -> StrategyTree:
    from entropeg.search import onestep

    rules = rules.with_limit(None)
    first = opening if opening is not None else player.opening_code(rules)
    index = -1 if first is None else _legal_index(rules, first)
    nodes = onestep.grow_tree(
        onestep.board_of(rules),
        player.rule_at(rules),
        opening=index,
        threads=threads,
        key=max(player.seed, 0),
        done=progress,
    )
    return StrategyTree(rules, nodes.guess, nodes.parent, nodes.label, player.name)


def _legal_index(rules: Rules, code: Code) -> int:
    index = guesses(rules).index_of(code)
    if index is None:
        raise InputError(f"{format_code(code, rules)} is not a legal guess of {rules}")
    return index


def _build_by_asking(player: Any, rules: Rules, opening: Code | None, progress: Any) -> StrategyTree:
    legal = guesses(rules.with_limit(None))
    rng = np.random.default_rng(0)
    guess: list[int] = []
    parent: list[int] = []
    label: list[int] = []
    level = [(Position(rules.with_limit(None)), -1, -1)]
    while level:
        below = []
        for position, above, by in level:
            chosen = opening if opening is not None and not position.turns else player.guess(position, rng)
            here = len(guess)
            guess.append(_legal_index(rules, chosen))
            parent.append(above)
            label.append(by)
            below += _branch(position, legal[guess[-1]], here, progress)
        if below and len(below[0][0].turns) > rules.secret_count:
            raise InputError(
                f"{getattr(player, 'name', 'the codebreaker')} never finds some secret: after {below[0][0]}"
            )
        level = below
    return StrategyTree(rules, guess, parent, label, str(getattr(player, "name", type(player).__name__)))


def _branch(position: Position, chosen: Code, here: int, progress: Any) -> list[tuple[Position, int, int]]:
    """The positions that can follow a guess, by ascending label."""
    rules = position.rules
    labels = np.unique(position.candidates.score(chosen)).tolist()
    if progress is not None and rules.win_label in labels:
        progress(1)
    return [
        (position.after_trusted(chosen, from_label(label, rules)), here, label)
        for label in labels
        if label != rules.win_label
    ]


def opening_classes(rules: Rules) -> list[Code]:
    """Return one guess of each class of openings that renaming colors and moving pegs make equal, the first of its class in order.

    Exact for every feedback kind, since at the start no peg or color differs from another; of a word list every guess is
    returned, since its letters and places do differ.

    >>> [format_code(code, Rules()) for code in opening_classes(Rules())]
    ['AAAA', 'AAAB', 'AABB', 'AABC', 'ABCD']
    """
    if not rules.is_symmetric:
        return list(guesses(rules))
    blank = rules.colors
    seen: dict[tuple[int, ...], Code] = {}
    for code in guesses(rules):
        counts = sorted((code.count(color) for color in set(code) if color != blank), reverse=True)
        seen.setdefault((code.count(blank), *counts), code)
    return list(seen.values())


class Opening(NamedTuple):
    """One opening and the tree that a codebreaker plays after it."""

    code: Code
    tree: StrategyTree


def openings(codebreaker: Any, rules: Rules, progress: Callable[[int], None] | None = None) -> list[Opening]:
    """Build the tree of every opening class, the best (least total, then least worst case, then first in order) first."""
    if isinstance(codebreaker, str):
        codebreaker = codebreakers.get(codebreaker)
    made = [
        Opening(code, build_tree(codebreaker, rules, opening=code, progress=progress))
        for code in opening_classes(rules)
    ]
    return sorted(made, key=lambda one: (one.tree.total, one.tree.worst, one.code))
