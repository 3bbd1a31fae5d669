"""What the process of a long run is told to do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

Tell: TypeAlias = Callable[[dict[str, Any]], None]
"""Takes the progress of a run."""


@dataclass(frozen=True)
class RunTask:
    """The kind and the request of a run, where its files are, and what it may use."""

    kind: str
    request: dict[str, Any]
    run: str
    folder: str
    trees: str
    """The folder for strategies that are found."""
    jobs: int
    """Processors."""
    table: int
    """Bytes that a proof may use for labels and table."""
    seconds: float
    """For which it may still work, all its parts together as long as a run may; without its start and its end."""

    def file(self, ending: str) -> Path:
        """Return the place of one of its files.

        >>> RunTask("proof", {}, "0123456789ab", "runs", "trees", 1, 1 << 29, 60.0).file(".proof").name
        '0123456789ab.proof'
        """
        return Path(self.folder) / f"{self.run}{ending}"
