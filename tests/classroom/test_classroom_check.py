"""Projects of the course: every planted fault is found and named, and nothing else; pages, tournaments."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from classroom_typing import project, typed
from drawn_projects import DRESSES, draw_project, draw_projects, dress_for
from drawn_projects import LIMITS as COURSE
from entropeg.classroom.findings import Project
from entropeg.classroom.modules import read_module
from entropeg.classroom.players import close_all
from entropeg.classroom.process import Limits
from entropeg.classroom.project import BOARD, Check, check_project
from entropeg.classroom.project_page import project_page, project_text
from entropeg.classroom.tournament.playing import play_tournament
from entropeg.classroom.tournament.tournament_page import tournament_page, tournament_text
from entropeg.errors import InputError
from entropeg.rules import Rules
from entropeg.signals import INTERRUPTED
from planted import EXAMPLES, PLANTS, Plant, plant
from rooms import IS_LONG, often

LIMITS = Limits(turn_seconds=0.25, game_seconds=20.0, memory=512)
MINIMAX = Limits(turn_seconds=0.5, game_seconds=20.0, memory=512)
"""It scores every code with every other in one turn, in plain Python."""

QUARTER = Rules.parse("4x4/course")
"""A board of 256 codes: whoever plays at random is through with it in a sixteenth of the turns of the course's."""


VERDICTS = {
    cells[0]: cells[1:]
    for line in (EXAMPLES.parent.parent / "docs" / "lookup" / "verdicts.md").read_text(encoding="utf-8").splitlines()
    if len(cells := line.strip("| ").split(" | ")) == 4 and "`" in line
}
"""The table of the documents: of each planted fault its file, its kind, and a part of what is said."""


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Any:
    yield
    close_all()


@pytest.mark.slow
@pytest.mark.parametrize("fault", PLANTS, ids=lambda fault: fault.name)
def test_a_planted_fault_is_found_and_named_and_nothing_else(fault: Plant, tmp_path: Path) -> None:
    # Players whose games are long on the course's board show the same fault on a smaller one; minimax is another there.
    is_small = fault.file in {"codebreaker0.py", "codebreaker1.py", "codebreaker2.py"} and not IS_LONG
    limits = MINIMAX if fault.file == "codebreaker3.py" else LIMITS
    board, number = QUARTER if is_small else BOARD, PLANTS.index(fault)
    drawn = draw_project(tmp_path, number, fault=fault, dress=dress_for(fault, number), players=())
    project = check_project(tmp_path, board, games=10, seconds=20, limits=limits)

    assert drawn.expected == [(each.file, each.kind) for each in project.wrong], drawn.says
    assert "\n" not in project.wrong[0].text
    assert drawn.file in project.wrong[0].text
    assert VERDICTS[fault.name][2] in project.wrong[0].text


def test_the_documents_list_the_planted_faults() -> None:
    told = {name: (file.strip("`"), kind.strip("`")) for name, (file, kind, _) in VERDICTS.items()}

    assert {fault.name: (fault.file, fault.kind) for fault in PLANTS} == told


@pytest.mark.slow
@pytest.mark.parametrize("dress", often(4, DRESSES))
def test_a_right_project_is_right_however_it_is_written_and_whatever_lies_beside(dress: str, tmp_path: Path) -> None:
    players = ("codebreaker2.py", "codemaker1.py", "codemaker2.py")
    drawn = draw_project(tmp_path, sorted(DRESSES).index(dress), fault=None, dress=dress, players=players)
    project = check_project(tmp_path, QUARTER, games=5, seconds=20, limits=LIMITS)

    assert [] == [(each.file, each.verdict, each.text) for each in project.wrong + project.follows], drawn.says
    assert {"right"} == {each.verdict for name in players for each in project.findings if each.file.endswith(name)} - {
        "note"
    }


@pytest.mark.long
def test_thirty_drawn_projects_are_judged_as_they_were_drawn(tmp_path: Path) -> None:
    for number, drawn in enumerate(draw_projects(tmp_path, 30, seed=2026)):
        project = check_project(drawn.folder, games=10, seconds=10, limits=COURSE, seed=number)

        assert drawn.expected == [(each.file, each.kind) for each in project.wrong], drawn.says
        close_all()


@pytest.fixture(scope="module")
def examples() -> Project:
    # The first guess of minimax on the course's board takes a minute: one second is enough to call it slow.
    return check_project(EXAMPLES, games=12, seconds=5, limits=Limits(turn_seconds=1.0))


@pytest.mark.slow
def test_the_examples_have_no_fault(examples: Project) -> None:
    assert [] == examples.wrong
    assert {"common.py", "codebreaker0.py", "codebreaker3.py", "codemaker1.py", "codemaker2.py"} <= set(examples.files)


