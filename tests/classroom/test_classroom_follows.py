"""One fault is charged once: what follows from a wrong `common.py`, what is wrong by itself, and what each costs."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from classroom_typing import project, typed
from entropeg.classroom import common
from entropeg.classroom.faults import Fault
from entropeg.classroom.findings import Finding, Project
from entropeg.classroom.follows import PlayedAgain, not_played, taken_from_common
from entropeg.classroom.functions.ours import NAMES, OurFunctions
from entropeg.classroom.grading.scheme import GradingCheck, Scheme, read_scheme, scheme_to_start_from
from entropeg.classroom.players import CourseCodebreaker, CourseCodemaker, close_all
from entropeg.classroom.process import Limits
from entropeg.classroom.project import BOARD, Check, check_project
from entropeg.classroom.project_page import project_page, project_text
from entropeg.classroom.series import ClassroomInterrupted, play_series
from entropeg.classroom.whole_class.checking import ClassMember
from entropeg.codebreakers.basic import Consistent
from entropeg.errors import InputError
from entropeg.rules import Rules
from planted import EXAMPLES, PLANTS, Plant, plant
from planted_sentences import PLANTED, plant_into
from rooms import often

QUARTER = Rules.parse("4x4/course")
QUICK: dict[str, Any] = {"games": 8, "seconds": 5, "limits": Limits(turn_seconds=0.5, game_seconds=20.0, memory=512)}
OTHERS = ("codebreaker2.py", "codemaker1.py", "codemaker2.py")
COMMON = [each for each in PLANTS if each.file == "common.py"]
OWN = [
    each
    for each in PLANTS
    if each.name in {"inconsistent guesses", "crash", "changes its secret", "evaluation of one number"}
] + [each for each in PLANTS if each.name in {"least instead of most", "hides one secret"}]


def named(name: str) -> Plant:
    return next(each for each in PLANTS if each.name == name)


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Any:
    yield
    close_all()


def points(found: Project, folder: Path) -> list[float]:
    """Return the points by the scheme of the kits, check by check."""
    (folder / "scheme.toml").write_text(scheme_to_start_from(), encoding="utf-8")
    return [each.points for each in read_scheme(folder / "scheme.toml").grade(found).checks]


def wrong(found: Project) -> set[tuple[str, str]]:
    return {(each.file, each.kind) for each in found.wrong}


# ---------------------------------------------------------------------- planted


@pytest.mark.slow
@pytest.mark.parametrize("fault", COMMON, ids=lambda fault: fault.name)
def test_a_fault_of_common_is_charged_there_and_nowhere_else(fault: Plant, tmp_path: Path) -> None:
    # A size that is not followed shows on another board than the course's; other faults on a small one too.
    board, games = (BOARD, 20) if fault.kind == "follow" else (QUARTER, 8)
    found = check_project(plant(fault, tmp_path / "project", others=OTHERS), board, **{**QUICK, "games": games})

    assert {("common.py", fault.kind)} == wrong(found)
    assert [] == found.unjudged
    assert [3 if fault.kind == "not in place" else 0, 3, 1, 2] == points(found, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "own"),
    often(6, [(fault, OWN[at % len(OWN)]) for at, fault in enumerate(COMMON)]),
    ids=lambda fault: fault.name,
)
def test_a_fault_of_a_module_beside_one_of_common_comes_to_light(fault: Plant, own: Plant, tmp_path: Path) -> None:
    found = check_project(plant(fault, tmp_path / "project", others=OTHERS, also=(own,)), QUARTER, **QUICK)

    assert {("common.py", fault.kind), (own.file, own.kind)} == wrong(found)
    assert {own.file} & {each.file for each in found.follows} == set()


@pytest.mark.slow
def test_a_fault_that_a_wrong_evaluation_hides_in_common_itself_comes_to_light(tmp_path: Path) -> None:
    faults = named("wrong multiplicity"), named("maj_possibles makes a new set")
    found = check_project(plant(faults[0], tmp_path / "project", others=OTHERS, also=faults[1:]), QUARTER, **QUICK)
    texts = [each.text for each in found.wrong]

    assert {("common.py", "multiplicity"), ("common.py", "not in place")} == wrong(found)
    assert "wrong with entropeg's evaluation too: " in texts[1]
    assert "donner_possibles is right with entropeg's evaluation" in project_text(found)
    assert any("with entropeg's evaluation and maj_possibles there" in each.text for each in found.follows)


# ---------------------------------------------------------------------- a run that is cut


def test_what_was_stopped_before_it_played_once_more_is_not_settled_and_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: Any) -> Any:
        raise KeyboardInterrupt  # as the end of the time, Ctrl-C and SIGTERM do

    folder = plant(named("wrong multiplicity"), tmp_path / "project", others=("codemaker1.py",))
    monkeypatch.setattr(Check, "_with", stop)
    with pytest.raises(ClassroomInterrupted) as cut:
        check_project(folder, QUARTER, **QUICK)
    found = cut.value.done
    [open_] = [each for each in found.findings if each.file == "codemaker1.py" and each.verdict != "right"]

    assert {("common.py", "multiplicity")} == wrong(found)
    assert ("waiting", "evaluation") == (open_.verdict, open_.kind)
    said = "not settled, since it was stopped before it had played with entropeg's evaluation in common.py: "
    assert open_.text.startswith(f"{said}{folder}/codemaker1.py, line ")
    assert ["codemaker1.py"] == found.left
    assert "1 thing wrong, 1 not judged yet so far\n" in project_text(found)


def test_who_looks_for_a_color_that_is_never_drawn_is_not_watched_to_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = plant(named("choices draws tuples"), tmp_path / "project", others=("codebreaker1.py",))
    text = (folder / "common.py").read_text(encoding="utf-8")
    never = '"".join(random.choices(COLORS[:-1], k=LENGTH))'
    (folder / "common.py").write_text(text.replace("tuple(random.choices(COLORS, k=LENGTH))", never), encoding="utf-8")
    boards, play = list[tuple[str, float, str]](), Check.series

    def noted(check: Check, breaker: Any, maker: Any, rules: Rules, games: int) -> Any:
        boards.append((str(rules), breaker.turn_seconds, breaker.ours))
        return play(check, breaker, maker, rules, games)

    monkeypatch.setattr(Check, "series", noted)
    found = check_project(folder, QUARTER, only=["codebreaker1"], **QUICK)

    assert {("common.py", "choices")} == wrong(found)
    assert [("codebreaker1.py", "time")] == [(each.file, each.kind) for each in found.follows]
    # Once on a small board by its own choices, and never again: it would take the time of a turn on each.
    assert [("3x4/course", 0.5, "")] == boards[:1]
    assert {"choices"} == {ours for _, _, ours in boards[1:]}


# ---------------------------------------------------------------------- who is not excused


def test_a_module_that_imports_no_common_is_not_excused(tmp_path: Path) -> None:
    folder = plant(named("wrong multiplicity"), tmp_path / "project")
    text = (folder / "common.py").read_text(encoding="utf-8")
    maker = (EXAMPLES / "codemaker1.py").read_text(encoding="utf-8")
    own = maker.replace("import common\n", text.split('"""', 2)[2]).replace("common.", "")
    (folder / "codemaker1.py").write_text(own, encoding="utf-8")
    found = check_project(folder, QUARTER, **QUICK)

    assert {("common.py", "multiplicity"), ("codemaker1.py", "evaluation")} == wrong(found)
    assert [] == found.follows
    assert "entropeg's" not in found.wrong[-1].text


