"""Ctrl-C, SIGTERM and SIGHUP at any moment: no work is lost, no traceback is printed, no process is left behind."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from entropeg.errors import InputError
from entropeg.experiments.store import Store
from entropeg.rules import Rules
from entropeg.tree import StrategyTree
from interrupting import Stopped, hearing, interrupt, marked, measured, moments, parent_of, start, wait_until
from rooms import cases

TRIED = {"arena": 1, "cluster": 1, "report": 1, "tree": 3, "optimal": 2, "classroom": 2, "value": 1, "static": 1,
         "within": 1, "several": 1}  # fmt: skip
"""Interrupts of each command, 14 in all; the long run has fifty of each, or as many as ENTROPEG_INTERRUPTS says.

One of `arena` or `report` takes four seconds, of the others one.
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="what is left is looked up in /proc"),
]

Command = tuple[list[str], Callable[[Path], bool], Callable[[Stopped, Path], None]]


def kept_games(folder: Path) -> int:
    """Games in the results of a folder, which may not be there yet."""
    found = list(folder.rglob("*.sqlite"))
    try:
        return sum(len(run.games) for file in found for run in Store(file).runs())
    except InputError:
        return 0


def check_arena(stopped: Stopped, folder: Path) -> None:
    """What is said, shown and kept is the same number of games."""
    runs = json.loads(stopped.out)["runs"] if stopped.out else []
    shown = sum(run["count"] for run in runs)

    assert kept_games(folder) == shown
    assert f"interrupted after {shown:,} of 8,000,000 games" in stopped.said or not shown


def check_report(stopped: Stopped, folder: Path) -> None:
    """The games are in the file, and the page is there as a whole or not at all."""
    page = folder / "out" / "index.html"

    assert not page.exists() or page.read_text(encoding="utf-8").rstrip().endswith("</html>")
    assert stopped.is_complete or "kept in out" in stopped.said or not kept_games(folder)


def check_tree(stopped: Stopped, folder: Path) -> None:
    """The tree is there as a whole, or what is done of it, or nothing was done."""
    tree, part = folder / "a.tree", folder / "a.tree.part"
    if tree.exists():
        StrategyTree.load(tree, Rules.parse("4x7"))

    assert part.exists() == ("kept in a.tree.part" in stopped.said)
    assert tree.exists() or part.exists() or not stopped.is_complete


def check_optimal(stopped: Stopped, folder: Path) -> None:
    """Bounds and a strategy, and a checkpoint that can be gone on from."""
    if not stopped.out:
        assert not stopped.is_complete
        return
    found = json.loads(stopped.out)

    assert found["lower"] <= 11228 <= found["upper"]
    assert sum(found["histogram"]) == 7**4
    assert (folder / "proof").exists()


def check_bounds(stopped: Stopped, _: Path) -> None:
    """Bounds, or one sentence where there is none yet."""
    if stopped.out:
        assert json.loads(stopped.out)
    else:
        assert "entropeg: interrupted" == stopped.said.strip().splitlines()[-1]


def check_classroom(stopped: Stopped, folder: Path) -> None:
    """The pairs that were finished are shown and kept."""
    file = folder / "kept.json"
    kept = len(json.loads(file.read_text(encoding="utf-8"))["series"]) if file.exists() else 0
    shown = len(json.loads(stopped.out)["series"]) if stopped.out else 0

    assert shown == kept