@pytest.mark.slow
def test_measured_means_stand_beside_expected_ones(examples: Project) -> None:
    expected = {(each.file, each.series.codemaker): each.expected for each in examples.measures}

    assert expected["codebreaker0.py", "honest"] == 4096
    assert expected["codebreaker1.py", "honest"] == 2048.5
    assert expected["codebreaker3.py", "honest"] == 3.375
    for each in examples.measures:
        found = each.series.run.statistics
        low, high = found.interval or (found.mean, found.mean)
        assert each.expected is not None
        assert low - (high - low) - 0.5 < each.expected < high + (high - low) + 0.5


@pytest.mark.slow
def test_the_page_shows_figures_and_findings_and_needs_no_other_file(examples: Project) -> None:
    page, text = project_page(examples), project_text(examples)

    assert page.count("<figure>") == 9
    assert page.count("<svg") == 9
    assert "src=" not in page
    assert "<link" not in page
    assert "4096 (theory)" in page
    for finding in examples.findings:
        assert finding.text in text


def test_without_a_common_ours_takes_its_place(tmp_path: Path) -> None:
    shutil.copyfile(EXAMPLES / "codebreaker2.py", tmp_path / "codebreaker2.py")
    project = check_project(tmp_path, games=5, seconds=5)

    assert [] == project.wrong
    assert ("common.py", "note") in [(each.file, each.verdict) for each in project.findings]


