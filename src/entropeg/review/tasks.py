"""Reviews many games at once, in processes that share them; Ctrl-C keeps what is done."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, TypeAlias, cast

from entropeg import arguments, signals
from entropeg.errors import InputError
from entropeg.experiments.pool import ProcessPool
from entropeg.position import Position
from entropeg.processors import MOST_PROCESSORS, usable_processors
from entropeg.review.account import SECONDS, Review, review
from entropeg.review.turns import Thresholds

ALONE = 60
"""Fewer games than this are reviewed by one process: others take a second to start, and make the board anew."""
PIECE = 16
"""Games in one piece of work."""
BUDGET = 0.5
"""Seconds that a piece of work takes, about."""


Reviewed: TypeAlias = "tuple[int, Review | InputError]"


@dataclass(frozen=True)
class Options:
    """How games are reviewed, as `review` takes it."""

    thresholds: Thresholds | None = None
    seconds: float = SECONDS
    seed: int = 0


@dataclass(frozen=True)
class ReviewTask:
    """Games to be reviewed, by their numbers: work for one process."""

    games: tuple[tuple[int, Position], ...]
    options: Options

    @property
    def size(self) -> int:
        """Number of games."""
        return len(self.games)

    def run(self, budget: float) -> tuple[list[Reviewed], list[ReviewTask]]:
        """Review for about so many seconds; the reviews, and the task that is left."""
        began, done = perf_counter(), list[Reviewed]()
        for number, position in self.games:
            done.append((number, _reviewed(position, self.options)))
            if perf_counter() - began > budget:
                break
        left = self.games[len(done) :]
        return done, [replace(self, games=left)] if left else []

    def split(self, pieces: int) -> list[ReviewTask]:
        """Share the games out: at most `PIECE` each."""
        size = max(1, min(PIECE, -(-self.size // pieces)))
        return [replace(self, games=self.games[at : at + size]) for at in range(0, self.size, size)]


def _reviewed(position: Position, options: Options) -> Review | InputError:
    try:
        return review(position, thresholds=options.thresholds, seconds=options.seconds, seed=options.seed)
    except InputError as error:  # one game that cannot be must not stop a thousand
        return error


def review_games(
    positions: Sequence[Position],
    *,
    options: Options | None = None,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Review | InputError | None]:
    """Review many games, in their order; `jobs` processes share them, by default one a processor.

    ``progress`` is called with the numbers of games done and in all. After Ctrl-C the reviews that are finished are
    returned, None in the places of the others. In the place of a game that `review` refuses stands its InputError.

    >>> games = [Position("4x6", ["AABB XO", "ACCD O", "BEBF XXO", "FEBA XXXX"])] * 2
    >>> review_games(games)[1].line
    '4 guesses = 4.34 par + 0.76 lost − 1.10 luck'
    """
    asked = Options() if options is None else options
    jobs = arguments.some(jobs, "the number of processes", least=1, most=MOST_PROCESSORS) or usable_processors()
    tell = progress or (lambda _done, _total: None)
    found: list[Review | InputError | None] = [None] * len(positions)
    task, done = ReviewTask(tuple(enumerate(positions)), asked), 0
    try:
        with closing(_alone(task) if jobs == 1 or len(positions) < ALONE else _shared(task, jobs)) as chunks:
            for chunk in chunks:
                for number, one in chunk:
                    found[number] = one
                done += len(chunk)
                tell(done, len(positions))
    except KeyboardInterrupt:
        if not done:
            raise
    return found


def _alone(task: ReviewTask) -> Generator[list[Reviewed], None, None]:
    with signals.held() as check:
        for number, position in task.games:
            yield [(number, _reviewed(position, task.options))]
            check()


def _shared(task: ReviewTask, jobs: int) -> Generator[list[Reviewed], None, None]:
    with ProcessPool(jobs) as pool:
        # The pool asks of a task what `ReviewTask` has; what it calls chunks are lists of reviews here.
        yield from cast("Any", pool).work([task], BUDGET)
