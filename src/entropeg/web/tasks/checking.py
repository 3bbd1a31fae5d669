"""Pieces of work that tests ask of the worker processes."""

from __future__ import annotations

import os
import time
from typing import Any

from entropeg.errors import InputError


def add(data: dict[str, Any]) -> int:
    """Return the sum of `numbers`; raises InputError where there are none."""
    if not data["numbers"]:
        raise InputError("there is nothing to add")
    return int(sum(data["numbers"]))


def process(_: Any) -> int:
    """Return the number of the process."""
    return os.getpid()


def sleep(data: dict[str, Any]) -> None:
    """Wait some `seconds`."""
    time.sleep(data["seconds"])


def compile_for(data: dict[str, Any]) -> bool:
    """Wait some `seconds` as if for the compiler, and `more` after it; tell whether NumPy is to do what it can."""
    from entropeg.compiling import compiling
    from entropeg.kernels import switch

    with compiling():
        time.sleep(data["seconds"])
    time.sleep(data["more"])
    return not switch.is_ready()


def fill(data: dict[str, Any]) -> int:
    """Ask for a number of `bytes` of memory."""
    return len(bytearray(data["bytes"]))


def die(_: Any) -> None:
    """End the process."""
    os._exit(9)
