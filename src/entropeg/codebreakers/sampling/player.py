"""Samples the codes left by chains that walk among codes, and plays the guess that splits the sample best."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple

import numpy as np

from entropeg.candidates import SCANNED, Chains
from entropeg.candidates.chains import check_walk, code_set
from entropeg.candidates.front import no_secret, try_to_build
from entropeg.codebreakers.doubts import Doubt
from entropeg.codebreakers.sampling import doubt
from entropeg.codebreakers.sampling.splitting import look_ahead, split_best
from entropeg.codes import Array, CodeSet, random_guess
from entropeg.errors import ContradictionError, TooLargeError
from entropeg.feedback import Code
from entropeg.position import Position, Turn
from entropeg.registry import at_least, by_parameters, named
from entropeg.rules import Rules

SOFT_POOL = 300
"""Codes that nearly fit which are used where too few fit."""

ENOUGH = 100
"""With this many codes that fit, none that nearly fit are used."""

LISTED = 20_000
"""Most codes left that are listed."""

WIDE = 16
"""Pegs beyond which neighbors in a chain are so alike that many more codes are looked for than are wanted."""


class Knowledge(NamedTuple):
    """The knowledge of the codes left.

    `codes` fit every turn: all of them if `complete` (a proof), else a sample of about `estimate`. `soft` nearly fit
    (`uint8[s, pegs]`). `states` is where the chains are. `fitted` turns, counted from the first, are known to be fitted
    by some code.
    """

    codes: CodeSet
    complete: bool
    estimate: float
    soft: Array
    states: Array
    fitted: int = 0


class Remembered(NamedTuple):
    """Knowledge of one position of one game: `turn` is the very object that the game holds as its last."""

    turn: Turn
    knowledge: Knowledge


@dataclass(frozen=True)
class Sampling:
    """Samples the codes left and splits the sample best.

    Tempered chains draw the sample, and any legal guess may be played.
    Boards whose codes can be scanned are listed instead, and so are the codes left where that is quick. `sample` is the
    number of codes compared, `steps` the steps of the chains in a turn and `tries` the changes tried on a guess (0: by
    the board). Plays under standard, black-only and membership feedback, with and without repeats and blanks, up to
    255 pegs and 254 symbols; takes no notice of priors.
    """

    sample: int = 2000
    steps: int = 0
    tries: int = 6000

    name = named("sampling")
    deterministic: ClassVar[bool] = False

    _memo: OrderedDict[int, Remembered] = field(default_factory=OrderedDict, init=False, repr=False, compare=False)

    # The last turn after which a guess was refused, and why.
    _refused: list[tuple[Turn, Doubt]] = field(default_factory=list, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        at_least(self, sample=10, steps=0, tries=0)

    __reduce__ = by_parameters

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the guess.

        Raises InputError under rules that it does not play, ContradictionError where it is proved that no secret fits,
        TooLargeError where none was found that fits even the turns up to some time ago, and nothing is proved.
        """
        check_walk(position.rules)
        try:
            knowledge = self._know(position, rng)
        except (ContradictionError, TooLargeError) as error:
            if position.turns:
                self._refused[:] = [(position.turns[-1], _refusal(error))]
            raise
        if knowledge.complete and len(knowledge.codes) <= 2:
            return knowledge.codes[0]
        return self._choose(position, knowledge, rng)

    def doubt(self, position: Position) -> Doubt | None:
        """Return what is doubted: that any code fits, where `guess` finds none, with a proof or without one.

        Nothing on boards of more pegs than codes are found to. Raises InputError under rules that it does not play.
        Next to nothing where a guess was made at the position, else as much as one.
        """
        rules = position.rules
        check_walk(rules)
        if not position.turns or rules.pegs > doubt.REACH:
            return None
        last = position.turns[-1]
        kept = self._memo.get(id(last))
        if kept is not None and kept.turn is last:
            return None
        if self._refused and self._refused[-1][0] is last:
            return self._refused[-1][1]
        try:  # what is found here is not kept: a game does not change where somebody asks for doubts
            replace(self).guess(position, np.random.default_rng(len(position.turns)))
        except (ContradictionError, TooLargeError) as error:
            return _refusal(error)
        return None

    # -------------------------------------------------------------- the codes left

    def _know(self, position: Position, rng: np.random.Generator) -> Knowledge:
        rules = position.rules
        if rules.secret_count <= SCANNED:
            position.check_consistent()
            return _listed(position.candidates)
        before = self._recall(position)
        if before is not None and before.complete:
            knowledge = _listed(before.codes.consistent(position.turns[-1:]))
        else:
            knowledge = self._sampled(position, before, rng)
            doubted = len(position.turns) - doubt.doubted_after(rules)
            if not knowledge.complete and knowledge.fitted < doubted:  # no code is known that fits even those turns
                knowledge = self._solved(position, knowledge, rng)
        if knowledge.complete and not len(knowledge.codes):
            raise ContradictionError(no_secret(rules, len(position.turns)))
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
            # One for each turn of the games that are going on, the latest.
            while len(self._memo) > 512:
                self._memo.popitem(last=False)

    def _sampled(self, position: Position, before: Knowledge | None, rng: np.random.Generator) -> Knowledge:
        rules, turns, steps = position.rules, position.turns, self.steps or doubt.usual_steps(position.rules)
        # Four times as many codes are looked for as are wanted, and sixteen times beyond 16 pegs: neighbors in a
        # chain are alike. On 8x12, 12x12 and 15x15 a guess chosen on 2000 codes out of 8,000 tells as much as on 2000
        # out of 32,000, to 0.01 bit, and they are found in less than half the time.
        chains = Chains(
            rules,
            turns,
            rng,
            capacity=(4 if rules.pegs <= WIDE else 16) * self.sample,
            start=_start(position, before, rng),
        )
        # All are held to be found once each was met eight times.
        chains.walk(steps, seen=8)
        # On boards larger than 10x10 building takes too long.
        if not chains.is_full and chains.estimate() < LISTED and (rules.secret_count <= 10**11 or not chains.found):
            listed = try_to_build(rules, turns, LISTED, 2 * steps)
            if listed is not None:
                return _listed(listed)
        while not chains.found and chains.steps < doubt.PATIENCE * steps:
            chains.walk(steps, seen=8)
        codes = chains.some(self.sample, rng)
        before_fitted = before.fitted if before is not None else 0
        soft = _nearly(chains, turns) if len(codes) < ENOUGH else _none(rules)
        return Knowledge(
            codes,
            complete=False,
            estimate=chains.estimate(),
            soft=soft,
            states=chains.states.copy(),
            fitted=len(turns) if len(codes) else before_fitted,
        )

    def _solved(self, position: Position, knowledge: Knowledge, rng: np.random.Generator) -> Knowledge:
        """Return the knowledge once it is made sure that the answers can be true; raises the errors of `settle`."""
        rules, turns = position.rules, position.turns
        found = doubt.settle(rules, turns)
        if found is None:
            return knowledge._replace(fitted=len(turns) - doubt.doubted_after(rules))
        code = np.array([found], np.uint8)
        return self._sampled(position, knowledge._replace(codes=code_set(rules, code), fitted=len(turns)), rng)

    # -------------------------------------------------------------- the guess

    def _choose(self, position: Position, knowledge: Knowledge, rng: np.random.Generator) -> Code:
        codes, estimate = knowledge.codes, knowledge.estimate
        if not knowledge.complete and len(codes) < ENOUGH and not 0 < estimate < 2 * len(codes):
            codes = code_set(position.rules, np.unique(np.concatenate([codes.planes.T, knowledge.soft]), axis=0))
            estimate = float("inf")
        if not len(codes):
            return random_guess(position.rules, rng)
        # With few codes left a guess is judged by the guess after it too.
        if len(codes) <= 2000 and estimate < 2 * len(codes):
            guess = look_ahead(codes, rng, tries=self.tries).guess
        else:
            guess = split_best(codes.drawn(self.sample, rng), rng, stands_for=estimate, tries=self.tries).guess
        played = {turn.guess for turn in position.turns}
        while guess in played:
            guess = random_guess(position.rules, rng)
        return guess


