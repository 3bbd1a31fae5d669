"""Completion in the shell: the scripts, and what a word can go on with."""

from __future__ import annotations

import subprocess
import sys

import pytest
from click.testing import CliRunner

from entropeg import cli

PROGRAM = (
    "import sys\nfrom entropeg.__main__ import main\nsys.argv = ['entropeg']\n"
    "try:\n    main()\nexcept SystemExit:\n    print('LOADED', *sys.modules)"
)


def completed(*words: str) -> list[str]:
    """What bash is offered for the last of some words."""
    asked = {"COMP_WORDS": " ".join(["entropeg", *words]), "COMP_CWORD": str(len(words))}
    result = CliRunner().invoke(
        cli.group, [], prog_name="entropeg", env={"_ENTROPEG_COMPLETE": "bash_complete", **asked}
    )
    return [line.partition(",")[2] for line in result.output.splitlines()]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_each_shell_asks_by_the_variable_of_the_program(shell: str) -> None:
    result = CliRunner().invoke(cli.group, ["completion", shell], prog_name="entropeg")

    assert result.exit_code == 0
    assert f"_ENTROPEG_COMPLETE={shell}_complete" in result.output


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["c"], ["candidates", "classroom", "check-log", "compare", "completion"]),
        (["tree", "o"], ["openings"]),
        (["arena", "min"], ["minimax"]),
        (["arena", "random,min"], ["random,minimax"]),
        (["arena", "random", "honest,ch"], ["honest,cheat"]),
        (["play", "--codemaker", "wo"], ["worst-case"]),
        (["tree", "build", "dic"], ["dichotomy"]),
        (["optimal", "bu"], ["bulls-and-cows"]),
        (["play", "--rules", "4x6/bla"], ["4x6/blanks", "4x6/blanks-in-secrets", "4x6/black"]),
        (["bounds", "4x6/l"], ["4x6/limit=", "4x6/letters"]),
        (["completion", "b"], ["bash"]),
        (["list", "r"], ["rules", "random"]),
    ],
)
def test_a_word_goes_on_with_what_may_stand_there(words: list[str], found: list[str]) -> None:
    assert found == completed(*words)


def test_what_is_no_name_of_a_player_may_be_a_file() -> None:
    asked = {"_ENTROPEG_COMPLETE": "bash_complete", "COMP_WORDS": "entropeg arena ./my", "COMP_CWORD": "2"}
    result = CliRunner().invoke(cli.group, [], prog_name="entropeg", env=asked)

    assert result.output == "file,./my\n"


def test_completion_loads_neither_kernels_nor_figures() -> None:
    asked = {"_ENTROPEG_COMPLETE": "bash_complete", "COMP_WORDS": "entropeg arena m", "COMP_CWORD": "2"}
    shown = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=asked, check=True, capture_output=True, text=True
    ).stdout
    found, _, loaded = shown.partition("LOADED")

    assert {"plain,memory", "plain,minimax", "plain,mixed", "plain,montecarlo"} == set(found.split())
    assert {"numba", "matplotlib", "rich"} & set(loaded.split()) == set()
