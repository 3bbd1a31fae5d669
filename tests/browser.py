"""Opens pages in a real browser, and notes what must not happen on them: errors, and requests to other machines.

`app` starts the server of the page for a test and ends it whatever happens; `visitor` opens its pages, each in a fresh
browser as it were, of the size, language and taste that the test asks for, and fails the test for what was noted. `axe`
looks for what keeps people out; `screenshot` keeps a picture for a person to look at.

The page forbids inline code, and so `page.wait_for_function("text")` fails there: use `expect(locator)`.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

ROOT = Path(__file__).parent.parent
SCREENSHOTS = ROOT / "screenshots"
AXE = ROOT / "tests" / "vendor" / "axe" / "axe.min.js"

Size = tuple[int, int]
PHONE: Size = (360, 740)
DESK: Size = (1280, 800)

PATIENCE = 180_000
"""Milliseconds in which a page has to do what a test waits for, on a machine that runs other tests beside it."""

# ------------------------------------------------------------------ a server


@dataclass
class Server:
    """A server that has said where it listens."""

    address: str
    """Without a slash at the end, as `http://127.0.0.1:40001`."""
    process: subprocess.Popen[bytes]
    log: Path
    """What it has printed."""


def end(process: subprocess.Popen[bytes], patience: float) -> None:
    """End a process that leads a group: politely, after some seconds not; and what it has left behind."""
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(patience)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def served(command: Sequence[str | Path], log: Path, *, start: float = 300, patience: float = 5) -> Iterator[Server]:
    """Server that a command starts, from the line that names its address to the end of the block.

    It has `start` seconds for that line and `patience` seconds to end when it is told to; then it is killed, with all
    that it has started. Where the tests are killed themselves, so is it, on Linux.
    """
    tied = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*tied, *command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
        )
    try:
        yield Server(_address(process, log, time.monotonic() + start), process, log)
    finally:
        end(process, patience)


def _address(process: subprocess.Popen[bytes], log: Path, deadline: float) -> str:
    while True:
        ended = process.poll()
        text = log.read_text(encoding="utf-8", errors="replace")
        if named := re.search(r"http://127\.0\.0\.1:\d+\b", text):
            return named[0]
        assert ended is None, f"the server ended with {ended} before it named its address:\n{text}"
        assert time.monotonic() < deadline, f"the server has not named its address:\n{text}"
        time.sleep(0.02)


@contextmanager
def app(data: Path, *options: str) -> Iterator[Server]:
    """`entropeg serve` with its data in a folder, with more options; see `served`."""
    data.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "entropeg", "serve", "--port", "0", "--no-open", "--data", str(data), *options]
    with served(command, data.with_name(f"{data.name}.log")) as server:
        yield server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server of the page, shared by all tests of a process that leave it as it is."""
    with app(tmp_path_factory.mktemp("server") / "data") as server:
        yield server


