"""Long runs of the page's server: begun, watched, stopped, gone on with after any end of the server, forgotten."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from fastapi.testclient import TestClient

from entropeg.experiments.export import runs_data
from entropeg.experiments.runner import arena
from entropeg.web.runs.kept import RunFolder
from entropeg.web.runs.value import LongRun
from entropeg.web.settings import PUBLIC, ServerLimits
from webclient import served

ARENA: dict[str, Any] = {
    "kind": "arena",
    "rules": "3x3",
    "codebreakers": ["first-consistent", "random"],
    "games": 20,
    "seed": 7,
}
LONG: dict[str, Any] = {"kind": "arena", "rules": "4x6", "codebreakers": ["random"], "games": 500_000}
PATIENCE = 60.0

Ask = Callable[[str, str, dict[str, Any] | None], dict[str, Any]]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def client(data: Path) -> Iterator[TestClient]:
    with served(data) as client:
        yield client


def when(read: Callable[[], dict[str, Any]], holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """What is read, as soon as something holds of it."""
    end = time.monotonic() + PATIENCE
    while not holds(found := read()):
        assert time.monotonic() < end, found
        time.sleep(0.05)
    return found


def ended(client: TestClient, run: dict[str, Any]) -> dict[str, Any]:
    return when(lambda: client.get(f"/api/runs/{run['id']}").json(), lambda run: run["ended"] is not None)


def events(client: TestClient, run: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    told = []
    with client.stream("GET", f"/api/runs/{run['id']}/events") as stream:
        kind = ""
        for line in stream.iter_lines():
            key, _, value = line.partition(": ")
            if key == "event":
                kind = value
            elif key == "data":
                told.append((kind, json.loads(value)))
    return told


def test_an_arena_gives_what_the_library_gives(client: TestClient) -> None:
    begun = client.post("/api/runs", json=ARENA)
    told = events(client, begun.json())
    expected = runs_data(arena(ARENA["codebreakers"], "honest", "3x3", games=20, seed=7))
    result = told[-1][1]["result"]

    assert begun.status_code == 201
    assert {kind for kind, _ in told[:-1]} <= {"progress"}
    assert told[-1][0] == "done"
    assert told[-1][1] == client.get(f"/api/runs/{told[-1][1]['id']}").json()
    assert told[-1][1]["state"] == "done"
    assert [row["done"] for row in told[-1][1]["progress"]["rows"]] == [20] * len(expected["runs"])
    for got, wanted in zip(result["runs"], expected["runs"], strict=True):
        assert {key: value for key, value in wanted.items() if not key.startswith("seconds")}.items() <= got.items()


def test_a_proof_leaves_its_strategy_among_the_trees(client: TestClient) -> None:
    run = ended(client, client.post("/api/runs", json={"kind": "proof", "rules": "3x3"}).json())
    name = run["result"]["tree"]
    node = client.get(f"/api/trees/{name}/nodes").json()

    assert (run["state"], run["result"]["lower"], run["result"]["upper"]) == ("done", 73, 73)
    assert name in [tree["name"] for tree in client.get("/api/trees").json()["trees"]]
    assert (node["total"], node["left"], round(27 * node["expected"])) == (73, 27, 73)
    assert sum(child["size"] for child in node["children"]) == 27
    assert not run["can_resume"]

    client.delete(f"/api/runs/{run['id']}", params={"forget": True})
    assert name not in [tree["name"] for tree in client.get("/api/trees").json()["trees"]]


def test_a_run_is_cancelled_keeps_its_games_goes_on_and_is_forgotten(client: TestClient, data: Path) -> None:
    run = client.post("/api/runs", json=LONG).json()
    address = f"/api/runs/{run['id']}"
    when(lambda: client.get(address).json(), lambda run: run["progress"].get("done", 0) > 0)
    stopped = client.delete(address).json()
    client.post(f"{address}/resume")
    later = when(lambda: client.get(address).json(), lambda run: run["progress"]["done"] > stopped["progress"]["done"])
    client.delete(address, params={"forget": True})

    assert stopped["state"] == "cancelled"
    assert stopped["can_resume"]
    assert stopped["result"]["runs"][0]["count"] >= stopped["progress"]["done"] > 0
    assert later["state"] == "running"
    assert client.get(address).status_code == 404
    assert list((data / "runs").glob(f"{run['id']}*")) == []


@pytest.mark.parametrize(
    ("asked", "field", "said"),
    [
        ({**ARENA, "rules": "4x"}, "rules", "is not a board"),
        ({**ARENA, "codebreakers": ["minimx"]}, "codebreakers.0", "did you mean minimax"),
        ({**ARENA, "codebreakers": ["cmd:ls"]}, "codebreakers.0", "no codebreaker"),
        ({**ARENA, "codebreakers": ["random", "tree:/etc/passwd"]}, "codebreakers.1", "no codebreaker"),
        ({**ARENA, "codebreakers": []}, "codebreakers", "at least one"),
        ({**ARENA, "codebreakers": ["random", "random"]}, "codebreakers", "twice"),
        ({**ARENA, "codemakers": ["cheat"], "all_secrets": True}, "codemakers", "settles on no secret"),
        ({**ARENA, "games": 10**7}, "games", "more than the 1,000,000"),
        ({**ARENA, "rules": "20x20", "all_secrets": True}, "all_secrets", "more than the 1,000,000"),
        ({"kind": "proof", "rules": "6x9"}, "rules", "out of reach"),
        ({"kind": "proof", "rules": "words:english/positional"}, "rules", "exact"),
        ({"kind": "proof", "rules": "4x6", "seconds": 10**9}, "seconds", "that a run may take here"),
    ],
)
def test_what_cannot_be_run_is_refused_in_a_sentence(
    client: TestClient, asked: dict[str, Any], field: str, said: str
) -> None:
    answer = client.post("/api/runs", json=asked)

    assert answer.status_code == 422
    assert field == answer.json()["field"]
    assert said in answer.json()["error"]


def test_runs_wait_for_their_turn_and_no_more_than_may_wait(tmp_path: Path) -> None:
    limits = ServerLimits(workers=1, runs=1, runs_waiting=1)
    with served(tmp_path, limits=limits) as client:
        first, second = (client.post("/api/runs", json=LONG).json() for _ in range(2))
        third = client.post("/api/runs", json=LONG)
        listed = client.get("/api/runs").json()["runs"]
        client.delete(f"/api/runs/{first['id']}")
        turned = when(lambda: client.get(f"/api/runs/{second['id']}").json(), lambda run: run["state"] == "running")
        client.delete(f"/api/runs/{second['id']}")

    assert (first["state"], second["state"], turned["state"]) == ("running", "waiting", "running")
    assert third.status_code == 429
    assert "1 run at once, 1 waiting" in third.json()["error"]
    assert [run["id"] for run in listed] == [second["id"], first["id"]]


def test_on_a_public_server_runs_are_stopped_by_who_began_them(tmp_path: Path) -> None:
    with served(tmp_path, public=True, limits=PUBLIC) as client:
        run = client.post("/api/runs", json={**ARENA, "games": 10_000}).json()
        own = dict(client.cookies)
        client.cookies.clear()
        address = f"/api/runs/{run['id']}"
        strange = [client.delete(address), client.post(f"{address}/resume")]
        seen = client.get(address).json()
        client.cookies.update({**own, "visitor": "another"})
        strange.append(client.delete(address, params={"forget": True}))
        client.cookies.update(own)
        gone = client.delete(address, params={"forget": True})

    assert [answer.status_code for answer in strange] == [403] * 3
    assert "begun in another browser" in strange[0].json()["error"]
    assert seen["id"] == run["id"]
    assert "owner" not in seen
    assert gone.status_code == 200


def test_a_public_server_keeps_tighter_limits(tmp_path: Path) -> None:
    with served(tmp_path, public=True, limits=PUBLIC) as client:
        answer = client.post("/api/runs", json={**ARENA, "games": 20_000})

    assert answer.status_code == 422
    assert "more than the 20,000 that a run plays here" in answer.json()["error"]
    assert answer.json()["expected"] == 10_000


def test_damaged_files_are_told_of_and_left_alone(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "runs")
    folder.path.mkdir()
    kept = LongRun("0" * 12, "arena", ARENA, "done", created=1.0, ended=2.0)
    folder.write(kept)
    wrong = {"1" * 12: b"{", "2" * 12: b"[]", "3" * 12: json.dumps({**kept.to_json(), "state": "odd"}).encode()}
    wrong["4" * 12] = json.dumps({**kept.to_json(), "request": 5}).encode()
    wrong["5" * 12] = json.dumps(kept.to_json()).encode()
    for name, content in wrong.items():
        folder.file(name, ".json").write_bytes(content)
    with served(tmp_path) as client:
        listed = client.get("/api/runs").json()
        shown = client.get(f"/api/runs/{'1' * 12}")
        removed = client.delete(f"/api/runs/{'1' * 12}", params={"forget": True})

    assert [run["id"] for run in listed["runs"]] == [kept.id]
    assert {each["file"] for each in listed["unread"]} == {f"{name}.json" for name in wrong}
    assert (shown.status_code, removed.status_code) == (404, 404)
    assert "damaged" in shown.json()["error"]
    assert {name: folder.file(name, ".json").read_bytes() for name in wrong} == wrong


def test_runs_of_the_command_line_are_listed_and_shown_but_not_touched(tmp_path: Path) -> None:
    (tmp_path / "stores").mkdir()
    played = arena(["first-consistent"], "honest", "2x3", games=5, store=tmp_path / "stores" / "mine.sqlite")
    (tmp_path / "stores" / "other.txt").write_text("no store", encoding="utf-8")
    with served(tmp_path) as client:
        listed = client.get("/api/runs").json()
        [run] = listed["runs"]
        shown = client.get(f"/api/runs/{run['id']}").json()
        removed = client.delete(f"/api/runs/{run['id']}", params={"forget": True})
        nothing = [client.get(f"/api/runs/{name}").status_code for name in ("mine.sqlite~9", "..~1", "keeper.lock")]

    assert (run["store"], run["state"], run["result"]) == ("mine.sqlite", "done", None)
    assert shown["result"]["runs"][0]["mean"] == played[0].statistics.mean
    assert [each["file"] for each in listed["unread"]] == ["other.txt"]
    assert str(tmp_path) not in json.dumps(listed)
    assert removed.status_code == 422
    assert nothing == [404, 404, 404]


def test_a_second_server_in_the_same_folder_only_looks(tmp_path: Path) -> None:
    with served(tmp_path) as keeper, served(tmp_path) as other:
        run = ended(keeper, keeper.post("/api/runs", json=ARENA).json())
        refused = other.post("/api/runs", json=ARENA)
    with served(tmp_path) as later:
        shown = later.get(f"/api/runs/{run['id']}").json()

    assert refused.status_code == 503
    assert "another server" in refused.json()["error"]
    assert shown["result"] == run["result"]


# ------------------------------------------------------------ a server of its own

SERVER = """
import sys
from pathlib import Path
from entropeg import signals
from entropeg.web.serving import serve
from entropeg.web.settings import ServerLimits, Settings
if __name__ == "__main__":
    settings = Settings(Path(sys.argv[1]), port=0, warm=False, limits=ServerLimits(workers=1, runs=1))
    serve(settings, lambda address: print(address, flush=True))
