"""What stands at the door for those who come to change something: the hook for messages, and files that tools read."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOOK = ROOT / "scripts" / "hooks" / "commit-msg"
VENDORED = [
    "src/entropeg/web/static/vendor/preact.js",
    "docs/_static/mathjax/tex-svg.js",
    "tests/vendor/axe/axe.min.js",
]


@pytest.mark.skipif(shutil.which("sh") is None, reason="there is no shell")
@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("Read red pegs", "has no body"),
        ("\n\nRead red pegs\n\n  \n", "has no body"),
        ("Read red pegs\nBoards have them.", "must be empty"),
        ("Read red pegs\n\nCo-authored-by: Ada", "has no body"),
        ("Read red pegs\n\n# Please enter the commit message", "has no body"),
        ("Read red pegs\n\n# ------------------------ >8 ------------------------\ndiff --git a b", "has no body"),
        ("Read red pegs\n\nBoards have them.", ""),
        ("\nRead red pegs\n\nBoards: some have them.\n\nCo-authored-by: Ada", ""),
        ("Merge branch 'red'", ""),
        ('Revert "Read red pegs"', ""),
        ("fixup! Read red pegs", ""),
        ("# nothing but comments: git itself refuses it", ""),
    ],
)
def test_the_hook_asks_for_a_body_that_says_why(message: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "MESSAGE").write_text(message, encoding="utf-8")
    done = subprocess.run(["sh", HOOK, tmp_path / "MESSAGE"], check=False, capture_output=True, text=True)

    assert bool(said) == bool(done.returncode)
    assert said in done.stderr


def test_the_hook_can_be_run_by_git_and_is_told_of() -> None:
    assert HOOK.stat().st_mode & 0o100
    assert "git config core.hooksPath scripts/hooks" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_every_room_is_sent_to_tests_that_there_are() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.partition("## Where the tests of a room are")[2].partition("\n## ")[0]
    told = {
        room for row in re.findall(r"^\| (.+?) \|", section, re.MULTILINE) for room in re.findall(r"`([^`]+)`", row)
    }
    folders = {path.parent.name for path in (ROOT / "src" / "entropeg").glob("*/__init__.py")}
    without = {room for room in folders if not (ROOT / "tests" / room).is_dir()}

    assert {room for room in without if f"src/entropeg/{room}" not in told} == set()


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no clone")
def test_the_container_has_a_python_that_entropeg_runs_on() -> None:
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
    found = re.fullmatch(r"python:3\.(\d+)-\w+", container["image"])
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]

    assert found is not None
    assert int(found[1]) >= int(wanted.removeprefix(">=3.").partition(",")[0])


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no clone")
def test_git_changes_no_byte_of_what_others_wrote_or_of_data() -> None:
    files = [*VENDORED, "src/entropeg/data/texts/fr.mo", "docs/trees/5x7.tree", "tests/earlier/3x4.games", "README.md"]
    command = ["git", "check-attr", "text", "--", *files]
    said = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()

    assert [*["unset"] * (len(files) - 1), "auto"] == [line.rpartition(": ")[2] for line in said]
    assert all((ROOT / file).is_file() for file in files)
