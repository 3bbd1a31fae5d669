"""Points by a scheme, and the formats of systems that grade by machine: what is in them, and what is not."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from entropeg import cli
from entropeg.classroom.faults import Fault, at_line
from entropeg.classroom.findings import ModuleMeasure, Project
from entropeg.classroom.grading.delivery import FORMATS, KITS, graded_project, write_kit
from entropeg.classroom.grading.scheme import (
    BoardColumn,
    BoardEntry,
    Grade,
    GradingCheck,
    Scheme,
    read_scheme,
    scheme_to_start_from,
)
from entropeg.classroom.series import Series
from entropeg.cli import grading
from entropeg.errors import InputError
from entropeg.rules import Rules
from entropeg.told import Told
from planted import EXAMPLES

BOARD = Rules.parse("4x8/course")
RUNNER = {
    "CLASSROOM": "nsi",
    "ASSIGNMENT": "mastermind",
    "SUBMISSION_TAG": "submit/2026-09-01T08-00-00Z-a1b2c3d",
    "COMMIT_URL": "https://example.org/commit/1",
    "RELEASE_URL": "https://example.org/release/1",
}
FOR_TEACHERS = "evaluation('RR', 'RV') is what only the teacher reads"


def found(*, mean: tuple[int, ...] = (5, 6)) -> Project:
    project = Project(Path("/srv/dupont"), BOARD, ["common.py", "codebreaker2.py", "codemaker1.py"])
    said = Told(
        "{place}: {text}", at_line("/srv/dupont/common.py", 3), "evaluation('RR', 'RV') is (1, 1)\nGrade :=>> 99"
    )
    project.add("common.py", "wrong", said, "set")
    project.add("codebreaker2.py", "right", "plays 100 games by the rules")
    project.add("codebreaker2.py", "note", "is slow", "slow")
    project.add("codemaker1.py", "wrong", FOR_TEACHERS, "inconsistent")
    series = Series(BOARD, "codebreaker2.py", "honest", 0, 2, [*range(len(mean))], list(mean))
    project.measures.append(ModuleMeasure("codebreaker2.py", series, 5.5, "theory"))
    return project


def scheme(*checks: dict[str, Any]) -> Scheme:
    return Scheme(tuple(GradingCheck(**each) for each in checks), "TP")


ALL = scheme(
    {"name": "common", "file": "common.py", "points": 4},
    {"name": "breaker", "file": "codebreaker2.py", "points": 2},
    {"name": "maker", "file": "codemaker1.py", "points": 3, "hidden": True},
)


def written(grade: Grade, form: str) -> str:
    return FORMATS[form].write(grade, RUNNER)


@pytest.mark.parametrize(
    ("check", "points", "why"),
    [
        ({"file": "common.py"}, 0, "common.py, line 3: evaluation('RR', 'RV') is (1, 1)"),
        ({"file": "common.py", "costs": {"set": 1}}, 3, "common.py, line 3"),
        ({"file": "common.py", "kinds": ("type",)}, 4, "nothing wrong in common.py"),
        ({"file": "codebreaker*.py"}, 4, "plays 100 games by the rules"),
        ({"file": "codebreaker2.py", "costs": {"slow": 1.5}}, 2.5, "is slow"),
        ({"file": "codebreaker3.py"}, 0, "there is no codebreaker3.py"),
        ({"file": "codebreaker2.py", "mean": 5.5, "against": "honest"}, 4, "5.50 guesses on average against honest"),
        ({"file": "codebreaker2.py", "mean": 5.4}, 0, "at most 5.4 is asked for"),
        ({"file": "codebreaker2.py", "mean": 5.4, "against": "cheat"}, 0, "no game against cheat was finished"),
        ({"file": "common.py", "costs": {"set": 9}}, 0, "common.py, line 3"),
    ],
)
def test_a_check_has_its_points_where_nothing_wrong_was_found(check: dict[str, Any], points: float, why: str) -> None:
    [graded] = scheme({"name": "it", "points": 4, **check}).grade(found()).checks

    assert points == graded.points
    assert why in graded.text
    assert "/srv" not in graded.text


def test_what_was_not_looked_at_has_no_points_and_says_so() -> None:
    project = found()
    project.left = ["codebreaker2.py"]
    grade = ALL.grade(project)

    assert [0, 0, 0] == [each.points for each in grade.checks]
    assert "was not looked at to the end" in grade.checks[1].text


def test_gradescope_adds_up_itself_and_keeps_hidden_checks_from_students() -> None:
    data = json.loads(written(ALL.grade(found()), "gradescope"))

    assert {"output", "output_format", "stdout_visibility", "tests"} == set(data)
    assert [(0, 4), (2, 2), (0, 3)] == [(each["score"], each["max_score"]) for each in data["tests"]]
    assert ["visible", "visible", "hidden"] == [each["visibility"] for each in data["tests"]]
    assert ["failed", "passed", "failed"] == [each["status"] for each in data["tests"]]
    assert FOR_TEACHERS == data["tests"][2]["output"]


BREAKER, MAKER = BoardColumn("codebreaker*.py", "honest", games=2), BoardColumn("codemaker2.py", "consistent", games=2)


def compared(*measures: ModuleMeasure, findings: tuple[tuple[str, str], ...] = ()) -> list[tuple[str, float, str]]:
    project = Project(Path("/srv/dupont"), BOARD, ["codebreaker2.py"], measures=list(measures))
    for file, kind in findings:
        project.add(file, "note", "is looked at", kind)
    grade = Scheme((GradingCheck("it", "codebreaker2.py"),), board=(BREAKER, MAKER)).grade(project)
    entries = json.loads(written(grade, "gradescope")).get("leaderboard", [])
    return [(each["name"], each["value"], each["order"]) for each in entries]


def measured(file: str, guesses: list[int], against: str = "honest", board: Rules = BOARD) -> ModuleMeasure:
    sides = (against, file) if file.startswith("codemaker") else (file, against)
    return ModuleMeasure(file, Series(board, *sides, 0, 3, [*range(len(guesses))], guesses), None, "")


def test_a_leaderboard_has_the_mean_of_the_same_games_of_everybody_and_no_points() -> None:
    two, three = measured("codebreaker2.py", [5, 6, 99]), measured("codebreaker3.py", [4, 6])
    maker = measured("codemaker2.py", [8, 9], "consistent")

    assert compared(two) == [("guesses, codebreaker*.py against honest", 5.5, "asc")]
    assert [("guesses, codebreaker*.py against honest", 5.0, "asc")] == compared(two, three)  # the best of them
    assert [8.5] == [value for _, value, order in compared(two, maker) if order == "desc"]
    assert compared() == []


def test_who_has_not_played_these_games_has_no_entry_rather_than_a_false_one() -> None:
    good = [4, 5]
    spoiled = measured("codebreaker2.py", good)
    spoiled.series.faults.append(Fault("crash", "codebreaker2.py", "breaks"))
    helped = ModuleMeasure("codebreaker2.py", measured("codebreaker2.py", good).series, None, "", ("evaluation",))
    cases = [
        [measured("codebreaker2.py", [4])],  # its time was over
        [measured("codebreaker2.py", good, board=Rules.parse("3x4/course"))],
        [measured("codebreaker2.py", good, "cheat")],
        [spoiled],
        [helped],
    ]

    assert [[]] * 5 == [compared(*case) for case in cases]
    assert [[]] * 2 == [
        compared(measured("codebreaker2.py", good), findings=(("codebreaker2.py", kind),))
        for kind in ("knows the secret", "too good")
    ]
    assert 1 == len(compared(measured("codebreaker2.py", good), findings=(("codebreaker2.py", "not minimax"),)))


def test_a_game_lost_at_the_limit_counts_as_one_guess_more() -> None:
    board = Rules.parse("4x8/course/limit=6")
    project = Project(Path("dupont"), board, measures=[measured("codebreaker2.py", [4, 0], board=board)])

    assert BREAKER.value(project) == 5.5


def test_columns_of_a_leaderboard_are_read_and_say_their_names_in_the_language_of_the_grade(tmp_path: Path) -> None:
    path, check = tmp_path / "scheme.toml", "[[check]]\nfile = 'common.py'\n"
    board = "['codemaker2.py', { file = 'codebreaker3.py', against = 'cheat', name = 'Moves', games = 10 }]"
    path.write_text(f"leaderboard = {board}\n{check}", encoding="utf-8")
    read = read_scheme(path)
    entry = BoardEntry(read.board[0].title, 6.0, is_more_better=True)

    assert read.board == (
        BoardColumn("codemaker2.py", "consistent"),
        BoardColumn("codebreaker3.py", "cheat", "Moves", 10),
    )
    assert "propositions, codemaker2.py contre consistent" == (
        Grade("TP", "dupont", (), board=(entry,)).spoken("fr").board[0].name
    )
    with pytest.raises(InputError, match=r"the first 20 games of codemaker2\.py, and 5 are played"):
        read.check_games(5)
    read.check_games(20)


def test_the_result_of_classroom_50_has_every_field_of_its_contract() -> None:
    data = json.loads(written(ALL.grade(found()), "classroom50"))

    assert ("classroom50/result/v1", 2, 9) == (data["schema"], data["score"], data["max-score"])
    assert {"classroom", "assignment", "submission", "commit", "release", "review", "datetime"} < set(data)
    assert data["review"] == RUNNER["COMMIT_URL"]
    assert data["score"] == sum(each["score"] for each in data["tests"])
    assert data["max-score"] == sum(each["max-score"] for each in data["tests"])
    assert [("common", False), ("breaker", True), ("hidden check 1", False)] == [
        (each["test-name"], each["passed"]) for each in data["tests"]
    ]


def test_classroom_50_refuses_parts_of_points_and_a_runner_that_is_none() -> None:
    parts = scheme({"name": "half", "file": "common.py", "points": 0.5}).grade(found())

    with pytest.raises(InputError, match=r"counts whole points, and half has 0 of 0\.5"):
        written(parts, "classroom50")
    with pytest.raises(InputError, match="CLASSROOM, ASSIGNMENT, SUBMISSION_TAG, COMMIT_URL, RELEASE_URL"):
        FORMATS["classroom50"].write(ALL.grade(found()), {})


def test_vpl_reads_the_points_from_the_last_line_whatever_a_student_s_text_says() -> None:
    lines = written(ALL.grade(found()), "vpl").splitlines()

    assert ("<|--", "--|>", "Grade :=>> 2") == (lines[0], lines[-2], lines[-1])
    assert ["-common (0/4)", "-breaker (2/2)", "-Hidden checks (0/3)"] == [
        line for line in lines if line.startswith("-") and line != "--|>"
    ]
    assert 1 == sum(line.startswith("Grade") for line in lines)


def test_junit_has_a_failure_for_each_check_that_lost_points() -> None:
    suite = ET.fromstring(written(ALL.grade(found()), "junit"))[0]  # noqa: S314 (our own)

    assert ("3", "2") == (suite.get("tests"), suite.get("failures"))
    assert [("common.py", "common"), ("codebreaker2.py", "breaker"), ("hidden", "hidden check 1")] == [
        (case.get("classname"), case.get("name")) for case in suite
    ]
    assert [True, False, True] == [case.find("failure") is not None for case in suite]


@pytest.mark.parametrize("form", ["classroom50", "vpl", "junit"])
def test_what_students_read_holds_nothing_of_a_hidden_check_but_its_points(form: str) -> None:
    text = written(ALL.grade(found()), form)

    assert "only the teacher" not in text
    assert "maker" not in text
    assert "evaluation(" in text


def test_the_teacher_s_table_has_everything_and_computes_nothing() -> None:
    project = found()
    project.add("common.py", "wrong", "=HYPERLINK(1)", "type")
    rows = list(csv.DictReader(StringIO(written(ALL.grade(project), "csv"))))
    alone = scheme({"name": "type", "file": "common.py", "kinds": ("type",)}).grade(project)

    assert [("0", "4", "no"), ("2", "2", "no"), ("0", "3", "yes")] == [
        (row["points"], row["most"], row["hidden"]) for row in rows
    ]
    assert FOR_TEACHERS == rows[2]["why"]
    assert ",'=HYPERLINK(1)" in written(alone, "csv")


# ---------------------------------------------------------------------- schemes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a scheme needs a check"),
        ("[[check]", "is no TOML"),
        ("points = 3", "there is no 'points' in a scheme"),
        ("[check]\nfile = 'a'", r"in two pairs of brackets"),
        ("[[check]]\nname = 'a'", "check 1 names no file"),
        ("[[check]]\nfile = 'a'\npoint = 3", "there is no 'point'; a check has name, file, points"),
        ("[[check]]\nfile = 'a'\npoints = -1", "points is -1; it must be a number from 0"),
        ("[[check]]\nfile = 'a'\npoints = true", "it must be a number"),
        ("[[check]]\nfile = 'a'\nhidden = 'yes'", "hidden is 'yes'; it must be true or false"),
        ("[[check]]\nfile = 'a'\ncosts = 3", "costs must be a table"),
        ("[[check]]\nfile = 'a'\n[[check]]\nfile = 'a'", "two checks of the scheme have the name 'a'"),
        ("leaderboard = true\n[[check]]\nfile = 'a'", "leaderboard is True; it must be a list"),
        (
            "leaderboard = [3]\n[[check]]\nfile = 'a'",
            "leaderboard has 3: name a file, or write a table of file, against",
        ),
        ("leaderboard = [{ file = 'a', best = 1 }]\n[[check]]\nfile = 'a'", "leaderboard has "),
        (
            "leaderboard = [{ file = 'a.py', against = 'me' }]\n[[check]]\nfile = 'a'",
            "a.py plays against honest or cheat",
        ),
        ("leaderboard = [{ file = 'codemaker2.py', games = 21 }]\n[[check]]\nfile = 'a'", "number from 1 to 20"),
        ("leaderboard = ['a', 'a']\n[[check]]\nfile = 'a'", "two entries of the leaderboard have the name"),
    ],
)
def test_a_scheme_that_is_none_is_refused_in_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "scheme.toml").write_text(text, encoding="utf-8")

    with pytest.raises(InputError, match=said) as refused:
        read_scheme(tmp_path / "scheme.toml")

    assert "scheme.toml" in str(refused.value) or not text
    assert "\n" not in str(refused.value)


def test_the_scheme_to_start_from_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "scheme.toml").write_text(scheme_to_start_from(), encoding="utf-8")
    read = read_scheme(tmp_path / "scheme.toml")

    assert (4, 10, [True]) == (
        len(read.checks),
        sum(each.points for each in read.checks),
        [each.hidden for each in read.checks if each.hidden],
    )


# ---------------------------------------------------------------------- at the prompt


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(cli.group, ["classroom", *arguments], prog_name="entropeg")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dupont")
    text = (EXAMPLES / "common.py").read_text(encoding="utf-8")
    wrong = text.replace("min(guess.count(color), secret.count(color))", "guess.count(color) * (color in secret)")
    (folder / "common.py").write_text(wrong, encoding="utf-8")
    return folder


def test_grade_prints_and_writes_into_a_folder(project: Path, tmp_path: Path) -> None:
    plan = tmp_path / "scheme.toml"
    plan.write_text("[[check]]\nfile='common.py'\npoints=2\n[[check]]\nfile='x.py'\nhidden=true\n", encoding="utf-8")
    printed = typed("grade", str(project), "--format", "vpl", "--scheme", str(plan))
    done = typed("grade", str(project), "--format", "junit", "--scheme", str(plan), "--output", str(tmp_path))
    plain = typed("grade", str(project))

    assert (1, 1, 1) == (printed.exit_code, done.exit_code, plain.exit_code)
    assert printed.stdout.endswith("Grade :=>> 0\n")
    assert {"junit.xml", "teacher.csv", "scheme.toml"} == {path.name for path in tmp_path.iterdir()}
    assert "there is no x.py" in (tmp_path / "teacher.csv").read_text(encoding="utf-8")
    assert "common.py,common.py,0,1,no" in plain.stdout


def test_a_folder_that_is_no_project_has_no_points_and_the_reason(tmp_path: Path) -> None:
    grade = graded_project(tmp_path, ALL)

    assert (0, 9) == (grade.points, grade.most)
    assert "holds no" in grade.checks[0].text
    assert 2 == typed("grade", str(tmp_path)).exit_code


def test_files_of_others_stay_and_missing_folders_are_told_before_the_work(project: Path, tmp_path: Path) -> None:
    (tmp_path / "junit.xml").write_text("mine", encoding="utf-8")
    other = typed("grade", str(project), "--format", "junit", "--output", str(tmp_path))
    nowhere = typed("grade", str(project), "--output", str(tmp_path / "nowhere"))

    assert (2, 2) == (other.exit_code, nowhere.exit_code)
    assert "mine" == (tmp_path / "junit.xml").read_text(encoding="utf-8")
    assert "there is no folder" in nowhere.output


def test_of_many_folders_that_are_none_the_first_are_told_and_the_others_counted(tmp_path: Path) -> None:
    many = typed("check", *(str(tmp_path / f"nowhere{number}") for number in range(40)))

    assert 2 == many.exit_code
    assert 3 == many.output.count("there is no folder")
    assert "and 37 more are none" in many.output


def test_names_at_the_prompt_are_those_of_the_library() -> None:
    assert tuple(FORMATS) == grading.FORMATS
    assert tuple(KITS) == grading.KITS


@pytest.fixture
def machine(tmp_path: Path) -> dict[str, str]:
    """Return an environment in which `entropeg` is this one, and pip does nothing."""
    stubs = tmp_path / "stubs"
    (stubs / "pip").mkdir(parents=True)
    for name in ("__init__.py", "__main__.py"):
        (stubs / "pip" / name).touch()
    program = stubs / "entropeg"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m entropeg "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    source = str(Path(__file__).parents[2] / "src")
    path = f"{stubs}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, **RUNNER, "PATH": path, "PYTHONPATH": f"{stubs}{os.pathsep}{source}"}


def test_a_file_in_place_of_the_folder_is_told(project: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for arguments in (("kit", "vpl", tmp_path / "file"), ("grade", project, "--output", tmp_path / "file")):
        result = typed(*map(str, arguments))

        assert result.exit_code == 2
        assert result.stderr == f"entropeg: {tmp_path / 'file'} is a file: name a folder\n"


def test_the_kit_for_gradescope_grades(project: Path, tmp_path: Path, machine: dict[str, str]) -> None:
    root, kit = tmp_path / "autograder", tmp_path / "autograder" / "source"
    result = typed("kit", "gradescope", str(kit))
    (root / "venv" / "bin").mkdir(parents=True)
    (root / "venv" / "bin" / "entropeg").symlink_to(tmp_path / "stubs" / "entropeg")
    (root / "submission").symlink_to(project)
    for name in ("setup.sh", "run_autograder"):
        path = kit / name
        path.write_text(path.read_text(encoding="utf-8").replace("/autograder", str(root)), encoding="utf-8")
        subprocess.run(["bash", "-n", str(path)], check=True)
    subprocess.run([str(kit / "run_autograder")], env=machine, check=True, capture_output=True)
    setup = subprocess.run([str(kit / "setup.sh")], env=machine, capture_output=True, text=True, check=False)
    data = json.loads((root / "results" / "results.json").read_text(encoding="utf-8"))

    assert 0 == result.exit_code
    assert [0, 0, 0, 0] == [each["score"] for each in data["tests"]]
    assert "its color is used up" in data["tests"][0]["output"]
    assert (1, True) == (setup.returncode, "put the wheel of entropeg beside setup.sh" in setup.stderr)


def test_the_kit_for_classroom_50_grades_and_no_module_of_a_submission_takes_its_place(
    project: Path, tmp_path: Path, machine: dict[str, str]
) -> None:
    kit, checkout = tmp_path / "kit", tmp_path / "checkout"
    write_kit("classroom50", kit)
    checkout.mkdir()
    (checkout / "common.py").write_bytes((project / "common.py").read_bytes())
    for name in ("entropeg.py", "pip.py", "json.py"):
        (checkout / name).write_text("raise SystemExit(0)", encoding="utf-8")
    command = [sys.executable, str(kit / "autograder.py")]
    none = subprocess.run(command, cwd=checkout, env=machine, capture_output=True, text=True, check=False)
    (kit / "entropeg-0-py3-none-any.whl").touch()
    subprocess.run(command, cwd=checkout, env=machine, check=True, capture_output=True)
    data = json.loads((checkout / "result.json").read_text(encoding="utf-8"))

    assert "put the wheel of entropeg beside autograder.py" in none.stderr
    assert ("nsi", 0, 10) == (data["classroom"], data["score"], data["max-score"])


def test_the_kit_for_vpl_grades(project: Path, tmp_path: Path, machine: dict[str, str]) -> None:
    write_kit("vpl", tmp_path / "vpl")
    (tmp_path / "vpl" / "common.py").write_bytes((project / "common.py").read_bytes())
    subprocess.run(["./vpl_evaluate.sh"], cwd=tmp_path / "vpl", env=machine, check=True)
    told = subprocess.run(
        ["./vpl_execution"], cwd=tmp_path / "vpl", env=machine, capture_output=True, text=True, check=False
    )

    assert told.stdout.endswith("--|>\nGrade :=>> 0\n")
    assert "its color is used up" in told.stdout


def test_a_kit_leaves_a_scheme_that_is_there(tmp_path: Path) -> None:
    write_kit("vpl", tmp_path)
    (tmp_path / "scheme.toml").write_text("[[check]]\nfile = 'a.py'\n", encoding="utf-8")
    write_kit("vpl", tmp_path)

    assert "a.py" in (tmp_path / "scheme.toml").read_text(encoding="utf-8")
    with pytest.raises(InputError, match="there is no kit for 'moodle'; there is one for gradescope"):
        write_kit("moodle", tmp_path)


def test_a_module_that_was_not_played_has_no_points() -> None:
    project = Project(Path("dupont"), BOARD, ["common.py", "codebreaker2.py"], players=["codebreaker2.py"])
    project.add("common.py", "wrong", "common.py, line 1: SyntaxError: invalid syntax", "syntax")
    project.add("codebreaker2.py", "note", "not played: it imports common, and common.py, line 1 keeps it from that")
    plain, some_kinds, common = (
        scheme({"name": "plain", "file": "codebreaker2.py"}, {"name": "kinds", "file": "codebreaker2.py",
               "kinds": ("crash",)}, {"name": "common", "file": "common.py", "kinds": ("set",)}).grade(project).checks
    )  # fmt: skip

    assert [0, 0, 0] == [each.points for each in (plain, some_kinds, common)]
    assert plain.text.startswith("codebreaker2.py finished no game, so nothing is known of it\nnot played: ")
    assert common.text == "common.py, line 1: SyntaxError: invalid syntax"


def test_a_player_that_finished_no_game_has_no_points_whatever_kinds_are_asked_for() -> None:
    project = Project(Path("dupont"), BOARD, ["codebreaker1.py"], players=["codebreaker1.py"])
    project.add("codebreaker1.py", "wrong", "it crashes", "crash")
    [graded] = scheme({"name": "it", "file": "codebreaker1.py", "kinds": ("repeats",)}).grade(project).checks

    assert 0 == graded.points
    assert ["codebreaker1.py"] == project.idle
    assert [] == project.unjudged


def test_files_above_the_folder_that_is_graded_keep_their_names() -> None:
    project = Project(Path(), BOARD, ["common.py"])
    project.add("common.py", "wrong", "reads ../data.txt", "file")

    assert "reads ../data.txt" == scheme({"name": "it", "file": "common.py"}).grade(project).checks[0].text


def test_what_formats_say_around_the_sentences_is_in_the_language_of_the_grade() -> None:
    grade = ALL.grade(found()).spoken("fr")

    assert "-Vérifications cachées (0/3)" in written(grade, "vpl")
    assert "vérification cachée 1" in written(grade, "classroom50")
    assert 'message="0 point sur 4"' in written(grade, "junit")
    assert "ligne 3" in written(grade, "gradescope")


def test_a_kit_in_french_grades_in_french(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli.group, ["classroom", "kit", "classroom50", str(tmp_path), "--lang", "fr"])

    assert result.exit_code == 0
    assert '"--lang", "fr"' in (tmp_path / "autograder.py").read_text(encoding="utf-8")
    assert "codebreaker 2 joue ce qui peut être le secret" in [
        each.name for each in read_scheme(tmp_path / "scheme.toml").checks
    ]
