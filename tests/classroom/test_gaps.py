"""What is not written yet is never wrong: in a project, its points, a class, a tournament and a notebook."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from entropeg.classroom import validate, valider
from entropeg.classroom.findings import Project
from entropeg.classroom.functions.ours import is_empty
from entropeg.classroom.grading.scheme import GradingCheck, Scheme
from entropeg.classroom.players import close_all
from entropeg.classroom.process import Limits
from entropeg.classroom.project import check_project
from entropeg.classroom.project_page import project_page, project_text
from entropeg.classroom.start import write_start
from entropeg.classroom.tournament.playing import play_tournament
from entropeg.classroom.tournament.tournament_page import what_went_wrong, who_does_not_play
from entropeg.classroom.whole_class.checking import check_class, class_table
from entropeg.classroom.whole_class.class_page import class_page, class_text
from entropeg.cli import group
from entropeg.rules import Rules
from planted import EXAMPLES
from rooms import often

QUARTER = Rules.parse("4x4/course")
LIMITS = Limits(turn_seconds=0.5, game_seconds=20.0, memory=512)

PLAYER = """import common


def init():
    pass


def codebreaker(evaluation):
    {}
"""
"""A codebreaker, with a place for what it does at each turn."""


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Iterator[None]:
    yield
    close_all()


def started(folder: Path, *, of_examples: tuple[str, ...] = (), **texts: str) -> Path:
    """Start a project without players for people, with files of the examples, and texts under the names of modules."""
    write_start(folder)
    for file in folder.glob("human_*.py"):
        file.unlink()
    for name in of_examples:
        (folder / f"{name}.py").write_bytes((EXAMPLES / f"{name}.py").read_bytes())
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return folder


def common(**bodies: str) -> str:
    """Return the examples' common.py with other bodies of some functions, a line each."""
    lines, skipped = list[str](), False
    for line in (EXAMPLES / "common.py").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith(" "):
            skipped = False
        if not skipped:
            lines.append(line)
        name = line.removeprefix("def ").partition("(")[0]
        if line.startswith("def ") and name in bodies:
            lines += [f"    {bodies[name]}", "", ""]
            skipped = True
    return "\n".join(lines) + "\n"


def looked_at(folder: Path) -> Project:
    return check_project(folder, QUARTER, games=5, seconds=5, limits=LIMITS)


def verdicts(project: Project, verdict: str) -> list[str]:
    return [each.text for each in project.findings if each.verdict == verdict]


def test_gaps_of_a_start_are_named_and_nothing_is_wrong(tmp_path: Path) -> None:
    project = looked_at(started(tmp_path / "new"))

    assert [] == project.wrong
    assert [] == project.unjudged
    assert [
        f"{tmp_path}/new/common.py, line 32: evaluation is not written yet",
        f"{tmp_path}/new/common.py, line 40: donner_possibles is not written yet",
        f"{tmp_path}/new/common.py, line 48: maj_possibles is not written yet",
    ] == verdicts(project, "unwritten")
    assert {"codebreaker0.py", "codemaker0.py"} == {each.file for each in project.findings if each.verdict == "right"}
    assert (3, []) == (project.to_json()["unwritten"], project.to_json()["waiting"])


def test_modules_that_rest_on_a_gap_are_not_judged_yet_and_say_on_which(tmp_path: Path) -> None:
    files = ("codebreaker2", "codemaker1", "codemaker2")
    project = looked_at(started(tmp_path / "new", of_examples=files))

    assert [] == project.wrong
    assert [f"{name}.py" for name in files] == project.waiting
    assert [
        f"not judged yet: {tmp_path}/new/common.py, line 40: donner_possibles is not written yet",
        f"not judged yet: {tmp_path}/new/common.py, line 32: evaluation is not written yet",
        f"not judged yet: {tmp_path}/new/common.py, line 32: evaluation is not written yet",
    ] == verdicts(project, "waiting")
    text = project_text(project)
    assert "nothing wrong, 3 not written yet, 3 not judged yet\n" in text
    assert "  ○ " in text
    page = project_page(project)
    assert "Not written yet: 3." in page
    assert "○ not written yet</span>" in page
    assert "· not judged yet</span>" in page


