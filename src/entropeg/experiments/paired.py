"""Compares two codebreakers game by game: how many guesses one needs more than the other on the same secrets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from entropeg.errors import InputError
from entropeg.experiments.confidence import half_width
from entropeg.experiments.results import Run
from entropeg.plain_values import PlainValue


@dataclass(frozen=True)
class PairedDifference(PlainValue):
    """What the first of two codebreakers needs more than the second, over the games that both have won.

    Luck of the secrets falls on both and drops out, so that far fewer games tell two players apart than their means do.

    >>> from entropeg import arena
    >>> slow, fast = arena(["first-consistent", "entropy"], "honest", "3x3", all_secrets=True)
    >>> difference = PairedDifference.of(slow, fast)
    >>> difference.games, round(difference.mean, 3), difference.error
    (27, 0.593, None)
    >>> difference.histogram
    {-2: 1, -1: 2, 0: 7, 1: 14, 2: 3}
    """

    PLAIN: ClassVar[tuple[str, ...]] = ("codebreaker", "other", "codemaker", "games", "mean", "error", "histogram")

    codebreaker: str
    other: str
    codemaker: str
    games: int
    """Games that both have won."""
    mean: float | None
    """Guesses more on average: below zero where the first codebreaker is the better one; None without a game."""
    error: float | None
    """Half of the 95 % interval of the mean; None where it is exact, and of a single game."""
    histogram: dict[int, int]
    """How many games had each difference."""

    @classmethod
    def of(cls, run: Run, other: Run) -> Self:
        """Compare two runs of one arena against the same codemaker; raises InputError where they are of two."""
        mine, theirs = ((each.rules, each.codemaker, each.seed, each.plan) for each in (run, other))
        if mine != theirs:
            raise InputError("runs of two arenas are not compared game by game: their secrets are not the same")
        _, here, there = np.intersect1d(run.games, other.games, assume_unique=True, return_indices=True)
        ours, others = run.guesses[here].astype(np.int64), other.guesses[there].astype(np.int64)
        differences = (ours - others)[(ours > 0) & (others > 0)]
        values, counts = np.unique(differences, return_counts=True)
        is_exact = run.statistics.exact and other.statistics.exact
        return cls(
            run.codebreaker,
            other.codebreaker,
            run.codemaker,
            len(differences),
            float(differences.mean()) if len(differences) else None,
            None if is_exact else half_width(differences),
            dict(zip(values.tolist(), counts.tolist(), strict=True)),
        )


def differences(runs: Sequence[Run]) -> list[PairedDifference]:
    """Compare the first codebreaker of an arena with each of the others, against each codemaker."""
    firsts: dict[str, Run] = {}
    for run in runs:
        firsts.setdefault(run.codemaker, run)
    return [PairedDifference.of(firsts[run.codemaker], run) for run in runs if run is not firsts[run.codemaker]]
