"""What is judged as a machine, what is passed over, which readings are right, and what a missing package costs."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

from classroom_typing import typed
from entropeg.classroom import validate
from entropeg.classroom.findings import Project
from entropeg.classroom.functions.mistakes import KeptCodes
from entropeg.classroom.grading.scheme import Scheme, read_scheme, scheme_to_start_from
from entropeg.classroom.layout import sort_modules
from entropeg.classroom.packages import MissingPackage, listed_in
from entropeg.classroom.players import close_all
from entropeg.classroom.process import Limits
from entropeg.classroom.project import check_project
from entropeg.classroom.project_page import project_text
from entropeg.rules import Rules
from student_projects import student_project

LIMITS = Limits(turn_seconds=1.0, game_seconds=20.0, memory=512)
BOARD = Rules.parse("3x4/course")


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Any:
    yield
    close_all()


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Project]:
    @cache
    def check(name: str) -> Project:
        folder = student_project(name, tmp_path_factory.mktemp(name))
        return check_project(folder, BOARD, games=3, seconds=20, limits=LIMITS)

    return check


def notes(project: Project, file: str) -> list[str]:
    return [each.text for each in project.findings if each.file == file and each.verdict == "note"]


# ------------------------------------------------------------------ what is a machine


@pytest.mark.parametrize(
    ("name", "judged", "passed"),
    [
        (
            "players_for_people",
            {"codebreaker2.py", "codemaker1.py"},
            {
                "human_codebreaker.py": "player for people; codebreaker waits for a person in line 10",
                "human_codemaker.py": "player for people; codemaker waits for a person in line 12",
                "joueur.py": "player for people; codebreaker waits for a person in line 11",
                "codemaker_choisi.py": "player for people; init waits for a person in line 8",
            },
        ),
        ("person_if_wanted", {"codebreaker2.py"}, {}),
        ("pause_at_each_turn", {"codebreaker1.py"}, {}),
        ("asks_in_the_end", {"ami.py"}, {}),
        ("person_in_the_place_of_a_machine", set(), {"codebreaker1.py": "codebreaker waits for a person in line 6"}),
        (
            "tests_beside",
            {"codebreaker2.py", "codemaker1.py"},
            {
                "test_codebreaker2.py": "it is a test",
                "verification.py": "it is a test",
                "tests/codemaker1.py": "it lies among the tests",
            },
        ),
        (
            "copies",
            {"codebreaker2.py", "codemaker1.py"},
            {
                "codebreaker2 - Copie.py": "it is a copy of codebreaker2.py, which lies beside it",
                "Copie de codebreaker2.py": "it is a copy of codebreaker2.py, which lies beside it",
                "codemaker1 (1).py": "by its name it is a copy of codemaker1.py, which lies beside it, and differs",
            },
        ),
        ("copy_alone", {"codemaker1 (1).py"}, {}),
        (
            "programs_beside",
            {"codebreaker2.py", "codemaker1.py", "strategies.py"},
            {
                "figures.py": "it imports codebreaker2 and defines no player itself",
                "codebreaker2_histogramme.py": "it imports codebreaker2, codemaker1 and defines no player itself",
                "codemaker_outils.py": "neither a function codebreaker nor a function codemaker nor init",
            },
        ),
        ("function_by_another_name", {"codebreaker2.py"}, {}),
    ],
)
def test_machines_are_told_from_what_looks_like_them(
    name: str, judged: set[str], passed: dict[str, str], tmp_path: Path
) -> None:
    found = sort_modules(student_project(name, tmp_path))
    told = {file.relative_to(tmp_path).as_posix(): text for file, text in found.passed.items()}

    assert {"common.py", *judged} == {file.relative_to(tmp_path).as_posix() for file in found.modules}
    assert passed.keys() == told.keys()
    for file, why in passed.items():
        assert told[file].startswith("passed over: ")
        assert why in told[file]


@pytest.mark.parametrize(
    ("name", "wrong", "unjudged"),
    [
        ("players_for_people", [], []),
        ("person_if_wanted", [], []),
        ("pause_at_each_turn", [("codebreaker1.py", "crash")], []),
        ("person_in_the_place_of_a_machine", [], ["codebreaker1.py"]),
        ("asks_in_the_end", [], ["ami.py"]),
        ("tests_beside", [], []),
        ("copies", [], []),
        ("copy_alone", [("codemaker1 (1).py", "evaluation")], []),
        ("programs_beside", [], []),
        ("function_by_another_name", [("codebreaker2.py", "function")], []),
        ("choices_as_a_list", [], []),
        ("choices_one_short", [("common.py", "choices")], []),
        ("choices_of_the_library", [], []),
        ("package_for_pages", [("app/mastermind/codemaker1.py", "inconsistent")], []),
        ("package_in_play", [], ["codebreaker1.py", "codemaker1.py"]),
        ("modules_that_are_not_there", [("codebreaker0.py", "package")], ["codemaker1.py"]),
    ],
)
def test_right_projects_are_right_and_wrong_ones_wrong(
    checked: Callable[[str], Project], name: str, wrong: list[tuple[str, str]], unjudged: list[str]
) -> None:
    project = checked(name)

    assert wrong == [(each.file, each.kind) for each in project.wrong]
    assert unjudged == project.unjudged  # a thing is wrong or not judged, and never both


def test_a_machine_that_a_person_may_replace_is_played_as_a_machine(tmp_path: Path) -> None:
    folder = student_project("person_if_wanted", tmp_path)
    file = folder / "codebreaker2.py"
    file.write_text(file.read_text(encoding="utf-8").replace("random.choice(sorted(possibles))", "common.choices()"))
    project = check_project(folder, BOARD, games=3, seconds=20, limits=LIMITS)

    assert ["not consistent"] == [each.kind for each in project.wrong]


def test_what_is_passed_over_is_one_note_and_costs_nothing(checked: Callable[[str], Project]) -> None:
    project = checked("players_for_people")
    grade = Scheme.of_files([each.file for each in project.findings if each.verdict != "note"]).grade(project)

    assert 1 == len(notes(project, "human_codebreaker.py"))
    assert grade.most == grade.points
    assert "– passed over: it is a player for people; codebreaker waits for a person in line 10" in project_text(
        project
    )


def test_a_person_in_the_place_of_a_machine_has_no_points(checked: Callable[[str], Project]) -> None:
    project = checked("person_in_the_place_of_a_machine")
    [graded] = Scheme.of_files(["codebreaker1.py"]).grade(project).checks

    assert 0 == graded.points
    assert "codebreaker waits for a person in line 6" in graded.text


def test_a_folder_of_nothing_but_players_for_people_says_so(tmp_path: Path) -> None:
    folder = student_project("players_for_people", tmp_path)
    for file in folder.glob("*.py"):
        if not file.name.startswith("human"):
            file.unlink()
    result = typed("check", str(folder))

    assert "human_codebreaker.py: passed over: it is a player for people" in result.output.replace("\n", " ")


# ------------------------------------------------------------------ readings


def test_check_and_valider_accept_the_same_readings(checked: Callable[[str], Project]) -> None:
    names = run_path(str(checked("choices_as_a_list").folder / "common.py"))

    assert [] == checked("choices_as_a_list").wrong
    for name in ("choices", "evaluation", "donner_possibles", "maj_possibles"):
        assert validate(names[name]), name
    assert set() == names["donner_possibles"]("RVBJ", (4, 0))
    asked = KeptCodes.of("RV", (2, 0), ["RV", "RR"])
    assert [True, True, False] == [asked._replace(after=codes).is_right for codes in (["RV"], [], ["RR"])]


def test_a_page_tells_each_reading() -> None:
    page = (Path(__file__).parents[2] / "docs" / "do" / "classroom.md").read_text(encoding="utf-8")
    table = page.partition("### Where the texts leave a choice")[2].partition("###")[0]

    for told in ("`choices(COLORS, LENGTH)`", "a list of letters", "`donner_possibles(P, (4, 0))`", "`maj_possibles`"):
        assert told in table


# ------------------------------------------------------------------ packages


def test_a_package_that_nothing_needs_in_play_is_one_note(checked: Callable[[str], Project]) -> None:
    project = checked("package_for_pages")

    assert ["install: pages_de_jeu (requirements.txt); what was judged needs none of it"] == notes(project, "./")
    assert [MissingPackage("pages_de_jeu", "requirements.txt")] == project.missing
    assert "app/mastermind/codebreaker2.py" in {each.file for each in project.measures}


def test_the_packages_of_files_that_are_not_run_stand_in_the_same_note(tmp_path: Path) -> None:
    for name, text in {
        "codemaker1.py": "import common\n\ndef init(): pass\n\ndef codemaker(guess): return (0, 0)\n",
        "requirements.txt": "pages-de-jeu\nsons_de_jeu\n",
        "page.py": "import pages_de_jeu, os, codemaker1, nobody_knows_it\n",
        "window.py": "try:\n    import sons_de_jeu\nexcept ImportError:\n    sons_de_jeu = None\n",
        "no_python.py": "import pages_de_jeu pages_de_jeu\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    project = check_project(tmp_path, Rules.parse("3x3/course"), games=2, seconds=5, limits=LIMITS)

    assert ["install: pages_de_jeu (requirements.txt); what was judged needs none of it"] == notes(project, "./")
    assert [MissingPackage("pages_de_jeu", "requirements.txt")] == project.missing


def test_what_needs_a_package_cannot_be_judged_here_and_the_rest_is(checked: Callable[[str], Project]) -> None:
    project = checked("package_in_play")
    right = [each.text for each in project.findings if each.file == "common.py" and each.verdict == "right"]

    assert ["install: tirages_rapides (requirements.txt)"] == notes(project, "./")
    assert ["codebreaker0.py"] == sorted({each.file for each in project.measures})
    assert ["evaluation is right", "maj_possibles is right"] == [text.partition(":")[0] for text in right]
    assert "donner_possibles cannot be judged here: it needs tirages_rapides, which is missing" in notes(
        project, "common.py"
    )
    for file, place in (("codebreaker1.py", ", line 8"), ("codemaker1.py", ", line 1")):
        [said] = notes(project, file)
        assert said.endswith(f"{file}{place} needs tirages_rapides, which is missing")
        assert said.startswith("cannot be judged here: ")


def test_a_package_costs_no_points_and_a_name_that_nobody_knows_earns_none(checked: Callable[[str], Project]) -> None:
    needs, lacks = checked("package_in_play"), checked("modules_that_are_not_there")
    scheme = Scheme.of_files(["codemaker1.py"])

    assert (1, 0) == (scheme.grade(needs).points, scheme.grade(lacks).points)
    assert "codemaker1.py cannot be judged here, and costs nothing" in scheme.grade(needs).checks[0].text
    [note] = notes(lacks, "./")
    assert note.startswith("nothing here is called mes_outils_de_jeu: packages to be installed, or files")
    assert "the package 'comon' is missing: did you mean 'common'?" in lacks.wrong[0].text


def test_the_scheme_to_start_from_takes_nothing_for_a_package(tmp_path: Path) -> None:
    (tmp_path / "scheme.toml").write_text(scheme_to_start_from(), encoding="utf-8")
    folder = student_project("package_for_pages", tmp_path / "project")
    for name in ("codebreaker2.py", "common.py"):
        file = folder / "app" / "mastermind" / name
        text = file.read_text(encoding="utf-8").replace("def init():", "def init():\n    create_app()")
        file.write_text(f"from pages_de_jeu import *\n{text}", encoding="utf-8")
    project = check_project(folder, BOARD, games=3, seconds=20, limits=LIMITS)
    graded = {each.check.file: each.passed for each in read_scheme(tmp_path / "scheme.toml").grade(project).checks}

    assert {"common.py": True, "codebreaker2.py": True, "codemaker2.py": False} == graded


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("requirements.txt", "# pages\r\nFlask >= 3\r\n".encode("utf-16")),
        ("requirements.txt", "Flask==3.1\n".encode("utf-16-le")),
        ("requirements-dev.txt", b"\xef\xbb\xbfflask[async]\n"),
        ("app/requirements.txt", b"flask @ https://example.org/flask.whl\n"),
        ("pyproject.toml", b"[project]\nname = 'jeu'\ndependencies = ['Flask>=3']\n"),
        ("pyproject.toml", b"[tool.poetry.dependencies]\nflask = '*'\n"),
    ],
)
def test_a_package_is_found_where_a_project_lists_it(file: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_bytes(content)

    assert file == listed_in("flask", tmp_path)
    assert "" == listed_in("numpy", tmp_path)


def test_the_data_of_a_check_name_the_packages_to_be_installed(tmp_path: Path) -> None:
    folder = student_project("package_in_play", tmp_path)
    data = json.loads(typed("check", str(folder), "--games", "2", "--rules", "3x4/course", "--json").stdout)

    assert [("tirages_rapides", "requirements.txt")] == [(each["name"], each["listed_in"]) for each in data["missing"]]
    assert ["common.py", "codebreaker1.py", "codemaker1.py"] == data["missing"][0]["held_up"]
