"""Worker processes of the page's server: deadlines, memory, ends, and what becomes of those who wait."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from entropeg.errors import InputError
from entropeg.web import work
from entropeg.web.refusals import DeadlineError, RefusedError
from entropeg.web.settings import PUBLIC, ServerLimits
from entropeg.web.tasks.warming import KernelsShown, warm_up
from entropeg.web.work import KernelState, TaskWorkers
from webclient import served_at_hand

CHECKING = "entropeg.web.tasks.checking:"
LIMITS = ServerLimits(workers=1, waiting=1, memory=256 << 20)


@pytest.fixture(scope="module")
def workers() -> Iterator[TaskWorkers]:
    workers = TaskWorkers(LIMITS)
    yield workers
    workers.stop()


def do(workers: TaskWorkers, task: str, data: object = None, seconds: float = 30) -> object:
    return asyncio.run(workers.do(CHECKING + task, data, seconds=seconds))


def test_work_is_done_in_another_process_with_plain_data(workers: TaskWorkers) -> None:
    assert do(workers, "add", {"numbers": [1, 2]}) == 3
    assert do(workers, "process") != os.getpid()


def test_an_error_of_the_library_comes_back_as_it_is(workers: TaskWorkers) -> None:
    with pytest.raises(InputError, match="there is nothing to add"):
        do(workers, "add", {"numbers": []})


def test_work_beyond_its_time_is_ended_and_told(workers: TaskWorkers) -> None:
    before = do(workers, "process")
    with pytest.raises(RefusedError, match="longer than the 200 ms") as refused:
        do(workers, "sleep", {"seconds": 60}, seconds=0.2)

    assert refused.value.status == 422
    assert do(workers, "process") != before


def test_work_beyond_its_memory_is_told_and_its_process_stays(workers: TaskWorkers) -> None:
    before = do(workers, "process")
    with pytest.raises(RefusedError, match="more than the 256 MB"):
        do(workers, "fill", {"bytes": 1 << 30})

    assert do(workers, "process") == before


def test_a_process_that_ends_is_told_and_replaced(workers: TaskWorkers) -> None:
    with pytest.raises(RefusedError, match="has ended") as refused:
        do(workers, "die")

    assert refused.value.status == 503
    assert do(workers, "add", {"numbers": [1]}) == 1


def test_work_that_is_cancelled_ends_and_what_waited_for_it_comes_next(workers: TaskWorkers) -> None:
    async def both() -> object:
        first = asyncio.ensure_future(workers.do(f"{CHECKING}sleep", {"seconds": 60}, seconds=600))
        second = asyncio.ensure_future(workers.do(f"{CHECKING}add", {"numbers": [4]}, seconds=600))
        await asyncio.sleep(0.2)
        with pytest.raises(RefusedError, match="too much to do"):
            await workers.do(f"{CHECKING}add", {"numbers": [5]}, seconds=600)
        first.cancel()
        with suppress(asyncio.CancelledError):
            await first
        return await second

    assert asyncio.run(both()) == 4
    assert workers.busy == 0


def test_processes_that_end_while_they_have_nothing_to_do_are_replaced(workers: TaskWorkers) -> None:
    before = do(workers, "process")
    assert isinstance(before, int)
    os.kill(before, signal.SIGKILL)
    end = time.monotonic() + 300
    while any(each.is_alive() for each in workers._pool._processes) and time.monotonic() < end:
        time.sleep(0.02)

    assert do(workers, "process") not in {before, None}
    assert do(workers, "add", {"numbers": [3]}) == 3


def test_a_machine_that_starts_no_process_is_told_and_asked_again_later(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_more(*_: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    workers = TaskWorkers(LIMITS)
    monkeypatch.setattr("entropeg.executors.pool._PoolProcess", no_more)
    with pytest.raises(RefusedError, match="no process can be started") as refused:
        do(workers, "add", {"numbers": [1]})

    assert refused.value.status == 503
    assert workers.busy == 0
    workers.stop()
    with pytest.raises(RefusedError, match="the server is ending"):
        do(workers, "add", {"numbers": [1]})


def test_deadlines_are_kept_by_a_clock_that_nobody_sets(workers: TaskWorkers, monkeypatch: pytest.MonkeyPatch) -> None:
    do(workers, "process")
    real, ahead = time.time, [0.0]
    monkeypatch.setattr(time, "time", lambda: real() + ahead[0])

    async def set_meanwhile() -> object:
        work = asyncio.ensure_future(workers.do(f"{CHECKING}sleep", {"seconds": 0.6}, seconds=600))
        await asyncio.sleep(0.2)
        ahead[0] = 3600.0
        return await work

    assert asyncio.run(set_meanwhile()) is None


def test_warming_has_more_time_than_other_work_and_says_where_it_fails() -> None:
    workers = TaskWorkers(ServerLimits(workers=1, seconds=0.3))
    asyncio.run(workers.do(f"{CHECKING}sleep", {"seconds": 0.5}, seconds=60, is_capped=False))
    with pytest.raises(RefusedError, match="longer than the 300 ms"):
        do(workers, "sleep", {"seconds": 60}, seconds=60)
    workers.stop()
    asyncio.run(warm_up(workers))

    assert KernelsShown.of(workers).state == "failed"
    assert "could not be made ready" in KernelsShown.of(workers).says


# ------------------------------------------------------------ the compiler


@pytest.mark.parametrize(
    ("state", "is_plain"), [("none", False), ("compiling", True), ("ready", False), ("failed", True)]
)
def test_numpy_works_until_kernels_are_ready(workers: TaskWorkers, state: KernelState, is_plain: bool) -> None:
    workers.kernels = state
    found = do(workers, "compile_for", {"seconds": 0, "more": 0})
    workers.kernels = "none"

    assert is_plain == found


def test_the_time_of_the_compiler_does_not_count(workers: TaskWorkers) -> None:
    # Longer than a process hesitates on a busy machine, once it has begun: what it takes itself counts.
    do(workers, "compile_for", {"seconds": 0, "more": 0})

    assert do(workers, "compile_for", {"seconds": 4, "more": 0}, seconds=3) is False
    with pytest.raises(DeadlineError, match="longer than the 3 s that it may take here: ask for less") as refused:
        do(workers, "compile_for", {"seconds": 4, "more": 60}, seconds=3)

    assert refused.value.status == 422


def test_nobody_is_blamed_for_what_is_not_compiled_yet(workers: TaskWorkers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "COMPILING", 0.5)
    workers.kernels = "compiling"
    with pytest.raises(DeadlineError, match="while code is compiled for this machine, once: ask again") as late:
        do(workers, "sleep", {"seconds": 60}, seconds=0.2)
    workers.kernels = "none"
    with pytest.raises(DeadlineError, match="is being compiled for this machine, once, which takes minutes") as later:
        do(workers, "compile_for", {"seconds": 60, "more": 0}, seconds=0.2)

    assert [late.value.status, later.value.status] == [503, 503]


def test_kernels_that_are_not_kept_are_not_ready_for_others() -> None:
    # In a process of its own, as a worker is: other tests compile what nobody keeps.
    program = (
        "from entropeg.errors import EntropegError; from entropeg.kernels.compile.stored import StoredCode\n"
        "from entropeg.web.tasks import warming; told = []; warming.sign_kernels = told.append; warming.warm(None)\n"
        "StoredCode.is_filled = False\n"
        "try: warming.warm(None)\n"
        "except EntropegError as error: print(error)\n"
        "print([state for state in told if state != 'compiling'])"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)

    assert ["compiled code cannot be kept: `entropeg doctor` tells more", "['ready']"] == done.stdout.splitlines()


def test_nothing_but_work_of_the_server_is_done(workers: TaskWorkers) -> None:
    with pytest.raises(Exception, match="no work of the server"):
        asyncio.run(workers.do("os:getcwd", None, seconds=1))


# ------------------------------------------------------------ budgets inside a piece of work


GAME: dict[str, Any] = {"rules": "2x3", "turns": [["AB", "O"], ["CA", "XX"]]}
ROWS: dict[str, Any] = {"rules": "4x6", "rows": []}


@pytest.mark.parametrize(
    ("address", "asked", "task", "seconds"),
    [
        ("watch", {"rules": "20x20"}, "watching:watch", 2.5),
        ("reviews", {**GAME, "seconds": 10}, "reviews:reviews", 5.0),
        ("reviews/worksheet", {**GAME, "seconds": 1}, "reviews:worksheet", 1.0),
        ("advice", {**ROWS, "seconds": 10}, "advice:advice", 5.0),
        ("advice", {**ROWS, "seconds": 10, "players": ["entropy"]}, "advice:advice", 2.5),
        ("mends", {**ROWS, "seconds": 10}, "advice:mends", 5.0),
    ],
)
def test_work_takes_its_measure_of_the_time_that_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, asked: dict[str, Any], task: str, seconds: float
) -> None:
    given: list[float] = []

    def seen(data: dict[str, Any]) -> None:
        given.append(data["seconds"])
        raise RefusedError("seen")

    module, _, seen.__name__ = task.partition(":")
    seen.__module__ = f"entropeg.web.tasks.{module}"
    monkeypatch.setattr(f"{seen.__module__}.{seen.__name__}", seen)
    with served_at_hand(tmp_path, limits=PUBLIC) as client:
        answer = client.post(f"/api/{address}", json=asked)

    assert answer.json()["error"] == "seen"
    assert given == [seconds]


def test_a_review_is_told_where_its_level_has_no_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served_at_hand(tmp_path, limits=PUBLIC) as client:
        told = client.post("/api/reviews", json={**GAME, "others": False}).json()["games"][0]
        too_long.__module__, too_long.__name__ = "entropeg.web.tasks.reviews", "levels"
        monkeypatch.setattr("entropeg.web.tasks.reviews.levels", too_long)
        cut = client.post("/api/reviews", json={**GAME, "others": False}).json()["games"][0]

    assert told["level"]["says"].startswith("level: ")
    assert cut["review"] == told["review"]
    assert cut["level"] is None
    assert cut["says"]["level"] == "no level is told: this takes longer than the 10 s"


def too_long(_: object) -> None:
    raise DeadlineError("this takes longer than the 10 s")


PROGRAM = """
import asyncio, time
from entropeg.web.settings import ServerLimits
from entropeg.web.tasks.warming import KernelsShown, warm_up
from entropeg.web.work import TaskWorkers

if __name__ == "__main__":
    workers = TaskWorkers(ServerLimits(workers=1))
    print(asyncio.run(workers.do("entropeg.web.tasks.checking:process", None, seconds=600)), flush=True)
    time.sleep(60)
"""


def test_workers_end_with_a_server_that_is_killed(tmp_path: object) -> None:
    path = f"{tmp_path}/program.py"
    with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123 (a path as text)
        file.write(PROGRAM)
    server = subprocess.Popen([sys.executable, path], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    with server:
        worker = int(server.stdout.readline())
        server.kill()
    end = time.monotonic() + 300
    while time.monotonic() < end:
        try:
            os.kill(worker, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    os.kill(worker, signal.SIGKILL)
    pytest.fail("the worker outlived its server")
