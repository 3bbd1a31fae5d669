"""Loads or compiles the kernels that advice needs, in a worker process."""

from __future__ import annotations

from typing import Any

from entropeg.errors import EntropegError
from entropeg.web.work import sign_kernels


def warm(_: Any) -> None:
    """Advise on a small board with kernels, and say meanwhile whether these are loaded or compiled.

    Raises EntropegError where what was compiled is not kept: other processes would compile it again.
    """
    from entropeg.advise import advise
    from entropeg.compiling import told_of_compilation
    from entropeg.kernels import switch
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
