"""Systems without POSIX: one door to what only POSIX has, the other way beside it, and the same answers by both."""

from __future__ import annotations

import _thread
import ast
import importlib.util
import json
import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

from entropeg import Position, arena, optimal, play
from entropeg.advise import advise
from entropeg.classroom import worker
from entropeg.cli import group
from entropeg.cli.terminal import register_plain_letters
from entropeg.processes import Child, ChildError, FileLock, ending, posix, resources
from interrupting import wait_until

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
OTHER_SYSTEMS = ROOT / "tests" / "other_systems"


def _table() -> ModuleType:
    # Under another name than that by which Python imports it: so it is read, and nothing is taken away here.
    spec = importlib.util.spec_from_file_location("table_of_other_systems", OTHER_SYSTEMS / "sitecustomize.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TABLE = _table()

# ------------------------------------------------------------------ one door

DOORS = {
    "processes/posix.py": "the door",
    "signals.py": "asks for each name that it takes",
    "classroom/worker.py": "a program of its own, which knows nothing of the package",
}


def posix_names(tree: ast.AST) -> set[str]:
    """What a module imports or takes that only POSIX has; `hasattr` and `getattr` take by text, and are no matter."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names} & TABLE.BLOCKED
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found |= {str(node.module)} & TABLE.BLOCKED
            found |= {f"{node.module}.{alias.name}" for alias in node.names if alias.name in _gone(node.module)}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found |= {f"{node.value.id}.{node.attr}"} if node.attr in _gone(node.value.id) else set()
    return found


def _gone(module: str | None) -> set[str]:
    names: set[str] = TABLE.GONE.get(module, set())
    return names


def test_what_only_posix_has_comes_through_one_door() -> None:
    package = ROOT / "src" / "entropeg"
    # What a module takes stands in its text: only where one of the names does, the text is read as Python.
    only_there = re.compile(rf"\b({'|'.join(TABLE.BLOCKED.union(*TABLE.GONE.values()))})\b")
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(package.rglob("*.py"))}
    found = {
        str(path.relative_to(package)): names
        for path, text in texts.items()
        if only_there.search(text) and (names := posix_names(ast.parse(text)))
    }

    # `readline` gives the prompt its history, and is done without where it is not there.
    assert {"readline"} == found.pop("cli/screen.py")
    assert {} == {path: names for path, names in found.items() if path not in DOORS}


def test_a_name_that_goes_round_the_door_would_be_noticed() -> None:
    code = "import fcntl, os\nfrom os import nice\nfrom resource import prlimit\nos.killpg(1, 2)\nos.getpid()"

    assert {"fcntl", "os.nice", "resource", "os.killpg"} == posix_names(ast.parse(code))


# ------------------------------------------------------------------ pipes


@pytest.fixture(params=["poll", "threads"])
def _pipes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "threads":
        monkeypatch.setattr(posix, "poll", None)


def child(code: str, **options: Any) -> Child:
    return Child([sys.executable, "-c", code], **options)


@pytest.mark.usefixtures("_pipes")
def test_lines_go_to_and_fro() -> None:
    with child("import sys\nfor line in sys.stdin: print(line.strip() * 2, flush=True)") as program:
        for text in ("a", "é", "x" * 200_000):
            program.write(text, seconds=20)

            assert 2 * text == program.read(seconds=20)


@pytest.mark.usefixtures("_pipes")
def test_both_sides_may_write_much_at_once() -> None:
    with child("import sys\nfor line in sys.stdin: sys.stdout.write(line); sys.stdout.flush()") as program:
        for _ in range(12):
            program.write("y" * 700_000, seconds=30)

        assert all(program.read(seconds=30) == "y" * 700_000 for _ in range(12))


@pytest.mark.usefixtures("_pipes")
def test_a_program_that_does_not_read_or_keeps_silent_is_noticed() -> None:
    with child("import time; time.sleep(60)") as program:
        with pytest.raises(ChildError, match=r"it gave no answer in 0\.05 s"):
            program.read(seconds=0.05)
        with pytest.raises(ChildError, match="does not read") as caught:
            program.write("x" * 10_000_000, seconds=0.2)

        assert "silent" == caught.value.reason


@pytest.mark.usefixtures("_pipes")
def test_a_program_that_ends_says_its_last_words() -> None:
    with child("import sys; print('so far'); sys.stderr.write('no more'); sys.exit(3)") as program:
        assert "so far" == program.read(seconds=20)
        with pytest.raises(ChildError, match="ended with exit code 3"):
            program.read(seconds=20)

        assert "no more" == program.stderr
        with pytest.raises(ChildError, match="ended with exit code 3"):
            program.write("x" * 1_000_000, seconds=5)


@pytest.mark.usefixtures("_pipes")
def test_while_it_is_waited_for_somebody_may_look() -> None:
    looks: list[int] = []
    with child("input()") as program, pytest.raises(ChildError, match="no answer"):
        program.read(seconds=0.2, every=0.02, watch=lambda: looks.append(1))

    assert len(looks) >= 3


def test_a_program_that_floods_waits_and_its_threads_end_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posix, "poll", None)
    monkeypatch.setattr("entropeg.processes.child.MOST_AHEAD", 1 << 16)
    with child("while True: print('x' * 1000)") as program:
        assert 1000 == len(program.read(seconds=20))
        time.sleep(0.1)
        desk = program._pipes._desk  # type: ignore[attr-defined]

        assert len(desk.out) <= 2 << 16

    assert wait_until(lambda: not any(each.name.startswith("pipe ") for each in threading.enumerate()))


# ------------------------------------------------------------------ what a program started, and may use

PARENT = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"])
print(child.pid, flush=True)
time.sleep(100)
"""


def is_there(pid: int) -> bool:
    state = Path(f"/proc/{pid}/stat")
    return state.exists() and state.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("way", ["session", "psutil", "alone"])
def test_a_program_goes_with_what_it_has_started_where_that_can_be_told(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if way == "psutil":
        pytest.importorskip("psutil", reason="ending programs without sessions is NOT TESTED: psutil is missing")
    if way != "session":
        monkeypatch.setattr(posix, "kill_group", None)
    if way == "alone":
        monkeypatch.setattr(ending, "psutil", lambda: None)
    with child(PARENT) as program:
        started = int(program.read(seconds=20))

        assert is_there(started)
    try:
        assert not program.alive
        assert wait_until(lambda: not is_there(started), 0.5 if way == "alone" else 20) == (way != "alone")
    finally:
        if way == "alone":
            os.kill(started, 9)


BUSY = resources.Usage(0, is_waiting=False)


def test_processor_time_is_told_by_psutil_where_the_system_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("psutil", reason="processor time elsewhere is NOT TESTED: psutil is missing")
    monkeypatch.setattr(posix, "configured", None)
    with child("print(flush=True)\ninput()\nwhile True: pass") as program:
        program.read(seconds=20)
        assert wait_until(lambda: (program.usage or BUSY).is_waiting)
        program.write("go", seconds=5)

        assert wait_until(lambda: (program.usage or BUSY).seconds > 0.3)


def test_nobody_tells_processor_time_without_psutil(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posix, "configured", None)
    monkeypatch.setattr(resources, "psutil", lambda: None)
    with child("input()") as program:
        assert program.usage is None
    assert resources.USUAL_MEMORY == resources.machine_memory()
    assert 0 == resources.resident(os.getpid())


def test_memory_is_watched_where_the_system_does_not_limit_it(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("psutil", reason="limits of memory elsewhere are NOT TESTED: psutil is missing")
    monkeypatch.setattr(posix, "limit", None)
    with child("input()\nx = b'x' * (300 << 20)\nwhile True: pass", memory=200 << 20) as program:
        program.write("go", seconds=5)
        with pytest.raises(ChildError, match="it took more than 200 MB of memory") as caught:
            program.read(seconds=30)

        assert "memory" == caught.value.reason
        assert not program.alive


ITSELF = """
from entropeg.processes import limit_memory, posix
posix.limit = None
assert limit_memory(150 << 20) is False
x = b"x" * (300 << 20)
while True: pass
"""


def test_a_process_that_watches_itself_ends_with_a_code_of_its_own() -> None:
    pytest.importorskip("psutil", reason="limits of memory elsewhere are NOT TESTED: psutil is missing")
    done = subprocess.run([sys.executable, "-c", ITSELF], check=False, timeout=300)

    assert resources.USED_UP == done.returncode


def test_a_process_ends_itself_in_order_without_signals(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(posix, "kill_group", None)
    monkeypatch.setattr(_thread, "interrupt_main", asked.append)
    ending.end_itself()

    assert [15] == asked


# ------------------------------------------------------------------ locks


@pytest.fixture(params=["flock", "msvcrt", "none"])
def _locks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "flock":
        return
    monkeypatch.setattr(posix, "lock", None)
    windows = ModuleType("msvcrt")
    windows.locking, windows.LK_NBLCK = TABLE.locking, 2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "msvcrt", windows if request.param == "msvcrt" else None)


@pytest.mark.usefixtures("_locks")
def test_one_has_a_lock_at_a_time_and_everybody_where_there_are_none(tmp_path: Path) -> None:
    one, other = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock", makes=False)
    are_there = posix.lock is not None or sys.modules.get("msvcrt") is not None

    assert (True, not are_there) == (one.take(), other.take())
    one.close()
    one.close()
    assert other.take()
    other.close(removes=True)
    assert not (tmp_path / "lock").exists()


def test_a_lock_is_no_link_to_somewhere_else(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "other_systems")

    with pytest.raises(OSError, match="link"):
        FileLock(tmp_path / "link")
    with pytest.raises(FileNotFoundError):
        FileLock(tmp_path / "lock", makes=False)


# ------------------------------------------------------------------ the process of a course module


def test_without_poll_the_process_of_a_module_reads_on_and_leaves_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[str] = []
    monkeypatch.delattr(select, "poll")
    monkeypatch.setattr(worker, "leave", left.append)
    reader, writer = os.pipe()
    stream = os.fdopen(reader, encoding="utf-8")
    requests = worker.Requests(stream)
    os.write(writer, b"config\n")
    first = requests.readline()
    requests.watch("the copy")
    os.write(writer, b"one\ntwo\n")

    assert ["config\n", "one\n", "two\n"] == [first, requests.readline(), requests.readline()]
    assert [] == left
    os.close(writer)
    assert wait_until(lambda: left == ["the copy"])
    stream.close()


def test_without_timers_nothing_ends_a_hopeless_module_but_the_other_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "setitimer")
    worker.end_if_hopeless(1.0)

    assert not hasattr(signal, "setitimer")


# ------------------------------------------------------------------ encodings


def test_signs_are_written_in_others_where_an_encoding_has_no_letters_for_them() -> None:
    name, text = register_plain_letters(), "≥ 5200 ●○· ▁█ ± é – ž ☃"

    assert ">= 5200 XO· 18 ± é – ž ?" == text.encode("cp1252", name).decode("cp1252")
    assert b">= 5200 XO. 18 +- e - z ?" == text.encode("ascii", name)


# ------------------------------------------------------------------ the whole, without POSIX


def told(folder: Path, *words: str) -> list[Any]:
    result = CliRunner().invoke(group, list(words))
    return [result.exit_code, result.output.replace(str(folder), "")]


def stories(folder: Path, executor: str | None) -> dict[str, Any]:
    """What is asked of entropeg on both sides; other processes share games where an executor is given."""
    (folder / "log.txt").write_bytes("BBNN\r\n1,2\r\nBNBV\r\n4,0\r\n".encode("utf-16"))
    program = f"cmd:{sys.executable} {ROOT}/examples/engine/codebreaker.py"
    module = str(ROOT / "examples" / "classroom" / "codebreaker2.py")
    shared = {"executor": executor} if executor else {"jobs": 1}
    report = told(folder, "report", "--rules", "2x3", "--games", "5", "--out", str(folder / "report"))
    return {
        "play": str(play("minimax", "honest:CFED", "4x6")),
        "arena": arena("consistent", "cheat", "3x4", games=6, seed=2, jobs=1)[0].guesses.tolist(),
        "processes": arena("consistent", "honest", "3x4", games=6, seed=2, **shared)[0].guesses.tolist(),
        "program": str(play(program, "honest:ABC", "3x4", seed=1)),
        "optimal": str(optimal("3x4").value),
        "advice": list(advise(Position("3x4").after("AAB", "X"), limit=1).guesses[0].guess),
        "module": told(folder, "classroom", "run", module, "--rules", "3x4", "--games", "3", "--seed", "1")[0],
        "report": [report[0], sorted(path.name for path in (folder / "report").rglob("*.html"))],
        "log": told(folder, "check-log", str(folder / "log.txt")),
    }


def environment(**others: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(OTHER_SYSTEMS), str(ROOT / "src")]), **others}


