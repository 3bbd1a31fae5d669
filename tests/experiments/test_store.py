"""The file of experiments: what is saved stays saved, and a file that is not ours is left alone."""

import csv
import json
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from entropeg.errors import InputError, MissingExtraError
from entropeg.experiments import runner, store
from entropeg.experiments.export import write_csv, write_parquet
from entropeg.experiments.results import Run
from entropeg.experiments.runner import Interrupted, arena, replay
from entropeg.experiments.store import Store
from entropeg.experiments.tasks import Chunk, LoopTask
from entropeg.rules import Rules
from entropeg.texts import say

RULES = Rules.parse("3x4")


def test_a_fault_is_kept_as_a_sentence_of_any_language(tmp_path: Path) -> None:
    file = Store(tmp_path / "games.db")
    key, _ = file.begin(RULES, "and", "honest", 1, "games", 3)
    fault = InputError("{file}: {error}", "3 pegs.py", InputError("no code fits all rows"))
    for noted in (str(fault), "plain text", '{"say": 3}', "[1", "", "null"):
        file.note_fault(key, noted)
        [read] = file.runs()
        assert read.fault == noted
        assert say(read.fault, "fr") == say(noted, "fr")
    file.note_fault(key, str(fault))

    assert say(file.run(1).fault, "fr") == "3 pegs.py\u00a0: aucun code ne convient à toutes les lignes"


def play_some(path: Path | None, games: int = 30, **options: Any) -> Run:
    return arena("consistent", "honest", RULES, games=games, store=path, **options)[0]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "results.db"


def test_what_is_saved_is_found_again(file: Path) -> None:
    first = play_some(file)
    [found] = Store(file).runs()

    assert first.to_json() == found.to_json()
    assert found.complete


def test_a_run_of_several_is_found_with_its_own_games(file: Path) -> None:
    first, second = play_some(file, 3), play_some(file, 5, seed=2)
    store = Store(file)

    assert [first.to_json(), second.to_json()] == [store.run(number).to_json() for number in (1, 2)]


def test_a_finished_run_is_not_played_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = play_some(file)
    monkeypatch.setattr(runner, "task_for", None)

    assert first.to_json() == play_some(file).to_json()


def test_more_games_of_a_run_continue_it_and_fewer_are_part_of_it(file: Path) -> None:
    play_some(file, 10)

    assert play_some(None, 25).guesses.tolist() == play_some(file, 25).guesses.tolist()
    assert play_some(None, 5).guesses.tolist() == play_some(file, 5).guesses.tolist()
    assert [25] == [len(run.games) for run in Store(file).runs()]


def test_runs_that_differ_in_anything_are_kept_apart(file: Path) -> None:
    play_some(file)
    play_some(file, seed=2**80)
    arena(["consistent", "random"], ["honest", "cheat"], Rules.parse("2x3/limit=9"), games=5, store=file)
    arena("consistent", "honest", RULES, all_secrets=True, store=file)
    kept = [
        (str(run.rules), run.codebreaker, run.codemaker, run.seed, run.plan, len(run.games))
        for run in Store(file).runs()
    ]

    small = "2x3/limit=9"
    assert kept == [
        ("3x4", "consistent", "honest", 0, "games", 30),
        ("3x4", "consistent", "honest", 2**80, "games", 30),
        (small, "consistent", "honest", 0, "games", 5),
        (small, "consistent", "cheat", 0, "games", 5),
        (small, "random", "honest", 0, "games", 5),
        (small, "random", "cheat", 0, "games", 5),
        ("3x4", "consistent", "honest", 0, "all-secrets", 64),
    ]


def test_an_exact_run_is_exact_when_it_is_read_again(file: Path) -> None:
    arena("first-consistent", "honest", RULES, all_secrets=True, store=file)
    [found] = Store(file).runs()

    assert (True, None) == (found.statistics.exact, found.statistics.interval)


