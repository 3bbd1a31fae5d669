"""Checks of the checks in `tests/browser.py`: what must not happen on a page is noticed, and all that is started ends.

A server of files stands in for that of the page.
"""

import asyncio
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser, Page, expect

from browser import DESK, PHONE, ROOT, Server, Visitor, axe, close, find_browser, leave, screenshot, served

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src *; img-src * data:"
PAGE = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A page</title>
<meta http-equiv="Content-Security-Policy" content="{POLICY}"><link rel="icon" href="data:,">
%s</head><body><main><h1>A page</h1>%s</main></body></html>"""
COUNTER = """
import { html, render, useState } from "./vendor/ui.js";
function Counter() {
  const [count, setCount] = useState(0);
  return html`<button onClick=${() => setCount(count + 1)}>pressed ${count}</button>`;
}
render(html`<${Counter} />`, document.querySelector("main"));
"""
FILES = {
    "good.html": ('<script type="module" src="counter.js"></script>', ""),
    "console.html": ('<script type="module" src="console.js"></script>', ""),
    "exception.html": ('<script type="module" src="exception.js"></script>', ""),
    "missing.html": ('<script type="module" src="missing.js"></script>', ""),
    "foreign.html": ("", '<img src="http://elsewhere.example/a.png" alt="">'),
    "socket.html": ('<script type="module" src="socket.js"></script>', ""),
    "inline.html": ("<script>document.title = 'changed'</script>", ""),
    "no-alt.html": ("", '<img src="data:,">'),
}
SCRIPTS = {
    "counter.js": COUNTER,
    "console.js": 'console.error("a complaint")',
    "exception.js": 'throw new Error("an accident")',
    "socket.js": 'new WebSocket("ws://elsewhere.example/")',
}


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("pages")
    shutil.copytree(ROOT / "src" / "entropeg" / "web" / "static" / "vendor", folder / "vendor")
    for name, parts in FILES.items():
        folder.joinpath(name).write_text(PAGE % parts, encoding="utf-8")
    for name, text in SCRIPTS.items():
        folder.joinpath(name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(folder)]
    with served(command, folder.with_name("pages.log")) as server:
        yield server


@pytest.fixture
def guest(browser: Browser, stand_in: Server) -> Visitor:
    return Visitor(browser, stand_in.address)


# ------------------------------------------------------------------ a good page


def test_a_good_page_works_with_the_vendored_library_and_leaves_nothing_to_complain_about(guest: Visitor) -> None:
    page = guest.open("/good.html", size=PHONE, reduced_motion=True)
    page.get_by_role("button").click()
    expect(page.get_by_role("button")).to_have_text("pressed 1")

    assert axe(page) == []
    close(guest.browser)
    assert guest.complaints == []


def test_a_visitor_has_the_size_the_language_and_the_taste_that_are_asked_for(guest: Visitor) -> None:
    asked = """() => [
        innerWidth, innerHeight, navigator.language,
        matchMedia("(prefers-reduced-motion: reduce)").matches, matchMedia("(prefers-color-scheme: dark)").matches,
        matchMedia("(pointer: coarse)").matches,
    ]"""

    phone = guest.open("/good.html", size=PHONE, locale="fr", reduced_motion=True, phone=True)
    assert phone.evaluate(asked) == [*PHONE, "fr", True, False, True]
    desk = guest.open("/good.html", size=DESK, scheme="dark")
    assert desk.evaluate(asked) == [*DESK, "en", False, True, False]


def test_each_page_is_a_browser_of_its_own_and_has_second_tabs(guest: Visitor) -> None:
    first, other = guest.open("/good.html"), guest.open("/good.html")
    first.evaluate("() => localStorage.setItem('kept', 'yes')")
    second = first.context.new_page()
    second.goto("/good.html")

    assert second.evaluate("() => localStorage.getItem('kept')") == "yes"
    assert other.evaluate("() => localStorage.getItem('kept')") is None


# ------------------------------------------------------------------ bad pages


def test_a_failed_test_can_leave_a_trace_pictures_and_the_console(guest: Visitor, tmp_path: Path) -> None:
    first, other = guest.open("/good.html"), guest.open("/good.html")
    first.context.new_page().goto("/good.html")
    other.evaluate("() => console.log('a word')")
    leave(guest.browser, tmp_path / "left")

    names = ["console.txt", "page-0-0.png", "page-0-1.png", "page-1-0.png", "trace-0.zip", "trace-1.zip"]
    assert names == sorted(file.name for file in (tmp_path / "left").iterdir())
    assert "log: a word" in (tmp_path / "left" / "console.txt").read_text(encoding="utf-8")
    assert "trace.trace" in ZipFile(tmp_path / "left" / "trace-1.zip").namelist()


FAILING = """
def test_that_fails(visitor):
    visitor.open("/")
    raise AssertionError("on purpose")

