"""Workers of a dask cluster, on this machine or on many, that share the calls of a run.

dask keeps who works and where, and has the calls of a worker that died done again. The rest is here: how long calls
take and when one is taken for lost, versions that have to agree, errors in plain words, and a local cluster that
listens to nobody else.
"""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import count
from threading import Lock, Thread
from time import monotonic
from typing import Any, Self

from entropeg import signals
from entropeg.errors import EntropegError, MissingExtraError
from entropeg.executors.crew import Crew, WorkersError
from entropeg.executors.local import LocalWorkers
from entropeg.executors.notices import hear
from entropeg.executors.remote import perform, stamped, unpacked
from entropeg.extras import install
from entropeg.files.paths import why
from entropeg.told import Told
from entropeg.version import __version__

CONNECTED = 10.0
"""Seconds that a scheduler has to answer in, and after which somebody should work for it."""


LEAST = 1.0
"""Seconds that a call is to take at least."""

HANDLED = 0.006
"""Seconds of a processor that client and scheduler need for a call: 4 to 8 ms where both are one process."""


MOST_THINGS = 100_000
"""Things in any call at most: its rest travels back, 8 bytes a game."""

PATIENCE, AT_LEAST = 6.0, 30.0
"""A call goes to another worker once it has taken PATIENCE times the longest so far, and AT_LEAST seconds."""


SEARCHED = 0.25
"""Seconds of a call of a search at least: the bounds of one call spare others work, once they are there.

With calls of a second two workers try 25 % more guesses for 5x6 than two processes with calls of 0.2 seconds.
"""


def least_seconds(workers: int, least: float = LEAST) -> float:
    """Return how long calls have to be for one client to keep a number of workers busy.

    >>> [round(least_seconds(workers), 1) for workers in (2, 100, 2000)]
    [1.0, 6.0, 60.0]
    """
    # The client may be busy with calls for a tenth of its time: more workers need longer calls.
    return min(60.0, max(least, workers * HANDLED / 0.1))


class Pace:
    """The pace of the calls of one run: how many things a second a worker does, and how long calls took."""

    def __init__(self) -> None:
        self.things = self.busy = self.longest = 0.0

    def note(self, things: int, seconds: float) -> None:
        """Learn from a call how many things it did in how many seconds."""
        self.things, self.busy = self.things + things, self.busy + seconds
        self.longest = max(self.longest, seconds)

    def seconds(self, workers: int, things: int) -> float:
        """Return how long a call is to take by the things left: a guided schedule (Polychronopoulos, Kuck 1987).

        >>> pace = Pace()
        >>> pace.seconds(2, 10**6), pace.seconds(1000, 10**6)
        (1.0, 60.0)
        >>> pace.note(1000, 10.0)
        >>> pace.seconds(1000, 10**7), pace.seconds(1000, 10**6), pace.seconds(100, 10**5)
        (25.0, 6.0, 2.5)
        """
        wanted = least_seconds(workers)
        if not self.things:
            return wanted
        # Shorter calls than the client can attend to would keep workers waiting for it.
        # Calls are as long as allowed for all but the last four rounds; then shorter: all workers end at once.
        return max(LEAST, workers * HANDLED, min(wanted, self.busy / self.things * things / (4 * workers)))

    def piece(self, seconds: float) -> int:
        """Return how many things go into a call of some seconds: a few more than are expected to be done."""
        if not self.busy:
            return 500
        return round(min(MOST_THINGS, max(1, 1.5 * seconds * self.things / self.busy)))

    def fewest(self, workers: int) -> int:
        """How many things are one call at least, once something is known of them: half as long as calls should be."""
        least = max(LEAST, workers * HANDLED) / 2
        return max(1, round(least * self.things / self.busy)) if self.busy else 1

    def is_overdue(self, since: float) -> bool:
        """Whether a call that was given at a time of `monotonic` should have ended long ago."""
        # Before any call has ended, kernels may still be compiled: three minutes are allowed.
        patience = PATIENCE * max(self.longest, LEAST) if self.longest else 180.0
        return monotonic() - since > max(AT_LEAST, patience)


@dataclass(eq=False)
class _Call:
    """A call under way: what travels, the future that the run waits for, and those of dask, by key."""

    content: bytes
    outer: Future[bytes] = field(default_factory=Future)
    since: float = field(default_factory=monotonic)
    inner: dict[str, Future[bytes]] = field(default_factory=dict)


