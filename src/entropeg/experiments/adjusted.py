"""Takes the luck out of means: to each result the luck of its answers is added, whose mean is 0, so the mean stays.

With V(S), any estimate of the guesses that a set of codes still takes, the luck of an answer is Q - 1 - V(S'), where
Q - 1 is the mean of V over all answers, by their chances. Whatever V is, luck has mean 0 over secrets that are drawn
fairly, so nothing is biased; the nearer V is to the truth, the less the adjusted results spread. Here V is exact where
the exact search reaches, and then a result is par and what the guesses lost; elsewhere a curve of the number of codes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from math import log2, nan
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from entropeg import arguments
from entropeg.codebreakers import Codebreaker
from entropeg.codemakers import Codemaker
from entropeg.codemakers.biased import Biased
from entropeg.codemakers.honest import Honest
from entropeg.errors import InputError
from entropeg.executors import Crew, Executor
from entropeg.experiments.confidence import half_width
from entropeg.experiments.match import Match, trusted_players
from entropeg.experiments.results import Run
from entropeg.experiments.sharing import shared_work
from entropeg.feedback import AnyFeedback, Code
from entropeg.game import Game
from entropeg.partition import Partition
from entropeg.plain_values import PlainValue
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.bounds import feedback_count
from entropeg.search.reach import Reach
from entropeg.search.values import BOARD_BYTES, PositionValues, can_value


@dataclass(frozen=True)
class AdjustedMean(PlainValue):
    """The mean of luck-adjusted results over the games of a run.

    `half` is half the width of its 95 % interval, None of fewer than two games, and `raw_half` that of the plain
    results of the same games. `is_exact`: V is exact, so that a result is par and what the guesses lost. A game that
    was not won counts what it would still have taken, by V.
    """

    PLAIN: ClassVar[tuple[str, ...]] = ("games", "mean", "error=half", "raw_error=raw_half", "is_exact", "worth")

    games: int
    mean: float
    half: float | None
    raw_half: float | None
    is_exact: bool

    @property
    def worth(self) -> float | None:
        """How many times as many games the plain mean needs for the same error; None where nobody can say."""
        if not self.half or not self.raw_half:
            return None
        return (self.raw_half / self.half) ** 2


def adjusted_mean(
    run: Run,
    *,
    codebreaker: Codebreaker | str | None = None,
    codemaker: Codemaker | str | None = None,
    jobs: int | None = None,
    executor: Executor | Crew | str | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> AdjustedMean:
    """Play the games of a run again, and return their mean without luck.

    Players that have no registered name must be given, and those that run code from outside entropeg: a run may have
    been read from a file of anybody's. `jobs` processes share the games, by default one a processor, or the workers of
    an `executor`; ``progress`` is called with the numbers of games done and in all. After Ctrl-C the mean is that of
    the games done by then. Raises InputError where such a player is not given, where the codemaker does not draw its
    secrets as the rules say, since luck has no mean of 0 then, and where the rules have more codes than can be listed.

    >>> from entropeg.experiments.runner import arena
    >>> [run] = arena("consistent", "honest", "3x4", games=100, seed=1)
    >>> found = adjusted_mean(run)
    >>> found.half < found.raw_half / 2, abs(found.mean - run.statistics.mean) < found.raw_half
    (True, True)
    """
    arguments.instance(run, Run, "the run", "as arena returns them in a list")
    players = trusted_players(run, codebreaker, codemaker)
    match = Match(*players, run.rules, run.seed, run.plan == "all-secrets")
    if not _is_fair(match):
        fair = "honest" if run.rules.prior is None else "biased"
        raise InputError(
            "{codemaker} does not draw its secrets as likely as {rules} says: {fair} does, and only then luck can be "
            "told apart",
            *(run.codemaker, run.rules, fair),
        )
    adjusted = shared_work(
        run.games.tolist(), partial(_adjusted, match), jobs=jobs, executor=executor, progress=progress
    )
    found = [one for one in adjusted if one is not None]
    results, raw = [one[0] for one in found], [one[1] for one in found]
    return AdjustedMean(
        len(results),
        float(np.mean(results)) if results else nan,
        0.0 if run.exact and len(results) == run.planned else half_width(results),  # every secret once: no chance in it
        half_width(raw),
        is_exact=isinstance(values_of(run.rules), ExactValues),
    )


def _is_fair(match: Match) -> bool:
    """Whether secrets are drawn as likely as the rules say: all alike, or by their prior."""
    maker = match.codemaker
    if match.rules.prior is None:
        return type(maker) is Honest and not maker.secret
    return type(maker) is Biased and not maker.prior


def _adjusted(match: Match, game: int) -> tuple[float, float]:
    return adjusted_result(match.play(game), values_of(match.rules))


class Values(Protocol):
    """V of sets of codes, of one board."""

    def of(self, position: Position) -> float:
        """V of a position that is not won."""
        ...

    def after(self, position: Position, guess: Code) -> dict[AnyFeedback, float]:
        """V after each answer to a guess, 0 after the winning one."""
        ...


@dataclass
class ExactValues:
    """V by the exact search."""

    rules: Rules
    known: dict[tuple[Any, Code], dict[AnyFeedback, float]] = field(default_factory=dict)

    def of(self, position: Position) -> float:
        """The expected number of guesses of the best play."""
        values = PositionValues.of(position)
        with values.opened():
            return values.value().lower / values.mass

    def after(self, position: Position, guess: Code) -> dict[AnyFeedback, float]:
        """V after each answer."""
        key = position.turns, guess
        found = self.known.get(key)
        if found is None:
            found = self._after(position, guess)
            if len(self.known) < 20_000:  # kept, since games share positions
                self.known[key] = found
        return found

    def _after(self, position: Position, guess: Code) -> dict[AnyFeedback, float]:
        values = PositionValues.of(position)
        with values.opened():
            return values.means_after(Partition.of(position.candidates, guess))


@dataclass
class CurveValues:
    """V by a curve of the number of codes left."""

    rules: Rules

    def of(self, position: Position) -> float:
        """About how many guesses a number of codes takes."""
        return self._curve(len(position.candidates))

    def after(self, position: Position, guess: Code) -> dict[AnyFeedback, float]:
        """About the guesses that the codes left by each answer take."""
        partition = Partition.of(position.candidates, guess)
        return {
            answer: 0.0 if answer == partition.win else self._curve(size) for answer, size in partition.sizes.items()
        }

    def _curve(self, size: int) -> float:
        # A good guess tells about three quarters of the bits that answers could tell: the curve of V goes by it.
        return 1 + log2(size) / (0.75 * max(1.0, log2(feedback_count(self.rules))))


_kept: dict[Rules, Values] = {}


def values_of(rules: Rules) -> Values:
    """Return V of a board, the same object each time: exact where all its positions are within reach, else a curve."""
    rules = rules.with_limit(None)
    if rules not in _kept:
        exact = can_value(rules, rules.secret_count) and Reach.of(rules).cells <= BOARD_BYTES
        if len(_kept) > 3:
            _kept.clear()
        _kept[rules] = ExactValues(rules) if exact else CurveValues(rules)
    return _kept[rules]


def adjusted_result(game: Game, values: Values) -> tuple[float, float]:
    """Return (the number of guesses of a game and the luck of its answers, the number alone).

    A game that was not won adds V of its last position to both. Raises TooLargeError where codes cannot be listed.

    >>> from entropeg.loop import play
    >>> played = play("minimax", "honest:FEBA", "4x6")
    >>> result, guesses = adjusted_result(played, values_of(played.rules))
    >>> round(result, 3), guesses
    (4.433, 5.0)
    """
    position = Position(game.rules.with_limit(None), game.turns)
    played = len(game.turns) + (0.0 if position.is_won else values.of(position))
    return played + sum(each.luck for each in values_by_turn(position, values)), float(played)


class TurnValues(NamedTuple):
    """A turn by V: what was expected after its guess, what its answer left, the least that one could, the variance."""

    expected: float
    left: float
    least: float
    variance: float

    @property
    def luck(self) -> float:
        """How much less its answer left than was expected."""
        return self.expected - self.left


def values_by_turn(position: Position, values: Values) -> list[TurnValues]:
    """Return V of each turn of a position whose rules have no limit."""
    here, found = Position(position.rules), list[TurnValues]()
    for turn in position.turns:
        left = values.after(here, turn.guess)
        shares = Partition.of(here.candidates, turn.guess).shares
        expected = sum(shares[answer] * value for answer, value in left.items())
        variance = sum(shares[answer] * (value - expected) ** 2 for answer, value in left.items())
        found.append(TurnValues(expected, left[turn.feedback], min(left.values()), variance))
        here = here.after_trusted(turn.guess, turn.feedback)
    return found
