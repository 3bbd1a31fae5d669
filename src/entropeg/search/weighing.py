"""The best guess of a one-step rule by plain NumPy, where secrets are not equally likely or pegs have shapes.

Every allowed guess is scored against every candidate, without symmetry; 10 to 50 ns a pair. Where there are too many
pairs, evenly spaced guesses are judged by evenly spaced candidates.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from entropeg.codes import CodeSet, guesses
from entropeg.feedback import Code, label_of
from entropeg.kernels import score_many
from entropeg.kernels._plain_labels import tallies
from entropeg.kernels.plain_onestep import cost_keys

if TYPE_CHECKING:
    from entropeg.codes import Array
    from entropeg.position import Position
    from entropeg.rules import Rules
    from entropeg.search.criteria import Criterion

PAIRS = 1 << 22
"""Pairs of guess and candidate that are scored at a time."""

MOST_PAIRS = 1 << 31
"""Pairs that are scored for one guess on other boards than those with shapes: half a minute."""

MOST_GRAND_PAIRS = 1 << 24
"""The same with shapes, where a game of the preset `grand` starts from 10^11 pairs: a second or two."""

MOST_JUDGES = 1 << 13
"""Candidates that judge where there are too many pairs."""

DIGITS = 12
"""Decimals to which weighted costs are compared: sums of the same chances in another order are equal."""

BY_CHANCE = ("entropy", "expected-size")
"""Criteria that a prior changes; the others count codes."""


def is_weighed(rules: Rules, *criteria: str) -> bool:
    """Tell whether a choice by these criteria is made here, and not by the kernels."""
    return rules.shapes > 0 or (rules.prior is not None and any(name in BY_CHANCE for name in criteria))


def best_guess(
    position: Position,
    criteria: list[tuple[str, Criterion]],
    *,
    win: bool,
    ties: str,
    scope: str,
    probes: int,
    seed: int,
) -> Code:
    """Return the best guess by the first criterion, then by the second where there is one, then by the tie rule.

    Of equal candidates the likelier comes first. `win` is the correction of `criteria.criterion`; ties and scope are
    those of the one-step codebreakers.
    """
    candidates = position.candidates
    chance = np.random.default_rng([seed, *(label_of(turn.feedback, position.rules) for turn in position.turns)])
    pool, judges = _thinned(_pool(position, scope, probes, chance), candidates)
    keys = [np.concatenate(part, axis=-1) for part in zip(*_costs(judges, pool, criteria, win=win), strict=True)]
    at = candidates.find(pool)
    order: list[Any] = [np.arange(len(pool))]  # what np.lexsort decides by, the last first
    if ties.endswith("random"):
        order = [chance.permutation(len(pool))]
    elif position.rules.prior is not None:
        order.append(-np.where(at >= 0, candidates.chances[at], 0.0))
    if ties not in ("first", "random"):
        order.append(at < 0)
    for key in reversed(keys):
        order += [key] if key.ndim == 1 else list(key[::-1])
    return pool[int(np.lexsort(order)[0])]


def _pool(position: Position, scope: str, probes: int, chance: np.random.Generator) -> CodeSet:
    if scope == "candidates":
        return position.candidates
    legal = guesses(position.rules)
    if scope == "all":
        return legal
    drawn = chance.choice(len(legal), size=min(probes, len(legal)), replace=False)
    return legal.take(np.union1d(drawn, legal.find(position.candidates)))


def _thinned(pool: CodeSet, candidates: CodeSet) -> tuple[CodeSet, CodeSet]:
    # Guesses and candidates at even distances, so that their pairs are few enough.
    most = MOST_GRAND_PAIRS if candidates.rules.shapes else MOST_PAIRS
    if len(pool) * len(candidates) <= most:
        return pool, candidates
    judges = candidates[:: -(-len(candidates) // MOST_JUDGES)]
    return pool[:: -(-len(pool) * len(judges) // most)], judges


def _costs(
    candidates: CodeSet, pool: CodeSet, criteria: list[tuple[str, Criterion]], *, win: bool
) -> Iterator[list[Array]]:
    rules, count = candidates.rules, len(candidates)
    rows = max(1, PAIRS // max(count, rules.label_count))
    for start in range(0, len(pool), rows):
        some = pool.planes[:, start : start + rows]
        labels = score_many(rules.kind, np.ascontiguousarray(some), candidates.planes, candidates.counts)
        sizes = tallies(labels, rules.label_count)
        chances = None if rules.prior is None else tallies(labels, rules.label_count, candidates.chances)
        yield [
            _by_chance(name, sizes, chances, rules.win_label if win and name == criteria[0][0] else None)
            if chances is not None and name in BY_CHANCE
            else _by_size(criterion, sizes)
            for name, criterion in criteria
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
    costs: Array = np.round(terms.sum(axis=1), DIGITS)
    return costs


def _by_size(criterion: Criterion, sizes: Array) -> Array:
    """Cost by the table of the criterion; for the sorted partition one row for each place, largest part first."""
    keys = list(cost_keys(criterion.family, criterion.table, criterion.klass, sizes))
    return np.array(keys) if len(keys) > 1 else keys[0]
