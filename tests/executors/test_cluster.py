"""Workers of dask: the same results as at home, whoever dies, hangs, is missing or has another version."""

from __future__ import annotations

import gc
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from entropeg import Position, Rules, __version__, arena, cli
from entropeg.errors import EntropegError, InputError, MissingExtraError
from entropeg.executors import Crew, Executor, WorkersError, crew_of
from entropeg.executors import cluster as clusters
from entropeg.executors.cluster import ClusterCrew, Pace
from entropeg.executors.remote import CallOutcome, perform, stamp, stamped, unpacked
from entropeg.experiments import runner, sharing
from entropeg.experiments.adjusted import adjusted_mean
from entropeg.experiments.results import Progress
from entropeg.experiments.store import Store
from entropeg.feedback import Code
from entropeg.review.account import review_games
from entropeg.search.beam.optimum import near_optimal
from entropeg.search.proving.opening_totals import opening_totals
from entropeg.search.results import SearchProgress
from entropeg.tree import StrategyTree, openings, pieces
from entropeg.tree.optimum import optimal

pytestmark = pytest.mark.slow

dask = pytest.importorskip("dask", reason="THE CLUSTER IS NOT TESTED: the extra cluster is not installed")
distributed = pytest.importorskip("distributed", reason="THE CLUSTER IS NOT TESTED: the extra cluster is not installed")

MARK = "of-the-client-7f3a"
"""Stands in the environment and in the names of files of the client."""


class Sleepy:
    """Guesses as `consistent` does, each guess after a while in which it uses no processor."""

    name = "sleepy"

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        time.sleep(self.seconds)
        return position.candidates[int(rng.integers(len(position.candidates)))]


class Unreadable(Exception):  # noqa: N818 - a bad one, as others may write them
    """An error that can be written and not be read again."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(f"{one} and {other}")


def forgets_memory() -> None:
    raise MemoryError


def unreadable() -> None:
    raise Unreadable(1, 2)


def waits(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Share whatever there is to do, at once, in short calls."""
    monkeypatch.setattr(runner, "SLICE", 0.001)
    monkeypatch.setattr(sharing, "ALONE", 0.0)
    monkeypatch.setattr(pieces, "WHOLE", 20)
    monkeypatch.setattr(clusters, "LEAST", 0.3)


def results(crew: Crew) -> list[Any]:
    found = list[tuple[int, Any]]()
    while crew.running:
        found += crew.take()
    return [result for _, result in sorted(found)]


# ---------------------------------------------------------------- what travels


def test_a_call_is_done_where_the_sources_are_the_same_and_nowhere_else() -> None:
    call = stamped(max, (3, 5))

    assert 5 == unpacked(perform(call)).result
    assert CallOutcome(version=__version__) == unpacked(perform(b"x" * len(stamp()) + call[len(stamp()) :]))


def test_errors_in_a_call_come_back_as_what_they_are() -> None:
    outcome = unpacked(perform(stamped(Rules.parse, ("0x0",))))
    other = unpacked(perform(stamped(int, ("x",))))
    lost = unpacked(perform(stamped(unreadable, ())))

    assert isinstance(outcome.error, InputError)
    assert isinstance(other.error, ValueError)
    assert "Traceback" in other.error.__notes__[0]
    assert "a call failed: Unreadable('1 and 2')" == str(lost.error)


@pytest.mark.parametrize("text", ["dask", "dask:4", "dask://node1.example:8786", "dask+tls://[::1]:8786"])
def test_clusters_are_written_as_they_are_read(text: str) -> None:
    assert text == str(Executor.of(text))


@pytest.mark.parametrize(
    "text", ["dask:", "dask:0", "dask://", "dask://node1", "dask://:1", "dask://a b:1", "tcp://a:1"]
)
def test_addresses_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"must be processes:N|at least 1"):
        Executor.of(text)


def test_calls_are_as_long_as_the_workers_and_what_is_left_ask_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "monotonic", lambda: 1000.0)
    pace = Pace()
    for _ in range(10):
        pace.note(100, 2.0)

    assert [1.0, 6.0, 60.0] == [round(pace.seconds(workers, 10**9), 9) for workers in (2, 100, 5000)]
    assert [1.0, 6.0] == [pace.seconds(workers, 100) for workers in (100, 1000)]
    assert [25, 150] == [pace.fewest(workers) for workers in (100, 1000)]
    assert 1 == Pace().fewest(1000)
    assert clusters.MOST_THINGS == pace.piece(10**6)
    assert 75 == pace.piece(1.0)
    assert not pace.is_overdue(1000.0 - 29)
    assert pace.is_overdue(1000.0 - 31)
    pace.longest = 10.0
    assert not pace.is_overdue(1000.0 - 59)
    pace.longest = 0.0
    assert not pace.is_overdue(1000.0 - 179)


# ---------------------------------------------------------------- a cluster of this machine


