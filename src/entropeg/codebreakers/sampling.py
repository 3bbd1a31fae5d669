"""The codebreaker for boards that nobody can enumerate: tempered chains sample the codes left, entropy picks the guess."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np

from entropeg.candidates import Chains, can_walk
from entropeg.candidates.chains import code_set
from entropeg.candidates.front import try_to_build
from entropeg.codebreakers.splitting import split_best
from entropeg.codes import Array, CodeSet
from entropeg.errors import ContradictionError, InputError
from entropeg.feedback import Code
from entropeg.position import SCANNED, Position, Turn
from entropeg.registry import spec_of
from entropeg.rules import Rules

REMEMBERED = 512
"""Games whose chains are kept."""

SOFT_POOL = 300
"""States that nearly fit, which stand in where too few fit."""

ENOUGH = 100
"""From so many codes on no states that nearly fit are wanted."""

LISTED = 50_000
"""Codes left that are worth being listed."""

BUILDABLE = 10**11
"""Boards of up to so many codes (10x10) are listed as soon as few are left; on larger ones building takes too long."""

SEEN = 8
"""How often each code must have been met before all are held to be found."""

PATIENCE = 12
"""How many times the usual steps are made before a turn is played without any code that fits."""


class Knowledge(NamedTuple):
    """What is known of the codes left.

    `codes` fit every turn; they are all if `complete`, of about `estimate`. `soft` nearly fit (`uint8[s, pegs]`).
    `states` is where the chains are.
    """

    codes: CodeSet
    complete: bool
    estimate: float
    soft: Array
    states: Array


class Remembered(NamedTuple):
    """Knowledge of one position of one game: `turn` is the very object that the game holds as its last."""

    turn: Turn
    knowledge: Knowledge


@dataclass(frozen=True)
class Sampling:
    """Tempered chains sample the codes left, and any legal guess that splits the sample best is played.

    Boards whose codes can be scanned are listed instead, and so are the codes left as soon as they are few. `steps` are
    those of the chains in a turn (0: by the board), `sample` the codes they look for, `tries` the changes tried on a
    guess (0: by the board).
    """

    sample: int = 2000
    steps: int = 0
    tries: int = 0

    deterministic: ClassVar[bool] = False

    _memo: OrderedDict[int, Remembered] = field(default_factory=OrderedDict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse numbers that mean nothing."""
        if self.sample < 10:
            raise InputError(f"sample is {self.sample}; it must be at least 10")
        for name, value in (("steps", self.steps), ("tries", self.tries)):
            if value < 0:
                raise InputError(f"{name} is {value}; it must be at least 1, or 0 for what suits the board")

    @property
    def name(self) -> str:
        """`sampling`, with the parameters that are not the default."""
        return spec_of("sampling", self)

    def __reduce__(self) -> tuple[type[Sampling], tuple[int, int, int]]:
        """Pickle without the memo: an empty one costs time only."""
        return Sampling, (self.sample, self.steps, self.tries)

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the guess; raises ContradictionError where it is proved that no secret fits."""
        knowledge = self._know(position, rng)
        if knowledge.complete and len(knowledge.codes) <= 2:
            return knowledge.codes[0]
        return self._choose(position, knowledge, rng)

    # -------------------------------------------------------------- what is left

    def _know(self, position: Position, rng: np.random.Generator) -> Knowledge:
        rules = position.rules
        if rules.secret_count <= SCANNED or not can_walk(rules):
            position.check_consistent()
            return _listed(position.candidates)
        before = self._recall(position)
        knowledge = self._filtered(position, before)
        if knowledge is None:
            knowledge = self._sampled(position, before, rng)
        if knowledge.complete and not len(knowledge.codes):
            shown = f"no secret of {rules} fits all {len(position.turns)} turns: at least one answer is wrong"
            raise ContradictionError(shown)
        self._remember(position, knowledge)
        return knowledge

    def _recall(self, position: Position) -> Knowledge | None:
        # The turns before the last one are the same objects in every position of one game, and of no other game.
        if len(position.turns) < 2:
            return None
        turn = position.turns[-2]
        kept = self._memo.get(id(turn))
        return kept.knowledge if kept is not None and kept.turn is turn else None

    def _remember(self, position: Position, knowledge: Knowledge) -> None:
        if position.turns:
            turn = position.turns[-1]
            self._memo[id(turn)] = Remembered(turn, knowledge)
            self._memo.move_to_end(id(turn))
            while len(self._memo) > REMEMBERED:
                self._memo.popitem(last=False)

    def _filtered(self, position: Position, before: Knowledge | None) -> Knowledge | None:
        if before is None or not before.complete:
            return None
        return _listed(before.codes.consistent(position.turns[-1:]))

    def _sampled(self, position: Position, before: Knowledge | None, rng: np.random.Generator) -> Knowledge:
        rules, turns = position.rules, position.turns
        start, steps = _start(rules, position, before, rng), self._steps(rules)
        chains = Chains(rules, turns, rng, capacity=self.sample, start=start)
        chains.walk(steps, seen=SEEN)
        if not chains.is_full and chains.estimate() < LISTED and rules.secret_count <= BUILDABLE:
            listed = try_to_build(rules, turns, LISTED, 4 * steps)
            if listed is not None:
                return _listed(listed)
        while not chains.found and chains.steps < PATIENCE * steps:
            chains.walk(steps, seen=SEEN)
        return Knowledge(chains.codes, False, chains.estimate(), _nearly(chains), chains.states.copy())

    def _steps(self, rules: Rules) -> int:
        return self.steps or 2_000_000

    def _tries(self, rules: Rules) -> int:
        return self.tries or 6000

    # -------------------------------------------------------------- what is played

    def _choose(self, position: Position, knowledge: Knowledge, rng: np.random.Generator) -> Code:
        codes, estimate = knowledge.codes, knowledge.estimate
        if not knowledge.complete and len(codes) < ENOUGH and not estimate < 2 * len(codes):
            codes = code_set(position.rules, np.unique(np.concatenate([codes.planes.T, knowledge.soft]), axis=0))
            estimate = float("inf")
        if len(codes) > self.sample:
            codes = codes.take(np.sort(rng.choice(len(codes), self.sample, replace=False)))
        choice = split_best(codes, rng, stands_for=estimate, tries=self._tries(position.rules))
        return choice.guess


def _listed(codes: CodeSet) -> Knowledge:
    nothing = np.empty((0, codes.rules.pegs), np.uint8)
    return Knowledge(codes, True, float(len(codes)), nothing, nothing)


def _start(rules: Rules, position: Position, before: Knowledge | None, rng: np.random.Generator) -> Array | None:
    """Where the chains set off: where they were, half of them moved to codes that fit the last turn too."""
    if before is None or not len(before.states):
        return None
    start = before.states.copy()
    left = before.codes.consistent(position.turns[-1:]).planes.T
    chosen = rng.permutation(len(start))[: len(start) // 2]
    if len(left):
        start[chosen] = left[rng.integers(len(left), size=len(chosen))]
    return start


def _nearly(chains: Chains) -> Array:
    """The different states of least energy that the coldest chains passed lately."""
    rows, misses = chains.soft
    different, where = np.unique(rows, axis=0, return_index=True)
    return different[np.argsort(misses[where], kind="stable")[:SOFT_POOL]]
