"""Programs behind a pseudo-terminal, driven as a person would: wait for what is shown, type a line."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

PATIENCE = 300.0
"""Seconds after which what was waited for counts as never shown."""


class Terminal:
    """`entropeg` on a terminal of so many lines and columns."""

    def __init__(self, *arguments: str, lines: int = 24, columns: int = 80, **environment: str) -> None:
        clean = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR"}}
        command = [sys.executable, "-m", "entropeg", *arguments]
        self.pid, self.fd = pty.fork()
        if self.pid == 0:  # pragma: no cover (the child)
            os.execvpe(  # noqa: S606 - the child becomes the program
                command[0], command, clean | {"TERM": "xterm-256color"} | environment
            )
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.shown = ""

    def until(self, text: str) -> str:
        """Read until a text is shown; return everything read since the last call."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.shown:
            ready, _, _ = select.select([self.fd], [], [], max(0, deadline - time.monotonic()))
            assert ready, f"{text!r} was never shown; what was: {self.shown!r}"
            self.shown += self._read()
        shown, self.shown = self.shown, ""
        return shown

    def _read(self) -> str:
        try:
            return os.read(self.fd, 65536).decode()
        except OSError as error:
            raise AssertionError(f"the program ended; it had shown {self.shown!r}") from error

    def type(self, text: str) -> None:
        """Type a text, with its line ends."""
        os.write(self.fd, text.encode())

    def exit_code(self) -> int:
        """Wait for the end of the program."""
        os.set_blocking(self.fd, False)
        _, status = os.waitpid(self.pid, 0)
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status)
