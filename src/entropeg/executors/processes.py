"""Processes that share the calls of a run.

They are started when first needed, import what they need once, and end with the process that started them, however it
ends.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from entropeg import signals
from entropeg.executors.crew import Crew, WorkersError
from entropeg.executors.notices import WORDS, register
from entropeg.executors.pool import EndedError, ProcessPool
from entropeg.told import Told

GUARD = Told(
    "every process that shares the games imports the program first: let it call arena() or "
    'report() only under `if __name__ == "__main__":`, or give jobs=1'
)
"""The guard that a program needs which starts processes."""

# Imported once for all processes, by name, since they stand on upper floors.


class ProcessCrew(Crew):
    """Processes of this machine."""

    worth: float = 3.0

    def __init__(self, count: int) -> None:
        # Windows can wait for 61 processes at once.
        super().__init__(min(count, 61) if sys.platform == "win32" else count)
        self._pool: ProcessPool | None = None
        self._worked = False

    @property
    def started(self) -> bool:
        """Whether the processes are there."""
        return self._pool is not None

    def _submit(self, function: Callable[..., Any], given: tuple[Any, ...]) -> Future[Any]:
        return self._start().begin(function, *given).future

    def _result(self, future: Future[Any]) -> Any:
        try:
            result = future.result()
        except EndedError:
            raise self._broken() from None
        self._worked = True
        return result

    def _broken(self) -> WorkersError:
        self.stop()
        with signals.held() as check:
            check()  # whoever ends this process may have ended those first
        if self._worked or not _is_unguarded():
            return WorkersError("a process of the arena ended unexpectedly (out of memory?); use fewer jobs")
        return WorkersError(
            "the processes of the arena ended before they did anything; most likely a guard is missing: {guard}", GUARD
        )

    def _start(self) -> ProcessPool:
        if self._pool is None:
            # While it imports the program a process cannot start others; the interpreter would give each a page on it.
            if getattr(multiprocessing.current_process(), "_inheriting", False):
                raise SystemExit(GUARD)
            context = _context()
            words = context.RawArray("q", WORDS)
            register(self.session, words)
            self._pool = ProcessPool(self.count, _prepare, list(sys.path), self.session, words, context=context)
        return self._pool

    def _end(self, *, wait: bool) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            with signals.held():
                # A process that is asked to end takes some milliseconds; after ten seconds it is ended.
                pool.stop(is_done=wait, patience=10.0)  # which ends the programs of players, too


def _is_unguarded() -> bool:
    # Whether the program is a file that never asks whether it is run or imported.
    try:
        return "__name__" not in Path(sys.modules["__main__"].__file__ or "").read_text(encoding="utf-8")
    except (AttributeError, OSError, UnicodeDecodeError):
        return False


def _context() -> Any:
    # Never fork: numba's threads do not survive it. A fork server imports once for all processes, and lasts for later
    # crews.
    if "forkserver" in multiprocessing.get_all_start_methods():
        context = multiprocessing.get_context("forkserver")
        # Imported once for all processes, by name, since they stand on upper floors.
        context.set_forkserver_preload(
            ["entropeg.executors.orphans", "entropeg.experiments.batch", "entropeg.experiments.batch_kernels"]
        )
        return context
    return multiprocessing.get_context("spawn")


def _prepare(path: list[str], session: str, words: Any) -> None:
    sys.path[:] = path
    register(session, words)