def test_a_codemaker_that_counts_black_alone_is_right_as_number_zero(tmp_path: Path) -> None:
    text = (EXAMPLES / "codemaker1.py").read_text(encoding="utf-8").replace(
        "return common.evaluation(guess, secret)", "return common.evaluation(guess, secret)[0], 0"
    )  # fmt: skip
    shutil.copyfile(EXAMPLES / "common.py", tmp_path / "common.py")
    for name in ("codemaker0.py", "codemaker1.py"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    project = check_project(tmp_path, games=8, seconds=5)

    assert ["codemaker1.py"] == [each.file for each in project.wrong]
    assert project.wrong[0].kind == "inconsistent"


def test_check_prints_and_writes_a_page(tmp_path: Path) -> None:
    fault = next(each for each in PLANTS if each.name == "guess is a list")
    folder, page = plant(fault, tmp_path / "project"), tmp_path / "page.html"
    result = typed("check", str(folder), "--games", "4", "--html", str(page))
    data = json.loads(typed("check", str(folder), "--games", "4", "--json").output)

    assert result.exit_code == 1
    assert "✗" in result.output
    assert "1 thing wrong" in result.output
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert (1, ["type"]) == (data["wrong"], [each["kind"] for each in data["findings"] if each["verdict"] == "wrong"])


def test_ctrl_c_ends_a_check_with_what_was_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        # Ctrl-C is heard by the main thread, and ends what the workers are at.
        signal.raise_signal(signal.SIGINT)
        raise KeyboardInterrupt

    monkeypatch.setattr(Check, "codemaker", stopped)
    for name in ("common.py", "codebreaker2.py", "codemaker1.py"):
        shutil.copyfile(EXAMPLES / name, tmp_path / name)
    shutil.copyfile(EXAMPLES / "codemaker2.py", tmp_path / "codemaker2_Anna.py")
    page = tmp_path / "page.html"
    result = typed("check", str(tmp_path), "--games", "4", "--jobs", "1", "--html", str(page))
    data = json.loads(typed("check", str(tmp_path), "--games", "4", "--jobs", "1", "--json").stdout)

    assert result.exit_code == INTERRUPTED
    assert "nothing wrong so far" in result.output
    assert "plays 4 games on 4x8/course by the rules" in result.output
    assert result.output.endswith("looked at to the end: codemaker1.py, codemaker2_Anna.py\n")
    assert "codemaker1.py, codemaker2_Anna.py." in page.read_text(encoding="utf-8")
    assert data["left"] == ["codemaker1.py", "codemaker2_Anna.py"]
    assert {each["file"] for each in data["findings"]} == {"codebreaker2.py", "common.py"}


def test_a_folder_that_is_no_project_is_refused(tmp_path: Path) -> None:
    for folder, said in [(tmp_path / "nowhere", "is no folder"), (tmp_path, "holds no module of the course")]:
        with pytest.raises(InputError, match=said):
            check_project(folder)
        with pytest.raises(InputError, match=r"folder|holds no player"):
            play_tournament([folder], Rules.parse("3x4"))


def test_a_tournament_ranks_everyone_and_names_who_spoils_games(tmp_path: Path) -> None:
    for name in ("one", "two"):
        # Against those that ignore answers a cheat gains little: they are left out.
        shutil.copytree(EXAMPLES, tmp_path / name, ignore=shutil.ignore_patterns("codebreaker[01].py", "play.py"))
    crash = next(each for each in PLANTS if each.name == "crash")
    broken = tmp_path / "two" / "codebreaker2.py"
    broken.write_text(broken.read_text(encoding="utf-8").replace(crash.old, crash.new), encoding="utf-8")
    (tmp_path / "two" / "codebreaker3.py").write_text("def codebreaker(", encoding="utf-8")
    played = play_tournament([tmp_path / "one", tmp_path / "two"], Rules.parse("3x4"), games=12, seconds=30)
    ranked = [place.player.removeprefix(f"{tmp_path}/") for place in played.codebreakers]

    assert ["one/codebreaker3.py", "one/codebreaker2.py"] == ranked[:2]
    assert ranked[-1] == "two/codebreaker2.py"
    assert played.codebreakers[-1].spoiled > 0
    assert all(place.spoiled == 0 for place in [*played.codebreakers[:-1], *played.codemakers])
    assert len(played.series) == 3 * 6
    assert ["syntax"] == [fault.kind for fault in played.absent]
    assert {"cheat", f"{tmp_path}/one/codemaker2.py", f"{tmp_path}/two/codemaker2.py"} == {
        place.player for place in played.codemakers[:3]
    }
    for text in (tournament_text(played), tournament_page(played)):
        assert "IndexError" in text
        assert "SyntaxError" in text


def test_the_command_tournament_writes_data(tmp_path: Path) -> None:
    folder = tmp_path / "one"
    folder.mkdir()
    shutil.copyfile(EXAMPLES / "codebreaker2.py", folder / "codebreaker2.py")
    page = tmp_path / "page.html"
    result = typed("tournament", str(folder), "--games", "5", "--rules", "3x4", "--html", str(page), "--json")
    data = json.loads(result.stdout)

    assert [5, 5] == [series["won"] for series in data["series"]]
    assert ["cheat", "honest"] == sorted(place["player"] for place in data["codemakers"])
    assert page.exists()


def test_a_module_too_slow_for_one_game_is_set_aside(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        shutil.copyfile(EXAMPLES / "codebreaker2.py", tmp_path / name / "codebreaker2.py")
        shutil.copyfile(EXAMPLES / "codemaker1.py", tmp_path / name / "codemaker1.py")
    slow = tmp_path / "one" / "codebreaker2.py"
    slow.write_text(
        f"import time\n{slow.read_text(encoding='utf-8')}".replace(
            "    if evaluation is None:", "    time.sleep(9)\n    if evaluation is None:"
        ),
        encoding="utf-8",
    )
    keep = tmp_path / "kept.json"
    plan: dict[str, Any] = {"games": 3, "limits": Limits(turn_seconds=0.3), "keep": keep}
    folders = [tmp_path / "one", tmp_path / "two"]
    played = play_tournament(folders, Rules.parse("3x4"), jobs=2, **plan)

    assert [str(slow)] == list(played.set_aside)
    assert len(played.series) == 2 + 3  # both against the first codemaker, and one of them against the others
    assert "set aside" in tournament_text(played)
    assert "set aside" in tournament_page(played)

    told = list[str]()
    again = play_tournament(folders, Rules.parse("3x4"), jobs=1, progress=lambda now: told.append(now.pair), **plan)
    assert told == []  # nothing is played twice
    assert [(each.codebreaker, each.codemaker, each.guesses) for each in again.series] == [
        (each.codebreaker, each.codemaker, each.guesses) for each in played.series
    ]

    keep.write_text('{"format": "something else", "series": {}}', encoding="utf-8")
    with pytest.raises(InputError, match="holds no kept tournament"):
        play_tournament(folders, Rules.parse("3x4"), **plan)


def test_an_interrupted_tournament_shows_and_keeps_what_was_played(tmp_path: Path) -> None:
    folder, keep = tmp_path / "one", tmp_path / "kept.json"
    folder.mkdir()
    for name in ("codebreaker0.py", "codebreaker2.py"):
        shutil.copyfile(EXAMPLES / name, folder / name)
    command = [sys.executable, "-m", "entropeg", "classroom", "tournament", str(folder), "--games", "1000000"]
    with subprocess.Popen(
        [*command, "--rules", "3x4", "--seconds", "1000", "--jobs", "1", "--keep", str(keep)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        for _ in range(600):  # until the first games are kept
            if keep.exists():
                break
            time.sleep(0.1)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=300)

    assert process.returncode == 130
    assert f"games played, kept in {keep}" in err
    assert "pairs on 3x4" in out or "pair on 3x4" in out
    assert keep.exists()
    assert "Traceback" not in err


def test_a_fault_that_only_the_cheat_brings_to_light_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    shutil.copytree(EXAMPLES, folder, ignore=shutil.ignore_patterns("codemaker*", "codebreaker[013].py"))
    text = (folder / "codebreaker2.py").read_text(encoding="utf-8")
    text = text.replace("last = random.choice(sorted(possibles))", "last = turn()")
    text += "\n\nturns = []\n\n\ndef turn():\n    turns.append(sorted(possibles)[0])\n"
    text += "    assert len(turns) < 7, 'eight turns'\n    return turns[-1]\n"
    text = text.replace("    possibles = last = None", "    possibles = last = None\n    turns.clear()")
    (folder / "codebreaker2.py").write_text(text, encoding="utf-8")
    result = typed("check", str(folder), "--games", "3")

    assert "✗ against the cheat" in result.output
    assert result.exit_code == 1


# ---------------------------------------------------------------------- the cause, and its place


DESTROYS = """

KEPT = None


def donner_possibles(guess, answer):
    global KEPT
    KEPT = set(all_codes()) if KEPT is None else KEPT
    KEPT -= {code for code in KEPT if evaluation(guess, code) != answer}
    return KEPT
"""


def test_a_function_that_is_right_only_when_it_is_called_first_is_told_as_that(tmp_path: Path) -> None:
    folder = project(tmp_path / "ben", "common.py")
    with (folder / "common.py").open("a", encoding="utf-8") as file:
        file.write(DESTROYS)
    [wrong] = check_project(folder, Rules.parse("3x4/course")).wrong

    assert "donner_possibles('RRR', (1, 0)) loses " in wrong.text
    assert wrong.text.endswith("and is right when it is called first: it changes something that it needs again")


def test_a_function_that_is_wrong_from_the_first_call_on_is_not(tmp_path: Path) -> None:
    folder = project(tmp_path / "ben", "common.py")
    text = (folder / "common.py").read_text(encoding="utf-8") + DESTROYS.replace("!= answer", "== answer")
    (folder / "common.py").write_text(text, encoding="utf-8")
    [wrong] = check_project(folder, Rules.parse("3x4/course")).wrong

    assert "when it is called first" not in wrong.text


def test_the_place_of_a_fault_is_where_the_function_stands(tmp_path: Path) -> None:
    folder = project(tmp_path / "ben", "common.py")
    with (folder / "common.py").open("a", encoding="utf-8") as file:
        file.write("\n\ndef nothing():\n    pass\n\n\ndef four(answer):\n    return 'RRRRR'\n")
    line = (folder / "common.py").read_text(encoding="utf-8").splitlines().index("def four(answer):") + 1
    module = folder / "codebreaker1.py"
    module.write_text("from common import nothing as init, four as codebreaker\n", encoding="utf-8")
    [wrong] = check_project(folder, Rules.parse("3x4/course"), games=2).wrong

    assert (str(folder / "common.py"), line) == read_module(module).place("codebreaker")
    assert "codebreaker1.py" == wrong.file
    assert wrong.text.startswith(f"{folder}/common.py, line {line}: in game 1, its guess 'RRRRR' has 5 letters")


@pytest.mark.parametrize("text", ["from common import *", "import common\ninit = codebreaker = common.four"])
def test_the_place_of_a_function_that_comes_in_another_way(text: str, tmp_path: Path) -> None:
    (tmp_path / "common.py").write_text("\ndef init(): pass\ndef codebreaker(answer): pass\n", encoding="utf-8")
    module = tmp_path / "codebreaker1.py"
    module.write_text(text, encoding="utf-8")

    wanted = (str(tmp_path / "common.py"), 3) if "*" in text else (str(module), 2)
    assert wanted == read_module(module).place("codebreaker")


def test_a_game_without_end_of_a_codebreaker3_is_told_by_the_guess_that_tells_nothing(tmp_path: Path) -> None:
    folder = project(tmp_path / "ben", "common.py")
    module = "import common\ndef init(): pass\ndef codebreaker(answer): return common.COLORS[0] * common.LENGTH\n"
    (folder / "codebreaker3.py").write_text(module, encoding="utf-8")
    [wrong] = check_project(folder, Rules.parse("3x4/course"), games=2).wrong

    assert "not minimax" == wrong.kind
    assert "its guess RRR at turn 2 leaves up to 27 codes, as many as before; " in wrong.text
    assert "it would never end the game: at turn 129 it guesses RRR again" in wrong.text