def test_an_interrupted_run_goes_on_where_it_stopped(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(progress: runner.Progress) -> None:
        if progress.done >= 5:
            raise KeyboardInterrupt

    plan: dict[str, Any] = {"games": 40, "store": file}
    with monkeypatch.context() as hasty:
        hasty.setattr(runner, "SLICE", 0.0)
        hasty.setattr(runner, "REPORT_EVERY", 0.0)
        hasty.setattr(runner, "task_for", LoopTask)  # game by game, so that it can be stopped between two
        with pytest.raises(Interrupted) as caught:
            arena("random", "cheat", RULES, progress=stop, **plan)
    [partial], [kept] = caught.value.runs, Store(file).runs()

    assert 5 <= len(kept.games) < 40
    assert partial.to_json() == kept.to_json()
    assert (
        arena("random", "cheat", RULES, games=40)[0].guesses.tolist()
        == arena("random", "cheat", RULES, **plan)[0].guesses.tolist()
    )


CHILD = """
    import sys
    from entropeg import Rules
    from entropeg.executors.processes import ProcessCrew
    from entropeg.experiments import runner

    if __name__ == "__main__":
        ProcessCrew.worth, runner.SLICE, runner.SAVE_EVERY = 0.0, 0.02, 0.05
        runner.arena("memory", "cheat", Rules.parse("3x6"), games=1000000, jobs=2, store=sys.argv[1])
"""


def children_of(parent: int) -> set[int]:
    """Return the processes that descend from one, as the system lists them."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found: set[int] = set()
    while more := {child for child, of in parents.items() if of in found | {parent}} - found:
        found |= more
    return found


def wait_until(happened: Any, seconds: float = 300) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if happened():
            return True
        time.sleep(0.02)
    return False


def saved_games(file: Path) -> int:
    try:
        return sum(len(run.games) for run in Store(file).runs())
    except InputError:
        return 0


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the processes left are looked up in /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_arena_loses_nothing_that_was_saved_and_leaves_no_process(file: Path, how: signal.Signals) -> None:
    script = file.parent / "child.py"
    script.write_text(textwrap.dedent(CHILD))
    child = subprocess.Popen(
        [sys.executable, str(script), str(file)], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        assert wait_until(lambda: len(children_of(child.pid)) >= 3)
        before = saved_games(file)
        assert wait_until(lambda: saved_games(file) > before + 5)
        family = children_of(child.pid)
        if how == signal.SIGINT:
            os.killpg(child.pid, signal.SIGINT)  # as a terminal does: to every process
        else:
            child.kill()
        said = child.communicate(timeout=300)[1]
    finally:
        child.kill()

    assert (how == signal.SIGINT) == ("Interrupted" in said)
    assert said.count("Traceback") <= 2  # that of the interrupt, and the one it came from; none of other processes
    assert wait_until(lambda: not any(Path(f"/proc/{process}").exists() for process in family))
    [kept] = Store(file).runs()
    assert len(kept.games) > before
    some = kept.games[[0, len(kept.games) // 2, -1]].tolist()
    assert [len(replay(kept, game)) for game in some] == kept.guesses[np.isin(kept.games, some)].tolist()
    resumed = arena("memory", "cheat", Rules.parse("3x6"), games=int(kept.games[0]) + 1, store=file)[0]
    assert kept.guesses[0] == resumed.guesses[kept.games[0]]


def test_a_file_that_is_no_database_is_left_alone(file: Path) -> None:
    file.write_text("my notes, a few hundred of them", encoding="utf-8")

    with pytest.raises(InputError, match="not a file of experiments"):
        play_some(file)
    assert "my notes, a few hundred of them" == file.read_text(encoding="utf-8")


def test_a_database_of_others_is_left_alone(file: Path) -> None:
    database = sqlite3.connect(file)
    database.execute("CREATE TABLE birds (name)")
    database.close()
    before = file.read_bytes()

    with pytest.raises(InputError, match="not a file of experiments"):
        play_some(file)
    assert before == file.read_bytes()


def test_a_file_of_a_newer_version_is_left_alone(file: Path) -> None:
    play_some(file)
    database = sqlite3.connect(file)
    database.execute("PRAGMA user_version = 99")
    database.close()

    with pytest.raises(InputError, match="newer entropeg"):
        play_some(file)


@pytest.mark.parametrize("where", ["cut", "page", "header"])
def test_a_damaged_file_is_refused(file: Path, where: str) -> None:
    play_some(file, 5000)
    whole = bytearray(file.read_bytes())
    damaged = {
        "cut": whole[: len(whole) // 2],
        "page": whole[:8192] + b"\xff" * 8192 + whole[16384:],
        "header": whole[:100] + b"\x00" * 400 + whole[500:],
    }[where]
    file.write_bytes(damaged)

    with pytest.raises(InputError, match=r"damaged|malformed|not a file of experiments"):
        play_some(file, 6000)
    assert damaged == file.read_bytes()


def test_values_that_cannot_be_are_damage(file: Path) -> None:
    play_some(file)
    database = sqlite3.connect(file)
    database.execute("UPDATE runs SET rules = '4x'")
    database.commit()
    database.close()

    with pytest.raises(InputError, match="is damaged"):
        Store(file).runs()


def test_a_folder_a_missing_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        play_some(tmp_path)
    with pytest.raises(InputError, match="cannot be opened or made"):
        play_some(tmp_path / "nowhere" / "results.db")
    with pytest.raises(InputError, match="does not exist"):
        Store(tmp_path / "missing.db").runs()
    assert [] == list(tmp_path.iterdir())


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the administrator may read and write everything")
def test_a_file_without_permission_is_refused(file: Path) -> None:
    play_some(file)
    file.chmod(0o400)
    with pytest.raises(InputError, match="may not be written"):
        play_some(file, 40)
    file.chmod(0)
    with pytest.raises(InputError, match="cannot be read"):
        Store(file)


def test_a_file_that_another_program_writes_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play_some(file)
    monkeypatch.setattr(store, "BUSY_SECONDS", 0.01)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(InputError, match="another program is writing"):
        play_some(file, 40)
    other.execute("ROLLBACK")
    other.close()
    assert 40 == len(play_some(file, 40).games)


def test_a_full_disk_is_told_and_what_was_saved_before_is_kept(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play_some(file, 2000)
    size = file.stat().st_size

    def connect(*given: Any, connect: Any = sqlite3.connect, **named: Any) -> Any:
        database = connect(*given, **named)
        database.execute(f"PRAGMA max_page_count = {size // 4096}")
        return database

    with monkeypatch.context() as full:
        full.setattr(sqlite3, "connect", connect)
        with pytest.raises(InputError, match="the disk is full; what was saved before is kept"):
            play_some(file, 50_000)

    assert [2000] == [len(run.games) for run in Store(file).runs()]
    assert play_some(None, 3000).guesses.tolist() == play_some(file, 3000).guesses.tolist()


def test_a_chunk_is_saved_whole_or_not_at_all(file: Path) -> None:
    play_some(file, 10)
    kept = Store(file)
    key, before = kept.begin(RULES, "consistent", "honest", 0, "games", 10)
    wrong = Chunk(np.array([10, 11]), np.array([3, -1], dtype=np.int32), 1.0, 1.0)

    with pytest.raises(InputError, match="CHECK constraint"):
        kept.save(key, [wrong])
    assert before.games.tolist() == Store(file).runs()[0].games.tolist()


def test_csv_has_one_line_a_game(file: Path, tmp_path: Path) -> None:
    run = arena("random", "honest", Rules.parse("2x3/limit=4"), games=20, store=file)[0]
    write_csv(Store(file).runs(), tmp_path / "games.csv")
    with (tmp_path / "games.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))

    assert ["rules", "codebreaker", "codemaker", "seed", "plan", "game", "outcome", "guesses"] == list(rows[0])
    assert [str(guesses) if guesses else "" for guesses in run.guesses] == [row["guesses"] for row in rows]
    assert {("won", True), ("lost", False)} == {(row["outcome"], row["guesses"] != "") for row in rows}


def test_json_has_the_statistics_too(file: Path) -> None:
    run = play_some(file)

    assert [run.to_json()] == json.loads(json.dumps([each.to_json() for each in Store(file).runs()]))


def test_a_failed_export_is_told(file: Path, tmp_path: Path) -> None:
    play_some(file)

    with pytest.raises(InputError, match="cannot be written"):
        write_csv(Store(file).runs(), tmp_path / "nowhere" / "games.csv")


def test_parquet_without_its_library_names_the_extra(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_some(file)
    monkeypatch.setitem(sys.modules, "polars", None)

    with pytest.raises(MissingExtraError, match=r"\[parquet\]"):
        write_parquet(Store(file).runs(), tmp_path / "games.parquet")


def test_parquet_holds_the_table_of_the_csv(file: Path, tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    run = play_some(file)
    write_parquet(Store(file).runs(), tmp_path / "games.parquet")
    table = polars.read_parquet(tmp_path / "games.parquet")

    assert run.guesses.tolist() == table["guesses"].to_list()