def test_that_complains(visitor):
    visitor.open("/").evaluate("() => console.error('on purpose')")
"""


@pytest.mark.slow
def test_the_report_of_a_failed_test_names_what_it_has_left(tmp_path: Path) -> None:
    find_browser()
    (tmp_path / "test_failing.py").write_text(FAILING, encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "browser", "-p", "no:cacheprovider", "test_failing.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT / "tests")},
        capture_output=True,
        text=True,
        check=False,
    )
    found = [Path(name) for name in re.findall("What the page did is left in (.*): trace", ended.stdout)]
    left = [sorted(file.name for file in folder.iterdir()) for folder in found]
    for folder in found:
        shutil.rmtree(folder)

    assert [["console.txt", "page-0-0.png", "trace-0.zip"]] * 2 == left, ended.stdout


def heard(guest: Visitor, page: Page, text: str) -> list[str]:
    """Complaints with a text, as soon as there are any."""
    deadline = time.monotonic() + 300
    while not (found := [one for one in guest.complaints if text in one]) and time.monotonic() < deadline:
        page.wait_for_timeout(10)
    return found


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("console", "console: a complaint"),
        ("exception", "exception: an accident"),
        ("missing", "console: Failed to load resource: the server responded with a status of 404"),
        ("foreign", "request to another place: http://elsewhere.example/a.png"),
        ("socket", "ws://elsewhere.example/"),
        ("inline", "Content Security Policy"),
    ],
)
def test_what_must_not_happen_is_noticed(guest: Visitor, name: str, complaint: str) -> None:
    page = guest.open(f"/{name}.html")

    assert heard(guest, page, complaint) != []


def test_what_happens_on_a_second_tab_is_noticed(guest: Visitor) -> None:
    guest.open("/good.html").context.new_page().goto("/console.html")
    close(guest.browser)

    assert ["console: a complaint" in found for found in guest.complaints] == [True]


def test_what_a_test_is_about_may_be_allowed(guest: Visitor) -> None:
    guest.allow("a complaint")
    guest.open("/console.html")
    guest.open("/exception.html")
    guest.allow("an accident")
    close(guest.browser)

    assert guest.complaints == []


def test_a_picture_without_a_description_is_noticed(guest: Visitor) -> None:
    page = guest.open("/no-alt.html")

    assert [found.partition(":")[0] for found in axe(page)] == ["image-alt"]
    assert "img: <img" in axe(page)[0]


def test_a_screenshot_is_kept(guest: Visitor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("browser.SCREENSHOTS", tmp_path / "pictures")
    path = screenshot(guest.open("/good.html"), "good")

    assert path == tmp_path / "pictures" / "good.png"
    assert path.read_bytes().startswith(b"\x89PNG")


# ------------------------------------------------------------------ beginnings and ends


@pytest.mark.usefixtures("_chromium")
def test_an_event_loop_can_be_run_beside_the_browser() -> None:
    async def answer() -> int:
        await asyncio.sleep(0)
        return 42

    assert asyncio.run(answer()) == 42


STUBBORN = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print(f"child {child.pid} of http://127.0.0.1:1")
time.sleep(60)
"""