class Harm:
    """Kills one worker and stops another, once some games are done."""

    def __init__(self, crew: ClusterCrew) -> None:
        self.crew, self.done = crew, 0
        self.killed = self.stopped = 0
        self.harmed = set[str]()

    def __call__(self, progress: Progress) -> None:
        self.done = progress.done
        if self.crew.started and progress.done > 12 and not self.killed:
            (killed, self.killed), (stopped, self.stopped), _ = self.crew._client.run(os.getpid).items()
            self.harmed = {killed, stopped}
            os.kill(self.killed, signal.SIGKILL)
            os.kill(self.stopped, signal.SIGSTOP)


# Distributed leaves its connections to a worker that was killed to the garbage collector.
@pytest.mark.filterwarnings("ignore:Exception ignored in. <ssl.SSLSocket:pytest.PytestUnraisableExceptionWarning")
@pytest.mark.usefixtures("eager")
def test_workers_that_die_or_hang_change_nothing_but_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(clusters, "AT_LEAST", 5.0)
    monkeypatch.setattr(clusters, "PATIENCE", 4.0)
    monkeypatch.setenv("ENTROPEG_OF_THE_CLIENT", MARK)
    calls = list[bytes]()

    def noted(*call: Any) -> bytes:
        calls.append(stamped(*call))
        return calls[-1]

    monkeypatch.setattr(clusters, "stamped", noted)
    plan: dict[str, Any] = {"games": 60, "seed": 4}
    alone = arena(Sleepy(), "honest", "4x4", jobs=1, **plan)
    with ClusterCrew(3) as crew:
        crew.worth = 0.0
        while not crew.is_ready():  # on a busy machine all games are played before the workers are there
            time.sleep(0.05)
        harm = Harm(crew)
        shared = arena(
            Sleepy(0.05), "honest", "4x4", executor=crew, store=tmp_path / f"{MARK}.sqlite", progress=harm, **plan
        )

        assert alone[0].guesses.tolist() == shared[0].guesses.tolist()
        assert harm.killed
        assert 60 == harm.done
        # Both are replaced, however long that takes; what else there is to share goes to those. Who is gone may be
        # listed still.
        while len(crew._client.nthreads().keys() - harm.harmed) < 3:
            time.sleep(0.1)
        there = set(crew._client.run(os.getpid, workers=[*crew._client.nthreads().keys() - harm.harmed]).values())
        assert 3 == len(there)
        assert not there & {harm.killed, harm.stopped}
        check_all_else(crew)
        check_proofs(crew)
    assert len(calls) > 10
    assert not [call for call in calls if MARK.encode() in call]
    assert not [each for each in there if Path(f"/proc/{each}").exists()]
    gc.collect()


def check_all_else(crew: Crew) -> None:
    [run] = arena("consistent", "honest", "3x4", games=40, seed=1, jobs=1)
    games = [Position("4x6", ["AABB XO", "ACCD O", "BEBF XXO", "FEBA XXXX"])] * 3
    breakers, makers = ["random", "minimax"], ["honest", "cheat"]

    assert adjusted_mean(run, executor=crew) == adjusted_mean(run, jobs=1)
    assert 3 * ["4 guesses: par 4.34, lost 0.76, good luck +1.10"] == [
        one.line  # type: ignore[union-attr]
        for one in review_games(games, executor=crew)
    ]
    assert StrategyTree.build("entropy", "3x6") == StrategyTree.build("entropy", "3x6", executor=crew)
    assert openings("entropy", "3x3") == openings("entropy", "3x3", executor=crew)
    assert [one.guesses.tolist() for one in arena(breakers, makers, "3x4", games=20, jobs=1)] == [
        one.guesses.tolist() for one in arena(breakers, makers, "3x4", games=20, executor=crew)
    ]
    crew.put(forgets_memory)
    with pytest.raises(WorkersError, match="a worker has too little memory for a piece of the work"):
        results(crew)


def check_proofs(crew: ClusterCrew) -> None:
    """One worker is killed and one hangs in the midst of a proof; a third is killed in the midst of a search."""
    harmed = list[int]()

    def harm(_: SearchProgress) -> None:
        if not harmed and crew.running:
            harmed.extend(list(crew._client.run(os.getpid).values())[:2])
            os.kill(harmed[0], signal.SIGKILL)
            os.kill(harmed[1], signal.SIGSTOP)

    alone, shared = optimal("4x6"), optimal("4x6", executor=crew, progress=harm)
    assert alone.value == shared.value
    assert 5625 == shared.checked().total  # type: ignore[union-attr]
    assert 2 == len(harmed)
    assert opening_totals("3x8").openings == opening_totals("3x8", executor=crew).openings
    found = near_optimal("4x5", 30.0, crew=crew)
    assert found.total is not None
    assert found.value.lower <= 2463 <= found.total < 2480


# ---------------------------------------------------------------- a cluster at an address


@pytest.fixture(scope="module")
def scheduler() -> Iterator[Any]:
    """A scheduler with no workers, in this process."""
    with (
        clusters._silenced(),
        distributed.LocalCluster(
            n_workers=0, processes=False, protocol="tcp://", host="127.0.0.1", dashboard_address=":0"
        ) as made,
    ):
        yield made


