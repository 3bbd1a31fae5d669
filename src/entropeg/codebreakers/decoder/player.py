"""The decoder of Forget 2011: overture, interlude, endgame; and `full`, the same endgame with any code as a probe.

Jean Forget, *Décodeur Mastermind* (2011-2025). The stages are pieces of their own: `overture`, `entropeg.candidates`
(the interlude: synthetic guess and construction peg by peg) and `discrimination`; this module puts them together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from entropeg.candidates import SCANNED
from entropeg.codebreakers.decoder.discrimination import BestGuess, DecoderCriterion, PairTable, choose, join, schedule
from entropeg.codebreakers.decoder.overture import Overture, probes
from entropeg.codes import CodeSet
from entropeg.errors import TooLargeError
from entropeg.feedback import Code
from entropeg.position import Position
from entropeg.registry import choice, named
from entropeg.symmetry import guess_kinds, representatives

Stage: TypeAlias = Literal["overture", "endgame"]

MOST_FREE = 400_000_000
"""Pairs that `full` scores for one guess; where there are more, it plays like the document for this turn."""


@dataclass(frozen=True)
class Decision:
    """What the decoder plays and where in its plan it is.

    `choice` tells how the guess was found, None in the overture.
    """

    guess: Code
    stage: Stage
    overture: Overture
    criterion: DecoderCriterion
    choice: BestGuess | None = None


@dataclass(frozen=True)
class Decoder:
    """ABCD, EFGH, ..., then what splits best (Forget 2011).

    The program *Décodeur Mastermind*: an overture, then the candidate or probe that splits the candidates best.
    `stages=document` follows it; `stages=full` has any code as a probe, and no overture where the secrets can be
    scanned. `criterion` is entropy or minimax (the other decides ties), or a list by turn of the game as
    `minimax+entropy`, the last one for all further turns. `table` is the number of codes up to which the
    feedback of every pair is kept for the rest of the game, 0 for none: it changes the time, never the play.
    Over all secrets of 4x6 it takes 4.5046 guesses on average.
    """

    stages: str = "document"
    criterion: str = "entropy"
    table: int = 0

    name = named("decoder")
    deterministic: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Refuse what cannot be read."""
        choice("stages", self.stages, ("document", "full"))
        schedule(self.criterion)

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the guess; raises ContradictionError where no secret fits, TooLargeError where too many do."""
        return self.decide(position).guess

    def decide(self, position: Position) -> Decision:
        """Return the guess with the stage and the reasons for it."""
        overture = Overture.of(position)
        criteria = schedule(self.criterion)
        criterion = criteria[min(len(position.turns), len(criteria) - 1)]
        code = self._from_overture(position, overture)
        if code is not None:
            return Decision(code, "overture", overture, criterion)
        if not len(position.candidates):
            position.check_consistent()
        found = self._endgame(position, overture, criterion)
        return Decision(found.guess, "endgame", overture, criterion, found)

    def _from_overture(self, position: Position, overture: Overture) -> Code | None:
        if self.stages == "full" and position.rules.secret_count <= SCANNED and not position.rules.shapes:
            return None
        if overture.next is not None:
            return overture.next
        # Beside Forget's program: somebody else's guess came between, and the codes left are too many to list.
        further = probes(position, overture) if overture.end == "other guess" else ()
        if further and not _are_listed(position):
            return further[0]
        return None

    def _endgame(self, position: Position, overture: Overture, criterion: DecoderCriterion) -> BestGuess:
        candidates = position.candidates
        if len(candidates) <= 2:
            return BestGuess(candidates[0], is_candidate=True, equal=candidates, compared=len(candidates))
        if self.stages == "full":
            free = _free_guesses(position)
            if free is not None:
                return choose(candidates, free, criterion, whole_kinds="all")
        compared = _compared(position)
        pool = join(compared, probes(position, overture))
        table = self._table(position, overture)
        sizes = None if table is None else table.part_sizes(pool, candidates)
        return choose(candidates, pool, criterion, sizes, "none" if compared is candidates else "candidates")

    def _table(self, position: Position, overture: Overture) -> PairTable | None:
        """Return the table of the first position after the overture whose codes are few enough, if there is one."""
        if not self.table:
            return None
        line = [position]
        while len(line[-1].turns) > overture.played and line[-1].parent is not None:
            line.append(line[-1].parent)
        for earlier in reversed(line):
            if len(earlier.candidates) <= self.table:
                return _table_of(earlier)
        return None


@lru_cache(maxsize=4)
def _table_of(position: Position) -> PairTable:
    return PairTable(position.candidates, join(position.candidates, probes(position)))


def _are_listed(position: Position) -> bool:
    try:
        return len(position.candidates) >= 0
    except TooLargeError:
        return False


def _compared(position: Position) -> CodeSet:
    # The candidates to be compared as guesses: all, one of each kind, or evenly spaced ones of those.
    candidates = position.candidates
    # Two milliseconds: not worth looking for guesses of the same kind.
    if len(candidates) ** 2 <= 2_000_000:
        return candidates
    kinds = representatives(position, candidates)
    # Some seconds; where there are more pairs, evenly spaced guesses are compared only.
    step = -(-len(kinds) * len(candidates) // 4_000_000_000)
    return kinds if step <= 1 else kinds[::step]


def _free_guesses(position: Position) -> CodeSet | None:
    kinds = guess_kinds(position)
    most = MOST_FREE >> 4 if position.rules.shapes else MOST_FREE  # pairs with shapes take so much longer
    if kinds is None or len(kinds) * len(position.candidates) > most:
        return None
    return kinds
