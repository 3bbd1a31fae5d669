"""The best guess of a one-step rule by plain NumPy: for priors, and for feedback that the kernels do not know.

Every allowed guess is scored against every candidate, without symmetry; 10 to 50 ns a pair. Where there are too many
pairs, evenly spaced guesses are judged by evenly spaced candidates.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from entropeg.codes import CodeSet
from entropeg.feedback import Code, Method, is_known, label_of
from entropeg.kernels import tallies
from entropeg.kernels.onestep.arrays import BY_HASH
from entropeg.kernels.onestep.plain import cost_keys
from entropeg.search.onestep.choice import TIES

if TYPE_CHECKING:
    from entropeg.codes import Array
    from entropeg.kernels.onestep.arrays import Criterion
    from entropeg.position import Position
    from entropeg.rules import Rules
    from entropeg.search.onestep.choice import TurnRule


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


def best_guess(position: Position, choice: TurnRule, seed: int) -> Code:
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
