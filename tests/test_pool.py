"""One proof by several processes: the same value whoever takes part, stops, dies or comes later."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import zlib
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from entropeg import cli
from entropeg.codes import score, secrets
from entropeg.errors import InputError, TooLargeError
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.exact.fields import UNLIMITED
from entropeg.search.proving import proof
from entropeg.search.proving.pooled import opening as pooled_opening
from entropeg.search.proving.pooled import pool as pools
from entropeg.search.proving.pooled.pool import Facts, Pool, write_tree
from entropeg.search.proving.shares import lowest, share
from entropeg.search.results import SearchProgress, Solution
from entropeg.search.tree import Node, from_rows, to_rows
from entropeg.tree import tree_of_nodes
from entropeg.tree.optimum import optimal

MEMBER = """
import json, sys
from entropeg.rules import Rules
from entropeg.tree.optimum import optimal

seen = []
rules, note = Rules.parse(sys.argv[1]), lambda told: seen.append(told.processes)
found = optimal(rules, pool=sys.argv[2], threads=1, progress=note)
print(json.dumps([str(found.value), found.root.total, found.nodes, max(seen)]))
"""


@pytest.fixture
def shared_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search small boards in the way of large ones."""
    monkeypatch.setattr(proof, "DIRECT", 5)
    monkeypatch.setattr(pooled_opening, "ALONE", 4)


def left_claims(folder: Path) -> list[Path]:
    return [*folder.rglob("claim.*"), *(folder / "members").iterdir()]


def is_replayed(found: Solution) -> bool:
    assert found.root is not None
    tree = tree_of_nodes(found.root, found.rules).check()
    return tree.total == found.total == found.value.upper


# ---------------------------------------------------------------- shares


@given(some.lists(some.integers(0, 99), min_size=1, max_size=300))
def test_every_candidate_is_in_one_share(bounds: list[int]) -> None:
    lows = lowest(np.array(bounds, np.int64))

    spans = [share(k) for k in range(len(lows))]

    assert [first for first, _ in spans] == [0, *(end for _, end in spans[:-1])]
    assert spans[-1][1] >= len(bounds) > spans[-1][0]
    assert lows == [min(bounds[first:end]) for first, end in spans]


def test_a_part_is_bounded_by_its_weakest_share() -> None:
    lows = [5, 5, 9]

    facts = Facts.read(
        ["done.0.7", "done.0.6", "claim.1", "found.8", ".found.9.x1y2", "found.6.x", "whole.y", "done.1", "whole.4"]
    )

    assert facts.bound(lows) == 5
    assert facts.bound([]) == 4
    assert list(facts.open_shares(lows, 8)) == [0]
    assert list(facts.open_shares(lows, 10)) == [0, 2]
    assert not list(Facts.read(["whole.10"]).open_shares(lows, 10))
    assert facts.found == 8


def test_a_strategy_is_written_and_read_whole(tmp_path: Path) -> None:
    tree = optimal("3x3").root
    assert tree is not None

    write_tree(tmp_path / "tree", tree)

    assert pools.read_tree(tmp_path / "tree") == tree == from_rows(to_rows(tree))
    (tmp_path / "tree").write_bytes(b"PK")
    with pytest.raises(InputError, match="not a strategy of a pool"):
        pools.read_tree(tmp_path / "tree")


# ---------------------------------------------------------------- values


@pytest.mark.usefixtures("shared_small")
@pytest.mark.parametrize("name", ["2x6", "3x4", "3x5", "4x2", "4x3", "3x3/black", "3x5/no-repeats", "3x4/blanks"])
@pytest.mark.parametrize("options", [{}, {"worst": True}, {"limit": 4}, {"consistent_only": True}])
def test_a_pool_changes_no_value(name: str, options: dict[str, int], tmp_path: Path) -> None:
    rules = Rules.parse(name)

    alone = optimal(rules, **options)  # type: ignore[arg-type] # the options differ in type
    pooled = optimal(rules, pool=tmp_path, **options)  # type: ignore[arg-type]
    again = optimal(rules, pool=tmp_path, threads=1, **options)  # type: ignore[arg-type]

    for found in (pooled, again):
        assert (found.value, found.worst_value, found.is_impossible) == (
            alone.value, alone.worst_value, alone.is_impossible,
        )  # fmt: skip
        assert found.is_impossible or is_replayed(found)
    assert again.nodes == 0
    assert not left_claims(tmp_path)


