"""Runs the server until it is asked to stop: binds first, so that what is wrong with the address is said at once."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import Callable, Iterator
from types import FrameType

import uvicorn

from entropeg import signals
from entropeg.errors import InputError
from entropeg.kernels import switch
from entropeg.web.app import create_app
from entropeg.web.settings import Settings

PATIENCE = 2
"""Seconds that connections have to end when the server stops."""

BACKLOG = 256
"""Connections that wait to be taken."""


class PageServer(uvicorn.Server):
    """A server that stops in order at Ctrl-C, SIGTERM and SIGHUP, and does not pass them on."""

    def __init__(
        self, config: uvicorn.Config, tell: Callable[[], object], close: Callable[[], object] = lambda: None
    ) -> None:
        """Take a function that is called when the server can be asked, and one that ends what would go on for ever."""
        super().__init__(config)
        self._tell, self._close = tell, close

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and tell."""
        await super().startup(sockets)
        self._tell()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let streams of events end before connections are waited for; processes end in order even in haste."""
        self._close()
        await super().shutdown(sockets)
        if self.force_exit:
            await self.lifespan.shutdown()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take the signals while the server runs; a second one ends it without waiting for connections."""
        before = {number: signal.signal(number, self._hear) for number in signals.TAKEN}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        self.force_exit = self.should_exit
        self.should_exit = True


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
    listener.set_inheritable(False)
    return listener


def _why(host: str, port: int, error: OSError) -> str:
    import errno

    if error.errno == errno.EADDRINUSE:
        return f"port {port} of {host} is in use: is the page open already? --port 0 takes a free one"
    if error.errno == errno.EACCES:
        return f"port {port} may not be used by this user: take one from 1024 on, as --port 8000"
    return f"the address {host}, port {port}, cannot be listened on: {error.strerror or error}"


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
    config = uvicorn.Config(
        app,
        access_log=False,
        log_level="warning",
        server_header=False,
        date_header=False,
        lifespan="on",
        timeout_graceful_shutdown=PATIENCE,
        timeout_keep_alive=30,
    )
    server = PageServer(config, lambda: on_ready(address(listener)), app.state.runs.close)

    try:
        asyncio.run(server.serve(sockets=[listener]))
    finally:
        switch.use(kernels)
        listener.close()
