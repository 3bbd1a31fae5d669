"""Describes the results of an experiment: runs, how far they have come, and the statistics of their games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import count
from math import nan
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg.experiments.confidence import half_width
from entropeg.plain_values import Finite, PlainValue
from entropeg.rules import Rules
from entropeg.told import Joined, Told, plural, word


@dataclass(frozen=True)
class Statistics(PlainValue):
    """Numbers of guesses over the games won; lost games are counted apart.

    `mean` and `median` are NaN, and `worst` and `total` 0, where no game was won. `interval` holds the true mean of
    won games with 95 % confidence: mean ± t s/√n, s the sample's standard deviation (divisor n - 1), t by Student's law
    with n - 1 degrees of freedom: 12.7 for two games, 1.96 for many. Where every secret was played once by a player
    that uses chance the games do not share one law and the interval is on the safe side. It is None where the mean is
    exact (`exact`: a deterministic codebreaker against every secret), or where nothing tells how games spread: fewer
    than two were won, or all took as many guesses.
    `seconds_per_game` is the processor time, of all processes together, divided by all games.

    >>> stats = Statistics.of(np.array([3, 4, 0, 5]), seconds=2.0)
    >>> stats.won, stats.lost, stats.mean, stats.histogram
    (3, 1, 4.0, {3: 1, 4: 1, 5: 1})
    """

    count: int
    won: int
    lost: int
    mean: Finite
    interval: tuple[float, float] | None
    exact: bool
    median: Finite
    worst: int
    histogram: dict[int, int]
    total: int
    seconds_per_game: float

    @classmethod
    def of(cls, guesses: NDArray[Any], seconds: float = 0.0, *, exact: bool = False) -> Statistics:
        """Sum up numbers of guesses, 0 for a lost game; `exact` promises that the games are the whole space."""
        won = guesses[guesses > 0].astype(np.int64)
        values, counts = np.unique(won, return_counts=True)
        return cls(
            count=len(guesses),
            won=len(won),
            lost=len(guesses) - len(won),
            mean=float(won.mean()) if len(won) else nan,
            interval=None if exact else _interval(won),
            exact=exact,
            median=float(np.median(won)) if len(won) else nan,
            worst=int(won.max(initial=0)),
            histogram=dict(zip(values.tolist(), counts.tolist(), strict=True)),
            total=int(won.sum()),
            seconds_per_game=seconds / len(guesses) if len(guesses) else 0.0,
        )

    @property
    def spread(self) -> str:
        """Half of the interval as it is written behind the mean: `± 0.054`; empty where there is no interval."""
        return "" if self.interval is None else Told("± {half:,.3g}", (self.interval[1] - self.interval[0]) / 2)

    def bars(self, width: int = 80, bar: str = "█") -> list[str]:
        r"""Draw the histogram of the games won as text, a line a number of guesses, none wider than `width`.

        Each line has the number of guesses, how many games took it, their share and a bar. Beyond 24 lines equal ranges
        of guesses are gathered in one.

        >>> print(*Statistics.of(np.array([3, 4, 4, 5])).bars(30), sep="\n")
        3  1  25.0 %  ████████
        4  2  50.0 %  ████████████████
        5  1  25.0 %  ████████
        """
        ranges = _gathered(self.histogram)
        names = [
            Told("{count:,}", low) if low == high else Told("{low:,}-{high:,}", low, high) for low, high, _ in ranges
        ]
        counts = [Told("{count:,}", games) for _, _, games in ranges]
        shares = [Told("{percent:.1f} %", 100 * games / self.won) for _, _, games in ranges]
        heads = [Joined(head, "  ") for head in zip(*map(_right, (names, counts, shares)), strict=True)]
        room = width - max(map(len, heads), default=0) - 2
        most = max((games for _, _, games in ranges), default=1)
        return [
            Joined(filter(None, [head, _bar(games / most * room, bar)]), "  ")
            for head, (_, _, games) in zip(heads, ranges, strict=True)
        ]


def _gathered(histogram: dict[int, int]) -> list[tuple[int, int, int]]:
    # (first and last number of guesses, games), every range of the same width, empty ones too.
    if not histogram:
        return []
    first, last = min(histogram), max(histogram)
    sizes = (digit * 10**power for power in count() for digit in (1, 2, 5))
    wide = next(size for size in sizes if last - (first - 1) // size * size <= 24 * size)  # lines: a screen
    first = (first - 1) // wide * wide + 1
    games = [0] * ((last - first) // wide + 1)
    for guesses, number in histogram.items():
        games[(guesses - first) // wide] += number
    return [(low, low + wide - 1, games[at]) for at, low in enumerate(range(first, last + 1, wide))]


def _right(texts: Sequence[str]) -> list[str]:
    width = max(map(len, texts), default=0)
    return [Joined((" " * (width - len(text)), text)) for text in texts]


def _bar(length: float, bar: str) -> str:
    # A bar that is not empty shows: a half block at least, or a whole sign where there are no half ones.
    halves = max(round(2 * length), 1) if length else 0
    if bar != "█":
        return bar * ((halves + 1) // 2)
    return bar * (halves // 2) + "▌" * (halves % 2)


def _interval(won: NDArray[np.int64]) -> tuple[float, float] | None:
    half, mean = half_width(won), float(won.mean()) if len(won) else nan
    return (mean - half, mean + half) if half else None


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
            return Told("turn {turns:,} of the game under way", self.turns[0])
        first, last = self.turns[0], self.turns[-1]
        return Told("turns {first:,} to {last:,} of {games:,} games under way", first, last, len(self.turns))


@dataclass(frozen=True, eq=False, repr=False)
class Run(PlainValue):
    """The games of one pair of players.

    `guesses` (`int32[n]`): how many guesses each game took, 0 where it was lost at the limit; `games` (`int64[n]`):
    their numbers, increasing, which are 0..planned-1 unless the run was interrupted. `seconds`: processor time of all
    processes together, those of modules and programs too. `exact`: the games are the whole space and no chance is in
    them. `plan` `all-secrets`: game i hides secret number i.
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("rules", "codebreaker", "codemaker", "seed", "plan", "planned", "complete", "seconds"),
        *("fault=fault_or_none", "statistics", "games", "guesses"),
    )

    rules: Rules
    codebreaker: str
    codemaker: str
    seed: int
    plan: str
    guesses: NDArray[np.int32]
    seconds: float
    games: NDArray[np.int64]
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
        told = [plural(facts.count, "{n} game", "{n} games")]
        if self.plan == "all-secrets":
            told = [plural(facts.count, "{n} secret", "{n} secrets")]
        if facts.won:
            mean = Told("mean {mean:,.4f}", facts.mean)
            told.append(Told("mean {mean:,.4f} {spread}", facts.mean, facts.spread) if facts.spread else mean)
            told += [word("mean", "exact")] * facts.exact + [Told("worst {worst:,}", facts.worst)]
        told += [plural(facts.lost, "{n} lost", "{n} lost")] if facts.lost else []
        told += [] if self.complete else [Told("{planned:,} planned", self.planned)]
        told += [Told("ended by a fault: {fault}", self.fault)] if self.fault else []
        return Told(
            "{codebreaker} against {codemaker} on {rules}: {results:list}",
            *(self.codebreaker, self.codemaker, self.rules, told),
        )

    def __repr__(self) -> str:
        return f"<Run of {self.line}>"

    def __str__(self) -> str:
        """Write the run on some lines: its line, and the histogram of the games won."""
        return Joined([self.line, *self.statistics.bars()], "\n")

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
        super().__init__(Told("interrupted after {games} games", sum(len(run.games) for run in runs)))
        self.runs = runs