def test_a_module_is_not_excused_by_a_right_common(tmp_path: Path) -> None:
    found = check_project(plant(named("changes its secret"), tmp_path / "project"), QUARTER, **QUICK)

    assert {("codemaker1.py", "inconsistent")} == wrong(found)
    assert "by itself" not in found.wrong[0].text


def found_again(
    *findings: Finding, taken: frozenset[str] = frozenset({"evaluation"}), sizes: bool = False
) -> PlayedAgain:
    return PlayedAgain(
        Project(Path("dupont"), BOARD, findings=[*findings]), ("evaluation",), ["common.py"], taken, sizes=sizes
    )


CRASH, RIGHT = Finding("a.py", "wrong", "it crashes", "crash"), Finding("a.py", "right", "it plays")
SIZE, SPOKEN = Finding("a.py", "wrong", "knows 4", "follow"), Finding("a.py", "note", "by another", "convention")
MEAN = Finding("a.py", "note", "9.00 guesses", "mean")


@pytest.mark.parametrize(
    ("seen", "again", "told"),
    [
        ([CRASH], found_again(RIGHT), [("follows", "crash"), ("right", "")]),
        ([CRASH], found_again(RIGHT, MEAN), [("follows", "crash"), ("right", ""), ("note", "mean")]),
        ([CRASH], found_again(SIZE, RIGHT), [("wrong", "follow"), ("right", "")]),
        ([SPOKEN, CRASH], found_again(SIZE), None),
        ([SPOKEN, CRASH], found_again(RIGHT), [("follows", "crash"), ("right", "")]),
        ([RIGHT, MEAN], found_again(RIGHT), [("right", "")]),
        ([RIGHT, MEAN], found_again(RIGHT, MEAN), None),
        ([RIGHT, MEAN], found_again(CRASH), None),
        # a function that was not looked at may know one board only, where another one does
        ([CRASH], found_again(SIZE, taken=frozenset({"all_codes"}), sizes=True), [("follows", "follow")]),
        ([CRASH], found_again(SIZE, taken=frozenset({"all_codes"})), [("wrong", "follow")]),
        ([CRASH], found_again(SIZE, sizes=True), [("wrong", "follow")]),
        ([CRASH], found_again(CRASH, taken=frozenset({"all_codes"}), sizes=True), [("wrong", "crash")]),
    ],
)
def test_what_is_told_of_a_module_that_played_once_more(
    seen: list[Finding], again: PlayedAgain, told: list[tuple[str, str]] | None
) -> None:
    found = again.told(seen)

    assert told == (None if found is None else [(each.verdict, each.kind) for each in found])


