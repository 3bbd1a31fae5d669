"""What many games say: mean with its interval, median, worst, histogram."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.95
"""Of a hundred intervals, so many (in theory) hold the true mean."""

INTERVAL_METHOD = "normal approximation: mean ± 1.96 standard errors of the sample"
"""How `Statistics.interval` is made, for captions."""


@dataclass(frozen=True)
class Statistics:
    """Numbers of guesses over the games won; lost games are counted apart.

    `mean` and `median` are NaN, and `worst` and `total` 0, where no game was won. `interval` holds the true mean of
    won games with 95 % confidence, by the normal approximation: mean ± 1.96 s/√n, s the sample's standard deviation
    (divisor n - 1). Where every secret was played once by a player that uses chance the games do not share one law
    and the interval is on the safe side. It is None where the mean is exact (`exact`: a deterministic codebreaker
    against every secret) or fewer than two games were won. `seconds_per_game` is the work time, of all processes
    together, divided by all games.

    >>> stats = Statistics.of(np.array([3, 4, 0, 5]), seconds=2.0)
    >>> stats.won, stats.lost, stats.mean, stats.histogram
    (3, 1, 4.0, {3: 1, 4: 1, 5: 1})
    """

    count: int
    won: int
    lost: int
    mean: float
    interval: tuple[float, float] | None
    median: float
    worst: int
    histogram: dict[int, int]
    total: int
    seconds_per_game: float
    exact: bool = False

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
            interval=None if exact or len(won) < 2 else _interval(won),
            median=float(np.median(won)) if len(won) else nan,
            worst=int(won.max(initial=0)),
            histogram=dict(zip(values.tolist(), counts.tolist(), strict=True)),
            total=int(won.sum()),
            seconds_per_game=seconds / len(guesses) if len(guesses) else 0.0,
            exact=exact,
        )

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `json.dumps`: NaN becomes null, the keys of the histogram text."""
        return {
            "count": self.count,
            "won": self.won,
            "lost": self.lost,
            "mean": None if isnan(self.mean) else self.mean,
            "interval": None if self.interval is None else list(self.interval),
            "exact": self.exact,
            "median": None if isnan(self.median) else self.median,
            "worst": self.worst,
            "histogram": {str(guesses): games for guesses, games in self.histogram.items()},
            "total": self.total,
            "seconds_per_game": self.seconds_per_game,
        }


def _interval(won: NDArray[np.int64]) -> tuple[float, float]:
    half = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * float(won.std(ddof=1)) / sqrt(len(won))
    mean = float(won.mean())
    return mean - half, mean + half
