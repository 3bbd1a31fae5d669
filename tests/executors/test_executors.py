"""Where work runs changes nothing in results: processes and threads, one or many, whatever is shared."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from multiprocessing import get_all_start_methods
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest
from click.testing import CliRunner

from entropeg import Position, Rules, arena, cli, codebreakers
from entropeg.errors import InputError
from entropeg.executors import Crew, Executor, crew_of, executor_of, kept_open, travels
from entropeg.executors.notices import heard, nothing_told_back, tell_back, told_back
from entropeg.executors.pool import EndedError, ProcessPool, tell
from entropeg.executors.processes import ProcessCrew
from entropeg.experiments import runner, sharing
from entropeg.experiments.adjusted import adjusted_mean
from entropeg.experiments.sharing import shared_work
from entropeg.experiments.store import Store
from entropeg.processors import usable_processors
from entropeg.review.account import review_games
from entropeg.tree import StrategyTree, openings, pieces

WHERE = ["threads:2", "processes:2"]


@pytest.fixture(scope="module", params=WHERE)
def crew(request: pytest.FixtureRequest) -> Iterator[Crew]:
    """Workers of every kind, the same ones for all tests."""
    with crew_of(request.param) as opened:
        yield opened


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Share whatever there is to do, at once."""
    monkeypatch.setattr(ProcessCrew, "worth", 0.0)
    monkeypatch.setattr(runner, "SLICE", 0.001)
    monkeypatch.setattr(sharing, "ALONE", 0.0)
    monkeypatch.setattr(pieces, "WHOLE", 20)


# ---------------------------------------------------------------- what is asked for


@pytest.mark.parametrize("text", ["processes", "threads", "processes:8", "threads:1", "processes:1024"])
def test_an_executor_is_written_as_it_is_read(text: str) -> None:
    assert text == str(Executor.of(text))
    assert Executor.of(text) == Executor.of(f" {text.upper()} ")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "must be processes:N"),
        ("process:2", "must be processes:N"),
        ("threads:", "must be processes:N"),
        ("threads:-1", "must be processes:N"),
        ("threads:0", "the number of threads is 0; it must be at least 1"),
        ("processes:1025", "the number of processes is 1025; it must be at most 1,024"),
        ("9" * 5000, "must be processes:N"),
        ("dask://node1:0", "the port of dask://node1:0 is 0; it must be at least 1"),
        ("dask://node1:65536", "is 65536; it must be at most 65,535"),
        (4, "the executor is 4; it must be processes:N"),
        (Path("threads:2"), "must be processes:N"),
    ],
)
def test_anything_else_is_refused_in_a_sentence(given: Any, said: str) -> None:
    for ask in (partial(Executor.of, given), partial(arena, "random", "honest", "2x3", executor=given)):
        with pytest.raises(InputError, match=said) as caught:
            ask()
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 200


def test_jobs_are_processes_and_exclude_an_executor() -> None:
    assert Executor("processes", 3) == executor_of(None, 3)
    assert executor_of(None).workers == usable_processors() == Executor.of("threads").workers
    for where in ("threads:2", Executor()):
        with pytest.raises(InputError, match="jobs and executor exclude each other: jobs=3 is executor='processes:3'"):
            arena("random", "honest", "2x3", games=1, jobs=3, executor=where)
    with crew_of("threads:1") as crew, pytest.raises(InputError, match="exclude each other"):
        arena("random", "honest", "2x3", games=1, jobs=3, executor=crew)
    with pytest.raises(InputError, match="threads and executor exclude each other"):
        StrategyTree.build("minimax", "3x3", threads=2, executor="processes:2")


@pytest.mark.parametrize(
    "command",
    ["arena random honest", "report", "review game.txt", "tree build minimax 3x3", "tree openings minimax 3x3"],
)
def test_commands_take_one_of_the_options(command: str) -> None:
    for more, said in (
        ("--jobs 2 --executor threads:2", "--jobs 2 is --executor processes:2"),
        ("--executor nowhere", "the executor is 'nowhere'; it must be processes:N"),
    ):
        ended = CliRunner().invoke(cli.group, [*command.split(), *more.split()])
        assert 2 == ended.exit_code
        assert said in " ".join(ended.output.split())


