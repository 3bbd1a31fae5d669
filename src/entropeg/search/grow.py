"""Grows the tree that a deterministic codebreaker plays: by kernels for one-step rules, else by asking it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from entropeg.amounts import plural, shown_count
from entropeg.codes import check_listable
from entropeg.errors import InputError, TooLargeError
from entropeg.feedback import Code, from_label
from entropeg.position import Position
from entropeg.registry import name_of
from entropeg.search.onestep.choice import Schedule
from entropeg.search.onestep.choosing import is_weighed
from entropeg.search.onestep.code_arrays import legal_index
from entropeg.search.onestep.growing import Subtrees, TreeGrower
from entropeg.search.strategies import Grown

if TYPE_CHECKING:
    from entropeg.rules import Rules

TREE_CODES = 1_000_000
"""Trees over more secrets are refused: 6x10 takes minutes and 60 MB, 7x10 would take hours."""

NODE_BYTES = 12
"""Bytes of a node of a finished tree: guess, parent, feedback."""


def check_size(rules: Rules) -> None:
    """Raise TooLargeError, saying what a tree would need and what to use instead, where there are too many secrets."""
    count = rules.secret_count
    if count > TREE_CODES:
        raise TooLargeError(
            f"a tree over the {shown_count(count)} secrets of {rules} would have about as many nodes "
            f"({shown_count(count * NODE_BYTES // 10**6)} MB), and the choice of each would weigh up to "
            f"{plural(rules.guess_count, 'guess', 'guesses')}; trees go to {TREE_CODES:,} secrets: play a sample "
            "of games with arena instead"
        )
    check_listable(rules, rules.guess_count)


def check_growable(player: Any, rules: Rules) -> None:
    """Raise InputError where the player draws at random, TooLargeError where there are too many secrets."""
    check_size(rules)
    if not getattr(player, "deterministic", False):
        raise InputError(
            f"{name_of(player)} plays at random (or does not say that it is deterministic): "
            "a tree needs one guess a position"
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
    if not isinstance(schedule, Schedule) or any(is_weighed(rules, choice) for choice in schedule.choices):
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
            if limit is not None and above >= 0 and size > limit:
                rows.append((-1, above, by, size))
                continue
            chosen = opening if opening is not None and not position.turns else player.guess(position, rng)
            chosen = position.check_guess(chosen)
            rows.append((legal_index(rules, chosen), above, by, size))
            if endless := position.endless(chosen):
                raise InputError(f"{name_of(player)} never finds some secret: {endless}")
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
