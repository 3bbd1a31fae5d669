"""Exact and near-optimal search, totals of openings and tournaments by other workers: what they find at home."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from classroom_typing import project
from entropeg import Position, Rules, cli
from entropeg.classroom.players import close_all
from entropeg.classroom.tournament.playing import play_tournament
from entropeg.errors import InputError
from entropeg.executors import Crew, WorkersError, crew_of
from entropeg.executors.crew import ThreadCrew
from entropeg.executors.processes import ProcessCrew
from entropeg.search.beam.known_sets import Known
from entropeg.search.beam.optimum import near_optimal
from entropeg.search.beam.shared_answers import SetsKnown
from entropeg.search.proving import opening_totals as totals
from entropeg.search.proving.opening_totals import OpeningTotals, opening_totals
from entropeg.search.proving.shared import units
from entropeg.search.proving.shared.goals import share_of
from entropeg.search.results import SearchProgress
from entropeg.tree.optimum import Optimum, optimal


@pytest.fixture(scope="module", params=["threads:2", "processes:2"])
def crew(request: pytest.FixtureRequest) -> Iterator[Crew]:
    """Workers of every kind, the same ones for all tests, that are worth starting for anything."""
    with crew_of(request.param) as opened:
        opened.worth = 0.0
        yield opened


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[ThreadCrew]:
    """Two threads that give up what they search as soon as they look at the clock."""
    for name in ("LONG", "LONGEST"):
        monkeypatch.setattr(units, name, 0.0)
    monkeypatch.setattr(units, "WATCHED", 0.0005)
    with ThreadCrew(2) as opened:
        opened.worth = 0.0
        yield opened


class Gone(ThreadCrew):
    """Workers that are gone after some results, three at most."""

    def __init__(self, taken: int = 0) -> None:
        super().__init__(2)
        self.taken, self.worth = taken, 0.0

    def take(self, seconds: float = 0.05) -> list[tuple[int, Any]]:
        """Return results as others do, a few times."""
        found = super().take(seconds)
        self.taken += len(found)
        if self.taken > 3:
            raise WorkersError("the scheduler is gone")
        return found


# ---------------------------------------------------------------- exact search


@pytest.mark.parametrize(
    ("board", "options"),
    [
        ("4x6", {}),
        ("4x5", {"limit": 5}),
        ("4x5", {"worst": True}),
        ("4x5", {"consistent_only": True}),
        ("4x5/hard", {}),
        ("4x5/black", {}),
        ("4x5/prior=distinct", {}),
        ("4x4/prior=distinct", {"limit": 5}),
        ("4x4/prior=distinct", {"worst": True}),
    ],
)
def test_proofs_end_with_the_same_values(crew: Crew, board: str, options: dict[str, Any]) -> None:
    alone, shared = optimal(board, **options), optimal(board, executor=crew, **options)

    assert (alone.value, alone.worst) == (shared.value, shared.worst)
    assert shared.is_exact
    assert shared.checked(consistent_only=options.get("consistent_only", False)) is not None


def test_proofs_go_on_behind_a_position(crew: Crew) -> None:
    position = Position("4x7", ["AABB XO"])

    assert optimal(position).value == optimal(position, executor=crew).value


def test_what_takes_long_is_cut_down_to_single_guesses_and_their_parts(threads: ThreadCrew) -> None:
    seen = list[int]()
    found = optimal("4x5", executor=threads, progress=lambda step: seen.append(step.workers))

    assert 2463 == found.checked().total  # type: ignore[union-attr]
    assert found.is_exact
    assert {2} == set(seen)
    told = SearchProgress(None, 1, 5, None, 7, 0.1, workers=2).told(Rules.parse("4x5"))
    assert "7 guesses tried by 2 workers" == told[-1]


def test_shares_of_guesses_follow_one_another() -> None:
    ends = [share_of(k) for k in range(40)]

    assert 0 == ends[0][0]
    assert all(one[1] == other[0] for one, other in pairwise(ends))


def test_a_proof_is_kept_by_the_client_and_goes_on_from_there(tmp_path: Path) -> None:
    with Gone() as gone, pytest.raises(WorkersError, match="the scheduler is gone") as caught:
        optimal("4x6", executor=gone, checkpoint=tmp_path / "proof")
    assert isinstance(caught.value.made, Optimum)
    assert any(line.startswith("without workers before the proof was complete") for line in caught.value.made.lines())
    assert caught.value.made.value.lower <= 5625 <= caught.value.made.checked().total  # type: ignore[union-attr]
    assert (tmp_path / "proof").exists()

    with ThreadCrew(2) as crew:
        crew.worth = 0.0
        again = optimal("4x6", executor=crew, checkpoint=tmp_path / "proof")
    before = again.nodes
    assert 5625 == again.checked().total  # type: ignore[union-attr]
    assert 5625 == optimal("4x6", checkpoint=tmp_path / "proof").total
    assert before > optimal("4x6", checkpoint=tmp_path / "proof").nodes


def test_ctrl_c_ends_a_shared_proof_with_what_is_known(crew: Crew) -> None:
    def stop(_: object) -> None:
        raise KeyboardInterrupt

    found = optimal("4x6", executor=crew, progress=stop)

    assert found.is_interrupted
    assert found.value.lower <= 5625 <= found.checked().total  # type: ignore[union-attr]


def test_where_guesses_come_in_another_order_one_worker_has_them_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units.Searcher, "_order", lambda *_: -1)
    with ThreadCrew(2) as crew:
        crew.worth = 0.0
        assert 2463 == optimal("4x5", executor=crew).checked().total  # type: ignore[union-attr]


def test_a_proof_has_one_way_to_be_shared(tmp_path: Path) -> None:
    for option, said in (
        ({"proof": tmp_path / "proof"}, "leave the executor out"),
        ({"threads": 2}, "threads and executor exclude each other"),
    ):
        with pytest.raises(InputError, match=said):
            optimal("3x3", executor="processes:2", **option)


# ---------------------------------------------------------------- at the prompt


def test_the_command_takes_an_executor(tmp_path: Path) -> None:
    ended = CliRunner().invoke(cli.group, ["optimal", "3x4", "--executor", "threads:2"])
    table = CliRunner().invoke(cli.group, ["optimal", "3x4", "--openings", "--executor", "threads:2"])
    both = CliRunner().invoke(cli.group, ["optimal", "3x4", "--threads", "2", "--executor", "threads:2"])

    assert 0 == ended.exit_code == table.exit_code
    assert "206" in ended.output
    assert "AAB" in table.output
    assert 2 == both.exit_code
    assert "--threads 2 is --executor threads:2" in both.output


@pytest.mark.parametrize("more", [[], ["--openings"]])
def test_the_command_tells_what_was_found_before_the_workers_were_gone(
    more: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: Any, **__: Any) -> Any:
        error = WorkersError("the scheduler is gone")
        error.made = opening_totals("3x4") if more else Optimum.of(near_optimal("3x4", 600.0))  # it ends by itself
        raise error

    monkeypatch.setattr("entropeg.tree.optimum.optimal", lost)
    monkeypatch.setattr(totals, "opening_totals", lost)
    ended = CliRunner().invoke(cli.group, ["optimal", "3x4", *more, "--executor", "threads:2"])

    assert 2 == ended.exit_code
    assert "206" in ended.output
    assert "the scheduler is gone" in ended.output


# ---------------------------------------------------------------- openings


@pytest.mark.parametrize("crowd", [0, 10**6])
def test_totals_of_openings_are_the_same(crew: Crew, crowd: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(totals, "CROWD", crowd)
    alone, shared = opening_totals("4x5"), opening_totals("4x5", executor=crew)

    assert alone.openings == shared.openings
    assert shared.nodes > 0


def test_openings_that_take_long_are_valued_by_all(threads: ThreadCrew, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(totals, "CROWD", 0)

    assert opening_totals("4x4").openings == opening_totals("4x4", executor=threads).openings


def test_openings_valued_before_the_workers_were_gone_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(totals, "CROWD", 0)
    with Gone(3) as gone, pytest.raises(WorkersError, match="the scheduler is gone") as caught:
        opening_totals("4x5", executor=gone, checkpoint=tmp_path / "totals")
    assert isinstance(caught.value.made, OpeningTotals)

    assert 2463 == opening_totals("4x5", executor="threads:2", checkpoint=tmp_path / "totals").openings[0].value.upper


# ---------------------------------------------------------------- near-optimal search


def test_good_strategies_are_found_by_workers(crew: Crew) -> None:
    found = near_optimal("4x5", 60.0, crew=crew)

    assert found.total is not None
    assert found.value.lower <= 2463 <= found.total < 2480
    assert not found.is_hasty


def test_a_search_of_workers_goes_on_from_what_is_kept(tmp_path: Path) -> None:
    with Gone() as gone, pytest.raises(WorkersError, match="the scheduler is gone") as caught:
        near_optimal("4x5", 60.0, crew=gone, checkpoint=tmp_path / "kept")
    before = caught.value.made
    with ThreadCrew(2) as crew:
        crew.worth = 0.0
        after = near_optimal("4x5", 60.0, crew=crew, checkpoint=tmp_path / "kept")

    assert after.total is not None
    assert 2463 <= after.total <= min(before.total, 2480)
    with ThreadCrew(2) as idle:
        idle.worth = 1.0
        near_optimal("3x4", 1.0, crew=idle)
        assert not idle.started


def test_sets_travel_as_arrays() -> None:
    known = {2**63 + 5: Known(100, 7, 3), 1: Known(5, -1, 99)}

    assert known == dict(SetsKnown.of(known).items())
    assert [] == SetsKnown.of({}).items()
    assert np.uint64 == SetsKnown.of(known).names.dtype


# ---------------------------------------------------------------- tournaments


def test_tournaments_are_the_same_wherever_they_are_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProcessCrew, "worth", 0.0)
    folder, rules = project(tmp_path / "one", "common.py", "codebreaker2.py", "codemaker1.py"), "3x4/course"
    try:
        alone = play_tournament([folder], Rules.parse(rules), games=4, jobs=1)
        shared = play_tournament([folder], Rules.parse(rules), games=4, executor="processes:2")
    finally:
        close_all()

    assert [one.guesses for one in alone.series] == [one.guesses for one in shared.series]
    assert alone.played == shared.played > 0
