"""Describes what an experiment gives back: runs, and how far they have come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any, NamedTuple

from numpy.typing import NDArray

from entropeg.experiments.statistics import Statistics
from entropeg.plain_values import PlainValue
from entropeg.rules import Rules


class Progress(NamedTuple):
    """How far a run has come: (codebreaker, codemaker), games finished and planned; which pair it is, of how many.

    `counts` has pairs of a number of guesses and the games finished that took it, 0 standing for games lost.
    `turns`: how many turns the games have, fewest first, that are under way and take long; those of a cluster are
    unknown. `left`: seconds of processor time that the games left will take, by those played; None where these are too
    few to tell.
    """

    run: tuple[str, str]
    done: int
    total: int
    number: int = 1
    pairs: int = 1
    counts: tuple[tuple[int, int], ...] = ()
    turns: tuple[int, ...] = ()
    left: float | None = None

    @property
    def under_way(self) -> str:
        """How far the games under way are that take long; empty without any.

        >>> Progress(("auto", "honest"), 0, 1, turns=(1204,)).under_way
        'turn 1,204 of the game under way'
        """
        if not self.turns:
            return ""
        if len(self.turns) == 1:
            return f"turn {self.turns[0]:,} of the game under way"
        return f"turns {self.turns[0]:,} to {self.turns[-1]:,} of {len(self.turns):,} games under way"


@dataclass(frozen=True, eq=False, repr=False)
class Run(PlainValue):
    """The games of one pair of players.

    `guesses` (`int32[n]`): how many guesses each game took, 0 where it was lost at the limit; `games` (`int64[n]`):
    their numbers, increasing, which are 0..planned-1 unless the run was interrupted. `seconds`: processor time of all
    processes together, those of modules and programs too. `exact`: the games are the whole space and no chance is in
    them. `plan` `all-secrets`: game i hides secret number i.
    """

    PLAIN = (
        *("rules", "codebreaker", "codemaker", "seed", "plan", "planned", "complete", "seconds"),
        *("fault=fault_or_none", "statistics", "games", "guesses"),
    )

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
    fault: str = ""
    """What a player did wrong, so that the rest was not played."""

    @property
    def complete(self) -> bool:
        """Whether all planned games are finished."""
        return len(self.games) == self.planned

    @cached_property
    def statistics(self) -> Statistics:
        """Mean, interval, median, worst, histogram, total, seconds a game."""
        return Statistics.of(self.guesses, self.seconds, exact=self.exact and self.complete)

    @property
    def line(self) -> str:
        """The run on one line: `consistent against honest on 4x6: 1,000 games, mean 4.6380 ± 0.0538, worst 7`."""
        facts = self.statistics
        played = "secrets" if self.plan == "all-secrets" else "games"
        told = [f"{facts.count:,} {played}"]
        if facts.won:
            spread = ", exact" if facts.exact else f" {facts.spread}".rstrip()
            told += [f"mean {facts.mean:,.4f}{spread}", f"worst {facts.worst:,}"]
        told += [f"{facts.lost:,} lost"] if facts.lost else []
        told += [] if self.complete else [f"{self.planned:,} planned"]
        told += [f"ended by a fault: {self.fault}"] if self.fault else []
        return f"{self.codebreaker} against {self.codemaker} on {self.rules}: {', '.join(told)}"

    def __repr__(self) -> str:
        """Show the run on one line."""
        return f"<Run of {self.line}>"

    def __str__(self) -> str:
        """Write the run on some lines: its line, and the histogram of the games won."""
        return "\n".join([self.line, *self.statistics.bars()])

    def _repr_html_(self) -> str:
        """Draw the histogram up as a table, for a notebook."""
        won = self.statistics.won
        body = "".join(
            f"<tr><td>{guesses:,}</td><td>{games:,}</td><td>{games / won:.1%}</td></tr>"
            for guesses, games in self.statistics.histogram.items()
        )
        head = "<thead><tr><th>guesses</th><th>games won</th><th>share</th></tr></thead>"
        return f"<table><caption>{escape(self.line)}</caption>{head}<tbody>{body}</tbody></table>"

    def to_dict(self) -> dict[str, Any]:
        """Return the run as one row of a table: who played what, and the statistics, without the games.

        `low` and `high` are the ends of the interval of the mean, None where there is none; `mean` and `median` are
        None where no game was won; `seconds` and `seconds_per_game` are of processor time.
        `pandas.DataFrame(run.to_dict() for run in runs)` makes a table of them.
        """
        facts = self.statistics.to_json()
        low, high = facts.pop("interval") or (None, None)
        del facts["histogram"]
        who = {"rules": str(self.rules), "codebreaker": self.codebreaker, "codemaker": self.codemaker}
        how = {"seed": str(self.seed), "plan": self.plan, "planned": self.planned, "seconds": self.seconds}
        return {**who, **how, **facts, "low": low, "high": high}

    @property
    def fault_or_none(self) -> str | None:
        """What a player did wrong; null where none did."""
        return self.fault or None


class Interrupted(KeyboardInterrupt):
    """The user stopped the arena; `runs` holds what was finished, the last of them perhaps not complete."""

    def __init__(self, runs: Sequence[Run]) -> None:
        """Keep the runs."""
        super().__init__(f"interrupted after {sum(len(run.games) for run in runs)} games")
        self.runs = runs