@pytest.mark.parametrize(
    "body",
    often(
        2, ["raise NotImplementedError", "...", 'raise NotImplementedError("later")', "pass", '"""Later."""', "return"]
    ),
)
def test_a_gap_may_be_left_in_any_of_the_usual_ways(body: str, tmp_path: Path) -> None:
    texts = {
        "common": common(maj_possibles=body),
        "codemaker1": f"def init():\n    pass\n\n\ndef codemaker(guess):\n    {body}\n",
    }
    project = looked_at(started(tmp_path / "new", of_examples=("codebreaker2",), **texts))

    assert [] == project.wrong
    assert ["common.py", "codemaker1.py"] == [each.file for each in project.findings if each.verdict == "unwritten"]
    assert ["codebreaker2.py"] == project.waiting
    assert any(text.startswith("donner_possibles is right") for text in verdicts(project, "right"))
    assert not any(text.startswith("maj_possibles is right") for text in verdicts(project, "right"))


def test_a_function_of_common_that_calls_a_gap_is_not_judged_yet(tmp_path: Path) -> None:
    project = looked_at(started(tmp_path / "new", common=common(evaluation="...")))

    assert [] == project.wrong
    assert 1 == len(verdicts(project, "unwritten"))
    assert ["donner_possibles is not judged yet", "maj_possibles is not judged yet"] == [
        text.partition(":")[0] for text in verdicts(project, "waiting")
    ]


def test_an_init_with_nothing_in_it_is_no_gap(tmp_path: Path) -> None:
    text = PLAYER.format("return common.choices()").replace("pass", "...")
    project = looked_at(started(tmp_path / "new", codebreaker0=text))

    assert 3 == project.unwritten_count
    assert [] == project.waiting


def test_a_fault_beside_a_gap_is_found_all_the_same(tmp_path: Path) -> None:
    text = PLAYER.format("return common.choices() + 'R'")
    swapped = common(donner_possibles="...").replace("return placed, shared - placed", "return shared - placed, placed")
    project = looked_at(started(tmp_path / "new", codebreaker0=text, common=swapped))

    assert {"common.py": "swapped", "codebreaker0.py": "illegal"} == {each.file: each.kind for each in project.wrong}


def test_what_a_library_has_not_implemented_is_a_crash(tmp_path: Path) -> None:
    text = PLAYER.format("__import__('asyncio').AbstractEventLoop().run_forever()")
    project = looked_at(started(tmp_path / "new", codebreaker0=text))

    assert ["crash"] == [each.kind for each in project.wrong]


def test_a_common_that_is_a_gap_as_a_whole_is_one(tmp_path: Path) -> None:
    project = looked_at(started(tmp_path / "new", common="raise NotImplementedError\n"))

    assert [] == project.wrong
    assert [f"{tmp_path}/new/common.py, line 1: common.py is not written yet"] == verdicts(project, "unwritten")


def test_there_are_no_points_for_a_gap_nor_for_what_rests_on_it(tmp_path: Path) -> None:
    project = looked_at(started(tmp_path / "new", of_examples=("codemaker1",), common=common(evaluation="...")))
    checks = (
        GradingCheck("sets", "common.py", 4.0),
        GradingCheck("some kinds", "common.py", 1.0, kinds=("multiplicity",)),
        GradingCheck("a part", "common.py", 4.0, costs={"unwritten": 1.0}),
        GradingCheck("honest", "codemaker1.py"),
        GradingCheck("chance", "codebreaker0.py"),
    )
    grade = Scheme(checks).grade(project)

    assert [0.0, 0.0, 3.0, 0.0, 1.0] == [each.points for each in grade.checks]
    assert "common.py, line 20: evaluation is not written yet" in grade.checks[0].why
    assert "not judged yet: common.py, line 20: evaluation is not written yet" in grade.checks[3].why


