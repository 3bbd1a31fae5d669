"""The command line as a process: interruptions, full disks, closed pipes, a real terminal."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from entropeg import cli
from entropeg.game import load_game
from entropeg.signals import INTERRUPTED
from entropeg.svg import palette
from interrupting import interrupted_at
from terminals import Terminal

ESCAPE = "\x1b["
PROGRAM = [sys.executable, "-m", "entropeg"]


def typed(*arguments: str, lines: str = "") -> Result:
    return CliRunner().invoke(cli.group, arguments, input=lines, prog_name="entropeg")


def program(*arguments: str, lines: str = "", **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *arguments], input=lines, check=False, capture_output=True, text=True, timeout=300, **options
    )


# ------------------------------------------------------------------ interruptions, full disks, closed pipes


@pytest.mark.usefixtures("ctrl_c_is_heard")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interruption_at_the_prompt_keeps_the_game(number: signal.Signals, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    command = ["play", "--codemaker", "honest:ABCD", "--save", str(path)]
    code, rest = interrupted_at(command, "AABB\n", " 1  AABB", number)

    assert code == 128 + number
    assert f"The game is saved in {path}" in rest
    assert len(load_game(str(path)).turns) == 1


def test_a_full_disk_leaves_the_player_at_the_prompt_and_the_game_on_the_screen() -> None:
    result = program("play", "--codemaker", "honest:ABCD", "--save", "/dev/full", lines="AABB\nBBAA\n")

    assert result.returncode == 2
    assert "! /dev/full cannot be written: No space left on device; the game goes on" in result.stderr
    assert " 2  BBAA" in result.stdout
    assert result.stdout.endswith("AABB XO\nBBAA XO\n")
    assert Path("/dev/full").is_char_device()


def test_a_full_disk_at_the_command_save_leaves_the_player_at_the_prompt() -> None:
    result = program("play", "--codemaker", "honest:ABCD", lines="AABB\nsave /dev/full\nABCD\n")

    assert result.returncode == 0
    assert "! /dev/full cannot be written: No space left on device" in result.stderr
    assert "Found in 2 guesses." in result.stdout


def test_a_disk_that_is_full_for_a_plain_file_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    before = program("play", "--codemaker", "honest:ABCD", "--save", str(path), lines="AABB\n")
    saved = path.read_text()
    result = program(
        *("play", "--load", str(path), "--save", str(path)),
        lines="BBAA\n",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8, 8)),
    )

    assert before.returncode == 0
    assert result.returncode == 2
    assert f"! {path} cannot be written: File too large" in result.stderr
    assert path.read_text() == saved
    assert [file.name for file in tmp_path.iterdir()] == ["game.txt"]


def test_an_output_that_is_full_is_told_in_one_sentence() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        result = subprocess.run(
            [*PROGRAM, "list", "rules"], stdout=full, stderr=subprocess.PIPE, check=False, text=True
        )

    assert result.returncode == 2
    assert result.stderr == "entropeg: the output cannot be written: No space left on device\n"


def test_a_pipe_that_closes_early_is_quiet() -> None:
    read, write = os.pipe()
    os.close(read)
    result = subprocess.run([*PROGRAM, "list"], stdout=write, stderr=subprocess.PIPE, check=False, text=True)
    os.close(write)

    assert result.stderr == ""


# ------------------------------------------------------------------ a real terminal


def test_on_a_terminal_pegs_are_colored_and_carry_their_letters() -> None:
    terminal = Terminal("play", "--codemaker", "honest:ABCD", COLORTERM="truecolor")
    terminal.until("guess 1 of 12> ")
    terminal.type("aabb\n")
    answered = terminal.until("guess 2 of 12> ")
    terminal.type("abcd\n")
    ended = terminal.until("Found in 2 guesses.")
    paper = ";".join(map(str, palette.SIX[0]))

    assert re.search(rf"\x1b\[[0-9;]*48;2;{paper}m A \x1b\[0m", answered)
    assert "●○" in answered
    assert "●●●●" in ended
    assert terminal.exit_code() == 0


def test_on_a_terminal_without_color_there_is_not_one_escape_code() -> None:
    terminal = Terminal("play", "--codemaker", "honest:ABCD", NO_COLOR="1")
    shown = terminal.until("guess 1 of 12> ")
    terminal.type("aabb\n")
    shown += terminal.until("guess 2 of 12> ")
    terminal.type("abcd\n")
    shown += terminal.until("Found in 2 guesses.")

    # The line editor's own codes (bracketed paste) are no colors.
    assert [code for code in re.findall(r"\x1b\[[0-9;?]*[a-zA-Z]", shown) if code.endswith("m")] == []
    assert " 1  AABB  XO" in shown
    assert terminal.exit_code() == 0


@pytest.mark.parametrize(("key", "code"), [("\x04", 0), ("\x03", INTERRUPTED)])
def test_leaving_by_a_key_prints_the_game(key: str, code: int) -> None:
    terminal = Terminal("play", "--codemaker", "honest:ABCD", NO_COLOR="1")
    terminal.until("guess 1 of 12> ")
    terminal.type("aabb\n")
    terminal.until("guess 2 of 12> ")
    # The interpreter overlooks a Ctrl-C within microseconds of the prompt: it is about to wait for input.
    time.sleep(0.2)
    terminal.type(key)
    shown = terminal.until("AABB XO")

    assert "entropeg play --load FILE continues it" in " ".join(shown.split())
    assert terminal.exit_code() == code


def test_with_json_on_a_terminal_the_talk_goes_to_standard_error(tmp_path: Path) -> None:
    terminal = Terminal("play", "--codemaker", "honest:ABCD", "--json", NO_COLOR="1")
    terminal.until("guess 1 of 12> ")
    terminal.type("abcd\n")
    terminal.until('"outcome": "won"')

    assert terminal.exit_code() == 0


@pytest.mark.parametrize("name", sorted(cli.COMMANDS))
def test_no_help_shows_an_escape(name: str) -> None:
    result = typed(name, "--help")

    assert result.exit_code == 0
    assert "\\b" not in result.output
