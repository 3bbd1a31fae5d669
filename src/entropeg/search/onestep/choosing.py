"""The guess of a one-step codebreaker at a position: from the position to arrays, and from an index back to a code."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from entropeg.codes import guesses
from entropeg.errors import TooLargeError
from entropeg.feedback import Code
from entropeg.kernels.onestep import arrays
from entropeg.position import Position
from entropeg.processors import usable_processors
from entropeg.rules import Rules
from entropeg.search.onestep import weighing
from entropeg.search.onestep.board import FUNCTIONS, MOST_PAIRS, OTHERS, board_of, check_reach, node_at, threads_for
from entropeg.search.onestep.choice import Schedule
from entropeg.sizes import POSITIONAL

KEPT: dict[tuple[Rules, Any, Schedule], Code] = {}
"""Those guesses by rules, turns and schedule."""


def choose(position: Position, schedule: Schedule, rng: np.random.Generator) -> Code:
    """Return the guess that the schedule plays; the generator is asked only where the schedule is not deterministic.

    Raises TooLargeError where there are too many codes, ContradictionError where none is left.
    """
    rules = position.rules
    check_reach(rules)  # before any list is made
    position.check_consistent()
    if rules.secret_count == 1:
        return position.candidates[0]  # of one color, on any number of pegs
    opening = schedule.opening_code(rules)
    if not position.turns and opening is not None:
        return tuple(opening)
    if not schedule.deterministic:
        return _best_guess(position, schedule, int(rng.integers(1 << 62)))
    # First and second guesses are asked for in every game and cost the most: 512 of them are kept.
    if len(position.turns) >= 2:
        return _best_guess(position, schedule, max(schedule.seed, 0))
    asked = rules, position.turns, schedule
    guess = KEPT.get(asked)
    if guess is None:
        guess = _best_guess(position, schedule, max(schedule.seed, 0))
        if len(KEPT) >= 512:
            KEPT.clear()
        KEPT[asked] = guess
    return guess


def _best_guess(position: Position, schedule: Schedule, seed: int) -> Code:
    rules, choice = position.rules, schedule.choice_at(len(position.turns))
    if weighing.is_weighed(rules, choice):
        return weighing.best_guess(position, choice, seed)
    board, node = board_of(rules.with_limit(None)), node_at(position, seed)
    return guesses(rules)[best_index(board, choice.rule(rules), node)]


def best_index(board: arrays.BoardArrays, rule: arrays.Rule, node: arrays.OpenNode) -> int:
    """Return the index of the guess that the rule chooses at a node. Large choices are shared among the cores.

    Raises TooLargeError beyond `MOST_PAIRS` where guesses that are alike are not left out.
    """
    _check_pairs(board.core, rule, node)
    chosen = _chosen_plainly(board.core, rule, node)
    if chosen >= 0:
        return chosen
    kernel = FUNCTIONS.compiled
    # With more pairs one choice is worth the start of a thread a core.
    small = len(node.codes) * board.core.guesses.shape[1] < (1 << 25)
    shares = 1 if small else min(usable_processors(), threads_for(board))

    def judge(share: int) -> tuple[Any, ...]:
        work = arrays.borrow(board)
        kernel.choose(board, rule, node, work, share, shares)
        found = rank(rule, work.score)
        arrays.give_back(board, work)
        return found

    if shares == 1:
        return int(judge(0)[-1])
    with ThreadPoolExecutor(shares) as pool:
        return int(min(pool.map(judge, range(shares)))[-1])


def _check_pairs(core: arrays.Core, rule: arrays.Rule, node: arrays.OpenNode) -> None:
    """Refuse a choice among guesses that are alike, one by one, where there are too many of them.

    A pair of codes with a mark a peg costs as much as pegs * pegs others, and there the guesses that are alike are
    left out before the first turn only.
    """
    marks = core.kind == POSITIONAL
    if rule.alike and core.closed and not (marks and len(node.history)):
        return
    size = len(node.codes)
    every = core.guesses.shape[1]
    listed = every if rule.scope == arrays.ALL else min(every, size + rule.probes)
    pairs = listed * size * (core.pegs**2 if marks else 1)
    if pairs >= MOST_PAIRS:
        advice = (
            ", and ties=candidate,guesses=all leaves out guesses that are alike" if core.closed and not marks else ""
        )
        raise TooLargeError(
            f"to weigh {listed:,} guesses one by one against the {size:,} codes left takes {pairs:,} comparisons, and "
            f"fewer than {MOST_PAIRS:,} are made; {OTHERS}{advice}"
        )


def _chosen_plainly(core: arrays.Core, rule: arrays.Rule, node: arrays.OpenNode) -> int:
    """Return the guess that NumPy chooses, -1 where that is left to the kernels."""
    number, size = core.guesses.shape[1], len(node.codes)
    # To sort more guesses out by symmetry, only to learn how many would have to be scored, would take NumPy too long.
    if not FUNCTIONS.is_plain(0) or (number > (1 << 18) and not FUNCTIONS.is_plain(number * size)):
        return -1
    plain = FUNCTIONS.plain
    settled = int(plain.settled_guess(core, rule, node.codes))
    if settled >= 0:
        return settled
    pool = plain.guesses_to_judge(core, rule, node)
    return int(plain.best_of(core, rule, node, pool)) if FUNCTIONS.is_plain(len(pool) * size) else -1


def rank(rule: arrays.Rule, score: arrays.Score) -> tuple[Any, ...]:
    """What the best guess of a search is compared by with that of another, as the kernel does it; the guess is last."""
    cost, second, other, order, guess = score.best.tolist()
    first_sizes = score.sorts[0].tolist() if rule.first.family == arrays.SORTED else []
    second_sizes = score.sorts[1].tolist() if rule.second.family == arrays.SORTED else []
    return cost, first_sizes, second, second_sizes, other, order, guess
