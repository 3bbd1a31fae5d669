"""A class in the time of a lesson: on many workers, of what has changed alone, interrupted and gone on with."""

from __future__ import annotations

import gc
import json
import random
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from classroom_typing import project, typed
from entropeg.classroom.findings import Project
from entropeg.classroom.modules import read_tree
from entropeg.classroom.players import close_all
from entropeg.classroom.process import Limits, Process
from entropeg.classroom.project import check_project
from entropeg.classroom.project_page import project_text
from entropeg.classroom.series import ClassroomInterrupted
from entropeg.classroom.whole_class import kept_checks
from entropeg.classroom.whole_class.checking import ClassCheck, check_alone, check_class
from entropeg.classroom.whole_class.class_page import LiveClassPage
from entropeg.classroom.whole_class.kept_checks import KeptChecks
from entropeg.classroom.whole_class.sharing import HowToCheck
from entropeg.errors import InputError
from entropeg.rules import Rules
from planted import PLANTS, plant
from rooms import cases

SMALL = Rules.parse("3x4/course")
QUICK: dict[str, Any] = {"games": 3, "seconds": 60, "limits": Limits(turn_seconds=10, game_seconds=60, memory=512)}
"""No series is cut by its time."""


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Any:
    yield
    close_all()


@pytest.fixture
def a_class(tmp_path: Path) -> Path:
    folder = tmp_path / "class"
    project(folder / "anna", "common.py", "codebreaker2.py", "codemaker1.py")
    fault = next(each for each in PLANTS if each.name == "wrong multiplicity")
    plant(fault, folder / "ben", others=("codebreaker2.py", "codemaker1.py"))
    return folder


def found(checked: ClassCheck) -> list[Any]:
    """Return all that is found, but for the times."""
    return [[member.label, member.trouble, member.project and of(member.project)] for member in checked.members]


def of(found: Project) -> list[Any]:
    played = [(each.file, each.ours, each.series.guesses, each.series.seed, each.expected) for each in found.measures]
    return [found.files, found.findings, found.players, found.left, found.missing, played]


def no_process(*_: Any, **__: Any) -> None:
    raise AssertionError("a module was looked at")


# ------------------------------------------------------------------ workers


def test_findings_are_the_same_on_any_workers(a_class: Path) -> None:
    (a_class / "claire").mkdir()
    (a_class / "claire" / "codebreaker1.py").write_text("import flask\nimport common\n" + PLAYER, encoding="utf-8")
    alone = [check_project(each, SMALL, **QUICK) for each in sorted(a_class.iterdir())]
    for how in ({"jobs": 1}, {"jobs": 3}, {"executor": "processes:2"}, {"executor": "threads:2"}):
        checked = check_class([a_class], SMALL, **QUICK, **how)

        assert [of(each) for each in alone] == [each[2] for each in found(checked)], how


def test_threads_read_modules_while_the_collector_runs(tmp_path: Path) -> None:
    module = tmp_path / "codebreaker2.py"
    module.write_text(
        "\n".join(f"def f{at}(a):\n    return [a + (1 * (2 + a)) for a in a]" for at in range(300)), "utf-8"
    )

    def other_threads_go_on(*_: Any) -> None:
        sum(range(50))

    usual, interval = gc.get_threshold(), sys.getswitchinterval()
    gc.callbacks.append(other_threads_go_on)
    gc.set_threshold(50, 3, 3)
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            read = list(threads.map(lambda _: len(read_tree(module).body), range(cases(80, 800))))
    finally:
        gc.callbacks.remove(other_threads_go_on)
        gc.set_threshold(*usual)
        sys.setswitchinterval(interval)

    assert {300} == set(read)


PLAYER = """
def init():
    pass
def codebreaker(evaluation):
    return common.choices()
"""


def test_a_project_alone_is_shared_by_its_modules(a_class: Path) -> None:
    begun = list[tuple[str, int, int]]()
    project = check_alone(a_class / "anna", SMALL, jobs=2, progress=lambda *now: begun.append(now), **QUICK)

    assert of(check_project(a_class / "anna", SMALL, **QUICK)) == of(project)
    assert {"codebreaker2.py", "codemaker1.py"} == {name for name, _, total in begun if total}
    assert all(0 < done < total == 3 for _, done, total in begun if total)


@pytest.mark.parametrize("wrong", [("--jobs", "0"), ("--jobs", "x"), ("--jobs", "2", "--executor", "threads:2")])
def test_workers_that_cannot_be_are_told_in_a_sentence(a_class: Path, wrong: tuple[str, ...]) -> None:
    results = [typed("check", str(a_class), *wrong), typed("grade", str(a_class / "anna"), *wrong)]

    assert [2, 2] == [each.exit_code for each in results]
    assert all("Traceback" not in each.stderr and each.stderr for each in results)


