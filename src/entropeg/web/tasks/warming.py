"""Loads or compiles the kernels that advice needs, in a worker process."""

from __future__ import annotations

from typing import Any

from entropeg.web.work import sign

LOADING, COMPILING, READY = 1, 2, 3


def warm(_: Any) -> None:
    """Advise on a small board with kernels, and say meanwhile whether these are loaded or compiled."""
    from entropeg.advise import advise
    from entropeg.compiling import told_of_compilation
    from entropeg.kernels import switch
    from entropeg.position import Position

    sign(0, LOADING)
    with told_of_compilation(lambda: sign(0, COMPILING)):
        before = switch.use("always") if switch.can_compile() else switch.mode()
        try:
            advise(Position("4x6").after("AABB", "XO"), limit=3, seconds=1)
        finally:
            switch.use(before)
    sign(0, READY)