class Quiet(SimpleHTTPRequestHandler):
    """Any file host: it knows nothing of the page, and says nothing."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """File host of a folder, to the end of the block: its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page without a server, in a folder below that of its host."""
    from entropeg.site import write_site

    folder = tmp_path_factory.mktemp("host") / "pegs"
    write_site(folder, puzzles=1)
    return folder


# ------------------------------------------------------------------ a browser


def find_browser(kind: str = "") -> str:
    """Path of the browser, or of a `firefox`; without one the test fails in CI, and is loudly skipped elsewhere."""
    command = ["sh", "scripts/browser", "--find", kind]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if answer.returncode == 0:
        return answer.stdout.strip()
    reason = "browser tests: " + answer.stderr.strip().removeprefix("browser: ")
    if os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@contextmanager
def launched() -> Iterator[Browser]:
    """Chromium without a window, that cannot find any machine but this one."""
    path = find_browser()
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    arguments = ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--no-proxy-server"]
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=path, chromium_sandbox=os.geteuid() != 0, args=arguments) as browser,
    ):
        yield browser


@contextmanager
def _loop(loop: asyncio.AbstractEventLoop | None) -> Iterator[None]:
    """Have an event loop pass for the one that runs.

    Playwright leaves its own running between calls; tests that come after in the same process start theirs.
    """
    before = asyncio._get_running_loop()
    asyncio._set_running_loop(loop)
    try:
        yield
    finally:
        asyncio._set_running_loop(before)


@dataclass
class Chromium:
    """The browser of a process, and the event loop that its calls need."""

    browser: Browser
    loop: asyncio.AbstractEventLoop


@pytest.fixture(scope="session")
def _chromium() -> Iterator[Chromium]:
    with _loop(None), launched() as browser:
        chromium = Chromium(browser, asyncio.get_running_loop())
        with _loop(None):
            yield chromium


FAILED = pytest.StashKey[bool]()
CONSOLE: list[str] = []
"""Lines of the console that one test has heard."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Have fixtures know whether their test has failed."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.fixture
def browser(_chromium: Chromium, request: pytest.FixtureRequest) -> Iterator[Browser]:
    """Chromium, started once in each process; what a test has opened in it is closed afterwards.

    A test that has failed leaves a folder in `screenshots/failed/`, which its report names: a trace of each browser,
    which `playwright show-trace` shows, a picture of each page, and the lines of the console.
    """
    CONSOLE.clear()
    with _loop(_chromium.loop):
        yield _chromium.browser
        _close_after(request, _chromium.browser, [])


def _close_after(request: pytest.FixtureRequest, browser: Browser, complaints: list[str]) -> None:
    if browser.contexts and (complaints or request.node.stash.get(FAILED, False)):
        folder = SCREENSHOTS / "failed" / re.sub(r"[^\w.-]+", "-", request.node.nodeid)[-120:]
        leave(browser, folder)
        print(f"What the page did is left in {folder}: trace, pictures, console.")  # noqa: T201 (for the report)
    close(browser)