def test_a_folder_that_vanishes_costs_nobody_else_anything(a_class: Path) -> None:
    def vanish(name: str, *_: int) -> None:
        if name == "anna":
            shutil.rmtree(a_class / "ben")

    checked = check_class([a_class], SMALL, jobs=1, progress=vanish, **QUICK)

    assert ["right", "note"] == [each.verdict for each in checked.members]
    assert f"{a_class}/ben is no folder: name the folder of a project" == checked.members[1].trouble


# ------------------------------------------------------------------ what has not changed


def test_what_has_not_changed_is_not_looked_at_again(
    a_class: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = tmp_path / "class.check"
    first = check_class([a_class], SMALL, keep=keep, **QUICK)
    monkeypatch.setattr(Process, "__init__", no_process)
    again = check_class([a_class], SMALL, keep=keep, executor="threads:2", **QUICK)

    assert ([], ["anna", "ben"]) == (first.known, again.known)
    assert found(first) == found(again)
    for one, other in zip(first.members, again.members, strict=True):
        assert one.project is not None
        assert other.project is not None
        assert project_text(one.project) == project_text(other.project)
    assert first.to_json() == again.to_json()


def test_one_byte_or_an_option_changed_is_looked_at_anew(a_class: Path, tmp_path: Path) -> None:
    keep, file = tmp_path / "class.check", a_class / "anna" / "common.py"
    check_class([a_class], SMALL, keep=keep, **QUICK)
    file.write_bytes(file.read_bytes() + b"\n")
    changed = check_class([a_class], SMALL, keep=keep, **QUICK)
    options: list[dict[str, Any]] = [{"seed": 1}, {"games": 4}, {"limits": Limits(memory=600)}, {"only": ["common"]}]
    others = [check_class([a_class], SMALL, keep=keep, **QUICK | each).known for each in options]
    board = check_class([a_class], Rules.parse("3x3/course"), keep=keep, **QUICK).known

    assert ["ben"] == changed.known
    assert [[]] * 4 == others
    assert [] == board


def test_another_python_or_program_looks_at_all_anew(
    a_class: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    how = HowToCheck(SMALL)
    keys = [KeptChecks(tmp_path / "class.check", how)._key(a_class / "anna")]
    for name in ("sys.version", "platform.node", "stamp"):
        kept_checks._around.cache_clear()
        with monkeypatch.context() as changed:
            changed.setattr(f"entropeg.classroom.whole_class.kept_checks.{name}", OTHERS[name])
            keys.append(KeptChecks(tmp_path / "class.check", how)._key(a_class / "anna"))
    kept_checks._around.cache_clear()

    assert 4 == len(set(keys))


OTHERS = {"sys.version": "another", "platform.node": lambda: "another", "stamp": lambda: b"another"}


def test_a_damaged_file_never_gives_a_verdict(a_class: Path, tmp_path: Path) -> None:
    keep, how = tmp_path / "class.check", HowToCheck(SMALL, **QUICK)
    checked = check_class([a_class], SMALL, keep=keep, **QUICK)
    content, chance, lost = keep.read_bytes(), random.Random(0), 0
    folders = [a_class / "anna", a_class / "ben"]
    right = [of(each.project) for each in checked.members if each.project is not None]
    for number in range(200):
        at = chance.randrange(40, len(content))
        damaged = content[:at] + (b"" if number % 3 else bytes([content[at] ^ 1 << chance.randrange(7)]))
        keep.write_bytes(damaged + content[at + 1 :] if number % 2 else damaged)
        kept = KeptChecks(keep, how)
        for folder, expected in zip(folders, right, strict=True):
            known = kept.get(folder)
            lost += known is None

            assert known is None or of(known) == expected, at
    keep.write_bytes(content[: len(content) // 2])
    again = check_class([a_class], SMALL, keep=keep, **QUICK)

    assert lost >= 200
    assert ([], found(checked)) == (again.known, found(again))
    assert ["anna", "ben"] == check_class([a_class], SMALL, keep=keep, **QUICK).known


def test_a_file_of_somebody_else_is_left_alone(a_class: Path, tmp_path: Path) -> None:
    for text in ("dear all", "{}", '{"format": "entropeg tournament 2", "series": {}}'):
        keep = tmp_path / "notes.txt"
        keep.write_text(text, encoding="utf-8")
        result = typed("check", str(a_class), "--keep", str(keep))

        assert (2, text) == (result.exit_code, keep.read_text(encoding="utf-8"))
        assert "holds no kept check: remove it, or name another file" in result.stderr


def test_a_project_that_changes_while_it_is_looked_at_is_not_kept(a_class: Path, tmp_path: Path) -> None:
    def change(name: str, *_: int) -> None:
        if name == "anna, codemaker1.py":
            (a_class / "anna" / "notes.txt").write_text("later", encoding="utf-8")

    keep = tmp_path / "class.check"
    check_class([a_class], SMALL, keep=keep, jobs=1, progress=change, **QUICK)

    assert ["ben"] == check_class([a_class], SMALL, keep=keep, **QUICK).known


# ------------------------------------------------------------------ interrupted


@pytest.mark.parametrize("executor", ["threads:1", "processes:1"])
def test_an_interrupted_check_goes_on_where_it_was(a_class: Path, tmp_path: Path, executor: str) -> None:
    def stop(name: str, *_: int) -> None:
        if name == "ben, codemaker1.py":
            raise KeyboardInterrupt

    keep = tmp_path / "class.check"
    with pytest.raises(ClassroomInterrupted) as caught:
        check_class([a_class], SMALL, keep=keep, executor=executor, progress=stop, **QUICK)
    by_then: ClassCheck = caught.value.done
    begun = by_then.members[1].project
    again = check_class([a_class], SMALL, keep=keep, executor=executor, **QUICK)

    assert begun is not None
    assert ["codemaker1.py"] == begun.left
    assert {"common.py", "codebreaker2.py"} == {each.file for each in begun.findings}
    assert ["anna"] == again.known
    assert found(check_class([a_class], SMALL, **QUICK)) == found(again)


def test_grade_keeps_what_it_finds_and_check_takes_it(a_class: Path, tmp_path: Path) -> None:
    keep, anna = str(tmp_path / "class.check"), str(a_class / "anna")
    quick = ("--rules", "3x4/course", "--games", "3", "--keep", keep, "--jobs", "2")
    graded, again = typed("grade", anna, *quick), typed("grade", anna, *quick)
    checked = typed("check", anna, *quick)

    assert (0, 0, 0) == (graded.exit_code, again.exit_code, checked.exit_code)
    assert graded.stdout == again.stdout
    assert "1 project has not changed since: what was found in it is that of" in checked.stderr


# ------------------------------------------------------------------ some of it


def test_only_what_is_named_is_looked_at(a_class: Path) -> None:
    modules = check_class([a_class], SMALL, only=["codemaker*"], **QUICK)
    projects = check_class([a_class], SMALL, only=["ann*"], **QUICK)
    both = check_class([a_class], SMALL, only=["ben", "codebreaker2.py"], **QUICK)
    files = [{each.file for each in member.project.findings} for member in modules.members if member.project]

    assert [{"common.py", "codemaker1.py"}] * 2 == files
    assert ["anna"] == [each.label for each in projects.members]
    assert [("ben", ["codebreaker2.py"])] == [
        (each.label, each.project.players) for each in both.members if each.project
    ]
    assert modules.is_complete
    with pytest.raises(InputError, match="nothing is called 'codebreaker7'"):
        check_class([a_class], SMALL, only=["codebreaker7"], **QUICK)


def test_a_project_without_the_module_that_is_named_says_so(a_class: Path) -> None:
    (a_class / "ben" / "codemaker1.py").unlink()
    checked = check_class([a_class], SMALL, only=["codemaker1"], **QUICK)
    notes = [each.text for each in checked.members[1].project.findings] if checked.members[1].project else []

    assert "it has no module codemaker1" in notes


# ------------------------------------------------------------------ the page that fills


def test_the_page_of_a_class_fills_and_loads_itself(a_class: Path, tmp_path: Path) -> None:
    file, pages = tmp_path / "wall.html", list[str]()
    with LiveClassPage(file, SMALL, every=0.0) as page:
        pages.append(file.read_text(encoding="utf-8"))

        def put(checked: ClassCheck) -> None:
            page.put(checked)
            pages.append(file.read_text(encoding="utf-8"))

        check_class([a_class], SMALL, watch=put, jobs=1, **QUICK)

    assert [True] * 3 == ['http-equiv="refresh"' in each for each in pages]
    assert [0, 1, 2] == [each.count("<section><h2>anna") + each.count("<section><h2>ben") for each in pages]


def test_live_ends_on_the_page_that_stays(a_class: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = typed("check", str(a_class), "--live", "--rules", "3x4/course", "--games", "2", "--json")
    page = (tmp_path / "class.html").read_text(encoding="utf-8")

    assert 1 == result.exit_code
    assert "class.html, and fills while projects are looked at" in result.stderr
    assert "refresh" not in page
    assert 'href="class/anna.html"' in page
    assert 2 == len(json.loads(result.stdout)["projects"])
    assert 2 == typed("check", str(a_class / "anna"), "--live").exit_code
    assert 2 == typed("check", str(a_class), "--live", "--html", "-").exit_code


# ------------------------------------------------------------------ run


def test_run_takes_the_parameters_that_arena_takes(a_class: Path) -> None:
    module = str(a_class / "ben" / "codebreaker2.py")
    quick = ("--rules", "3x4/course", "--games", "20", "--json")
    theirs, ours = typed("run", module, *quick), typed("run", f"{module}:ours=evaluation,memory=600", *quick)
    data = json.loads(ours.stdout)

    assert (1, 0) == (theirs.exit_code, ours.exit_code)
    assert {"memory=600", "ours=evaluation"} <= set(data["codebreaker"].partition(".py:")[2].split(","))
    assert 2 == typed("run", f"{module}:nothing=1", *quick).exit_code
