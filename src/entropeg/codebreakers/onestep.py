"""One-step codebreakers: the guess whose parts are best by one criterion, looking one turn ahead.

One family with one set of parameters; the classes differ in the criterion alone. Costs are exact integers
(`entropeg.search.criteria`), so that ties are ties on every machine; what decides them is a parameter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from entropeg.codes import CodeSet, guesses, parse_code
from entropeg.errors import InputError, quoted
from entropeg.feedback import Code, label_of, parse_feedback
from entropeg.position import Position
from entropeg.registry import choice, spec_of

if TYPE_CHECKING:
    from entropeg.kernels._search_arrays import Rule
    from entropeg.rules import Rules
    from entropeg.search.criteria import Criterion

TIES = ("candidate", "knuth", "first", "random", "candidate-random")
"""How equal guesses are told apart.

- candidate: a candidate first, then the first in order (document A).
- knuth: a code not yet played, then a candidate, then the lowest. It plays as `candidate` does: a code already played
  leaves all candidates
  in one part, so no criterion here prefers it to a candidate.
- first: the first in order, candidate or not.
- random: any of them, by a hash of the seed and the turns played. candidate-random: the same, a candidate first.
"""

SCOPES = ("all", "candidates", "probes")
"""Where guesses come from.

Every legal code, the candidates, or the candidates and `probes` codes drawn by a hash of seed and turns.
"""

PART_ROWS = 4096
"""Guesses whose part sizes a function of the user's gets at once: a few megabytes on the boards of the literature."""


