"""Has work done in processes of its own, each piece with a deadline, so that the server always answers.

A piece of work is a function of `web/tasks`, named by text, that takes plain data and returns plain data. It is ended
when its time is up, when its process has used its memory, and when whoever asked for it has gone. Processes that end,
for whatever reason, are replaced; all of them end with the server, however that ends. Deadlines are kept here, by a
clock that nobody sets, and begin with the work.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import pickle
import threading
from concurrent.futures import BrokenExecutor, CancelledError, Future
from contextlib import suppress
from importlib import import_module
from itertools import cycle
from math import inf
from multiprocessing import connection
from multiprocessing.context import SpawnContext, SpawnProcess
from time import monotonic
from typing import Any

from fastapi import Request
from pebble import ProcessExpired, ProcessPool

from entropeg import signals
from entropeg.amounts import duration
from entropeg.errors import EntropegError
from entropeg.executors.processes import start_tracker
from entropeg.processes import address_space, limit_memory, step_back
from entropeg.web.errors import DeadlineError, RefusedError
from entropeg.web.settings import ServerLimits
from entropeg.web.signs import PIECES, KernelState, Signs

TASKS = "entropeg.web.tasks."
"""What the name of a piece of work begins with."""

NICE = 5
"""By how much worker processes step back behind the server, which has to answer at once."""

GONE = 499
"""The status of answers that nobody waits for any more."""

LOOK, BEGIN = 0.02, 60.0
"""Seconds between two looks whether a piece of work has begun, and those after which its processes are given up."""

COMPILING = 300.0
"""Seconds that the compiler may take besides those of the work, on a slow machine too."""


class _TaskProcess(SpawnProcess):
    def terminate(self) -> None:
        """End at once, in the midst of imports and kernels too: it holds nothing that could be lost."""
        self.kill()


class _TaskContext(SpawnContext):
    Process = _TaskProcess


class TaskWorkers:
    """Worker processes, started when first asked for work.

    >>> async def count() -> int:
    ...     workers = TaskWorkers(ServerLimits(workers=1))
    ...     try:
    ...         return await workers.do("entropeg.web.tasks.checking:add", {"numbers": [1, 2]}, seconds=60)
    ...     finally:
    ...         workers.stop()
    >>> asyncio.run(count())
    3
    """

    def __init__(self, limits: ServerLimits) -> None:
        """Nothing is started yet."""
        self.limits = limits
        self.busy = 0
        self._pool: Any = None
        self._free: tuple[asyncio.AbstractEventLoop, asyncio.Semaphore] | None = None
        self._lock = threading.Lock()
        self._is_stopped = False
        self.watches: set[asyncio.Future[None]] = set()
        self._context = _TaskContext()
        self.signs = Signs(self._context)
        """What workers tell while they work."""
        self._pieces = cycle(range(PIECES))

    async def do(self, task: str, data: Any, *, seconds: float, is_capped: bool = True) -> Any:
        """Return what a function of `web/tasks` makes of plain data.

        `task` is `module:function`, `seconds` the deadline of the work itself, without the time that it waits for a
        process, and begun anew whenever something has been compiled for it; it is that of the limits at most, but where
        the server itself asks (`is_capped`). Raises RefusedError
        where the work takes longer (422), uses too much memory (422), ends its process (503), or where too much waits
        already or no process can be started (503); and what the function itself raises of the library's errors.
        Cancelling the coroutine ends the work.
        """
        limits = self.limits
        if not task.startswith(TASKS):
            raise EntropegError(f"{task} is no work of the server's")
        if self._is_stopped:
            raise _ending()
        if self.busy >= limits.workers + limits.waiting:
            raise RefusedError("the server has too much to do just now: ask again in some seconds", status=503)
        seconds = min(seconds, limits.seconds) if is_capped else seconds
        self.busy += 1
        try:
            # Pieces wait here and not in the pool, where one that is cancelled could be begun all the same.
            async with self._turn():
                kind, result = await self._performed(task, data, seconds)
        except (ProcessExpired, CancelledError, BrokenExecutor):
            raise RefusedError(
                "the process that worked on this has ended: ask again, or for less", status=503
            ) from None
        finally:
            self.busy -= 1
        if kind == "error":
            raise pickle.loads(result)  # noqa: S301 (made by our own worker)
        if kind == "memory":
            raise RefusedError(
                f"this takes more than the {limits.memory >> 20:,} MB that a request may use: ask for less"
            )
        return result

    async def _performed(self, task: str, data: Any, seconds: float) -> tuple[str, Any]:
        # A process that ends while it has nothing to do breaks all of them: then others do it, once.
        try:
            return await self._tried(task, data, seconds)
        except BrokenExecutor:
            return await self._tried(task, data, seconds)

    async def _tried(self, task: str, data: Any, seconds: float) -> tuple[str, Any]:
        pool = self._pool or await asyncio.to_thread(self._start)
        try:
            piece = next(self._pieces)
            self.signs.begin(piece)
            return await _awaited(_scheduled(pool, task, data, piece), seconds, self.signs, piece)
        except BrokenExecutor:
            await asyncio.to_thread(self._drop, pool)
            raise

    def _turn(self) -> asyncio.Semaphore:
        loop = asyncio.get_running_loop()
        if self._free is None or self._free[0] is not loop:
            self._free = loop, asyncio.Semaphore(self.limits.workers)
        return self._free[1]

    def _start(self) -> Any:
        with self._lock:
            if self._is_stopped:
                raise _ending()
            if self._pool is None:
                pool = ProcessPool(
                    self.limits.workers,
                    initializer=_prepare,
                    initargs=(self.limits.memory, self.signs),
                    context=self._context,
                )
                try:
                    start_tracker()
                    # Threads that are started in this block start the processes, and hear no signal of the terminal.
                    with signals.kept_from_children():
                        _ = pool.active
                        pool.schedule(_nothing)
                except (OSError, RuntimeError):  # no memory, files or processes left, or one that ended at once
                    _end(pool)
                    raise RefusedError(
                        "no process can be started for this just now: ask again in some seconds", status=503
                    ) from None
                self._pool = pool
            return self._pool

    def _drop(self, pool: Any) -> None:
        """Give up processes of which one is broken, unless somebody else has done so."""
        with self._lock:
            if self._pool is not pool:
                return
            self._pool = None
        _end(pool)

    def close(self) -> None:
        """Begin no work any more, and tell all that wait for some: the first step of the end of the server."""
        self._is_stopped = True
        for watch in self.watches:
            watch.cancel()

    def stop(self) -> None:
        """End the processes at once, for good; what they work on is lost."""
        with self._lock:
            self._is_stopped = True
            pool, self._pool = self._pool, None
        if pool is not None:
            _end(pool)


def _ending() -> RefusedError:
    return RefusedError("the server is ending: ask again when it has started", status=503)


def _scheduled(pool: Any, task: str, data: Any, piece: int) -> Future[tuple[str, Any]]:
    try:
        work: Future[tuple[str, Any]] = pool.schedule(_perform, (task, data, piece))
    except RuntimeError as error:  # the pool takes nothing any more
        raise BrokenExecutor(str(error)) from error
    return work


async def _awaited(work: Future[tuple[str, Any]], seconds: float, signs: Signs, piece: int) -> tuple[str, Any]:
    """What comes of work within so many seconds from its begin, or from when what it needs was compiled.

    Work that nobody waits for any more is ended: the pool ends the process of a piece that is cancelled. It has
    deadlines of its own, too, but takes them from the clock of the wall, which may be set.
    """
    future = asyncio.wrap_future(work)
    try:
        given_up = monotonic() + BEGIN
        while not (work.running() or future.done()):
            if monotonic() > given_up:
                raise BrokenExecutor
            await asyncio.wait({future}, timeout=LOOK)
        began, was_awaited = monotonic(), signs.is_awaited
        while not future.done():
            compiled = signs.compiled(piece)
            end = min(max(began, compiled), began + COMPILING) + seconds
            if monotonic() >= end:
                raise _late(seconds, is_compiling=compiled == inf, was_awaited=was_awaited)
            # The compiler may begin, or be done, at any moment.
            await asyncio.wait({future}, timeout=min(end - monotonic(), 0.5))
        return future.result()
    finally:
        work.cancel()


def _late(seconds: float, *, is_compiling: bool, was_awaited: bool) -> DeadlineError:
    """Say that work has taken too long, and whether that was for the want of compiled code."""
    if is_compiling:
        says = "code that this needs is being compiled for this machine, once, which takes minutes here: ask again then"
        return DeadlineError(says, status=503, retry=60)
    if was_awaited:
        says = "this takes longer than usual while code is compiled for this machine, once: ask again in a minute"
        return DeadlineError(says, status=503, retry=60)
    return DeadlineError(f"this takes longer than the {duration(seconds)} that it may take here: ask for less")


def _end(pool: Any) -> None:
    pool.stop()
    with suppress(OSError, RuntimeError):  # a process that cannot be ended, or never began
        pool.join()


async def run(request: Request, task: str, data: Any, *, seconds: float, is_further: bool = False) -> Any:
    """Have a piece of work done for a request: `TaskWorkers.do`, ended when whoever asked for it goes away.

    It counts as one of those that an address may begin in a minute, but where it `is_further` work of a request.
    """
    workers: TaskWorkers = request.app.state.workers
    if not is_further:
        request.app.state.gauge.count(request)
    work = asyncio.ensure_future(workers.do(task, data, seconds=seconds))
    gone = asyncio.ensure_future(_gone(request))
    workers.watches.add(gone)
    try:
        await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            raise _ending() if gone.cancelled() else RefusedError("whoever asked has gone", status=GONE)
        return work.result()
    finally:
        workers.watches.discard(gone)
        for each in (work, gone):
            each.cancel()
        await asyncio.gather(work, gone, return_exceptions=True)


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


# ------------------------------------------------------------ in the workers


class _WorkerSigns:
    """In a worker: what it shares with the server."""

    signs: Signs | None = None


def sign_kernels(state: KernelState) -> None:
    """Tell the server what kernels are doing, from a worker."""
    if _WorkerSigns.signs is not None:
        _WorkerSigns.signs.kernels = state


def _prepare(memory: int, signs: Signs) -> None:
    signals.ignore()
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    step_back(NICE)
    _WorkerSigns.signs = signs
    limit_memory(address_space() + memory)


def _end_with_the_server() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _nothing() -> None:
    pass


def _perform(task: str, data: Any, piece: int) -> tuple[str, Any]:
    module, _, name = task.partition(":")
    assert _WorkerSigns.signs is not None
    try:
        with _WorkerSigns.signs.working(piece):
            return "done", getattr(import_module(module), name)(data)
    except MemoryError:
        return "memory", None
    except EntropegError as error:
        return "error", pickle.dumps(error)
