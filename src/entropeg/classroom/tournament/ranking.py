"""Ranks the players of a tournament, and says who differs from whom by more than chance.

Game number i has the same seed in every pair, so that a codebreaker meets the same secret and draws alike against each
codemaker: games of one number are not independent. The number of the game is therefore the unit. A mean over opponents
is taken game by game, and its interval comes from how much the games differ. Two players are compared over the
opponents and games that both have, and one stands before the other only where the difference is beyond chance, all
comparisons taken together (Holm 1979).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf, nan, sqrt
from typing import ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from entropeg.classroom.faults import Fault
from entropeg.classroom.series import Series
from entropeg.experiments.confidence import by_chance, student
from entropeg.plain_values import Finite, PlainValue

Role: TypeAlias = Literal["codebreaker", "codemaker"]

FEW = 5
"""Fewer games of a pair say little about their own spread."""


@dataclass(frozen=True)
class Place(PlainValue):
    """One line of a ranking: a player, the mean of its means against its opponents, its games and those it spoiled.

    `rank`: one more than the number of players that are better beyond chance; None where no game was finished. `half`:
    half the width of the 95 % interval of the mean, None where there are not two games to tell it from.
    """

    PLAIN: ClassVar[tuple[str, ...]] = ("player", "rank", "mean", "interval", "games", "spoiled", "opponents")

    player: str
    rank: int | None
    mean: Finite
    half: float | None
    games: int
    spoiled: int
    opponents: int

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


def mean_by_game(numbers: NDArray[np.float64], *, by_count: bool = False) -> Estimate:
    """Return the mean of the means of rows, and its standard error with the columns as the unit.

    `numbers`: `float64[opponents, games]`, NaN where a game is missing. Every opponent counts alike, however many games
    it has, or `by_count` as much as it has games. Rows of fewer than `FEW` games, whose own spread says little, are
    taken to spread as all rows do, in step with the others at the same games (which is at most too wide). Degrees of
    freedom are those of the games in effect, (sum of weights)^2 / sum of squared weights (Kish 1965), less one.

    >>> estimate = mean_by_game(np.array([[4.0, 6.0, 5.0], [5.0, 7.0, 6.0]]))
    >>> estimate.mean, round(estimate.error, 4), estimate.freedom
    (5.5, 0.5774, 2)
    >>> mean_by_game(np.array([[4.0], [6.0]])).error
    inf
    """
    known = ~np.isnan(numbers)
    numbers, known = numbers[known.any(axis=1)], known[known.any(axis=1)]
    if not len(numbers):
        return Estimate(nan, inf, 0, 0)
    counts = known.sum(axis=1)
    filled = np.where(known, numbers, 0.0)
    means = filled.sum(axis=1) / counts
    weights = counts / counts.sum() if by_count else np.full(len(counts), 1 / len(counts))
    mean, telling = float(weights @ means), int(np.count_nonzero(filled.sum(axis=0)))
    several = counts > 1
    if not several.any():
        return Estimate(mean, inf, 0, telling)
    shares = known * (weights / counts)[:, None]  # of each game in the mean
    off = np.where(known, numbers - means[:, None], 0.0)
    spread = float((off**2).sum() / (counts[several] - 1).sum())
    long = counts >= FEW if (counts >= FEW).any() else several
    grown = np.sqrt(counts[long] / (counts[long] - 1.0))[:, None]
    by_game = (off[long] * shares[long] * grown).sum(axis=0)
    told, short = shares[long].sum(axis=0), shares[~long].sum(axis=0)
    error = sqrt(float((by_game**2).sum() + spread * (short**2 + 2 * short * told).sum()))
    alike = (known[long] * (weights[long] / counts[long])[:, None] ** 2).sum(axis=0)
    effective = max(2, int(alike.sum() ** 2 / (alike**2).sum() + 1e-9))
    return Estimate(mean, error, effective - 1, min(telling, effective))


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
    """What a player did: guesses by opponent and game (NaN: not finished), games, and those it spoiled.

    A game that was lost at the limit of guesses counts as one guess more than the limit, the least that it needed.
    `spoils`: by opponent and game 1 where it spoiled the game, 0 where it finished it, else NaN.
    """

    player: str
    guesses: NDArray[np.float64]
    spoils: NDArray[np.float64]
    games: int
    spoiled: int

    @property
    def share(self) -> float:
        """The share of its games that it spoiled."""
        return self.spoiled / max(self.games, 1)

    @property
    def finished(self) -> bool:
        """Whether it finished a game."""
        return not bool(np.isnan(self.guesses).all())


def ranking(role: Role, series: Sequence[Series], name: Callable[[str], str]) -> list[Place]:
    """Rank the players of a role, best first; `name` gives the name of a player as it is shown.

    Who spoils no game stands before who does; then the codebreakers that need fewer guesses, and the codemakers that
    hold out longer. Players of one rank are in the order of their means.
    """
    records = [record for record in _records(role, series, name) if record.games]
    better = _better(role, records)
    places = []
    for record in records:
        estimate = mean_by_game(record.guesses)
        half = None if estimate.error == inf else student(estimate.freedom) * estimate.error
        rank = 1 + sum(worse == record.player for _, worse in better) if record.finished else None
        opponents = int((~np.isnan(record.guesses)).any(axis=1).sum())
        places.append(Place(record.player, rank, estimate.mean, half, record.games, record.spoiled, opponents))
    sign = 1 if role == "codebreaker" else -1
    return sorted(
        places,
        key=lambda place: (place.rank is None, place.rank or 0, place.spoiled / max(place.games, 1), sign * place.mean),
    )


def _records(role: Role, series: Sequence[Series], name: Callable[[str], str]) -> Iterable[PlayerRecord]:
    sides = [(name(each.codebreaker), name(each.codemaker)) for each in series]
    mine = [side if role == "codebreaker" else side[::-1] for side in sides]
    others = {other: row for row, other in enumerate(dict.fromkeys(other for _, other in mine))}
    most = max((game for each in series for game in [*each.games, *_numbers(each.faults)]), default=-1) + 1
    for player in dict.fromkeys(player for player, _ in mine):
        guesses, spoils = np.full((len(others), most), np.nan), np.full((len(others), most), np.nan)
        games = spoiled = 0
        for each, (who, other) in zip(series, mine, strict=True):
            if who != player:
                continue
            row = np.array(each.guesses, dtype=np.float64)
            lost = nan if each.rules.guess_limit is None else each.rules.guess_limit + 1.0
            guesses[others[other], each.games] = np.where(row > 0, row, lost)
            wrong = [fault for fault in each.faults if name(fault.player) == player]
            spoils[others[other], each.games], spoils[others[other], _numbers(wrong)] = 0.0, 1.0
            games, spoiled = games + len(each.guesses) + len(wrong), spoiled + len(wrong)
        yield PlayerRecord(player, guesses, spoils, games, spoiled)


def _numbers(faults: Sequence[Fault]) -> list[int]:
    return [fault.game for fault in faults if fault.game is not None]


def _better(role: Role, records: Sequence[PlayerRecord]) -> set[tuple[str, str]]:
    # Pairs (better, worse): who spoils games is a fact; the rest is held against chance, the clearest first.
    certain, open_questions = set[tuple[str, str]](), list[tuple[float, tuple[str, str]]]()
    sign = 1 if role == "codebreaker" else -1
    for one, other in combinations([record for record in records if record.finished], 2):
        first, second = sorted((one, other), key=lambda record: record.share)
        if second.spoiled and not first.spoiled:
            certain.add((first.player, second.player))
        elif first.spoiled and second.spoiled:
            estimate = mean_by_game(first.spoils - second.spoils, by_count=True)
            open_questions.append((chance_of(estimate), (first.player, second.player)))
        else:
            estimate = mean_by_game(one.guesses - other.guesses, by_count=True)
            ahead = (one, other) if sign * estimate.mean < 0 else (other, one)
            open_questions.append((chance_of(estimate), (ahead[0].player, ahead[1].player)))
    for left, (chance, pair) in zip(
        range(len(open_questions), 0, -1), sorted(open_questions, key=lambda each: each[0]), strict=True
    ):
        if chance * left > 0.05:  # the chance that anyone at all is ranked above an equal
            break
        certain.add(pair)
    return certain
