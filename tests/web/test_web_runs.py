"""Long runs of the page's server: begun, watched, stopped, gone on with after any end of the server, forgotten."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar
from urllib.request import Request, urlopen

import pytest
from fastapi.testclient import TestClient

from entropeg.errors import EntropegError, InputError
from entropeg.experiments.export import runs_data
from entropeg.experiments.results import Progress
from entropeg.experiments.runner import arena
from entropeg.experiments.store import Store
from entropeg.texts import say, say_all
from entropeg.told import Told
from entropeg.web.refusals import RefusedError
from entropeg.web.runs.arenas_and_proofs import Standing
from entropeg.web.runs.keeper import FAULT, RunEnd, RunKeeper
from entropeg.web.runs.kept import RunFolder, locked, tree_name
from entropeg.web.runs.value import LongRun, RunTask
from entropeg.web.serving import create_app
from entropeg.web.settings import PUBLIC, ServerLimits, Settings
from webclient import WorkersAtHand, served

pytestmark = pytest.mark.slow

ARENA: dict[str, Any] = {
    "kind": "arena",
    "rules": "3x3",
    "codebreakers": ["first-consistent", "random"],
    "games": 20,
    "seed": 7,
}
LONG: dict[str, Any] = {"kind": "arena", "rules": "4x6", "codebreakers": ["random"], "games": 500_000}
PATIENCE = 300.0
"""Seconds after which what a test waits for is taken for lost, on a machine that is busy with other things."""

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


def saved(data: Path, run: dict[str, Any]) -> int:
    """Games in the store of a run, as soon as there are any."""
    store = data / "runs" / f"{run['id']}.games"
    found = when(lambda: {"games": sum(row.played for row in Store(store).listed())}, lambda found: found["games"] > 0)
    return int(found["games"])


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


def test_a_file_of_a_run_keeps_its_sentences() -> None:
    error = Told("{file}: {error}", "a.games", InputError("no code fits all rows"))
    run = LongRun("0" * 12, "arena", {"rules": "4x6"}, "failed", error=error)
    run = run.now(progress=Standing({"codebreakers": ["auto"], "codemakers": ["honest"], "games": 5}).told())
    read = LongRun.read(json.loads(json.dumps(run.kept())))

    assert read.kept() == run.kept()
    assert say(read.error or "", "fr") == "a.games\u00a0: aucun code ne convient à toutes les lignes"
    assert say_all(read.to_json(), "fr")["progress"]["says"] == "0 sur 5 parties"


def test_a_game_that_takes_long_says_its_turn_in_either_language() -> None:
    standing = Standing({"codebreakers": ["auto"], "codemakers": ["honest"], "games": 1})
    now = standing.after(Progress(("auto", "honest"), 0, 1, turns=(1204,)))

    assert "0 of 1 game; turn 1,204 of the game under way" == now["says"]
    assert "0 sur 1 partie\u202f; tour 1\u202f204 de la partie en cours" == say_all(now, "fr")["says"]
    assert "1 of 1 game" == standing.after(Progress(("auto", "honest"), 1, 1))["says"]


def test_a_proof_leaves_its_strategy_among_the_trees(client: TestClient) -> None:
    run = ended(client, client.post("/api/runs", json={"kind": "proof", "rules": "3x3"}).json())
    name = run["result"]["tree"]
    node = client.get(f"/api/trees/{name}/nodes").json()

    assert (run["state"], run["result"]["lower"], run["result"]["upper"]) == ("done", 73, 73)
    assert name in [tree["name"] for tree in client.get("/api/trees").json()["trees"]]
    assert (node["total"], node["node"]["left"], round(27 * node["node"]["expected"])) == (73, 27, 73)
    assert sum(child["size"] for child in node["node"]["children"]) == 27
    assert not run["can_resume"]

    client.delete(f"/api/runs/{run['id']}", params={"forget": True})
    assert name not in [tree["name"] for tree in client.get("/api/trees").json()["trees"]]


def test_a_run_is_cancelled_keeps_its_games_goes_on_and_is_forgotten(client: TestClient, data: Path) -> None:
    run = client.post("/api/runs", json=LONG).json()
    address = f"/api/runs/{run['id']}"
    kept = saved(data, run)
    stopped = client.delete(address).json()
    client.post(f"{address}/resume")
    later = when(lambda: client.get(address).json(), lambda run: run["progress"]["done"] > stopped["progress"]["done"])
    client.delete(address, params={"forget": True})

    assert stopped["state"] == "cancelled"
    assert stopped["can_resume"]
    assert stopped["result"]["runs"][0]["count"] >= kept > 0
    assert later["state"] == "running"
    assert client.get(address).status_code == 404
    assert list((data / "runs").glob(f"{run['id']}*")) == []


def process_of(client: TestClient, run: dict[str, Any]) -> int:
    """The number of the process of a run that has begun."""
    found: int = client.app.state.runs._records[run["id"]].call.process._process.pid  # type: ignore[attr-defined]
    return found


def test_a_run_whose_process_is_killed_keeps_the_table_of_its_games(client: TestClient, data: Path) -> None:
    run = client.post("/api/runs", json=LONG).json()
    kept = saved(data, run)
    os.kill(process_of(client, run), signal.SIGKILL)
    found = ended(client, run)

    assert found["state"] == "failed"
    assert "SIGKILL" in found["error"]
    assert found["result"]["runs"][0]["count"] >= kept > 0


def test_a_run_whose_process_has_no_time_to_end_keeps_the_table_of_its_games(
    client: TestClient, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("entropeg.web.runs.keeper.GRACE", 0.0)
    run = client.post("/api/runs", json=LONG).json()
    kept = saved(data, run)
    os.kill(process_of(client, run), signal.SIGSTOP)  # as one that gets no processor
    stopped = client.delete(f"/api/runs/{run['id']}").json()

    assert (stopped["state"], stopped["error"]) == ("cancelled", None)
    assert stopped["result"]["runs"][0]["count"] >= kept > 0


def test_a_run_that_is_stopped_before_its_arena_keeps_the_table_of_its_games(tmp_path: Path) -> None:
    folder, run = RunFolder(tmp_path / "runs"), {"id": "0" * 12}
    folder.path.mkdir()
    asked = {**LONG, "codemakers": ["honest"], "seed": 7, "all_secrets": False, "adjusted": False}
    folder.write(LongRun(run["id"], "arena", asked, "interrupted", created=1.0))
    arena("random", "honest", "4x6", games=20, seed=7, store=folder.file(run["id"], ".games"))
    busy = locked(folder.file(run["id"], ".lock"))  # its process waits for this
    with served(tmp_path) as client:
        stopped = client.delete(f"/api/runs/{run['id']}").json()
    assert busy is not None
    busy.close()

    assert (stopped["state"], stopped["error"]) == ("cancelled", None)
    assert stopped["result"]["runs"][0]["count"] == 20


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
        ({"kind": "proof", "rules": "6x6/positional"}, "rules", "different answers"),
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
    wrong = {"1" * 12: b"{", "2" * 12: b"[]", "3" * 12: json.dumps({**kept.kept(), "state": "odd"}).encode()}
    wrong["4" * 12] = json.dumps({**kept.kept(), "request": 5}).encode()
    wrong["5" * 12] = json.dumps(kept.kept()).encode()
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


def test_a_second_server_in_the_same_folder_looks_on_and_takes_over(tmp_path: Path) -> None:
    folder, name = RunFolder(tmp_path / "runs"), "0" * 12
    with served(tmp_path) as keeper, served(tmp_path) as other:
        run = keeper.post("/api/runs", json=ARENA).json()
        refused = other.post("/api/runs", json=ARENA)
        seen = other.get(f"/api/runs/{run['id']}").json()
        told = events(other, run)
        shown = [client.get(f"/api/runs/{run['id']}").json() for client in (keeper, other)]
        folder.write(LongRun(name, "arena", run["request"], "running", created=1.0))
        keeper.app.state.runs.folder.let_go()  # type: ignore[attr-defined]  # the app is one of FastAPI
        gone_on = ended(other, {"id": name})
        forgotten = other.delete(f"/api/runs/{run['id']}", params={"forget": True})

    assert refused.status_code == 503
    assert "another server" in refused.json()["error"]
    assert seen["id"] == run["id"]
    assert [("done", one) for one in shown] == [told[-1]] * 2
    assert (gone_on["state"], gone_on["progress"]["done"]) == ("done", 40)
    assert forgotten.status_code == 200


def test_a_folder_that_cannot_be_used_is_told_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("no folder", encoding="utf-8")
    with served(tmp_path) as client:
        refused = client.post("/api/runs", json=ARENA)
        listed = client.get("/api/runs")
        (tmp_path / "runs").unlink()
        kept = client.post("/api/runs", json=ARENA)

    assert refused.status_code == 503
    assert "no runs are kept here: the folder runs cannot be used: File exists" in refused.json()["error"]
    assert listed.json() == {"runs": [], "unread": []}
    assert kept.status_code == 201


def test_forgetting_a_run_removes_its_own_trees_alone(tmp_path: Path) -> None:
    folder, trees = RunFolder(tmp_path / "runs"), tmp_path / "trees"
    folder.path.mkdir()
    trees.mkdir()
    proofs = ("0" * 12, "0" * 6 + "1" * 6, "0" * 6 + "2" * 6)
    older = f"best-3x3-{'0' * 6}.tree"  # as earlier versions named them
    for name in proofs:
        result = {"tree": older} if name == proofs[0] else None
        folder.write(LongRun(name, "proof", {"rules": "3x3"}, "done", result=result, created=1.0, ended=2.0))
        (trees / tree_name(name, "optimal", "3x3")).touch()
    for name in (older, f"mine-{'0' * 6}.tree", f"mine-{proofs[1]}.tree"):
        (trees / name).touch()
    with served(tmp_path) as client:
        client.delete(f"/api/runs/{proofs[1]}", params={"forget": True})
        first = {tree.name for tree in trees.iterdir()}
        client.delete(f"/api/runs/{proofs[0]}", params={"forget": True})
        second = {tree.name for tree in trees.iterdir()}

    own, others = tree_name(proofs[2], "optimal", "3x3"), {f"mine-{'0' * 6}.tree", f"mine-{proofs[1]}.tree"}
    assert first == {older, own, tree_name(proofs[0], "optimal", "3x3"), *others}
    assert second == {own, *others}


def test_what_a_process_fails_of_is_told_and_written_down(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = RunFolder(tmp_path / "runs")
    folder.path.mkdir()
    folder.write(LongRun("0" * 12, "arena", {"codebreakers": ["random"]}, "interrupted", created=1.0))
    with served(tmp_path) as client:
        run = ended(client, {"id": "0" * 12})

    assert (run["state"], run["error"]) == ("failed", FAULT)
    assert "KeyError" in caplog.text
    assert "Traceback" in caplog.text


# ------------------------------------------------------------ with processes that do nothing


class Idle:
    """In the place of the processes of runs: do nothing for `seconds`, and end somewhat after they are asked to."""

    seconds = 60.0
    end = RunEnd("done")
    begun: ClassVar[list[RunTask]] = []

    def __init__(self, *_: object, alone: bool) -> None:
        """Nothing is begun yet."""
        self.calls: list[IdleCall] = []

    def begin(self, _: object, task: RunTask, *, hear: object) -> IdleCall:
        self.begun.append(task)
        self.calls.append(IdleCall(self.seconds, self.end))
        return self.calls[-1]

    def stop(self) -> None:
        """There is nothing to end."""


class IdleCall:
    """A call of which nothing comes but its end."""

    def __init__(self, seconds: float, end: RunEnd) -> None:
        self.future = Future[tuple[str, dict[str, Any] | None]]()
        self.loop = asyncio.get_running_loop()
        self.ends_in(seconds, end)

    def ends_in(self, seconds: float, end: RunEnd) -> None:
        self.loop.call_later(seconds, self._end, end)

    def _end(self, end: RunEnd) -> None:
        if self.future.done():
            return
        if end.error is None:
            self.future.set_result((end.how, end.result))
        else:
            self.future.set_exception(EntropegError(end.error))

    def ask_to_end(self) -> None:
        self.ends_in(0.05, RunEnd("stopped"))

    def end(self) -> None:
        """It ends when it is asked to."""


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> type[Idle]:
    monkeypatch.setattr("entropeg.web.runs.keeper.ProcessPool", Idle)
    monkeypatch.setattr(Idle, "begun", [])
    return Idle


def kept_by(data: Path, limits: ServerLimits, *runs: LongRun) -> RunKeeper:
    folder = RunFolder(data / "runs")
    folder.path.mkdir(exist_ok=True)
    for run in runs:
        folder.write(run)
    return RunKeeper(Settings(data, limits=limits))


PROOF = {"rules": "3x3", "worst": False, "seconds": 600.0}


@pytest.mark.usefixtures("idle")
def test_a_run_that_is_stopped_while_the_server_ends_is_waited_for(tmp_path: Path) -> None:
    async def both() -> tuple[LongRun, LongRun]:
        keeper = kept_by(tmp_path, ServerLimits())
        await keeper.start()
        first, second = (keeper.add("proof", PROOF) for _ in range(2))
        await asyncio.sleep(0)
        ends = [asyncio.ensure_future(keeper.cancel(first.id)), asyncio.ensure_future(keeper.forget(second.id))]
        await asyncio.sleep(0)
        keeper.close()
        found = await asyncio.wait_for(asyncio.gather(*ends), PATIENCE)
        await keeper.stop()
        return found[0], found[1]

    cancelled, forgotten = asyncio.run(both())

    assert (cancelled.state, forgotten.state) == ("cancelled", "cancelled")
    assert [file.stem for file in (tmp_path / "runs").glob("*.json")] == [cancelled.id]


def test_the_parts_of_a_run_take_no_longer_than_one_may(tmp_path: Path, idle: type[Idle]) -> None:
    tried = LongRun("0" * 12, "proof", PROOF, "interrupted", created=1.0, seconds=590.0)
    over = LongRun("1" * 12, "proof", PROOF, "cancelled", created=1.0, seconds=600.5)

    async def begin() -> None:
        keeper = kept_by(tmp_path, PUBLIC, tried, over)
        await keeper.start()
        with pytest.raises(RefusedError, match="has had the 600 s that a run may take"):
            keeper.resume(over.id)
        await keeper.stop()

    asyncio.run(begin())

    assert [task.seconds for task in idle.begun] == [10.0]


class IdleTogether(Idle):
    """End by themselves as soon as another one has been asked to end."""

    def begin(self, function: object, task: RunTask, *, hear: object) -> IdleCall:
        call = super().begin(function, task, hear=hear)

        def ask() -> None:
            for each in self.calls:
                each.ends_in(0.0, RunEnd("stopped" if each is call else "done"))

        call.ask_to_end = ask  # type: ignore[method-assign]
        return call


def test_a_proof_ends_by_itself_where_an_arena_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("entropeg.web.runs.keeper.ProcessPool", IdleTogether)

    async def end() -> list[LongRun]:
        keeper = kept_by(tmp_path, ServerLimits(run_seconds=1.0))
        await keeper.start()
        runs = [keeper.add(kind, PROOF).id for kind in ("proof", "arena")]
        await asyncio.gather(*keeper._tasks)
        await keeper.stop()
        return [keeper.run(name) for name in runs]

    proof, arena = asyncio.run(end())

    assert (proof.state, proof.error) == ("done", None)
    assert arena.state == "cancelled"
    assert "stopped after 1 s" in (arena.error or "")


def test_a_store_that_cannot_be_read_takes_nothing_from_what_is_known(
    tmp_path: Path, idle: type[Idle], monkeypatch: pytest.MonkeyPatch
) -> None:
    known = {"runs": [{"count": 5}]}
    run = LongRun("0" * 12, "arena", ARENA, "interrupted", created=1.0, result=known)
    folder = RunFolder(tmp_path / "runs")
    folder.path.mkdir()
    folder.file(run.id, ".games").write_bytes(b"no store")
    monkeypatch.setattr(idle, "seconds", 0.0)
    monkeypatch.setattr(idle, "end", RunEnd("failed", error="no reason"))

    async def end() -> LongRun:
        keeper = kept_by(tmp_path, ServerLimits(), run)
        await keeper.start()
        await asyncio.gather(*keeper._tasks)
        await keeper.stop()
        return keeper.run(run.id)

    found = asyncio.run(end())

    assert (found.state, found.error, found.result) == ("failed", "no reason", known)


@pytest.mark.usefixtures("idle")
def test_a_visitor_has_one_open_run_and_the_machine_itself_may_stop_any(tmp_path: Path) -> None:
    app = create_app(Settings(tmp_path, public=True, warm=False, limits=PUBLIC))
    app.state.workers = WorkersAtHand()
    visitor = {"X-Forwarded-For": "1.2.3.4"}
    with TestClient(app, base_url="http://127.0.0.1:8000", client=("127.0.0.1", 50_000)) as client:
        first, more = (client.post("/api/runs", json=ARENA, headers=visitor) for _ in range(2))
        client.cookies.clear()
        second = client.post("/api/runs", json=ARENA, headers=visitor)
        client.cookies.clear()
        address = f"/api/runs/{first.json()['id']}"
        strange = [client.delete(address, headers=told) for told in (visitor, {"Forwarded": "for=1.2.3.4"})]
        stopped = client.delete(address)

    assert [answer.status_code for answer in (first, more, second)] == [201, 429, 201]
    assert "a run of yours goes on" in more.json()["error"]
    assert [answer.status_code for answer in strange] == [403] * 2
    assert stopped.json()["state"] == "cancelled"


def test_no_more_streams_of_events_are_open_than_may_be(tmp_path: Path) -> None:
    run = LongRun("0" * 12, "arena", ARENA, "done", created=1.0, ended=2.0)
    kept_by(tmp_path, ServerLimits(), run)
    with served(tmp_path, limits=ServerLimits(workers=1, streams=1)) as client:
        keeper = client.app.state.runs  # type: ignore[attr-defined]  # the app is one of FastAPI
        told = [events(client, run.to_json()) for _ in range(2)]
        keeper.listen()
        refused = client.get(f"/api/runs/{run.id}/events")
        keeper.leave()

    assert [[kind for kind, _ in each] for each in told] == [["done"], ["done"]]
    assert refused.status_code == 503
    assert "too many watch runs here just now (1, " in refused.json()["error"]
    assert keeper.listening == 0


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


def is_tracker(pid: int) -> bool:
    """Whether a process is the one of multiprocessing that ends last, once it has tidied up after all others."""
    return b"resource_tracker" in Path(f"/proc/{pid}/cmdline").read_bytes()


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
        games = saved(tmp_path, run)
        with socket.create_connection(("127.0.0.1", ask.__dict__["port"])) as watcher:
            watcher.sendall(f"GET {address}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            assert watcher.recv(100).startswith(b"HTTP/1.1 200")
            started = descendants(process.pid)
            trackers = {pid for pid in started if is_tracker(pid)}
            process.terminate()
            code = process.wait(PATIENCE)
        survivors = [pid for pid in started - trackers if is_alive(pid)]
    kept = json.loads((tmp_path / "runs" / f"{run['id']}.json").read_text(encoding="utf-8"))

    assert before["state"] == "running"
    assert after["state"] == "running"
    assert after["progress"]["done"] > 0
    assert code == 0
    assert survivors == []
    assert kept["state"] == "interrupted"
    assert kept["result"]["runs"][0]["count"] >= games > 0