EXAMPLES = Path(__file__).parents[2] / "examples" / "classroom"
TOURNAMENT = ["classroom", "tournament", "project", "--rules", "3x4/course", "--games", "3", "--keep", "kept.json"]
ARENA = ["--jobs", "2", "--json", "--store", "a.sqlite"]
COMMANDS: dict[str, Command] = {
    "arena": (
        [*["arena", "first-consistent,consistent", "honest", "--rules", "4x6", "--games", "4000000"], *ARENA],
        lambda folder: kept_games(folder) > 0,
        check_arena,
    ),
    "cluster": (
        [
            *["arena", "consistent", "honest", "--rules", "5x8", "--games", "8000000"],
            *ARENA[2:],
            "--executor",
            "dask:2",
        ],
        lambda folder: kept_games(folder) > 1000,
        check_arena,
    ),
    "report": (
        ["report", "--rules", "2x3", "--games", "5", "--out", "out", "--jobs", "2"],
        lambda _: False,
        check_report,
    ),
    "tree": (["tree", "build", "entropy", "4x7", "--out", "a.tree"], lambda _: False, check_tree),
    "optimal": (["optimal", "4x7", "--checkpoint", "proof", "--json"], lambda _: False, check_optimal),
    "classroom": ([*TOURNAMENT, "--json"], lambda _: False, check_classroom),
    "value": (["value", "4x5", "--json"], lambda _: False, check_bounds),
    "static": (["static", "3x7", "--json"], lambda _: False, check_bounds),
    "within": (["optimal", "4x6", "--most-within", "4", "--json"], lambda _: False, check_bounds),
    "several": (["optimal", "2x6/secrets=2", "--json"], lambda _: False, check_bounds),
}


def prepared(folder: Path) -> Path:
    """Make a folder in which every command finds what it needs."""
    folder.mkdir()
    # Two codebreakers are enough for pairs of which some are done and some are not.
    copytree(EXAMPLES, folder / "project", ignore=ignore_patterns("codebreaker[13].py"))
    return folder


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_interrupted_at_any_moment_loses_nothing_and_leaves_nothing_behind(name: str, tmp_path: Path) -> None:
    arguments, happened, check = COMMANDS[name]
    first = prepared(tmp_path / "measured")
    seconds = measured(arguments, first, lambda: happened(first))
    for turn, (number, fraction) in enumerate(
        moments(name, int(os.environ.get("ENTROPEG_INTERRUPTS", cases(TRIED[name], 50))))
    ):
        folder = prepared(tmp_path / str(turn))

        stopped = interrupt(arguments, folder, number, fraction, seconds)

        assert stopped.code in {0, 128 + number}, stopped
        assert not stopped.left, stopped
        for mistake in ("Traceback", "ignored", "Error", "out of memory"):
            assert mistake not in stopped.said, stopped
        check(stopped, folder)


def test_a_worker_that_is_killed_is_told_of_in_a_sentence_and_the_others_end(tmp_path: Path) -> None:
    arguments = [
        "arena",
        "consistent",
        "honest",
        "--rules",
        "5x8",
        "--games",
        "4000000",
        "--jobs",
        "2",
        "--store",
        "a.sqlite",
    ]
    process, mark = start(arguments, tmp_path)

    def workers() -> list[int]:
        found = {each: parent_of(each) for each in marked(mark)}
        return [each for each, parent in found.items() if parent_of(parent) == process.pid]

    assert wait_until(lambda: len(workers()) == 2)
    os.kill(workers()[0], signal.SIGKILL)
    out, said = process.communicate(timeout=300)

    last = said.splitlines()[-1]
    assert 2 == process.returncode
    assert last.startswith("entropeg: a process of the arena ended unexpectedly (out of memory?); use fewer jobs; ")
    assert f"{kept_games(tmp_path):,} of 4,000,000 games were played: what is shown is of these alone" in last
    assert f"{kept_games(tmp_path):,}" in out
    assert wait_until(lambda: not marked(mark))


def test_a_command_whose_terminal_goes_away_keeps_its_games_and_ends_with_the_code_of_that(tmp_path: Path) -> None:
    leader, follower = pty.openpty()
    command = ["arena", "consistent", "honest", "--rules", "5x8", "--games", "4000000", "--jobs", "1"]
    with (
        hearing(),
        subprocess.Popen(
            [sys.executable, "-m", "entropeg", *command, "--store", "a.sqlite", "--csv", "a.csv"],
            cwd=tmp_path,
            stdin=follower,
            stdout=follower,
            stderr=follower,
            start_new_session=True,
        ) as process,
    ):
        os.close(follower)
        assert wait_until(lambda: kept_games(tmp_path) > 0)
        os.close(leader)
        process.send_signal(signal.SIGHUP)
        process.wait(60)

    assert 129 == process.returncode
    assert (tmp_path / "a.csv").read_text(encoding="utf-8").count("\n") == 1 + kept_games(tmp_path)
