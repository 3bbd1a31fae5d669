"""Reads where work is to run: `processes:8`, `threads:2`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from entropeg import arguments
from entropeg.errors import InputError, quoted
from entropeg.processors import MOST_PROCESSORS, usable_processors

ExecutorKind: TypeAlias = Literal["processes", "threads"]

FORMS = "processes:N or threads:N"
"""What may be written."""

_TEXT = re.compile(r"(processes|threads)(?::(\d{1,6}))?")


@dataclass(frozen=True)
class Executor:
    """Where work is to run: in processes or threads of this machine, `count` of them, None for one a processor.

    Which executor works changes nothing in results: game i depends on the seed and on i alone.

    >>> Executor.of("processes:8")
    Executor(kind='processes', count=8)
    >>> str(Executor.of("threads:2"))
    'threads:2'
    """

    kind: ExecutorKind = "processes"
    count: int | None = None

    def __post_init__(self) -> None:
        """Raise InputError for a number that cannot be right."""
        arguments.some(self.count, f"the number of {self.kind}", least=1, most=MOST_PROCESSORS)

    @classmethod
    def of(cls, given: Executor | str) -> Executor:
        """Return an executor as it is, or the one that a text names; raises InputError for anything else."""
        if isinstance(given, Executor):
            return given
        found = _TEXT.fullmatch(given.strip().casefold()) if isinstance(given, str) else None
        if found is None:
            raise InputError(f"the executor is {quoted(given)}; it must be {FORMS}")
        kind: ExecutorKind = "threads" if found[1] == "threads" else "processes"
        return cls(kind, None if found[2] is None else int(found[2]))

    @property
    def workers(self) -> int:
        """How many processes or threads there are to be."""
        return self.count or usable_processors()

    def __str__(self) -> str:
        """Write it as it is read."""
        return self.kind if self.count is None else f"{self.kind}:{self.count}"
