"""Suggests the next guess and says why: by the best codebreaker that the board allows, with measures of the guess."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from entropeg import codebreakers
from entropeg.codebreakers.auto import Auto, StrategyGuess
from entropeg.codebreakers.decoder.discrimination import BLOCK, surprise
from entropeg.codes import Array, CodeSet, check_listable, is_listable
from entropeg.feedback import Code
from entropeg.partition import Partition
from entropeg.position import Position
from entropeg.symmetry import guess_kinds

PREFERRED = ("entropy", "minimax")
"""Codebreakers that weigh every guess, best mean first; the first that exists advises."""

WEIGHED_PAIRS = 1 << 31
"""Beyond so many pairs of guess and candidate, weighing every guess would take more than a second or two."""

RANKED_PAIRS = 1 << 24
"""Up to so many pairs every guess is ranked where none stands for others, as with a prior: a second or two."""

TRIED, JUDGED = 200, 20_000
"""On larger boards: how many candidates are tried as guesses, on how many others; together about 0.2 s."""


@dataclass(frozen=True)
class Adviser:
    """The codebreaker of the hints.

    It weighs every guess where that takes a second or two, else a sample of the candidates. Where the codes of the
    board cannot be listed it plays as `auto` does. Raises ContradictionError where no candidate is left.
    """

    name: ClassVar[str] = "adviser"
    deterministic: ClassVar[bool] = False

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the guess to make."""
        if not is_listable(position.rules):
            return Auto().guess(position, rng)
        position.check_consistent()
        expert = expert_for(position)
        if expert is not None:
            return codebreakers.get(expert).guess(position, rng)
        tried, judged = (_sample(position.candidates, size, rng) for size in (TRIED, JUDGED))
        return max(tried, key=lambda guess: Partition.of(judged, guess).bits)

    def explained(self, position: Position, rng: np.random.Generator) -> tuple[Code, str]:
        """Return the guess, and who made it where the codes cannot be listed; an empty text where they can."""
        return (self.guess(position, rng), "") if is_listable(position.rules) else Auto().explained(position, rng)


def expert_for(position: Position) -> str | None:
    """Name the codebreaker that can weigh every guess of this position, None where it would take too long.

    One or two candidates need no weighing: playing one of them is best.
    """
    candidates = len(position.candidates)
    if candidates <= 2 or candidates * position.rules.guess_count > WEIGHED_PAIRS:
        return None
    known = codebreakers.names()
    return next((name for name in PREFERRED if name in known), None)


def _sample(codes: CodeSet, size: int, rng: np.random.Generator) -> CodeSet:
    if len(codes) <= size:
        return codes
    return codes.take(np.sort(rng.choice(len(codes), size=size, replace=False)))


def counsel(position: Position, rng: np.random.Generator) -> Partition | StrategyGuess:
    """Return the guess to make with what it does to the candidates, or, where they cannot be listed, with who makes it.

    Raises ContradictionError where no candidate is left.

    >>> from entropeg import Rules
    >>> counsel(Position(Rules.parse("2x2")), np.random.default_rng(1)).total
    4
    """
    if not is_listable(position.rules):
        return Auto().decide(position, rng)
    return Partition.of(position.candidates, Adviser().guess(position, rng))


def ranked(position: Position, number: int, rng: np.random.Generator) -> list[Partition]:
    """Return so many guesses with what they do to the candidates (exact counts), the best first.

    By bits, then candidates before others, then in order; of guesses that a symmetry of the position makes alike one
    stands for all, and where symmetries cannot be used, one of those that split the candidates alike. Where weighing
    every guess takes too long, the best of a sample of the candidates. Raises TooLargeError where the codes of the
    board cannot be listed, ContradictionError where none is left.

    >>> from entropeg import Rules
    >>> [part.largest for part in ranked(Position(Rules.parse("4x6")), 3, np.random.default_rng(1))]
    [312, 276, 256]
    """
    check_listable(position.rules, position.rules.guess_count)
    position.check_consistent()
    candidates = position.candidates
    pool, judged = _compared(position, rng)
    costs = _costs(judged, pool)
    is_other = candidates.find(pool) < 0
    best = np.lexsort((is_other, costs))
    if position.rules.prior is None and judged is candidates:
        return [Partition.of(candidates, pool[int(index)]) for index in best[:number]]
    found: dict[tuple[int, ...], Partition] = {}
    for index in best:
        part = Partition.of(candidates, pool[int(index)])
        found.setdefault((*part.sizes.values(), round(part.bits * 1e9)), part)
        if len(found) == number:
            break
    return sorted(found.values(), key=lambda part: -part.bits)


def _compared(position: Position, rng: np.random.Generator) -> tuple[CodeSet, CodeSet]:
    # The guesses to rank, and the candidates that they are judged on.
    candidates, rules = position.candidates, position.rules
    if len(candidates) <= 2:
        return candidates, candidates
    kinds = guess_kinds(position) if rules.prior is None else None
    if kinds is None and len(candidates) * rules.guess_count <= RANKED_PAIRS:
        kinds = position.legal_guesses
    if kinds is not None and len(candidates) * len(kinds) <= WEIGHED_PAIRS:
        return kinds, candidates
    return _sample(candidates, TRIED, rng), _sample(candidates, JUDGED, rng)


def _costs(candidates: CodeSet, pool: CodeSet) -> Array:
    # The fewer, the more bits: exact whole numbers but for a prior, by which the bits are weighed.
    if candidates.rules.prior is not None:
        return np.array([-round(Partition.of(candidates, guess).bits, 9) for guess in pool])
    table, rows = surprise(len(candidates)), max(1, BLOCK // candidates.rules.label_count)
    blocks = (pool[start : start + rows] for start in range(0, len(pool), rows))
    return np.concatenate([table[candidates.part_sizes(block)].sum(axis=1) for block in blocks])
