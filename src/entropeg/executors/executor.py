"""Reads where work is to run: `processes:8`, `threads:2`, `dask`, `dask:4`, `dask://HOST:PORT`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from entropeg import arguments
from entropeg.errors import InputError, quoted
from entropeg.processors import MOST_PROCESSORS, usable_processors

ExecutorKind: TypeAlias = Literal["processes", "threads", "dask"]

FORMS = "processes:N, threads:N, dask:N or dask://HOST:PORT"
"""What may be written."""

_TEXT = re.compile(r"(processes|threads|dask)(?::(\d{1,6}))?")
_ADDRESS = re.compile(r"dask(?:\+(tls))?://((?:[a-z0-9_.-]+|\[[0-9a-f:.]+\]):\d{1,5})/?")


@dataclass(frozen=True)
class Executor:
    """Where work is to run: in processes or threads of this machine, `count` of them, None for one a processor.

    Or on workers of dask: a cluster of this machine, likewise, or, where there is an `address`, that of a scheduler
    (`tcp://HOST:PORT`, or `tls://`, which is written `dask+tls://`).

    Which executor works changes nothing in results: game i depends on the seed and on i alone.

    >>> Executor.of("processes:8").workers, str(Executor.of("threads:2"))
    (8, 'threads:2')
    >>> Executor.of("dask://node1:8786").address
    'tcp://node1:8786'
    """

    kind: ExecutorKind = "processes"
    count: int | None = None
    address: str = ""

    def __post_init__(self) -> None:
        """Raise InputError for a number that cannot be right."""
        what = "workers" if self.kind == "dask" else self.kind
        arguments.some(self.count, f"the number of {what}", least=1, most=MOST_PROCESSORS)
        port = self.address.rpartition(":")[2]
        if port.isdecimal():
            arguments.some(int(port), f"the port of {self}", least=1, most=65_535)

    @classmethod
    def of(cls, given: Executor | str) -> Executor:
        """Return an executor as it is, or the one that a text names; raises InputError for anything else."""
        if isinstance(given, Executor):
            return given
        text = given.strip().casefold() if isinstance(given, str) else ""
        if (at := _ADDRESS.fullmatch(text)) is not None:
            return cls("dask", address=f"{at[1] or 'tcp'}://{at[2]}")
        if (found := _TEXT.fullmatch(text)) is None:
            raise InputError(f"the executor is {quoted(given)}; it must be {FORMS}")
        kinds: dict[str, ExecutorKind] = {"processes": "processes", "threads": "threads", "dask": "dask"}
        return cls(kinds[found[1]], None if found[2] is None else int(found[2]))

    @property
    def workers(self) -> int:
        """How many processes or threads of this machine there are to be."""
        return self.count or usable_processors()

    def __str__(self) -> str:
        """Write it as it is read."""
        if self.address:
            return self.address.replace("tcp://", "dask://").replace("tls://", "dask+tls://")
        return self.kind if self.count is None else f"{self.kind}:{self.count}"
