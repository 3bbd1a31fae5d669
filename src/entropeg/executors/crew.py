"""Shares the calls of a run among workers, wherever they are.

Calls are put, and their results taken as they finish, in no particular order. A crew starts when it is first given
something to do, serves one run at a time, and ends with its `with` block. Whoever uses one does so inside
`signals.held`: Ctrl-C raised inside `concurrent.futures` could leave a lock of that taken.
"""

from __future__ import annotations

import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from queue import Empty, SimpleQueue
from time import perf_counter
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar
from uuid import uuid4

from entropeg import signals
from entropeg.errors import EntropegError
from entropeg.executors.notices import hear, nothing_told_back
from entropeg.executors.remote import called, packed
from entropeg.signals import held

Made = TypeVar("Made")
Made_co = TypeVar("Made_co", covariant=True)


class WorkersError(EntropegError):
    """The workers are gone, or cannot do their calls; `made` is the part of the run made by then."""

    made: Any = None


class SharedTask(Protocol[Made_co]):
    """Work on many things, such as games: it runs for a while, and the rest can be split and carried elsewhere."""

    @property
    def size(self) -> int:
        """Number of things."""
        ...

    def run(self, budget: float) -> tuple[Made_co, Sequence[SharedTask[Made_co]]]:
        """Work for about `budget` seconds (one step at least); return the chunk made and the tasks left."""
        ...

    def split(self, pieces: int) -> Sequence[SharedTask[Made_co]]:
        """Divide this task into a number of tasks at most."""
        ...