STORIES = """
import json, sys
from pathlib import Path
sys.path[:0] = sys.argv[2:]
from entropeg.executors.processes import ProcessCrew
from test_other_systems import stories
ProcessCrew.worth = 0.0
if __name__ == "__main__":
    print(json.dumps(stories(Path(sys.argv[1]), "processes:2")))
"""


def test_play_arena_report_proofs_advice_and_classroom_are_the_same_without_posix(tmp_path: Path) -> None:
    (tmp_path / "stories.py").write_text(STORIES, encoding="utf-8")
    there = tmp_path / "there"
    there.mkdir()
    command = [
        sys.executable,
        str(tmp_path / "stories.py"),
        str(there),
        str(ROOT / "tests"),
        str(ROOT / "tests" / "house"),
    ]
    without = environment(OTHER_SYSTEM_WITHOUT="psutil")
    done = subprocess.run(command, check=False, capture_output=True, text=True, encoding="utf-8", env=without)

    assert 0 == done.returncode, done.stderr
    here = stories(tmp_path, None)
    assert here == json.loads(done.stdout.splitlines()[-1])
    assert (0, 0) == (here["module"], here["report"][0])
    assert here["log"][1].startswith("/log.txt: ")


def test_the_page_answers_without_posix(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "entropeg", "serve", "--port", "0", "--no-open", "--data", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8", env=environment()) as program:
        try:
            assert program.stdout is not None
            address = program.stdout.readline().strip()
            host, _, port = address.removeprefix("http://").partition(":")
            asked = json.dumps({"rules": "3x4", "rows": []})
            with closing(HTTPConnection(host, int(port), timeout=300)) as page:
                page.request("POST", "/api/advice", asked, {"Content-Type": "application/json"})

                assert 200 == page.getresponse().status
        finally:
            program.terminate()

    assert 0 == program.returncode
