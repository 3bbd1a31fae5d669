"""Starts the process of a long run, reads what it says, and ends it."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from typing import Any, NamedTuple

from entropeg.processes import apart, ask_to_end, describe_end
from entropeg.web.runs.task import RunTask

LINE = 32 << 20
"""Bytes of a line, at most: the data of an arena of a hundred pairs are some hundred thousand."""

LOGGED = 64 << 10
"""Bytes of what a process writes on standard error that the log of the server takes, at most."""

GRACE = 12.0
"""Seconds between asking a process to end and ending it: a little more than it gives itself."""

_log = logging.getLogger("uvicorn.error")


class RunEnd(NamedTuple):
    """How a process ended: `done`, `stopped` or `failed`, with the data of the run, if it had any, or the reason."""

    how: str
    result: dict[str, Any] | None = None
    error: str | None = None


class RunProcess:
    """The process of one run."""

    def __init__(self, task: RunTask) -> None:
        """Nothing is started yet."""
        self.task = task
        self._process: Process | None = None
        self._is_stopped = False
        self._killer: asyncio.TimerHandle | None = None

    async def work(self, tell: Callable[[dict[str, Any]], None]) -> RunEnd:
        """Start the process, hand on its progress, and return how it ended."""
        if self._is_stopped:
            return RunEnd("stopped")
        # A session of its own: Ctrl-C on the terminal reaches the server alone, which then stops it.
        self._process = process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "entropeg.web.runs.worker",
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            limit=LINE,
            **apart(),
        )
        heard = asyncio.create_task(self._log(process))
        try:
            if self._is_stopped:
                self._terminate()
            return await self._read(process, tell)
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
            if self._killer is not None:
                self._killer.cancel()
            await process.wait()
            # What it had started may hold its standard error open.
            await asyncio.wait({heard}, timeout=1.0)
            heard.cancel()

    async def _log(self, process: Process) -> None:
        assert process.stderr is not None
        left = LOGGED
        while said := await process.stderr.read(LOGGED):
            text = said[: max(0, left)].decode(errors="replace").rstrip()
            left -= len(said)
            if text:
                _log.warning("the process of the run %s wrote: %s", self.task.run, text)

    async def _read(self, process: Process, tell: Callable[[dict[str, Any]], None]) -> RunEnd:
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError):  # it may have ended before it read anything
            process.stdin.write(json.dumps(asdict(self.task)).encode() + b"\n")
            await process.stdin.drain()
        end = None
        async for line in process.stdout:
            said = json.loads(line)
            if "progress" in said:
                tell(said["progress"])
            elif end is None:  # a signal may come while it says how it ended
                end = RunEnd(said["end"], said.get("result"), said.get("error"))
        code = await process.wait()
        if end is not None:
            return end
        if self._is_stopped:
            return RunEnd("stopped")
        return RunEnd("failed", error=f"its process {describe_end(code)}; what it had found out is kept")

    def stop(self) -> None:
        """Ask the process to end, and end it where it does not."""
        if not self._is_stopped:
            self._is_stopped = True
            if self._process is not None:
                self._terminate()

    def _terminate(self) -> None:
        process = self._process
        assert process is not None
        ask_to_end(process)
        self._killer = asyncio.get_running_loop().call_later(GRACE, self.kill)

    def kill(self) -> None:
        """End the process at once: what was kept is kept."""
        process = self._process
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
