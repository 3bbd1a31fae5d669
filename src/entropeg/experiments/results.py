"""What an experiment gives back: runs, and how far they have come."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

from numpy.typing import NDArray

from entropeg.experiments.statistics import Statistics
from entropeg.rules import Rules

Plan: TypeAlias = Literal["games", "all-secrets"]


class Progress(NamedTuple):
    """How far a run has come: (codebreaker, codemaker), games finished, games planned."""

    run: tuple[str, str]
    done: int
    total: int


@dataclass(frozen=True, eq=False)
class Run:
    """The games of one pair of players.

    `guesses` (`int32[n]`): how many guesses each game took, 0 where it was lost at the limit; `games` (`int64[n]`):
    their numbers, increasing, which are 0..planned-1 unless the run was interrupted. `seconds`: work time of all
    processes together. `exact`: the games are the whole space and no chance is in them. `plan` `all-secrets`: game i
    hides secret number i.
    """

    rules: Rules
    codebreaker: str
    codemaker: str
    seed: int
    plan: str
    guesses: NDArray[Any]
    seconds: float
    games: NDArray[Any]
    planned: int
    exact: bool = False

    @property
    def complete(self) -> bool:
        """Whether all planned games are finished."""
        return len(self.games) == self.planned

    @cached_property
    def statistics(self) -> Statistics:
        """Mean, interval, median, worst, histogram, total, seconds a game."""
        return Statistics.of(self.guesses, self.seconds, exact=self.exact and self.complete)

    def to_json(self) -> dict[str, Any]:
        """Return the run and its statistics as plain data for `json.dumps`."""
        return {
            "rules": str(self.rules),
            "codebreaker": self.codebreaker,
            "codemaker": self.codemaker,
            "seed": self.seed,
            "plan": self.plan,
            "planned": self.planned,
            "complete": self.complete,
            "seconds": self.seconds,
            "statistics": self.statistics.to_json(),
            "games": self.games.tolist(),
            "guesses": self.guesses.tolist(),
        }


class Interrupted(KeyboardInterrupt):
    """The user stopped the arena; `runs` holds what was finished, the last of them perhaps not complete."""

    def __init__(self, runs: list[Run]) -> None:
        """Keep the runs."""
        super().__init__(f"interrupted after {sum(len(run.games) for run in runs)} games")
        self.runs = runs
