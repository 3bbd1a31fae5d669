"""What a student reads of the classroom, in French: nothing of it is left in English."""

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from entropeg import cli
from entropeg.chosen_language import SpokenChoice, speaking
from entropeg.classroom.faults import Fault
from entropeg.classroom.findings import Project
from entropeg.classroom.functions.evaluation import what_it_gives
from entropeg.classroom.functions.forms import CallResult
from entropeg.classroom.project import BOARD
from entropeg.classroom.project_page import project_text
from entropeg.classroom.traits import TRAITS
from entropeg.classroom.whole_class.checking import ClassMember
from entropeg.classroom.worker import described, long_game, no_python
from entropeg.cli.helping import of_locale
from entropeg.texts.speaking import say
from entropeg.told import Told
from planted import EXAMPLES, PLANTS, plant

QUICK = ("--games", "6", "--seconds", "3")
ENGLISH = re.compile(
    r"\b(?:the|its|is|are|was|not|of|and|with|line|game|guess|wrong|right|returns|should|at|to|on|in)\b"
)
"""Words that every English sentence of the classroom has at least one of, and no French one."""


def typed(*arguments: str, **variables: str) -> Result:
    return CliRunner(env=variables).invoke(cli.group, arguments, prog_name="entropeg")


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a fault in its evaluation, and a codebreaker that proposes lists."""
    folder = tmp_path_factory.mktemp("class") / "projet"
    plant(next(each for each in PLANTS if each.file == "common.py"), folder)
    (folder / "codebreaker0.py").write_text(
        "import common\n\ndef init():\n    pass\n\ndef codebreaker(evaluation):\n    return list(common.COLORS)[:4]\n"
    )
    return folder


def test_a_check_in_french_has_no_english_sentence_left(faulty: Path) -> None:
    french = typed("classroom", "check", str(faulty), *QUICK, "--lang", "fr")
    english = typed("classroom", "check", str(faulty), *QUICK)

    lines = [line.replace(str(faulty), "") for line in french.output.splitlines()]
    assert french.exit_code == english.exit_code == 1
    assert len(lines) == len(english.output.splitlines())
    assert [line for line in lines if ENGLISH.search(line)] == []
    assert all(ENGLISH.search(line) for line in english.output.splitlines() if "✗" in line)


def test_the_language_is_that_of_the_system(faulty: Path) -> None:
    result = typed("classroom", "check", str(faulty / "absent"), LANG="fr_FR.UTF-8")

    assert "n’est pas un dossier\u00a0: nommez le dossier d’un projet" in result.stderr
    assert of_locale({"LC_ALL": "", "LC_MESSAGES": "fr_BE", "LANG": "en_US"}) == "fr"
    assert of_locale({"LC_ALL": "C", "LANG": "fr_FR"}) == of_locale({"LANG": "de_DE"}) == "en"


def test_a_language_that_there_is_not_is_refused(faulty: Path) -> None:
    for command in (("classroom", "check"), ("classroom", "tournament"), ("check-log",)):
        result = typed(*command, str(faulty), "--lang", "de")

        assert (result.exit_code, result.stderr) == (2, "entropeg: there is no language 'de': it is en or fr\n")


def test_json_keeps_its_keys_and_names_and_says_its_sentences_in_french(faulty: Path) -> None:
    found = json.loads(typed("classroom", "check", str(faulty), *QUICK, "--lang", "fr", "--json").stdout)

    assert {each["verdict"] for each in found["findings"]} <= {"right", "wrong", "slow", "note"}
    texts = [each["text"].replace(str(faulty), "") for each in found["findings"]]
    assert [text for text in texts if ENGLISH.search(text)] == []


def test_a_tournament_has_french_headings(faulty: Path, tmp_path: Path) -> None:
    options = (
        "--games",
        "2",
        "--seconds",
        "1",
        "--jobs",
        "1",
        "--rules",
        "3x3/course",
        "--html",
        str(tmp_path / "t.html"),
    )
    typed("classroom", "tournament", str(faulty), *options, "--lang", "fr")

    page = (tmp_path / "t.html").read_text(encoding="utf-8")
    heads = re.findall(r"<th>([^<]*)</th>", page)
    assert '<html lang="fr">' in page
    assert heads[:7] == ["Joueur", "Rang", "Adversaires", "Moyenne", "Intervalle à 95\u202f%", "Parties", "Gâchées"]
    assert "<h2>Codebreakers, le moins de propositions d’abord</h2>" in page


def test_the_log_of_a_game_is_judged_in_french(tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text("RRVB\n4,0\nRRVB\n1,2\nRVVB\n3,0\n")
    result = typed("check-log", str(tmp_path / "log.txt"), "--rules", "4x8/course", LC_ALL="fr_FR.UTF-8")

    first, second = result.output.splitlines()[1:]
    assert first.startswith("partie 1, lignes 1 à 1\u00a0: cohérent\u00a0: un secret convient pour le seul tour")
    assert second.endswith("ensemble\u202f; la partie ne finit pas")
    assert ENGLISH.search(second) is None


CRASH = Told("{what} raised {error}: {message}", "codebreaker", "KeyError", "'G'")
"""What a module did."""


@pytest.mark.parametrize(
    ("sentence", "french"),
    [
        (
            Fault("crash", CRASH, "a.py", game=1, turns=("RRVB 1,2", "RVJN 0,1"), count=2).sentence,
            "a.py : dans la partie 2, codebreaker a levé KeyError : 'G' (la partie jusque-là : RRVB 1,2, RVJN 0,1)",
        ),
        (
            Fault("crash", CRASH, "a.py", "a.py", 7, turns=()).sentence,
            "a.py, ligne 7 : codebreaker a levé KeyError : 'G' (à son premier tour)",
        ),
        (
            Fault("crash", CRASH, "a.py", turns=("R 1",) * 20, count=30).sentence,
            f"a.py : codebreaker a levé KeyError : 'G' (la partie jusque-là : {', '.join(['R 1'] * 12)} ... 30 tours)",
        ),
        (
            no_python(SyntaxError("inconsistent use of tabs")),
            "Python ne peut pas le lire : SyntaxError : inconsistent use of tabs",
        ),
        (
            Told("its guess is {guess}; it must be a string", described(["R"])),
            "sa proposition est ['R'], un objet list ; ce doit être une chaîne",
        ),
        (long_game(60, 1.5), "sa partie a pris plus de 720 s, dont 1,5 s de calcul"),
        (what_it_gives("f('RV')", CallResult(error="KeyError: 'R'", line=12)), "f('RV') lève KeyError: 'R' (ligne 12)"),
        (
            Told("{says}, in all {count:,} games on {board}", TRAITS[1].says, 2000, BOARD),
            "ne joue jamais deux fois le même code, dans les 2 000 parties sur 4x8/course",
        ),
    ],
)
def test_faults_are_read_whole(sentence: str, french: str) -> None:
    assert french == plain_spaces(say(sentence, "fr"))


def plain_spaces(text: str) -> str:
    return re.sub(r"[\u00a0\u202f]", " ", text)


def test_a_project_is_told_with_the_kinds_of_its_faults() -> None:
    project = Project(Path("ben"), BOARD, ["a.py"])
    project.add("a.py", "wrong", CRASH, "crash")
    project.add("a.py", "slow", CRASH, "time")
    member = ClassMember("ben", Path("ben"), project)

    with speaking(SpokenChoice("fr")):
        assert plain_spaces(project_text(project)).startswith("ben sur 4x8/course : 1 module, 1 erreur, 1 lent\n")
    assert "ben : 1 module, 1 erreur : a.py (plantage) ; lents : a.py" == plain_spaces(say(member.line, "fr"))


def test_a_folder_is_named_as_it_is_whatever_words_its_name_has(faulty: Path) -> None:
    folder = faulty.parent / "projets and tests"
    shutil.copytree(faulty, folder)
    page = faulty.parent / "page.html"
    options = (*QUICK, "--lang", "fr", "--html", str(page))
    told = typed("classroom", "check", str(folder), *options, "--force").output

    assert "projets and tests/codebreaker0.py, ligne 6\u00a0: dans la partie 1, ses codes sont des listes" in told
    assert "projets et tests" not in told
    assert f"<h1>{folder}</h1>" in page.read_text(encoding="utf-8")
    assert "projets et tests" not in page.read_text(encoding="utf-8")


def test_the_table_of_a_run_is_in_french(faulty: Path) -> None:
    module = faulty.parent / "codebreaker1.py"
    module.write_text((EXAMPLES / "codebreaker1.py").read_text(encoding="utf-8"), encoding="utf-8")
    told = typed("classroom", "run", str(module), "--rules", "2x2", "--games", "4", "--lang", "fr").stdout

    head, heads, row = told.splitlines()[:3]
    assert head == "2x2, secrets tirés au hasard, graine 0"
    assert ["parties", "moyenne", "médiane", "pire", "perdues", "propositions", "temps", "par", "partie"] == (
        heads.split()[2:]
    )
    assert re.search(r" 4 +\d,\d+ ", row)