class Crew(ABC):
    """Workers; `count` is how many calls run at a time, `worth` the seconds of work left that make it worth starting.

    `busy`: the seconds that tasks have taken so far.
    Calls are functions of modules, with arguments that can be pickled, since they travel. An exception in a call is
    raised where its result is taken.
    """

    worth: float = 0.0

    def __init__(self, count: int) -> None:
        self.count = count
        self.busy: float = 0.0
        self._running: dict[int, Future[Any]] = {}
        self._ended = SimpleQueue[int]()
        self._last = 0
        self.session: str = uuid4().hex[:12]

    # ------------------------------------------------------------ each kind of workers in its own way

    @property
    @abstractmethod
    def started(self) -> bool:
        """Whether the workers are there."""

    def is_ready(self) -> bool:
        """Begin to start the workers where that takes seconds; whether work can go to them without waiting for that."""
        return True

    @property
    def least(self) -> float:
        """Seconds that a call should take at least: the work around it is little then."""
        return 0.2

    @abstractmethod
    def _submit(self, function: Callable[..., Any], given: tuple[Any, ...]) -> Future[Any]:
        """Start the workers where they are not there yet, and give them a call."""

    @abstractmethod
    def _end(self, *, wait: bool) -> None:
        """End the workers: at once, or once their calls are done."""

    # ------------------------------------------------------------ calls

    @property
    def running(self) -> int:
        """How many calls were put and not taken yet."""
        return len(self._running)

    @property
    def room(self) -> int:
        """How many more calls keep every worker busy: each has one at work, and one waiting."""
        return max(0, 2 * self.count - len(self._running))

    def put(self, function: Callable[..., Any], *given: Any) -> int:
        """Have a function called with these arguments; returns the number of the call."""
        self._last = number = self._last + 1
        future = self._submit(function, given)
        self._running[number] = future
        future.add_done_callback(lambda _: self._ended.put(number))
        return number

    def take(self, seconds: float = signals.LISTEN_EVERY) -> list[tuple[int, Any]]:
        """Return (number, result) of the calls that have ended, after waiting a number of seconds at most for one.

        Raises the error of a call, once the results that came before it were returned.
        """
        found = list[tuple[int, Any]]()
        try:
            number = self._ended.get(timeout=seconds)
            while True:
                if (future := self._running.get(number)) is not None:
                    if found and future.exception() is not None:
                        self._ended.put(number)  # raised the next time
                        break
                    del self._running[number]
                    found.append((number, self._result(future)))
                number = self._ended.get_nowait()
        except Empty:
            pass
        return found

    def _result(self, future: Future[Any]) -> Any:
        return future.result()

    def forget(self) -> None:
        """Let go of all calls: those not begun are never done, and no result is waited for."""
        running, self._running = self._running, {}
        for future in running.values():
            future.cancel()

    def tell(self, slot: int, about: int, value: int) -> None:
        """Let all workers know a number, as soon as may be: see `executors.notices`, where calls find it by `session`.

        In a slot the first number counts that came about something, or a smaller one.
        """
        hear(self.session, slot, about, value)

    # ------------------------------------------------------------ tasks

    def work(
        self, tasks: Iterable[SharedTask[Made]], budget: float, meanwhile: Callable[[], object] = lambda: None
    ) -> Generator[Made, None, None]:
        """Run tasks until nothing is left of them, giving the chunks as they finish (in no particular order).

        A call takes about `budget` seconds, longer ones where workers are far. `meanwhile` is called some ten times a
        second while chunks are waited for. An exception in one of the tasks is raised here. So is KeyboardInterrupt,
        between two chunks.
        """
        nothing_told_back(self.session)
        queue: list[SharedTask[Made]] = list(tasks)
        sizes = dict[int, int]()
        with signals.held() as check:
            try:
                while queue or self.running:
                    left = sum(task.size for task in queue)
                    budget = self._paced(budget, left + sum(sizes.values()))
                    # Small pieces travel quickly; and in the end there should be one for each worker.
                    most = min(self._piece(budget), max(self._fewest(), -(-left // (2 * max(1, self.count)))))
                    while queue and self.room:
                        task = _piece_of(queue, most)
                        sizes[self.put(run_task, task, budget)] = task.size
                    for number, (chunk, rest, seconds) in self.take():
                        queue += rest
                        self._learn(sizes.pop(number) - sum(task.size for task in rest), seconds)
                        yield chunk
                    meanwhile()
                    check()
            finally:
                self.forget()

    def _paced(self, budget: float, things: int) -> float:
        """Return how long calls are to take, by the things that are left to do."""
        return budget

    def _piece(self, budget: float) -> int:
        """Return how many things go into a call of a number of seconds at most."""
        # A piece travels to a worker, and its rest travels back: it has two thousand things at most.
        return 2000

    def _fewest(self) -> int:
        """Return how many things are not shared out among several calls, even if workers then wait for the end."""
        return 1

    def _learn(self, things: int, seconds: float) -> None:
        """Hear how many things a call has done, in how many seconds."""
        self.busy += seconds

    # ------------------------------------------------------------ the end

    def stop(self) -> None:
        """End the workers at once; calls under way are lost."""
        self.forget()
        self._end(wait=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the workers: at once where something went wrong."""
        self.forget()
        self._end(wait=kind is None)


def _piece_of(queue: list[SharedTask[Made]], most: int) -> SharedTask[Made]:
    # The last task, cut in halves until it is small enough or cannot be cut; the other halves stay in the queue.
    task = queue.pop()
    while task.size > most and len(halves := task.split(2)) > 1:
        queue += halves[1:]
        task = halves[0]
    return task


def run_task(task: SharedTask[Made], budget: float) -> tuple[Made, Sequence[SharedTask[Made]], float]:
    """Run a task, where the worker is; returns the chunk, the tasks left, and the seconds that it took."""
    began = perf_counter()
    chunk, left = task.run(budget)
    return chunk, left, perf_counter() - began


def travels(*things: Any) -> bool:
    """Tell whether other workers can make these things, too: what lives in `__main__` may not be there.

    >>> travels("minimax", 1.5), travels(lambda: 1)
    (True, False)
    """
    if any(type(thing).__module__ == "__main__" for thing in things):
        return False
    try:
        pickle.dumps(things)
    except (pickle.PicklingError, TypeError, AttributeError):
        return False
    return True


class ThreadCrew(Crew):
    """Threads of this process: they start at once, and share a processor in plain Python; kernels run beside them.

    Every call works on a copy of its arguments, as in other processes: memos of players are never shared.
    """

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self._pool: ThreadPoolExecutor | None = None

    @property
    def started(self) -> bool:
        """Whether the threads are there."""
        return self._pool is not None

    def _submit(self, function: Callable[..., Any], given: tuple[Any, ...]) -> Future[Any]:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.count, "entropeg crew")
        return self._pool.submit(called, packed(function, given))

    def _end(self, *, wait: bool) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            with held():
                pool.shutdown(wait=True, cancel_futures=True)  # a thread cannot be ended in the midst of a call
