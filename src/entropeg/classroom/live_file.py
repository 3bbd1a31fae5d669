"""A page in a file that is written again and again while something goes on, and asks the browser to load it again.

It needs no server, and no request leaves the machine.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import suppress
from math import inf
from pathlib import Path
from time import monotonic
from typing import Self

from entropeg.errors import InputError
from entropeg.files import PAGE, write_whole

SECONDS = 2
"""Between two pages: a turn of a game that one watches is read in that time."""

AGAIN = f'<meta http-equiv="refresh" content="{SECONDS}">\n'
"""In the head of a page that loads itself again."""


class LiveFile(ABC):
    """A page that is written every few seconds at most, `every`; a subclass says what stands in it.

    Used in a `with` statement, which leaves a page that loads itself no longer where an error ends the work.
    """

    def __init__(self, path: str | Path, *, every: float = SECONDS) -> None:
        """Write the page before anything is done; raises InputError where it cannot be written."""
        self.path, self.every, self._next = path, every, -inf
        self._write(is_live=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Leave a page that stays as it is, where the work has ended otherwise than it should."""
        if kind is not None:
            with suppress(InputError):
                self._write(is_live=False)

    @abstractmethod
    def page(self, *, is_live: bool) -> str:
        """Return the page as it is now; it loads itself again while it `is_live`."""

    @property
    def is_due(self) -> bool:
        """Whether it is time to write it again."""
        return monotonic() >= self._next

    def write(self) -> None:
        """Write the page; one that cannot be written stops no work."""
        began = monotonic()
        with suppress(InputError):
            self._write(is_live=True)
        # The page takes a tenth of the time at most: to compare many players is work, too.
        self._next = monotonic() + max(self.every, 9 * (monotonic() - began))

    def _write(self, *, is_live: bool) -> None:
        write_whole(self.path, self.page(is_live=is_live).encode(), PAGE)
