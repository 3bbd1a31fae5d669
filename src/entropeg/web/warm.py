"""Loads or compiles kernels in the background when the server starts, and tells how far that is."""

from __future__ import annotations

import logging

from entropeg.errors import EntropegError
from entropeg.web.work import KernelState, TaskWorkers

SAID: dict[KernelState, str] = {
    "none": "kernels are loaded when they are needed",
    "loading": "kernels are being loaded; play goes on meanwhile",
    "compiling": "kernels are being compiled for this machine, once; play goes on, and advice may take longer",
    "ready": "kernels are ready",
    "failed": "kernels could not be made ready; they are loaded when they are needed, and advice may take longer",
}
"""The sentence of each state."""

_log = logging.getLogger("uvicorn.error")


def kernels_data(workers: TaskWorkers) -> dict[str, str]:
    """Return what the kernels are doing, as plain data.

    >>> from entropeg.web.settings import ServerLimits
    >>> kernels_data(TaskWorkers(ServerLimits()))["state"]
    'none'
    """
    state = workers.kernels
    return {"state": state, "says": SAID[state]}


async def warm(workers: TaskWorkers) -> None:
    """Have the kernels loaded, or compiled, in a worker process; where that fails it is signed and logged."""
    workers.kernels = "loading"
    try:
        # Loading has a minute besides the compiler, even on a server whose work has less.
        await workers.do("entropeg.web.tasks.warming:warm", None, seconds=60.0, is_capped=False)
    except Exception as error:  # noqa: BLE001 (whoever needs them meets it again, and is told)
        workers.kernels = "failed"
        is_fault = not isinstance(error, EntropegError)
        _log.warning("kernels could not be made ready: %s", error, exc_info=is_fault)
