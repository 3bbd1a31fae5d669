"""One-step codebreakers: the guess whose parts are best by one criterion, looking one turn ahead.

One family with one set of parameters; the classes differ in the criterion alone. Costs are exact integers
(`entropeg.search.criteria`), so that ties are ties on every machine; what decides them is a parameter.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from entropeg.codes import guesses, parse_code
from entropeg.errors import InputError
from entropeg.feedback import Code, label_of
from entropeg.position import Position
from entropeg.registry import choice, spec_of

if TYPE_CHECKING:
    from entropeg.kernels.onestep import Rule
    from entropeg.rules import Rules
    from entropeg.search.criteria import Criterion

TIES = ("candidate", "knuth", "first", "random", "candidate-random")
"""How equal guesses are told apart.

- candidate: a candidate first, then the first in order (document A).
- knuth: a code not yet played, then a candidate, then the lowest. It plays as `candidate` does: a code already played leaves all candidates
  in one part, so no criterion here prefers it to a candidate.
- first: the first in order, candidate or not.
- random: any of them, by a hash of the seed and the turns played. candidate-random: the same, a candidate first.
"""

SCOPES = ("all", "candidates", "probes")
"""Where guesses come from: every legal code, the candidates, or the candidates and `probes` codes drawn by a hash of seed and turns."""


@dataclass(frozen=True)
class OneStep:
    """What the one-step codebreakers share: where guesses come from, how ties are broken, what is left out as equivalent.

    `then` names a second criterion for equal guesses, before `ties`. `win` counts the winning part for less (see
    `search.criteria.criterion`). `opening` is a first guess to play instead of the best. `symmetry` and `shortcut` only save time: with
    either off the guesses are the same, which the tests check.
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

    def __post_init__(self) -> None:
        """Refuse values that mean nothing."""
        from entropeg.search.criteria import CRITERIA

        choice("ties", self.ties, TIES)
        choice("guesses", self.guesses, SCOPES)
        choice("then", self.then, ("", *CRITERIA))
        if self.probes < 0 or (self.probes > 0) != (self.guesses == "probes"):
            raise InputError(f"probes is {self.probes}; it must be at least 1 with guesses=probes, and 0 otherwise")

    @property
    def name(self) -> str:
        """The text that makes this codebreaker."""
        return spec_of(self.registered, self)

    @property
    def deterministic(self) -> bool:
        """Whether the generator is never used: no chance at all, or chance from a seed of one's own."""
        return self.seed >= 0 or not (self.ties.endswith("random") or self.guesses == "probes")

    def criterion(self, rules: Rules, size: int) -> Criterion:
        """Return the cost of parts of up to `size` codes."""
        from entropeg.search import criteria

        return criteria.criterion(
            self.criterion_name, size, rules.label_count, rules.win_label, win_correction=self.win
        )

    def rule(self, rules: Rules) -> Rule:
        """Return the rule of choice as the kernels take it."""
        return _rule(self, rules)

    def rule_at(self, rules: Rules) -> TurnRules:
        """Return the rule of every turn."""
        return TurnRules((self.rule(rules),))

    def opening_code(self, rules: Rules) -> Code | None:
        """Return the first guess that the parameters fix, if they do."""
        return parse_code(self.opening, rules) if self.opening else None

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the best guess by the criterion; raises ContradictionError where no candidate is left."""
        position.check_consistent()
        opening = self.opening_code(position.rules)
        if not position.turns and opening is not None:
            return opening
        seed = self.seed if self.deterministic else int(rng.integers(1 << 62))
        if len(position.turns) < 2 and self.deterministic:
            return _early_guess(self, position.rules, position.turns)
        return _best_guess(self, position, max(seed, 0))


class TurnRules:
    """The rule of each turn, counted from 0; the last goes on for ever."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        """Take the rules of the first turns."""
        self.rules = rules
        self.turns = len(rules)

    def __call__(self, turn: int) -> Rule:
        """Return the rule of a turn."""
        return self.rules[min(turn, self.turns - 1)]


@lru_cache(maxsize=32)
def _rule(player: OneStep, rules: Rules) -> Rule:
    from entropeg.search import criteria, onestep

    size = rules.secret_count
    second = (
        criteria.criterion(player.then, size, rules.label_count, rules.win_label, win_correction=False)
        if player.then
        else None
    )
    return onestep.rule_of(
        player.criterion(rules, size),
        second,
        member=player.ties not in ("first", "random"),
        shuffle=player.ties.endswith("random"),
        scope=SCOPES.index(player.guesses),
        probes=player.probes,
        shortcut=player.shortcut,
        symmetry=player.symmetry,
    )


@lru_cache(maxsize=512)
def _early_guess(player: OneStep, rules: Rules, turns: Any) -> Code:
    """First and second guesses are asked for in every game and cost the most: kept."""
    return _best_guess(player, Position(rules, turns), max(player.seed, 0))


def _best_guess(player: OneStep, position: Position, seed: int) -> Code:
    from entropeg.search import onestep, weighing

    if weighing.is_weighed(position.rules, player.criterion_name, player.then):
        return _weigh(player, position, seed)
    board = onestep.board_of(_unlimited(position.rules))
    node = position.candidates.ranks.astype(np.int32)
    legal = guesses(position.rules)
    history = [_index(position.rules, turn.guess) for turn in position.turns]
    labels = [label_of(turn.feedback, position.rules) for turn in position.turns]
    rule = player.rule_at(position.rules)(len(history))
    best = onestep.best_guess(board, rule, node, history, labels, seed)
    return legal[best]


def _weigh(player: OneStep, position: Position, seed: int) -> Code:
    from entropeg.search import criteria, weighing

    rules, size = position.rules, position.rules.secret_count
    wanted = [(player.criterion_name, player.criterion(rules, size))]
    if player.then:
        second = criteria.criterion(player.then, size, rules.label_count, rules.win_label, win_correction=False)
        wanted.append((player.then, second))
    return weighing.best_guess(
        position,
        wanted,
        win=player.win,
        ties=player.ties,
        scope=player.guesses,
        probes=player.probes,
        seed=seed,
    )


def _unlimited(rules: Rules) -> Rules:
    return rules.with_limit(None)


@lru_cache(maxsize=4096)
def _index(rules: Rules, guess: Code) -> int:
    index = guesses(rules).index_of(guess)
    if index is None:
        raise InputError(f"{guess} is not a legal guess of {rules}")
    return index


class Minimax(OneStep):
    """The guess whose largest part is smallest: fewest candidates left in the worst case (Knuth 1977; document A, codebreaker 3).

    On 4x6 it takes 5801 guesses over all secrets, 5 at most.
    """

    registered = "minimax"
    criterion_name = "minimax"


class SortedMinimax(OneStep):
    """Minimax in which equal largest parts are followed by the second largest, and so on: the whole sorted partition compared."""

    registered = "sorted-minimax"
    criterion_name = "sorted-minimax"


class ExpectedSize(OneStep):
    """The guess that leaves the fewest candidates on average (Irving 1978)."""

    registered = "expected-size"
    criterion_name = "expected-size"


class Entropy(OneStep):
    """The guess whose feedback tells most, in bits (Neuwirth 1982)."""

    registered = "entropy"
    criterion_name = "entropy"


class Parts(OneStep):
    """The guess with the most possible feedbacks (Kooi 2005; document C)."""

    registered = "parts"
    criterion_name = "parts"
