"""The page without a server: what a visit weighs, when it can be played on a phone, how long hints take.

`weight`: bytes of the files that a first visit loads before a game can be played, as they are and zipped, and of the
whole folder; aim: 300 KB as they are.
`first`: Chromium with a cold cache, its processor four times slower and its network at 1.6 Mbit with 150 ms, from a
host that zips and keeps connections: seconds to the first paint and to a row that can be filled, median of 3; aim: 1
and 2.
`hints`: the best guess, worked out in the browser, in a game that was begun two seconds before: milliseconds of the
first one, and median of 5; aim: 300.

Everything is served on a free port of this machine from a folder that is removed at the end.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from machine import machine

from entropeg.site import write_site

FIND_BROWSER = ["sh", str(Path(__file__).parent.parent / "scripts" / "browser"), "--find"]
MOST = 300_000
"""Bytes that a first visit may weigh."""
HINTS: tuple[tuple[str, list[list[str]]], ...] = (
    ("4x6", []),
    ("4x6", [["AABB", "XO"]]),
    ("4x8", [["AABC", "XO"]]),
    ("bulls-and-cows", [["0123", "XO"]]),
    ("5x8", [["AABBC", "XO"]]),
    ("5x8", [["ABCDE", "XO"]]),
    ("5x8", [["AABBC", "XO"], ["ADBEF", "XO"]]),
)


class Quiet(SimpleHTTPRequestHandler):
    """A file host that says nothing, zips and keeps connections, as hosts do."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Send a file, zipped."""
        file = Path(self.translate_path(self.path))
        file = file / "index.html" if file.is_dir() else file
        content = gzip.compress(file.read_bytes()) if file.is_file() else b""
        self.send_response(200 if file.is_file() else 404)
        self.send_header("Content-Type", self.guess_type(str(file)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        with suppress(BrokenPipeError, ConnectionResetError):  # of a page that was closed meanwhile
            self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing."""


class Host(ThreadingHTTPServer):
    """Where visitors come and go."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Mind no connection that a visitor has closed."""


@contextmanager
def hosted() -> Iterator[tuple[Path, str]]:
    """The page in a folder, and its address."""
    with tempfile.TemporaryDirectory() as folder:
        write_site(folder)
        server = Host(("127.0.0.1", 0), partial(Quiet, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield Path(folder), f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            server.server_close()


def visited(browser: Any, address: str, *, is_phone: bool) -> tuple[float, float, list[str]]:
    """Seconds to the first paint and to a row that can be filled, and what was loaded until then."""
    context = browser.new_context(viewport={"width": 360, "height": 740} if is_phone else None)
    page, loaded = context.new_page(), list[str]()
    page.on("requestfinished", lambda request: loaded.append(request.url))
    if is_phone:
        told = context.new_cdp_session(page)
        told.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        rate = 1_600_000 / 8
        network = {"offline": False, "latency": 150, "downloadThroughput": rate, "uploadThroughput": rate}
        told.send("Network.enable")
        told.send("Network.emulateNetworkConditions", network)
    page.goto(address, wait_until="commit")
    page.wait_for_selector("tr.draft .hole-button", timeout=60_000)
    playable = page.evaluate("() => performance.now()") / 1000
    painted = page.evaluate("() => performance.getEntriesByType('paint')[0]?.startTime ?? NaN") / 1000
    names = list(loaded)
    context.close()
    return painted, playable, names


def hints(browser: Any, address: str) -> None:
    """Milliseconds of the best guess."""
    page = browser.new_page()
    page.goto(address)
    page.wait_for_selector("tr.draft")
    page.wait_for_timeout(3000)  # the page begins its workers then
    script = """async ([rules, turns]) => {
      const { answered } = await entropeg.load("local/backend.js");
      await answered("POST", "games", { body: { rules, number: 1111111 } });
      await new Promise((yes) => { setTimeout(yes, 2000); });
      const taken = [];
      for (let n = 0; n < 5; n += 1) {
        const began = performance.now();
        await answered("POST", "hints", { body: { rules, turns } });
        taken.push(performance.now() - began);
      }
      return taken;
    }"""
    for board, turns in HINTS:
        taken = page.evaluate(script, [board, turns])
        played = " ".join(" ".join(turn) for turn in turns) or "nothing"
        verdict = "kept" if max(median(taken), taken[0]) < 300 else "MISSED"
        print(f"hints: {board} after {played}: {median(taken):.0f} ms, the first {taken[0]:.0f} (aim 300: {verdict})")


def main() -> None:
    """Measure all."""
    print(machine())
    program = subprocess.run(FIND_BROWSER, stdout=subprocess.PIPE, text=True, check=False).stdout.strip()
    if not program or find_spec("playwright") is None:
        print("SKIPPED: there is no Chromium, or no Playwright, on this machine", file=sys.stderr)
        return
    from playwright.sync_api import sync_playwright

    with hosted() as (folder, address), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        zipped = {name: len(gzip.compress(content)) for name, content in files.items()}
        _, _, names = visited(browser, address, is_phone=False)
        first = {url.removeprefix(address) or "index.html" for url in names} & set(files)
        raw, packed = sum(len(files[name]) for name in first), sum(zipped[name] for name in first)
        verdict = "kept" if raw <= MOST else "MISSED"
        print(f"weight: {len(first)} files, {raw / 1000:.0f} KB as they are, {packed / 1000:.0f} KB zipped ", end="")
        print(f"(aim {MOST / 1000:.0f}: {verdict}); the folder {sum(map(len, files.values())) / 1000:.0f} KB, ", end="")
        print(f"zipped {sum(zipped.values()) / 1000:.0f}")
        taken = [visited(browser, address, is_phone=True)[:2] for _ in range(3)]
        painted, playable = (median(each) for each in zip(*taken, strict=True))
        print(f"first: painted after {painted:.2f} s (aim 1), playable after {playable:.2f} s (aim 2)")
        hints(browser, address)
        browser.close()


if __name__ == "__main__":
    main()
