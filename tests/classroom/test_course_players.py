"""Codemakers that never cheat and codebreakers that prefer no possible code are named, and no others are."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from course_players import (
    BREAKER,
    CARELESS,
    CHEATS,
    CHOICES,
    HONEST,
    LETTERS,
    WEAK,
    always_leaves_most,
    never_changes,
    prefers_possible,
)
from entropeg.classroom.findings import Finding, Project
from entropeg.classroom.grading.scheme import GradingCheck, Scheme
from entropeg.classroom.players import close_all
from entropeg.classroom.process import Limits
from entropeg.classroom.project import BOARD, check_project
from entropeg.loop import play
from entropeg.rules import Rules
from planted import EXAMPLES, PLANTS, plant
from student_projects import student_project

LIMITS = Limits(turn_seconds=5.0, game_seconds=20.0, memory=512)
SMALL = Rules.parse("3x4/course")
MAKERS = {**CHEATS, **HONEST, **WEAK}
BREAKERS = {**CHOICES, **{name: source for name, (source, _) in CARELESS.items()}}


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Iterator[None]:
    yield
    close_all()


def written(folder: Path, sources: dict[str, str]) -> Path:
    folder.mkdir(exist_ok=True)
    shutil.copyfile(EXAMPLES / "common.py", folder / "common.py")
    for name, source in sources.items():
        (folder / name).write_text(source, encoding="utf-8")
    return folder


def checked(folder: Path, rules: Rules = SMALL, games: int = 12, **how: Any) -> Project:
    return check_project(folder, rules, games=games, seconds=20, limits=LIMITS, **how)


def told(project: Project, *verdicts: str) -> list[tuple[str, str]]:
    return [(each.file, each.kind) for each in project.findings if each.verdict in verdicts]


def sentence(project: Project, kind: str) -> str:
    [found] = [each.text for each in project.findings if each.kind == kind]
    return found


# ------------------------------------------------------------------ codemakers that never cheat


@pytest.fixture(scope="module")
def makers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Finding]]:
    files = {f"codemaker2_{at}.py": source for at, source in enumerate(MAKERS.values())}
    project = checked(written(tmp_path_factory.mktemp("makers") / "project", files))
    return {name: project.found_in[file] for name, file in zip(MAKERS, files, strict=True)}


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_is_right_however_it_is_written(name: str, makers: dict[str, list[Finding]]) -> None:
    assert always_leaves_most(CHEATS[name])
    assert not never_changes(CHEATS[name], range(2))
    assert {"right"} == {each.verdict for each in makers[name]}


@pytest.mark.parametrize("name", HONEST)
def test_a_codemaker_2_that_never_cheats_is_told_as_that_and_nothing_else(
    name: str, makers: dict[str, list[Finding]]
) -> None:
    [wrong] = [each for each in makers[name] if each.verdict != "right"]

    assert never_changes(HONEST[name], range(4))
    assert ("wrong", "never cheats") == (wrong.verdict, wrong.kind)
    assert (
        "it never cheats: in 20 games on 3x4/course each answer is that of a secret which it had before" in wrong.text
    )


@pytest.mark.parametrize("name", WEAK)
def test_a_bad_cheat_is_not_told_as_one_that_never_cheats(name: str, makers: dict[str, list[Finding]]) -> None:
    assert not never_changes(WEAK[name])
    assert not always_leaves_most(WEAK[name])
    assert ["not largest"] == [each.kind for each in makers[name] if each.verdict == "wrong"]


@pytest.mark.parametrize("board", ["2x2/course", "4x3/course", "4x8/course"])
def test_one_game_is_enough_to_tell_an_honest_codemaker_from_a_cheat(board: str, tmp_path: Path) -> None:
    sources = {
        "codemaker2_a.py": HONEST["codemaker 1 under another name"],
        "codemaker2_b.py": CHEATS["ends the game among equals"],
    }
    project = checked(written(tmp_path / "project", sources), Rules.parse(board), games=1)

    assert [("codemaker2_a.py", "never cheats")] == told(project, "wrong", "note", "follows", "slow")


def test_an_honest_codemaker_2_that_is_slow_on_the_course_s_board_is_told_once(tmp_path: Path) -> None:
    source = HONEST["codemaker 1 under another name"].replace(
        "    return common", "    time.sleep(0.15 if common.LENGTH == 4 else 0)\n    return common"
    )
    folder = written(tmp_path / "project", {"codemaker2.py": f"import time\n{source}"})
    project = check_project(folder, BOARD, games=12, seconds=2, limits=LIMITS)

    assert [("codemaker2.py", "never cheats")] == told(project, "wrong", "note")
    assert " games on 3x4/course each answer is that of a secret" in sentence(project, "never cheats")


def test_where_every_answer_leaves_one_code_nobody_can_be_told_from_a_cheat(tmp_path: Path) -> None:
    source = {"codemaker2.py": HONEST["codemaker 1 under another name"]}
    project = checked(written(tmp_path / "project", source), Rules.parse("1x2/course"))

    assert "never cheats" not in [each.kind for each in project.findings]


def test_a_cheat_whose_init_forgets_nothing_is_told_as_that(tmp_path: Path) -> None:
    source = CHEATS["the example"].replace(
        "possibles = common.all_codes()", "possibles = possibles or common.all_codes()"
    )
    project = checked(written(tmp_path / "project", {"codemaker2.py": source}))

    assert [("codemaker2.py", "reset")] == told(project, "wrong", "note")
    assert "init() does not reset its state" in sentence(project, "reset")


def test_a_cheat_that_is_honest_through_its_common_alone_is_not_charged(tmp_path: Path) -> None:
    folder = written(tmp_path / "project", {"codemaker2.py": CHEATS["by the functions of common"]})
    text = (folder / "common.py").read_text(encoding="utf-8")
    (folder / "common.py").write_text(
        text.replace("            possibles.remove(code)", "            pass").replace(
            "return {code for code in all_codes() if evaluation(guess, code) == answer}",
            "return {all_codes()[0]} if evaluation(guess, all_codes()[0]) == answer else set()",
        ),
        encoding="utf-8",
    )
    project = checked(folder)

    assert ["codemaker2.py"] == [each.file for each in project.follows]
    assert {"common.py"} == {each.file for each in project.wrong}


def test_a_scheme_says_what_never_cheating_costs(tmp_path: Path) -> None:
    source = {"codemaker2.py": HONEST["a switch that is off"]}
    project = checked(written(tmp_path / "project", source))
    checks = [
        GradingCheck("all", "codemaker2.py", 4),
        GradingCheck("a part", "codemaker2.py", 4, costs={"never cheats": 1}),
        GradingCheck("other kinds", "codemaker2.py", 4, kinds=("not largest",)),
    ]

    assert [0, 3, 4] == [each.points for each in Scheme(tuple(checks)).grade(project).checks]


# ------------------------------------------------------------------ codebreakers that prefer no possible code


@pytest.fixture(scope="module")
def breakers(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, dict[str, str]]:
    files = {
        f"codebreaker3_{at}.py": f"{BREAKER}def choose():\n    {source}\n"
        for at, source in enumerate(BREAKERS.values())
    }
    project = checked(written(tmp_path_factory.mktemp("breakers") / "project", files))
    return project, dict(zip(BREAKERS, files, strict=True))


def games_of(project: Project, file: str) -> list[list[tuple[str, tuple[int, int]]]]:
    return [
        [("".join(LETTERS[color] for color in guess), tuple(answer)) for guess, answer in turns]
        for each in project.measures
        if each.file == file and each.series.rules == SMALL
        for turns in each.series.turns
    ]


@pytest.mark.parametrize("name", CHOICES)
def test_a_minimax_that_prefers_possible_codes_is_called_nothing(
    name: str, breakers: tuple[Project, dict[str, str]]
) -> None:
    project, files = breakers
    games = games_of(project, files[name])
    allowed = {
        "a first guess of its own": [("first guess", "note")],
        "only possible ones": [("not minimax", "note")],
    }

    assert len(games) == 12 + 20
    assert prefers_possible(games)
    assert allowed.get(name, []) == [
        (each.kind, each.verdict) for each in project.found_in[files[name]] if each.verdict != "right"
    ]


@pytest.mark.parametrize("name", CARELESS)
def test_a_minimax_that_prefers_no_possible_code_is_told_once(
    name: str, breakers: tuple[Project, dict[str, str]]
) -> None:
    project, files = breakers
    games = games_of(project, files[name])

    assert not games or not prefers_possible(games)
    assert [("not preferred", CARELESS[name][1])] == [
        (each.kind, each.verdict) for each in project.found_in[files[name]] if each.verdict != "right"
    ]


def test_a_game_without_end_is_told_by_its_cause(breakers: tuple[Project, dict[str, str]]) -> None:
    project, files = breakers
    [wrong] = [each.text for each in project.wrong if each.file == files["for ever"]]

    assert "must be: nothing else fits; it would never end the game" in wrong


def test_a_choice_among_equals_costs_what_a_scheme_says(breakers: tuple[Project, dict[str, str]]) -> None:
    project, files = breakers
    mild, grave = files["the first of the best"], files["round about"]
    checks = [
        GradingCheck("free", mild, 3),
        GradingCheck("a part", mild, 3, costs={"not preferred": 1}),
        GradingCheck("all", grave, 3),
        GradingCheck("a part of all", grave, 3, costs={"not preferred": 1}),
    ]

    assert [3, 2, 0, 2] == [each.points for each in Scheme(tuple(checks)).grade(project).checks]


# ------------------------------------------------------------------ codemakers that know one board

DRAW = "secret = common.choices()"
KEPT = "return common.evaluation(guess, secret)"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (DRAW, 'secret = "".join(random.choice(common.COLORS) for _ in range(4))', "does not follow LENGTH: on 3x4"),
        (DRAW, 'secret = "".join(random.choices("RVBJNMOG", k=common.LENGTH))', "does not follow COLORS: on 3x4"),
        (DRAW, 'secret = "".join(random.choices("RVBJNMOG", k=4))', "does not follow LENGTH and COLORS: on 3x4"),
        (KEPT, "return (4, 0) if guess == secret else common.evaluation(guess, secret)", "does not follow LENGTH: on"),
        (
            KEPT,
            """placed = sum(guess[i] == secret[i] for i in range(4))
    return placed, sum(min(guess.count(c), secret.count(c)) for c in set(guess)) - placed""",
            "does not follow LENGTH: on 3x4",
        ),
    ],
)
def test_a_codemaker_with_a_board_written_into_it_is_told_as_that_once(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    source = (EXAMPLES / "codemaker1.py").read_text(encoding="utf-8").replace(old, new)
    assert new in source
    project = checked(written(tmp_path / "project", {"codemaker1.py": f"import random\n{source}"}), BOARD)

    assert [("codemaker1.py", "follow")] == told(project, "wrong", "note")
    assert said in project.wrong[0].text
    assert 1 == len(project.measures)


def test_a_cheat_too_slow_for_the_course_s_board_is_told_by_the_size_that_it_does_not_follow(tmp_path: Path) -> None:
    folder = student_project("slow_and_right", tmp_path / "slow")
    file = folder / "codemaker2.py"
    text = file.read_text(encoding="utf-8")
    limits = Limits(turn_seconds=0.5, game_seconds=20.0, memory=512)
    right = check_project(folder, BOARD, games=3, seconds=20, limits=limits)
    file.write_text(text.replace("repeat=common.LENGTH", "repeat=4"), encoding="utf-8")
    wrong = check_project(folder, BOARD, games=3, seconds=20, limits=limits)

    file.write_text(text.replace("return rep_choisie", "return rep_choisie if possibles[1:] else None[0]"))
    other = check_project(folder, BOARD, games=3, seconds=20, limits=limits)

    assert [] == right.wrong
    assert [("codemaker2.py", "follow")] == told(wrong, "wrong", "note")
    assert [("codemaker2.py", "crash")] == told(other, "wrong", "note")  # on boards of other sizes too


def test_a_codemaker_0_that_counts_well_placed_pegs_alone_follows_too(tmp_path: Path) -> None:
    source = "import common\ndef init():\n    global secret\n    secret = common.choices()\n"
    source += "def codemaker(guess):\n    return sum(a == b for a, b in zip(guess, secret)), 0\n"
    project = checked(written(tmp_path / "project", {"codemaker0.py": source}), BOARD, games=3)

    assert [] == told(project, "wrong", "note", "slow")
    assert "follows LENGTH and COLORS: it plays on 3x4/black/course too" in [each.text for each in project.findings]


def test_a_common_that_knows_one_board_is_charged_for_the_codemakers_beside_it(tmp_path: Path) -> None:
    fault = next(each for each in PLANTS if each.name == "evaluation of four pegs")
    project = checked(plant(fault, tmp_path / "project", others=("codemaker1.py", "codemaker2.py")), BOARD, games=3)

    assert [("common.py", "follow")] == told(project, "wrong")
    assert ["codemaker1.py", "codemaker2.py"] == sorted({each.file for each in project.follows})


# ------------------------------------------------------------------ who knows the secret


def test_who_knows_the_secret_is_told_once_and_three_turns_are_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = list[int]()

    def counted(*arguments: Any) -> Any:
        game = play(*arguments)
        turns.append(len(game))
        return game

    monkeypatch.setattr("entropeg.classroom.project.play", counted)
    project = checked(student_project("frame_inspection", tmp_path / "project"), BOARD, games=10)

    assert [("codebreaker2.py", "knows the secret")] == told(project, "wrong", "note")
    assert 5 == len(turns)
    assert max(turns) <= 3
    assert ["honest"] == [each.series.codemaker for each in project.measures]


# ------------------------------------------------------------------ what stands where


def test_what_is_passed_over_stands_behind_the_modules_and_is_none_of_them(tmp_path: Path) -> None:
    folder = student_project("players_for_people", tmp_path / "project")
    for name in ("play.py", "tests.py"):
        (folder / name).write_text("import common\n", encoding="utf-8")
    project = checked(folder, games=3)
    modules = ["common.py", "codebreaker2.py", "codemaker1.py"]

    assert modules == sorted(project.modules, key=lambda name: name != "common.py")
    assert modules == [*project.found_in][:3]
    assert {"human_codebreaker.py", "human_codemaker.py", "joueur.py", "codemaker_choisi.py"} == {*project.found_in} - {
        *modules
    }
    assert {"play.py", "tests.py"} <= {*project.files}  # a scheme may ask for them
