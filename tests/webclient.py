"""A client of the page's server in the process of the tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from entropeg.web.app import create_app
from entropeg.web.settings import ServerLimits, Settings

FEW = ServerLimits(workers=1)


@contextmanager
def served(data: Path, **fields: Any) -> Iterator[TestClient]:
    """A client of a server with one worker process, which is started when it is asked for work and ends here."""
    settings = Settings(**{"data": data, "warm": False, "limits": FEW, **fields})
    with TestClient(create_app(settings), base_url="http://127.0.0.1:8000", raise_server_exceptions=False) as client:
        yield client
