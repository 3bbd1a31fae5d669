"""Projects of other courses: evaluations by other names and in other forms, and modules that play by them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from entropeg import codebreakers, codemakers
from entropeg.classroom import foreign
from entropeg.classroom.foreign import convention_of_common, functions_in, spoken_convention
from entropeg.classroom.functions.conventions import ANSWERS, CODES, LAST, USUAL, Convention
from entropeg.classroom.players import CourseCodebreaker, CourseCodemaker, close_all
from entropeg.classroom.process import Limits
from entropeg.classroom.project import check_project
from entropeg.classroom.series import play_series
from entropeg.errors import InputError
from entropeg.rules import Rules

LIMITS = Limits(turn_seconds=5.0, game_seconds=20.0, memory=512)

NSI = """
from random import choice

COULEURS = "OVJBRN"

def genere_sequence(n, couleurs):
    return "".join(choice(couleurs) for _ in range(n))

def compare_sequences(s1, s2):
    bien = 0
    reste1, reste2 = [], []
    for a, b in zip(s1, s2):
        if a == b:
            bien += 1
        else:
            reste1.append(a)
            reste2.append(b)
    mal = 0
    for c in reste1:
        if c in reste2:
            mal += 1
            reste2.remove(c)
    return str(mal) + str(bien)

if __name__ == "__main__":
    print(compare_sequences(genere_sequence(4, COULEURS), input()))
"""

IPT = """
def occurrences(liste, n):
    return sum(1 for x in liste if x == n)

def evalue(code, proposition):
    bien = 0
    for i in range(len(code)):
        if code[i] == proposition[i]:
            bien = bien + 1
    total = 0
    for couleur in range(1, 7):
        if occurrences(code, couleur) > 0 and occurrences(proposition, couleur) > 0:
            total = total + 1
    return [bien, total - bien]
"""


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Any:
    yield
    close_all()


def checked(folder: Path, **files: str) -> list[tuple[str, str, str, str]]:
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    project = check_project(folder, limits=LIMITS)
    return [(each.file, each.verdict, each.kind, each.text) for each in project.findings]


def test_an_evaluation_of_another_course_is_found_and_its_convention_said(tmp_path: Path) -> None:
    [(file, verdict, _, text)] = checked(tmp_path, projet__mastermind=NSI)

    assert ("projet/mastermind.py", "right") == (file, verdict)
    assert "compare_sequences is right on 1346 pairs of codes: it takes codes as text" in text
    assert "returns misplaced, then well placed: '" in text


def test_a_mistake_in_another_course_is_named_with_the_smallest_counterexample(tmp_path: Path) -> None:
    [(file, verdict, kind, text), note] = checked(tmp_path, jeu=IPT)

    assert ("jeu.py", "wrong", "set") == (file, verdict, kind)
    assert "jeu.py, line 5: evalue([1, 1], [1, 1]) returns [2, -1]; 2 well placed and 0 misplaced is right" in text
    assert "a set forgets how often a color occurs" in text
    assert ("note", "evalue is right where no color occurs twice in a code") == (note[1], note[3])


def test_an_evaluation_that_never_ends_is_told_and_the_next_one_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foreign, "CALLS_SECONDS", 1.0)
    text = "def verifie(a, b):\n    while True: pass\n"
    rows = checked(tmp_path, jeu=text, mastermind=NSI)

    assert [("mastermind.py", "right", ""), ("jeu.py", "note", "not called")] == [row[:3] for row in rows]
    assert "jeu.py, line 1: verifie: it took longer than " in rows[1][3]


def test_functions_that_are_no_evaluations_are_no_project(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no module of the course"):
        checked(tmp_path, calcul="def somme(a, b):\n    return a + b\n", faux="def compare(\n")


def test_functions_with_the_name_of_an_evaluation_come_first(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("def f(a, b): ...\nclass G:\n    def h(self, a): ...\n    def Comparer(self, b): ...\n", "utf-8")

    assert ["Comparer", "f", "h"] == functions_in(path)


# ---------------------------------------------------------------------- played by another convention


@pytest.mark.parametrize("codes", CODES)
@pytest.mark.parametrize("answers", ANSWERS)
@pytest.mark.parametrize("last", ["", f"/{LAST}"])
def test_what_a_convention_writes_it_reads(codes: str, answers: str, last: str) -> None:
    way = Convention(f"{codes}/{answers}{last}")
    code = "1213" if way.is_numbered else "RVBJ"

    assert code == way.read_code(way.code(code))
    assert (1, 2) == way.read_answer(way.answer((1, 2)))
    assert None is way.read_answer(None)
    assert 7 == way.read_code(7)


BREAKER = """
import common
from itertools import product
from random import choice
left, last = [], None
def init():
    global left, last
    left, last = [list(code) for code in product(common.COLORS, repeat=common.LENGTH)], None
def codebreaker(answer):
    global left, last
    if answer is not None:
        left = [code for code in left if common.evaluation(last, code) == answer]
    last = choice(left)
    return last
"""

MAKER = """
import common
from random import choice
secret = []
def init():
    global secret
    secret = [choice(common.COLORS) for _ in range(common.LENGTH)]
def codemaker(guess):
    return common.evaluation(guess, secret)