def test_the_sentences_say_what_was_seen_and_with_whose_functions() -> None:
    [follows, right] = found_again(RIGHT).told([CRASH]) or []
    [itself] = found_again(CRASH).told([CRASH]) or []
    [too] = found_again(CRASH, taken=frozenset({"all_codes"})).told([CRASH]) or []

    assert (
        "through common.py alone (with entropeg's evaluation there, nothing is wrong): it crashes",
        "with entropeg's evaluation: it plays",
        "wrong by itself: with entropeg's evaluation in common.py too, it crashes",
        "wrong with entropeg's evaluation in common.py too: it crashes",
    ) == (follows.text, right.text, itself.text, too.text)


# ---------------------------------------------------------------------- sizes that common.py does not follow


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", often(2, ["a loop over four pegs", "codes of eight colors", "choices of four", "codes of four"])
)
def test_a_loop_over_four_pegs_in_common_is_named_there_and_what_it_leads_to_follows(name: str, tmp_path: Path) -> None:
    folder = plant_into(next(each for each in PLANTED if each.name == name), tmp_path / "project")
    found = check_project(folder, **QUICK)

    assert {("app/mastermind/common.py", "follow")} == wrong(found)
    # The codemaker takes no set of codes from there.
    follow = ["codebreaker2.py", *(["codemaker1.py"] if name in {"a loop over four pegs", "choices of four"} else [])]
    assert {f"app/mastermind/{file}" for file in follow} == {each.file for each in found.follows}
    assert "✓ with entropeg's " in project_text(found)


@pytest.mark.slow
def test_minimax_that_knows_four_pegs_alone_is_judged_on_a_board_of_four(tmp_path: Path) -> None:
    folder = plant(named("codes of four pegs"), tmp_path / "project", others=("codebreaker3.py",))
    found = check_project(folder, **QUICK)
    [follows] = found.follows

    assert ({("common.py", "follow")}, []) == (wrong(found), found.unjudged)
    assert follows.text.startswith(
        "perhaps through common.py alone, whose all_codes was not looked at: does not follow"
    )
    assert "always leaves the fewest codes in the worst case, in all 8 games on 4x4/course" in project_text(found)


@pytest.mark.slow
def test_a_loop_over_four_pegs_is_named_beside_another_fault_of_the_same_function(tmp_path: Path) -> None:
    faults = named("evaluation of four pegs"), named("wrong multiplicity")
    found = check_project(plant(faults[0], tmp_path / "project", others=OTHERS[:2], also=faults[1:]), **QUICK)
    texts = {each.kind: each.text for each in found.wrong}

    assert {("common.py", "multiplicity"), ("common.py", "follow")} == wrong(found)
    assert texts["follow"].startswith(
        "does not follow LENGTH: on 3x3/course it crashes, and on 4x8/course it does not;"
    )
    assert ["codebreaker2.py", "codemaker1.py"] == [each.file for each in found.follows]


