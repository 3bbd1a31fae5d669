"""Projects in the manner of real ones: what lies where is found, and each is judged as it would be run."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from entropeg import cli
from entropeg.classroom.faults import ModuleFault
from entropeg.classroom.findings import Project
from entropeg.classroom.layout import find_modules, layout_of
from entropeg.classroom.modules import find_player
from entropeg.classroom.players import close_all
from entropeg.classroom.process import Limits, Process
from entropeg.classroom.project import check_project
from entropeg.classroom.project_page import project_text
from entropeg.classroom.tournament.playing import play_tournament
from entropeg.errors import InputError
from entropeg.rules import Rules
from planted import EXAMPLES
from planted_sentences import PLANTED, Planted, missed
from student_projects import student_project

LIMITS = Limits(turn_seconds=1.0, game_seconds=20.0, memory=512)


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Any:
    yield
    close_all()


def checked(name: str, folder: Path, **how: Any) -> Project:
    return check_project(student_project(name, folder / name), **{"games": 4, "seconds": 4, "limits": LIMITS, **how})


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(cli.group, ["classroom", *arguments], prog_name="entropeg")


# ------------------------------------------------------------------ where modules lie


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("package", {"app/mastermind/codebreaker2.py": ("mastermind.codebreaker2", "app")}),
        ("src_layout", {"src/jeu/codebreaker2.py": ("codebreaker2", "src/jeu")}),
        ("folders", {"common.py": ("common", "."), "codemakers/codemaker1.py": ("codemaker1", "codemakers")}),
    ],
)
def test_modules_are_found_where_they_lie_and_run_as_their_imports_ask(
    name: str, found: dict[str, tuple[str, str]], tmp_path: Path
) -> None:
    folder = student_project(name, tmp_path)
    files = {file.relative_to(folder).as_posix(): layout_of(file) for file in find_modules(folder)}

    assert 3 == len(files)
    for file, (module, place) in found.items():
        assert (module, folder / place) == (files[file].name, files[file].folder)


@pytest.mark.parametrize("name", ["package", "src_layout", "folders"])
def test_a_project_is_right_wherever_its_modules_lie(name: str, tmp_path: Path) -> None:
    project = checked(name, tmp_path)

    assert ([], [], []) == (project.wrong, project.slow, project.unjudged)
    assert {"codebreaker2.py", "codemaker1.py"} <= {each.file.rpartition("/")[2] for each in project.measures}
    assert any(each.file.endswith("/") and "found here" in each.text for each in project.findings)


def test_a_fault_in_a_package_is_told_by_the_path_from_here(tmp_path: Path) -> None:
    folder = student_project("package", tmp_path)
    file = folder / "app" / "mastermind" / "common.py"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("    return noirs, ", "    return [][0], "), encoding="utf-8")
    result = typed("run", str(folder / "app" / "mastermind" / "codemaker1.py"), "--games", "1")

    assert f"{file}, line 15: in game 1, codemaker raised IndexError" in result.output.replace("\n  ", " ")


def test_a_package_is_checked_from_its_own_folder_too(tmp_path: Path) -> None:
    folder = student_project("package", tmp_path) / "app" / "mastermind"
    data = json.loads(typed("check", str(folder), "--games", "2", "--json").stdout)

    assert (0, []) == (data["wrong"], data["unjudged"])


@pytest.mark.parametrize(
    ("name", "said"), [("", "holds the archive projet.zip"), ("projet.zip", "is an archive: unpack")]
)
def test_a_project_in_an_archive_is_to_be_unpacked(name: str, said: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "projet.zip", "w") as archive:
        archive.writestr("codebreaker2.py", "")
    with pytest.raises(InputError, match=said):
        check_project(tmp_path / name)


# ------------------------------------------------------------------ time


def test_slow_and_right_is_slow_and_judged_on_a_smaller_board(tmp_path: Path) -> None:
    project = checked("slow_and_right", tmp_path, limits=Limits(turn_seconds=0.3))

    assert [] == project.wrong
    assert ["codemaker2.py"] == [each.file for each in project.slow]
    assert "slow on 4x8/course, and judged on 3x4/course instead" in project.slow[0].text
    assert "always answers what leaves the most codes, on 3x4/course" in project_text(project)
    assert "nothing wrong, 1 slow" in project_text(project)


def test_what_cannot_be_imported_for_its_common_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("entropeg.classroom.process.LOAD_SECONDS", 0.5)
    project = checked("hangs_at_import", tmp_path)

    assert [("common.py", "time")] == [(each.file, each.kind) for each in project.wrong]
    assert ["codebreaker1.py", "codebreaker2.py", "codemaker1.py"] == [each.file for each in project.follows]
    assert all("not played: it imports common, and " in each.text for each in project.follows)
    assert [] == project.unjudged


def test_what_a_module_does_while_it_is_imported_is_its_own_affair(tmp_path: Path) -> None:
    assert [] == checked("games_at_import", tmp_path).wrong

    [wrong] = checked("input_at_import", tmp_path).wrong
    assert "line 5: import codebreaker2 raised EOFError: it waits for input(), and nobody is there" in wrong.text


# ------------------------------------------------------------------ tournaments


def test_a_tournament_plays_packages_and_leaves_out_who_counts_well_placed_alone(tmp_path: Path) -> None:
    folders = [student_project(name, tmp_path / name) for name in ("package", "older_handout")]
    played = play_tournament(folders, Rules.parse("3x4/course"), games=6, jobs=1)
    zero = str(tmp_path / "older_handout" / "codemaker0.py")

    assert {zero} == set(played.set_aside)
    assert 1 == sum(len(series.faults) for series in played.series)  # against the first codebreaker
    assert str(tmp_path / "package/app/mastermind/codebreaker2.py") in {place.player for place in played.codebreakers}


IN_LISTS = {
    "tuple(random.choices(COLORS, k=LENGTH))": '"".join(random.choices(COLORS, k=LENGTH))',
    "itertools.product(COLORS, repeat=LENGTH)": 'map("".join, itertools.product(COLORS, repeat=LENGTH))',
    "return noirs, communs - noirs": "return [communs - noirs, noirs]",
}


@pytest.mark.parametrize(
    ("change", "convention"), [({}, "tuple/tuple"), (IN_LISTS, "text/list/misplaced-first")], ids=["tuples", "lists"]
)
def test_a_tournament_plays_by_the_convention_that_check_finds(
    change: dict[str, str], convention: str, tmp_path: Path
) -> None:
    folder = student_project("tuples", tmp_path / "project")
    text = (folder / "common.py").read_text(encoding="utf-8")
    for old, new in change.items():
        assert old in text
        text = text.replace(old, new)
    (folder / "common.py").write_text(text, encoding="utf-8")
    played = play_tournament([folder], Rules.parse("3x4/course"), games=6, jobs=1)

    assert [] == [fault.sentence for series in played.series for fault in series.faults]
    assert 3 * 6 == played.played
    assert [f"played with the convention {convention}"] * 2 == [
        note.rpartition(": ")[2].partition(",")[0] for note in played.notes
    ]


@pytest.mark.parametrize(
    "kept",
    ["{**PALETTE}", "dict(zip(PALETTE, range(8)))", "numpy.array([*PALETTE])", "['R']\nCOLORS += [*PALETTE][1:]"],
)
def test_colors_are_followed_however_they_are_kept(kept: str, tmp_path: Path) -> None:
    for name in ("common.py", "codebreaker1.py", "codebreaker2.py", "codemaker1.py"):
        text = (EXAMPLES / name).read_text(encoding="utf-8").replace("choices(COLORS", "choices(list(COLORS)")
        colors = f'import numpy\nPALETTE = {{each: f"\\033[3{{each}}m" for each in "RVBJNMOG"}}\nCOLORS = {kept}'
        text = text.replace('COLORS = ["R", "V", "B", "J", "N", "M", "O", "G"]', colors)
        (tmp_path / name).write_text(text, encoding="utf-8")
    project = check_project(tmp_path, games=4, seconds=5, limits=LIMITS)

    assert [] == [each.text for each in project.wrong]
    assert {"codebreaker1.py", "codebreaker2.py", "codemaker1.py"} == {
        each.file for each in project.findings if each.text.startswith("follows LENGTH and COLORS")
    }


# ------------------------------------------------------------------ what is said, and how


def test_codes_as_tuples_throughout_are_one_note_and_nothing_wrong(tmp_path: Path) -> None:
    project = checked("tuples", tmp_path)
    notes = [(each.file, each.text) for each in project.findings if each.kind == "convention"]
    said = "its codes are tuples of letters, where the course has strings: it is judged as it writes them"

    assert [] == project.wrong
    assert [("common.py", said)] == notes
    assert {"codebreaker2.py", "codemaker1.py"} == {each.file for each in project.measures if each.series.guesses}


TRUE_PART, HALF = (
    "return noirs, communs - noirs",
    "if evaluation(guess, code) != rep:\n            possibles.discard(code)",
)
ALWAYS_DRAWN = ("common.choices() if possibles is None else random.choice(sorted(possibles))", "common.choices()")


@pytest.mark.parametrize(
    ("file", "change", "wrong", "follow"),
    [
        ("common.py", (TRUE_PART, "return noirs, communs"), {("common.py", "not subtracted")}, 2),
        ("common.py", (HALF, HALF.replace("rep:", "rep and code[0] != 'R':")), {("common.py", "wrong set")}, 1),
        ("codebreaker2.py", ALWAYS_DRAWN, {("codebreaker2.py", "not consistent")}, 0),
        ("codemaker1.py", ("global solution", "solution = 1"), {("codemaker1.py", "crash")}, 0),
        # who writes codes in two ways is wrong: the players meet both
        ("common.py", ("code for code in iter", '"".join(code) for code in iter'), {("common.py", "type")}, 1),
    ],
)
def test_a_fault_beside_codes_as_tuples_is_found_by_itself(
    file: str, change: tuple[str, str], wrong: set[tuple[str, str]], follow: int, tmp_path: Path
) -> None:
    folder = student_project("tuples", tmp_path)
    text = (folder / file).read_text(encoding="utf-8")
    assert change[0] in text
    (folder / file).write_text(text.replace(*change), encoding="utf-8")
    project = check_project(folder, Rules.parse("3x4/course"), games=6, seconds=10, limits=LIMITS)

    assert wrong == {(each.file, each.kind) for each in project.wrong}
    assert follow == len({each.file for each in project.follows})


def test_a_codebreaker_that_finds_the_secret_in_its_process_is_told_by_its_games(tmp_path: Path) -> None:
    project = checked("frame_inspection", tmp_path, rules=Rules.parse("3x5/course"), games=6)

    assert ["knows the secret"] == [each.kind for each in project.wrong]
    assert "its first games take 1, 1, 1, 1, 1 guesses where the secret is in the same process" in project.wrong[0].text


def test_a_sample_of_a_set_is_drawn_as_older_pythons_do_and_remarked(tmp_path: Path) -> None:
    project = checked("sample_of_a_set", tmp_path)
    notes = [each.text for each in project.findings if each.file == "codebreaker2.py" and each.verdict == "note"]

    assert [] == project.wrong
    assert 1 == len(notes)
    assert notes[0].endswith(
        "codebreaker2.py, line 22: it draws by random.sample from a set; "
        "Python 3.11 refuses this: write sample(sorted(...), k)"
    )


@pytest.mark.parametrize("name", ["older_handout", "older_handout_without_common"])
def test_choices_with_colors_and_a_length_is_as_right_as_without(name: str, tmp_path: Path) -> None:
    project = checked(name, tmp_path, games=8)

    assert ([], []) == (project.wrong, project.unjudged)


def test_a_file_that_is_no_python_is_named_and_the_rest_is_judged(tmp_path: Path) -> None:
    project = checked("no_python", tmp_path)

    assert ["codebreaker2.py: it is no Python, but a PDF"] == [
        each.text.replace(f"{tmp_path}/no_python/", "") for each in project.wrong
    ]
    assert ["codemaker1.py"] == [each.file for each in project.measures]


def test_a_data_file_that_is_not_carried_along_is_named(tmp_path: Path) -> None:
    folder = student_project("data_file", tmp_path)
    with (folder / "grande.bin").open("wb") as file:
        file.truncate(5 << 20)
    [wrong] = check_project(folder, games=2, seconds=2, limits=LIMITS).wrong

    assert "line 18: in game 1, codebreaker raised FileNotFoundError" in wrong.text
    assert ": grande.bin is not carried along with the module (a file over 4 MB, or one of very many)" in wrong.text


def test_a_hard_coded_loop_is_a_length_that_is_not_followed(tmp_path: Path) -> None:
    folder = student_project("package", tmp_path)
    file = folder / "app" / "mastermind" / "common.py"
    text = file.read_text(encoding="utf-8")
    text = text.replace(
        "sum(1 for g, s in zip(guess, secret) if g == s)", "sum(guess[i] == secret[i] for i in range(4))"
    )
    file.write_text(text, encoding="utf-8")
    wrong = next(
        each for each in check_project(folder, games=2, seconds=2, limits=LIMITS).wrong if "common" in each.file
    )

    assert "follow" == wrong.kind
    assert wrong.text.startswith("does not follow LENGTH: it is right on 4x8/course, and on 3x3/course it is not; ")


def test_answers_are_written_as_the_course_writes_them(tmp_path: Path) -> None:
    folder = student_project("folders", tmp_path)
    file = folder / "codebreakers" / "codebreaker2.py"
    text = file.read_text(encoding="utf-8").replace("random.choice(sorted(possibles))", "common.choices()")
    file.write_text(text, encoding="utf-8")
    maker = folder / "codemakers" / "codemaker1.py"
    maker.write_text(
        maker.read_text(encoding="utf-8").replace("    return common", "    init()\n    return common"),
        encoding="utf-8",
    )
    board = Rules.parse("4x4/course")
    texts = [each.text for each in check_project(folder, board, games=4, seconds=2, limits=LIMITS).wrong]

    assert 2 == len(texts)
    assert re.search(r"cannot be the secret after [A-Z]{4} \d,\d", texts[0])
    assert re.search(r"no secret fits (.*turn \d \([A-Z]{4} \d,\d\))+", texts[1])


@pytest.mark.parametrize("planted", random.Random(4).sample(PLANTED, 4), ids=lambda planted: planted.name)
def test_a_planted_fault_is_told_in_the_sentence_expected(planted: Planted, tmp_path: Path) -> None:
    assert missed(planted, tmp_path) is None


def test_what_is_no_file_or_too_long_is_told_and_the_rest_judged(tmp_path: Path) -> None:
    folder = student_project("no_python", tmp_path)
    os.mkfifo(folder / "codebreaker7.py")
    (folder / "codebreaker2.py").write_text("#" * ((1 << 20) + 1), encoding="utf-8")
    project = check_project(folder, games=2, seconds=1, limits=LIMITS)

    assert [("file", True)] == [(each.kind, "it has more than 1,048,576 bytes" in each.text) for each in project.wrong]
    assert ["codemaker1.py"] == [each.file for each in project.measures]
    with pytest.raises(ModuleFault, match="it is a pipe or a device, and no file"):
        find_player(folder / "codebreaker7.py")


def test_files_that_no_student_wrote_are_not_run(tmp_path: Path) -> None:
    folder = tmp_path / "venv" / "lib"
    folder.mkdir(parents=True)
    text = f"open({str(tmp_path / 'run')!r}, 'w')\ndef compare(one, other):\n    return 0, 0\n"
    (folder / "tools.py").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="holds no module of the course"):
        check_project(tmp_path)

    assert not (tmp_path / "run").exists()


def test_names_with_dots_and_controls_are_run_and_told_in_one_line(tmp_path: Path) -> None:
    folder = tmp_path / "mon\x1b[31m\nprojet v1.2"
    shutil.copytree(student_project("package", tmp_path) / "app" / "mastermind", folder)
    (folder / "codebreaker2.py").rename(folder / "codebreaker2.v2 (1).py")
    project = check_project(folder, Rules.parse("3x4"), games=2, seconds=2, limits=LIMITS)
    text = project_text(project)

    assert ([], []) == (project.wrong, project.unjudged)
    assert "codebreaker2.v2 (1).py" in {each.file for each in project.measures}
    assert "it plays on 4x3/course too" in text  # on a board of other sizes, not 3x4 again
    assert "plays only codes that can be the secret" in text  # by its number
    assert "\x1b" not in text
    assert "mon\\x1b[31m\\nprojet v1.2 on 3x4" in text


def test_a_loop_in_c_ends_although_nobody_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "codebreaker0.py"
    text = "from itertools import count\ndef init():\n    pass\ndef codebreaker(evaluation):\n    return sum(count())\n"
    file.write_text(text, encoding="utf-8")
    monkeypatch.setattr("entropeg.classroom.process.LOAD_SECONDS", 0.1)
    limits = Limits(turn_seconds=0.1, game_seconds=0.1)
    player = Process(file, "codebreaker0.py", "codebreaker", Rules.parse("2x2/course"), limits)
    player.limits = Limits(turn_seconds=60, game_seconds=60)  # as if whoever holds it to them were gone
    player.init(0)
    with pytest.raises(ModuleFault, match="its process was ended by the signal SIGPROF"):
        player.turn(None)


# ------------------------------------------------------------------ letters


def test_a_project_keeps_its_own_letters_and_is_judged_in_them(tmp_path: Path) -> None:
    project = checked("letters_of_its_own", tmp_path, games=10, seconds=200)
    told = {each.file: (each.kind, each.text) for each in project.wrong}

    assert {"codebreaker0.py": "follow", "codebreaker3.py": "knows the secret"} == {
        f: kind for f, (kind, _) in told.items()
    }
    assert "has 4 letters; it must have 3" in told["codebreaker0.py"][1]
    assert "plays 10 games on 4x8/course by the rules" in project_text(project)


def test_an_import_without_end_names_no_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("entropeg.classroom.process.LOAD_SECONDS", 0.5)
    (tmp_path / "codebreaker2.py").write_text("while True:\n    pass\n\ndef init(): pass\n\ndef codebreaker(e): pass\n")
    [wrong] = check_project(tmp_path, games=1, limits=LIMITS).wrong

    assert f"{tmp_path / 'codebreaker2.py'}: it took longer than 0.5 s of processor time for its import" == wrong.text


def test_nothing_of_a_module_runs_on_once_its_import_has_failed(tmp_path: Path) -> None:
    # Its copy is that of the process in which it is tried again, with a stand-in for the package.
    left = tmp_path / "left"
    late = f"import atexit\natexit.register(lambda: open({str(left)!r}, 'a').write('x'))\nimport flask\n"
    (tmp_path / "codebreaker0.py").write_text(f"{late}import common\n\ndef init(): pass\n\n"
                                              "def codebreaker(e): return common.choices()\n")  # fmt: skip
    found = check_project(tmp_path, Rules.parse("2x3/course"), games=1, limits=LIMITS)

    assert [] == found.wrong
    assert not left.exists()
