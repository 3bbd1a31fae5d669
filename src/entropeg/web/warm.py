"""Loads or compiles kernels in the background when the server starts, and tells how far that is."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from entropeg.errors import EntropegError
from entropeg.web.work import TaskWorkers

SECONDS = 300.0
"""That the first compilation may take, on a slow machine too."""

SAID = (
    ("none", "kernels are loaded when they are needed"),
    ("loading", "kernels are being loaded; play goes on meanwhile"),
    ("compiling", "kernels are being compiled for this machine, once; play goes on, and advice may take longer"),
    ("ready", "kernels are ready"),
)
"""States in the order of the numbers that the worker signs, and what is said of them."""


def kernels_data(workers: TaskWorkers) -> dict[str, Any]:
    """Return what the kernels are doing, as plain data.

    >>> from entropeg.web.settings import ServerLimits
    >>> kernels_data(TaskWorkers(ServerLimits()))["state"]
    'none'
    """
    state, says = SAID[workers.signs[0]]
    return {"state": state, "says": says}


async def warm(workers: TaskWorkers) -> None:
    """Have the kernels loaded, or compiled, in a worker process; what goes wrong there whoever needs them is told."""
    with suppress(EntropegError, asyncio.CancelledError):
        await workers.do("entropeg.web.tasks.warming:warm", None, seconds=SECONDS)
