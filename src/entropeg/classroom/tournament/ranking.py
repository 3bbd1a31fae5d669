"""Ranks the players of a tournament, and says which ranks chance leaves open.

Game number i has the same secret and the same draws in every pair: games of one number are not independent. A number is
therefore the unit, as a secret is within its block (`dealing`), and not the round: a player that has met 26 opponents
once, each over another secret, has 26 units. Two players are compared over the opponents that both have met, secret by
secret, and one stands before the other only where the difference is beyond chance, all comparisons taken together (Holm
1979). So the ranks of all players are within what is said of them in 95 of 100 tournaments.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf, isnan, nan, sqrt
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg.classroom.modules import Role
from entropeg.classroom.series import Series
from entropeg.experiments.confidence import by_chance, student
from entropeg.plain_values import Finite, PlainValue

FEW = 5
"""Fewer games of a pair say little about their own spread."""


@dataclass(frozen=True)
class Place(PlainValue):
    """One line of a ranking: a player, the mean of its means against its opponents, its games and those it spoiled.

    `rank`: one more than the number of players that are better beyond chance; None where no game was finished, or too
    few (`is_short`) for a rank. `last`: the last rank that chance leaves open. `half`: half the width of the 95 %
    interval of the mean, None where there are not two games to tell it from.
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("player", "rank", "ranks", "mean", "interval", "games", "counted", "spoiled", "opponents"),
    )

    player: str
    rank: int | None
    mean: Finite
    half: float | None
    games: int
    spoiled: int
    opponents: int
    last: int | None = None
    counted: float = 0.0
    """Its games, each counted as its opponent counts."""
    is_short: bool = False
    """Whether it has less than half of the games that another has, counted so."""
    is_aside: bool = False
    """Whether it was set aside, and has no rank for that."""

    @property
    def is_early(self) -> bool:
        """Whether it has no rank since most others have too few games for one."""
        return not (self.rank is not None or self.is_short or self.is_aside or isnan(self.mean))

    @property
    def ranks(self) -> tuple[int, int] | None:
        """The ranks that chance leaves open, from the first to the last."""
        return None if self.rank is None else (self.rank, self.last or self.rank)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the mean, which no number of guesses below 1 is in."""
        return None if self.half is None else (max(1.0, self.mean - self.half), self.mean + self.half)


class Estimate(NamedTuple):
    """A mean, its standard error (infinite where nobody can say), degrees of freedom, and games that are not 0."""

    mean: float
    error: float
    freedom: int
    telling: int


def mean_by_game(numbers: NDArray[np.float64], weights: NDArray[np.float64] | None = None) -> Estimate:
    """Return the mean of the means of rows, and its standard error with the columns as the unit.

    `numbers`: `float64[opponents, games]`, NaN where a game is missing. Every opponent counts alike, however many games
    it has, or by its weight. Rows of fewer than `FEW` games, whose own spread says little, are taken to spread as all
    rows do, in step with the others at the same games (which is at most too wide); where most rows have one game, rows
    that differ count as games that do. Degrees of freedom are those of the games in effect, (sum of weights)^2 / sum of
    squared weights (Kish 1965), less one, and no more than those of the games within their rows.

    >>> estimate = mean_by_game(np.array([[4.0, 6.0, 5.0], [5.0, 7.0, 6.0]]))
    >>> estimate.mean, round(estimate.error, 4), estimate.freedom
    (5.5, 0.5774, 2)
    >>> mean_by_game(np.array([[4.0], [6.0]])).error
    inf
    """
    known = ~np.isnan(numbers)
    met = known.any(axis=1)
    numbers, known = numbers[met], known[met]
    if not len(numbers):
        return Estimate(nan, inf, 0, 0)
    counts = known.sum(axis=1)
    filled = np.where(known, numbers, 0.0)
    means = filled.sum(axis=1) / counts
    share = np.ones(len(counts)) if weights is None else weights[met]
    share = share / share.sum()
    mean, telling = float(share @ means), int(np.count_nonzero(filled.sum(axis=0)))
    several = counts > 1
    are_single = 2 * several.sum() <= len(counts) > 1
    if are_single:
        means = np.full(len(counts), mean)
    shares = known * (share / counts)[:, None]  # of each game in the mean
    alike = (known * (share / counts)[:, None] ** 2).sum(axis=0)
    if np.count_nonzero(alike) < 2:
        return Estimate(mean, inf, 0, telling)
    effective = max(2, int(alike.sum() ** 2 / (alike**2).sum() + 1e-9))
    off = np.where(known, numbers - means[:, None], 0.0)
    if are_single:
        error = sqrt(float(((off * shares).sum(axis=0) ** 2).sum()) * effective / (effective - 1.0))
        return Estimate(mean, error, effective - 1, min(telling, effective))
    spread = float((off**2).sum() / (counts[several] - 1).sum())
    long = counts >= FEW if (counts >= FEW).any() else several
    grown = np.sqrt(counts[long] / (counts[long] - 1.0))[:, None]
    by_game = (off[long] * shares[long] * grown).sum(axis=0)
    told, short = shares[long].sum(axis=0), shares[~long].sum(axis=0)
    error = sqrt(float((by_game**2).sum() + spread * (short**2 + 2 * short * told).sum()))
    freedom = min(effective, int((counts - 1).sum()) + 1) - 1
    return Estimate(mean, error, freedom, min(telling, effective))


class Outcomes(NamedTuple):
    """What a player did in its games: the opponent, the number and the outcome of each, in three arrays."""

    opponent: NDArray[np.int64]
    number: NDArray[np.int64]
    outcome: NDArray[np.float64]

    def against(self, met: NDArray[np.bool_]) -> Outcomes:
        """Return the games against some opponents."""
        chosen = met[self.opponent]
        return Outcomes(self.opponent[chosen], self.number[chosen], self.outcome[chosen])


def difference(one: Outcomes, other: Outcomes, spread: NDArray[np.float64]) -> Estimate:
    """Return by how much the outcomes of one player are above those of another, over the opponents that both have met.

    `spread`: `float64[opponents]`, how much the games of each scatter: an opponent counts by its games with both, and
    the less the more they scatter. The unit is the number of a game. What the two have in common at an opponent is
    taken out of both; where they have met it over other secrets, as they do in the midst of a block, both outcomes
    scatter about it by themselves, and their residuals are enlarged by what taking it out has cost.

    >>> games = [Outcomes(np.arange(4), np.arange(4), np.array(each)) for each in ([5.0, 7, 6, 6], [4.0, 6, 5, 4])]
    >>> difference(*games, np.ones(4))
    Estimate(mean=1.25, error=0.25, freedom=3, telling=4)
    """
    size, most = len(spread), int(max(one.number.max(initial=-1), other.number.max(initial=-1))) + 1
    counts = [np.bincount(each.opponent, minlength=size).astype(float) for each in (one, other)]
    met = (counts[0] > 0) & (counts[1] > 0)
    if not met.any():
        return Estimate(nan, inf, 0, 0)
    one, other = one.against(met), other.against(met)
    first, second = (np.where(met, count, 1.0) for count in counts)
    together = first + second
    weights = np.where(met, first * second / together / spread**2, 0.0)
    weights /= weights.sum()
    sums = [np.bincount(each.opponent, each.outcome, size) for each in (one, other)]
    mean = float(weights @ (sums[0] / first - sums[1] / second))
    common = (sums[0] + sums[1] - mean * (first - second) / 2) / together
    shared = np.intersect1d(one.opponent * most + one.number, other.opponent * most + other.number) // max(most, 1)
    apart = 1 / first + 1 / second
    cost = apart / (apart - (apart - 2 * np.bincount(shared, minlength=size) / (first * second)) / together)

    units, alike, told = np.zeros(most), np.zeros(most), np.zeros(most)
    for games, count, sign in ((one, first, 1), (other, second, -1)):
        at, share = games.opponent, (weights / count)[games.opponent]
        residual = (games.outcome - common[at] - sign * mean / 2) * np.sqrt(cost[at])
        units += sign * np.bincount(games.number, share * residual, most)
        alike += np.bincount(games.number, (share * spread[at]) ** 2, most)
        told += sign * np.bincount(games.number, share * games.outcome, most)
    effective = int(alike.sum() ** 2 / (alike**2).sum() + 1e-9)
    if effective < 2:
        return Estimate(mean, inf, 0, 0)
    error = sqrt(float((units**2).sum()) * effective / (effective - 1))
    return Estimate(mean, error, effective - 1, min(int(np.count_nonzero(np.abs(told) > 1e-12)), effective))


def chance_of(estimate: Estimate) -> float:
    """Return how likely a mean as far from 0 is by chance.

    By Student's t, and never less than that of as many games having the same sign: few games prove little, however
    alike they are.

    >>> chance_of(mean_by_game(np.full((1, 4), 2.0)))
    0.125
    """
    if estimate.error == inf or not estimate.telling:
        return 1.0
    signs = 2.0 ** (1 - min(estimate.telling, 1000))
    if estimate.error == 0.0:
        return signs if estimate.mean else 1.0
    return max(signs, by_chance(estimate.mean / estimate.error, estimate.freedom))


@dataclass(frozen=True)
class PlayerRecord:
    """What a player did: guesses of its finished games, games that it spoiled (1) or not (0), and games in all.

    A game that was lost at the limit of guesses counts as one guess more than the limit, the least that it needed. A
    game that took too long is neither finished nor spoiled: slow is not wrong.
    """

    player: str
    guesses: Outcomes
    spoils: Outcomes
    games: int
    spoiled: int

    @property
    def share(self) -> float:
        """The share of its games that it spoiled."""
        return self.spoiled / max(self.games, 1)

    @property
    def finished(self) -> bool:
        """Whether it finished a game."""
        return bool(len(self.guesses.outcome))


def ranking(
    role: Role, series: Sequence[Series], name: Callable[[str], str], aside: Collection[str] = ()
) -> list[Place]:
    """Rank the players of a role, best first; `name` gives the name of a player as it is shown.

    Who spoils no game stands before who does; then the codebreakers that need fewer guesses, and the codemakers that
    hold out longer. Who has less than half of the games that another has, or was set `aside`, stands below without a
    rank; where most have, nobody has one. Others are in the order of the ranks that chance leaves open, then in that of
    their means.
    """
    records = [record for record in _records(role, series, name) if record.games]
    spread = _spreads(role, series, name)
    # A codebreaker that scatters more than twice as much as the steadiest one drowns no other opponent.
    steady = np.minimum(1.0, (2 * spread.min(initial=inf) / spread) ** 2)
    counted = {record.player: float(steady[record.spoils.opponent].sum()) for record in records}
    most = max(counted.values(), default=0.0)
    short = {record.player for record in records if 2 * counted[record.player] < most and not record.spoiled}
    present = [record for record in records if record.player not in aside]
    ranked = [record for record in present if record.finished and record.player not in short]
    if 2 * sum(record.player in short for record in present) > len(present):
        ranked = []  # at first one of a side plays everybody: it would be the first of one
    better, names = _better(role, ranked, spread), {record.player for record in ranked}
    places = []
    for record in records:
        estimate = mean_by_game(_table(record.guesses, len(spread)), steady)
        half = None if estimate.error == inf else student(estimate.freedom) * estimate.error
        rank = last = None
        if record.player in names:
            rank = 1 + sum(worse == record.player for _, worse in better)
            last = len(ranked) - sum(above == record.player for above, _ in better)
        counts = record.games, record.spoiled, len(np.unique(record.guesses.opponent))
        shown = counted[record.player], record.player in short, record.player in aside
        places.append(Place(record.player, rank, estimate.mean, half, *counts, last, *shown))
    sign, shares = 1 if role == "codebreaker" else -1, {record.player: record.share for record in records}
    return sorted(
        places,
        key=lambda place: (
            *(place.rank is None, place.is_short or place.is_aside, isnan(place.mean), sum(place.ranks or ())),
            shares[place.player],
            sign * place.mean,
        ),
    )


def _sides(role: Role, series: Sequence[Series], name: Callable[[str], str]) -> list[tuple[str, str]]:
    sides = [(name(each.codebreaker), name(each.codemaker)) for each in series]
    return sides if role == "codebreaker" else [side[::-1] for side in sides]


def _records(role: Role, series: Sequence[Series], name: Callable[[str], str]) -> Iterable[PlayerRecord]:
    mine = _sides(role, series, name)
    others = {other: row for row, other in enumerate(dict.fromkeys(other for _, other in mine))}
    for player in dict.fromkeys(player for player, _ in mine):
        guesses, spoils = list[tuple[int, int, float]](), list[tuple[int, int, float]]()
        for each, (who, other) in zip(series, mine, strict=True):
            if who == player:
                row, found = others[other], _outcomes(each)
                wrong = [fault for fault in each.faults if name(fault.player) == player and not fault.is_slow]
                guesses += [(row, number, count) for number, count in found]
                spoils += [(row, number, 0.0) for number, _ in found]
                # A module that cannot be started has no number of a game: it spoils its first.
                spoils += [(row, fault.game or 0, 1.0) for fault in wrong]
        spoiled = sum(outcome > 0 for *_, outcome in spoils)
        yield PlayerRecord(player, _games(guesses), _games(spoils), len(spoils), spoiled)


def _games(played: Sequence[tuple[int, int, float]]) -> Outcomes:
    rows, numbers, outcomes = zip(*played, strict=True) if played else ((), (), ())
    return Outcomes(np.array(rows, np.int64), np.array(numbers, np.int64), np.array(outcomes, np.float64))


def _outcomes(series: Series) -> list[tuple[int, float]]:
    limit = series.rules.guess_limit
    lost = nan if limit is None else limit + 1.0
    return [(number, count or lost) for number, count in zip(series.games, series.guesses, strict=True)]


def _table(games: Outcomes, opponents: int) -> NDArray[np.float64]:
    numbers, columns = np.unique(games.number, return_inverse=True)
    table = np.full((opponents, len(numbers)), np.nan)
    table[games.opponent, columns] = games.outcome
    return table


def _spreads(role: Role, series: Sequence[Series], name: Callable[[str], str]) -> NDArray[np.float64]:
    # How much the games of each opponent scatter. That is a matter of the codebreaker: a few games of one that guesses
    # at random are told by their length, which is about what they scatter by, and of others a good part of it.
    mine = _sides(role, series, name)
    found = dict[str, list[float]]()
    for each, (_, other) in zip(series, mine, strict=True):
        found.setdefault(other, []).extend(count for _, count in _outcomes(each))
    if role == "codebreaker":
        return np.ones(len(found))
    return np.array([max(0.5, np.std(each), np.mean(each) / 4) if each else 1.0 for each in found.values()])


def _better(role: Role, records: Sequence[PlayerRecord], spread: NDArray[np.float64]) -> set[tuple[str, str]]:
    # Pairs (better, worse): who spoils games is a fact; the rest is held against chance, the clearest first.
    certain, open_questions = set[tuple[str, str]](), list[tuple[float, tuple[str, str]]]()
    sign = 1 if role == "codebreaker" else -1
    for one, other in combinations(records, 2):
        first, second = sorted((one, other), key=lambda record: record.share)
        if second.spoiled and not first.spoiled:
            certain.add((first.player, second.player))
        elif first.spoiled and second.spoiled:
            estimate = difference(first.spoils, second.spoils, np.ones(len(spread)))
            open_questions.append((chance_of(estimate), (first.player, second.player)))
        else:
            estimate = difference(one.guesses, other.guesses, spread)
            ahead = (one, other) if sign * estimate.mean < 0 else (other, one)
            open_questions.append((chance_of(estimate), (ahead[0].player, ahead[1].player)))
    for left, (chance, pair) in zip(
        range(len(open_questions), 0, -1), sorted(open_questions, key=lambda each: each[0]), strict=True
    ):
        if chance * left > 0.05:  # the chance that anyone at all is ranked above an equal
            break
        certain.add(pair)
    return certain
