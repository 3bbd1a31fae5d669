"""Keeps the long runs of the server: which there are, whose turn it is, and how far they have come."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Coroutine
from contextlib import suppress
from time import monotonic, time
from typing import Any, NamedTuple

from entropeg.durations import duration
from entropeg.errors import EntropegError, InputError
from entropeg.executors.pool import EndedError, NotStartedError, PoolCall, ProcessPool
from entropeg.processes import describe_end
from entropeg.processors import usable_processors
from entropeg.told import Told, plural
from entropeg.web.refusals import RefusedError
from entropeg.web.runs import worker
from entropeg.web.runs.kept import RunFolder, Stamp, tree_names
from entropeg.web.runs.value import LongRun, RunTask
from entropeg.web.settings import Settings
from entropeg.web.tasks.runs import memory_of

MOST_KEPT = 500
"""Runs that are kept: on a public server the oldest that has ended makes room; elsewhere one has to be forgotten."""


GRACE = 12.0
"""Seconds between asking a process to end and ending it: a little more than it gives itself."""

FAULT = Told("something went wrong in the process of this run; the log of the server says what")

_log = logging.getLogger("uvicorn.error")


class RunEnd(NamedTuple):
    """How a run ended: `done`, `stopped` or `failed`, with its data, if it had any, or the reason."""

    how: str
    result: dict[str, Any] | None = None
    error: str | None = None


class _Record:
    """One run while the server works: its value now, and what waits for it to change."""

    def __init__(self, run: LongRun) -> None:
        self.run = run
        self.changed = asyncio.Event()
        self.call: PoolCall | None = None
        self.work: asyncio.Task[None] | None = None
        self.why = ""
        self.began = self.kept = 0.0

    def show(self, run: LongRun) -> None:
        """Take another value, and tell those who wait for it."""
        self.run = run
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()


class RunKeeper:
    """The runs of one server; every method belongs to its event loop.

    A run goes from `waiting` to `running` when it is its turn, and ends as `done`, `cancelled` or `failed`. What is
    open when the server ends, however it does, goes on when it starts again. Where another server keeps the folder,
    this one shows what that one writes, and takes over when it has ended.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.limits = settings.limits
        self.is_public = settings.public
        self.folder = RunFolder(settings.data / "runs")
        self.trees = settings.data / "trees"
        # A process that has loaded everything and computed nothing takes two gigabytes of address space.
        self._memory = (2 << 30) + settings.limits.memory
        self._pool = ProcessPool(settings.limits.runs, worker.prepare, self._memory, settings.tables, alone=True)
        self.is_keeper = False
        self.damaged: dict[str, str] = {}
        self.is_closing = False
        self.listening = 0
        self._unusable = ""
        self._records: dict[str, _Record] = {}
        self._stamps: dict[str, Stamp] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    # ------------------------------------------------------------ the server's own life

    async def start(self) -> None:
        """Read the folder, and go on with what was open; where the folder cannot be used runs are refused."""
        self._look()
        if not self.is_keeper:
            self._begin_task(self._look_on())

    async def _look_on(self) -> None:
        while not (self.is_keeper or self.is_closing):
            await asyncio.sleep(1.0)
            self._look()

    def _look(self) -> None:
        """Become the keeper where nobody else is, and read what is new in the folder; nothing where this one is."""
        if self.is_keeper or self.is_closing:
            return
        try:
            self.is_keeper = self.folder.take()
            self._read()
        except (InputError, OSError) as error:
            told = self._settings.without_place(str(error))
            if told != self._unusable:
                _log.warning("no runs are kept: %s", error)
            self._unusable = told
            return
        self._unusable = ""
        if self.is_keeper:
            for record in self._records.values():
                if record.run.is_open:
                    self._change(record.run.id, state="waiting", error=None)
            self._go_on()

    def _read(self) -> None:
        found = self.folder.stamps()
        for name in self._stamps.keys() - found.keys():
            self.damaged.pop(name, None)
            if record := self._records.pop(name, None):
                record.changed.set()
        for name, stamp in found.items():
            if self._stamps.get(name) != stamp:
                self._read_one(name)
        self._stamps = found

    def _read_one(self, name: str) -> None:
        try:
            run = self.folder.load(name)
        except InputError as error:
            _log.warning("a file of a run is left as it is (%s): %s", name, error)
            self.damaged[name] = str(error)
            self._records.pop(name, None)
            return
        self.damaged.pop(name, None)
        if name in self._records:
            self._records[name].show(run)
        else:
            self._records[name] = _Record(run)

    def close(self) -> None:
        """Let streams end and ask all processes to end: the first step of the end of the server."""
        self.is_closing = True
        for record in self._records.values():
            record.changed.set()
            self._stop(record, "server")

    async def stop(self) -> None:
        """End all processes, and keep what they found out."""
        self.close()
        for task in self._tasks - {record.work for record in self._records.values()}:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.to_thread(self._pool.stop)
        self.folder.let_go()

    # ------------------------------------------------------------ requests

    def runs(self) -> list[LongRun]:
        """Return all runs, the newest first."""
        self._look()
        found = [self._now(record) for record in self._records.values()]
        return sorted(found, key=lambda run: (run.created, run.id), reverse=True)

    def run(self, name: str) -> LongRun:
        """Return a run as it is now; raises RefusedError where there is none of that id."""
        self._look()
        return self._now(self._record(name))

    def add(self, kind: str, request: dict[str, Any], owner: str = "") -> LongRun:
        """Begin a run, or let it wait for its turn; `request` was checked before."""
        self._check_keeper()
        self._check_room(owner)
        run = LongRun(secrets.token_hex(6), kind, request, created=time(), owner=owner)  # an id that nobody guesses
        try:
            self.folder.write(run)
        except InputError as error:
            _log.warning("a run cannot be begun: %s", error)
            raise RefusedError(self._settings.without_place(str(error)), status=503) from None
        self._records[run.id] = _Record(run)
        self._go_on()
        return self.run(run.id)

    async def cancel(self, name: str) -> LongRun:
        """Stop a run, which keeps what it has found out; one that has ended stays as it is."""
        self._check_keeper()
        record = self._record(name)
        if record.call is not None:
            self._stop(record, "cancel")
            assert record.work is not None
            await asyncio.wait({record.work})
        elif record.run.is_open:
            self._change(name, state="cancelled", ended=time())
        return self.run(name)

    def resume(self, name: str) -> LongRun:
        """Go on with a run that was cancelled or failed, or a proof that ended without one."""
        self._check_keeper()
        run = self._record(name).run
        if run.is_open:
            return self.run(name)
        if not run.can_resume:
            raise RefusedError("this run is done: there is nothing left to do")
        if run.seconds >= self.limits.run_seconds:
            raise RefusedError(
                Told("this run has had the {duration} that a run may take here", duration(self.limits.run_seconds))
            )
        self._check_room(run.owner)
        self._change(name, state="waiting", error=None, ended=None)
        self._go_on()
        return self.run(name)

    async def forget(self, name: str) -> LongRun:
        """Stop a run and remove its files."""
        run = await self.cancel(name)
        while self._record(name).call is not None:  # somebody has gone on with it meanwhile
            run = await self.cancel(name)
        self._remove(self._records.pop(name).run)
        return run

    def listen(self) -> None:
        """Count one more who listens to the events of a run; raises RefusedError where too many do."""
        if self.listening >= self.limits.streams:
            raise RefusedError(
                Told(
                    "too many watch runs here just now ({most}, the most there can be): ask again later", self.listening
                ),
                status=503,
            )
        self.listening += 1

    def leave(self) -> None:
        """Count one less who listens."""
        self.listening -= 1

    async def changed(self, name: str, *, seconds: float) -> LongRun | None:
        """Wait until a run changes, `seconds` at most, and return it; None where it is forgotten."""
        record = self._records.get(name)
        if record is None:
            return None
        if not self.is_closing:
            with suppress(TimeoutError):
                await asyncio.wait_for(record.changed.wait(), seconds)
        return self._now(record) if name in self._records else None

    async def snapshots(self, name: str, *, every: float, beat: float) -> AsyncIterator[LongRun | None]:
        """Give a run now, after changes (no more often than `every` seconds), and at its end; None every `beat` s.

        Ends after the run has ended or was forgotten, and with the server.
        """
        told = self._record(name).run
        yield self.run(name)
        while told.is_open and not self.is_closing:
            await asyncio.sleep(every)
            record = self._records.get(name)
            if record is None:
                return
            if record.run is told:
                await self.changed(name, seconds=beat)
            is_new = record.run is not told
            told = record.run
            yield self._now(record) if is_new else None

    # ------------------------------------------------------------ how it works

    def _record(self, name: str) -> _Record:
        if name in self._records:
            return self._records[name]
        if name in self.damaged:
            raise RefusedError(
                Told("the file of this run is damaged and left as it is: {why}", self.damaged[name]), "id", status=404
            )
        raise RefusedError("there is no run of this id", status=404)

    def _check_keeper(self) -> None:
        self._look()
        if self.is_keeper and not self.is_closing:
            return
        if self._unusable and not self.is_closing:
            raise RefusedError(Told("no runs are kept here: {why}", self._unusable), status=503)
        said = (
            Told("the server is ending: here runs can only be looked at")
            if self.is_closing
            else Told("another server keeps the runs of this folder: here runs can only be looked at")
        )
        raise RefusedError(said, status=503)

    def _check_room(self, owner: str) -> None:
        if owner and any(one.run.is_open and one.run.owner == owner for one in self._records.values()):
            raise RefusedError("a run of yours goes on here: stop it, or wait until it has ended", status=429)
        states = [record.run.state for record in self._records.values()]
        waiting, limits = states.count("waiting"), self.limits
        if waiting >= limits.runs_waiting:
            said = Told(
                "too many runs wait here ({runs} at once, {waiting} waiting): ask again when one has ended",
                *(plural(limits.runs, "{n} run", "{n} runs"), limits.runs_waiting),
            )
            raise RefusedError(said, status=429)
        if len(states) < MOST_KEPT:
            return
        ended = sorted((record for record in self._records.values() if not record.run.is_open), key=_age)
        if not self.is_public or not ended:
            raise RefusedError(
                Told("{most} runs are kept, the most there can be: forget some first", MOST_KEPT), status=429
            )
        self._remove(self._records.pop(ended[0].run.id).run)

    def _remove(self, run: LongRun) -> None:
        self.folder.remove(run.id)
        for name in tree_names(run):
            (self.trees / name).unlink(missing_ok=True)

    def _now(self, record: _Record) -> LongRun:
        running = monotonic() - record.began if record.call is not None else 0.0
        return record.run.now(seconds=round(record.run.seconds + running, 3))

    def _change(self, name: str, *, is_kept: bool = True, **changes: Any) -> None:
        record = self._records[name]
        run = record.run.now(**changes)
        if is_kept:
            record.kept = monotonic()
            try:
                self.folder.write(run)
            except InputError as error:  # a full disk: the run goes on, and its games are tried again
                _log.warning("a run cannot be kept: %s", error)
        record.show(run)

    def _go_on(self) -> None:
        if self.is_closing:
            return
        waiting = sorted((one for one in self._records.values() if one.run.state == "waiting"), key=_age)
        free = self.limits.runs - sum(one.call is not None for one in self._records.values())
        for record in waiting[: max(0, free)]:
            self._begin(record)

    def _begin(self, record: _Record) -> None:
        run, limits = record.run, self.limits
        left = max(1.0, limits.run_seconds - run.seconds)
        task = RunTask(
            kind=run.kind,
            request=run.request,
            run=run.id,
            folder=str(self.folder.path),
            trees=str(self.trees),
            jobs=max(1, (usable_processors() - 1) // limits.runs),
            table=memory_of(limits),
            seconds=left,
        )
        in_loop = asyncio.get_running_loop().call_soon_threadsafe
        record.call = self._pool.begin(worker.work, task, hear=lambda progress: in_loop(self._hear, record, progress))
        record.began, record.why = monotonic(), ""
        self._change(run.id, state="running", started=run.started or time())
        # A proof needs half a minute beside its own time: to start, to compile, and to keep its results.
        margin = 30.0 if run.kind == "proof" else 0.0  # it ends by itself, and tells its bounds
        record.work = self._begin_task(self._work(record, record.call, left + margin))

    def _begin_task(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _hear(self, record: _Record, progress: dict[str, Any]) -> None:
        if record.run.state == "running":
            # Servers that look on read the progress from the file, which is written every ten seconds.
            self._change(record.run.id, is_kept=monotonic() >= record.kept + 10.0, progress=progress)

    async def _work(self, record: _Record, call: PoolCall, seconds: float) -> None:
        late = asyncio.get_running_loop().call_later(seconds, self._stop, record, "time")
        end = await self._end_of(record, call)
        late.cancel()
        result = end.result or await asyncio.to_thread(self._played, record.run) or record.run.result
        ran, record.call = monotonic() - record.began, None
        self._change(record.run.id, result=result, **self._ended(record, end, ran))
        self._go_on()

    async def _end_of(self, record: _Record, call: PoolCall) -> RunEnd:
        said: str
        try:
            return RunEnd(*await asyncio.wrap_future(call.future))
        except EndedError as error:
            if record.why:
                return RunEnd("stopped")
            if isinstance(error, NotStartedError):
                said = Told("its process cannot be started or understood: {why}", error)
            else:
                said = Told("{end}; what it had found out is kept", describe_end(error.code, Told("its process")))
        except MemoryError:
            said = Told("it takes more than the {most:,} MB that a run may use here", self._memory >> 20)
        except EntropegError as error:
            said = str(error)
        except Exception as error:  # noqa: BLE001 - the server goes on whatever becomes of one run
            _log.error("the process of the run %s has failed", record.run.id, exc_info=error)
            said = FAULT
        return RunEnd("failed", error=said)

    def _played(self, run: LongRun) -> dict[str, Any] | None:
        # However its process ended, the games of an arena are in its store.
        try:
            return self.folder.played(run.id) if run.kind == "arena" else None
        except EntropegError as error:
            _log.warning("the games of a run cannot be read: %s", error)
            return None

    def _ended(self, record: _Record, end: RunEnd, ran: float) -> dict[str, Any]:
        run, error = record.run, None if end.error is None else self._settings.without_place(end.error)
        if error != end.error:
            _log.warning("the run %s has failed: %s", run.id, end.error)
        state = {"done": "done", "failed": "failed"}.get(end.how, "cancelled")
        if end.how == "stopped":
            if record.why == "server":
                state = "interrupted"
            elif record.why == "time":
                error = Told(
                    "it was stopped after {duration}, the most that a run may take here",
                    duration(self.limits.run_seconds),
                )
        return {
            "state": state,
            "error": error,
            "ended": None if state == "interrupted" else time(),
            "seconds": run.seconds + ran,
        }

    @staticmethod
    def _stop(record: _Record, why: str) -> None:
        if record.call is not None and not record.why:
            record.why = why
            record.call.ask_to_end()
            asyncio.get_running_loop().call_later(GRACE, record.call.end)


def _age(record: _Record) -> tuple[float, str]:
    return record.run.created, record.run.id
