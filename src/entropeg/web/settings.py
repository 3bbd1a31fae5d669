"""Settings of the server: where it listens, where it keeps data, and how much a request may ask."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path

from entropeg.files.paths import SHOWN
from entropeg.processors import usable_processors
from entropeg.told import with_names

LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""Names under which this machine calls itself."""


API = "/api"
"""How every address of the API begins."""

DOCS = "/docs"
"""Where the pages of the documentation are, if they are built."""

BUILT = Path(__file__).parents[3] / "docs" / "_build" / "html"
"""Their folder in the sources; an installed package has none."""


@dataclass(frozen=True)
class ServerLimits:
    """How much one request, and all of them together, may ask of the machine."""

    body: int = 2 << 20
    """Bytes of a request."""
    connections: int = 500
    """Connections that are open at once."""
    sending: int = 100
    """Connections of these whose next request has not come in whole."""
    held: int = 4 << 20
    """Bytes of such requests, all together."""
    depth: int = 24
    """How deep the JSON of a request may be nested."""
    pegs: int = 1_000
    colors: int = 2_000
    turns: int = 2_000
    seconds: float = 60.0
    """That one piece of work may take, at most, whatever was asked for."""
    memory: int = 2 << 30
    """Bytes that a worker process may use besides what it has when it starts."""
    workers: int = field(default_factory=lambda: max(2, min(4, usable_processors())))
    """Worker processes."""
    waiting: int = 32
    """Pieces of work that may wait for one of them."""
    a_minute: int = 0
    """Pieces of work that one address may begin in a minute; 0 for any number."""
    runs: int = 2
    """Long runs at once."""
    runs_waiting: int = 20
    """Long runs that wait for their turn."""
    streams: int = 200
    """Streams of events of long runs that are open at once."""
    run_games: int = 1_000_000
    """Games of a run."""
    run_seconds: float = 24 * 3600.0
    tables: int = 200
    """Tables of answers that are kept; each fits into a request."""


PUBLIC = ServerLimits(
    body=256 << 10,
    pegs=100,
    colors=200,
    turns=500,
    seconds=10.0,
    memory=1 << 30,
    waiting=16,
    a_minute=60,
    runs=1,
    runs_waiting=4,
    streams=100,
    run_games=20_000,
    run_seconds=600.0,
)
"""ServerLimits of a server that others than its owner use."""


@dataclass(frozen=True)
class Settings:
    """What the server is told at its start; immutable.

    `host` and `port` are what it listens on; port 0 takes a free one. `public` says that others than the owner of the
    machine use it: then the limits are those of `PUBLIC`. `allowed_hosts` are further names under which the page may
    be asked for. `data` is the folder of the key, the runs, trees and tables; it is made when something is kept.
    `language` is that of the page where the browser asks for none that there is. `warm` says whether kernels are loaded
    at once.
    """

    data: Path
    host: str = "127.0.0.1"
    port: int = 8000
    public: bool = False
    allowed_hosts: tuple[str, ...] = ()
    language: str = "en"
    warm: bool = True
    limits: ServerLimits = field(default_factory=ServerLimits)

    @property
    def tables(self) -> Path:
        """The folder of tables of answers."""
        return self.data / "tables"

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        with suppress(ValueError):
            return ip_address(self.host).is_loopback
        return self.host in LOOPBACK

    def without_place(self, text: str) -> str:
        """Return a sentence without the place of the data folder, which is for the log alone.

        >>> Settings(Path("/home/ann/data")).without_place(f"{Path('/home/ann/data/runs')} cannot be used")
        'runs cannot be used'
        """
        place = f"{self.data}{os.sep}"
        # The second where a long name is shown cut.
        without: str = with_names(text, lambda name: name.replace(place, "").replace(place[: SHOWN // 2], ""))
        return without

    @property
    def hosts(self) -> frozenset[str]:
        """Names of the server that a request may call it by, without ports."""
        return frozenset(name.casefold() for name in {*LOOPBACK, self.host, *self.allowed_hosts} if name)