# ---------------------------------------------------------------- crews


def place() -> tuple[int, int]:
    return os.getpid(), threading.get_ident()


def fails(value: int) -> int:
    if value == 3:
        raise InputError("three is too many")
    return value


def changed(given: list[int]) -> list[int]:
    given.append(1)
    return given


def test_a_crew_takes_calls_and_gives_their_results(crew: Crew) -> None:
    numbers = {crew.put(abs, -value): value for value in range(5)}
    found = dict[int, int]()
    while crew.running:
        found |= dict(crew.take())

    assert found == numbers
    assert crew.started
    assert [] == crew.take(0.0)


def test_calls_run_in_workers_and_change_nothing_here(crew: Crew) -> None:
    given = [0]
    wanted = {crew.put(place): place(), crew.put(changed, given): [0, 1]}
    found = dict[int, Any]()
    while crew.running:
        found |= dict(crew.take())
    [here] = [number for number, value in wanted.items() if value == place()]

    assert place() != found.pop(here)
    assert [[0, 1]] == list(found.values())
    assert [0] == given


def test_an_error_is_raised_after_the_results_that_came_before_it(crew: Crew) -> None:
    for value in range(4):
        crew.put(fails, value)
    time.sleep(0.5)
    found, said = list[int](), ""
    while crew.running:
        try:
            found += [value for _, value in crew.take()]
        except InputError as error:
            said = str(error)

    assert [0, 1, 2] == sorted(found)
    assert "three is too many" == said


def test_calls_that_are_forgotten_give_nothing(crew: Crew) -> None:
    for value in range(20):
        crew.put(abs, -value)
    crew.forget()
    number = crew.put(abs, -7)

    found = list[tuple[int, int]]()
    while crew.running:
        found += crew.take()
    assert [(number, 7)] == found


def test_what_cannot_travel_stays_here() -> None:
    assert travels("minimax", codebreakers.get("minimax"))
    assert not travels(lambda: 0)
    assert not travels(threading.Lock())


def test_crews_are_kept_open_for_several_calls_but_threads_need_not() -> None:
    with kept_open("threads:2") as where:
        assert Executor("threads", 2) == where
    with kept_open(None) as none:
        assert none is None
    with kept_open("processes:1") as crew, kept_open(crew) as same:
        assert isinstance(crew, Crew)
        assert crew is same


def wait_to_be_asked() -> str:
    """Say that it is there, and how it ended."""
    try:
        tell("there")
        time.sleep(300)
    except KeyboardInterrupt:
        return "in order"
    return "by itself"


def test_a_call_of_a_pool_is_heard_and_ends_in_order_or_at_once() -> None:
    pool = ProcessPool(2, int, alone=True)
    heard = [SimpleQueue[str](), SimpleQueue[str]()]
    asked, ended = (pool.begin(wait_to_be_asked, hear=each.put) for each in heard)
    told = [each.get(timeout=300) for each in heard]
    asked.ask_to_end()
    ended.end()
    with pytest.raises(EndedError, match="the process was ended by the signal SIGKILL") as caught:
        ended.future.result(300)
    outcome = asked.future.result(300)
    pool.stop()

    assert ["there", "there"] == told
    assert "in order" == outcome
    assert -9 == caught.value.code


ORPHANS = """
import os, sys
from multiprocessing import forkserver
from entropeg.executors import pool, processes

if __name__ == "__main__":
    context = processes._context()
    pool.start_tracker()
    lock = context.Lock()  # which the tracker finds and removes
    child, words = forkserver.connect_to_new_process([])
    os.close(words)  # as if the program were killed before it says what the process is for
    pid, code = (forkserver.read_signed(child) for _ in range(2))
    print(code, flush=True)
    os.kill(os.getpid(), 9)
"""