# ---------------------------------------------------------------------- a common.py that cannot be imported


@pytest.mark.parametrize("line", ["LENGTH = 4x", "LENGTH = 4 / 0", "LENGTH = four"])
def test_modules_beside_a_common_that_cannot_be_imported_play_with_ours(line: str, tmp_path: Path) -> None:
    folder = project(tmp_path / "project", "common.py", "codebreaker2.py", "codemaker1.py", "codemaker2.py")
    text = (folder / "common.py").read_text(encoding="utf-8")
    (folder / "common.py").write_text(text.replace("LENGTH = 4", line), encoding="utf-8")
    found = check_project(folder, QUARTER, **QUICK)
    told = {each.file: each.text for each in found.findings if "not played: it imports common" in each.text}

    assert ["codebreaker2.py", "codemaker1.py"] == [each.file for each in found.follows]
    assert "with entropeg's common in its place, nothing is wrong" in told["codebreaker2.py"]
    assert told["codemaker2.py"].endswith("keeps it from that")  # it takes all_codes, which ours has not
    assert ["codemaker2.py"] == found.unjudged
    assert {("common",)} == {each.ours for each in found.measures}


def test_what_goes_wrong_with_our_whole_common_is_no_proof() -> None:
    again = Project(Path("dupont"), BOARD, findings=[CRASH, RIGHT])
    told = not_played("a.py", Fault("syntax", "SyntaxError", "common.py", "common.py", 3), again)

    assert ["note", "note"] == [each.verdict for each in told]
    assert "with entropeg's common: it crashes" == told[1].text


# ---------------------------------------------------------------------- what a module takes from common.py


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("import random\nx = random.choice", None),
        ("import common\nx = common.LENGTH, common.choices()", {"LENGTH", "choices"}),
        ("import common as c\nx = c.evaluation", {"evaluation"}),
        ("from common import choices, evaluation as e", {"choices", "evaluation"}),
        ("from . import common\nx = common.all_codes", {"all_codes"}),
        ("from jeu import common as c\nx = c.bien", {"bien"}),
        ("from jeu.common import mal", {"mal"}),
        ("import jeu.common\nx = jeu.common.mal", {"mal"}),
        ("from common import *\ndef f(a):\n    b = len(a)\n    return evaluation(a, b), mal", {"evaluation", "mal"}),
        ("def f():\n    import common\n    return common.choices()", {"choices"}),
        ("import outils", {"choices"}),
    ],
)
def test_the_names_that_a_module_takes_from_common(text: str, taken: set[str] | None, tmp_path: Path) -> None:
    (tmp_path / "outils.py").write_text("from common import choices\n", encoding="utf-8")
    (tmp_path / "common.py").touch()
    (tmp_path / "a.py").write_text(text, encoding="utf-8")

    assert taken == taken_from_common(tmp_path / "a.py")


# ---------------------------------------------------------------------- our functions in the place of theirs


def test_our_functions_are_called_as_theirs_are() -> None:
    def maj_possibles(p: Any, proposition: Any, rep: Any) -> None:
        """Theirs: it does nothing."""

    ours = OurFunctions(common, lambda: (2, "AB"))
    update, codes = ours("maj_possibles", maj_possibles), ["AA", "AB", "BB"]
    size = common.LENGTH, common.COLORS
    try:
        assert ["BB"] == update(codes, proposition="AA", rep=[0, 0]) == codes
        assert {"AA", "BB"} == update({"AA", "AB", "BB"}, "AB", (1, 0))
        assert {"BB"} == ours("donner_possibles", maj_possibles)("AA", [0, 0])
        assert set("AB") >= set(ours("choices", maj_possibles)())
        assert (1, 0) == ours("evaluation", maj_possibles)("AA", "AB", 2)
        assert "no function" == ours("evaluation", "no function")
    finally:
        common.LENGTH, common.COLORS = size