"""

COMMON = """
LENGTH, COLORS = 4, list("RVBJNMOG")
def evaluation(guess, secret):
    placed = sum(a == b for a, b in zip(guess, secret))
    shared = sum(min(guess.count(c), secret.count(c)) for c in COLORS)
    return f"{shared - placed}{placed}"
"""


EXCHANGED = """
LENGTH, COLORS = 4, list("RVBJNMOG")
def evaluation(guess, secret):
    placed = sum(a == b for a, b in zip(guess, secret))
    return sum(min(guess.count(c), secret.count(c)) for c in COLORS) - placed, placed
"""


def test_modules_of_another_convention_play_as_ours_do(tmp_path: Path) -> None:
    for name, text in (("codebreaker2", BREAKER), ("codemaker1", MAKER), ("common", COMMON)):
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    way, board = f"list/digits/{LAST}", Rules.parse("3x4/course")
    breaker = CourseCodebreaker(str(tmp_path / "codebreaker2.py"), convention=way)
    maker = CourseCodemaker(str(tmp_path / "codemaker1.py"), convention=way)
    honest = play_series(breaker, codemakers.get("honest"), board, 10)
    answered = play_series(codebreakers.get("consistent"), maker, board, 10)
    plain = play_series(CourseCodebreaker(str(tmp_path / "codebreaker2.py")), codemakers.get("honest"), board, 2)

    assert ([], 10) == (honest.faults, len(honest.guesses))
    assert ([], 10) == (answered.faults, len(answered.guesses))
    assert {"type"} == {fault.kind for fault in plain.faults}


@pytest.mark.parametrize(
    ("colors", "way"),
    [("list(range(1, 9))", "list-from-1/digits"), ("[*range(8)]", "list-from-0/digits"), ('"12345678"', "list/digits")],
)
def test_colors_may_be_whole_numbers(tmp_path: Path, colors: str, way: str) -> None:
    common = COMMON.replace('list("RVBJNMOG")', colors)
    for name, text in (("codebreaker2", BREAKER), ("codemaker1", MAKER), ("common", common)):
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    project = check_project(tmp_path, games=8, seconds=4, limits=LIMITS)

    assert {"common.py"} == {each.file for each in project.wrong}
    assert {"codebreaker2.py", "codemaker1.py"} == {each.file for each in project.measures if each.series.guesses}
    said = {each.file: each.text for each in project.findings if each.kind == "convention"}
    assert f"{way}/{LAST}" in said["codebreaker2.py"]
    assert "misplaced, then well placed" in said["common.py"]


def test_a_number_that_is_no_color_is_told_as_the_module_wrote_it(tmp_path: Path) -> None:
    (tmp_path / "codebreaker2.py").write_text("def init(): pass\ndef codebreaker(answer): return [1, 2, 9]\n")
    breaker, board = CourseCodebreaker(str(tmp_path / "codebreaker2.py"), convention="list-from-1/tuple"), "3x4/course"

    [fault] = play_series(breaker, codemakers.get("honest"), Rules.parse(board), 1).faults
    assert ("illegal", "its guess '129' has '9', which is none of 1234") == (fault.kind, fault.text)
    with pytest.raises(InputError, match="writes colors as numbers, and plays boards of at most 35 colors: 3x40 has"):
        play_series(breaker, codemakers.get("honest"), Rules.parse("3x40"), 1)


def test_check_plays_a_project_by_the_convention_of_its_evaluation(tmp_path: Path) -> None:
    for name, text in (("codebreaker2", BREAKER), ("codemaker1", MAKER), ("common", COMMON)):
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    project = check_project(tmp_path, games=8, seconds=4, limits=LIMITS)
    told = {(each.file, each.kind): each.text for each in project.findings}

    assert {("common.py", "type")} == {(each.file, each.kind) for each in project.wrong}
    assert f"list/digits/{LAST}" in told["codebreaker2.py", "convention"]
    assert f"text/digits/{LAST}" in told["codemaker1.py", "convention"]
    assert {"codebreaker2.py", "codemaker1.py"} == {each.file for each in project.measures if each.series.guesses}


def test_a_codemaker_that_answers_as_the_course_does_is_played_so_whatever_its_evaluation_returns(
    tmp_path: Path,
) -> None:
    text = MAKER.replace("return common.evaluation(guess, secret)", "return common.evaluation(guess, secret)[::-1]")
    (tmp_path / "common.py").write_text(EXCHANGED, encoding="utf-8")
    (tmp_path / "codemaker1.py").write_text(text, encoding="utf-8")
    (tmp_path / "codemaker2.py").write_text(MAKER, encoding="utf-8")

    assert f"text/tuple/{LAST}" == convention_of_common(tmp_path / "common.py", LIMITS)
    assert USUAL == spoken_convention(tmp_path / "codemaker1.py", "codemaker", LIMITS)
    assert f"text/tuple/{LAST}" == spoken_convention(tmp_path / "codemaker2.py", "codemaker", LIMITS)


def test_a_convention_that_there_is_not_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "codemaker1.py").write_text(MAKER, encoding="utf-8")

    with pytest.raises(InputError, match="there is no convention 'bits': codes are text, list, tuple, text-from-1, "):
        CourseCodemaker(str(tmp_path / "codemaker1.py"), convention="bits")
