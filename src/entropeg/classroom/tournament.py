"""Lets the players of many projects meet, every codebreaker with every codemaker."""

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
from entropeg.classroom.rounds import RoundPlan
from entropeg.classroom.series import ClassroomInterrupted, Series
from entropeg.errors import InputError
from entropeg.experiments.intervals import Z
from entropeg.registry import name_of
from entropeg.rules import Rules

SLOW = ("time", "game time")
"""Kinds of faults of a module that takes too long."""


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
    def set_aside(self) -> dict[str, Fault]:
        """Players that never finished a game and were too slow for one: name and fault."""
        slow = {fault.player: fault for series in self.series for fault in series.faults if fault.kind in SLOW}
        played = [series for series in self.series if series.guesses]
        fine = {path_of(name) for series in played for name in (series.codebreaker, series.codemaker)}
        return {name: fault for name, fault in slow.items() if name not in fine}

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
            games = sum(len(series.guesses) for series in mine) + spoiled
            yield Place(name, *_mean_of_means(played), games, spoiled, len(set(map(other, played))))

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `json.dumps`."""
        return {
            "rules": str(self.rules),
            "games": self.games,
            "seed": self.seed,
            "codebreakers": [place.to_json() for place in self.codebreakers],
            "codemakers": [place.to_json() for place in self.codemakers],
            "series": [series.to_json() for series in self.series],
            "set_aside": {name: fault.sentence for name, fault in self.set_aside.items()},
            "absent": [fault.to_json() for fault in self.absent],
        }


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
    jobs: int | None = None,
    keep: str | Path | None = None,
    progress: Callable[[str, int, int], object] | None = None,
) -> Tournament:
    """Let every codebreaker of every project play every codemaker, and ours: `honest` and `cheat`.

    A pair plays at most `games` games and about `seconds` seconds; `jobs` pairs at a time (default: as many as there
    are cores). A module that cannot play is named among the absent; a game that goes wrong counts against who spoiled
    it. One that is too slow to finish a single game against its first opponent is set aside: nobody waits for it again.
    `keep` names a file of finished pairs, from which the same call goes on. Ctrl-C raises ClassroomInterrupted with
    the tournament so far. Raises InputError where a folder holds no player.
    """
    tournament = Tournament(rules, games, seed)
    breakers, makers = list[Any](), [codemakers.get(name) for name in ("honest", "cheat") if with_ours]
    for folder in folders:
        for player in _players(Path(folder), limits or LIMITS, tournament):
            side: list[Any] = breakers if player.role == "codebreaker" else makers
            side.append(player)
    total = len(breakers) * len(makers)
    rounds = RoundPlan(rules, games, seconds, seed, jobs, None if keep is None else Path(keep), progress, total)
    try:
        _play(tournament, rounds, breakers, makers)
    except KeyboardInterrupt as stop:
        tournament.series += stop.done if isinstance(stop, ClassroomInterrupted) else []
        raise ClassroomInterrupted(tournament) from None
    return tournament


LIMITS = Limits(turn_seconds=5.0, game_seconds=60.0)
"""What a module may use in a tournament, unless something else is said."""


def _play(tournament: Tournament, rounds: RoundPlan, breakers: list[Any], makers: list[Any]) -> None:
    # First every codebreaker against the first codemaker, then every other codemaker against the first codebreaker,
    # then the rest without those who were too slow: who is set aside hangs on these games alone, not on `jobs`.
    if not (breakers and makers):
        return
    tournament.series += rounds.play([(breaker, makers[0]) for breaker in breakers])
    breakers = _fast_enough(tournament, breakers)
    tournament.series += rounds.play([(breakers[0], maker) for maker in makers[1:]] if breakers else [])
    makers = _fast_enough(tournament, makers[1:])
    tournament.series += rounds.play([(breaker, maker) for breaker in breakers[1:] for maker in makers])


def _fast_enough(tournament: Tournament, players: list[Any]) -> list[Any]:
    return [player for player in players if path_of(name_of(player)) not in tournament.set_aside]


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