def test_a_player_plays_with_our_functions_under_the_letters_of_its_project(tmp_path: Path) -> None:
    folder = plant(named("wrong multiplicity"), tmp_path / "project", others=OTHERS)
    text = (
        (folder / "common.py")
        .read_text(encoding="utf-8")
        .replace('["R", "V", "B", "J", "N"', '["A", "E", "I", "U", "Y"')
    )
    (folder / "common.py").write_text(text, encoding="utf-8")
    path = str(folder / "codemaker1.py")
    plain, mended = (
        play_series(Consistent(), CourseCodemaker(path, ours=ours), QUARTER, 20) for ours in ("", "evaluation+choices")
    )
    breaker = CourseCodebreaker(str(folder / "codebreaker2.py"), ours="+".join(NAMES))
    games = play_series(breaker, CourseCodemaker(path, ours="evaluation"), QUARTER, 10)

    assert plain.faults
    assert ([], 20) == (mended.faults, len(mended.guesses))
    assert ([], 10) == (games.faults, len(games.guesses))
    assert mended.codemaker.endswith("codemaker1.py:ours=evaluation+choices")


@pytest.mark.slow
def test_a_module_that_reads_a_list_is_judged_by_its_own_fault(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    listed = Plant(
        "a list", "common.py", "{code for code in all_codes() if evaluation(guess, code) == answer}",
        "[code for code in all_codes() if evaluation(guess, code) == answer]", "type",
    )  # fmt: skip
    plant(listed, folder, others=("codebreaker2.py",))
    file = folder / "codebreaker2.py"
    text = file.read_text(encoding="utf-8").replace("random.choice(sorted(possibles))", "random.choice(possibles)")
    file.write_text(text, encoding="utf-8")

    assert {("common.py", "type")} == wrong(check_project(folder, QUARTER, **QUICK))
    file.write_text(text.replace("    common.maj_possibles(possibles, last, evaluation)", "    pass"), encoding="utf-8")
    assert {("common.py", "type"), ("codebreaker2.py", "not consistent")} == wrong(
        check_project(folder, QUARTER, **QUICK)
    )


def test_functions_that_nobody_knows_cannot_be_ours() -> None:
    with pytest.raises(InputError, match="'all_codes' cannot be one of ours: these can be common, choices, evaluation"):
        CourseCodemaker(str(EXAMPLES / "codemaker1.py"), ours="evaluation+all_codes")


def test_a_table_that_common_makes_by_its_evaluation_is_right_with_ours(tmp_path: Path) -> None:
    folder = plant(named("wrong multiplicity"), tmp_path / "project")
    with (folder / "common.py").open("a", encoding="utf-8") as file:
        file.write("\n\nTABLE = {(g, s): evaluation(g, s) for g in all_codes() for s in all_codes()}\n")
    text = (EXAMPLES / "codemaker1.py").read_text(encoding="utf-8")
    text = text.replace("common.evaluation(guess, secret)", "common.TABLE[guess, secret]")
    (folder / "codemaker1.py").write_text(text, encoding="utf-8")
    series = [
        play_series(
            Consistent(), CourseCodemaker(str(folder / "codemaker1.py"), ours=ours), Rules.parse("3x4/course"), 30
        )
        for ours in ("", "evaluation")
    ]

    assert [True, False] == [bool(each.faults) for each in series]


# ---------------------------------------------------------------------- points


def follower(**check: Any) -> float:
    found = Project(Path("dupont"), BOARD, ["a.py"])
    found.add("a.py", "follows", "through common.py alone", "crash")
    found.add("a.py", "right", "it plays")
    [graded] = Scheme((GradingCheck("it", "a.py", 4, **check),)).grade(found).checks

    assert "through common.py alone" in graded.text or check.get("kinds") == ("type",)
    return graded.points


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        ({}, 4),
        ({"follows": 0.5}, 3.5),
        ({"follows": 9}, 0),
        ({"costs": {"crash": 3}}, 4),
        ({"kinds": ("crash",), "follows": 1}, 3),
        ({"kinds": ("type",), "follows": 1}, 4),
    ],
)
def test_what_follows_costs_what_the_scheme_says_and_nothing_by_default(check: dict[str, Any], expected: float) -> None:
    assert expected == follower(**check)