def test_a_stubborn_server_and_what_it_has_started_end_with_the_test(tmp_path: Path) -> None:
    log = tmp_path / "log"

    def accident() -> None:
        with served([sys.executable, "-c", STUBBORN], log, patience=0.1) as server:
            processes.append(server.process)
            raise ZeroDivisionError

    processes: list[subprocess.Popen[bytes]] = []
    with pytest.raises(ZeroDivisionError):
        accident()
    child = int(log.read_text(encoding="utf-8").split()[1])
    deadline = time.monotonic() + 300
    while not is_gone(child) and time.monotonic() < deadline:
        time.sleep(0.01)

    assert [process.returncode for process in processes] == [-9]
    assert is_gone(child)


def is_gone(pid: int) -> bool:
    """Whether a process has ended; one that nobody has asked how counts as ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and ") Z " in stat.read_text(encoding="utf-8")


def test_a_server_that_does_not_start_says_why(tmp_path: Path) -> None:
    with (
        pytest.raises(AssertionError, match=r"ended with 3 before .*:\s+no port is free"),
        served([sys.executable, "-c", "print('no port is free'); raise SystemExit(3)"], tmp_path / "log"),
    ):
        pass


# ------------------------------------------------------------------ scripts/browser


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder of the only programs that `scripts/browser` finds; of a user that is not root, outside CI."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("ENTROPEG_CHROMIUM", raising=False)
    monkeypatch.delenv("CI", raising=False)
    shell = shutil.which("sh", path="/bin:/usr/bin")
    assert shell is not None
    tmp_path.joinpath("sh").symlink_to(shell)
    program(tmp_path, "id", "echo 1000")
    return tmp_path


def program(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


def script() -> tuple[int, str, str]:
    done = subprocess.run(["sh", "scripts/browser"], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def test_a_chromium_that_is_there_is_taken_and_nothing_is_installed(machine: Path) -> None:
    program(machine, "google-chrome", "exit 0")
    program(machine, "chromium", "echo an empty shell >&2; exit 1")
    program(machine, "id", "echo 0")
    program(machine, "apt-get", f": >'{machine}/called'")

    assert script() == (0, f"browser: {machine}/google-chrome is there\n", "")
    assert find_browser() == f"{machine}/google-chrome"
    assert not (machine / "called").exists()


@pytest.mark.parametrize("package", ["chromium-headless-shell", "chromium"])
def test_a_chromium_is_installed_where_that_may_be_done(machine: Path, package: str) -> None:
    program(machine, "id", "echo 0")
    program(machine, "package", "exit 0")
    move = f"{shutil.which('mv', path=os.defpath)} '{machine}/package' '{machine}/{package}'"
    known = f'*"install --no-install-recommends {package} "*) {move};; *install*) exit 100;;'
    program(machine, "apt-get", f'case "$*" in {known} esac')

    assert script() == (0, f"browser: installed Chromium with apt-get: {machine}/{package}\n", "")


@pytest.mark.parametrize(
    ("programs", "reason"),
    [
        ({}, "none on the path, and no apt-get to install it with; install Chromium or Chrome"),
        ({"apt-get": "exit 0"}, "none on the path, and only root may install it (apt-get install chromium)"),
        ({"apt-get": "exit 0", "id": "echo 0"}, "apt-get has installed it, and it does not start"),
        ({"apt-get": "echo 'no network'; exit 100", "id": "echo 0"}, "apt-get could not install it, the lines above"),
    ],
)
def test_where_there_is_no_chromium_the_script_says_why(machine: Path, programs: dict[str, str], reason: str) -> None:
    for name, text in programs.items():
        program(machine, name, text)
    code, said, loud = script()

    assert (code, said) == (3, "")
    assert f"browser: NO CHROMIUM FOR THE TESTS OF THE PAGE: {reason}" in loud
    assert ("no network" in loud) == ("no network" in programs.get("apt-get", ""))


@pytest.mark.usefixtures("machine")
def test_without_a_chromium_tests_are_skipped_loudly_and_fail_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENTROPEG_CHROMIUM", "/no where")
    reason = "NO CHROMIUM FOR THE TESTS OF THE PAGE: ENTROPEG_CHROMIUM=/no where does not start"

    with pytest.raises(pytest.skip.Exception, match=f"browser tests: {reason}"):
        find_browser()
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match=reason):
        find_browser()