def _refusal(error: ContradictionError | TooLargeError) -> Doubt:
    return Doubt(str(error), is_proved=isinstance(error, ContradictionError))


def _listed(codes: CodeSet) -> Knowledge:
    nothing = _none(codes.rules)
    return Knowledge(codes, complete=True, estimate=float(len(codes)), soft=nothing, states=nothing)


def _none(rules: Rules) -> Array:
    # No codes, in an array of their own: a view of none of the codes of chains would keep them all.
    return np.empty((0, rules.pegs), np.uint8)


def _start(position: Position, before: Knowledge | None, rng: np.random.Generator) -> Array | None:
    """Where the chains set off: where they were, half of them moved to codes that fit the last turn too."""
    if before is None or not len(before.states):
        return None
    start = before.states.copy()
    left = before.codes.consistent(position.turns[-1:]).planes.T
    chosen = rng.permutation(len(start))[: len(start) // 2]
    if len(left):
        start[chosen] = left[rng.integers(len(left), size=len(chosen))]
    return start


def _nearly(chains: Chains, turns: tuple[Turn, ...]) -> Array:
    """The different states of least energy that the coldest chains passed lately, guesses played left out."""
    rows, misses = chains.soft
    different, where = np.unique(rows, axis=0, return_index=True)
    different = different[np.argsort(misses[where], kind="stable")[:SOFT_POOL]]
    played = {turn.guess for turn in turns}
    return different[[tuple(row) not in played for row in different.tolist()]]
