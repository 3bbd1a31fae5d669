"""Says what a module's mean should be, and judges others: too good for any strategy, or beyond chance.

Nobody is accused: a mean says that something is other than expected, never what. A mean that no strategy has is told
with the figure that no strategy beats, and with what it may come from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import sqrt
from typing import Any, Literal, NamedTuple

import numpy as np

from entropeg.classroom.faults import Notation
from entropeg.classroom.modules import COUNTERPARTS
from entropeg.classroom.series import Series
from entropeg.classroom.traits import always_consistent, steps
from entropeg.codemakers.cheat import Cheat
from entropeg.codes import Array, format_code
from entropeg.errors import InputError
from entropeg.experiments.confidence import by_chance
from entropeg.feedback import Code
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.bounds import best, bounds, feedback_count
from entropeg.search.known import known_values
from entropeg.told import Template, Told, plural, word

PLAYED = 2000
"""Games of our players that an expected mean is taken from; a player that is slower plays fewer."""


class ExpectedMean(NamedTuple):
    """The mean that a module should reach, where it comes from, and its own standard error, 0 where it is exact."""

    mean: float | None
    source: str
    error: float = 0.0


@dataclass(frozen=True)
class Conceding(Cheat):
    """The cheat that ends the game where that leaves as many codes as anything else: always, or by chance."""

    name = "conceding"
    always: bool = True

    def choices(self, position: Position, guess: Code) -> Array:
        """Return the labels of the largest parts, the win among them or alone."""
        position.check_consistent()
        labels, sizes = position.candidates.parts(guess)
        largest: Array = labels[sizes == sizes.max()]
        win = largest == position.rules.win_label
        return largest[win] if self.always and win.any() else largest


TieWay = Literal["goes on", "concedes", "either"]


def ties_of(rules: Rules, games: Sequence[Sequence[Any]]) -> TieWay:
    """Return what a codemaker does where ending the game leaves as many codes as anything else.

    `games` are the turns of each game, (guess, feedback).
    """
    ended = gone_on = False
    for turns in games:
        for _, position, guess, answer in steps(rules, turns):
            labels, sizes = position.candidates.parts(guess)
            tied = labels[sizes == sizes.max()]
            if len(tied) > 1 and rules.win_label in tied:
                won = tuple(answer) == (rules.pegs, 0)
                ended, gone_on = ended or won, gone_on or not won
    return "goes on" if not ended else "either" if gone_on else "concedes"


def expected_codemaker(number: int | None, rules: Rules, games: Sequence[Sequence[Any]]) -> ExpectedMean:
    """Return the mean of `consistent` against a codemaker of that number, which plays like those games on ties.

    Of one without such a number nobody knows what it is meant to do: it may cheat.
    """
    if number not in {0, 1, 2}:
        return ExpectedMean(None, "")
    if number != 2:
        return expectation("consistent", rules, "honest")
    ties = ties_of(rules, games)
    if ties == "goes on":
        return expectation("consistent", rules, "cheat")
    found = _against_conceding(rules, always=ties == "concedes")
    if ties == "concedes":
        source = Told("our consistent against a cheat that always gives in where that leaves as many codes")
    else:
        source = Told("our consistent against a cheat that at times gives in where that leaves as many codes")
    return found._replace(source=source)


def expected_codebreaker(number: int | None, rules: Rules, maker: str, games: Sequence[Sequence[Any]]) -> ExpectedMean:
    """Return the mean of our codebreaker of that number, which begins as those games do where all begin alike.

    A codebreaker 3 that never guesses a code already excluded is taken to look among the codes still possible only.
    """
    if number not in COUNTERPARTS["codebreaker"]:
        return ExpectedMean(None, "")
    name = COUNTERPARTS["codebreaker"][number]
    if number == 3 and games:
        first = {turns[0][0] for turns in games if turns}
        opening = f"opening={format_code(next(iter(first)), rules)}" if len(first) == 1 else ""
        is_among = all(always_consistent(Notation(rules), turns) is None for turns in games)
        among = "guesses=candidates" if is_among else ""
        name = ":".join(filter(None, [name, ",".join(filter(None, [opening, among]))]))
    return expectation(name, rules, maker)


@cache
def expectation(name: str, rules: Rules, maker: str) -> ExpectedMean:
    """Return the mean of a codebreaker of ours against a codemaker of ours: by theory, of every secret, or of games."""
    from entropeg.experiments.laws import law
    from entropeg.experiments.runner import arena

    known = law(name, rules) if maker == "honest" else None
    if known is not None:
        return ExpectedMean(known.mean, word("basis", "theory"))
    every = maker == "honest" and name.startswith("minimax")
    games: dict[str, Any] = {"all_secrets": True} if every else {"games": PLAYED}
    try:
        [run] = arena(name, maker, rules, jobs=1, **games)
    except InputError:
        return ExpectedMean(None, "")
    said = (
        Told("our {player}, every secret once", name) if every else Told("our {player}, {games:,} games", name, PLAYED)
    )
    return ExpectedMean(run.statistics.mean, said, 0.0 if every else _error(run.guesses.tolist()))


@cache
def _against_conceding(rules: Rules, *, always: bool) -> ExpectedMean:
    from entropeg.experiments.runner import arena

    [run] = arena("consistent", Conceding(always=always), rules, jobs=1, games=150)  # a slower player plays fewer
    return ExpectedMean(run.statistics.mean, "", _error(run.guesses.tolist()))


def _error(guesses: Sequence[int]) -> float:
    return float(np.std(guesses, ddof=1)) / sqrt(len(guesses)) if len(guesses) > 1 else 0.0


# -------------------------------------------------------------------- what no strategy beats


@cache
def least_mean(rules: Rules) -> float:
    """Return a mean that no strategy beats against secrets drawn fairly: the optimum where it is known, else a bound.

    >>> round(least_mean(Rules.parse("4x8/course")), 3), round(least_mean(Rules.parse("4x40")), 1)
    (4.998, 6.8)
    """
    plain = rules.with_limit(None)
    optimum = [each.mean for each in known_values(plain) if each.strategy == "optimum" and each.mean is not None]
    bound = best(bounds(plain), "lower", "mean")
    return max([*optimum[:1], *([bound.value] if bound is not None else []), 1.0])


def chance_of_any(rules: Rules, guesses: Sequence[int]) -> float:
    """Return the chance that as many games take so few guesses in all, or fewer: that of the best conceivable strategy.

    Of p feedbacks one wins, so that at most (p - 1)^(k - 1) secrets are found at guess k: no strategy finds more of
    them earlier, and the chance of none is greater.

    >>> chance_of_any(Rules.parse("4x8"), [1, 1]) == 1 / 4096**2
    True
    """
    onward, left = max(1, feedback_count(rules) - 1), rules.secret_count
    found = list[int]()
    while left > 0 and len(found) < sum(guesses):
        found.append(min(left, onward ** len(found)))
        left -= found[-1]
    shares = (
        np.array([0.0, *found]) / rules.secret_count
    )  # a game that takes longer counts as none: the sum is exceeded
    total, sums = sum(guesses), np.ones(1)
    for _ in guesses:
        sums = np.convolve(sums, shares)[: total + 1]
    return min(1.0, float(sums.sum()))


# -------------------------------------------------------------------- verdicts


class MeanVerdict(NamedTuple):
    """The judgement of a mean: `kind` is `too good` where no strategy has it, `mean` where it is not as expected."""

    kind: str
    text: str


def mean_verdict(series: Series, expected: ExpectedMean, *, honest: bool) -> MeanVerdict | None:
    """Return the judgement of the mean of a series, None where it is as expected or chance can explain it.

    `honest`: a codebreaker has played against secrets drawn fairly, so that there is a mean that no strategy beats.
    """
    guesses = [number for number in series.guesses if number]
    if not guesses or len(guesses) < len(series.guesses) or series.faults:
        return None  # who goes wrong in late turns finishes the short games alone: their mean says nothing
    mean, rules = float(np.mean(guesses)), series.rules
    games = plural(len(guesses), "{n} game", "{n} games")
    said = Told("{mean:.2f} guesses on average in {games} on {rules}", mean, games, rules)
    least = least_mean(rules)
    certain = 1e-4  # a mean that no strategy has
    if (
        honest
        and mean < least
        and (chance_of_any(rules, guesses) < certain or _chance(guesses, ExpectedMean(least, "")) < certain)
    ):
        text = Told("{mean}; no strategy does better than {least:.2f} on average: it may know the secret", said, least)
        return MeanVerdict("too good", text)
    # A class has hundreds of means: one is told where chance makes it as far off once in a thousand times.
    if expected.mean is None or _chance(guesses, expected) >= 1e-3:
        return None
    fewer = Template("{mean}, fewer than the {expected:.2f} expected ({source}), and not by chance: look at why")
    more = Template("{mean}, more than the {expected:.2f} expected ({source}), and not by chance: look at why")
    text = Told(fewer if mean < expected.mean else more, said, expected.mean, expected.source)
    return MeanVerdict("mean", text)


def _chance(guesses: Sequence[int], expected: ExpectedMean) -> float:
    assert expected.mean is not None
    count, off = len(guesses), float(np.mean(guesses)) - expected.mean
    if count < 2:
        return 1.0
    error = sqrt(_error(guesses) ** 2 + expected.error**2)
    signs = 2.0 ** (1 - min(count, 1000))  # few games prove little, however alike they are
    return max(signs, by_chance(off / error, count - 1)) if error else signs if off else 1.0
