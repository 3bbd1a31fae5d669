"""What a student reads of the classroom, in French: nothing of it is left in English."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from entropeg import cli
from entropeg.texts import of_locale, translate, translate_data, translate_page
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
    assert translate_data({"file": "wrong", "text": ["nothing wrong"]}, "fr") == {
        "file": "wrong",
        "text": ["aucune erreur"],
    }


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
    assert heads[:7] == ["Joueur", "Rang", "Adversaires", "Moyenne", "intervalle à 95\u202f%", "Parties", "Gâchées"]
    assert "<h2>Codebreakers, le moins de propositions d’abord</h2>" in page


def test_the_log_of_a_game_is_judged_in_french(tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text("RRVB\n4,0\nRRVB\n1,2\nRVVB\n3,0\n")
    result = typed("check-log", str(tmp_path / "log.txt"), "--rules", "4x8/course", LC_ALL="fr_FR.UTF-8")

    first, second = result.output.splitlines()[1:]
    assert first.startswith("partie 1, lignes 1 à 1\u00a0: cohérent\u00a0: un secret convient pour le seul tour")
    assert second.endswith("ensemble\u202f; la partie ne finit pas")
    assert ENGLISH.search(second) is None


def test_a_page_keeps_its_tags_and_shapes() -> None:
    page = (
        '<html lang="en"><style>a > b {}</style><td data-label="Games">3 &lt; 4</td><td>4.25</td><h2>Games</h2>'
        '<svg id="is"><path d="M1.5 2"/><text x="1.5">games</text><desc>The secret is A B.</desc></svg>'
    )

    assert translate_page(page, "fr") == (
        '<html lang="fr"><style>a > b {}</style><td data-label="Parties">3 &lt; 4</td><td>4,25</td><h2>Parties</h2>'
        '<svg id="is"><path d="M1.5 2"/><text x="1.5">parties</text><desc>Le secret est A B.</desc></svg>'
    )


@pytest.mark.parametrize(
    ("sentence", "french"),
    [
        (
            "in game 1, its process ended with exit code 7 (at its first turn)",
            "dans la partie 1, son processus s’est terminé avec le code de retour 7 (à son premier tour)",
        ),
        (
            "in game 2, codebreaker raised KeyError: 'G' (the game so far: RRVB 1,2, RVJN 0,1)",
            "dans la partie 2, codebreaker a levé KeyError\u00a0: 'G' (la partie jusque-là\u00a0: RRVB 1,2, RVJN 0,1)",
        ),
        (
            "the codes are lists such as ['R', 'V']; the course wants 'RV'",
            "les codes sont des lists comme ['R', 'V']\u202f; le cours veut 'RV'",
        ),
        (
            "a.py, line 7: codebreaker raised IndexError: list index out of range (at its first turn)",
            "a.py, ligne 7\u00a0: codebreaker a levé IndexError\u00a0: list index out of range (à son premier tour)",
        ),
        (
            "Python cannot read it: TabError: inconsistent use of tabs and spaces in indentation",
            "Python ne peut pas le lire\u00a0: TabError\u00a0: inconsistent use of tabs and spaces in indentation",
        ),
        (
            "f('RV') raises ZeroDivisionError: division by zero (line 12), and so does every other form of codes",
            "f('RV') lève ZeroDivisionError: division by zero (ligne 12), et de même sous toute autre forme de codes",
        ),
        (
            "no secret fits turn 1 (R 1) and turn 2 (V 1) together: at least one of them is wrong",
            "aucun secret ne vérifie à la fois le tour 1 (R 1) et le tour 2 (V 1)\u00a0: l’un d’eux au moins est faux",
        ),
        (
            "f('RR', 'RV') returns (1, 1); 1 well placed and 0 misplaced is right",
            "f('RR', 'RV') renvoie (1, 1)\u202f; il fallait 1 bien placé et 0 mal placé",
        ),
        (
            "f('RV', 'VR') raises KeyError: 'R'; 0 well placed and 2 misplaced is right",
            "f('RV', 'VR') lève KeyError: 'R'\u202f; il fallait 0 bien placé et 2 mal placés",
        ),
        (
            "f is right on 9 pairs of codes: it takes codes as text and returns misplaced, then well placed: (1, 2)",
            "f est juste sur 9 couples de codes\u00a0: elle prend {}\u00a0: (1, 2)".format(
                "des codes en texte et renvoie les mal placés, puis les bien placés"
            ),
        ),
    ],
)
def test_faults_are_read_whole(sentence: str, french: str) -> None:
    assert translate(sentence, "fr") == french


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


@pytest.mark.parametrize(
    ("english", "french"),
    [
        (
            "against cheat on 4x6: 4.00 guesses on average, 1 game; 2.88 expected (our minimax, 20 games); 9 s a game",
            (
                "contre cheat sur 4x6 : 4,00 propositions en moyenne, 1 partie ; "
                "attendu 2,88 (notre minimax, 20 parties) ; 9 s par partie"
            ),
        ),
        ("a on 4x6: 1 module, 1 thing wrong, 1 slow", "a sur 4x6 : 1 module, 1 erreur, 1 lent"),
        ("ben: 6 modules, 1 thing wrong: a.py (crash)", "ben : 6 modules, 1 erreur : a.py (plantage)"),
        ("0.5 of 2 points", "0,5 point sur 2"),
    ],
)
def test_numbers_and_kinds_within_sentences_are_french(english: str, french: str) -> None:
    assert french == re.sub(r"[\u00a0\u202f]", " ", translate(english, "fr"))
