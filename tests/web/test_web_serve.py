"""`entropeg serve` as a program: how it begins, what it says when it cannot, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from entropeg.web.serving import bound
from entropeg.web.settings import Settings
from interrupting import PATIENCE, hearing, marked, parent_of, start, wait_until
from rooms import often

pytestmark = pytest.mark.slow


@contextmanager
def serving(data: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The program and the address that it prints; it is ended in any case."""
    command = [sys.executable, "-m", "entropeg", "serve", "--port", "0", "--no-open", "--data", str(data), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        try:
            assert program.stdout is not None
            yield program, program.stdout.readline().strip()
        finally:
            program.kill()


def test_a_signal_that_comes_twice_is_no_reason_for_a_traceback(tmp_path: Path) -> None:
    with serving(tmp_path) as (program, _):
        for _ in range(3):
            program.send_signal(signal.SIGTERM)
            sleep(0.01)
        _, said = program.communicate(timeout=300)

    assert program.returncode == 0
    assert said == "entropeg: stopped\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_its_address_answers_and_stops_in_order(tmp_path: Path, number: signal.Signals) -> None:
    with serving(tmp_path / "new" / "data") as (program, address):
        with urllib.request.urlopen(f"{address}/api/rules?text=4x6") as answer:  # noqa: S310 (our own address)
            rules = json.load(answer)
            server = answer.headers.get("server")
        program.send_signal(number)
        _, said = program.communicate(timeout=300)

    assert address.startswith("http://127.0.0.1:")
    assert rules["secret_count"] == 1296
    assert server is None
    assert program.returncode == 0
    assert said == "entropeg: stopped\n"
    assert (tmp_path / "new" / "data" / "seal.key").is_file()


def is_importing(process: int, mark: str) -> bool:
    """Whether the program has begun to import what the page needs."""
    return "pydantic_core" in Path(f"/proc/{process}/maps").read_text(encoding="utf-8")


def has_worker(process: int, mark: str) -> bool:
    """Whether a worker has been started, which imports for a second from here on."""
    return any("--multiprocessing-fork" in command_of(each) for each in marked(mark) if parent_of(each) == process)


def command_of(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8")
    except OSError:
        return ""


def asked(address: str, path: str, body: Any, *, is_answered: bool = True) -> socket.socket:
    """A connection on which something was asked, and of which the answer has begun."""
    host, port = address.removeprefix("http://").split(":")
    content = json.dumps(body).encode()
    connection = socket.create_connection((host, int(port)))
    head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
    connection.sendall(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
    if is_answered:
        assert connection.recv(1 << 16)
    return connection


HEAVY = {"rules": "5x8", "rows": ["AABBC XO"], "seconds": 10}
ARENA = {"kind": "arena", "rules": "4x6", "codebreakers": ["random"], "games": 1_000_000}


MOMENTS = ["imports", "worker", "address", "half-sent", "request", "run", "stopped"]
SIGNALS = [signal.SIGINT, signal.SIGTERM]
AT_MOMENTS = [(moment, SIGNALS[(at + turn) % 2]) for turn in range(2) for at, moment in enumerate(MOMENTS)]
"""Each moment with one of the signals, then with the other."""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="what is left is looked up in /proc")
@pytest.mark.parametrize(("moment", "number"), often(len(MOMENTS), AT_MOMENTS))
def test_a_signal_at_any_moment_is_one_line_and_no_process_is_left(
    tmp_path: Path, moment: str, number: signal.Signals
) -> None:
    with hearing():
        process, mark = start(["serve", "--port", "0", "--no-open", "--data", str(tmp_path)], tmp_path)
    assert process.stdout is not None
    assert process.stderr is not None
    address = ""
    if moment in {"imports", "worker"}:
        happened = {"imports": is_importing, "worker": has_worker}[moment]
        assert wait_until(lambda: happened(process.pid, mark))
    else:
        address = process.stdout.readline().strip()
    with ExitStack() as connections:
        if moment == "half-sent":
            one = socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])))
            connections.enter_context(closing(one))
            one.sendall(b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99\r\n\r\n{")
        if moment == "request":
            connections.enter_context(closing(asked(address, "/api/advice", HEAVY, is_answered=False)))
        if moment == "run":
            connections.enter_context(closing(asked(address, "/api/runs", ARENA)))
        # Ctrl-C and batch systems reach every process of the session, `kill` the first alone.
        (os.killpg if number == signal.SIGINT or moment == "worker" else os.kill)(process.pid, number)
        said = process.stderr.readline() if moment == "stopped" else ""
        with suppress(ProcessLookupError):
            os.kill(process.pid, number)
        _, rest = process.communicate(timeout=PATIENCE)

    assert said + rest == "entropeg: stopped\n"
    assert process.returncode == 0
    assert wait_until(lambda: not marked(mark))


def test_work_that_is_under_way_when_the_server_ends_is_answered_in_a_sentence(tmp_path: Path) -> None:
    with (
        serving(tmp_path) as (program, address),
        closing(asked(address, "/api/advice", HEAVY, is_answered=False)) as one,
    ):
        urllib.request.urlopen(f"{address}/api/about").close()  # noqa: S310 (asked later, answered: the other is there)
        program.send_signal(signal.SIGTERM)
        answer = one.makefile("rb").read().decode()  # To the end of the connection: head and body may come apart.

    assert answer.startswith("HTTP/1.1 503 ")
    assert "the server is ending: ask again when it has started" in answer


def run(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "entropeg", "serve", "--no-open", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def test_a_port_in_use_is_told_in_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run("--port", str(port), "--data", str(tmp_path))

    assert done.returncode == 2
    assert done.stderr == (
        f"entropeg: port {port} of 127.0.0.1 is in use: is the page open already? --port 0 takes a free one\n"
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--host", "192.0.2.1"], "the address 192.0.2.1, port 0, cannot be listened on"),
        (["--host", "no such host"], "cannot be listened on"),
        (["--host", "\udcff.txt"], "is no address to listen on"),
        (["--data", "/dev/null/x"], "cannot be used"),
        (["--lang", "xx"], "xx"),
    ],
)
def test_what_cannot_be_is_told_in_one_sentence(tmp_path: Path, options: list[str], said: str) -> None:
    done = run("--port", "0", *([] if "--data" in options else ["--data", str(tmp_path)]), *options)

    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_it_says_what_public_and_other_addresses_mean(tmp_path: Path) -> None:
    with serving(tmp_path, "--host", "0.0.0.0", "--public", "--allow-host", "play.example") as (program, address):  # noqa: S104
        ask = urllib.request.Request(f"{address}/api/about", headers={"Host": "play.example"})  # noqa: S310
        with urllib.request.urlopen(ask) as answer:  # noqa: S310 (our own address)
            about = json.load(answer)
        ask.add_header("Host", "evil.example")
        with pytest.raises(urllib.error.HTTPError, match="421"):
            urllib.request.urlopen(ask)  # noqa: S310 (our own address)
        program.send_signal(signal.SIGTERM)
        _, said = program.communicate(timeout=300)

    assert about["public"]
    assert "every machine that can reach this one" in said
    assert "60 of them a minute" in said


def test_without_the_extra_it_says_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "uvicorn.py").write_text("raise ModuleNotFoundError(\"No module named 'uvicorn'\", name='uvicorn')")
    program = (
        "import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); runpy.run_module('entropeg', run_name='__main__')"
    )
    command = [sys.executable, "-c", program, str(tmp_path), "serve", "--no-open"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)

    assert done.returncode == 2
    assert done.stderr == (
        "entropeg: the page needs FastAPI and its kin: "
        'python -m pip install ".[web]" in the folder of the sources of entropeg\n'
    )


def test_answers_do_not_wait_for_one_another_in_the_socket() -> None:
    # asyncio sets TCP_NODELAY on connections whose protocol is named; without it each answer waits for some 40 ms.
    with bound(Settings(data=Path(), port=0)) as listener:
        assert listener.proto == socket.IPPROTO_TCP
