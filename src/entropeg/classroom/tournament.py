"""Many projects, everyone against everyone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import isnan, sqrt
from pathlib import Path
from typing import Any

import numpy as np

from entropeg import codemakers
from entropeg.classroom.faults import Fault, ModuleFault
from entropeg.classroom.modules import find_player
from entropeg.classroom.players import CourseCodebreaker, CourseCodemaker
from entropeg.classroom.process import Limits
from entropeg.classroom.series import Series, play_series
from entropeg.errors import InputError
from entropeg.registry import name_of
from entropeg.rules import Rules

Z = 1.959963984540054
"""Half the width of a 95 % interval in standard errors."""


@dataclass(frozen=True)
class Place:
    """One line of a ranking: a player, the mean of its means and its 95 % interval, its games and those it spoiled."""

    player: str
    mean: float
    half: float
    games: int
    spoiled: int
    opponents: int

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean."""
        return self.mean - self.half, self.mean + self.half

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `json.dumps`."""
        known = not isnan(self.mean)
        return {
            "player": self.player,
            "mean": self.mean if known else None,
            "interval": list(self.interval) if known else None,
            "games": self.games,
            "spoiled": self.spoiled,
            "opponents": self.opponents,
        }


@dataclass
class Tournament:
    """Every series that was played, and who could not play at all."""

    rules: Rules
    games: int
    seed: int
    series: list[Series] = field(default_factory=list)
    absent: list[Fault] = field(default_factory=list)

    @property
    def codebreakers(self) -> list[Place]:
        """The codebreakers, best first: those that spoil the fewest games, then those that need the fewest guesses."""
        places = self._places(lambda series: path_of(series.codebreaker), lambda series: path_of(series.codemaker))
        return sorted(places, key=lambda place: (_share(place), isnan(place.mean), place.mean))

    @property
    def codemakers(self) -> list[Place]:
        """The codemakers, best first: those that spoil the fewest games, then those that hold out longest."""
        places = self._places(lambda series: path_of(series.codemaker), lambda series: path_of(series.codebreaker))
        return sorted(places, key=lambda place: (_share(place), isnan(place.mean), -place.mean))

    def _places(self, player: Callable[[Series], str], other: Callable[[Series], str]) -> Iterable[Place]:
        for name in dict.fromkeys(map(player, self.series)):
            mine = [series for series in self.series if player(series) == name]
            spoiled = sum(fault.player == name for series in mine for fault in series.faults)
            played = [series for series in mine if series.run.statistics.won]
            mean, half = _mean_of_means(played)
            yield Place(name, mean, half, sum(map(_games, mine)) + spoiled, spoiled, len(set(map(other, played))))

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `json.dumps`."""
        return {
            "rules": str(self.rules),
            "games": self.games,
            "seed": self.seed,
            "codebreakers": [place.to_json() for place in self.codebreakers],
            "codemakers": [place.to_json() for place in self.codemakers],
            "series": [series.to_json() for series in self.series],
            "absent": [fault.to_json() for fault in self.absent],
        }


def _games(series: Series) -> int:
    return len(series.guesses)


def path_of(name: str) -> str:
    """Return the name of a player without its limits, where it is a course module.

    >>> path_of("a/codebreaker2.py:memory=512"), path_of("cheat:first")
    ('a/codebreaker2.py', 'cheat:first')
    """
    path, found, _ = name.partition(".py:")
    return f"{path}.py" if found else name


def _share(place: Place) -> float:
    return place.spoiled / max(place.games, 1)


def _mean_of_means(series: Sequence[Series]) -> tuple[float, float]:
    # Every opponent counts alike, however many games were finished against it: variances of the means add.
    if not series:
        return float("nan"), float("nan")
    means, variances = [], []
    for each in series:
        won = np.asarray([guesses for guesses in each.guesses if guesses], dtype=float)
        means.append(float(won.mean()))
        variances.append(float(won.var(ddof=1)) / len(won) if len(won) > 1 else 0.0)
    return float(np.mean(means)), Z * sqrt(sum(variances)) / len(series)


def play_tournament(  # noqa: PLR0913 (as a series, with folders for players)
    folders: Sequence[str | Path],
    rules: Rules,
    *,
    games: int = 100,
    seconds: float = 10.0,
    seed: int = 0,
    limits: Limits | None = None,
    with_ours: bool = True,
    progress: Callable[[str], object] | None = None,
) -> Tournament:
    """Let every codebreaker of every project play every codemaker, and ours: `honest` and `cheat`.

    A pair plays at most `games` games and about `seconds` seconds. A module that cannot play is named among the absent;
    a game that goes wrong counts against who spoiled it. Raises InputError where a folder holds no player.
    """
    tournament = Tournament(rules, games, seed)
    breakers, makers = list[Any](), [codemakers.get(name) for name in ("honest", "cheat") if with_ours]
    for folder in folders:
        for player in _players(Path(folder), limits or Limits(turn_seconds=5.0, game_seconds=60.0), tournament):
            side: list[Any] = breakers if player.role == "codebreaker" else makers
            side.append(player)
    for breaker in breakers:
        for maker in makers:
            if progress is not None:
                progress(f"{name_of(breaker)} against {name_of(maker)}")
            series = _series(breaker, maker, rules, games, seconds, seed)
            tournament.series.append(series)
    return tournament


def _series(breaker: Any, maker: Any, rules: Rules, games: int, seconds: float, seed: int) -> Series:
    try:
        return play_series(breaker, maker, rules, games, seed=seed, seconds=seconds)
    except ModuleFault as error:  # it could not even be imported
        return Series(rules, name_of(breaker), name_of(maker), seed, games, faults=[error.fault])


def _players(folder: Path, limits: Limits, tournament: Tournament) -> list[CourseCodebreaker | CourseCodemaker]:
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder: name the folders of projects")
    files = sorted([*folder.glob("codebreaker*.py"), *folder.glob("codemaker*.py")])
    if not files:
        raise InputError(f"{folder} holds no player: no codebreaker*.py and no codemaker*.py")
    made: list[CourseCodebreaker | CourseCodemaker] = []
    for file in files:
        own = (str(file), limits.turn_seconds, limits.game_seconds, limits.memory)
        try:
            role = find_player(file, None, str(file))[1]
            made.append(CourseCodebreaker(*own) if role == "codebreaker" else CourseCodemaker(*own))
        except ModuleFault as error:
            tournament.absent.append(error.fault)
    return made
