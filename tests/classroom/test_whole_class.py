"""A class at once: which folders are projects, one line for each, a table for spreadsheets, pages, and what is told."""

from __future__ import annotations

import csv
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from classroom_typing import project, typed
from entropeg.classroom import process, series
from entropeg.classroom.findings import Project
from entropeg.classroom.players import close_all
from entropeg.classroom.process import Limits
from entropeg.classroom.project import Check
from entropeg.classroom.project_page import interval_text
from entropeg.classroom.series import ClassroomInterrupted
from entropeg.classroom.whole_class import checking, sharing
from entropeg.classroom.whole_class.checking import ClassCheck, ClassMember, check_class, write_class_table
from entropeg.classroom.whole_class.class_page import class_page, class_text, page_names, pages_folder
from entropeg.classroom.whole_class.folders import find_projects
from entropeg.errors import InputError
from entropeg.rules import Rules
from planted import EXAMPLES, PLANTS, plant

SMALL = Rules.parse("3x4/course")
QUICK: dict[str, Any] = {"games": 4, "seconds": 2, "limits": Limits(turn_seconds=1, memory=512)}


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Any:
    yield
    close_all()


@pytest.fixture
def a_class(tmp_path: Path) -> Path:
    folder = tmp_path / "class"
    project(folder / "anna", "common.py", "codebreaker2.py")
    fault = next(each for each in PLANTS if each.name == "guess is a list")
    plant(fault, folder / "ben")
    return folder


def test_a_class_is_told_in_one_line_a_project_then_in_pages(a_class: Path, tmp_path: Path) -> None:
    page, table = tmp_path / "page.html", tmp_path / "table.csv"
    (a_class / "claire.zip").write_bytes(b"PK")
    result = typed("check", str(a_class), "--games", "3", "--seconds", "2", "--html", str(page), "--csv", str(table))
    with table.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))

    assert result.exit_code == 1
    assert "2 projects on 4x8/course: nothing wrong in 1, something wrong in 1" in result.stdout
    assert "\n✓ anna: 2 modules, nothing wrong\n" in result.stdout
    assert "\n✗ ben: " in result.stdout
    assert "claire.zip is an archive and was left out" in result.stdout
    assert ["anna", "ben"] == [row["project"] for row in rows]
    assert ["0", "1"] == [row["wrong"] for row in rows]
    assert "right" == rows[0]["codebreaker2.py"]
    assert 4 < float(rows[0]["codebreaker2.py mean"]) < 8
    assert "wrong: type" in rows[1].values()
    assert 'href="page/anna.html"' in page.read_text(encoding="utf-8")
    assert ["anna.html", "ben.html"] == sorted(file.name for file in (tmp_path / "page").iterdir())


def test_data_of_a_class_hold_each_project(a_class: Path) -> None:
    data = json.loads(typed("check", str(a_class), "--games", "2", "--seconds", "1", "--json").stdout)

    assert (1, [], ["anna", "ben"]) == (data["wrong"], data["left"], [each["project"] for each in data["projects"]])
    assert [0, 1] == [each["found"]["wrong"] for each in data["projects"]]


