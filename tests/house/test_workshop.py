"""Tools of the workshop: floors of coverage that only rise, and what a change touches."""

import json
import subprocess
from pathlib import Path

import covered
import pytest
import touched


def reported(folder: Path, lines: dict[str, int]) -> str:
    """Write a report of coverage.py in which so many of a hundred lines of each file were run."""
    files = {name: {"summary": {"covered_lines": run, "num_statements": 100}} for name, run in lines.items()}
    (folder / "report.json").write_text(json.dumps({"files": files}), encoding="utf-8")
    return str(folder / "report.json")


def test_a_room_below_its_floor_is_refused_and_a_floor_only_rises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(covered, "FLOORS", tmp_path / "covered.txt")
    tree, copied = "src/entropeg/tree/a.py", "/elsewhere/entropeg/tree/a.py"

    assert 0 == covered.main(reported(tmp_path, {tree: 90, copied: 0}))
    assert "tree 89\n" == covered.FLOORS.read_text(encoding="utf-8")
    assert 0 == covered.main(reported(tmp_path, {tree: 89}))
    assert 1 == covered.main(reported(tmp_path, {tree: 88}))
    assert "floor 89 %  BELOW" in capsys.readouterr().out
    assert "tree 89\n" == covered.FLOORS.read_text(encoding="utf-8")
    assert 0 == covered.main(reported(tmp_path, {tree: 95}))
    assert "tree 94\n" == covered.FLOORS.read_text(encoding="utf-8")


def test_new_changed_moved_and_deleted_files_are_touched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(touched, "ROOT", tmp_path)

    def git(*words: str) -> None:
        author = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "core.hooksPath=none")
        subprocess.run(["git", *author, *words], cwd=tmp_path, check=True, capture_output=True)

    git("init", "--initial-branch=main")
    for name in ("changed.py", "moved.py", "gone.py", "same.py"):
        (tmp_path / name).write_text(f"# {name}\n", encoding="utf-8")
    git("add", ".")
    git("commit", "--message=A")
    git("checkout", "-b", "mine")
    (tmp_path / "changed.py").write_text("1\n", encoding="utf-8")
    git("mv", "moved.py", "there.py")
    git("rm", "gone.py")
    git("commit", "--all", "--message=B")
    (tmp_path / "new.py").write_text("2\n", encoding="utf-8")

    assert ["changed.py", "gone.py", "moved.py", "new.py", "there.py"] == touched.changed()


def test_every_room_that_is_tested_elsewhere_is_a_room_and_that_place_is_there() -> None:
    rooms = {path.name for path in (touched.ROOT / "src" / "entropeg").iterdir() if path.is_dir()}

    assert set(touched.TESTED_BY) - {touched.GROUND} <= rooms
    assert [name for name in touched.TESTED_BY.values() if not (touched.ROOT / "tests" / name).is_dir()] == []
    assert {
        name
        for name in rooms - {"__pycache__"}
        if not (touched.ROOT / "tests" / touched.TESTED_BY.get(name, name)).is_dir()
    } == set()
