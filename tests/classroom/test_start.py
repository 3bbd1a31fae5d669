"""The start of a project: what is written, its tests for students, and the road that they walk with it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from entropeg.classroom import start
from entropeg.classroom.start import STARTS, write_start
from entropeg.cli import group
from entropeg.errors import InputError
from planted import EXAMPLES, PLANTS, Plant, plant

ROAD = (
    "evaluation",
    "codemaker1.py",
    "codebreaker1.py",
    "donner_possibles",
    "maj_possibles",
    "codebreaker2.py",
    "codemaker2.py",
    "codebreaker3.py",
)
"""What a student writes, in order: functions of common.py, and files."""

LANGUAGES = ("en", "fr")


def write_step(folder: Path, step: str) -> None:
    """Write a step as the examples have it: a file, or a function in place of its gap."""
    if step.endswith(".py"):
        (folder / step).write_bytes((EXAMPLES / step).read_bytes())
        return
    common = folder / "common.py"
    given, solved = common.read_text(encoding="utf-8"), (EXAMPLES / "common.py").read_text(encoding="utf-8")
    common.write_text(given.replace(function(given, step), function(solved, step)), encoding="utf-8")


def function(source: str, name: str) -> str:
    """Return the text of a function."""
    [found] = [each for each in ast.parse(source).body if isinstance(each, ast.FunctionDef) and each.name == name]
    return ast.get_source_segment(source, found) or ""


def student_tests(folder: Path) -> list[str]:
    """Run the tests that a student runs, and return what they say."""
    ran = subprocess.run(
        [
            sys.executable,
            "-I",
            "-X",
            "utf8",
            "-c",
            "import random, sys; random.seed(0); sys.path[0:0] = ['.']; import tests; tests.main()",
        ],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return ran.stdout.splitlines()


def test_a_start_is_written_whole_and_changes_no_file_that_is_there(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "project"
    folder.mkdir(parents=True)
    (folder / "common.py").write_text("LENGTH = 3\n", encoding="utf-8")
    (folder / "play.py").symlink_to("nowhere.py")
    found = write_start(folder)

    assert [folder / "common.py", folder / "play.py"] == found.left
    assert "LENGTH = 3\n" == (folder / "common.py").read_text(encoding="utf-8")
    assert not (folder / "nowhere.py").exists()
    assert {
        "README.md",
        "codebreaker0.py",
        "codemaker0.py",
        "human_codebreaker.py",
        "human_codemaker.py",
        "tests.py",
    } == {path.name for path in found.written}
    assert all(path.is_file() for path in found.written)


def test_no_solution_is_in_it() -> None:
    for language in LANGUAGES:
        common = (STARTS / language / "common.py.txt").read_text(encoding="utf-8")
        for step in ROAD:
            if step.endswith(".py"):
                assert not (STARTS / language / f"{step}.txt").exists()
            else:
                assert function(common, step).endswith("raise NotImplementedError")


def test_a_language_that_there_is_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no language 'xx'"):
        write_start(tmp_path, language="xx")


def test_a_language_without_a_start_of_its_own_has_the_english_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "known_language", lambda language: language)
    write_start(tmp_path, language="de")

    assert (STARTS / "en" / "README.md.txt").read_bytes() == (tmp_path / "README.md").read_bytes()


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="is a file: name a folder"):
        write_start(tmp_path / "file")


@pytest.mark.parametrize("name", sorted(path.name for path in (STARTS / "en").glob("*.py.txt")))
def test_the_programs_of_all_languages_are_the_same_but_for_their_texts(name: str) -> None:
    texts = {language: (STARTS / language / name).read_text(encoding="utf-8") for language in LANGUAGES}

    assert bare(texts["en"]) == bare(texts["fr"])
    assert texts["en"] != texts["fr"]
    for text in texts.values():
        assert 120 >= max(map(len, text.splitlines()))


def bare(source: str) -> str:
    """Return a program without what people read in it: sentences, also those around fields."""

    class Texts(ast.NodeTransformer):
        def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
            fields = [part for part in node.values if isinstance(part, ast.FormattedValue)]
            return ast.List(sorted(fields, key=ast.unparse), ast.Load())

        def visit_Constant(self, node: ast.Constant) -> ast.AST:
            is_sentence = isinstance(node.value, str) and " " in node.value
            return ast.Constant("...") if is_sentence else node

    return ast.dump(Texts().visit(ast.parse(source)))


@pytest.mark.parametrize("name", ["play.py", "codebreaker0.py"])
def test_files_of_the_start_that_are_finished_are_those_of_the_examples(name: str) -> None:
    assert (EXAMPLES / name).read_bytes() == (STARTS / "en" / f"{name}.txt").read_bytes()


def test_the_student_s_tests_say_at_every_step_which_one_comes_next(tmp_path: Path) -> None:
    write_start(tmp_path)
    for number, step in enumerate(ROAD, start=1):
        *done, last, empty, following = student_tests(tmp_path)
        what = step if step.endswith(".py") else f"{step} in common.py"

        assert number == len(done)
        assert all(line.endswith(": right") for line in done)
        assert last.startswith(f"{number}  {what}: not ")  # «not there yet», «not written yet»
        assert ["", f"Next: step {number} of README.md, {what}."] == [empty, following]
        write_step(tmp_path, step)
    *done, _, following = student_tests(tmp_path)

    assert len(ROAD) + 1 == len(done)
    assert following == "All steps are done. Next: the five figures of README.md, and what you say of them."


def test_the_french_tests_say_the_same(tmp_path: Path) -> None:
    write_start(tmp_path, language="fr")

    assert student_tests(tmp_path)[1:] == [
        "1  evaluation dans common.py : pas encore écrit : common.py, ligne 33 : evaluation",
        "",
        "Ensuite : étape 1 de README.md, evaluation dans common.py.",
    ]
    for step in ROAD:
        write_step(tmp_path, step)

    assert student_tests(tmp_path)[-1].startswith("Toutes les étapes sont faites.")


NOTICED = {
    *("multiplicity", "type", "swapped", "not in place", "wrong set", "init", "repeats", "crash", "not consistent"),
    *("not minimax", "inconsistent", "same secret", "evaluation", "not largest", "syntax", "package", "function"),
}
"""Kinds of faults that a student's own tests find; the others need limits, or boards of other sizes."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "fault",
    [each for each in PLANTS if each.kind in NOTICED and each.file != "codebreaker0.py"],
    ids=lambda fault: fault.name,
)
def test_the_student_s_tests_find_a_planted_fault_at_its_step(fault: Plant, tmp_path: Path) -> None:
    write_start(tmp_path / "project")
    for step in ROAD:
        write_step(tmp_path / "project", step)
    planted = plant(fault, tmp_path / "planted") / fault.file
    (tmp_path / "project" / fault.file).write_bytes(planted.read_bytes())
    *_, last, _, following = student_tests(tmp_path / "project")

    assert ": wrong: " in last
    assert fault.file in following


