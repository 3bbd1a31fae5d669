"""The codes that the cheat keeps on boards that nobody can list: a sample of those that fit, filled up at every turn.

A code that fits a turn stays. From such codes chains walk to others (`candidates.chains`), and where there are few all
are built. What is kept follows from the turns alone, whoever asks and whatever was asked before.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from entropeg.candidates import Chains
from entropeg.candidates.chains import code_set
from entropeg.candidates.front import try_to_build
from entropeg.codebreakers.memo import Memo
from entropeg.codebreakers.sampling.doubt import PATIENCE, usual_steps
from entropeg.codes import CodeSet, plane_type, random_secret
from entropeg.errors import TooLargeError
from entropeg.position import Position, Turn
from entropeg.rules import Rules
from entropeg.told import plural

SAMPLE = 2000
"""Codes that are kept."""

LISTED = 20_000
"""Most codes that are kept where they are all that fit."""

FEW = 20
"""With fewer codes found, more effort is made to find others, or to build all."""

TRIED = 100_000_000
"""Symbols that are tried to build them then: a second, where codes can be built at all within some."""


@dataclass(frozen=True)
class HeldCodes:
    """Codes that fit the turns: all of them if `complete`, else a sample, which is empty where none was found."""

    rules: Rules
    turns: tuple[Turn, ...]
    codes: CodeSet
    complete: bool = False

    @classmethod
    def at_start(cls, rules: Rules) -> HeldCodes:
        """Draw from all codes of a board."""
        rng = np.random.default_rng(0)
        rows = np.array([random_secret(rules, rng) for _ in range(SAMPLE)], plane_type(rules))
        return cls(rules, (), code_set(rules, np.unique(rows, axis=0)))

    def after(self, turn: Turn) -> HeldCodes:
        """Return those that fit one turn more, filled up: a tenth of a second, and a second where few are left."""
        turns, left = (*self.turns, turn), self.codes.consistent([turn])
        if self.complete:
            return HeldCodes(self.rules, turns, left, complete=True)
        rng, steps = np.random.default_rng(len(turns)), usual_steps(self.rules)
        start = (left if len(left) else self.codes).planes.T
        # Neighbors in a chain are alike: many more are looked for than are kept.
        chains = Chains(
            self.rules,
            turns,
            rng,
            capacity=8 * SAMPLE,
            start=start[rng.integers(len(start), size=8)] if len(start) else None,
        )
        chains.walk(steps)
        tried = 2 * steps
        while len(left) < FEW and chains.found < FEW and chains.steps < PATIENCE * steps:
            chains.walk(steps)
            tried = TRIED
        if chains.estimate() < LISTED:
            every = try_to_build(self.rules, turns, LISTED, tried)
            if every is not None:
                return HeldCodes(self.rules, turns, every, complete=True)
        found = chains.some(SAMPLE, rng).planes.T
        if len(found) < SAMPLE:
            found = np.unique(np.concatenate([found, left.planes.T]), axis=0)
        return HeldCodes(self.rules, turns, code_set(self.rules, found))


_HELD: Memo[HeldCodes] = Memo(32)


def held_codes(position: Position) -> HeldCodes:
    """Return the codes that are kept after some turns, at least one.

    Costs one turn's work where the position before was asked about, else that of all turns. Raises ContradictionError
    where it is proven that no code fits, and TooLargeError where none was found.
    """
    known = _HELD.take(position)
    if known is not None:
        _HELD.keep(known)  # an interruption leaves it there
    kept = known or HeldCodes.at_start(position.rules)
    for turn in position.turns[len(kept.turns) :]:
        kept = kept.after(turn)
        _HELD.keep(kept)
    if not len(kept.codes):
        if kept.complete:
            position.check_consistent()
        raise TooLargeError(
            plural(
                len(position.turns),
                "the cheat found no code of {rules} that fits the turn, and nothing is proven",
                "the cheat found no code of {rules} that fits all {n} turns, and nothing is proven",
                position.rules,
            )
        )
    return kept
