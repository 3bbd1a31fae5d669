"""One pass of the near-optimal search: the most promising guesses of every set are followed to the end.

Guesses are ranked by the sizes of their parts, the best of these estimated by their parts, the best of these estimated
closer, and the best of these followed. How many of each is the effort of the pass. Small sets are solved exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from entropeg.codes import Array
from entropeg.search.beam.board import Board
from entropeg.search.beam.known_sets import PROVEN, Known, KnownSets
from entropeg.search.beam.model import Model
from entropeg.search.beam.threads import CLOSE, Clock, LabelWorker, Stopped, Subset, Worker
from entropeg.search.exact.fields import INF, NO_GUESS

PASSES = 8
RANKED = 4
"""Guesses ranked by size alone for each that is to be estimated: many leave equal parts."""


class Widths(NamedTuple):
    """How many guesses of a set are estimated by their parts, estimated closer, and followed to the end."""

    estimated: int
    refined: int
    followed: int


class Effort(NamedTuple):
    """How wide a pass searches: sets up to MIDDLE codes, larger ones, and those after the opening."""

    small: Widths
    middle: Widths
    second: Widths
    deviations: float  # a guess is given up when its estimate lies this many deviations above the best value
    again: int  # the parts after a second guess are searched with less effort, for this many of the best once more


def _effort(level: int) -> Effort:
    def grown(first: float, factor: float) -> int:
        return round(first * factor**level)

    return Effort(
        small=Widths(grown(64, 1.3), grown(4, 1.6), grown(5, 1.7)),
        middle=Widths(grown(64, 1.3), grown(3, 1.6), grown(2.5, 1.6)),
        second=Widths(grown(200, 1.4), grown(10, 1.6), grown(6, 1.6)),
        deviations=1.5 + 0.5 * level,
        again=4 + 2 * level,
    )


LEARNING = PASSES
"""Nothing is given up early where estimates are learned: values seen must not depend on earlier estimates."""
# How the parts after a second guess are searched at first.
EFFORTS = (
    Effort(Widths(64, 4, 3), Widths(64, 3, 2), Widths(200, 10, 4), deviations=1.5, again=0),
    *(_effort(level) for level in range(1, PASSES)),
    Effort(Widths(64, 4, 3), Widths(64, 4, 2), Widths(200, 10, 4), deviations=30.0, again=0),
)


class Aim(NamedTuple):
    """How a set came about, and how hard it is searched: a place in EFFORTS."""

    history: tuple[int, ...]
    effort: int

    @property
    def is_second(self) -> bool:
        """Whether a second guess is wanted."""
        return len(self.history) == 1


class Guess(NamedTuple):
    """A guess with an estimate of its total, the variance of that, and the part of it that close looks have added."""

    number: int
    total: float
    variance: float
    extra: float


class Search:
    """Searches sets, and keeps the best of each."""

    def __init__(self, board: Board, model: Model, clock: Clock, known: KnownSets) -> None:
        self.board, self.model, self.clock, self.known = board, model, clock, known
        self._looks: dict[int, tuple[float, float]] = {}  # quick and close raw estimates of sets, by name
        self._ranks: dict[int, tuple[int, Array]] = {}  # guesses by the sizes of their parts, by name

    def value(self, worker: LabelWorker, subset: Subset, aim: Aim) -> int:
        """A total that some strategy reaches on the set; the least found by searching it with this effort."""
        codes, name = subset.codes, subset.name
        known = self.known.of.get(name)
        if known is not None and known.effort >= aim.effort:
            return known.value
        if len(codes) <= self.model.small:
            return self.known.solve(worker, subset)
        self.clock.look()
        best = self._widely(worker, subset, known, aim)
        self.known.keep(name, best)
        if not aim.is_second and (aim.effort == LEARNING or name in self._looks):
            self.model.sample(len(codes), self._look(worker, subset), best.value)
        return best.value

    def forget(self) -> None:
        """Look at every set anew, since estimates changed; the best found stays."""
        self._looks.clear()
        self._ranks.clear()
        self.known.forget_efforts()

    # ------------------------------------------------------------ one set

    def _widely(self, worker: LabelWorker, subset: Subset, known: Known | None, aim: Aim) -> Known:
        """Follow the most promising guesses of a set; the best found, ``known`` where nothing is better."""
        best = known or Known(INF, NO_GUESS, 0)
        try:
            for value, guess in self._followed(worker, subset, best, aim):
                best = min(best, Known(value, guess, -1))
        except Stopped:
            if best.value < INF:
                self.known.keep(subset.name, best)
            raise
        return best._replace(effort=aim.effort)

    def _followed(self, worker: LabelWorker, subset: Subset, best: Known, aim: Aim) -> Iterator[tuple[int, int]]:
        """(total, guess) of one guess after another; ``best``: the best known before."""
        effort = EFFORTS[aim.effort]
        # Larger sets than these get the widths for large ones: more of them are looked at.
        sized = effort.small if len(subset.codes) <= 200 else effort.middle
        widths = effort.second if aim.is_second else sized
        # Second guesses are many and dear: all that are followed with less effort first, the best of them again.
        first = aim._replace(effort=max(0, aim.effort - 1)) if aim.is_second and aim.effort < LEARNING else aim
        done: list[tuple[int, int]] = []
        least = best.value

        def follow(guess: int, extra: float, how: Aim) -> tuple[int, int]:
            nonlocal least
            value = self._follow(worker, subset.codes, (guess, extra), least, how)
            least = min(least, value)
            return value, guess

        if best.guess != NO_GUESS:  # its parts are searched with more effort now
            done.append(follow(best.guess, 0.0, first))
            yield done[-1]
        for guess, total, variance, extra in self.candidates(worker, subset, aim.history, widths):
            is_promising = total - effort.deviations * variance**0.5 < least
            if guess != best.guess and len(done) < widths.followed and is_promising:
                done.append(follow(guess, extra, first))
                yield done[-1]
        if aim.is_second and aim.effort:
            for _, guess in sorted(done)[: effort.again]:
                yield follow(guess, 0.0, aim)

    def _follow(self, worker: LabelWorker, codes: Array, chosen: tuple[int, float], best: float, aim: Aim) -> int:
        """Total of a guess with its parts searched, INF once it is unlikely to be less than ``best``.

        ``chosen``: the guess, and what close estimates of its parts add.
        """
        guess, extra = chosen
        deviations = EFFORTS[aim.effort].deviations
        done, total, parts = worker.solve_parts(codes, guess, best, deviations, extra)
        self.clock.look()  # a search that was stopped returns bounds
        if not done:
            return INF
        certain = round(total - sum(estimate for _, estimate, _ in parts))
        for i, (part, _, _) in enumerate(parts):
            if part.name in self._looks and part.name not in self.known.of:
                parts[i] = (part, *self._close(part))
        total = certain + sum(estimate for _, estimate, _ in parts)
        variance = sum(variance for _, _, variance in parts)
        for part, estimate, variance_of_part in parts:
            value = self.value(worker, part, Aim((*aim.history, guess), aim.effort))
            certain += value
            total += value - estimate
            variance -= variance_of_part
            if total - deviations * max(variance, 0.0) ** 0.5 >= best:
                return INF
        return certain

    # ------------------------------------------------------------ which guesses

    def candidates(self, worker: Worker, subset: Subset, history: tuple[int, ...], widths: Widths) -> list[Guess]:
        """The guesses that look best by estimates of their parts, the least estimate first."""
        guesses = self._by_size(worker, subset, history, widths.estimated)
        taken, (totals, variances, large) = worker.estimated(subset.codes, guesses, widths.estimated)
        extras = np.zeros(len(taken))
        if isinstance(worker, LabelWorker):
            for i in np.argsort(totals, kind="stable")[: widths.refined].tolist():
                if large[i]:
                    self.clock.look()
                    extras[i], more = self._refined(worker, subset.codes, int(taken[i]))
                    variances[i] += more
        totals += extras
        rank = np.argsort(totals, kind="stable")[: 2 * max(widths.followed, 1)]
        columns = (taken, totals, variances, extras)
        return list(map(Guess, *(column[rank].tolist() for column in columns)))

    def _by_size(self, worker: Worker, subset: Subset, history: tuple[int, ...], estimated: int) -> Array:
        """The guesses that look best by the sizes of their parts, several for each that is to be ``estimated``."""
        columns = self.board.second_guesses(history[0]) if len(history) == 1 else None
        if columns is not None or not isinstance(worker, LabelWorker):
            table = self.model.tables.estimate
            return worker.best_of(columns or self.board.quick_guesses, subset.codes, table, RANKED * estimated)[0]
        # Many guesses leave equal parts, second ones most of all: 24 times as many are ranked as are estimated.
        wanted = estimated * (24 if len(history) == 1 else RANKED)
        guesses = self._likely(worker, subset, min(wanted, len(self.board.guesses)))
        return self.board.first_of_each(guesses, history)

    def _likely(self, worker: LabelWorker, subset: Subset, wanted: int) -> Array:
        """The guesses that look best by the sizes of their parts; kept, since most sets are met again."""
        asked, guesses = self._ranks.get(subset.name, (0, subset.codes[:0]))
        if asked < wanted:
            # 400 guesses are kept of every set that was looked at, by the sizes of their parts.
            asked = max(wanted, min(400, len(self.board.guesses)))
            guesses = worker.best_guesses(subset.codes, asked)[0].astype(np.int32)
            # The guesses of more sets would take more than 100 MB.
            if len(self._ranks) >= 40_000:
                self._ranks.clear()
            self._ranks[subset.name] = asked, guesses
        return guesses[:wanted]

    def _refined(self, worker: LabelWorker, codes: Array, guess: int) -> tuple[float, float]:
        """What close estimates of the large parts change in the estimate and in its variance."""
        change, more = 0.0, 0.0
        for part, estimate, variance in worker.estimated_parts(codes, guess):
            if part.name not in self.known.of:
                self._look(worker, part)
                close, left = self._close(part)
                change += close - estimate
                more += left - variance
        return change, more

    def _look(self, worker: LabelWorker, subset: Subset) -> tuple[float, float]:
        """Raw estimates of a set, the quick and the close one."""
        if subset.name not in self._looks:
            self._looks[subset.name] = worker.looked_at(subset.codes, self._likely(worker, subset, 2 * CLOSE))
        return self._looks[subset.name]

    def _close(self, subset: Subset) -> tuple[float, float]:
        """(close estimate of a set that was looked at, its variance)."""
        size = len(subset.codes)
        return self._looks[subset.name][1] + self.model.correction[size], self.model.corrected_doubt[size]

    # ------------------------------------------------------------ the best strategy

    def improve(self, worker: LabelWorker, subset: Subset, most: int) -> int:
        """Solve the sets of up to ``most`` codes in the best strategy known for a set; its total."""
        if self.clock.is_over:
            raise Stopped
        known = self.known.of[subset.name]
        if known.effort == PROVEN:
            return known.value
        if len(subset.codes) <= most:
            value = INF if self.clock.is_halted else worker.solve(subset, known.value)
            if self.clock.is_halted:  # there is no more time for this; the value is a bound
                return known.value
            guess = worker.guess_of(subset) if value < known.value else known.guess
            value = min(value, known.value)
            self.known.keep(subset.name, Known(value, guess, PROVEN))
            return value
        total = len(subset.codes)
        for part in worker.split(subset.codes, known.guess):
            is_small = len(part.codes) <= self.model.small
            total += self._solved(worker, part) if is_small else self.improve(worker, part, most)
        if total < known.value:
            self.known.keep(subset.name, known._replace(value=total))
        return total

    def _solved(self, worker: LabelWorker, subset: Subset) -> int:
        """The least total of a small set."""
        if len(subset.codes) <= 2:
            return 2 * len(subset.codes) - 1
        known = self.known.of.get(subset.name)
        if known is not None and known.effort == PROVEN:
            return known.value
        value = worker.solve(subset, INF)
        self.clock.look()
        return value