def test_a_class_tells_projects_with_gaps_from_wrong_ones(tmp_path: Path) -> None:
    started(tmp_path / "class" / "anna", of_examples=("common", "codemaker1"))
    started(tmp_path / "class" / "ben", of_examples=("codemaker1",))
    found = check_class([tmp_path / "class"], QUARTER, games=3, seconds=5, limits=LIMITS)

    assert [] == found.wrong
    assert ["ben"] == [each.label for each in found.begun]
    text, table = class_text(found), class_table(found)
    assert "2 projects on 4x4/course: nothing wrong in 1, 1 not written to the end" in text
    assert "ben: 4 modules, nothing wrong; not written yet: common.py; not judged yet: codemaker1.py" in text
    assert ["unwritten", "waiting"] == [table[2][table[0].index(name)] for name in ("common.py", "codemaker1.py")]
    page = class_page(found)
    assert "not written yet" in page
    assert "evaluation is not written yet" in page


def test_a_tournament_sets_a_player_with_gaps_aside(tmp_path: Path) -> None:
    folder = started(tmp_path / "new", of_examples=("codebreaker2",))
    played = play_tournament([folder], QUARTER, games=2, seconds=5, limits=LIMITS, only=["codebreaker*"], jobs=1)

    [told] = who_does_not_play(played)
    assert [] == what_went_wrong(played)
    assert told.endswith("was set aside (donner_possibles is not written yet): write this first")
    assert ["codebreaker0"] == [Path(place.player).stem for place in played.codebreakers if place.rank]


def test_the_exit_code_of_check_is_1_as_long_as_there_are_gaps(tmp_path: Path) -> None:
    folder = str(started(tmp_path / "new"))
    told = CliRunner().invoke(
        group, ["classroom", "check", folder, "--games", "2", "--rules", "4x4/course", "--lang", "fr"]
    )

    assert 1 == told.exit_code
    assert "evaluation n’est pas encore écrite" in told.output
    assert "aucune erreur, 3 pas encore écrites" in told.output


def test_run_says_which_gap_keeps_a_player_from_its_games(tmp_path: Path) -> None:
    folder = started(tmp_path / "new", of_examples=("codebreaker2",))
    told = CliRunner().invoke(group, ["classroom", "run", f"{folder}/codebreaker2.py", "--games", "5"])

    assert 1 == told.exit_code
    assert "not played on: " in told.output
    assert "donner_possibles is not written yet" in told.output
    assert "wrong" not in told.output


def _empty(guess: Any, secret: Any) -> Any: ...


def _told(guess: Any, secret: Any) -> Any:
    """Say something."""


def _raising(guess: Any, secret: Any) -> Any:
    raise NotImplementedError


def _passing(guess: Any, secret: Any) -> Any:
    pass


def _returning(guess: Any, secret: Any) -> Any:
    return


@pytest.mark.parametrize("function", [_empty, _told, _passing, _returning])
def test_a_notebook_says_that_a_function_is_not_written_yet(function: Callable[..., Any]) -> None:
    name = function.__name__

    assert is_empty(function)
    assert (False, f"{name} is not written yet.") == (bool(found := validate(function, "evaluation")), found.text)
    assert f"{name} n’est pas encore écrite." == valider(function, "evaluation").text


@pytest.mark.parametrize("check", ["evaluation", "bien_places", "maj_possibles"])
def test_a_notebook_says_so_of_one_that_raises_too(check: str) -> None:
    names: dict[str, Any] = {"LENGTH": 3, "COLORS": "RVB", "_raising": _raising}
    exec("def function(*given):\n    return _raising(1, 2)\n", names)  # noqa: S102 (beside it stand LENGTH and COLORS)
    found = validate(names["function"], check)

    assert not found
    assert "function, or a function that it calls, is not written yet: NotImplementedError." == found.text


@pytest.mark.parametrize("value", ["1", "()", "(0, 0)", "guess", "'text'", "not guess"])
def test_a_function_that_returns_something_is_written(value: str) -> None:
    names: dict[str, Any] = {}
    exec(f"def function(guess, secret):\n    return {value}\n", names)  # noqa: S102 (one of the values above)

    assert not is_empty(names["function"])