@pytest.mark.usefixtures("shared_small")
@given(some.integers(0, 10**6))
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_positions_in_a_pool(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    rules = Rules.parse("4x4")
    codes = list(secrets(rules))
    draw = np.random.default_rng(seed)
    secret, guess = (codes[draw.integers(len(codes))] for _ in range(2))
    position = Position(rules)
    position = position.after(guess, score(guess, secret, rules))

    found = optimal(position, pool=tmp_path_factory.mktemp("pool") / "new")

    assert found.value == optimal(position).value


# ---------------------------------------------------------------- processes


def started(folder: Path, board: str = "4x7") -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", MEMBER, board, folder], stdout=subprocess.PIPE, text=True)


def test_two_processes_prove_4x7_together(tmp_path: Path) -> None:
    members = [started(tmp_path) for _ in range(2)]

    told = [json.loads(member.communicate(timeout=300)[0]) for member in members]

    assert [(value, total) for value, total, _, _ in told] == [("= 11228", 11228)] * 2
    assert sum(nodes for _, _, nodes, _ in told) < 1.5 * optimal(Rules.parse("4x7"), threads=1).nodes
    assert not left_claims(tmp_path)


def test_what_a_process_that_died_had_claimed_is_taken_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    member = started(tmp_path)
    while not list(tmp_path.rglob("found.*")):
        assert member.poll() is None
        time.sleep(0.01)
    member.kill()
    member.communicate()
    for claim in left_claims(tmp_path):
        os.utime(claim, (time.time() - 1000,) * 2)
    monkeypatch.setattr(pooled_opening, "MISSED", 0.0)

    found = optimal(Rules.parse("4x7"), pool=tmp_path)

    assert str(found.value) == "= 11228"
    assert is_replayed(found)


def test_ctrl_c_releases_what_was_claimed_and_keeps_what_was_found(tmp_path: Path) -> None:
    def stop(_: SearchProgress) -> None:
        if list(tmp_path.rglob("found.*")):
            raise KeyboardInterrupt

    first = optimal(Rules.parse("4x7"), pool=tmp_path, progress=stop)
    claims = list(tmp_path.rglob("claim.*"))
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("found.*")}
    second = optimal(Rules.parse("4x7"), pool=tmp_path)

    assert first.is_interrupted
    assert first.value.lower <= 11228 <= (first.total or 0)
    assert not claims
    assert str(second.value) == "= 11228"
    assert kept == {path: path.stat().st_mtime_ns for path in kept}


