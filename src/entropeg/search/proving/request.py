"""The options of an exact search, as `optimal` is given them, read and checked, in one value."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from entropeg.errors import InputError
from entropeg.executors import Crew
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.preparing import layout_options
from entropeg.search.results import SearchProgress
from entropeg.search.weights import SecretWeights


@dataclass(frozen=True)
class Request:
    """The options of `optimal`, each of its kind; `memory` in bytes, `began` by `time.perf_counter`.

    `limit` is the most guesses that a strategy may take from the position on. `rules_limit` is the part that the rules
    leave of theirs, which counts from the start of the game.
    """

    position: Position
    limit: int | None = None
    worst: bool = False
    fewest_at_worst: bool = False
    consistent_only: bool = False
    time: float | None = None
    memory: int | None = None
    threads: int = 1
    progress: Callable[[SearchProgress], None] | None = None
    checkpoint: Path | None = None
    crew: Crew | None = None
    proof: Path | None = None
    weights: SecretWeights | None = None
    seed: int = 0
    began: float = field(default_factory=clock.perf_counter)

    @property
    def searchers(self) -> int:
        """How many search at a time."""
        return self.threads if self.crew is None else self.crew.count

    @property
    def rules(self) -> Rules:
        """The rules of the position."""
        return self.position.rules

    @property
    def rules_limit(self) -> int | None:
        """Guesses that the rules leave after the turns of the position; None where they have no limit."""
        limit = self.rules.guess_limit
        return None if limit is None or self.position.is_won else max(0, limit - len(self.position.turns))

    @property
    def name(self) -> str:
        """The search in the words of messages: a checkpoint is that of one such search."""
        after = f" after {self.position}" if self.position.turns else ""
        alone = " by possible codes alone" if self.consistent_only else ""
        return f"{self.rules}{after}{alone}{f' with seed {self.seed}' if self.seed else ''}"

    @property
    def is_plain(self) -> bool:
        """Whether the least total over codes that are equally likely is asked for, of all strategies."""
        return not (self.is_limited or self.weights)

    @property
    def is_limited(self) -> bool:
        """Whether the least worst case is asked for, or only strategies of some kind are meant."""
        return self.worst or self.limit is not None or self.consistent_only

    @property
    def is_alone(self) -> bool:
        """Whether nothing is asked for that the search on NumPy does not know; workers it does not need."""
        return not (self.checkpoint or self.proof or self.weights or self.consistent_only or self.seed)

    @property
    def deadline(self) -> float | None:
        """When the time is over."""
        return None if self.time is None else self.began + self.time

    def check_unnamed(self) -> None:
        """Raise InputError for options that the search of games without naming does not know."""
        for name in ("fewest_at_worst", "consistent_only", "checkpoint", "proof"):
            if getattr(self, name):
                raise InputError(
                    "{rules} ends when one secret is left: leave {option} out", self.rules, name.replace("_", " ")
                )

    def check(self) -> None:
        """Raise InputError for options that do not go together."""
        if self.fewest_at_worst:
            if not self.is_alone:
                raise InputError(
                    "the fewest secrets at the worst case are found with worst, limit and time only, "
                    "not with weights, a prior, files, a seed or possible codes alone"
                )
            layout_options(self.rules)
        if self.proof is not None and self.crew is not None:
            raise InputError("a proof is written by the process that searches: leave the executor out")
        if self.proof is not None and self.position.turns:
            raise InputError("a proof is written for a whole board, not from a position on")
        if self.proof is not None and self.weights is not None and (self.worst or self.limit is not None):
            raise InputError("a proof under weights is written without a limit, and not for the least worst case")