def test_what_nobody_foresaw_is_told_and_the_rest_judged(a_class: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(check: Check, *_: Any) -> list[Path]:
        if check.project.folder.name == "anna":
            raise RuntimeError("odd\x1b[31m")
        return []

    monkeypatch.setattr(Check, "begin", fails)
    checked = check_class([a_class], SMALL)

    assert ["could not be judged: RuntimeError: odd\\x1b[31m", None] == [each.trouble for each in checked.members]
    assert "– anna: could not be judged" in class_text(checked)
    assert "1 could not be judged" in class_page(checked)


def test_a_class_that_is_interrupted_has_what_was_found(a_class: Path) -> None:
    def stops(name: str, *_: int) -> None:
        if name == "anna, codebreaker2.py":
            raise KeyboardInterrupt

    with pytest.raises(ClassroomInterrupted) as caught:
        check_class([a_class], SMALL, jobs=1, progress=stops, **QUICK)
    checked: ClassCheck = caught.value.done

    assert (["anna"], ["ben"]) == ([each.label for each in checked.members], checked.left)
    assert "not looked at: codebreaker2.py" in class_text(checked)
    assert "not looked at: ben" in checked.summary


def test_no_module_is_begun_after_the_time(a_class: Path) -> None:
    checked = check_class([a_class], SMALL, within=0, **QUICK)

    assert ["anna"] == [each.label for each in checked.members]
    assert ["ben"] == checked.left
    assert checked.members[0].project is not None
    assert checked.members[0].project.left


def test_a_module_that_hangs_at_import_stops_no_one_else(a_class: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = project(a_class / "a_hanging")
    text = "import time\ntime.sleep(600)\ndef init(): pass\ndef codebreaker(evaluation): pass\n"
    (folder / "codebreaker2.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(process, "LOAD_ASLEEP", 0.5)
    checked = check_class([a_class], SMALL, **QUICK)

    assert ["a_hanging", "anna", "ben"] == [each.label for each in checked.members]
    assert ["wrong", "right", "wrong"] == [each.verdict for each in checked.members]


def test_cells_are_no_formulas(tmp_path: Path) -> None:
    checked = ClassCheck(SMALL, [ClassMember("=1+1", Path("x"), None, "@SUM(A1)")])
    write_class_table(checked, tmp_path / "table.csv")
    text = (tmp_path / "table.csv").read_text(encoding="utf-8-sig")

    assert "'=1+1,x,,,,,,'@SUM(A1)," == text.splitlines()[1]


def test_a_file_of_another_kind_is_not_overwritten(a_class: Path, tmp_path: Path) -> None:
    other = tmp_path / "notes.csv"
    other.write_text("dear all", encoding="utf-8")
    result = typed("check", str(a_class), "--csv", str(other))

    assert result.exit_code == 2
    assert "dear all" == other.read_text(encoding="utf-8")


def test_a_folder_without_projects_is_told_in_a_sentence(tmp_path: Path) -> None:
    empty, further = tmp_path / "empty", tmp_path / "further"
    empty.mkdir()
    further.mkdir()
    alone, both = typed("check", str(empty)), typed("check", str(empty), str(further))

    assert [2, 2] == [alone.exit_code, both.exit_code]
    assert "holds no module of the course" in alone.stderr
    assert "holds no project" in both.stderr


# ------------------------------------------------------------------ programs


ENGINE = f"cmd:{sys.executable} {EXAMPLES.parent / 'engine' / 'codebreaker.py'}"


def test_a_program_is_checked_and_run_as_a_module_is(a_class: Path) -> None:
    shutil.rmtree(a_class / "ben")
    alone = typed("check", ENGINE, "--rules", "3x4", "--games", "4", "--seconds", "2")
    quick = ("--rules", "3x4", "--games", "2", "--seconds", "2", "--json")
    both = typed("check", str(a_class), ENGINE, "cmd:false", *quick)
    data = json.loads(both.stdout)
    ran = json.loads(typed("run", ENGINE, "--rules", "3x4", "--games", "3", "--json").stdout)

    assert alone.exit_code == 0
    assert "✓ plays 4 games against honest on 3x4 by the rules" in alone.stdout
    assert [0, 0, 1] == [each["found"]["wrong"] for each in data["projects"]]
    assert "exit code 1" in data["projects"][2]["found"]["findings"][0]["text"]
    assert (3, 0) == (ran["won"], ran["faulty"])


def test_a_program_that_does_not_start_is_told_in_a_sentence() -> None:
    result = typed("run", "cmd:false", "--games", "3")

    assert result.exit_code == 2
    assert "cmd:false: it ended with exit code 1" in result.stderr


def test_a_check_that_has_no_time_left_ends_within_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, clock = project(tmp_path / "anna", "common.py", "codebreaker2.py"), [0.0]
    monkeypatch.setattr(series, "monotonic", lambda: clock[0])
    monkeypatch.setattr(checking, "monotonic", lambda: clock[0])
    monkeypatch.setattr(sharing, "monotonic", lambda: clock[0])

    def late(*arguments: Any, **how: Any) -> Any:
        clock[0] += 60.0  # the first series of games takes a minute
        return series.play_series(*arguments, **how)

    monkeypatch.setattr("entropeg.classroom.project.play_series", late)
    [member] = check_class([folder], SMALL, within=30, **QUICK).members
    assert member.project is not None

    assert ["codebreaker2.py"] == member.project.left
    assert not ClassCheck(SMALL, [member]).is_complete
    assert any("plays 4 games on 3x4/course" in each.text for each in member.project.findings)
    assert not any("follows LENGTH" in each.text for each in member.project.findings)


@pytest.mark.parametrize("time", ["-1", "nan"])
def test_a_time_that_is_none_is_refused(time: str, tmp_path: Path) -> None:
    result = typed("check", str(project(tmp_path / "anna", "codebreaker0.py")), "--time", time)

    assert (2, True) == (result.exit_code, "it must be 0 or more" in result.stderr)


def test_pages_of_projects_have_names_of_their_own(tmp_path: Path) -> None:
    labels = ["a/b", "a_b", "A_b", "x" * 300, "cmd:./a b"]
    checked = ClassCheck(SMALL, [ClassMember(label, Path(label)) for label in labels])

    assert ["a_b.html", "a_b_2.html", "a_b_3.html", "x" * 100 + ".html", "cmd_._a_b.html"] == page_names(checked)

    (tmp_path / "notes").write_text("dear all", encoding="utf-8")
    for name, said in (("page", "needs an ending, as"), ("notes.html", "is a file")):
        with pytest.raises(InputError, match=said):
            pages_folder(tmp_path / name)


def test_a_player_under_another_name_is_found_in_a_class_too(tmp_path: Path) -> None:
    text = (EXAMPLES / "codebreaker0.py").read_text(encoding="utf-8")
    for name in ("anna", "ben"):
        project(tmp_path / name, "common.py")
        (tmp_path / name / "joueur.py").write_text(text, encoding="utf-8")
    (tmp_path / "CLAIRE.ZIP").write_bytes(b"PK")
    found = find_projects([tmp_path])

    assert ["anna", "ben"] == list(found.labels.values())
    assert "CLAIRE.ZIP is an archive" in found.notes[0]


def test_a_project_with_a_module_that_was_not_played_is_not_called_right() -> None:
    idle = Project(Path("anna"), SMALL, ["codebreaker2.py"], players=["codebreaker2.py"])
    checked = ClassCheck(SMALL, [ClassMember("anna", Path("anna"), idle)])

    assert checked.summary == "1 project on 3x4/course: nothing wrong in 0, 1 could not be judged"
    assert "– anna: 1 module, nothing wrong; no game finished: codebreaker2.py" in class_text(checked)


def test_games_all_alike_have_no_interval_of_no_width() -> None:
    assert ("–", "4.00 to 5.00") == (interval_text((8.0, 8.0)), interval_text((4.0, 5.0)))


def test_a_module_has_one_column_wherever_it_lies(tmp_path: Path) -> None:
    project(tmp_path / "anna", "common.py")
    project(tmp_path / "ben" / "src" / "game", "common.py")
    found = [Project(tmp_path / name, SMALL) for name in ("anna", "ben")]
    found[0].add("common.py", "right", "right")
    found[1].add("src/game/", "note", "found here")
    found[1].add("src/game/common.py", "wrong", "wrong", "type")
    rows = [ClassMember(each.folder.name, each.folder, each).cells() for each in found]

    assert ["right", "wrong: type"] == [row["common.py"] for row in rows]
    assert [0, 0] == [row["noted"] for row in rows]
    assert "src/game/" not in rows[1]


def test_no_folder_of_a_class_is_passed_over_in_silence(tmp_path: Path) -> None:
    project(tmp_path / "anna", "common.py", "codemaker1.py")
    project(tmp_path / "ben", "common.py")
    (tmp_path / "emma").mkdir()
    (tmp_path / "emma" / "jeu.py").write_text("def evaluer(a, b):\n    return sum(map(int.__eq__, a, b)), 0\n")
    (tmp_path / "lea").mkdir()
    found = find_projects([tmp_path])

    assert ["anna", "ben", "emma"] == list(found.labels.values())
    assert [f"{tmp_path}/lea holds no Python file: it was left out"] == found.notes


def test_a_folder_around_one_project_is_that_project(tmp_path: Path) -> None:
    project(tmp_path / "anna" / "rendu" / "projet", "common.py", "codemaker1.py")
    (tmp_path / "anna" / "rapport").mkdir()

    assert [tmp_path / "anna"] == find_projects([tmp_path / "anna"]).projects
