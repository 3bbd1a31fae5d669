"""The process of one long run: `python -m entropeg.web.runs.worker`, started by the server and never by hand.

It reads what to do as one line of JSON, and writes lines of JSON: `progress`, at most five a second, and in the end
`end` with `result` or `error`. SIGTERM stops it in order: what was found out is kept, and told where no file has it. So
does the end of its standard input, which is the end of the server, however that ends.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import traceback
from contextlib import suppress
from time import monotonic, sleep
from typing import Any

from entropeg import signals
from entropeg.errors import EntropegError
from entropeg.processes import end_itself, limit_memory, step_back
from entropeg.web.runs.kept import locked
from entropeg.web.runs.task import RunTask, Tell

NICE = 10
"""By how much a long run steps back behind the players."""

EVERY = 0.2
"""Seconds between two lines of progress, at least."""

GRACE = 10.0
"""Seconds for which an orderly end may take, before it ends at once."""

LOCK_SECONDS = 20.0
"""For which the process of a server that was killed may still be busy ending."""

FAULT = "something went wrong in the process of this run; the log of the server says what"


class Voice:
    """Writes the lines; progress that comes too soon is left out, except the last."""

    def __init__(self) -> None:
        """Keep standard output for the lines alone: whatever else is printed goes to standard error."""
        self._out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        self._told_at = -EVERY
        self._untold: dict[str, Any] | None = None

    def progress(self, data: dict[str, Any]) -> None:
        """Tell how far it is."""
        self._untold = data
        if monotonic() - self._told_at >= EVERY:
            self._told_at = monotonic()
            self._tell()

    def end(self, how: str, **said: Any) -> None:
        """Tell that it is over: `done`, `stopped` or `failed`."""
        self._tell()
        self._say({"end": how, **said})

    def _tell(self) -> None:
        if self._untold is not None:
            self._say({"progress": self._untold})
            self._untold = None

    def _say(self, data: dict[str, Any]) -> None:
        with suppress(OSError):  # nobody listens any more: what counts is in the files
            self._out.write(json.dumps(data, allow_nan=False) + "\n")
            self._out.flush()


def main() -> None:
    """Do what the first line asks for."""
    signals.take()
    voice = Voice()
    task = RunTask(**json.loads(sys.stdin.buffer.readline()))
    try:
        threading.Thread(target=_end_with_the_server, daemon=True).start()
        step_back(NICE)
        limit_memory(task.memory)
        lock = _locked(task)
        how, result = _work(task, voice.progress)
        voice.end(how, result=result)
        lock.close()
    except KeyboardInterrupt:
        voice.end("stopped")
    except MemoryError:
        voice.end("failed", error=f"it takes more than the {task.memory >> 20:,} MB that a run may use here")
    except EntropegError as error:
        voice.end("failed", error=str(error))
    except Exception:  # noqa: BLE001 (the last word of a process: the server writes down what it prints)
        traceback.print_exc()
        voice.end("failed", error=FAULT)
    signals.leave(0)


def _work(task: RunTask, tell: Tell) -> tuple[str, dict[str, Any] | None]:
    if task.kind == "arena":
        from entropeg.web.runs.arenas import play_arena

        return play_arena(task, tell)
    from entropeg.web.runs.proofs import prove

    return prove(task, tell)


def _locked(task: RunTask) -> Any:
    # Two processes never work on one run: that of a server which was killed may still be ending.
    end = monotonic() + LOCK_SECONDS
    while (lock := locked(task.file(".lock"))) is None:
        if monotonic() > end:
            raise EntropegError("another process still works on this run")
        sleep(EVERY)
    return lock


def _end_with_the_server() -> None:
    while os.read(0, 1 << 10):
        pass
    end_itself()
    sleep(GRACE)
    signals.leave(1)


if __name__ == "__main__":
    main()
