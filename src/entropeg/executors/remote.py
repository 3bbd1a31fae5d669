"""Calls as they travel to workers, and as these do them.

A call is plain data and the name of a function: the pickle of function and arguments, and, to the workers of a cluster,
a stamp of the sources. Nothing else of the client goes with it, neither its environment nor its files. A worker whose
sources are others does nothing, since its results might be.
"""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from entropeg.errors import EntropegError
from entropeg.version import __version__

PACKAGE = Path(__file__).parents[1]
STAMP_BYTES = 16


@cache
def stamp() -> bytes:
    """Return a checksum of the version and of every source of this package.

    >>> len(stamp())
    16
    """
    checksum = blake2b(__version__.encode(), digest_size=STAMP_BYTES)
    for file in sorted(PACKAGE.rglob("*.py")):
        checksum.update(f"\n{file.relative_to(PACKAGE).as_posix()}\n".encode())
        checksum.update(file.read_bytes().replace(b"\r\n", b"\n"))
    return checksum.digest()


def packed(function: Callable[..., Any], given: tuple[Any, ...]) -> bytes:
    """Return a call as it travels; raises what `pickle` raises."""
    return pickle.dumps((function, given), pickle.HIGHEST_PROTOCOL)


def called(call: bytes) -> Any:
    """Do a call, where it is read: in another thread or process.

    >>> called(packed(abs, (-3,)))
    3
    """
    function, given = pickle.loads(call)  # noqa: S301 - from the client, whom a worker obeys anyhow
    return function(*given)


class CallOutcome(NamedTuple):
    """How a call ended: its result or its error, the seconds that it took, or the version of a worker of others."""

    result: Any = None
    error: BaseException | None = None
    seconds: float = 0.0
    version: str = ""


def unpacked(content: bytes) -> CallOutcome:
    """Return what `perform` gave, from a worker of ours."""
    outcome: CallOutcome = pickle.loads(content)  # noqa: S301 - as there
    return outcome


def stamped(function: Callable[..., Any], given: tuple[Any, ...]) -> bytes:
    """Return a call as it travels to other machines."""
    return stamp() + packed(function, given)


def perform(call: bytes) -> bytes:
    """Do a call of `stamped`, where the worker is; returns the pickle of its `CallOutcome`."""
    if call[:STAMP_BYTES] != stamp():
        return pickle.dumps(CallOutcome(version=__version__))
    return outcome_of(called, (call[STAMP_BYTES:],))


def outcome_of(function: Callable[..., Any], given: tuple[Any, ...]) -> bytes:
    """Call a function; returns the pickle of the `CallOutcome`, whatever it raises."""
    began = perf_counter()
    try:
        result = function(*given)
        return pickle.dumps(CallOutcome(result, seconds=perf_counter() - began), pickle.HIGHEST_PROTOCOL)
    except BaseException as error:  # noqa: BLE001 - told where the result is taken
        return _told(error, perf_counter() - began)


def _told(error: BaseException, seconds: float) -> bytes:
    if not isinstance(error, (EntropegError, MemoryError)):  # for which there may be no memory
        error.add_note("".join(traceback.format_exception(error))[-2000:])
    try:
        content = pickle.dumps(CallOutcome(error=error, seconds=seconds))
        unpacked(content)  # some errors can be written and not read
    except Exception:  # noqa: BLE001 - whatever an error of others may hold
        content = pickle.dumps(CallOutcome(error=EntropegError("a call failed: {error!r}", error), seconds=seconds))
    return content
