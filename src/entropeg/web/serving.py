"""Puts the server together, its guard, its routers and the page, and runs it until it is asked to stop.

It binds first, so that a wrong address is refused at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from importlib import import_module
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from entropeg import signals
from entropeg.errors import InputError
from entropeg.files.paths import why
from entropeg.kernels import switch
from entropeg.told import Told
from entropeg.version import __version__
from entropeg.web import refusals
from entropeg.web.connections import OpenConnections, PageConnection
from entropeg.web.guard import Gauge, Guard
from entropeg.web.runs.keeper import RunKeeper
from entropeg.web.settings import API, BUILT, DOCS, Settings
from entropeg.web.tasks.warming import warm_up
from entropeg.web.tokens import EndedGames, Sealer
from entropeg.web.work import TaskWorkers


def create_app(settings: Settings) -> FastAPI:
    """Make the server of the page and its API.

    `app.state` holds `settings`, `workers` (see `work.run`), `sealer`, `ended`, the games that have ended, `gauge`,
    which counts heavy work, `runs`, which keeps the long runs, and `stores`, the runs read from results stores. Nothing
    is started, and nothing written, before the server runs.
    """
    app = FastAPI(
        title="entropeg",
        version=__version__,
        description="A Mastermind laboratory: play, be advised, review games, train, watch and compare.",
        docs_url=None,
        redoc_url=None,
        openapi_url=f"{API}/openapi.json",
        lifespan=_lifespan,
    )
    app.state.settings = settings
    app.state.workers = TaskWorkers(settings.limits, settings.tables)
    app.state.sealer = Sealer(settings.data)
    app.state.ended = EndedGames()
    app.state.gauge = Gauge(settings.limits.a_minute)
    app.state.runs = RunKeeper(settings)
    app.state.stores = {}
    refusals.install(app)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=6)
    app.add_middleware(Guard, settings=settings)
    routers = ("pages", "about", "rules", "games", "advice", "reviews", "puzzles", "watch", "runs", "trees", "tables")
    for name in routers:
        app.include_router(import_module(f"entropeg.web.api.{name}").router, prefix=API, responses=refusals.RESPONSES)
    if BUILT.is_dir():
        app.mount(DOCS, StaticFiles(directory=BUILT, html=True), name="docs")
    app.mount("/", StaticFiles(directory=Path(__file__).parent / "static", html=True), name="page")
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    workers: TaskWorkers = app.state.workers
    runs: RunKeeper = app.state.runs
    await runs.start()
    warming = asyncio.create_task(warm_up(workers)) if app.state.settings.warm else None
    try:
        yield
    finally:
        if warming is not None:
            warming.cancel()
        await runs.stop()
        await asyncio.to_thread(workers.stop)


PATIENCE = 2
"""Seconds that connections have to end when the server stops."""

BACKLOG = 256
"""Connections that wait to be taken."""


class PageServer(uvicorn.Server):
    """A server that stops in order at Ctrl-C, SIGTERM and SIGHUP, which `signals` hears, and does not pass them on."""

    def __init__(self, config: uvicorn.Config, tell: Callable[[], object], close: Callable[[], object]) -> None:
        """Take a function that is called when the server can be asked, and one that ends what would go on for long."""
        super().__init__(config)
        self._tell, self._close = tell, close

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to `signals.in_order`."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and tell."""
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(BACKLOG)  # asyncio has set it to what it takes at once
        self.should_exit = signals.is_heard()
        if not self.should_exit:
            self._tell()

    async def on_tick(self, counter: int) -> bool:
        """Tell whether to stop."""
        return signals.is_heard() or await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End streams and work before connections are waited for, and those that take longer after some seconds."""
        self._close()
        hurry = asyncio.get_running_loop().call_later(PATIENCE, self._hurry)
        await super().shutdown(sockets)
        hurry.cancel()
        if self.force_exit:
            await self.lifespan.shutdown()

    def _hurry(self) -> None:
        self.force_exit = True
        for connection in list(self.server_state.connections):
            connection.transport.abort()


def bound(settings: Settings) -> socket.socket:
    """Return a socket that listens on the host and port; raises InputError where that cannot be."""
    host, port = settings.host, settings.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named, since asyncio sets TCP_NODELAY on its sockets alone: without it answers wait for 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    # Windows would let two servers have one port by the option that elsewhere frees it after a restart.
    option = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
    listener.setsockopt(socket.SOL_SOCKET, option, 1)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise InputError(_why(host, port, error)) from None
    except (TypeError, ValueError):  # what Python cannot write as the name of a host
        listener.close()
        raise InputError("{host!r} is no address to listen on: give one as 127.0.0.1", host) from None
    listener.set_inheritable(False)
    return listener


def _why(host: str, port: int, error: OSError) -> str:
    import errno

    if error.errno == errno.EADDRINUSE:
        return Told("port {port} of {host} is in use: is the page open already? --port 0 takes a free one", port, host)
    if error.errno == errno.EACCES:
        return Told("port {port} may not be used by this user: take one from 1024 on, as --port 8000", port)
    return Told("the address {host}, port {port}, cannot be listened on: {why}", host, port, why(error))


def address(listener: socket.socket) -> str:
    """Return the address of the page on a socket that listens."""
    host, port = listener.getsockname()[:2]
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{name}:{port}"


def serve(settings: Settings, on_ready: Callable[[str], object]) -> None:
    """Serve the page until a signal comes; `on_ready` is called with its address once it can be asked for.

    Raises InputError where the address cannot be listened on, or the data folder not be used.
    """
    app = create_app(settings)
    app.state.sealer.prepare()
    listener = bound(settings)
    # What the server does itself is small; to load or compile kernels would hold up everybody. Workers decide anew.
    kernels = switch.use("no")
    server = server_of(app, lambda: on_ready(address(listener)))
    try:
        with signals.in_order():
            asyncio.run(server.serve(sockets=[listener]))
    finally:
        switch.use(kernels)
        listener.close()


def server_of(app: FastAPI, tell: Callable[[], object]) -> PageServer:
    """Return the server of an app of `create_app`, which calls `tell` once it can be asked."""

    def close() -> None:
        app.state.runs.close()
        app.state.workers.close()

    config = uvicorn.Config(
        _unless_ended(app),
        http=partial(PageConnection, OpenConnections(app.state.settings)),  # type: ignore[arg-type]  # called
        ws="none",
        backlog=16,  # connections that are taken before the server reads from the others
        access_log=False,
        log_level="warning",
        server_header=False,
        date_header=False,
        lifespan="on",
        timeout_keep_alive=30,
    )
    return PageServer(config, tell, close)


def _unless_ended(app: ASGIApp) -> ASGIApp:
    # What still works on an answer when the server ends is ended with it: nobody waits for that any more, and it is no
    # fault to be logged.
    async def called(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await app(scope, receive, send)
        except asyncio.CancelledError:
            if not signals.is_heard():
                raise

    return called