@pytest.mark.skipif("forkserver" not in get_all_start_methods(), reason="no fork server on this system")
def test_what_a_program_that_is_killed_leaves_behind_says_nothing() -> None:
    ended = subprocess.run([sys.executable, "-c", ORPHANS], capture_output=True, text=True, check=False)

    assert (-9, "1\n", "") == (ended.returncode, ended.stdout, ended.stderr)


# ---------------------------------------------------------------- the same everywhere


@pytest.mark.usefixtures("eager")
def test_games_are_the_same_wherever_they_are_played(crew: Crew, tmp_path: Path) -> None:
    breakers, makers = ["random", "consistent", "minimax", "sampling"], ["honest", "cheat"]
    plan: dict[str, Any] = {"games": 30, "seed": 8}
    alone = arena(breakers, makers, "3x4", jobs=1, **plan)
    shared = arena(breakers, makers, "3x4", executor=crew, store=tmp_path / "games.sqlite", **plan)

    assert [run.guesses.tolist() for run in alone] == [run.guesses.tolist() for run in shared]
    assert [30] * 8 == [len(run.guesses) for run in Store(tmp_path / "games.sqlite").runs()]
    assert crew.started


@pytest.mark.usefixtures("eager")
def test_other_work_is_the_same_wherever_it_is_done(crew: Crew) -> None:
    [run] = arena("consistent", "honest", "3x4", games=40, seed=1, jobs=1)
    games = [Position("4x6", ["AABB XO", "ACCD O", "BEBF XXO", "FEBA XXXX"])] * 3

    assert shared_work([1, 4, 9], float, executor=crew) == [1.0, 4.0, 9.0]
    assert adjusted_mean(run, executor=crew) == adjusted_mean(run, jobs=1)
    assert [one.line for one in review_games(games, executor=crew)] == 3 * [  # type: ignore[union-attr]
        "4 guesses: par 4.34, lost 0.76, good luck +1.10"
    ]


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("player", ["entropy", "first-consistent"])
def test_trees_are_the_same_wherever_they_grow(crew: Crew, player: str) -> None:
    rules = Rules.parse("3x6")
    alone = StrategyTree.build(player, rules)
    seen = list[int]()

    assert alone == StrategyTree.build(player, rules, executor=crew, progress=seen.append)
    assert rules.secret_count == sum(seen)
    if player == "entropy":
        assert openings(player, rules, executor=crew) == openings(player, rules)
        assert alone == StrategyTree.build(player, rules, executor="threads:2")


def heard_of(session: str, slot: int, wanted: int) -> int:
    """Wait for a notice, as a call in the midst of its work does."""
    end = time.monotonic() + 300
    while heard(session, slot)[1] != wanted and time.monotonic() < end:
        time.sleep(0.01)
    return heard(session, slot)[1]


def test_workers_hear_numbers_in_the_midst_of_a_call(crew: Crew) -> None:
    number = crew.put(heard_of, crew.session, 2, 7)
    time.sleep(0.2)
    crew.tell(2, 1, 9)
    crew.tell(2, 1, 7)
    crew.tell(2, 1, 8)

    found = list[tuple[int, int]]()
    while crew.running:
        found += crew.take()
    assert [(number, 7)] == found
    assert (1, 7) == heard(crew.session, 2)
    crew.tell(2, 2, 8)
    assert (2, 8) == heard(crew.session, 2)


def tell_and_wait(session: str, thing: int, standing: int) -> None:
    """Tell how far a thing is, as a call in the midst of its work does, until that was heard."""
    tell_back(session, thing, standing)
    heard_of(session, 3, thing)


def test_workers_tell_how_far_they_are_in_the_midst_of_a_call(crew: Crew) -> None:
    nothing_told_back(crew.session)
    crew.put(tell_and_wait, crew.session, 99_999_999, 2**32 - 1)
    end = time.monotonic() + 300
    while not told_back(crew.session) and time.monotonic() < end:
        crew.take()
    told = told_back(crew.session)
    crew.tell(3, 3, 99_999_999)
    while crew.running:
        crew.take()

    assert {99_999_999: 2**32 - 1} == told
    assert [] == list(crew.work([], 0.1))
    assert {} == told_back(crew.session)
