"""The guess of a one-step codebreaker at a position: from the position to arrays, and from an index back to a code.

For priors, and for feedback that the kernels do not know, every allowed guess is scored against every candidate by
NumPy, without symmetry; 10 to 50 ns a pair. Where there are too many pairs, evenly spaced guesses are judged by evenly
spaced candidates.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from entropeg.codes import Array, CodeSet, guesses
from entropeg.errors import TooLargeError
from entropeg.feedback import Code, Method, is_known, label_of
from entropeg.kernels import tallies
from entropeg.kernels.onestep import arrays
from entropeg.kernels.onestep.arrays import BY_HASH, Criterion
from entropeg.kernels.onestep.plain import cost_keys
from entropeg.position import Position
from entropeg.processors import usable_processors
from entropeg.rules import Rules
from entropeg.search.onestep.choice import TIES, Schedule, TurnRule
from entropeg.search.onestep.code_arrays import (
    FUNCTIONS,
    MOST_PAIRS,
    OTHERS,
    board_of,
    check_reach,
    node_at,
    threads_for,
)
from entropeg.sizes import POSITIONAL
from entropeg.told import Told

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
    if is_weighed(rules, choice):
        return weighed_guess(position, choice, seed)
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
        advice = OTHERS
        if core.closed and not marks:
            advice = Told(
                "`auto` picks a strategy that plays by a sample of the codes, and ties=candidate,guesses=all leaves "
                "out guesses that are alike"
            )
        raise TooLargeError(
            "to weigh {guesses:,} guesses one by one against the {codes:,} codes left takes {comparisons:,} "
            "comparisons, and fewer than {most:,} are made; {advice}",
            *(listed, size, pairs, MOST_PAIRS, advice),
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
    """The numbers by which the best guesses of two searches are compared, as the kernel does it; the guess is last."""
    cost, second, other, order, guess = score.best.tolist()
    first_sizes = score.sorts[0].tolist() if rule.first.family == arrays.SORTED else []
    second_sizes = score.sorts[1].tolist() if rule.second.family == arrays.SORTED else []
    return cost, first_sizes, second, second_sizes, other, order, guess


MOST_GRAND_PAIRS = 1 << 24
"""Pairs that are scored for one guess with shapes, where a game of `grand` starts from 10^11: a second or two."""

MOST_JUDGES = 1 << 13
"""Candidates that judge where there are too many pairs."""

BY_CHANCE = ("entropy", "expected-size")
"""Criteria that a prior changes; the others count codes."""


def is_weighed(rules: Rules, choice: TurnRule) -> bool:
    """Tell whether a guess is chosen here, and not by the kernels."""
    by_chance = rules.prior is not None and (choice.criterion in BY_CHANCE or choice.then in BY_CHANCE)
    return by_chance or not is_known(rules, Method.onestep)


def weighed_guess(position: Position, choice: TurnRule, seed: int) -> Code:
    """Return the best guess by the first criterion, then by the second where there is one, then by the tie rule.

    Of equal candidates the likelier comes first.
    """
    rules, candidates, ties = position.rules, position.candidates, TIES[choice.ties]
    chance = np.random.default_rng([seed, *(label_of(turn.feedback, rules) for turn in position.turns)])
    pool, judges = _thinned(_pool(position, choice, chance), candidates)
    keys = [np.concatenate(part, axis=-1) for part in zip(*_costs(judges, pool, choice), strict=True)]
    at = candidates.find(pool)
    order: list[Any] = [np.arange(len(pool))]  # what np.lexsort decides by, the last first
    if ties.order == BY_HASH:
        order = [chance.permutation(len(pool))]
    elif rules.prior is not None:
        order.append(-np.where(at >= 0, candidates.chances[at], 0.0))
    if ties.candidates_first:
        order.append(at < 0)
    for key in reversed(keys):
        order += [key] if key.ndim == 1 else list(key[::-1])
    return pool[int(np.lexsort(order)[0])]


def _pool(position: Position, choice: TurnRule, chance: np.random.Generator) -> CodeSet:
    if choice.guesses == "candidates":
        return position.candidates
    legal = position.legal_guesses
    if choice.guesses == "all":
        return legal
    drawn = chance.choice(len(legal), size=min(choice.probes, len(legal)), replace=False)
    return legal.take(np.union1d(drawn, legal.find(position.candidates)))


def _thinned(pool: CodeSet, candidates: CodeSet) -> tuple[CodeSet, CodeSet]:
    # Guesses and candidates at even distances, so that their pairs are few enough.
    # 2^31 pairs take half a minute on boards without shapes.
    most = MOST_GRAND_PAIRS if candidates.rules.shapes else 1 << 31
    if len(pool) * len(candidates) <= most:
        return pool, candidates
    judges = candidates[:: -(-len(candidates) // MOST_JUDGES)]
    return pool[:: -(-len(pool) * len(judges) // most)], judges


def _costs(candidates: CodeSet, pool: CodeSet, choice: TurnRule) -> Iterator[list[Array]]:
    rules, count = candidates.rules, len(candidates)
    # Weights of feedbacks go with counted codes: such an entropy takes no notice of the prior.
    names = [choice.criterion if choice.weights is None else "", choice.then]
    wanted = list(zip(names, choice.criteria(rules), strict=False))
    # Four million pairs of guess and candidate are scored at a time.
    rows = max(1, (1 << 22) // max(count, rules.label_count))
    for start in range(0, len(pool), rows):
        labels = candidates.labels(pool[start : start + rows])
        sizes = tallies(labels, rules.label_count)
        chances = None if rules.prior is None else tallies(labels, rules.label_count, candidates.chances)
        yield [
            _by_chance(name, sizes, chances, rules.win_label if choice.win and name == choice.criterion else None)
            if chances is not None and name in BY_CHANCE
            else _by_size(criterion, sizes)
            for name, criterion in wanted
        ]


def _by_chance(name: str, sizes: Array, chances: Array, win: int | None) -> Array:
    # Entropy: sum of p log p, two bits less for the winning part. Expected size: codes left, none where the guess wins.
    if name == "entropy":
        terms = chances * np.log2(np.where(chances > 0, chances, 1.0))
        if win is not None:
            terms[:, win] -= 2 * chances[:, win]
    else:
        terms = chances * sizes
        if win is not None:
            terms[:, win] = 0
    # Sums of the same chances in another order are equal.
    costs: Array = np.round(terms.sum(axis=1), 12)
    return costs


def _by_size(criterion: Criterion, sizes: Array) -> Array:
    """Cost by the table of the criterion; for the sorted partition one row for each place, largest part first."""
    keys = list(cost_keys(criterion, sizes))
    return np.array(keys) if len(keys) > 1 else keys[0]
