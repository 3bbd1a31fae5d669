"""One-step codebreakers: the guess whose parts are best by one criterion, looking one turn ahead.

One family with one set of parameters; the classes differ in the criterion alone. Costs are exact integers
(`entropeg.search.onestep.criteria`), so that ties are ties on every machine; what decides them is a parameter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from entropeg.errors import InputError
from entropeg.feedback import Code
from entropeg.position import Position
from entropeg.registry import choice, spec_of
from entropeg.search.onestep.choice import SCOPES, TIES, Schedule, TurnRule
from entropeg.search.onestep.choosing import choose
from entropeg.search.onestep.criteria import CRITERIA, MOST_WEIGHT, WEIGHT_UNIT


@dataclass(frozen=True)
class OneStep:
    """Options that the one-step codebreakers share.

    Where guesses come from, how ties are broken, what is left out as equivalent.

    `then` names a second criterion for equal guesses, before `ties`. `win` counts the winning part for less in the rule
    itself, not in `then` (`search.onestep.criteria`); minimax and sorted-minimax, which go by the largest parts, are
    the same with it. The last candidate is played whatever `ties` says. `opening` is a first guess to play
    instead of the best. `symmetry` and `shortcut` only save time: with either off the guesses are the same, which the
    tests check.
    """

    ties: str = "candidate"
    then: str = ""
    guesses: str = "all"
    probes: int = 0
    win: bool = False
    opening: str = ""
    seed: int = -1
    symmetry: bool = True
    shortcut: bool = True

    registered: ClassVar[str] = ""
    criterion_name: ClassVar[str] = ""
    """Where it is not the name."""

    def __post_init__(self) -> None:
        choice("ties", self.ties, tuple(TIES))
        choice("guesses", self.guesses, SCOPES)
        choice("then", self.then, ("", *CRITERIA))
        if self.seed < -1:
            raise InputError("seed is {seed}; it must be at least 0, or -1 for none", self.seed)
        if self.probes < 0 or (self.probes > 0) != (self.guesses == "probes"):
            raise InputError(
                "probes is {probes}; it must be at least 1 with guesses=probes, and 0 otherwise", self.probes
            )

    @property
    def name(self) -> str:
        """The text that makes this codebreaker."""
        return spec_of(self.registered, self)

    @property
    def deterministic(self) -> bool:
        """Whether the generator is never used: no chance at all, or chance from a seed of one's own."""
        return self.schedule.deterministic

    @property
    def thousandths(self) -> tuple[tuple[str, int], ...] | None:
        """Weights of feedbacks, where they do not all weigh the same."""
        return None

    @property
    def schedule(self) -> Schedule:
        """The rule of choice of each turn."""
        one = TurnRule(
            criterion=self.criterion_name or self.registered,
            then=self.then,
            ties=self.ties,
            guesses=self.guesses,
            probes=self.probes,
            win=self.win,
            weights=self.thousandths,
            symmetry=self.symmetry,
            shortcut=self.shortcut,
        )
        return Schedule((one,), self.opening, self.seed, deterministic=self.seed >= 0 or not one.by_chance)

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the best guess by the criterion; raises ContradictionError where no candidate is left."""
        return choose(position, self.schedule, rng)


class Minimax(OneStep):
    """Leaves the fewest codes in the worst case (Knuth 1977).

    Codebreaker 3 of the course documents. On 4x6 it takes 5801 guesses over all secrets, 5 at most.
    """

    registered = "minimax"


class SortedMinimax(OneStep):
    """Minimax, then by the second largest part, and so on.

    Whole partitions are compared.
    """

    registered = "sorted-minimax"


class ExpectedSize(OneStep):
    """Leaves the fewest codes on average (Irving 1978)."""

    registered = "expected-size"


class Entropy(OneStep):
    """Asks what tells most, in bits (Neuwirth 1982)."""

    registered = "entropy"


class Parts(OneStep):
    """Asks what has the most possible answers (Kooi 2005)."""

    registered = "parts"


@dataclass(frozen=True)
class WeightedEntropy(OneStep):
    """Entropy with a weight for each feedback (Gür 2025).

    The guess that maximizes -sum w_e p_e log p_e over the feedbacks e.
    `weights` names the feedbacks that do not weigh 1: `weights=2b1w=1.3+0b0w=0.8`, from 0 to 8, in thousandths. With
    no weights it plays as `entropy` does.
    """

    weights: str = ""

    registered = "weighted-entropy"
    criterion_name = "entropy"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.win:
            raise InputError("win is for plain entropy; give the winning feedback a weight instead")
        _ = self.thousandths

    @property
    def thousandths(self) -> tuple[tuple[str, int], ...]:
        """The weights that are given, a feedback each."""
        return tuple(_read_weight(piece) for piece in filter(None, self.weights.split("+")))


def _read_weight(piece: str) -> tuple[str, int]:
    answer, _, value = piece.partition("=")
    try:
        thousandths = round(float(value) * WEIGHT_UNIT)
    except (ValueError, OverflowError):
        raise InputError("the weight {weight!r} is not a feedback and a number, as 2b1w=1.3", piece) from None
    if not 0 <= thousandths <= MOST_WEIGHT:
        raise InputError("the weight of {answer} is {weight}; it must be from 0 to 8", answer, value)
    return answer, thousandths


@dataclass(frozen=True)
class ByTurn:
    """Another one-step codebreaker at each turn.

    They stand in order, as in `by-turn:turns=entropy/entropy:win=yes/minimax`; the last one goes on. Commas inside a
    codebreaker's parameters are written as semicolons: `by-turn:turns=entropy:then=minimax;ties=first/parts`.
    """

    turns: str

    registered: ClassVar[str] = "by-turn"

    def __post_init__(self) -> None:
        """Find every codebreaker now, so that a wrong name is told at once."""
        for player in self.players:
            if not isinstance(player, OneStep):
                raise InputError("{player} is not a one-step codebreaker: by-turn schedules only those", player.name)

    @property
    def players(self) -> tuple[Any, ...]:
        """The codebreakers of the turns."""
        from entropeg.codebreakers import registry

        return tuple(map(registry.get, registry.rows[self.registered].asked_in(self.turns)))

    @property
    def name(self) -> str:
        """The text that makes this codebreaker."""
        return f"{self.registered}:turns={self.turns}"

    @property
    def deterministic(self) -> bool:
        """Whether every one of its codebreakers is."""
        return self.schedule.deterministic

    @property
    def schedule(self) -> Schedule:
        """The rule of choice of each turn."""
        each = [player.schedule for player in self.players]
        return Schedule(
            choices=tuple(one.choices[0] for one in each),
            opening=each[0].opening,
            seed=next((one.seed for one in each if one.seed >= 0), -1),  # chance is drawn by it and by the turns played
            deterministic=all(one.deterministic for one in each),
        )

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the guess of the codebreaker whose turn it is."""
        return choose(position, self.schedule, rng)