def test_a_scheme_says_once_or_check_by_check_what_costs_what_follows(tmp_path: Path) -> None:
    path = tmp_path / "scheme.toml"
    path.write_text("follows = 0.5\n[[check]]\nfile='a.py'\n[[check]]\nfile='b.py'\nfollows=2\n", encoding="utf-8")

    assert [0.5, 2] == [each.follows for each in read_scheme(path).checks]
    path.write_text("follows = -1\n[[check]]\nfile='a.py'\n", encoding="utf-8")
    with pytest.raises(InputError, match="follows is -1; it must be a number from 0"):
        read_scheme(path)


# ---------------------------------------------------------------------- where it is shown


def test_text_pages_data_and_table_tell_what_follows(tmp_path: Path) -> None:
    plant(named("wrong multiplicity"), tmp_path / "class" / "anna", others=("codemaker1.py",))
    project(tmp_path / "class" / "ben", "common.py", "codemaker1.py")
    quick = ["--games", "8", "--seconds", "3", "--rules", "4x4/course"]
    data = json.loads(typed("check", str(tmp_path / "class" / "anna"), *quick, "--json").stdout)
    page, table = tmp_path / "page.html", tmp_path / "table.csv"
    told = typed("check", str(tmp_path / "class"), *quick, "--html", str(page), "--csv", str(table))
    with table.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    alone = (tmp_path / "page" / "anna.html").read_text(encoding="utf-8")
    text = " ".join(told.stdout.split())
    [kind] = [each["kind"] for each in data["findings"] if each["verdict"] == "follows"]

    assert (1, 1, [["evaluation"]]) == (data["wrong"], data["follows"], [each["ours"] for each in data["games"]])
    assert told.exit_code == 1
    assert "✗ anna: 2 modules, 1 thing wrong: common.py (multiplicity); through common.py" in text
    assert f"alone: codemaker1.py ({kind})" in text
    assert "→ through common.py alone (with entropeg's evaluation there, nothing is wrong)" in text
    assert ["1", "0"] == [row["follows"] for row in rows]
    assert [f"follows: {kind}", "right"] == [row["codemaker1.py"] for row in rows]
    assert f"follows ({kind})" in page.read_text(encoding="utf-8")
    assert "→ follows</span> through common.py alone" in alone
    assert "Through common.py alone: 1." in alone
    assert "consistent, 4x4/course, with entropeg&#x27;s evaluation" in alone


def test_a_table_of_an_earlier_version_is_written_anew(tmp_path: Path) -> None:
    table = tmp_path / "class.csv"
    table.write_bytes(b"\xef\xbb\xbfproject,folder,modules,wrong,slow,noted,trouble,first\n")
    folder = project(tmp_path / "ben", "codemaker1.py")
    result = typed("check", str(folder), "--games", "1", "--rules", "3x4", "--csv", str(table))

    assert 0 == result.exit_code
    assert b",follows," in table.read_bytes()


def test_a_project_of_which_all_follows_reads_in_french(tmp_path: Path) -> None:
    folder = plant(named("wrong multiplicity"), tmp_path / "dupont", others=("codemaker1.py",))
    told = typed("check", str(folder), "--games", "8", "--rules", "4x4/course", "--lang", "fr").stdout
    text = " ".join(told.split())

    assert "1 erreur, 1 à cause du seul common.py" in text
    assert "→ à cause de common.py seul (avec evaluation d’entropeg à la place, rien n’est faux)" in text


def test_a_member_is_no_worse_for_what_follows() -> None:
    found = Project(Path("dupont"), BOARD, findings=[Finding("codemaker1.py", "follows", "it", "type"), RIGHT])

    assert [] == found.wrong
    assert ("follows", ["type"]) == ClassMember("dupont", Path("dupont"), found).verdicts["codemaker1.py"]
    assert "Nothing wrong was found. Through common.py alone: 1." in project_page(found)


def test_of_two_commons_the_nearest_is_meant(tmp_path: Path) -> None:
    folder = plant(named("wrong multiplicity"), tmp_path / "project", others=("codemaker1.py",))
    plant(named("changes its secret"), folder / "other")
    (folder / "other" / "codemaker1.py").rename(folder / "other" / "codemaker1_b.py")
    found = check_project(folder, QUARTER, **QUICK)
    [other] = [each for each in found.wrong if each.file == "other/codemaker1_b.py"]

    assert ["codemaker1.py"] == [each.file for each in found.follows]
    assert "entropeg" not in other.text
