"""Computes what many games say: mean with its interval, median, worst, histogram."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropeg.experiments.intervals import half_width
from entropeg.plain_values import Finite, PlainValue


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
        return "" if self.interval is None else f"± {(self.interval[1] - self.interval[0]) / 2:,.3g}"

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
        names = _right(f"{low:,}" if low == high else f"{low:,}-{high:,}" for low, high, _ in ranges)
        counts = _right(f"{games:,}" for _, _, games in ranges)
        shares = _right(f"{100 * games / self.won:.1f} %" for _, _, games in ranges)
        heads = list(map("  ".join, zip(names, counts, shares, strict=True)))
        room = width - max(map(len, heads), default=0) - 2
        most = max((games for _, _, games in ranges), default=1)
        return [
            f"{head}  {_bar(games / most * room, bar)}".rstrip()
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


def _right(texts: Iterable[str]) -> list[str]:
    texts = list(texts)
    width = max(map(len, texts), default=0)
    return [text.rjust(width) for text in texts]


def _bar(length: float, bar: str) -> str:
    # A bar that is not empty shows: a half block at least, or a whole sign where there are no half ones.
    halves = max(round(2 * length), 1) if length else 0
    if bar != "█":
        return bar * ((halves + 1) // 2)
    return bar * (halves // 2) + "▌" * (halves % 2)


def _interval(won: NDArray[np.int64]) -> tuple[float, float] | None:
    half, mean = half_width(won), float(won.mean()) if len(won) else nan
    return (mean - half, mean + half) if half else None
