"""Drives a Firefox without a window by its own protocol, Marionette: JSON on a socket, without a driver beside it.

`firefox` is a fixture: a `Firefox` with a profile of its own, which is ended with all that it has started. What scripts
of pages throw it writes into its log, which a test reads at its end.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from browser import PATIENCE, end, find_browser

WISHES = {
    "marionette.port": 0,
    "browser.dom.window.dump.enabled": True,
    "devtools.console.stdout.content": True,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "app.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.aboutwelcome.enabled": False,
    "messaging-system.rsexperimentloader.enabled": False,
    "app.normandy.enabled": False,
    "services.settings.server": "data:,",
    "intl.accept_languages": "en",
    "ui.prefersReducedMotion": 1,
}
WAIT = """
  const [selector, text, done] = arguments;
  const looked = () => {
    const found = [...document.querySelectorAll(selector)].some((one) => one.textContent.includes(text));
    if (found) done(true); else setTimeout(looked, 20);
  };
  looked();"""


@dataclass
class Firefox:
    """A Firefox that listens: pages are opened, looked at and typed into."""

    connection: socket.socket
    log: Path
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))
    _rest: bytes = b""

    def ask(self, command: str, **given: Any) -> Any:
        """What a command of the protocol comes to; raises AssertionError with what the browser says of a failure."""
        number = next(self._numbers)
        text = json.dumps([0, number, command, given]).encode()
        self.connection.sendall(b"%d:%s" % (len(text), text))
        kind, answered, error, result = self.hear()
        assert (kind, answered) == (1, number)
        assert error is None, f"{command}: {error}\n{self.log.read_text(encoding='utf-8', errors='replace')[-2000:]}"
        return result

    def hear(self) -> Any:
        """The next thing that the browser says."""
        while b":" not in self._rest:
            self._rest += self._more()
        size, _, self._rest = self._rest.partition(b":")
        while len(self._rest) < int(size):
            self._rest += self._more()
        said, self._rest = self._rest[: int(size)], self._rest[int(size) :]
        return json.loads(said)

    def _more(self) -> bytes:
        more = self.connection.recv(1 << 16)
        assert more, f"Firefox has gone:\n{self.log.read_text(encoding='utf-8', errors='replace')[-2000:]}"
        return more

    def open(self, address: str) -> None:
        """Go to an address."""
        self.ask("WebDriver:Navigate", url=address)

    def run(self, script: str, *given: Any) -> Any:
        """What the body of a function comes to that ends by calling its last argument."""
        return self.ask("WebDriver:ExecuteAsyncScript", script=script, args=list(given), sandbox=None)["value"]

    def see(self, selector: str, text: str = "") -> None:
        """Wait until an element is there, with a text in it."""
        assert self.run(WAIT, selector, text)

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        steps = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("WebDriver:PerformActions", actions=[{"type": "key", "id": "keys", "actions": steps}])

    @property
    def complaints(self) -> list[str]:
        """Lines of the log about errors in scripts of pages."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return [line for line in lines if line.startswith(("JavaScript error: http://", "JavaScript error: file://"))]


@contextmanager
def launched(folder: Path) -> Iterator[Firefox]:
    """Firefox with its profile and log in a folder."""
    path, profile, log = find_browser("firefox"), folder / "profile", folder / "firefox.log"
    profile.mkdir()
    wishes = "".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in WISHES.items())
    (profile / "user.js").write_text(wishes, encoding="utf-8")
    command = [path, "--headless", "--marionette", "--no-remote", "--profile", str(profile), "about:blank"]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | {"HOME": str(folder), "MOZ_HEADLESS": "1"},
            start_new_session=True,
        )
    try:
        with socket.create_connection(
            ("127.0.0.1", _port(process, profile, log)), timeout=PATIENCE / 1000
        ) as connection:
            firefox = Firefox(connection, log)
            firefox.hear()
            firefox.ask("WebDriver:NewSession", capabilities={"alwaysMatch": {"acceptInsecureCerts": True}})
            firefox.ask("WebDriver:SetTimeouts", script=PATIENCE, pageLoad=PATIENCE)
            yield firefox
    finally:
        end(process, 5)


def _port(process: subprocess.Popen[bytes], profile: Path, log: Path) -> int:
    named, deadline = profile / "MarionetteActivePort", time.monotonic() + PATIENCE / 1000
    while not (named.is_file() and named.read_text(encoding="utf-8").strip()):
        said = log.read_text(encoding="utf-8", errors="replace")
        assert process.poll() is None, f"Firefox has ended before it listened:\n{said}"
        assert time.monotonic() < deadline, f"Firefox has not said where it listens:\n{said}"
        time.sleep(0.05)
    return int(named.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """A Firefox for the tests of a module."""
    with launched(tmp_path_factory.mktemp("firefox")) as firefox:
        yield firefox
