"""The codes that fit some turns, on any board: one question, answered in the way that suits the board.

Where the codes of the board are few they are scanned; where those that fit are few they are built; where nobody can
list them they are sampled by chains.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from entropeg.candidates.build import build_codes, can_build
from entropeg.candidates.chains import Chains, can_walk
from entropeg.candidates.constraints import Turns
from entropeg.codes import CodeSet, secrets
from entropeg.errors import ContradictionError, TooLargeError
from entropeg.rules import Rules

SCANNED = 1_000_000
"""Up to so many secrets are scanned."""

STEPS = 5_000_000
"""Steps of the chains, about a tenth of a second; and twice as many symbols may be tried to build."""


SPREAD = 8
"""How many times as many codes the chains look for as are wanted: neighbors in a chain are alike."""


class Found(NamedTuple):
    """Codes that fit: `complete` says whether they are all, `method` how they were found.

    The method is `list` (all codes scanned), `built` (peg by peg) or `chains`. What is not complete is a sample, of
    equally likely codes; `complete` is a proof.
    """

    codes: CodeSet
    complete: bool
    method: str


def find_candidates(
    rules: Rules, turns: Turns, *, limit: int, seed: int | np.random.Generator, steps: int = STEPS
) -> Found:
    """Return the secrets that fit the turns, all of them or a sample of at most `limit`, and say which.

    The same seed gives the same answer. `steps` bounds the work: steps of the chains, and symbols tried when building.
    Raises ContradictionError where it proves that no secret fits. Where none was found and nothing is proved, the
    answer is empty and not complete. Raises TooLargeError where no way suits the board.

    >>> from entropeg.feedback import Feedback
    >>> found = find_candidates(Rules.parse("12x12"), [(tuple(range(12)), Feedback(11))], limit=200, seed=1)
    >>> len(found.codes), found.complete, found.method
    (132, True, 'built')
    """
    rng = np.random.default_rng(seed)
    found = _find(rules, turns, limit, rng, steps)
    if found.complete and not len(found.codes):
        raise ContradictionError(f"no secret of {rules} fits all {len(turns)} turns: at least one answer is wrong")
    return found


def _find(rules: Rules, turns: Turns, limit: int, rng: np.random.Generator, steps: int) -> Found:
    if rules.secret_count <= SCANNED or not can_build(rules):
        return _sampled(secrets(rules).consistent(turns), limit, rng, "list")
    if not can_walk(rules):
        return _sampled(build_codes(rules, turns, steps=100 * steps), limit, rng, "built")
    chains = Chains(rules, turns, rng, capacity=SPREAD * limit)
    chains.walk(steps)
    if chains.found <= limit:
        built = try_to_build(rules, turns, limit, 2 * steps)
        if built is not None:
            return Found(built, complete=True, method="built")
    return Found(chains.some(limit, rng), complete=False, method="chains")


def _sampled(codes: CodeSet, limit: int, rng: np.random.Generator, method: str) -> Found:
    if len(codes) <= limit:
        return Found(codes, complete=True, method=method)
    chosen = np.sort(rng.choice(len(codes), limit, replace=False))
    return Found(codes.take(chosen), complete=False, method=method)


def try_to_build(rules: Rules, turns: Turns, limit: int, steps: int) -> CodeSet | None:
    """Return all secrets that fit, or None where they are more than `limit` or more than `steps` symbols were tried."""
    try:
        return build_codes(rules, turns, limit=limit, steps=steps)
    except TooLargeError:
        return None
