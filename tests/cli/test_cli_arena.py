"""`entropeg arena`: tables, data, files, progress and interruptions, with the arena itself behind it."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from entropeg import cli
from entropeg.experiments.runner import Ledger, arena
from entropeg.experiments.store import Store
from entropeg.rules import Rules
from entropeg.signals import INTERRUPTED

PROGRAM = [sys.executable, "-m", "entropeg", "arena"]


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(cli.group, ["arena", *arguments], prog_name="entropeg")


def test_data_are_those_of_the_arena() -> None:
    data = json.loads(
        typed("consistent,memory", "honest", "--rules", "3x4", "--games", "50", "--seed", "7", "--json").stdout
    )
    runs = arena(["consistent", "memory"], "honest", Rules.parse("3x4"), games=50, seed=7)

    assert (data["rules"], data["plan"], data["seed"]) == ("3x4", "games", 7)
    for shown, run in zip(data["runs"], runs, strict=True):
        assert (shown["codebreaker"], shown["codemaker"]) == (run.codebreaker, run.codemaker)
        assert shown["histogram"] == {str(n): k for n, k in sorted(Counter(run.guesses.tolist()).items())}
        assert shown["total"] == int(run.guesses.sum())
        assert shown["interval"] == list(run.statistics.interval or ())


def test_every_secret_once_gives_the_exact_total_of_the_field() -> None:
    result = typed("first-consistent", "honest", "--rules", "4x6", "--all-secrets", "--json")
    (run,) = json.loads(result.stdout)["runs"]

    assert (run["total"], run["worst"], run["exact"], run["interval"]) == (7471, 9, True, None)
    assert list(run["histogram"].values()) == [1, 4, 25, 108, 305, 602, 196, 49, 6]


def test_the_table_has_a_row_for_each_pair_with_its_mean() -> None:
    result = typed("consistent,first-consistent", "honest:ABC,honest:BAC", "--rules", "3x4", "--games", "40")
    runs = arena(["consistent", "first-consistent"], ["honest:ABC", "honest:BAC"], Rules.parse("3x4"), games=40)
    _, header, *rows = result.output.splitlines()

    assert result.exit_code == 0
    assert header.split()[:4] == ["codebreaker", "codemaker", "games", "mean"]
    assert [row.split()[:4] for row in rows] == [
        [run.codebreaker, run.codemaker, "40", f"{run.statistics.mean:.4f}"] for run in runs
    ]


def test_a_run_without_a_game_won_has_no_mean() -> None:
    arguments = ("first-consistent", "honest:CCC", "--rules", "3x4", "--limit", "1", "--games", "5")
    (run,) = json.loads(typed(*arguments, "--json").stdout)["runs"]
    row = typed(*arguments).output.splitlines()[-1].split()

    assert (run["mean"], run["median"], run["interval"], run["won"], run["lost"]) == (None, None, None, 0, 5)
    assert row[2:7] == ["5", "-", "-", "-", "5"]


def test_the_table_of_games_has_a_row_for_each(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    result = typed("consistent", "honest", "--rules", "3x4", "--games", "30", "--csv", str(path))
    rows = list(csv.DictReader(io.StringIO(path.read_text())))
    (run,) = arena("consistent", "honest", Rules.parse("3x4"), games=30)

    assert result.exit_code == 0
    assert [int(row["guesses"]) for row in rows] == run.guesses.tolist()
    assert {row["codebreaker"] for row in rows} == {"consistent"}


def test_a_table_that_cannot_be_written_is_told_after_the_results() -> None:
    result = typed("consistent", "honest", "--rules", "3x4", "--games", "30", "--csv", "/dev/full")

    assert result.exit_code == 2
    assert "consistent" in result.stdout
    assert result.stderr == "entropeg: /dev/full cannot be written: No space left on device\n"


def test_a_file_in_the_way_of_the_table_is_told_before_any_game(tmp_path: Path) -> None:
    path = tmp_path / "precious.csv"
    path.write_text("precious")
    result = typed("consistent", "honest", "--csv", str(path))

    assert (result.exit_code, result.stdout, path.read_text()) == (2, "", "precious")


@pytest.mark.parametrize("content", [b"dear all\n" * 200, b"SQLite format 3\0" + b"\0" * 100])
def test_a_foreign_results_file_is_refused_and_left_as_it_is(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "results"
    path.write_bytes(content)
    result = typed("consistent", "honest", "--rules", "3x4", "--games", "5", "--store", str(path))

    assert result.exit_code == 2
    assert str(path) in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert path.read_bytes() == content


def kept_games(path: Path) -> int:
    """Number of games in a file of results that may not be there yet."""
    if not path.exists() or not path.stat().st_size:
        return 0
    return sum(len(run.games) for run in Store(path).runs())


def test_an_interrupted_run_keeps_its_games_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    games = "100000"
    arguments = ["random", "honest", "--rules", "6x8", "--games", games, "--jobs", "1", "--store", str(path)]
    with subprocess.Popen([*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 300
        while not kept_games(path):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=300)
    assert process.returncode == INTERRUPTED
    kept = kept_games(path)

    assert 0 < kept < int(games)
    assert [f"{kept:,}"] == re.findall(r"^random +honest +([\d,]+) ", output, re.MULTILINE)
    assert errors.splitlines()[-1] == (
        f"entropeg: interrupted after {kept:,} of 100,000 games: what is shown is of these alone; "
        f"they are kept in {path}, and the same command goes on from there"
    )


def test_what_the_file_holds_is_not_played_again(tmp_path: Path) -> None:
    arguments = ("consistent", "honest", "--rules", "3x4", "--store", str(tmp_path / "results.db"), "--json")
    first = json.loads(typed(*arguments, "--games", "40").stdout)
    again = json.loads(typed(*arguments, "--games", "40").stdout)

    assert first == again


def test_progress_is_drawn_on_standard_error_where_it_is_a_terminal() -> None:
    leader, follower = pty.openpty()
    arguments = ["first-consistent", "honest", "--rules", "5x8", "--all-secrets", "--json"]
    environment = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(
        [*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=follower, text=True, env=environment
    ) as process:
        os.close(follower)
        drawn = read_all(leader)
        output, _ = process.communicate(timeout=300)

    assert json.loads(output)["runs"][0]["total"] == 250116
    assert "first-consistent against honest" in drawn


def read_all(terminal: int) -> str:
    """Read a terminal until the program behind it has ended."""
    read = b""
    with os.fdopen(terminal, "rb", buffering=0) as file, suppress(OSError):
        while piece := file.read(65536):
            read += piece
    return read.decode()


def test_a_histogram_in_text_counts_every_game_and_fits_the_screen() -> None:
    result = typed("random,consistent", "honest", "--rules", "3x4", "--games", "300", "--histogram")
    runs = arena(["random", "consistent"], "honest", "3x4", games=300)
    lines = re.findall(r"^ *[\d,-]+ +([\d,]+) +[\d.]+ %.*$", result.stdout, re.MULTILINE)

    assert sum(run.statistics.won for run in runs) == sum(map(int, lines))
    assert max(map(len, result.stdout.splitlines()[4:])) <= 80


def test_a_figure_is_drawn_of_any_number_of_pairs(tmp_path: Path) -> None:
    file = tmp_path / "pairs.svg"
    result = typed("random,consistent", "honest,cheat", "--rules", "3x4", "--games", "20", "--figure", str(file))

    assert (0, True) == (result.exit_code, file.read_bytes().startswith(b"<?xml"))


@pytest.mark.parametrize(
    ("file", "words"), [("a.jpg", "end it in .svg, .png, .pdf"), ("none/a.svg", "there is no folder")]
)
def test_a_figure_that_cannot_be_written_is_told_before_any_game(file: str, words: str) -> None:
    result = typed("consistent", "honest", "--games", "100000000", "--figure", file)

    assert 2 == result.exit_code
    assert words in result.stderr


def test_a_figure_needs_its_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = typed("consistent", "honest", "--figure", str(tmp_path / "a.svg"))

    assert 2 == result.exit_code
    assert 'python -m pip install ".[figures]" in the folder' in result.stderr


def test_games_that_will_take_long_are_foretold(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    command = ["consistent,memory", "honest", "--rules", "3x4", "--games", "40", "--jobs", "2"]
    short = typed(*command)
    monkeypatch.setattr(Ledger, "left", 2 * 20_000.0)
    long, kept = typed(*command), typed(*command, "--store", str(tmp_path / "games.sqlite"))

    assert "" == short.stderr
    assert [
        f"entropeg: about 10 hours of processor time for 40 more games of {player} against honest, 2 at a time: "
        "--games asks for fewer; Ctrl-C shows those played by then, and --store FILE keeps them"
        for player in ("consistent", "memory")
    ] == long.stderr.splitlines()
    assert long.stdout.count("honest") == short.stdout.count("honest")
    assert f"and {tmp_path / 'games.sqlite'} keeps them" in " ".join(kept.stderr.split())