class ClusterCrew(Crew):
    """The workers of a scheduler: at an address, or a local one with `count` processes, which starts beside the work.

    Raises EntropegError where there is no scheduler or no worker at the address, or where a version differs;
    MissingExtraError without the extra `cluster`.
    """

    def __init__(self, workers: int, address: str = "") -> None:
        if find_spec("distributed") is None:
            raise MissingExtraError("a cluster needs dask: {install}", install("cluster"))
        super().__init__(workers)
        self.address = address
        self.worth: float = 2.0 if address else 8.0
        self._local = None if address else LocalWorkers(workers)
        self._client: Any = None  # of distributed, which is not typed
        self._starting: Thread | None = None
        self._failure: BaseException | None = None
        self._calls: dict[Future[Any], _Call] = {}
        self._suspects: set[str] = set()
        self._names = count()
        self._lock = Lock()
        self._pace = Pace()
        self._threads: dict[str, int] = {}  # of each worker, by its address
        self._placed: dict[str, str] = {}  # the worker of each call, by key
        self._look: Thread | None = None
        self._looked = 0.0
        self._silence: Any = None

    # ------------------------------------------------------------ starting and ending

    def __enter__(self) -> Self:
        """Connect to the scheduler, where one is named; a local cluster starts when there is work for it."""
        if self.address:
            try:
                self._begin()
            except BaseException:
                self._end(wait=False)
                raise
        return self

    def _begin(self) -> None:
        if not within(3 * CONNECTED, self._connect):
            raise self._no_scheduler(Told("it takes a connection and says nothing"))
        within(CONNECTED, self._check_versions)

    @property
    def started(self) -> bool:
        """Whether the workers are there."""
        return self._client is not None

    @property
    def least(self) -> float:
        """As of `Crew.least`: longer where the client has more workers to attend to."""
        return least_seconds(self.count, SEARCHED)

    def is_ready(self) -> bool:
        """Begin to start a local cluster, beside whatever works here; whether it is there. Raises what kept it off."""
        if self._client is None and self._starting is None:
            self._starting = Thread(target=self._start, name="entropeg cluster", daemon=True)
            with signals.kept_from_children():  # its threads and processes hear no signal
                self._starting.start()
        if self._failure is not None:
            raise self._failure
        return self._client is not None

    def _start(self) -> None:
        try:
            self._connect()
        except BaseException as error:  # noqa: BLE001 - raised where the workers are wanted
            self._failure = error

    def _connect(self) -> None:
        self._silence = _silenced()
        self._silence.__enter__()
        if self._local is not None:
            self._client = self._local.start()
            return
        from distributed import Client

        if self.address.startswith("tls://"):
            self._check_keys()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # dask warns of versions: what differs is said below
                self._client = Client(self.address, timeout=CONNECTED, set_as_default=False, name="entropeg")
        except (OSError, TimeoutError, ValueError) as error:
            raise self._no_scheduler(" ".join(str(error).split())[:200]) from None
        try:
            self._client.wait_for_workers(1, timeout=CONNECTED)
        except TimeoutError:
            raise EntropegError(
                "the scheduler at {address} has no workers: start some in the same environment: dask worker {address}",
                self.address,
            ) from None
        self._threads = self._client.nthreads()
        self.count = sum(self._threads.values())

    def _check_keys(self) -> None:
        from distributed.security import Security

        try:
            keys = Security().get_connection_args("client").get("ssl_context")
        except (OSError, ValueError) as error:
            raise EntropegError(
                "the keys that dask's configuration names (distributed.comm.tls) cannot be read: {why}",
                why(error) if isinstance(error, OSError) else error,
            ) from None
        if keys is None:
            raise EntropegError(
                "{address} asks for keys, and dask's configuration names none: set "
                "distributed.comm.tls.ca-file and those of the client, as the documentation of dask tells",
                self.address,
            )

    def _no_scheduler(self, why: str) -> EntropegError:
        return EntropegError(
            "no scheduler of dask answers at {address} within {seconds:g} seconds: start one with `dask scheduler`, "
            "and name its address ({why})",
            *(self.address, CONNECTED, why),
        )

    def _ready_client(self) -> Any:
        if self._client is None:
            self.is_ready()
            while self._starting is not None and self._starting.is_alive():
                self._starting.join(signals.LISTEN_EVERY)
            self.is_ready()
        return self._client

    def _end(self, *, wait: bool) -> None:
        with signals.held():
            if self._starting is not None:
                self._starting.join()
            client, self._client = self._client, None
            self._starting = self._failure = None
            if client is not None:
                with suppress(Exception):
                    client.close(timeout=2)
            if self._local is not None:
                self._local.stop(at_once=not wait)
            if self._silence is not None:
                silence, self._silence = self._silence, None
                silence.__exit__(None, None, None)
            self._calls.clear()

    # ------------------------------------------------------------ versions

    def _check_versions(self) -> None:
        """Raise EntropegError where the versions of Python or entropeg differ."""
        from importlib.metadata import version

        client = self._client
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            told = client.get_versions(check=False)
        places = {
            Told("the scheduler"): told["scheduler"],
            **{Told("the worker {at}", at): of for at, of in told["workers"].items()},
        }
        for place, of in places.items():
            # 3.11.7 of what dask writes as 3.11.7.final.0.
            python = ".".join(of["host"]["python"].split(".")[:3]) if of else _plain_python()
            if python != _plain_python():
                raise EntropegError(
                    "{place} runs Python {python}, and this is {here}: a cluster needs the same one everywhere",
                    *(place, python, _plain_python()),
                )
        found: dict[str, Any] = client.run(version, "entropeg", on_error="return")
        for at, other in found.items():
            if isinstance(other, Exception):
                raise EntropegError("the worker {at} has no entropeg: there, too, {install}", at, install("cluster"))
            _check_version(Told("the worker {at}", at), other)
        try:
            _check_version(Told("the scheduler"), client.run_on_scheduler(version, "entropeg"))
        except ModuleNotFoundError:
            raise EntropegError(
                "the scheduler at {address} has no entropeg: there, too, {install}", self.address, install("cluster")
            ) from None

    # ------------------------------------------------------------ calls

    def _submit(self, function: Callable[..., Any], given: tuple[Any, ...]) -> Future[Any]:
        self._ready_client()
        call = _Call(stamped(function, given))
        self._calls[call.outer] = call
        self._send(call)
        return call.outer

    def _send(self, call: _Call) -> None:
        """Give a call to a worker, not to one that hangs."""
        client = self._ready_client()
        key = f"entropeg-{self.session}-{next(self._names)}"
        others = [at for at in self._threads if at not in self._suspects] if self._suspects else []
        where = {"workers": others, "allow_other_workers": False} if others else {}
        # A call that ended with its worker is given away again, as often as dask's `allowed-failures` says.
        inner = client.get_executor(pure=False, **where).submit(perform, call.content, key=key)
        with self._lock:
            call.inner[key] = inner
        inner.add_done_callback(lambda ended: self._hear(call, ended))

    def _hear(self, call: _Call, ended: Future[bytes]) -> None:
        # In a thread of dask: the first of the workers that have a call decides.
        with self._lock:
            if call.outer.done():
                return
            if ended.cancelled():
                call.outer.set_exception(CancelledError())
            elif (error := ended.exception()) is not None:
                call.outer.set_exception(error)
            else:
                call.outer.set_result(ended.result())

    def take(self, seconds: float = signals.LISTEN_EVERY) -> list[tuple[int, Any]]:
        """Return (number, result) of calls as `Crew.take` does; give those to other workers that take far too long."""
        found = super().take(seconds)
        # Who works, and which calls take long, is looked up every two seconds.
        if self._client is not None and self._look is None and monotonic() > self._looked + 2.0:
            self._look = Thread(target=self._look_around, name="entropeg cluster", daemon=True)
            self._look.start()
        elif self._look is not None and not self._look.is_alive():
            self._look, self._looked = None, monotonic()
            self._look_after()
        return found

    def _result(self, future: Future[Any]) -> Any:
        call = self._calls.pop(future)
        for inner in call.inner.values():
            inner.cancel()
        try:
            outcome = unpacked(future.result())
        except EntropegError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever dask raises
            raise self._in_words(error) from None
        if outcome.version:
            raise WorkersError(
                "a worker runs entropeg {version} from other sources than this {here}: a cluster needs the same "
                "ones everywhere",
                *(outcome.version, __version__),
            )
        if isinstance(outcome.error, MemoryError):
            raise WorkersError("a worker has too little memory for a piece of the work; give each more, or use fewer")
        if outcome.error is not None:
            raise outcome.error
        self._pace.longest = max(self._pace.longest, outcome.seconds)
        return outcome.result

    def _in_words(self, error: BaseException) -> WorkersError:
        from distributed.scheduler import KilledWorker

        if isinstance(error, KilledWorker):
            return WorkersError(
                "a piece of the work ended every worker that had it, one after the other (out of "
                "memory?); give each more memory, or use fewer"
            )
        if isinstance(error, (CancelledError, OSError, TimeoutError)):
            return WorkersError("the scheduler at {address} is gone", self.address or Told("this machine"))
        said = " ".join(f"{type(error).__name__}: {error}".split())
        return WorkersError("a worker could not do its part: {said}", said[:300])

    def forget(self) -> None:
        """Let go of all calls."""
        super().forget()
        calls, self._calls = self._calls, {}
        for call in calls.values():
            for inner in call.inner.values():
                inner.cancel()

    def tell(self, slot: int, about: int, value: int) -> None:
        """Let all workers know a number."""
        client = self._client
        if client is not None:
            with suppress(RuntimeError):  # a loop that has ended
                client.loop.add_callback(_spread, client, (self.session, slot, about, value))

    # ------------------------------------------------------------ workers that hang

    def _look_around(self) -> None:
        # In a thread of its own: a scheduler that hangs must not keep Ctrl-C from being heard.
        client = self._client
        with suppress(Exception):  # calls will say what is wrong with the connection
            self._threads = client.nthreads()
            self._placed = {str(key): at for at, keys in client.processing().items() for key in keys}

    def _look_after(self) -> None:
        """Count the workers, and give calls that are long overdue to others."""
        self.count = max(1, sum(self._threads.values()))
        self._suspects &= set(self._threads)
        for call in [call for call in self._calls.values() if self._pace.is_overdue(call.since)]:
            call.since = monotonic()
            hung = {self._placed[key] for key in call.inner if key in self._placed}
            self._suspects |= hung
            # A call that no worker answers is given to three at most.
            if len(call.inner) < 3:
                self._send(call)
            if self._local is not None:
                for at in hung:
                    self._local.restart(at)

    # ------------------------------------------------------------ how long calls are

    def _paced(self, budget: float, things: int) -> float:
        return self._pace.seconds(self.count, things)

    def _piece(self, budget: float) -> int:
        return self._pace.piece(budget)

    def _fewest(self) -> int:
        return self._pace.fewest(self.count)

    def _learn(self, things: int, seconds: float) -> None:
        super()._learn(things, seconds)
        self._pace.note(things, seconds)


