"""Has work done in processes of its own, each piece with a deadline, so that the server always answers.

A piece of work is a function of `web/tasks`, named by text, that takes plain data and returns plain data. It is ended
when its time is up, when its process has used its memory, and when whoever asked for it has gone. Processes that end,
for whatever reason, are replaced; all of them end with the server, however that ends. Deadlines are kept here, by a
clock that nobody sets, and begin with the work.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from importlib import import_module
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, Literal, TypeAlias

from fastapi import Request
from fastapi.responses import JSONResponse

from entropeg.answers.shelf import take_tables_from
from entropeg.compiling import compiler_watched
from entropeg.durations import duration
from entropeg.errors import EntropegError
from entropeg.executors.pool import EndedError, NotStartedError, PoolCall, ProcessPool, tell
from entropeg.kernels import switch
from entropeg.processes import address_space, limit_memory, step_back
from entropeg.told import Told
from entropeg.web.language import answered
from entropeg.web.refusals import DeadlineError, RefusedError
from entropeg.web.settings import ServerLimits

KernelState: TypeAlias = Literal["none", "loading", "compiling", "ready", "failed"]
"""`none`: they are loaded when they are needed; `failed`: they could not be made ready for all."""

CompilerSign: TypeAlias = Literal["begins", "ends"]
"""What a worker tells of the compiler."""


GONE = 499
"""The status of answers that nobody waits for any more."""

COMPILING = 300.0
"""Seconds that the compiler may take besides those of the work, on a slow machine too."""


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

    def __init__(self, limits: ServerLimits, tables: Path | None = None) -> None:
        """Nothing is started yet; `tables` is the folder of tables of answers."""
        self.limits = limits
        self.busy = 0
        self.kernels: KernelState = "none"
        """What kernels are doing."""
        self.watches: set[asyncio.Future[None]] = set()
        self._pool = ProcessPool(limits.workers, _prepare, limits.memory, tables)
        self._free: tuple[asyncio.AbstractEventLoop, asyncio.Semaphore] | None = None
        self._is_stopped = False

    async def do(self, task: str, data: Any, *, seconds: float, is_capped: bool = True) -> Any:
        """Return what a function of `web/tasks` makes of plain data.

        `task` is `module:function`, `seconds` the deadline of the work itself, without the time that it waits for a
        process, and begun anew whenever something has been compiled for it; it is that of the limits at most, but where
        the server itself asks (`is_capped`). Raises RefusedError where the work takes longer (422), uses too much
        memory (422), ends its process (503), or where too much waits already or no process can be started (503); and
        what the function itself raises of the library's errors. Cancelling the coroutine ends the work.
        """
        limits = self.limits
        if not task.startswith("entropeg.web.tasks."):
            raise EntropegError("{task} is no work of the server's", task)
        if self._is_stopped:
            raise _ending()
        if self.busy >= limits.workers + limits.waiting:
            raise RefusedError("the server has too much to do just now: ask again in some seconds", status=503)
        seconds = min(seconds, limits.seconds) if is_capped else seconds
        self.busy += 1
        try:
            # Pieces wait here and not in the pool: those that are cancelled leave it to others.
            async with self._turn():
                return await self._done(task, data, seconds)
        except NotStartedError:
            raise RefusedError(
                "no process can be started for this just now: ask again in some seconds", status=503
            ) from None
        except EndedError:
            raise RefusedError(
                "the process that worked on this has ended: ask again, or for less", status=503
            ) from None
        except MemoryError:
            raise RefusedError(
                Told("this takes more than the {most:,} MB that a request may use: ask for less", limits.memory >> 20)
            ) from None
        finally:
            self.busy -= 1

    async def _done(self, task: str, data: Any, seconds: float) -> Any:
        """Return the result of work within a number of seconds from its begin, or from when its kernels were compiled.

        Work that nobody waits for any more is ended.
        """
        compiled = 0.0  # the reading of `monotonic` until which something was compiled: 0 nothing, inf it is now

        def hear(said: KernelState | CompilerSign) -> None:
            nonlocal compiled
            match said:
                case "begins":
                    compiled = inf
                case "ends":
                    compiled = monotonic()
                case state:
                    self.kernels = state

        if self._is_stopped:
            raise _ending()
        call = self._pool.begin(_perform, task, data, self.kernels in {"none", "ready"}, hear=hear)
        work = asyncio.wrap_future(call.future)
        try:
            await _begun(call, work)
            began, was_awaited = monotonic(), self.kernels in {"loading", "compiling"}
            while not work.done():
                end = min(max(began, compiled), began + COMPILING) + seconds
                if monotonic() >= end:
                    raise _late(seconds, is_compiling=compiled == inf, was_awaited=was_awaited)
                # The compiler may begin, or be done, at any moment.
                await asyncio.wait({work}, timeout=min(end - monotonic(), 0.5))
            return work.result()
        finally:
            if not work.done():
                call.end()
                work.cancel()

    def _turn(self) -> asyncio.Semaphore:
        loop = asyncio.get_running_loop()
        if self._free is None or self._free[0] is not loop:
            self._free = loop, asyncio.Semaphore(self.limits.workers)
        return self._free[1]

    def close(self) -> None:
        """Begin no work any more, and tell all that wait for some: the first step of the end of the server."""
        self._is_stopped = True
        for watch in self.watches:
            watch.cancel()

    def stop(self) -> None:
        """End the processes at once, for good; what they work on is lost."""
        self._is_stopped = True
        self._pool.stop()


def _ending() -> RefusedError:
    return RefusedError("the server is ending: ask again when it has started", status=503)


async def _begun(call: PoolCall, work: asyncio.Future[Any]) -> None:
    given_up = monotonic() + 60.0
    while call.began is None and not work.done():
        if monotonic() > given_up:
            raise EndedError
        await asyncio.wait({work}, timeout=0.02)


def _late(seconds: float, *, is_compiling: bool, was_awaited: bool) -> DeadlineError:
    """Say that work has taken too long, and whether that was for the want of compiled code."""
    if is_compiling:
        says = Told(
            "code that this needs is being compiled for this machine, once, which takes minutes here: ask again then"
        )
        return DeadlineError(says, status=503, retry=60)
    if was_awaited:
        says = Told("this takes longer than usual while code is compiled for this machine, once: ask again in a minute")
        return DeadlineError(says, status=503, retry=60)
    return DeadlineError(
        Told("this takes longer than the {duration} that it may take here: ask for less", duration(seconds))
    )


async def run(
    request: Request, task: Callable[[Any], Any], data: Any, *, seconds: float, is_further: bool = False
) -> Any:
    """Have a function of `web/tasks` called for a request: see `TaskWorkers.do`. It ends when whoever asked goes away.

    It counts as one of those that an address may begin in a minute, but where it `is_further` work of a request.
    """
    workers: TaskWorkers = request.app.state.workers
    if not is_further:
        request.app.state.gauge.count(request)
    work = asyncio.ensure_future(workers.do(f"{task.__module__}:{task.__name__}", data, seconds=seconds))
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


async def answer(
    request: Request, task: Callable[[Any], Any], data: Any, language: str, *, seconds: float
) -> JSONResponse:
    """Answer with the result of a function of `web/tasks`, in a language."""
    return answered(await run(request, task, data, seconds=seconds), language)


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


# ------------------------------------------------------------ in the workers


def sign_kernels(state: KernelState) -> None:
    """Tell the server what kernels are doing, from a worker."""
    tell(state)


def _prepare(memory: int, tables: Path | None) -> None:
    # Worker processes step back behind the server, which has to answer at once.
    step_back(5)
    limit_memory(address_space() + memory)
    if tables is not None:
        take_tables_from(tables)


def _perform(task: str, data: Any, is_ready: bool) -> Any:  # noqa: FBT001 - a call has no names
    # NumPy does the work until kernels are ready; and the server is told of the compiler.
    module, _, name = task.partition(":")
    begins, ends = partial[None](tell, "begins"), partial[None](tell, "ends")
    with nullcontext() if is_ready else switch.awaiting(), compiler_watched(begins, ends):
        return getattr(import_module(module), name)(data)
