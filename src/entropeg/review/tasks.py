"""Reviews many games at once, in workers that share them; Ctrl-C keeps the reviews that are done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from entropeg import arguments
from entropeg.errors import InputError
from entropeg.executors import Crew, Executor
from entropeg.experiments.sharing import shared_work
from entropeg.position import Position
from entropeg.review.account import Review, review
from entropeg.review.turns import Thresholds


@dataclass(frozen=True)
class Options:
    """How games are reviewed, as `review` takes it."""

    thresholds: Thresholds | None = None
    time: float | None = None
    seed: int = 0


def review_games(
    positions: Sequence[Position],
    *,
    options: Options | None = None,
    jobs: int | None = None,
    executor: Executor | Crew | str | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> list[Review | InputError | None]:
    """Review many games, in their order; `jobs` processes share them, by default one a processor, or an `executor`.

    ``progress`` is called with the numbers of games done and in all. After Ctrl-C the reviews that are finished are
    returned, None in the places of the others. In the place of a game that `review` refuses stands its InputError.

    >>> games = [Position("4x6", ["AABB XO", "ACCD O", "BEBF XXO", "FEBA XXXX"])] * 2
    >>> review_games(games)[1].line
    '4 guesses = 4.34 par + 0.76 lost − 1.10 luck'
    """
    asked = Options() if options is None else options
    positions = arguments.items(positions, "the games", '[Position("4x6", ["AABB XO"])]')
    return shared_work(positions, partial(reviewed, options=asked), jobs=jobs, executor=executor, progress=progress)


def reviewed(position: Position, options: Options) -> Review | InputError:
    """Review a game, or say why it cannot be: one game that cannot must not stop a thousand."""
    try:
        return review(position, thresholds=options.thresholds, time=options.time, seed=options.seed)
    except InputError as error:
        return error
