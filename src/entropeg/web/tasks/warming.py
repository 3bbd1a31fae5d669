"""Has kernels loaded or compiled when the server starts, in a worker process, and tells how far that is."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from entropeg.compiling import told_of_compilation
from entropeg.errors import EntropegError
from entropeg.kernels import switch
from entropeg.plain_values import PlainValue
from entropeg.told import Told
from entropeg.web.work import KernelState, TaskWorkers, sign_kernels

SAID: dict[KernelState, str] = {
    "none": Told("kernels are loaded when they are needed"),
    "loading": Told("kernels are being loaded; play goes on meanwhile"),
    "compiling": Told("kernels are being compiled for this machine, once; play goes on, and advice may take longer"),
    "ready": Told("kernels are ready"),
    "failed": Told("kernels could not be made ready; they are loaded when they are needed, and advice may take longer"),
}
"""The sentence of each state."""

_log = logging.getLogger("uvicorn.error")


@dataclass(frozen=True)
class KernelsShown(PlainValue):
    """What the kernels are doing: ready, loading, compiling, or none.

    >>> from entropeg.web.settings import ServerLimits
    >>> KernelsShown.of(TaskWorkers(ServerLimits())).state
    'none'
    """

    state: KernelState
    says: str

    @classmethod
    def of(cls, workers: TaskWorkers) -> KernelsShown:
        """Return what those of the workers are doing."""
        return cls(workers.kernels, SAID[workers.kernels])


async def warm_up(workers: TaskWorkers) -> None:
    """Have the kernels loaded, or compiled, in a worker process; where that fails it is signed and logged."""
    workers.kernels = "loading"
    try:
        # Loading has a minute besides the compiler, even on a server whose work has less.
        await workers.do("entropeg.web.tasks.warming:warm", None, seconds=60.0, is_capped=False)
    except Exception as error:  # noqa: BLE001 (whoever needs them meets it again, and is told)
        workers.kernels = "failed"
        is_fault = not isinstance(error, EntropegError)
        _log.warning("kernels could not be made ready: %s", error, exc_info=is_fault)


def warm(_: Any) -> None:
    """Advise on a small board with kernels, and say meanwhile whether these are loaded or compiled.

    Raises EntropegError where what was compiled is not kept: other processes would compile it again.
    """
    from entropeg.advise import advise
    from entropeg.position import Position

    if switch.can_compile():
        before = switch.use("always")
        try:
            with told_of_compilation(lambda: sign_kernels("compiling")):
                advise(Position("4x6").after("AABB", "XO"), limit=3, time=1)
        finally:
            switch.use(before)
        _check_kept()
    sign_kernels("ready")


def _check_kept() -> None:
    from entropeg.kernels.compile.compiled import compiled_functions

    for function in compiled_functions():
        code = function.stored() if function.is_loaded() else None
        if function.is_loaded() and (code is None or not code.is_filled):
            raise EntropegError("compiled code cannot be kept: `entropeg doctor` tells more")
