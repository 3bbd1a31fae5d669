"""Shares the same work on many things between processes, and keeps its finished part at Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Generic, TypeVar

from entropeg import arguments, signals
from entropeg.executors import Crew, Executor, WorkersError, crew_of

ALONE = 2.0
"""Seconds that one process works before others share the rest: they take a second to start, and prepare the board
anew."""

Item = TypeVar("Item")
Made = TypeVar("Made")


@dataclass(frozen=True)
class ItemTask(Generic[Item, Made]):
    """Things with their numbers, and the function that works on each: work for one process."""

    items: tuple[tuple[int, Item], ...]
    work: Callable[[Item], Made]

    @property
    def size(self) -> int:
        """Number of things."""
        return len(self.items)

    def run(self, budget: float) -> tuple[list[tuple[int, Made]], list[ItemTask[Item, Made]]]:
        """Work for about `seconds`, on one thing at least; the results, and the task that is left."""
        began, done = perf_counter(), list[tuple[int, Made]]()
        for number, item in self.items:
            done.append((number, self.work(item)))
            if perf_counter() - began > budget:
                break
        left = self.items[len(done) :]
        return done, [replace(self, items=left)] if left else []

    def split(self, pieces: int) -> list[ItemTask[Item, Made]]:
        """Share the things out."""
        size = max(1, -(-self.size // pieces))
        return [replace(self, items=self.items[at : at + size]) for at in range(0, self.size, size)]


def shared_work(
    items: Sequence[Item],
    work: Callable[[Item], Made],
    *,
    jobs: int | None = None,
    executor: Executor | Crew | str | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> list[Made | None]:
    """Do the same with many things, and return the results in their order.

    ``work`` is a function of a module, or a partial of one, which other processes can import; `jobs` of them,
    by default one a processor, or the workers of an `executor` share the rest after about two seconds.
    ``progress`` is called with the numbers of things done and in all. After Ctrl-C the results so far are returned,
    None in the places of the others; where there is none, KeyboardInterrupt is raised. Errors of ``work`` are raised
    here, and WorkersError, with the results so far as `made`, where the workers are gone.

    >>> shared_work([1, 4, 9], float)
    [1.0, 4.0, 9.0]
    """
    arguments.call(progress, "progress")
    task = ItemTask(tuple(enumerate(items)), work)
    found: list[Made | None] = [None] * len(items)
    done = 0
    try:
        with (
            crew_of(executor, jobs) as crew,
            closing(_alone(task) if crew.count == 1 else _by_time(task, crew)) as chunks,
        ):
            for chunk in chunks:
                for number, result in chunk:
                    found[number] = result
                done += len(chunk)
                if progress is not None:
                    progress(done, len(items))
    except KeyboardInterrupt:
        if not done:
            raise
    except WorkersError as error:
        error.made = found
        raise
    return found


def _by_time(task: ItemTask[Item, Made], crew: Crew) -> Generator[list[tuple[int, Made]], None, None]:
    left = yield from _alone(task, lambda seconds: seconds > ALONE and crew.is_ready())
    if left is not None:
        yield from crew.work([left], 0.5)  # seconds, about, of a piece of work


def _alone(
    task: ItemTask[Item, Made], is_enough: Callable[[float], bool] = lambda _: False
) -> Generator[list[tuple[int, Made]], None, ItemTask[Item, Made] | None]:
    # Works until `is_enough` says so of the seconds so far; returns the rest, if that is more than one thing.
    began = perf_counter()
    with signals.held() as check:
        for done, (number, item) in enumerate(task.items, start=1):
            yield [(number, task.work(item))]
            check()
            if done < task.size - 1 and is_enough(perf_counter() - began):
                return replace(task, items=task.items[done:])
    return None