def test_two_people_can_play_at_the_keyboard(tmp_path: Path) -> None:
    write_start(tmp_path)
    said = subprocess.run(
        [sys.executable, "play.py", "human_codemaker", "human_codebreaker"],
        cwd=tmp_path,
        input="\nrvb\nrvbj\nfour\n1 2\nvrbj\n4 0\n",
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout

    assert "RVB is no code: 4 letters out of R V B J N M O G." in said
    assert "Two numbers are needed" in said
    assert ["1  RVBJ  1,2", "2  VRBJ  4,0"] == [line[-12:] for line in said.splitlines() if line.endswith((",2", ",0"))]


def test_many_games_are_told_by_their_mean(tmp_path: Path) -> None:
    write_start(tmp_path, language="fr")
    command = [sys.executable, "play.py", "codemaker0", "codebreaker0", "2"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=True).stdout

    assert re.fullmatch(r"2 parties, \d+\.\d\d essais en moyenne, \d+ au plus\n", said)


def test_the_command_says_what_it_wrote_what_it_left_and_what_comes_next(tmp_path: Path) -> None:
    folder = str(tmp_path / "mastermind")
    first = CliRunner().invoke(group, ["classroom", "start", folder, "--lang", "fr"])
    (tmp_path / "mastermind" / "tests.py").unlink()
    second = CliRunner().invoke(group, ["classroom", "start", folder])

    assert (0, 1) == (first.exit_code, second.exit_code)
    assert first.output.count("écrit\N{NO-BREAK SPACE}: ") == 8
    assert "lisez README.md" in first.output
    assert [f"wrote {folder}/tests.py"] == [line for line in second.output.splitlines() if line.startswith("wrote")]
    assert f"{folder}/common.py is there already: it stays as it is" in second.output
