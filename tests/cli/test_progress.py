"""How far a long command is: lines that fit the terminal, and lines of a log now and then."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from entropeg.cli import progress
from entropeg.cli.progress import Stand, drawn_line, plain_line, telling, telling_of_games
from entropeg.experiments.results import Progress
from interrupting import wait_until
from rooms import often

words = st.text("abcdefgh :=-", min_size=1, max_size=90)


@given(st.lists(words, max_size=4), st.integers(0, 10**8), st.integers(0, 10**8), st.integers(40, 200), st.booleans())
def test_a_line_fits_every_terminal_and_says_what_is_counted(
    parts: list[str], done: int, total: int, width: int, fancy: bool
) -> None:
    stand = Stand("games")
    stand.put(*parts, done=min(done, total), total=total, left=4000.0)
    line = drawn_line(stand, width, fancy=fancy)

    assert len(line) <= width
    assert stand.counted in line
    assert line.isascii() or fancy


def test_what_does_not_fit_is_left_out_from_the_least_important_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stand, "seconds", 0.0)
    stand = Stand()
    stand.put("total >= 31365 and <= 34666", "gap 10.52 %", "first guess AABC (4 to settle)", left=130.0)

    assert [
        "0 s, total >= 31365 and <= 34666, gap 10.52 %, first guess AABC (4 to settle), about 2 minutes left",
        "0 s, total >= 31365 and <= 34666, gap 10.52 %, about 2 minutes left",
        "0 s, total >= 31365 and <= 34666",
    ] == [drawn_line(stand, width) for width in (119, 79, 39)]


def test_the_rest_is_estimated_by_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "monotonic", lambda: 1100.0)
    stand = Stand("codes", began=1000.0)
    stand.put("entropy", done=250, total=1000)

    assert "entropeg: 100 s: entropy, 250 of 1,000 codes, about 5 minutes left" == plain_line(stand)


def test_where_there_is_no_terminal_a_plain_line_comes_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "FIRST", 0.01)
    monkeypatch.setattr(progress, "EVERY", 0.01)
    monkeypatch.setattr(Stand, "seconds", 0.0)
    said: list[str] = []

    def two_lines() -> bool:
        said.append(capsys.readouterr().err)
        return "".join(said).count("\n") > 1

    with telling("games") as stand:
        stand.put("minimax", done=3, total=10)
        assert wait_until(two_lines)

    assert {"entropeg: 0 s: minimax, 3 of 10 games"} <= set("".join(said).splitlines())


def test_short_commands_say_nothing_in_logs(capsys: pytest.CaptureFixture[str]) -> None:
    with telling("games") as stand:
        stand.put("minimax", done=3, total=10)

    assert ("", "") == capsys.readouterr()


def test_without_threads_the_lines_come_with_what_is_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "starts", lambda _: False)
    monkeypatch.setattr(progress, "FIRST", 10.0)
    monkeypatch.setattr(progress, "monotonic", lambda: 1000.0)
    with telling("games") as stand:
        for seconds in (0, 11, 20, 60):
            stand.began = 1000.0 - seconds
            stand.put("minimax", done=seconds, total=100)

    assert [
        "entropeg: 11 s: minimax, 11 of 100 games, about 1 minute left",
        "entropeg: 60 s: minimax, 60 of 100 games, about 40 seconds left",
    ] == capsys.readouterr().err.splitlines()


def on_a_terminal(columns: int, *arguments: str) -> tuple[int, str]:
    """Run the program with standard error on a terminal so wide; return its exit code and what it said there."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    command = [sys.executable, "-m", "entropeg", *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=follower, env=environment) as process:
        os.close(follower)
        said = b""
        with os.fdopen(leader, "rb", buffering=0) as terminal, suppress(OSError):
            while piece := terminal.read(65536):
                said += piece
    return process.returncode, said.decode()


@pytest.mark.slow
@pytest.mark.parametrize("columns", often(2, [40, 120, 80]))
def test_the_line_of_optimal_stays_on_one_line_of_the_terminal(columns: int) -> None:
    code, drawn = on_a_terminal(columns, "optimal", "4x8", "--time", "1.5", "--json")
    lines = [line.removesuffix("\x1b[K") for line in drawn.split("\r")]

    assert code == 0
    assert any("total >=" in line for line in lines)
    assert max(map(len, lines)) < columns
    assert "\n" not in drawn


def test_errors_fit_the_terminal_that_they_are_shown_on() -> None:
    code, said = on_a_terminal(40, "score", "AABB", "ABCDE")

    assert code == 2
    assert said.count("\n") > 1
    assert max(map(len, said.splitlines())) <= 40


def test_games_that_take_long_say_how_far_they_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "starts", lambda _: False)
    monkeypatch.setattr(progress, "FIRST", 0.0)
    monkeypatch.setattr(progress, "EVERY", 0.0)
    monkeypatch.setattr(Stand, "seconds", 0.0)
    with telling_of_games() as tell:
        tell(Progress(("auto", "honest"), 0, 1))
        tell(Progress(("auto", "honest"), 0, 1, turns=(1204,)))
        tell(Progress(("auto", "honest"), 2, 9, turns=(17, 310, 1204)))

    assert [
        "entropeg: 0 s: auto against honest, 0 of 1 games",
        "entropeg: 0 s: auto against honest, turn 1,204 of the game under way, 0 of 1 games",
        "entropeg: 0 s: auto against honest, turns 17 to 1,204 of 3 games under way, 2 of 9 games",
    ] == [line for line in capsys.readouterr().err.splitlines() if line != "entropeg: 0 s: at work"]