@pytest.mark.usefixtures("shared_small")
def test_other_orders_of_the_guesses_are_not_mixed_with_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A processor that rounds otherwise has other guesses in its shares: only what it says of the whole counts."""
    rules = Rules.parse("3x5")
    monkeypatch.setattr(zlib, "crc32", lambda _: 1)
    optimal(rules, pool=tmp_path)
    for path in tmp_path.glob("parts/*/whole.*"):
        path.rename(path.parent / "done.0.99999")
    for path in [*tmp_path.glob("parts/*/found.*"), *tmp_path.glob("strategies/*")]:
        path.unlink()
    monkeypatch.undo()
    monkeypatch.setattr(proof, "DIRECT", 5)
    monkeypatch.setattr(pooled_opening, "ALONE", 4)

    found = optimal(rules, pool=tmp_path)

    assert str(found.value) == "= 451"
    assert is_replayed(found)


# ---------------------------------------------------------------- the first strategy


def test_one_process_makes_the_first_strategy_and_the_others_wait_for_it(tmp_path: Path) -> None:
    tree = Node((0, 1), wins=True)
    with Pool(tmp_path, "a search") as first, Pool(tmp_path, "a search") as second:
        assert first.await_strategy(UNLIMITED, 0) is None
        maker = threading.Timer(0.3, lambda: first.offer(UNLIMITED, tree, tree.total))
        maker.start()

        assert second.await_strategy(UNLIMITED, 60) == tree
        assert first.members() == second.members() == 2
        assert second.strategy(5) is None
    assert not left_claims(tmp_path)


def test_a_strategy_is_not_awaited_from_a_process_that_is_gone(tmp_path: Path) -> None:
    with Pool(tmp_path, "a search") as first, Pool(tmp_path, "a search") as second:
        assert first.await_strategy(UNLIMITED, 0) is None
        os.utime(tmp_path / "strategies" / f"claim.{UNLIMITED}", (0, 0))

        assert second.await_strategy(UNLIMITED, 60) is None
        assert second.await_strategy(UNLIMITED, 0) is None


def test_a_long_proof_in_a_pool_begins_with_a_strategy_for_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("entropeg.search.proving.solving.BEGUN_WITH", (0.0, 1.0, 1.0))
    rules = Rules.parse("4x5")

    found = optimal(rules, pool=tmp_path)

    assert str(found.value) == "= 2463"
    assert (tmp_path / "strategies" / f"{UNLIMITED}.2463").exists()


# ---------------------------------------------------------------- wrong input


def test_a_board_out_of_reach_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(TooLargeError, match="5x9 is out of reach"):
        optimal(Rules.parse("5x9"), pool=tmp_path / "pool")

    assert not (tmp_path / "pool").exists()


def test_folders_that_cannot_be_a_pool_are_refused(tmp_path: Path) -> None:
    rules = Rules.parse("3x3")
    file, full, other = tmp_path / "file", tmp_path / "full", tmp_path / "other"
    file.write_text("")
    full.mkdir()
    (full / "diary.txt").write_text("what I had for lunch")
    optimal(rules, pool=other)

    with pytest.raises(InputError, match="is a file; a pool needs a folder"):
        optimal(rules, pool=file)
    with pytest.raises(InputError, match=r"holds other files, such as diary\.txt"):
        optimal(rules, pool=full)
    with pytest.raises(InputError, match=r"is the pool of 3x3, not of 3x4"):
        optimal(Rules.parse("3x4"), pool=other)
    with pytest.raises(InputError, match="cannot be used"):
        optimal(rules, pool=file / "below")
    (other / "search.json").write_text("[]")
    with pytest.raises(InputError, match="is not that of a pool"):
        optimal(rules, pool=other)
    assert [path.name for path in full.iterdir()] == ["diary.txt"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"checkpoint": "file"}, "leave the checkpoint out"),
        ({"proof": "file"}, "leave the pool out"),
    ],
)
def test_options_that_a_pool_does_not_go_with(options: dict[str, object], told: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=told):
        optimal(Rules.parse("3x3"), pool=tmp_path / "pool", **options)  # type: ignore[arg-type] # they differ in type
    assert not (tmp_path / "pool").exists()


def test_a_damaged_strategy_is_told(tmp_path: Path) -> None:
    with Pool(tmp_path, "4x5") as pool:
        pool.offer(UNLIMITED, Node((0, 0, 0, 1), wins=True), 1)

    with pytest.raises(InputError, match="a strategy finds 1 of 625 codes"):
        optimal(Rules.parse("4x5"), pool=tmp_path)


@pytest.mark.usefixtures("shared_small")
def test_the_command_goes_on_from_a_pool(tmp_path: Path) -> None:
    typed = ["optimal", "3x5", "--pool", str(tmp_path / "pool")]

    first, second = (CliRunner().invoke(cli.group, typed, prog_name="entropeg") for _ in range(2))

    assert "3x5: total = 451 guesses over 125 codes" in first.output
    assert "total = 451" in second.output
    assert " 0 guesses tried" in second.output


def test_the_command_refuses_a_pool_of_another_board(tmp_path: Path) -> None:
    optimal(Rules.parse("3x3"), pool=tmp_path)

    result = CliRunner().invoke(cli.group, ["optimal", "3x4", "--pool", str(tmp_path)], prog_name="entropeg")

    assert result.exit_code == 2
    assert "is the pool of 3x3, not of" in result.output