def leave(browser: Browser, folder: Path) -> None:
    """Leave in a folder what a person needs who asks why a test has failed."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, context in enumerate(browser.contexts):
        for tab, page in enumerate(context.pages):
            page.screenshot(path=folder / f"page-{number}-{tab}.png", animations="disabled")
        context.tracing.stop(path=folder / f"trace-{number}.zip")
    (folder / "console.txt").write_text("".join(CONSOLE), encoding="utf-8")


def close(browser: Browser) -> None:
    """Close all pages. What has happened on them has then been heard."""
    for context in browser.contexts:
        context.close()


# ------------------------------------------------------------------ a visitor


@dataclass
class Visitor:
    """Opens pages of one server, and notes what must not happen on them, in the order in which it happens."""

    browser: Browser
    address: str
    complaints: list[str] = field(default_factory=list)
    _allowed: list[str] = field(default_factory=list)

    def open(
        self,
        path: str = "/",
        *,
        size: Size = DESK,
        locale: str = "en",
        scheme: Literal["light", "dark"] = "light",
        reduced_motion: bool = False,
        phone: bool = False,
    ) -> Page:
        """Page at a path of the server, with nothing stored from before: `.context.new_page()` is its second tab.

        A phone is touched, obeys the viewport that the page asks for, and gives no room to scroll bars; without it a
        small size is a small window on a desk.
        """
        context = self.browser.new_context(
            base_url=self.address,
            viewport={"width": size[0], "height": size[1]},
            locale=locale,
            color_scheme=scheme,
            reduced_motion="reduce" if reduced_motion else "no-preference",
            has_touch=phone,
            is_mobile=phone,
        )
        context.set_default_timeout(PATIENCE)
        self.watch(context)
        page = context.new_page()
        page.goto(path)
        return page

    def watch(self, context: BrowserContext) -> None:
        """Note what must not happen on any page of a context.

        That is a request to another place than the server, an error in the console (where Chromium also writes what a
        Content-Security-Policy has forbidden and which requests were answered with an error), and an exception.
        """
        context.tracing.start(screenshots=False, snapshots=True)
        context.on("request", self._hear_request)
        context.on("console", self._hear_console)
        context.on("weberror", lambda error: self._complain(f"exception: {error.error}"))
        context.on("page", lambda page: page.on("websocket", lambda socket: self._reach(socket.url)))

    def allow(self, text: str) -> None:
        """Do not mind complaints that contain a text: the test is about what causes them."""
        self._allowed.append(text)
        self.complaints = [complaint for complaint in self.complaints if text not in complaint]

    def _complain(self, complaint: str) -> None:
        if not any(text in complaint for text in self._allowed):
            self.complaints.append(complaint)

    def _reach(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in {"data", "blob", "about"} and parts.netloc != urlsplit(self.address).netloc:
            self._complain(f"request to another place: {url}")

    def _hear_request(self, request: Request) -> None:
        self._reach(request.url)

    def _hear_console(self, message: ConsoleMessage) -> None:
        place = message.location
        text = f"{message.text} ({place['url']}, line {place['lineNumber'] + 1})"
        CONSOLE.append(f"{message.type}: {text}\n")
        if message.type == "error":
            self._complain(f"console: {text}")


@contextmanager
def visiting(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """Visitor of a page; at the end the test fails for what must not happen and did."""
    visitor = Visitor(browser, address)
    yield visitor
    _close_after(request, browser, visitor.complaints)
    assert visitor.complaints == []


@pytest.fixture
def visitor(browser: Browser, server: Server, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """Visitor of the page of the server."""
    with visiting(browser, server.address, request) as visitor:
        yield visitor


@pytest.fixture
def alone(browser: Browser, site_folder: Path, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """Visitor of a file host, with the page that answers itself under `/pegs/`."""
    with hosted(site_folder.parent) as address, visiting(browser, address, request) as visitor:
        yield visitor


@pytest.fixture(params=["server", "alone"])
def either(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """Visitor of the page of the server, and once more of the page that answers itself."""
    with ExitStack() as stack:
        if request.param == "server":
            address = request.getfixturevalue("server").address
        else:
            address = stack.enter_context(hosted(request.getfixturevalue("site_folder")))
        yield stack.enter_context(visiting(browser, address, request))


# ------------------------------------------------------------------ what a page is looked at with

SETTLED = 500
"""Milliseconds after which a page that was changing stands still."""
# Rules of WCAG 2.0 to 2.2, A and AA, and those that axe's makers recommend beyond it.
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def axe(page: Page) -> list[str]:
    """What axe-core finds wrong with a page as it is now: one line for each element and rule.

    Ask for reduced motion: a color that is just fading in has not the contrast that it will have. What is found is
    looked for once more a moment later, since a look takes its time and elements may change within it.
    """
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = _look_for_faults(page)
    if found:
        page.wait_for_timeout(SETTLED)
        again = _look_for_faults(page)
        found = [fault for fault in found if fault in again]
    return found


def _look_for_faults(page: Page) -> list[str]:
    options = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
    found = page.evaluate(f"() => axe.run(document, {json.dumps(options)})")
    return [
        f"{violation['id']}: {violation['help']}: {' '.join(map(str, node['target']))}: {node['html']}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


def settled(page: Page) -> None:
    """Wait until a page has loaded all its screens, its requests are answered, and what came is drawn."""
    from playwright.sync_api import expect

    expect(page.locator("html[data-settled]")).to_be_attached()


def until(page: Page, happens: Callable[[], bool]) -> None:
    """Wait until something has happened that a page does, or fail where it does not."""
    end = time.monotonic() + PATIENCE / 1000
    while not happens():
        assert time.monotonic() < end, "what the page was to do has not happened"
        page.wait_for_timeout(10)


def screenshot(page: Page, name: str, *, whole: bool = False) -> Path:
    """Picture of a page, or of the whole of it beyond its window, in `screenshots/`, for a person to look at."""
    path = SCREENSHOTS / f"{name}.png"
    page.screenshot(path=path, full_page=whole, animations="disabled")
    return path