"""


@contextmanager
def server(data: Path) -> Iterator[tuple[subprocess.Popen[str], Ask]]:
    """A server in a process of its own, and what asks it."""
    (data / "server.py").write_text(SERVER, encoding="utf-8")
    command = [sys.executable, str(data / "server.py"), str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()

            def ask(method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
                content = None if body is None else json.dumps(body).encode()
                request = Request(address + path, content, {"Content-Type": "application/json"}, method=method)  # noqa: S310 (our own server)
                with urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
                    found: dict[str, Any] = json.loads(answer.read())
                    return found

            ask.__dict__["port"] = int(address.rpartition(":")[2])
            yield process, ask
        finally:
            process.kill()


def descendants(pid: int) -> set[int]:
    """Processes that a process has started, and those that these have, of which some may have ended."""
    found = set()
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (task / "children").read_text(encoding="ascii").split()):
            found |= {child} | descendants(child)
    return found


def is_alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="processes are looked up in /proc")
def test_a_server_that_is_killed_goes_on_with_its_runs_and_one_that_is_stopped_stops_at_once(tmp_path: Path) -> None:
    with server(tmp_path) as (process, ask):
        run = ask("POST", "/api/runs", LONG)
        address = f"/api/runs/{run['id']}"
        before = when(lambda: ask("GET", address, None), lambda run: run["progress"].get("done", 0) > 0)
        started = descendants(process.pid)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        when(dict, lambda _: not any(map(is_alive, started)))
    with server(tmp_path) as (process, ask):
        after = when(lambda: ask("GET", address, None), lambda run: run["progress"].get("done", 0) > 0)
        with socket.create_connection(("127.0.0.1", ask.__dict__["port"])) as watcher:
            watcher.sendall(f"GET {address}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            assert watcher.recv(100).startswith(b"HTTP/1.1 200")
            started = descendants(process.pid)
            process.terminate()
            code = process.wait(PATIENCE)
        survivors = [pid for pid in started if is_alive(pid)]
    kept = json.loads((tmp_path / "runs" / f"{run['id']}.json").read_text(encoding="utf-8"))

    assert before["state"] == "running"
    assert after["state"] == "running"
    assert after["progress"]["done"] > 0
    assert code == 0
    assert survivors == []
    assert kept["state"] == "interrupted"
    assert kept["result"]["runs"][0]["count"] >= after["progress"]["done"]
