"""A client of the page's server in the process of the tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from entropeg.web.serving import create_app
from entropeg.web.settings import ServerLimits, Settings
from entropeg.web.work import KernelState, TaskWorkers

FEW = ServerLimits(workers=1)


class PatientWorkers(TaskWorkers):
    """Worker processes that have ten minutes for everything: what a machine does in which time is no fact of a test."""

    async def do(self, task: str, data: Any, *, seconds: float, is_capped: bool = True) -> Any:
        """Do a piece of work, however busy the machine is."""
        return await super().do(task, data, seconds=max(seconds, 600.0), is_capped=False)


class WorkersAtHand:
    """In the place of worker processes: does the work in the process of the tests, where everything is loaded."""

    def __init__(self) -> None:
        """Nothing is done yet."""
        self.limits, self.busy = FEW, 0
        self.kernels: KernelState = "none"
        self.asked: list[tuple[str, float]] = []
        self.watches: set[Any] = set()

    async def do(self, task: str, data: Any, *, seconds: float) -> Any:
        """Do a piece of work; `asked` keeps its name and its deadline."""
        self.asked.append((task, seconds))
        module, _, name = task.partition(":")
        return getattr(import_module(module), name)(data)

    def stop(self) -> None:
        """There is nothing to end."""


@contextmanager
def served_at_hand(data: Path, **fields: Any) -> Iterator[TestClient]:
    """A client of a server whose work is done in the process of the tests."""
    with served(data, **fields) as client:
        client.app.state.workers = WorkersAtHand()  # type: ignore[attr-defined]  # the app is one of FastAPI
        yield client


@contextmanager
def served(data: Path, **fields: Any) -> Iterator[TestClient]:
    """A client of a server with one worker process, which is started when it is asked for work and ends here."""
    settings = Settings(**{"data": data, "warm": False, "limits": FEW, **fields})
    app = create_app(settings)
    app.state.workers = PatientWorkers(settings.limits, settings.tables)
    with TestClient(app, base_url="http://127.0.0.1:8000", raise_server_exceptions=False) as client:
        yield client