@pytest.fixture
def address(scheduler: Any) -> str:
    """That of a scheduler with a worker of one thread, in this process."""
    scheduler.scale(1)
    scheduler.wait_for_workers(1)
    return str(scheduler.scheduler_address).replace("tcp://", "dask://")


def test_nobody_at_the_address_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(clusters, "CONNECTED", 0.5)
    ended = CliRunner().invoke(cli.group, ["arena", "random", "honest", "--executor", "dask://127.0.0.1:9"])

    with pytest.raises(EntropegError, match="no scheduler of dask answers at tcp://127"):
        arena("random", "honest", "2x3", games=1, executor="dask://127.0.0.1:9", store=tmp_path / "a.sqlite")
    assert 2 == ended.exit_code
    assert "no scheduler of dask answers" in ended.output


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"ca-file": None}, "asks for keys, and dask's configuration names none"),
        ({"ca-file": "/no/such", "client.cert": "/no/such"}, "cannot be read: No such file"),
    ],
)
def test_keys_that_lack_are_told_in_a_sentence(keys: dict[str, Any], told: str) -> None:
    with dask.config.set({f"distributed.comm.tls.{name}": value for name, value in keys.items()}):
        ended = CliRunner().invoke(cli.group, ["arena", "random", "honest", "--executor", "dask+tls://127.0.0.1:9"])

    assert 2 == ended.exit_code
    assert told in ended.output


def test_a_scheduler_without_workers_is_told_in_a_sentence(scheduler: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    waited = distributed.Client.wait_for_workers
    monkeypatch.setattr(distributed.Client, "wait_for_workers", lambda client, count, **_: waited(client, count, 0.5))
    scheduler.scale(0)
    with pytest.raises(EntropegError, match="has no workers: start some in the same environment"):
        arena("random", "honest", "2x3", executor=str(scheduler.scheduler_address).replace("tcp", "dask"))


@pytest.mark.usefixtures("eager")
def test_work_goes_to_an_address(address: str) -> None:
    with crew_of(address) as crew:
        assert isinstance(crew, ClusterCrew)
        assert crew.started
        crew.count, crew.worth = 2, 0.0
        shared = arena(Sleepy(0.01), "honest", "3x4", games=30, seed=2, executor=crew)

    assert arena(Sleepy(), "honest", "3x4", games=30, seed=2, jobs=1)[0].guesses.tolist() == shared[0].guesses.tolist()
    assert crew.busy > 0


@pytest.mark.parametrize(
    ("where", "value", "said"),
    [
        ("__version__", "9.9", "has entropeg .*, and this is 9.9: a cluster needs the same one everywhere"),
        ("_plain_python", "2.7.18", "runs Python 3.* and this is 2.7.18: a cluster needs the same one everywhere"),
    ],
)
def test_other_versions_are_told_in_a_sentence(
    where: str, value: str, said: str, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, where, value if where == "__version__" else lambda: value)

    with pytest.raises(EntropegError, match=said) as caught, crew_of(address):
        pass
    assert "\n" not in str(caught.value)


def test_a_worker_that_joins_with_other_sources_is_told_in_a_sentence(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "stamped", lambda *call: b"x" * len(stamp()) + stamped(*call)[len(stamp()) :])
    with crew_of(address) as crew:
        crew.put(max, 1, 2)
        with pytest.raises(WorkersError, match=r"a worker runs entropeg .* from other sources than this"):
            results(crew)


def test_workers_that_all_end_on_a_call_are_told_in_a_sentence(address: str) -> None:
    with crew_of(address) as crew:
        assert isinstance(crew, ClusterCrew)
        killed = distributed.scheduler.KilledWorker("entropeg-1", None, 3)
        assert "ended every worker that had it, one after the other (out of memory?)" in str(crew._in_words(killed))
        assert "a worker could not do its part: ValueError: what" == str(crew._in_words(ValueError("what")))


def test_without_the_extra_the_command_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "find_spec", lambda _: None)
    for where in ("dask", "dask:2", "dask://127.0.0.1:8786"):
        with pytest.raises(MissingExtraError, match=r'a cluster needs dask: .*pip install "\.\[cluster\]"'):
            arena("random", "honest", "2x3", executor=where)


def test_games_played_before_the_scheduler_went_away_are_kept_and_told(
    address: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(runner, "SLICE", 0.001)

    def take(crew: ClusterCrew, _seconds: float = 0.0) -> Any:
        raise crew._in_words(TimeoutError())

    monkeypatch.setattr(ClusterCrew, "take", take)
    with crew_of(address) as crew:
        crew.count, crew.worth = 2, 0.0
        with pytest.raises(WorkersError, match=r"the scheduler at tcp://.* is gone") as caught:
            arena(Sleepy(0.01), "honest", "3x4", games=30, executor=crew, store=tmp_path / "a.sqlite")

    played = len(caught.value.made[0].games)
    assert 0 < played < 30
    assert played == len(Store(tmp_path / "a.sqlite").runs()[0].games)
