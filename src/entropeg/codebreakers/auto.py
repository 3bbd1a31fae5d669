"""Decides each turn which strategy plays, by the size of the board, the feedback and the time.

It has no strategy of its own, but a list of the others, best guesses first. One is taken where it reaches the
board and a turn of it fits into the time; a strategy that refuses the rules, or finds nothing, is passed over. The time
is compared with the known cost of a turn, never with a clock: the same seed plays the same game on any machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from entropeg.candidates import SCANNED
from entropeg.codebreakers.doubts import Doubt, doubt_of
from entropeg.codes import is_listable
from entropeg.errors import ContradictionError, InputError, TooLargeError
from entropeg.feedback import Code
from entropeg.kernels.switch import PLAIN_CODES, can_compile
from entropeg.position import Position
from entropeg.registry import imported, named
from entropeg.rules import FeedbackKind, Rules
from entropeg.told import Joined, Told, plural


class Ranked(NamedTuple):
    """A strategy for boards that cannot be enumerated.

    It reaches `least` to `most` pegs, and at least as many pegs a color as `dense` says, where whites are told as
    copies and where they are not; a turn takes about `cost` * pegs**2 seconds of one core on the larger of them. Under
    the kinds of feedback in `uses` all that an answer tells counts; under others that it knows, only blacks do.
    """

    spec: str
    least: int
    most: int
    cost: float
    uses: frozenset[FeedbackKind]
    why: str
    dense: tuple[float, float] = (0.0, 0.0)

    @property
    def name(self) -> str:
        """The strategy without its parameters."""
        return self.spec.partition(":")[0]

    def reaches(self, rules: Rules) -> bool:
        """Tell whether the sizes of a board are those of this entry, and the strategy knows the rules."""
        dense = self.dense[rules.feedback.about.common != "copies"]
        sizes = self.least <= rules.pegs <= self.most and rules.pegs >= dense * rules.colors
        return sizes and knows(self.name, rules)


COUNTS = frozenset({FeedbackKind.standard, FeedbackKind.black})
MEMBERS = COUNTS | {FeedbackKind.membership}
MARKS = frozenset({FeedbackKind.positional})

SAMPLED = Told("it samples the codes that fit and plays for entropy")
LIKELY = Told("it weighs how likely each color is on each peg")
ANY_FITTING = Told("it plays any code that fits")
HALVES = Told("it halves sets of colors and of pegs, within a proven bound")
PACKED = Told("it packs many questions into one guess")
STRATEGIES = (
    Ranked("place", 1, 10**6, 1e-8, MARKS, Told("it knows exactly which colors each peg may have")),
    Ranked("sampling", 1, 30, 4e-4, MEMBERS, SAMPLED),
    Ranked(
        "sampling:steps=500000,tries=500",
        1,
        30,
        6e-5,
        MEMBERS,
        Told("it samples the codes that fit, with little work a turn"),
    ),
    Ranked(
        "sampling:steps=100000,tries=100",
        1,
        20,
        4e-5,
        MEMBERS,
        Told("it samples the codes that fit, with hardly any work a turn"),
    ),
    Ranked("linear", 31, 10**6, 2e-9, COUNTS, PACKED, dense=(1.25, 2)),
    Ranked("dichotomy", 2, 2, 1e-9, COUNTS, HALVES),
    Ranked("belief", 1, 110, 4e-6, COUNTS, LIKELY),
    Ranked("linear", 31, 10**6, 2e-9, COUNTS, PACKED),
    Ranked("belief", 111, 2000, 2e-6, COUNTS, LIKELY),
    Ranked("evolutionary", 1, 14, 4e-4, MEMBERS, Told("it breeds codes that fit")),
    Ranked("dichotomy", 1, 10**6, 1e-9, COUNTS, HALVES),
    Ranked("consistent", 1, 30, 1e-2, MEMBERS | MARKS, ANY_FITTING),
)
"""In order of preference; whoever uses all that an answer tells comes before the others. The reaches are those of
docs/understand/reach.md."""


def knows(name: str, rules: Rules) -> bool:
    """Tell whether a strategy plays under these rules, whatever the size of the board.

    >>> knows("dichotomy", Rules.parse("50x60/no-repeats")), knows("belief", Rules.parse("50x60/no-repeats"))
    (False, True)
    """
    from entropeg import codebreakers

    row = codebreakers.registry.rows.get(name)
    if row is None or not row.check_rules:
        return True
    try:
        imported(row.check_rules)(rules)
    except InputError:
        return False
    return True


class Choice(NamedTuple):
    """A strategy, as `codebreakers.get` takes it, and why it was chosen, as one sentence."""

    spec: str
    reason: str


class StrategyGuess(NamedTuple):
    """A guess, the strategy that made it and why."""

    guess: Code
    spec: str
    reason: str


@dataclass(frozen=True)
class Auto:
    """Whichever of these suits the board and the time.

    It takes entropy, place, sampling, belief, linear or another, by the board, the feedback and the time.
    `time` is the time for one turn in seconds. `choose` says which strategy it takes and why.
    """

    time: float = 1.0

    name = named("auto")
    deterministic: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not self.time > 0:
            raise InputError("time is {time}; it must be more than 0 seconds a turn", self.time)

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the guess of the strategy chosen; raises what `decide` raises."""
        return self.decide(position, rng).guess

    def choose(self, position: Position) -> Choice:
        """Return the first strategy of the ladder for this position; raises TooLargeError where there is none.

        >>> from entropeg import Rules
        >>> Auto().choose(Position(Rules.parse("4x6"))).spec
        'entropy'
        """
        choice = next(self._choices(position), None)
        if choice is None:
            raise TooLargeError(_beyond(position.rules, []))
        return choice

    def explained(self, position: Position, rng: np.random.Generator) -> tuple[Code, str]:
        """Return the guess, and in one sentence which strategy made it and why."""
        found = self.decide(position, rng)
        return found.guess, Told("{spec} plays: {reason}", found.spec, found.reason)

    def decide(self, position: Position, rng: np.random.Generator) -> StrategyGuess:
        """Return the guess with the strategy that made it.

        Raises ContradictionError where the strategy sees that no secret fits, TooLargeError, naming what every strategy
        said, where none plays this board.
        """
        refusals: list[Told] = []
        for choice in self._choices(position):
            try:
                guess = _player(choice.spec).guess(position, rng)
            except ContradictionError:
                raise
            except InputError as error:
                refusals.append(Told("{player} ({error})", choice.spec, error))
                continue
            return StrategyGuess(guess, choice.spec, choice.reason)
        raise TooLargeError(_beyond(position.rules, refusals))

    def doubt(self, position: Position) -> Doubt | None:
        """Return what the strategy doubts that is first in order here and knows the rules; None where it does not.

        >>> from entropeg import Rules
        >>> Auto().doubt(Position(Rules.parse("100x50"))) is None
        True
        """
        for choice in self._choices(position):
            try:
                return doubt_of(_player(choice.spec), position)
            except InputError:
                continue
        return None

    def _choices(self, position: Position) -> Iterator[Choice]:
        weighed = self._weighed(position)
        if weighed is not None:
            yield weighed
        if not position.rules.is_symmetric:
            # Words stand in a list, whatever may be guessed; others would ask about all codes of their letters.
            if is_listable(position.rules) and not position.rules.is_named:
                yield Choice("entropy", Told("{size}, and it asks what tells most", _size(position.rules)))
            elif position.rules.words is not None or is_listable(position.rules):
                yield Choice(
                    "consistent", Told("{size}, and no other strategy knows such codes", _size(position.rules))
                )
            return
        if _is_listed_alone(position.rules):
            yield Choice("consistent", Told("{size}; {reason}", _size(position.rules), ANY_FITTING))
        if is_listable(position.rules) and position.rules.secret_count <= PLAIN_CODES and not can_compile():
            yield Choice("minimax", Told("nothing can be compiled here, and NumPy weighs every guess"))
        yield from self._in_order(position.rules)

    def _in_order(self, rules: Rules) -> Iterator[Choice]:
        # Those that use all that an answer tells, and only then the others. Of either, those whose turn fits into the
        # time, best first; then, as the time is too small, the rest, quickest first.
        from entropeg import codebreakers

        known = codebreakers.names()
        reach = [each for each in STRATEGIES if each.name in known and each.reaches(rules)]
        for uses in (True, False):
            able = [each for each in reach if (rules.feedback in each.uses) == uses]
            slow = [each for each in able if each.cost * rules.pegs**2 > self.time]
            for each in able:
                if each not in slow:
                    yield Choice(each.spec, Told("{size}; {reason}", _size(rules), each.why))
            for each in sorted(slow, key=lambda each: each.cost):
                size, why = _size(rules), each.why
                says = Told("{size}; {reason}; it may take more than {time:g} s a turn", size, why, self.time)
                yield Choice(each.spec, says)

    def _weighed(self, position: Position) -> Choice | None:
        # Every guess weighed against every candidate, where the list is short enough.
        rules = position.rules
        if rules.secret_count > SCANNED or not is_listable(rules) or rules.guess_count > 10 * SCANNED:
            return None
        left = len(position.candidates)
        # Half a nanosecond a pair, and as long again with every 150 colors: 2x300 takes 12 seconds, 5x8 half a second.
        # With three hundred colors a game has a hundred turns: a tenth of the time for each.
        share = self.time / 10 if rules.colors >= 300 else self.time
        if left * rules.guess_count * (1 + rules.colors / 150) > share * 2e9:
            return None
        reason = plural(
            left,
            "one code is left, few enough to weigh every guess",
            "{n} codes are left, few enough to weigh every guess",
        )
        return Choice("entropy", reason)


@lru_cache(maxsize=64)
def _player(spec: str) -> Any:
    # One object for all turns: some keep facts learnt in a game, by its positions.
    from entropeg import codebreakers

    return codebreakers.get(spec)


def _is_listed_alone(rules: Rules) -> bool:
    """Tell whether codes of more colors than `sampling` reaches can be listed, and `belief` is worse there.

    So it is on 2x255 to 2x1000 where it hears blacks alone, or no color repeats (docs/lookup/measurements-large.md);
    marks by place are for `place`.
    """
    listed = is_listable(rules) and rules.secret_count <= SCANNED
    heard = rules.feedback.about.common == "copies" and rules.repeats
    return listed and rules.colors >= 255 and not heard and rules.feedback != FeedbackKind.positional


def _size(rules: Rules) -> str:
    codes = plural(rules.secret_count, "{n} code", "{n} codes")
    return Told(
        "{rules} has {codes}, too many to weigh every guess in the time of a turn", rules.with_limit(None), codes
    )


def _beyond(rules: Rules, refusals: list[Told]) -> Told:
    fault = Told("no strategy reaches {rules}", rules)
    return Told("{fault}: {hint}", fault, Joined(refusals, Told("; "))) if refusals else fault