@dataclass(frozen=True)
class OneStep:
    """What the one-step codebreakers share.

    Where guesses come from, how ties are broken, what is left out as equivalent.

    `then` names a second criterion for equal guesses, before `ties`. `win` counts the winning part for less (see
    `search.criteria.criterion`) in the rule itself, not in `then`; minimax and sorted-minimax, which go by the largest
    parts, are the same with it. The last candidate is played whatever `ties` says. `opening` is a first guess to play
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

    def __post_init__(self) -> None:
        """Refuse values that mean nothing."""
        from entropeg.search.criteria import CRITERIA

        choice("ties", self.ties, TIES)
        choice("guesses", self.guesses, SCOPES)
        choice("then", self.then, ("", *CRITERIA))
        if self.seed < -1:
            raise InputError(f"seed is {self.seed}; it must be at least 0, or -1 for none")
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
        return _guess(self, position, rng)


def _guess(player: Any, position: Position, rng: np.random.Generator) -> Code:
    from entropeg.search.onestep import check_reach

    check_reach(position.rules)  # before any list is made
    position.check_consistent()
    if position.rules.secret_count == 1:
        return position.candidates[0]  # of one color, on any number of pegs
    opening = player.opening_code(position.rules)
    if not position.turns and opening is not None:
        return tuple(opening)
    if not player.deterministic:
        return _best_guess(player, position, int(rng.integers(1 << 62)))
    if len(position.turns) < 2:
        return _early_guess(player, position.rules, position.turns)
    return _best_guess(player, position, max(player.seed, 0))


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
def _early_guess(player: Any, rules: Rules, turns: Any) -> Code:
    """First and second guesses are asked for in every game and cost the most: kept."""
    return _best_guess(player, Position(rules, turns), max(player.seed, 0))


def _best_guess(player: Any, position: Position, seed: int) -> Code:
    from entropeg.search import onestep, weighing

    turns = player.players if isinstance(player, ByTurn) else (player,)
    one = turns[min(len(position.turns), len(turns) - 1)]
    if weighing.is_weighed(position.rules, one.criterion_name, one.then):
        return _weigh(one, position, seed)
    board = onestep.board_of(_unlimited(position.rules))
    node = position.candidates.ranks.astype(np.int32)
    legal = guesses(position.rules)
    history = [_index(position.rules, turn.guess) for turn in position.turns]
    labels = [label_of(turn.feedback, position.rules) for turn in position.turns]
    rule = player.rule_at(position.rules)(len(history))
    best = onestep.best_guess(board, rule, node, history, labels, seed)
    return legal[best]


def _weigh(player: OneStep, position: Position, seed: int) -> Code:
    from entropeg.kernels._search_arrays import WEIGHTED
    from entropeg.search import criteria, weighing

    rules, size = position.rules, position.rules.secret_count
    first = player.criterion(rules, size)
    # Weights of feedbacks go with counted codes: such an entropy takes no notice of the prior.
    wanted = [("weighted" if first.family == WEIGHTED else player.criterion_name, first)]
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
    """Leaves the fewest codes in the worst case (Knuth 1977).

    Codebreaker 3 of the course documents. On 4x6 it takes 5801 guesses over all secrets, 5 at most.
    """

    registered = "minimax"
    criterion_name = "minimax"


class SortedMinimax(OneStep):
    """Minimax, then by the second largest part, and so on.

    Whole partitions are compared.
    """

    registered = "sorted-minimax"
    criterion_name = "sorted-minimax"


class ExpectedSize(OneStep):
    """Leaves the fewest codes on average (Irving 1978)."""

    registered = "expected-size"
    criterion_name = "expected-size"


class Entropy(OneStep):
    """Asks what tells most, in bits (Neuwirth 1982)."""

    registered = "entropy"
    criterion_name = "entropy"


class Parts(OneStep):
    """Asks what has the most possible answers (Kooi 2005)."""

    registered = "parts"
    criterion_name = "parts"


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
        """Refuse weights that are no numbers."""
        super().__post_init__()
        if self.win:
            raise InputError("win is for plain entropy; give the winning feedback a weight instead")
        for _ in self._pairs():
            pass

    def _pairs(self) -> Iterator[tuple[str, int]]:
        from entropeg.search.criteria import MOST_WEIGHT

        for piece in filter(None, self.weights.split("+")):
            answer, _, value = piece.partition("=")
            try:
                thousandths = round(float(value) * 1000)
            except (ValueError, OverflowError):
                raise InputError(f"the weight {quoted(piece)} is not a feedback and a number, as 2b1w=1.3") from None
            if not 0 <= thousandths <= MOST_WEIGHT:
                raise InputError(f"the weight of {answer} is {value}; it must be from 0 to 8")
            yield answer, thousandths

    def criterion(self, rules: Rules, size: int) -> Criterion:
        """Return the weighted entropy for these rules; raises InputError where a feedback cannot occur."""
        from entropeg.search import criteria

        weights = np.full(rules.label_count, criteria.WEIGHT_UNIT, np.int64)
        for answer, weight in self._pairs():
            weights[label_of(parse_feedback(answer, rules), rules)] = weight
        return criteria.weighted_entropy(weights, size)


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
                raise InputError(f"{player.name} is not a one-step codebreaker: by-turn schedules only those")

    @property
    def players(self) -> tuple[Any, ...]:
        """The codebreakers of the turns."""
        from entropeg import codebreakers

        return tuple(codebreakers.get(spec.replace(";", ",")) for spec in self.turns.split("/"))

    @property
    def name(self) -> str:
        """The text that makes this codebreaker."""
        return f"{self.registered}:turns={self.turns}"

    @property
    def deterministic(self) -> bool:
        """Whether every one of its codebreakers is."""
        return all(player.deterministic for player in self.players)

    @property
    def seed(self) -> int:
        """The seed of the first that has one: chance is drawn by it and by the turns played."""
        return next((player.seed for player in self.players if player.seed >= 0), -1)

    def rule_at(self, rules: Rules) -> TurnRules:
        """Return the rule of every turn."""
        return TurnRules(tuple(player.rule(rules) for player in self.players))

    def opening_code(self, rules: Rules) -> Code | None:
        """Return the first guess that the first codebreaker's parameters fix, if they do."""
        opening: Code | None = self.players[0].opening_code(rules)
        return opening

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the guess of the codebreaker whose turn it is."""
        return _guess(self, position, rng)


class PartFunction:
    """The guess that a function of your own likes best.

    The function gets the part sizes of many guesses at once, `int64[guesses, labels]`, each row from the largest down
    and filled with zeros, and returns a cost for each, `float[guesses]`, the least the best. Since rows are sorted,
    equal partitions get costs equal to the last bit, and ties are decided as by `ties=candidate`: a candidate first,
    then the first in order. All guesses are scored, at 0.5 ns a pair.

    >>> import numpy as np
    >>> from entropeg import Position, Rules
    >>> largest = PartFunction(lambda sizes: sizes[:, 0])
    >>> largest.guess(Position(Rules.parse("4x6")), np.random.default_rng())
    (0, 0, 1, 1)
    """

    deterministic: ClassVar[bool] = True

    def __init__(self, function: Callable[[Any], Any], name: str = "") -> None:
        """Take the function, and a name to be listed under."""
        self.function = function
        self.name = name or getattr(function, "__name__", "part function")

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the guess of least cost; raises InputError naming the function where it returns nonsense."""
        position.check_consistent()
        candidates, legal = position.candidates, guesses(position.rules)
        if len(candidates) == 1:
            return candidates[0]
        members = np.zeros(len(legal), bool)
        members[legal.find(candidates)] = True
        best, chosen = (np.inf, True), 0
        for start in range(0, len(legal), PART_ROWS):
            costs = self._costs(candidates, legal.planes[:, start : start + PART_ROWS])
            others = ~members[start : start + PART_ROWS]
            index = int(np.lexsort((others, costs))[0])
            here = costs[index].item(), bool(others[index])  # not as a float, which would round large whole numbers
            if here < best:
                best, chosen = here, start + index
        return legal[chosen]

    def _costs(self, candidates: CodeSet, planes: Any) -> Any:
        from entropeg import kernels

        table = kernels.part_sizes_many(candidates.rules.kind, planes, candidates.planes, candidates.counts)
        sizes = -np.sort(-table.astype(np.int64), axis=1)
        rows = len(sizes)
        try:
            costs = np.asarray(self.function(sizes.copy()))
        except Exception as error:
            raise InputError(
                f"the function {self.name!r} raised {type(error).__name__} for the part sizes of {rows} guesses: "
                f"{error}"
            ) from error
        if costs.shape != (rows,) or costs.dtype.kind not in "biuf":
            raise InputError(
                f"the function {self.name!r} returned {costs.dtype} of shape {costs.shape} for {rows} guesses; "
                f"it must return one number a guess: shape ({rows},)"
            )
        wrong = np.flatnonzero(np.isnan(costs.astype(float)))
        if len(wrong):
            row = sizes[wrong[0]]
            raise InputError(f"the function {self.name!r} returned NaN for the part sizes {row[row > 0].tolist()}")
        return costs