def within(seconds: float, function: Callable[[], None]) -> bool:
    """Call a function that may wait for other machines, in a thread; whether it came back in time.

    Ctrl-C is heard meanwhile. Raises the errors of the function.

    >>> within(5, lambda: None)
    True
    """
    failures = list[BaseException]()

    def call() -> None:
        try:
            function()
        except BaseException as error:  # noqa: BLE001 - raised where it is waited for
            failures.append(error)

    thread = Thread(target=call, name="entropeg cluster", daemon=True)
    end = monotonic() + seconds
    with signals.held() as check:
        with signals.kept_from_children():
            thread.start()
        while thread.is_alive() and monotonic() < end:
            thread.join(signals.LISTEN_EVERY)
            check()
    if failures:
        raise failures[0]
    return not thread.is_alive()


async def _spread(client: Any, notice: tuple[str, int, int, int]) -> None:
    # Functions that are run this way are done at once, beside the call that a worker is at.
    with suppress(Exception):  # a notice only spares work
        await client.run(hear, *notice, on_error="ignore")


def _check_version(place: str, version: str) -> None:
    if version != __version__:
        raise EntropegError(
            "{place} has entropeg {version}, and this is {here}: a cluster needs the same one everywhere",
            *(place, version, __version__),
        )


def _plain_python() -> str:
    return ".".join(map(str, sys.version_info[:3]))


@contextmanager
def _silenced() -> Iterator[None]:
    """Keep the log of dask quiet: of a worker that dies it tells on a page, and what matters is raised."""
    import distributed  # noqa: F401 - its loggers are made now

    loggers = [
        logging.getLogger(name)
        for name in (*logging.root.manager.loggerDict, "tornado.application", "asyncio")
        if name.partition(".")[0] in {"distributed", "tornado", "asyncio"}
    ]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
